// Operators that have the same result in every order: nothing is out of range, and the state between launches is one
// accumulator.

const NODES = WORKGROUP_SIZE;
const SPARE_NODES = 0u;

fn unsafe_clear(lane_index: u32) {}

fn runs_leave(job: Params, lane_index: u32) {}

fn runs_clear(job: Params, lane_index: u32) {}

// The end of a launch: its blocks' totals and the state become the result, or the next state. That is one accumulator.
@if(end) fn launch_end(
    job: Params,
    total: Acc,
    is_only_block: bool,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) {
    let lane_index = lane_index_of(workgroup, invocation);
    var all = total;
    if !is_only_block {
        var mine = op_identity();
        for (var i = lane_index; i < job.blocks; i += WORKGROUP_SIZE) {
            mine = op_combine(mine, scratch_load(job.partials + i));
        }
        all = workgroup_reduce_all(mine, workgroup, invocation);
    }
    if lane_index == 0u {
        if (job.flags & FLAG_RESUMES) != 0u {
            all = op_combine(scratch_load(job.state_before), all);
        }
        if (job.flags & FLAG_ENDS) != 0u {
            result_store(job.result_index, all, vec2<u32>(job.len_low, job.len_high), job.flags);
        } else {
            scratch_store(job.state_after, all);
        }
    }
}
