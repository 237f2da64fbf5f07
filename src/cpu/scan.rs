//! Scans on the CPU.

use super::{
    prefixes::{GROUP, Prefixes, group},
    runs::{self, Runs},
};
use crate::{
    algebra::{
        element::Element, float_environment, operator::Operator, precision::Precision, scan::Scan,
    },
    error::PrepareError,
    room::reserve,
};

#[cfg(feature = "parallel")]
use super::{
    ordered::{self, Slices},
    part_in_any_order,
    threads::{PART_ITEMS, is_worth_threads},
};
#[cfg(feature = "parallel")]
use rayon::prelude::*;

/// What the elements before those of a scan come to, from the beginning of the sequence on.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Before<'a, A> {
    /// In any order.
    Total {
        /// Of all of them.
        total: A,
        /// How many they are.
        len: u64,
    },
    /// In the fixed order.
    Runs(&'a Runs<A>),
}

/// Scans the elements, on every core if the feature `parallel` is on.
///
/// # Errors
///
/// [`PrepareError::NoScan`], [`PrepareError::NoInitialValue`], [`PrepareError::NoExactScan`], and [`PrepareError::OutOfMemory`] if there is no room for the results.
pub(crate) fn scan<T: Element, Op: Operator<T>>(
    precision: Precision,
    scan: Scan<T>,
    elements: &[T],
) -> Result<Vec<Op::Out>, PrepareError> {
    scan_after::<T, Op>(precision, scan, Before::Total { total: Op::identity(), len: 0 }, elements)
}

/// Scans elements that others come before: the results are those of a scan of all of them.
///
/// # Errors
///
/// As [`scan`].
pub(crate) fn scan_after<T: Element, Op: Operator<T>>(
    precision: Precision,
    scan: Scan<T>,
    before: Before<'_, Op::Acc>,
    elements: &[T],
) -> Result<Vec<Op::Out>, PrepareError> {
    PrepareError::check_scan(&Op::SPEC, precision, scan.initial_value().is_some())?;
    let is_inclusive = scan.is_inclusive();
    // What is there before the places that prefixes count. An initial value is one of those of which there are so many.
    let begin = u64::from(scan.initial_value().is_some())
        + match before {
            Before::Total { len, .. } => len,
            Before::Runs(_) => 0,
        };
    let mut prefixes = prefixes_of::<T, Op>(scan.initial_value(), before);
    #[cfg(feature = "parallel")]
    if is_worth_threads(elements.len().saturating_mul(SCANNED)) {
        return scan_by_threads::<T, Op>(is_inclusive, begin, prefixes, elements);
    }
    let mut results = memory(elements.len())?;
    push_blocks::<T, Op>(is_inclusive, begin, &mut prefixes, elements, &mut results);
    Ok(results)
}

/// Elements whose results come to the nearest cache first.
const BLOCK_ITEMS: usize = 1 << 10;
/// To scan an element takes as long as to fold so many, at least.
#[cfg(feature = "parallel")]
const SCANNED: usize = 2;

fn memory<R>(len: usize) -> Result<Vec<R>, PrepareError> {
    let mut results = Vec::new();
    reserve(&mut results, len, "the results of a scan")?;
    Ok(results)
}

/// Adds results behind others, for which there is room. Blocks are zeros first, in the nearest cache.
fn push_blocks<T: Element, Op: Operator<T>>(
    is_inclusive: bool,
    begin: u64,
    prefixes: &mut Prefixes<Op::Acc>,
    elements: &[T],
    results: &mut Vec<Op::Out>,
) {
    for block in elements.chunks(BLOCK_ITEMS) {
        let done = results.len();
        results.resize(done + block.len(), bytemuck::Zeroable::zeroed());
        scan_part::<T, Op>(is_inclusive, begin, prefixes, block, &mut results[done..]);
    }
}

/// The totals before the first element. What is before it in any order has no places: that of the first element is 0 then.
fn prefixes_of<T: Element, Op: Operator<T>>(
    initial: Option<T>,
    before: Before<'_, Op::Acc>,
) -> Prefixes<Op::Acc> {
    let initial = initial.map_or(Op::identity(), Op::lift_in_integers);
    match before {
        Before::Total { total, .. } => Prefixes::new(Op::combine_in_integers(initial, total)),
        Before::Runs(runs) => {
            let mut prefixes = Prefixes::new(initial);
            for (run, &total) in runs::positions(0, runs.end()).zip(runs.totals()) {
                let level = (run.end - run.start).ilog2();
                prefixes.push(level, total, Op::combine_in_integers);
            }
            prefixes
        }
    }
}

