//! The ways to one result, by name: what a caller may force, what a plan chooses, and what errors speak of.
//!
//! It depends on nothing else.

pub(crate) mod policy;

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
    /// Each workgroup writes a partial, and a second dispatch folds them. A scan reduces, and then scans; a selection counts, and then writes. An input of a single block
    /// needs no second dispatch.
    TwoPass,
    /// Each workgroup writes a partial, and the last one to do so folds them: one dispatch for each binding of the
    /// input. Needs coherent memory ([`Capabilities::coherent_memory`](crate::Capabilities::coherent_memory)). A result that goes to a buffer of the input comes
    /// in two passes nevertheless, and so does one of three inputs where a kernel binds only four storage buffers. In a scan and in a selection each workgroup looks back for what is before its block.
    SinglePass,
    /// Each workgroup combines its total into one accumulator, by atomics. A second dispatch makes the result of it.
    ///
    /// * Exact results of sums and of other statistics of floats come this way.
    /// * [`Precision::Unordered`](crate::Precision::Unordered) sums of `f32`, `f16` and `bf16` depend on which workgroup comes first: their bits
    ///   may change from run to run.
    /// * Sums, extrema and bit operators of one word have the same bits as by the other strategies: devices have atomics for them.
    /// * Everything else is refused: `Reproducible` results that round, products, counts, and all that take more than one word of 32 bits.
    WorkgroupAtomic,
    /// Each subgroup combines its total as in [`Strategy::WorkgroupAtomic`], without workgroup memory and barriers. It needs subgroups.
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

    /// Whether totals meet in memory.
    pub(crate) const fn is_atomic(self) -> bool {
        matches!(self, Self::WorkgroupAtomic | Self::SubgroupAtomic)
    }

    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Auto, Self::TwoPass, Self::SinglePass, Self::WorkgroupAtomic, Self::SubgroupAtomic];
}

/// How the invocations of a workgroup combine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Mechanism {
    /// Subgroups, then workgroup memory between them.
    Subgroup,
    /// Workgroup memory alone.
    WorkgroupMemory,
}

impl Mechanism {
    /// The mechanism's name, as the program's `--variant` takes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Subgroup => "subgroup",
            Self::WorkgroupMemory => "workgroup-memory",
        }
    }
}

impl fmt::Display for Mechanism {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The groups of invocations whose totals meet in an accumulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum AtomicScope {
    /// Every workgroup's.
    Workgroup,
    /// Every subgroup's.
    Subgroup,
}
