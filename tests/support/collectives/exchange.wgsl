// ITEM stands for the type's name. Slots are kept in pairs, for each item of a lane.
@compute @workgroup_size(gridfold_WORKGROUP_SIZE)
fn main(workgroup: gridfold_Workgroup, invocation: gridfold_Invocation) {
    var items: gridfold_ITEM_Items;
    for (var i = 0u; i < gridfold_ITEMS_PER_LANE; i++) {
        items[i] = kept_at(gridfold_ITEMS_PER_LANE * invocation.local_invocation_index + i);
    }
    var striped = gridfold_ITEM_workgroup_to_striped(items, workgroup, invocation);
    var blocked = gridfold_ITEM_workgroup_to_blocked(items, workgroup, invocation);
    for (var i = 0u; i < gridfold_ITEMS_PER_LANE; i++) {
        keep_kept(2u * i, striped[i], invocation);
        keep_kept(2u * (gridfold_ITEMS_PER_LANE + i), blocked[i], invocation);
    }
}
