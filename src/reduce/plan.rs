//! What a reduction does, as numbers: the dispatches, and how totals become the result.

use crate::{
    algebra::{
        operator::{Arithmetic, OperatorSpec},
        precision::Precision,
    },
    device::capabilities::{Capabilities, SubgroupSizes},
    dispatch::plan::{Dispatch, Plan, check_avoided},
    error::PrepareError,
    way::{AtomicScope, Mechanism, Strategy},
    wgsl::{lanes::Lanes, shader::ShaderKey},
};

/// How the totals of the first pass become the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Ending {
    /// There is one block, and its total is the result: no second pass.
    SingleBlock,
    /// A second pass folds the blocks' partials.
    Fold,
    /// The last workgroup to finish folds the blocks' partials.
    LastWorkgroup,
    /// Totals meet in an accumulator, by atomics, which a last dispatch makes the result.
    Atomic {
        /// Whose totals.
        scope: AtomicScope,
        /// Whether the device adds floats atomically. Where it does not, or the operator is another,
        /// atomics of integers do the work.
        float_add: bool,
    },
    /// Totals that are not rounded meet in an accumulator, which a last dispatch rounds.
    Exact,
}

/// A list of dispatches, made before anything is recorded. Printable: `{}` in a line, [`ReductionPlan::explain`] in words.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReductionPlan {
    /// The operator, and the element type.
    pub spec: OperatorSpec,
    /// The promise of the result: at least the one that was asked for.
    pub precision: Precision,
    /// Elements, over all slices, or pairs or triples of them.
    pub len: u64,
    /// How the invocations of a workgroup combine.
    pub mechanism: Mechanism,
    /// The sizes a subgroup can have, where the mechanism uses them.
    pub subgroups: Option<SubgroupSizes>,
    /// The way in which floats are added and multiplied.
    pub arithmetic: Arithmetic,
    /// Elements of a block, which is what a workgroup takes: a power of two.
    pub block_items: u64,
    /// How totals become the result.
    pub ending: Ending,
    /// The dispatches, in their order.
    pub dispatches: Vec<Dispatch>,
}

impl ReductionPlan {
    /// Refuses a plan with a kernel that the capabilities avoid.
    pub(crate) fn check_avoided(&self, capabilities: &Capabilities) -> Result<(), PrepareError> {
        check_avoided(&self.dispatches, capabilities)
    }

    /// The shaders of the dispatches, in order.
    pub fn shaders(&self) -> impl Iterator<Item = &ShaderKey> {
        self.dispatches.iter().map(|dispatch| &dispatch.shader)
    }

    /// Blocks, of all dispatches that read elements.
    pub fn blocks(&self) -> u64 {
        let reading = self.dispatches.iter().filter(|dispatch| dispatch.left.is_some());
        reading.map(|dispatch| u64::from(dispatch.workgroups)).sum()
    }

    /// Dispatches that read elements.
    pub(crate) fn launches(&self) -> usize {
        self.dispatches.iter().filter(|dispatch| dispatch.left.is_some()).count()
    }

    /// Bytes of scratch memory, if the plan has any: a word that counts workgroups, then the state before and after a launch, and its partials.
    pub fn scratch_bytes(&self) -> u64 {
        let acc_words = u64::from(self.spec.acc_words());
        let accs = self
            .dispatches
            .iter()
            .filter(|dispatch| dispatch.shader.kernel.uses_scratch())
            .map(|dispatch| {
                let partials = dispatch.params.own.reduction().partials;
                u64::from(partials) + u64::from(dispatch.params.blocks)
            })
            .max()
            .unwrap_or(0);
        match accs {
            0 => 0,
            _ => (1 + accs * acc_words).next_multiple_of(4) * 4,
        }
    }

    /// Whether workgroups count in scratch memory, from 0 on.
    pub(crate) fn counts(&self) -> bool {
        self.ending == Ending::LastWorkgroup
    }

    /// The words of an accumulator in memory that no total has reached yet, where the plan has one.
    pub(crate) fn accumulator_identity(&self) -> Option<Vec<u32>> {
        match self.ending {
            Ending::Exact => {
                let kernels = self.spec.exact_kernels();
                Some(vec![0; kernels.map_or(0, |exact| exact.terms.accumulator_words())])
            }
            Ending::Atomic { .. } => Some(self.spec.combining.identity.to_vec()),
            _ => None,
        }
    }

    /// The strategy that the plan settled on.
    pub fn strategy(&self) -> Strategy {
        match self.ending {
            Ending::SingleBlock | Ending::Fold => Strategy::TwoPass,
            Ending::LastWorkgroup => Strategy::SinglePass,
            Ending::Atomic { scope: AtomicScope::Workgroup, .. } | Ending::Exact => {
                Strategy::WorkgroupAtomic
            }
            Ending::Atomic { scope: AtomicScope::Subgroup, .. } => Strategy::SubgroupAtomic,
        }
    }

    /// Whether the result has the same bits on every device, in every run.
    pub fn is_reproducible(&self) -> bool {
        self.precision >= Precision::Reproducible
    }
}

impl From<ReductionPlan> for Plan {
    fn from(plan: ReductionPlan) -> Self {
        Self {
            element: plan.spec.element,
            len: plan.len,
            precision: plan.precision,
            mechanism: plan.mechanism,
            arithmetic: plan.arithmetic,
            strategy: plan.strategy(),
            block_items: plan.block_items,
            scratch_bytes: plan.scratch_bytes(),
            line: plan.to_string(),
            explanation: plan.explain(),
            dispatches: plan.dispatches,
        }
    }
}

/// Elements that a workgroup loads at a time: the shader's `ROUND_ITEMS`.
pub const ROUND_ITEMS: u64 = 1 << Lanes::USUAL.log2_round_items;
/// Invocations of a workgroup: the shader's `WORKGROUP_SIZE`. (Those of operators with large accumulators are smaller, and so
/// are their rounds.) For tests.
#[cfg(feature = "unstable")]
pub const WORKGROUP_SIZE: u32 = Lanes::USUAL.count;
/// Runs of a state: the shader's `LEVELS`.
pub const LEVELS: u32 = 41;
