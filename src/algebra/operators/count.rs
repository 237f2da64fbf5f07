//! How many elements are not 0, or NaN.

use crate::algebra::{
    element::{Element, ElementType},
    operator::{Algebra, AtomicSpec, Combining, Operator, OperatorSpec, part},
    operators::{ACC_TWO_WORDS, ANY_RANGE, F64_SIGN_BIT, NO_RANGE, OperatorType, SIGN_BIT},
};

/// The number of elements that are not 0: NaN is not, −0 is. Of nothing: 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[doc(alias("count_nonzero"))]
pub struct Count;

/// The number of elements that are NaN. Of nothing: 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[doc(alias("isnan"))]
pub struct CountNan;

macro_rules! count {
    ($operator:ident; $($element:ident: $is_counted:expr;)*) => {$(
        impl Operator<$element> for $operator {
            const SPEC: OperatorSpec =
                counting(OperatorType::$operator, <$element as Element>::TYPE);
            total_value!(u64);
        }

        impl Algebra<$element> for $operator {
            type Acc = u64;
            #[inline]
            fn identity() -> u64 {
                0
            }
            #[inline]
            fn lift(element: $element) -> u64 {
                let is_counted: fn($element) -> bool = $is_counted;
                is_counted(element).into()
            }
            #[inline]
            fn combine(a: u64, b: u64) -> u64 {
                a + b
            }
            #[inline]
            fn fold(elements: &[$element]) -> Option<u64> {
                let is_counted: fn($element) -> bool = $is_counted;
                // So few are counted by as many bits as an element has: that is what vectors are good at.
                let count = |block: &[$element]| -> u32 {
                    block.iter().map(|&element| u32::from(is_counted(element))).sum()
                };
                Some(elements.chunks(BLOCK).map(|block| u64::from(count(block))).sum())
            }
            #[inline]
            fn finish(total: u64, _len: u64) -> u64 {
                total
            }
        }
    )*};
}

/// Of operators that count on a device.
pub(super) const fn counting(operator: OperatorType, element: ElementType) -> OperatorSpec {
    OperatorSpec {
        out_words: 2,
        ..OperatorSpec::order_free(
            operator,
            element,
            Combining {
                identity: &[0, 0],
                parts: &[
                    ACC_TWO_WORDS,
                    part!("operator/sum_two_words.wgsl"),
                    ANY_RANGE,
                    NO_RANGE,
                    part!("operator/count.wgsl"),
                ],
                unchecked: None,
                software: None,
                subgroup: None,
                atomic: Some(AtomicSpec::native(part!("operator/sum_two_words_atomic.wgsl"))),
            },
        )
    }
}

/// Elements that are counted in 32 bits at a time.
const BLOCK: usize = 1 << 16;

count! {
    Count;
    // On the bits: threads that flush subnormals compare these as 0.
    f32: |element| element.to_bits() & !SIGN_BIT != 0;
    f64: |element| element.to_bits() & !F64_SIGN_BIT != 0;
    i32: |element| element != 0;
    u32: |element| element != 0;
    i64: |element| element != 0;
    u64: |element| element != 0;
}

count! {
    CountNan;
    f32: f32::is_nan;
    f64: f64::is_nan;
}
