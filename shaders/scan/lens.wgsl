// Of how many elements a result is that stands at a position: those before it, in an inclusive scan its own one, and the initial value, if
// there is one. 64 bits, the low word first.
fn len_at(job: Params, at: u32) -> vec2<u32> {
    let own = select(0u, 1u, (job.flags & FLAG_INCLUSIVE) != 0u);
    let initial = select(0u, 1u, (job.flags & FLAG_HAS_INITIAL) != 0u);
    // Where the launch's first block begins. A block has at least 2^10 elements, and less than 2^32.
    let origin_low = job.span << job.log2_block_items;
    let origin_high = job.span >> (32u - job.log2_block_items);
    let low = origin_low + at + own + initial;
    return vec2<u32>(low, origin_high + select(0u, 1u, low < origin_low));
}
