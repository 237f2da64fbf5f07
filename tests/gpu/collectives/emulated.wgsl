
// Behind public/place.wgsl: subgroups of a size that the device does not have, made of workgroup memory. The tests' kernels say at their
// beginning which lane an invocation is.

const EMULATED_SIZE = 32u;
// What a lane gets from one that is not there.
const POISON = 0xbadbad11u;

var<workgroup> emulated_words: array<u32, WORKGROUP_SIZE>;
var<private> emulated_lane: u32;

// Every lane of the workgroup shows its word to the others.
fn emulated_show(word: u32) {
    workgroupBarrier();
    emulated_words[emulated_lane] = word;
    workgroupBarrier();
}

// The workgroup's lane that is so far in this lane's subgroup, which may end before.
fn emulated_at(lane: u32) -> u32 {
    return (emulated_lane & ~(EMULATED_SIZE - 1u)) + lane;
}

fn subgroupShuffle(word: u32, lane: u32) -> u32 {
    emulated_show(word);
    let at = emulated_at(lane);
    if lane >= EMULATED_SIZE || at >= WORKGROUP_SIZE {
        return POISON;
    }
    return emulated_words[at];
}

fn subgroupShuffleXor(word: u32, mask: u32) -> u32 {
    return subgroupShuffle(word, (emulated_lane & (EMULATED_SIZE - 1u)) ^ mask);
}

fn subgroupBallot(flag: bool) -> vec4<u32> {
    emulated_show(select(0u, 1u, flag));
    var bits = vec4<u32>();
    for (var lane = 0u; lane < EMULATED_SIZE; lane++) {
        if emulated_at(lane) < WORKGROUP_SIZE {
            bits[lane >> 5u] |= emulated_words[emulated_at(lane)] << (lane & 31u);
        }
    }
    return bits;
}

fn subgroupOr(word: u32) -> u32 {
    emulated_show(word);
    var total = 0u;
    for (var lane = 0u; lane < EMULATED_SIZE; lane++) {
        if emulated_at(lane) < WORKGROUP_SIZE {
            total |= emulated_words[emulated_at(lane)];
        }
    }
    return total;
}

fn subgroupExclusiveAdd(word: u32) -> u32 {
    emulated_show(word);
    var total = 0u;
    for (var lane = 0u; lane < EMULATED_SIZE; lane++) {
        if emulated_at(lane) < emulated_lane {
            total += emulated_words[emulated_at(lane)];
        }
    }
    return total;
}
