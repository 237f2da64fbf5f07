//! Reductions in the order of [`crate::order`]: of slices, and of pairs.

use super::runs::{Runs, first_level};
use crate::algebra::{
    element::Element,
    float_environment,
    fold::MAX_IN_ORDER,
    operator::{Operator, PairOperator},
    operators::{Dot, DotValue},
};
use std::{marker::PhantomData, ops::Range};

#[cfg(feature = "parallel")]
use super::threads::{PART_ITEMS, is_worth_threads, share};

/// Elements of all slices.
#[inline]
pub(super) fn len<T>(slices: &[&[T]]) -> u64 {
    slices.iter().map(|slice| slice.len() as u64).sum()
}

/// How accumulators combine.
#[derive(Clone, Copy)]
pub(super) struct Combining<A> {
    pub(super) identity: A,
    /// In the default float environment.
    by_floats: fn(A, A) -> A,
    /// In any.
    in_integers: fn(A, A) -> A,
}

impl<A> Combining<A> {
    pub(super) fn of<T: Element, Op: Operator<T, Acc = A>>() -> Self {
        Self {
            identity: Op::identity(),
            by_floats: Op::combine,
            in_integers: Op::combine_in_integers,
        }
    }

    /// What combines two in this thread.
    pub(super) fn here(&self) -> fn(A, A) -> A {
        if float_environment::is_default() { self.by_floats } else { self.in_integers }
    }
}

/// What has runs. The functions that take any are compiled once for each type of accumulators, and not for each operator and element.
pub(super) trait Sequence<A>: Sync {
    fn combining(&self) -> Combining<A>;
    /// What an element takes, by what a fold of elements does that are there.
    #[cfg(feature = "parallel")]
    fn work(&self) -> usize {
        1
    }
    /// Of its elements. Those of a whole sequence begin at 0.
    fn positions(&self) -> Range<u64>;
    /// The runs of some of them, by this thread, whose float environment is the default.
    fn runs_by_floats(&self, positions: Range<u64>) -> Runs<A>;
    /// The same in any thread.
    fn runs_in_integers(&self, positions: Range<u64>) -> Runs<A>;
}

/// The accumulator of all elements of a sequence.
#[inline(never)]
pub(super) fn total<A: Copy + Send + Sync>(sequence: &dyn Sequence<A>) -> A {
    let combining = sequence.combining();
    runs(sequence).finish(combining.here()).unwrap_or(combining.identity)
}

/// The runs of all elements.
#[inline(never)]
pub(super) fn runs<A: Copy + Send + Sync>(sequence: &dyn Sequence<A>) -> Runs<A> {
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
fn runs_by_threads<A: Copy + Send + Sync>(
    sequence: &dyn Sequence<A>,
    positions: Range<u64>,
) -> Runs<A> {
    let part_items = PART_ITEMS as u64;
    let first = positions.start / part_items;
    let count = usize::try_from(positions.end.div_ceil(part_items) - first).expect("few");
    let combining = sequence.combining();
    let mut parts = vec![Runs::new(0, combining.identity); count];
    share(
        count,
        &|part| {
            let begin = (first + part as u64) * part_items;
            let part = begin.max(positions.start)..positions.end.min(begin + part_items);
            runs_of_part(sequence, part)
        },
        &mut |part, runs| parts[part] = runs,
    );
    let mut runs = Runs::new(positions.start, combining.identity);
    for part in &parts {
        runs.append(part, combining.here());
    }
    runs
}

fn runs_of_part<A>(sequence: &dyn Sequence<A>, positions: Range<u64>) -> Runs<A> {
    // A worker's environment may be another than the caller's: each part asks.
    if float_environment::is_default() {
        sequence.runs_by_floats(positions)
    } else {
        sequence.runs_in_integers(positions)
    }
}

/// Where in a slice, which begins and ends at these positions, some positions are.
fn within_slice(slice: Range<u64>, positions: &Range<u64>) -> Range<usize> {
    let offset = |position: u64| {
        let offset = position.clamp(slice.start, slice.end) - slice.start;
        usize::try_from(offset).expect("offsets in a slice fit usize")
    };
    offset(positions.start)..offset(positions.end)
}

/// Slices of one sequence, the first of which begins at position `begin`.
#[derive(Debug)]
pub(super) struct Slices<'a, T, Op> {
    slices: &'a [&'a [T]],
    begin: u64,
    operator: PhantomData<Op>,
}

impl<T, Op> Clone for Slices<'_, T, Op> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, Op> Copy for Slices<'_, T, Op> {}

