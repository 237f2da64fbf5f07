//! What sums of elements, and of their squares, come to: each sum in the order of [`crate::order`], or exact.

use crate::{
    algebra::{
        accumulator::ExactOperator,
        element::ElementType,
        operator::{Combining, ExactSpec, ExactTerms, Operator, OperatorSpec, part},
        operator_type::OperatorType,
        operators::{
            ACC_WORD, ANY_RANGE, F32_ADD, F32_IDENTITY, F32_NORMAL, LIFT_ELEMENT, NO_RANGE,
        },
        options::{Nan, Options},
    },
    exact::{ExactDot, ExactSum},
};

with_options! {
    /// The arithmetic mean: the sum in the order of [`crate::order`], divided by the number of elements and rounded; or the true
    /// mean, rounded once, as [`crate::Precision`] says. Every NaN is 0x7fc00000. No elements give NaN.
    ///
    /// `Mean.nan(Nan::Ignore)` is the mean of the elements that are not NaN, as NumPy's `nanmean`: such a [`Sum`](struct@crate::Sum), divided by
    /// their number, and rounded. The mean of NaNs alone is NaN. There is no exact one.
    ///
    /// ```
    /// use gridfold::{Executor, Mean, Nan};
    ///
    /// let mean = Executor::auto().reduce(&[1.0f32, f32::NAN, 4.0], Mean.nan(Nan::Ignore))?;
    /// assert_eq!(mean.value, 2.5);
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    #[doc(alias("average", "nanmean"))]
    Mean: nan
}

/// The sum of the squares: each of them rounded, and added up in the order of [`crate::order`]; or the true sum, rounded once, as
/// [`crate::Precision`] says. Every NaN is 0x7fc00000. No elements give 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SumOfSquares;

/// The Euclidean, or L2 norm: the square root of [`SumOfSquares`], rounded, which is ∞ where that is, and 0; or the root of the true
/// sum of squares, rounded once, which neither overflows nor underflows midway, as [`crate::Precision`] says. Every NaN
/// is 0x7fc00000. No elements give 0.
#[doc(alias("l2", "nrm2"))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Norm;

macro_rules! statistics {
    ($(
        $operator:ident {
            of: $terms:ident, $of:ident,
            parts: [$($part:literal)*],
            exact: $accumulator:ident, [$($exact_part:literal)*],
        }
    )*) => {$(
        impl ExactOperator for $operator {
            type Accumulator = $accumulator;
        }
        impl Operator<f32> for $operator {
            const SPEC: OperatorSpec = OperatorSpec {
                operator: OperatorType::$operator,
                element: ElementType::F32,
                inputs: 1,
                out_words: 1,
                order_free: false,
                computes_floats: true,
                combining: f32_sums!($of, $(part!($part)),*),
                exact: ExactSpec::everywhere(
                    ExactTerms::$terms,
                    &[$(part!($exact_part)),*],
                ),
            };
            total_value!(f32);
        }
    )*};
}

statistics! {
    Mean {
        of: Elements, elements,
        parts: ["operator/f32_mean.wgsl@finish" "operator/f32_mean.wgsl" "operator/f32_round.wgsl"],
        exact: ExactSum, ["exact/value.wgsl@mean" "exact/divide.wgsl"],
    }
    SumOfSquares {
        of: Squares, products,
        parts: ["operator/sum_f32.wgsl@finish"],
        exact: ExactDot, ["exact/value.wgsl@products"],
    }
    Norm {
        of: Squares, products,
        parts: ["operator/norm.wgsl@f32" "operator/norm.wgsl@root"],
        exact: ExactDot, ["exact/value.wgsl@norm" "operator/norm.wgsl@root"],
    }
}

/// How [`Norm`] combines squares that are there already.
pub(super) const ROOT_OF_SUM: Combining = f32_sums!(
    elements,
    part!("operator/norm.wgsl@f32"),
    part!("operator/norm.wgsl@root"),
    part!("operator/f32_round.wgsl")
);
