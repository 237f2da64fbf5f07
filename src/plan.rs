//! What will be dispatched, decided from numbers alone: (Problem, Capabilities, Policy) → Plan.

use crate::{
    capabilities::{Capabilities, SubgroupSizes},
    element::ElementType,
    error::PrepareError,
    operator::OperatorType,
    policy::Policy,
    tree::{Blocks, LANES, MAX_LEN, MIN_ROWS, ROW_ITEMS},
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
}

impl Strategy {
    /// The strategy's name, as the program's `--strategy` takes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::TwoPass => "two-pass",
        }
    }
}

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

/// What is to be reduced, and how the caller wants it done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The element type.
    pub element: ElementType,
    /// The operator.
    pub operator: OperatorType,
    /// The input slices, reduced as one sequence.
    pub slices: Vec<Extent>,
    /// Whether the output lies in a buffer that is also an input. One dispatch may not read and
    /// write one buffer, so the result then comes from the second dispatch, which reads no input.
    pub output_shares_input: bool,
    /// The variant asked for.
    pub variant: Variant,
    /// The strategy asked for.
    pub strategy: Strategy,
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

/// One dispatch of the first pass: a run of elements that one binding spans.
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
    pub workgroups: u32,
    /// Whether the last block is suspended, for the next launch to continue.
    pub suspends: bool,
}

impl Launch {
    /// The remainder mod 4 of the elements' places in the binding: the shader's `SHIFT`.
    pub fn shift(&self) -> u32 {
        self.base % 4
    }

    /// Whether some elements are not in whole groups of four rows that can be loaded four at a time: the
    /// shader's `EDGES`.
    pub fn has_edges(&self) -> bool {
        let group = u32::try_from(MIN_ROWS * ROW_ITEMS).expect("a small number");
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
    /// The operator.
    pub operator: OperatorType,
    /// The element type.
    pub element: ElementType,
    /// Elements, over all slices.
    pub len: u64,
    /// How the invocations of a workgroup combine.
    pub mechanism: Mechanism,
    /// The sizes a subgroup can have, where the mechanism uses them.
    pub subgroups: Option<SubgroupSizes>,
    /// How the input is cut.
    pub blocks: Blocks,
    /// The first pass.
    pub launches: Vec<Launch>,
    /// Whether a second pass folds the partials. If not, the last launch writes the result.
    pub folds: bool,
}

impl Plan {
    /// Plans `problem` for a device.
    ///
    /// # Errors
    ///
    /// [`PrepareError`], in the variants `Unsupported`, `TooLong`, `NoSubgroups`, `Policy` and
    /// `BindingTooSmall`.
    pub fn new(
        problem: &Problem,
        capabilities: &Capabilities,
        policy: Policy,
    ) -> Result<Self, PrepareError> {
        let (operator, element) = (problem.operator, problem.element);
        if !operator.supports(element) {
            return Err(PrepareError::Unsupported { operator, element });
        }
        if !policy.is_within_bounds() {
            return Err(PrepareError::Policy { policy });
        }
        let len = problem.slices.iter().fold(0u64, |sum, slice| sum.saturating_add(slice.len));
        if len > MAX_LEN {
            return Err(PrepareError::TooLong { len });
        }
        let mechanism = match (problem.variant, capabilities.subgroups) {
            (Variant::Subgroup, None) => return Err(PrepareError::NoSubgroups),
            (Variant::WorkgroupMemory, _) | (Variant::Auto, None) => Mechanism::WorkgroupMemory,
            (Variant::Subgroup | Variant::Auto, Some(_)) => Mechanism::Subgroup,
        };
        // The only strategy so far.
        let (Strategy::Auto | Strategy::TwoPass) = problem.strategy;
        let blocks = if operator.is_order_free(element) {
            Blocks::with_bounds(len, policy.min_rows.into(), policy.max_workgroups.into())
        } else {
            Blocks::of(len)
        };
        let plan = Self {
            operator,
            element,
            len,
            mechanism,
            subgroups: capabilities.subgroups.filter(|_| mechanism == Mechanism::Subgroup),
            blocks,
            launches: launches(problem, len, blocks, capabilities)?,
            folds: blocks.count != 1 || problem.output_shares_input,
        };
        let max_binding_bytes = capabilities.max_binding_bytes.min(capabilities.max_buffer_bytes);
        let needed_bytes = plan.scratch_bytes();
        if needed_bytes > max_binding_bytes {
            return Err(PrepareError::BindingTooSmall { max_binding_bytes, needed_bytes });
        }
        Ok(plan)
    }

