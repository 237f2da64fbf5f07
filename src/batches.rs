//! Many reductions at once.
//!
//! It may depend on `segments`, which short inputs become, on `reduce`, and on what these depend on.

pub(crate) mod batch;
pub(crate) mod jobs;
pub(crate) mod prepared_batch;
mod short;
pub(crate) mod ticket;
mod warm_up;
