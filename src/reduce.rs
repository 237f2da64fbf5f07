//! Reductions: their problem, plan and policy, and the types that make them.

pub(crate) mod accumulate;
pub(crate) mod batch;
mod explain;
pub(crate) mod inputs;
pub(crate) mod plan;
mod planner;
pub(crate) mod problem;
pub(crate) mod reducer;
mod tuning;
pub(crate) mod work;
