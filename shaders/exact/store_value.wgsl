// The output is an f32.
@group(0) @binding(4) var<storage, read_write> result: array<u32>;

fn exact_store(specials: u32) {
    result[params.result_index] = exact_value(specials, vec2<u32>(params.len_low, params.len_high));
}
