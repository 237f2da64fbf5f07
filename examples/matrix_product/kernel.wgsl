// The product of two square matrices, in two ways. Both sum inner products by collectives.

struct Params {
    // 0, for the collectives.
    zero: u32,
    // Rows of a matrix, and columns.
    size: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> left: array<f32>;
@group(0) @binding(2) var<storage, read> right: array<f32>;
@group(0) @binding(3) var<storage, read_write> product: array<f32>;

// A workgroup has an element: it reads a row and a column, and nothing that it reads serves twice.
@compute @workgroup_size(gridfold_WORKGROUP_SIZE)
fn naive(workgroup: gridfold_Workgroup, invocation: gridfold_Invocation, @builtin(num_subgroups) num_subgroups: u32) {
    let row = workgroup.workgroup_id.x / params.size;
    let column = workgroup.workgroup_id.x % params.size;
    var mine = 0.0;
    for (var i = invocation.local_invocation_index; i < params.size; i += gridfold_WORKGROUP_SIZE) {
        mine += left[row * params.size + i] * right[i * params.size + column];
    }
    let total = inner_workgroup_reduce_all(mine, workgroup, invocation);
    if invocation.local_invocation_index == 0u {
        product[workgroup.workgroup_id.x] = total;
    }
}

// A workgroup has 8 x 8 elements, and 4 lanes have one of them together.
const TILE = 8u;
const DEPTH = 32u;
const LANES = 4u;

var<workgroup> left_tile: array<f32, 256>;
var<workgroup> right_tile: array<f32, 256>;

// What a workgroup loads, 8 of its elements need.
@compute @workgroup_size(gridfold_WORKGROUP_SIZE)
fn tiled(workgroup: gridfold_Workgroup, invocation: gridfold_Invocation, @builtin(num_subgroups) num_subgroups: u32) {
    let index = invocation.local_invocation_index;
    let tiles = (params.size + TILE - 1u) / TILE;
    let first_row = workgroup.workgroup_id.x / tiles * TILE;
    let first_column = workgroup.workgroup_id.x % tiles * TILE;
    let row = index / LANES / TILE;
    let column = index / LANES % TILE;
    var mine = 0.0;
    for (var begin = 0u; begin < params.size; begin += DEPTH) {
        // Rows of the left, one after another; of the right, too.
        left_tile[index] = element_of_left(first_row + index / DEPTH, begin + index % DEPTH);
        right_tile[index] = element_of_right(begin + index / TILE, first_column + index % TILE);
        workgroupBarrier();
        for (var i = index % LANES; i < DEPTH; i += LANES) {
            mine += left_tile[row * DEPTH + i] * right_tile[i * TILE + column];
        }
        workgroupBarrier();
    }
    let total = inner_tile_reduce_all(mine, LANES, workgroup, invocation);
    let is_there = first_row + row < params.size && first_column + column < params.size;
    if is_there && index % LANES == 0u {
        product[(first_row + row) * params.size + first_column + column] = total;
    }
}

// 0 beyond the matrix.
fn element_of_left(row: u32, column: u32) -> f32 {
    if row < params.size && column < params.size {
        return left[row * params.size + column];
    }
    return 0.0;
}

fn element_of_right(row: u32, column: u32) -> f32 {
    if row < params.size && column < params.size {
        return right[row * params.size + column];
    }
    return 0.0;
}
