// Whether what the lanes of a workgroup have seen of each of its blocks is safe for `op_combine`: one answer for all of
// them.

// What a lane has of `workgroup_combine`. (Not its result: that is the same for all lanes, and
// a uniformity analysis may take a struct of both for one value.)
var<private> workgroup_total: Acc;

// A bit for each block of the workgroup.
var<workgroup> blocks_out_of_range: atomic<u32>;

// Before `range_flag_ready`.
fn range_flag_clear(lane_index: u32) {
    if CHECKS_RANGE && lane_index == 0u {
        atomicStore(&blocks_out_of_range, 0u);
    }
}

// All lanes find the flags clear.
fn range_flag_ready() {
    if CHECKS_RANGE {
        workgroupBarrier();
    }
}

fn range_flag_note(i: u32, is_safe: bool) {
    if CHECKS_RANGE && !is_safe {
        atomicOr(&blocks_out_of_range, 1u << i);
    }
}

// A barrier, and the answer.
fn range_flag_barrier() -> u32 {
    if CHECKS_RANGE {
        return workgroupUniformLoad(&blocks_out_of_range);
    }
    workgroupBarrier();
    return 0u;
}
