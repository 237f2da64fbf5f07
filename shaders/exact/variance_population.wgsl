// Of all there are: n.
fn variance_degrees() -> vec2<u32> {
    return vec2<u32>(params.len_low, params.len_high);
}
