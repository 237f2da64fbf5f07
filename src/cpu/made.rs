//! Reductions of elements that are made for them, a block at a time: the thread that makes a block folds it while it is in the nearest cache.

use super::{
    fold::{Fold, Raw},
    ordered::{Sequence, Slices, finish, item_bytes},
    runs::Runs,
    stream,
};
use crate::algebra::{acc_words::Words, element::Element, fold::MAX_IN_ORDER};
use std::ops::Range;

#[cfg(feature = "parallel")]
use super::threads::{PART_ITEMS, is_worth_threads, share};

/// Elements of a block: as many as a fold in order takes, so that blocks cut no run that it would take.
const BLOCK_ITEMS: usize = MAX_IN_ORDER;

/// To make and fold an element takes about as long as to fold so many.
#[cfg(feature = "parallel")]
const MADE: usize = 4;

/// Makes the elements of a part from a place on.
pub(crate) type Make<'a, T> = dyn Fn(usize, &mut [T]) + Sync + 'a;

/// Calls the function with each part of a sequence, in order: with the number of its elements and a function that makes them. All parts are of one length, a
/// power of two, but for the last, which may be shorter.
pub(crate) type MadeParts<'a, T> = &'a mut dyn FnMut(&mut dyn FnMut(usize, &Make<'_, T>));

/// Reduces all parts as one sequence of the operator's elements, as [`super::raw_of_parts`] does where it is not exact.
pub(crate) fn raw_of_made<T: Element>(fold: &dyn Fold, parts: MadeParts<'_, T>) -> Raw {
    debug_assert_eq!(T::TYPE, fold.spec().element);
    let parts: MadeParts<'_, u8> = &mut |add| {
        parts(&mut |items, make| {
            add(items, &|begin, bytes| make(begin, bytemuck::cast_slice_mut(bytes)));
        });
    };
    let mut words = Words::zeros(fold.spec().out_words as usize);
    let len = reduce(fold, parts, &mut words);
    Raw { words, len }
}

/// The same of bytes. Returns how many elements there were.
fn reduce(fold: &dyn Fold, parts: MadeParts<'_, u8>, out: &mut [u32]) -> u64 {
    let mut len = 0;
    let total = if fold.spec().order_free {
        let mut total = fold.identity();
        parts(&mut |items, make| {
            if items > 0 {
                let part = fold.moved(in_any_order(fold, items, make), len);
                total = fold.combine(&total, &part, true);
                len += items as u64;
            }
        });
        total
    } else {
        let mut runs = Runs::new(0);
        parts(&mut |items, make| stream::push(&mut runs, &Blocks { fold, items, make }));
        len = runs.end();
        finish(fold, &runs)
    };
    fold.finish(&total, len, out);
    len
}

fn in_any_order(fold: &dyn Fold, items: usize, make: &Make<'_, u8>) -> Words {
    #[cfg(feature = "parallel")]
    if is_worth_threads(items.saturating_mul(MADE)) {
        return by_threads(fold, items, make);
    }
    blocks_in_any_order(fold, 0..items, make)
}

#[cfg(feature = "parallel")]
fn by_threads(fold: &dyn Fold, items: usize, make: &Make<'_, u8>) -> Words {
    let mut total = fold.identity();
    share(
        items.div_ceil(PART_ITEMS),
        &|part| {
            let begin = part * PART_ITEMS;
            blocks_in_any_order(fold, begin..items.min(begin + PART_ITEMS), make)
        },
        &mut |_, part_total| total = fold.combine(&total, &part_total, true),
    );
    total
}

/// The total of some elements, with places in their part.
fn blocks_in_any_order(fold: &dyn Fold, items: Range<usize>, make: &Make<'_, u8>) -> Words {
    let mut total = fold.identity();
    for_each_block(item_bytes(fold), items, make, |begin, block| {
        let of_block = fold.moved(fold.total([block, &[]], true), begin as u64);
        total = fold.combine(&total, &of_block, true);
    });
    total
}

/// Makes blocks one after another, in the same memory, and hands each on with its place.
fn for_each_block(
    item_bytes: usize,
    items: Range<usize>,
    make: &Make<'_, u8>,
    mut keep: impl FnMut(usize, &[u8]),
) {
    // As aligned as any element.
    let mut block = vec![0u64; (items.len().min(BLOCK_ITEMS) * item_bytes).div_ceil(8)];
    for begin in items.clone().step_by(BLOCK_ITEMS) {
        let bytes = BLOCK_ITEMS.min(items.end - begin) * item_bytes;
        let block = &mut bytemuck::cast_slice_mut(&mut block)[..bytes];
        make(begin, block);
        keep(begin, block);
    }
}

/// A part as a sequence, which begins at position 0.
struct Blocks<'a> {
    fold: &'a dyn Fold,
    items: usize,
    make: &'a Make<'a, u8>,
}

