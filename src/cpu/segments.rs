//! Reductions of segments on the CPU.

#[cfg(feature = "parallel")]
use super::threads::{PART_ITEMS, is_worth_threads, share};
use super::{
    fold::{Fold, elements_as_bytes},
    is_exact, is_shared,
    ordered::item_bytes,
    reduce_inputs,
};
use crate::{
    algebra::{element::Element, float_environment, operator::Operator, precision::Precision},
    axes::{Axes, Grid, Side, check_length, check_offsets, places},
    error::PrepareError,
    room::reserve,
};
use std::ops::Range;

/// A segment's cost beyond its elements, in elements.
const SEGMENT_ITEMS: usize = 32;
/// For errors: the memory that was asked for.
const RESULTS: &str = "the results of segments";
/// Columns that are gathered together, because they share lines of memory.
const COLUMNS: usize = 16;
/// Segments whose places, and whose results, stay in the nearest cache.
const SEGMENTS: usize = 1 << 10;

/// A result for each pair of neighbouring offsets, on every core if the feature `parallel` is on.
///
/// # Errors
///
/// [`PrepareError::Segments`] of offsets that fall or lie behind the elements, [`PrepareError::Imprecise`] as of a reduction.
pub(crate) fn reduce_segments<T: Element, Op: Operator<T>>(
    fold: &dyn Fold,
    precision: Precision,
    elements: &[T],
    offsets: &[u32],
) -> Result<Vec<Op::Value>, PrepareError> {
    check_offsets(offsets, elements.len() as u64)?;
    let Some(count) = offsets.len().checked_sub(1) else { return Ok(Vec::new()) };
    between::<T, Op>(fold, precision, elements, count, &|segment| offsets[segment] as usize)
}

/// A result for each of so many segments, each between one of `ends` and the next.
fn between<T: Element, Op: Operator<T>>(
    fold: &dyn Fold,
    precision: Precision,
    elements: &[T],
    count: usize,
    ends: &dyn Ends,
) -> Result<Vec<Op::Value>, PrepareError> {
    let elements = elements_as_bytes(elements);
    values::<T, Op>(count, &mut |keep| {
        reduce_all_between(fold, precision, elements, count, ends, keep)
    })
}

/// A result, in words, for each pair of neighbouring offsets, by an operator without its types.
///
/// # Errors
///
/// As [`reduce_segments`].
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn outs_of_segments(
    fold: &dyn Fold,
    precision: Precision,
    elements: &[u8],
    offsets: &[u32],
) -> Result<Vec<u32>, PrepareError> {
    check_offsets(offsets, (elements.len() / item_bytes(fold)) as u64)?;
    let mut outs = Vec::new();
    let Some(count) = offsets.len().checked_sub(1) else { return Ok(outs) };
    reserve_outs(fold, count, &mut outs)?;
    let ends = &|segment: usize| offsets[segment] as usize;
    reduce_all_between(fold, precision, elements, count, ends, &mut |words, _| {
        outs.extend_from_slice(words);
    })?;
    Ok(outs)
}

fn reduce_all_between(
    fold: &dyn Fold,
    precision: Precision,
    elements: &[u8],
    count: usize,
    ends: &dyn Ends,
    keep: Keep<'_>,
) -> Result<(), PrepareError> {
    let cost = |segment| ends.at(segment) - ends.at(0) + SEGMENT_ITEMS * segment;
    let reduce = |segments: Range<usize>, outs: &mut Vec<u32>| {
        reduce_between(fold, precision, elements, segments, ends, outs)
    };
    in_parts(fold, [count, count], &cost, &reduce, ends, keep)
}

/// Where segments begin, by their number, and the last one ends.
trait Ends: Sync {
    fn at(&self, segment: usize) -> usize;
    /// Replaces `ends` by the ends of some segments, in one virtual call.
    fn extend(&self, segments: Range<usize>, ends: &mut Vec<usize>);
}

impl<F: Fn(usize) -> usize + Sync> Ends for F {
    fn at(&self, segment: usize) -> usize {
        self(segment)
    }

    fn extend(&self, segments: Range<usize>, ends: &mut Vec<usize>) {
        ends.clear();
        ends.extend((segments.start..=segments.end).map(self));
    }
}

/// Takes the results, in words, of segments between neighbouring ends.
type Keep<'a> = &'a mut dyn FnMut(&[u32], &[usize]);

