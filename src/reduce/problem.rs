//! What is to be reduced, and how the caller wants it done.

use crate::{
    algebra::{element::ElementType, operator_type::OperatorType, precision::Precision},
    device::extent::Extent,
    way::{Strategy, Variant},
    wgsl::program::Program,
};

/// What is to be reduced, and how the caller wants it done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The element type.
    pub element: ElementType,
    /// The operator.
    pub operator: OperatorType,
    /// What the user has brought, if anything: its operator is the operator.
    pub program: Option<Program>,
    /// The input slices, reduced as one sequence. Of two or three inputs, those of the first one.
    pub slices: Vec<Extent>,
    /// The slices of the right input, which is as long as the left one. Operators of one input do not look at them.
    pub right_slices: Vec<Extent>,
    /// The slices of the third input. Only operators of three inputs look at them.
    pub third_slices: Vec<Extent>,
    /// Where in its buffer the output begins, in bytes.
    pub output_offset_bytes: u64,
    /// Whether the output lies in a buffer that is also an input. One dispatch may not read and
    /// write one buffer, so the result then comes from a second dispatch, which reads no input.
    pub output_shares_input: bool,
    /// The variant asked for.
    pub variant: Variant,
    /// The strategy asked for.
    pub strategy: Strategy,
    /// What the result has to promise.
    pub precision: Precision,
    /// Whether a number on the device says how many elements there are, at most these.
    pub is_counted: bool,
}
