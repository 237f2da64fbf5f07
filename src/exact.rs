//! Exact sums of f32: the true sum of all elements, rounded once.
//!
//! [`crate::Sum`] fixes the order in which it rounds. An [`ExactSum`] does not round until the end, so no order
//! can matter: not how the elements are cut into parts, nor which thread, process or machine adds which
//! part, nor in which order the parts are merged. Nothing overflows or is lost midway.
//!
//! ```
//! use gridfold::{ExactSum, exact};
//!
//! let elements = [1e30f32, 1.0, f32::MAX, -1e30, f32::MAX, -f32::MAX, -f32::MAX];
//! assert_eq!(exact::sum(&elements).to_f32(), 1.0);
//!
//! // The same in two parts, one of them from elsewhere.
//! let mut sum = ExactSum::default();
//! sum.extend(&elements[..3]);
//! let bytes = exact::sum(&elements[3..]).to_bytes();
//! sum.merge(&ExactSum::from_bytes(&bytes)?);
//! assert_eq!(sum.to_f32(), 1.0);
//! # Ok::<(), gridfold::exact::DecodeError>(())
//! ```
//!
//! # How
//!
//! Every finite f32 is an integer times 2^-149, the smallest subnormal number. So the sum is an integer, too,
//! and 320 bits hold that of 2^40 elements of any size. This is the long accumulator of U. Kulisch (Kulisch
//! and Miranker, "The arithmetic of the digital computer: a new approach", SIAM Review 28, 1986). To add a
//! single element is to add its significand where its exponent says.
//!
//! [`ExactSum::extend`] does so less often. It adds up significands by exponent first, as in R. M. Neal's ["Fast
//! exact summation using small and large superaccumulators"](https://arxiv.org/abs/1505.05571) (2015), and the
//! long integer sees each exponent once per 2^20 elements; for less than 1024 elements eight digits that overlap
//! serve.
//!
//! All of it is integer arithmetic: no value is the operand of a float operation. The rounding mode of the
//! thread, and whether it flushes subnormal numbers, can't matter.
//!
//! # Speed
//!
//! Times of other ways on one core, as multiples of [`ExactSum::extend`]'s: of the crate `xsum` 0.1.6 (Neal's
//! algorithms for f64; the faster of its two types) and of a plain loop that rounds each addition. The
//! command is `cargo bench --bench exact`, on an AMD EPYC.
//!
//! | elements | uniform: `xsum`, loop | normal: `xsum`, loop | exponents from −40 to 40: `xsum`, loop |
//! |---|---|---|---|
//! | 2^6 | 1.80, 0.17 | 1.95, 0.18 | 1.86, 0.18 |
//! | 2^10 | 1.34, 0.50 | 1.44, 0.51 | 1.28, 0.46 |
//! | 2^16 | 2.82, 1.33 | 3.03, 1.43 | 3.39, 1.59 |
//! | 2^24 | 2.87, 1.36 | 3.09, 1.46 | 2.95, 1.41 |
//!
//! # Special values
//!
//! A NaN, or infinities of both signs, make the sum the NaN 0x7fc00000. One infinity makes it that infinity,
//! also against finite elements whose own sum is too large for an f32. A sum of 0 is +0, also that of
//! elements that are all −0. These are the rules of JavaScript's `Math.sumPrecise`, except for the sign of
//! zero.

mod buckets;
mod digits;
mod encoding;
mod f32_bits;
mod wide;

pub use encoding::DecodeError;

use crate::tree::MAX_LEN;
use buckets::Buckets;
use digits::Digits;
use f32_bits::{CANONICAL_NAN, INFINITY, SIGN, finite, nearest};
use wide::{Magnitude, Wide};

const HAS_NAN: u32 = 1;
const HAS_INFINITY: u32 = 2;
const HAS_NEGATIVE_INFINITY: u32 = 4;
const FLAGS: u32 = HAS_NAN | HAS_INFINITY | HAS_NEGATIVE_INFINITY;

/// For fewer elements the buckets take longer to empty than they save.
const MIN_BUCKET_ITEMS: usize = 1024;

/// Elements that a thread adds at once: few enough for every core to get some of 2^20.
#[cfg(feature = "parallel")]
const THREAD_ITEMS: usize = 1 << 16;

