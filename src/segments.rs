//! Many reductions in one, on a device: one of each segment of a sequence.
//!
//! It may depend on `reduce`, whose results its own are, on `scan`, which makes offsets of lengths, on `axes`, and on what these depend on.

pub(crate) mod any_segmented;
mod axes_table;
mod before;
mod bound;
mod check;
mod chunks;
mod group_blocks;
pub(crate) mod group_room;
pub(crate) mod known;
pub(crate) mod layout;
pub(crate) mod pieces;
pub(crate) mod plan;
mod planner;
mod seams;
pub(crate) mod segmented_reducer;
mod views;
mod windows;
