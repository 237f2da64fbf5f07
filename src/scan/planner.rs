//! The planner of scans, from numbers alone: (ScanProblem, Capabilities) → ScanPlan.

use crate::{
    algebra::{operator::OperatorSpec, precision::Precision},
    device::capabilities::{Capabilities, DeviceClass},
    dispatch::{
        plan::{Dispatch, MAX_SINGLE_PASS_BLOCKS, check_avoided, single_pass_flags},
        windows::{Inputs, View, Window, max_window_items, windows},
    },
    error::PrepareError,
    order::MAX_LEN,
    reduce::{
        blocks::narrow,
        blocks::{MAX_LOG2_BLOCK_ITEMS, max_log2_ordered_block_items},
        checks::{check_capabilities, total_len},
        plan::LEVELS,
        ways::arithmetic_of,
    },
    scan::plan::{ScanPlan, ScanProblem, kept_by_scans},
    way::{Mechanism, Strategy, Variant, policy::Policy},
    wgsl::{
        kernel::Kernel,
        lanes::Lanes,
        params::{Params, ReductionParams, ScanParams},
        shader::{Constants, ShaderKey},
    },
};

impl ScanPlan {
    /// Plans `problem` for a device. It leaves out the kernels that the capabilities avoid.
    ///
    /// # Errors
    ///
    /// [`PrepareError`], in the variants `TooLong`, `NoSubgroups`, `NoCoherentMemory`, `StrategyUnfit`, `Policy`, `BindingTooSmall` and
    /// `Avoided`; for slices and capabilities made up by hand also `Slice` and `Capability`.
    pub fn new(problem: &ScanProblem, capabilities: &Capabilities) -> Result<Self, PrepareError> {
        let variants: &[Variant] = match problem.variant {
            Variant::Auto => &[Variant::Auto, Variant::WorkgroupMemory],
            _ => std::slice::from_ref(&problem.variant),
        };
        let mut avoided = None;
        for passes in [Passes::Single, Passes::ByRounds, Passes::ByRows] {
            if passes == Passes::Single && !goes_in_single_pass(problem, capabilities)? {
                continue;
            }
            for &variant in variants {
                match Self::preferred(problem, capabilities, variant, passes)? {
                    Some(plan) => match check_avoided(&plan.dispatches, capabilities) {
                        Ok(()) => return Ok(plan),
                        Err(error) => avoided = avoided.or(Some(error)),
                    },
                    None => break,
                }
            }
        }
        Err(avoided.expect("there was a plan"))
    }

    /// The plan for a device on which all is right, if the scan can go in such passes.
    fn preferred(
        problem: &ScanProblem,
        capabilities: &Capabilities,
        variant: Variant,
        passes: Passes,
    ) -> Result<Option<Self>, PrepareError> {
        let spec = &problem.spec;
        for slice in &problem.slices {
            slice.check(spec.element.size_bytes())?;
        }
        for slice in &problem.output_slices {
            slice.check(out_bytes(spec))?;
        }
        check_capabilities(capabilities)?;
        let len = total_len(&problem.slices);
        let end = problem.first.saturating_add(len);
        if end > MAX_LEN {
            return Err(PrepareError::TooLong { len: end });
        }
        // A subgroup has to fit its workgroup, also that of the first pass.
        let lanes = Lanes::of(spec.acc_words(), spec.order_free).count;
        let subgroups = capabilities.subgroups.filter(|sizes| sizes.max <= lanes);
        let mechanism = match (variant, subgroups) {
            (Variant::Subgroup, None) => return Err(PrepareError::NoSubgroups),
            (Variant::WorkgroupMemory, _) | (Variant::Auto, None) => Mechanism::WorkgroupMemory,
            (Variant::Subgroup | Variant::Auto, Some(_)) => Mechanism::Subgroup,
        };
        let policy = problem.policy.unwrap_or(default_policy(capabilities.device_class));
        if !policy.is_within_bounds() {
            return Err(PrepareError::Policy { policy });
        }
        let arithmetic = arithmetic_of(spec, Precision::Reproducible, capabilities);
        let key = |kernel| match &problem.program {
            Some(program) => ShaderKey::of_program(kernel, program, mechanism, arithmetic),
            None => ShaderKey::new(kernel, spec.operator, spec.element, mechanism, arithmetic),
        };
        let is_ordered = key(Kernel::Reduce).is_ordered();
        let max_log2_block_items = match is_ordered {
            true => max_log2_ordered_block_items(spec.acc_words(), mechanism, capabilities),
            false => MAX_LOG2_BLOCK_ITEMS,
        };
        let by_rounds = match passes {
            Passes::Single => spec.scans_in_single_pass(arithmetic),
            Passes::ByRounds => spec.scans_by_rounds(arithmetic),
            Passes::ByRows => false,
        };
        let planner = Planner {
            problem,
            capabilities,
            key,
            by_rounds,
            state_accs: if is_ordered { LEVELS } else { 1 },
            log2_block_items: match passes {
                Passes::Single => LOG2_SINGLE_PASS_BLOCK_ITEMS,
                _ => {
                    wanted_log2_block_items(problem, policy, capabilities).min(max_log2_block_items)
                }
            },
        };
        let (strategy, dispatches) = match passes {
            Passes::Single => match planner.single_pass()? {
                Some(dispatch) => (Strategy::SinglePass, vec![dispatch]),
                None => return Ok(None),
            },
            _ => (Strategy::TwoPass, planner.dispatches()?),
        };
        let plan = Self {
            spec: *spec,
            is_inclusive: problem.is_inclusive,
            len,
            mechanism,
            subgroups: capabilities.subgroups.filter(|_| mechanism == Mechanism::Subgroup),
            arithmetic,
            strategy,
            block_items: 1 << planner.log2_block_items,
            dispatches,
        };
        let max_binding_bytes = capabilities.max_binding_bytes.min(capabilities.max_buffer_bytes);
        let needed_bytes = plan.scratch_bytes().max(plan.progress_bytes());
        if needed_bytes > max_binding_bytes {
            return Err(PrepareError::BindingTooSmall { max_binding_bytes, needed_bytes });
        }
        Ok(Some(plan))
    }
}

