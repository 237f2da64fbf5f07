//! Reductions: their problem, plan and policy, and the types that make them.

pub(crate) mod accumulate;
pub(crate) mod batch;
mod explain;
pub mod plan;
pub(crate) mod policy;
mod problem;
pub(crate) mod reducer;
pub(crate) mod work;
