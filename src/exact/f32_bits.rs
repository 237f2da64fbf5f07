//! The parts of an f32, from its bits. No value of a user's is ever the operand of a float operation, so
//! no float environment, flushing to zero included, can change a sum.

use super::wide::Magnitude;

pub(crate) const CANONICAL_NAN: u32 = 0x7fc0_0000;
pub(crate) const INFINITY: u32 = 0x7f80_0000;
pub(crate) const SIGN: u32 = 0x8000_0000;
pub(super) const FRACTION: u32 = 0x007f_ffff;
/// The significand's bit that normal numbers have without storing it.
pub(super) const IMPLICIT: u32 = 0x0080_0000;
/// The exponent field of infinities and NaNs.
pub(super) const SPECIAL_EXPONENT: usize = 255;

/// Sign and exponent field: below 512, and from 256 on for negative numbers.
pub(super) fn sign_and_exponent(bits: u32) -> usize {
    (bits >> 23) as usize
}

/// How many bits a significand is above the unit, 2^-149. Subnormals have the exponent of the smallest
/// normal numbers.
pub(super) fn shift(exponent: usize) -> usize {
    exponent.max(1) - 1
}

/// A finite element is `significand · 2^shift` units: returns these two. `None` for infinities and NaNs.
pub(crate) fn finite(bits: u32) -> Option<(i64, usize)> {
    let exponent = sign_and_exponent(bits) % 256;
    if exponent == SPECIAL_EXPONENT {
        return None;
    }
    let implicit = if exponent == 0 { 0 } else { IMPLICIT };
    let significand = i64::from(bits & FRACTION | implicit);
    Some((if bits & SIGN == 0 { significand } else { -significand }, shift(exponent)))
}

/// The same in 32 bits and without a branch, for vector instructions. The bits must be a finite element's.
pub(super) fn finite_parts(bits: u32) -> (i32, u32) {
    let exponent = bits >> 23 & 255;
    let is_normal = u32::from(exponent != 0);
    let significand = (bits & FRACTION | is_normal << 23).cast_signed();
    // All ones for negative elements: their complement and 1.
    let sign = bits.cast_signed() >> 31;
    ((significand ^ sign) - sign, exponent - is_normal)
}

/// The bits of the nearest f32, ties to even, of a value without a sign, of which bit `unit`, not the lowest,
/// stands for 2^-149; `rest` says that there is a fraction of its lowest bit more. Beyond the largest f32,
/// infinity.
pub(super) fn nearest<const WORDS: usize>(
    value: &Magnitude<WORDS>,
    unit: usize,
    rest: bool,
) -> u32 {
    let highest = value.highest_bit().unwrap_or(0);
    // The last place of the significand, which for subnormals is the unit.
    let place = highest.saturating_sub(23).max(unit);
    let significand = value.top_bits(place);
    let is_half = value.bit(place - 1);
    let is_more = rest || value.any_below(place - 1);
    let up = is_half && (is_more || significand & 1 == 1);
    // The implicit bit adds 1 to the exponent field, and so does a significand that was rounded up to 2^24.
    let exponent = u32::try_from(place - unit).expect("below 512");
    ((exponent << 23) + significand + u32::from(up)).min(INFINITY)
}
