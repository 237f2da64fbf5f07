// Whether all bits are 1, or any, as they are folded by and, or by or.
fn missing_bits() -> u32 {
    return select(0u, 0xffffffffu, FOLD == FOLD_AND);
}

fn op_finish(total: Acc, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    let is_so = select(total != 0u, total == ELEM_ALL_BITS, FOLD == FOLD_AND);
    return array<u32, OUT_WORDS>(select(0u, 1u, is_so));
}