/// `prefixes` has what is before the part's first element, and counts its places from `begin` on: what runs there are, and the total of all
/// that comes before these. It goes on to the end of the part; of an operator that has no order without runs.
fn scan_part<T: Element, Op: Operator<T>>(
    is_inclusive: bool,
    begin: u64,
    prefixes: &mut Prefixes<Op::Acc>,
    elements: &[T],
    results: &mut [Op::Out],
) {
    if Op::SPEC.order_free {
        let (begin, before) = (begin + prefixes.position(), prefixes.total());
        let total = scan_in_any_order::<T, Op>(is_inclusive, begin, before, elements, results);
        prefixes.go_on(elements.len(), total);
    } else if float_environment::is_default() {
        scan_in_order::<T, Op>(is_inclusive, begin, prefixes, elements, results);
    } else {
        let (lift, combine) = (Op::lift_in_integers, Op::combine_in_integers);
        scan_by_fours::<T, Op>(is_inclusive, begin, prefixes, elements, results, lift, combine);
    }
}

/// Returns the total behind the last element. A loop for each kind: compilers leave out the places where nothing is told of them.
fn scan_in_any_order<T: Element, Op: Operator<T>>(
    is_inclusive: bool,
    begin: u64,
    before: Op::Acc,
    elements: &[T],
    results: &mut [Op::Out],
) -> Op::Acc {
    // As many elements come before it: operators that tell places take no initial value, which counts, too.
    let next = |total, element, place| Op::combine(total, Op::moved(Op::lift(element), place));
    let mut total = before;
    let items = elements.iter().zip(results).enumerate();
    if is_inclusive {
        for (i, (&element, result)) in items {
            let place = begin + i as u64;
            total = next(total, element, place);
            *result = Op::finish(total, place + 1);
        }
    } else {
        for (i, (&element, result)) in items {
            let place = begin + i as u64;
            *result = Op::finish(total, place);
            total = next(total, element, place);
        }
    }
    total
}

/// By groups, where places are such that these are runs, in threads whose float environment is the default.
fn scan_in_order<T: Element, Op: Operator<T>>(
    is_inclusive: bool,
    begin: u64,
    prefixes: &mut Prefixes<Op::Acc>,
    elements: &[T],
    results: &mut [Op::Out],
) {
    let few = |prefixes: &mut _, elements: &[T], results: &mut [Op::Out]| {
        let (lift, combine) = (Op::lift, Op::combine);
        scan_by_fours::<T, Op>(is_inclusive, begin, prefixes, elements, results, lift, combine);
    };
    let to_group = prefixes.position().next_multiple_of(GROUP as u64) - prefixes.position();
    let to_group = usize::try_from(to_group).expect("less than a group").min(elements.len());
    let (head, elements) = elements.split_at(to_group);
    let (head_results, results) = results.split_at_mut(to_group);
    few(prefixes, head, head_results);
    let (groups, rest) = elements.as_chunks::<GROUP>();
    let (results, rest_results) = results.as_chunks_mut::<GROUP>();
    for (elements, results) in groups.iter().zip(results) {
        let (first, place) = (prefixes.total(), begin + prefixes.position());
        let mut lifted = [Op::identity(); GROUP];
        for (lifted, &element) in lifted.iter_mut().zip(elements) {
            *lifted = Op::lift(element);
        }
        let behind = group(prefixes, &lifted, Op::combine);
        if is_inclusive {
            for (i, (result, &total)) in results.iter_mut().zip(&behind).enumerate() {
                *result = Op::finish(total, place + i as u64 + 1);
            }
        } else {
            let (first_result, results) = results.split_first_mut().expect("of a group");
            *first_result = Op::finish(first, place);
            for (i, (result, &total)) in results.iter_mut().zip(&behind).enumerate() {
                *result = Op::finish(total, place + i as u64 + 1);
            }
        }
    }
    few(prefixes, rest, rest_results);
}

