//! Operators on bits.

use crate::algebra::{
    element::Element,
    fold,
    operator::{AtomicSpec, Combining, Operator, OperatorSpec, part},
    operator_type::OperatorType,
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
    BitAnd in "bit_and", AtomicSpec::native(part!("operator/bit_and_atomic.wgsl")), total_value, in_any_order, |a, b| a & b;
    i32: !0, u32: !0
}

integer_operator! {
    BitOr in "bit_or", AtomicSpec::native(part!("operator/bit_or_atomic.wgsl")), total_value, in_any_order, |a, b| a | b;
    i32: 0, u32: 0
}

integer_operator! {
    BitXor in "bit_xor", AtomicSpec::native(part!("operator/bit_xor_atomic.wgsl")), total_value, in_any_order, |a, b| a ^ b;
    i32: 0, u32: 0
}