/// How often a scan reads its input, and how its last pass goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Passes {
    /// Once: workgroups look back for what is before their blocks.
    Single,
    /// Twice; the last pass round by round wherever it can be.
    ByRounds,
    /// Twice; the last pass row by row.
    ByRows,
}

/// The logarithm of a block's elements in a single pass: two rounds, as in shaders/scan/single_pass.wgsl.
const LOG2_SINGLE_PASS_BLOCK_ITEMS: u32 = Lanes::USUAL.log2_round_items + 1;

/// Whether a single pass is asked for, or is faster as far as is known.
///
/// On an NVIDIA H100, exclusive scans by subgroups, device time in µs (`cargo bench --bench scan`, benches/records/nvidia-h100-cub-scans.txt):
///
/// | `u32`, `f32` | 2^16 | 2^20 | 2^24 | 2^28 |
/// |---|---|---|---|---|
/// | two passes | 16.1, 21.0 | 17.9, 22.8 | 91.9, 105 | 1119, 1134 |
/// | a single one | 11.0, 13.6 | 13.1, 15.6 | 70.6, 81.5 | 815, 895 |
fn goes_in_single_pass(
    problem: &ScanProblem,
    capabilities: &Capabilities,
) -> Result<bool, PrepareError> {
    match problem.strategy {
        Strategy::TwoPass => Ok(false),
        Strategy::SinglePass if !capabilities.coherent_memory => {
            Err(PrepareError::NoCoherentMemory)
        }
        Strategy::SinglePass => Ok(true),
        Strategy::Auto => {
            Ok(capabilities.coherent_memory && capabilities.device_class == DeviceClass::Nvidia)
        }
        strategy => Err(PrepareError::StrategyUnfit {
            strategy,
            precision: kept_by_scans(&problem.spec),
            what: "scan",
            operator: problem.spec.operator,
            element: problem.spec.element,
            fitting: match capabilities.coherent_memory {
                true => &[Strategy::Auto, Strategy::TwoPass, Strategy::SinglePass],
                false => &[Strategy::Auto, Strategy::TwoPass],
            },
            looser: None,
        }),
    }
}

/// A single workgroup scans as many rows as these, rather than that three dispatches do. And blocks beyond these many grow.
///
/// No row was measured so far but on lavapipe, where a dispatch costs what many elements do.
fn default_policy(class: DeviceClass) -> Policy {
    match class {
        DeviceClass::Cpu => Policy { min_rows: 16, max_workgroups: 2048 },
        _ => Policy { min_rows: 8, max_workgroups: 2048 },
    }
}

fn out_bytes(spec: &OperatorSpec) -> u64 {
    4 * u64::from(spec.out_words)
}

/// The logarithm of a block's elements: as few as there may be, so that no launch has more blocks.
fn wanted_log2_block_items(
    problem: &ScanProblem,
    policy: Policy,
    capabilities: &Capabilities,
) -> u32 {
    let longest = problem.slices.iter().map(|slice| slice.len).max().unwrap_or(0);
    let launch_items = longest.min(max_window_items(problem.spec.element, capabilities));
    let wanted = launch_items.div_ceil(policy.max_workgroups.into()).next_power_of_two().ilog2();
    wanted.max((policy.min_rows * 1024).ilog2())
}

