//! Operators whose types are known at run time: elements are bytes, accumulators are words.
//!
//! Code for every operator is compiled once, on this. A method takes a block of elements where it can, because a virtual call takes nanoseconds:
//! `cargo bench --bench cpu_turns` measures it.

use crate::{
    algebra::{
        acc_words::{AccWords, Words},
        element::Element,
        exact_total::ExactTotal,
        fold::{self, MAX_IN_ORDER},
        operator::{Algebra, Operator, OperatorSpec},
        operators::Dot,
        sums::{Addend, Finish, FloatSum, Terms},
    },
    cpu::prefixes::{GROUP, Prefixes, group},
};
use bytemuck::Pod;
use std::{marker::PhantomData, ops::Range, panic::RefUnwindSafe};

/// The elements of a slice of each input, as bytes. An operator of one input has no second one.
pub(crate) type Inputs<'a> = [&'a [u8]; 2];

/// Calls the function with each part of a sequence, in order.
pub(crate) type InputParts<'a> = &'a mut dyn FnMut(&mut dyn FnMut(Inputs<'_>));

/// An operator on elements of one type, as the CPU folds them. Only the operator itself knows what its accumulators' words mean.
///
/// `by_floats` says whether the thread's float environment is the default: elsewhere no operation on floats may round.
pub(crate) trait Fold: Sync + RefUnwindSafe {
    /// The operator's description, for plans and kernels.
    fn spec(&self) -> &OperatorSpec;
    /// The accumulator of no elements.
    fn identity(&self) -> Words;
    /// The accumulator of one element, in any float environment.
    fn lift(&self, element: &[u8]) -> Words;
    /// The accumulator of both operands' elements.
    fn combine(&self, left: &[u32], right: &[u32], by_floats: bool) -> Words;
    /// The accumulator of the same elements, `by` places later in the sequence ([`Algebra::moved`]).
    fn moved(&self, acc: Words, by: u64) -> Words;
    /// The accumulator of a whole sequence, or of a run of one, by this thread.
    fn total(&self, elements: Inputs<'_>, by_floats: bool) -> Words;
    /// Adds each element whose `kept` is not 0 to a total in any order. The first element has the place `begin` in the sequence.
    #[cfg(not(target_arch = "wasm32"))]
    fn add_kept(&self, total: &mut Words, begin: u64, elements: &[u8], kept: &[u32]);
    /// The result of `len` elements.
    fn finish(&self, total: &[u32], len: u64, out: &mut [u32]);
    /// The result of each segment between neighbouring `ends`, by this thread.
    fn reduce_each(&self, elements: Inputs<'_>, ends: &[usize], outs: &mut [u32], by_floats: bool);
    /// The result of each element of a block.
    fn scan(&self, block: ScanBlock<'_>, by_floats: bool);
    /// The total of the parts' elements, without rounding. `None` where no accumulator does that.
    fn exact_total(&self, parts: InputParts<'_>) -> Option<ExactTotal>;
    /// The result of an [`Fold::exact_total`].
    fn exact_finish(&self, total: &ExactTotal, out: &mut [u32]);
    /// The words of an accumulator of a run, or in any order, as devices have them.
    fn write(&self, acc: &[u32]) -> Words;
    /// The accumulator that devices have as these words. `None` of words that no accumulator has.
    fn read(&self, words: &[u32]) -> Option<Words>;
}

/// A result as devices write it, and of how many elements it is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Raw {
    pub(crate) words: Words,
    pub(crate) len: u64,
}

/// Some neighbouring elements of a scan, at most [`BLOCK_ITEMS`]; in order from a multiple of as many on.
pub(crate) struct ScanBlock<'a> {
    pub(crate) is_inclusive: bool,
    /// The number of elements before the block.
    pub(crate) place: u64,
    /// Before: the total of these elements. After: in any order, the total with the block's elements, too; in order, the block's own total, if the block
    /// is a run.
    pub(crate) total: &'a mut Words,
    pub(crate) elements: &'a [u8],
    /// As aligned as results are.
    pub(crate) outs: &'a mut [u32],
}

/// Elements of a block in order at most: a run.
pub(super) const BLOCK_ITEMS: usize = 1 << 10;

type BlockPrefixes<A> = Prefixes<A, [(A, A); BLOCK_ITEMS.ilog2() as usize + 1]>;

/// The elements that bytes are.
pub(crate) fn elements<T: Pod>(bytes: &[u8]) -> &[T] {
    // No elements may be anywhere.
    if bytes.is_empty() { &[] } else { bytemuck::cast_slice(bytes) }
}

/// Elements as bytes.
pub(crate) fn elements_as_bytes<T: Element>(elements: &[T]) -> &[u8] {
    bytemuck::cast_slice(elements)
}

/// Some elements of a slice of each input, by the bytes of one.
pub(super) fn part_of(
    [left, right]: Inputs<'_>,
    range: Range<usize>,
    item_bytes: usize,
) -> Inputs<'_> {
    let bytes = range.start * item_bytes..range.end * item_bytes;
    [&left[bytes.clone()], right.get(bytes).unwrap_or_default()]
}

/// An operator, without its types.
pub(super) struct Typed<T, Op> {
    op: Op,
    spec: &'static OperatorSpec,
    element: PhantomData<fn(T)>,
}

impl<T: Element, Op: Algebra<T>> Typed<T, Op> {
    pub(super) const fn new(op: Op, spec: &'static OperatorSpec) -> Self {
        assert!(spec.order_free == Op::ORDER_FREE, "an operator has an order or none");
        assert!(size_of::<Op::Out>() == 4 * spec.out_words as usize, "results have whole words");
        Self { op, spec, element: PhantomData }
    }

    #[inline]
    fn total_of(op: Op, elements: &[T], by_floats: bool) -> Op::Acc {
        // A constant, so that the other way is not compiled.
        if Op::ORDER_FREE {
            return op.fold(elements).unwrap_or_else(|| {
                elements.iter().zip(0..).fold(op.identity(), |acc, (&element, index)| {
                    op.combine(acc, op.moved(op.lift(element), index))
                })
            });
        }
        let total = if let [element] = elements {
            return op.lift_in_integers(*element);
        } else if by_floats {
            let fold = |run: Range<usize>| op.fold(&elements[run]);
            in_order(elements.len(), fold, |i| op.lift(elements[i]), |a, b| op.combine(a, b))
        } else {
            let lift = |i: usize| op.lift_in_integers(elements[i]);
            in_order(elements.len(), |_| None, lift, |a, b| op.combine_in_integers(a, b))
        };
        total.unwrap_or(op.identity())
    }
}

impl<T: Element, Op: Algebra<T>> Fold for Typed<T, Op> {
    fn spec(&self) -> &OperatorSpec {
        self.spec
    }

    fn identity(&self) -> Words {
        words(self.op.identity())
    }

    fn lift(&self, element: &[u8]) -> Words {
        words(self.op.lift_in_integers(bytemuck::pod_read_unaligned(element)))
    }

    fn combine(&self, left: &[u32], right: &[u32], by_floats: bool) -> Words {
        let (left, right) = (acc(left), acc(right));
        words(match by_floats {
            true => self.op.combine(left, right),
            false => self.op.combine_in_integers(left, right),
        })
    }

    fn moved(&self, total: Words, by: u64) -> Words {
        words(self.op.moved(acc(&total), by))
    }

    fn total(&self, [bytes, _]: Inputs<'_>, by_floats: bool) -> Words {
        words(Self::total_of(self.op, elements(bytes), by_floats))
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn add_kept(&self, total: &mut Words, begin: u64, bytes: &[u8], kept: &[u32]) {
        let elements = elements::<T>(bytes).iter().zip(kept).zip(begin..);
        let counted = elements.filter(|((_, is_kept), _)| **is_kept != 0);
        *total = words(counted.fold(acc(total), |total, ((&element, _), place)| {
            self.op.combine(total, self.op.moved(self.op.lift(element), place))
        }));
    }

    fn finish(&self, total: &[u32], len: u64, out: &mut [u32]) {
        write_out(self.op.finish(acc(total), len), out);
    }

    fn reduce_each(
        &self,
        [bytes, _]: Inputs<'_>,
        ends: &[usize],
        outs: &mut [u32],
        by_floats: bool,
    ) {
        let (op, elements) = (self.op, elements(bytes));
        write_each(ends, outs, |own| {
            let own = &elements[own];
            op.finish(Self::total_of(op, own, by_floats), own.len() as u64)
        });
    }

    fn scan(&self, block: ScanBlock<'_>, by_floats: bool) {
        let ScanBlock { is_inclusive, place, total: words_of_total, elements: bytes, outs } = block;
        let elements: &[T] = elements(bytes);
        let outs: &mut [Op::Out] = match outs {
            [] => return,
            outs => bytemuck::cast_slice_mut(outs),
        };
        let before = acc(words_of_total);
        *words_of_total = words(if Op::ORDER_FREE {
            scan_in_any_order(self.op, is_inclusive, place, before, elements, outs)
        } else {
            scan_in_order(self.op, is_inclusive, by_floats, place, before, elements, outs)
        });
    }

    fn exact_total(&self, parts: InputParts<'_>) -> Option<ExactTotal> {
        self.op.exact_total(&mut |add| parts(&mut |[bytes, _]| add(elements(bytes))))
    }

    fn exact_finish(&self, total: &ExactTotal, out: &mut [u32]) {
        write_out(self.op.exact_finish(total), out);
    }

    fn write(&self, of_acc: &[u32]) -> Words {
        let mut words = Words::default();
        acc::<Op::Acc>(of_acc).write(&mut words);
        words
    }

    fn read(&self, of_acc: &[u32]) -> Option<Words> {
        Op::Acc::read(of_acc).map(words)
    }
}

/// The dot product of elements of a type.
pub(super) struct Dots<F>(pub(super) PhantomData<fn(F)>);

impl<F: Addend> Dots<F> {
    fn total(left: &[F], right: &[F], by_floats: bool) -> F {
        let product = |i: usize| F::multiply_in_integers(left[i], right[i]);
        let total = match by_floats {
            true => {
                let fold = |run: Range<usize>| Some(fold::dot(&left[run.clone()], &right[run]));
                in_order(left.len(), fold, product, |a, b| FloatSum::PLAIN.combine(a, b))
            }
            false => in_order(
                left.len(),
                |_| None,
                product,
                |a, b| FloatSum::PLAIN.combine_in_integers(a, b),
            ),
        };
        total.unwrap_or_default()
    }
}

impl<F: Addend> Fold for Dots<F>
where
    Dot: Operator<(F, F)>,
{
    fn spec(&self) -> &OperatorSpec {
        const { &<Dot as Operator<(F, F)>>::SPEC }
    }

    fn identity(&self) -> Words {
        words(F::default())
    }

    fn lift(&self, _element: &[u8]) -> Words {
        unreachable!("a scan has one input")
    }

    fn combine(&self, left: &[u32], right: &[u32], by_floats: bool) -> Words {
        let (left, right): (F, F) = (acc(left), acc(right));
        words(match by_floats {
            true => FloatSum::PLAIN.combine(left, right),
            false => FloatSum::PLAIN.combine_in_integers(left, right),
        })
    }

    fn moved(&self, total: Words, _by: u64) -> Words {
        total
    }

    fn total(&self, [left, right]: Inputs<'_>, by_floats: bool) -> Words {
        words(Self::total(elements(left), elements(right), by_floats))
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn add_kept(&self, _total: &mut Words, _begin: u64, _elements: &[u8], _kept: &[u32]) {
        unreachable!("expressions have operators of one input")
    }

    fn finish(&self, total: &[u32], len: u64, out: &mut [u32]) {
        write_out(FloatSum::PLAIN.finish(acc::<F>(total), len), out);
    }

    fn reduce_each(
        &self,
        [left, right]: Inputs<'_>,
        ends: &[usize],
        outs: &mut [u32],
        by_floats: bool,
    ) {
        let (left, right) = (elements(left), elements(right));
        write_each(ends, outs, |own| {
            let total = Self::total(&left[own.clone()], &right[own.clone()], by_floats);
            FloatSum::PLAIN.finish(total, own.len() as u64)
        });
    }

    fn scan(&self, _block: ScanBlock<'_>, _by_floats: bool) {
        unreachable!("a scan has one input")
    }

    fn exact_total(&self, parts: InputParts<'_>) -> Option<ExactTotal> {
        let parts = &mut |add: &mut dyn FnMut(&[F], &[F])| {
            parts(&mut |[left, right]| add(elements(left), elements(right)));
        };
        Some(F::exact_products(parts))
    }

    fn exact_finish(&self, total: &ExactTotal, out: &mut [u32]) {
        // Squares are products, too.
        write_out(F::exact_finish(Terms::Squares, Finish::Sum, total), out);
    }

    fn write(&self, of_acc: &[u32]) -> Words {
        of_acc.into()
    }

    fn read(&self, of_acc: &[u32]) -> Option<Words> {
        Some(of_acc.into())
    }
}

/// An accumulator's words on the host.
pub(super) fn words(acc: impl AccWords) -> Words {
    let mut words = Words::default();
    acc.keep(&mut words);
    words
}

fn acc<A: AccWords>(mut words: &[u32]) -> A {
    A::kept(&mut words)
}

pub(super) fn write_out<Out: Pod>(out: Out, words: &mut [u32]) {
    bytemuck::cast_slice_mut(words).copy_from_slice(bytemuck::bytes_of(&out));
}

/// The result of each segment between neighbouring ends.
#[inline]
pub(super) fn write_each<Out: Pod>(
    ends: &[usize],
    outs: &mut [u32],
    out_of: impl Fn(Range<usize>) -> Out,
) {
    let outs = outs.chunks_exact_mut(size_of::<Out>() / size_of::<u32>());
    for (ends, out) in ends.windows(2).zip(outs) {
        write_out(out_of(ends[0]..ends[1]), out);
    }
}

/// The total of a sequence of so many elements, in the order of [`crate::order`]: its runs, the longest first. `None` of nothing.
#[inline]
pub(super) fn in_order<A>(
    len: usize,
    fold: impl Fn(Range<usize>) -> Option<A> + Copy,
    lift: impl Fn(usize) -> A + Copy,
    combine: impl Fn(A, A) -> A + Copy,
) -> Option<A> {
    if len <= MAX_IN_ORDER
        && let Some(total) = fold(0..len)
    {
        return Some(total);
    }
    let mut total = None;
    let mut begin = 0;
    while begin < len {
        let end = begin + (1 << (len - begin).ilog2());
        let run = run_total(begin..end, fold, lift, combine);
        total = Some(match total {
            Some(total) => combine(total, run),
            None => run,
        });
        begin = end;
    }
    total
}

/// The total of a run: of its halves, where a fold does not take all of it.
fn run_total<A>(
    run: Range<usize>,
    fold: impl Fn(Range<usize>) -> Option<A> + Copy,
    lift: impl Fn(usize) -> A + Copy,
    combine: impl Fn(A, A) -> A + Copy,
) -> A {
    if run.len() <= MAX_IN_ORDER {
        return fold(run.clone()).unwrap_or_else(|| by_halves(run, lift, combine));
    }
    let [left, right] = halves(run);
    combine(run_total(left, fold, lift, combine), run_total(right, fold, lift, combine))
}

/// The same, one by one.
fn by_halves<A>(
    run: Range<usize>,
    lift: impl Fn(usize) -> A + Copy,
    combine: impl Fn(A, A) -> A + Copy,
) -> A {
    if run.len() == 1 {
        return lift(run.start);
    }
    let [left, right] = halves(run);
    combine(by_halves(left, lift, combine), by_halves(right, lift, combine))
}

fn halves(run: Range<usize>) -> [Range<usize>; 2] {
    let middle = run.start + run.len() / 2;
    [run.start..middle, middle..run.end]
}

/// Returns the total behind the last element. There is a loop for each kind, so that compilers drop the places where an operator ignores them.
fn scan_in_any_order<T: Element, Op: Algebra<T>>(
    op: Op,
    is_inclusive: bool,
    begin: u64,
    before: Op::Acc,
    elements: &[T],
    outs: &mut [Op::Out],
) -> Op::Acc {
    // The place is the number of elements before it: an initial value would count, and operators that find places take none.
    let next = |total, element, place| op.combine(total, op.moved(op.lift(element), place));
    let mut total = before;
    let items = elements.iter().zip(outs).zip(begin..);
    if is_inclusive {
        for ((&element, out), place) in items {
            total = next(total, element, place);
            *out = op.finish(total, place + 1);
        }
    } else {
        for ((&element, out), place) in items {
            *out = op.finish(total, place);
            total = next(total, element, place);
        }
    }
    total
}

/// Returns the block's own total, if it is a run.
fn scan_in_order<T: Element, Op: Algebra<T>>(
    op: Op,
    is_inclusive: bool,
    by_floats: bool,
    begin: u64,
    before: Op::Acc,
    elements: &[T],
    outs: &mut [Op::Out],
) -> Op::Acc {
    let mut prefixes = BlockPrefixes::of_few(before);
    let (elements, outs) = match by_floats {
        true => scan_groups(op, is_inclusive, begin, &mut prefixes, elements, outs),
        false => (elements, outs),
    };
    for (&element, out) in elements.iter().zip(outs) {
        let total = prefixes.total();
        match by_floats {
            true => prefixes.push(0, op.lift(element), |a, b| op.combine(a, b)),
            false => {
                prefixes.push(0, op.lift_in_integers(element), |a, b| op.combine_in_integers(a, b))
            }
        }
        let place = begin + prefixes.position();
        *out = match is_inclusive {
            true => op.finish(prefixes.total(), place),
            false => op.finish(total, place - 1),
        };
    }
    prefixes.last_run()
}

/// By groups, in threads whose float environment is the default. Returns the elements that are no whole group, and where their results go.
fn scan_groups<'a, T: Element, Op: Algebra<T>>(
    op: Op,
    is_inclusive: bool,
    begin: u64,
    prefixes: &mut BlockPrefixes<Op::Acc>,
    elements: &'a [T],
    outs: &'a mut [Op::Out],
) -> (&'a [T], &'a mut [Op::Out]) {
    let (groups, rest) = elements.as_chunks::<GROUP>();
    let (outs, rest_outs) = outs.as_chunks_mut::<GROUP>();
    for (elements, outs) in groups.iter().zip(outs) {
        let (first, place) = (prefixes.total(), begin + prefixes.position());
        let mut lifted = [op.identity(); GROUP];
        op.lift_each(elements, &mut lifted);
        let behind = group(prefixes, &lifted, |a, b| op.combine(a, b));
        if is_inclusive {
            op.finish_each(&behind, place + 1, outs);
        } else {
            let (first_out, outs) = outs.split_first_mut().expect("of a group");
            *first_out = op.finish(first, place);
            op.finish_each(&behind, place + 1, outs);
        }
    }
    (rest, rest_outs)
}
