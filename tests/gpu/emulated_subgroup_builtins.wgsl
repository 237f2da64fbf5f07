// In place of collective/subgroup_builtins.wgsl: subgroups of a size that the device does not have, made of
// workgroup memory, with lanes that lie scattered over the workgroup.

const EMULATED_SIZE = 32u;
const MIN_SUBGROUP_SIZE = 4u;
// EMULATED_LANES are the workgroup's, which the files of lanes say.
// What a lane gets from one that is not there, or where not all take part.
const POISON = 0xbadbad11u;

struct WorkgroupBuiltins {
    @builtin(workgroup_id) workgroup_id: vec3<u32>,
}

struct InvocationBuiltins {
    @builtin(local_invocation_id) local_invocation_id: vec3<u32>,
}

var<workgroup> emulated_words: array<u32, EMULATED_LANES>;
// How many lanes have shown a word, over all rounds.
var<workgroup> emulated_shown: atomic<u32>;
// This invocation's lane: every kernel asks for it before it combines anything.
var<private> emulated_lane: u32;
// How many subgroup operations this invocation has taken part in.
var<private> emulated_round: u32;

fn subgroup_size_of(workgroup: WorkgroupBuiltins) -> u32 {
    return EMULATED_SIZE;
}

fn subgroup_id_of(invocation: InvocationBuiltins) -> u32 {
    return scattered(invocation) / EMULATED_SIZE;
}

fn subgroup_invocation_id_of(invocation: InvocationBuiltins) -> u32 {
    return scattered(invocation) % EMULATED_SIZE;
}

fn lane_index_of(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> u32 {
    emulated_lane = subgroup_id_of(invocation) * subgroup_size_of(workgroup)
        + subgroup_invocation_id_of(invocation);
    return emulated_lane;
}

// An odd factor makes it a permutation: neighbours are in different subgroups.
fn scattered(invocation: InvocationBuiltins) -> u32 {
    return (invocation.local_invocation_id.x * 93u + 57u) % EMULATED_LANES;
}

// Every lane of the workgroup shows its word to the others.
fn emulated_show(word: u32) {
    if emulated_round == 0u {
        atomicStore(&emulated_shown, 0u);
    }
    emulated_round += 1u;
    workgroupBarrier();
    emulated_words[emulated_lane] = word;
    atomicAdd(&emulated_shown, 1u);
    workgroupBarrier();
}

// The word of a lane of this lane's subgroup.
fn emulated_see(subgroup_invocation_id: u32) -> u32 {
    let lane = emulated_lane / EMULATED_SIZE * EMULATED_SIZE + subgroup_invocation_id;
    // Where some lanes do not take part, because the operation is in divergent control flow, no lane
    // gets a value.
    let everybody = atomicLoad(&emulated_shown) == EMULATED_LANES * emulated_round;
    if subgroup_invocation_id >= EMULATED_SIZE || !everybody {
        return POISON;
    }
    return emulated_words[lane];
}

fn subgroupShuffle(word: u32, lane: u32) -> u32 {
    emulated_show(word);
    return emulated_see(lane);
}

fn subgroupShuffleXor(word: u32, mask: u32) -> u32 {
    emulated_show(word);
    return emulated_see((emulated_lane % EMULATED_SIZE) ^ mask);
}
