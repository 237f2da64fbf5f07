// Counts the barriers of each call. In the collectives' text `counted_barrier` stands for `workgroupBarrier`.
var<private> barriers: u32;

fn counted_barrier() {
    barriers++;
    workgroupBarrier();
}

var<workgroup> list_length: atomic<u32>;

fn note(call: u32, invocation: gridfold_Invocation) {
    keep_words(call, vec2<u32>(barriers, 0u), invocation);
    barriers = 0u;
}

@compute @workgroup_size(gridfold_WORKGROUP_SIZE)
fn main(workgroup: gridfold_Workgroup, invocation: gridfold_Invocation) {
    let value = input[invocation.local_invocation_index];
    let flag = (value & 1u) == 1u;
    note(0u, invocation);
    _ = free_subgroup_reduce_all(value, workgroup, invocation);
    note(1u, invocation);
    _ = free_workgroup_reduce_all(value, workgroup, invocation);
    note(2u, invocation);
    _ = ordered_workgroup_reduce_all(bitcast<f32>(value), workgroup, invocation);
    note(3u, invocation);
    _ = ordered_subgroup_inclusive_scan(bitcast<f32>(value), workgroup, invocation);
    note(4u, invocation);
    _ = ordered_workgroup_exclusive_scan(bitcast<f32>(value), workgroup, invocation);
    note(5u, invocation);
    _ = gridfold_subgroup_ballot(flag, workgroup, invocation);
    note(6u, invocation);
    _ = gridfold_workgroup_any(flag, workgroup, invocation);
    note(7u, invocation);
    _ = gridfold_workgroup_rank(flag, workgroup, invocation);
    note(8u, invocation);
    _ = gridfold_u32_subgroup_shuffle(value, 3u, workgroup, invocation);
    note(9u, invocation);
    _ = gridfold_u32_workgroup_broadcast(value, 3u, workgroup, invocation);
    note(10u, invocation);
    _ = gridfold_subgroup_lane(workgroup, invocation);
    note(11u, invocation);
    _ = ordered_workgroup_segmented_reduce(bitcast<f32>(value), flag, workgroup, invocation);
    note(12u, invocation);
    _ = free_subgroup_segmented_inclusive_scan(value, flag, workgroup, invocation);
    note(13u, invocation);
    _ = gridfold_u32_workgroup_compact(value, flag, workgroup, invocation);
    note(14u, invocation);
    _ = gridfold_u32_subgroup_compact(value, flag, workgroup, invocation);
    note(15u, invocation);
    _ = gridfold_u32_workgroup_before(value, value, workgroup, invocation);
    note(16u, invocation);
    _ = gridfold_workgroup_append(flag, workgroup, invocation);
    note(17u, invocation);
    _ = gridfold_subgroup_append(flag, workgroup, invocation);
    note(18u, invocation);
    _ = gridfold_subgroup_match(value, 32u, workgroup, invocation);
    note(19u, invocation);
    _ = gridfold_u32x2_workgroup_to_striped(gridfold_u32x2_Items(), workgroup, invocation);
    note(20u, invocation);
    _ = gridfold_i32_workgroup_sort(gridfold_i32_Items(), 32u, workgroup, invocation);
    note(21u, invocation);
    let keys = gridfold_f32_Items();
    let values = array<u32, gridfold_ITEMS_PER_LANE>();
    let pairs = gridfold_f32_workgroup_sort_pairs(keys, values, 32u, workgroup, invocation);
    note(22u, invocation);
    _ = gridfold_f64_workgroup_sort(gridfold_f64_Items(), 64u, workgroup, invocation);
    note(23u, invocation);
    let wide = gridfold_u64_workgroup_sort_pairs(gridfold_u64_Items(), values, 64u, workgroup, invocation);
    note(24u, invocation);
    _ = gridfold_tile_rank(flag, 4u, workgroup, invocation);
    note(25u, invocation);
    _ = gridfold_nth_set_bit(value, 1u);
    note(26u, invocation);
    let few = gridfold_u32x2_tile_compact(vec2<u32>(value), flag, 4u, workgroup, invocation);
    note(27u, invocation);
}
