//! The dot product, of two inputs.

use crate::{
    algebra::{
        accumulator::ExactOperator,
        element::Element,
        operator::{Combining, ExactSpec, ExactTerms, Operator, OperatorSpec, part},
        operator_type::OperatorType,
        operators::{
            ACC_WORD, ANY_RANGE, F32_ADD, F32_IDENTITY, F32_NORMAL, NO_RANGE,
            f64_sums::{EXACT_PRODUCTS, SUM_OF_PRODUCTS},
        },
    },
    exact::ExactDot,
};
use half::{bf16, f16};

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
pub type DotValue<T> = <Dot as Operator<(T, T)>>::Value;

macro_rules! dots {
    ($($element:ident to $sum:ident: $combining:expr, $exact:expr;)*) => {$(
        impl Operator<($element, $element)> for Dot {
            const SPEC: OperatorSpec = OperatorSpec {
                operator: OperatorType::Dot,
                element: <$element as Element>::TYPE,
                inputs: 2,
                out_words: <$sum as Element>::TYPE.words(),
                order_free: false,
                computes_floats: true,
                combining: $combining,
                exact: $exact,
            };
            total_value!($sum);
        }
    )*};
}

const F32: Combining = f32_sums!(products, part!("operator/sum_f32.wgsl@finish"));
const F32_EXACT: Option<ExactSpec> =
    ExactSpec::everywhere(ExactTerms::Products, &[part!("exact/value.wgsl@products")]);

dots! {
    f32 to f32: F32, F32_EXACT;
    f16 to f32: F32, F32_EXACT;
    bf16 to f32: F32, F32_EXACT;
    f64 to f64: SUM_OF_PRODUCTS, EXACT_PRODUCTS;
}

impl ExactOperator for Dot {
    type Accumulator = ExactDot;
}
