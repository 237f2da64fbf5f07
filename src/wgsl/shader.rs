//! Which shader files make up which module.

pub use crate::wgsl::constants::Constants;
use crate::{
    algebra::{
        element::{ElementType, Packing},
        operator::{
            ACCUMULATOR_COPIES, Arithmetic, Combining, ExactKernels, ExactTerms, OperatorSpec, Part,
        },
        operator_type::OperatorType,
    },
    way::Mechanism,
    wgsl::{
        histogram::key_files,
        kernel::{Kernel, Stored},
        lanes::Lanes,
        params::Params,
        program::Program,
        sources::exists,
    },
};
use std::{collections::BTreeSet, fmt};

/// Determines a shader: the text of its module, which several keys may share, and the constants that tell these apart.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ShaderKey {
    /// The kernel.
    pub kernel: Kernel,
    /// The operator.
    pub operator: OperatorType,
    /// The element type; the operator supports it.
    pub element: ElementType,
    /// How a workgroup combines its values.
    pub mechanism: Mechanism,
    /// What adds and multiplies floats. It is the hardware where there are no floats to add or multiply.
    pub arithmetic: Arithmetic,
    /// What the user has brought.
    pub program: Option<Program>,
}

impl ShaderKey {
    /// Every permutation of the library's own. Some have the same text.
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
        // What reads no elements knows them as they are once they are loaded.
        let keeps_size = kernel.reads() || kernel.copies_items();
        let element = if keeps_size { element } else { element.wide() };
        let program = None;
        let key = Self { kernel, operator, element, mechanism, arithmetic, program };
        let spec = key.spec();
        let terms = spec.exact_kernels().map(|exact| exact.terms);
        let mechanism = mechanism_of(kernel, mechanism);
        let arithmetic = match (kernel, arithmetic) {
            (Kernel::Finish | Kernel::ExactFinish { .. }, _) => Arithmetic::Hardware,
            (Kernel::ExactReduce, arithmetic) if terms == Some(ExactTerms::Elements) => arithmetic,
            // All others are of integers.
            (Kernel::ExactReduce | Kernel::ExactPairs, _) => Arithmetic::Hardware,
            (_, _) if kernel.is_of_exact_segments() => Arithmetic::Hardware,
            (_, _) if !spec.computes_floats => Arithmetic::Hardware,
            (_, Arithmetic::Unchecked) if spec.combining.unchecked.is_none() => {
                Arithmetic::Hardware
            }
            (_, arithmetic) => arithmetic,
        };
        let operator = match (kernel, terms) {
            (
                Kernel::ExactReduce
                | Kernel::ExactSegmentChunks
                | Kernel::ExactFinish { output: Stored::Accumulator },
                Some(terms),
            ) => terms.operator(),
            // Without elements they add up partials: of products as of squares.
            (kernel, _)
                if operator == OperatorType::Dot && !kernel.reads() && !kernel.is_exact() =>
            {
                OperatorType::SumOfSquares
            }
            // Of integers of 64 bits they are the same.
            _ if element.packing() == Packing::TwoWords => operator.of_two_words(),
            _ => operator,
        };
        Self { operator, mechanism, arithmetic, ..key }
    }

    /// The module of a kernel with what the user has brought.
    pub fn of_program(
        kernel: Kernel,
        program: &Program,
        mechanism: Mechanism,
        arithmetic: Arithmetic,
    ) -> Self {
        let &OperatorSpec { operator, element, .. } = program.spec();
        if !kernel.reads() && !kernel.is_by_predicate() && !program.is_operator() {
            // Operators are given components.
            return Self::new(kernel, operator, element.component(), mechanism, arithmetic);
        }
        let program = if kernel.is_exact() { program.of_exact() } else { program }.clone();
        let keeps_size = kernel.reads() || kernel.is_by_predicate();
        let element = if keeps_size { element } else { element.wide() };
        let mechanism = mechanism_of(kernel, mechanism);
        let arithmetic = program.arithmetic(arithmetic);
        Self { kernel, operator, element, mechanism, arithmetic, program: Some(program) }
    }

    /// The module of another kernel of the same reduction.
    pub(crate) fn of_kernel(&self, kernel: Kernel) -> Self {
        let &Self { operator, element, mechanism, arithmetic, .. } = self;
        match &self.program {
            Some(program) => Self::of_program(kernel, program, mechanism, arithmetic),
            None => Self::new(kernel, operator, element, mechanism, arithmetic),
        }
    }

    /// The operator, as it is for the element type.
    pub(super) fn spec(&self) -> &OperatorSpec {
        match &self.program {
            Some(program) => program.spec(),
            None => {
                self.operator.spec(self.element).expect("the operator supports the element type")
            }
        }
    }

    /// How accumulators combine.
    fn combining(&self) -> &Combining {
        let spec = self.spec();
        let exact = spec.exact_segments().filter(|_| self.kernel.is_of_exact_segments());
        exact.unwrap_or(&spec.combining)
    }

    /// Whether blocks and partials combine pairwise, in the order of the elements.
    pub(crate) fn is_ordered(&self) -> bool {
        !self.spec().order_free && self.arithmetic != Arithmetic::Unchecked
    }

    /// Whether what is combined keeps its order also within a subgroup.
    pub(super) fn keeps_order(&self) -> bool {
        self.operator.keeps_order() || self.program.as_ref().is_some_and(Program::keeps_order)
    }

    /// What its workgroups are like. Scans have totals in an order, whatever their operator.
    fn lanes(&self) -> Lanes {
        if self.kernel.is_exact() {
            return Lanes::USUAL;
        }
        Lanes::of(self.acc_words(), self.spec().order_free && !self.kernel.is_scan())
    }

    /// Whether its accumulators are floats that an atomic addition combines, on devices that have one.
    pub fn adds_floats(&self) -> bool {
        self.spec().adds_floats()
    }

    /// Whether the module has a loop that ends when an exchange succeeds, and by no count.
    pub fn exchanges(&self) -> bool {
        let exchange = "operator/exchange_atomic.wgsl";
        debug_assert!(exists(exchange), "there is no {exchange}");
        self.files().contains(&exchange)
    }

    /// Whether the module may have loops of the user's own, which nothing is known of.
    pub fn has_own_loops(&self) -> bool {
        self.program.as_ref().is_some_and(Program::has_own_loops)
    }

    /// The shader's `ACC_WORDS`, as the host counts on it.
    pub fn acc_words(&self) -> u32 {
        u32::try_from(self.combining().identity.len()).expect("a few")
    }

    /// Whether floats are added or multiplied in it.
    pub fn computes_floats(&self) -> bool {
        let spec = self.spec();
        spec.computes_floats
            && match self.kernel {
                Kernel::Finish | Kernel::ExactFinish { .. } => false,
                kernel if kernel.is_of_exact_segments() => false,
                Kernel::ExactReduce | Kernel::ExactPairs => {
                    spec.exact_kernels().is_some_and(|exact| exact.terms == ExactTerms::Elements)
                }
                _ => true,
            }
    }

    /// The shader's `OUT_WORDS`, as the host counts on it.
    pub fn out_words(&self) -> u32 {
        self.spec().out_words
    }

    /// The shader's `DIGITS`, `COPIES` and `COPY_WORDS`, as the host counts on them: those of an exact reduction's
    /// accumulator.
    pub fn exact_accumulator(&self) -> Option<[u32; 3]> {
        let kernels = self.spec().exact_kernels().filter(|_| self.kernel.is_exact());
        kernels.map(|ExactKernels { terms, .. }| {
            [terms.digits(), ACCUMULATOR_COPIES, terms.copy_words()]
                .map(|words| u32::try_from(words).expect("a few"))
        })
    }

    /// The files and sections under `shaders/` that the module is made of. It may use a part of each.
    pub fn files(&self) -> Vec<&'static str> {
        let mut files = vec![self.lanes().file, "params.wgsl", "params.wgsl@flags"];
        files.extend(self.kernel.params_files());
        files.extend(self.element_files());
        files.extend(match self.kernel {
            // What is made of pairs is added up as elements are.
            Kernel::ExactPairs if self.has_map() => Kernel::ExactReduce.files(),
            kernel => kernel.files(),
        });
        files.extend(self.exact_segment_files());
        if self.kernel.is_selection() {
            let others = self.selection_files(&mut files);
            files.extend(others);
            let own = self.program.as_ref().map(|own| own.predicate_files(self.arithmetic, &files));
            files.extend(own.unwrap_or_default());
            return files;
        }
        if self.kernel.is_of_numbers() {
            files.extend(["reduce/entry.wgsl@memory", "collective/workgroup.wgsl@builtins"]);
            return files;
        }
        if self.kernel.is_of_differences() {
            files.extend(self.difference_files(self.combining().parts_by(self.arithmetic)));
            return files;
        }
        if matches!(self.kernel, Kernel::Histogram { .. }) {
            files.extend([
                "reduce/job.wgsl@launch",
                "reduce/entry.wgsl@memory",
                "collective/workgroup.wgsl@builtins",
            ]);
            if self.kernel.reads() {
                files.extend(self.load_files());
                files.extend(key_files(self.element).into_iter().flatten());
            }
            return files;
        }
        if self.kernel.is_exact() {
            files.extend(self.load_files());
            files.extend(self.exact_files());
            let own =
                self.program.as_ref().map(|own| own.exact_load_files(self.arithmetic, &files));
            files.extend(own.unwrap_or_default());
            return files;
        }
        files.extend(named(self.combining().parts_by(self.arithmetic)));
        if self.kernel.is_scan() {
            files.extend(self.scan_files());
            return files;
        }
        if self.kernel.is_of_segments() {
            files.extend(self.segment_files());
            return files;
        }
        if let (Kernel::ReduceToAccumulator { float_add, .. }, Some(atomic)) =
            (self.kernel, self.combining().atomic)
        {
            files.push(atomic.float_add.filter(|_| float_add).unwrap_or(atomic.part).name);
        }
        if self.kernel == Kernel::Finish {
            files.push("reduce/total.wgsl@acc");
            return files;
        }
        files.extend(["collective/acc.wgsl", "collective/nodes.wgsl"]);
        files.extend(self.collective_files());
        if self.kernel.reads_blocks() {
            files.extend(["reduce/rounds.wgsl", "reduce/rounds.wgsl@rows"]);
            let own =
                self.program.as_ref().map(|program| program.load_files(self.arithmetic, &files));
            files.extend(own.unwrap_or_else(|| self.spec().load_files().to_vec()));
            files.extend(self.load_files());
            files.push(match self.loads_together() {
                true => "reduce/rounds.wgsl@rows_together",
                false => "reduce/rounds.wgsl@rows_apart",
            });
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
                &["reduce/ordered.wgsl@end"],
            ),
            false => (&["reduce/free.wgsl"], self.free_block_files(), &["reduce/free.wgsl@end"]),
        };
        files.extend(base);
        if !self.has_own_total() {
            if self.is_ordered() {
                files.push("reduce/total.wgsl@run");
            }
            if self.is_ordered() || self.kernel.ends_launch() {
                files.push("reduce/total.wgsl@acc");
            }
        }
        if self.kernel.reads_blocks() {
            files.extend(block);
            if self.is_ordered() {
                files.push(match self.finds_places_apart() {
                    true => "reduce/tile_places.wgsl",
                    false => "reduce/tile.wgsl",
                });
                files.push(match self.checks_range() {
                    true => "reduce/unsafe_tiles.wgsl@marked",
                    false => "reduce/unsafe_tiles.wgsl@none",
                });
            }
        }
        if self.kernel.ends_launch() {
            files.extend(end);
        }
        files
    }

    /// Whether a lane's vectors of a round are neighbours.
    fn loads_together(&self) -> bool {
        let files = self.spec().load_files();
        let takes_elements =
            matches!(files, ["reduce/load_elements.wgsl" | "reduce/load_places.wgsl", ..]);
        self.element.packing().is_narrow()
            && takes_elements
            && !self.has_map()
            && !self.is_ordered()
    }

    /// Whether lanes leave extrema and places out of what they merge.
    fn finds_places_apart(&self) -> bool {
        self.mechanism == Mechanism::Subgroup
            && self.has_part("operator/moments_and_places.wgsl@hardware")
    }

    /// The shader's `CHECKS_RANGE`.
    fn checks_range(&self) -> bool {
        !self.has_part("operator/range.wgsl@any")
    }

    /// Whether what runs come to is no accumulator.
    pub(super) fn has_own_total(&self) -> bool {
        self.has_part("operator/moments.wgsl@total")
            || self.has_part("operator/moments_and_places.wgsl")
    }

    /// Whether a section is the operator's.
    pub(super) fn has_part(&self, name: &str) -> bool {
        debug_assert!(exists(name), "there is no {name}");
        self.combining().parts_by(self.arithmetic).iter().any(|part| part.name == name)
    }

    fn collective_files(&self) -> Vec<&'static str> {
        let keeps_order = self.keeps_order();
        let mut files = Vec::new();
        match self.mechanism {
            Mechanism::WorkgroupMemory => {
                files.extend([
                    "reduce/entry.wgsl@memory",
                    "collective/workgroup.wgsl@builtins",
                    "collective/workgroup.wgsl@memory",
                    "collective/team_reduce.wgsl@memory",
                    "collective/team_combine.wgsl@memory",
                ]);
            }
            Mechanism::Subgroup => {
                files.extend([
                    "reduce/entry.wgsl@subgroups",
                    "collective/subgroup_builtins.wgsl",
                    "collective/workgroup.wgsl@subgroups",
                    "collective/acc.wgsl@shuffle",
                ]);
                files.extend(match (keeps_order, self.combining().subgroup) {
                    (true, _) => vec!["collective/subgroup_reduce.wgsl@in_order"],
                    (_, Some(part)) => vec!["collective/subgroup_reduce.wgsl@builtin", part.name],
                    (_, None) => vec!["collective/subgroup_reduce.wgsl@shuffle"],
                });
                files.extend(match keeps_order {
                    true => [
                        "collective/team_reduce.wgsl@in_order",
                        "collective/team_combine.wgsl@in_order",
                    ],
                    false => [
                        "collective/team_reduce.wgsl@subgroups",
                        "collective/team_combine.wgsl@subgroups",
                    ],
                });
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
        }?;
        self.program.as_ref().map_or(Ok(()), |program| write!(f, ", {program:?}"))
    }
}

/// Bytes of the shader's `Params`.
pub const PARAMS_BYTES: usize = 4 * Params::WORDS;

/// Binding numbers of the kernels: all are less.
pub const BINDINGS: u32 = 10;

/// Bytes of workgroup memory of the kernels that have most, histograms, as WebGPU counts: no more than wgpu's lowest limits allow.
pub const MAX_WORKGROUP_BYTES: u32 = 16352;

/// One module serves both mechanisms where lanes combine nothing, or it is no matter of speed.
fn mechanism_of(kernel: Kernel, mechanism: Mechanism) -> Mechanism {
    match kernel {
        Kernel::Finish | Kernel::ScanCarries | Kernel::ScanRows => Mechanism::WorkgroupMemory,
        _ if kernel.is_of_segments() => Mechanism::WorkgroupMemory,
        _ if kernel.is_selection() && !kernel.scatters() => Mechanism::WorkgroupMemory,
        _ => mechanism,
    }
}

/// The names of the parts.
pub(super) fn named(parts: &[Part]) -> impl Iterator<Item = &'static str> {
    parts.iter().map(|part| part.name)
}
