//! The collectives on the CPU, for tests of kernels that call them: each on the values of a group's lanes, in their order. A group is a
//! subgroup, a tile or a workgroup; [`in_groups`] cuts a workgroup's lanes into such.
//!
//! ```
//! use gridfold::{Sum, wgsl::twin};
//!
//! let lanes: Vec<u32> = (1..=10).collect();
//! // Subgroups of four lanes, and the workgroup ends in the third.
//! let totals = twin::in_groups(&lanes, 4, |group| vec![twin::reduce_all::<u32, _>(group, Sum); group.len()]);
//! assert_eq!(totals, [10, 10, 10, 10, 26, 26, 26, 26, 19, 19]);
//! assert_eq!(twin::exclusive_scan::<u32, _>(&[3, 4, 5], Sum), [0, 3, 7]);
//! ```

use crate::{
    algebra::{acc_words::Words, element::Element, operator::Operator, precision::Precision},
    cpu,
    custom::any_operator::AnyOperator,
};
use std::slice;

/// Calls `collective` with each group of `width` lanes, the last of which may have fewer, and joins what it returns. A `width` of 0 stands for that of
/// all lanes: they are one group.
pub fn in_groups<T, R>(
    lanes: &[T],
    width: usize,
    collective: impl FnMut(&[T]) -> Vec<R>,
) -> Vec<R> {
    groups(lanes, width).flat_map(collective).collect()
}

fn groups<T>(lanes: &[T], width: usize) -> impl Iterator<Item = &[T]> {
    lanes.chunks(if width == 0 { lanes.len().max(1) } else { width })
}

/// The result of all lanes by `reduce_all`.
///
/// # Panics
///
/// It panics if the operator has no such options for the lanes: `f32`s of several components have no rule for NaNs. It panics if the operator is a
/// [`CustomOperator`](crate::CustomOperator) without a [twin](crate::CustomOperator::with_twin). The other functions that take an operator do so, too.
pub fn reduce_all<T: Element, Op: Operator<T>>(lanes: &[T], op: Op) -> Op::Out {
    let level = match op.spec().is_exact_alone() {
        true => Precision::Exact,
        false => Precision::Reproducible,
    };
    let operator = AnyOperator::of::<T, Op>(&op).expect("the operator has such options");
    let fold = operator.fold(level).expect("an operator of the user's own has a twin");
    // No lanes have the neutral element's result.
    cpu::out_at::<T, Op>(fold, level, &[lanes]).expect("every operator has such results").0
}

/// The result of the last workgroup by `device_reduce`, of the values of all lanes. A `workgroup_size` of 0 stands for one workgroup of all lanes.
pub fn device_reduce<T: Element, Op: Operator<T>>(
    lanes: &[T],
    workgroup_size: usize,
    op: Op,
) -> Op::Out {
    let operator = AnyOperator::of::<T, Op>(&op).expect("the operator has such options");
    let fold = operator.fold(Precision::default());
    let fold = fold.expect("an operator of the user's own has a twin");
    let combine = |left: Words, right: Words| fold.combine(&left, &right, false);
    let total = |lanes: &[T]| {
        let lifted = lanes.iter().map(|lane| fold.lift(bytemuck::bytes_of(lane)));
        cpu::total_by(lifted, fold.identity(), &combine)
    };
    let totals = groups(lanes, workgroup_size).map(total);
    let total = cpu::total_by(totals, fold.identity(), &combine);
    let mut out = bytemuck::Zeroable::zeroed();
    let words = bytemuck::cast_slice_mut(slice::from_mut(&mut out));
    fold.finish(&total, lanes.len() as u64, words);
    out
}

/// The result of each lane by `inclusive_scan`.
pub fn inclusive_scan<T: Element, Op: Operator<T>>(lanes: &[T], op: Op) -> Vec<Op::Out> {
    (1..=lanes.len()).map(|count| reduce_all::<T, Op>(&lanes[..count], op.clone())).collect()
}

/// The result of each lane by `exclusive_scan`.
pub fn exclusive_scan<T: Element, Op: Operator<T>>(lanes: &[T], op: Op) -> Vec<Op::Out> {
    (0..lanes.len()).map(|count| reduce_all::<T, Op>(&lanes[..count], op.clone())).collect()
}

/// What each lane gets of `shuffle`, if it asks for the lane at its place in `sources`.
pub fn shuffle<T: Copy>(lanes: &[T], sources: &[u32]) -> Vec<T> {
    let source = |(&own, &source): (&T, &u32)| {
        usize::try_from(source).ok().and_then(|source| lanes.get(source)).copied().unwrap_or(own)
    };
    lanes.iter().zip(sources).map(source).collect()
}

