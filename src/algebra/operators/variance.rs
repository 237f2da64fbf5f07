//! Variances: in the order of [`crate::order`], by merging runs of equal length; or exact, by what [`crate::exact`] adds up.

use crate::{
    algebra::{
        accumulator::{ExactOperator, over_parts},
        element::ElementType,
        exact_total::{ExactKind, ExactTotal, InTotal},
        operator::{
            Algebra, Combining, ExactSpec, ExactTerms, Operator, OperatorSpec, Part, Parts, part,
        },
        operator_type::OperatorType,
        operators::{
            CANONICAL_NAN_BITS, F32_ADD, F32_NORMAL, F64_CANONICAL_NAN_BITS, f64_sums,
            statistics::mean,
        },
        run_moments::RunMoments,
    },
    exact::{self, ExactMoments, F64Moments},
};

const MOMENTS: Part = part!("operator/moments_f32.wgsl");
const MOMENT: Part = part!("operator/moment_f32.wgsl");
const TOTAL: Part = part!("operator/moments_total.wgsl");
const JOIN: Part = part!("operator/moments_join.wgsl");
const PRODUCT: Part = part!("operator/f32_product.wgsl");
const ROUND: Part = part!("operator/f32_round.wgsl");
const ADD_SCALED: Part = part!("operator/f32_add_scaled.wgsl");
const RANGE: Part = part!("operator/range_f32.wgsl");
const LOST: Part = part!("operator/range_f32_lost.wgsl");
const FINISH: Part = part!("operator/moments_finish.wgsl");
const MEAN: Part = part!("operator/f32_mean.wgsl");
const SOFTWARE: Part = part!("operator/moments_software.wgsl");
const NO_RANGE: Part = part!("operator/range_none.wgsl");

