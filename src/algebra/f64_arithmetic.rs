//! IEEE-754 arithmetic of f64s in integers: for threads whose float environment is not the default, as
//! [`crate::algebra::float_environment`] says. To nearest, ties to even, with subnormals.

use crate::exact::f64_bits::{CANONICAL_NAN, FRACTION_MASK, INFINITY, SIGN, finite, nearest};

/// `a + b`.
pub(crate) fn add(a: f64, b: f64) -> f64 {
    add_scaled(a, 0, b, 0)
}

/// `a · 2^a_scale + b · 2^b_scale`, rounded once.
pub(crate) fn add_scaled(a: f64, a_scale: i32, b: f64, b_scale: i32) -> f64 {
    let (a, b) = (a.to_bits(), b.to_bits());
    let signed = |bits: u64, significand: u64| {
        let significand = i128::from(significand);
        if bits & SIGN == 0 { significand } else { -significand }
    };
    f64::from_bits(match (finite(a), finite(b)) {
        (Some((x, x_exponent)), Some((y, y_exponent))) => {
            let (x, y) =
                ((signed(a, x), x_exponent + a_scale), (signed(b, y), y_exponent + b_scale));
            // Zero has no exponent.
            let ((low, low_exponent), (high, high_exponent)) =
                if x.0 == 0 || (y.0 != 0 && x.1 < y.1) { (x, y) } else { (y, x) };
            // With 64 bits below the higher one's last place. Of what is lower still only the sign matters.
            let low = match high_exponent - low_exponent {
                _ if low == 0 => 0,
                distance @ ..=64 => low << (64 - distance),
                _ => low.signum(),
            };
            match (high << 64) + low {
                0 => a & b & SIGN,
                sum => {
                    let sign = if sum < 0 { SIGN } else { 0 };
                    sign | nearest(sum.unsigned_abs(), high_exponent - 64, false)
                }
            }
        }
        (None, Some(_)) => a,
        (Some(_), None) => b,
        (None, None) if a == b => a,
        (None, None) => CANONICAL_NAN,
    })
}

/// `a · b`.
pub(crate) fn multiply(a: f64, b: f64) -> f64 {
    multiply_scaled(a, b, 0)
}

/// `a · b · 2^scale`, rounded once.
pub(crate) fn multiply_scaled(a: f64, b: f64, scale: i32) -> f64 {
    let (a, b) = (a.to_bits(), b.to_bits());
    let sign = (a ^ b) & SIGN;
    f64::from_bits(match (finite(a), finite(b)) {
        (Some((x, x_exponent)), Some((y, y_exponent))) => {
            let exponent = x_exponent + y_exponent + scale;
            sign | nearest(u128::from(x) * u128::from(y), exponent, false)
        }
        _ => {
            let [x, y] = [a, b].map(|bits| bits & !SIGN);
            if x.max(y) > INFINITY || x.min(y) == 0 { CANONICAL_NAN } else { sign | INFINITY }
        }
    })
}

/// `total / len`.
pub(crate) fn divide(total: f64, len: u64) -> f64 {
    let bits = total.to_bits();
    f64::from_bits(match finite(bits) {
        None => bits,
        Some(_) if len == 0 => CANONICAL_NAN,
        Some((significand, exponent)) => {
            let (dividend, divisor) = (u128::from(significand) << 64, u128::from(len));
            let has_rest = !dividend.is_multiple_of(divisor);
            bits & SIGN | nearest(dividend / divisor, exponent - 64, has_rest)
        }
    })
}

/// `a / b`.
pub(crate) fn quotient(a: f64, b: f64) -> f64 {
    let (a, b) = (a.to_bits(), b.to_bits());
    let sign = (a ^ b) & SIGN;
    f64::from_bits(match (finite(a), finite(b)) {
        (Some((0, _)), Some((0, _))) => CANONICAL_NAN,
        (Some(_), Some((0, _))) => sign | INFINITY,
        (Some((0, _)), Some(_)) => sign,
        (Some((x, x_exponent)), Some((y, y_exponent))) => {
            // As many bits as there is room for.
            let up = x.leading_zeros() + 64;
            let (dividend, divisor) = (u128::from(x) << up, u128::from(y));
            let exponent = x_exponent - y_exponent - up.cast_signed();
            let has_rest = !dividend.is_multiple_of(divisor);
            sign | nearest(dividend / divisor, exponent, has_rest)
        }
        (Some(_), None) if b & !SIGN == INFINITY => sign,
        (None, Some(_)) if a & !SIGN == INFINITY => sign | INFINITY,
        _ => CANONICAL_NAN,
    })
}

