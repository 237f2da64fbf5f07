//! Selections on a device: some of the elements, in order, and how many they are.
//!
//! It may depend on `reduce`, and on what that depends on.

pub(crate) mod compaction;
pub(crate) mod compactor;
mod launches;
mod masks;
pub(crate) mod plan;
mod planner;
