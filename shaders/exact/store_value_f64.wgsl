// The output is an f64, of two words.
@group(0) @binding(4) var<storage, read_write> result: array<u32>;

fn exact_store(specials: u32) {
    let value = exact_value(specials, vec2<u32>(params.len_low, params.len_high));
    result[params.result_index] = value.x;
    result[params.result_index + 1u] = value.y;
}
