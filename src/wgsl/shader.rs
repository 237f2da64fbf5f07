//! Which shader files make up which module.

use crate::{
    algebra::{
        element::ElementType,
        operator::{
            ACCUMULATOR_COPIES, Arithmetic, Combining, ExactSpec, ExactTerms, OperatorSpec, Part,
        },
        operator_type::OperatorType,
    },
    way::Mechanism,
    wgsl::{
        kernel::{ExactOutput, Kernel},
        params::Params,
        sources::Sources,
    },
};
use std::{collections::BTreeSet, fmt};

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
            // All others are of integers.
            (Kernel::ExactReduce | Kernel::ExactPairs, _) => Arithmetic::Hardware,
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
            files.push("reduce/rounds.wgsl");
            files.extend(self.spec().load_files());
            match self.spec().inputs {
                1 => files.extend(["memory/input.wgsl", self.element.load_file()]),
                _ => files.push("memory/input_pairs.wgsl"),
            }
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
            if self.is_ordered() {
                files.push(match self.checks_range() {
                    true => "reduce/unsafe_tiles.wgsl",
                    false => "reduce/no_unsafe_tiles.wgsl",
                });
            }
        }
        if self.kernel.ends_launch() {
            files.extend(end);
        }
        files
    }

    /// The shader's `CHECKS_RANGE`.
    fn checks_range(self) -> bool {
        let parts = self.combining().parts_by(self.arithmetic);
        parts.iter().all(|part| part.name != "operator/any_range.wgsl")
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
                    if self.checks_range() {
                        files.push("collective/team_combine_memory.wgsl");
                    }
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
                    if self.checks_range() {
                        files.push("collective/team_combine_subgroup.wgsl");
                    }
                    if builtin.is_some() {
                        files.push("collective/acc_shuffle.wgsl");
                    }
                }
            }
        }
        files
    }
}

impl Sources {
    /// The text of the module for `key`.
    pub fn compose(&self, key: ShaderKey) -> String {
        self.join(&key.files())
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
    /// Those of a kernel that loads vectors: `SHIFT`, or [`Constants::ANY_SHIFT`].
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
    /// For kernels that see where vectors begin while they load: one pipeline for inputs of any alignment but the best, of
    /// elements of one word. The shader's `ANY_SHIFT`.
    pub const ANY_SHIFT: Self = Self::Shift(4);

    /// Those of a kernel that reads blocks of elements, from words on with the remainder `shift` mod 4.
    ///
    /// Inputs of a single block are short, and jobs of any alignment share a dispatch: one pipeline will do for those that do not
    /// begin with a vector. (For those that do it would be too slow: on an NVIDIA H200 sums of 2^10 elements took 6.7 µs by it,
    /// and by their own 6.3.) Elements of two words are told by `SHIFT` whether they begin at an odd one.
    pub(crate) const fn of_blocks(kernel: Kernel, element: ElementType, shift: u32) -> Self {
        let sees = matches!(
            kernel,
            Kernel::ReduceToResult | Kernel::ReduceJobsToPartials | Kernel::ReduceJobsToResults
        );
        if sees && element.words() == 1 && shift != 0 {
            Self::ANY_SHIFT
        } else {
            Self::Shift(shift)
        }
    }

    /// Those of the kernel that does for many reductions what one does with these.
    pub(crate) const fn of_jobs(self, kernel: Kernel, element: ElementType) -> Self {
        match self {
            Self::Shift(shift) => Self::of_blocks(kernel, element, shift),
            constants => constants,
        }
    }

    /// Every combination that a shader can be given.
    pub fn all(key: ShaderKey) -> Vec<Self> {
        let ShaderKey { kernel, element, .. } = key;
        match kernel {
            Kernel::ExactReduce => {
                (0..8).map(|bits| Self::Exact { shift: bits % 4, edges: bits & 4 != 0 }).collect()
            }
            _ if kernel.reads_vectors() => {
                let mut all: Vec<_> =
                    (0..4).map(|shift| Self::of_blocks(kernel, element, shift)).collect();
                all.dedup();
                all
            }
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
            Self::ANY_SHIFT => f.write_str(", any shift"),
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
pub const MAX_WORKGROUP_BYTES: u32 = 14976;

fn named(parts: &[Part]) -> impl Iterator<Item = &'static str> {
    parts.iter().map(|part| part.name)
}
