//! Scans on the CPU.

use super::{
    fold::{BLOCK_ITEMS, Fold, ScanBlock, elements_as_bytes},
    ordered::item_bytes,
    prefixes::Prefixes,
    runs::{self, Runs},
};
use crate::{
    algebra::{
        acc_words::Words, element::Element, float_environment, precision::Precision, scan::Scan,
    },
    error::PrepareError,
    room::reserve,
};
use bytemuck::{Pod, Zeroable};

#[cfg(feature = "parallel")]
use super::{
    ordered::combine_here,
    threads::{PART_ITEMS, is_worth_threads},
};
#[cfg(feature = "parallel")]
use rayon::prelude::*;

/// The total before a scan's elements, from the beginning of the sequence on.
#[derive(Clone, Debug)]
pub(crate) enum Before<'a> {
    /// In any order.
    Total {
        /// The total.
        total: Words,
        /// How many they are.
        len: u64,
    },
    /// In the fixed order.
    Runs(&'a Runs<Words>),
}

/// Scans the elements, on every core if the feature `parallel` is on.
///
/// # Errors
///
/// [`PrepareError::NoScan`], [`PrepareError::NoInitialValue`], [`PrepareError::NoExactScan`], and [`PrepareError::OutOfMemory`] if there is no room for the results.
pub(crate) fn scan<T: Element, Out: Pod + Send>(
    fold: &dyn Fold,
    precision: Precision,
    scan: Scan<T>,
    elements: &[T],
) -> Result<Vec<Out>, PrepareError> {
    let before = Before::Total { total: fold.identity(), len: 0 };
    scan_after(fold, precision, scan, before, elements)
}

/// Scans elements that others come before: the results are those of a scan of all of them.
///
/// # Errors
///
/// As [`scan`].
pub(crate) fn scan_after<T: Element, Out: Pod + Send>(
    fold: &dyn Fold,
    precision: Precision,
    scan: Scan<T>,
    before: Before<'_>,
    elements: &[T],
) -> Result<Vec<Out>, PrepareError> {
    let initial = scan.initial_value();
    let initial = initial.as_ref().map(bytemuck::bytes_of);
    let is_inclusive = scan.is_inclusive();
    scan_bytes(fold, precision, is_inclusive, initial, before, elements_as_bytes(elements))
}

/// Results in words, in memory as aligned as any result is.
#[derive(Clone, Debug)]
pub(crate) enum OutWords {
    /// As words are aligned.
    Words(Vec<u32>),
    /// As pairs of words are aligned, for results that are numbers of two.
    Pairs(Vec<u64>),
}

impl OutWords {
    pub(crate) fn words(&self) -> &[u32] {
        match self {
            Self::Words(words) => words,
            Self::Pairs(pairs) => bytemuck::cast_slice(pairs),
        }
    }
}

impl PartialEq for OutWords {
    fn eq(&self, other: &Self) -> bool {
        self.words() == other.words()
    }
}

/// [`scan_after`] by an operator without its types.
///
/// # Errors
///
/// As [`scan`].
pub(crate) fn scan_words(
    fold: &dyn Fold,
    precision: Precision,
    is_inclusive: bool,
    initial: Option<&[u8]>,
    before: Option<Before<'_>>,
    elements: &[u8],
) -> Result<OutWords, PrepareError> {
    let before = before.unwrap_or(Before::Total { total: fold.identity(), len: 0 });
    macro_rules! scans {
        ($($words:literal $kind:ident $out:ty;)*) => {
            match fold.spec().out_words {
                1 => scan_bytes(fold, precision, is_inclusive, initial, before, elements)
                    .map(OutWords::Words),
                2 => scan_bytes(fold, precision, is_inclusive, initial, before, elements)
                    .map(OutWords::Pairs),
                $($words => {
                    scan_bytes::<$out>(fold, precision, is_inclusive, initial, before, elements)
                        .map(|outs| OutWords::$kind(outs.into_flattened()))
                })*
                words => unreachable!("{:?} has {words} words", fold.spec()),
            }
        };
    }
    scans! {
        3 Words [u32; 3]; 4 Pairs [u64; 2]; 6 Pairs [u64; 3]; 8 Pairs [u64; 4]; 9 Words [u32; 9];
        11 Words [u32; 11]; 12 Pairs [u64; 6]; 15 Words [u32; 15]; 16 Pairs [u64; 8]; 20 Pairs [u64; 10];
    }
}

