// IEEE-754 multiplication in integers: round to nearest, ties to even, with subnormals, infinities and NaNs. On the bits of
// f64s.

const LIMB_BITS = 14u;
const LIMB_MASK = 0x3fffu;

// 53 bits in four parts: the products of any four of them add up within a word.
fn f64_limbs(significand: vec2<u32>) -> vec4<u32> {
    return vec4<u32>(
        significand.x & LIMB_MASK,
        (significand.x >> 14u) & LIMB_MASK,
        ((significand.x >> 28u) | (significand.y << 4u)) & LIMB_MASK,
        significand.y >> 10u,
    );
}

struct SignificandProduct {
    // The highest 64 bits of 106.
    high: vec2<u32>,
    // Whether another one is set.
    has_rest: bool,
}

fn f64_significand_product(a: vec2<u32>, b: vec2<u32>) -> SignificandProduct {
    let x = f64_limbs(a);
    let y = f64_limbs(b);
    let limb0 = x.x * y.x;
    let limb1 = (limb0 >> LIMB_BITS) + x.x * y.y + x.y * y.x;
    let limb2 = (limb1 >> LIMB_BITS) + x.x * y.z + x.y * y.y + x.z * y.x;
    let limb3 = (limb2 >> LIMB_BITS) + x.x * y.w + x.y * y.z + x.z * y.y + x.w * y.x;
    let limb4 = (limb3 >> LIMB_BITS) + x.y * y.w + x.z * y.z + x.w * y.y;
    let limb5 = (limb4 >> LIMB_BITS) + x.z * y.w + x.w * y.z;
    let limb6 = (limb5 >> LIMB_BITS) + x.w * y.w;
    // Bits 74 to 105, and 42 to 73.
    let high = (limb6 << 10u) | ((limb5 & LIMB_MASK) >> 4u);
    let low = (limb5 << 28u) | ((limb4 & LIMB_MASK) << 14u) | (limb3 & LIMB_MASK);
    return SignificandProduct(vec2<u32>(low, high), ((limb0 | limb1 | limb2) & LIMB_MASK) != 0u);
}

fn f64_multiply(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return f64_multiply_scaled(a, b, 0);
}

// The product times 2^scale, rounded once.
fn f64_multiply_scaled(a: vec2<u32>, b: vec2<u32>, scale: i32) -> vec2<u32> {
    let sign = (a.y ^ b.y) & F64_SIGN_BIT;
    let has_zero = f64_is_zero(a) | f64_is_zero(b);
    if max(a.y & ~F64_SIGN_BIT, b.y & ~F64_SIGN_BIT) >= F64_INFINITY_HIGH {
        let is_nan = f64_is_nan(a) | f64_is_nan(b) | has_zero;
        return select(vec2<u32>(0u, sign | F64_INFINITY_HIGH), F64_CANONICAL_NAN, is_nan);
    }
    if has_zero {
        return vec2<u32>(0u, sign);
    }
    let x = f64_normalized(a);
    let y = f64_normalized(b);
    let product = f64_significand_product(x.significand, y.significand);
    let up = 1u - (product.high.y >> 31u);
    // What would move in below the last bit is a part of the rest, and as good there.
    let leading = shifted_left(product.high, up);
    let exponent = x.exponent + y.exponent + 42 - i32(up) + scale;
    let bits = f64_nearest(leading, product.has_rest, exponent);
    return vec2<u32>(bits.x, sign | bits.y);
}
