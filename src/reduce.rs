//! Reductions: their problem, plan and tuned numbers, and the types that make them.
//!
//! It may depend on `dispatch`, and on what `dispatch` depends on: not on `cpu`, nor on those who reduce.

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
