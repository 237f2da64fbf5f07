//! What a histogram does, as numbers.

use crate::{
    algebra::element::ElementType,
    device::capabilities::Capabilities,
    dispatch::plan::Dispatch,
    error::PrepareError,
    plural::count,
    wgsl::shader::{Constants, ShaderKey},
};
use std::fmt;

/// A list of dispatches, made before anything is recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HistogramPlan {
    /// The element type.
    pub element: ElementType,
    /// Elements, of bins or of none.
    pub len: u64,
    /// Bins.
    pub bins: u64,
    /// Whether it is written which bin each element is in. Else they are counted.
    pub is_of_numbers: bool,
    /// Bits of a count: 32 or 64; or of a number: 32.
    pub count_bits: u32,
    /// The dispatches, in their order.
    pub dispatches: Vec<Dispatch>,
    /// The keys of edges, in words. Empty where no element can be in a bin.
    pub(super) edge_words: Vec<u32>,
}

impl HistogramPlan {
    /// Bytes of memory for the edges, as elements are compared with them. 0 if no element can be in any bin.
    pub fn edge_bytes(&self) -> u64 {
        (4 * self.edge_words.len() as u64).next_multiple_of(16)
    }

    /// The shaders of the dispatches, and the values of their constants.
    pub(crate) fn pipelines(&self) -> impl Iterator<Item = (ShaderKey, Constants)> + '_ {
        self.dispatches.iter().map(|dispatch| (dispatch.shader.clone(), dispatch.constants))
    }

    /// Refuses a plan with a kernel that the capabilities avoid.
    pub(super) fn check_avoided(&self, capabilities: &Capabilities) -> Result<(), PrepareError> {
        let avoided = self.dispatches.iter().find_map(|dispatch| {
            let kernel = dispatch.shader.kernel;
            let avoided = capabilities.avoids(kernel, dispatch.shader.mechanism)?;
            let reason = avoided.reason.clone().into_owned();
            Some(PrepareError::Avoided { kernel: kernel.name(), reason })
        });
        avoided.map_or(Ok(()), Err)
    }
}

impl fmt::Display for HistogramPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} of {} of {}, {} of {} bits, {}",
            count(self.bins, "bin"),
            count(self.len, "element"),
            self.element,
            if self.is_of_numbers { "numbers" } else { "counts" },
            self.count_bits,
            count(self.dispatches.len() as u64, "dispatch")
        )
    }
}
