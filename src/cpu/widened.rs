//! Operators on elements of less than a word, by the operators on what these are widened to.

use super::fold::{Fold, InputParts, Inputs, ScanBlock, elements, in_order, part_of};
use crate::algebra::{
    acc_words::Words,
    exact_total::ExactTotal,
    fold::MAX_IN_ORDER,
    narrow::{Narrow, WIDENED},
    operator::OperatorSpec,
};
use std::{cell::RefCell, ops::Range};

/// Elements that are widened at a time: they stay in the nearest cache.
const BLOCK: usize = MAX_IN_ORDER;
/// Elements of a segment from which on it is folded alone.
const LONG: usize = 256;

/// An operator on elements of a type, without its types.
pub(super) struct Widened<T: Narrow> {
    /// The operator on the elements.
    pub(super) spec: &'static OperatorSpec,
    /// The operator on what they are widened to.
    pub(super) wide: &'static dyn Fold,
    /// The type's own way to fold some elements, if there is one.
    pub(super) own: Option<OwnFold<T>>,
}

/// Folds elements without widening them to the wide fold's accumulator. `None` of elements that have no such way.
type OwnFold<T> = fn(&[T], &dyn Fold) -> Option<Words>;

/// Room for widened elements of both inputs.
type Room<T> = [[<T as Narrow>::Wide; BLOCK]; 2];

impl<T: Narrow> Widened<T> {
    const ITEM_BYTES: usize = size_of::<T>();

    fn room() -> Room<T> {
        [[T::Wide::default(); BLOCK]; 2]
    }

    /// At most a block of each input, widened.
    fn widened<'a>(room: &'a mut Room<T>, inputs: Inputs<'_>) -> Inputs<'a> {
        let [left, right] = room;
        let widen = |room: &'a mut [T::Wide; BLOCK], bytes: &[u8]| -> &'a [u8] {
            let elements = elements::<T>(bytes);
            let room = &mut room[..elements.len()];
            for (wide, element) in room.iter_mut().zip(elements) {
                *wide = element.widen();
            }
            bytemuck::cast_slice(room)
        };
        [widen(left, inputs[0]), widen(right, inputs[1])]
    }

    fn own_total(&self, bytes: &[u8]) -> Option<Words> {
        let own = self.own.filter(|_| !bytes.is_empty())?;
        own(elements(bytes), self.wide)
    }

    /// The elements' bytes between two places.
    fn part<'a>(inputs: Inputs<'a>, range: Range<usize>) -> Inputs<'a> {
        part_of(inputs, range, Self::ITEM_BYTES)
    }
}

