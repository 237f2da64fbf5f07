fn value_at(index: u32) -> vec2<u32> {
    return vec2<u32>(input[2u * index], input[2u * index + 1u]);
}
