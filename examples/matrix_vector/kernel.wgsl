// A matrix times a vector, and then the rest of a layer: a dot product inside a larger kernel. A workgroup has a row.

struct Params {
    // 0, for the collectives.
    zero: u32,
    columns: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> matrix: array<f32>;
@group(0) @binding(2) var<storage, read> vector: array<f32>;
@group(0) @binding(3) var<storage, read_write> results: array<f32>;

@compute @workgroup_size(gridfold_WORKGROUP_SIZE)
fn layer(workgroup: gridfold_Workgroup, invocation: gridfold_Invocation, @builtin(num_subgroups) num_subgroups: u32) {
    let row = workgroup.workgroup_id.x;
    var mine = 0.0;
    for (var column = invocation.local_invocation_index; column < params.columns; column += gridfold_WORKGROUP_SIZE) {
        mine += matrix[row * params.columns + column] * vector[column];
    }
    let product = dot_workgroup_reduce_all(mine, workgroup, invocation);
    if invocation.local_invocation_index == 0u {
        results[row] = max(product, 0.0);
    }
}
