//! Plans: dispatches, as numbers.

use crate::{
    algebra::{element::ElementType, operator::Arithmetic, precision::Precision},
    device::capabilities::{Capabilities, DeviceClass},
    dispatch::windows::View,
    error::PrepareError,
    way::{Mechanism, Strategy},
    wgsl::{
        kernel::Kernel,
        params::Params,
        shader::{Constants, ShaderKey},
    },
};
use std::fmt;

/// The dispatches of a call, planned before anything is recorded. `{}` prints it in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Plan {
    /// The type of the elements, or of positions where there are none.
    pub element: ElementType,
    /// Elements, over all slices, or pairs or triples of them.
    pub len: u64,
    /// The promise of the results: at least the one that was asked for.
    pub precision: Precision,
    /// How the lanes of a workgroup combine.
    pub mechanism: Mechanism,
    /// The way in which floats are added and multiplied.
    pub arithmetic: Arithmetic,
    /// How workgroups combine.
    pub strategy: Strategy,
    /// Elements of a block, which is what a workgroup takes: a power of two. 0 where blocks differ.
    pub block_items: u64,
    /// Bytes of scratch memory. Copies of elements, offsets and groups that a reduction of segments makes first are not among them.
    pub scratch_bytes: u64,
    /// The dispatches, in their order.
    pub dispatches: Vec<Dispatch>,
    pub(crate) line: String,
    pub(crate) explanation: String,
}

impl Plan {
    /// A plan in two passes, by workgroup memory, whose results nothing rounds. Callers change what differs.
    pub(crate) fn new(
        line: String,
        element: ElementType,
        len: u64,
        scratch_bytes: u64,
        dispatches: Vec<Dispatch>,
    ) -> Self {
        let last = dispatches.last().map(|dispatch| dispatch.shader.arithmetic);
        Self {
            element,
            len,
            precision: Precision::Exact,
            mechanism: Mechanism::WorkgroupMemory,
            arithmetic: last.unwrap_or_default(),
            strategy: Strategy::TwoPass,
            block_items: 0,
            scratch_bytes,
            dispatches,
            explanation: line.clone(),
            line,
        }
    }

    /// The shaders of the dispatches, and the values of their constants.
    pub(crate) fn pipelines(&self) -> impl Iterator<Item = (ShaderKey, Constants)> + '_ {
        self.dispatches.iter().map(|dispatch| (dispatch.shader.clone(), dispatch.constants))
    }

    /// In sentences, for people. Plans of anything but reductions are a line here, too.
    pub fn explain(&self) -> String {
        self.explanation.clone()
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.line)
    }
}

/// Refuses a plan with a kernel that the capabilities avoid.
pub(crate) fn check_avoided<'a>(
    dispatches: impl IntoIterator<Item = &'a Dispatch>,
    capabilities: &Capabilities,
) -> Result<(), PrepareError> {
    let avoided = dispatches.into_iter().find_map(|dispatch| {
        let kernel = dispatch.shader.kernel;
        let avoided = capabilities.avoids(kernel, dispatch.shader.mechanism)?;
        let reason = avoided.reason.clone().into_owned();
        Some(PrepareError::Avoided { kernel: kernel.name(), reason })
    });
    avoided.map_or(Ok(()), Err)
}

/// One dispatch. `Kernel::storage_bindings` says what it binds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Dispatch {
    /// The shader.
    pub shader: ShaderKey,
    /// The values of its pipeline constants.
    pub constants: Constants,
    /// What it is told.
    pub params: Params,
    /// What it reads of the input, or of the left one, if it does. Not of a scan in place, which reads the output.
    pub left: Option<View>,
    /// What it reads of the right input, if there is one; of a scan, what it writes of the output.
    pub right: Option<View>,
    /// What it reads of the third of three inputs.
    pub third: Option<View>,
    /// The slice of the left input that it is about. Not of a last dispatch that is about all of them.
    pub slice: Option<usize>,
    /// Workgroups.
    pub workgroups: u32,
}

impl Dispatch {
    /// Whether it writes a result, if it has a binding for one.
    pub(crate) fn writes_result(&self) -> bool {
        let is_first_pass = matches!(self.shader.kernel, Kernel::Reduce | Kernel::ReducePairs);
        !is_first_pass || self.params.flags & Params::ALONE != 0
    }
}

/// Bytes of what workgroups of a single pass tell each other, as in shaders/memory/progress.wgsl: four words for all, and four for each word of the totals of
/// so many blocks, of 64 of them, and of 64 of those.
pub(crate) fn progress_bytes(blocks: u64, acc_words: u32) -> u64 {
    let totals = blocks + (blocks >> 6) + (blocks >> 12);
    4 * (4 + 4 * totals * u64::from(acc_words))
}

/// Flags of a single pass on such a device: drivers in software deal out parts of a dispatch to their threads, so a workgroup's number does not tell when
/// it begins.
pub(crate) fn single_pass_flags(class: DeviceClass) -> u32 {
    match class {
        DeviceClass::Cpu => Params::DRAWS_BLOCKS,
        _ => 0,
    }
}

/// Blocks of a single pass, at most: what the three levels of shaders/scan/look_back.wgsl span, and one behind them.
pub(crate) const MAX_SINGLE_PASS_BLOCKS: u32 = (1 << 18) - 1;
