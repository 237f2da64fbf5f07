//! Operators on bits.

use crate::algebra::{
    element::Element,
    fold,
    operator::{AtomicSpec, Combining, Operator, OperatorSpec, part},
    operator_type::OperatorType,
    operators::{ACC_ELEMENT, ACC_TWO_WORDS, ANY_RANGE, LIFT_ELEMENT},
};

/// The bits that every element has. Of nothing: all bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BitAnd;

/// The bits that some element has. Of nothing: 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BitOr;

/// The bits that an odd number of elements have. Of nothing: 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BitXor;

integer_operator! {
    BitAnd, total_value, in_any_order, |a, b| a & b;
    i32: !0, u32: !0 => {
        parts: &[ACC_ELEMENT, part!("operator/bit_and.wgsl"), ANY_RANGE],
        subgroup: Some(part!("operator/bit_and_subgroup.wgsl")),
        atomic: Some(AtomicSpec::native(part!("operator/bit_and_atomic.wgsl"))),
    }
    i64: !0, u64: !0 => {
        parts: &[ACC_TWO_WORDS, LIFT_ELEMENT, part!("operator/bit_and.wgsl"), ANY_RANGE],
        subgroup: Some(part!("operator/bit_and_subgroup.wgsl")),
        atomic: Some(AtomicSpec::native(part!("operator/bit_and_atomic.wgsl"))),
    }
}

integer_operator! {
    BitOr, total_value, in_any_order, |a, b| a | b;
    i32: 0, u32: 0 => {
        parts: &[ACC_ELEMENT, part!("operator/bit_or.wgsl"), ANY_RANGE],
        subgroup: Some(part!("operator/bit_or_subgroup.wgsl")),
        atomic: Some(AtomicSpec::native(part!("operator/bit_or_atomic.wgsl"))),
    }
    i64: 0, u64: 0 => {
        parts: &[ACC_TWO_WORDS, LIFT_ELEMENT, part!("operator/bit_or.wgsl"), ANY_RANGE],
        subgroup: Some(part!("operator/bit_or_subgroup.wgsl")),
        atomic: Some(AtomicSpec::native(part!("operator/bit_or_atomic.wgsl"))),
    }
}

integer_operator! {
    BitXor, total_value, in_any_order, |a, b| a ^ b;
    i32: 0, u32: 0 => {
        parts: &[ACC_ELEMENT, part!("operator/bit_xor.wgsl"), ANY_RANGE],
        subgroup: Some(part!("operator/bit_xor_subgroup.wgsl")),
        atomic: Some(AtomicSpec::native(part!("operator/bit_xor_atomic.wgsl"))),
    }
    i64: 0, u64: 0 => {
        parts: &[ACC_TWO_WORDS, LIFT_ELEMENT, part!("operator/bit_xor.wgsl"), ANY_RANGE],
        subgroup: Some(part!("operator/bit_xor_subgroup.wgsl")),
        atomic: Some(AtomicSpec::native(part!("operator/bit_xor_atomic.wgsl"))),
    }
}
