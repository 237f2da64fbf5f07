//! Operators on bits.

use crate::algebra::{
    element::Element,
    fold,
    operator::{Algebra, AtomicSpec, Combining, Operator, OperatorSpec, part},
    operator_type::OperatorType,
    operators::{ACC_ELEMENT, ACC_TWO_WORDS, ANY_RANGE, FINISH_WORDS, LIFT_ELEMENT, NO_RANGE},
};

/// The bits that every element has. No elements give all bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BitAnd;

/// The bits that some element has. No elements give 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BitOr;

/// The bits that an odd number of elements have. No elements give 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BitXor;

/// All bits of an element at once: so elements of two words have a longer accumulator, and nothing else.
macro_rules! bit_operator {
    ($operator:ident, $file:literal, $identity:expr, $combine:expr) => {
        integer_operator! {
            $operator, total_value, in_any_order, $combine;
            i32: $identity, u32: $identity => {
                parts: &[ACC_ELEMENT, part!("operator/" $file ".wgsl"), ANY_RANGE, NO_RANGE],
                subgroup: Some(part!("operator/" $file "_subgroup.wgsl")),
                atomic: Some(AtomicSpec::native(part!("operator/" $file "_atomic.wgsl"))),
            }
            i64: $identity, u64: $identity => {
                parts: &[
                    ACC_TWO_WORDS,
                    FINISH_WORDS,
                    LIFT_ELEMENT,
                    part!("operator/" $file ".wgsl"),
                    ANY_RANGE, NO_RANGE,
                ],
                subgroup: Some(part!("operator/" $file "_subgroup.wgsl")),
                atomic: Some(AtomicSpec::native(part!("operator/" $file "_atomic.wgsl"))),
            }
        }
    };
}

bit_operator!(BitAnd, "bit_and", !0, |a, b| a & b);
bit_operator!(BitOr, "bit_or", 0, |a, b| a | b);
bit_operator!(BitXor, "bit_xor", 0, |a, b| a ^ b);
