// Unsigned integers are in the order of their bits.
const ELEM_MIN = Elem(0u);
const ELEM_MAX = Elem(0xffffffffu);

fn op_lift(value: Elem) -> Acc {
    return value;
}

fn op_finish(total: Acc, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    return op_pack(total);
}
