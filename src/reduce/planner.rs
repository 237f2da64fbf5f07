//! The planner of reductions, from numbers alone: (Problem, Capabilities, Policy) → ReductionPlan.

use crate::{
    algebra::{operator::OperatorSpec, precision::Precision},
    device::capabilities::Capabilities,
    dispatch::{
        plan::Dispatch,
        windows::{Inputs, View, Window, max_window_items, windows},
    },
    error::PrepareError,
    reduce::{
        blocks::{
            Groups, MAX_LOG2_BLOCK_ITEMS, max_log2_block_items_of, max_log2_ordered_block_items,
            max_nodes, narrow, span_blocks,
        },
        checks::{binds_result, check_problem, check_strategy},
        plan::{Ending, LEVELS, ROUND_ITEMS, ReductionPlan},
        problem::Problem,
        tuning::Tuning,
        ways::{arithmetic_of, mechanism, other_ways},
    },
    way::{AtomicScope, Mechanism, Strategy, policy::Policy},
    wgsl::{
        kernel::{Kernel, Stored},
        params::{Params, ReductionParams},
        program::Program,
        shader::{Constants, ShaderKey},
    },
};

impl ReductionPlan {
    /// Plans `problem` for a device, by default with the policy for the kind of reduction.
    ///
    /// It leaves out the kernels that the capabilities avoid.
    ///
    /// # Errors
    ///
    /// [`PrepareError`], in the variants `Unsupported`, `Imprecise`, `StrategyUnfit`, `TooLong`, `LengthMismatch`, `LengthMismatchOfThree`,
    /// `NoSubgroups`, `NoCoherentMemory`, `Contradiction`, `Policy`, `BindingTooSmall` and `Avoided`; for slices and capabilities made up by hand
    /// also `Slice` and `Capability`.
    pub fn new(
        problem: &Problem,
        capabilities: &Capabilities,
        policy: Option<Policy>,
    ) -> Result<Self, PrepareError> {
        Self::for_output(problem, capabilities, policy, Stored::Value)
    }

    /// [`ReductionPlan::new`], which writes values or accumulators.
    pub(crate) fn for_output(
        problem: &Problem,
        capabilities: &Capabilities,
        policy: Option<Policy>,
        stored: Stored,
    ) -> Result<Self, PrepareError> {
        let plan = Self::preferred(problem, capabilities, policy, stored)?;
        let Err(avoided) = plan.check_avoided(capabilities) else {
            return Ok(plan);
        };
        other_ways(problem, capabilities)
            .filter_map(|(problem, capabilities)| {
                Self::preferred(&problem, &capabilities, policy, stored).ok()
            })
            .find(|plan| plan.check_avoided(capabilities).is_ok())
            .ok_or(avoided)
    }

