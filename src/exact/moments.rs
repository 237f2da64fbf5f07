//! The sum of elements and of their squares.

use super::{
    DecodeError, ExactDot, ExactSum,
    accumulator::{Accumulator, HAS_INFINITY, HAS_NAN},
    dot::F32_UNIT,
    f32_bits::{CANONICAL_NAN, nearest},
    float_environment,
    wide::{Magnitude, Wide},
    windows::{self, GROUP_ITEMS, Range},
};
use crate::order::MAX_LEN;

/// Exact sums of f32 and of their squares under way, with the number of elements: for a mean and a variance in
/// one pass, each rounded once. However close to one another and far from zero the elements are, nothing cancels.
/// [The module](super#relatives-of-the-sum) has an example.
///
/// More than 2^40 elements are not a sum any more: all results are NaN from there on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(
        into = "super::serde_parts::MomentsParts",
        try_from = "super::serde_parts::MomentsParts"
    )
)]
pub struct ExactMoments {
    pub(super) sum: ExactSum,
    /// Of the finite elements, in units of 2^-298.
    pub(super) squares: Wide<10>,
}

impl ExactMoments {
    /// Adds one element. For many, [`extend`](Self::extend) is faster.
    pub fn add(&mut self, element: f32) {
        self.sum.add(element);
        let mut square = ExactDot::default();
        square.add_square(element);
        self.squares.add(&square.0.finite);
    }

    /// Adds all elements, on the calling thread. [`moments`](super::moments) uses every core.
    pub fn extend(&mut self, elements: &[f32]) {
        self.sum.0.count(elements.len() as u64);
        if !float_environment::is_default() {
            self.extend_in_integers(elements);
            return;
        }
        let add = |moments: &mut Self, [group]: [&[f32; GROUP_ITEMS]; 1]| {
            let range = Range::of(group);
            // Where elements are in a window, their squares are, too.
            windows::add_elements(group, range, &mut moments.sum.0.finite)
                && windows::add_products([group; 2], [range; 2], &mut moments.squares)
        };
        let add_others = |moments: &mut Self, [others]: [&[f32]; 1]| {
            moments.extend_in_integers(others);
        };
        windows::by_groups(self, [elements], add, add_others);
    }

    /// Adds all elements, which have been counted.
    fn extend_in_integers(&mut self, elements: &[f32]) {
        self.sum.extend_in_integers(elements);
        let mut squares = ExactDot::default();
        squares.extend_in_integers(elements, elements);
        self.squares.add(&squares.0.finite);
    }

    /// Adds the elements of another accumulator.
    pub fn merge(&mut self, other: &Self) {
        self.sum.merge(&other.sum);
        self.squares.add(&other.squares);
    }

    /// Elements added.
    pub fn len(&self) -> u64 {
        self.sum.len()
    }

    /// Whether no element was added.
    pub fn is_empty(&self) -> bool {
        self.sum.is_empty()
    }

    /// The sum of the elements.
    pub fn sum(&self) -> ExactSum {
        self.sum
    }

    /// The sum of the elements' squares.
    pub fn squares(&self) -> ExactDot {
        let Accumulator { flags, len, .. } = self.sum.0;
        // Infinities of both signs have the same square.
        let infinity = if flags & !HAS_NAN == 0 { 0 } else { HAS_INFINITY };
        ExactDot(Accumulator { finite: self.squares, flags: flags & HAS_NAN | infinity, len })
    }

    /// The mean: [`ExactSum::mean_f32`].
    pub fn mean_f32(&self) -> f32 {
        self.sum.mean_f32()
    }

    /// The variance of all elements there are, (n·Σx² − (Σx)²) / n², rounded once, to the nearest f32, ties to
    /// even. NaN without elements, and if an element is not finite.
    pub fn variance_f32(&self) -> f32 {
        self.variance(self.len())
    }

    /// The variance of what the elements are a sample of, (n·Σx² − (Σx)²) / (n·(n − 1)), rounded once, to the
    /// nearest f32, ties to even. NaN for less than two elements, and if an element is not finite.
    pub fn sample_variance_f32(&self) -> f32 {
        self.variance(self.len().saturating_sub(1))
    }

    /// The sum of squared differences from the mean, divided by `degrees` of freedom.
    fn variance(&self, degrees: u64) -> f32 {
        let len = self.len();
        if degrees == 0 || len > MAX_LEN || self.sum.0.flags != 0 {
            return f32::from_bits(CANONICAL_NAN);
        }
        let (len_squares, squared_sum) = self.spread(len);
        let (quotient, has_remainder) = len_squares.minus(&squared_sum).divided(len);
        let (quotient, has_another) = quotient.divided(degrees);
        f32::from_bits(nearest(&quotient, F32_UNIT, has_remainder || has_another))
    }

    /// n·Σx² and (Σx)², in units of 2^-298, for n finite elements. The first is never smaller.
    fn spread(&self, len: u64) -> (Magnitude<10>, Magnitude<10>) {
        let sum = self.sum.0.finite.magnitude();
        (self.squares.magnitude().times(&len.into()), sum.times(&sum))
    }

    /// The accumulator of parts that are known to belong together.
    pub(crate) fn from_parts(limbs: [u32; 10], squares: [u32; 20], flags: u32, len: u64) -> Self {
        let sum = ExactSum(Accumulator { finite: Wide::from_limbs(limbs), flags, len });
        Self { sum, squares: Wide::from_limbs(squares) }
    }

    /// This, if some elements have such sums.
    pub(super) fn checked(self) -> Result<Self, DecodeError> {
        self.sum.checked()?;
        // Not with the squares' flags: infinities of both signs took two elements.
        let Accumulator { flags, len, .. } = self.sum.0;
        ExactDot(Accumulator { finite: self.squares, flags, len }).checked()?;
        let (len_squares, squared_sum) = self.spread(self.sum.0.finite_len()?);
        if self.squares.is_negative() || len_squares < squared_sum {
            return Err(DecodeError::TooLarge { len: self.len() });
        }
        Ok(self)
    }
}
