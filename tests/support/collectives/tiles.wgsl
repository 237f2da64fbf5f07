// Some lanes begin a segment.
fn is_head(index: u32) -> bool {
    return ((index * 2654435761u) >> 28u) < params.by;
}

@compute @workgroup_size(gridfold_WORKGROUP_SIZE)
fn main(workgroup: gridfold_Workgroup, invocation: gridfold_Invocation) {
    let index = invocation.local_invocation_index;
    let width = params.width;
    keep_words(0u, vec2<u32>(gridfold_subgroup_size(workgroup), 0u), invocation);
    keep(1u, op_subgroup_reduce(value_at(index), workgroup, invocation), invocation);
    keep(2u, op_tile_reduce(value_at(index), width, workgroup, invocation), invocation);
    let head = is_head(index);
    keep(3u, op_tile_segmented_reduce(value_at(index), head, width, workgroup, invocation), invocation);
    keep(4u, op_tile_segmented_inclusive_scan(value_at(index), head, width, workgroup, invocation), invocation);
    keep(5u, op_tile_segmented_exclusive_scan(value_at(index), head, width, workgroup, invocation), invocation);
    keep(6u, op_workgroup_reduce(value_at(index), workgroup, invocation), invocation);
}
