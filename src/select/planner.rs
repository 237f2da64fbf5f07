//! The planner of selections: (Compaction, Capabilities) → CompactionPlan.
//!
//! The passes are a scan's: blocks' totals, what is before each block, and the elements again. But all launches have their totals before any
//! element is written, because what stands behind all flagged elements needs the number of these. A single pass looks back instead, and has one launch.

use crate::{
    algebra::{
        element::ElementType, operator::Arithmetic, operator_type::OperatorType,
        precision::Precision,
    },
    device::capabilities::{Capabilities, DeviceClass},
    dispatch::{
        plan::{
            Dispatch, MAX_SINGLE_PASS_BLOCKS, check_avoided, progress_bytes, single_pass_flags,
        },
        windows::{View, max_window_items},
    },
    error::PrepareError,
    order::MAX_LEN,
    reduce::ways::arithmetic_of,
    select::{
        compaction::{Compaction, Kind},
        launches::{Launch, Part, launches_of, parts},
        plan::{CompactionPlan, CountPlace, OutputPart, Way},
    },
    way::{Mechanism, Strategy, Variant, policy::Policy},
    wgsl::{
        kernel::{Kernel, Selected},
        lanes::Lanes,
        params::{Params, SelectionParams, halves},
        program::Program,
        shader::{Constants, ShaderKey},
    },
};

impl CompactionPlan {
    pub(super) fn new(
        problem: &Compaction,
        count: CountPlace,
        way: Way,
        capabilities: &Capabilities,
    ) -> Result<Self, PrepareError> {
        let len = problem.len();
        if len > MAX_LEN {
            return Err(PrepareError::TooLong { len });
        }
        let policy = way.policy.unwrap_or(default_policy(capabilities.device_class));
        if !policy.is_within_bounds() {
            return Err(PrepareError::Policy { policy });
        }
        if goes_in_single_pass(problem, way.strategy, way.policy, capabilities)?
            && let Some(plan) = Self::in_single_pass(problem, count, way.variant, capabilities)?
        {
            return Ok(plan);
        }
        let log2_block_items = log2_block_items(len, policy, problem.element, capabilities);
        let launches = launches_of(problem, log2_block_items, capabilities)?;
        let parts = parts(problem, capabilities)?;
        let arithmetic = predicate_arithmetic(problem, capabilities);
        let mechanism = mechanism_of(problem, way.variant, capabilities)?;
        let planner =
            Planner { problem, launches: &launches, log2_block_items, arithmetic, mechanism };
        let plan = Self {
            what: problem.kind.name(),
            element: problem.element,
            len,
            block_items: 1 << log2_block_items,
            mechanism,
            strategy: Strategy::TwoPass,
            totals: planner.totals(count.word),
            parts: parts.iter().map(|&part| planner.part(part)).collect(),
            entries: planner.last_item(launches.len()).into(),
            progress_bytes: 0,
        };
        let max_binding_bytes = capabilities.max_binding_bytes.min(capabilities.max_buffer_bytes);
        let needed_bytes = plan.scratch_bytes();
        if needed_bytes > max_binding_bytes {
            return Err(PrepareError::BindingTooSmall { max_binding_bytes, needed_bytes });
        }
        check_avoided(plan.dispatches(), capabilities)?;
        Ok(plan)
    }
}

