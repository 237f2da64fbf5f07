// A product as in product_f32.wgsl: the value is significand * 2^exponent, with the significand in [1, 2). Zeros, infinities and
// NaNs are flags; the sign is a bit of the flags.
struct Acc {
    flags: u32,
    // Bits of an f64 in [1, 2).
    significand_low: u32,
    significand_high: u32,
    // A 64-bit two's complement number: 2^40 factors can be 2^-1074 each.
    exponent_low: u32,
    exponent_high: u32,
}

alias Total = Acc;

const ACC_WORDS = 5u;
const SHUFFLED_WORDS = ACC_WORDS;
const OUT_WORDS = 2u;

const FLAG_NAN = 1u;
const FLAG_INFINITE = 2u;
const FLAG_ZERO = 4u;
const FLAGS_SPECIAL = 7u;

const ONE_HIGH = 0x3ff00000u;
const TWO_HIGH = 0x40000000u;
const FRACTION_HIGH = 0x000fffffu;

fn op_identity() -> Acc {
    return Acc(0u, 0u, ONE_HIGH, 0u, 0u);
}

fn op_lift(bits: Elem) -> Acc {
    let negative = bits.y & F64_SIGN_BIT;
    if f64_is_zero(bits) {
        return Acc(negative | FLAG_ZERO, 0u, ONE_HIGH, 0u, 0u);
    }
    if (bits.y & ~F64_SIGN_BIT) >= F64_INFINITY_HIGH {
        return Acc(negative | select(FLAG_INFINITE, FLAG_NAN, f64_is_nan(bits)), 0u, ONE_HIGH, 0u, 0u);
    }
    let number = f64_normalized(bits);
    let exponent = number.exponent + 52;
    return Acc(
        negative,
        number.significand.x,
        (number.significand.y & FRACTION_HIGH) | ONE_HIGH,
        bitcast<u32>(exponent),
        bitcast<u32>(exponent >> 31u),
    );
}

fn op_combine(a: Acc, b: Acc) -> Acc {
    // In [1, 4); at 2 and above the halving is exact, on the bits.
    let product = product_of_significands(
        vec2<u32>(a.significand_low, a.significand_high),
        vec2<u32>(b.significand_low, b.significand_high),
    );
    let halved = select(0u, 1u, product.y >= TWO_HIGH);
    let sum = a.exponent_low + b.exponent_low;
    let low = sum + halved;
    let carry = select(0u, 1u, sum < a.exponent_low) + select(0u, 1u, low < sum);
    return Acc(
        ((a.flags ^ b.flags) & F64_SIGN_BIT) | ((a.flags | b.flags) & FLAGS_SPECIAL),
        product.x,
        product.y - (halved << 20u),
        low,
        a.exponent_high + b.exponent_high + carry,
    );
}

fn op_finish(total: Acc, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    let bits = product_bits(total);
    return array<u32, OUT_WORDS>(bits.x, bits.y);
}

fn product_bits(total: Acc) -> vec2<u32> {
    let negative = total.flags & F64_SIGN_BIT;
    let is_zero = (total.flags & FLAG_ZERO) != 0u;
    let is_infinite = (total.flags & FLAG_INFINITE) != 0u;
    if ((total.flags & FLAG_NAN) != 0u) | (is_zero & is_infinite) {
        return F64_CANONICAL_NAN;
    }
    if is_infinite {
        return vec2<u32>(0u, negative | F64_INFINITY_HIGH);
    }
    if is_zero {
        return vec2<u32>(0u, negative);
    }
    // What does not fit 32 bits is far outside the range of an f64.
    var exponent = bitcast<i32>(total.exponent_low);
    if bitcast<u32>(exponent >> 31u) != total.exponent_high {
        exponent = select(5000, -5000, (total.exponent_high >> 31u) == 1u);
    }
    let hidden = (total.significand_high & FRACTION_HIGH) | 0x00100000u;
    let leading = shifted_left(vec2<u32>(total.significand_low, hidden), 11u);
    let bits = f64_nearest(leading, false, clamp(exponent, -5000, 5000) - 63);
    return vec2<u32>(bits.x, negative | bits.y);
}

fn op_pack(acc: Acc) -> array<u32, ACC_WORDS> {
    return array<u32, ACC_WORDS>(
        acc.flags,
        acc.significand_low,
        acc.significand_high,
        acc.exponent_low,
        acc.exponent_high,
    );
}

fn op_unpack(words: array<u32, ACC_WORDS>) -> Acc {
    return Acc(words[0], words[1], words[2], words[3], words[4]);
}
