//! Operators on elements of several components, by the operators on one.

use super::fold::{BLOCK_ITEMS, Fold, InputParts, Inputs, ScanBlock, elements};
use super::ordered::total_of_blocks;
use crate::algebra::{
    acc_words::Words, exact_total::ExactTotal, fold::MAX_IN_ORDER, operator::OperatorSpec,
};
use std::{cell::RefCell, ops::Range};

/// Elements whose components are taken apart at a time: they stay in the nearest cache.
const BLOCK: usize = MAX_IN_ORDER;

/// An operator that makes of each component what operators make of that component alone: one, or of bounds three. Accumulators of components follow one another,
/// and so do results. All have as many words. Components are words.
pub(super) struct ByComponents {
    /// The operator on the elements.
    pub(super) spec: &'static OperatorSpec,
    /// The operators on a component.
    pub(super) scalars: &'static [Scalar],
    pub(super) components: usize,
}

/// An operator on a component.
pub(super) struct Scalar {
    pub(super) fold: &'static dyn Fold,
    /// Which of all operators' results its own ones are.
    pub(super) out: usize,
}

/// An operator on a component, and which accumulator is its own.
struct Own {
    fold: &'static dyn Fold,
    component: usize,
    acc: usize,
    out: usize,
}

impl ByComponents {
    /// A component of some elements. An element of an odd number of words begins at any of them, and so do its components.
    fn component<'a>(&self, room: &'a mut [u32], bytes: &[u8], component: usize) -> &'a [u8] {
        /// Their number is a constant, by which loops are fast.
        fn gather<const COMPONENTS: usize>(room: &mut [u32], words: &[u32], component: usize) {
            for (own, element) in room.iter_mut().zip(words.as_chunks::<COMPONENTS>().0) {
                *own = element[component];
            }
        }
        let words: &[u32] = elements(bytes);
        let room = &mut room[..words.len() / self.components];
        match self.components {
            2 => gather::<2>(room, words, component),
            3 => gather::<3>(room, words, component),
            _ => gather::<4>(room, words, component),
        }
        bytemuck::cast_slice(room)
    }

    /// Every operator on every component, in the order of accumulators.
    fn all(&self) -> impl Iterator<Item = Own> {
        let components = self.components;
        self.scalars.iter().enumerate().flat_map(move |(number, &Scalar { fold, out })| {
            (0..components).map(move |component| Own {
                fold,
                component,
                acc: number * components + component,
                out: out * components + component,
            })
        })
    }

    /// The accumulators of all components, one after another.
    fn each(&self, mut of: impl FnMut(Own) -> Words) -> Words {
        let mut words = Words::default();
        for own in self.all() {
            words.extend(&of(own));
        }
        words
    }

    /// The place of an accumulator or of a result among others.
    fn own(&self, words: &[u32], number: usize) -> Range<usize> {
        let size = words.len() / (self.components * self.scalars.len());
        number * size..(number + 1) * size
    }

    fn part<'a>(&self, bytes: &'a [u8], range: Range<usize>) -> &'a [u8] {
        let item_bytes = 4 * self.components;
        &bytes[range.start * item_bytes..range.end * item_bytes]
    }
}

impl Fold for ByComponents {
    fn spec(&self) -> &OperatorSpec {
        self.spec
    }

    fn identity(&self) -> Words {
        self.each(|own| own.fold.identity())
    }

    fn lift(&self, element: &[u8]) -> Words {
        self.each(|own| own.fold.lift(&element[4 * own.component..][..4]))
    }

    fn combine(&self, left: &[u32], right: &[u32], by_floats: bool) -> Words {
        self.each(|own| {
            let [left, right] = [left, right].map(|words| &words[self.own(words, own.acc)]);
            own.fold.combine(left, right, by_floats)
        })
    }

    fn moved(&self, acc: Words, by: u64) -> Words {
        self.each(|own| own.fold.moved(acc[self.own(&acc, own.acc)].into(), by))
    }

