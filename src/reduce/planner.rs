//! The planner of reductions, from numbers alone: (Problem, Capabilities, Policy) → Plan.

use crate::{
    algebra::{
        operator::{Arithmetic, OperatorSpec},
        precision::Precision,
    },
    device::{capabilities::Capabilities, extent::Extent},
    dispatch::{
        plan::Dispatch,
        windows::{Inputs, View, Window, max_window_items, windows},
    },
    error::PrepareError,
    order::MAX_LEN,
    reduce::{
        plan::{Ending, LEVELS, LOG2_ROUND_ITEMS, Plan, ROUND_ITEMS, WORKGROUP_SIZE},
        problem::Problem,
        tuning::Tuning,
    },
    way::{AtomicScope, Mechanism, Strategy, Variant, policy::Policy},
    wgsl::{
        kernel::{ExactOutput, Kernel},
        params::Params,
        shader::{Constants, ShaderKey},
    },
};

impl Plan {
    /// Plans `problem` for a device, by default with the policy for the kind of reduction.
    ///
    /// What the capabilities avoid it goes without.
    ///
    /// # Errors
    ///
    /// [`PrepareError`], in the variants `Unsupported`, `Imprecise`, `StrategyUnfit`, `TooLong`, `LengthMismatch`,
    /// `NoSubgroups`, `Contradiction`, `Policy`, `BindingTooSmall` and `Avoided`; for slices and capabilities made up by hand
    /// also `Slice` and `Capability`.
    pub fn new(
        problem: &Problem,
        capabilities: &Capabilities,
        policy: Option<Policy>,
    ) -> Result<Self, PrepareError> {
        Self::for_output(problem, capabilities, policy, ExactOutput::Value)
    }

    /// [`Plan::new`], for what an exact reduction shall write.
    pub(crate) fn for_output(
        problem: &Problem,
        capabilities: &Capabilities,
        policy: Option<Policy>,
        exact_output: ExactOutput,
    ) -> Result<Self, PrepareError> {
        let plan = Self::preferred(problem, capabilities, policy, exact_output)?;
        let Err(avoided) = plan.check_avoided(capabilities) else {
            return Ok(plan);
        };
        other_ways(problem, capabilities)
            .filter_map(|(problem, capabilities)| {
                Self::preferred(&problem, &capabilities, policy, exact_output).ok()
            })
            .find(|plan| plan.check_avoided(capabilities).is_ok())
            .ok_or(avoided)
    }

