// Of all there are: n.
@if(population) fn degrees_of(len: vec2<u32>) -> vec2<u32> {
    return len;
}

// Of a sample: n - 1.
@if(sample) fn degrees_of(len: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(len.x - 1u, len.y - select(0u, 1u, len.x == 0u));
}
