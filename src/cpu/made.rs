//! Reductions of elements that are made for them, a block at a time: what makes a block folds it while it is in the nearest cache.

use super::{
    ordered::{Combining, Sequence, Slices},
    part_in_any_order,
    runs::Runs,
    stream,
};
use crate::algebra::{element::Element, fold::MAX_IN_ORDER, operator::Operator};
use std::{marker::PhantomData, ops::Range};

#[cfg(feature = "parallel")]
use super::threads::{PART_ITEMS, is_worth_threads, share};

/// Elements of a block: as many as a fold in order takes, so that blocks cut no run that it would take.
const BLOCK_ITEMS: usize = MAX_IN_ORDER;

/// To make and fold an element takes about as long as to fold so many.
#[cfg(feature = "parallel")]
const MADE: usize = 4;

/// Makes the elements of a part from a place on.
pub(crate) type Make<'a, T> = dyn Fn(usize, &mut [T]) + Sync + 'a;

/// Calls what it is given with each part of a sequence, the first one first: how many elements it has, and what makes them. All parts are of one length, a
/// power of two, but for the last, which may be shorter.
pub(crate) type MadeParts<'a, T> = &'a mut dyn FnMut(&mut dyn FnMut(usize, &Make<'_, T>));

/// Reduces all parts as one sequence, as [`super::reduce_parts`] does what rounds, or has no order.
pub(crate) fn reduce_made<T: Element, Op: Operator<T>>(parts: MadeParts<'_, T>) -> Op::Value {
    let mut len = 0;
    let total = if Op::SPEC.order_free {
        let mut total = Op::identity();
        parts(&mut |items, make| {
            if items > 0 {
                total = Op::combine(total, Op::moved(in_any_order::<T, Op>(items, make), len));
                len += items as u64;
            }
        });
        total
    } else {
        let mut runs = Runs::new(0, Op::identity());
        parts(&mut |items, make| stream::push(&mut runs, &Blocks::<T, Op>::new(items, make)));
        len = runs.end();
        stream::finish(&runs, Combining::of::<T, Op>())
    };
    Op::value(Op::finish(total, len), len)
}

fn in_any_order<T: Element, Op: Operator<T>>(items: usize, make: &Make<'_, T>) -> Op::Acc {
    #[cfg(feature = "parallel")]
    if is_worth_threads(items.saturating_mul(MADE)) {
        return by_threads::<T, Op>(items, make);
    }
    blocks_in_any_order::<T, Op>(0..items, make)
}

#[cfg(feature = "parallel")]
fn by_threads<T: Element, Op: Operator<T>>(items: usize, make: &Make<'_, T>) -> Op::Acc {
    let mut total = Op::identity();
    share(
        items.div_ceil(PART_ITEMS),
        &|part| {
            let begin = part * PART_ITEMS;
            blocks_in_any_order::<T, Op>(begin..items.min(begin + PART_ITEMS), make)
        },
        &mut |_, part_total| total = Op::combine(total, part_total),
    );
    total
}

/// The accumulator of some elements, which tells of places in their part.
fn blocks_in_any_order<T: Element, Op: Operator<T>>(
    items: Range<usize>,
    make: &Make<'_, T>,
) -> Op::Acc {
    let mut total = Op::identity();
    for_each_block(items, make, |begin, block| {
        let of_block = Op::moved(part_in_any_order::<T, Op>(block), begin as u64);
        total = Op::combine(total, of_block);
    });
    total
}

/// Makes blocks one after another, in the same memory, and hands each on with its place.
fn for_each_block<T: Element>(
    items: Range<usize>,
    make: &Make<'_, T>,
    mut keep: impl FnMut(usize, &[T]),
) {
    let mut block = vec![T::zeroed(); items.len().min(BLOCK_ITEMS)];
    for begin in items.clone().step_by(BLOCK_ITEMS) {
        let block = &mut block[..BLOCK_ITEMS.min(items.end - begin)];
        make(begin, block);
        keep(begin, block);
    }
}

/// A part as a sequence, which begins at position 0.
struct Blocks<'a, T, Op> {
    items: usize,
    make: &'a Make<'a, T>,
    operator: PhantomData<Op>,
}

impl<T, Op> Clone for Blocks<'_, T, Op> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, Op> Copy for Blocks<'_, T, Op> {}

impl<'a, T: Element, Op: Operator<T>> Blocks<'a, T, Op> {
    fn new(items: usize, make: &'a Make<'a, T>) -> Self {
        Self { items, make, operator: PhantomData }
    }

    /// Positions begin where a block does: threads' parts are of many blocks.
    fn runs_by(
        self,
        positions: Range<u64>,
        push: impl Fn(Slices<'_, T, Op>, &mut Runs<Op::Acc>),
    ) -> Runs<Op::Acc> {
        let mut runs = Runs::new(positions.start, Op::identity());
        let [begin, end] = [positions.start, positions.end]
            .map(|position| usize::try_from(position).expect("positions in a part fit usize"));
        for_each_block(begin..end, self.make, |begin, block| {
            push(Slices::new(&[block], begin as u64), &mut runs);
        });
        runs
    }
}

impl<T: Element, Op: Operator<T>> Sequence<Op::Acc> for Blocks<'_, T, Op> {
    fn combining(&self) -> Combining<Op::Acc> {
        Combining::of::<T, Op>()
    }

    #[cfg(feature = "parallel")]
    fn work(&self) -> usize {
        MADE
    }

    fn positions(&self) -> Range<u64> {
        0..self.items as u64
    }

    fn runs_by_floats(&self, positions: Range<u64>) -> Runs<Op::Acc> {
        self.runs_by(positions, |block, runs| block.push_by_floats(runs))
    }

    fn runs_in_integers(&self, positions: Range<u64>) -> Runs<Op::Acc> {
        self.runs_by(positions, |block, runs| block.push_in_integers(runs))
    }
}

#[cfg(test)]
mod tests {
    use super::{super::reduce, *};
    use crate::{All, Any, ArgMin, Count, Max, Mean, Min, Product, Sum, SumWide};

    /// Bits without a pattern.
    fn mixed(number: usize) -> u32 {
        let bits = u32::try_from(number).expect("few").wrapping_mul(0x9e37_79b1);
        let bits = (bits ^ (bits >> 15)).wrapping_mul(0x85eb_ca6b);
        bits ^ (bits >> 13)
    }

    /// Parts of elements that there are, made as if there were none, give what a reduction of all of them does.
    fn check<T: Element, Op: Operator<T>>(elements: &[T], part_items: usize) {
        let found = reduce_made::<T, Op>(&mut |add| {
            for part in elements.chunks(part_items) {
                add(part.len(), &|begin, to| {
                    to.copy_from_slice(&part[begin..begin + to.len()]);
                });
            }
        });
        let wanted = reduce::<T, Op>(&[elements]);
        let [found, wanted] = [found, wanted]
            .map(|value| Op::out(value).map(|out| bytemuck::bytes_of(&out).to_vec()));
        let operator = Op::SPEC.operator;
        assert_eq!(found, wanted, "{operator} of {}, by {part_items}", elements.len());
    }

    fn check_all(len: usize, part_items: usize) {
        let words: Vec<u32> = (0..len).map(mixed).collect();
        let near_one = |&bits: &u32| f32::from_bits((bits & 0x80ff_ffff) | 0x3f00_0000);
        let floats: Vec<f32> = words.iter().map(near_one).collect();
        let flags: Vec<u32> = words.iter().map(|bits| u32::from(bits % 3 == 0)).collect();
        let doubles: Vec<f64> = floats.iter().map(|&x| 1.1 * f64::from(x)).collect();
        check::<f32, Sum>(&floats, part_items);
        check::<f32, Mean>(&floats, part_items);
        check::<f32, Product>(&floats, part_items);
        check::<f64, Sum>(&doubles, part_items);
        check::<f32, Max>(&floats, part_items);
        check::<f32, ArgMin>(&floats, part_items);
        check::<u32, ArgMin>(&words, part_items);
        check::<u32, Sum>(&words, part_items);
        check::<u32, SumWide>(&words, part_items);
        check::<u32, Min>(&words, part_items);
        check::<u32, Count>(&flags, part_items);
        check::<u32, Any>(&flags, part_items);
        check::<u32, All>(&flags, part_items);
    }

    #[test]
    fn lengths_around_blocks() {
        let edges = [0, 1, 2, 256, BLOCK_ITEMS, 2 * BLOCK_ITEMS, 3 * BLOCK_ITEMS];
        for len in edges.into_iter().flat_map(|len: usize| [len.saturating_sub(1), len, len + 1]) {
            for part_items in [1 << 9, BLOCK_ITEMS, 1 << 20] {
                check_all(len, part_items);
            }
        }
    }

    #[cfg(feature = "parallel")]
    #[test]
    fn one_thread_and_many() {
        for threads in [1, 2, 8] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.expect("threads start").install(|| check_all((1 << 21) + 12_345, 1 << 21));
        }
    }
}
