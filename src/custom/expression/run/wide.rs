//! Numbers of 64 bits.

use super::{Binary, Type, Unary, Wides, Words, low_word, mask};
use crate::{
    algebra::f64_arithmetic,
    exact::f64_bits::{CANONICAL_NAN, FRACTION_MASK, INFINITY, SIGN, finite, nearest},
};

const F32_SIGN: u32 = 1 << 31;
const F32_INFINITY: u32 = 0x7f80_0000;
const F32_CANONICAL_NAN: u32 = 0x7fc0_0000;

fn each<A: Copy, B>(a: &[A], to: &mut [B], of: impl Fn(A) -> B) {
    for (to, &a) in to.iter_mut().zip(a) {
        *to = of(a);
    }
}

fn both<A: Copy, B: Copy, C>(a: &[A], b: &[B], to: &mut [C], of: impl Fn(A, B) -> C) {
    for ((to, &a), &b) in to.iter_mut().zip(a).zip(b) {
        *to = of(a, b);
    }
}

/// Of 64 bits, from 64 bits.
pub(super) fn unary(op: Unary, from: Type, to_type: Type, a: &Wides, to: &mut Wides) {
    match (op, from, to_type) {
        (Unary::Negate, Type::F64, _) => each(a, to, |a| a ^ SIGN),
        (Unary::Negate, ..) => each(a, to, u64::wrapping_neg),
        (Unary::Not, ..) => each(a, to, |a| !a),
        (Unary::Abs, Type::F64, _) => each(a, to, |a| a & !SIGN),
        (Unary::Abs, Type::I64, _) => each(a, to, |a| a.cast_signed().unsigned_abs()),
        (Unary::Abs, ..) => *to = *a,
        (Unary::CountOneBits, ..) => each(a, to, |a| a.count_ones().into()),
        (Unary::CountLeadingZeros, ..) => each(a, to, |a| a.leading_zeros().into()),
        (Unary::CountTrailingZeros, ..) => each(a, to, |a| a.trailing_zeros().into()),
        (Unary::ReverseBits, ..) => each(a, to, u64::reverse_bits),
        // They round to zero, whatever the thread does, and saturate.
        #[expect(clippy::cast_possible_truncation, reason = "it saturates, as it should")]
        (Unary::Convert, Type::F64, Type::I64) => {
            each(a, to, |a| (f64::from_bits(a) as i64).cast_unsigned());
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it saturates, as it should"
        )]
        (Unary::Convert, Type::F64, Type::U64) => each(a, to, |a| f64::from_bits(a) as u64),
        (Unary::Convert, Type::I64, Type::F64) => {
            each(a, to, |a| a & SIGN | nearest(a.cast_signed().unsigned_abs().into(), 0, false));
        }
        (Unary::Convert, Type::U64, Type::F64) => each(a, to, |a| nearest(a.into(), 0, false)),
        (Unary::Convert | Unary::Bitcast, ..) => *to = *a,
    }
}

/// A bool of a lane of 64 bits.
pub(super) fn wide_mask(bool: u32) -> u64 {
    i64::from(bool.cast_signed()).cast_unsigned()
}

/// A conversion from a word.
pub(super) fn widen(from: Type, to_type: Type, a: &Words, to: &mut Wides) {
    match (from, to_type) {
        (Type::F32, _) => each(a, to, double_of_float),
        (Type::I32, _) => each(a, to, |a| i64::from(a.cast_signed()).cast_unsigned()),
        (Type::Bool, Type::F64) => each(a, to, |a| wide_mask(a) & 1f64.to_bits()),
        (Type::Bool, _) => each(a, to, |a| u64::from(a & 1)),
        _ => each(a, to, u64::from),
    }
}

