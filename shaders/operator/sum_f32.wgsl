// IEEE-754 additions, each fenced: the kernels' order of additions is the result's definition.

fn op_identity() -> Acc {
    return 0u;
}

fn op_lift(bits: Elem) -> Acc {
    return bits;
}

fn op_combine(a: Acc, b: Acc) -> Acc {
    return fence(bitcast<f32>(a) + bitcast<f32>(b));
}

// One NaN, and no negative zero, whatever the hardware made.
fn op_finish(total: Acc) -> u32 {
    if f32_is_nan(total) {
        return F32_CANONICAL_NAN_BITS;
    }
    return select(total, 0u, total == F32_SIGN_BIT);
}
