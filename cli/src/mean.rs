//! Means of integers: float64, as NumPy's are, but of the exact sum, rounded once.

/// `sum / len`, rounded to the nearest, ties to even. NaN of nothing.
pub fn rounded_mean(sum: i128, len: u64) -> f64 {
    if sum == 0 || len == 0 {
        return if len == 0 { f64::NAN } else { 0.0 };
    }
    // As many bits of the quotient as there is room for, 64 at least; of what is below only matters whether it is there.
    let magnitude = sum.unsigned_abs();
    let places = magnitude.leading_zeros();
    let (dividend, divisor) = (magnitude << places, u128::from(len));
    let rest = u128::from(dividend % divisor != 0);
    let quotient = ((dividend / divisor) | rest) as f64;
    let mean = quotient * 2f64.powi(-places.cast_signed());
    if sum < 0 { -mean } else { mean }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_rounded_once() {
        assert!(rounded_mean(0, 0).is_nan());
        for (sum, len, mean) in [
            (0, 5, 0.0),
            (7, 2, 3.5),
            (-7, 2, -3.5),
            (1, 3, 1.0 / 3.0),
            (-10, 3, -10.0 / 3.0),
            (i128::from(u64::MAX), 1, 18_446_744_073_709_551_615u64 as f64),
            // 2^53 + 1 is a tie, to even; a little more is above it.
            ((1 << 53) + 1, 1, 9_007_199_254_740_992.0),
            (((1 << 53) + 1) * 3 + 1, 3, 9_007_199_254_740_994.0),
            (((1 << 53) + 3) * 2, 2, 9_007_199_254_740_996.0),
            (1, 1 << 40, 2f64.powi(-40)),
            (i128::from(i64::MIN) << 40, 1 << 40, -(2f64.powi(63))),
        ] {
            assert_eq!(rounded_mean(sum, len).to_bits(), f64::to_bits(mean), "{sum} / {len}");
        }
    }

    /// Of small numbers, where a division of floats rounds once, too.
    #[test]
    fn means_of_small_numbers() {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..100_000 {
            let sum = random.i64(-(1 << 53)..=1 << 53);
            let len = random.u64(1..=1 << 53);
            assert_eq!(rounded_mean(sum.into(), len), sum as f64 / len as f64, "{sum} / {len}");
        }
    }
}
