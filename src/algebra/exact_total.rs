//! Accumulators that do not round, whatever they add up.

use crate::exact::{DecodeError, ExactDot, ExactMoments, ExactSum, F64Dot, F64Moments, F64Sum};

/// What elements come to without rounding, whatever the operator makes of it.
#[derive(Clone, Debug)]
pub(crate) enum ExactTotal {
    /// The sum of f32s.
    Sum(ExactSum),
    /// The sum of their squares, or of products.
    Dot(ExactDot),
    /// Both.
    Moments(ExactMoments),
    /// The sum of f64s.
    Doubles(Box<F64Sum>),
    /// The sum of their squares, or of products.
    DoubleProducts(Box<F64Dot>),
    /// Both.
    DoubleMoments(Box<F64Moments>),
}

/// An accumulator that an [`ExactTotal`] may be.
pub(crate) trait InTotal: Default + Sized {
    fn into_total(self) -> ExactTotal;
    /// The accumulator of an operator's total, which is always of one kind.
    fn of_total(total: &ExactTotal) -> &Self;
    fn merge_in(&mut self, other: &Self);
}

macro_rules! in_total {
    ($($accumulator:ident $variant:ident $wrap:expr;)*) => {
        $(impl InTotal for $accumulator {
            fn into_total(self) -> ExactTotal {
                ExactTotal::$variant($wrap(self))
            }
            fn of_total(total: &ExactTotal) -> &Self {
                match total {
                    ExactTotal::$variant(total) => total,
                    _ => unreachable!("an operator has one accumulator, and this is {total:?}"),
                }
            }
            fn merge_in(&mut self, other: &Self) {
                self.merge(other);
            }
        })*

        impl ExactTotal {
            /// Adds the elements of another total of the same operator.
            pub(crate) fn merge(&mut self, other: &Self) {
                match self {
                    $(Self::$variant(total) => total.merge_in($accumulator::of_total(other)),)*
                }
            }
        }
    };
}

in_total! {
    ExactSum Sum std::convert::identity;
    ExactDot Dot std::convert::identity;
    ExactMoments Moments std::convert::identity;
    F64Sum Doubles Box::new;
    F64Dot DoubleProducts Box::new;
    F64Moments DoubleMoments Box::new;
}

/// Which accumulator an [`ExactTotal`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExactKind {
    Sum,
    Dot,
    Moments,
    Doubles,
    DoubleProducts,
    DoubleMoments,
}

impl ExactKind {
    /// Bytes of [`ExactTotal::to_bytes`].
    pub(crate) fn bytes(self) -> usize {
        match self {
            Self::Sum => ExactSum::BYTES,
            Self::Dot => ExactDot::BYTES,
            Self::Moments => ExactMoments::BYTES,
            Self::Doubles => F64Sum::BYTES,
            Self::DoubleProducts => F64Dot::BYTES,
            Self::DoubleMoments => F64Moments::BYTES,
        }
    }
}

impl ExactTotal {
    /// The accumulator's `to_bytes`.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::Sum(sum) => sum.to_bytes().to_vec(),
            Self::Dot(dot) => dot.to_bytes().to_vec(),
            Self::Moments(moments) => moments.to_bytes().to_vec(),
            Self::Doubles(sum) => sum.to_bytes(),
            Self::DoubleProducts(dot) => dot.to_bytes(),
            Self::DoubleMoments(moments) => moments.to_bytes(),
        }
    }

    /// The total that [`ExactTotal::to_bytes`] wrote: of as many bytes as [`ExactKind::bytes`] says.
    ///
    /// # Errors
    ///
    /// As the accumulators' `from_bytes`.
    pub(crate) fn from_bytes(kind: ExactKind, bytes: &[u8]) -> Result<Self, DecodeError> {
        Ok(match kind {
            ExactKind::Sum => ExactSum::from_bytes(exactly(bytes))?.into_total(),
            ExactKind::Dot => ExactDot::from_bytes(exactly(bytes))?.into_total(),
            ExactKind::Moments => ExactMoments::from_bytes(exactly(bytes))?.into_total(),
            ExactKind::Doubles => F64Sum::from_bytes(exactly(bytes))?.into_total(),
            ExactKind::DoubleProducts => F64Dot::from_bytes(exactly(bytes))?.into_total(),
            ExactKind::DoubleMoments => F64Moments::from_bytes(exactly(bytes))?.into_total(),
        })
    }

    /// How many elements, or products.
    pub(crate) fn len(&self) -> u64 {
        match self {
            Self::Sum(sum) => sum.len(),
            Self::Dot(dot) => dot.len(),
            Self::Moments(moments) => moments.len(),
            Self::Doubles(sum) => sum.len(),
            Self::DoubleProducts(dot) => dot.len(),
            Self::DoubleMoments(moments) => moments.len(),
        }
    }
}

fn exactly<const BYTES: usize>(bytes: &[u8]) -> &[u8; BYTES] {
    bytes.try_into().expect("as many as the kind has")
}
