//! What differences take, as numbers.

use crate::{
    algebra::element::ElementType,
    device::extent::Extent,
    dispatch::plan::{Dispatch, Plan},
    plural::count,
    way::policy::Policy,
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
}

impl From<DifferencePlan> for Plan {
    fn from(plan: DifferencePlan) -> Self {
        let (line, scratch_bytes) = (plan.to_string(), plan.scratch_bytes());
        Self {
            block_items: plan.block_items,
            ..Self::new(line, plan.element, plan.len, scratch_bytes, plan.dispatches)
        }
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
