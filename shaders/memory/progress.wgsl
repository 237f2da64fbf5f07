// What workgroups of a single pass tell each other, by atomics alone. It holds how many workgroups are done, an epoch, how many blocks are drawn, and a place for the
// total of each block and of each group of blocks.
//
// A total has twice the room that it needs: where neighbours share fewer words that memory keeps together, workgroups that look for one wait less for those that leave
// another. Each word of a total has a word beside it: the same one, xor the pass's key. A workgroup that finds such a pair knows that it has the total, however
// the two came to it: so relaxed atomics do, and nothing has to be cleared before the next pass, which has a key of its own. No other
// kernel ever writes here.
@group(0) @binding(5) @coherent var<storage, read_write> progress: array<atomic<u32>>;

const DONE = 0u;
const EPOCH = 1u;
const DRAWN = 2u;
const FIRST_TOTAL = 4u;
const TOTAL_WORDS = 4u * ACC_WORDS;
const LAST_EPOCH = 0xfffffffeu;

fn progress_store(index: u32, key: u32, acc: Acc) {
    let words = op_pack(acc);
    let first = FIRST_TOTAL + TOTAL_WORDS * index;
    for (var i = 0u; i < ACC_WORDS; i++) {
        atomicStore(&progress[first + 2u * i], words[i]);
        atomicStore(&progress[first + 2u * i + 1u], words[i] ^ key);
    }
}

struct Progress {
    acc: Acc,
    is_there: bool,
}

fn progress_load(index: u32, key: u32) -> Progress {
    var words: array<u32, ACC_WORDS>;
    var is_there = true;
    let first = FIRST_TOTAL + TOTAL_WORDS * index;
    for (var i = 0u; i < ACC_WORDS; i++) {
        let word = atomicLoad(&progress[first + 2u * i]);
        let check = atomicLoad(&progress[first + 2u * i + 1u]);
        words[i] = word;
        is_there = is_there & ((word ^ check) == key);
    }
    return Progress(op_unpack(words), is_there);
}

// The pass's key, for lanes that need it: no workgroup leaves the pass before they have it. No pass has the key 0, which zeros would have: so it is that nothing was written to.
fn pass_key() -> u32 {
    return ~atomicLoad(&progress[EPOCH]);
}

// A workgroup needs the key no longer, nor do others need this one. The last one leaves things for the next pass. By one lane, after a barrier.
fn pass_leave(blocks: u32, key: u32) {
    if atomicAdd(&progress[DONE], 1u) + 1u == blocks {
        let epoch = ~key;
        atomicStore(&progress[DONE], 0u);
        atomicStore(&progress[DRAWN], 0u);
        atomicStore(&progress[EPOCH], select(epoch + 1u, 0u, epoch == LAST_EPOCH));
    }
}

// The next block that nobody has yet, for a workgroup that will leave the pass. By one lane.
fn pass_draw() -> u32 {
    return atomicAdd(&progress[DRAWN], 1u);
}
