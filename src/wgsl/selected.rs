//! Which selections have kernels of a single pass.

/// What a selection in a single pass writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Selected {
    /// The elements that a mask selects, or their positions.
    Flagged,
    /// Those for which a predicate is true.
    Where,
    /// The elements that runs of equal ones begin with.
    Heads,
    /// The same, with the runs' lengths.
    Runs,
    /// The same, with the runs' first positions.
    Begins,
}

impl Selected {
    /// The kernel's name.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Flagged => "select flagged in a single pass",
            Self::Where => "select by predicate in a single pass",
            Self::Heads => "select first of runs in a single pass",
            Self::Runs => "select runs and lengths in a single pass",
            Self::Begins => "select runs and begins in a single pass",
        }
    }

    /// Whether it is of what runs begin with.
    pub(super) const fn is_of_runs(self) -> bool {
        matches!(self, Self::Heads | Self::Runs | Self::Begins)
    }

    /// Words of what blocks tell others: the shader's `ACC_WORDS`.
    pub(crate) const fn acc_words(self) -> u32 {
        match self {
            Self::Runs => 2,
            _ => 1,
        }
    }
}
