//! What is computed: elements, operators, and what results promise.
//!
//! It may depend on [`crate::exact`] and [`crate::order`].

pub(crate) mod acc_words;
pub(crate) mod accumulator;
pub(crate) mod difference;
pub(crate) mod element;
pub(crate) mod exact_terms;
pub(crate) mod exact_total;
pub(crate) mod f64_arithmetic;
pub(crate) mod flag;
pub(crate) mod float;
pub(crate) mod float_environment;
pub(crate) mod fold;
mod fold_narrow;
pub(crate) mod four_moments;
pub(crate) mod keys;
pub(crate) mod narrow;
pub(crate) mod offset;
pub(crate) mod operator;
pub(crate) mod operator_type;
pub(crate) mod operators;
pub(crate) mod options;
pub(crate) mod part;
pub(crate) mod precision;
pub(crate) mod result_type;
pub(crate) mod run_moments;
pub(crate) mod scan;
pub(crate) mod segments;
pub(crate) mod spread;
pub(crate) mod sums;
pub(crate) mod two_moments;
pub(crate) mod variances;
