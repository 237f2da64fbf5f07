//! What a histogram does, as numbers.

use crate::{
    algebra::element::ElementType,
    dispatch::plan::{Dispatch, Plan},
    plural::count,
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
}

impl From<HistogramPlan> for Plan {
    fn from(plan: HistogramPlan) -> Self {
        let (line, edge_bytes) = (plan.to_string(), plan.edge_bytes());
        Self::new(line, plan.element, plan.len, edge_bytes, plan.dispatches)
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
