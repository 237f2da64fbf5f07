// Of each word the higher half, as an i32.
fn elems_of_tops(tops: vec4<u32>) -> Quad {
    return bitcast<vec4<i32>>(tops) >> vec4<u32>(16u);
}