fn scan_by_fours<T: Element, Op: Operator<T>>(
    is_inclusive: bool,
    begin: u64,
    prefixes: &mut Prefixes<Op::Acc>,
    elements: &[T],
    results: &mut [Op::Out],
    lift: impl Fn(T) -> Op::Acc,
    combine: impl Fn(Op::Acc, Op::Acc) -> Op::Acc,
) {
    let shift = usize::from(is_inclusive);
    let one_by_one = |prefixes: &mut Prefixes<Op::Acc>, elements: &[T], results: &mut [Op::Out]| {
        for (&element, result) in elements.iter().zip(results) {
            let total = prefixes.total();
            prefixes.push(0, lift(element), &combine);
            let place = begin + prefixes.position();
            *result = match is_inclusive {
                true => Op::finish(prefixes.total(), place),
                false => Op::finish(total, place - 1),
            };
        }
    };
    let to_group = prefixes.position().next_multiple_of(4) - prefixes.position();
    let to_group = usize::try_from(to_group).expect("below four").min(elements.len());
    let (head, elements) = elements.split_at(to_group);
    let (head_results, results) = results.split_at_mut(to_group);
    one_by_one(prefixes, head, head_results);
    // Four elements and the place after them at a time: the totals before each of them take an addition more than their own.
    let groups = elements.chunks_exact(4);
    let rest = groups.remainder();
    for (group, results) in groups.zip(results.chunks_exact_mut(4)) {
        let place = begin + prefixes.position();
        let (a, b, c, d) = (lift(group[0]), lift(group[1]), lift(group[2]), lift(group[3]));
        let (first_half, last_half) = (combine(a, b), combine(c, d));
        let first = prefixes.total();
        let third = combine(first, first_half);
        let (second, fourth) = (combine(first, a), combine(third, c));
        prefixes.push(2, combine(first_half, last_half), &combine);
        let totals = [first, second, third, fourth, prefixes.total()];
        for (i, result) in results.iter_mut().enumerate() {
            *result = Op::finish(totals[i + shift], place + (i + shift) as u64);
        }
    }
    let done = elements.len() - rest.len();
    one_by_one(prefixes, rest, &mut results[done..]);
}

/// What [`push_blocks`] makes, by many threads.
#[cfg(feature = "parallel")]
fn scan_by_threads<T: Element, Op: Operator<T>>(
    is_inclusive: bool,
    begin: u64,
    mut prefixes: Prefixes<Op::Acc>,
    elements: &[T],
) -> Result<Vec<Op::Out>, PrepareError> {
    // Up to where blocks begin, one thread takes up the runs that are there.
    let to_block = prefixes.position().next_multiple_of(BLOCK_ITEMS as u64) - prefixes.position();
    let to_block = usize::try_from(to_block).expect("less than a block").min(elements.len());
    let (head, elements) = elements.split_at(to_block);
    let (blocks, rest) = elements.as_chunks();
    let mut all = memory(if head.is_empty() { 0 } else { head.len() + elements.len() })?;
    push_blocks::<T, Op>(is_inclusive, begin, &mut prefixes, head, &mut all);
    let mut results = scan_blocks::<T, Op>(is_inclusive, begin, &mut prefixes, blocks)?;
    push_blocks::<T, Op>(is_inclusive, begin, &mut prefixes, rest, &mut results);
    if head.is_empty() {
        return Ok(results);
    }
    all.append(&mut results);
    Ok(all)
}

/// First the blocks' totals, then what is before each of them, and then the blocks. The first one begins where a block does. Behind the results there is room for
/// those of another one.
#[cfg(feature = "parallel")]
fn scan_blocks<T: Element, Op: Operator<T>>(
    is_inclusive: bool,
    begin: u64,
    prefixes: &mut Prefixes<Op::Acc>,
    blocks: &[[T; BLOCK_ITEMS]],
) -> Result<Vec<Op::Out>, PrepareError> {
    let begin = begin + prefixes.position();
    let place = |block: usize| begin + (block * BLOCK_ITEMS) as u64;
    let mut totals: Vec<Op::Acc> = Vec::new();
    of_each(blocks.len(), &mut totals, &|block| match Op::SPEC.order_free {
        true => Op::moved(part_in_any_order::<T, Op>(&blocks[block]), place(block)),
        false => ordered::total(&Slices::<T, Op>::new(&[&blocks[block]], 0)),
    });
    let combine =
        if float_environment::is_default() { Op::combine } else { Op::combine_in_integers };
    let befores = prefixes.push_each(BLOCK_ITEMS.ilog2(), &totals, combine);
    // Each block is written once, so nobody writes zeros to all of this memory first.
    let mut results = memory(blocks.len() + 1)?;
    of_each(blocks.len(), &mut results, &|block| {
        let mut results = [bytemuck::Zeroable::zeroed(); BLOCK_ITEMS];
        // A block has places of its own.
        let (mut before, elements) = (Prefixes::new(befores[block]), &blocks[block]);
        scan_part::<T, Op>(is_inclusive, place(block), &mut before, elements, &mut results);
        // Behind its last element the block may merge with those before it.
        if is_inclusive {
            results[BLOCK_ITEMS - 1] = Op::finish(befores[block + 1], place(block + 1));
        }
        results
    });
    Ok(results.into_flattened())
}

/// What is made of each block, on every core. Compiled once for each type of these, and not for each operator.
#[cfg(feature = "parallel")]
fn of_each<R: Send>(blocks: usize, results: &mut Vec<R>, make: &(dyn Fn(usize) -> R + Sync)) {
    const BLOCKS: usize = PART_ITEMS / BLOCK_ITEMS;
    (0..blocks).into_par_iter().with_min_len(BLOCKS).map(make).collect_into_vec(results);
}

#[cfg(test)]
mod tests;
