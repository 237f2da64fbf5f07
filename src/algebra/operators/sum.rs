//! Sums.

use crate::{
    algebra::{
        accumulator::ExactOperator,
        element::{Element, ElementType},
        fold,
        operator::{
            Algebra, AtomicSpec, Combining, ExactSpec, ExactTerms, Operator, OperatorSpec, Part,
            part,
        },
        operators::{
            ACC_WORD, ANY_RANGE, F32_ADD, F32_IDENTITY, F32_NORMAL, INTEGER_ATOMIC, LIFT_ELEMENT,
            NO_RANGE, OperatorType,
        },
        options::{Nan, Options},
    },
    exact::ExactSum,
};

with_options! {
    /// The sum. Integers wrap: those of less than 64 bits modulo 2^32, as `i32` or `u32` ([`SumWide`](crate::SumWide) has 64
    /// bits). Sums of `f16` and `bf16` are those of the `f32`s of the same values, and `f32` themselves. f32 sums have the fixed order of [`crate::order`], or are exact, as
    /// [`crate::Precision`] says. Every NaN is 0x7fc00000 and the result is never −0. No elements give 0.
    ///
    /// `Sum.nan(Nan::Ignore)` is the sum of the elements that are not NaN, as NumPy's `nansum`: 0 stands in a NaN's place, so that the order of the
    /// others is the order of all elements. Opposite infinities still give NaN. There is no exact one.
    #[doc(alias("nansum"))]
    Sum: nan
}

integer_operator!(Sum, in_any_order, 0, |a, b| a.wrapping_add(b), Some(INTEGER_ATOMIC));

/// Makes the result.
const FINISH: Part = part!("operator/sum_f32.wgsl@finish");

impl Operator<f32> for Sum {
    const SPEC: OperatorSpec = OperatorSpec {
        operator: OperatorType::Sum,
        element: ElementType::F32,
        inputs: 1,
        out_words: 1,
        order_free: false,
        computes_floats: true,
        combining: Combining {
            unchecked: Some(&[
                ACC_WORD,
                F32_IDENTITY,
                LIFT_ELEMENT,
                part!("operator/sum_f32.wgsl@unchecked"),
                FINISH,
                ANY_RANGE,
                NO_RANGE,
            ]),
            atomic: Some(AtomicSpec {
                part: part!("operator/exchange_atomic.wgsl"),
                float_add: Some(part!("operator/sum_f32.wgsl@atomic")),
            }),
            ..f32_sums!(elements, FINISH)
        },
        exact: ExactSpec::everywhere(ExactTerms::Elements, &[part!("exact/value.wgsl@sum")]),
    };
    total_value!(f32);
}

impl ExactOperator for Sum {
    type Accumulator = ExactSum;
}
