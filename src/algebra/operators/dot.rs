//! The dot product: exact, of two inputs.

use crate::{
    algebra::{
        accumulator::ExactOperator,
        element::ElementType,
        operator::{ExactSpec, ExactTerms, OperatorSpec, PairOperator, part},
        operator_type::OperatorType,
    },
    exact::ExactDot,
};

/// The dot product: the sum of the products of the elements at the same places of two inputs, which are not rounded;
/// rounded once. A NaN, 0 · ∞, or infinite products of both signs give 0x7fc00000. Of nothing: 0.
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
        order_free: true,
        computes_floats: false,
        combining: None,
        exact: Some(ExactSpec {
            terms: ExactTerms::Products,
            value: &[part!("exact/value_products.wgsl")],
        }),
    };
}

impl ExactOperator for Dot {
    type Accumulator = ExactDot;
}
