//! Reductions: their problem, plan and tuned numbers, and the types that make them.
//!
//! It may depend on `dispatch`, on what `dispatch` depends on, and on `partial`: not on `executor`.

pub(crate) mod accumulate;
pub(crate) mod any_reducer;
pub(crate) mod blocks;
pub(crate) mod checks;
pub(crate) mod counted;
mod explain;
pub(crate) mod inputs;
pub(crate) mod mapped;
mod part;
pub(crate) mod plan;
pub(crate) mod planner;
pub(crate) mod prepared;
pub(crate) mod problem;
pub(crate) mod reducer;
pub(crate) mod reduction;
mod tuning;
pub(crate) mod ways;
pub(crate) mod work;
