//! Sums and products of integers in 64 bits, whatever the elements' size.

use crate::algebra::{
    element::Element,
    operator::{Algebra, Combining, Operator, OperatorSpec, part},
    operators::{
        ACC_TWO_WORDS, ANY_RANGE, FINISH_WORDS, FOLD, HIGH_WORD, INTEGER_ATOMIC, INTEGER_TWO_WORDS,
        NO_RANGE, OperatorType, Product, Sum,
    },
};

/// The sum in 64 bits: an `i64` of signed integers, a `u64` of unsigned ones, as NumPy has it. It wraps modulo 2^64. No elements give 0.
///
/// ```
/// let executor = gridfold::Executor::cpu();
/// assert_eq!(executor.sum_wide(&[u32::MAX, 1])?, 1 << 32);
/// assert_eq!(executor.sum_wide(&[-128i8; 3])?, -384);
/// # Ok::<(), gridfold::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SumWide;

/// The product in 64 bits: an `i64` of signed integers, a `u64` of unsigned ones, as NumPy has it. It wraps modulo 2^64. Of
/// nothing: 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ProductWide;

macro_rules! wide {
    (
        $($operator:ident of $narrow:ident in $wide:ident: $identity:expr, $combine:expr, $atomic:expr;)*
    ) => {$(
        impl Operator<$narrow> for $operator {
            const SPEC: OperatorSpec = OperatorSpec {
                out_words: 2,
                ..OperatorSpec::order_free(
                    OperatorType::$operator,
                    <$narrow as Element>::TYPE,
                    Combining {
                        identity: &[$identity, 0],
                        parts: &[
                            ACC_TWO_WORDS,
                            FOLD,
                            INTEGER_TWO_WORDS,
                            HIGH_WORD,
                            part!("operator/lift.wgsl@wide"),
                            FINISH_WORDS,
                            ANY_RANGE,
                            NO_RANGE,
                        ],
                        unchecked: None,
                        software: None,
                        subgroup: None,
                        atomic: $atomic,
                    },
                )
            };
            total_value!($wide);
        }

        impl Algebra<$narrow> for $operator {
            type Acc = $wide;
            type Out = <Self as Operator<$narrow>>::Out;
            #[inline]
            fn identity(self) -> $wide {
                $identity
            }
            #[inline]
            fn lift(self, element: $narrow) -> $wide {
                element.into()
            }
            #[inline]
            fn combine(self, a: $wide, b: $wide) -> $wide {
                let combine: fn($wide, $wide) -> $wide = $combine;
                combine(a, b)
            }
            #[inline]
            fn fold(self, elements: &[$narrow]) -> Option<$wide> {
                let combine: fn($wide, $wide) -> $wide = $combine;
                Some(elements.iter().fold($identity, |acc, &element| combine(acc, element.into())))
            }
            #[inline]
            fn finish(self, total: $wide, _len: u64) -> $wide {
                total
            }
        }
    )*};
    ($($operator:ident is $same:ident of $($element:ident)*;)*) => {$($(
        impl Operator<$element> for $operator {
            const SPEC: OperatorSpec = OperatorSpec {
                operator: OperatorType::$operator,
                ..<$same as Operator<$element>>::SPEC
            };
            total_value!($element);
        }
    )*)*};
}

wide! {
    SumWide of i32 in i64: 0, |a, b| a.wrapping_add(b), Some(INTEGER_ATOMIC);
    SumWide of u32 in u64: 0, |a, b| a.wrapping_add(b), Some(INTEGER_ATOMIC);
    ProductWide of i32 in i64: 1, |a, b| a.wrapping_mul(b), None;
    ProductWide of u32 in u64: 1, |a, b| a.wrapping_mul(b), None;
}

wide! {
    SumWide is Sum of i64 u64;
    ProductWide is Product of i64 u64;
}
