//! The kernels: what each binds, and which shader files are its own.

use crate::{
    algebra::{element::ElementType, operator::Arithmetic, operator_type::OperatorType},
    way::{AtomicScope, Mechanism},
};

/// The kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kernel {
    /// The first pass, whose totals are partials.
    ReduceToPartials,
    /// The first pass over a single block, whose total is the result.
    ReduceToResult,
    /// The first pass, whose last workgroup folds the partials.
    ReduceAndFold,
    /// [`Kernel::ReduceToPartials`] of two inputs.
    ReducePairsToPartials,
    /// [`Kernel::ReduceToResult`] of two inputs.
    ReducePairsToResult,
    /// [`Kernel::ReduceAndFold`] of two inputs.
    ReducePairsAndFold,
    /// The second pass: partials to the result.
    Fold,
    /// The first pass of many reductions at once, whose totals are partials.
    ReduceJobsToPartials,
    /// The only pass of many reductions at once, each of a single block.
    ReduceJobsToResults,
    /// The second pass of many reductions at once.
    FoldJobs,
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
    /// The second pass of an exact reduction.
    ExactFinish {
        /// What it makes of the accumulator.
        output: ExactOutput,
    },
}

/// What an exact reduction writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ExactOutput {
    /// The rounded result.
    Value,
    /// The accumulator: limbs, flags and the number of elements.
    Accumulator,
}

impl Kernel {
    /// Every kernel.
    pub const ALL: [Self; 19] = [
        Self::ReduceToPartials,
        Self::ReduceToResult,
        Self::ReduceAndFold,
        Self::ReducePairsToPartials,
        Self::ReducePairsToResult,
        Self::ReducePairsAndFold,
        Self::Fold,
        Self::ReduceJobsToPartials,
        Self::ReduceJobsToResults,
        Self::FoldJobs,
        Self::ReduceToAccumulator { scope: AtomicScope::Workgroup, float_add: false },
        Self::ReduceToAccumulator { scope: AtomicScope::Workgroup, float_add: true },
        Self::ReduceToAccumulator { scope: AtomicScope::Subgroup, float_add: false },
        Self::ReduceToAccumulator { scope: AtomicScope::Subgroup, float_add: true },
        Self::Finish,
        Self::ExactReduce,
        Self::ExactPairs,
        Self::ExactFinish { output: ExactOutput::Value },
        Self::ExactFinish { output: ExactOutput::Accumulator },
    ];

    /// The kernel's name, as reports have it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ReduceToPartials => "reduce to partials",
            Self::ReduceToResult => "reduce to result",
            Self::ReduceAndFold => "reduce and fold",
            Self::ReducePairsToPartials => "reduce pairs to partials",
            Self::ReducePairsToResult => "reduce pairs to result",
            Self::ReducePairsAndFold => "reduce pairs and fold",
            Self::Fold => "fold",
            Self::ReduceJobsToPartials => "reduce jobs to partials",
            Self::ReduceJobsToResults => "reduce jobs to results",
            Self::FoldJobs => "fold jobs",
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
            Self::ExactFinish { output: ExactOutput::Value } => "exact finish",
            Self::ExactFinish { output: ExactOutput::Accumulator } => "exact accumulator",
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

    /// The kernel that does the same with two inputs, if there is one.
    pub(crate) const fn of_pairs(self) -> Self {
        match self {
            Self::ReduceToPartials => Self::ReducePairsToPartials,
            Self::ReduceToResult => Self::ReducePairsToResult,
            Self::ReduceAndFold => Self::ReducePairsAndFold,
            Self::ExactReduce => Self::ExactPairs,
            other => other,
        }
    }

    /// Whether it reads two inputs.
    pub(crate) const fn reads_pairs(self) -> bool {
        matches!(
            self,
            Self::ReducePairsToPartials
                | Self::ReducePairsToResult
                | Self::ReducePairsAndFold
                | Self::ExactPairs
        )
    }

    /// The kernel for many reductions at once, if there is one.
    pub(crate) const fn of_jobs(self) -> Option<Self> {
        match self {
            Self::ReduceToPartials => Some(Self::ReduceJobsToPartials),
            Self::ReduceToResult => Some(Self::ReduceJobsToResults),
            Self::Fold => Some(Self::FoldJobs),
            _ => None,
        }
    }

    /// Whether there is such a kernel.
    pub(super) fn exists(
        self,
        operator: OperatorType,
        element: ElementType,
        mechanism: Mechanism,
        arithmetic: Arithmetic,
    ) -> bool {
        let Some(spec) = operator.spec(element) else { return false };
        match self {
            _ if self.reads() && self.reads_pairs() != (spec.inputs == 2) => false,
            // No values combine, and where the device is trusted with nothing integers do all.
            Self::ExactReduce | Self::ExactPairs | Self::ExactFinish { .. } => {
                spec.exact.is_some()
                    && mechanism == Mechanism::WorkgroupMemory
                    && arithmetic != Arithmetic::Unchecked
            }
            _ if spec.is_always_exact() => false,
            // Its partials are those of jobs.
            Self::FoldJobs => spec.inputs == 1,
            Self::Finish => spec.atomic().is_some(),
            // Rounding sums lose their order.
            Self::ReduceToAccumulator { scope, float_add } => {
                (scope == AtomicScope::Workgroup || mechanism == Mechanism::Subgroup)
                    && spec.atomic().is_some_and(|atomic| !float_add || atomic.float_add.is_some())
                    && (!spec.computes_floats || arithmetic == Arithmetic::Unchecked)
            }
            _ => true,
        }
    }

