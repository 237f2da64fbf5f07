//! Which shader files are whose kernel's own.

use crate::{way::AtomicScope, wgsl::kernel::Kernel};

impl Kernel {
    /// What it is told: the primitive's own parameters.
    pub(super) const fn params_files(self) -> &'static [&'static str] {
        match self {
            Self::CountedParams => &["params.wgsl@count", "params.wgsl@places"],
            Self::Order { .. } | Self::GroupTotals => {
                &["params.wgsl@groups", "reduce/job.wgsl@of_copies"]
            }
            Self::Histogram { .. } => &["params.wgsl@histogram", "reduce/job.wgsl@of_copies"],
            _ if self.is_scan() => {
                &["params.wgsl@scan", "reduce/job.wgsl@of_scans", "reduce/job.wgsl@hides_none"]
            }
            _ if self.is_selection() => &["params.wgsl@selection", "reduce/job.wgsl@of_selections"],
            _ if self.is_of_segments() => &["params.wgsl@segments", "reduce/job.wgsl@of_segments"],
            _ if self.is_of_differences() => {
                &["params.wgsl@differences", "reduce/job.wgsl@hides_none"]
            }
            Self::Reduce | Self::ReducePairs | Self::Fold => {
                &["params.wgsl@reduction", "params.wgsl@table", "reduce/job.wgsl@of_reductions"]
            }
            _ => &["params.wgsl@reduction", "reduce/job.wgsl@of_reductions"],
        }
    }

    /// The files that are the kernel's own, whatever it computes.
    pub(super) const fn files(self) -> &'static [&'static str] {
        match self {
            Self::Reduce | Self::ReducePairs => &[
                "reduce/first_pass.wgsl",
                "reduce/job.wgsl@launch",
                "reduce/job.wgsl@table",
                "memory/scratch.wgsl@memory",
            ],
            Self::ReduceTriplesToPartials => &[
                "reduce/outcome.wgsl@partials",
                "reduce/job.wgsl@launch",
                "memory/scratch.wgsl@memory",
            ],
            Self::ReduceAndFold | Self::ReducePairsAndFold => {
                &["reduce/and_fold.wgsl", "reduce/job.wgsl@launch", "memory/scratch.wgsl@coherent"]
            }
            Self::Fold => &[
                "reduce/fold.wgsl",
                "reduce/job.wgsl@launch",
                "reduce/job.wgsl@table",
                "memory/scratch.wgsl@memory",
            ],
            Self::FoldToPartials => &[
                "reduce/fold.wgsl@to_partials",
                "reduce/job.wgsl@launch",
                "memory/scratch.wgsl@memory",
            ],
            Self::ReduceToAccumulator { scope: AtomicScope::Workgroup, .. } => &[
                "reduce/outcome.wgsl@accumulator_workgroups",
                "reduce/job.wgsl@launch",
                "memory/result.wgsl@accumulator",
            ],
            Self::ReduceToAccumulator { scope: AtomicScope::Subgroup, .. } => &[
                "reduce/outcome.wgsl@accumulator_subgroups",
                "reduce/job.wgsl@launch",
                "memory/result.wgsl@accumulator",
            ],
            Self::Finish => &["reduce/finish.wgsl", "memory/result.wgsl"],
            Self::ScanCarries => &["scan/carry.wgsl@all"],
            Self::ScanRounds => &["scan/block.wgsl@by_rounds", "memory/output.wgsl@vectors"],
            Self::ScanSinglePass => &[
                "scan/single_pass.wgsl",
                "scan/look_back.wgsl",
                "memory/progress.wgsl",
                "memory/output.wgsl@vectors",
            ],
            Self::ScanRows => &["scan/block.wgsl@by_rows", "memory/output.wgsl@words"],
            Self::CountFlagged => &[
                "select/count.wgsl",
                "select/places.wgsl",
                "select/places.wgsl@together",
                "select/round.wgsl@flags_by_rows",
                "select/mask.wgsl",
                "select/items.wgsl@none",
            ],
            Self::CountWhere => &[
                "select/count.wgsl",
                "select/places.wgsl",
                "select/places.wgsl@apart",
                "select/predicate.wgsl",
                "select/items.wgsl@all",
            ],
            Self::CountHeads => &[
                "select/count.wgsl",
                "select/places.wgsl",
                "select/places.wgsl@together",
                "select/round.wgsl@flags_by_rows",
                "select/heads.wgsl@words",
                "select/items.wgsl@all",
            ],
            Self::CountTotals => &["select/totals.wgsl"],
            Self::SelectFlagged => &[
                "select/scatter.wgsl",
                "select/places.wgsl",
                "select/round.wgsl@flags_by_rows",
                "select/mask.wgsl",
                "select/items.wgsl@all",
                "select/emit.wgsl@items",
            ],
            Self::SelectWhere => &[
                "select/scatter.wgsl",
                "select/places.wgsl",
                "select/predicate.wgsl",
                "select/items.wgsl@all",
                "select/emit.wgsl@items",
            ],
            Self::SelectHeads => &[
                "select/scatter.wgsl",
                "select/places.wgsl",
                "select/round.wgsl@flags_by_rows",
                "select/heads.wgsl@words",
                "select/items.wgsl@all",
                "select/emit.wgsl@items",
            ],
            Self::SelectRuns => &[
                "select/scatter.wgsl",
                "select/places.wgsl",
                "select/round.wgsl@flags_by_rows",
                "select/heads.wgsl@words",
                "select/items.wgsl@all",
                "select/emit.wgsl@runs",
                "select/store.wgsl@numbers",
            ],
            Self::SelectBegins => &[
                "select/scatter.wgsl",
                "select/places.wgsl",
                "select/round.wgsl@flags_by_rows",
                "select/heads.wgsl@words",
                "select/items.wgsl@all",
                "select/emit.wgsl@begins",
                "select/store.wgsl@numbers",
            ],
            Self::SelectSinglePass { .. } => self.of_three_passes().files(),
            Self::CountedParams => &["reduce/counted.wgsl"],
            Self::BlockEnds => &["difference/differences.wgsl@ends"],
            Self::Differences => &["difference/differences.wgsl"],
            Self::Histogram { pass } => pass.files(),
            Self::Order { pass } => pass.files(),
            Self::SegmentChunks | Self::ExactSegmentChunks => &["segments/chunks.wgsl"],
            Self::SegmentResults | Self::ExactSegmentResults => &["segments/results.wgsl"],
            Self::GroupTotals => &["segments/group_totals.wgsl"],
            Self::ExactReduce => &[
                "exact/reduce.wgsl",
                "exact/group.wgsl",
                "exact/cells.wgsl",
                "exact/product.wgsl",
                "exact/limbs.wgsl@two_complement",
                "exact/accumulator.wgsl",
                "exact/accumulator.wgsl@copies",
                "exact/specials.wgsl",
            ],
            Self::ExactPairs => &[
                "exact/reduce_pairs.wgsl",
                "exact/cells.wgsl",
                "exact/product.wgsl",
                "exact/accumulator.wgsl",
                "exact/accumulator.wgsl@copies",
                "exact/specials.wgsl",
                "exact/limbs.wgsl@two_complement",
            ],
            Self::ExactFinish { .. } => &[
                "exact/finish.wgsl",
                "exact/accumulator.wgsl@copies",
                "exact/specials.wgsl",
                "exact/limbs.wgsl@two_complement",
            ],
        }
    }
}
