//! Which shader files are whose kernel's own.

use crate::{way::AtomicScope, wgsl::kernel::Kernel};

impl Kernel {
    /// The files that are the kernel's own, whatever it computes.
    pub(super) const fn files(self) -> &'static [&'static str] {
        match self {
            Self::Reduce | Self::ReducePairs => &[
                "reduce/first_pass.wgsl",
                "reduce/job_launch.wgsl",
                "reduce/job_table.wgsl",
                "memory/scratch_memory.wgsl",
            ],
            Self::ReduceTriplesToPartials => {
                &["reduce/to_partials.wgsl", "reduce/job_launch.wgsl", "memory/scratch_memory.wgsl"]
            }
            Self::ReduceAndFold | Self::ReducePairsAndFold => &[
                "reduce/and_fold.wgsl",
                "reduce/job_launch.wgsl",
                "memory/scratch_memory_coherent.wgsl",
            ],
            Self::Fold => &[
                "reduce/fold.wgsl",
                "reduce/job_launch.wgsl",
                "reduce/job_table.wgsl",
                "memory/scratch_memory.wgsl",
            ],
            Self::FoldToPartials => &[
                "reduce/fold_to_partials.wgsl",
                "reduce/job_launch.wgsl",
                "memory/scratch_memory.wgsl",
            ],
            Self::ReduceToAccumulator { scope: AtomicScope::Workgroup, .. } => &[
                "reduce/to_accumulator_workgroups.wgsl",
                "reduce/job_launch.wgsl",
                "memory/accumulator.wgsl",
            ],
            Self::ReduceToAccumulator { scope: AtomicScope::Subgroup, .. } => &[
                "reduce/to_accumulator_subgroups.wgsl",
                "reduce/job_launch.wgsl",
                "memory/accumulator.wgsl",
            ],
            Self::Finish => &["reduce/finish.wgsl", "memory/result.wgsl"],
            Self::ScanCarries => &["scan/carries.wgsl"],
            Self::ScanRounds => &["scan/block_by_rounds.wgsl", "memory/output_vectors.wgsl"],
            Self::ScanSinglePass => &[
                "scan/single_pass.wgsl",
                "scan/look_back.wgsl",
                "memory/progress.wgsl",
                "memory/output_vectors.wgsl",
            ],
            Self::ScanRows => &["scan/block_by_rows.wgsl", "memory/output_words.wgsl"],
            Self::CountFlagged => &[
                "select/count.wgsl",
                "select/places.wgsl",
                "select/places_together.wgsl",
                "select/flags_by_rows.wgsl",
                "select/mask.wgsl",
                "select/no_items.wgsl",
            ],
            Self::CountWhere => &[
                "select/count.wgsl",
                "select/places.wgsl",
                "select/places_apart.wgsl",
                "select/predicate.wgsl",
                "select/items.wgsl",
            ],
            Self::CountHeads => &[
                "select/count.wgsl",
                "select/places.wgsl",
                "select/places_together.wgsl",
                "select/flags_by_rows.wgsl",
                "select/heads.wgsl",
                "select/items.wgsl",
            ],
            Self::CountTotals => &["select/totals.wgsl"],
            Self::SelectFlagged => &[
                "select/scatter.wgsl",
                "select/places.wgsl",
                "select/flags_by_rows.wgsl",
                "select/mask.wgsl",
                "select/items.wgsl",
                "select/emit_items.wgsl",
            ],
            Self::SelectWhere => &[
                "select/scatter.wgsl",
                "select/places.wgsl",
                "select/predicate.wgsl",
                "select/items.wgsl",
                "select/emit_items.wgsl",
            ],
            Self::SelectHeads => &[
                "select/scatter.wgsl",
                "select/places.wgsl",
                "select/flags_by_rows.wgsl",
                "select/heads.wgsl",
                "select/items.wgsl",
                "select/emit_items.wgsl",
            ],
            Self::SelectRuns => &[
                "select/scatter.wgsl",
                "select/places.wgsl",
                "select/flags_by_rows.wgsl",
                "select/heads.wgsl",
                "select/items.wgsl",
                "select/emit_runs.wgsl",
                "select/store_numbers.wgsl",
            ],
            Self::SelectBegins => &[
                "select/scatter.wgsl",
                "select/places.wgsl",
                "select/flags_by_rows.wgsl",
                "select/heads.wgsl",
                "select/items.wgsl",
                "select/emit_begins.wgsl",
                "select/store_numbers.wgsl",
            ],
            Self::SelectSinglePass { .. } => self.of_three_passes().files(),
            Self::CountedParams => &["reduce/counted.wgsl"],
            Self::BlockEnds => &["difference/ends.wgsl"],
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
                "exact/two_complement.wgsl",
                "exact/accumulator.wgsl",
                "exact/accumulator_copies.wgsl",
                "exact/specials.wgsl",
            ],
            Self::ExactPairs => &[
                "exact/reduce_pairs.wgsl",
                "exact/cells.wgsl",
                "exact/product.wgsl",
                "exact/accumulator.wgsl",
                "exact/accumulator_copies.wgsl",
                "exact/specials.wgsl",
                "exact/two_complement.wgsl",
            ],
            Self::ExactFinish { .. } => &[
                "exact/finish.wgsl",
                "exact/accumulator_copies.wgsl",
                "exact/specials.wgsl",
                "exact/two_complement.wgsl",
            ],
        }
    }
}
