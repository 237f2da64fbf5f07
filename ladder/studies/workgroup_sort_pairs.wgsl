// Eight keys of 32 bits of each lane, and a value of each.
fn call(value: u32, workgroup: gridfold_Workgroup, invocation: gridfold_Invocation) -> u32 {
    var keys: gridfold_u32_Items;
    var values: array<u32, gridfold_ITEMS_PER_LANE>;
    for (var i = 0u; i < gridfold_ITEMS_PER_LANE; i++) {
        keys[i] = (value + i) * 2246822519u;
        values[i] = value + i;
    }
    var sorted = gridfold_u32_workgroup_sort_pairs(keys, values, 32u, workgroup, invocation);
    var sum = 0u;
    for (var i = 0u; i < gridfold_ITEMS_PER_LANE; i++) {
        sum = 3u * sum + (sorted.keys[i] ^ sorted.values[i]);
    }
    return sum;
}
