//! Scans on a device: a result for each element, of the elements before it.
//!
//! It may depend on `reduce`, whose first pass is the first of its own, on what that depends on, and on `partial`, after which scans go on.

mod after;
pub(crate) mod any_scanner;
pub(crate) mod output;
pub(crate) mod plan;
mod planner;
pub(crate) mod scanner;
