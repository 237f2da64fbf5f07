//! Segments along axes whose elements, or whose results, no binding has together: block by block, each of whole segments.

use crate::{
    algebra::{element::Element, precision::Precision},
    axes::{Side, places},
    device::extent::WORD_BYTES,
    error::{Error, PrepareError, SegmentError},
    executor::{
        array::{Array, any_slices},
        segment_results::{Most, outs_by},
    },
    segments::{any_segmented::AnySegmentedReducer, layout::Segments},
};
use std::{borrow::Cow, ops::Range};

/// Of elements in host memory, as many as the shape says.
pub(super) fn outs_of_host<T: Element>(
    reducer: &AnySegmentedReducer,
    values: &[T],
    shape: &[u64],
    axes: &[usize],
) -> Result<Vec<u32>, Error> {
    outs_in_blocks(reducer, shape, axes, |block| upload(reducer, &block.elements_of(values)?))
}

/// Of an array on the device. Blocks that no binding of its buffers has go through the host.
pub(super) fn outs_of_array<T: Element>(
    reducer: &AnySegmentedReducer,
    array: &Array<T>,
    shape: &[u64],
    axes: &[usize],
) -> Result<Vec<u32>, Error> {
    let slices = array.gpu_slices().unwrap_or_default();
    let all = any_slices(slices);
    match outs_by(reducer, &all, &Segments::axes(shape, axes), results_of(shape, axes)) {
        Err(Error::Prepare(
            PrepareError::BindingTooSmall { .. }
            | PrepareError::Segments(SegmentError::Split { .. } | SegmentError::Input { .. }),
        )) => {}
        outs => return outs,
    }
    let mut all = None;
    outs_in_blocks(reducer, shape, axes, |block| {
        if let Some(range) = block.range() {
            let part = array.slice(range)?;
            return match part.gpu_slices() {
                Some([_, _, ..]) => upload(reducer, &part.download()?),
                _ => Ok(part),
            };
        }
        if all.is_none() {
            all = Some(array.download()?);
        }
        upload(reducer, &block.elements_of(all.as_deref().unwrap_or_default())?)
    })
}

fn upload<T: Element>(reducer: &AnySegmentedReducer, values: &[T]) -> Result<Array<T>, Error> {
    Array::upload(Some(reducer.context()), Precision::default(), values)
}

/// The results of one block after another, each in an array on the device.
fn outs_in_blocks<T: Element>(
    reducer: &AnySegmentedReducer,
    shape: &[u64],
    axes: &[usize],
    mut array_of: impl FnMut(&Block) -> Result<Array<T>, Error>,
) -> Result<Vec<u32>, Error> {
    let mut outs = Vec::new();
    let all = results_of(shape, axes);
    if all == 0 {
        return Ok(outs);
    }
    let no_memory = |_| PrepareError::OutOfMemory { what: "the results of segments".to_owned() };
    let words = all.saturating_mul(reducer.out_bytes() / WORD_BYTES);
    outs.try_reserve_exact(usize::try_from(words).unwrap_or(usize::MAX)).map_err(no_memory)?;
    for block in blocks(shape, axes, Most::of(reducer)?) {
        let array = array_of(&block)?;
        let (slices, shape) = (array.gpu_slices().unwrap_or_default(), &block.shape);
        let segments = Segments::axes(shape, axes);
        outs.extend(outs_by(reducer, &any_slices(slices), &segments, results_of(shape, axes))?);
    }
    Ok(outs)
}

fn results_of(shape: &[u64], axes: &[usize]) -> u64 {
    let kept = (0..shape.len()).filter(|axis| !axes.contains(axis));
    kept.map(|axis| shape[axis]).fold(1, u64::saturating_mul)
}

/// Some whole segments of an array, whose results are neighbours.
#[derive(Debug, PartialEq, Eq)]
struct Block {
    shape: Vec<u64>,
    /// Its first element in the array.
    first: u64,
    /// Neighbours in the array are so many elements, ...
    run: u64,
    /// ... and from one run to the next are these axes.
    runs: Vec<Side>,
}

impl Block {
    /// Of an array of so many elements along each axis, with how many of them from where on.
    fn new(whole: &[u64], begins: &[u64], shape: Vec<u64>) -> Self {
        // Behind the last axis of which it has a part, all are neighbours.
        let last = (0..whole.len()).rev().find(|&axis| shape[axis] < whole[axis]).unwrap_or(0);
        let (mut step, mut first, mut run) = (1, 0, 1);
        let mut runs = Vec::new();
        for axis in (0..whole.len()).rev() {
            first += begins[axis] * step;
            match axis >= last {
                true => run *= shape[axis],
                false => runs.insert(0, Side { size: shape[axis], step }),
            }
            step *= whole[axis];
        }
        Self { shape, first, run, runs }
    }

    /// Its elements, if all are neighbours.
    fn range(&self) -> Option<Range<u64>> {
        let is_one = self.runs.iter().all(|side| side.size == 1);
        is_one.then(|| self.first..self.first + self.run)
    }

