//! What a selection does, as numbers.

use crate::{
    algebra::element::ElementType,
    dispatch::{
        plan::{Dispatch, Plan},
        windows::View,
    },
    plural::count,
    way::{Mechanism, Strategy, Variant, policy::Policy},
};
use std::fmt;

/// How the caller wants it done.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Way {
    pub(super) variant: Variant,
    pub(super) strategy: Strategy,
    pub(super) policy: Option<Policy>,
}

/// Where the number of all goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct CountPlace {
    /// The word of its binding.
    pub(super) word: u32,
    /// Whether its buffer is no other one's, so that a dispatch can bind it beside those.
    pub(super) is_apart: bool,
}

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
    /// Two passes over the elements, or a single one.
    pub strategy: Strategy,
    /// The first two passes. A single one has none.
    pub(super) totals: Vec<Dispatch>,
    /// The last one, for each part of the output that a binding spans.
    pub(super) parts: Vec<OutputPart>,
    /// Of scratch memory.
    pub(super) entries: u64,
    pub(super) progress_bytes: u64,
}

/// Part of the output, and what is written there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OutputPart {
    pub(super) output: View,
    pub(super) dispatches: Vec<Dispatch>,
}

impl CompactionPlan {
    /// Bytes of scratch memory: a word that nothing counts in, the blocks' totals, what is before each block, the total of all, and the last
    /// element of each launch. 0 of a single pass.
    pub fn scratch_bytes(&self) -> u64 {
        16 * self.entries
    }

    /// Bytes of what workgroups of a single pass tell each other, as a scan's do. 0 of two passes.
    pub fn progress_bytes(&self) -> u64 {
        self.progress_bytes
    }

    /// Every dispatch, in order.
    pub fn dispatches(&self) -> impl Iterator<Item = &Dispatch> {
        self.totals.iter().chain(self.parts.iter().flat_map(|part| &part.dispatches))
    }
}

impl From<CompactionPlan> for Plan {
    fn from(plan: CompactionPlan) -> Self {
        let scratch_bytes = plan.scratch_bytes() + plan.progress_bytes();
        let dispatches = plan.dispatches().cloned().collect();
        Self {
            mechanism: plan.mechanism,
            strategy: plan.strategy,
            block_items: plan.block_items,
            ..Self::new(plan.to_string(), plan.element, plan.len, scratch_bytes, dispatches)
        }
    }
}

impl fmt::Display for CompactionPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} of {} {}, {}, {}, blocks of {}, {}",
            self.what,
            count(self.len, "element"),
            self.element,
            self.mechanism,
            self.strategy.name(),
            self.block_items,
            count(self.dispatches().count() as u64, "dispatch")
        )
    }
}
