//! Shaders: which files make up which module. No wgpu handle.
//!
//! A module is the plain concatenation of `.wgsl` files that agree on a few names (ARCHITECTURE.md
//! lists them). Module scope in WGSL does not depend on order, so nothing is substituted.

use crate::{
    algebra::{
        element::ElementType,
        operator::{ACCUMULATOR_COPIES, Arithmetic, ExactSpec, ExactTerms, OperatorSpec, Part},
        operators::OperatorType,
    },
    reduce::plan::{AtomicScope, Ending, Launch, Mechanism, Plan},
};
use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    fmt,
};

macro_rules! files {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../../shaders/", $name)))),*]
    };
}

/// Every shader file that is no operator's: its path under `shaders/`, and its text.
const FILES: &[(&str, &str)] = files! {
    "accumulator.wgsl"
    "careful.wgsl"
    "deliver_subgroups.wgsl"
    "deliver_workgroups.wgsl"
    "element/f32.wgsl"
    "element/i32.wgsl"
    "element/u32.wgsl"
    "entry_memory.wgsl"
    "entry_subgroup.wgsl"
    "exact/accumulator.wgsl"
    "exact/accumulator_copies.wgsl"
    "exact/cells.wgsl"
    "exact/deposit_element.wgsl"
    "exact/deposit_group.wgsl"
    "exact/deposit_moments.wgsl"
    "exact/deposit_product.wgsl"
    "exact/deposit_square.wgsl"
    "exact/deposit_squares.wgsl"
    "exact/element_parts.wgsl"
    "exact/finish.wgsl"
    "exact/group.wgsl"
    "exact/no_window.wgsl"
    "exact/product.wgsl"
    "exact/product_sums.wgsl"
    "exact/reduce.wgsl"
    "exact/reduce_pairs.wgsl"
    "exact/round.wgsl"
    "exact/specials.wgsl"
    "exact/specials_of.wgsl"
    "exact/store_accumulator.wgsl"
    "exact/store_moments.wgsl"
    "exact/store_value.wgsl"
    "exact/two_complement.wgsl"
    "exact/units_moments.wgsl"
    "exact/units_products.wgsl"
    "exact/units_squares.wgsl"
    "exact/units_sum.wgsl"
    "exact/window.wgsl"
    "exact/window_pairs.wgsl"
    "exact/window_squares.wgsl"
    "finish.wgsl"
    "fold.wgsl"
    "fold_blocks.wgsl"
    "fold_jobs.wgsl"
    "fold_partials.wgsl"
    "input.wgsl"
    "job_launch.wgsl"
    "job_table.wgsl"
    "jobs.wgsl"
    "lane.wgsl"
    "more_passes.wgsl"
    "params.wgsl"
    "probe_floats.wgsl"
    "probe_lanes.wgsl"
    "range_flag.wgsl"
    "reduce.wgsl"
    "reduce_jobs.wgsl"
    "result.wgsl"
    "scratch.wgsl"
    "scratch_memory.wgsl"
    "scratch_memory_coherent.wgsl"
    "single_pass.wgsl"
    "subgroup_builtins.wgsl"
    "subgroup_reduce_builtin.wgsl"
    "subgroup_reduce_shuffle.wgsl"
    "total_accumulator.wgsl"
    "total_job.wgsl"
    "total_partial.wgsl"
    "total_result.wgsl"
    "total_single.wgsl"
    "workgroup_builtins.wgsl"
    "workgroup_reduce_memory.wgsl"
    "workgroup_reduce_subgroup.wgsl"
};

/// The shader files' texts. Tests change them; everything else uses the default.
#[derive(Clone)]
pub struct Sources {
    files: BTreeMap<&'static str, Cow<'static, str>>,
    are_original: bool,
}

impl Default for Sources {
    fn default() -> Self {
        let parts = OperatorType::specs().flat_map(OperatorSpec::parts);
        let files = FILES.iter().copied().chain(parts.map(|part| (part.name, part.text)));
        let files = files.map(|(name, text)| (name, Cow::Borrowed(text))).collect();
        Self { files, are_original: true }
    }
}

