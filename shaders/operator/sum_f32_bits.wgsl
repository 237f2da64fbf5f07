// The sum of f32s, whoever adds.

fn op_identity() -> Acc {
    return 0u;
}

fn op_lift(bits: Elem) -> Acc {
    return bits;
}

// One NaN, and no negative zero, whatever the hardware made.
fn op_finish(total: Acc) -> array<u32, OUT_WORDS> {
    let sum = select(total, 0u, total == F32_SIGN_BIT);
    return array<u32, OUT_WORDS>(select(sum, F32_CANONICAL_NAN_BITS, f32_is_nan(total)));
}