    /// Bytes of the scratch buffer: the partials, then two areas for suspended lanes.
    pub fn scratch_bytes(&self) -> u64 {
        let suspends = self.launches.iter().any(|launch| launch.suspends);
        // A binding can't be empty.
        (self.suspended_offset_words(if suspends { 2 } else { 0 }) * 4).max(16)
    }

    /// Where an area for suspended lanes begins in the scratch buffer, in words.
    pub(crate) fn suspended_offset_words(&self, area: usize) -> u64 {
        let acc_words = u64::from(self.operator.acc_words(self.element));
        // Four accumulators of four components for each lane.
        let area_accs = area as u64 * 16 * u64::from(LANES);
        (self.blocks.count + area_accs) * acc_words
    }

    /// Dispatches, of both passes together.
    pub fn dispatches(&self) -> usize {
        self.launches.len() + usize::from(self.folds)
    }

    /// The plan in whole sentences, for people.
    pub fn explain(&self) -> String {
        let Self { operator, element, len, blocks, .. } = self;
        let mut text = format!("{operator} of {len} {element}");
        if *len == 0 {
            text += ": nothing to read, one workgroup writes the operator's identity.";
            return text;
        }
        text += &format!(
            ", cut into {} of {} elements ({} rows of 1024), a workgroup of {LANES} invocations for \
             each.\n",
            count(blocks.count, "block"),
            blocks.block_items(),
            blocks.rows,
        );
        text += "Each invocation loads 16 bytes at a time, eight loads in flight, and folds them in \
                 registers.\n";
        text += &match self.subgroups {
            Some(sizes) => format!(
                "A workgroup's invocations combine within subgroups of {sizes} {}, then through \
                 workgroup memory.\n",
                if operator.is_order_free(*element) {
                    "with a subgroup built-in"
                } else {
                    "by shuffles in the fixed order"
                },
            ),
            None => "A workgroup's invocations combine through workgroup memory.\n".to_owned(),
        };
        if self.launches.len() > 1 {
            text += &format!(
                "The input spans several bindings: {} in a row.\n",
                count(self.launches.len() as u64, "dispatch"),
            );
        }
        text += &if self.folds {
            format!("Then one workgroup folds {}.", count(blocks.count, "partial"))
        } else {
            "That is the result: no second pass.".to_owned()
        };
        text
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", Strategy::TwoPass.name(), self.mechanism)?;
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

/// Cuts the slices into runs that a binding and a dispatch can span, preferably between blocks.
fn launches(
    problem: &Problem,
    len: u64,
    blocks: Blocks,
    capabilities: &Capabilities,
) -> Result<Vec<Launch>, PrepareError> {
    let element_bytes = problem.element.size_bytes();
    let alignment = capabilities.binding_alignment_bytes;
    // Vectors are loaded whole, so the last one must be within the binding.
    let max_binding_bytes = capabilities.max_binding_bytes & !15;
    let needed_bytes = alignment + 16;
    if max_binding_bytes < needed_bytes {
        return Err(PrepareError::BindingTooSmall { max_binding_bytes, needed_bytes });
    }
    let block_items = blocks.block_items();
    let mut launches = Vec::new();
    let mut slice_begin = 0;
    for (index, slice) in problem.slices.iter().enumerate() {
        let slice_end = slice_begin + slice.len;
        let mut position = slice_begin;
        while position < slice_end {
            let byte = slice.offset_bytes + (position - slice_begin) * element_bytes;
            let binding_offset_bytes = byte / alignment * alignment;
            let head = (byte - binding_offset_bytes) / element_bytes;
            let first_block = position / block_items;

            let binding_end = position + max_binding_bytes / element_bytes - head;
            let dispatch_end = (first_block + u64::from(capabilities.max_workgroups)) * block_items;
            let mut end = slice_end.min(binding_end).min(dispatch_end);
            if end < slice_end {
                let between_blocks = end / block_items * block_items;
                if between_blocks > position {
                    end = between_blocks;
                }
            }

            let begin = position % block_items;
            let relative_end = end - first_block * block_items;
            let needed_bytes = (head + end - position) * element_bytes;
            let binding_bytes = needed_bytes
                .next_multiple_of(16)
                .min((slice.buffer_bytes - binding_offset_bytes) & !3);
            launches.push(Launch {
                slice: index,
                binding_offset_bytes,
                binding_bytes,
                begin: narrow(begin),
                end: narrow(relative_end),
                vec_end: vec_end(binding_bytes, head, begin, relative_end),
                base: narrow(head).wrapping_sub(narrow(begin)),
                first_block: narrow(first_block),
                workgroups: narrow(end.div_ceil(block_items) - first_block),
                suspends: !end.is_multiple_of(block_items) && end != len,
            });
            position = end;
        }
        slice_begin = slice_end;
    }
    Ok(launches)
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
