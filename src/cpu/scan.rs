//! Scans on the CPU.

use super::{
    prefixes::Prefixes,
    runs::{self, Runs},
};
use crate::{
    algebra::{
        element::Element, float_environment, operator::Operator, precision::Precision, scan::Scan,
    },
    error::PrepareError,
};

#[cfg(feature = "parallel")]
use super::{
    ordered::{self, Slices},
    threads::{PART_ITEMS, is_worth_threads, share},
    total_in_any_order,
};

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
/// [`PrepareError::NoScan`], [`PrepareError::NoInitialPlace`], [`PrepareError::NoExactScan`], and [`PrepareError::OutOfMemory`] if there is no room for the results.
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
    PrepareError::check_scan(&Op::SPEC, precision, scan)?;
    let mut results = Vec::new();
    let no_memory = |_| PrepareError::OutOfMemory { what: "the results of a scan".to_owned() };
    results.try_reserve_exact(elements.len()).map_err(no_memory)?;
    results.resize(elements.len(), bytemuck::Zeroable::zeroed());
    let is_inclusive = scan.is_inclusive();
    // What is there before the places that prefixes count. An initial value is one of those of which there are so many.
    let begin = u64::from(scan.initial_value().is_some())
        + match before {
            Before::Total { len, .. } => len,
            Before::Runs(_) => 0,
        };
    let mut prefixes = prefixes_of::<T, Op>(scan.initial_value(), before);
    #[cfg(feature = "parallel")]
    if is_worth_threads(elements.len()) {
        // Up to where parts begin, one thread takes up the runs that are there.
        let to_part = prefixes.position().next_multiple_of(PART_ITEMS as u64) - prefixes.position();
        let head = usize::try_from(to_part).expect("less than a part").min(elements.len());
        let (head_results, results_behind) = results.split_at_mut(head);
        scan_part::<T, Op>(is_inclusive, begin, &mut prefixes, &elements[..head], head_results);
        scan_by_threads::<T, Op>(is_inclusive, begin, prefixes, &elements[head..], results_behind);
        return Ok(results);
    }
    scan_part::<T, Op>(is_inclusive, begin, &mut prefixes, elements, &mut results);
    Ok(results)
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
/// that comes before these. Of an operator that has an order it goes on to the end of the part.
fn scan_part<T: Element, Op: Operator<T>>(
    is_inclusive: bool,
    begin: u64,
    prefixes: &mut Prefixes<Op::Acc>,
    elements: &[T],
    results: &mut [Op::Out],
) {
    if Op::SPEC.order_free {
        let (begin, before) = (begin + prefixes.position(), prefixes.total());
        scan_in_any_order::<T, Op>(is_inclusive, begin, before, elements, results);
    } else if float_environment::is_default() {
        let (lift, combine) = (Op::lift, Op::combine);
        scan_in_order::<T, Op>(is_inclusive, begin, prefixes, elements, results, lift, combine);
    } else {
        let (lift, combine) = (Op::lift_in_integers, Op::combine_in_integers);
        scan_in_order::<T, Op>(is_inclusive, begin, prefixes, elements, results, lift, combine);
    }
}

fn scan_in_any_order<T: Element, Op: Operator<T>>(
    is_inclusive: bool,
    begin: u64,
    before: Op::Acc,
    elements: &[T],
    results: &mut [Op::Out],
) {
    let mut total = before;
    for ((place, &element), result) in (begin..).zip(elements).zip(results) {
        // As many elements come before it: operators that tell places take no initial value, which counts, too.
        let next = Op::combine(total, Op::moved(Op::lift(element), place));
        *result = match is_inclusive {
            true => Op::finish(next, place + 1),
            false => Op::finish(total, place),
        };
        total = next;
    }
}

#[inline]
fn scan_in_order<T: Element, Op: Operator<T>>(
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
        let [a, b, c, d] = [0, 1, 2, 3].map(|i| lift(group[i]));
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

/// First the parts' totals, then what is before each of them, and then the parts. The first one begins where a part does. Places are counted
/// from `begin` on, as [`scan_part`] counts them.
#[cfg(feature = "parallel")]
fn scan_by_threads<T: Element, Op: Operator<T>>(
    is_inclusive: bool,
    begin: u64,
    mut prefixes: Prefixes<Op::Acc>,
    elements: &[T],
    results: &mut [Op::Out],
) {
    use std::sync::{Mutex, PoisonError};
    let first = begin + prefixes.position();
    let parts: Vec<&[T]> = elements.chunks(PART_ITEMS).collect();
    let mut totals = vec![Op::identity(); parts.len()];
    // The last one comes before none.
    share(
        parts.len().saturating_sub(1),
        |part| match Op::SPEC.order_free {
            true => {
                let total = total_in_any_order::<T, Op>(parts[part]);
                Op::moved(total, first + (part * PART_ITEMS) as u64)
            }
            false => ordered::total(Slices::<T, Op>::new(&[parts[part]], 0)),
        },
        |part, total| totals[part] = total,
    );
    let befores: Vec<Op::Acc> = totals
        .into_iter()
        .map(|total| {
            let before = prefixes.total();
            prefixes.push(PART_ITEMS.ilog2(), total, Op::combine_in_integers);
            before
        })
        .collect();
    let chunks: Vec<_> = results.chunks_mut(PART_ITEMS).map(Mutex::new).collect();
    share(
        parts.len(),
        |part| {
            let begin = first + (part * PART_ITEMS) as u64;
            let mut results = chunks[part].lock().unwrap_or_else(PoisonError::into_inner);
            // A part has places of its own.
            let mut before = Prefixes::new(befores[part]);
            scan_part::<T, Op>(is_inclusive, begin, &mut before, parts[part], &mut results);
            // Behind its last element the part may merge with those before it.
            if let (true, Some(&next), Some(last)) =
                (is_inclusive, befores.get(part + 1), results.last_mut())
            {
                *last = Op::finish(next, begin + PART_ITEMS as u64);
            }
        },
        |_, ()| {},
    );
}

#[cfg(test)]
mod tests;
