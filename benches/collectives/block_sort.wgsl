// Every workgroup sorts keys of its own. Loads and stores are striped; before a sort of keys alone their order does not matter. There is no loop
// over a lane's sixteen keys: wgpu counts the turns of loops, and then drivers keep such keys in memory.

@group(0) @binding(1) var<storage, read_write> sorted: array<u32>;
@group(0) @binding(2) var<storage, read> keys: array<u32>;

const LANES = gridfold_WORKGROUP_SIZE;

@compute @workgroup_size(gridfold_WORKGROUP_SIZE)
fn main(workgroup: gridfold_Workgroup, invocation: gridfold_Invocation) {
    let first = workgroup.workgroup_id.x * LANES * 16u + invocation.local_invocation_index;
    let items = gridfold_u32_Items(
        keys[first + 0u * LANES],
        keys[first + 1u * LANES],
        keys[first + 2u * LANES],
        keys[first + 3u * LANES],
        keys[first + 4u * LANES],
        keys[first + 5u * LANES],
        keys[first + 6u * LANES],
        keys[first + 7u * LANES],
        keys[first + 8u * LANES],
        keys[first + 9u * LANES],
        keys[first + 10u * LANES],
        keys[first + 11u * LANES],
        keys[first + 12u * LANES],
        keys[first + 13u * LANES],
        keys[first + 14u * LANES],
        keys[first + 15u * LANES],
    );
    let in_order = gridfold_u32_workgroup_sort(items, 32u, workgroup, invocation);
    let striped = gridfold_u32_workgroup_to_striped(in_order, workgroup, invocation);
    sorted[first + 0u * LANES] = striped[0];
    sorted[first + 1u * LANES] = striped[1];
    sorted[first + 2u * LANES] = striped[2];
    sorted[first + 3u * LANES] = striped[3];
    sorted[first + 4u * LANES] = striped[4];
    sorted[first + 5u * LANES] = striped[5];
    sorted[first + 6u * LANES] = striped[6];
    sorted[first + 7u * LANES] = striped[7];
    sorted[first + 8u * LANES] = striped[8];
    sorted[first + 9u * LANES] = striped[9];
    sorted[first + 10u * LANES] = striped[10];
    sorted[first + 11u * LANES] = striped[11];
    sorted[first + 12u * LANES] = striped[12];
    sorted[first + 13u * LANES] = striped[13];
    sorted[first + 14u * LANES] = striped[14];
    sorted[first + 15u * LANES] = striped[15];
}