/// The result of each lane by `shuffle_up`.
pub fn shuffle_up<T: Copy>(lanes: &[T], delta: u32) -> Vec<T> {
    shuffle_by(lanes, |own| own.checked_sub(delta))
}

/// The result of each lane by `shuffle_down`.
pub fn shuffle_down<T: Copy>(lanes: &[T], delta: u32) -> Vec<T> {
    shuffle_by(lanes, |own| own.checked_add(delta))
}

/// The result of each lane by `shuffle_xor`.
pub fn shuffle_xor<T: Copy>(lanes: &[T], mask: u32) -> Vec<T> {
    shuffle_by(lanes, |own| Some(own ^ mask))
}

fn shuffle_by<T: Copy>(lanes: &[T], source: impl Fn(u32) -> Option<u32>) -> Vec<T> {
    let sources: Vec<u32> =
        (0..).zip(lanes).map(|(own, _)| source(own).unwrap_or(u32::MAX)).collect();
    shuffle(lanes, &sources)
}

/// The result of all lanes by `broadcast`; `None` of a group without lanes.
pub fn broadcast<T: Copy>(lanes: &[T], lane: u32) -> Option<T> {
    let lane = usize::try_from(lane).ok().and_then(|lane| lanes.get(lane));
    lane.or(lanes.last()).copied()
}

/// The result of all lanes by `any`.
pub fn any(flags: &[bool]) -> bool {
    flags.contains(&true)
}

/// The result of all lanes by `all`.
pub fn all(flags: &[bool]) -> bool {
    !flags.contains(&false)
}

/// The result of all lanes by `count`.
pub fn count(flags: &[bool]) -> u32 {
    flags.iter().map(|&flag| u32::from(flag)).sum()
}

/// The result of all lanes of a subgroup by `ballot`.
pub fn ballot(flags: &[bool]) -> [u32; 4] {
    let mut words = [0; 4];
    for (word, flags) in words.iter_mut().zip(flags.chunks(32)) {
        *word = (0u32..).zip(flags).map(|(lane, &flag)| u32::from(flag) << lane).sum();
    }
    words
}

/// The result of each lane by `rank`.
pub fn rank(flags: &[bool]) -> Vec<u32> {
    (0..flags.len()).map(|lane| count(&flags[..lane])).collect()
}

/// What `ballot_rank` says of a ballot: how many lanes before `lane` say yes.
pub fn ballot_rank(ballot: [u32; 4], lane: u32) -> u32 {
    ballot_count(with_lanes(ballot, |other| other < lane))
}

/// What `ballot_count` says of a ballot: how many lanes say yes.
pub fn ballot_count(ballot: [u32; 4]) -> u32 {
    ballot.iter().map(|word| word.count_ones()).sum()
}

/// What `ballot_nth` says of a ballot: which lane is the `n`-th that says yes, counted from 0; 128 if there are not as many.
pub fn ballot_nth(ballot: [u32; 4], n: u32) -> u32 {
    let says_yes = |lane: &u32| ballot_count(with_lanes(ballot, |other| other == *lane)) == 1;
    let lane = usize::try_from(n).ok().and_then(|n| (0..128).filter(says_yes).nth(n));
    lane.unwrap_or(128)
}

/// A ballot without other lanes than these.
fn with_lanes(ballot: [u32; 4], lanes: impl Fn(u32) -> bool) -> [u32; 4] {
    let mut kept = ballot;
    for (word, first) in kept.iter_mut().zip((0u32..).step_by(32)) {
        *word &= (0..32).map(|bit| u32::from(lanes(first + bit)) << bit).sum::<u32>();
    }
    kept
}

/// What `nth_set_bit` says of a word: where its `n`-th bit is that is set, counted from 0 and from the lowest; 32 if there are not as many.
pub fn nth_set_bit(word: u32, n: u32) -> u32 {
    ballot_nth([word, 0, 0, 0], n).min(32)
}

/// What `reversed_bits` makes of a word: its lowest `count` bits, 1 to 32 of them, in reverse order.
pub fn reversed_bits(word: u32, count: u32) -> u32 {
    word.reverse_bits() >> (32u32.wrapping_sub(count) & 31)
}