    /// The plan for a device on which all is right.
    fn preferred(
        problem: &Problem,
        capabilities: &Capabilities,
        policy: Option<Policy>,
        exact_output: ExactOutput,
    ) -> Result<Self, PrepareError> {
        let (operator, element) = (problem.operator, problem.element);
        let spec = operator.spec(element).ok_or(PrepareError::Unsupported { operator, element })?;
        let (len, precision) = check_problem(problem, spec, capabilities)?;
        let is_exact = precision == Precision::Exact && spec.exact.is_some();
        let scope = match problem.strategy {
            Strategy::Auto | Strategy::TwoPass | Strategy::SinglePass => None,
            Strategy::WorkgroupAtomic => Some(AtomicScope::Workgroup),
            Strategy::SubgroupAtomic => Some(AtomicScope::Subgroup),
        };
        check_strategy(problem, spec, precision, is_exact, capabilities)?;
        let mechanism = mechanism(problem, is_exact, capabilities)?;
        let tuning = Tuning::of(capabilities.device_class, is_exact);
        let policy = policy.unwrap_or(tuning.policy);
        if !policy.is_within_bounds() {
            return Err(PrepareError::Policy { policy });
        }
        let arithmetic = match precision {
            _ if !spec.computes_floats => Arithmetic::Hardware,
            Precision::Unordered => Arithmetic::Unchecked,
            _ if capabilities.sound_floats => Arithmetic::Hardware,
            _ => Arithmetic::Software,
        };
        let is_single_pass = match problem.strategy {
            _ if problem.output_shares_input => false,
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
        let key = |kernel| ShaderKey::new(kernel, operator, element, mechanism, arithmetic);
        let is_ordered = matches!(ending, Ending::Fold | Ending::LastWorkgroup)
            && key(Kernel::ReduceToPartials).is_ordered();
        let max_log2_block_items = match is_ordered {
            true => max_log2_ordered_block_items(spec.acc_words(), mechanism, capabilities),
            false => MAX_LOG2_BLOCK_ITEMS,
        };
        // A few more are better than half as many.
        let max_blocks = policy.max_workgroups + policy.max_workgroups / 32;
        let max_blocks = match is_ordered {
            true => max_blocks.min(max_nodes(spec.acc_words())),
            false => max_blocks,
        };
        let wanted = wanted_log2_block_items(problem, policy.min_rows, max_blocks, capabilities);
        let planner = Planner {
            problem,
            spec,
            capabilities,
            len,
            key,
            ending,
            is_ordered,
            exact_output,
            log2_block_items: wanted.min(max_log2_block_items),
        };
        let dispatches = planner.dispatches()?;
        let has = |kernel| dispatches.iter().any(|dispatch| dispatch.shader.kernel == kernel);
        let ending = match ending {
            Ending::Fold | Ending::LastWorkgroup
                if has(Kernel::ReduceAndFold) || has(Kernel::ReducePairsAndFold) =>
            {
                Ending::LastWorkgroup
            }
            Ending::Fold | Ending::LastWorkgroup if has(Kernel::Fold) => Ending::Fold,
            Ending::Fold | Ending::LastWorkgroup => Ending::SingleBlock,
            _ => ending,
        };
        let plan = Self {
            spec,
            precision,
            len,
            mechanism,
            subgroups: capabilities.subgroups.filter(|_| mechanism == Mechanism::Subgroup),
            arithmetic,
            block_items: 1 << planner.log2_block_items,
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

/// The largest block, in any order: positions stay below 2^31.
const MAX_LOG2_BLOCK_ITEMS: u32 = 29;

/// What a plan's dispatches are made of.
struct Planner<'a, Key> {
    problem: &'a Problem,
    spec: &'static OperatorSpec,
    capabilities: &'a Capabilities,
    len: u64,
    key: Key,
    ending: Ending,
    is_ordered: bool,
    exact_output: ExactOutput,
    log2_block_items: u32,
}

impl<Key: Fn(Kernel) -> ShaderKey> Planner<'_, Key> {
    fn dispatches(&self) -> Result<Vec<Dispatch>, PrepareError> {
        let windows = self.windows()?;
        let mut dispatches = Vec::new();
        for (index, window) in windows.iter().enumerate() {
            self.launch(index, window, windows.len(), &mut dispatches);
        }
        let last = match self.ending {
            Ending::Exact => Some(Kernel::ExactFinish { output: self.exact_output }),
            Ending::Atomic { .. } => Some(Kernel::Finish),
            _ => windows.is_empty().then_some(Kernel::Fold),
        };
        if let Some(kernel) = last {
            let params = Params { flags: Params::ENDS, ..self.params() };
            dispatches.push(self.dispatch(kernel, Constants::None, params, None, None));
        }
        Ok(dispatches)
    }

    fn windows(&self) -> Result<Vec<Window>, PrepareError> {
        let Problem { element, slices, right_slices, .. } = self.problem;
        let right = (self.spec.inputs == 2).then_some(&right_slices[..]);
        let inputs = Inputs { element: *element, left: slices, right };
        let block_items = 1 << self.log2_block_items;
        let max_blocks = match self.is_ordered {
            true => self.max_nodes(),
            false => MAX_LEN,
        };
        windows(inputs, self.capabilities, |begin, latest_end, run_end| {
            let first_block = begin / block_items;
            let dispatch_blocks = first_block + u64::from(self.capabilities.max_workgroups);
            // An ordered launch is in one span of as many blocks as it has room for.
            let span_blocks = first_block / max_blocks * max_blocks + max_blocks;
            let end = latest_end.min(dispatch_blocks.min(span_blocks) * block_items);
            if end == run_end {
                return end;
            }
            let between_blocks = end / block_items * block_items;
            let between_rounds = end / ROUND_ITEMS * ROUND_ITEMS;
            // Rather than leave a last block to a single workgroup, which the device would wait for, this launch takes most
            // of it.
            let leaves_one_block = run_end <= between_blocks + block_items;
            let ends = [leaves_one_block.then_some(between_rounds), Some(between_blocks)];
            ends.into_iter().flatten().find(|&end| end > begin).unwrap_or(end)
        })
    }

    /// Appends the dispatches of a launch, which is what one window takes.
    fn launch(&self, index: usize, window: &Window, launches: usize, to: &mut Vec<Dispatch>) {
        let block_items = 1 << self.log2_block_items;
        let first_block = window.begin / block_items;
        let origin = first_block * block_items;
        let blocks = window.end.div_ceil(block_items) - first_block;
        // The smallest span that the launch is in.
        let last_block = first_block + blocks.max(1) - 1;
        let span_blocks = ((first_block ^ last_block) + 1).next_power_of_two();
        let begin = narrow(window.begin - origin);
        let is_last = index + 1 == launches;
        let is_tree = launches == 1 && self.len.is_power_of_two();
        let flags = [
            (is_last, Params::ENDS),
            (window.begin > 0, Params::RESUMES),
            (is_tree, Params::IS_TREE),
        ];
        let state = |index: usize| self.state_accs() * u32::from(!index.is_multiple_of(2));
        let words = self.problem.element.words();
        let base = |view: View| (view.head_words / words).wrapping_sub(begin);
        let params = Params {
            begin,
            end: narrow(window.end - origin),
            vec_end: self.vec_end(window, begin),
            base: base(window.left),
            right_base: window.right.map_or(0, base),
            blocks: narrow(blocks),
            first_node: narrow(first_block % span_blocks),
            span: narrow(first_block / span_blocks),
            log2_span: span_blocks.ilog2(),
            flags: flags.iter().filter(|(is, _)| *is).map(|(_, flag)| flag).sum(),
            state_before: state(index + 1),
            state_after: state(index),
            ..self.params()
        };
        let kernel = match self.ending {
            Ending::Exact => Kernel::ExactReduce,
            Ending::Atomic { scope, float_add } => Kernel::ReduceToAccumulator { scope, float_add },
            _ if blocks == 1 && !self.problem.output_shares_input => Kernel::ReduceToResult,
            Ending::LastWorkgroup => Kernel::ReduceAndFold,
            Ending::Fold | Ending::SingleBlock => Kernel::ReduceToPartials,
        };
        let kernel = if window.right.is_some() { kernel.of_pairs() } else { kernel };
        let shift = self.shift(window.left, begin);
        let constants = match kernel {
            _ if kernel.reads_pairs() => Constants::None,
            Kernel::ExactReduce => {
                let is_whole = |position: u32| u64::from(position).is_multiple_of(ROUND_ITEMS);
                let edges =
                    !is_whole(params.begin) || !is_whole(params.end) || params.vec_end < params.end;
                Constants::Exact { shift, edges }
            }
            _ => Constants::of_blocks(kernel, self.problem.element, shift),
        };
        let slice = Some(window.left.slice);
        to.push(self.dispatch(kernel, constants, params, Some(window), slice));
        if matches!(kernel, Kernel::ReduceToPartials | Kernel::ReducePairsToPartials) {
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
            slice,
            workgroups: if window.is_some() { params.blocks } else { 1 },
        }
    }

    /// What all dispatches have in common.
    fn params(&self) -> Params {
        let alignment = self.capabilities.binding_alignment_bytes;
        Params {
            log2_block_items: self.log2_block_items,
            partials: 2 * self.state_accs(),
            result_index: narrow(self.problem.output_offset_bytes % alignment / 4),
            len_low: narrow(self.len & 0xffff_ffff),
            len_high: narrow(self.len >> 32),
            ..Params::default()
        }
    }

    /// Totals that a workgroup has room for.
    fn max_nodes(&self) -> u64 {
        max_nodes(self.spec.acc_words()).into()
    }

    /// Accumulators of the state between launches.
    fn state_accs(&self) -> u32 {
        if self.is_ordered { LEVELS } else { 1 }
    }

    /// The remainder mod 4 of the word of the binding that groups of four elements begin at. Of elements of two words it
    /// also says whether they begin at an odd one.
    fn shift(&self, view: View, begin: u32) -> u32 {
        view.head_words.wrapping_sub(begin.wrapping_mul(self.problem.element.words())) % 4
    }

    /// The position below which every group of four elements lies in whole vectors of the binding. A
    /// group that begins within a vector needs the next one too. Pairs are loaded word by word.
    fn vec_end(&self, window: &Window, begin: u32) -> u32 {
        if window.right.is_some() {
            return narrow(u64::from(begin) + window.end - window.begin);
        }
        let words = u64::from(self.problem.element.words());
        let whole_words = window.left.size_bytes / 16 * 4;
        let unreadable_words = match self.shift(window.left, begin) {
            0 => 0,
            shift => 4 - shift,
        };
        let readable_words = whole_words.saturating_sub(unreadable_words.into());
        let (head_words, begin) = (u64::from(window.left.head_words), u64::from(begin));
        let end = (readable_words + begin * words).saturating_sub(head_words) / words;
        narrow(end.min(begin + window.end - window.begin))
    }
}

/// The logarithm of a block's elements: as few as there may be, so that no launch has more blocks.
fn wanted_log2_block_items(
    problem: &Problem,
    min_rows: u32,
    max_blocks: u32,
    capabilities: &Capabilities,
) -> u32 {
    let longest = problem.slices.iter().map(|slice| slice.len).max().unwrap_or(0);
    let launch_items = longest.min(max_window_items(problem.element, capabilities));
    let wanted = launch_items.div_ceil(max_blocks.into()).next_power_of_two().ilog2();
    wanted.max((min_rows * 1024).ilog2())
}

/// The shader's `MAX_NODES`: totals that a workgroup has room for, where they have an order.
fn max_nodes(acc_words: u32) -> u32 {
    2048 / acc_words.max(2).next_power_of_two()
}

/// The largest block that a workgroup has room for, of the smallest teams there can be, if its totals have an order.
fn max_log2_ordered_block_items(
    acc_words: u32,
    mechanism: Mechanism,
    capabilities: &Capabilities,
) -> u32 {
    let teams = match (mechanism, capabilities.subgroups) {
        (Mechanism::Subgroup, Some(sizes)) => WORKGROUP_SIZE / sizes.min,
        _ => 1,
    };
    LOG2_ROUND_ITEMS + (max_nodes(acc_words) / teams).ilog2()
}

/// The problem's length, and what its result promises.
fn check_problem(
    problem: &Problem,
    spec: &OperatorSpec,
    capabilities: &Capabilities,
) -> Result<(u64, Precision), PrepareError> {
    let Problem { element, operator, precision, .. } = *problem;
    for slice in problem.slices.iter().chain(&problem.right_slices) {
        slice.check(element.size_bytes())?;
    }
    check_capabilities(capabilities)?;
    let len = total_len(&problem.slices);
    if len > MAX_LEN {
        return Err(PrepareError::TooLong { len });
    }
    let right_len = total_len(&problem.right_slices);
    if spec.inputs == 2 && right_len != len {
        return Err(PrepareError::LengthMismatch { left: len, right: right_len });
    }
    let kept = precision.kept_by(operator, element);
    Ok((len, kept.ok_or(PrepareError::Imprecise { operator, element, precision })?))
}

/// Elements of all slices together.
fn total_len(slices: &[Extent]) -> u64 {
    slices.iter().fold(0, |sum, slice| sum.saturating_add(slice.len))
}

/// Refuses a strategy that would lose what the result promises, or that the device can't do.
fn check_strategy(
    problem: &Problem,
    spec: &OperatorSpec,
    precision: Precision,
    is_exact: bool,
    capabilities: &Capabilities,
) -> Result<(), PrepareError> {
    let strategy = problem.strategy;
    let is_atomic = matches!(strategy, Strategy::WorkgroupAtomic | Strategy::SubgroupAtomic);
    if (is_exact && !matches!(strategy, Strategy::Auto | Strategy::WorkgroupAtomic))
        || (precision == Precision::Reproducible && is_atomic)
        || (!is_exact && is_atomic && spec.atomic().is_none())
    {
        return Err(PrepareError::StrategyUnfit { strategy, precision });
    }
    if strategy == Strategy::SinglePass && !capabilities.coherent_memory {
        return Err(PrepareError::NoCoherentMemory);
    }
    Ok(())
}

fn mechanism(
    problem: &Problem,
    is_exact: bool,
    capabilities: &Capabilities,
) -> Result<Mechanism, PrepareError> {
    let Problem { variant, strategy, .. } = *problem;
    let needs_subgroups = variant == Variant::Subgroup || strategy == Strategy::SubgroupAtomic;
    Ok(match (variant, capabilities.subgroups) {
        // No values combine: the order is free, and no subgroup is of use.
        _ if is_exact => Mechanism::WorkgroupMemory,
        (Variant::WorkgroupMemory, _) if needs_subgroups => {
            return Err(PrepareError::Contradiction { strategy, variant });
        }
        (_, None) if needs_subgroups => return Err(PrepareError::NoSubgroups),
        (Variant::WorkgroupMemory, _) | (Variant::Auto, None) => Mechanism::WorkgroupMemory,
        (Variant::Subgroup | Variant::Auto, _) => Mechanism::Subgroup,
    })
}

/// Other ways to reduce the same, to bits that keep the same promise, the faster ones first: other mechanisms and strategies where
/// the caller has forced none, a second pass also for a single block, an exchange in place of an atomic addition of floats.
fn other_ways<'a>(
    problem: &'a Problem,
    capabilities: &'a Capabilities,
) -> impl Iterator<Item = (Problem, Capabilities)> + 'a {
    let variants: &[Variant] = match problem.variant {
        Variant::Auto => &[Variant::Auto, Variant::Subgroup, Variant::WorkgroupMemory],
        _ => std::slice::from_ref(&problem.variant),
    };
    let strategies: &[Strategy] = match problem.strategy {
        Strategy::Auto => &[Strategy::Auto, Strategy::TwoPass, Strategy::SinglePass],
        _ => std::slice::from_ref(&problem.strategy),
    };
    // A result apart from the input comes by a second pass, also of a single block; not where a single pass is forced.
    let aparts: &[bool] = match problem.strategy {
        Strategy::SinglePass => std::slice::from_ref(&problem.output_shares_input),
        _ if problem.output_shares_input => &[true],
        _ => &[false, true],
    };
    [capabilities.float_atomics, false].into_iter().flat_map(move |float_atomics| {
        aparts.iter().flat_map(move |&output_shares_input| {
            variants.iter().flat_map(move |&variant| {
                strategies.iter().map(move |&strategy| {
                    let problem =
                        Problem { variant, strategy, output_shares_input, ..problem.clone() };
                    (problem, Capabilities { float_atomics, ..capabilities.clone() })
                })
            })
        })
    })
}

/// Refuses what no device says of itself, and planning could not go on with.
fn check_capabilities(capabilities: &Capabilities) -> Result<(), PrepareError> {
    let alignment = capabilities.binding_alignment_bytes;
    // A binding begins at an element.
    if !alignment.is_power_of_two() || alignment < 4 {
        let capability = "binding_alignment_bytes";
        return Err(PrepareError::Capability { capability, found: alignment });
    }
    if capabilities.max_workgroups == 0 {
        return Err(PrepareError::Capability { capability: "max_workgroups", found: 0 });
    }
    Ok(())
}

/// Blocks are at most 2^29 elements and bindings 2^31 bytes. So positions stay below 2^31, and the
/// kernels' loops can go past the last one by some rounds without wrapping around.
fn narrow(number: u64) -> u32 {
    u32::try_from(number).expect("positions in a launch, blocks and halves of lengths fit 32 bits")
}
