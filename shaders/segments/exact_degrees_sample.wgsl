// Of a segment that is a sample: n - 1.
fn variance_degrees() -> vec2<u32> {
    return vec2<u32>(segment_len.x - 1u, segment_len.y - select(0u, 1u, segment_len.x == 0u));
}
