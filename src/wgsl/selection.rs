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

    /// Whether it looks at elements as they are in memory, without a predicate. For those of less than a word, of either size, there are modules of
    /// their own: those of counts of `u8`s.
    pub const fn copies_items(self) -> bool {
        matches!(
            self,
            Self::CountHeads
                | Self::SelectFlagged
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
        let is_narrow = self.element.packing().is_narrow();
        if self.kernel.copies_items() || self.kernel.is_by_predicate() {
            files.push(match is_narrow {
                true => "select/load_parts.wgsl",
                // A predicate alone looks at elements of several components.
                false if self.maps_components() => "select/load_components.wgsl",
                false => "select/load_words.wgsl",
            });
        }
        if self.kernel.scatters() {
            files.push(match is_narrow {
                true => "select/store_parts.wgsl",
                false => "select/store_words.wgsl",
            });
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
