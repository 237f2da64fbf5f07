//! The modules, as text: kernels, the shader files that each is joined from, and what it is told. No wgpu handle.
//!
//! It may depend on `algebra`, and on the names in `way`.

pub(crate) mod kernel;
pub(crate) mod params;
pub(crate) mod shader;
pub(crate) mod sources;
