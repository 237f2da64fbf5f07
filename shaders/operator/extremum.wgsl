// The element with the greatest key: `arg_key` and `arg_bits` say which end that is.

fn op_identity() -> Acc {
    return key_identity();
}

fn op_lift(value: Elem) -> Acc {
    return arg_key(value);
}

fn op_combine(a: Acc, b: Acc) -> Acc {
    return key_larger(a, b);
}

fn op_finish(total: Acc, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    return op_pack(arg_bits(total));
}
