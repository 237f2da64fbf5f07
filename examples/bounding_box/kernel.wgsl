// The box around the vertices of a mesh, which lie as x, y, z, one after another.

@group(0) @binding(0) var<storage, read> coordinates: array<f32>;
// The lowest corner, and the highest.
@group(0) @binding(1) var<storage, read_write> corners: array<f32, 6>;

@compute @workgroup_size(gridfold_WORKGROUP_SIZE)
fn bounds(workgroup: gridfold_Workgroup, invocation: gridfold_Invocation, @builtin(num_subgroups) num_subgroups: u32) {
    let vertices = arrayLength(&coordinates) / 3u;
    // The first vertex is in the box, whoever has no other.
    var low = vec3<f32>(coordinates[0], coordinates[1], coordinates[2]);
    var high = low;
    for (var vertex = invocation.local_invocation_index; vertex < vertices; vertex += gridfold_WORKGROUP_SIZE) {
        let place = vec3<f32>(coordinates[3u * vertex], coordinates[3u * vertex + 1u], coordinates[3u * vertex + 2u]);
        low = min(low, place);
        high = max(high, place);
    }
    for (var axis = 0u; axis < 3u; axis++) {
        let lowest = low_workgroup_reduce_all(low[axis], workgroup, invocation);
        let highest = high_workgroup_reduce_all(high[axis], workgroup, invocation);
        if invocation.local_invocation_index == 0u {
            corners[axis] = lowest;
            corners[3u + axis] = highest;
        }
    }
}
