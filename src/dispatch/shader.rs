//! Kernels, and which shader files make up which module.

use crate::algebra::{
    element::ElementType,
    operator::{
        ACCUMULATOR_COPIES, Arithmetic, Combining, ExactSpec, ExactTerms, OperatorSpec, Part,
    },
    operators::OperatorType,
};
pub use crate::dispatch::{
    params::Params,
    sources::{Probe, Sources},
};
use std::{collections::BTreeSet, fmt};

/// How the invocations of a workgroup combine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Mechanism {
    /// Subgroups, then workgroup memory between them.
    Subgroup,
    /// Workgroup memory alone.
    WorkgroupMemory,
}

impl Mechanism {
    /// The mechanism's name, as the program's `--variant` takes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Subgroup => "subgroup",
            Self::WorkgroupMemory => "workgroup-memory",
        }
    }
}

impl fmt::Display for Mechanism {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Whose totals meet in an accumulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum AtomicScope {
    /// Every workgroup's.
    Workgroup,
    /// Every subgroup's.
    Subgroup,
}

/// The kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kernel {
    /// The first pass, whose totals are partials.
    ReduceToPartials,
    /// The first pass over a single block, whose total is the result.
    ReduceToResult,
    /// The first pass, whose last workgroup folds the partials.
    ReduceAndFold,
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
    pub const ALL: [Self; 16] = [
        Self::ReduceToPartials,
        Self::ReduceToResult,
        Self::ReduceAndFold,
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
    fn exists(
        self,
        operator: OperatorType,
        element: ElementType,
        mechanism: Mechanism,
        arithmetic: Arithmetic,
    ) -> bool {
        let Some(spec) = operator.spec(element) else { return false };
        match self {
            // No values combine, and where the device is trusted with nothing integers do all.
            Self::ExactReduce | Self::ExactPairs | Self::ExactFinish { .. } => {
                let fits_inputs = match self {
                    Self::ExactReduce => spec.inputs == 1,
                    Self::ExactPairs => spec.inputs == 2,
                    _ => true,
                };
                fits_inputs
                    && spec.exact.is_some()
                    && mechanism == Mechanism::WorkgroupMemory
                    && arithmetic != Arithmetic::Unchecked
            }
            _ if spec.is_always_exact() => false,
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
    const fn files(self) -> &'static [&'static str] {
        match self {
            Self::ReduceToPartials => {
                &["reduce/to_partials.wgsl", "reduce/job_launch.wgsl", "memory/scratch_memory.wgsl"]
            }
            Self::ReduceToResult => {
                &["reduce/to_result.wgsl", "reduce/job_launch.wgsl", "memory/scratch_memory.wgsl"]
            }
            Self::ReduceAndFold => &[
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
    const fn reads_blocks(self) -> bool {
        !matches!(self, Self::Fold | Self::FoldJobs | Self::Finish) && !self.is_exact()
    }

    /// Whether a launch ends in it, at a result or at a state for the next launch.
    const fn ends_launch(self) -> bool {
        matches!(
            self,
            Self::ReduceToResult
                | Self::ReduceJobsToResults
                | Self::ReduceAndFold
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
    /// The right input as words.
    RightWords = 6,
    /// What each workgroup of many reductions is told.
    Jobs = 7,
}

/// What determines the text of a module, and nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ShaderKey {
    /// The kernel.
    pub kernel: Kernel,
    /// The operator.
    pub operator: OperatorType,
    /// The element type; the operator supports it.
    pub element: ElementType,
    /// How a workgroup combines its values.
    pub mechanism: Mechanism,
    /// Who adds and multiplies floats; hardware where there are none to add or multiply.
    pub arithmetic: Arithmetic,
}

impl ShaderKey {
    /// Every permutation.
    pub fn all() -> impl Iterator<Item = Self> {
        let mechanisms = [Mechanism::Subgroup, Mechanism::WorkgroupMemory];
        let mut keys = BTreeSet::new();
        for kernel in Kernel::ALL {
            for &operator in OperatorType::ALL {
                for element in ElementType::ALL {
                    for mechanism in mechanisms {
                        for arithmetic in Arithmetic::ALL {
                            if kernel.exists(operator, element, mechanism, arithmetic) {
                                keys.insert(Self::new(
                                    kernel, operator, element, mechanism, arithmetic,
                                ));
                            }
                        }
                    }
                }
            }
        }
        keys.into_iter()
    }

    /// The module of a kernel, as few different ones as there can be.
    pub(crate) fn new(
        kernel: Kernel,
        operator: OperatorType,
        element: ElementType,
        mechanism: Mechanism,
        arithmetic: Arithmetic,
    ) -> Self {
        let key = Self { kernel, operator, element, mechanism, arithmetic };
        let spec = key.spec();
        let terms = spec.exact.map(|exact| exact.terms);
        // It has a single invocation: one module serves both mechanisms.
        let mechanism =
            if kernel == Kernel::Finish { Mechanism::WorkgroupMemory } else { mechanism };
        let arithmetic = match (kernel, arithmetic) {
            (Kernel::Finish | Kernel::ExactFinish { .. }, _) => Arithmetic::Hardware,
            (Kernel::ExactReduce, arithmetic) if terms == Some(ExactTerms::Elements) => arithmetic,
            (_, _) if !spec.computes_floats => Arithmetic::Hardware,
            (_, Arithmetic::Unchecked) if spec.combining.is_some_and(|c| c.unchecked.is_none()) => {
                Arithmetic::Hardware
            }
            (_, arithmetic) => arithmetic,
        };
        let operator = match (kernel, terms) {
            (
                Kernel::ExactReduce | Kernel::ExactFinish { output: ExactOutput::Accumulator },
                Some(terms),
            ) => terms.operator(),
            _ => operator,
        };
        Self { operator, mechanism, arithmetic, ..key }
    }

    /// The operator, as it is for the element type.
    fn spec(self) -> &'static OperatorSpec {
        self.operator.spec(self.element).expect("the operator supports the element type")
    }

    /// How accumulators combine, in kernels that do.
    fn combining(self) -> &'static Combining {
        self.spec().combining.as_ref().expect("the kernel is of accumulators that combine")
    }

    /// Whether blocks and partials combine pairwise, in the order of the elements.
    pub(crate) fn is_ordered(self) -> bool {
        !self.spec().order_free
            && self.arithmetic != Arithmetic::Unchecked
            && !matches!(self.kernel, Kernel::ReduceToAccumulator { .. })
    }

    /// Whether the module has a loop that ends when an exchange succeeds, and by no count.
    pub fn exchanges(self) -> bool {
        match self.kernel {
            Kernel::ReduceToAccumulator { float_add, .. } => {
                !float_add && self.spec().atomic().is_some_and(|atomic| atomic.exchanges)
            }
            _ => false,
        }
    }

    /// The shader's `ACC_WORDS`, as the host counts on it.
    pub fn acc_words(self) -> u32 {
        self.spec().acc_words()
    }

    /// The shader's `OUT_WORDS`, as the host counts on it.
    pub fn out_words(self) -> u32 {
        self.spec().out_words
    }

    /// The shader's `DIGITS`, `COPIES` and `COPY_WORDS`, as the host counts on them: those of an exact reduction's
    /// accumulator.
    pub fn exact_accumulator(self) -> Option<[u32; 3]> {
        self.spec().exact.filter(|_| self.kernel.is_exact()).map(|ExactSpec { terms, .. }| {
            [terms.digits(), ACCUMULATOR_COPIES, terms.copy_words()]
                .map(|words| u32::try_from(words).expect("a few"))
        })
    }

    /// The files of the module, under `shaders/`.
    pub fn files(self) -> Vec<&'static str> {
        let mut files = vec!["params.wgsl"];
        files.extend(self.element.shader_files());
        files.extend(self.kernel.files());
        if self.kernel.is_exact() {
            if self.kernel == Kernel::ExactReduce {
                files.push(self.element.load_file());
            }
            files.extend(self.exact_files());
            return files;
        }
        files.extend(named(self.combining().parts_by(self.arithmetic)));
        if let (Kernel::ReduceToAccumulator { float_add, .. }, Some(atomic)) =
            (self.kernel, self.combining().atomic)
        {
            files.push(atomic.float_add.filter(|_| float_add).unwrap_or(atomic.part).name);
        }
        if self.kernel == Kernel::Finish {
            return files;
        }
        files.extend(["collective/acc.wgsl", "collective/nodes.wgsl"]);
        files.extend(self.collective_files());
        if self.kernel.reads_blocks() {
            files.extend(["memory/input.wgsl", "reduce/rounds.wgsl"]);
            files.push(self.element.load_file());
        }
        if self.kernel.uses_scratch() {
            files.push("memory/scratch.wgsl");
        }
        if self.kernel.ends_launch() {
            files.push("memory/result.wgsl");
        }
        let (base, block, end): (&[_], &[_], &[_]) = match self.is_ordered() {
            true => (
                &["reduce/ordered.wgsl", "reduce/runs.wgsl"],
                &["reduce/ordered_block.wgsl", "reduce/careful_block.wgsl"],
                &["reduce/ordered_end.wgsl"],
            ),
            false => {
                (&["reduce/free.wgsl"], &["reduce/free_block.wgsl"], &["reduce/free_end.wgsl"])
            }
        };
        files.extend(base);
        if self.kernel.reads_blocks() {
            files.extend(block);
        }
        if self.kernel.ends_launch() {
            files.extend(end);
        }
        files
    }

    fn exact_files(self) -> Vec<&'static str> {
        let Some(ExactSpec { terms, value }) = self.spec().exact else { return Vec::new() };
        let (units, deposits) = terms.shader_files();
        let mut files = vec![units];
        match self.kernel {
            Kernel::ExactFinish { output: ExactOutput::Value } => {
                files.extend(["exact/store_value.wgsl", "exact/round.wgsl"]);
                files.extend(named(value));
            }
            Kernel::ExactFinish { output: ExactOutput::Accumulator } => {
                files.push(terms.store_file());
            }
            _ => {
                files.extend(deposits);
                files.extend(terms.window_files(self.arithmetic));
            }
        }
        files
    }

    fn collective_files(self) -> Vec<&'static str> {
        let reduces_teams = self.is_ordered() && self.kernel.reads_blocks();
        let mut files = Vec::new();
        match self.mechanism {
            Mechanism::WorkgroupMemory => {
                files.extend([
                    "reduce/entry_memory.wgsl",
                    "collective/workgroup_builtins.wgsl",
                    "collective/workgroup_memory.wgsl",
                ]);
                if reduces_teams {
                    files.push("collective/team_reduce_memory.wgsl");
                }
            }
            Mechanism::Subgroup => {
                files.extend([
                    "reduce/entry_subgroup.wgsl",
                    "collective/subgroup_builtins.wgsl",
                    "collective/workgroup_subgroup.wgsl",
                ]);
                let builtin = self.combining().subgroup;
                match builtin {
                    Some(part) => {
                        files.extend(["collective/subgroup_reduce_builtin.wgsl", part.name]);
                    }
                    None => files.extend([
                        "collective/subgroup_reduce_shuffle.wgsl",
                        "collective/acc_shuffle.wgsl",
                    ]),
                }
                if reduces_teams {
                    files.push("collective/team_reduce_subgroup.wgsl");
                    if builtin.is_some() {
                        files.push("collective/acc_shuffle.wgsl");
                    }
                }
            }
        }
        files
    }
}

impl fmt::Display for ShaderKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kernel = self.kernel.name();
        write!(f, "{kernel}, {} {}, {}", self.operator, self.element, self.mechanism)?;
        match self.arithmetic {
            Arithmetic::Unchecked => f.write_str(", floats unchecked"),
            Arithmetic::Hardware => Ok(()),
            Arithmetic::Software => f.write_str(", floats in software"),
        }
    }
}

