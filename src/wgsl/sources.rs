//! The texts of the shader files, and how they are joined. No wgpu handle.
//!
//! A module is the plain concatenation of `.wgsl` files that agree on a few names (shaders/README.md
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
    "collective/scan_nodes.wgsl"
    "collective/scan_siblings.wgsl"
    "collective/scan_siblings_in_order.wgsl"
    "collective/scan_tile_memory.wgsl"
    "collective/scan_tile_subgroup.wgsl"
    "collective/subgroup_builtins.wgsl"
    "collective/subgroup_reduce_builtin.wgsl"
    "collective/subgroup_reduce_in_order.wgsl"
    "collective/subgroup_reduce_shuffle.wgsl"
    "collective/team_combine_in_order.wgsl"
    "collective/team_combine_memory.wgsl"
    "collective/team_combine_subgroup.wgsl"
    "collective/team_reduce_in_order.wgsl"
    "collective/team_reduce_memory.wgsl"
    "collective/team_reduce_subgroup.wgsl"
    "collective/workgroup_builtins.wgsl"
    "collective/workgroup_memory.wgsl"
    "collective/workgroup_subgroup.wgsl"
    "difference/differences.wgsl"
    "difference/ends.wgsl"
    "difference/f32.wgsl"
    "difference/f64.wgsl"
    "difference/items.wgsl"
    "difference/u32.wgsl"
    "difference/u64.wgsl"
    "element/bytes.wgsl"
    "element/f32_bits.wgsl"
    "element/f64_bits.wgsl"
    "element/halves.wgsl"
    "element/load_bits.wgsl"
    "element/load_bytes.wgsl"
    "element/load_halves.wgsl"
    "element/load_two_words.wgsl"
    "element/load_vector.wgsl"
    "element/load_vector2.wgsl"
    "element/load_vector3.wgsl"
    "element/load_vector4.wgsl"
    "element/load_word.wgsl"
    "element/numbers.wgsl"
    "element/pack_bytes.wgsl"
    "element/pack_halves.wgsl"
    "element/pack_quad.wgsl"
    "element/two_words.wgsl"
    "element/vector.wgsl"
    "element/vector2.wgsl"
    "element/vector3.wgsl"
    "element/vector4.wgsl"
    "element/word.wgsl"
    "element/words_less.wgsl"
    "element/words_join.wgsl"
    "exact/accumulator.wgsl"
    "exact/accumulator_copies.wgsl"
    "exact/cells.wgsl"
    "exact/deposit_element.wgsl"
    "exact/deposit_element_f64.wgsl"
    "exact/deposit_group.wgsl"
    "exact/deposit_moments.wgsl"
    "exact/deposit_number_moments.wgsl"
    "exact/deposit_product.wgsl"
    "exact/deposit_square.wgsl"
    "exact/deposit_squares.wgsl"
    "exact/element_parts.wgsl"
    "exact/element_sums.wgsl"
    "exact/finish.wgsl"
    "exact/group.wgsl"
    "exact/leading.wgsl"
    "exact/limbs.wgsl"
    "exact/load_elements.wgsl"
    "exact/no_element_sums.wgsl"
    "exact/no_window.wgsl"
    "exact/numbers.wgsl"
    "exact/product.wgsl"
    "exact/product_sums.wgsl"
    "exact/reduce.wgsl"
    "exact/reduce_pairs.wgsl"
    "exact/round.wgsl"
    "exact/round_f64.wgsl"
    "exact/specials.wgsl"
    "exact/specials_of.wgsl"
    "exact/specials_of_f64.wgsl"
    "exact/store_accumulator.wgsl"
    "exact/store_moments.wgsl"
    "exact/store_number_moments.wgsl"
    "exact/store_value.wgsl"
    "exact/store_value_f64.wgsl"
    "exact/store_value_of_numbers.wgsl"
    "exact/two_complement.wgsl"
    "exact/units_moments.wgsl"
    "exact/units_number_moments.wgsl"
    "exact/units_products.wgsl"
    "exact/units_squares.wgsl"
    "exact/units_sum.wgsl"
    "exact/units_sum_f64.wgsl"
    "exact/window.wgsl"
    "exact/window_f64.wgsl"
    "exact/window_moves.wgsl"
    "exact/window_pairs.wgsl"
    "exact/window_squares.wgsl"
    "memory/accumulator.wgsl"
    "memory/input.wgsl"
    "memory/input_as_words.wgsl"
    "memory/input_or_output.wgsl"
    "memory/input_pairs.wgsl"
    "memory/output_vectors.wgsl"
    "memory/output_words.wgsl"
    "memory/pairs_bytes.wgsl"
    "memory/pairs_halves.wgsl"
    "memory/pairs_two_words.wgsl"
    "memory/pairs_words.wgsl"
    "memory/result.wgsl"
    "memory/progress.wgsl"
    "memory/scratch.wgsl"
    "memory/scratch_memory.wgsl"
    "memory/scratch_memory_coherent.wgsl"
    "memory/shifts.wgsl"
    "memory/words_from.wgsl"
    "operator/custom.wgsl"
    "expression/bits_of_two_words.wgsl"
    "expression/bits_of_word.wgsl"
    "expression/doubles.wgsl"
    "expression/doubles_floats.wgsl"
    "expression/floats.wgsl"
    "expression/floats_hardware.wgsl"
    "expression/floats_software.wgsl"
    "expression/items_of_one.wgsl"
    "expression/items_of_two.wgsl"
    "expression/items_of_three.wgsl"
    "expression/lift_elements.wgsl"
    "expression/lift_places.wgsl"
    "expression/load_components.wgsl"
    "expression/load_exact.wgsl"
    "expression/load_mapped.wgsl"
    "expression/map_quads.wgsl"
    "expression/map_quads_three.wgsl"
    "expression/mapped.wgsl"
    "expression/mapped_two_words.wgsl"
    "expression/number_of_word.wgsl"
    "expression/pairs_components.wgsl"
    "expression/third_bytes.wgsl"
    "expression/third_components.wgsl"
    "expression/third_halves.wgsl"
    "expression/third_input.wgsl"
    "expression/third_two_words.wgsl"
    "expression/third_words.wgsl"
    "expression/wides.wgsl"
    "expression/wides_floats.wgsl"
    "histogram/bytes.wgsl"
    "histogram/clear.wgsl"
    "histogram/count.wgsl"
    "histogram/even.wgsl"
    "histogram/few.wgsl"
    "histogram/many.wgsl"
    "histogram/no_edges.wgsl"
    "histogram/numbers.wgsl"
    "histogram/search.wgsl"
    "histogram/totals.wgsl"
    "lanes_256.wgsl"
    "lanes_64.wgsl"
    "params.wgsl"
    "probe/doubles.wgsl"
    "probe/floats.wgsl"
    "probe/lanes.wgsl"
    "public/acc_memory.wgsl"
    "public/acc_shuffle.wgsl"
    "public/append.wgsl"
    "public/append_memory.wgsl"
    "public/ballot_128.wgsl"
    "public/ballot_32.wgsl"
    "public/before_memory.wgsl"
    "public/before_subgroup.wgsl"
    "public/bits.wgsl"
    "public/compact.wgsl"
    "public/digits.wgsl"
    "public/exchange.wgsl"
    "public/fence.wgsl"
    "public/group_any.wgsl"
    "public/group_whole.wgsl"
    "public/item.wgsl"
    "public/item_f32.wgsl"
    "public/item_i32.wgsl"
    "public/item_memory.wgsl"
    "public/item_shuffle.wgsl"
    "public/item_u32.wgsl"
    "public/item_u32x2.wgsl"
    "public/item_u32x3.wgsl"
    "public/item_u32x4.wgsl"
    "public/item_words.wgsl"
    "public/items.wgsl"
    "public/items_bits.wgsl"
    "public/key_f32.wgsl"
    "public/key_f64.wgsl"
    "public/key_i32.wgsl"
    "public/key_i64.wgsl"
    "public/key_u32.wgsl"
    "public/key_u64.wgsl"
    "public/match.wgsl"
    "public/memory.wgsl"
    "public/outcome_f32.wgsl"
    "public/outcome_i32.wgsl"
    "public/outcome_own.wgsl"
    "public/outcome_two_words.wgsl"
    "public/outcome_u32.wgsl"
    "public/partials.wgsl"
    "public/place.wgsl"
    "public/place_memory.wgsl"
    "public/place_subgroup.wgsl"
    "public/quick_memory.wgsl"
    "public/range_memory.wgsl"
    "public/rank.wgsl"
    "public/reduce.wgsl"
    "public/scan.wgsl"
    "public/segment.wgsl"
    "public/segments.wgsl"
    "public/several.wgsl"
    "public/shuffle.wgsl"
    "public/sort.wgsl"
    "public/sort_wide.wgsl"
    "public/ticket.wgsl"
    "public/ticket_memory.wgsl"
    "public/tree_memory.wgsl"
    "public/tree_subgroup.wgsl"
    "public/value.wgsl"
    "public/value_f32.wgsl"
    "public/value_i32.wgsl"
    "public/value_two_words.wgsl"
    "public/value_u32.wgsl"
    "public/votes.wgsl"
    "public/votes_by_lanes.wgsl"
    "public/votes_by_subgroups.wgsl"
    "public/votes_memory.wgsl"
    "public/word_memory.wgsl"
    "public/word_shuffle.wgsl"
    "public/workgroup_any.wgsl"
    "public/workgroup_known.wgsl"
    "public/workgroup_known_any.wgsl"
    "public/workgroup_known_quick.wgsl"
    "public/workgroup_outcome.wgsl"
    "public/workgroup_outcome_quick.wgsl"
    "public/workgroup_whole.wgsl"
    "public/workgroup_whole_any.wgsl"
    "public/workgroup_whole_builtin.wgsl"
    "public/workgroup_whole_quick.wgsl"
    "reduce/and_fold.wgsl"
    "reduce/careful_block.wgsl"
    "reduce/counted.wgsl"
    "reduce/elems_all.wgsl"
    "reduce/elems_counted.wgsl"
    "reduce/elems_marked.wgsl"
    "reduce/entry_memory.wgsl"
    "reduce/entry_subgroup.wgsl"
    "reduce/finish.wgsl"
    "reduce/first_pass.wgsl"
    "reduce/fold.wgsl"
    "reduce/fold_to_partials.wgsl"
    "reduce/free.wgsl"
    "reduce/free_block.wgsl"
    "reduce/free_end.wgsl"
    "reduce/gather_accs.wgsl"
    "reduce/gather_counts.wgsl"
    "reduce/gather_places.wgsl"
    "reduce/gathered_accs.wgsl"
    "reduce/items_count.wgsl"
    "reduce/items_count_bytes.wgsl"
    "reduce/job_launch.wgsl"
    "reduce/job_table.wgsl"
    "reduce/load_elements.wgsl"
    "reduce/load_factors.wgsl"
    "reduce/load_pairs.wgsl"
    "reduce/load_places.wgsl"
    "reduce/load_squares.wgsl"
    "reduce/no_unsafe_tiles.wgsl"
    "reduce/ordered.wgsl"
    "reduce/ordered_block.wgsl"
    "reduce/ordered_end.wgsl"
    "reduce/round_rows.wgsl"
    "reduce/rounds.wgsl"
    "reduce/rows_apart.wgsl"
    "reduce/rows_together.wgsl"
    "reduce/runs.wgsl"
    "reduce/tile.wgsl"
    "reduce/tile_places.wgsl"
    "reduce/to_accumulator_subgroups.wgsl"
    "reduce/to_accumulator_workgroups.wgsl"
    "reduce/to_partials.wgsl"
    "reduce/total_acc.wgsl"
    "reduce/total_run.wgsl"
    "reduce/unsafe_tiles.wgsl"
    "scan/before_acc.wgsl"
    "scan/before_moments.wgsl"
    "scan/before_moments_and_places.wgsl"
    "scan/before_total.wgsl"
    "scan/block.wgsl"
    "scan/block_by_rounds.wgsl"
    "scan/block_by_rows.wgsl"
    "scan/block_ends.wgsl"
    "scan/carries.wgsl"
    "scan/carry_f32.wgsl"
    "scan/carry_f64.wgsl"
    "scan/free.wgsl"
    "scan/initial_components.wgsl"
    "scan/initial_lifted.wgsl"
    "scan/initial_none.wgsl"
    "scan/initial_two_words.wgsl"
    "scan/initial_word.wgsl"
    "scan/lens.wgsl"
    "scan/look_back.wgsl"
    "scan/ordered.wgsl"
    "scan/rows.wgsl"
    "scan/single_pass.wgsl"
    "scan/tile.wgsl"
    "segments/chunk_totals.wgsl"
    "segments/chunks.wgsl"
    "segments/counter.wgsl"
    "segments/exact_degrees_population.wgsl"
    "segments/exact_degrees_sample.wgsl"
    "segments/exact_f64_chunks.wgsl"
    "segments/exact_f64_finish.wgsl"
    "segments/exact_f64_items.wgsl"
    "segments/exact_f64_runs.wgsl"
    "segments/exact_f64_scratch.wgsl"
    "segments/exact_f64_sum.wgsl"
    "segments/exact_finish.wgsl"
    "segments/exact_limbs.wgsl"
    "segments/exact_moments.wgsl"
    "segments/exact_moments_finish.wgsl"
    "segments/exact_squares.wgsl"
    "segments/exact_squares_finish.wgsl"
    "segments/exact_sum.wgsl"
    "segments/group_counts.wgsl"
    "segments/group_items.wgsl"
    "segments/group_number.wgsl"
    "segments/group_totals.wgsl"
    "segments/items.wgsl"
    "segments/neighbours.wgsl"
    "segments/neighbours_any.wgsl"
    "segments/neighbours_words.wgsl"
    "segments/places.wgsl"
    "segments/results.wgsl"
    "segments/run_totals.wgsl"
    "segments/segment.wgsl"
    "select/acc_counts.wgsl"
    "select/acc_runs.wgsl"
    "select/block_memory.wgsl"
    "select/block_subgroup.wgsl"
    "select/count.wgsl"
    "select/emit_at_once.wgsl"
    "select/emit_begins.wgsl"
    "select/emit_items.wgsl"
    "select/emit_rows.wgsl"
    "select/emit_runs.wgsl"
    "select/emit_staged.wgsl"
    "select/entries.wgsl"
    "select/flags_by_rows.wgsl"
    "select/heads.wgsl"
    "select/heads_components.wgsl"
    "select/items.wgsl"
    "select/load_components.wgsl"
    "select/load_parts.wgsl"
    "select/load_words.wgsl"
    "select/mask.wgsl"
    "select/no_entries.wgsl"
    "select/no_items.wgsl"
    "select/places.wgsl"
    "select/places_apart.wgsl"
    "select/places_together.wgsl"
    "select/positions.wgsl"
    "select/predicate.wgsl"
    "select/predicate_parts.wgsl"
    "select/predicate_two_words.wgsl"
    "select/predicate_word.wgsl"
    "select/round_items.wgsl"
    "select/round_mask.wgsl"
    "select/round_vectors.wgsl"
    "select/rows_memory.wgsl"
    "select/rows_subgroup.wgsl"
    "select/scatter.wgsl"
    "select/scatter_memory.wgsl"
    "select/scatter_subgroup.wgsl"
    "select/single_pass.wgsl"
    "select/store_components.wgsl"
    "select/store_numbers.wgsl"
    "select/store_parts.wgsl"
    "select/store_words.wgsl"
    "select/totals.wgsl"
};

/// The shader files' texts. Tests change them; everything else uses the default.
#[derive(Clone)]
pub struct Sources {
    pub(super) files: BTreeMap<&'static str, Cow<'static, str>>,
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
    /// Without the texts: they are too long for a context's `Debug`.
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
            Self::Floats => &["lanes_256.wgsl", "params.wgsl", "probe/floats.wgsl"],
            Self::Doubles => {
                &["lanes_256.wgsl", "params.wgsl", "operator/f64_fence.wgsl", "probe/doubles.wgsl"]
            }
        }
    }
}