/// What each lane gets of `append`, where it has an entry: its place in a list of `length` entries, which becomes longer. Of `workgroup_append` the flags
/// are a workgroup's, of `subgroup_append` a subgroup's; which of these comes first is left to the device.
pub fn append(length: &mut u32, has_entry: &[bool]) -> Vec<Option<u32>> {
    let begin = *length;
    *length = begin.wrapping_add(count(has_entry));
    let ranks = rank(has_entry).into_iter().zip(has_entry);
    ranks.map(|(rank, has)| has.then_some(begin.wrapping_add(rank))).collect()
}

/// What each lane gets of `segmented_reduce`. A segment begins with each lane that is a head, and with the first.
///
/// # Panics
///
/// If there are not as many flags as lanes. So do the other functions of segments and of flags.
pub fn segmented_reduce<T: Element, Op: Operator<T>>(
    lanes: &[T],
    heads: &[bool],
    op: Op,
) -> Vec<Op::Out> {
    in_segments(lanes, heads, |segment| {
        vec![reduce_all::<T, Op>(segment, op.clone()); segment.len()]
    })
}

/// The result of each lane by `segmented_inclusive_scan`.
pub fn segmented_inclusive_scan<T: Element, Op: Operator<T>>(
    lanes: &[T],
    heads: &[bool],
    op: Op,
) -> Vec<Op::Out> {
    in_segments(lanes, heads, |segment| inclusive_scan(segment, op.clone()))
}

/// The result of each lane by `segmented_exclusive_scan`.
pub fn segmented_exclusive_scan<T: Element, Op: Operator<T>>(
    lanes: &[T],
    heads: &[bool],
    op: Op,
) -> Vec<Op::Out> {
    in_segments(lanes, heads, |segment| exclusive_scan(segment, op.clone()))
}

/// Calls `collective` with each segment, and joins what it returns.
///
/// # Panics
///
/// If there are not as many flags as lanes.
pub fn in_segments<T, R>(
    lanes: &[T],
    heads: &[bool],
    mut collective: impl FnMut(&[T]) -> Vec<R>,
) -> Vec<R> {
    assert_eq!(lanes.len(), heads.len(), "a flag for each lane");
    let mut begins: Vec<usize> =
        (0..lanes.len()).filter(|&lane| lane == 0 || heads[lane]).collect();
    begins.push(lanes.len());
    begins.windows(2).flat_map(|ends| collective(&lanes[ends[0]..ends[1]])).collect()
}

/// The result of each lane by `compact`, and how many values are kept.
pub fn compact<T: Copy>(lanes: &[T], keeps: &[bool]) -> (Vec<T>, u32) {
    assert_eq!(lanes.len(), keeps.len(), "a flag for each lane");
    let kept = lanes.iter().zip(keeps).filter(|&(_, &keeps)| keeps).map(|(&value, _)| value);
    let mut values: Vec<T> = kept.collect();
    values.extend(&lanes[values.len()..]);
    (values, count(keeps))
}

/// The result of each lane of a subgroup by `match`, by the lowest `bits` bits of keys.
pub fn matching(keys: &[u32], bits: u32) -> Vec<[u32; 4]> {
    let low = |key: u32| u64::from(key) & ((1u64 << bits.min(32)) - 1);
    let same =
        |&key: &u32| ballot(&keys.iter().map(|&other| low(other) == low(key)).collect::<Vec<_>>());
    keys.iter().map(same).collect()
}

/// The result of each lane of a workgroup by `before`.
pub fn before<T: Copy>(lanes: &[T], first: T) -> Vec<T> {
    [first].into_iter().chain(lanes.iter().copied()).take(lanes.len()).collect()
}

/// The result of each lane of a workgroup by `behind`.
pub fn behind<T: Copy>(lanes: &[T], last: T) -> Vec<T> {
    lanes.iter().copied().chain([last]).skip(1).take(lanes.len()).collect()
}

/// The result of the lanes by `to_striped`: all items, lane after lane, before and after.
///
/// # Panics
///
/// If the lanes have not as many items each, or there are none. So does [`to_blocked`].
pub fn to_striped<T: Copy>(items: &[T], lanes: usize) -> Vec<T> {
    let per_lane = items_per_lane(items, lanes);
    (0..lanes).flat_map(|lane| (0..per_lane).map(move |i| items[i * lanes + lane])).collect()
}

/// The result of the lanes by `to_blocked`: all items, lane after lane, before and after.
pub fn to_blocked<T: Copy>(items: &[T], lanes: usize) -> Vec<T> {
    let per_lane = items_per_lane(items, lanes);
    (0..per_lane).flat_map(|i| (0..lanes).map(move |lane| items[lane * per_lane + i])).collect()
}

