// Some lanes begin a segment.
fn is_head(index: u32) -> bool {
    return ((index * 2654435761u) >> 28u) < params.by;
}

@compute @workgroup_size(gridfold_WORKGROUP_SIZE)
fn main(workgroup: gridfold_Workgroup, invocation: gridfold_Invocation) {
    let index = invocation.local_invocation_index;
    let width = params.width;
    keep_words(0u, vec2<u32>(gridfold_subgroup_size(workgroup), 0u), invocation);
    keep(1u, op_subgroup_reduce_all(value_at(index), workgroup, invocation), invocation);
    keep(2u, op_tile_reduce_all(value_at(index), width, workgroup, invocation), invocation);
    keep(3u, op_workgroup_reduce_all(value_at(index), workgroup, invocation), invocation);
    keep(4u, op_subgroup_inclusive_scan(value_at(index), workgroup, invocation), invocation);
    keep(5u, op_subgroup_exclusive_scan(value_at(index), workgroup, invocation), invocation);
    keep(6u, op_tile_inclusive_scan(value_at(index), width, workgroup, invocation), invocation);
    keep(7u, op_tile_exclusive_scan(value_at(index), width, workgroup, invocation), invocation);
    keep(8u, op_workgroup_inclusive_scan(value_at(index), workgroup, invocation), invocation);
    keep(9u, op_workgroup_exclusive_scan(value_at(index), workgroup, invocation), invocation);
    // Again, so that memory that is still in use would show.
    keep(10u, op_workgroup_reduce_all(value_at(index), workgroup, invocation), invocation);
    let head = is_head(index);
    keep(11u, op_subgroup_segmented_reduce(value_at(index), head, workgroup, invocation), invocation);
    keep(12u, op_subgroup_segmented_inclusive_scan(value_at(index), head, workgroup, invocation), invocation);
    keep(13u, op_subgroup_segmented_exclusive_scan(value_at(index), head, workgroup, invocation), invocation);
    keep(14u, op_workgroup_segmented_reduce(value_at(index), head, workgroup, invocation), invocation);
    keep(15u, op_workgroup_segmented_inclusive_scan(value_at(index), head, workgroup, invocation), invocation);
    keep(16u, op_workgroup_segmented_exclusive_scan(value_at(index), head, workgroup, invocation), invocation);
}
