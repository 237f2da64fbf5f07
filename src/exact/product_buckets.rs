//! A sum of products by exponents: fast, for many products of any sizes.
//!
//! What [`super::buckets`] does for elements. Products whose factors' exponents have the same sum are integers of 48 bits
//! in the same unit. So there is a bucket for each such sum, and nothing is shifted or carried until all are in.

use super::wide::Wide;

/// Products at most: each is less than 2^48.
pub(super) const MAX_ITEMS: usize = 1 << 15;

/// Neighbours often have the same exponents. In tables of their own they need not wait for one another.
const TABLES: usize = 4;

/// More than the largest products' shift, which is 506.
const SHIFTS: usize = 512;

/// Sums of products, by their shift.
pub(super) struct ProductBuckets([[i64; SHIFTS]; TABLES]);

impl ProductBuckets {
    pub(super) fn new() -> Self {
        Self([[0; SHIFTS]; TABLES])
    }

    /// Adds `product · 2^shift`. The product is one of two significands, and neighbours have different numbers.
    #[inline]
    pub(super) fn add(&mut self, number: usize, product: i64, shift: usize) {
        // All shifts are less: so nothing has to be checked.
        self.0[number % TABLES][shift % SHIFTS] += product;
    }

    pub(super) fn add_to(&self, sum: &mut Wide<10>) {
        let [mut buckets, others @ ..] = self.0;
        for table in others {
            for (bucket, other) in buckets.iter_mut().zip(table) {
                *bucket += other;
            }
        }
        for (shift, &bucket) in buckets.iter().enumerate() {
            // Most are empty.
            if bucket != 0 {
                sum.add_shifted(bucket, shift);
            }
        }
    }
}