fn items_per_lane<T>(items: &[T], lanes: usize) -> usize {
    assert!(lanes > 0 && items.len().is_multiple_of(lanes), "as many items for each lane");
    items.len() / lanes
}

/// The result of the lanes by `sort` and `sort_pairs`: all items, lane after lane, before and after. `key` is of an item, for instance
/// [`key_of_f32`], and the lowest `bits` of it count. Keys have 32 bits or 64.
pub fn sort<T: Copy, K: Into<u64>>(items: &[T], bits: u32, key: impl Fn(T) -> K) -> Vec<T> {
    let mut sorted = items.to_vec();
    let mask = 1u64.checked_shl(bits).map_or(u64::MAX, |above| above - 1);
    sorted.sort_by_key(|&item| key(item).into() & mask);
    sorted
}

/// The word by which an `i32` is sorted.
pub fn key_of_i32(value: i32) -> u32 {
    value.cast_unsigned() ^ 1 << 31
}

/// The word by which an `f32` is sorted.
pub fn key_of_f32(value: f32) -> u32 {
    let bits = value.to_bits();
    bits ^ if bits >> 31 == 1 { u32::MAX } else { 1 << 31 }
}

/// The word by which an `i64` is sorted.
pub fn key_of_i64(value: i64) -> u64 {
    value.cast_unsigned() ^ 1 << 63
}

/// The word by which an `f64` is sorted.
pub fn key_of_f64(value: f64) -> u64 {
    let bits = value.to_bits();
    bits ^ if bits >> 63 == 1 { u64::MAX } else { 1 << 63 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::operators::Sum;

    #[test]
    fn keys_are_in_the_order_of_numbers() {
        let floats = [f64::NEG_INFINITY, -1.5, -0.0, 0.0, f64::MIN_POSITIVE, 2.0, f64::NAN];
        assert!(floats.is_sorted_by_key(|&value| key_of_f64(value)));
        assert!([i64::MIN, -1, 0, 1, i64::MAX].is_sorted_by_key(|&value| key_of_i64(value)));
        let backwards: Vec<f64> = floats.iter().rev().copied().collect();
        let sorted = sort(&backwards, 64, key_of_f64);
        assert!(sorted.iter().map(|value| value.to_bits()).eq(floats.map(f64::to_bits)));
        // By the lowest bits alone, equal ones in their order.
        assert_eq!(
            sort(&[0x1_0002u64, 0x3, 0x2, 0x1_0001], 2, |key| key),
            [0x1_0001, 0x1_0002, 0x2, 0x3]
        );
    }

    #[test]
    fn bits_are_found() {
        let flags: Vec<bool> = (0..100).map(|lane| lane % 7 == 3 || lane == 64).collect();
        let votes = ballot(&flags);
        assert_eq!(ballot_count(votes), count(&flags));
        let yes: Vec<u32> = (0..100).filter(|lane| lane % 7 == 3 || *lane == 64).collect();
        for (n, lane) in (0u32..).zip(&yes) {
            assert_eq!(ballot_nth(votes, n), *lane);
            assert_eq!(ballot_rank(votes, *lane), n);
        }
        assert_eq!(ballot_nth(votes, ballot_count(votes)), 128);
        assert_eq!([0, 1, 2, 3].map(|n| nth_set_bit(0x8000_0011, n)), [0, 4, 31, 32]);
        assert_eq!(reversed_bits(0b1101, 3), 0b101);
        assert_eq!(reversed_bits(0b0011, 4), 0b1100);
        assert_eq!(reversed_bits(1, 32), 1 << 31);
    }

    #[test]
    fn entries_are_appended() {
        let mut length = 5;
        assert_eq!(append(&mut length, &[true, false, true]), [Some(5), None, Some(6)]);
        assert_eq!(append(&mut length, &[false]), [None]);
        assert_eq!(length, 7);
    }

    #[test]
    fn a_width_of_0_is_one_group() {
        let lanes = [1u32, 2, 3];
        let totals = |lanes: &[u32], width| {
            in_groups(lanes, width, |group| vec![reduce_all(group, Sum); group.len()])
        };
        assert_eq!(totals(&lanes, 0), [6, 6, 6]);
        assert_eq!(totals(&[], 0), [0u32; 0]);
        assert_eq!(device_reduce(&lanes, 0, Sum), 6);
        assert_eq!(device_reduce::<u32, _>(&[], 0, Sum), 0);
    }
}
