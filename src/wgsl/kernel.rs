//! The kernels: what each binds, and which shader files are its own.

use crate::way::AtomicScope;

pub use crate::wgsl::{
    binding::{Binding, Stored},
    histogram::HistogramPass,
    orders::OrderPass,
    selected::Selected,
};

/// The kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kernel {
    /// The first pass, of one reduction or of many: the total of a single block is the result, and totals of more are partials.
    Reduce,
    /// The same, but that the last workgroup folds the partials.
    ReduceAndFold,
    /// [`Kernel::Reduce`] of two inputs, or of three.
    ReducePairs,
    /// [`Kernel::ReduceAndFold`] of two inputs, or of three.
    ReducePairsAndFold,
    /// The first pass of three inputs where a device has no binding for a result beside them: all totals are partials.
    ReduceTriplesToPartials,
    /// The second pass, of one reduction or of many: partials to the result.
    Fold,
    /// A pass before it: many partials to fewer.
    FoldToPartials,
    /// The first pass, whose totals meet in the accumulator.
    ReduceToAccumulator {
        /// Whose totals.
        scope: AtomicScope,
        /// Whether an atomic addition of floats does it.
        float_add: bool,
    },
    /// The second pass: the accumulator to the result.
    Finish,
    /// The first pass of an exact reduction, whose sums meet in the accumulator.
    ExactReduce,
    /// The same for the products of two inputs' elements.
    ExactPairs,
    /// The second of a scan's three passes: blocks' totals to what is before each of them.
    ScanCarries,
    /// The last pass of a scan, round by round, to whole vectors.
    ScanRounds,
    /// The last pass of a scan, row by row, to any words.
    ScanRows,
    /// The only pass of a scan, whose workgroups look back for what is before their blocks, to whole vectors.
    ScanSinglePass,
    /// The first of a selection's three passes: how many elements of each block a mask selects.
    CountFlagged,
    /// The same of the elements for which a predicate is true.
    CountWhere,
    /// The same of the elements that runs of equal ones begin with.
    CountHeads,
    /// The second: blocks' totals to what is before each of them, and the number of all.
    CountTotals,
    /// The last pass of a selection by a mask.
    SelectFlagged,
    /// The last pass of a selection by a predicate.
    SelectWhere,
    /// The last one of the elements that runs of equal ones begin with.
    SelectHeads,
    /// The same, with the runs' lengths.
    SelectRuns,
    /// The same, with the runs' first positions.
    SelectBegins,
    /// The only pass of a selection, whose workgroups look back for what is before their blocks.
    SelectSinglePass {
        /// What it writes.
        what: Selected,
    },
    /// What dispatches are told where a number in memory says how many elements there are.
    CountedParams,
    /// The first of two passes of differences: the last element of each block.
    BlockEnds,
    /// The last pass: differences of neighbours.
    Differences,
    /// All passes over segments but the last: the totals of chunks.
    SegmentChunks,
    /// The last one: a result for each segment.
    SegmentResults,
    /// [`Kernel::SegmentChunks`] of sums that round nothing.
    ExactSegmentChunks,
    /// [`Kernel::SegmentResults`] of these, each rounded once.
    ExactSegmentResults,
    /// The only pass over elements in groups: a total for each group of a block.
    GroupTotals,
    /// A pass that puts elements in order, group by group, for segments.
    Order {
        /// Which one.
        pass: OrderPass,
    },
    /// A pass of a histogram.
    Histogram {
        /// Which one.
        pass: HistogramPass,
    },
    /// The second pass of an exact reduction.
    ExactFinish {
        /// What it makes of the accumulator.
        output: Stored,
    },
}

impl Kernel {
    /// Every kernel.
    pub const ALL: [Self; 50] = [
        Self::Reduce,
        Self::ReduceAndFold,
        Self::ReducePairs,
        Self::ReducePairsAndFold,
        Self::ReduceTriplesToPartials,
        Self::Fold,
        Self::FoldToPartials,
        Self::ReduceToAccumulator { scope: AtomicScope::Workgroup, float_add: false },
        Self::ReduceToAccumulator { scope: AtomicScope::Workgroup, float_add: true },
        Self::ReduceToAccumulator { scope: AtomicScope::Subgroup, float_add: false },
        Self::ReduceToAccumulator { scope: AtomicScope::Subgroup, float_add: true },
        Self::Finish,
        Self::ExactReduce,
        Self::ExactPairs,
        Self::ScanCarries,
        Self::ScanRounds,
        Self::ScanRows,
        Self::ScanSinglePass,
        Self::CountFlagged,
        Self::CountWhere,
        Self::CountHeads,
        Self::CountTotals,
        Self::SelectFlagged,
        Self::SelectWhere,
        Self::SelectHeads,
        Self::SelectRuns,
        Self::SelectBegins,
        Self::SelectSinglePass { what: Selected::Flagged },
        Self::SelectSinglePass { what: Selected::Where },
        Self::SelectSinglePass { what: Selected::Heads },
        Self::SelectSinglePass { what: Selected::Runs },
        Self::SelectSinglePass { what: Selected::Begins },
        Self::CountedParams,
        Self::BlockEnds,
        Self::Differences,
        Self::SegmentChunks,
        Self::SegmentResults,
        Self::ExactSegmentChunks,
        Self::ExactSegmentResults,
        Self::GroupTotals,
        Self::Order { pass: OrderPass::GroupCounts },
        Self::Order { pass: OrderPass::GroupItems },
        Self::Histogram { pass: HistogramPass::Clear },
        Self::Histogram { pass: HistogramPass::Few },
        Self::Histogram { pass: HistogramPass::Many },
        Self::Histogram { pass: HistogramPass::Even },
        Self::Histogram { pass: HistogramPass::Bytes },
        Self::Histogram { pass: HistogramPass::Numbers },
        Self::ExactFinish { output: Stored::Value },
        Self::ExactFinish { output: Stored::Accumulator },
    ];

