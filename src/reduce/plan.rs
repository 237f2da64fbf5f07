//! What will be dispatched, decided from numbers alone: (Problem, Capabilities, Policy) → Plan.

use crate::{
    algebra::{
        element::ElementType,
        operator::{Arithmetic, ExactTerms, OperatorSpec},
        operators::OperatorType,
        order::{Blocks, LANES, MAX_BLOCKS, MAX_LEN, MIN_ROWS, ROW_ITEMS},
        precision::Precision,
    },
    device::capabilities::{BINDING_BYTES_CAP, Capabilities, SubgroupSizes},
    dispatch::shader::{ExactOutput, ShaderKey},
    error::{PrepareError, SliceError},
    reduce::policy::{Policy, Tuning},
};
use std::fmt;

/// How the invocations of a workgroup combine their values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Variant {
    /// Subgroups where the device has them and they passed the start-up probe, else workgroup memory.
    #[default]
    Auto,
    /// Subgroup shuffles and built-ins, then workgroup memory between subgroups.
    Subgroup,
    /// Workgroup memory alone.
    WorkgroupMemory,
}

impl Variant {
    /// The variant's name, as the program's `--variant` takes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Subgroup => "subgroup",
            Self::WorkgroupMemory => "workgroup-memory",
        }
    }
}

/// How workgroups combine their values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Strategy {
    /// The fastest that keeps the result's bits.
    #[default]
    Auto,
    /// Each workgroup writes a partial, and a second dispatch folds them. An input of a single block
    /// needs no second dispatch.
    TwoPass,
    /// Each workgroup writes a partial, and the last one to do so folds them: one dispatch for each binding of the
    /// input. Needs coherent memory ([`Capabilities::coherent_memory`]). A result that goes to a buffer of the input comes
    /// in two passes nevertheless.
    SinglePass,
    /// Each workgroup combines its total into one accumulator, by atomics, and a second dispatch makes the
    /// result of it. [`Precision::Unordered`] f32 sums and products depend on who comes first: their bits may
    /// change from run to run; reproducible ones refuse it. Exact results come this way, and all others have
    /// the same bits as ever.
    WorkgroupAtomic,
    /// The same for each subgroup, without workgroup memory and barriers. Needs subgroups.
    SubgroupAtomic,
}

impl Strategy {
    /// The strategy's name, as the program's `--strategy` takes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::TwoPass => "two-pass",
            Self::SinglePass => "single-pass",
            Self::WorkgroupAtomic => "workgroup-atomic",
            Self::SubgroupAtomic => "subgroup-atomic",
        }
    }

    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Auto, Self::TwoPass, Self::SinglePass, Self::WorkgroupAtomic, Self::SubgroupAtomic];
}

/// Every offset is a multiple of this.
const WORD_BYTES: u64 = 4;

/// Where the elements of one input slice lie in its buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Size of the whole buffer in bytes.
    pub buffer_bytes: u64,
    /// Offset of the first element in bytes, a multiple of the element's size.
    pub offset_bytes: u64,
    /// Length in elements.
    pub len: u64,
}

impl Extent {
    /// Whether these are items of the buffer, of so many bytes each.
    pub(crate) fn check(self, item_bytes: u64) -> Result<(), SliceError> {
        let Self { buffer_bytes, offset_bytes, len } = self;
        if !offset_bytes.is_multiple_of(WORD_BYTES) {
            return Err(SliceError::Misaligned { offset_bytes, element_bytes: WORD_BYTES });
        }
        let end_bytes =
            len.checked_mul(item_bytes).and_then(|bytes| bytes.checked_add(offset_bytes));
        if end_bytes.is_none_or(|end_bytes| end_bytes > buffer_bytes) {
            return Err(SliceError::PastBuffer { offset_bytes, len, buffer_bytes });
        }
        Ok(())
    }
}

/// What is to be reduced, and how the caller wants it done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The element type.
    pub element: ElementType,
    /// The operator.
    pub operator: OperatorType,
    /// The input slices, reduced as one sequence. Of two inputs, those of the left one.
    pub slices: Vec<Extent>,
    /// The slices of the right input, which is as long as the left one. Operators of one input do not look at them.
    pub right_slices: Vec<Extent>,
    /// Whether the output lies in a buffer that is also an input. One dispatch may not read and
    /// write one buffer, so the result then comes from a second dispatch, which reads no input.
    pub output_shares_input: bool,
    /// The variant asked for.
    pub variant: Variant,
    /// The strategy asked for.
    pub strategy: Strategy,
    /// What the result has to promise.
    pub precision: Precision,
}

