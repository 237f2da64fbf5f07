//! What a scan does, as numbers.

use crate::{
    algebra::{
        operator::{Arithmetic, OperatorSpec},
        precision::Precision,
    },
    device::{capabilities::SubgroupSizes, extent::Extent},
    dispatch::plan::{Dispatch, Plan, progress_bytes},
    plural::count,
    way::{Mechanism, Strategy, Variant, policy::Policy},
    wgsl::{params::Own, program::Program},
};
use std::fmt;

/// What is to be scanned, and how the caller wants it done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScanProblem {
    /// The operator, and the element type.
    pub spec: OperatorSpec,
    /// The operator's text, if it is a user's own.
    pub program: Option<Program>,
    /// The input slices, scanned as one sequence.
    pub slices: Vec<Extent>,
    /// Those of the output, which are as long together. Each may end elsewhere.
    pub output_slices: Vec<Extent>,
    /// Whether the output's slices are the input's.
    pub in_place: bool,
    /// Whether each result is of its own element, too.
    pub is_inclusive: bool,
    /// How many elements of the sequence come before the input's: what they come to is in the state that the first launch goes on from.
    pub first: u64,
    /// The words of what comes before all elements, the low one first, and zeros behind them: of the element, as it is loaded, or of its
    /// accumulator, if the operator takes that.
    pub initial: Option<[u32; 4]>,
    /// The variant asked for.
    pub variant: Variant,
    /// The strategy asked for.
    pub strategy: Strategy,
    /// How a pass is cut into workgroups, if not as suits the device.
    pub policy: Option<Policy>,
}

/// A list of dispatches, made before anything is recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ScanPlan {
    /// The operator, and the element type.
    pub spec: OperatorSpec,
    /// Whether each result is of its own element, too.
    pub is_inclusive: bool,
    /// Elements, over all slices.
    pub len: u64,
    /// How the invocations of a workgroup combine.
    pub mechanism: Mechanism,
    /// The sizes a subgroup can have, where the mechanism uses them.
    pub subgroups: Option<SubgroupSizes>,
    /// The way in which floats are combined.
    pub arithmetic: Arithmetic,
    /// Two passes, which reduce and then scan, or a single one.
    pub strategy: Strategy,
    /// Elements of a block, which is what a workgroup takes: a power of two.
    pub block_items: u64,
    /// The dispatches, in their order.
    pub dispatches: Vec<Dispatch>,
}

impl ScanPlan {
    /// Bytes of scratch memory: a word that nothing counts in, the state before and after a launch, its blocks' totals, and what is
    /// before each block and behind the last one. 0 if nothing is dispatched.
    pub fn scratch_bytes(&self) -> u64 {
        let dispatches = self.dispatches.iter();
        let with_scratch = dispatches.filter(|dispatch| dispatch.shader.kernel.uses_scratch());
        let accs = with_scratch.map(|dispatch| {
            let blocks = u64::from(dispatch.params.blocks);
            let partials = match dispatch.params.own {
                Own::Reduction(own) => own.partials,
                own => own.scan().partials,
            };
            let befores = u64::from(dispatch.shader.before_accs()) * (blocks + 1);
            u64::from(partials) + blocks + befores
        });
        let words = accs.max().map(|accs| 1 + accs * u64::from(self.spec.acc_words()));
        words.map_or(0, |words| words.next_multiple_of(4) * 4)
    }

    /// Bytes of what workgroups of a single pass tell each other: four words for all of them, and four for each word of the totals of blocks, of 64 of them,
    /// and of 64 of those. 0 of other strategies.
    pub fn progress_bytes(&self) -> u64 {
        if self.strategy != Strategy::SinglePass {
            return 0;
        }
        progress_bytes(self.len.div_ceil(self.block_items), self.spec.acc_words())
    }
}

impl From<ScanPlan> for Plan {
    fn from(plan: ScanPlan) -> Self {
        let scratch_bytes = plan.scratch_bytes() + plan.progress_bytes();
        let (line, element) = (plan.to_string(), plan.spec.element);
        Self {
            precision: kept_by_scans(&plan.spec),
            mechanism: plan.mechanism,
            arithmetic: plan.arithmetic,
            strategy: plan.strategy,
            block_items: plan.block_items,
            ..Self::new(line, element, plan.len, scratch_bytes, plan.dispatches)
        }
    }
}

impl fmt::Display for ScanPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.is_inclusive { "inclusive" } else { "exclusive" };
        write!(
            f,
            "{kind} scan by {} of {} {}, {}, {}, blocks of {}, {}",
            self.spec.name(),
            count(self.len, "element"),
            self.spec.element,
            self.mechanism,
            self.strategy.name(),
            self.block_items,
            count(self.dispatches.len() as u64, "dispatch")
        )
    }
}

/// The precision of scans by an operator, whatever is asked for.
pub(super) fn kept_by_scans(spec: &OperatorSpec) -> Precision {
    Precision::Reproducible.kept_of(spec).unwrap_or(Precision::Reproducible)
}
