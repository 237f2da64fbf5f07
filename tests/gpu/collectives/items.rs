//! Collectives of values of a type: shuffles, compaction, exchanges and sorts.

use super::{SIZES, collectives_of, kernels, pipeline, run, sizes_of};
use crate::{device::Gpu, support::data::mix};
use gridfold::{
    Variant,
    wgsl::{Collective, CollectivesError, twin},
};

/// Lanes, a number of lanes or a mask, and lanes of a tile.
pub const SHUFFLES: [(u32, u32, u32); SIZES.len() + 1] = {
    let mut all = [(256, 31, 1); SIZES.len() + 1];
    let numbers = [(1, 2), (1, 4), (3, 8), (2, 2), (5, 4)];
    let mut at = 0;
    while at < SIZES.len() {
        let (by, width) = numbers[at % numbers.len()];
        all[at] = (SIZES[at], by, width);
        at += 1;
    }
    all
};
pub const FEW_SHUFFLES: [(u32, u32, u32); 4] = [(1, 1, 2), (33, 1, 4), (64, 3, 8), (256, 5, 4)];

/// The text, if there is memory for it.
fn text_of(text: Result<String, CollectivesError>, gpu: &Gpu, words: u32) -> Option<String> {
    match text {
        Err(CollectivesError::WorkgroupMemory { needed, max }) => {
            // Beside the lanes' words there are a few for votes.
            let is_too_much = 4 * words + 256 >= needed && needed > max;
            assert!(is_too_much, "{needed} bytes, {max} are allowed, {words} words");
            assert_eq!(max, gpu.device().limits().max_compute_workgroup_storage_size);
            None
        }
        text => Some(text.expect("there are such collectives")),
    }
}

pub fn shuffles(
    gpu: &Gpu,
    variant: Variant,
    item: (&str, Collective),
    numbers: &[(u32, u32, u32)],
) {
    let words = kernels::words_of(item.0);
    for &(size, by, width) in numbers {
        if sizes_of(gpu, &[size]).is_empty() {
            continue;
        }
        let collectives = collectives_of(gpu).workgroup_size(size).variant(variant);
        let text = kernels::items_kernel(collectives, item);
        let Some(text) = text_of(text, gpu, size * if words == 1 { 1 } else { 4 }) else {
            continue;
        };
        let pipeline = pipeline(gpu, &text);
        // No NaNs, whose bits a device may change on their way through a kernel.
        let input: Vec<u32> = (0..size).map(|lane| mix(lane) >> 4).collect();
        let slots = run(gpu, &pipeline, size, 26, [0, width, by], &input);
        let subgroup = slots[0][0][0] as usize;
        let lanes: Vec<[u32; 4]> =
            (0..size).zip(&input).map(|(lane, &word)| item_at(lane, word, words)).collect();
        let sources: Vec<u32> = input.iter().map(|word| word % 40).collect();
        let groups = |width: usize, sources: &[u32]| -> Vec<[u32; 4]> {
            let groups = lanes.chunks(width).zip(sources.chunks(width));
            groups.flat_map(|(lanes, sources)| twin::shuffle(lanes, sources)).collect()
        };
        let in_tile: Vec<u32> = sources.iter().map(|source| source & 7).collect();
        let far: Vec<u32> = sources.iter().map(|source| 17 * source).collect();
        let same = |lanes: &[[u32; 4]], lane| {
            vec![twin::broadcast(lanes, lane).expect("not empty"); lanes.len()]
        };
        let keeps: Vec<bool> = input.iter().map(|word| word & 1 == 1).collect();
        let few = lanes.chunks(subgroup).zip(keeps.chunks(subgroup));
        let few: Vec<_> = few.map(|(lanes, keeps)| twin::compact(lanes, keeps)).collect();
        let many = twin::compact(&lanes, &keeps);
        for (found, (_, count)) in slots[21].chunks(subgroup).zip(&few) {
            assert!(found.iter().all(|found| *found == [*count, many.1]), "{size} lanes");
        }
        let expected: [Vec<[u32; 4]>; 10] = [
            groups(subgroup, &sources),
            twin::in_groups(&lanes, subgroup, |group| twin::shuffle_up(group, by)),
            twin::in_groups(&lanes, subgroup, |group| twin::shuffle_down(group, by)),
            twin::in_groups(&lanes, subgroup, |group| twin::shuffle_xor(group, by)),
            groups((width as usize).min(subgroup), &in_tile),
            twin::in_groups(&lanes, subgroup, |group| same(group, by)),
            twin::shuffle(&lanes, &far),
            same(&lanes, 17 * by),
            few.into_iter().flat_map(|(values, _)| values).collect(),
            many.0,
        ];
        let neighbours = [twin::before(&lanes, lanes[0]), twin::behind(&lanes, lanes[0])];
        let begins = (1..21).step_by(2).chain([22, 24]);
        for (slot, expected) in begins.zip(expected.into_iter().chain(neighbours)) {
            let pairs = slots[slot].iter().zip(&slots[slot + 1]);
            let found = pairs.map(|(low, high)| [low[0], low[1], high[0], high[1]]);
            assert_eq!(found.collect::<Vec<_>>(), expected, "{slot}, {size} lanes of {subgroup}");
        }
    }
}