/// The mechanism that a plan settled on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Mechanism {
    /// Subgroups, then workgroup memory between them.
    Subgroup,
    /// Workgroup memory alone.
    WorkgroupMemory,
}

impl fmt::Display for Mechanism {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Subgroup => Variant::Subgroup.name(),
            Self::WorkgroupMemory => Variant::WorkgroupMemory.name(),
        })
    }
}

/// Whose totals meet in an accumulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum AtomicScope {
    /// Every workgroup's.
    Workgroup,
    /// Every subgroup's.
    Subgroup,
}

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

/// One dispatch of the first pass: a run of elements that one binding of each input spans.
///
/// Positions are counted in elements from the start of the launch's first block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Launch {
    /// Which input slice.
    pub slice: usize,
    /// Offset of the binding in the slice's buffer, in bytes.
    pub binding_offset_bytes: u64,
    /// Size of the binding in bytes. Below 16 no vector can be bound, and none is loaded.
    pub binding_bytes: u64,
    /// First position. Not 0: the launch continues a block that the one before suspended.
    pub begin: u32,
    /// Position after the last.
    pub end: u32,
    /// Positions below this may be loaded four at a time.
    pub vec_end: u32,
    /// Position + base (mod 2^32) is an element of the binding.
    pub base: u32,
    /// The launch's first block.
    pub first_block: u32,
    /// Blocks that the launch touches.
    pub blocks: u32,
    /// Workgroups: each folds [`Plan::workgroup_blocks`] of them, the last one maybe fewer.
    pub workgroups: u32,
    /// Whether the last block is suspended, for the next launch to continue.
    pub suspends: bool,
    /// Where the elements of the right of two inputs are.
    pub right: Option<RightPart>,
}

/// A launch's elements of the right of two inputs: as the fields of [`Launch`] with the same names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RightPart {
    /// Which slice of the right input.
    pub slice: usize,
    /// Offset of the binding in the slice's buffer, in bytes.
    pub binding_offset_bytes: u64,
    /// Size of the binding in bytes.
    pub binding_bytes: u64,
    /// Position + base (mod 2^32) is an element of the binding.
    pub base: u32,
}

impl Launch {
    /// The remainder mod 4 of the elements' places in the binding: the shader's `SHIFT`.
    pub fn shift(&self) -> u32 {
        self.base % 4
    }

    /// Whether some elements are not in whole groups of four rows that can be loaded four at a time: the
    /// shader's `EDGES`.
    pub fn has_edges(&self) -> bool {
        let group = u32::try_from(GROUP_ITEMS).expect("a small number");
        !self.begin.is_multiple_of(group)
            || !self.end.is_multiple_of(group)
            || self.vec_end < self.end
    }

    /// Whether the launch resumes a block or suspends one: the shader's `CARRIES`.
    pub fn carries(&self) -> bool {
        self.begin != 0 || self.suspends
    }
}

