//! Inputs that no binding spans, or that lie in several slices: in pieces, each of whole segments that one binding has, and the segments between
//! them, each alone.

use crate::{
    algebra::{element::ElementType, operator::OperatorSpec},
    axes::Grid,
    device::{
        buffer::AnySlice,
        capabilities::{BINDING_BYTES_CAP, Capabilities},
        extent::{Extent, WORD_BYTES},
    },
    dispatch::windows::{Inputs, windows},
    error::{PrepareError, SegmentError},
    reduce::{blocks::narrow, inputs::any_parts},
    segments::chunks::{LOG2_CHUNK_ITEMS, joins_chunks},
    wgsl::kernel::Kernel,
};
use std::ops::Range;

/// Segments that are reduced alone, at most: each takes dispatches of its own.
pub(crate) const MAX_ALONE: u64 = 1024;
/// Of exact sums of `f64`s as many as these, if they have as many elements as these each.
const MAX_FEW: u64 = 64;
const MIN_LONG_ITEMS: u64 = 1 << 18;

/// Whether segments whose places the host knows are better reduced alone, though a device has an accumulator for each run: there are few of them, of so many
/// elements together, and accumulators are so large that the totals of chunks take more memory than the elements. A reduction takes none, and its dispatches are
/// nothing next to reading so many elements.
pub(super) fn are_few_and_long(acc_words: u32, segments: u64, items: u64) -> bool {
    acc_words > Kernel::MOST_ROW_WORDS
        && (1..=MAX_FEW).contains(&segments)
        && items / segments >= MIN_LONG_ITEMS
}

/// What a piece may have, so that bindings have room for its totals and its results.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    /// Elements, unless segments are shorter than a chunk, of which nothing keeps totals. Of rows whose chunks are joined they may be sixteen times as
    /// many.
    pub(crate) items: u64,
    pub(crate) segments: u64,
    /// Words of an accumulator.
    acc_words: u32,
}

impl Room {
    pub(crate) fn of(spec: &OperatorSpec, is_exact: bool, capabilities: &Capabilities) -> Self {
        let Capabilities { max_binding_bytes, max_buffer_bytes, .. } = *capabilities;
        let words = max_binding_bytes.min(max_buffer_bytes).min(BINDING_BYTES_CAP) / WORD_BYTES;
        let combining = spec.exact_segments().filter(|_| is_exact).unwrap_or(&spec.combining);
        let acc_words = narrow(combining.identity.len().max(1) as u64);
        // Beside the word that nothing counts in. There is a total of 16 elements, and one of 16 totals, and so on.
        let totals = words.saturating_sub(4) / u64::from(acc_words);
        let chunk_items = 1u64 << LOG2_CHUNK_ITEMS;
        // Other results may be before the first one in its binding.
        let before = capabilities.binding_alignment_bytes / WORD_BYTES;
        let results = words.saturating_sub(before) / u64::from(spec.out_words.max(1));
        let items = totals.saturating_mul(chunk_items - 1).max(1);
        Self { items, segments: results.max(1), acc_words }
    }

    /// The last element that a piece may end with, of units of these.
    fn latest(self, begin: u64, grid: Grid) -> u64 {
        let Grid { items, step, .. } = grid;
        let of_totals = match items >> LOG2_CHUNK_ITEMS {
            0 => u64::MAX,
            _ if step == 1 && joins_chunks(items, step, self.acc_words) => {
                begin.saturating_add(self.items.saturating_mul(1 << LOG2_CHUNK_ITEMS))
            }
            _ => begin.saturating_add(self.items),
        };
        let unit_items = items.saturating_mul(step).max(1);
        let units = (self.segments / step.max(1)).max(1);
        of_totals.min((begin / unit_items).saturating_add(units).saturating_mul(unit_items))
    }
}

/// How an input is cut, in segments' own units: rows, what an axis has around it, or what is between two offsets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pieces {
    /// Units that one binding has, and the elements that it has.
    pub(crate) whole: Vec<(Range<u64>, Range<u64>)>,
    /// Units that no binding has.
    pub(crate) split: Vec<u64>,
}

