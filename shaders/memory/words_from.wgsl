// The four words from `index` on, which are in a vector, or in it and the next one.
fn words_from(low: vec4<u32>, next: vec4<u32>, index: u32) -> vec4<u32> {
    let is_late = (index & 2u) != 0u;
    let first = select(low, vec4<u32>(low.z, low.w, next.x, next.y), is_late);
    let last = select(next.x, next.z, is_late);
    return select(first, vec4<u32>(first.y, first.z, first.w, last), (index & 1u) != 0u);
}