impl fmt::Debug for Sources {
    /// Without the texts: nobody wants to read them all in a context's `Debug`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sources").field("are_original", &self.are_original).finish_non_exhaustive()
    }
}

impl Sources {
    /// The paths of all files, sorted.
    pub fn file_names() -> impl Iterator<Item = &'static str> {
        Self::default().files.into_keys()
    }

    /// Replaces `from`, which must occur in the file, by `to`. `None` if it does not.
    pub fn replace(self, file: &str, from: &str, to: &str) -> Option<Self> {
        let text = self.files.get(file)?;
        let replaced = text.contains(from).then(|| text.replace(from, to))?;
        self.with(file, replaced)
    }

    /// Puts another text in a file's place. `None` if there is no such file.
    pub fn with(mut self, file: &str, text: String) -> Option<Self> {
        self.are_original = false;
        *self.files.get_mut(file)? = Cow::Owned(text);
        Some(self)
    }

    /// The text of a file. `None` if there is no such file.
    pub fn text(&self, file: &str) -> Option<&str> {
        self.files.get(file).map(AsRef::as_ref)
    }

    /// Whether these are the files in `shaders/`, unchanged.
    pub(crate) fn are_original(&self) -> bool {
        self.are_original
    }

    /// The text of a start-up probe's module.
    pub fn probe(&self, probe: Probe) -> String {
        self.join(probe.files())
    }

    /// The text of the module for `key`.
    pub fn compose(&self, key: ShaderKey) -> String {
        self.join(&key.files())
    }

    fn join(&self, files: &[&str]) -> String {
        files.iter().map(|&file| self.files[file].as_ref()).collect::<Vec<_>>().join("\n")
    }
}

/// The start-up probes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probe {
    /// How lanes are numbered and shuffled.
    Lanes,
    /// How floats are added and multiplied.
    Floats,
}

impl Probe {
    /// Every probe.
    pub const ALL: [Self; 2] = [Self::Lanes, Self::Floats];

