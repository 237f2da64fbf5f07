//! What is computed: elements, operators, what results promise, and the order of what rounds.

pub(crate) mod accumulator;
pub(crate) mod element;
pub(crate) mod float_environment;
pub(crate) mod fold;
pub(crate) mod operator;
pub(crate) mod operator_type;
pub(crate) mod operators;
pub(crate) mod precision;