/// Results as calls that return values report them: so many, which `reduce` hands on.
fn values<T: Element, Op: Operator<T>>(
    count: usize,
    reduce: &mut dyn FnMut(Keep<'_>) -> Result<(), PrepareError>,
) -> Result<Vec<Op::Value>, PrepareError> {
    let mut results = Vec::new();
    reserve(&mut results, count, RESULTS)?;
    reduce(&mut |words, ends| {
        let outs = bytemuck::cast_slice(words).chunks_exact(size_of::<Op::Out>());
        results.extend(outs.zip(ends.windows(2)).map(|(out, ends)| {
            Op::value(bytemuck::pod_read_unaligned(out), (ends[1] - ends[0]) as u64)
        }));
    })?;
    Ok(results)
}

/// Adds the results of neighbouring segments.
fn reduce_between(
    fold: &dyn Fold,
    precision: Precision,
    elements: &[u8],
    segments: Range<usize>,
    ends: &dyn Ends,
    outs: &mut Vec<u32>,
) -> Result<(), PrepareError> {
    reserve_outs(fold, segments.len(), outs)?;
    let mut own = Vec::new();
    for first in segments.clone().step_by(SEGMENTS) {
        ends.extend(first..segments.end.min(first + SEGMENTS), &mut own);
        reduce_each(fold, precision, elements, &own, outs)?;
    }
    Ok(())
}

fn reserve_outs(fold: &dyn Fold, count: usize, outs: &mut Vec<u32>) -> Result<(), PrepareError> {
    let words = count.saturating_mul(fold.spec().out_words as usize);
    reserve(outs, words, RESULTS)
}

/// Adds the results of the segments between neighbouring ends, for which there is room. Many threads take part in long ones alone.
fn reduce_each(
    fold: &dyn Fold,
    precision: Precision,
    elements: &[u8],
    ends: &[usize],
    outs: &mut Vec<u32>,
) -> Result<(), PrepareError> {
    let (item_bytes, out_words) = (item_bytes(fold), fold.spec().out_words as usize);
    let done = outs.len();
    outs.resize(done + (ends.len() - 1) * out_words, 0);
    let outs = &mut outs[done..];
    let is_exact = is_exact(fold.spec(), precision);
    let is_alone = |ends: &[usize]| is_exact || is_shared((ends[1] - ends[0]) as u64);
    let by_floats = float_environment::is_default();
    if !ends.windows(2).any(is_alone) {
        fold.reduce_each([elements, &[]], ends, outs, by_floats);
        return Ok(());
    }
    for (ends, out) in ends.windows(2).zip(outs.chunks_exact_mut(out_words)) {
        let own = &elements[ends[0] * item_bytes..ends[1] * item_bytes];
        reduce_inputs(fold, precision, &[[own, &[]]], out)?;
    }
    Ok(())
}

/// A result for each segment that begins at one of these positions, which rise, and ends before the next one, or with the elements.
pub(crate) fn reduce_begins<T: Element, Op: Operator<T>>(
    fold: &dyn Fold,
    precision: Precision,
    elements: &[T],
    begins: &[u64],
) -> Result<Vec<Op::Value>, PrepareError> {
    let begin_of = |segment: usize| {
        let begin = begins.get(segment).map(|&begin| usize::try_from(begin));
        begin.and_then(Result::ok).unwrap_or(elements.len())
    };
    between::<T, Op>(fold, precision, elements, begins.len(), &begin_of)
}

/// A result for each group, of its elements in their order. Those of which the number is of no group belong to none.
///
/// # Errors
///
/// [`PrepareError::Segments`] of numbers that are not as many as elements, [`PrepareError::Imprecise`] as of a reduction,
/// [`PrepareError::OutOfMemory`] if there is no room for a copy of the elements.
pub(crate) fn reduce_groups<T: Element, Op: Operator<T>>(
    fold: &dyn Fold,
    precision: Precision,
    elements: &[T],
    numbers: &[u32],
    groups: u32,
) -> Result<Vec<Op::Value>, PrepareError> {
    let (sorted, ends) = in_groups(elements, numbers, groups)?;
    between::<T, Op>(fold, precision, &sorted, ends.len() - 1, &|group| ends[group])
}

/// The elements of groups, one group after another, and where each begins and the last one ends.
///
/// # Errors
///
/// As [`reduce_groups`], without [`PrepareError::Imprecise`].
pub(crate) fn in_groups<T: Element>(
    elements: &[T],
    numbers: &[u32],
    groups: u32,
) -> Result<(Vec<T>, Vec<usize>), PrepareError> {
    check_length("numbers of groups", numbers.len() as u64, elements.len() as u64)?;
    let count = groups as usize;
    let mut ends = Vec::new();
    reserve(&mut ends, count.saturating_add(1), "the groups' places")?;
    ends.resize(count + 1, 0usize);
    for &number in numbers.iter().filter(|&&number| number < groups) {
        ends[number as usize + 1] += 1;
    }
    for group in 0..count {
        ends[group + 1] += ends[group];
    }
    let mut sorted = Vec::new();
    reserve(&mut sorted, ends[count], "the elements of groups")?;
    sorted.resize(ends[count], T::zeroed());
    let mut next = ends.clone();
    for (&element, &number) in elements.iter().zip(numbers).filter(|(_, number)| **number < groups)
    {
        let place = &mut next[number as usize];
        sorted[*place] = element;
        *place += 1;
    }
    Ok((sorted, ends))
}

/// A result for each segment along some axes. Where these have others between them, the elements are copied to rows first.
///
/// # Errors
///
/// As [`reduce_grid`], and [`PrepareError::Segments`] if there are no such axes.
pub(crate) fn reduce_axes<T: Element, Op: Operator<T>>(
    fold: &dyn Fold,
    precision: Precision,
    elements: &[T],
    shape: &[u64],
    axes: &[usize],
) -> Result<Vec<Op::Value>, PrepareError> {
    match Axes::of(elements.len() as u64, shape, axes)? {
        Axes::Grid(grid) => reduce_grid::<T, Op>(fold, precision, elements, grid),
        Axes::Apart { rows, sides } => {
            let sorted = in_order_of(elements, &sides)?;
            reduce_grid::<T, Op>(fold, precision, &sorted, rows)
        }
    }
}

/// The elements in an order in which axes come as the sides say.
///
/// # Errors
///
/// [`PrepareError::OutOfMemory`] if there is no room for a copy of them.
pub(crate) fn in_order_of<T: Element>(
    elements: &[T],
    sides: &[Side],
) -> Result<Vec<T>, PrepareError> {
    let mut sorted = Vec::new();
    reserve(&mut sorted, elements.len(), "the elements in another order of axes")?;
    let place_of = |place| usize::try_from(place).expect("as many as elements");
    sorted.extend(places(sides).map(|place| elements[place_of(place)]));
    Ok(sorted)
}

/// A result for each segment of a grid that has all elements, in the order of their first ones, on every core if the feature `parallel` is
/// on. Sixteen neighbouring columns are one core's.
///
/// # Errors
///
/// [`PrepareError::Imprecise`] as of a reduction, [`PrepareError::OutOfMemory`] if there is no room for the results: segments of nothing are
/// as many as a shape says.
pub(crate) fn reduce_grid<T: Element, Op: Operator<T>>(
    fold: &dyn Fold,
    precision: Precision,
    elements: &[T],
    grid: Grid,
) -> Result<Vec<Op::Value>, PrepareError> {
    let [groups, items, step] = [grid.groups, grid.items, grid.step]
        .map(|number| usize::try_from(number).map_err(|_| PrepareError::TooLong { len: number }));
    let (groups, items, step) = (groups?, items?, step?);
    let count = groups.saturating_mul(step);
    let elements = elements_as_bytes(elements);
    values::<T, Op>(count, &mut |keep| {
        reduce_shape(fold, precision, elements, [groups, items, step], keep)
    })
}

fn reduce_shape(
    fold: &dyn Fold,
    precision: Precision,
    elements: &[u8],
    [groups, items, step]: [usize; 3],
    keep: Keep<'_>,
) -> Result<(), PrepareError> {
    let ends = |segment: usize| segment * items;
    if step == 1 {
        let reduce = |rows: Range<usize>, outs: &mut Vec<u32>| {
            reduce_between(fold, precision, elements, rows, &ends, outs)
        };
        let cost = |row: usize| row.saturating_mul(items.saturating_add(SEGMENT_ITEMS));
        return in_parts(fold, [groups, groups], &cost, &reduce, &ends, keep);
    }
    // Neighbouring segments, whose elements are brought together.
    let tiles = step.div_ceil(COLUMNS);
    let item_bytes = item_bytes(fold);
    let reduce = |numbers: Range<usize>, outs: &mut Vec<u32>| {
        if numbers.is_empty() {
            return Ok(());
        }
        reserve_outs(fold, numbers.len().saturating_mul(COLUMNS), outs)?;
        // As aligned as any element.
        let mut gathered = Vec::<u64>::new();
        let most_bytes = COLUMNS.min(step) * items * item_bytes;
        reserve(&mut gathered, most_bytes.div_ceil(8), "columns side by side")?;
        gathered.resize(most_bytes.div_ceil(8), 0);
        let mut own = Vec::new();
        for number in numbers {
            let (group, first) = (number / tiles, number % tiles * COLUMNS);
            let columns = COLUMNS.min(step - first);
            let gathered = bytemuck::cast_slice_mut(&mut gathered);
            let gathered = &mut gathered[..columns * items * item_bytes];
            for item in 0..items {
                let row = (group * items + item) * step + first;
                let row = &elements[row * item_bytes..][..columns * item_bytes];
                gather(row, item, items, item_bytes, gathered);
            }
            ends.extend(0..columns, &mut own);
            reduce_each(fold, precision, gathered, &own, outs)?;
        }
        Ok(())
    };
    let of_tile = COLUMNS.saturating_mul(items.saturating_add(SEGMENT_ITEMS));
    let cost = |tile: usize| tile.saturating_mul(of_tile);
    in_parts(fold, [groups * tiles, groups * step], &cost, &reduce, &ends, keep)
}

/// Brings a row's elements to their columns, of so many items each.
fn gather(row: &[u8], item: usize, items: usize, item_bytes: usize, columns: &mut [u8]) {
    fn copy<const BYTES: usize>(row: &[u8], item: usize, items: usize, columns: &mut [u8]) {
        let columns = columns.as_chunks_mut::<BYTES>().0;
        for (column, element) in row.as_chunks::<BYTES>().0.iter().enumerate() {
            columns[column * items + item] = *element;
        }
    }
    match item_bytes {
        1 => copy::<1>(row, item, items, columns),
        2 => copy::<2>(row, item, items, columns),
        4 => copy::<4>(row, item, items, columns),
        8 => copy::<8>(row, item, items, columns),
        12 => copy::<12>(row, item, items, columns),
        _ => copy::<16>(row, item, items, columns),
    }
}

/// Adds the results that have these numbers.
type Reduce<'a> = &'a (dyn Fn(Range<usize>, &mut Vec<u32>) -> Result<(), PrepareError> + Sync);

/// Calls `reduce` with the numbers below `count`, in parts of about the same cost, and hands the results on in order. `cost` is the cost of all before a number, and
/// never falls. It makes `results_count` of them, one for each segment between `ends`.
fn in_parts(
    fold: &dyn Fold,
    [count, results_count]: [usize; 2],
    cost: &(dyn Fn(usize) -> usize + Sync),
    reduce: Reduce<'_>,
    ends: &dyn Ends,
    keep: Keep<'_>,
) -> Result<(), PrepareError> {
    let out_words = fold.spec().out_words as usize;
    let (mut first, mut own) = (0, Vec::new());
    let mut keep_all = |outs: &[u32]| {
        for outs in outs.chunks(SEGMENTS * out_words) {
            let end = first + outs.len() / out_words;
            ends.extend(first..end, &mut own);
            first = end;
            keep(outs, &own);
        }
    };
    let all = cost(count);
    #[cfg(feature = "parallel")]
    if is_worth_threads(all) {
        // Parts take as much again, bit by bit. Where memory ends with the last bit, there is none for an error either.
        let mut room = Vec::new();
        reserve_outs(fold, results_count, &mut room)?;
        drop(std::hint::black_box(room));
        let count_of_parts = all.div_ceil(PART_ITEMS);
        let first_of = |part: usize| match part == count_of_parts {
            true => count,
            false => partition_point(count, |number| cost(number) < part * PART_ITEMS),
        };
        let mut parts: Vec<_> = (0..count_of_parts).map(|_| Ok(Vec::new())).collect();
        share(
            count_of_parts,
            &|part| {
                let mut outs = Vec::new();
                reduce(first_of(part)..first_of(part + 1), &mut outs).map(|()| outs)
            },
            &mut |part, outs| parts[part] = outs,
        );
        return parts.into_iter().try_for_each(|outs| outs.map(|outs| keep_all(&outs)));
    }
    _ = (all, results_count);
    let mut outs = Vec::new();
    reduce(0..count, &mut outs)?;
    keep_all(&outs);
    Ok(())
}

/// The first number for which `holds` is false, as slices have it.
#[cfg(feature = "parallel")]
fn partition_point(count: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut begin, mut end) = (0, count);
    while begin < end {
        let middle = begin + (end - begin) / 2;
        if holds(middle) { begin = middle + 1 } else { end = middle }
    }
    begin
}

#[cfg(test)]
mod tests;
