// What is done with moments of f64s, in integers.

const MOMENT_ZERO = Elem(0u, 0u);
const MOMENT_NAN = F64_CANONICAL_NAN;

fn moment_negated(bits: Elem) -> Elem {
    return Elem(bits.x, bits.y ^ F64_SIGN_BIT);
}

fn moment_is_finite(bits: Elem) -> bool {
    return (bits.y & F64_INFINITY_HIGH) != F64_INFINITY_HIGH;
}

fn moment_sum(a: Elem, a_scale: i32, b: Elem, b_scale: i32) -> Elem {
    return f64_add_scaled(a, a_scale, b, b_scale);
}

fn moment_product(a: Elem, b: Elem, scale: i32) -> Elem {
    return f64_multiply_scaled(a, b, scale);
}

fn moment_quotient(total: Elem, len: vec2<u32>) -> Elem {
    return f64_mean(total, len);
}
