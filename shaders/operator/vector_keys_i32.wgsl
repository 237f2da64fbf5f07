// Signed integers as unsigned keys in the same order: with the sign bit the other way round.
const SIGN_BITS = Elem(0x80000000u);
const ELEM_MIN = Elem(0u);
const ELEM_MAX = Elem(0xffffffffu);

fn op_lift(value: Elem) -> Acc {
    return value ^ SIGN_BITS;
}

fn op_finish(total: Acc, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    return op_pack(total ^ SIGN_BITS);
}
