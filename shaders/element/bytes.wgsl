// Elements are flags: a byte that has any bit is 1.
override ARE_FLAGS: bool = false;

// The highest byte of each word, widened.
fn elems_of_tops(tops: vec4<u32>) -> Quad {
    if NUMBERS == SIGNED {
        return bitcast<vec4<u32>>(bitcast<vec4<i32>>(tops) >> vec4<u32>(24u));
    }
    let bytes = tops >> vec4<u32>(24u);
    return select(bytes, min(bytes, vec4<u32>(1u)), ARE_FLAGS);
}
