//! Operators on masks of a bit for each flag.

use crate::algebra::{
    element::{Bits, Bool, ElementType},
    operator::{Algebra, Combining, Operator, OperatorSpec, part},
    operators::{
        ACC_TWO_WORDS, ACC_WORD, ANY_RANGE, Count, FINISH_WORDS, FOLD, HIGH_WORD, INTEGER,
        INTEGER_SUBGROUP, INTEGER_TWO_WORDS, LIFT_ELEMENT, Max, Min, NO_RANGE, OperatorType,
    },
};

/// What an operator is for masks. `None` where it is not defined.
pub(super) const fn spec(operator: OperatorType) -> Option<&'static OperatorSpec> {
    match operator {
        OperatorType::Count => Some(const { &<Count as Operator<Bits>>::SPEC }),
        OperatorType::Min => Some(const { &<Min as Operator<Bits>>::SPEC }),
        OperatorType::Max => Some(const { &<Max as Operator<Bits>>::SPEC }),
        _ => None,
    }
}

impl Operator<Bits> for Count {
    const SPEC: OperatorSpec = OperatorSpec {
        out_words: 2,
        ..OperatorSpec::order_free(
            OperatorType::Count,
            ElementType::Bits,
            Combining {
                identity: &[0, 0],
                parts: &[
                    ACC_TWO_WORDS,
                    FINISH_WORDS,
                    FOLD,
                    INTEGER_TWO_WORDS,
                    HIGH_WORD,
                    part!("operator/count.wgsl@bits_count"),
                    ANY_RANGE,
                    NO_RANGE,
                ],
                unchecked: None,
                software: None,
                subgroup: None,
                atomic: None,
            },
        )
    };
    total_value!(u64);
}

impl Algebra<Bits> for Count {
    type Acc = u64;
    type Out = <Self as Operator<Bits>>::Out;
    #[inline]
    fn identity(self) -> u64 {
        0
    }
    #[inline]
    fn lift(self, element: Bits) -> u64 {
        element.0.count_ones().into()
    }
    #[inline]
    fn combine(self, a: u64, b: u64) -> u64 {
        a + b
    }
    fn fold(self, elements: &[Bits]) -> Option<u64> {
        Some(elements.iter().map(|&element| u64::from(element.0.count_ones())).sum())
    }
    #[inline]
    fn finish(self, total: u64, _len: u64) -> u64 {
        total
    }
}

macro_rules! of_all_bits {
    ($operator:ident $identity:literal: $fold:expr, $is_so:expr) => {
        impl Operator<Bits> for $operator {
            const SPEC: OperatorSpec = OperatorSpec::order_free(
                OperatorType::$operator,
                ElementType::Bits,
                Combining {
                    identity: &[$identity],
                    parts: &[
                        ACC_WORD,
                        FOLD,
                        INTEGER,
                        LIFT_ELEMENT,
                        part!("operator/count.wgsl@bits_are_set"),
                        ANY_RANGE,
                        NO_RANGE,
                    ],
                    unchecked: None,
                    software: None,
                    subgroup: Some(INTEGER_SUBGROUP),
                    atomic: None,
                },
            );
            type Out = u32;
            type Value = Option<Bool>;
            #[inline]
            fn value(out: u32, len: u64) -> Option<Bool> {
                (len > 0).then(|| (out != 0).into())
            }
            #[inline]
            fn out(value: Option<Bool>) -> Option<u32> {
                value.map(|is_so| is_so.get().into())
            }
        }

        impl Algebra<Bits> for $operator {
            type Acc = u32;
            type Out = <Self as Operator<Bits>>::Out;
            #[inline]
            fn identity(self) -> u32 {
                $identity
            }
            #[inline]
            fn lift(self, element: Bits) -> u32 {
                element.0
            }
            #[inline]
            fn combine(self, a: u32, b: u32) -> u32 {
                let combine: fn(u32, u32) -> u32 = $fold;
                combine(a, b)
            }
            fn fold(self, elements: &[Bits]) -> Option<u32> {
                Some(elements.iter().map(|element| element.0).fold($identity, $fold))
            }
            #[inline]
            fn finish(self, total: u32, _len: u64) -> u32 {
                let is_so: fn(u32) -> bool = $is_so;
                is_so(total).into()
            }
        }
    };
}

of_all_bits!(Min 0xffff_ffff: |a, b| a & b, |total| total == u32::MAX);
of_all_bits!(Max 0: |a, b| a | b, |total| total != 0);
