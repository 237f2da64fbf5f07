// What every rung of the ladder begins with.

// Invocations of a workgroup. All rungs have as many, so that only what they are about differs.
const LANES = 256u;

struct Params {
    // Elements, or structs of them.
    count: u32,
    // Workgroups that have something to do.
    workgroups: u32,
    // A dispatch has at most 65535 workgroups in a dimension, too few for an invocation per element. So they stand in rows of
    // as many as this.
    row_workgroups: u32,
    // Elements of an invocation, in kernels that take them one after another.
    rounds: u32,
}

@group(0) @binding(0) var<uniform> params: Params;

// The last row may be longer than it need be: workgroups from `params.workgroups` on find no elements, and must store nothing.
fn workgroup_number(workgroup_id: vec3<u32>) -> u32 {
    return workgroup_id.y * params.row_workgroups + workgroup_id.x;
}
