// What is done with moments of f32s, in integers.

const MOMENT_ZERO = 0u;
const MOMENT_NAN = F32_CANONICAL_NAN_BITS;

fn moment_negated(bits: Elem) -> Elem {
    return bits ^ F32_SIGN_BIT;
}

fn moment_is_finite(bits: Elem) -> bool {
    return (bits & F32_INFINITY_BITS) != F32_INFINITY_BITS;
}

fn moment_sum(a: Elem, a_scale: i32, b: Elem, b_scale: i32) -> Elem {
    return f32_add_scaled(a, a_scale, b, b_scale);
}

fn moment_product(a: Elem, b: Elem, scale: i32) -> Elem {
    return f32_multiply_scaled(a, b, scale);
}

fn moment_quotient(total: Elem, len: vec2<u32>) -> Elem {
    return f32_mean(total, len);
}
