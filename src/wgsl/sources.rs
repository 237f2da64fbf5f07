//! The texts of the shader files, and how they are joined. No wgpu handle.
//!
//! A module has the declarations that its kernel uses, of sections of `.wgsl` files that agree on a few names (shaders/README.md
//! lists them). Module scope in WGSL does not depend on order, so nothing is substituted.

use crate::wgsl::{
    params::texts,
    sections::sections,
    used::{Known, known},
};
use std::{
    borrow::Cow,
    collections::BTreeMap,
    fmt,
    sync::{Arc, LazyLock, OnceLock},
};

macro_rules! files {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../../shaders/", $name)))),*]
    };
}

/// Every shader file: its path under `shaders/`, and its text.
const FILES: &[(&str, &str)] = files! {
    "collective/acc.wgsl"
    "collective/nodes.wgsl"
    "collective/scan_siblings.wgsl"
    "collective/scan_tile.wgsl"
    "collective/subgroup_builtins.wgsl"
    "collective/subgroup_reduce.wgsl"
    "collective/team_combine.wgsl"
    "collective/team_reduce.wgsl"
    "collective/workgroup.wgsl"
    "difference/differences.wgsl"
    "difference/subtract.wgsl"
    "element/bytes.wgsl"
    "element/halves.wgsl"
    "element/numbers.wgsl"
    "element/two_words.wgsl"
    "element/vector.wgsl"
    "element/word.wgsl"
    "exact/accumulator.wgsl"
    "exact/cells.wgsl"
    "exact/deposit.wgsl"
    "exact/divide.wgsl"
    "exact/element_sums.wgsl"
    "exact/finish.wgsl"
    "exact/group.wgsl"
    "exact/limbs.wgsl"
    "exact/load_elements.wgsl"
    "exact/product.wgsl"
    "exact/reduce.wgsl"
    "exact/reduce_pairs.wgsl"
    "exact/round.wgsl"
    "exact/specials.wgsl"
    "exact/store.wgsl"
    "exact/units.wgsl"
    "exact/value.wgsl"
    "exact/variance.wgsl"
    "exact/window.wgsl"
    "exact/window_pairs.wgsl"
    "exact/window_squares.wgsl"
    "expression/bits.wgsl"
    "expression/doubles.wgsl"
    "expression/floats.wgsl"
    "expression/items.wgsl"
    "expression/lift.wgsl"
    "expression/load.wgsl"
    "expression/map_quads.wgsl"
    "expression/mapped.wgsl"
    "expression/pairs_components.wgsl"
    "expression/third.wgsl"
    "expression/wides.wgsl"
    "histogram/bins.wgsl"
    "histogram/bytes.wgsl"
    "histogram/count.wgsl"
    "histogram/totals.wgsl"
    "lanes.wgsl"
    "memory/input.wgsl"
    "memory/output.wgsl"
    "memory/pairs.wgsl"
    "memory/progress.wgsl"
    "memory/result.wgsl"
    "memory/scratch.wgsl"
    "memory/shifts.wgsl"
    "operator/acc.wgsl"
    "operator/arg.wgsl"
    "operator/count.wgsl"
    "operator/custom.wgsl"
    "operator/degrees.wgsl"
    "operator/exchange_atomic.wgsl"
    "operator/extremum.wgsl"
    "operator/f32_add.wgsl"
    "operator/f32_mean.wgsl"
    "operator/f32_multiply.wgsl"
    "operator/f32_product.wgsl"
    "operator/f32_round.wgsl"
    "operator/f64_add.wgsl"
    "operator/f64_mean.wgsl"
    "operator/f64_product.wgsl"
    "operator/f64_round.wgsl"
    "operator/four_moments.wgsl"
    "operator/integer.wgsl"
    "operator/key.wgsl"
    "operator/lift.wgsl"
    "operator/moments.wgsl"
    "operator/moments_and_places.wgsl"
    "operator/moments_f32.wgsl"
    "operator/moments_f64.wgsl"
    "operator/nan_mean.wgsl"
    "operator/nan_mean_floats.wgsl"
    "operator/norm.wgsl"
    "operator/product_f32.wgsl"
    "operator/product_f64.wgsl"
    "operator/products.wgsl"
    "operator/range.wgsl"
    "operator/sum_f32.wgsl"
    "operator/sum_f64.wgsl"
    "operator/two_moments.wgsl"
    "operator/vector_bounds.wgsl"
    "operator/vector_sum_f32.wgsl"
    "operator/vector_sum_wide.wgsl"
    "params.wgsl"
    "probe/doubles.wgsl"
    "probe/floats.wgsl"
    "probe/lanes.wgsl"
    "public/acc.wgsl"
    "public/append.wgsl"
    "public/compact.wgsl"
    "public/digits.wgsl"
    "public/exchange.wgsl"
    "public/item.wgsl"
    "public/key.wgsl"
    "public/memory.wgsl"
    "public/partials.wgsl"
    "public/place.wgsl"
    "public/rank.wgsl"
    "public/reduce.wgsl"
    "public/scan.wgsl"
    "public/segments.wgsl"
    "public/several.wgsl"
    "public/shuffle.wgsl"
    "public/sort.wgsl"
    "public/ticket.wgsl"
    "public/tree.wgsl"
    "public/value.wgsl"
    "public/votes.wgsl"
    "public/workgroup.wgsl"
    "public/workgroup_known.wgsl"
    "reduce/and_fold.wgsl"
    "reduce/careful_block.wgsl"
    "reduce/counted.wgsl"
    "reduce/elems.wgsl"
    "reduce/entry.wgsl"
    "reduce/finish.wgsl"
    "reduce/first_pass.wgsl"
    "reduce/fold.wgsl"
    "reduce/free.wgsl"
    "reduce/free_block.wgsl"
    "reduce/gather.wgsl"
    "reduce/items_count.wgsl"
    "reduce/job.wgsl"
    "reduce/load_elements.wgsl"
    "reduce/load_factors.wgsl"
    "reduce/load_pairs.wgsl"
    "reduce/load_places.wgsl"
    "reduce/load_squares.wgsl"
    "reduce/ordered.wgsl"
    "reduce/ordered_block.wgsl"
    "reduce/outcome.wgsl"
    "reduce/rounds.wgsl"
    "reduce/runs.wgsl"
    "reduce/tile.wgsl"
    "reduce/tile_places.wgsl"
    "reduce/total.wgsl"
    "reduce/unsafe_tiles.wgsl"
    "scan/before.wgsl"
    "scan/block.wgsl"
    "scan/carry.wgsl"
    "scan/free.wgsl"
    "scan/initial.wgsl"
    "scan/look_back.wgsl"
    "scan/ordered.wgsl"
    "scan/rows.wgsl"
    "scan/single_pass.wgsl"
    "scan/tile.wgsl"
    "segments/chunk_totals.wgsl"
    "segments/chunks.wgsl"
    "segments/counter.wgsl"
    "segments/exact_f64.wgsl"
    "segments/exact_f64_sum.wgsl"
    "segments/exact_limbs.wgsl"
    "segments/exact_moments.wgsl"
    "segments/exact_squares.wgsl"
    "segments/exact_sum.wgsl"
    "segments/group_items.wgsl"
    "segments/group_number.wgsl"
    "segments/group_totals.wgsl"
    "segments/items.wgsl"
    "segments/neighbours.wgsl"
    "segments/places.wgsl"
    "segments/results.wgsl"
    "segments/run_totals.wgsl"
    "segments/segment.wgsl"
    "select/acc.wgsl"
    "select/block.wgsl"
    "select/count.wgsl"
    "select/emit.wgsl"
    "select/emit_at_once.wgsl"
    "select/emit_rows.wgsl"
    "select/emit_staged.wgsl"
    "select/entries.wgsl"
    "select/heads.wgsl"
    "select/items.wgsl"
    "select/load.wgsl"
    "select/mask.wgsl"
    "select/places.wgsl"
    "select/predicate.wgsl"
    "select/round.wgsl"
    "select/rows.wgsl"
    "select/scatter.wgsl"
    "select/single_pass.wgsl"
    "select/store.wgsl"
    "select/totals.wgsl"
};

