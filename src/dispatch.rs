//! From a plan to dispatches: modules, pipelines, recordings.

pub(crate) mod pass;
pub(crate) mod pipeline;
pub mod shader;