/// The same of bytes. Compiled for each type of results.
fn scan_bytes<Out: Pod + Send>(
    fold: &dyn Fold,
    precision: Precision,
    is_inclusive: bool,
    initial: Option<&[u8]>,
    before: Before<'_>,
    elements: &[u8],
) -> Result<Vec<Out>, PrepareError> {
    PrepareError::check_scan(fold.spec(), precision, initial.is_some())?;
    // The number of elements before the places that prefixes count. An initial value counts as one.
    let begin = u64::from(initial.is_some())
        + match before {
            Before::Total { len, .. } => len,
            Before::Runs(_) => 0,
        };
    let prefixes = prefixes_of(fold, initial, before);
    let mut scanner = Scanner { fold, is_inclusive, begin, prefixes };
    let len = elements.len() / item_bytes(fold);
    #[cfg(feature = "parallel")]
    if is_worth_threads(len.saturating_mul(SCANNED)) {
        return scanner.scan_by_threads(elements, len);
    }
    let mut results = memory(len)?;
    scanner.push_blocks(elements, true, &mut results);
    Ok(results)
}

/// To scan an element takes as long as to fold so many, at least.
#[cfg(feature = "parallel")]
const SCANNED: usize = 2;

fn memory<R>(len: usize) -> Result<Vec<R>, PrepareError> {
    let mut results = Vec::new();
    reserve(&mut results, len, "the results of a scan")?;
    Ok(results)
}

/// The totals before the first element. A total in any order has no places, so the first element's place is 0 then.
fn prefixes_of(fold: &dyn Fold, initial: Option<&[u8]>, before: Before<'_>) -> Prefixes<Words> {
    let initial = initial.map_or_else(|| fold.identity(), |initial| fold.lift(initial));
    let combine = |left: Words, right: Words| fold.combine(&left, &right, false);
    match before {
        Before::Total { total, .. } => Prefixes::new(combine(initial, total)),
        Before::Runs(runs) => {
            let mut prefixes = Prefixes::new(initial);
            for (run, total) in runs::positions(0, runs.end()).zip(runs.totals()) {
                let level = (run.end - run.start).ilog2();
                prefixes.push(level, total.clone(), combine);
            }
            prefixes
        }
    }
}

/// A scan under way. `prefixes` has the runs and the total before the next element, and counts places from `begin` on. An operator without an order
/// has no runs.
struct Scanner<'a> {
    fold: &'a dyn Fold,
    is_inclusive: bool,
    begin: u64,
    prefixes: Prefixes<Words>,
}

impl Scanner<'_> {
    /// The number of elements before the next one.
    fn place(&self) -> u64 {
        self.begin + self.prefixes.position()
    }

    /// Adds results behind others, for which there is room. Blocks are zeros first, in the nearest cache. `is_end` says that no elements follow.
    fn push_blocks<Out: Pod>(&mut self, elements: &[u8], is_end: bool, results: &mut Vec<Out>) {
        let item_bytes = item_bytes(self.fold);
        let mut rest = elements;
        while !rest.is_empty() {
            let done = results.len();
            let block;
            let items = self.next_items(rest.len() / item_bytes);
            (block, rest) = rest.split_at(items * item_bytes);
            results.resize(done + items, Zeroable::zeroed());
            let outs = bytemuck::cast_slice_mut(&mut results[done..]);
            let is_only = is_end && rest.is_empty() && self.prefixes.position() == 0;
            self.scan_block(block, items, is_only, outs);
        }
    }

    /// The number of elements that are scanned at once: a block, or, in order, the longest run that ends before the next block.
    fn next_items(&self, rest: usize) -> usize {
        let position = self.prefixes.position();
        match self.fold.spec().order_free || position.is_multiple_of(BLOCK_ITEMS as u64) {
            true => rest.min(BLOCK_ITEMS),
            false => 1 << runs::first_level(position, position + rest as u64),
        }
    }

    fn scan_block(&mut self, elements: &[u8], items: usize, is_only: bool, outs: &mut [u32]) {
        let (is_inclusive, place, by_floats) =
            (self.is_inclusive, self.place(), float_environment::is_default());
        let mut total = self.prefixes.total();
        let out_words = outs.len() / items;
        let block = ScanBlock { is_inclusive, place, total: &mut total, elements, outs };
        self.fold.scan(block, by_floats);
        if self.fold.spec().order_free {
            return self.prefixes.go_on(items, total);
        }
        // A single block merges with nothing, and a block that is no run is the last one.
        if is_only || !items.is_power_of_two() {
            return;
        }
        let combine = |left: Words, right: Words| self.fold.combine(&left, &right, by_floats);
        self.prefixes.push(items.ilog2(), total, combine);
        // Behind its last element the block may merge with those before it.
        if is_inclusive {
            let last = outs.len() - out_words;
            let behind = self.prefixes.total();
            self.fold.finish(&behind, place + items as u64, &mut outs[last..]);
        }
    }
}

