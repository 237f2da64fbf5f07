//! The passes that put elements in order, group by group: what each binds, and which shader files are its own.

use crate::wgsl::binding::Binding;

/// A pass that puts elements in order, group by group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum OrderPass {
    /// How many elements of each group blocks have.
    GroupCounts,
    /// It moves the elements, one group after another.
    GroupItems,
}

impl OrderPass {
    /// Groups at most: the shader's `MAX_GROUPS`.
    pub const MAX_GROUPS: u32 = 4096;

    /// The kernel's name, as reports have it.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::GroupCounts => "counts of groups",
            Self::GroupItems => "elements in groups",
        }
    }

    pub(super) const fn storage_bindings(self) -> &'static [(Binding, bool)] {
        match self {
            Self::GroupCounts => &[(Binding::Words, true), (Binding::Scratch, false)],
            Self::GroupItems => &[
                (Binding::Words, true),
                (Binding::RightWords, true),
                (Binding::Scratch, true),
                (Binding::Result, false),
            ],
        }
    }

    pub(super) const fn files(self) -> &'static [&'static str] {
        match self {
            Self::GroupCounts => &[
                "segments/group_number.wgsl@counts",
                "segments/group_number.wgsl",
                "reduce/job.wgsl@launch",
            ],
            Self::GroupItems => &[
                "segments/group_items.wgsl",
                "segments/group_number.wgsl",
                "reduce/job.wgsl@launch",
            ],
        }
    }
}