macro_rules! variances {
    ($(
        $(#[$doc:meta])*
        $operator:ident: $value:path, $f64_value:path, $degrees:literal, $exact_degrees:literal, $divisor:expr;
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
                order_free: false,
                computes_floats: true,
                combining: Combining {
                    identity: &[0, 0, 0],
                    parts: &[
                        MOMENTS,
                        MOMENT,
                        TOTAL,
                        JOIN,
                        F32_ADD,
                        ADD_SCALED,
                        PRODUCT,
                        ROUND,
                        F32_NORMAL,
                        part!("operator/moments_f32_device.wgsl"),
                        part!("operator/moments_f32_hardware.wgsl"),
                        RANGE,
                        LOST,
                        part!("operator/range_moments.wgsl"),
                        FINISH,
                        MEAN,
                        part!($degrees),
                    ],
                    unchecked: None,
                    software: Some(&[
                        MOMENTS,
                        MOMENT,
                        TOTAL,
                        JOIN,
                        F32_ADD,
                        ADD_SCALED,
                        PRODUCT,
                        ROUND,
                        SOFTWARE,
                        RANGE,
                        LOST,
                        NO_RANGE,
                        FINISH,
                        MEAN,
                        part!($degrees),
                    ]),
                    subgroup: None,
                    atomic: None,
                },
                exact: ExactSpec::everywhere(
                    ExactTerms::Moments,
                    &[
                        part!("exact/value_variance.wgsl"),
                        part!($exact_degrees),
                        part!("exact/divide.wgsl"),
                    ],
                ),
            };
            total_value!(f32);
        }

        impl Algebra<f32> for $operator {
            type Acc = RunMoments<f32>;
            fn identity() -> RunMoments<f32> {
                RunMoments::nothing()
            }
            #[inline]
            fn lift(element: f32) -> RunMoments<f32> {
                RunMoments::of(element)
            }
            #[inline]
            fn combine(a: RunMoments<f32>, b: RunMoments<f32>) -> RunMoments<f32> {
                a.combine(b)
            }
            fn combine_in_integers(a: RunMoments<f32>, b: RunMoments<f32>) -> RunMoments<f32> {
                a.combine_in_integers(b)
            }
            fn fold(elements: &[f32]) -> Option<RunMoments<f32>> {
                Some(RunMoments::fold(elements))
            }
            fn finish(total: RunMoments<f32>, len: u64) -> f32 {
                let divisor: fn(u64) -> Option<u64> = $divisor;
                match divisor(len) {
                    Some(divisor) => mean(total.about_mean(len, mean), divisor),
                    None => f32::from_bits(CANONICAL_NAN_BITS),
                }
            }
            fn exact_total(parts: Parts<'_, f32>) -> Option<ExactTotal> {
                Some(over_parts(parts, exact::moments))
            }
            fn exact_finish(total: &ExactTotal) -> f32 {
                $value(InTotal::of_total(total))
            }
        }
        impl Operator<f64> for $operator {
            const SPEC: OperatorSpec = OperatorSpec {
                operator: OperatorType::$operator,
                element: ElementType::F64,
                inputs: 1,
                out_words: 2,
                order_free: false,
                // Integers do it on every device.
                computes_floats: false,
                combining: Combining {
                    identity: &[0, 0, 0, 0, 0],
                    parts: &[
                        part!("operator/moments_f64.wgsl"),
                        part!("operator/moment_f64.wgsl"),
                        TOTAL,
                        JOIN,
                        part!("operator/f64_add_scaled.wgsl"),
                        f64_sums::MULTIPLY,
                        f64_sums::ROUND,
                        f64_sums::SHIFT,
                        SOFTWARE,
                        f64_sums::RANGE,
                        NO_RANGE,
                        FINISH,
                        f64_sums::MEAN,
                        part!($degrees),
                    ],
                    unchecked: None,
                    software: None,
                    subgroup: None,
                    atomic: None,
                },
                exact: ExactSpec::on_cpu(ExactKind::DoubleMoments),
            };
            total_value!(f64);
        }

        impl Algebra<f64> for $operator {
            type Acc = RunMoments<f64>;
            fn identity() -> RunMoments<f64> {
                RunMoments::nothing()
            }
            #[inline]
            fn lift(element: f64) -> RunMoments<f64> {
                RunMoments::of(element)
            }
            #[inline]
            fn combine(a: RunMoments<f64>, b: RunMoments<f64>) -> RunMoments<f64> {
                a.combine(b)
            }
            fn combine_in_integers(a: RunMoments<f64>, b: RunMoments<f64>) -> RunMoments<f64> {
                a.combine_in_integers(b)
            }
            fn fold(elements: &[f64]) -> Option<RunMoments<f64>> {
                Some(RunMoments::fold(elements))
            }
            fn finish(total: RunMoments<f64>, len: u64) -> f64 {
                let divisor: fn(u64) -> Option<u64> = $divisor;
                let mean = |total, len| f64_sums::canonical(f64_sums::mean(total, len));
                match divisor(len) {
                    Some(divisor) => mean(total.about_mean(len, mean), divisor),
                    None => f64::from_bits(F64_CANONICAL_NAN_BITS),
                }
            }
            fn exact_total(parts: Parts<'_, f64>) -> Option<ExactTotal> {
                Some(over_parts(parts, exact::f64_moments))
            }
            fn exact_finish(total: &ExactTotal) -> f64 {
                $f64_value(InTotal::of_total(total))
            }
        }
    )*};
}

variances! {
    /// The variance of all there are: the mean squared distance from the mean, by merging runs of equal length in the order
    /// of [`crate::order`] (docs/float-sums.md says how); or the true variance, rounded once, as [`crate::Precision`]
    /// says. NaN of nothing, or if an element is not finite. Its square root is the standard deviation.
    #[doc(alias("var", "std"))]
    Variance: ExactMoments::variance_f32, F64Moments::variance,
        "operator/degrees_population.wgsl", "exact/variance_population.wgsl", |len| Some(len);
    /// The variance estimated from a sample: as [`Variance`], but divided by one less than the number of elements.
    /// NaN of less than two.
    #[doc(alias("var", "std", "ddof"))]
    SampleVariance: ExactMoments::sample_variance_f32, F64Moments::sample_variance,
        "operator/degrees_sample.wgsl", "exact/variance_sample.wgsl", |len| len.checked_sub(1);
}
