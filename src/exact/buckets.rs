//! A sum by exponents: fast, for many elements at once.
//!
//! Elements of the same sign and exponent differ in their significands alone, so a *bucket* for each of the
//! 512 adds up integers, and nothing is shifted, carried or rounded until all elements are in. This is the
//! large superaccumulator of R. M. Neal, ["Fast exact summation using small and large
//! superaccumulators"](https://arxiv.org/abs/1505.05571) (2015), for f32: whose fractions leave so
//! much of 64 bits that a bucket counts its elements in the same word.

use super::{
    f32_bits::{FRACTION, IMPLICIT, SPECIAL_EXPONENT, shift, sign_and_exponent},
    wide::Wide,
};

/// Elements at most.
pub(super) const MAX_ITEMS: usize = 1 << 20;

/// A bucket's fractions, of at most [`MAX_ITEMS`] elements, lie below this bit, their count above.
const COUNT_SHIFT: u32 = 23 + MAX_ITEMS.ilog2();

/// Neighbours often have the same exponent. In tables of their own they need not wait for one another.
const TABLES: usize = 4;

/// Counts and fractions of elements, by sign and exponent.
pub(super) struct Buckets([u64; 512]);

impl Buckets {
    /// The buckets of elements, given as bits.
    pub(super) fn of(elements: &[u32]) -> Self {
        let mut tables = [[0; 512]; TABLES];
        let (groups, rest) = elements.as_chunks::<TABLES>();
        for group in groups {
            for (table, &bits) in tables.iter_mut().zip(group) {
                table[sign_and_exponent(bits)] += counted(bits);
            }
        }
        let [mut buckets, others @ ..] = tables;
        for &bits in rest {
            buckets[sign_and_exponent(bits)] += counted(bits);
        }
        for table in others {
            for (bucket, other) in buckets.iter_mut().zip(table) {
                *bucket += other;
            }
        }
        Self(buckets)
    }

    /// Whether there are infinities or NaNs among the elements.
    pub(super) fn have_specials(&self) -> bool {
        self.0[SPECIAL_EXPONENT] != 0 || self.0[256 + SPECIAL_EXPONENT] != 0
    }

    /// Adds all that is finite to `sum`.
    pub(super) fn add_to(&self, sum: &mut Wide<5>) {
        for exponent in 0..SPECIAL_EXPONENT {
            let value = self.significands(exponent) - self.significands(256 + exponent);
            // Most are empty.
            if value != 0 {
                sum.add_shifted(value, shift(exponent));
            }
        }
    }

    /// The sum of a bucket's significands.
    fn significands(&self, index: usize) -> i64 {
        let (count, fractions) =
            (self.0[index] >> COUNT_SHIFT, self.0[index] & ((1 << COUNT_SHIFT) - 1));
        // Subnormals have no implicit bit.
        let implicit = if matches!(index, 0 | 256) { 0 } else { count * u64::from(IMPLICIT) };
        (implicit + fractions).cast_signed()
    }
}

/// What an element adds to its bucket.
fn counted(bits: u32) -> u64 {
    (1 << COUNT_SHIFT) + u64::from(bits & FRACTION)
}