/// A conversion to a word.
pub(super) fn narrow(_op: Unary, from: Type, to_type: Type, a: &Wides, to: &mut Words) {
    match (from, to_type) {
        (Type::F64, _) => each(a, to, float_of_double),
        (Type::I64, Type::F32) => each(a, to, |a| {
            let sign = low_word((a & SIGN) >> 32);
            sign | float_of(a.cast_signed().unsigned_abs(), 0)
        }),
        (Type::U64, Type::F32) => each(a, to, |a| float_of(a, 0)),
        _ => each(a, to, low_word),
    }
}

/// The bits of the f64 of the same value: in integers, as a thread may flush subnormal numbers.
fn double_of_float(bits: u32) -> u64 {
    let sign = u64::from(bits & F32_SIGN) << 32;
    let magnitude = bits & !F32_SIGN;
    let (field, fraction) = (magnitude >> 23, magnitude & 0x007f_ffff);
    match field {
        0xff if fraction != 0 => CANONICAL_NAN,
        0xff => sign | INFINITY,
        0 => sign | nearest(fraction.into(), -149, false),
        _ => sign | ((u64::from(magnitude) << 29) + (896 << 52)),
    }
}

/// The bits of the nearest f32.
fn float_of_double(bits: u64) -> u32 {
    let sign = low_word((bits & SIGN) >> 32);
    match finite(bits) {
        Some((significand, exponent)) => sign | float_of(significand, exponent),
        None if bits & FRACTION_MASK == 0 => sign | F32_INFINITY,
        None => F32_CANONICAL_NAN,
    }
}

/// The bits of the f32 nearest to `magnitude · 2^exponent`, ties to even.
fn float_of(magnitude: u64, exponent: i32) -> u32 {
    let Some(highest) = magnitude.checked_ilog2() else { return 0 };
    // Bits below the last place, which for subnormals is 2^-149.
    let dropped = (highest.cast_signed() - 23).max(-149 - exponent);
    let significand = match u32::try_from(dropped) {
        Err(_) => magnitude << dropped.unsigned_abs(),
        Ok(0) => magnitude,
        // Less than half of the smallest.
        Ok(65..) => return 0,
        Ok(dropped) => {
            let magnitude = u128::from(magnitude);
            let (kept, rest) = (magnitude >> dropped, magnitude & !(u128::MAX << dropped));
            let half = 1 << (dropped - 1);
            let up = rest > half || (rest == half && kept & 1 == 1);
            low_wide(kept) + u64::from(up)
        }
    };
    // The implicit bit adds 1 to the exponent field, and so does a significand that was rounded up to 2^24.
    let field = u64::from((exponent + dropped + 149).unsigned_abs());
    match field {
        0..255 => low_word(((field << 23) + significand).min(F32_INFINITY.into())),
        _ => F32_INFINITY,
    }
}

fn low_wide(bits: u128) -> u64 {
    u64::try_from(bits).expect("no more than there was")
}

/// In the order of floats, −0 below +0.
fn key(bits: u64) -> u64 {
    if bits & SIGN == 0 { bits ^ SIGN } else { !bits }
}

/// The same, where both zeros are one.
fn number_key(bits: u64) -> u64 {
    key(if bits == SIGN { 0 } else { bits })
}

fn is_nan(bits: u64) -> bool {
    bits & !SIGN > INFINITY
}

/// A comparison.
pub(super) fn compare(
    op: Binary,
    of: Type,
    a: &Wides,
    b: &Wides,
    to: &mut Words,
    adds_as_ieee: bool,
) {
    match op {
        Binary::Equal => compare_by(of, a, b, to, adds_as_ieee, |a, b| a == b, |a, b| a == b),
        Binary::Less => compare_by(of, a, b, to, adds_as_ieee, |a, b| a < b, |a, b| a < b),
        // No other makes a bool.
        _ => compare_by(of, a, b, to, adds_as_ieee, |a, b| a <= b, |a, b| a <= b),
    }
}