/// What will be dispatched. Printable: `{}` in a line, [`Plan::explain`] in words.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Plan {
    /// The operator, and the element type.
    pub spec: &'static OperatorSpec,
    /// What the result promises: at least what was asked for.
    pub precision: Precision,
    /// Elements, over all slices, or pairs of them.
    pub len: u64,
    /// How the invocations of a workgroup combine.
    pub mechanism: Mechanism,
    /// The sizes a subgroup can have, where the mechanism uses them.
    pub subgroups: Option<SubgroupSizes>,
    /// Who adds and multiplies floats.
    pub arithmetic: Arithmetic,
    /// How the input is cut.
    pub blocks: Blocks,
    /// Blocks that a workgroup folds, one after another: 1 to 4.
    pub workgroup_blocks: u32,
    /// The first pass.
    pub launches: Vec<Launch>,
    /// What follows.
    pub ending: Ending,
}

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
        let plan = Self::preferred(problem, capabilities, policy)?;
        let Err(avoided) = plan.check_avoided(capabilities, exact_output) else {
            return Ok(plan);
        };
        other_ways(problem, capabilities)
            .filter_map(|(problem, capabilities)| {
                Self::preferred(&problem, &capabilities, policy).ok()
            })
            .find(|plan| plan.check_avoided(capabilities, exact_output).is_ok())
            .ok_or(avoided)
    }

    /// Refuses a plan with a kernel that the capabilities avoid.
    pub(crate) fn check_avoided(
        &self,
        capabilities: &Capabilities,
        exact_output: ExactOutput,
    ) -> Result<(), PrepareError> {
        if capabilities.avoided.is_empty() {
            return Ok(());
        }
        for ShaderKey { kernel, mechanism, .. } in ShaderKey::of_plan(self, exact_output) {
            if let Some(avoided) = capabilities.avoids(kernel, mechanism) {
                let reason = avoided.reason.clone().into_owned();
                return Err(PrepareError::Avoided { kernel: kernel.name(), reason });
            }
        }
        Ok(())
    }

    /// The plan for a device on which all is right.
    fn preferred(
        problem: &Problem,
        capabilities: &Capabilities,
        policy: Option<Policy>,
    ) -> Result<Self, PrepareError> {
        let (operator, element) = (problem.operator, problem.element);
        let spec = operator.spec(element).ok_or(PrepareError::Unsupported { operator, element })?;
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
        let (variant, strategy) = (problem.variant, problem.strategy);
        let precision = problem
            .precision
            .kept_by(operator, element)
            .ok_or(PrepareError::Imprecise { operator, element, precision: problem.precision })?;
        let scope = match strategy {
            Strategy::Auto | Strategy::TwoPass | Strategy::SinglePass => None,
            Strategy::WorkgroupAtomic => Some(AtomicScope::Workgroup),
            Strategy::SubgroupAtomic => Some(AtomicScope::Subgroup),
        };
        let is_exact = precision == Precision::Exact && spec.exact.is_some();
        if (is_exact && !matches!(strategy, Strategy::Auto | Strategy::WorkgroupAtomic))
            || (precision == Precision::Reproducible && scope.is_some())
            || (!is_exact && scope.is_some() && spec.atomic().is_none())
        {
            return Err(PrepareError::StrategyUnfit { strategy, precision });
        }
        if strategy == Strategy::SinglePass && !capabilities.coherent_memory {
            return Err(PrepareError::NoCoherentMemory);
        }
        let needs_subgroups = variant == Variant::Subgroup || scope == Some(AtomicScope::Subgroup);
        let mechanism = match (variant, capabilities.subgroups) {
            // Nobody combines values: the order is free, and no subgroup is of use.
            _ if is_exact => Mechanism::WorkgroupMemory,
            (Variant::WorkgroupMemory, _) if needs_subgroups => {
                return Err(PrepareError::Contradiction { strategy, variant });
            }
            (_, None) if needs_subgroups => return Err(PrepareError::NoSubgroups),
            (Variant::WorkgroupMemory, _) | (Variant::Auto, None) => Mechanism::WorkgroupMemory,
            (Variant::Subgroup | Variant::Auto, _) => Mechanism::Subgroup,
        };
        let tuning = Tuning::of(capabilities.device_class, is_exact);
        let policy = policy.unwrap_or(tuning.policy);
        if !policy.is_within_bounds() {
            return Err(PrepareError::Policy { policy });
        }
        let (blocks, workgroup_blocks) = if spec.order_free || is_exact {
            (free_blocks(problem, len, policy, capabilities), 1)
        } else {
            let blocks = Blocks::of(len);
            (blocks, workgroup_blocks(problem, blocks, policy, capabilities))
        };
        let is_single_pass = strategy == Strategy::SinglePass
            || (strategy == Strategy::Auto && tuning.single_pass && capabilities.coherent_memory);
        let ending = match scope {
            _ if is_exact => Ending::Exact,
            Some(scope) => Ending::Atomic {
                scope,
                float_add: capabilities.float_atomics && spec.adds_floats(),
            },
            None if blocks.count == 1 && !problem.output_shares_input => Ending::SingleBlock,
            None if is_single_pass && blocks.count > 1 && !problem.output_shares_input => {
                Ending::LastWorkgroup
            }
            None => Ending::Fold,
        };
        let plan = Self {
            spec,
            precision,
            len,
            mechanism,
            subgroups: capabilities.subgroups.filter(|_| mechanism == Mechanism::Subgroup),
            arithmetic: match precision {
                _ if !spec.computes_floats => Arithmetic::Hardware,
                Precision::Unordered => Arithmetic::Unchecked,
                _ if capabilities.sound_floats => Arithmetic::Hardware,
                _ => Arithmetic::Software,
            },
            blocks,
            workgroup_blocks,
            launches: launches(problem, len, (blocks, workgroup_blocks), is_exact, capabilities)?,
            ending,
        };
        let max_binding_bytes = capabilities.max_binding_bytes.min(capabilities.max_buffer_bytes);
        let needed_bytes = plan.scratch_bytes();
        if needed_bytes > max_binding_bytes {
            return Err(PrepareError::BindingTooSmall { max_binding_bytes, needed_bytes });
        }
        Ok(plan)
    }

    /// Bytes of the scratch buffer: a word that counts workgroups, the partials, then two areas for suspended lanes.
    pub fn scratch_bytes(&self) -> u64 {
        let suspends = self.launches.iter().any(|launch| launch.suspends);
        (1 + self.suspended_offset_words(if suspends { 2 } else { 0 })).next_multiple_of(4) * 4
    }

    /// The words of an accumulator in memory that no total has reached yet.
    pub(crate) fn accumulator_identity(&self) -> Vec<u32> {
        match self.ending {
            Ending::Exact => {
                vec![0; self.spec.exact.map_or(0, |exact| exact.terms.accumulator_words())]
            }
            _ => self.spec.combining.map_or(Vec::new(), |combining| combining.identity.to_vec()),
        }
    }

    /// Where an area for suspended lanes begins in the scratch buffer, in words after the first.
    pub(crate) fn suspended_offset_words(&self, area: usize) -> u64 {
        let acc_words = u64::from(self.spec.acc_words());
        let has_partials = matches!(self.ending, Ending::Fold | Ending::LastWorkgroup);
        let partials = if has_partials { self.blocks.count } else { 0 };
        // Four accumulators of four components for each lane.
        let area_accs = area as u64 * 16 * u64::from(LANES);
        (partials + area_accs) * acc_words
    }

    /// Dispatches, of both passes together.
    pub fn dispatches(&self) -> usize {
        let has_second_pass = !matches!(self.ending, Ending::SingleBlock | Ending::LastWorkgroup);
        self.launches.len() + usize::from(has_second_pass)
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

    /// How an exact reduction adds up elements.
    fn exactly(&self, terms: ExactTerms) -> &'static str {
        match (terms, self.arithmetic) {
            (ExactTerms::Squares | ExactTerms::Products, _) => {
                "products without rounding: those of elements within 16 binades as sums of integers, \
                 all others one by one in workgroup memory"
            }
            (ExactTerms::Moments, _) => "products without rounding, in workgroup memory",
            (ExactTerms::Elements, Arithmetic::Unchecked | Arithmetic::Hardware) => {
                "without rounding: those within 19 binades as two integers each, which the device's \
                 adder makes of them, all others one by one in workgroup memory"
            }
            (ExactTerms::Elements, Arithmetic::Software) => {
                "without rounding: one by one in workgroup memory"
            }
        }
    }

    /// The plan in whole sentences, for people.
    pub fn explain(&self) -> String {
        let &Self { spec, ref len, blocks, .. } = self;
        let OperatorSpec { operator, element, inputs, .. } = spec;
        let items = if *inputs == 2 { "pairs of " } else { "" };
        let mut text = format!("{operator} of {len} {items}{element}");
        if *len == 0 {
            text += ": nothing to read, one workgroup writes the result of nothing.";
            return text;
        }
        text += &format!(
            ", cut into {} of {} elements ({} rows of 1024), a workgroup of {LANES} invocations for \
             {}.\n",
            count(blocks.count, "block"),
            blocks.block_items(),
            blocks.rows,
            match blocks.count.min(self.workgroup_blocks.into()) {
                1 => "each".to_owned(),
                blocks => format!("{blocks} of them, one after another"),
            },
        );
        text += if *inputs == 2 {
            "Each invocation loads sixteen elements of either input at a time, word by word, and multiplies \
             them in registers.\n"
        } else {
            "Each invocation loads 16 bytes at a time, eight loads in flight, and folds them in registers.\n"
        };
        text += &match (self.subgroups, spec.exact) {
            (Some(sizes), _) => format!(
                "A workgroup's invocations combine within subgroups of {sizes} {}{}.\n",
                if spec.combining.is_some_and(|combining| combining.subgroup.is_some()) {
                    "with a subgroup built-in"
                } else {
                    "by shuffles in the fixed order"
                },
                if self.strategy() == Strategy::SubgroupAtomic {
                    ""
                } else {
                    ", then through workgroup memory"
                },
            ),
            (None, Some(exact)) if self.ending == Ending::Exact => {
                format!("A workgroup's invocations add {}.\n", self.exactly(exact.terms))
            }
            (None, _) => "A workgroup's invocations combine through workgroup memory.\n".to_owned(),
        };
        if self.launches.len() > 1 {
            text += &format!(
                "The input spans several bindings: {} in a row.\n",
                count(self.launches.len() as u64, "dispatch"),
            );
        }
        text += &match self.ending {
            Ending::SingleBlock => "That is the result: no second pass.".to_owned(),
            Ending::Fold => format!("Then one workgroup folds {}.", count(blocks.count, "partial")),
            Ending::LastWorkgroup => {
                format!("The last workgroup to finish folds {}.", count(blocks.count, "partial"))
            }
            Ending::Atomic { scope, float_add } => format!(
                "Each {} combines its total into one accumulator, by atomics{}, and a last dispatch \
                 makes the result of it.",
                match scope {
                    AtomicScope::Workgroup => "workgroup",
                    AtomicScope::Subgroup => "subgroup",
                },
                if float_add { " that add floats" } else { "" },
            ),
            Ending::Exact => {
                "Workgroups add their sums into copies of an accumulator, by atomics, and a last \
                 dispatch adds these up, and rounds: once."
                    .to_owned()
            }
        };
        if !self.is_reproducible() {
            text += match self.ending {
                Ending::Atomic { .. } => {
                    " Who comes first changes the rounding: the bits may differ from run to run."
                }
                _ => {
                    " The device's own additions decide on the bits: another device may have others."
                }
            };
        }
        if spec.is_always_exact() || spec.computes_floats {
            text += match self.precision {
                Precision::Unordered => "",
                Precision::Reproducible => {
                    " The bits depend on the elements and their order alone."
                }
                Precision::Exact => " The bits depend on the elements alone.",
            };
        }
        text
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ending == Ending::Exact {
            f.write_str("exact, ")?;
        }
        write!(f, "{}, {}", self.strategy().name(), self.mechanism)?;
        if let Some(sizes) = self.subgroups {
            write!(f, " {sizes}")?;
        }
        write!(f, ", {} x {}", self.blocks.count, self.blocks.block_items())?;
        if self.dispatches() != 1 {
            write!(f, ", {} dispatches", self.dispatches())?;
        }
        Ok(())
    }
}

