// One atomic for each element, of integers: every GPU adds these in its memory's own units, without compare and exchange.
//
// What is left is the queue itself. (Some drivers make of this what integer_per_subgroup.wgsl is.)
@group(0) @binding(2) var<storage, read_write> total: atomic<u32>;

@compute @workgroup_size(LANES)
fn main(
    @builtin(workgroup_id) workgroup_id: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = workgroup_number(workgroup_id) * LANES + lane;
    if i < params.count {
        atomicAdd(&total, u32(elements[i]));
    }
}
