//! How many elements are not 0.

use crate::algebra::{
    element::Element,
    operator::{AtomicSpec, Combining, Operator, OperatorSpec, part},
    operators::{ACC_TWO_WORDS, ANY_RANGE, OperatorType, SIGN_BIT},
};

/// The number of elements that are not 0: NaN is not, −0 is. Of nothing: 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Count;

macro_rules! count {
    ($($element:ident: $is_counted:expr;)*) => {$(
        impl Operator<$element> for Count {
            const SPEC: OperatorSpec = OperatorSpec {
                out_words: 2,
                ..OperatorSpec::order_free(
                    OperatorType::Count,
                    <$element as Element>::TYPE,
                    Combining {
                        identity: &[0, 0],
                        parts: &[
                            ACC_TWO_WORDS,
                            part!("operator/sum_two_words.wgsl"),
                            part!("operator/count.wgsl"),
                            ANY_RANGE,
                        ],
                        unchecked: None,
                        software: None,
                        subgroup: None,
                        atomic: Some(AtomicSpec::native(part!("operator/sum_two_words_atomic.wgsl"))),
                    },
                )
            };
            type Acc = u64;
            total_value!(u64);
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
            fn finish(total: u64, _len: u64) -> u64 {
                total
            }
        }
    )*};
}

count! {
    // On the bits: threads that flush subnormals compare these as 0.
    f32: |element| element.to_bits() & !SIGN_BIT != 0;
    i32: |element| element != 0;
    u32: |element| element != 0;
    i64: |element| element != 0;
    u64: |element| element != 0;
}
