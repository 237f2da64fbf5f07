//! Sums of what is made of each element, in the order of sums.

use crate::algebra::{
    element::ElementType,
    operator::{Combining, Operator, OperatorSpec, part},
    operator_type::OperatorType,
    operators::{
        ACC_WORD, ANY_RANGE, F32_ADD, F32_IDENTITY, F32_NORMAL, LIFT_COUNTED, NO_RANGE,
        f64_sums::{counted, spec},
    },
};

/// The L1 norm: the sum of the magnitudes, in the order of [`crate::order`]. Every NaN is 0x7fc00000, of `f64`s 0x7ff8000000000000. Of
/// nothing: 0. (The L2 norm is [`crate::Norm`], the L∞ norm [`crate::MaxAbs`].)
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[doc(alias("asum"))]
pub struct L1Norm;

/// Sums of magnitudes, and sums that ignore NaNs, by integers on every device.
pub(super) const fn f64_spec(operator: OperatorType) -> OperatorSpec {
    spec(operator, counted(), None)
}

/// Sums of magnitudes, and sums that ignore NaNs, by the device's floats where it rounds as it must.
pub(super) const fn f32_spec(operator: OperatorType) -> OperatorSpec {
    OperatorSpec {
        operator,
        element: ElementType::F32,
        inputs: 1,
        out_words: 1,
        order_free: false,
        computes_floats: true,
        combining: F32_SUMS,
        exact: None,
    }
}

/// How they combine on a device.
const F32_SUMS: Combining = f32_sums!(
    [
        LIFT_COUNTED,
        part!("operator/sum_f32.wgsl"),
        F32_NORMAL,
        part!("operator/range.wgsl@f32"),
        part!("operator/range.wgsl@f32_lost"),
        part!("operator/range.wgsl@addends"),
    ],
    [LIFT_COUNTED, part!("operator/sum_f32.wgsl@software"), ANY_RANGE, NO_RANGE],
    part!("operator/sum_f32.wgsl@finish")
);

impl Operator<f32> for L1Norm {
    const SPEC: OperatorSpec = f32_spec(OperatorType::L1Norm);
    total_value!(f32);
}

impl Operator<f64> for L1Norm {
    const SPEC: OperatorSpec = f64_spec(OperatorType::L1Norm);
    total_value!(f64);
}
