//! The passes that make orders of elements for segments: what each binds, and which shader files are its own.

use crate::wgsl::binding::Binding;

/// A pass that makes an order of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum OrderPass {
    /// How many elements of each group blocks have.
    GroupCounts,
    /// Where each element comes, group by group.
    GroupPlaces,
}

impl OrderPass {
    /// Groups at most: the shader's `MAX_GROUPS`.
    pub const MAX_GROUPS: u32 = 4096;

    /// The kernel's name, as reports have it.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::GroupCounts => "counts of groups",
            Self::GroupPlaces => "places in groups",
        }
    }

    pub(super) const fn storage_bindings(self) -> &'static [(Binding, bool)] {
        match self {
            Self::GroupCounts => &[(Binding::Words, true), (Binding::Scratch, false)],
            Self::GroupPlaces => &[(Binding::Words, true), (Binding::Result, false)],
        }
    }

    pub(super) const fn files(self) -> &'static [&'static str] {
        match self {
            Self::GroupCounts => &[
                "segments/group_counts.wgsl",
                "segments/group_number.wgsl",
                "reduce/job_launch.wgsl",
            ],
            Self::GroupPlaces => &[
                "segments/group_places.wgsl",
                "segments/group_number.wgsl",
                "reduce/job_launch.wgsl",
            ],
        }
    }
}
