//! Collectives of tiles, and those that are valid in a first lane alone.

use super::{
    OfSegments, Special, collectives_of, heads, kernels, pair_of, pipeline, run, sizes_of,
};
use crate::{device::Gpu, support::data::mix};
use gridfold::{
    Operator, Variant,
    wgsl::{Collectives, twin},
};

/// Lanes of a workgroup, of what stands for a subgroup in memory, of a tile, and a number of lanes.
pub const TILES: [(u32, u32, u32, u32); 6] = [
    (33, 32, 4, 1),
    (64, 64, 2, 5),
    (95, 32, 8, 3),
    (96, 4, 2, 1),
    (128, 128, 64, 9),
    (256, 8, 16, 2),
];

/// A value of a lane, of two words.
type Pair = [u32; 2];

/// The same of all widths, for workgroups of these sizes: more than a subgroup is a subgroup.
pub fn of_sizes(sizes: &[u32]) -> Vec<(u32, u32, u32, u32)> {
    let widths = [4, 64, 1, 16, 2, 128, 8, 32].into_iter().cycle();
    let numbers = sizes.iter().zip(widths).zip(1..);
    numbers.map(|((&size, width), by)| (size, 32, width, by)).collect()
}

fn collectives(gpu: &Gpu, variant: Variant, size: u32, group: u32) -> Collectives {
    // Of the size that was told, if one was.
    let group = gpu.told_subgroups.map_or(group, |sizes| sizes.max);
    collectives_of(gpu).workgroup_size(size).subgroup_size(group).variant(variant)
}

pub fn operators<T: Special, Op: Operator<T> + Copy>(gpu: &Gpu, variant: Variant, op: Op) {
    operators_of::<T, _>(gpu, variant, &TILES, op);
}

pub fn operators_of<T: Special, Op: Operator<T> + Copy>(
    gpu: &Gpu,
    variant: Variant,
    numbers: &[(u32, u32, u32, u32)],
    op: Op,
) {
    for &(size, group, width, by) in numbers {
        if sizes_of(gpu, &[size]).is_empty() {
            continue;
        }
        let text = kernels::tiles_kernel(
            collectives(gpu, variant, size, group),
            op.spec().operator,
            T::TYPE,
        );
        let pipeline = pipeline(gpu, &text.expect("there are such collectives"));
        let lanes: Vec<T> =
            (0..size).map(|lane| T::value(mix(lane + by), lane % 11 == 7)).collect();
        let input: Vec<u32> = lanes.iter().flat_map(pair_of).collect();
        let slots = run(gpu, &pipeline, size, 7, [0, width, by], &input);
        let subgroup = slots[0][0][0] as usize;
        let width = (width as usize).min(subgroup);
        let about = format!(
            "{} {}, {size} lanes, subgroups of {subgroup}, tiles of {width}",
            op.spec().operator,
            T::TYPE
        );
        for (slot, width) in [(1, subgroup), (2, width), (6, lanes.len())] {
            for (found, lanes) in slots[slot].chunks(width).zip(lanes.chunks(width)) {
                let expected = pair_of(&twin::reduce_all::<T, _>(lanes, op));
                assert_eq!(found[0], expected, "slot {slot}, {about}");
            }
        }
        let heads = heads(size, by);
        let segments = |of: OfSegments<T, Op>| -> Vec<[u32; 2]> {
            let groups = lanes.chunks(width).zip(heads.chunks(width));
            groups
                .flat_map(|(lanes, heads)| of(lanes, heads, op))
                .map(|out| pair_of(&out))
                .collect()
        };
        let expected = [
            segments(twin::segmented_reduce::<T, Op>),
            segments(twin::segmented_inclusive_scan::<T, Op>),
            segments(twin::segmented_exclusive_scan::<T, Op>),
        ];
        for (slot, (found, expected)) in slots[3..6].iter().zip(expected).enumerate() {
            assert_eq!(*found, expected, "slot {}, {about}", slot + 3);
        }
    }
}

pub fn flags_and_values(gpu: &Gpu, variant: Variant) {
    flags_and_values_of(gpu, variant, &TILES);
}

pub fn flags_and_values_of(gpu: &Gpu, variant: Variant, numbers: &[(u32, u32, u32, u32)]) {
    for &(size, group, width, by) in numbers {
        if sizes_of(gpu, &[size]).is_empty() {
            continue;
        }
        let text = kernels::tile_flags_kernel(collectives(gpu, variant, size, group));
        let pipeline = pipeline(gpu, &text.expect("there are such collectives"));
        let input: Vec<u32> = (0..size).map(|lane| mix(lane + by)).collect();
        let slots = run(gpu, &pipeline, size, 17, [0, width, by], &input);
        let subgroup = slots[0][0][0] as usize;
        let width = (width as usize).min(subgroup);
        let flags: Vec<bool> = input.iter().map(|word| word & 1 == 1).collect();
        let keys: Vec<u32> = input.iter().map(|word| word >> 1).collect();
        let lanes: Vec<[u32; 2]> = input.iter().copied().zip(0..).map(Into::into).collect();
        let sources: Vec<u32> = input.iter().map(|word| word % 40).collect();
        let each = |of: &dyn Fn(&[bool]) -> [u32; 2]| {
            twin::in_groups(&flags, width, |tile| vec![of(tile); tile.len()])
        };
        let half = |ballot: [u32; 4], half: usize| [ballot[2 * half], ballot[2 * half + 1]];
        let same = |of: usize| {
            let ballots = twin::in_groups(&keys, width, |keys| twin::matching(keys, 2));
            ballots.into_iter().map(|ballot| half(ballot, of)).collect::<Vec<_>>()
        };
        let ranks = twin::in_groups(&flags, width, twin::rank);
        let tiles = |of: &dyn Fn(&[Pair]) -> Vec<Pair>| twin::in_groups(&lanes, width, of);
        let kept: Vec<_> = lanes
            .chunks(width)
            .zip(flags.chunks(width))
            .map(|(lanes, flags)| twin::compact(lanes, flags))
            .collect();
        let expected: [Vec<[u32; 2]>; 16] = [
            each(&|tile| [twin::any(tile).into(), 0]),
            each(&|tile| [twin::all(tile).into(), 0]),
            each(&|tile| [twin::count(tile), 0]),
            each(&|tile| half(twin::ballot(tile), 0)),
            each(&|tile| half(twin::ballot(tile), 1)),
            ranks.into_iter().map(|rank| [rank, 0]).collect(),
            same(0),
            same(1),
            (0..)
                .zip(&input)
                .map(|(lane, word)| [twin::reversed_bits(*word, 1 + lane % 32), 0])
                .collect(),
            lanes
                .chunks(width)
                .zip(sources.chunks(width))
                .flat_map(|(lanes, sources)| twin::shuffle(lanes, sources))
                .collect(),
            tiles(&|tile| twin::shuffle_up(tile, by)),
            tiles(&|tile| twin::shuffle_down(tile, by)),
            tiles(&|tile| twin::shuffle_xor(tile, by)),
            tiles(&|tile| vec![twin::broadcast(tile, by).expect("not empty"); tile.len()]),
            kept.iter().flat_map(|(values, _)| values.clone()).collect(),
            kept.iter().flat_map(|(values, count)| vec![[*count, 0]; values.len()]).collect(),
        ];
        for (slot, (found, expected)) in slots[1..].iter().zip(expected).enumerate() {
            assert_eq!(
                *found,
                expected,
                "slot {}, {size} lanes, subgroups of {subgroup}, tiles of {width}",
                slot + 1
            );
        }
    }
}
