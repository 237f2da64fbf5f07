//! Integers of 320 bits.

use std::{array, cmp::Ordering};

/// 64-bit words of an integer, the least significant first.
const WORDS: usize = 5;

/// An integer in two's complement. Additions wrap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Wide([u64; WORDS]);

impl Wide {
    pub(super) fn from_limbs(limbs: [u32; 2 * WORDS]) -> Self {
        Self(array::from_fn(|i| u64::from(limbs[2 * i]) | u64::from(limbs[2 * i + 1]) << 32))
    }

    pub(super) fn limbs(self) -> [u32; 2 * WORDS] {
        array::from_fn(|i| {
            let word = self.0[i / 2] >> (i % 2 * 32);
            u32::try_from(word & 0xffff_ffff).expect("32 bits")
        })
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.add_words(0, other.0);
    }

    /// Adds `value · 2^shift`.
    pub(super) fn add_shifted(&mut self, value: i64, shift: usize) {
        let bit = shift % 64;
        // The bits that a shift by `bit` pushes out of 64; at bit 0 none but copies of the sign.
        let high = value >> 1 >> (63 - bit);
        let sign = (value >> 63).cast_unsigned();
        let mut words = [sign; WORDS];
        words[0] = (value << bit).cast_unsigned();
        words[1] = high.cast_unsigned();
        self.add_words(shift / 64, words);
    }

    /// Adds `words`, the first of them to word `begin`. What lies past the last word drops out.
    fn add_words(&mut self, begin: usize, words: [u64; WORDS]) {
        let mut carry = false;
        for (word, other) in self.0[begin..].iter_mut().zip(words) {
            (*word, carry) = word.carrying_add(other, carry);
        }
    }

    pub(super) fn is_negative(&self) -> bool {
        self.0[WORDS - 1] >> 63 == 1
    }

    pub(super) fn magnitude(&self) -> Magnitude {
        let mut magnitude = Self::default();
        let flip = if self.is_negative() { u64::MAX } else { 0 };
        magnitude.add_words(0, self.0.map(|word| word ^ flip));
        if self.is_negative() {
            magnitude.add_shifted(1, 0);
        }
        Magnitude(magnitude.0)
    }
}

/// An integer without a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Magnitude([u64; WORDS]);

impl Magnitude {
    /// `None` for 0, which has no bits.
    pub(super) fn highest_bit(&self) -> Option<usize> {
        let index = self.0.iter().rposition(|&word| word != 0)?;
        Some(64 * index + self.0[index].ilog2() as usize)
    }

    /// Bits `begin..begin + 24`. There must be none beyond.
    pub(super) fn top_bits(&self, begin: usize) -> u32 {
        let (index, bit) = (begin / 64, begin % 64);
        let above = self.0.get(index + 1).map_or(0, |word| word << 1 << (63 - bit));
        u32::try_from(self.0[index] >> bit | above).expect("24 bits")
    }

    pub(super) fn bit(&self, index: usize) -> bool {
        self.0[index / 64] >> (index % 64) & 1 == 1
    }

    /// Whether a bit below `end` is set.
    pub(super) fn any_below(&self, end: usize) -> bool {
        let index = end / 64;
        self.0[..index].iter().any(|&word| word != 0)
            || self.0[index] & !(u64::MAX << (end % 64)) != 0
    }

    /// Twice this; the highest bit drops out.
    pub(super) fn doubled(&self) -> Self {
        Self(array::from_fn(|i| {
            let below = if i == 0 { 0 } else { self.0[i - 1] >> 63 };
            self.0[i] << 1 | below
        }))
    }

    /// The quotient, and whether there is a remainder.
    pub(super) fn divided(&self, divisor: u64) -> (Self, bool) {
        let mut quotient = [0; WORDS];
        let mut remainder = 0;
        for (word, quotient) in self.0.iter().zip(&mut quotient).rev() {
            let dividend = remainder << 64 | u128::from(*word);
            *quotient = u64::try_from(dividend / u128::from(divisor)).expect("one digit");
            remainder = dividend % u128::from(divisor);
        }
        (Self(quotient), remainder != 0)
    }
}

impl PartialOrd for Magnitude {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Magnitude {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.iter().rev().cmp(other.0.iter().rev())
    }
}
