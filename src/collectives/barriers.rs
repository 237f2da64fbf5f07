//! How many barriers a call has.

use crate::{
    collectives::files::{Totals, VECTOR_WORDS, Way},
    way::Mechanism,
};

/// What a function is of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subject {
    /// Of an operator's.
    pub(super) totals: Totals,
    /// Of an item.
    pub(super) words: u32,
}

/// How many more a call of a function has at most, where subgroups have `size` lanes.
pub(super) fn of_unlucky_call(function: &str, way: Way, size: u32, subject: Subject) -> u32 {
    // Lanes' values that are out of range are combined again, from the first round on.
    let again = match (function, subject.totals) {
        ("workgroup_reduce" | "workgroup_reduce_all" | "device_reduce", Totals::Quick) => {
            let lanes = way.workgroup_size;
            1 + rounds(lanes, size, size) - rounds(lanes >> size.ilog2(), size, size)
        }
        _ => 0,
    };
    // The workgroup that comes last has the others' totals.
    let last = if function == "device_reduce" { 1 + 16 } else { 0 };
    again + last
}

/// Of a function, by its name in the shader files, where subgroups have `size` lanes.
///
/// A text that is made for one size goes another way on others (`any_total`). That has as many barriers as the way of a text that is made for those:
/// of quick totals as many as an unlucky call.
pub(super) fn of_call(function: &str, way: Way, size: u32, subject: Subject) -> u32 {
    let by_memory = way.mechanism == Mechanism::WorkgroupMemory;
    let lanes = way.workgroup_size;
    let moves = MOVE * subject.words.div_ceil(VECTOR_WORDS);
    // Of workgroups at the end of a call that is the same for all lanes.
    const UNIFORM_LOAD: u32 = 2;
    const VOTES: u32 = 3;
    match function {
        "workgroup_reduce" | "workgroup_reduce_all" if subject.totals != Totals::InOrder => {
            // Where it is built in, or quick, the first round is another one.
            match subject.totals {
                Totals::Builtin => rounds(lanes >> size.ilog2(), size, 1),
                Totals::Quick => {
                    // Where sizes are not known, subgroups' totals are in memory that others may still be reading.
                    let first = u32::from(!way.one_subgroup_size);
                    first + UNIFORM_LOAD + rounds(lanes >> size.ilog2(), size, size)
                }
                _ => rounds(lanes, size, size),
            }
        }
        "device_reduce" => of_call("workgroup_reduce_all", way, size, subject) + 1 + UNIFORM_LOAD,
        "workgroup_reduce"
        | "workgroup_reduce_all"
        | "workgroup_inclusive_scan"
        | "workgroup_exclusive_scan" => {
            if by_memory {
                tree(lanes)
            } else {
                2 + passes(lanes, size)
            }
        }
        "workgroup_segmented_reduce"
        | "workgroup_segmented_inclusive_scan"
        | "workgroup_segmented_exclusive_scan" => VOTES + tree(lanes),
        "workgroup_append" | "workgroup_any" | "workgroup_all" | "workgroup_count" => {
            VOTES + UNIFORM_LOAD
        }
        "workgroup_rank" => VOTES,
        "workgroup_compact" => VOTES + moves - 1,
        "workgroup_to_striped" | "workgroup_to_blocked" => MOVE * subject.words,
        // Of whole keys.
        "workgroup_sort" => sort(way, subject.words, subject.words),
        "workgroup_sort_pairs" => sort(way, subject.words, subject.words + 1),
        "workgroup_shuffle" | "workgroup_broadcast" | "workgroup_before" | "workgroup_behind" => {
            moves
        }
        _ if !by_memory || is_alone(function) => 0,
        "subgroup_any" | "subgroup_all" | "subgroup_count" | "subgroup_ballot"
        | "subgroup_rank" | "tile_any" | "tile_all" | "tile_count" | "tile_ballot"
        | "tile_rank" => VOTES,
        "subgroup_compact" | "tile_compact" | "subgroup_append" => VOTES + moves,
        // For each bit of a key.
        "subgroup_match" | "tile_match" => 32 * VOTES,
        name if name.contains("segmented") => VOTES + tree(size),
        name if name.contains("shuffle") || name.contains("broadcast") => moves,
        // Reductions and scans of subgroups, and of tiles, which are no larger.
        _ => tree(size),
    }
}

/// Whether a function needs no other lane.
pub(super) fn is_alone(function: &str) -> bool {
    matches!(
        function,
        "subgroup_size"
            | "subgroup_index"
            | "subgroup_lane"
            | "subgroup_lanes"
            | "ballot_rank"
            | "ballot_count"
            | "ballot_nth"
            | "nth_set_bit"
            | "reversed_bits"
    )
}

/// Of `group_tree` in memory.
fn tree(width: u32) -> u32 {
    2 + width.ilog2()
}

/// Of words that move at once.
const MOVE: u32 = 2;

/// By all digits of keys, of which so many words move, with their values.
fn sort(way: Way, key_words: u32, words: u32) -> u32 {
    key_words * 32u32.div_ceil(way.digit_bits) * (places(way) + words * MOVE)
}

/// Of `digit_places`.
fn places(way: Way) -> u32 {
    let steps = way.workgroup_size.next_power_of_two().ilog2();
    let sums = if way.mechanism == Mechanism::WorkgroupMemory { 2 * steps } else { 0 };
    4 + 2 + sums
}

/// Of rounds in which `left` values become as many as there are subgroups of them, until `least` are left.
fn rounds(mut left: u32, size: u32, least: u32) -> u32 {
    let mut barriers = 0;
    while left > least {
        barriers += 2;
        left >>= size.ilog2();
    }
    barriers
}

/// Of the loop in tree.wgsl@subgroups.
fn passes(lanes: u32, size: u32) -> u32 {
    let mut passes = 0;
    let mut left = (lanes - 1) >> size.ilog2();
    while left > 0 {
        passes += 1;
        left >>= size.ilog2();
    }
    passes
}
