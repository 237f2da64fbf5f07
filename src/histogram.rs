//! Histograms on a device: how many elements each bin has.
//!
//! It may depend on `bins`, on `reduce` for inputs and what is checked of them, on `dispatch`, and on what these depend on.

pub(crate) mod counter;
mod even;
pub(crate) mod plan;
mod planner;
