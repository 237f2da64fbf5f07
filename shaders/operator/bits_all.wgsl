// Whether all bits are 1.
const MISSING_BITS = 0xffffffffu;

fn op_lift(value: Elem) -> Acc {
    return value;
}

fn op_finish(total: Acc, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    return array<u32, OUT_WORDS>(select(0u, 1u, total == ELEM_ALL_BITS));
}
