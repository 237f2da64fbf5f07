// What workgroups and dispatches of one reduction hand to each other, all of it accumulators: partials, and the state
// between launches.

struct Scratch {
    // How many workgroups have delivered their totals, where the last one folds the partials; else 0, as before the
    // dispatch and after it.
    delivered: atomic<u32>,
    words: array<u32>,
}

fn scratch_store(index: u32, acc: Acc) {
    let words = op_pack(acc);
    for (var i = 0u; i < ACC_WORDS; i++) {
        scratch.words[index * ACC_WORDS + i] = words[i];
    }
}

fn scratch_load(index: u32) -> Acc {
    var words: array<u32, ACC_WORDS>;
    for (var i = 0u; i < ACC_WORDS; i++) {
        words[i] = scratch.words[index * ACC_WORDS + i];
    }
    return op_unpack(words);
}

// No workgroup reads here what another one of the same dispatch has written.
@if(memory) @group(0) @binding(3) var<storage, read_write> scratch: Scratch;

// Workgroups read what others of the same dispatch have written: `coherent` makes it come to them.
@if(coherent) @group(0) @binding(3) @coherent var<storage, read_write> scratch: Scratch;