    /// Its elements, of those of the array.
    fn elements_of<'a, T: Copy>(&self, values: &'a [T]) -> Result<Cow<'a, [T]>, PrepareError> {
        let index = |at: u64| usize::try_from(at).expect("it is in memory");
        let run = index(self.run);
        if self.range().is_some() {
            return Ok(Cow::Borrowed(&values[index(self.first)..][..run]));
        }
        let mut elements = Vec::new();
        let no_memory = |_| PrepareError::OutOfMemory { what: "a block of an array".to_owned() };
        let all = self.shape.iter().product();
        elements.try_reserve_exact(index(all)).map_err(no_memory)?;
        for place in places(&self.runs) {
            elements.extend_from_slice(&values[index(self.first + place)..][..run]);
        }
        Ok(Cow::Owned(elements))
    }
}

/// Blocks of so many elements and results at most, or of a single segment, in the order of their results. There is one at least.
fn blocks(shape: &[u64], axes: &[usize], most: Most) -> impl Iterator<Item = Block> {
    let is_kept = |axis: &usize| !axes.contains(axis);
    let mut sizes = shape.to_vec();
    let mut items = axes.iter().map(|&axis| shape[axis]).product::<u64>().max(1);
    let mut results = 1;
    // Of the inner axes all, of one a part, and of the axes around it a place.
    for axis in (0..shape.len()).rev().filter(is_kept) {
        let room = (most.items / items).min(most.results / results).max(1);
        sizes[axis] = sizes[axis].min(room);
        items *= sizes[axis];
        results *= sizes[axis];
    }
    let count_of = |axis| if is_kept(&axis) { shape[axis].div_ceil(sizes[axis]) } else { 1 };
    let counts: Vec<u64> = (0..shape.len()).map(count_of).collect();
    let whole = shape.to_vec();
    (0..counts.iter().product()).map(move |mut block: u64| {
        let (mut begins, mut own) = (vec![0; whole.len()], sizes.clone());
        for axis in (0..whole.len()).rev() {
            begins[axis] = block % counts[axis] * sizes[axis];
            own[axis] = sizes[axis].min(whole[axis] - begins[axis]);
            block /= counts[axis];
        }
        Block::new(&whole, &begins, own)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(shape: &[u64], axes: &[usize], items: u64, results: u64) -> Vec<Vec<u64>> {
        let len = shape.iter().product();
        let values: Vec<u64> = (0..len).collect();
        let blocks = blocks(shape, axes, Most { items, results });
        let elements = |block: Block| {
            let elements = block.elements_of(&values).expect("there is memory");
            assert_eq!(elements.len() as u64, block.shape.iter().product::<u64>());
            if let Some(range) = block.range() {
                // Each element is its own number.
                assert!(elements.iter().copied().eq(range));
            }
            elements.into_owned()
        };
        blocks.map(elements).collect()
    }

    #[test]
    fn what_fits_is_one_block() {
        let all: Vec<u64> = (0..24).collect();
        for axes in [&[0][..], &[1], &[2], &[0, 2], &[], &[0, 1, 2]] {
            assert_eq!(found(&[2, 3, 4], axes, 24, 24), std::slice::from_ref(&all));
        }
        assert_eq!(found(&[], &[], 1, 1), [[0]]);
    }

    #[test]
    fn blocks_have_whole_segments() {
        // Rows, and columns.
        assert_eq!(found(&[3, 2], &[1], 5, 9), [vec![0, 1, 2, 3], vec![4, 5]]);
        assert_eq!(found(&[2, 3], &[0], 5, 9), [vec![0, 1, 3, 4], vec![2, 5]]);
        // As many results as there is room for.
        assert_eq!(found(&[2, 3], &[0], 9, 1), [[0, 3], [1, 4], [2, 5]]);
        // A segment alone is longer.
        assert_eq!(found(&[2, 3], &[0], 1, 9), [[0, 3], [1, 4], [2, 5]]);
        assert_eq!(found(&[2, 3], &[0, 1], 1, 9), [[0, 1, 2, 3, 4, 5]]);
        // Between axes that remain, of which the outer one is cut, or both are.
        let halves = [[0, 1, 2, 3, 4, 5, 6, 7], [8, 9, 10, 11, 12, 13, 14, 15]];
        assert_eq!(found(&[2, 2, 4], &[1], 8, 9), halves);
        let quarters = [[0, 1, 4, 5], [2, 3, 6, 7], [8, 9, 12, 13], [10, 11, 14, 15]];
        assert_eq!(found(&[2, 2, 4], &[1], 7, 2), quarters);
        // Axes that are apart.
        assert_eq!(found(&[2, 2, 2], &[0, 2], 4, 9), [[0, 1, 4, 5], [2, 3, 6, 7]]);
    }

    /// Segments of nothing have results.
    #[test]
    fn blocks_of_no_elements() {
        let shapes = |shape: &[u64], axes: &[usize]| -> Vec<Vec<u64>> {
            let all = blocks(shape, axes, Most { items: 10, results: 3 });
            all.map(|block| block.shape).collect()
        };
        assert_eq!(shapes(&[0, 5], &[0]), [[0, 3], [0, 2]]);
        assert_eq!(shapes(&[0], &[0]), [[0]]);
    }
}
