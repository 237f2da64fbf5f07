//! Operators whose results are always exact: the true value, rounded once. They add up without rounding what
//! [`crate::exact`] does.

use crate::{
    algebra::operator::{Operator, OperatorType, sealed},
    exact::{self, ExactDot, ExactMoments, ExactSum},
};

/// An operator on f32 whose results come from an accumulator that does not round. Sealed.
pub trait ExactOperator: sealed::Sealed {
    /// What it adds up: [`ExactSum`], [`ExactDot`] or [`ExactMoments`].
    type Accumulator: ExactAccumulator;
}

/// An accumulator that a GPU can make. Sealed.
pub trait ExactAccumulator: sealed::Sealed + Copy + Send + Sync + 'static {
    /// Words of 32 bits in a buffer: those of the accumulator's `to_bytes`.
    const WORDS: usize;

    #[doc(hidden)]
    fn from_words(words: &[u32]) -> Self;
}

/// Limbs, flags and the number of elements.
fn parts<const LIMBS: usize>(words: &[u32]) -> ([u32; LIMBS], u32, u64) {
    let (limbs, rest) = words.split_first_chunk().expect("so many");
    (*limbs, rest[0], u64::from(rest[1]) | u64::from(rest[2]) << 32)
}

impl sealed::Sealed for ExactSum {}
impl ExactAccumulator for ExactSum {
    const WORDS: usize = 13;
    fn from_words(words: &[u32]) -> Self {
        let (limbs, flags, len) = parts(words);
        Self::from_parts(limbs, flags, len)
    }
}

impl sealed::Sealed for ExactDot {}
impl ExactAccumulator for ExactDot {
    const WORDS: usize = 23;
    fn from_words(words: &[u32]) -> Self {
        let (limbs, flags, len) = parts(words);
        Self::from_parts(limbs, flags, len)
    }
}

impl sealed::Sealed for ExactMoments {}
impl ExactAccumulator for ExactMoments {
    const WORDS: usize = 33;
    fn from_words(words: &[u32]) -> Self {
        // As in `to_bytes`: an ExactSum, and then the squares.
        let (limbs, flags, len) = parts(&words[..13]);
        let squares = words[13..].try_into().expect("twenty limbs");
        Self::from_parts(limbs, squares, flags, len)
    }
}

impl ExactOperator for crate::Sum {
    type Accumulator = ExactSum;
}

/// What the elements of several slices add up to.
fn over_slices<A: Default>(slices: &[&[f32]], of: fn(&[f32]) -> A, merge: fn(&mut A, &A)) -> A {
    slices.iter().fold(A::default(), |mut total, slice| {
        merge(&mut total, &of(slice));
        total
    })
}

macro_rules! exact_operators {
    ($(
        $(#[$doc:meta])*
        $operator:ident: $accumulator:ident, |$total:ident| $value:expr, $one:ident, $all:path;
    )*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $operator;
        impl sealed::Sealed for $operator {}
        impl ExactOperator for $operator {
            type Accumulator = $accumulator;
        }
        impl Operator<f32> for $operator {
            const TYPE: OperatorType = OperatorType::$operator;
            type Acc = $accumulator;
            type Value = f32;
            fn identity() -> $accumulator {
                $accumulator::default()
            }
            fn lift(element: f32) -> $accumulator {
                let mut accumulator = $accumulator::default();
                accumulator.$one(element);
                accumulator
            }
            fn combine(mut a: $accumulator, b: $accumulator) -> $accumulator {
                a.merge(&b);
                a
            }
            fn finish($total: $accumulator) -> f32 {
                $value
            }
            fn value(result: f32, _len: u64) -> f32 {
                result
            }
            fn element(value: f32) -> Option<f32> {
                Some(value)
            }
            fn exact_result(slices: &[&[f32]]) -> Option<f32> {
                Some(Self::finish(over_slices(slices, $all, $accumulator::merge)))
            }
        }
    )*};
}

exact_operators! {
    /// The arithmetic mean: the true sum divided by the number of elements, rounded once. Of nothing: NaN.
    Mean: ExactSum, |total| total.mean_f32(), add, exact::sum;
    /// The sum of the squares, which are not rounded; rounded once. Of nothing: 0.
    SumOfSquares: ExactDot, |total| total.to_f32(), add_square, exact::squares;
    /// The Euclidean norm: the square root of the true sum of squares, rounded once. It neither overflows nor
    /// underflows midway. Of nothing: 0.
    Norm: ExactDot, |total| total.norm_f32(), add_square, exact::squares;
    /// The variance of all there are: the mean squared distance from the mean, without any cancellation, rounded
    /// once. NaN of nothing, or if an element is not finite.
    Variance: ExactMoments, |total| total.variance_f32(), add, exact::moments;
    /// The variance estimated from a sample: as [`Variance`], but divided by one less than the number of elements.
    /// NaN of less than two.
    SampleVariance: ExactMoments, |total| total.sample_variance_f32(), add, exact::moments;
}