/// The text of each section, and its declarations once a module has asked for them.
static SECTIONS: LazyLock<BTreeMap<Cow<'static, str>, Section>> = LazyLock::new(|| {
    let written = texts().map(|(name, text)| (name.into(), text.into()));
    let all = FILES.iter().flat_map(|&(file, text)| sections(file, text)).chain(written);
    all.map(|(name, text)| (name, Section { text, known: OnceLock::new() })).collect()
});

struct Section {
    text: Cow<'static, str>,
    known: OnceLock<Arc<[Known]>>,
}

/// Whether there is a section of this name.
pub(super) fn exists(section: &str) -> bool {
    SECTIONS.contains_key(section)
}

/// The sections' texts. Tests change them; everything else uses the default.
#[derive(Clone)]
pub struct Sources {
    pub(super) files: BTreeMap<&'static str, Cow<'static, str>>,
    are_original: bool,
}

impl Default for Sources {
    fn default() -> Self {
        let files =
            SECTIONS.iter().map(|(name, section)| (name.as_ref(), section.text.as_ref().into()));
        let files = files.collect();
        Self { files, are_original: true }
    }
}

impl fmt::Debug for Sources {
    /// Without the texts: they are too long for a context's `Debug`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sources").field("are_original", &self.are_original).finish_non_exhaustive()
    }
}