impl CompactionPlan {
    /// The plan, if the selection can go this way: it is a single launch, to an output that one binding spans, without what is not selected, which would
    /// come behind a number that is known only at the end.
    fn in_single_pass(
        problem: &Compaction,
        count: CountPlace,
        variant: Variant,
        capabilities: &Capabilities,
    ) -> Result<Option<Self>, PrepareError> {
        let kernel = last_kernel(problem).of_single_pass().expect("it is a selection's");
        let mechanisms: &[Mechanism] = match (variant, capabilities.subgroups) {
            (Variant::Subgroup, None) => return Err(PrepareError::NoSubgroups),
            (Variant::Subgroup, Some(_)) => &[Mechanism::Subgroup],
            (Variant::Auto, Some(_)) => &[Mechanism::Subgroup, Mechanism::WorkgroupMemory],
            (Variant::Auto | Variant::WorkgroupMemory, _) => &[Mechanism::WorkgroupMemory],
        };
        let is_sound = |mechanism: &&Mechanism| capabilities.avoids(kernel, **mechanism).is_none();
        let Some(&mechanism) = mechanisms.iter().find(is_sound) else { return Ok(None) };
        let launches = launches_of(problem, LOG2_SINGLE_PASS_BLOCK_ITEMS, capabilities)?;
        let parts = parts(problem, capabilities)?;
        let ([launch], &[part]) = (&*launches, &*parts) else { return Ok(None) };
        let planner = Planner {
            problem,
            launches: &launches,
            log2_block_items: LOG2_SINGLE_PASS_BLOCK_ITEMS,
            arithmetic: predicate_arithmetic(problem, capabilities),
            mechanism,
        };
        let blocks = planner.blocks_of(launch);
        let Kernel::SelectSinglePass { what } = kernel else { return Ok(None) };
        let progress_bytes = progress_bytes(blocks.into(), what.acc_words());
        let max_binding_bytes = capabilities.max_binding_bytes.min(capabilities.max_buffer_bytes);
        let binds = planner.key(kernel).storage_bindings().count() as u64;
        let fits = count.is_apart
            && blocks <= capabilities.max_workgroups.min(MAX_SINGLE_PASS_BLOCKS)
            && binds <= u64::from(capabilities.max_storage_buffers)
            && progress_bytes <= max_binding_bytes;
        Ok(fits.then(|| Self {
            what: problem.kind.name(),
            element: problem.element,
            len: problem.len(),
            block_items: 1 << LOG2_SINGLE_PASS_BLOCK_ITEMS,
            mechanism,
            strategy: Strategy::SinglePass,
            totals: Vec::new(),
            parts: vec![planner.single_pass(
                part,
                what,
                count,
                single_pass_flags(capabilities.device_class),
            )],
            entries: 0,
            progress_bytes,
        }))
    }
}

/// The logarithm of a block's elements in a single pass: two rounds, as in shaders/select/single_pass.wgsl.
const LOG2_SINGLE_PASS_BLOCK_ITEMS: u32 = Lanes::USUAL.log2_round_items + 1;

/// Whether a single pass is asked for, or is faster as far as is known.
fn goes_in_single_pass(
    problem: &Compaction,
    strategy: Strategy,
    policy: Option<Policy>,
    capabilities: &Capabilities,
) -> Result<bool, PrepareError> {
    match strategy {
        Strategy::TwoPass => Ok(false),
        Strategy::Auto => Ok(capabilities.coherent_memory
            && capabilities.device_class == DeviceClass::Nvidia
            && problem.kind != Kind::Partition
            && policy.is_none()),
        // It has two passes in any case, so it needs no coherent memory.
        Strategy::SinglePass if problem.kind == Kind::Partition => Ok(false),
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

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Select => "selection",
            Self::Positions => "positions",
            Self::Partition => "partition",
            Self::Unique => "unique elements",
            Self::RunLengths => "run lengths",
            Self::RunBegins => "run begins",
        }
    }
}

/// How the device computes a predicate.
fn predicate_arithmetic(problem: &Compaction, capabilities: &Capabilities) -> Arithmetic {
    let spec = problem.predicate.as_ref().map(Program::spec);
    spec.map_or(Arithmetic::Hardware, |spec| {
        arithmetic_of(spec, Precision::Reproducible, capabilities)
    })
}

/// The kernel of the last pass.
fn last_kernel(problem: &Compaction) -> Kernel {
    match problem.kind {
        _ if problem.predicate.is_some() => Kernel::SelectWhere,
        Kind::Select | Kind::Positions | Kind::Partition => Kernel::SelectFlagged,
        Kind::Unique => Kernel::SelectHeads,
        Kind::RunLengths => Kernel::SelectRuns,
        Kind::RunBegins => Kernel::SelectBegins,
    }
}

/// The mechanism through which the lanes of the last pass combine. Where the device avoids one, and the choice is free, it is the other one.
fn mechanism_of(
    problem: &Compaction,
    variant: Variant,
    capabilities: &Capabilities,
) -> Result<Mechanism, PrepareError> {
    let by_subgroups = Mechanism::Subgroup;
    let is_avoided = || capabilities.avoids(last_kernel(problem), by_subgroups).is_some();
    match (variant, capabilities.subgroups) {
        (Variant::Subgroup, None) => Err(PrepareError::NoSubgroups),
        (Variant::Subgroup, Some(_)) => Ok(by_subgroups),
        (Variant::Auto, Some(_)) if !is_avoided() => Ok(by_subgroups),
        (Variant::Auto | Variant::WorkgroupMemory, _) => Ok(Mechanism::WorkgroupMemory),
    }
}

/// Blocks are as short as this, and beyond these many they grow. (No row was measured so far.)
fn default_policy(class: DeviceClass) -> Policy {
    match class {
        DeviceClass::Cpu => Policy { min_rows: 16, max_workgroups: 2048 },
        _ => Policy { min_rows: 8, max_workgroups: 2048 },
    }
}

