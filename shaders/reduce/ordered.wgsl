// Operators that have an order: pairwise, as docs/float-sums.md says.

// The teams' totals of a block, and the blocks' of a launch: a power of two, in at most NODES_WORDS words, so that all of a kernel's
// memory fits what every device has, and enough workgroups run side by side.
const MAX_NODES = NODES_WORDS >> (32u - countLeadingZeros(max(ACC_WORDS, 2u) - 1u));
// Behind them is room for a value of each lane, and for what teams need.
const SPARE_NODES = MAX_NODES;
const NODES = MAX_NODES + WORKGROUP_SIZE + TEAM_NODES;

// Whether the device's arithmetic may not be right for something.
var<workgroup> has_unsafe: atomic<u32>;

// All lanes come here, before a barrier.
fn unsafe_clear(lane_index: u32) {
    if CHECKS_RANGE & (lane_index == 0u) {
        atomicStore(&has_unsafe, 0u);
    }
}

// Whether the device has made the right total of nodes, which all lanes have. A barrier where that is in question.
fn totals_are_right(total: Acc, lane_index: u32) -> bool {
    if !CHECKS_TOTALS {
        return true;
    }
    if (lane_index == 0u) & !total_is_right(total) {
        atomicStore(&has_unsafe, 1u);
    }
    return workgroupUniformLoad(&has_unsafe) == 0u;
}

// One answer for all lanes. A barrier.
fn unsafe_load() -> bool {
    if CHECKS_RANGE {
        return workgroupUniformLoad(&has_unsafe) != 0u;
    }
    workgroupBarrier();
    return false;
}
