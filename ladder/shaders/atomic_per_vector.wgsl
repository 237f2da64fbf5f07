// Rung 2: every invocation loads four elements at once, and adds their sum to the total.
//
// A quarter of the atomics stand in the queue, and three of four additions happen in registers. The queue is still as long as
// the input.
@compute @workgroup_size(LANES)
fn main(
    @builtin(workgroup_id) workgroup_id: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = workgroup_number(workgroup_id) * LANES + lane;
    if 4u * i < params.count {
        let v = vector(i);
        total_add(0u, (v.x + v.y) + (v.z + v.w));
    }
}
