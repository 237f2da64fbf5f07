//! Reductions: their plan, their policy, and the types that make them.

pub(crate) mod accumulate;
pub(crate) mod batch;
pub mod plan;
pub(crate) mod policy;
pub(crate) mod reducer;
