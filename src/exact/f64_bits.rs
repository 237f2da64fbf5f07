//! The bits of f64s.

pub(crate) const SIGN: u64 = 1 << 63;
pub(crate) const INFINITY: u64 = 0x7ff0_0000_0000_0000;
pub(crate) const CANONICAL_NAN: u64 = 0x7ff8_0000_0000_0000;
pub(crate) const FRACTION_MASK: u64 = (1 << 52) - 1;

/// A number's magnitude as `significand · 2^exponent`, where the significand has at most 53 bits. `None` if the bits are of no
/// number.
pub(crate) fn finite(bits: u64) -> Option<(u64, i32)> {
    let field = (bits & !SIGN) >> 52;
    let fraction = bits & FRACTION_MASK;
    let hidden = if field == 0 { 0 } else { 1 << 52 };
    let exponent = i32::try_from(field.max(1)).expect("11 bits") - 1075;
    (field != 2047).then_some((fraction | hidden, exponent))
}

/// The bits of the f64 nearest to `magnitude · 2^exponent`, and less than `2^exponent` more if it `has_rest`. Then, and where there
/// are bits to drop, the magnitude has more than 54 of them, or its last is below the last place of subnormals.
pub(crate) fn nearest(magnitude: u128, exponent: i32, has_rest: bool) -> u64 {
    let Some(highest) = magnitude.checked_ilog2() else { return 0 };
    // How many bits are dropped: those below the last place of the significand, which for subnormals is 2^-1074.
    let dropped = (highest.cast_signed() - 52).max(-1074 - exponent);
    let (significand, up) = match u32::try_from(dropped) {
        Err(_) => (magnitude << dropped.unsigned_abs(), false),
        Ok(0) => (magnitude, false),
        // Less than half of the smallest.
        Ok(128..) => return 0,
        Ok(dropped) => {
            let kept = magnitude >> dropped;
            let (rest, half) = (magnitude & !(u128::MAX << dropped), 1 << (dropped - 1));
            (kept, rest > half || (rest == half && (has_rest || kept & 1 == 1)))
        }
    };
    let significand = u64::try_from(significand).expect("53 bits") + u64::from(up);
    // The implicit bit adds 1 to the exponent field, and so does a significand that was rounded up to 2^53.
    let field = u64::try_from(exponent + dropped + 1074).expect("not below the smallest exponent");
    if field > 2046 { INFINITY } else { ((field << 52) + significand).min(INFINITY) }
}