    /// The plan for a device on which all is right.
    fn preferred(
        problem: &Problem,
        capabilities: &Capabilities,
        policy: Option<Policy>,
        stored: Stored,
    ) -> Result<Self, PrepareError> {
        let (operator, element) = (problem.operator, problem.element);
        let own = problem.program.as_ref().map(Program::spec);
        let spec = own
            .or_else(|| operator.spec(element))
            .filter(|spec| (spec.operator, spec.element) == (operator, element))
            .ok_or(PrepareError::Unsupported { operator, element })?;
        let (len, precision) = check_problem(problem, spec, capabilities)?;
        let is_exact = precision == Precision::Exact && spec.exact.is_some();
        let scope = match problem.strategy {
            Strategy::Auto | Strategy::TwoPass | Strategy::SinglePass => None,
            Strategy::WorkgroupAtomic => Some(AtomicScope::Workgroup),
            Strategy::SubgroupAtomic => Some(AtomicScope::Subgroup),
        };
        check_strategy(problem, spec, precision, is_exact, capabilities)?;
        let mechanism = mechanism(problem, spec, is_exact, capabilities)?;
        let tuning = Tuning::of(capabilities.device_class, element, is_exact);
        let policy = policy.unwrap_or(tuning.policy);
        if !policy.is_within_bounds() {
            return Err(PrepareError::Policy { policy });
        }
        let arithmetic = arithmetic_of(spec, precision, capabilities);
        let is_apart = problem.output_shares_input || !binds_result(spec, capabilities);
        let is_single_pass = match problem.strategy {
            _ if is_apart => false,
            Strategy::SinglePass => true,
            Strategy::Auto => tuning.single_pass && capabilities.coherent_memory,
            _ => false,
        };
        let ending = match scope {
            _ if is_exact => Ending::Exact,
            Some(scope) => Ending::Atomic {
                scope,
                float_add: capabilities.float_atomics && spec.adds_floats(),
            },
            None if is_single_pass => Ending::LastWorkgroup,
            None => Ending::Fold,
        };
        let key = |kernel| match &problem.program {
            Some(program) => ShaderKey::of_program(kernel, program, mechanism, arithmetic),
            None => ShaderKey::new(kernel, operator, element, mechanism, arithmetic),
        };
        let is_ordered = matches!(ending, Ending::Fold | Ending::LastWorkgroup)
            && key(Kernel::Reduce).is_ordered();
        let max_log2_block_items = match is_ordered {
            true => max_log2_ordered_block_items(spec.acc_words(), mechanism, capabilities)
                .min(max_log2_block_items_of(element)),
            false => MAX_LOG2_BLOCK_ITEMS,
        };
        // A few more are better than half as many.
        let max_blocks = policy.max_workgroups + policy.max_workgroups / 32;
        let max_blocks = match is_ordered {
            true => max_blocks.min(max_nodes(spec.acc_words())),
            false => max_blocks,
        };
        let has_groups =
            is_ordered && !problem.is_counted && problem.strategy != Strategy::SinglePass;
        let groups = Groups::of(spec, policy, max_log2_block_items, capabilities);
        let planner = Planner {
            problem,
            spec,
            capabilities,
            len,
            key,
            ending,
            is_ordered,
            is_apart,
            stored,
            min_log2_block_items: (policy.min_rows * 1024).ilog2(),
            max_log2_block_items,
            max_blocks,
            groups: groups.filter(|_| has_groups),
        };
        let dispatches = planner.dispatches()?;
        let folds_itself = |dispatch: &Dispatch| dispatch.shader.kernel.needs_coherent_memory();
        let is_fold = |dispatch: &Dispatch| dispatch.shader.kernel == Kernel::Fold;
        let ending = match ending {
            Ending::Fold | Ending::LastWorkgroup if dispatches.iter().any(folds_itself) => {
                Ending::LastWorkgroup
            }
            Ending::Fold | Ending::LastWorkgroup if dispatches.iter().any(is_fold) => Ending::Fold,
            Ending::Fold | Ending::LastWorkgroup => Ending::SingleBlock,
            _ => ending,
        };
        let plan = Self {
            spec: *spec,
            precision,
            len,
            mechanism,
            subgroups: capabilities.subgroups.filter(|_| mechanism == Mechanism::Subgroup),
            arithmetic,
            block_items: 1 << planner.log2_block_items_of_any(&dispatches),
            ending,
            dispatches,
        };
        let max_binding_bytes = capabilities.max_binding_bytes.min(capabilities.max_buffer_bytes);
        let needed_bytes = plan.scratch_bytes();
        if needed_bytes > max_binding_bytes {
            return Err(PrepareError::BindingTooSmall { max_binding_bytes, needed_bytes });
        }
        Ok(plan)
    }
}

/// Makes a plan's dispatches.
struct Planner<'a, Key> {
    problem: &'a Problem,
    spec: &'a OperatorSpec,
    capabilities: &'a Capabilities,
    len: u64,
    key: Key,
    ending: Ending,
    is_ordered: bool,
    /// Whether the result comes from a dispatch that reads no input.
    is_apart: bool,
    stored: Stored,
    min_log2_block_items: u32,
    max_log2_block_items: u32,
    /// Blocks of a launch at most.
    max_blocks: u32,
    /// How launches of more blocks are cut, if they are.
    groups: Option<Groups>,
}

/// A block that takes a workgroup about as long as a launch takes to begin and end. Rather than leave more to each, there is a launch more.
const LOG2_ITEMS_OF_A_LAUNCH: u32 = 16;

