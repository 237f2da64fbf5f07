//! Which shader files make up the modules of scans.

use crate::{
    algebra::element::Packing,
    way::Mechanism,
    wgsl::{kernel::Kernel, shader::ShaderKey},
};

impl ShaderKey {
    /// Those of its module that are no kernel's own, and neither the element's nor the operator's.
    pub(super) fn scan_files(&self) -> Vec<&'static str> {
        let mut files = vec!["collective/acc.wgsl", "reduce/job.wgsl@launch", "scan/rows.wgsl"];
        files.extend(self.before_files());
        if self.kernel.uses_scratch() {
            files.extend(["memory/scratch.wgsl", "memory/scratch.wgsl@memory"]);
            files.push(match self.is_ordered() {
                true => "scan/ordered.wgsl",
                false => "scan/free.wgsl",
            });
            if self.kernel.reads() {
                files.push("scan/block.wgsl@ends");
            }
        }
        if self.kernel.reads() {
            files.extend(["scan/block.wgsl", "scan/tile.wgsl@lens", "reduce/rounds.wgsl"]);
            files.extend(self.spec().load_files());
            files.extend(self.load_files());
        }
        if matches!(self.kernel, Kernel::ScanRounds | Kernel::ScanSinglePass) {
            files.extend([
                "scan/tile.wgsl",
                "reduce/rounds.wgsl@rows",
                "reduce/rounds.wgsl@rows_apart",
                "collective/nodes.wgsl",
                "collective/nodes.wgsl@scan",
            ]);
            // Of integers, and of sums of elements, the operator's files say it.
            if self.spec().squares() {
                files.push(match self.acc_words() {
                    1 => "scan/carry.wgsl@f32",
                    _ => "scan/carry.wgsl@f64",
                });
            }
            match self.mechanism {
                Mechanism::Subgroup => {
                    files.extend([
                        "collective/scan_tile.wgsl@subgroups",
                        "collective/workgroup.wgsl@subgroups",
                        "collective/acc.wgsl@shuffle",
                    ]);
                    files.extend(match self.keeps_order() {
                        true => vec![
                            "collective/scan_siblings.wgsl@in_order",
                            "collective/team_reduce.wgsl@in_order",
                            "collective/subgroup_reduce.wgsl@in_order",
                        ],
                        false => vec![
                            "collective/scan_siblings.wgsl@any_order",
                            "collective/team_reduce.wgsl@subgroups",
                        ],
                    });
                }
                Mechanism::WorkgroupMemory => files.extend([
                    "collective/scan_tile.wgsl@memory",
                    "collective/workgroup.wgsl@memory",
                ]),
            }
        }
        files.extend(match self.mechanism {
            Mechanism::Subgroup => {
                ["reduce/entry.wgsl@subgroups", "collective/subgroup_builtins.wgsl"]
            }
            Mechanism::WorkgroupMemory => {
                ["reduce/entry.wgsl@memory", "collective/workgroup.wgsl@builtins"]
            }
        });
        files
    }

    /// What is before a place: an accumulator, which begins with the initial value, or a total of runs, which has none.
    fn before_files(&self) -> [&'static str; 2] {
        if self.has_own_total() {
            return match self.operator.is_variance() {
                true => ["scan/before.wgsl@total", "scan/before.wgsl@moments"],
                false => ["scan/before.wgsl@total", "scan/before.wgsl@moments_and_places"],
            };
        }
        let initial = match self.element.packing() {
            _ if self.operator.tells_places() => "scan/initial.wgsl@none",
            _ if self.spec().takes_lifted_initial() => "scan/initial.wgsl@lifted",
            Packing::TwoWords => "scan/initial.wgsl@two_words",
            packing if packing.components().is_some() => "scan/initial.wgsl@components",
            _ => "scan/initial.wgsl@word",
        };
        ["scan/before.wgsl@acc", initial]
    }

    /// The shader's `BEFORE_ACCS`, as the host counts on it.
    pub(crate) fn before_accs(&self) -> u32 {
        if self.has_own_total() { 2 } else { 1 }
    }
}
