//! Which kernels do the same with other inputs.

use crate::wgsl::kernel::Kernel;

impl Kernel {
    /// The kernel that does the same with two inputs, if there is one.
    pub(crate) const fn of_pairs(self) -> Self {
        match self {
            Self::Reduce => Self::ReducePairs,
            Self::ReduceAndFold => Self::ReducePairsAndFold,
            Self::ExactReduce => Self::ExactPairs,
            other => other,
        }
    }

    /// Whether it reads two inputs, or, if its program is of three, a third one, too.
    pub(crate) const fn reads_pairs(self) -> bool {
        matches!(
            self,
            Self::ReducePairs
                | Self::ReducePairsAndFold
                | Self::ReduceTriplesToPartials
                | Self::ExactPairs
        )
    }
}