    /// The name of the probe's entry point.
    pub const fn entry_point(self) -> &'static str {
        match self {
            Self::Lanes => "probe_lanes",
            Self::Floats => "probe_floats",
        }
    }

    /// The files of the probe's module, under `shaders/`.
    pub const fn files(self) -> &'static [&'static str] {
        match self {
            Self::Lanes => &["subgroup_builtins.wgsl", "probe_lanes.wgsl"],
            Self::Floats => &["params.wgsl", "probe_floats.wgsl"],
        }
    }
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
    /// The first pass of many reductions at once.
    ReduceJobs,
    /// The second pass of many reductions at once.
    FoldJobs,
    /// The first pass, whose totals meet in the accumulator.
    ReduceToAccumulator {
        /// Whose totals.
        scope: AtomicScope,
        /// Whether an atomic addition of floats does it.
        float_add: bool,
    },
    /// The second pass: partials to the result.
    Fold,
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
    pub const ALL: [Self; 15] = [
        Self::ReduceToPartials,
        Self::ReduceToResult,
        Self::ReduceAndFold,
        Self::ReduceJobs,
        Self::FoldJobs,
        Self::ReduceToAccumulator { scope: AtomicScope::Workgroup, float_add: false },
        Self::ReduceToAccumulator { scope: AtomicScope::Workgroup, float_add: true },
        Self::ReduceToAccumulator { scope: AtomicScope::Subgroup, float_add: false },
        Self::ReduceToAccumulator { scope: AtomicScope::Subgroup, float_add: true },
        Self::Fold,
        Self::Finish,
        Self::ExactReduce,
        Self::ExactPairs,
        Self::ExactFinish { output: ExactOutput::Value },
        Self::ExactFinish { output: ExactOutput::Accumulator },
    ];

    /// The kernel of a plan's launch.
    pub(crate) fn of_launch(plan: &Plan, index: usize) -> Self {
        match plan.ending {
            Ending::SingleBlock => Self::ReduceToResult,
            Ending::LastWorkgroup if index + 1 == plan.launches.len() => Self::ReduceAndFold,
            Ending::Fold | Ending::LastWorkgroup => Self::ReduceToPartials,
            Ending::Atomic { scope, float_add } => Self::ReduceToAccumulator { scope, float_add },
            Ending::Exact if plan.spec.inputs == 2 => Self::ExactPairs,
            Ending::Exact => Self::ExactReduce,
        }
    }

    /// The kernel of a plan's second pass.
    pub(crate) fn of_second_pass(plan: &Plan, exact_output: ExactOutput) -> Option<Self> {
        match plan.ending {
            Ending::SingleBlock | Ending::LastWorkgroup => None,
            Ending::Fold => Some(Self::Fold),
            Ending::Atomic { .. } => Some(Self::Finish),
            Ending::Exact => Some(Self::ExactFinish { output: exact_output }),
        }
    }

    /// The kernel's name, as reports have it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ReduceToPartials => "reduce to partials",
            Self::ReduceToResult => "reduce to result",
            Self::ReduceAndFold => "reduce and fold",
            Self::ReduceJobs => "reduce jobs",
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
            Self::Fold => "fold",
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
            Self::ReduceToPartials
            | Self::ReduceToResult
            | Self::ReduceAndFold
            | Self::ReduceJobs
            | Self::FoldJobs
            | Self::ReduceToAccumulator { .. }
            | Self::Fold
            | Self::ExactReduce
            | Self::ExactPairs => "main",
            Self::Finish | Self::ExactFinish { .. } => "finish",
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
            Self::ReduceToPartials
            | Self::ReduceToResult
            | Self::ReduceAndFold
            | Self::ReduceJobs
            | Self::FoldJobs
            | Self::Fold => !spec.is_always_exact(),
            Self::Finish => spec.atomic().is_some(),
            // Rounding sums lose their order.
            Self::ReduceToAccumulator { scope, float_add } => {
                (scope == AtomicScope::Workgroup || mechanism == Mechanism::Subgroup)
                    && spec.atomic().is_some_and(|atomic| !float_add || atomic.float_add.is_some())
                    && (!spec.computes_floats || arithmetic == Arithmetic::Unchecked)
            }
            // Nobody combines values, and where the device is trusted with nothing integers do all.
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
        }
    }

    /// The storage bindings that the kernel has, and whether each is read only. Binding 0 is always
    /// the uniform `params`.
    pub const fn storage_bindings(self) -> &'static [(Binding, bool)] {
        match self {
            Self::ReduceToPartials => {
                &[(Binding::Vectors, true), (Binding::Words, true), (Binding::Scratch, false)]
            }
            Self::ReduceJobs => &[
                (Binding::Vectors, true),
                (Binding::Words, true),
                (Binding::Scratch, false),
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
            Self::ReduceToAccumulator { .. } => &[
                (Binding::Vectors, true),
                (Binding::Words, true),
                (Binding::Scratch, false),
                (Binding::Accumulator, false),
            ],
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

    fn files(self) -> Vec<&'static str> {
        let first_pass = [
            "fold_blocks.wgsl",
            "input.wgsl",
            "lane.wgsl",
            "scratch.wgsl",
            "careful.wgsl",
            "range_flag.wgsl",
        ];
        let second_pass = [
            "fold_partials.wgsl",
            "lane.wgsl",
            "scratch.wgsl",
            "scratch_memory.wgsl",
            "careful.wgsl",
            "range_flag.wgsl",
            "deliver_workgroups.wgsl",
            "result.wgsl",
        ];
        let with = |files: &[&'static str]| [&first_pass[..], files].concat();
        match self {
            Self::ReduceToPartials => with(&[
                "reduce.wgsl",
                "job_launch.wgsl",
                "scratch_memory.wgsl",
                "deliver_workgroups.wgsl",
                "total_partial.wgsl",
                "more_passes.wgsl",
            ]),
            Self::ReduceToResult => with(&[
                "reduce.wgsl",
                "job_launch.wgsl",
                "scratch_memory.wgsl",
                "deliver_workgroups.wgsl",
                "total_result.wgsl",
                "result.wgsl",
                "more_passes.wgsl",
            ]),
            Self::ReduceAndFold => with(&[
                "reduce.wgsl",
                "job_launch.wgsl",
                "scratch_memory_coherent.wgsl",
                "deliver_workgroups.wgsl",
                "total_single.wgsl",
                "result.wgsl",
                "single_pass.wgsl",
                "fold_partials.wgsl",
            ]),
            Self::ReduceJobs => with(&[
                "reduce_jobs.wgsl",
                "job_table.wgsl",
                "jobs.wgsl",
                "scratch_memory.wgsl",
                "deliver_workgroups.wgsl",
                "total_partial.wgsl",
            ]),
            Self::ReduceToAccumulator { scope, .. } => with(&[
                "reduce.wgsl",
                "job_launch.wgsl",
                "scratch_memory.wgsl",
                match scope {
                    AtomicScope::Workgroup => "deliver_workgroups.wgsl",
                    AtomicScope::Subgroup => "deliver_subgroups.wgsl",
                },
                "total_accumulator.wgsl",
                "accumulator.wgsl",
                "more_passes.wgsl",
            ]),
            Self::Fold => [&second_pass[..], &["fold.wgsl", "total_result.wgsl"]].concat(),
            Self::FoldJobs => {
                [&second_pass[..], &["fold_jobs.wgsl", "jobs.wgsl", "total_job.wgsl"]].concat()
            }
            Self::Finish => vec!["finish.wgsl", "result.wgsl"],
            Self::ExactReduce => vec![
                "exact/reduce.wgsl",
                "exact/cells.wgsl",
                "exact/product.wgsl",
                "exact/specials_of.wgsl",
                "exact/two_complement.wgsl",
                "exact/group.wgsl",
                "exact/accumulator.wgsl",
                "exact/accumulator_copies.wgsl",
                "exact/specials.wgsl",
                "input.wgsl",
            ],
            Self::ExactPairs => vec![
                "exact/reduce_pairs.wgsl",
                "exact/cells.wgsl",
                "exact/product.wgsl",
                "exact/specials_of.wgsl",
                "exact/accumulator.wgsl",
                "exact/accumulator_copies.wgsl",
                "exact/specials.wgsl",
                "exact/two_complement.wgsl",
            ],
            Self::ExactFinish { .. } => vec![
                "exact/finish.wgsl",
                "exact/accumulator_copies.wgsl",
                "exact/specials.wgsl",
                "exact/two_complement.wgsl",
            ],
        }
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
    /// Partials and suspended lanes.
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

    /// Those of a plan's dispatches, in order.
    pub fn of_plan(plan: &Plan, exact_output: ExactOutput) -> impl Iterator<Item = Self> + '_ {
        let launches = (0..plan.launches.len()).map(|index| Kernel::of_launch(plan, index));
        launches
            .chain(Kernel::of_second_pass(plan, exact_output))
            .map(|kernel| Self::of_kernel(plan, kernel))
    }

    /// That of one of a plan's kernels.
    pub(crate) fn of_kernel(plan: &Plan, kernel: Kernel) -> Self {
        Self::new(kernel, plan.spec.operator, plan.spec.element, plan.mechanism, plan.arithmetic)
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
        let is_exact = matches!(
            self.kernel,
            Kernel::ExactReduce | Kernel::ExactPairs | Kernel::ExactFinish { .. }
        );
        self.spec().exact.filter(|_| is_exact).map(|ExactSpec { terms, .. }| {
            [terms.digits(), ACCUMULATOR_COPIES, terms.copy_words()]
                .map(|words| u32::try_from(words).expect("a few"))
        })
    }

    /// The files of the module, under `shaders/`.
    pub fn files(self) -> Vec<&'static str> {
        let mut files = vec!["params.wgsl"];
        files.extend(self.kernel.files());
        files.push(self.element.shader_file());
        let OperatorSpec { combining, exact, .. } = self.spec();
        let named = |parts: &[Part]| parts.iter().map(|part| part.name).collect::<Vec<_>>();
        if let (
            Some(ExactSpec { terms, value }),
            Kernel::ExactReduce | Kernel::ExactPairs | Kernel::ExactFinish { .. },
        ) = (exact, self.kernel)
        {
            let (units, deposits) = terms.shader_files();
            files.push(units);
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
            return files;
        }
        let combining = combining.as_ref().expect("the kernel is of accumulators that combine");
        files.extend(named(combining.parts_by(self.arithmetic)));
        if let (Kernel::ReduceToAccumulator { float_add, .. }, Some(atomic)) =
            (self.kernel, combining.atomic)
        {
            files.push(atomic.float_add.filter(|_| float_add).unwrap_or(atomic.part).name);
        }
        match self.mechanism {
            // Nobody to combine with.
            _ if self.kernel == Kernel::Finish => {}
            Mechanism::WorkgroupMemory => {
                files.extend([
                    "entry_memory.wgsl",
                    "workgroup_builtins.wgsl",
                    "workgroup_reduce_memory.wgsl",
                ]);
            }
            Mechanism::Subgroup => {
                files.extend([
                    "entry_subgroup.wgsl",
                    "subgroup_builtins.wgsl",
                    "workgroup_reduce_subgroup.wgsl",
                ]);
                match combining.subgroup {
                    Some(part) => files.extend(["subgroup_reduce_builtin.wgsl", part.name]),
                    None => files.push("subgroup_reduce_shuffle.wgsl"),
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
    /// Those of the first pass: `SHIFT`, `EDGES` and `CARRIES`.
    Launch {
        /// As [`Launch::shift`].
        shift: u32,
        /// As [`Launch::has_edges`].
        edges: bool,
        /// As [`Launch::carries`].
        carries: bool,
    },
    /// Those of an exact first pass: `SHIFT` and `EDGES`.
    ExactLaunch {
        /// As [`Launch::shift`].
        shift: u32,
        /// As [`Launch::has_edges`].
        edges: bool,
    },
}

impl Constants {
    /// Those of a launch.
    pub fn of(kernel: Kernel, launch: &Launch) -> Self {
        let (shift, edges) = (launch.shift(), launch.has_edges());
        match kernel {
            Kernel::ExactReduce => Self::ExactLaunch { shift, edges },
            Kernel::ExactPairs => Self::None,
            _ => Self::Launch { shift, edges, carries: launch.carries() },
        }
    }

    /// Every combination that a kernel can be given.
    pub fn all(kernel: Kernel) -> Vec<Self> {
        match kernel {
            Kernel::Fold
            | Kernel::FoldJobs
            | Kernel::Finish
            | Kernel::ExactPairs
            | Kernel::ExactFinish { .. } => vec![Self::None],
            // Nobody suspends a block there.
            Kernel::ReduceJobs => (0..8)
                .map(|bits| Self::Launch { shift: bits % 4, edges: bits & 4 != 0, carries: false })
                .collect(),
            Kernel::ExactReduce => (0..8)
                .map(|bits| Self::ExactLaunch { shift: bits % 4, edges: bits & 4 != 0 })
                .collect(),
            Kernel::ReduceToPartials
            | Kernel::ReduceToResult
            | Kernel::ReduceAndFold
            | Kernel::ReduceToAccumulator { .. } => (0..16)
                .map(|bits| Self::Launch {
                    shift: bits % 4,
                    edges: bits & 4 != 0,
                    carries: bits & 8 != 0,
                })
                .collect(),
        }
    }

    /// The constants' names in the shader, and their values.
    pub fn values(self) -> Vec<(&'static str, f64)> {
        match self {
            Self::None => Vec::new(),
            Self::Launch { shift, edges, carries } => vec![
                ("SHIFT", shift.into()),
                ("EDGES", u8::from(edges).into()),
                ("CARRIES", u8::from(carries).into()),
            ],
            Self::ExactLaunch { shift, edges } => {
                vec![("SHIFT", shift.into()), ("EDGES", u8::from(edges).into())]
            }
        }
    }
}

impl fmt::Display for Constants {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (shift, edges, carries) = match *self {
            Self::None => return Ok(()),
            Self::Launch { shift, edges, carries } => (shift, edges, carries),
            Self::ExactLaunch { shift, edges } => (shift, edges, false),
        };
        write!(f, ", shift {shift}")?;
        f.write_str(if edges { ", edges" } else { "" })?;
        f.write_str(if carries { ", carries" } else { "" })
    }
}

/// Bytes of the shader's `Params`, as the host writes them.
pub const PARAMS_BYTES: usize = size_of::<Params>();

/// Binding numbers of the kernels: none is higher.
pub const BINDINGS: u32 = 8;

/// Bytes of workgroup memory of the kernels that have most, those of exact dot products and variances, as WebGPU counts.
pub const MAX_WORKGROUP_BYTES: u32 = 8464;

/// What one dispatch is told: the mirror of `Params` in shaders/params.wgsl.
#[derive(Clone, Copy, Debug, Default, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct Params {
    zero: u32,
    begin: u32,
    end: u32,
    vec_end: u32,
    base: u32,
    block_items: u32,
    first_block: u32,
    suspend: u32,
    resume_offset: u32,
    suspend_offset: u32,
    partial_count: u32,
    result_index: u32,
    len_low: u32,
    len_high: u32,
    right_base: u32,
    workgroups: u32,
    workgroup_blocks: u32,
}

impl Params {
    /// For launch `index` of the first pass.
    pub(crate) fn launch(plan: &Plan, index: usize, result_index: u32) -> Self {
        let launch = &plan.launches[index];
        // Two areas in turn: a launch may resume one block and suspend another.
        let area = |index: usize| narrow(plan.suspended_offset_words(index % 2));
        Self {
            begin: launch.begin,
            end: launch.end,
            vec_end: launch.vec_end,
            base: launch.base,
            first_block: launch.first_block,
            suspend: launch.suspends.into(),
            resume_offset: area(index + 1),
            suspend_offset: area(index),
            right_base: launch.right.map_or(0, |right| right.base),
            workgroups: launch.workgroups,
            ..Self::second_pass(plan, result_index)
        }
    }

    /// For workgroup `index` of a plan of one launch, which shares its dispatch with others: positions count from its first
    /// block, and words from the beginning of the buffer. Its partials follow on `first_partial` others.
    pub(crate) fn job(plan: &Plan, index: u32, first_partial: u32) -> Self {
        let launch = &plan.launches[0];
        let first_block = index * plan.workgroup_blocks;
        let origin = narrow(u64::from(first_block) * plan.blocks.block_items());
        let words_before = narrow(launch.binding_offset_bytes / 4);
        let end = u64::from(plan.workgroup_blocks) * plan.blocks.block_items();
        let from_origin =
            |position: u32| narrow(u64::from(position.saturating_sub(origin)).min(end));
        Self {
            begin: from_origin(launch.begin),
            end: from_origin(launch.end),
            vec_end: from_origin(launch.vec_end),
            base: launch.base.wrapping_add(origin).wrapping_add(words_before),
            first_block: first_partial + first_block,
            ..Self::second_pass(plan, 0)
        }
    }

    /// The shader's `SHIFT`.
    pub(crate) fn shift(&self) -> u32 {
        self.base % 4
    }

    /// For the second pass of a plan that shares its dispatch with others.
    pub(crate) fn fold_job(plan: &Plan, first_partial: u32, result_index: u32) -> Self {
        Self { first_block: first_partial, ..Self::second_pass(plan, result_index) }
    }

    /// For the second pass.
    pub(crate) fn second_pass(plan: &Plan, result_index: u32) -> Self {
        Self {
            block_items: narrow(plan.blocks.block_items()),
            partial_count: narrow(plan.blocks.count),
            workgroup_blocks: plan.workgroup_blocks,
            result_index,
            len_low: narrow(plan.len & 0xffff_ffff),
            len_high: narrow(plan.len >> 32),
            ..Self::default()
        }
    }
}

fn narrow(words: u64) -> u32 {
    u32::try_from(words).expect("blocks, scratch and halves of lengths fit 32 bits")
}