/// A loop for each comparison, and type, for compilers to make vector instructions of.
fn compare_by(
    of: Type,
    a: &Wides,
    b: &Wides,
    to: &mut Words,
    adds_as_ieee: bool,
    of_floats: impl Fn(f64, f64) -> bool,
    of_keys: impl Fn(u64, u64) -> bool,
) {
    match of {
        Type::F64 if adds_as_ieee => {
            both(a, b, to, |a, b| mask(of_floats(f64::from_bits(a), f64::from_bits(b))));
        }
        // A thread may take subnormals for zeros.
        Type::F64 => both(a, b, to, |a, b| {
            let is_ordered = !is_nan(a) && !is_nan(b);
            mask(is_ordered && of_keys(number_key(a), number_key(b)))
        }),
        Type::I64 => both(a, b, to, |a, b| mask(of_keys(a ^ SIGN, b ^ SIGN))),
        _ => both(a, b, to, |a, b| mask(of_keys(a, b))),
    }
}

pub(super) fn shift(op: Binary, of: Type, a: &Wides, b: &Words, to: &mut Wides) {
    match (op, of) {
        (Binary::ShiftLeft, _) => both(a, b, to, u64::wrapping_shl),
        (_, Type::I64) => {
            both(a, b, to, |a, b| a.cast_signed().wrapping_shr(b).cast_unsigned());
        }
        _ => both(a, b, to, u64::wrapping_shr),
    }
}

pub(super) fn binary(
    op: Binary,
    of: Type,
    a: &Wides,
    b: &Wides,
    to: &mut Wides,
    adds_as_ieee: bool,
) {
    match of {
        Type::F64 => of_doubles(op, a, b, to, adds_as_ieee),
        Type::I64 => of_signed(op, a, b, to),
        _ => of_unsigned(op, a, b, to),
    }
}

fn arithmetic(of: impl Fn(f64, f64) -> f64) -> impl Fn(u64, u64) -> u64 {
    move |a, b| {
        let bits = of(f64::from_bits(a), f64::from_bits(b)).to_bits();
        if is_nan(bits) { CANONICAL_NAN } else { bits }
    }
}

fn extremum(of: impl Fn(u64, u64) -> bool) -> impl Fn(u64, u64) -> u64 {
    move |a, b| match is_nan(a) || is_nan(b) {
        true => CANONICAL_NAN,
        false if of(key(a), key(b)) => a,
        false => b,
    }
}

fn of_doubles(op: Binary, a: &Wides, b: &Wides, to: &mut Wides, adds_as_ieee: bool) {
    match (op, adds_as_ieee) {
        (Binary::Add, true) => both(a, b, to, arithmetic(|a, b| a + b)),
        (Binary::Subtract, true) => both(a, b, to, arithmetic(|a, b| a - b)),
        (Binary::Multiply, true) => both(a, b, to, arithmetic(|a, b| a * b)),
        (Binary::Divide, true) => both(a, b, to, arithmetic(|a, b| a / b)),
        (Binary::Add, false) => both(a, b, to, arithmetic(f64_arithmetic::add)),
        (Binary::Subtract, false) => {
            both(a, b, to, arithmetic(|a, b| f64_arithmetic::add(a, -b)));
        }
        (Binary::Multiply, false) => both(a, b, to, arithmetic(f64_arithmetic::multiply)),
        (Binary::Divide, false) => both(a, b, to, arithmetic(f64_arithmetic::quotient)),
        (Binary::Min, _) => both(a, b, to, extremum(|a, b| a <= b)),
        // Nothing else is read of floats.
        _ => both(a, b, to, extremum(|a, b| a >= b)),
    }
}

fn signed(of: impl Fn(i64, i64) -> i64) -> impl Fn(u64, u64) -> u64 {
    move |a, b| of(a.cast_signed(), b.cast_signed()).cast_unsigned()
}

