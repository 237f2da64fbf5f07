//! Which shader files make up the modules of scans.

use crate::{
    algebra::element::Packing,
    way::Mechanism,
    wgsl::{kernel::Kernel, shader::ShaderKey},
};

impl ShaderKey {
    /// Those of its module that are no kernel's own, and neither the element's nor the operator's.
    pub(super) fn scan_files(&self) -> Vec<&'static str> {
        let mut files = vec!["collective/acc.wgsl", "reduce/job_launch.wgsl", "scan/rows.wgsl"];
        files.extend(self.before_files());
        if self.kernel.uses_scratch() {
            files.extend(["memory/scratch.wgsl", "memory/scratch_memory.wgsl"]);
            files.push(match self.is_ordered() {
                true => "scan/ordered.wgsl",
                false => "scan/free.wgsl",
            });
            if self.kernel.reads() {
                files.push("scan/block_ends.wgsl");
            }
        }
        if self.kernel.reads() {
            files.extend(["scan/block.wgsl", "scan/lens.wgsl", "reduce/rounds.wgsl"]);
            files.extend(self.spec().load_files());
            files.extend(self.load_files());
        }
        if matches!(self.kernel, Kernel::ScanRounds | Kernel::ScanSinglePass) {
            files.extend([
                "scan/tile.wgsl",
                "reduce/round_rows.wgsl",
                "reduce/rows_apart.wgsl",
                "collective/nodes.wgsl",
                "collective/scan_nodes.wgsl",
            ]);
            // Of integers, and of sums of elements, the operator's files say it.
            if self.spec().squares() {
                files.push(match self.acc_words() {
                    1 => "scan/carry_f32.wgsl",
                    _ => "scan/carry_f64.wgsl",
                });
            }
            match self.mechanism {
                Mechanism::Subgroup => {
                    files.extend([
                        "collective/scan_tile_subgroup.wgsl",
                        "collective/workgroup_subgroup.wgsl",
                        "collective/acc_shuffle.wgsl",
                    ]);
                    files.extend(match self.keeps_order() {
                        true => [
                            "collective/scan_siblings_in_order.wgsl",
                            "collective/subgroup_reduce_in_order.wgsl",
                        ],
                        false => [
                            "collective/scan_siblings.wgsl",
                            "collective/subgroup_reduce_shuffle.wgsl",
                        ],
                    });
                }
                Mechanism::WorkgroupMemory => files.extend([
                    "collective/scan_tile_memory.wgsl",
                    "collective/workgroup_memory.wgsl",
                ]),
            }
        }
        files.extend(match self.mechanism {
            Mechanism::Subgroup => {
                ["reduce/entry_subgroup.wgsl", "collective/subgroup_builtins.wgsl"]
            }
            Mechanism::WorkgroupMemory => {
                ["reduce/entry_memory.wgsl", "collective/workgroup_builtins.wgsl"]
            }
        });
        files
    }

    /// What is before a place: an accumulator, which begins with the initial value, or a total of runs, which has none.
    fn before_files(&self) -> [&'static str; 2] {
        if self.has_own_total() {
            return match self.operator.is_variance() {
                true => ["scan/before_total.wgsl", "scan/before_moments.wgsl"],
                false => ["scan/before_total.wgsl", "scan/before_moments_and_places.wgsl"],
            };
        }
        let initial = match self.element.packing() {
            _ if self.operator.tells_places() => "scan/initial_none.wgsl",
            _ if self.spec().takes_lifted_initial() => "scan/initial_lifted.wgsl",
            Packing::TwoWords => "scan/initial_two_words.wgsl",
            packing if packing.components().is_some() => "scan/initial_components.wgsl",
            _ => "scan/initial_word.wgsl",
        };
        ["scan/before_acc.wgsl", initial]
    }

    /// The shader's `BEFORE_ACCS`, as the host counts on it.
    pub(crate) fn before_accs(&self) -> u32 {
        if self.has_own_total() { 2 } else { 1 }
    }
}
