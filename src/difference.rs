//! Differences of neighbours on a device.
//!
//! It may depend on `scan`, and on what that depends on.

pub(crate) mod differencer;
pub(crate) mod plan;
mod planner;
