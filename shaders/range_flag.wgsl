// Whether what the lanes of a workgroup have seen is safe for `op_combine`: one answer for all of them.

// What `workgroup_reduce` has made of the lanes' values. (Not its result: that is the same for all lanes, and
// a uniformity analysis may take a struct of both for one value.)
var<private> workgroup_total: Acc;

var<workgroup> lanes_out_of_range: atomic<u32>;

// Before the first barrier.
fn range_flag_clear(lane_index: u32) {
    if CHECKS_RANGE && lane_index == 0u {
        atomicStore(&lanes_out_of_range, 0u);
    }
}

// Between two barriers.
fn range_flag_note(is_safe: bool) {
    if CHECKS_RANGE && !is_safe {
        atomicStore(&lanes_out_of_range, 1u);
    }
}

// A barrier, and the answer.
fn range_flag_barrier() -> bool {
    if CHECKS_RANGE {
        return workgroupUniformLoad(&lanes_out_of_range) == 0u;
    }
    workgroupBarrier();
    return true;
}
