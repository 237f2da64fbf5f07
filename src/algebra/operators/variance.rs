//! Variances: in the order of [`crate::order`], by merging runs of equal length; or exact, by what [`crate::exact`] adds up.

use crate::{
    algebra::{
        accumulator::ExactOperator,
        element::ElementType,
        exact_total::ExactKind,
        operator::{Combining, ExactSpec, ExactTerms, Operator, OperatorSpec, Part, part},
        operator_type::OperatorType,
        operators::{F32_ADD, F32_NORMAL, f64_sums, nan_variance},
        options::{Nan, NanRule, Options},
    },
    exact::ExactMoments,
};

const MOMENTS: Part = part!("operator/moments_f32.wgsl");
const MOMENT: Part = part!("operator/moments_f32.wgsl@lift");
const TOTAL: Part = part!("operator/moments.wgsl@total");
const JOIN: Part = part!("operator/moments.wgsl@join");
const PRODUCT: Part = part!("operator/f32_product.wgsl");
const ROUND: Part = part!("operator/f32_round.wgsl");
const ADD_SCALED: Part = part!("operator/f32_add.wgsl@scaled");
const RANGE: Part = part!("operator/range.wgsl@f32");
const LOST: Part = part!("operator/range.wgsl@f32_lost");
const FINISH: Part = part!("operator/moments.wgsl@finish");
const MEAN: Part = part!("operator/f32_mean.wgsl");
const SOFTWARE: Part = part!("operator/moments.wgsl@software");
const NO_RANGE: Part = part!("operator/range.wgsl@empty");

with_options! {
    /// The variance of all there are: the mean squared distance from the mean, by merging runs of equal length in the order
    /// of [`crate::order`] (docs/float-sums.md says how); or the true variance, rounded once, as [`crate::Precision`]
    /// says. NaN of nothing, or if an element is not finite. Its square root is the standard deviation.
    ///
    /// `Variance.sample()` is divided by one less than the number of elements: NaN of less than two.
    ///
    /// `Variance.nan(Nan::Ignore)` is the variance of the elements that are not NaN, as NumPy's `nanvar`: the true one, rounded once, whatever
    /// [`crate::Precision`] is asked for. NaN of NaNs alone, and if an element is infinite. There are no scans by it. The CPU alone has it for `f64`s: an array on a
    /// device gives `PrepareError::NoExactKernel`. Devices reduce up to 1024 segments by it, one by one, if the host knows where they are.
    ///
    /// ```
    /// use gridfold::{Executor, Nan, Variance};
    ///
    /// let executor = Executor::auto();
    /// let of_numbers = Variance.nan(Nan::Ignore);
    /// assert_eq!(executor.reduce(&[1.0f32, f32::NAN, 3.0], of_numbers)?.value, 1.0);
    /// assert_eq!(executor.reduce(&[1.0f32, f32::NAN, 3.0], of_numbers.sample())?.value, 2.0);
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    #[doc(alias("var", "std", "ddof", "nanvar", "nanstd"))]
    Variance: nan sample
}

/// The description of a variance of all elements, of this divisor.
macro_rules! spec {
    ($degrees:literal $exact_degrees:literal $sample:literal) => {{
        const OPERATOR: OperatorType =
            OperatorType::Variance.with(Options { sample: $sample, ..Options::DEFAULT });
        const DEGREES: Part = part!($degrees);
        const EXACT_DEGREES: Part = part!($exact_degrees);
        const F32: OperatorSpec = OperatorSpec {
            operator: OPERATOR,
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
                    part!("operator/moments_f32.wgsl@device"),
                    part!("operator/moments_f32.wgsl@hardware"),
                    RANGE,
                    LOST,
                    part!("operator/range.wgsl@moments"),
                    FINISH,
                    MEAN,
                    DEGREES,
                ],
                unchecked: None,
                software: Some(&[
                    MOMENTS, MOMENT, TOTAL, JOIN, F32_ADD, ADD_SCALED, PRODUCT, ROUND, SOFTWARE,
                    RANGE, LOST, NO_RANGE, FINISH, MEAN, DEGREES,
                ]),
                subgroup: None,
                atomic: None,
            },
            exact: ExactSpec::everywhere(
                ExactTerms::Moments,
                &[part!("exact/variance.wgsl"), EXACT_DEGREES, part!("exact/divide.wgsl")],
            ),
        };
        const F64: OperatorSpec = OperatorSpec {
            operator: OPERATOR,
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
                    part!("operator/moments_f64.wgsl@lift"),
                    TOTAL,
                    JOIN,
                    part!("operator/f64_add.wgsl@scaled"),
                    f64_sums::MULTIPLY,
                    f64_sums::ROUND,
                    f64_sums::SHIFT,
                    SOFTWARE,
                    f64_sums::RANGE,
                    NO_RANGE,
                    FINISH,
                    f64_sums::MEAN,
                    DEGREES,
                ],
                unchecked: None,
                software: None,
                subgroup: None,
                atomic: None,
            },
            exact: ExactSpec::on_cpu(ExactKind::DoubleMoments),
        };
        [F32, F64]
    }};
}

/// For `f32`s and for `f64`s.
const OF_ALL: [OperatorSpec; 2] =
    spec!("operator/degrees.wgsl@population" "exact/variance.wgsl@population" false);
const OF_SAMPLE: [OperatorSpec; 2] =
    spec!("operator/degrees.wgsl@sample" "exact/variance.wgsl@sample" true);

/// For `f32`s and for `f64`s.
pub(super) const fn with_options(options: Options) -> [OperatorSpec; 2] {
    match (options.nan, options.sample) {
        (NanRule::Propagate, false) => OF_ALL,
        (NanRule::Propagate, true) => OF_SAMPLE,
        (_, false) => nan_variance::OF_ALL,
        (_, true) => nan_variance::OF_SAMPLE,
    }
}

impl ExactOperator for Variance {
    type Accumulator = ExactMoments;
}

impl Operator<f32> for Variance {
    const SPEC: OperatorSpec = OF_ALL[0];
    total_value!(f32);
}

impl Operator<f64> for Variance {
    const SPEC: OperatorSpec = OF_ALL[1];
    total_value!(f64);
}
