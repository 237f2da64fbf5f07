//! The modules, as text: kernels, the shader files that each is joined from, and what it is told.

pub(crate) mod kernel;
pub(crate) mod params;
pub(crate) mod shader;
pub(crate) mod sources;
