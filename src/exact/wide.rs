//! Integers of 320 and more bits.

use std::{array, cmp::Ordering};

/// An integer in two's complement, its least significant word first. Additions wrap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wide<const WORDS: usize>([u64; WORDS]);

impl<const WORDS: usize> Default for Wide<WORDS> {
    fn default() -> Self {
        Self([0; WORDS])
    }
}

impl<const WORDS: usize> Wide<WORDS> {
    pub(super) fn from_limbs<const LIMBS: usize>(limbs: [u32; LIMBS]) -> Self {
        const { assert!(LIMBS == 2 * WORDS) };
        Self(array::from_fn(|i| u64::from(limbs[2 * i]) | u64::from(limbs[2 * i + 1]) << 32))
    }

    #[cfg(feature = "serde")]
    pub(super) fn limbs<const LIMBS: usize>(&self) -> [u32; LIMBS] {
        const { assert!(LIMBS == 2 * WORDS) };
        array::from_fn(|i| {
            let word = self.0[i / 2] >> (i % 2 * 32);
            u32::try_from(word & 0xffff_ffff).expect("32 bits")
        })
    }

    /// To `8 * WORDS` bytes, little-endian.
    pub(super) fn write(&self, bytes: &mut [u8]) {
        bytes.copy_from_slice(self.0.map(u64::to_le_bytes).as_flattened());
    }

    /// From `8 * WORDS` bytes, little-endian.
    pub(super) fn read(bytes: &[u8]) -> Self {
        let (words, _) = bytes.as_chunks();
        Self(array::from_fn(|i| u64::from_le_bytes(words[i])))
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.add_words(0, other.0);
    }

    /// Adds `value · 2^shift`.
    pub(super) fn add_shifted(&mut self, value: i64, shift: usize) {
        self.add_to_word(shift / 64, i128::from(value) << (shift % 64));
    }

    /// Adds `value · 2^(64 · index)`.
    pub(super) fn add_to_word(&mut self, index: usize, value: i128) {
        let high = i64::try_from(value >> 64).expect("64 bits");
        let sign = (high >> 63).cast_unsigned();
        let mut words = [sign; WORDS];
        words[0] = u64::try_from(value.cast_unsigned() & u128::from(u64::MAX)).expect("64 bits");
        words[1] = high.cast_unsigned();
        self.add_words(index, words);
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

    pub(super) fn magnitude(&self) -> Magnitude<WORDS> {
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
pub(super) struct Magnitude<const WORDS: usize>([u64; WORDS]);

impl<const WORDS: usize> Magnitude<WORDS> {
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

    /// The highest bits, at most 120 of them, the place of their last, and whether any below it is set.
    pub(super) fn leading(&self) -> (u128, usize, bool) {
        let begin = self.highest_bit().map_or(0, |highest| (highest + 1).saturating_sub(120));
        let (index, bit) = (begin / 64, begin % 64);
        let word = |index| u128::from(self.0.get(index).copied().unwrap_or(0));
        let low = (word(index) | word(index + 1) << 64) >> bit;
        // Twice, as a shift by 128 is none.
        let high = word(index + 2) << 1 << (127 - bit);
        (low | high, begin, self.any_below(begin))
    }

    /// Of digits of 32 bits, two of which make a word.
    pub(super) fn of_digits(digits: &[[u64; 2]]) -> Self {
        Self(array::from_fn(|i| digits[i][0] | digits[i][1] << 32))
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

    /// The difference to a magnitude that is not larger.
    pub(super) fn minus(&self, other: &Self) -> Self {
        let mut borrow = false;
        Self(array::from_fn(|i| {
            let difference;
            (difference, borrow) = self.0[i].borrowing_sub(other.0[i], borrow);
            difference
        }))
    }

    /// The product, which must have room in the words of the result.
    pub(super) fn times<const OTHER: usize, const PRODUCT: usize>(
        &self,
        other: &Magnitude<OTHER>,
    ) -> Magnitude<PRODUCT> {
        let mut product = [0; PRODUCT];
        for (begin, &factor) in other.0.iter().enumerate() {
            let mut carry = 0;
            let words = self.0.iter().copied().chain([0]);
            for (sum, word) in product[begin..].iter_mut().zip(words) {
                (*sum, carry) = word.carrying_mul_add(factor, *sum, carry);
            }
        }
        Magnitude(product)
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

    /// The square root, rounded down, and whether there is a remainder.
    pub(super) fn root(&self) -> (Self, bool) {
        let quadrupled = |magnitude: Self, units: u64| {
            let mut quadrupled = magnitude.doubled().doubled();
            quadrupled.0[0] |= units;
            quadrupled
        };
        let (mut root, mut remainder) = (Self([0; WORDS]), Self([0; WORDS]));
        // A bit of the root for two of this, as with pencil and paper.
        for place in (0..=self.highest_bit().unwrap_or(0) / 2).rev() {
            remainder = quadrupled(remainder, self.0[place / 32] >> (place % 32 * 2) & 3);
            // Another 1 in the root makes its square larger by this.
            let growth = quadrupled(root, 1);
            root = root.doubled();
            if remainder >= growth {
                remainder = remainder.minus(&growth);
                root.0[0] |= 1;
            }
        }
        (root, remainder.highest_bit().is_some())
    }
}

impl From<u64> for Magnitude<1> {
    fn from(word: u64) -> Self {
        Self([word])
    }
}

impl<const WORDS: usize> PartialOrd for Magnitude<WORDS> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<const WORDS: usize> Ord for Magnitude<WORDS> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.iter().rev().cmp(other.0.iter().rev())
    }
}