/// Lanes, items of each, and how many bits count: partial subgroups, and digits of all sizes that memory decides about.
pub const SORTS: [(u32, u32, u32); 12] = [
    (1, 8, 32),
    (31, 5, 32),
    (32, 4, 32),
    (33, 3, 6),
    (64, 4, 1),
    (95, 2, 32),
    (96, 3, 32),
    (128, 8, 13),
    (256, 16, 32),
    (512, 4, 32),
    (1000, 3, 32),
    (1024, 4, 32),
];

/// The same of keys of 64 bits.
pub const WIDE_SORTS: [(u32, u32, u32); 4] =
    [(1, 8, 64), (95, 2, 45), (256, 16, 64), (1024, 4, 64)];

/// What is in some slots, two of which have an item: all items, lane after lane.
fn items_of(slots: &[Vec<[u32; 2]>], lanes: u32) -> Vec<[u32; 4]> {
    let item = |lane: usize, pair: &[Vec<[u32; 2]>]| {
        [pair[0][lane][0], pair[0][lane][1], pair[1][lane][0], pair[1][lane][1]]
    };
    (0..lanes as usize)
        .flat_map(|lane| slots.chunks_exact(2).map(move |pair| item(lane, pair)))
        .collect()
}

pub fn sorts(gpu: &Gpu, variant: Variant, item: &str, sizes: &[(u32, u32, u32)]) {
    let limits = gpu.device().limits();
    for &(size, per_lane, bits) in sizes {
        if sizes_of(gpu, &[size]).is_empty()
            || 4 * size * per_lane > limits.max_compute_workgroup_storage_size
        {
            continue;
        }
        let collectives =
            collectives_of(gpu).workgroup_size(size).items_per_lane(per_lane).variant(variant);
        let text = kernels::sort_kernel(collectives, item).expect("there are such collectives");
        let pipeline = pipeline(gpu, &text);
        let low = |words: [u32; 2]| words[0];
        let both = |words: [u32; 2]| bytemuck::cast::<_, u64>(words);
        let key = |words: [u32; 2]| -> u64 {
            match item {
                "u32" => low(words).into(),
                "i32" => twin::key_of_i32(low(words).cast_signed()).into(),
                "f32" => twin::key_of_f32(f32::from_bits(low(words))).into(),
                "u64" => both(words),
                "i64" => twin::key_of_i64(both(words).cast_signed()),
                _ => twin::key_of_f64(f64::from_bits(both(words))),
            }
        };
        let has_two = item.ends_with("64");
        // Of all kinds; or many are equal, or equal where they count.
        let numbers = [mix, |i| (mix(i) % 7) << 29, |i| 0x1000_0000 + i] as [fn(u32) -> u32; 3];
        for number in numbers {
            let keys: Vec<[u32; 2]> = (0..size * per_lane)
                .map(|i| [number(i), if has_two { number(i + 77) } else { 0 }])
                .collect();
            let words = if has_two { 2 } else { 1 };
            let input: Vec<u32> = keys.iter().flat_map(|key| &key[..words]).copied().collect();
            let n = per_lane as usize;
            let slots = run(gpu, &pipeline, size, 6 * n, [0, bits, 0], &input);
            let pairs: Vec<([u32; 2], u32)> = keys.into_iter().zip(0..).collect();
            let pairs = twin::sort(&pairs, bits, |(words, _)| key(words));
            let expected: Vec<[u32; 2]> = pairs.iter().map(|pair| pair.0).collect();
            let about = format!("{size} lanes, {per_lane} of {item} each, {bits} bits");
            let [keys, keys_of_pairs, values] =
                [0, 1, 2].map(|part| items_of(&slots[2 * n * part..][..2 * n], size));
            let first = |items: Vec<[u32; 4]>| {
                items.iter().map(|words| [words[0], words[1]]).collect::<Vec<_>>()
            };
            assert_eq!(first(keys), expected, "keys, {about}");
            assert_eq!(first(keys_of_pairs), expected, "keys of pairs, {about}");
            assert!(first(values).into_iter().eq(pairs.iter().map(|pair| [pair.1, 0])), "{about}");
        }
    }
}

