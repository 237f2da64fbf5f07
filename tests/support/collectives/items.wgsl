// ITEM stands for the type's name.
@compute @workgroup_size(gridfold_WORKGROUP_SIZE)
fn main(workgroup: gridfold_Workgroup, invocation: gridfold_Invocation) {
    let index = invocation.local_invocation_index;
    let item = item_at(index);
    // Each lane asks for another one, some of them for one that is not there.
    let source = input[index] % 40u;
    let by = params.by;
    keep_words(0u, vec2<u32>(gridfold_subgroup_size(workgroup), source), invocation);
    keep_item(1u, gridfold_ITEM_subgroup_shuffle(item, source, workgroup, invocation), invocation);
    keep_item(3u, gridfold_ITEM_subgroup_shuffle_up(item, by, workgroup, invocation), invocation);
    keep_item(5u, gridfold_ITEM_subgroup_shuffle_down(item, by, workgroup, invocation), invocation);
    keep_item(7u, gridfold_ITEM_subgroup_shuffle_xor(item, by, workgroup, invocation), invocation);
    keep_item(9u, gridfold_ITEM_tile_shuffle(item, source & 7u, params.width, workgroup, invocation), invocation);
    keep_item(11u, gridfold_ITEM_subgroup_broadcast(item, by, workgroup, invocation), invocation);
    keep_item(13u, gridfold_ITEM_workgroup_shuffle(item, 17u * source, workgroup, invocation), invocation);
    keep_item(15u, gridfold_ITEM_workgroup_broadcast(item, 17u * by, workgroup, invocation), invocation);
    let keeps = (input[index] & 1u) == 1u;
    let few = gridfold_ITEM_subgroup_compact(item, keeps, workgroup, invocation);
    keep_item(17u, few.value, invocation);
    let many = gridfold_ITEM_workgroup_compact(item, keeps, workgroup, invocation);
    keep_item(19u, many.value, invocation);
    keep_words(21u, vec2<u32>(few.count, many.count), invocation);
    let other = gridfold_ITEM_workgroup_broadcast(item, 0u, workgroup, invocation);
    keep_item(22u, gridfold_ITEM_workgroup_before(item, other, workgroup, invocation), invocation);
    keep_item(24u, gridfold_ITEM_workgroup_behind(item, other, workgroup, invocation), invocation);
}