/// The square root of what is not negative.
pub(crate) fn root(total: f64) -> f64 {
    let bits = total.to_bits();
    f64::from_bits(match finite(bits) {
        None | Some((0, _)) => bits,
        Some((significand, exponent)) => {
            // An even power of two, and as many bits as there is room for.
            let up = significand.leading_zeros().cast_signed() + 62;
            let up = up - (exponent - up).rem_euclid(2);
            let number = u128::from(significand) << up;
            let root = number.isqrt();
            nearest(root, (exponent - up) / 2, root * root != number)
        }
    })
}

/// The bits of the f64 nearest to a significand in [1, 2), times a power of two.
pub(crate) fn scaled(significand: f64, exponent: i64) -> u64 {
    let bits = significand.to_bits() & FRACTION_MASK | 1 << 52;
    // Beyond these all are infinite, or 0.
    let exponent = i32::try_from(exponent.clamp(-5000, 5000)).expect("small");
    nearest(bits.into(), exponent - 52, false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(what: &str, found: f64, wanted: f64) {
        let is_same = found.to_bits() == wanted.to_bits() || (found.is_nan() && wanted.is_nan());
        assert!(is_same, "{what} is {wanted:e}, not {found:e}");
    }

    fn check_all(a: u64, b: u64) {
        let [a, b] = [a, b].map(f64::from_bits);
        check(&format!("{a:e} + {b:e}"), add(a, b), a + b);
        check(&format!("{a:e} * {b:e}"), multiply(a, b), a * b);
        check(&format!("{a:e} / {b:e}"), quotient(a, b), a / b);
        check(&format!("the root of {a:e}"), root(a.abs()), a.abs().sqrt());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn any_operands(a: u64, b: u64) {
            check_all(a, b);
        }

        /// Exponents that differ by up to 70, significands with few bits, for ties.
        #[test]
        fn sums_of_neighbours(
            a: u64,
            distance in -70..=70i64,
            fraction: u64,
            cleared in (0..53u32, 0..53u32),
            sign: bool,
        ) {
            let field = (a >> 52 & 2047).saturating_add_signed(distance).min(2047);
            let a = a & (u64::MAX << cleared.0);
            let b = u64::from(sign) << 63 | field << 52 | fraction & FRACTION_MASK & (u64::MAX << cleared.1);
            check_all(a, b);
            check_all(b, a);
        }

        /// Exponents whose product is near the ends of the range, significands with few bits, for ties.
        #[test]
        fn products_at_the_ends(
            a: u64,
            b: u64,
            field in 1..2047i64,
            end in prop::sample::select(vec![1023 - 1074, 1023 - 1022, 2046i64]),
            distance in -3..=3i64,
            cleared in (0..53u32, 0..53u32),
        ) {
            let other = (end + 1023 - field + distance).clamp(0, 2046).cast_unsigned();
            let a = a & (SIGN | FRACTION_MASK) & (u64::MAX << cleared.0) | field.cast_unsigned() << 52;
            let b = b & (SIGN | FRACTION_MASK) & (u64::MAX << cleared.1) | other << 52;
            check_all(a, b);
        }

        #[test]
        fn quotients(bits: u64, len in 1..=1u64 << 53, few: bool, cleared in 0..53u32) {
            let len = if few { len % 1000 + 1 } else { len };
            for bits in [bits, bits & (SIGN | FRACTION_MASK)] {
                let total = f64::from_bits(bits & (u64::MAX << cleared));
                check(&format!("{total:e} / {len}"), divide(total, len), total / len as f64);
            }
        }
    }

    #[test]
    fn special_values() {
        let values = [
            0,
            1,
            2,
            3,
            FRACTION_MASK,
            FRACTION_MASK + 1,
            FRACTION_MASK + 2,
            0x3ca0_0000_0000_0000,
            0x3ca0_0000_0000_0001,
            0x3fe0_0000_0000_0000,
            0x3ff0_0000_0000_0000,
            0x3ff0_0000_0000_0001,
            0x3fff_ffff_ffff_ffff,
            0x7c9f_ffff_ffff_ffff,
            0x7ca0_0000_0000_0000,
            INFINITY - 1,
            INFINITY,
            INFINITY + 1,
            CANONICAL_NAN,
        ];
        let signed = || values.into_iter().flat_map(|bits| [bits, bits | SIGN]);
        for a in signed() {
            for b in signed() {
                check_all(a, b);
            }
        }
    }
}
