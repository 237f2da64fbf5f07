// Of a sample: one less than there are numbers.
fn variance_degrees() -> vec2<u32> {
    return vec2<u32>(numbers.x - 1u, numbers.y - select(0u, 1u, numbers.x == 0u));
}
