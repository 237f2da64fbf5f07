//! What all accumulators of a single sum are: an integer, with what is not finite kept apart.

use super::{
    DecodeError,
    f32_bits::{CANONICAL_NAN, INFINITY, SIGN},
    wide::{Magnitude, Wide},
};
use crate::order::MAX_LEN;

pub(super) const HAS_NAN: u32 = 1;
pub(super) const HAS_INFINITY: u32 = 2;
pub(super) const HAS_NEGATIVE_INFINITY: u32 = 4;
const FLAGS: u32 = HAS_NAN | HAS_INFINITY | HAS_NEGATIVE_INFINITY;

/// The sum of terms, and their number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Accumulator<const WORDS: usize> {
    /// In the unit that the terms have.
    pub(super) finite: Wide<WORDS>,
    pub(super) flags: u32,
    pub(super) len: u64,
}

impl<const WORDS: usize> Accumulator<WORDS> {
    pub(super) fn merge(&mut self, other: &Self) {
        self.finite.add(&other.finite);
        self.flags |= other.flags;
        self.count(other.len);
    }

    pub(super) fn count(&mut self, terms: u64) {
        // The largest number is too many terms, too.
        self.len = self.len.saturating_add(terms);
    }

    /// What `round_magnitude` makes of the sum's magnitude, with the sum's sign, unless the sum is not finite.
    pub(super) fn round(&self, round_magnitude: impl FnOnce(&Magnitude<WORDS>) -> u32) -> f32 {
        let bits = match self.flags {
            _ if self.len > MAX_LEN => CANONICAL_NAN,
            0 => {
                let sign = if self.finite.is_negative() { SIGN } else { 0 };
                sign | round_magnitude(&self.finite.magnitude())
            }
            HAS_INFINITY => INFINITY,
            HAS_NEGATIVE_INFINITY => SIGN | INFINITY,
            _ => CANONICAL_NAN,
        };
        f32::from_bits(bits)
    }

    /// Whether terms of at most `significand · 2^shift` can have such a sum.
    pub(super) fn check(&self, significand: i64, shift: usize) -> Result<(), DecodeError> {
        let mut largest_term = Wide::<WORDS>::default();
        largest_term.add_shifted(significand, shift);
        let largest = largest_term.magnitude().times(&self.finite_len()?.into());
        if self.finite.magnitude() > largest {
            return Err(DecodeError::TooLarge { len: self.len });
        }
        Ok(())
    }

    /// How many terms can be finite.
    pub(super) fn finite_len(&self) -> Result<u64, DecodeError> {
        finite_len(self.flags, self.len)
    }
}

/// How many of `len` terms can be finite.
pub(super) fn finite_len(flags: u32, len: u64) -> Result<u64, DecodeError> {
    if flags & !FLAGS != 0 {
        return Err(DecodeError::Flags { flags });
    }
    if len > MAX_LEN {
        return Err(DecodeError::TooLong { len });
    }
    // Each flag took a term.
    len.checked_sub(u64::from(flags.count_ones())).ok_or(DecodeError::TooLarge { len })
}

/// The flag of an element: 0 if it is finite.
pub(super) fn flag(bits: u32) -> u32 {
    if bits & !SIGN > INFINITY {
        HAS_NAN
    } else if bits == INFINITY {
        HAS_INFINITY
    } else if bits == SIGN | INFINITY {
        HAS_NEGATIVE_INFINITY
    } else {
        0
    }
}
