// Of each word the highest byte: 1 if it has any bit, else 0.
fn elems_of_tops(tops: vec4<u32>) -> Quad {
    return min(tops >> vec4<u32>(24u), vec4<u32>(1u));
}
