//! Operators on bits.

use crate::algebra::{
    element::Element,
    fold,
    operator::{Algebra, Operator, OperatorSpec},
    operator_type::OperatorType,
    operators::INTEGER_ATOMIC,
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

integer_operator!(BitAnd, in_any_order, !0, |a, b| a & b, Some(INTEGER_ATOMIC));
integer_operator!(BitOr, in_any_order, 0, |a, b| a | b, Some(INTEGER_ATOMIC));
integer_operator!(BitXor, in_any_order, 0, |a, b| a ^ b, Some(INTEGER_ATOMIC));