    /// The storage bindings that the kernel has, and whether each is read only. Binding 0 is always
    /// the uniform `params`.
    pub const fn storage_bindings(self) -> &'static [(Binding, bool)] {
        match self {
            Self::ReduceToPartials => {
                &[(Binding::Vectors, true), (Binding::Words, true), (Binding::Scratch, false)]
            }
            Self::ReduceJobsToPartials => &[
                (Binding::Vectors, true),
                (Binding::Words, true),
                (Binding::Scratch, false),
                (Binding::Jobs, true),
            ],
            Self::ReduceJobsToResults => &[
                (Binding::Vectors, true),
                (Binding::Words, true),
                (Binding::Result, false),
                (Binding::Jobs, true),
            ],
            Self::FoldJobs => {
                &[(Binding::Scratch, false), (Binding::Result, false), (Binding::Jobs, true)]
            }
            Self::ReduceToResult | Self::ReduceAndFold => &[
                (Binding::Vectors, true),
                (Binding::Words, true),
                (Binding::Scratch, false),
                (Binding::Result, false),
            ],
            Self::ReducePairsToPartials => {
                &[(Binding::Words, true), (Binding::RightWords, true), (Binding::Scratch, false)]
            }
            Self::ReducePairsToResult | Self::ReducePairsAndFold => &[
                (Binding::Words, true),
                (Binding::RightWords, true),
                (Binding::Scratch, false),
                (Binding::Result, false),
            ],
            Self::ReduceToAccumulator { .. } => {
                &[(Binding::Vectors, true), (Binding::Words, true), (Binding::Accumulator, false)]
            }
            Self::Fold => &[(Binding::Scratch, false), (Binding::Result, false)],
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

    /// The files that are the kernel's own, whatever it computes.
    pub(super) const fn files(self) -> &'static [&'static str] {
        match self {
            Self::ReduceToPartials | Self::ReducePairsToPartials => {
                &["reduce/to_partials.wgsl", "reduce/job_launch.wgsl", "memory/scratch_memory.wgsl"]
            }
            Self::ReduceToResult | Self::ReducePairsToResult => {
                &["reduce/to_result.wgsl", "reduce/job_launch.wgsl", "memory/scratch_memory.wgsl"]
            }
            Self::ReduceAndFold | Self::ReducePairsAndFold => &[
                "reduce/and_fold.wgsl",
                "reduce/job_launch.wgsl",
                "memory/scratch_memory_coherent.wgsl",
            ],
            Self::Fold => {
                &["reduce/fold.wgsl", "reduce/job_launch.wgsl", "memory/scratch_memory.wgsl"]
            }
            Self::ReduceJobsToPartials => {
                &["reduce/to_partials.wgsl", "reduce/job_table.wgsl", "memory/scratch_memory.wgsl"]
            }
            Self::ReduceJobsToResults => {
                &["reduce/to_result.wgsl", "reduce/job_table.wgsl", "memory/no_scratch.wgsl"]
            }
            Self::FoldJobs => {
                &["reduce/fold.wgsl", "reduce/job_table.wgsl", "memory/scratch_memory.wgsl"]
            }
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
            Self::ExactReduce => &[
                "exact/reduce.wgsl",
                "exact/group.wgsl",
                "exact/cells.wgsl",
                "exact/product.wgsl",
                "exact/specials_of.wgsl",
                "exact/two_complement.wgsl",
                "exact/accumulator.wgsl",
                "exact/accumulator_copies.wgsl",
                "exact/specials.wgsl",
                "memory/input.wgsl",
            ],
            Self::ExactPairs => &[
                "exact/reduce_pairs.wgsl",
                "memory/input_pairs.wgsl",
                "exact/cells.wgsl",
                "exact/product.wgsl",
                "exact/specials_of.wgsl",
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

    /// Whether it reads elements, in blocks.
    pub(super) const fn reads_blocks(self) -> bool {
        self.reads() && !self.is_exact()
    }

    /// Whether it reads elements, in any way.
    const fn reads(self) -> bool {
        !matches!(self, Self::Fold | Self::FoldJobs | Self::Finish | Self::ExactFinish { .. })
    }

    /// Whether it loads vectors of one input.
    pub(super) const fn reads_vectors(self) -> bool {
        self.reads() && !self.reads_pairs()
    }

    /// Whether a launch ends in it, at a result or at a state for the next launch.
    pub(super) const fn ends_launch(self) -> bool {
        matches!(
            self,
            Self::ReduceToResult
                | Self::ReduceJobsToResults
                | Self::ReduceAndFold
                | Self::ReducePairsToResult
                | Self::ReducePairsAndFold
                | Self::Fold
                | Self::FoldJobs
        )
    }
}

/// The storage bindings of group 0, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Binding {
    /// The input as vectors.
    Vectors = 1,
    /// The input as words.
    Words = 2,
    /// Partials, and the state between launches.
    Scratch = 3,
    /// The output.
    Result = 4,
    /// Where totals meet by atomics.
    Accumulator = 5,
    /// The right of two inputs, as words.
    RightWords = 6,
    /// What each workgroup of many reductions is told.
    Jobs = 7,
}