impl Sequence for Blocks<'_> {
    fn fold(&self) -> &dyn Fold {
        self.fold
    }

    #[cfg(feature = "parallel")]
    fn work(&self) -> usize {
        MADE
    }

    fn positions(&self) -> Range<u64> {
        0..self.items as u64
    }

    /// Positions begin where a block does: threads' parts are of many blocks.
    fn push_to(&self, runs: &mut Runs<Words>, positions: Range<u64>, by_floats: bool) {
        let [begin, end] = [positions.start, positions.end]
            .map(|position| usize::try_from(position).expect("positions in a part fit usize"));
        for_each_block(item_bytes(self.fold), begin..end, self.make, |begin, block| {
            let slices = &[[block, &[]]];
            let block = Slices { fold: self.fold, slices, begin: begin as u64 };
            block.push_to(runs, block.positions(), by_floats);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{reduce, table::fold_of},
        *,
    };
    use crate::{All, Any, ArgMin, Count, Max, Mean, Min, Operator, Product, Sum, SumWide};

    /// Bits without a pattern.
    fn mixed(number: usize) -> u32 {
        let bits = u32::try_from(number).expect("few").wrapping_mul(0x9e37_79b1);
        let bits = (bits ^ (bits >> 15)).wrapping_mul(0x85eb_ca6b);
        bits ^ (bits >> 13)
    }

    /// Parts of elements that there are, made as if there were none, give what a reduction of all of them does.
    fn check<T: Element, Op: Operator<T> + Copy>(elements: &[T], part_items: usize, op: Op) {
        let fold = fold_of::<T, Op>(&op).expect("it is defined");
        let found = raw_of_made::<T>(fold, &mut |add| {
            for part in elements.chunks(part_items) {
                add(part.len(), &|begin, to| {
                    to.copy_from_slice(&part[begin..begin + to.len()]);
                });
            }
        });
        let wanted = reduce::<T, Op>(&[elements], op);
        let [found, wanted] = [found.value::<T, Op>(), wanted.expect("it is defined")]
            .map(|value| Op::out(value).map(|out| bytemuck::bytes_of(&out).to_vec()));
        let operator = op.spec().operator;
        assert_eq!(found, wanted, "{operator} of {}, by {part_items}", elements.len());
    }

    fn check_all(len: usize, part_items: usize) {
        let words: Vec<u32> = (0..len).map(mixed).collect();
        let near_one = |&bits: &u32| f32::from_bits((bits & 0x80ff_ffff) | 0x3f00_0000);
        let floats: Vec<f32> = words.iter().map(near_one).collect();
        let flags: Vec<u32> = words.iter().map(|bits| u32::from(bits % 3 == 0)).collect();
        let doubles: Vec<f64> = floats.iter().map(|&x| 1.1 * f64::from(x)).collect();
        check::<f32, _>(&floats, part_items, Sum);
        check::<f32, _>(&floats, part_items, Mean);
        check::<f32, _>(&floats, part_items, Product);
        check::<f64, _>(&doubles, part_items, Sum);
        check::<f32, _>(&floats, part_items, Max);
        check::<f32, _>(&floats, part_items, ArgMin);
        check::<u32, _>(&words, part_items, ArgMin);
        check::<u32, _>(&words, part_items, Sum);
        check::<u32, _>(&words, part_items, SumWide);
        check::<u32, _>(&words, part_items, Min);
        check::<u32, _>(&flags, part_items, Count);
        check::<u32, _>(&flags, part_items, Any);
        check::<u32, _>(&flags, part_items, All);
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