#[cfg(feature = "parallel")]
impl Scanner<'_> {
    /// [`Scanner::push_blocks`] by many threads.
    fn scan_by_threads<Out: Pod + Send>(
        &mut self,
        elements: &[u8],
        len: usize,
    ) -> Result<Vec<Out>, PrepareError> {
        let (item_bytes, position) = (item_bytes(self.fold), self.prefixes.position());
        // Up to where blocks begin, one thread takes up the runs that are there.
        let to_block = position.next_multiple_of(BLOCK_ITEMS as u64) - position;
        let to_block = usize::try_from(to_block).expect("less than a block").min(len);
        let (head, elements) = elements.split_at(to_block * item_bytes);
        let in_blocks = (len - to_block) / BLOCK_ITEMS * BLOCK_ITEMS * item_bytes;
        let (blocks, rest) = elements.split_at(in_blocks);
        let mut all = memory(if head.is_empty() { 0 } else { len })?;
        self.push_blocks(head, false, &mut all);
        let mut results = self.scan_blocks(blocks)?;
        self.push_blocks(rest, true, &mut results);
        if head.is_empty() {
            return Ok(results);
        }
        all.append(&mut results);
        Ok(all)
    }

    /// Makes the blocks' totals, then the total before each block, and then the results. The results' memory has room for one block more.
    fn scan_blocks<Out: Pod + Send>(&mut self, blocks: &[u8]) -> Result<Vec<Out>, PrepareError> {
        let (fold, is_inclusive, first_place) = (self.fold, self.is_inclusive, self.place());
        let block_bytes = BLOCK_ITEMS * item_bytes(fold);
        let (count, order_free) = (blocks.len() / block_bytes, fold.spec().order_free);
        let of_block = |block: usize| &blocks[block * block_bytes..][..block_bytes];
        let place = |block: usize| first_place + (block * BLOCK_ITEMS) as u64;
        let mut totals = Vec::new();
        of_each(count, &mut totals, &|block| {
            let total = fold.total([of_block(block), &[]], float_environment::is_default());
            if order_free { fold.moved(total, place(block)) } else { total }
        });
        let mut befores = vec![self.prefixes.total()];
        let combine = combine_here(fold);
        for total in totals {
            self.prefixes.push(BLOCK_ITEMS.ilog2(), total, &combine);
            befores.push(self.prefixes.total());
        }
        // Each block is written once, so nobody writes zeros to all of this memory first.
        let mut results = memory(count + 1)?;
        of_each(count, &mut results, &|block| {
            let mut results = [Zeroable::zeroed(); BLOCK_ITEMS];
            let (mut total, outs) = (befores[block].clone(), results.as_mut_slice());
            let block_of = ScanBlock {
                is_inclusive,
                place: place(block),
                total: &mut total,
                elements: of_block(block),
                outs: bytemuck::cast_slice_mut(outs),
            };
            fold.scan(block_of, float_environment::is_default());
            if is_inclusive {
                let last = bytemuck::cast_slice_mut(&mut outs[BLOCK_ITEMS - 1..]);
                fold.finish(&befores[block + 1], place(block + 1), last);
            }
            results
        });
        Ok(results.into_flattened())
    }
}

/// Makes an item of each block, on every core.
#[cfg(feature = "parallel")]
fn of_each<R: Send>(blocks: usize, results: &mut Vec<R>, make: &(dyn Fn(usize) -> R + Sync)) {
    const BLOCKS: usize = PART_ITEMS / BLOCK_ITEMS;
    (0..blocks).into_par_iter().with_min_len(BLOCKS).map(make).collect_into_vec(results);
}

#[cfg(test)]
mod tests;
