// IEEE-754 additions by the device's adder, each fenced: the kernels' order of additions is the
// result's definition. WGSL lets a device flush subnormals, and take it that there are no infinities and
// NaNs. So it adds what is sure to give none of them, and integers add the rest.

// For what is in a safe range together.
fn op_combine(a: Acc, b: Acc) -> Acc {
    return fence(bitcast<f32>(a) + bitcast<f32>(b));
}

// For anything: by the device where it can be seen to be right, which is where numbers and their sum are normal. (The sign
// of zero is lost in the end.)
fn op_combine_any(a: Acc, b: Acc) -> Acc {
    let sum = op_combine(a, b);
    if op_is_right(a, b, sum) {
        return sum;
    }
    return f32_add(a, b);
}

// Whether what the device adds up can be seen to be right.
fn op_is_right(a: Acc, b: Acc, sum: Acc) -> bool {
    let is_exact_zero = ((a | b) << 1u) == 0u;
    return is_zero_or_normal(a) & is_zero_or_normal(b) & (is_normal(sum) | is_exact_zero);
}

// Of a tile with a NaN.
fn op_lost() -> Acc {
    return F32_CANONICAL_NAN_BITS;
}

// For sums of f32s, by the device or in integers.
@if(identity) fn op_identity() -> Acc {
    return 0u;
}

// The sum itself: one NaN, and no negative zero, whatever the hardware made.
@if(finish) fn op_finish(total: Acc, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    return op_finish_canonical(op_canonical(total));
}

@if(finish) fn op_canonical(total: Acc) -> Acc {
    return select(total, F32_CANONICAL_NAN_BITS, f32_is_nan(total));
}

// Of a total that is no other NaN.
@if(finish) fn op_finish_canonical(total: Acc) -> array<u32, OUT_WORDS> {
    return array<u32, OUT_WORDS>(select(total, 0u, total == F32_SIGN_BIT));
}

// IEEE-754 additions in integers throughout, for devices whose adder failed the start-up probe.
@if(software) fn op_combine(a: Acc, b: Acc) -> Acc {
    return f32_add(a, b);
}

// Additions as the device makes them: in any order, and whatever it takes subnormal numbers, infinities and
// NaNs for.
@if(unchecked) fn op_combine(a: Acc, b: Acc) -> Acc {
    return bitcast<u32>(bitcast<f32>(a) + bitcast<f32>(b));
}

// Floats are added by the device itself, where it can.
@if(atomic) alias AtomicWord = f32;

@if(atomic) fn accumulate(at: u32, total: Acc) {
    atomicAdd(&accumulator[at], bitcast<f32>(total));
}