fn of_signed(op: Binary, a: &Wides, b: &Wides, to: &mut Wides) {
    match op {
        // As WGSL has it of words, nothing traps.
        Binary::Divide => both(a, b, to, signed(|a, b| if b == 0 { a } else { a.wrapping_div(b) })),
        Binary::Remainder => {
            both(a, b, to, signed(|a, b| if b == 0 { 0 } else { a.wrapping_rem(b) }));
        }
        Binary::Min => both(a, b, to, signed(i64::min)),
        Binary::Max => both(a, b, to, signed(i64::max)),
        _ => of_unsigned(op, a, b, to),
    }
}

fn of_unsigned(op: Binary, a: &Wides, b: &Wides, to: &mut Wides) {
    match op {
        Binary::Add => both(a, b, to, u64::wrapping_add),
        Binary::Subtract => both(a, b, to, u64::wrapping_sub),
        Binary::Multiply => both(a, b, to, u64::wrapping_mul),
        Binary::Divide => both(a, b, to, |a, b| a.checked_div(b).unwrap_or(a)),
        Binary::Remainder => both(a, b, to, |a, b| a.checked_rem(b).unwrap_or(0)),
        Binary::And => both(a, b, to, |a, b| a & b),
        Binary::Or => both(a, b, to, |a, b| a | b),
        Binary::Xor => both(a, b, to, |a, b| a ^ b),
        Binary::Min => both(a, b, to, u64::min),
        Binary::Max => both(a, b, to, u64::max),
        // These are of a bool, or of a distance of one word.
        Binary::Equal
        | Binary::Less
        | Binary::LessEqual
        | Binary::ShiftLeft
        | Binary::ShiftRight => *to = *a,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check_narrow(bits: u64) {
        #[expect(clippy::cast_possible_truncation, reason = "it rounds, as wanted")]
        let wanted = f64::from_bits(bits) as f32;
        let found = float_of_double(bits);
        let wanted = if wanted.is_nan() { F32_CANONICAL_NAN } else { wanted.to_bits() };
        assert_eq!(found, wanted, "{bits:#x}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn integers_to_floats(bits: u64, cleared in 0..64u32) {
            let integer = bits & u64::MAX << cleared;
            prop_assert_eq!(float_of(integer, 0), (integer as f32).to_bits());
            prop_assert_eq!(float_of(integer >> cleared, 0), ((integer >> cleared) as f32).to_bits());
            prop_assert_eq!(nearest(integer.into(), 0, false), (integer as f64).to_bits());
        }

        #[test]
        fn floats_to_doubles(bits: u32) {
            let wanted = f64::from(f32::from_bits(bits));
            let wanted = if wanted.is_nan() { CANONICAL_NAN } else { wanted.to_bits() };
            prop_assert_eq!(double_of_float(bits), wanted);
        }

        /// Of f64s near the range of f32s, with ties.
        #[test]
        fn doubles_to_floats(bits: u64, field in 860..1160u64, cleared in 0..53u32) {
            check_narrow(bits);
            check_narrow(bits & (SIGN | FRACTION_MASK) & u64::MAX << cleared | field << 52);
        }
    }

    #[test]
    fn special_values() {
        let ends = [f64::MAX, f64::INFINITY, 0.0, 5e-324, f64::NAN];
        let near = [f32::MAX, f32::MIN_POSITIVE, f32::from_bits(1)].map(f64::from);
        for value in ends.into_iter().chain(near) {
            for bits in value.to_bits().saturating_sub(2)..value.to_bits().saturating_add(2) {
                check_narrow(bits);
                check_narrow(bits | SIGN);
            }
        }
        for bits in [0, 1, 0x007f_ffff, 0x0080_0000, F32_INFINITY - 1, F32_INFINITY] {
            for bits in [bits, bits | F32_SIGN] {
                let wanted = f64::from(f32::from_bits(bits)).to_bits();
                assert_eq!(double_of_float(bits), wanted, "{bits:#x}");
            }
        }
    }
}
