//! Variances, whose results are always exact: the true value, rounded once. They add up without rounding what
//! [`crate::exact`] does.

use crate::{
    algebra::{
        accumulator::{ExactOperator, over_slices},
        element::ElementType,
        operator::{ExactSpec, ExactTerms, Operator, OperatorSpec, part},
        operator_type::OperatorType,
    },
    exact::{self, ExactMoments},
};

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
                computes_floats: false,
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
            fn finish($total: $accumulator, _len: u64) -> f32 {
                $value
            }
            fn exact_result(slices: &[&[f32]]) -> Option<f32> {
                Some(Self::finish(over_slices(slices, $all, $accumulator::merge), 0))
            }
        }
    )*};
}

exact_operators! {
    /// The variance of all there are: the mean squared distance from the mean, without any cancellation, rounded
    /// once. NaN of nothing, or if an element is not finite.
    Variance: ExactMoments, |total| total.variance_f32(), add, exact::moments, Moments,
        ["exact/value_variance.wgsl" "exact/variance_population.wgsl" "exact/divide.wgsl"];
    /// The variance estimated from a sample: as [`Variance`], but divided by one less than the number of elements.
    /// NaN of less than two.
    SampleVariance: ExactMoments, |total| total.sample_variance_f32(), add, exact::moments, Moments,
        ["exact/value_variance.wgsl" "exact/variance_sample.wgsl" "exact/divide.wgsl"];
}
