// Eight items of each lane.
fn call(value: u32, workgroup: gridfold_Workgroup, invocation: gridfold_Invocation) -> u32 {
    var items: gridfold_u32_Items;
    for (var i = 0u; i < gridfold_ITEMS_PER_LANE; i++) {
        items[i] = value + i;
    }
    var striped = gridfold_u32_workgroup_to_striped(items, workgroup, invocation);
    var sum = 0u;
    for (var i = 0u; i < gridfold_ITEMS_PER_LANE; i++) {
        sum = 3u * sum + striped[i];
    }
    return sum;
}
