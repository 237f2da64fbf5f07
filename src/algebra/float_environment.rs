//! Float arithmetic of the CPU where an application has changed it.
//!
//! A thread may flush subnormal numbers to zero, or round in another direction: some applications set this for
//! speed, and libraries built with `-ffast-math` set it for everyone. Rust takes it for granted that nobody does.
//! The sums of this crate must not depend on it. So each worker tries a few additions, and where they are not IEEE-754's
//! it adds in integers. (Setting the environment anew would need `unsafe` code for each architecture.)

use crate::exact::f32_bits::{CANONICAL_NAN, INFINITY, SIGN, finite};

/// Whether this thread's floats are IEEE-754's by default: rounded to the nearest, ties to even, with subnormals.
#[inline]
pub(crate) fn is_default() -> bool {
    // The compiler can't tell what is in there, so it has to add: four at a time, where it can.
    let [a, b, sums] = std::hint::black_box(&ADDITIONS);
    (0..4).fold(0, |difference, i| {
        difference | ((f32::from_bits(a[i]) + f32::from_bits(b[i])).to_bits() ^ sums[i])
    }) == 0
}

/// Bits of operands, and of their sums:
///
/// * 1.5 · 2^-126 − 2^-126, a subnormal result;
/// * 2^-149 + 2^-126, a subnormal operand;
/// * 1 + 2^-24, a tie, down to even;
/// * 1 + 2^-23 + 2^-24, a tie, up to even.
static ADDITIONS: [[u32; 4]; 3] = [
    [0x00c0_0000, 0x0000_0001, 0x3f80_0000, 0x3f80_0001],
    [0x8080_0000, 0x0080_0000, 0x3380_0000, 0x3380_0000],
    [0x0040_0000, 0x0080_0001, 0x3f80_0000, 0x3f80_0002],
];

/// `a + b`, without float arithmetic.
pub(crate) fn add(a: f32, b: f32) -> f32 {
    let (a, b) = (a.to_bits(), b.to_bits());
    let bits = match (finite(a), finite(b)) {
        (Some(x), Some(y)) => {
            let ((low, low_shift), (high, high_shift)) = if x.1 < y.1 { (x, y) } else { (y, x) };
            // With 32 bits below the higher one's last place. Of what is lower still only the sign matters.
            let low = match high_shift - low_shift {
                distance @ ..=32 => low << (32 - distance),
                _ => low.signum(),
            };
            match (high << 32) + low {
                0 => a & b & SIGN,
                sum => {
                    let sign = if sum < 0 { SIGN } else { 0 };
                    sign | nearest(sum.unsigned_abs(), high_shift)
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
    let (a, b) = (a.to_bits(), b.to_bits());
    let sign = (a ^ b) & SIGN;
    let bits = match (finite(a), finite(b)) {
        (Some((x, x_shift)), Some((y, y_shift))) => {
            // 48 bits at most, in units of 2^-298, and 15 below them.
            let magnitude = (x * y).unsigned_abs() << 15;
            let shift = x_shift + y_shift + 32 - 15;
            // In units of 2^-149. Of what is below the last bit only matters whether it is there.
            let below = 149usize.saturating_sub(shift).min(63);
            let rest = u64::from(magnitude & !(u64::MAX << below) != 0);
            match magnitude >> below | rest {
                // Less than half a unit.
                ..0x8000_0000 => sign,
                magnitude => sign | nearest(magnitude, shift.saturating_sub(149)),
            }
        }
        _ => {
            let [x, y] = [a, b].map(|bits| bits & !SIGN);
            if x.max(y) > INFINITY || x.min(y) == 0 { CANONICAL_NAN } else { sign | INFINITY }
        }
    };
    f32::from_bits(bits)
}

/// The bits of the f32 nearest to `magnitude · 2^(shift - 32)` units of 2^-149, ties to even. Its highest bit is at
/// least bit 31.
fn nearest(magnitude: u64, shift: usize) -> u32 {
    let highest = magnitude.ilog2() as usize;
    // The last place of the significand, which for subnormals is the unit.
    let place = (highest - 23).max(32usize.saturating_sub(shift));
    let significand = magnitude >> place;
    let (rest, half) = (magnitude & !(u64::MAX << place), 1 << (place - 1));
    let up = rest > half || (rest == half && significand & 1 == 1);
    // The implicit bit adds 1 to the exponent field, and so does a significand that was rounded up to 2^24.
    let exponent = (shift + place - 32) as u64;
    let bits = (exponent << 23) + significand + u64::from(up);
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

    fn check_add(a: u32, b: u32) {
        let [a, b] = [a, b].map(f32::from_bits);
        let (found, wanted) = (add(a, b), a + b);
        let is_same = found.to_bits() == wanted.to_bits() || (found.is_nan() && wanted.is_nan());
        assert!(is_same, "{a:e} + {b:e} = {wanted:e}, not {found:e}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

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
