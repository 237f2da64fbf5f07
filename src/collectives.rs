//! Collectives for users' own kernels: WGSL text, what it needs of a device, and the same functions on the CPU.
//!
//! It may depend on `device`, `custom`, `wgsl`, `cpu` and `algebra`.

mod barriers;
mod builder;
mod error;
mod files;
mod requirements;
pub mod twin;

pub use builder::Collectives;
pub use error::CollectivesError;
pub use files::Collective;
pub use requirements::{CollectiveFunction, CollectivesRequirements, CollectivesTicket};
