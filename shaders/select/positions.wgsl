// Positions, and numbers of items: 64 bits each, the lower half first.
//
// Of the parameters of a selection `partials` is the entry of the launch's first block's total, `first_node` that of what is before the block, and `span` that
// of the total of all. `base` and `stride_bytes` are of the elements, the first one's word, or byte, and the bytes between them; `right_base` and
// `right_stride_bytes` of the mask, in words, bytes or bits. `initial_low` and `initial_high` are the position of the launch's first element.
// Of the output's binding `len_low` and `len_high` are the first item, `vec_end` is how many there are, `result_index` the first one's word, or byte.

fn position_add(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = a.x + b.x;
    return vec2<u32>(low, a.y + b.y + select(0u, 1u, low < a.x));
}

fn position_subtract(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(a.x - b.x, a.y - b.y - select(0u, 1u, a.x < b.x));
}

// A position of the launch as one of the whole sequence.
fn position_of(job: Params, at: u32) -> vec2<u32> {
    return position_add(vec2<u32>(job.initial_low, job.initial_high), vec2<u32>(at, 0u));
}