/// The values of a kernel's pipeline constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Constants {
    /// The kernel has none.
    None,
    /// Those of a kernel that loads vectors: `SHIFT`.
    Shift(u32),
    /// Those of an exact first pass: `SHIFT` and `EDGES`.
    Exact {
        /// The remainder mod 4 of the elements' places in the binding, in words.
        shift: u32,
        /// Whether some elements are not in whole rounds that can be loaded four at a time.
        edges: bool,
    },
}

impl Constants {
    /// Every combination that a kernel can be given.
    pub fn all(kernel: Kernel) -> Vec<Self> {
        match kernel {
            Kernel::ExactReduce => {
                (0..8).map(|bits| Self::Exact { shift: bits % 4, edges: bits & 4 != 0 }).collect()
            }
            _ if kernel.reads_blocks() => (0..4).map(Self::Shift).collect(),
            _ => vec![Self::None],
        }
    }

    /// The constants' names in the shader, and their values.
    pub fn values(self) -> Vec<(&'static str, f64)> {
        match self {
            Self::None => Vec::new(),
            Self::Shift(shift) => vec![("SHIFT", shift.into())],
            Self::Exact { shift, edges } => {
                vec![("SHIFT", shift.into()), ("EDGES", u8::from(edges).into())]
            }
        }
    }
}

impl fmt::Display for Constants {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::None => Ok(()),
            Self::Shift(shift) => write!(f, ", shift {shift}"),
            Self::Exact { shift, edges } => {
                write!(f, ", shift {shift}{}", if edges { ", edges" } else { "" })
            }
        }
    }
}

/// Bytes of the shader's `Params`, as the host writes them.
pub const PARAMS_BYTES: usize = size_of::<Params>();

/// Binding numbers of the kernels: none is higher.
pub const BINDINGS: u32 = 8;

/// Bytes of workgroup memory of the kernels that have most, those of f32 products, as WebGPU counts.
pub const MAX_WORKGROUP_BYTES: u32 = 15040;

fn named(parts: &[Part]) -> impl Iterator<Item = &'static str> {
    parts.iter().map(|part| part.name)
}
