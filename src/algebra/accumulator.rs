//! The accumulators of [`crate::exact`], as a device makes them, and the operators that have one.

use crate::{
    algebra::{
        exact_total::{ExactTotal, InTotal},
        operator::{Parts, sealed},
    },
    exact::{ExactDot, ExactMoments, ExactSum},
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

/// What the elements of several parts add up to.
pub(crate) fn over_parts<T, A: InTotal>(parts: Parts<'_, T>, of: fn(&[T]) -> A) -> ExactTotal {
    let mut total = A::default();
    parts(&mut |part| total.merge_in(&of(part)));
    total.into_total()
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