    fn total(&self, [bytes, _]: Inputs<'_>, by_floats: bool) -> Words {
        let (len, room) = (bytes.len() / 4 / self.components, RefCell::new([0; BLOCK]));
        let of_block = |range: Range<usize>| {
            let (block, room) = (self.part(bytes, range), &mut room.borrow_mut());
            self.each(|own| {
                let elements = self.component(&mut room[..], block, own.component);
                own.fold.total([elements, &[]], by_floats)
            })
        };
        total_of_blocks(self, len, by_floats, &of_block)
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn add_kept(&self, _total: &mut Words, _begin: u64, _elements: &[u8], _kept: &[u32]) {
        unreachable!("expressions make numbers of one component")
    }

    fn finish(&self, total: &[u32], len: u64, out: &mut [u32]) {
        for own in self.all() {
            let range = self.own(out, own.out);
            own.fold.finish(&total[self.own(total, own.acc)], len, &mut out[range]);
        }
    }

    fn reduce_each(
        &self,
        [bytes, _]: Inputs<'_>,
        ends: &[usize],
        outs: &mut [u32],
        by_floats: bool,
    ) {
        let outs = outs.chunks_exact_mut(self.spec.out_words as usize);
        for (ends, out) in ends.windows(2).zip(outs) {
            let total = self.total([self.part(bytes, ends[0]..ends[1]), &[]], by_floats);
            self.finish(&total, (ends[1] - ends[0]) as u64, out);
        }
    }

    fn scan(&self, block: ScanBlock<'_>, by_floats: bool) {
        /// The number of words of a result is a constant, by which the loop is fast.
        fn scatter<const WORDS: usize>(outs: &mut [u32], own_outs: &[u32], place: usize) {
            for (out, &own) in outs.as_chunks_mut::<WORDS>().0.iter_mut().zip(own_outs) {
                out[place] = own;
            }
        }
        let ScanBlock { is_inclusive, place, total, elements: bytes, outs } = block;
        let items = bytes.len() / 4 / self.components;
        let out_words = self.spec.out_words as usize;
        let own_words = out_words / self.all().count();
        // Results have up to two words, as which they are aligned.
        let (mut room, mut own_outs) = ([0; BLOCK_ITEMS], [0u64; BLOCK_ITEMS]);
        *total = self.each(|own| {
            let mut own_total = total[self.own(total, own.acc)].into();
            let elements = self.component(&mut room, bytes, own.component);
            let own_outs = &mut bytemuck::cast_slice_mut(&mut own_outs)[..items * own_words];
            let total = &mut own_total;
            let block = ScanBlock { is_inclusive, place, total, elements, outs: own_outs };
            own.fold.scan(block, by_floats);
            let place = own.out * own_words;
            match (own_words, out_words) {
                (1, 2) => scatter::<2>(outs, own_outs, place),
                (1, 3) => scatter::<3>(outs, own_outs, place),
                (1, 4) => scatter::<4>(outs, own_outs, place),
                _ => {
                    let to = outs.chunks_exact_mut(out_words);
                    for (to, from) in to.zip(own_outs.chunks_exact(own_words)) {
                        to[place..][..own_words].copy_from_slice(from);
                    }
                }
            }
            // An operator without an order has added the block to what is before it.
            match own.fold.spec().order_free == self.spec.order_free {
                true => own_total,
                false => own.fold.total([elements, &[]], by_floats),
            }
        });
    }

    fn exact_total(&self, _parts: InputParts<'_>) -> Option<ExactTotal> {
        None
    }

    fn exact_finish(&self, _total: &ExactTotal, _out: &mut [u32]) {
        unreachable!("{:?} rounds", self.spec)
    }

    fn write(&self, acc: &[u32]) -> Words {
        self.each(|own| own.fold.write(&acc[self.own(acc, own.acc)]))
    }

    fn read(&self, words: &[u32]) -> Option<Words> {
        let mut all = Words::default();
        for own in self.all() {
            all.extend(&own.fold.read(&words[self.own(words, own.acc)])?);
        }
        Some(all)
    }
}
