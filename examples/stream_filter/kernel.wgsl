// The values of a stream that pass a test, in the order that they had: workgroups count what they keep, one workgroup makes places of the
// counts, and each workgroup writes what it keeps, one value beside the other.

struct Params {
    len: u32,
    limit: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> stream: array<u32>;
// Of each workgroup: first how many, then where they begin. Behind them: how many there are in all.
@group(0) @binding(2) var<storage, read_write> counts: array<u32>;
@group(0) @binding(3) var<storage, read_write> kept: array<u32>;

fn passes(index: u32) -> bool {
    return index < params.len && stream[min(index, params.len - 1u)] < params.limit;
}

@compute @workgroup_size(gridfold_WORKGROUP_SIZE)
fn count(workgroup: gridfold_Workgroup, invocation: gridfold_Invocation, @builtin(num_subgroups) num_subgroups: u32) {
    let index = workgroup.workgroup_id.x * gridfold_WORKGROUP_SIZE + invocation.local_invocation_index;
    let total = gridfold_workgroup_count(passes(index), workgroup, invocation);
    if invocation.local_invocation_index == 0u {
        counts[workgroup.workgroup_id.x] = total;
    }
}

@compute @workgroup_size(gridfold_WORKGROUP_SIZE)
fn place(workgroup: gridfold_Workgroup, invocation: gridfold_Invocation, @builtin(num_subgroups) num_subgroups: u32) {
    let workgroups = arrayLength(&counts) - 1u;
    var begin = 0u;
    for (var first = 0u; first < workgroups; first += gridfold_WORKGROUP_SIZE) {
        let at = first + invocation.local_invocation_index;
        var mine = 0u;
        if at < workgroups {
            mine = counts[at];
        }
        let before = number_workgroup_exclusive_scan(mine, workgroup, invocation);
        let total = number_workgroup_reduce_all(mine, workgroup, invocation);
        if at < workgroups {
            counts[at] = begin + before;
        }
        begin += total;
    }
    if invocation.local_invocation_index == 0u {
        counts[workgroups] = begin;
    }
}

@compute @workgroup_size(gridfold_WORKGROUP_SIZE)
fn write(workgroup: gridfold_Workgroup, invocation: gridfold_Invocation, @builtin(num_subgroups) num_subgroups: u32) {
    let index = workgroup.workgroup_id.x * gridfold_WORKGROUP_SIZE + invocation.local_invocation_index;
    let is_kept = passes(index);
    let rank = gridfold_workgroup_rank(is_kept, workgroup, invocation);
    if is_kept {
        kept[counts[workgroup.workgroup_id.x] + rank] = stream[index];
    }
}
