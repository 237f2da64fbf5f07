// Of each word the higher half: that of an f32.
fn elems_of_tops(tops: vec4<u32>) -> Quad {
    return tops & vec4<u32>(0xffff0000u);
}
