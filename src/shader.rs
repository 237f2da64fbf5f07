//! Shaders: which files make up which module. No wgpu handle.
//!
//! A module is the plain concatenation of `.wgsl` files that agree on a few names (ARCHITECTURE.md
//! lists them). Module scope in WGSL does not depend on order, so nothing is substituted.

use crate::{
    element::ElementType,
    operator::OperatorType,
    plan::{Launch, Mechanism, Plan},
};
use std::{borrow::Cow, collections::BTreeMap, fmt};

macro_rules! files {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../shaders/", $name)))),*]
    };
}

/// Every shader file: its path under `shaders/`, and its text.
const FILES: &[(&str, &str)] = files! {
    "deliver_partial.wgsl"
    "deliver_result.wgsl"
    "element/f32.wgsl"
    "element/i32.wgsl"
    "element/u32.wgsl"
    "fold.wgsl"
    "input.wgsl"
    "lane.wgsl"
    "operator/acc_element.wgsl"
    "operator/acc_f32_bits.wgsl"
    "operator/bit_and.wgsl"
    "operator/bit_and_subgroup.wgsl"
    "operator/bit_or.wgsl"
    "operator/bit_or_subgroup.wgsl"
    "operator/bit_xor.wgsl"
    "operator/bit_xor_subgroup.wgsl"
    "operator/f32_key.wgsl"
    "operator/max.wgsl"
    "operator/max_f32.wgsl"
    "operator/max_subgroup.wgsl"
    "operator/min.wgsl"
    "operator/min_f32.wgsl"
    "operator/min_subgroup.wgsl"
    "operator/product.wgsl"
    "operator/product_f32.wgsl"
    "operator/product_subgroup.wgsl"
    "operator/sum.wgsl"
    "operator/sum_f32.wgsl"
    "operator/sum_subgroup.wgsl"
    "params.wgsl"
    "probe_lanes.wgsl"
    "reduce.wgsl"
    "scratch.wgsl"
    "subgroup_reduce_builtin.wgsl"
    "subgroup_reduce_shuffle.wgsl"
    "workgroup_reduce_memory.wgsl"
    "workgroup_reduce_subgroup.wgsl"
};

/// The shader files' texts. Tests change them; everything else uses the default.
#[derive(Clone, Debug)]
pub struct Sources {
    files: BTreeMap<&'static str, Cow<'static, str>>,
    are_original: bool,
}

impl Default for Sources {
    fn default() -> Self {
        let files = FILES.iter().map(|&(name, text)| (name, Cow::Borrowed(text))).collect();
        Self { files, are_original: true }
    }
}

impl Sources {
    /// The paths of all files, sorted.
    pub fn file_names() -> impl Iterator<Item = &'static str> {
        FILES.iter().map(|&(name, _)| name)
    }

    /// Replaces `from`, which must occur in the file, by `to`. `None` if it does not.
    pub fn replace(mut self, file: &str, from: &str, to: &str) -> Option<Self> {
        self.are_original = false;
        let text = self.files.get_mut(file)?;
        if !text.contains(from) {
            return None;
        }
        *text = Cow::Owned(text.replace(from, to));
        Some(self)
    }

    /// Whether these are the files in `shaders/`, unchanged.
    pub(crate) fn are_original(&self) -> bool {
        self.are_original
    }

    /// The text of the start-up probe's module, whose entry point is `probe_lanes`.
    pub fn probe_lanes(&self) -> &str {
        &self.files["probe_lanes.wgsl"]
    }

    /// The text of the module for `key`.
    pub fn compose(&self, key: ShaderKey) -> String {
        key.files().iter().map(|file| self.files[file].as_ref()).collect::<Vec<_>>().join("\n")
    }
}

/// The kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kernel {
    /// The first pass, whose totals are partials.
    ReduceToPartials,
    /// The first pass over a single block, whose total is the result.
    ReduceToResult,
    /// The second pass: partials to the result.
    Fold,
}

impl Kernel {
    /// Every kernel.
    pub const ALL: [Self; 3] = [Self::ReduceToPartials, Self::ReduceToResult, Self::Fold];

