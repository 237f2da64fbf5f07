// Rung 1: every invocation adds its element to the total.
//
// It is the shortest program, and as good as no parallelism: there is one word, additions to it come one after another, and
// all invocations stand in the queue.
@compute @workgroup_size(LANES)
fn main(
    @builtin(workgroup_id) workgroup_id: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = workgroup_number(workgroup_id) * LANES + lane;
    if i < params.count {
        total_add(0u, elements[i]);
    }
}
