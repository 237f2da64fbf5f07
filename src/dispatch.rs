//! From a plan to dispatches: windows over inputs, shaders, pipelines, recordings. What primitives share.

pub(crate) mod plan;
pub(crate) mod recording;
pub(crate) mod windows;
