//! The texts of the shader files, and how they are joined. No wgpu handle.
//!
//! A module is the plain concatenation of `.wgsl` files that agree on a few names (ARCHITECTURE.md
//! lists them). Module scope in WGSL does not depend on order, so nothing is substituted.

use crate::algebra::{operator::OperatorSpec, operator_type::OperatorType};
use std::{borrow::Cow, collections::BTreeMap, fmt};

macro_rules! files {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../../shaders/", $name)))),*]
    };
}

/// Every shader file that is no operator's: its path under `shaders/`, and its text.
const FILES: &[(&str, &str)] = files! {
    "collective/acc.wgsl"
    "collective/acc_shuffle.wgsl"
    "collective/nodes.wgsl"
    "collective/subgroup_builtins.wgsl"
    "collective/subgroup_reduce_builtin.wgsl"
    "collective/subgroup_reduce_shuffle.wgsl"
    "collective/team_combine_memory.wgsl"
    "collective/team_combine_subgroup.wgsl"
    "collective/team_reduce_memory.wgsl"
    "collective/team_reduce_subgroup.wgsl"
    "collective/workgroup_builtins.wgsl"
    "collective/workgroup_memory.wgsl"
    "collective/workgroup_subgroup.wgsl"
    "element/f32.wgsl"
    "element/i32.wgsl"
    "element/i64.wgsl"
    "element/load_two_words.wgsl"
    "element/load_word.wgsl"
    "element/two_words.wgsl"
    "element/u32.wgsl"
    "element/u64.wgsl"
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
    "memory/accumulator.wgsl"
    "memory/input.wgsl"
    "memory/input_pairs.wgsl"
    "memory/no_scratch.wgsl"
    "memory/result.wgsl"
    "memory/scratch.wgsl"
    "memory/scratch_memory.wgsl"
    "memory/scratch_memory_coherent.wgsl"
    "params.wgsl"
    "probe/floats.wgsl"
    "probe/lanes.wgsl"
    "reduce/and_fold.wgsl"
    "reduce/careful_block.wgsl"
    "reduce/entry_memory.wgsl"
    "reduce/entry_subgroup.wgsl"
    "reduce/finish.wgsl"
    "reduce/fold.wgsl"
    "reduce/free.wgsl"
    "reduce/free_block.wgsl"
    "reduce/free_end.wgsl"
    "reduce/job_launch.wgsl"
    "reduce/job_table.wgsl"
    "reduce/load_elements.wgsl"
    "reduce/load_factors.wgsl"
    "reduce/load_pairs.wgsl"
    "reduce/load_squares.wgsl"
    "reduce/no_unsafe_tiles.wgsl"
    "reduce/ordered.wgsl"
    "reduce/ordered_block.wgsl"
    "reduce/ordered_end.wgsl"
    "reduce/rounds.wgsl"
    "reduce/runs.wgsl"
    "reduce/to_accumulator_subgroups.wgsl"
    "reduce/to_accumulator_workgroups.wgsl"
    "reduce/to_partials.wgsl"
    "reduce/to_result.wgsl"
    "reduce/unsafe_tiles.wgsl"
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

    pub(super) fn join(&self, files: &[&str]) -> String {
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
            Self::Lanes => &["collective/subgroup_builtins.wgsl", "probe/lanes.wgsl"],
            Self::Floats => &["params.wgsl", "probe/floats.wgsl"],
        }
    }
}
