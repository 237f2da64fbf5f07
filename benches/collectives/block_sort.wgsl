// Every workgroup sorts keys of its own. Loads and stores are striped; before a sort of keys alone their order does not matter.

@group(0) @binding(1) var<storage, read_write> sorted: array<u32>;
@group(0) @binding(2) var<storage, read> keys: array<u32>;

@compute @workgroup_size(gridfold_WORKGROUP_SIZE)
fn main(workgroup: gridfold_Workgroup, invocation: gridfold_Invocation) {
    let block = workgroup.workgroup_id.x * gridfold_WORKGROUP_SIZE * gridfold_ITEMS_PER_LANE;
    let first = block + invocation.local_invocation_index;
    var items: gridfold_u32_Items;
    for (var i = 0u; i < gridfold_ITEMS_PER_LANE; i++) {
        items[i] = keys[first + i * gridfold_WORKGROUP_SIZE];
    }
    let in_order = gridfold_u32_workgroup_sort(items, 32u, workgroup, invocation);
    var striped = gridfold_u32_workgroup_to_striped(in_order, workgroup, invocation);
    for (var i = 0u; i < gridfold_ITEMS_PER_LANE; i++) {
        sorted[first + i * gridfold_WORKGROUP_SIZE] = striped[i];
    }
}