impl<T: Narrow> Fold for Widened<T> {
    fn spec(&self) -> &'static OperatorSpec {
        self.spec
    }

    fn identity(&self) -> Words {
        self.wide.identity()
    }

    fn lift(&self, element: &[u8]) -> Words {
        let element: T = bytemuck::pod_read_unaligned(element);
        self.wide.lift(bytemuck::bytes_of(&element.widen()))
    }

    fn combine(&self, left: &[u32], right: &[u32], by_floats: bool) -> Words {
        self.wide.combine(left, right, by_floats)
    }

    fn moved(&self, acc: Words, by: u64) -> Words {
        self.wide.moved(acc, by)
    }

    fn total(&self, inputs: Inputs<'_>, by_floats: bool) -> Words {
        if let Some(total) = self.own_total(inputs[0]) {
            return total;
        }
        let (len, room) = (inputs[0].len() / Self::ITEM_BYTES, RefCell::new(Self::room()));
        let of_block = |range: Range<usize>| {
            let room = &mut room.borrow_mut();
            self.wide.total(Self::widened(room, Self::part(inputs, range)), by_floats)
        };
        let combine = |left: Words, right: Words| self.wide.combine(&left, &right, by_floats);
        if !self.spec.order_free {
            let alone = |_| unreachable!("blocks have all elements");
            let total = in_order(len, |range| Some(of_block(range)), alone, combine);
            return total.unwrap_or_else(|| self.identity());
        }
        let blocks = (0..len).step_by(BLOCK).map(|begin| {
            let total = of_block(begin..len.min(begin + BLOCK));
            self.wide.moved(total, begin as u64)
        });
        blocks.reduce(combine).unwrap_or_else(|| self.identity())
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn add_kept(&self, total: &mut Words, begin: u64, bytes: &[u8], kept: &[u32]) {
        let mut room = Self::room();
        for (number, kept) in kept.chunks(BLOCK).enumerate() {
            let first = number * BLOCK;
            let part = Self::part([bytes, &[]], first..first + kept.len());
            let [widened, _] = Self::widened(&mut room, part);
            self.wide.add_kept(total, begin + first as u64, widened, kept);
        }
    }

    fn finish(&self, total: &[u32], len: u64, out: &mut [u32]) {
        self.wide.finish(total, len, out);
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn has_value(&self, out: &[u32], len: u64) -> bool {
        self.wide.has_value(out, len)
    }

    fn reduce_each(&self, inputs: Inputs<'_>, ends: &[usize], outs: &mut [u32], by_floats: bool) {
        let out_words = self.spec.out_words as usize;
        let (mut room, mut own_ends) = (Self::room(), Vec::new());
        let (mut first, last) = (0, ends.len() - 1);
        while first < last {
            let begin = ends[first];
            let mut next = first;
            while next < last
                && ends[next + 1] - begin <= BLOCK
                && ends[next + 1] - ends[next] < LONG
            {
                next += 1;
            }
            if next == first {
                let own = begin..ends[first + 1];
                let total = self.total(Self::part(inputs, own.clone()), by_floats);
                let out = &mut outs[first * out_words..][..out_words];
                self.wide.finish(&total, own.len() as u64, out);
                first += 1;
                continue;
            }
            own_ends.clear();
            own_ends.extend(ends[first..=next].iter().map(|end| end - begin));
            let widened = Self::widened(&mut room, Self::part(inputs, begin..ends[next]));
            let outs = &mut outs[first * out_words..next * out_words];
            self.wide.reduce_each(widened, &own_ends, outs, by_floats);
            first = next;
        }
    }

    fn scan(&self, block: ScanBlock<'_>, by_floats: bool) {
        let ScanBlock { is_inclusive, mut place, total, elements: mut rest, mut outs } = block;
        let (mut room, out_words) = (Self::room(), self.spec.out_words as usize);
        while !rest.is_empty() {
            let (now, later) = rest.split_at(rest.len().min(BLOCK * Self::ITEM_BYTES));
            let items = now.len() / Self::ITEM_BYTES;
            let (own, others) = outs.split_at_mut(items * out_words);
            let [elements, _] = Self::widened(&mut room, [now, &[]]);
            let block = ScanBlock { is_inclusive, place, total: &mut *total, elements, outs: own };
            self.wide.scan(block, by_floats);
            (rest, outs, place) = (later, others, place + items as u64);
        }
    }

    fn exact_total(&self, parts: InputParts<'_>) -> Option<ExactTotal> {
        self.wide.exact_total(&mut |add| {
            parts(&mut |[left, right]| {
                let chunk_bytes = WIDENED * Self::ITEM_BYTES;
                let widen = |bytes: &[u8]| -> Vec<T::Wide> {
                    elements::<T>(bytes).iter().map(|&element| element.widen()).collect()
                };
                for (chunk, part) in left.chunks(chunk_bytes).enumerate() {
                    let begin = right.len().min(chunk * chunk_bytes);
                    let beside = &right[begin..right.len().min(begin + part.len())];
                    let [part, beside] = [part, beside].map(widen);
                    add([bytemuck::cast_slice(&part), bytemuck::cast_slice(&beside)]);
                }
            });
        })
    }

    fn exact_finish(&self, total: &ExactTotal, out: &mut [u32]) {
        self.wide.exact_finish(total, out);
    }

    fn write(&self, acc: &[u32]) -> Words {
        self.wide.write(acc)
    }

    fn read(&self, words: &[u32]) -> Option<Words> {
        self.wide.read(words)
    }
}
