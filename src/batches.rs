//! Many reductions at once.
//!
//! It may depend on `reduce`, and on what that depends on.

pub(crate) mod batch;
mod jobs;
pub(crate) mod prepared_batch;
pub(crate) mod ticket;
mod warm_up;
