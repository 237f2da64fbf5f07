//! The kernels of selections, and which shader files make up their modules.

use crate::{
    way::Mechanism,
    wgsl::{kernel::Kernel, shader::ShaderKey},
};

impl Kernel {
    /// Whether it is of selections alone. These copy words, of whatever type: their modules are those of counts of `u32`s, or, by predicates, of
    /// counts of what the predicate is over.
    pub const fn is_selection(self) -> bool {
        matches!(
            self,
            Self::CountFlagged
                | Self::CountWhere
                | Self::CountHeads
                | Self::CountTotals
                | Self::SelectFlagged
                | Self::SelectWhere
                | Self::SelectHeads
                | Self::SelectRuns
                | Self::SelectBegins
        )
    }

    /// Whether it is the last pass of a selection, which writes.
    pub const fn scatters(self) -> bool {
        matches!(
            self,
            Self::SelectFlagged
                | Self::SelectWhere
                | Self::SelectHeads
                | Self::SelectRuns
                | Self::SelectBegins
        )
    }

    /// Whether it selects by a predicate, which is the user's: there is no such kernel without one.
    pub const fn is_by_predicate(self) -> bool {
        matches!(self, Self::CountWhere | Self::SelectWhere)
    }
}

impl ShaderKey {
    /// Those of its module that are no kernel's own, and neither the element's nor the predicate's.
    pub(super) fn selection_files(self) -> Vec<&'static str> {
        let mut files = vec!["select/entries.wgsl", "reduce/job_launch.wgsl"];
        files.extend(match self.mechanism {
            Mechanism::Subgroup => {
                ["reduce/entry_subgroup.wgsl", "collective/subgroup_builtins.wgsl"]
            }
            Mechanism::WorkgroupMemory => {
                ["reduce/entry_memory.wgsl", "collective/workgroup_builtins.wgsl"]
            }
        });
        if self.kernel.scatters() {
            files.extend(match self.mechanism {
                Mechanism::Subgroup => ["select/scatter_subgroup.wgsl", "select/places_apart.wgsl"],
                Mechanism::WorkgroupMemory => {
                    ["select/scatter_memory.wgsl", "select/places_together.wgsl"]
                }
            });
        }
        files
    }
}
