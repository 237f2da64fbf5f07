//! Operators on elements of less than a word, by the operators on what these are widened to.

use super::fold::{BLOCK_ITEMS, Fold, InputParts, Inputs, ScanBlock, elements, part_of};
use super::ordered::total_of_blocks;
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

impl<T: Narrow> Widened<T> {
    const ITEM_BYTES: usize = size_of::<T>();

    /// Room for so many widened elements of each input.
    fn room<const ITEMS: usize, const INPUTS: usize>() -> [[T::Wide; ITEMS]; INPUTS] {
        [[T::Wide::default(); ITEMS]; INPUTS]
    }

    /// The elements of each input that there is room for, widened.
    fn widened<'a, const ITEMS: usize, const INPUTS: usize>(
        rooms: &'a mut [[T::Wide; ITEMS]; INPUTS],
        inputs: Inputs<'_>,
    ) -> Inputs<'a> {
        let mut all: Inputs<'a> = [&[], &[]];
        for ((room, bytes), widened) in rooms.iter_mut().zip(inputs).zip(&mut all) {
            let elements = elements::<T>(bytes);
            let room = &mut room[..elements.len()];
            for (wide, element) in room.iter_mut().zip(elements) {
                *wide = element.widen();
            }
            *widened = bytemuck::cast_slice(room);
        }
        all
    }

    /// The total of elements of so many inputs, a block after another.
    fn total_of<const INPUTS: usize>(&self, inputs: Inputs<'_>, by_floats: bool) -> Words {
        let len = inputs[0].len() / Self::ITEM_BYTES;
        let rooms = RefCell::new(Self::room::<BLOCK, INPUTS>());
        let of_block = |range: Range<usize>| {
            let rooms = &mut rooms.borrow_mut();
            self.wide.total(Self::widened(rooms, Self::part(inputs, range)), by_floats)
        };
        total_of_blocks(self, len, by_floats, &of_block)
    }

    /// Some elements of each input.
    fn part<'a>(inputs: Inputs<'a>, range: Range<usize>) -> Inputs<'a> {
        part_of(inputs, range, Self::ITEM_BYTES)
    }
}

impl<T: Narrow> Fold for Widened<T> {
    fn spec(&self) -> &OperatorSpec {
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
        let own = self.own.filter(|_| !inputs[0].is_empty());
        match own.and_then(|own| own(elements(inputs[0]), self.wide)) {
            Some(total) => total,
            None if self.spec.inputs == 1 => self.total_of::<1>(inputs, by_floats),
            None => self.total_of::<2>(inputs, by_floats),
        }
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn add_kept(&self, _total: &mut Words, _begin: u64, _elements: &[u8], _kept: &[u32]) {
        unreachable!("expressions make wide numbers")
    }

    fn finish(&self, total: &[u32], len: u64, out: &mut [u32]) {
        self.wide.finish(total, len, out);
    }

    fn reduce_each(&self, inputs: Inputs<'_>, ends: &[usize], outs: &mut [u32], by_floats: bool) {
        let out_words = self.spec.out_words as usize;
        // Some short segments are widened together, others are folded alone.
        let (mut rooms, mut own_ends) = (None, Vec::new());
        let (mut first, last) = (0, ends.len() - 1);
        while first < last {
            let begin = ends[first];
            let is_next = |next: usize| {
                let (from, to) = (ends[next], ends[next + 1]);
                self.spec.inputs == 1 && to - from < LONG && to - begin <= BLOCK
            };
            let next = (first..last).find(|&next| !is_next(next)).unwrap_or(last);
            if next <= first + 1 {
                let own = begin..ends[first + 1];
                let total = self.total(Self::part(inputs, own.clone()), by_floats);
                let out = &mut outs[first * out_words..][..out_words];
                self.wide.finish(&total, own.len() as u64, out);
                first += 1;
                continue;
            }
            own_ends.clear();
            own_ends.extend(ends[first..=next].iter().map(|end| end - begin));
            let rooms = rooms.get_or_insert_with(Self::room::<BLOCK, 1>);
            let widened = Self::widened(rooms, Self::part(inputs, begin..ends[next]));
            let outs = &mut outs[first * out_words..next * out_words];
            self.wide.reduce_each(widened, &own_ends, outs, by_floats);
            first = next;
        }
    }

    fn scan(&self, block: ScanBlock<'_>, by_floats: bool) {
        let mut room = Self::room::<BLOCK_ITEMS, 1>();
        let [elements, _] = Self::widened(&mut room, [block.elements, &[]]);
        self.wide.scan(ScanBlock { elements, ..block }, by_floats);
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