    /// The kernel's name, as reports have it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Reduce => "reduce",
            Self::ReduceAndFold => "reduce and fold",
            Self::ReducePairs => "reduce pairs",
            Self::ReducePairsAndFold => "reduce pairs and fold",
            Self::ReduceTriplesToPartials => "reduce triples to partials",
            Self::Fold => "fold",
            Self::FoldToPartials => "fold to partials",
            Self::ReduceToAccumulator { scope, float_add } => match (scope, float_add) {
                (AtomicScope::Workgroup, false) => "reduce to accumulator by workgroups",
                (AtomicScope::Workgroup, true) => {
                    "reduce to accumulator by workgroups, adding floats"
                }
                (AtomicScope::Subgroup, false) => "reduce to accumulator by subgroups",
                (AtomicScope::Subgroup, true) => {
                    "reduce to accumulator by subgroups, adding floats"
                }
            },
            Self::Finish => "finish",
            Self::ExactReduce => "exact reduce",
            Self::ExactPairs => "exact reduce of pairs",
            Self::ScanCarries => "scan carries",
            Self::ScanRounds => "scan by rounds",
            Self::ScanRows => "scan by rows",
            Self::ScanSinglePass => "scan in a single pass",
            Self::CountFlagged => "count flagged",
            Self::CountWhere => "count by predicate",
            Self::CountHeads => "count runs",
            Self::CountTotals => "totals of counts",
            Self::SelectFlagged => "select flagged",
            Self::SelectWhere => "select by predicate",
            Self::SelectHeads => "select first of runs",
            Self::SelectRuns => "select runs and lengths",
            Self::SelectBegins => "select runs and begins",
            Self::SelectSinglePass { what } => what.name(),
            Self::CountedParams => "parameters of a count",
            Self::BlockEnds => "ends of blocks",
            Self::Differences => "differences",
            Self::SegmentChunks => "chunks of segments",
            Self::SegmentResults => "results of segments",
            Self::ExactSegmentChunks => "exact chunks of segments",
            Self::ExactSegmentResults => "exact results of segments",
            Self::GroupTotals => "totals of groups",
            Self::Order { pass } => pass.name(),
            Self::Histogram { pass } => pass.name(),
            Self::ExactFinish { output: Stored::Value } => "exact finish",
            Self::ExactFinish { output: Stored::Accumulator } => "exact accumulator",
        }
    }

    /// The name of the kernel's entry point.
    pub const fn entry_point(self) -> &'static str {
        match self {
            Self::Finish | Self::ExactFinish { .. } => "finish",
            _ => "main",
        }
    }

    /// Whether it adds up without rounding.
    pub const fn is_exact(self) -> bool {
        matches!(self, Self::ExactReduce | Self::ExactPairs | Self::ExactFinish { .. })
    }

    /// Whether it is of scans alone.
    pub const fn is_scan(self) -> bool {
        matches!(self, Self::ScanCarries | Self::ScanRounds | Self::ScanRows | Self::ScanSinglePass)
    }

    /// Whether it is of numbers that say where elements are, where they go, or how many there are. It takes elements for words. Modules are those of counts of
    /// `u32`s, too.
    pub const fn is_of_numbers(self) -> bool {
        matches!(self, Self::CountedParams | Self::Order { .. })
    }

    /// Whether it is of differences alone.
    pub const fn is_of_differences(self) -> bool {
        matches!(self, Self::BlockEnds | Self::Differences)
    }

    /// Whether it is of segments alone.
    pub const fn is_of_segments(self) -> bool {
        self.makes_chunks()
            || matches!(self, Self::SegmentResults | Self::ExactSegmentResults | Self::GroupTotals)
    }

    /// Whether it makes totals of chunks of segments.
    pub const fn makes_chunks(self) -> bool {
        matches!(self, Self::SegmentChunks | Self::ExactSegmentChunks)
    }

    /// Whether it is of segments' sums that round nothing.
    pub const fn is_of_exact_segments(self) -> bool {
        matches!(self, Self::ExactSegmentChunks | Self::ExactSegmentResults)
    }

    /// Whether its workgroups read what others of the same dispatch wrote.
    pub const fn needs_coherent_memory(self) -> bool {
        self.looks_back() || matches!(self, Self::ReduceAndFold | Self::ReducePairsAndFold)
    }

    /// Whether its workgroups look for what is before their blocks while others are still at work.
    pub const fn looks_back(self) -> bool {
        matches!(self, Self::ScanSinglePass | Self::SelectSinglePass { .. })
    }

    /// The storage bindings that the kernel has, and whether each is read only. Binding 0 is always
    /// the uniform `params`.
    pub const fn storage_bindings(self) -> &'static [(Binding, bool)] {
        match self {
            Self::Reduce | Self::ReduceAndFold => &[
                (Binding::Vectors, true),
                (Binding::Words, true),
                (Binding::Scratch, false),
                (Binding::Result, false),
            ],
            Self::ReduceTriplesToPartials => {
                &[(Binding::Words, true), (Binding::RightWords, true), (Binding::Scratch, false)]
            }
            Self::ReducePairs | Self::ReducePairsAndFold => &[
                (Binding::Words, true),
                (Binding::RightWords, true),
                (Binding::Scratch, false),
                (Binding::Result, false),
            ],
            Self::ReduceToAccumulator { .. } => {
                &[(Binding::Vectors, true), (Binding::Words, true), (Binding::Accumulator, false)]
            }
            Self::Fold => &[(Binding::Scratch, false), (Binding::Result, false)],
            Self::FoldToPartials | Self::ScanCarries => &[(Binding::Scratch, false)],
            Self::ScanRounds | Self::ScanRows => &[
                (Binding::Vectors, true),
                (Binding::Words, true),
                (Binding::Scratch, false),
                (Binding::Output, false),
            ],
            Self::ScanSinglePass => &[
                (Binding::Vectors, true),
                (Binding::Words, true),
                (Binding::Accumulator, false),
                (Binding::Output, false),
            ],
            Self::CountFlagged
            | Self::CountWhere
            | Self::CountHeads
            | Self::CountTotals
            | Self::SelectFlagged
            | Self::SelectWhere
            | Self::SelectHeads
            | Self::SelectRuns
            | Self::SelectBegins
            | Self::SelectSinglePass { .. } => self.selection_bindings(),
            Self::CountedParams => {
                &[(Binding::Words, true), (Binding::RightWords, true), (Binding::Result, false)]
            }
            Self::BlockEnds => &[(Binding::Words, true), (Binding::Scratch, false)],
            Self::Differences => {
                &[(Binding::Words, true), (Binding::Scratch, false), (Binding::Output, false)]
            }
            Self::SegmentChunks | Self::ExactSegmentChunks => &[
                (Binding::Vectors, true),
                (Binding::Words, true),
                (Binding::RightWords, true),
                (Binding::Scratch, false),
            ],
            Self::SegmentResults | Self::ExactSegmentResults => &[
                (Binding::Words, true),
                (Binding::RightWords, true),
                (Binding::Scratch, false),
                (Binding::Result, false),
            ],
            Self::GroupTotals => {
                &[(Binding::Words, true), (Binding::RightWords, true), (Binding::Scratch, false)]
            }
            Self::Order { pass } => pass.storage_bindings(),
            Self::Histogram { pass } => pass.storage_bindings(),
            Self::Finish | Self::ExactFinish { .. } => {
                &[(Binding::Accumulator, false), (Binding::Result, false)]
            }
            Self::ExactReduce => {
                &[(Binding::Vectors, true), (Binding::Words, true), (Binding::Accumulator, false)]
            }
            Self::ExactPairs => &[
                (Binding::Words, true),
                (Binding::RightWords, true),
                (Binding::Accumulator, false),
            ],
        }
    }

    /// Whether it binds scratch memory.
    pub(crate) fn uses_scratch(self) -> bool {
        self.storage_bindings().iter().any(|&(binding, _)| binding == Binding::Scratch)
    }

    /// Whether it reads elements, in blocks.
    pub(super) const fn reads_blocks(self) -> bool {
        self.reads() && !self.is_exact()
    }

    /// Whether it reads elements, in any way.
    pub(super) const fn reads(self) -> bool {
        !self.is_selection()
            && !self.is_of_differences()
            && !matches!(
                self,
                Self::Fold
                    | Self::FoldToPartials
                    | Self::Finish
                    | Self::CountedParams
                    | Self::Order { .. }
                    | Self::ScanCarries
                    | Self::Histogram { pass: HistogramPass::Clear }
                    | Self::ExactFinish { .. }
            )
    }

    /// Whether it loads vectors of one input.
    pub(super) const fn reads_vectors(self) -> bool {
        self.reads() && !self.reads_pairs()
    }

    /// Whether a launch ends in it, at a result or at a state for the next launch.
    pub(super) const fn ends_launch(self) -> bool {
        matches!(
            self,
            Self::Reduce
                | Self::ReduceAndFold
                | Self::ReducePairs
                | Self::ReducePairsAndFold
                | Self::Fold
        )
    }
}
