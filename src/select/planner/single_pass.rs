//! The planner of selections in a single pass.

use super::{Part, Planner, launches_of, parts, predicate_arithmetic};
use crate::{
    algebra::{operator_type::OperatorType, precision::Precision},
    device::capabilities::Capabilities,
    dispatch::plan::{Dispatch, MAX_SINGLE_PASS_BLOCKS, progress_bytes},
    error::PrepareError,
    select::{
        compaction::{Compaction, Kind},
        plan::{CompactionPlan, CountPlace, OutputPart},
    },
    way::{Mechanism, Strategy, Variant},
    wgsl::{
        kernel::{Kernel, Selected},
        lanes::Lanes,
        params::Params,
    },
};

/// The logarithm of a block's elements: two rounds, as in shaders/select/single_pass.wgsl.
const LOG2_BLOCK_ITEMS: u32 = Lanes::USUAL.log2_round_items + 1;

/// Whether a single pass is asked for. It is no default, as it was measured on no device so far.
pub(super) fn is_asked(
    problem: &Compaction,
    strategy: Strategy,
    capabilities: &Capabilities,
) -> Result<bool, PrepareError> {
    match strategy {
        Strategy::Auto | Strategy::TwoPass => Ok(false),
        Strategy::SinglePass if !capabilities.coherent_memory => {
            Err(PrepareError::NoCoherentMemory)
        }
        Strategy::SinglePass => Ok(true),
        strategy => Err(PrepareError::StrategyUnfit {
            strategy,
            precision: Precision::Reproducible,
            what: "selection",
            operator: OperatorType::Count,
            element: problem.element,
            fitting: match capabilities.coherent_memory {
                true => &[Strategy::Auto, Strategy::TwoPass, Strategy::SinglePass],
                false => &[Strategy::Auto, Strategy::TwoPass],
            },
            looser: None,
        }),
    }
}

impl CompactionPlan {
    /// The plan, if the selection can go this way: it is a single launch, to an output that one binding spans, without what is not selected, which would
    /// come behind a number that is known only at the end.
    pub(super) fn in_single_pass(
        problem: &Compaction,
        count: CountPlace,
        variant: Variant,
        capabilities: &Capabilities,
    ) -> Result<Option<Self>, PrepareError> {
        let kernel = super::last_kernel(problem).of_single_pass().expect("it is a selection's");
        let mechanisms: &[Mechanism] = match (variant, capabilities.subgroups) {
            (Variant::Subgroup, None) => return Err(PrepareError::NoSubgroups),
            (Variant::Subgroup, Some(_)) => &[Mechanism::Subgroup],
            (Variant::Auto, Some(_)) => &[Mechanism::Subgroup, Mechanism::WorkgroupMemory],
            (Variant::Auto | Variant::WorkgroupMemory, _) => &[Mechanism::WorkgroupMemory],
        };
        let is_sound = |mechanism: &&Mechanism| capabilities.avoids(kernel, **mechanism).is_none();
        let Some(&mechanism) = mechanisms.iter().find(is_sound) else { return Ok(None) };
        let launches = launches_of(problem, LOG2_BLOCK_ITEMS, capabilities)?;
        let parts = parts(problem, capabilities)?;
        let ([launch], &[part]) = (&*launches, &*parts) else { return Ok(None) };
        let planner = Planner {
            problem,
            launches: &launches,
            log2_block_items: LOG2_BLOCK_ITEMS,
            arithmetic: predicate_arithmetic(problem, capabilities),
            mechanism,
        };
        let blocks = planner.blocks_of(launch);
        let Kernel::SelectSinglePass { what } = kernel else { return Ok(None) };
        let progress_bytes = progress_bytes(blocks.into(), what.acc_words());
        let max_binding_bytes = capabilities.max_binding_bytes.min(capabilities.max_buffer_bytes);
        let binds = kernel.storage_bindings().len() as u64;
        let fits = problem.kind != Kind::Partition
            && count.is_apart
            && blocks <= capabilities.max_workgroups.min(MAX_SINGLE_PASS_BLOCKS)
            && binds <= u64::from(capabilities.max_storage_buffers)
            && progress_bytes <= max_binding_bytes;
        Ok(fits.then(|| Self {
            what: problem.kind.name(),
            element: problem.element,
            len: problem.len(),
            block_items: 1 << LOG2_BLOCK_ITEMS,
            mechanism,
            strategy: Strategy::SinglePass,
            totals: Vec::new(),
            parts: vec![planner.single_pass(part, what, count)],
            entries: 0,
            progress_bytes,
        }))
    }
}

impl Planner<'_> {
    /// The last pass, as it is the only one.
    fn single_pass(&self, part: Part, what: Selected, count: CountPlace) -> OutputPart {
        let kernel = Kernel::SelectSinglePass { what };
        let OutputPart { output, dispatches } = self.part(part);
        let dispatches = dispatches.into_iter().map(|last| Dispatch {
            shader: self.key(kernel),
            constants: self.constants(kernel),
            // There are no entries.
            params: Params {
                partials: count.word,
                first_node: 0,
                span: 0,
                state_before: 0,
                state_after: 0,
                ..last.params
            },
            ..last
        });
        OutputPart { output, dispatches: dispatches.collect() }
    }
}