impl<'a, T: Element, Op: Operator<T>> Slices<'a, T, Op> {
    pub(super) fn new(slices: &'a [&'a [T]], begin: u64) -> Self {
        Self { slices, begin, operator: PhantomData }
    }

    /// The runs of the elements at some positions, by one of two ways to fold and combine.
    #[inline]
    fn runs_by(
        self,
        positions: Range<u64>,
        lift: impl Fn(T) -> Op::Acc + Copy,
        fold: impl Fn(&[T]) -> Option<Op::Acc> + Copy,
        combine: impl Fn(Op::Acc, Op::Acc) -> Op::Acc + Copy,
    ) -> Runs<Op::Acc> {
        let mut runs = Runs::new(positions.start, Op::identity());
        self.push_to(&mut runs, positions, lift, fold, combine);
        runs
    }

    /// Adds the elements at some positions to the runs of those before.
    #[inline]
    fn push_to(
        self,
        runs: &mut Runs<Op::Acc>,
        positions: Range<u64>,
        lift: impl Fn(T) -> Op::Acc + Copy,
        fold: impl Fn(&[T]) -> Option<Op::Acc> + Copy,
        combine: impl Fn(Op::Acc, Op::Acc) -> Op::Acc + Copy,
    ) {
        let mut slice_begin = self.begin;
        for slice in self.slices {
            let slice_end = slice_begin + slice.len() as u64;
            let elements = within_slice(slice_begin..slice_end, &positions);
            slice_begin = slice_end;
            let run_total = |run: Range<usize>| {
                fold(&slice[run.clone()])
                    .unwrap_or_else(|| by_halves(run, |i| lift(slice[i]), combine))
            };
            push_all(runs, elements, run_total, combine);
        }
    }

    /// As [`Sequence::runs_by_floats`], behind other runs.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn push_by_floats(self, runs: &mut Runs<Op::Acc>) {
        self.push_to(runs, self.positions(), Op::lift, Op::fold, Op::combine);
    }

    /// As [`Sequence::runs_in_integers`], behind other runs.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn push_in_integers(self, runs: &mut Runs<Op::Acc>) {
        let (lift, combine) = (Op::lift_in_integers, Op::combine_in_integers);
        self.push_to(runs, self.positions(), lift, |_| None, combine);
    }
}

impl<T: Element, Op: Operator<T>> Sequence<Op::Acc> for Slices<'_, T, Op> {
    fn combining(&self) -> Combining<Op::Acc> {
        Combining::of::<T, Op>()
    }

    fn positions(&self) -> Range<u64> {
        self.begin..self.begin + len(self.slices)
    }

    fn runs_by_floats(&self, positions: Range<u64>) -> Runs<Op::Acc> {
        self.runs_by(positions, Op::lift, Op::fold, Op::combine)
    }

    fn runs_in_integers(&self, positions: Range<u64>) -> Runs<Op::Acc> {
        self.runs_by(positions, Op::lift_in_integers, |_| None, Op::combine_in_integers)
    }
}

/// The products of the elements at the same places of two slices of one length.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pairs<'a, T> {
    pub(super) left: &'a [T],
    pub(super) right: &'a [T],
}

impl<T: Element> Pairs<'_, T>
where
    Dot: PairOperator<T>,
{
    #[inline]
    fn runs_by(
        self,
        positions: Range<u64>,
        run_total: impl Fn(Range<usize>) -> DotValue<T>,
        combine: impl Fn(DotValue<T>, DotValue<T>) -> DotValue<T> + Copy,
    ) -> Runs<DotValue<T>> {
        let elements = within_slice(0..self.left.len() as u64, &positions);
        let mut runs = Runs::new(positions.start, <Dot as PairOperator<T>>::Sum::identity());
        push_all(&mut runs, elements, run_total, combine);
        runs
    }
}

impl<T: Element> Sequence<DotValue<T>> for Pairs<'_, T>
where
    Dot: PairOperator<T>,
{
    fn combining(&self) -> Combining<DotValue<T>> {
        Combining::of::<_, <Dot as PairOperator<T>>::Sum>()
    }

    fn positions(&self) -> Range<u64> {
        0..self.left.len() as u64
    }

    fn runs_by_floats(&self, positions: Range<u64>) -> Runs<DotValue<T>> {
        let run_total = |run: Range<usize>| {
            <Dot as PairOperator<T>>::fold(&self.left[run.clone()], &self.right[run])
        };
        self.runs_by(positions, run_total, <Dot as PairOperator<T>>::Sum::combine)
    }

    fn runs_in_integers(&self, positions: Range<u64>) -> Runs<DotValue<T>> {
        let product =
            |i: usize| <Dot as PairOperator<T>>::product_in_integers(self.left[i], self.right[i]);
        let combine = <Dot as PairOperator<T>>::Sum::combine_in_integers;
        self.runs_by(positions, |run| by_halves(run, product, combine), combine)
    }
}

/// Adds the elements of a slice, by the longest runs that a fold takes.
#[inline]
fn push_all<A: Copy>(
    runs: &mut Runs<A>,
    elements: Range<usize>,
    run_total: impl Fn(Range<usize>) -> A,
    combine: impl Fn(A, A) -> A + Copy,
) {
    let mut begin = elements.start;
    while begin < elements.end {
        let rest = (elements.end - begin) as u64;
        let level = first_level(runs.end(), runs.end() + rest).min(MAX_IN_ORDER.ilog2());
        let end = begin + (1 << level);
        runs.push(level, run_total(begin..end), combine);
        begin = end;
    }
}

/// The total of a run, one by one.
fn by_halves<A>(
    run: Range<usize>,
    lift: impl Fn(usize) -> A + Copy,
    combine: impl Fn(A, A) -> A + Copy,
) -> A {
    if run.len() == 1 {
        return lift(run.start);
    }
    let middle = run.start + run.len() / 2;
    let [left, right] = [run.start..middle, middle..run.end];
    combine(by_halves(left, lift, combine), by_halves(right, lift, combine))
}
