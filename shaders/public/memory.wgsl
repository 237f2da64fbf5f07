// What lanes exchange through workgroup memory, word by word: every collective uses the same memory, and begins with a barrier.

// Words that a lane has at most.
const LANE_WORDS = 1u;
const MEMORY_WORDS = WORKGROUP_SIZE * LANE_WORDS;

var<workgroup> memory: array<u32, MEMORY_WORDS>;

// Whether any lane's value is out of range: one that is has left this word. Memory may have any other one before the first call. If it has this
// one, values go the other way, to the same result.
@if(range) const OUT_OF_RANGE = 0x9e3779b9u;

@if(range) var<workgroup> out_of_range: atomic<u32>;

// Waits for all lanes, and is the same for all of them.
@if(range) fn any_is_out_of_range() -> bool {
    return workgroupUniformLoad(&out_of_range) == OUT_OF_RANGE;
}

// When all lanes know that one is: so that none is in the next call.
@if(range) fn range_forget(invocation: Invocation) {
    if invocation.local_invocation_index == 0u {
        atomicStore(&out_of_range, 0u);
    }
    workgroupBarrier();
}

// The subgroups' totals where there is a quick way to a workgroup's. Twice: while lanes still look at those of one call, others may write the next
// one's. So no barrier stands between calls.

@if(quick) const QUICK_TOTALS = 16u;

@if(quick) var<workgroup> quick_totals: array<u32, QUICK_TOTALS>;
// Where those of the next call begin. All lanes come to all calls.
@if(quick) var<private> quick_begin: u32;

// The bits of a float result, made opaque. A WGSL compiler may reorder, contract and simplify float
// operations; it can't see through this addition, so an operation whose result passes the fence keeps its place and its rounding.
// The kernel's uniform has the 0.
@if(fence) fn fence(x: f32) -> u32 {
    return bitcast<u32>(x) + params.zero;
}

// The word of a lane of the subgroup, for all its lanes.
@if(word) fn subgroup_word(word: u32, lane: u32, workgroup: Workgroup, invocation: Invocation) -> u32 {
    workgroupBarrier();
    memory[invocation.local_invocation_index] = word;
    workgroupBarrier();
    return memory[(invocation.local_invocation_index & ~(SUBGROUP_SIZE - 1u)) + lane];
}

// The word of a lane of the subgroup, for all its lanes.
@if(shuffle) fn subgroup_word(word: u32, lane: u32, workgroup: Workgroup, invocation: Invocation) -> u32 {
    return word_of_lane(word, lane);
}