impl Sources {
    /// The names of all sections, sorted.
    pub fn file_names() -> impl Iterator<Item = &'static str> {
        Self::default().files.into_keys()
    }

    /// Replaces `from`, which must occur in the section, by `to`. `None` if it does not.
    pub fn replace(self, file: &str, from: &str, to: &str) -> Option<Self> {
        let text = self.files.get(file)?;
        let replaced = text.contains(from).then(|| text.replace(from, to))?;
        self.with(file, replaced)
    }

    /// Puts another text in a section's place. `None` if there is no such section.
    pub fn with(mut self, file: &str, text: String) -> Option<Self> {
        self.are_original = false;
        *self.files.get_mut(file)? = Cow::Owned(text);
        Some(self)
    }

    /// The text of a section. `None` if there is no such section.
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

    /// The declarations of a section.
    pub(super) fn known(&self, file: &str) -> Arc<[Known]> {
        match self.files.get(file) {
            Some(Cow::Borrowed(text)) => {
                SECTIONS[file].known.get_or_init(|| known(text).into()).clone()
            }
            Some(Cow::Owned(text)) => known(text).into(),
            None => panic!("there is no {file}"),
        }
    }

    fn join(&self, files: &[&str]) -> String {
        let text = |&file| self.text(file).unwrap_or_else(|| panic!("there is no {file}"));
        files.iter().map(text).collect::<Vec<_>>().join("\n")
    }
}

/// The start-up probes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probe {
    /// How lanes are numbered and shuffled.
    Lanes,
    /// How floats are added and multiplied.
    Floats,
    /// The same of f64s, where there are such.
    Doubles,
}

impl Probe {
    /// Every probe.
    pub const ALL: [Self; 3] = [Self::Lanes, Self::Floats, Self::Doubles];

    /// The name of the probe's entry point.
    pub const fn entry_point(self) -> &'static str {
        match self {
            Self::Lanes => "probe_lanes",
            Self::Floats => "probe_floats",
            Self::Doubles => "probe_doubles",
        }
    }

    /// The files of the probe's module, under `shaders/`.
    pub const fn files(self) -> &'static [&'static str] {
        match self {
            Self::Lanes => &["collective/subgroup_builtins.wgsl", "probe/lanes.wgsl"],
            Self::Floats => {
                &["lanes.wgsl@of_256", "params.wgsl", "params.wgsl@common", "probe/floats.wgsl"]
            }
            Self::Doubles => &[
                "lanes.wgsl@of_256",
                "params.wgsl",
                "params.wgsl@common",
                "operator/f64_round.wgsl@fence",
                "probe/doubles.wgsl",
            ],
        }
    }
}