    /// The name of the kernel's entry point.
    pub const fn entry_point(self) -> &'static str {
        match self {
            Self::ReduceToPartials | Self::ReduceToResult => "reduce",
            Self::Fold => "fold",
        }
    }

    /// The storage bindings that the kernel has, and whether each is read only. Binding 0 is always
    /// the uniform `params`.
    pub const fn storage_bindings(self) -> &'static [(Binding, bool)] {
        match self {
            Self::ReduceToPartials => {
                &[(Binding::Vectors, true), (Binding::Words, true), (Binding::Scratch, false)]
            }
            Self::ReduceToResult => &[
                (Binding::Vectors, true),
                (Binding::Words, true),
                (Binding::Scratch, false),
                (Binding::Result, false),
            ],
            Self::Fold => &[(Binding::Scratch, false), (Binding::Result, false)],
        }
    }

    const fn files(self) -> &'static [&'static str] {
        match self {
            Self::ReduceToPartials => &["reduce.wgsl", "input.wgsl", "deliver_partial.wgsl"],
            Self::ReduceToResult => &["reduce.wgsl", "input.wgsl", "deliver_result.wgsl"],
            Self::Fold => &["fold.wgsl", "deliver_result.wgsl"],
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
}

impl ShaderKey {
    /// Every permutation.
    pub fn all() -> impl Iterator<Item = Self> {
        let mechanisms = [Mechanism::Subgroup, Mechanism::WorkgroupMemory];
        Kernel::ALL.into_iter().flat_map(move |kernel| {
            OperatorType::ALL.into_iter().flat_map(move |operator| {
                ElementType::ALL
                    .into_iter()
                    .filter(move |&element| operator.supports(element))
                    .flat_map(move |element| {
                        mechanisms.map(|mechanism| Self { kernel, operator, element, mechanism })
                    })
            })
        })
    }

    /// The shader's `ACC_WORDS`, as the host counts on it.
    pub fn acc_words(self) -> u32 {
        self.operator.acc_words(self.element)
    }

    /// The files of the module, under `shaders/`.
    pub fn files(self) -> Vec<&'static str> {
        let mut files = vec!["params.wgsl", "lane.wgsl", "scratch.wgsl"];
        files.extend(self.kernel.files());
        files.push(self.element.shader_file());
        files.extend(self.operator.shader_files(self.element));
        match self.mechanism {
            Mechanism::WorkgroupMemory => files.push("workgroup_reduce_memory.wgsl"),
            Mechanism::Subgroup => {
                files.push("workgroup_reduce_subgroup.wgsl");
                match self.operator.subgroup_shader_file(self.element) {
                    Some(file) => files.extend(["subgroup_reduce_builtin.wgsl", file]),
                    None => files.push("subgroup_reduce_shuffle.wgsl"),
                }
            }
        }
        files
    }
}

impl fmt::Display for ShaderKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kernel = match self.kernel {
            Kernel::ReduceToPartials => "reduce to partials",
            Kernel::ReduceToResult => "reduce to result",
            Kernel::Fold => "fold",
        };
        write!(f, "{kernel}, {} {}, {}", self.operator, self.element, self.mechanism)
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
}

impl Constants {
    /// Those of a launch.
    pub fn of(launch: &Launch) -> Self {
        Self::Launch { shift: launch.shift(), edges: launch.has_edges(), carries: launch.carries() }
    }

    /// Every combination that a kernel can be given.
    pub fn all(kernel: Kernel) -> Vec<Self> {
        match kernel {
            Kernel::Fold => vec![Self::None],
            Kernel::ReduceToPartials | Kernel::ReduceToResult => (0..16)
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
        }
    }
}

impl fmt::Display for Constants {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Self::Launch { shift, edges, carries } = self {
            write!(f, ", shift {shift}")?;
            f.write_str(if *edges { ", edges" } else { "" })?;
            f.write_str(if *carries { ", carries" } else { "" })?;
        }
        Ok(())
    }
}

/// Bytes of the shader's `Params`, as the host writes them.
pub const PARAMS_BYTES: usize = size_of::<Params>();

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
            ..Self::fold(plan, result_index)
        }
    }

    /// For the second pass.
    pub(crate) fn fold(plan: &Plan, result_index: u32) -> Self {
        Self {
            block_items: narrow(plan.blocks.block_items()),
            partial_count: narrow(plan.blocks.count),
            result_index,
            ..Self::default()
        }
    }
}

fn narrow(words: u64) -> u32 {
    u32::try_from(words).expect("blocks and scratch fit 32 bits")
}