impl<Key: Fn(Kernel) -> ShaderKey> Planner<'_, Key> {
    fn dispatches(&self) -> Result<Vec<Dispatch>, PrepareError> {
        let windows = self.windows()?;
        let mut dispatches = Vec::new();
        // Where a launch has groups, all launches have its first pass, so that a driver compiles only one.
        let is_of_groups =
            windows.iter().any(|it| self.log2_grouped_block_items(it.begin, it.end).is_some());
        for (index, window) in windows.iter().enumerate() {
            self.launch(index, window, windows.len(), is_of_groups, &mut dispatches);
        }
        let last = match self.ending {
            Ending::Exact => Some(Kernel::ExactFinish { output: self.stored }),
            Ending::Atomic { .. } => Some(Kernel::Finish),
            _ => windows.is_empty().then_some(Kernel::Fold),
        };
        if let Some(kernel) = last {
            let flags = match self.stored {
                Stored::Value => Params::ENDS,
                Stored::Accumulator => Params::ENDS | Params::STORES_ACC,
            };
            let params = Params { flags, ..self.params() };
            dispatches.push(self.dispatch(kernel, Constants::None, params, None, None));
        }
        Ok(dispatches)
    }

    fn windows(&self) -> Result<Vec<Window>, PrepareError> {
        let Problem { element, slices, right_slices, third_slices, .. } = self.problem;
        let right = (self.spec.inputs > 1).then_some(&right_slices[..]);
        let third = (self.spec.inputs > 2).then_some(&third_slices[..]);
        let right_bytes = element.size_bytes();
        let inputs = Inputs { element: *element, left: slices, right, right_bytes, third };
        let log2_block_items = self.log2_block_items_of_longest();
        let block_items = 1 << log2_block_items;
        windows(inputs, self.capabilities, |begin, latest_end, run_end| {
            // Where a launch begins within a group, there is one to the group's end, maybe of smaller groups.
            let mut latest_end = latest_end;
            while self.log2_grouped_block_items(begin, latest_end).is_none() {
                match self.groups.and_then(|groups| groups.end(begin, latest_end)) {
                    Some(end) if end < latest_end => latest_end = end,
                    _ => break,
                }
            }
            if self.log2_grouped_block_items(begin, latest_end).is_some() {
                return latest_end;
            }
            let first_block = begin / block_items;
            let dispatch_blocks = first_block + u64::from(self.capabilities.max_workgroups);
            let span_blocks = match self.is_ordered {
                true => {
                    let span = self.span_of_a_launch(latest_end - begin, block_items);
                    (first_block / span + 1) * span
                }
                false => dispatch_blocks,
            };
            let end = latest_end.min(dispatch_blocks.min(span_blocks) * block_items);
            // A block without an edge of the launch is faster. The rest has shorter blocks.
            let between_blocks = end / block_items * block_items;
            let between_rounds = end / ROUND_ITEMS * ROUND_ITEMS;
            let whole = [self.is_ordered.then_some(between_blocks), Some(between_rounds)];
            let end = match end == run_end {
                true => end,
                false => whole.into_iter().flatten().find(|&end| end > begin).unwrap_or(end),
            };
            // Where a launch has to have long blocks only because it lies on both sides of a place in the order, it ends there.
            let log2_needed = self.log2_block_items(begin, end);
            let log2_wanted = self.wanted_log2_block_items(end - begin);
            match log2_needed > log2_wanted.max(LOG2_ITEMS_OF_A_LAUNCH) {
                true => (end - 1) >> (begin ^ (end - 1)).ilog2() << (begin ^ (end - 1)).ilog2(),
                false => end,
            }
        })
    }

    /// Blocks of the span that an ordered launch of so many elements is in: as many as it has room for. Where that is more than it should
    /// have, although no block can be longer, there is a launch more.
    fn span_of_a_launch(&self, items: u64, block_items: u64) -> u64 {
        match items > u64::from(self.max_blocks) * block_items {
            true => 1 << self.max_blocks.ilog2(),
            false => self.max_nodes(),
        }
    }

    /// The logarithm of a block's elements: as few as there may be, so that a launch of so many has no more blocks than it should.
    fn wanted_log2_block_items(&self, items: u64) -> u32 {
        let wanted = items.div_ceil(self.max_blocks.into()).next_power_of_two().ilog2();
        wanted.max(self.min_log2_block_items).min(self.max_log2_block_items)
    }

    /// That of the longest launch there can be.
    fn log2_block_items_of_longest(&self) -> u32 {
        let Problem { element, slices, .. } = self.problem;
        let longest = slices.iter().map(|slice| slice.len).max().unwrap_or(0);
        self.wanted_log2_block_items(longest.min(max_window_items(*element, self.capabilities)))
    }

    /// That of a launch of whole groups, if it is one.
    fn log2_grouped_block_items(&self, begin: u64, end: u64) -> Option<u32> {
        self.groups.and_then(|groups| groups.log2_block_items(begin, end))
    }

    /// That of the longest block of any launch.
    fn log2_block_items_of_any(&self, dispatches: &[Dispatch]) -> u32 {
        let launches = dispatches.iter().filter(|dispatch| dispatch.left.is_some());
        let longest = launches.map(|launch| launch.params.log2_block_items).max();
        longest.unwrap_or_else(|| self.log2_block_items_of_longest())
    }

    /// That of a launch. A workgroup needs room for the blocks of the span that an ordered one is in.
    fn log2_block_items(&self, begin: u64, end: u64) -> u32 {
        let wanted = self.wanted_log2_block_items(end - begin);
        let has_room = |log2: &u32| span_blocks(begin, end, *log2) <= self.max_nodes();
        match self.is_ordered {
            true => (wanted..self.max_log2_block_items).find(has_room),
            false => Some(wanted),
        }
        .unwrap_or(self.max_log2_block_items)
    }

    /// Appends the dispatches of a launch, which takes one window.
    fn launch(
        &self,
        index: usize,
        window: &Window,
        launches: usize,
        is_of_groups: bool,
        to: &mut Vec<Dispatch>,
    ) {
        let of_groups = self.log2_grouped_block_items(window.begin, window.end);
        let log2_block_items =
            of_groups.unwrap_or_else(|| self.log2_block_items(window.begin, window.end));
        let block_items = 1 << log2_block_items;
        let first_block = window.begin / block_items;
        let origin = first_block * block_items;
        let blocks = window.end.div_ceil(block_items) - first_block;
        let span_blocks = span_blocks(window.begin, window.end, log2_block_items);
        let begin = narrow(window.begin - origin);
        let is_last = index + 1 == launches;
        // Lanes load whole groups of four, and not every operator has an element that stands for none.
        let is_tree = launches == 1 && self.len.is_power_of_two() && self.len >= 4;
        let may_be_alone = match self.ending {
            Ending::Fold => true,
            // Where the first pass of two is avoided, a single block goes in a single pass, too.
            Ending::LastWorkgroup => {
                let key = (self.key)(Kernel::Reduce);
                self.capabilities.avoids(key.kernel, key.mechanism).is_none()
            }
            _ => false,
        };
        let is_alone = blocks == 1 && !self.is_apart && may_be_alone;
        let flags = [
            (is_last, Params::ENDS),
            (window.begin > 0, Params::RESUMES),
            (is_tree, Params::IS_TREE),
            (is_alone, Params::ALONE),
            (self.stored == Stored::Accumulator, Params::STORES_ACC),
        ];
        let state = |index: usize| self.state_accs() * u32::from(!index.is_multiple_of(2));
        let element = self.problem.element;
        let element_bytes = narrow(element.size_bytes());
        // If one of several inputs is strided, all are.
        let is_strided = window.is_strided();
        let base = |view: View| {
            let first = if is_strided { 0 } else { view.head_bytes / element.index_bytes() };
            first.wrapping_sub(begin.wrapping_mul(element.words()))
        };
        let strides = |view: View| match is_strided {
            true => (view.head_bytes, view.stride_bytes.unwrap_or(element_bytes)),
            false => (0, 0),
        };
        let third = |view: View| {
            let (head_bytes, stride_bytes) = strides(view);
            match is_strided {
                true => (head_bytes.wrapping_sub(begin.wrapping_mul(stride_bytes)), stride_bytes),
                false => (base(view), 0),
            }
        };
        let (head_bytes, stride_bytes) = match is_strided {
            true => strides(window.left),
            false => (0, element.told_stride_bytes()),
        };
        let (right_head_bytes, right_stride_bytes) = window.right.map_or((0, 0), strides);
        let (third_base, third_stride_bytes) = window.third.map_or((0, 0), third);
        let own = ReductionParams {
            first_bits: window.left.bits.map_or(u32::MAX, |bits| bits.first),
            last_bits: window.left.bits.map_or(u32::MAX, |bits| bits.last),
            right_base: window.right.map_or(0, base),
            right_head_bytes,
            right_stride_bytes,
            third_base,
            third_stride_bytes,
            first_node: narrow(first_block % span_blocks),
            span: narrow(first_block / span_blocks),
            log2_span: span_blocks.ilog2(),
            state_before: state(index + 1),
            state_after: state(index),
            ..self.own_params()
        };
        let params = Params {
            begin,
            end: narrow(window.end - origin),
            vec_end: self.vec_end(window, begin),
            base: base(window.left),
            head_bytes,
            stride_bytes,
            log2_block_items,
            blocks: narrow(blocks),
            flags: flags.iter().filter(|(is, _)| *is).map(|(_, flag)| flag).sum(),
            own: own.into(),
            ..self.params()
        };
        let kernel = match self.ending {
            Ending::Exact => Kernel::ExactReduce,
            Ending::Atomic { scope, float_add } => Kernel::ReduceToAccumulator { scope, float_add },
            Ending::LastWorkgroup if !is_alone && !is_of_groups => Kernel::ReduceAndFold,
            _ => Kernel::Reduce,
        };
        let kernel = match (window.right, window.third) {
            (None, _) => kernel,
            (_, Some(_))
                if kernel == Kernel::Reduce && !binds_result(self.spec, self.capabilities) =>
            {
                Kernel::ReduceTriplesToPartials
            }
            _ => kernel.of_pairs(),
        };
        let shift = window.left.shift(begin, element);
        let constants = match kernel {
            _ if kernel.reads_pairs() && is_strided => Constants::STRIDED,
            _ if kernel.reads_pairs() => Constants::None,
            Kernel::ExactReduce => {
                let is_whole = |position: u32| u64::from(position).is_multiple_of(ROUND_ITEMS);
                let edges =
                    !is_whole(params.begin) || !is_whole(params.end) || params.vec_end < params.end;
                Constants::of_exact(shift, edges)
            }
            _ => Constants::of_blocks(kernel, shift),
        };
        let slice = Some(window.left.slice);
        to.push(self.dispatch(kernel, constants, params, Some(window), slice));
        let groups = self.groups.filter(|_| of_groups.is_some());
        let params = groups.map_or(params, |groups| {
            let [between, last] = groups.folds(params, window.begin, window.end);
            let fold = self.dispatch(Kernel::FoldToPartials, Constants::None, between, None, slice);
            to.push(Dispatch { workgroups: between.blocks, ..fold });
            last
        });
        let leaves_partials = matches!(
            kernel,
            Kernel::Reduce | Kernel::ReducePairs | Kernel::ReduceTriplesToPartials
        );
        if leaves_partials && !is_alone {
            to.push(self.dispatch(Kernel::Fold, Constants::None, params, None, slice));
        }
    }

    fn dispatch(
        &self,
        kernel: Kernel,
        constants: Constants,
        params: Params,
        window: Option<&Window>,
        slice: Option<usize>,
    ) -> Dispatch {
        Dispatch {
            shader: (self.key)(kernel),
            constants,
            params,
            left: window.map(|window| window.left),
            right: window.and_then(|window| window.right),
            third: window.and_then(|window| window.third),
            slice,
            workgroups: if window.is_some() { params.blocks } else { 1 },
        }
    }

    /// The parameters that all dispatches have in common.
    fn params(&self) -> Params {
        let alignment = self.capabilities.binding_alignment_bytes;
        Params {
            result_index: narrow(self.problem.output_offset_bytes % alignment / 4),
            own: self.own_params().into(),
            ..Params::default()
        }
    }

    /// The reduction's own parameters that all dispatches have in common.
    fn own_params(&self) -> ReductionParams {
        let partials = 2 * self.state_accs();
        ReductionParams { partials, ..ReductionParams::default() }.with_len(self.len)
    }

    /// Totals that a workgroup has room for.
    fn max_nodes(&self) -> u64 {
        max_nodes(self.spec.acc_words()).into()
    }

    /// Accumulators of the state between launches.
    fn state_accs(&self) -> u32 {
        if self.is_ordered { LEVELS } else { 1 }
    }

    /// The position below which every group of four elements can be loaded at once. Pairs are loaded word by word.
    fn vec_end(&self, window: &Window, begin: u32) -> u32 {
        let items = window.end - window.begin;
        narrow(match window.right {
            Some(_) => u64::from(begin) + items,
            None => window.left.vec_end(begin, items, self.problem.element),
        })
    }
}
