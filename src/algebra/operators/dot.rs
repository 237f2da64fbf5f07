//! The dot product, of two inputs.

use crate::{
    algebra::{
        accumulator::ExactOperator,
        element::ElementType,
        operator::{ExactSpec, ExactTerms, OperatorSpec, PairOperator, part},
        operator_type::OperatorType,
        operators::{ACC_WORD, ANY_RANGE, F32_ADD, F32_IDENTITY},
    },
    exact::ExactDot,
};

/// The dot product: the sum of the products of the elements at the same places of two inputs. Each product is rounded, and they
/// are added up in the order of [`crate::order`]; or the true sum is rounded once, as [`crate::Precision`] says. Every NaN
/// is 0x7fc00000, as of 0 · ∞. Of nothing: 0.
///
/// Each input may have several slices, cut in any way, and they may have slices of the same buffer. Together they have as
/// many elements on the left as on the right: else every call fails with [`crate::PrepareError::LengthMismatch`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Dot;

impl PairOperator<f32> for Dot {
    const SPEC: OperatorSpec = OperatorSpec {
        operator: OperatorType::Dot,
        element: ElementType::F32,
        inputs: 2,
        out_words: 1,
        order_free: false,
        computes_floats: true,
        combining: Some(f32_sums!(products, part!("operator/sum_f32_finish.wgsl"))),
        exact: Some(ExactSpec {
            terms: ExactTerms::Products,
            value: &[part!("exact/value_products.wgsl")],
        }),
    };
}

impl ExactOperator for Dot {
    type Accumulator = ExactDot;
}
