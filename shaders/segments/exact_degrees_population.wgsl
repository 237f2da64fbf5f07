// Of all there are in the segment: n.
fn variance_degrees() -> vec2<u32> {
    return segment_len;
}
