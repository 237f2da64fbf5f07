//! A device of the caller's, and what this library keeps of it: buffers, pipelines, what the device can do.
//!
//! It may depend on `wgsl`, whose modules become pipelines, and on what `wgsl` and errors depend on.

pub(crate) mod buffer;
pub(crate) mod capabilities;
pub(crate) mod context;
pub(crate) mod error_scope;
pub(crate) mod extent;
pub(crate) mod mapping;
pub(crate) mod pipeline;
#[cfg(not(target_arch = "wasm32"))]
pub(crate) mod poller;
pub(crate) mod pool;
pub(crate) mod probe;
pub(crate) mod probe_doubles;
pub(crate) mod readback;
#[cfg(not(target_arch = "wasm32"))]
pub mod selector;
mod start;
pub(crate) mod timer;
#[cfg(not(target_arch = "wasm32"))]
pub(crate) mod upload;