impl Pieces {
    /// Of units that are groups of a grid, one after another. Each has an element at least.
    pub(super) fn of_units(
        element: ElementType,
        slices: &[Extent],
        grid: Grid,
        room: Room,
        capabilities: &Capabilities,
    ) -> Result<Self, PrepareError> {
        let inputs = Inputs::of_one(element, slices);
        let unit_items = grid.items * grid.step;
        // The last end of a unit that the binding has, or, of a unit that is cut already, its end.
        let cut = |begin: u64, latest: u64, _| {
            let latest = latest.min(room.latest(begin, grid));
            let last = latest / unit_items * unit_items;
            let next = begin.next_multiple_of(unit_items);
            match begin.is_multiple_of(unit_items) {
                true if last > begin => last,
                false if next <= latest => next,
                _ => latest,
            }
        };
        let mut pieces = Self::default();
        for window in windows(inputs, capabilities, cut)? {
            let (first, rest) = (window.begin / unit_items, window.begin % unit_items);
            if rest == 0 && window.end.is_multiple_of(unit_items) {
                pieces.whole.push((first..window.end / unit_items, window.begin..window.end));
            } else if pieces.split.last() != Some(&first) {
                pieces.split.push(first);
            }
        }
        Ok(pieces)
    }

    /// Of units that are groups of a grid: their segments in place of them.
    pub(super) fn of_grid(self, Grid { step, .. }: Grid) -> Self {
        let segments = |units: Range<u64>| units.start * step..units.end * step;
        let whole = self.whole.into_iter().map(|(units, items)| (segments(units), items));
        let split = self.split.into_iter();
        // No more than are refused.
        let split = split.flat_map(|unit| segments(unit..unit + 1)).zip(0..=MAX_ALONE);
        Self { whole: whole.collect(), split: split.map(|(segment, _)| segment).collect() }
    }

    /// Of segments between these offsets, which never fall and end with the elements or before. There are elements.
    pub(crate) fn between(
        element: ElementType,
        slices: &[Extent],
        offsets: &[u64],
        room: Room,
        capabilities: &Capabilities,
    ) -> Result<Self, PrepareError> {
        let inputs = Inputs::of_one(element, slices);
        // The last offset that the binding has.
        let cut = |begin: u64, latest: u64, _| {
            let latest = latest.min(begin.saturating_add(room.items));
            let behind = offsets.partition_point(|&offset| offset <= latest);
            let last = behind.checked_sub(1).map(|index| offsets[index]);
            last.filter(|&last| last > begin).unwrap_or(latest)
        };
        let mut pieces = Self::default();
        let segments = offsets.len().saturating_sub(1);
        let mut next = 0;
        for window in windows(inputs, capabilities, cut)? {
            // Those that begin before the window does, and are not empty, are of several.
            while next < segments && offsets[next] < window.begin {
                pieces.split.push(next as u64);
                next += 1;
            }
            let first = next;
            while next < segments && offsets[next + 1] <= window.end {
                next += 1;
            }
            if next > first {
                pieces.whole.push((first as u64..next as u64, window.begin..window.end));
            }
        }
        Ok(pieces)
    }
}

/// The elements of one segment, wherever they lie: those of a group of a grid, from a place on, in steps.
pub(super) fn slices_of(
    slices: &[AnySlice],
    grid: Grid,
    group: u64,
    place: u64,
) -> Result<Vec<AnySlice>, PrepareError> {
    let Grid { items, step, .. } = grid;
    let unit_items = items * step;
    let range = group * unit_items..(group + 1) * unit_items;
    let mut begin = 0;
    let mut own = Vec::new();
    for (slice, part) in any_parts(slices, range) {
        let len = part.end - part.start;
        // The first of the part that is as far behind the place as whole steps are.
        let first = (place + step - begin % step) % step;
        if first < len {
            let count = (len - 1 - first) / step + 1;
            let part = slice.slice(part.start + first..part.end)?;
            own.push(match (step, count) {
                (1, _) => part,
                (_, 1) => part.slice(0..1)?,
                _ => {
                    let stride_bytes = step.saturating_mul(part.stride_bytes());
                    let (buffer, item_bytes) = (part.buffer(), part.item_bytes());
                    let offset_bytes = part.offset_bytes();
                    AnySlice::placed(buffer, item_bytes, offset_bytes, count, Some(stride_bytes))?
                }
            });
        }
        begin += len;
    }
    Ok(own)
}