/// "1 block", "2 blocks", "2 dispatches".
pub(crate) fn count(number: u64, noun: &str) -> String {
    let ending = match (number, noun.ends_with("ch")) {
        (1, _) => "",
        (_, true) => "es",
        (_, false) => "s",
    };
    format!("{number} {noun}{ending}")
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

/// Blocks of a workgroup at most, as the shader has room for.
const MAX_WORKGROUP_BLOCKS: u32 = 4;
/// Elements of a workgroup at most, where it folds several blocks.
const MAX_WORKGROUP_ITEMS: u64 = 1 << 29;

/// Elements that one launch can have at most, as far as bindings limit it.
fn max_launch_items(problem: &Problem, capabilities: &Capabilities) -> u64 {
    let longest = problem.slices.iter().map(|slice| slice.len).max().unwrap_or(0);
    longest.min(capabilities.max_binding_bytes / problem.element.size_bytes()).max(1)
}

/// The blocks of a reduction without a fixed order: a workgroup has one.
fn free_blocks(problem: &Problem, len: u64, policy: Policy, capabilities: &Capabilities) -> Blocks {
    // Where there are several launches the last may have a single block: then it had better be short.
    let max_blocks = match len > max_launch_items(problem, capabilities) {
        true => MAX_BLOCKS,
        false => policy.max_workgroups.into(),
    };
    Blocks::with_bounds(len, policy.min_rows.into(), max_blocks)
}

/// How many blocks of a fixed order each workgroup folds, so that it has as many rows, and no launch more workgroups than the
/// policy wants, if that can be.
fn workgroup_blocks(
    problem: &Problem,
    blocks: Blocks,
    policy: Policy,
    capabilities: &Capabilities,
) -> u32 {
    let launch_blocks =
        blocks.count.min(max_launch_items(problem, capabilities).div_ceil(blocks.block_items()));
    let room = (MAX_WORKGROUP_ITEMS / blocks.block_items()).max(1);
    let for_rows = u64::from(policy.min_rows) * ROW_ITEMS / blocks.block_items();
    let wanted = launch_blocks.div_ceil(policy.max_workgroups.into()).max(for_rows).max(1);
    narrow(wanted.min(room).min(MAX_WORKGROUP_BLOCKS.into()))
}

/// Elements of four rows, which are loaded together.
const GROUP_ITEMS: u64 = MIN_ROWS * ROW_ITEMS;

/// Elements of all slices together.
fn total_len(slices: &[Extent]) -> u64 {
    slices.iter().fold(0, |sum, slice| sum.saturating_add(slice.len))
}

/// Cuts the slices into runs that a binding and a dispatch can span, preferably between blocks. An exact
/// reduction cuts within blocks as if it were between them: it has no order to keep.
fn launches(
    problem: &Problem,
    len: u64,
    (blocks, workgroup_blocks): (Blocks, u32),
    is_exact: bool,
    capabilities: &Capabilities,
) -> Result<Vec<Launch>, PrepareError> {
    let element_bytes = problem.element.size_bytes();
    // Vectors are counted from a binding's beginning, and in a batch from the buffer's: so both begin with one.
    let alignment = capabilities.binding_alignment_bytes.max(16);
    // Vectors are loaded whole, so the last one must be within the binding.
    let max_binding_bytes = capabilities.max_binding_bytes.min(BINDING_BYTES_CAP) & !15;
    let needed_bytes = alignment + 16;
    if max_binding_bytes < needed_bytes {
        return Err(PrepareError::BindingTooSmall { max_binding_bytes, needed_bytes });
    }
    let max_binding_items = max_binding_bytes / element_bytes;
    let block_items = blocks.block_items();
    let mut launches = Vec::new();
    for run in runs(problem) {
        let mut position = run.begin;
        while position < run.end {
            let first_block = position / block_items;
            let view = |placed: Placed| placed.view(position, element_bytes, alignment);
            let left = view(run.left);
            let right = run.right.map(view);

            let head = right.map_or(left.head, |right| left.head.max(right.head));
            let binding_end = position + max_binding_items - head;
            let dispatch_blocks =
                u64::from(capabilities.max_workgroups) * u64::from(workgroup_blocks);
            let dispatch_end = (first_block + dispatch_blocks) * block_items;
            let mut end = run.end.min(binding_end).min(dispatch_end);
            if end < run.end {
                let between_blocks = end / block_items * block_items;
                let between_groups = end / GROUP_ITEMS * GROUP_ITEMS;
                // Rather than leave a last block to a single workgroup, which the device would wait for, this launch takes
                // most of it. Not where the order is fixed: to suspend lanes takes registers, and costs more (2^29 elements
                // in two launches on an NVIDIA H200, benches/records/nvidia-h200-windows.txt: u32 sums 477.8 us instead of
                // 510.1, f32 sums 585.4 instead of 515.2).
                let leaves_one_block = run.end <= between_blocks + block_items;
                let spec = problem.operator.spec(problem.element);
                let is_order_free = spec.is_some_and(|spec| spec.order_free);
                if is_order_free && leaves_one_block && between_groups > position {
                    end = between_groups;
                } else if between_blocks > position {
                    end = between_blocks;
                }
            }

            let begin = position % block_items;
            let relative_end = end - first_block * block_items;
            let items = end - position;
            let binding_bytes = left.binding_bytes(items, element_bytes);
            launches.push(Launch {
                slice: run.left.slice,
                binding_offset_bytes: left.offset_bytes,
                binding_bytes,
                begin: narrow(begin),
                end: narrow(relative_end),
                vec_end: vec_end(binding_bytes, left.head, begin, relative_end),
                base: left.base(begin),
                first_block: narrow(first_block),
                blocks: narrow(end.div_ceil(block_items) - first_block),
                workgroups: narrow(
                    (end.div_ceil(block_items) - first_block).div_ceil(workgroup_blocks.into()),
                ),
                suspends: !is_exact && !end.is_multiple_of(block_items) && end != len,
                right: run.right.zip(right).map(|(placed, view)| RightPart {
                    slice: placed.slice,
                    binding_offset_bytes: view.offset_bytes,
                    binding_bytes: view.binding_bytes(items, element_bytes),
                    base: view.base(begin),
                }),
            });
            position = end;
        }
    }
    Ok(launches)
}

/// Positions in the whole reduction that lie in one slice, or in one of each input.
struct Run {
    begin: u64,
    end: u64,
    left: Placed,
    right: Option<Placed>,
}

/// A slice, and where in its input it begins.
#[derive(Clone, Copy)]
struct Placed {
    slice: usize,
    extent: Extent,
    begin: u64,
}

impl Placed {
    fn end(self) -> u64 {
        self.begin + self.extent.len
    }

    /// The slice from `position` on, as a binding can have it.
    fn view(self, position: u64, element_bytes: u64, alignment: u64) -> View {
        let byte = self.extent.offset_bytes + (position - self.begin) * element_bytes;
        let offset_bytes = byte / alignment * alignment;
        let head = (byte - offset_bytes) / element_bytes;
        View { offset_bytes, head, rest_bytes: self.extent.buffer_bytes - offset_bytes }
    }
}

/// What a binding can have of a slice.
#[derive(Clone, Copy)]
struct View {
    offset_bytes: u64,
    /// Elements of the binding before the first of the slice.
    head: u64,
    /// To the end of the buffer.
    rest_bytes: u64,
}

impl View {
    /// With the vector that the last element lies in.
    fn binding_bytes(self, items: u64, element_bytes: u64) -> u64 {
        let needed_bytes = (self.head + items) * element_bytes;
        needed_bytes.next_multiple_of(16).min(self.rest_bytes & !3)
    }

    fn base(self, begin: u64) -> u32 {
        narrow(self.head).wrapping_sub(narrow(begin))
    }
}

/// The longest runs, in order.
fn runs(problem: &Problem) -> Vec<Run> {
    let lefts = placed(&problem.slices);
    let spec = problem.operator.spec(problem.element);
    if spec.is_none_or(|spec| spec.inputs == 1) {
        return lefts
            .map(|left| Run { begin: left.begin, end: left.end(), left, right: None })
            .collect();
    }
    let mut runs = Vec::new();
    let mut rights = placed(&problem.right_slices).filter(|right| right.extent.len > 0).peekable();
    for left in lefts {
        let mut begin = left.begin;
        while begin < left.end() {
            let &right = rights.peek().expect("both inputs have the same length");
            let end = left.end().min(right.end());
            runs.push(Run { begin, end, left, right: Some(right) });
            rights.next_if(|right| right.end() == end);
            begin = end;
        }
    }
    runs
}

fn placed(slices: &[Extent]) -> impl Iterator<Item = Placed> {
    let mut end = 0;
    slices.iter().enumerate().map(move |(slice, &extent)| {
        let begin = end;
        end += extent.len;
        Placed { slice, extent, begin }
    })
}

/// The position below which every group of four elements lies in whole vectors of the binding. A
/// group that begins within a vector needs the next one too.
fn vec_end(binding_bytes: u64, head: u64, begin: u64, end: u64) -> u32 {
    let whole_vector_items = binding_bytes / 16 * 4;
    let shift = (head + 4 - begin % 4) % 4;
    let unreadable = if shift == 0 { 0 } else { 4 - shift };
    narrow((whole_vector_items + begin).saturating_sub(head + unreadable).min(end))
}

/// Blocks are at most 2^29 elements and bindings 2^31 bytes. So positions stay below 2^31, and the
/// kernels' loops can go past the last one by some rows without wrapping around.
fn narrow(position: u64) -> u32 {
    let fits = u32::try_from(position).ok().filter(|&position| position < 1 << 31);
    fits.expect("positions in a launch are below 2^31")
}
