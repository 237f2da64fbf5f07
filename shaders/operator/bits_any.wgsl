// Whether any bit is 1.
const MISSING_BITS = 0u;

fn op_lift(value: Elem) -> Acc {
    return value;
}

fn op_finish(total: Acc, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    return array<u32, OUT_WORDS>(select(0u, 1u, total != 0u));
}