fn log2_block_items(
    len: u64,
    policy: Policy,
    element: ElementType,
    capabilities: &Capabilities,
) -> u32 {
    let launch_items = len.min(max_window_items(element, capabilities));
    let wanted = launch_items.div_ceil(policy.max_workgroups.into()).next_power_of_two().ilog2();
    wanted.max((policy.min_rows * 1024).ilog2())
}

struct Planner<'a> {
    problem: &'a Compaction,
    launches: &'a [Launch],
    log2_block_items: u32,
    /// How predicates add and multiply floats.
    arithmetic: Arithmetic,
    /// How the last pass's workgroups combine.
    mechanism: Mechanism,
}

impl Planner<'_> {
    fn blocks_of(&self, launch: &Launch) -> u32 {
        narrow((launch.end - launch.begin).div_ceil(1 << self.log2_block_items))
    }

    /// Blocks of the launches before this one.
    fn blocks_before(&self, launch: usize) -> u32 {
        self.launches[..launch].iter().map(|launch| self.blocks_of(launch)).sum()
    }

    // Entries of scratch memory. Entry 0 has the word that nothing counts in.

    fn total(&self, block: u32) -> u32 {
        1 + block
    }

    fn before(&self, block: u32) -> u32 {
        self.total(self.blocks_before(self.launches.len())) + block
    }

    fn all(&self) -> u32 {
        self.before(self.blocks_before(self.launches.len()))
    }

    fn last_item(&self, launch: usize) -> u32 {
        self.all() + 1 + narrow(launch as u64)
    }

    fn key(&self, kernel: Kernel) -> ShaderKey {
        let mechanism = self.mechanism;
        if let Some(program) = self.problem.predicate.as_ref().filter(|_| kernel.is_by_predicate())
        {
            return ShaderKey::of_program(kernel, program, mechanism, self.arithmetic);
        }
        let element = match kernel.copies_items() {
            true if self.items_are_narrow() => ElementType::U8,
            true if self.items_are_places() => ElementType::U32x4,
            _ => ElementType::U32,
        };
        ShaderKey::new(kernel, OperatorType::Count, element, mechanism, Arithmetic::Hardware)
    }

    /// Whether elements are less than a word.
    fn items_are_narrow(&self) -> bool {
        self.problem.element.packing().is_narrow()
    }

    /// Whether kernels take elements for the places of their first words: they look at components, or there are more than two.
    fn items_are_places(&self) -> bool {
        let element = self.problem.element;
        element.words() > 2 || (element.is_vector() && self.problem.predicate.is_some())
    }

    /// Where a binding's first item is, in words, or in bytes of items of less.
    fn first_item(&self, view: View) -> u32 {
        if self.items_are_narrow() { view.head_bytes } else { view.head_bytes / 4 }
    }

    /// The parameters of every kernel of a launch.
    fn params(&self, index: usize, launch: &Launch) -> Params {
        let [position_low, position_high] = halves(self.problem.begin + launch.begin);
        let left = launch.left;
        let mask = launch.mask;
        let flag_bytes = self.problem.mask.as_ref().map_or(0, |mask| mask.flag_bytes);
        let flags = [
            (index + 1 == self.launches.len(), Params::ENDS),
            (index > 0, Params::RESUMES),
            (self.problem.kind == Kind::Partition, Params::KEEPS_REST),
            (self.problem.numbers == ElementType::U32, Params::HAS_SHORT_NUMBERS),
        ];
        let own = SelectionParams {
            item_words: if self.items_are_places() { self.problem.element.words() } else { 0 },
            mask_begin: mask.map_or(0, |(_, first)| first),
            mask_stride_bytes: mask.map_or(0, |(view, _)| view.stride_bytes.unwrap_or(flag_bytes)),
            position_low,
            position_high,
            entries_of_blocks: self.total(self.blocks_before(index)),
            entries_before: self.before(self.blocks_before(index)),
            entry_of_all: self.all(),
            // Entry 0 is nothing's, and no other launch writes there.
            last_item_before: index.checked_sub(1).map_or(0, |before| self.last_item(before)),
            last_item: self.last_item(index),
            ..SelectionParams::default()
        };
        let params = Params {
            end: narrow(launch.end - launch.begin),
            base: left.map_or(0, |left| self.first_item(left)),
            stride_bytes: left.map_or(0, |left| {
                left.stride_bytes.unwrap_or(narrow(self.problem.element.size_bytes()))
            }),
            log2_block_items: self.log2_block_items,
            blocks: self.blocks_of(launch),
            flags: flags.iter().filter(|(is, _)| *is).map(|(_, flag)| flag).sum(),
            own: own.into(),
            ..Params::default()
        };
        params.with_arguments(self.problem.arguments.unwrap_or_default())
    }

    fn constants(&self, kernel: Kernel) -> Constants {
        let flag_bytes = self.problem.mask.as_ref().map(|mask| mask.flag_bytes);
        let looks_at_items = kernel.copies_items() || kernel.is_by_predicate();
        if looks_at_items && self.items_are_narrow() {
            return Constants::NarrowSelection {
                flag_bytes,
                item_bytes: narrow(self.problem.element.size_bytes()),
                are_positions: kernel.scatters() && self.problem.kind == Kind::Positions,
            };
        }
        let has_items = kernel.scatters() || kernel == Kernel::CountHeads;
        let item_words = has_items.then(|| self.problem.item_words());
        let item_words = item_words.filter(|&words| words == 0 || !self.items_are_places());
        Constants::Selection { flag_bytes, item_words }
    }

    /// The first two passes.
    fn totals(&self, count_word: u32) -> Vec<Dispatch> {
        let by_mask = self.problem.mask.is_some();
        let kernel = match self.problem.predicate {
            Some(_) => Kernel::CountWhere,
            None if by_mask => Kernel::CountFlagged,
            None => Kernel::CountHeads,
        };
        let counts = self.launches.iter().enumerate().map(|(index, launch)| Dispatch {
            shader: self.key(kernel),
            constants: self.constants(kernel),
            params: self.params(index, launch),
            left: launch.left.filter(|_| !by_mask),
            right: launch.mask.map(|(view, _)| view),
            third: None,
            slice: None,
            workgroups: self.blocks_of(launch),
        });
        let own = SelectionParams {
            entries_of_blocks: self.total(0),
            entries_before: self.before(0),
            entry_of_all: self.all(),
            count_word,
            ..SelectionParams::default()
        };
        let totals = Dispatch {
            shader: self.key(Kernel::CountTotals),
            constants: Constants::None,
            params: Params {
                blocks: self.blocks_before(self.launches.len()),
                own: own.into(),
                ..Params::default()
            },
            left: None,
            right: None,
            third: None,
            slice: None,
            workgroups: 1,
        };
        counts.chain([totals]).collect()
    }

    /// The last pass, to a part of the output.
    fn part(&self, part: Part) -> OutputPart {
        let kernel = last_kernel(self.problem);
        let [first_output_low, first_output_high] = halves(part.begin);
        let dispatches = self.launches.iter().enumerate().map(|(index, launch)| {
            let params = self.params(index, launch);
            let own = SelectionParams {
                first_output_low,
                first_output_high,
                output_items: narrow(part.end - part.begin),
                lengths_begin: part.lengths.map_or(0, |view| view.head_bytes / 4),
                ..params.own.selection()
            };
            let result_index = self.first_item(part.output);
            Dispatch {
                shader: self.key(kernel),
                constants: self.constants(kernel),
                params: Params { result_index, own: own.into(), ..params },
                left: launch.left,
                right: part.lengths.or(launch.mask.map(|(view, _)| view)),
                third: None,
                slice: None,
                workgroups: self.blocks_of(launch),
            }
        });
        OutputPart { output: part.output, dispatches: dispatches.collect() }
    }

    /// The position below which every four elements lie in whole vectors, for a kernel that loads them so.
    fn vectors_end(&self, kernel: Kernel, left: Option<View>) -> Option<u32> {
        let left = left.filter(|_| self.key(kernel).selects_by_vectors())?;
        let launch = self.launches.first()?;
        Some(narrow(left.vectors_end(0, launch.end - launch.begin, self.problem.element)))
    }

    /// The last pass, as the only one.
    fn single_pass(&self, part: Part, what: Selected, count: CountPlace, flags: u32) -> OutputPart {
        let kernel = Kernel::SelectSinglePass { what };
        let OutputPart { output, dispatches } = self.part(part);
        let dispatches = dispatches.into_iter().map(|last| {
            // There are no entries.
            let own = SelectionParams {
                count_word: count.word,
                entries_of_blocks: 0,
                entries_before: 0,
                entry_of_all: 0,
                last_item_before: 0,
                last_item: 0,
                ..last.params.own.selection()
            };
            let params = Params {
                vec_end: self.vectors_end(kernel, last.left).unwrap_or(0),
                flags: last.params.flags | flags,
                own: own.into(),
                ..last.params
            };
            let (shader, constants) = (self.key(kernel), self.constants(kernel));
            Dispatch { shader, constants, params, ..last }
        });
        OutputPart { output, dispatches: dispatches.collect() }
    }
}

fn narrow(number: u64) -> u32 {
    u32::try_from(number).expect("what a launch has fits 32 bits")
}

#[cfg(test)]
mod tests;
