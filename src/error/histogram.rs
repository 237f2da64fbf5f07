//! Errors about histograms.

use crate::error::{Error, PrepareError};

/// Bins that there can't be, or elements and counts that do not fit them. Nothing was recorded, and nothing of the caller's was changed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum HistogramError {
    /// No bins, or fewer than two edges.
    #[error("there are no bins: give one at least, or two edges")]
    NoBins,
    /// More bins than a histogram can have.
    #[error("{bins} bins are more than the {most} of a histogram: give fewer")]
    TooManyBins {
        /// Those asked for.
        bins: u64,
        /// Those that there can be.
        most: u64,
    },
    /// A range that is no range of numbers.
    #[error(
        "from {low:?} to {high:?} there are no bins of equal width: give a low end that is not above the high one, both finite, and so their \
         difference"
    )]
    Range {
        /// The low end.
        low: f64,
        /// The high one.
        high: f64,
    },
    /// Bins so narrow that `f64`s can't tell their edges apart.
    #[error(
        "{bins} bins from {low:?} to {high:?} are so narrow that float64s can't tell their edges apart: give fewer bins"
    )]
    NarrowBins {
        /// How many.
        bins: u64,
        /// The low end.
        low: f64,
        /// The high one.
        high: f64,
    },
    /// An edge that is NaN, or lies below the one before.
    #[error(
        "edge {index} is {edge}, after {before}: give edges in ascending order, and no NaN among them"
    )]
    Edge {
        /// Which one, from 0.
        index: u64,
        /// Its value.
        edge: f64,
        /// The one before. Of the first the same.
        before: f64,
    },
    /// More elements than a count of 32 bits can tell.
    #[error("{len} elements may be more than a u32 can count: give counts of u64")]
    NarrowCounts {
        /// The elements.
        len: u64,
    },
    /// The counts' buffer is read, too.
    #[error("the counts share a buffer with the elements: give them another one")]
    Aliasing,
}

/// Bins are made where they are needed.
impl From<HistogramError> for Error {
    fn from(error: HistogramError) -> Self {
        PrepareError::from(error).into()
    }
}
