// Of a sample: n - 1.
fn variance_degrees() -> vec2<u32> {
    return vec2<u32>(params.len_low - 1u, params.len_high - select(0u, 1u, params.len_low == 0u));
}
