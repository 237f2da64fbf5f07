//! Reductions: their problem, plan and tuned numbers, and the types that make them.
//!
//! It may depend on `dispatch`, and on what `dispatch` depends on: not on `cpu`, nor on those who reduce.

pub(crate) mod accumulate;
pub(crate) mod batch;
mod explain;
pub(crate) mod inputs;
mod jobs;
pub(crate) mod plan;
mod planner;
pub(crate) mod prepared;
pub(crate) mod prepared_batch;
pub(crate) mod problem;
pub(crate) mod reducer;
pub(crate) mod ticket;
mod tuning;
mod warm_up;
pub(crate) mod work;