/// The exact sum of `elements`, on every core if the feature `parallel` is on.
pub fn sum(elements: &[f32]) -> ExactSum {
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        elements.par_chunks(THREAD_ITEMS).map(sum_of_part).reduce(ExactSum::default, |mut a, b| {
            a.merge(&b);
            a
        })
    }
    #[cfg(not(feature = "parallel"))]
    {
        sum_of_part(elements)
    }
}

fn sum_of_part(elements: &[f32]) -> ExactSum {
    let mut sum = ExactSum::default();
    sum.extend(elements);
    sum
}

/// An exact sum of f32 under way: of all elements added so far, with their number. [The module](self) has an
/// example.
///
/// Accumulators are equal if their elements have the same exact sum, the same number, and NaNs,
/// +∞ and −∞ in both or in neither: the same elements in any order, but also 0.5 + 1.5 and 1 + 1.
///
/// More than 2^40 elements are not a sum any more: [`to_f32`](Self::to_f32) and [`mean_f32`](Self::mean_f32) are
/// NaN from there on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(into = "encoding::Parts", try_from = "encoding::Parts")
)]
pub struct ExactSum {
    /// In units of 2^-149.
    finite: Wide,
    flags: u32,
    len: u64,
}

impl ExactSum {
    /// Adds one element. For many, [`extend`](Self::extend) is faster.
    pub fn add(&mut self, element: f32) {
        self.count(1);
        match finite(element.to_bits()) {
            Some((significand, shift)) => self.finite.add_shifted(significand, shift),
            None => self.flags |= flag(element.to_bits()),
        }
    }

    /// Adds all elements, on the calling thread. [`sum`] uses every core.
    pub fn extend(&mut self, elements: &[f32]) {
        let all_bits: &[u32] = bytemuck::cast_slice(elements);
        self.count(all_bits.len() as u64);
        if all_bits.len() < MIN_BUCKET_ITEMS {
            for part in all_bits.chunks(digits::MAX_ITEMS) {
                self.add_by_digits(part);
            }
        } else {
            for part in all_bits.chunks(buckets::MAX_ITEMS) {
                self.add_by_buckets(part);
            }
        }
    }

    /// Adds the elements of another accumulator.
    pub fn merge(&mut self, other: &Self) {
        self.finite.add(&other.finite);
        self.flags |= other.flags;
        self.count(other.len);
    }

    /// The true sum, rounded to the nearest f32, ties to even; [the module](self#special-values) says when it
    /// is not finite. 0 without elements.
    pub fn to_f32(&self) -> f32 {
        self.round(|sum| nearest(&sum.doubled(), false))
    }

    /// The true sum, divided by the number of elements, rounded once, to the nearest f32, ties to even. NaN
    /// without elements. A mean of finite elements is finite, whatever the size of their sum. A mean
    /// below zero that is too small for any other f32 is −0.
    pub fn mean_f32(&self) -> f32 {
        if self.is_empty() {
            return f32::from_bits(CANONICAL_NAN);
        }
        self.round(|sum| {
            let (quotient, has_remainder) = sum.doubled().divided(self.len);
            nearest(&quotient, has_remainder)
        })
    }

    /// Elements added.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether no element was added.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    fn add_by_digits(&mut self, part: &[u32]) {
        let mut digits = Digits::default();
        for &bits in part {
            match finite(bits) {
                Some((significand, shift)) => digits.add(significand, shift),
                None => self.flags |= flag(bits),
            }
        }
        digits.add_to(&mut self.finite);
    }

    fn add_by_buckets(&mut self, part: &[u32]) {
        let buckets = Buckets::of(part);
        if buckets.have_specials() {
            self.flags |= part.iter().fold(0, |flags, &bits| flags | flag(bits));
        }
        buckets.add_to(&mut self.finite);
    }

    fn count(&mut self, items: u64) {
        // The largest number is too many elements, too.
        self.len = self.len.saturating_add(items);
    }

    /// What `round_magnitude` makes of the sum's magnitude, with the sum's sign, unless the sum is not finite.
    fn round(&self, round_magnitude: impl FnOnce(&Magnitude) -> u32) -> f32 {
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
}

/// The flag of an element: 0 if it is finite.
fn flag(bits: u32) -> u32 {
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