/// Lanes, and items of each.
pub const EXCHANGES: [(u32, u32); SIZES.len()] = {
    let mut all = [(0, 0); SIZES.len()];
    let mut at = 0;
    while at < SIZES.len() {
        all[at] = (SIZES[at], [3, 8, 4][at % 3]);
        at += 1;
    }
    all
};

pub fn exchanges(gpu: &Gpu, variant: Variant, item: (&str, Collective), numbers: &[(u32, u32)]) {
    let words = kernels::words_of(item.0);
    for &(size, per_lane) in numbers {
        if sizes_of(gpu, &[size]).is_empty() {
            continue;
        }
        let collectives =
            collectives_of(gpu).workgroup_size(size).items_per_lane(per_lane).variant(variant);
        let lane_words = per_lane.max(if words == 1 { 1 } else { 4 });
        let text = kernels::exchange_kernel(collectives, item);
        let Some(text) = text_of(text, gpu, size * lane_words) else { continue };
        let pipeline = pipeline(gpu, &text);
        let input: Vec<u32> = (0..size * per_lane).map(|i| mix(i) >> 4).collect();
        let n = per_lane as usize;
        let slots = run(gpu, &pipeline, size, 4 * n, [0; 3], &input);
        let items: Vec<[u32; 4]> =
            (0..).zip(&input).map(|(i, &word)| item_at(i, word, words)).collect();
        let lanes = size as usize;
        let about = format!("{size} lanes, {per_lane} each");
        assert_eq!(items_of(&slots[..2 * n], size), twin::to_striped(&items, lanes), "{about}");
        assert_eq!(items_of(&slots[2 * n..], size), twin::to_blocked(&items, lanes), "{about}");
    }
}

/// What the kernels keep of an item.
fn item_at(index: u32, word: u32, words: u32) -> [u32; 4] {
    if words > 4 {
        let item = |i: u32| (word ^ i.wrapping_mul(0x9e37_79b9)).wrapping_add(index);
        let all = (0..words).fold(0u32, |all, i| all.wrapping_mul(31).wrapping_add(item(i)));
        return [item(0), item(words - 1), all, 0];
    }
    let mut all = [word, index, !index, word.wrapping_mul(3)];
    all[words as usize..].fill(0);
    all
}
