//! What is computed: elements, operators, what results promise, and the order of what rounds.

pub(crate) mod blocks;
pub(crate) mod element;
pub(crate) mod float_environment;
pub(crate) mod fold;
pub(crate) mod operator;
pub mod order;
pub(crate) mod precision;
pub(crate) mod statistics;
