//! What a selection does, as numbers.

use crate::{
    algebra::element::ElementType,
    device::capabilities::Capabilities,
    dispatch::{plan::Dispatch, windows::View},
    error::PrepareError,
    plural::count,
    way::Mechanism,
    wgsl::shader::{Constants, ShaderKey},
};
use std::fmt;

/// A list of dispatches, made before anything is recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CompactionPlan {
    /// What it selects.
    pub(super) what: &'static str,
    /// The element type, or that of positions.
    pub element: ElementType,
    /// Elements, or flags where there are none.
    pub len: u64,
    /// Elements of a block, which is what a workgroup takes: a power of two.
    pub block_items: u64,
    /// Through what the lanes of the last pass combine. Those of the others combine through workgroup memory.
    pub mechanism: Mechanism,
    /// The first two passes.
    pub(super) totals: Vec<Dispatch>,
    /// The last one, for each part of the output that a binding spans.
    pub(super) parts: Vec<OutputPart>,
    /// Of scratch memory.
    pub(super) entries: u64,
}

/// Part of the output, and what is written there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OutputPart {
    pub(super) output: View,
    pub(super) dispatches: Vec<Dispatch>,
}

impl CompactionPlan {
    /// Bytes of scratch memory: a word that nothing counts in, the blocks' totals, what is before each block, the total of all, and the last
    /// element of each launch.
    pub fn scratch_bytes(&self) -> u64 {
        16 * self.entries
    }

    /// Every dispatch, in order.
    pub fn dispatches(&self) -> impl Iterator<Item = &Dispatch> {
        self.totals.iter().chain(self.parts.iter().flat_map(|part| &part.dispatches))
    }

    /// The shaders of the dispatches, and the values of their constants.
    pub(crate) fn pipelines(&self) -> impl Iterator<Item = (ShaderKey, Constants)> + '_ {
        self.dispatches().map(|dispatch| (dispatch.shader, dispatch.constants))
    }

    /// Refuses a plan with a kernel that the capabilities avoid.
    pub(super) fn check_avoided(&self, capabilities: &Capabilities) -> Result<(), PrepareError> {
        let avoided = self.dispatches().find_map(|dispatch| {
            let kernel = dispatch.shader.kernel;
            let avoided = capabilities.avoids(kernel, dispatch.shader.mechanism)?;
            let reason = avoided.reason.clone().into_owned();
            Some(PrepareError::Avoided { kernel: kernel.name(), reason })
        });
        avoided.map_or(Ok(()), Err)
    }
}

impl fmt::Display for CompactionPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} of {} {}, {}, blocks of {}, {}",
            self.what,
            count(self.len, "element"),
            self.element,
            self.mechanism,
            self.block_items,
            count(self.dispatches().count() as u64, "dispatch")
        )
    }
}
