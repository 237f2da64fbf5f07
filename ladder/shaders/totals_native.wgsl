// Totals that all invocations add to. They are 0 at the beginning.
//
// For devices that add floats atomically.
@group(0) @binding(2) var<storage, read_write> totals: array<atomic<f32>>;

fn total_add(i: u32, x: f32) {
    atomicAdd(&totals[i], x);
}
