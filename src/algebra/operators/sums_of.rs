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

/// The sum of the elements that are not NaN: 0 stands in a NaN's place, so that the order of the others is that of all elements, which is
/// [`crate::order`]. As NumPy's `nansum`. Opposite infinities still give NaN, which is 0x7fc00000, of `f64`s 0x7ff8000000000000. Of
/// nothing: 0. (Their mean is [`crate::NanMean`].)
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[doc(alias("nansum"))]
pub struct NanSum;

const fn f32_spec(operator: OperatorType) -> OperatorSpec {
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
        part!("operator/range_f32.wgsl"),
        part!("operator/range_f32_lost.wgsl"),
        part!("operator/range_addends.wgsl"),
    ],
    [LIFT_COUNTED, part!("operator/sum_f32_software.wgsl"), ANY_RANGE, NO_RANGE],
    part!("operator/sum_f32_finish.wgsl")
);

macro_rules! sums_of {
    ($($operator:ident of $element:ident: $spec:expr;)*) => {$(
        impl Operator<$element> for $operator {
            const SPEC: OperatorSpec = $spec;
            total_value!($element);
        }
    )*};
}

sums_of! {
    L1Norm of f32: f32_spec(OperatorType::L1Norm);
    L1Norm of f64: spec(OperatorType::L1Norm, 1, counted(), None);
    NanSum of f32: f32_spec(OperatorType::NanSum);
    NanSum of f64: spec(OperatorType::NanSum, 1, counted(), None);
}
