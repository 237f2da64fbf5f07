// Of all numbers there are.
fn variance_degrees() -> vec2<u32> {
    return numbers;
}
