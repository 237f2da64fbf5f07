//! What differences take, as numbers.

use crate::{
    algebra::element::ElementType,
    device::{capabilities::Capabilities, extent::Extent},
    dispatch::plan::Dispatch,
    error::PrepareError,
    plural::count,
    way::policy::Policy,
    wgsl::shader::{Constants, ShaderKey},
};
use std::fmt;

/// What there are to be differences of.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    pub(super) element: ElementType,
    pub(super) slices: Vec<Extent>,
    /// As long together. Each may end elsewhere.
    pub(super) output_slices: Vec<Extent>,
    /// Whether the output's slices are the input's.
    pub(super) in_place: bool,
    pub(super) policy: Option<Policy>,
}

/// A list of dispatches, made before anything is recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DifferencePlan {
    /// The element type.
    pub element: ElementType,
    /// Elements, over all slices.
    pub len: u64,
    /// Whether differences take the elements' places.
    pub in_place: bool,
    /// Elements of a block, which is what a workgroup takes: a power of two.
    pub block_items: u64,
    /// The dispatches, in their order.
    pub dispatches: Vec<Dispatch>,
    /// Of scratch memory.
    pub(super) entries: u64,
}

impl DifferencePlan {
    /// Bytes of scratch memory: two words that nothing counts in, and the last element of each block.
    pub fn scratch_bytes(&self) -> u64 {
        (8 * self.entries).next_multiple_of(16)
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

impl fmt::Display for DifferencePlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "differences of {} {}{}, blocks of {}, {}",
            count(self.len, "element"),
            self.element,
            if self.in_place { ", in place" } else { "" },
            self.block_items,
            count(self.dispatches.len() as u64, "dispatch")
        )
    }
}
