// ITEM stands for the type's name. Slots are kept in pairs, for each item of a lane. `width` is how many bits count.
@compute @workgroup_size(gridfold_WORKGROUP_SIZE)
fn main(workgroup: gridfold_Workgroup, invocation: gridfold_Invocation) {
    var keys: gridfold_ITEM_Items;
    var values: array<u32, gridfold_ITEMS_PER_LANE>;
    for (var i = 0u; i < gridfold_ITEMS_PER_LANE; i++) {
        let number = gridfold_ITEMS_PER_LANE * invocation.local_invocation_index + i;
        keys[i] = kept_at(number);
        values[i] = number;
    }
    var sorted = gridfold_ITEM_workgroup_sort(keys, params.width, workgroup, invocation);
    let pairs = gridfold_ITEM_workgroup_sort_pairs(keys, values, params.width, workgroup, invocation);
    var sorted_keys = pairs.keys;
    var sorted_values = pairs.values;
    for (var i = 0u; i < gridfold_ITEMS_PER_LANE; i++) {
        keep_kept(2u * i, sorted[i], invocation);
        keep_kept(2u * (gridfold_ITEMS_PER_LANE + i), sorted_keys[i], invocation);
        keep_words(2u * (2u * gridfold_ITEMS_PER_LANE + i), vec2<u32>(sorted_values[i], 0u), invocation);
    }
}
