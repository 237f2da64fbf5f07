// Particles that die are appended to a list of free places: one atomic addition for a workgroup.

struct Params {
    len: u32,
    time: u32,
}

struct FreeList {
    count: atomic<u32>,
    places: array<u32>,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> deaths: array<u32>;
@group(0) @binding(2) var<storage, read_write> free_list: FreeList;

@compute @workgroup_size(gridfold_WORKGROUP_SIZE)
fn collect(workgroup: gridfold_Workgroup, invocation: gridfold_Invocation, @builtin(num_subgroups) num_subgroups: u32) {
    let index = workgroup.workgroup_id.x * gridfold_WORKGROUP_SIZE + invocation.local_invocation_index;
    let dies = index < params.len && deaths[min(index, params.len - 1u)] == params.time;
    let place = gridfold_workgroup_append(dies, workgroup, invocation);
    if dies {
        free_list.places[place] = index;
    }
}
