//! Variances: in the order of [`crate::order`], by merging runs of equal length; or exact, by what [`crate::exact`] adds up.

use crate::{
    algebra::{
        accumulator::ExactOperator,
        element::ElementType,
        exact_total::ExactKind,
        operator::{Combining, ExactSpec, ExactTerms, Operator, OperatorSpec, Part, part},
        operator_type::OperatorType,
        operators::{F32_ADD, F32_NORMAL, f64_sums},
    },
    exact::ExactMoments,
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
        $operator:ident: $degrees:literal, $exact_degrees:literal;
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
    )*};
}

variances! {
    /// The variance of all there are: the mean squared distance from the mean, by merging runs of equal length in the order
    /// of [`crate::order`] (docs/float-sums.md says how); or the true variance, rounded once, as [`crate::Precision`]
    /// says. NaN of nothing, or if an element is not finite. Its square root is the standard deviation.
    #[doc(alias("var", "std"))]
    Variance: "operator/degrees_population.wgsl", "exact/variance_population.wgsl";
    /// The variance estimated from a sample: as [`Variance`], but divided by one less than the number of elements.
    /// NaN of less than two.
    #[doc(alias("var", "std", "ddof"))]
    SampleVariance: "operator/degrees_sample.wgsl", "exact/variance_sample.wgsl";
}
