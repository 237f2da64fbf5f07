// The element with the greatest key: `arg_key` and `arg_bits` say which end that is.

// Magnitudes are compared in place of keys.
override OF_MAGNITUDES: bool = false;

fn op_identity() -> Acc {
    if OF_MAGNITUDES {
        return Key(0u);
    }
    return key_identity();
}

fn op_lift(value: Elem) -> Acc {
    if OF_MAGNITUDES {
        return elem_magnitude(value);
    }
    return arg_key(value);
}

fn op_combine(a: Acc, b: Acc) -> Acc {
    return key_larger(a, b);
}

fn op_finish(total: Acc, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    if OF_MAGNITUDES {
        return op_pack(total);
    }
    return op_pack(arg_bits(total));
}
