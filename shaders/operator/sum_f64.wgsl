// IEEE-754 additions by the device's adder, each fenced, as in sum_f32.wgsl: it adds what is sure to give no subnormals, infinities
// and NaNs, and integers add the rest.

// For what is in a safe range together.
fn op_combine(a: Acc, b: Acc) -> Acc {
    return fence_f64(f64_of(a) + f64_of(b));
}

// For anything: by the device where it can be seen to be right.
fn op_combine_any(a: Acc, b: Acc) -> Acc {
    let sum = op_combine(a, b);
    if op_is_right(a, b, sum) {
        return sum;
    }
    return f64_add(a, b);
}

// Whether what the device adds up can be seen to be right: numbers and their sum are normal. (The sign of zero is lost in the end.)
fn op_is_right(a: Acc, b: Acc, sum: Acc) -> bool {
    let is_exact_zero = f64_is_zero(a) & f64_is_zero(b);
    return is_zero_or_normal(a) & is_zero_or_normal(b) & (is_normal(sum) | is_exact_zero);
}

// Of a tile with a NaN.
fn op_lost() -> Acc {
    return F64_CANONICAL_NAN;
}

// For sums of f64s, by the device or in integers.
@if(identity) fn op_identity() -> Acc {
    return Acc(0u, 0u);
}

// The sum itself: one NaN, and no negative zero.
@if(finish) fn op_finish(total: Acc, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    let sum = select(total, Acc(0u, 0u), f64_is_zero(total));
    return op_pack(select(sum, F64_CANONICAL_NAN, f64_is_nan(total)));
}

// IEEE-754 additions in integers throughout, for devices that have no f64s, or whose adder failed the start-up probe.
@if(software) fn op_combine(a: Acc, b: Acc) -> Acc {
    return f64_add(a, b);
}
