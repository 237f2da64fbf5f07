//! Operators whose results are always exact: the true value, rounded once. They add up without rounding what
//! [`crate::exact`] does.

use crate::{
    algebra::{
        accumulator::ExactOperator,
        element::ElementType,
        operator::{ExactSpec, ExactTerms, Operator, OperatorSpec, part},
        operator_type::OperatorType,
    },
    exact::{self, ExactDot, ExactMoments, ExactSum},
};

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
        $operator:ident: $accumulator:ident, |$total:ident| $value:expr, $one:ident, $all:path, $terms:ident, [$($part:literal)*];
    )*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $operator;
        impl ExactOperator for $operator {
            type Accumulator = $accumulator;
        }
        impl Operator<f32> for $operator {
            const SPEC: OperatorSpec = OperatorSpec {
                operator: OperatorType::$operator,
                element: ElementType::F32,
                inputs: 1,
                out_words: 1,
                order_free: true,
                // The sum of elements is made by the device's adder.
                computes_floats: matches!(ExactTerms::$terms, ExactTerms::Elements),
                combining: None,
                exact: Some(ExactSpec { terms: ExactTerms::$terms, value: &[$(part!($part)),*] }),
            };
            type Acc = $accumulator;
            total_value!(f32);
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
            fn exact_result(slices: &[&[f32]]) -> Option<f32> {
                Some(Self::finish(over_slices(slices, $all, $accumulator::merge)))
            }
        }
    )*};
}

exact_operators! {
    /// The arithmetic mean: the true sum divided by the number of elements, rounded once. Of nothing: NaN.
    Mean: ExactSum, |total| total.mean_f32(), add, exact::sum, Elements,
        ["exact/value_mean.wgsl" "exact/divide.wgsl"];
    /// The sum of the squares, which are not rounded; rounded once. Of nothing: 0.
    SumOfSquares: ExactDot, |total| total.to_f32(), add_square, exact::squares, Squares,
        ["exact/value_products.wgsl"];
    /// The Euclidean norm: the square root of the true sum of squares, rounded once. It neither overflows nor
    /// underflows midway. Of nothing: 0.
    Norm: ExactDot, |total| total.norm_f32(), add_square, exact::squares, Squares,
        ["exact/value_norm.wgsl"];
    /// The variance of all there are: the mean squared distance from the mean, without any cancellation, rounded
    /// once. NaN of nothing, or if an element is not finite.
    Variance: ExactMoments, |total| total.variance_f32(), add, exact::moments, Moments,
        ["exact/value_variance.wgsl" "exact/variance_population.wgsl" "exact/divide.wgsl"];
    /// The variance estimated from a sample: as [`Variance`], but divided by one less than the number of elements.
    /// NaN of less than two.
    SampleVariance: ExactMoments, |total| total.sample_variance_f32(), add, exact::moments, Moments,
        ["exact/value_variance.wgsl" "exact/variance_sample.wgsl" "exact/divide.wgsl"];
}
