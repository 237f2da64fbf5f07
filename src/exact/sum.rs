//! The sum of elements.

use super::{
    DecodeError,
    accumulator::{Accumulator, flag},
    buckets::{self, Buckets},
    digits::{self, Digits},
    f32_bits::{CANONICAL_NAN, finite, nearest},
    float_environment,
    wide::Wide,
    windows::{self, GROUP_ITEMS, Range},
};

/// For fewer elements the buckets take longer to empty than they save.
const MIN_BUCKET_ITEMS: usize = 1024;

/// An exact sum of f32 under way: of all elements added so far, with their number. [The module](super) has an
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
    serde(into = "super::serde_parts::SumParts", try_from = "super::serde_parts::SumParts")
)]
#[doc(alias("fsum"))]
pub struct ExactSum(pub(super) Accumulator<5>);

impl ExactSum {
    /// Adds one element. For many, [`extend`](Self::extend) is faster.
    pub fn add(&mut self, element: f32) {
        self.0.count(1);
        match finite(element.to_bits()) {
            Some((significand, shift)) => self.0.finite.add_shifted(significand, shift),
            None => self.0.flags |= flag(element.to_bits()),
        }
    }

    /// Adds all elements, on the calling thread. [`sum`](super::sum) uses every core.
    pub fn extend(&mut self, elements: &[f32]) {
        self.0.count(elements.len() as u64);
        if !float_environment::is_default() {
            self.extend_in_integers(elements);
            return;
        }
        let add = |sum: &mut Self, [group]: [&[f32; GROUP_ITEMS]; 1]| {
            windows::add_elements(group, Range::of(group), &mut sum.0.finite)
        };
        windows::by_groups(self, [elements], add, |sum, [others]| sum.extend_in_integers(others));
    }

    /// Adds all elements, which have been counted.
    pub(super) fn extend_in_integers(&mut self, elements: &[f32]) {
        let all_bits: &[u32] = bytemuck::cast_slice(elements);
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
        self.0.merge(&other.0);
    }

    /// The true sum, rounded to the nearest f32, ties to even; [the module](super#special-values) says when it
    /// is not finite. 0 without elements.
    pub fn to_f32(&self) -> f32 {
        self.0.round(|sum| nearest(&sum.doubled(), 1, false))
    }

    /// The true sum, divided by the number of elements, rounded once, to the nearest f32, ties to even. NaN
    /// without elements. A mean of finite elements is finite, whatever the size of their sum. A mean
    /// below zero that is too small for any other f32 is −0.
    pub fn mean_f32(&self) -> f32 {
        if self.is_empty() {
            return f32::from_bits(CANONICAL_NAN);
        }
        self.0.round(|sum| {
            let (quotient, has_remainder) = sum.doubled().divided(self.len());
            nearest(&quotient, 1, has_remainder)
        })
    }

    /// Elements added.
    pub fn len(&self) -> u64 {
        self.0.len
    }

    /// Whether no element was added.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The accumulator of parts that are known to belong together.
    pub(crate) fn from_parts(limbs: [u32; 10], flags: u32, len: u64) -> Self {
        Self(Accumulator { finite: Wide::from_limbs(limbs), flags, len })
    }

    /// The same sum, of so many elements.
    pub(crate) fn with_len(mut self, len: u64) -> Self {
        self.0.len = len;
        self
    }

    /// This, if some elements have such a sum.
    pub(super) fn checked(self) -> Result<Self, DecodeError> {
        // The largest f32.
        self.0.check(0x00ff_ffff, 253)?;
        Ok(self)
    }

    fn add_by_digits(&mut self, part: &[u32]) {
        let mut digits = Digits::default();
        for &bits in part {
            match finite(bits) {
                Some((significand, shift)) => digits.add(significand, shift),
                None => self.0.flags |= flag(bits),
            }
        }
        digits.add_to(&mut self.0.finite);
    }

    fn add_by_buckets(&mut self, part: &[u32]) {
        let buckets = Buckets::of(part);
        if buckets.have_specials() {
            self.0.flags |= part.iter().fold(0, |flags, &bits| flags | flag(bits));
        }
        buckets.add_to(&mut self.0.finite);
    }
}
