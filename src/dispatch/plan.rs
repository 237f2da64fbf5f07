//! What a plan of any primitive is made of: dispatches, as numbers.

use crate::{
    device::capabilities::DeviceClass,
    dispatch::windows::View,
    wgsl::{
        kernel::Kernel,
        params::Params,
        shader::{Constants, ShaderKey},
    },
};

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
