// Of each word the highest byte, as a u32.
fn elems_of_tops(tops: vec4<u32>) -> Quad {
    return tops >> vec4<u32>(24u);
}
