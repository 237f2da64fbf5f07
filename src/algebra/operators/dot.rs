//! The dot product, of two inputs.

use crate::{
    algebra::{
        accumulator::ExactOperator,
        element::ElementType,
        exact_total::{ExactTotal, InTotal},
        float_environment, fold,
        operator::{ExactSpec, ExactTerms, OperatorSpec, PairOperator, part},
        operator_type::OperatorType,
        operators::{ACC_WORD, ANY_RANGE, F32_ADD, F32_IDENTITY, F32_NORMAL, NO_RANGE},
        sums::{PairAlgebra, PairParts},
    },
    exact::{self, ExactDot},
};

/// The dot product: the sum of the products of the elements at the same places of two inputs. Each product is rounded, and they
/// are added up in the order of [`crate::order`]; or the true sum is rounded once, as [`crate::Precision`] says. Every NaN
/// is 0x7fc00000 (of `f64`s 0x7ff8000000000000), as of 0 · ∞. No elements give 0.
///
/// Each input may have several slices, cut in any way, and they may have slices of the same buffer. Together they have as
/// many elements on the left as on the right: else every call fails with [`crate::PrepareError::LengthMismatch`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[doc(alias("inner_product"))]
pub struct Dot;

/// The type of a dot product: an `f32` of `f16`s and `bf16`s, else of their type.
pub type DotValue<T> = <Dot as PairOperator<T>>::Total;

impl PairOperator<f32> for Dot {
    const SPEC: OperatorSpec = OperatorSpec {
        operator: OperatorType::Dot,
        element: ElementType::F32,
        inputs: 2,
        out_words: 1,
        order_free: false,
        computes_floats: true,
        combining: f32_sums!(products, part!("operator/sum_f32_finish.wgsl")),
        exact: ExactSpec::everywhere(ExactTerms::Products, &[part!("exact/value_products.wgsl")]),
    };
    type Total = f32;
}

impl PairAlgebra<f32> for Dot {
    fn fold(left: &[f32], right: &[f32]) -> f32 {
        fold::dot(left, right)
    }
    fn product_in_integers(left: f32, right: f32) -> f32 {
        float_environment::multiply(left, right)
    }
    fn exact_total(parts: PairParts<'_, f32>) -> ExactTotal {
        let mut total = ExactDot::default();
        parts(&mut |left, right| total.merge(&exact::dot(left, right).expect("of one length")));
        total.into_total()
    }
    fn exact_finish(total: &ExactTotal) -> f32 {
        ExactDot::of_total(total).to_f32()
    }
}

impl ExactOperator for Dot {
    type Accumulator = ExactDot;
}
