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

macro_rules! variances {
    ($(
        $(#[$doc:meta])*
        $operator:ident: $value:path, $divisor:literal;
    )*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $operator;
        impl ExactOperator for $operator {
            type Accumulator = ExactMoments;
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
                exact: Some(ExactSpec {
                    terms: ExactTerms::Moments,
                    value: &[
                        part!("exact/value_variance.wgsl"),
                        part!($divisor),
                        part!("exact/divide.wgsl"),
                    ],
                }),
            };
            type Acc = ExactMoments;
            total_value!(f32);
            fn identity() -> ExactMoments {
                ExactMoments::default()
            }
            fn lift(element: f32) -> ExactMoments {
                exact::moments(&[element])
            }
            fn combine(mut a: ExactMoments, b: ExactMoments) -> ExactMoments {
                a.merge(&b);
                a
            }
            fn finish(total: ExactMoments, _len: u64) -> f32 {
                $value(&total)
            }
            fn exact_result(slices: &[&[f32]]) -> Option<f32> {
                Some($value(&over_slices(slices, exact::moments, ExactMoments::merge)))
            }
        }
    )*};
}

variances! {
    /// The variance of all there are: the mean squared distance from the mean, without any cancellation, rounded
    /// once. NaN of nothing, or if an element is not finite.
    Variance: ExactMoments::variance_f32, "exact/variance_population.wgsl";
    /// The variance estimated from a sample: as [`Variance`], but divided by one less than the number of elements.
    /// NaN of less than two.
    SampleVariance: ExactMoments::sample_variance_f32, "exact/variance_sample.wgsl";
}