/// Windows shorter than this are not split, where the last of their results are not in a whole vector.
const MIN_SPLIT_ITEMS: u64 = 1 << 13;

/// Makes a plan's dispatches.
struct Planner<'a, Key> {
    problem: &'a ScanProblem,
    capabilities: &'a Capabilities,
    key: Key,
    by_rounds: bool,
    state_accs: u32,
    log2_block_items: u32,
}

impl<Key: Fn(Kernel) -> ShaderKey> Planner<'_, Key> {
    fn dispatches(&self) -> Result<Vec<Dispatch>, PrepareError> {
        let windows = self.windows()?;
        let mut dispatches = Vec::new();
        for (index, window) in windows.iter().enumerate() {
            self.launch(index, window, windows.len(), &mut dispatches);
        }
        Ok(dispatches)
    }

    /// The only dispatch of a single pass, where a scan can go in one: it is a single launch, which writes whole vectors of other buffers than
    /// it reads, in steps that the device does soon.
    fn single_pass(&self) -> Result<Option<Dispatch>, PrepareError> {
        let windows = self.windows()?;
        let &[window] = &*windows else { return Ok(None) };
        let spec = self.problem.spec;
        let blocks = window.end.div_ceil(1 << self.log2_block_items);
        let max_blocks = self.capabilities.max_workgroups.min(MAX_SINGLE_PASS_BLOCKS);
        if self.problem.in_place
            || self.problem.first > 0
            || blocks < 2
            || blocks > max_blocks.into()
            || !self.has_whole_vectors(&window)
            || Lanes::of(spec.acc_words(), spec.order_free) != Lanes::USUAL
        {
            return Ok(None);
        }
        let mut dispatches = Vec::new();
        self.launch(0, &window, 1, &mut dispatches);
        let last = dispatches.pop().expect("there is one that writes the results");
        let flags = last.params.flags | single_pass_flags(self.capabilities.device_class);
        Ok(Some(Dispatch {
            shader: (self.key)(Kernel::ScanSinglePass),
            params: Params { flags, ..last.params },
            ..last
        }))
    }

    /// A part of the input and of the output that one binding of each spans.
    fn windows(&self) -> Result<Vec<Window>, PrepareError> {
        let ScanProblem { spec, slices, output_slices, first, .. } = self.problem;
        let inputs = Inputs {
            element: spec.element,
            left: slices,
            right: Some(output_slices),
            right_bytes: out_bytes(spec),
            third: None,
        };
        let block_items = 1 << self.log2_block_items;
        let found = windows(inputs, self.capabilities, |begin, latest_end, run_end| {
            let [begin, latest_end, run_end] = [begin, latest_end, run_end].map(|at| at + first);
            let last_block = begin / block_items + u64::from(self.capabilities.max_workgroups);
            let end = latest_end.min(last_block * block_items);
            let between_blocks = end / block_items * block_items;
            let is_last = end == run_end || between_blocks <= begin;
            (if is_last { end } else { between_blocks }) - first
        })?;
        // Positions are those of the whole sequence.
        let found = found.into_iter().map(|window| Window {
            begin: window.begin + first,
            end: window.end + first,
            ..window
        });
        let split = found.flat_map(|window| match self.split_place(&window) {
            Some(place) => window.split(place, inputs).to_vec(),
            None => vec![window],
        });
        Ok(split.collect())
    }

    /// Where to cut a long window, so that all but a few of its results lie in whole vectors of the output's binding.
    fn split_place(&self, window: &Window) -> Option<u64> {
        let output = output_of(window);
        if !self.goes_by_rounds(window)
            || window.end - window.begin < MIN_SPLIT_ITEMS
            || self.has_whole_vectors(window)
        {
            return None;
        }
        let whole_bytes = output.size_bytes / 16 * 16 - u64::from(output.head_bytes);
        Some((window.begin + whole_bytes / out_bytes(&self.problem.spec)) / 4 * 4)
    }

    /// Where in a vector of its binding the output has groups of four results, in words.
    fn output_shift(&self, window: &Window) -> u32 {
        self.output_base(window) % 4
    }

    /// The word of the output's binding of the result at position 0.
    fn output_base(&self, window: &Window) -> u32 {
        let begin = narrow(window.begin % (1 << self.log2_block_items));
        let words = begin.wrapping_mul(self.problem.spec.out_words);
        (output_of(window).head_bytes / 4).wrapping_sub(words)
    }

    /// Appends the dispatches of a launch, which is what one window takes.
    fn launch(&self, index: usize, window: &Window, launches: usize, to: &mut Vec<Dispatch>) {
        let ScanProblem { spec, in_place, is_inclusive, initial, first, .. } = *self.problem;
        let element = spec.element;
        let block_items = 1 << self.log2_block_items;
        let first_block = window.begin / block_items;
        let origin = first_block * block_items;
        let blocks = window.end.div_ceil(block_items) - first_block;
        let begin = narrow(window.begin - origin);
        let is_alone = launches == 1 && blocks == 1 && first == 0;
        let flags = [
            (index + 1 == launches, Params::ENDS),
            (window.begin > 0, Params::RESUMES),
            (is_inclusive, Params::INCLUSIVE),
            (initial.is_some(), Params::HAS_INITIAL),
            (is_alone, Params::ALONE),
        ];
        // In front of the two states that launches leave is the one that the first launch goes on from.
        let states = if first > 0 { self.state_accs } else { 0 };
        let state = |index: usize| states + self.state_accs * u32::from(!index.is_multiple_of(2));
        let [initial_0, initial_1, initial_2, initial_3] = initial.unwrap_or_default();
        // Strided elements count from where `head_bytes` says.
        let first_unit = match window.left.stride_bytes {
            Some(_) => 0,
            None => window.left.head_bytes / element.index_bytes(),
        };
        let own = ScanParams {
            first_bits: window.left.bits.map_or(u32::MAX, |bits| bits.first),
            last_bits: window.left.bits.map_or(u32::MAX, |bits| bits.last),
            output_base: self.output_base(window),
            first_block: narrow(first_block),
            partials: states + 2 * self.state_accs,
            state_before: if first > 0 && index == 0 { 0 } else { state(index + 1) },
            state_after: state(index),
            initial_0,
            initial_1,
            initial_2,
            initial_3,
        };
        let params = Params {
            begin,
            end: narrow(window.end - origin),
            vec_end: narrow(window.left.vec_end(begin, window.end - window.begin, element)),
            base: first_unit.wrapping_sub(begin.wrapping_mul(element.words())),
            head_bytes: window.left.stride_bytes.map_or(0, |_| window.left.head_bytes),
            stride_bytes: window.left.stride_bytes.unwrap_or(element.told_stride_bytes()),
            log2_block_items: self.log2_block_items,
            blocks: narrow(blocks),
            flags: flags.iter().filter(|(is, _)| *is).map(|(_, flag)| flag).sum(),
            own: own.into(),
            ..Params::default()
        };
        let slice = Some(window.left.slice);
        let dispatch = |kernel, constants, left, right, workgroups| Dispatch {
            shader: (self.key)(kernel),
            constants,
            params,
            left,
            right,
            third: None,
            slice,
            workgroups,
        };
        let shift = window.left.shift(begin, element);
        let left = Some(window.left);
        if !is_alone {
            let totals = Kernel::Reduce;
            let constants = Constants::of_blocks(totals, shift);
            let own = ReductionParams {
                first_bits: own.first_bits,
                last_bits: own.last_bits,
                span: own.first_block,
                partials: own.partials,
                state_before: own.state_before,
                state_after: own.state_after,
                ..ReductionParams::default()
            };
            let first = dispatch(totals, constants, left, None, params.blocks);
            to.push(Dispatch { params: Params { own: own.into(), ..params }, ..first });
            to.push(dispatch(Kernel::ScanCarries, Constants::None, None, None, 1));
        }
        let kernel = match self.has_whole_vectors(window) {
            true => Kernel::ScanRounds,
            false => Kernel::ScanRows,
        };
        let constants = Constants::of_scan(kernel, shift, in_place);
        let left = left.filter(|_| !in_place);
        to.push(dispatch(kernel, constants, left, window.right, params.blocks));
    }

    /// Whether the last pass may go by rounds, if the results lie in whole vectors.
    fn goes_by_rounds(&self, window: &Window) -> bool {
        // Narrow elements with gaps between them are rare: for each there is a pipeline less.
        let is_narrow = self.problem.spec.element.packing().is_narrow();
        let has_gaps = window.left.stride_bytes.is_some() && is_narrow;
        self.by_rounds && !has_gaps && self.output_shift(window) == 0
    }

    /// Whether it does, and all of the window's results lie in whole vectors of the output's binding.
    fn has_whole_vectors(&self, window: &Window) -> bool {
        let output = output_of(window);
        let items = window.end - window.begin;
        let end_bytes = u64::from(output.head_bytes) + items * out_bytes(&self.problem.spec);
        self.goes_by_rounds(window) && end_bytes.next_multiple_of(16) <= output.size_bytes / 16 * 16
    }
}

fn output_of(window: &Window) -> View {
    window.right.expect("a scan has an output")
}

#[cfg(test)]
mod tests;
