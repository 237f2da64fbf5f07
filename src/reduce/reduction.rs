//! A result, and how it was made: [`Reduction`].

use crate::device::capabilities::AdapterName;
use std::time::Duration;

/// A reduced value, where it was made, and how.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Reduction<V> {
    /// The value.
    pub value: V,
    /// The adapter that made it, or the CPU.
    pub adapter: AdapterName,
    /// The plan, in a line.
    pub plan: String,
    /// The plan, in sentences.
    pub explanation: String,
    /// Device time of the pass. `None` if it can't be measured, on the CPU, and if slices of host memory came
    /// to the device in several chunks, each with a pass of its own.
    pub device_time: Option<Duration>,
}
