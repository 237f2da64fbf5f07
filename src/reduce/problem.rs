//! What is to be reduced, and how the caller wants it done.

use crate::{
    algebra::{element::ElementType, operators::OperatorType, precision::Precision},
    dispatch::{shader::Mechanism, windows::Extent},
};

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
            Self::Subgroup => Mechanism::Subgroup.name(),
            Self::WorkgroupMemory => Mechanism::WorkgroupMemory.name(),
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
    /// change from run to run; reproducible ones refuse it, and so do products and extrema of 64-bit
    /// integers, which no atomics combine. Exact results come this way, and all others have
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
    /// Where in its buffer the output begins, in bytes.
    pub output_offset_bytes: u64,
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
