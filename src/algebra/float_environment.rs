//! Float arithmetic of the CPU where an application has changed it.
//!
//! A thread may flush subnormal numbers to zero, or round in another direction: some applications set this for
//! speed, and libraries built with `-ffast-math` set it for everyone. Rust takes it for granted that no code does.
//! The sums of this crate must not depend on it. So each worker tries a few additions, and where they are not IEEE-754's
//! it adds in integers. (Setting the environment anew would need `unsafe` code for each architecture.)

pub(crate) use crate::exact::float_environment::is_default;

use crate::exact::f32_bits::{CANONICAL_NAN, INFINITY, SIGN, finite};

/// `a + b`, without float arithmetic.
pub(crate) fn add(a: f32, b: f32) -> f32 {
    add_scaled(a, 0, b, 0)
}

/// `a · 2^a_scale + b · 2^b_scale`, rounded once, without float arithmetic.
pub(crate) fn add_scaled(a: f32, a_scale: i32, b: f32, b_scale: i32) -> f32 {
    let (a, b) = (a.to_bits(), b.to_bits());
    let bits = match (finite(a), finite(b)) {
        (Some((0, _)), Some((0, _))) => a & b & SIGN,
        (Some(x), Some(y)) => {
            let (x, y) = (scaled(x, a_scale), scaled(y, b_scale));
            // Zero has no exponent.
            let ((low, low_exponent), (high, high_exponent)) =
                if x.0 == 0 || (y.0 != 0 && x.1 < y.1) { (x, y) } else { (y, x) };
            // With 64 bits below the higher one's last place. Of what is lower still only the sign matters.
            let low = match high_exponent - low_exponent {
                distance @ 0..=64 => low << (64 - distance),
                _ => low.signum(),
            };
            match (high << 64) + low {
                0 => 0,
                sum => {
                    let sign = if sum < 0 { SIGN } else { 0 };
                    sign | nearest(sum.unsigned_abs(), high_exponent - 64)
                }
            }
        }
        (None, Some(_)) => a,
        (Some(_), None) => b,
        (None, None) if a == b => a,
        (None, None) => CANONICAL_NAN,
    };
    f32::from_bits(bits)
}

/// `a · b`, without float arithmetic.
pub(crate) fn multiply(a: f32, b: f32) -> f32 {
    multiply_scaled(a, b, 0)
}

/// `a · b · 2^scale`, rounded once, without float arithmetic.
pub(crate) fn multiply_scaled(a: f32, b: f32, scale: i32) -> f32 {
    let (a, b) = (a.to_bits(), b.to_bits());
    let sign = (a ^ b) & SIGN;
    let bits = match (finite(a), finite(b)) {
        (Some((0, _)), Some(_)) | (Some(_), Some((0, _))) => sign,
        (Some(x), Some(y)) => {
            let (x, y) = (scaled(x, 0), scaled(y, 0));
            sign | nearest((x.0 * y.0).unsigned_abs(), x.1 + y.1 + scale)
        }
        _ => {
            let [x, y] = [a, b].map(|bits| bits & !SIGN);
            if x.max(y) > INFINITY || x.min(y) == 0 { CANONICAL_NAN } else { sign | INFINITY }
        }
    };
    f32::from_bits(bits)
}

/// `a / b`, without float arithmetic.
pub(crate) fn divide(a: f32, b: f32) -> f32 {
    let (a, b) = (a.to_bits(), b.to_bits());
    let sign = (a ^ b) & SIGN;
    let bits = match (finite(a), finite(b)) {
        (Some((0, _)), Some((0, _))) => CANONICAL_NAN,
        (Some((0, _)), Some(_)) => sign,
        (Some(_), Some((0, _))) => sign | INFINITY,
        (Some(x), Some(y)) => {
            let (x, y) = (scaled(x, 0), scaled(y, 0));
            let (dividend, divisor) = (x.0.unsigned_abs() << 64, y.0.unsigned_abs());
            // Far below the last place it only matters whether there is a rest.
            let has_rest = u128::from(dividend % divisor != 0);
            sign | nearest((dividend / divisor) | has_rest, x.1 - y.1 - 64)
        }
        _ => {
            let [x, y] = [a, b].map(|bits| bits & !SIGN);
            match (x.max(y) > INFINITY || x == y, x == INFINITY) {
                (true, _) => CANONICAL_NAN,
                (false, true) => sign | INFINITY,
                (false, false) => sign,
            }
        }
    };
    f32::from_bits(bits)
}

/// The exponent of a subnormal's last place.
const UNIT: i32 = -149;

/// A finite element times 2^scale, as an integer and the exponent of two that it is multiplied by.
fn scaled((significand, shift): (i64, usize), scale: i32) -> (i128, i32) {
    let shift = i32::try_from(shift).expect("at most 253");
    (significand.into(), UNIT + shift + scale)
}