/// The slice that has these elements, and the part of it: none, if they are none.
pub(super) fn part_of(slices: &[AnySlice], elements: Range<u64>) -> (usize, Option<AnySlice>) {
    let mut begin = 0;
    for (index, slice) in slices.iter().enumerate() {
        let end = begin + slice.len();
        if elements.start < end && elements.start < elements.end {
            let part = slice.slice(elements.start - begin..elements.end - begin);
            return (index, Some(part.expect("a piece is of one slice")));
        }
        begin = end;
    }
    (0, None)
}

/// Refuses more segments than are reduced alone.
pub(crate) fn check_alone(segments: u64) -> Result<(), PrepareError> {
    match segments > MAX_ALONE {
        true => Err(SegmentError::Split { segments, most: MAX_ALONE }.into()),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::capabilities::Capabilities;

    /// Bindings of 64 `f32`s, at any multiple of eight.
    fn capabilities() -> Capabilities {
        Capabilities {
            max_binding_bytes: 256,
            binding_alignment_bytes: 32,
            ..Capabilities::default()
        }
    }

    fn slices(lens: &[u64]) -> Vec<Extent> {
        let extent = |&len: &u64| Extent {
            buffer_bytes: 4 * len,
            offset_bytes: 0,
            len,
            stride_bytes: None,
            bits: None,
        };
        lens.iter().map(extent).collect()
    }

    const ROOM: Room = Room { items: u64::MAX, segments: u64::MAX, acc_words: 1 };

    fn units_with(room: Room, lens: &[u64], items: u64, step: u64) -> Pieces {
        let groups = lens.iter().sum::<u64>() / (items * step);
        let grid = Grid { groups, items, step };
        Pieces::of_units(ElementType::F32, &slices(lens), grid, room, &capabilities())
            .expect("it can be cut")
    }

    fn units(lens: &[u64], unit_items: u64) -> Pieces {
        units_with(ROOM, lens, unit_items, 1)
    }

    fn between_with(room: Room, lens: &[u64], offsets: &[u64]) -> Pieces {
        Pieces::between(ElementType::F32, &slices(lens), offsets, room, &capabilities())
            .expect("it can be cut")
    }

    fn between(lens: &[u64], offsets: &[u64]) -> Pieces {
        between_with(ROOM, lens, offsets)
    }

    /// Bindings have room for the totals and the results of a piece, too.
    #[test]
    fn pieces_have_room() {
        let room = |items, segments| Room { items, segments, acc_words: 1 };
        let whole = vec![(0..2, 0..40), (2..3, 40..60)];
        assert_eq!(
            units_with(room(50, 9), &[60], 20, 1),
            Pieces { whole: whole.clone(), split: vec![] }
        );
        assert_eq!(units_with(room(60, 2), &[60], 20, 1), Pieces { whole, split: vec![] });
        // One that is longer is alone, as if no binding had it.
        assert_eq!(units_with(room(19, 9), &[40], 20, 1).split, [0, 1]);
        // Of segments that are shorter than a chunk nothing keeps totals.
        let one = Pieces { whole: vec![(0..4, 0..60)], split: vec![] };
        assert_eq!(units_with(room(19, 9), &[60], 15, 1), one);
        // Of rows whose chunks are joined.
        let two = Pieces { whole: vec![(0..2, 0..2048), (2..4, 2048..4096)], split: vec![] };
        let larger = Capabilities { max_binding_bytes: 1 << 20, ..capabilities() };
        let rows = |room, items, step| {
            let grid = Grid { groups: 4096 / (items * step), items, step };
            Pieces::of_units(ElementType::F32, &slices(&[4096]), grid, room, &larger)
                .expect("it can be cut")
        };
        assert_eq!(rows(room(128, 9), 1024, 1), two);
        assert_eq!(rows(room(128, 9), 512, 2).split, [0, 1, 2, 3]);
        // No workgroup has memory for the totals of a row's chunks, if they are so large.
        let large = Room { acc_words: 68, ..room(128, 9) };
        assert_eq!(rows(large, 1024, 1).split, [0, 1, 2, 3]);
        // Units of two segments each: no more than one of them has room for its results.
        let whole = vec![(0..1, 0..20), (1..2, 20..40)];
        assert_eq!(units_with(room(60, 3), &[40], 10, 2), Pieces { whole, split: vec![] });
        let found = between_with(room(16, 9), &[40], &[0, 7, 15, 33, 40]);
        assert_eq!(found.split, [2]);
        let segments: Vec<_> = found.whole.into_iter().map(|(segments, _)| segments).collect();
        assert_eq!(segments, [0..2, 3..4]);
    }

    #[test]
    fn few_long_segments_are_alone() {
        let long = MIN_LONG_ITEMS;
        assert!(are_few_and_long(68, 64, 64 * long));
        assert!(are_few_and_long(68, 1, long));
        assert!(!are_few_and_long(68, 64, 64 * long - 1));
        assert!(!are_few_and_long(68, 65, 65 * long));
        assert!(!are_few_and_long(68, 0, 0));
        // Of `f32`s accumulators are small.
        assert!(!are_few_and_long(11, 2, 2 * long));
        assert!(!are_few_and_long(31, 2, 2 * long));
    }

    /// Such a piece's scratch memory and results fit a binding, and a larger one's do not.
    #[test]
    fn room_is_for_totals_and_results() {
        use crate::algebra::operator_type::OperatorType;
        let variance = OperatorType::Variance.spec(ElementType::F32).expect("there is one");
        let most = Capabilities { max_buffer_bytes: 1 << 30, ..capabilities() };
        let most = Capabilities { max_binding_bytes: 31 * 4 * 100 + 16, ..most };
        let room = Room::of(variance, true, &most);
        assert_eq!(room.items, 1500);
        assert_eq!(room.segments, 31 * 100 + 4 - 8);
        let room = Room::of(variance, false, &most);
        assert_eq!(room.items, 31 * 100 / u64::from(variance.acc_words()) * 15);
        let sum = OperatorType::Sum.spec(ElementType::F64).expect("there is one");
        assert_eq!(Room::of(sum, true, &most).items, 31 * 100 / 68 * 15);
    }

    #[test]
    fn units_that_bindings_have() {
        let one = Pieces { whole: vec![(0..6, 0..60)], split: vec![] };
        assert_eq!(units(&[60], 10), one);
        let whole = vec![(0..6, 0..60), (6..12, 60..120), (12..13, 120..130)];
        assert_eq!(units(&[130], 10), Pieces { whole, split: vec![] });
        // The second slice begins within the third unit.
        let whole = vec![(0..2, 0..20), (3..5, 30..50)];
        assert_eq!(units(&[25, 25], 10), Pieces { whole, split: vec![2] });
        // Units that are longer than a binding, and one of three slices.
        assert_eq!(units(&[300], 100), Pieces { whole: vec![], split: vec![0, 1, 2] });
        assert_eq!(units(&[3, 4, 5], 12), Pieces { whole: vec![], split: vec![0] });
        assert_eq!(units(&[], 12), Pieces::default());
    }

    #[test]
    fn offsets_that_bindings_have() {
        let one = Pieces { whole: vec![(0..3, 0..50)], split: vec![] };
        assert_eq!(between(&[60], &[0, 20, 20, 50]), one);
        let found = between(&[200], &[5, 40, 90, 90, 170, 200]);
        // The fourth has 80 elements.
        assert_eq!(found.split, [3]);
        let segments: Vec<_> = found.whole.iter().map(|(segments, _)| segments.clone()).collect();
        assert_eq!(segments, [0..1, 1..3, 4..5]);
        for (segments, elements) in &found.whole {
            let offset =
                |index: u64| [5, 40, 90, 90, 170, 200][usize::try_from(index).expect("a few")];
            assert!(elements.start <= offset(segments.start));
            assert!(offset(segments.end) <= elements.end);
            assert!(elements.end - elements.start <= 64);
        }
        let found = between(&[10, 10], &[0, 10, 10, 15, 20]);
        assert_eq!(found.whole, [(0..2, 0..10), (2..4, 10..20)]);
        let found = between(&[10, 10], &[0, 8, 12, 20]);
        assert_eq!(found, Pieces { whole: vec![(0..1, 0..8), (2..3, 10..20)], split: vec![1] });
        assert_eq!(between(&[10, 10], &[3]), Pieces::default());
    }
}
