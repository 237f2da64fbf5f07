// A sum for each workgroup. The next dispatch takes them for its elements, until there is one.
@group(0) @binding(2) var<storage, read_write> partials: array<f32>;
