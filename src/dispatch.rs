//! Dispatches, as numbers and then recorded; windows over inputs. What primitives share.
//!
//! It may depend on `device`, and on what `device` depends on: on no primitive.

pub(crate) mod plan;
pub(crate) mod prepared;
pub(crate) mod recording;
pub(crate) mod windows;
