//! What is computed: elements, operators, and what results promise.
//!
//! It may depend on [`crate::exact`] and [`crate::order`].

pub(crate) mod accumulator;
pub(crate) mod element;
pub(crate) mod float_environment;
pub(crate) mod fold;
pub(crate) mod operator;
pub(crate) mod operator_type;
pub(crate) mod operators;
pub(crate) mod precision;
