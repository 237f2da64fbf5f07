//! From a plan to dispatches: windows over inputs, shaders, pipelines, recordings. What primitives share.

pub(crate) mod params;
pub(crate) mod pipeline;
pub(crate) mod plan;
pub(crate) mod recording;
pub mod shader;
pub(crate) mod sources;
pub(crate) mod windows;
