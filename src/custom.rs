//! WGSL of the user's own: read, checked, and made into [`Program`](crate::wgsl::program::Program)s, which kernels are joined with.
//!
//! It may depend on `algebra`, `wgsl`, `cpu` and errors.

pub(crate) mod any_operator;
mod copies;
pub(crate) mod expression;
mod glue;
mod module;
pub(crate) mod operator;
mod packed;
mod source;
