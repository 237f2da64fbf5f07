//! Reductions in the order of [`crate::order`].

use super::{
    fold::{Fold, Inputs, in_order, part_of},
    runs::{Runs, first_level},
};
use crate::algebra::{acc_words::Words, float_environment, fold::MAX_IN_ORDER};
use std::ops::Range;

#[cfg(feature = "parallel")]
use super::threads::{PART_ITEMS, is_worth_threads, share};

/// The longest runs that one thread folds at once.
const MAX_LEVEL: u32 = 16;

/// Elements of all slices, by the bytes of one.
#[inline]
pub(super) fn len(slices: &[Inputs<'_>], item_bytes: usize) -> u64 {
    slices.iter().map(|[bytes, _]| (bytes.len() / item_bytes) as u64).sum()
}

/// The bytes of an element.
pub(super) fn item_bytes(fold: &dyn Fold) -> usize {
    usize::try_from(fold.spec().element.size_bytes()).expect("a few")
}

/// A sequence that is folded by its runs.
pub(super) trait Sequence: Sync {
    /// How its elements combine.
    #[cfg(any(feature = "parallel", not(target_arch = "wasm32")))]
    fn fold(&self) -> &dyn Fold;
    /// The time that an element takes, in folds of elements that are there.
    #[cfg(feature = "parallel")]
    fn work(&self) -> usize {
        1
    }
    /// Its elements' positions. A whole sequence begins at 0.
    fn positions(&self) -> Range<u64>;
    /// Folds the elements at some positions, by this thread, and adds their runs to the runs before them.
    fn push_to(&self, runs: &mut Runs<Words>, positions: Range<u64>, by_floats: bool);
}

/// Combines accumulators as this thread can.
pub(crate) fn combine_here(fold: &dyn Fold) -> impl Fn(Words, Words) -> Words {
    let by_floats = float_environment::is_default();
    move |left, right| fold.combine(&left, &right, by_floats)
}

/// The total of all runs of a sequence.
pub(crate) fn finish(fold: &dyn Fold, runs: &Runs<Words>) -> Words {
    runs.finish(combine_here(fold)).unwrap_or_else(|| fold.identity())
}

/// The runs of all elements.
pub(super) fn runs(sequence: &dyn Sequence) -> Runs<Words> {
    let positions = sequence.positions();
    #[cfg(feature = "parallel")]
    if usize::try_from(positions.end - positions.start)
        .is_ok_and(|len| is_worth_threads(len.saturating_mul(sequence.work())))
    {
        return runs_by_threads(sequence, positions);
    }
    runs_of_part(sequence, positions)
}

/// [`runs`], by many threads: each part is a run, but for the first and the last.
#[cfg(feature = "parallel")]
fn runs_by_threads(sequence: &dyn Sequence, positions: Range<u64>) -> Runs<Words> {
    let part_items = PART_ITEMS as u64;
    let first = positions.start / part_items;
    let count = usize::try_from(positions.end.div_ceil(part_items) - first).expect("few");
    let mut parts = vec![Runs::new(0); count];
    share(
        count,
        &|part| {
            let begin = (first + part as u64) * part_items;
            let part = begin.max(positions.start)..positions.end.min(begin + part_items);
            runs_of_part(sequence, part)
        },
        &mut |part, runs| parts[part] = runs,
    );
    let mut runs = Runs::new(positions.start);
    let combine = combine_here(sequence.fold());
    for part in &parts {
        runs.append(part, &combine);
    }
    runs
}

fn runs_of_part(sequence: &dyn Sequence, positions: Range<u64>) -> Runs<Words> {
    let mut runs = Runs::new(positions.start);
    // A worker's environment may be another than the caller's: each part asks.
    sequence.push_to(&mut runs, positions, float_environment::is_default());
    runs
}

/// Slices of one sequence. The first begins at position `begin`.
#[derive(Clone, Copy)]
pub(super) struct Slices<'a> {
    pub(super) fold: &'a dyn Fold,
    pub(super) slices: &'a [Inputs<'a>],
    pub(super) begin: u64,
}

impl Sequence for Slices<'_> {
    #[cfg(any(feature = "parallel", not(target_arch = "wasm32")))]
    fn fold(&self) -> &dyn Fold {
        self.fold
    }

    fn positions(&self) -> Range<u64> {
        self.begin..self.begin + len(self.slices, item_bytes(self.fold))
    }

    fn push_to(&self, runs: &mut Runs<Words>, positions: Range<u64>, by_floats: bool) {
        let item_bytes = item_bytes(self.fold);
        let combine = |left: Words, right: Words| self.fold.combine(&left, &right, by_floats);
        let mut slice_begin = self.begin;
        for &slice in self.slices {
            let slice_end = slice_begin + (slice[0].len() / item_bytes) as u64;
            let Range { start: mut begin, end } = within(slice_begin..slice_end, &positions);
            slice_begin = slice_end;
            while begin < end {
                let rest = (end - begin) as u64;
                let level = first_level(runs.end(), runs.end() + rest).min(MAX_LEVEL);
                let run = begin..begin + (1 << level);
                begin = run.end;
                let total = self.fold.total(part_of(slice, run, item_bytes), by_floats);
                runs.push(level, total, combine);
            }
        }
    }
}

/// Where in a slice, which begins and ends at these positions, some positions are.
fn within(slice: Range<u64>, positions: &Range<u64>) -> Range<usize> {
    let offset = |position: u64| {
        let offset = position.clamp(slice.start, slice.end) - slice.start;
        usize::try_from(offset).expect("offsets in a slice fit usize")
    };
    offset(positions.start)..offset(positions.end)
}

/// The total of a sequence of so many elements by `fold`. `of_block` gives the total of a block, of at most [`MAX_IN_ORDER`] elements.
pub(super) fn total_of_blocks(
    fold: &dyn Fold,
    len: usize,
    by_floats: bool,
    of_block: &dyn Fn(Range<usize>) -> Words,
) -> Words {
    let combine = |left: Words, right: Words| fold.combine(&left, &right, by_floats);
    let total = if fold.spec().order_free {
        let blocks = (0..len).step_by(MAX_IN_ORDER).map(|begin| {
            let total = of_block(begin..len.min(begin + MAX_IN_ORDER));
            fold.moved(total, begin as u64)
        });
        blocks.reduce(combine)
    } else {
        let alone = |_| unreachable!("blocks have all elements");
        in_order(len, |range| Some(of_block(range)), alone, combine)
    };
    total.unwrap_or_else(|| fold.identity())
}
