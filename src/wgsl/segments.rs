//! Which shader files make up the modules of segments; the passes that make orders of elements for them.

use crate::wgsl::{binding::Binding, kernel::Kernel, shader::ShaderKey};

/// A pass that makes an order of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum OrderPass {
    /// How many elements of each group blocks have.
    GroupCounts,
    /// Where each element comes, group by group.
    GroupPlaces,
    /// Where each element comes, if axes come in another order.
    Axes,
}

impl OrderPass {
    /// Groups at most: the shader's `MAX_GROUPS`.
    pub const MAX_GROUPS: u32 = 4096;

    /// The kernel's name, as reports have it.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::GroupCounts => "counts of groups",
            Self::GroupPlaces => "places in groups",
            Self::Axes => "order of axes",
        }
    }

    pub(super) const fn storage_bindings(self) -> &'static [(Binding, bool)] {
        match self {
            Self::GroupCounts => &[(Binding::Words, true), (Binding::Scratch, false)],
            Self::GroupPlaces => &[(Binding::Words, true), (Binding::Result, false)],
            Self::Axes => &[(Binding::RightWords, true), (Binding::Result, false)],
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
            Self::Axes => &["segments/axes_order.wgsl", "reduce/job_launch.wgsl"],
        }
    }
}

impl ShaderKey {
    /// Those of its module that are no kernel's own, and neither the element's nor the operator's.
    pub(super) fn segment_files(self) -> Vec<&'static str> {
        let mut files = vec![
            "segments/segment.wgsl",
            "segments/counter.wgsl",
            "collective/acc.wgsl",
            "collective/workgroup_builtins.wgsl",
            "memory/scratch.wgsl",
            "memory/scratch_memory.wgsl",
            "reduce/job_launch.wgsl",
            "reduce/entry_memory.wgsl",
        ];
        if !self.has_own_total() {
            files.extend(["reduce/total_run.wgsl", "reduce/total_acc.wgsl"]);
        }
        let load_files = self.spec().load_files();
        if self.kernel == Kernel::SegmentChunks {
            files.push(match load_files.contains(&"reduce/load_factors.wgsl") {
                true => "segments/neighbours_apart.wgsl",
                false => "segments/neighbours_at_once.wgsl",
            });
        }
        files.extend(load_files);
        files.extend(self.load_files());
        files
    }
}