/// The bits of the f32 nearest to `magnitude · 2^exponent`, ties to even. The magnitude is not 0, and less than 2^100.
fn nearest(magnitude: u128, exponent: i32) -> u32 {
    let highest = exponent + magnitude.ilog2().cast_signed();
    // The exponent of the significand's last place, which for subnormals is the unit.
    let place = (highest - 23).max(UNIT);
    let significand = if place <= exponent {
        magnitude << (exponent - place)
    } else {
        // Of what is far below the last place only matters whether it is there.
        let below = (place - exponent).min(127).cast_unsigned();
        let (whole, rest, half) =
            (magnitude >> below, magnitude & !(u128::MAX << below), 1 << (below - 1));
        let up = rest > half || (rest == half && whole & 1 == 1);
        whole + u128::from(up)
    };
    // The implicit bit adds 1 to the exponent field, and so does a significand that was rounded up to 2^24.
    let field = u128::from((place - UNIT).unsigned_abs());
    let bits = (field << 23) + significand;
    u32::try_from(bits.min(INFINITY.into())).expect("32 bits")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn tests_run_by_default() {
        assert!(is_default());
    }

    fn check_multiply(a: u32, b: u32) {
        let [a, b] = [a, b].map(f32::from_bits);
        let (found, wanted) = (multiply(a, b), a * b);
        let is_same = found.to_bits() == wanted.to_bits() || (found.is_nan() && wanted.is_nan());
        assert!(is_same, "{a:e} * {b:e} = {wanted:e}, not {found:e}");
    }

    fn check_divide(a: u32, b: u32) {
        let [a, b] = [a, b].map(f32::from_bits);
        let (found, wanted) = (divide(a, b), a / b);
        let is_same = found.to_bits() == wanted.to_bits() || (found.is_nan() && wanted.is_nan());
        assert!(is_same, "{a:e} / {b:e} = {wanted:e}, not {found:e}");
    }

    fn check_add(a: u32, b: u32) {
        let [a, b] = [a, b].map(f32::from_bits);
        let (found, wanted) = (add(a, b), a + b);
        let is_same = found.to_bits() == wanted.to_bits() || (found.is_nan() && wanted.is_nan());
        assert!(is_same, "{a:e} + {b:e} = {wanted:e}, not {found:e}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn any_quotients(a: u32, b: u32, zeros in 0..24u32) {
            check_divide(a, b);
            check_divide(a, a);
            // Subnormal results, and exact ones.
            check_divide(a >> 8, b | 0x4000_0000);
            check_divide(a & (u32::MAX << zeros), b & (u32::MAX << 12));
            for special in [0, SIGN, 1, INFINITY, INFINITY | SIGN, CANONICAL_NAN] {
                check_divide(a, special);
                check_divide(special, a);
                check_divide(special, b & SIGN);
            }
        }

        #[test]
        fn any_sums(a: u32, b: u32) {
            check_add(a, b);
        }

        /// Exponents that differ by up to 40, significands with few bits, for ties.
        #[test]
        fn sums_of_neighbours(
            a: u32,
            distance in -40..=40,
            fraction: u32,
            cleared in (0..24u32, 0..24u32),
            is_negative: bool,
        ) {
            let exponent = (a >> 23 & 255).saturating_add_signed(distance).min(255);
            let sign = if is_negative { SIGN } else { 0 };
            let a = a & (u32::MAX << cleared.0);
            let b = sign | exponent << 23 | fraction & 0x007f_ffff & (u32::MAX << cleared.1);
            check_add(a, b);
            check_add(b, a);
        }

        #[test]
        fn any_products(a: u32, b: u32) {
            check_multiply(a, b);
        }

        /// Exponents whose product is near the ends of the range, significands with few bits, for ties.
        #[test]
        fn products_at_the_ends(
            a: u32,
            b: u32,
            field in 1..255u32,
            end in prop::sample::select(vec![127 - 149, 127 - 126, 254]),
            distance in -3..=3i32,
            cleared in (0..24u32, 0..24u32),
        ) {
            let other = (end + 127 - field.cast_signed() + distance).clamp(0, 254).cast_unsigned();
            let a = a & 0x807f_ffff & (u32::MAX << cleared.0) | field << 23;
            let b = b & 0x807f_ffff & (u32::MAX << cleared.1) | other << 23;
            check_multiply(a, b);
            check_multiply(b, a);
        }
    }

    #[test]
    fn special_values() {
        let values = [
            0,
            1,
            2,
            0x007f_ffff,
            0x0080_0000,
            0x0080_0001,
            0x00ff_ffff,
            0x3f80_0000,
            0x3f80_0001,
            0x3fff_ffff,
            0x3380_0000,
            0x3380_0001,
            0x337f_ffff,
            0x7300_0000,
            0x72ff_ffff,
            0x7f7f_ffff,
            INFINITY,
            CANONICAL_NAN,
            0x7f80_0001,
        ];
        let signed = || values.into_iter().flat_map(|bits| [bits, bits | SIGN]);
        for a in signed() {
            for b in signed() {
                check_add(a, b);
                check_multiply(a, b);
            }
        }
    }
}
