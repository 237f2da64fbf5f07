//! What a reduction of segments does, as numbers.

use crate::{
    algebra::{
        operator::{Arithmetic, OperatorSpec},
        precision::Precision,
    },
    dispatch::plan::{Dispatch, Plan},
    plural::count,
    reduce::plan::ReductionPlan,
    segments::{before::BeforePlan, seams::Seams},
};
use std::fmt;

/// A list of dispatches, made before anything is recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SegmentPlan {
    /// The operator, and the element type.
    pub spec: OperatorSpec,
    /// Elements, of segments or of none.
    pub len: u64,
    /// Segments.
    pub segments: u64,
    /// The way in which floats are combined.
    pub arithmetic: Arithmetic,
    /// Whether results are rounded once.
    pub(super) is_exact: bool,
    /// The dispatches, in their order, once it is known where segments are. Of an input that no binding spans, they are those of one piece of it
    /// after another.
    pub dispatches: Vec<Dispatch>,
    /// The plans of segments that no binding has: each is reduced alone.
    pub alone: Vec<ReductionPlan>,
    /// What runs before.
    pub(super) before: Option<BeforePlan>,
    /// What is copied before, where elements lie in several slices.
    pub(super) seams: Seams,
    /// Totals that dispatches hand on.
    pub(super) totals: u64,
    /// Words behind them, by which passes know that they have nothing to do.
    pub(super) length_words: u64,
}

impl SegmentPlan {
    /// Bytes of scratch memory: a word that nothing counts in, the totals of chunks, of each level, and words that say how long segments are. 0 if nothing is
    /// dispatched. What the device makes before is not among them: offsets of lengths, counts of groups, and copies of elements.
    pub fn scratch_bytes(&self) -> u64 {
        let Some(dispatch) = self.dispatches.first() else { return 0 };
        let acc_words = u64::from(dispatch.shader.acc_words());
        (1 + self.totals.max(1) * acc_words + self.length_words).next_multiple_of(4) * 4
    }

    /// What runs one after the other, in the same scratch memory. The other one has nothing that runs before.
    pub(super) fn and_then(mut self, other: Self) -> Self {
        self.dispatches.extend(other.dispatches);
        self.totals = self.totals.max(other.totals);
        self.length_words = self.length_words.max(other.length_words);
        self
    }

    /// Every dispatch, in order.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Dispatch> {
        let alone = self.alone.iter().flat_map(|plan| &plan.dispatches);
        let before = self.before.iter().flat_map(BeforePlan::dispatches);
        before.chain(&self.seams.copies).chain(&self.dispatches).chain(alone)
    }
}

impl From<SegmentPlan> for Plan {
    fn from(plan: SegmentPlan) -> Self {
        let asked = if plan.is_exact { Precision::Exact } else { Precision::Reproducible };
        let dispatches = plan.all().cloned().collect();
        let (line, scratch_bytes) = (plan.to_string(), plan.scratch_bytes());
        Self {
            precision: asked.kept_of(&plan.spec).unwrap_or(asked),
            arithmetic: plan.arithmetic,
            ..Self::new(line, plan.spec.element, plan.len, scratch_bytes, dispatches)
        }
    }
}

impl fmt::Display for SegmentPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} of {} of {} of {}, {}",
            self.spec.name(),
            count(self.segments, "segment"),
            count(self.len, "element"),
            self.spec.element,
            count(self.all().count() as u64, "dispatch")
        )?;
        match self.alone.len() {
            0 => Ok(()),
            alone => write!(f, ", {} alone", count(alone as u64, "segment")),
        }
    }
}
