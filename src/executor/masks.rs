//! Masks of bits in host memory.

use crate::{
    algebra::{element::Bits, operator::Operator, operator_type::OperatorType},
    cpu,
    custom::any_operator::AnyOperator,
    device::extent::BitMasks,
    error::{Error, SliceError},
    executor::{Executor, array::reduce_on_cpu, source::Source},
    reduce::reduction::Reduction,
};
use std::ops::Range;

impl Executor {
    /// Reduces the bits `range` of `words`, where bit 0 is the lowest bit of the first word: [`Count`](crate::Count) is how many of
    /// them are 1, [`Min`](struct@crate::Min) whether all are, [`Max`](struct@crate::Max) whether any is. Where, and to what else, as
    /// [`Executor::reduce`]. Of words that have other bits, too, there are at most two: these are copied, and on a GPU the chunks that have them.
    ///
    /// ```
    /// use gridfold::{Bool, Count, Executor, Min};
    ///
    /// // As NumPy's `packbits(flags, bitorder="little").view("u4")` has them.
    /// let words = [0b1111_0000];
    /// let executor = Executor::cpu();
    /// assert_eq!(executor.reduce_bits(&words, 2..7, Count)?.value, 3);
    /// assert_eq!(executor.reduce_bits(&words, 4..8, Min)?.value, Some(Bool::TRUE));
    /// assert_eq!(executor.reduce_bits(&words, 4..4, Min)?.value, None);
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`SliceError::PastSlice`] if the words do not have the range, and as [`Executor::reduce`].
    pub fn reduce_bits<Op: Operator<Bits>>(
        &self,
        words: &[u32],
        range: Range<u64>,
        op: Op,
    ) -> Result<Reduction<Op::Value>, Error> {
        let len = 32 * words.len() as u64;
        if range.start > range.end || range.end > len {
            return Err(SliceError::PastSlice { range, len }.into());
        }
        if range.is_empty() {
            return self.reduce::<Bits, _>(&[], op);
        }
        let word = |bit: u64| usize::try_from(bit / 32).expect("a word of the slice");
        let words: &[Bits] = bytemuck::cast_slice(&words[word(range.start)..=word(range.end - 1)]);
        let Some(masks) = BitMasks::of(range.start, range.end) else {
            return self.reduce(words, op);
        };
        let operator = AnyOperator::of::<Bits, Op>(&op)?;
        let fold = operator.fold(self.precision)?;
        // Whether bits that are not the mask's are 1, so that they change nothing.
        let missing = fold.spec().operator == OperatorType::Min;
        let mut masked = Masked::new(words, masks, missing);
        let reduction = match self.device_for(fold.spec(), words.len() as u64) {
            None => reduce_on_cpu(fold, self.precision, &masked.slices().map(cpu::input))?,
            Some(context) => {
                let reducer = self.any_reducer(context, &operator);
                let result = reducer.measure_source(&mut masked, self.chunk_bytes)?;
                result.expect("slices have all their elements")
            }
        };
        Ok(reduction.of_types::<Bits, Op>())
    }
}

/// Words of which the first and the last have bits that are no part of the mask. The words between are not copied, but for those in a chunk with one
/// of these two.
struct Masked<'a> {
    words: &'a [Bits],
    /// The first and the last word, with what changes nothing in place of those bits. One, if there is one.
    ends: Vec<Bits>,
    buffer: Vec<Bits>,
}

impl<'a> Masked<'a> {
    /// Of at least one word. `missing` is whether ones change nothing.
    fn new(words: &'a [Bits], masks: BitMasks, missing: bool) -> Self {
        let missing = if missing { u32::MAX } else { 0 };
        let without = |word: Bits, mask: u32| Bits(word.0 & mask | missing & !mask);
        let ends = match *words {
            [] => Vec::new(),
            [word] => vec![without(without(word, masks.first), masks.last)],
            [first, .., last] => vec![without(first, masks.first), without(last, masks.last)],
        };
        Self { words, ends, buffer: Vec::new() }
    }

    /// The same words, in three slices.
    fn slices(&self) -> [&[Bits]; 3] {
        let (first, last) = self.ends.split_at(self.ends.len().min(1));
        [first, &self.words[first.len()..self.words.len() - last.len()], last]
    }
}

impl Source for Masked<'_> {
    fn lens(&self) -> Vec<u64> {
        vec![self.words.len() as u64]
    }

    fn bytes(&mut self, _: usize, range: Range<u64>) -> Option<&[u8]> {
        Some(bytemuck::cast_slice(self.part(range)))
    }
}

impl Masked<'_> {
    fn part(&mut self, range: Range<u64>) -> &[Bits] {
        let place = |position| usize::try_from(position).expect("positions in a slice fit usize");
        let (begin, end, len) = (place(range.start), place(range.end), self.words.len());
        let words = &self.words[begin..end];
        let (has_first, has_last) = (begin == 0, end == len);
        if words.is_empty() || !(has_first || has_last) {
            return words;
        }
        self.buffer.clear();
        self.buffer.extend_from_slice(words);
        let count = words.len();
        if has_last {
            self.buffer[count - 1] = self.ends[self.ends.len() - 1];
        }
        if has_first {
            self.buffer[0] = self.ends[0];
        }
        &self.buffer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masked(words: &[Bits], range: Range<u64>) -> Masked<'_> {
        Masked::new(words, BitMasks::of(range.start, range.end).expect("not aligned"), false)
    }

    #[test]
    fn only_ends_are_copied() {
        let words = [Bits(u32::MAX); 5];
        let masked = masked(&words, 3..159);
        let [first, between, last] = masked.slices();
        assert_eq!((first, last), (&[Bits(0xffff_fff8)][..], &[Bits(0x7fff_ffff)][..]));
        assert_eq!(between.as_ptr_range(), words[1..4].as_ptr_range());
    }

    #[test]
    fn chunks_have_the_ends_masked() {
        let words = [Bits(u32::MAX); 5];
        let ones = Bits(u32::MAX);
        let mut masked = masked(&words, 3..159);
        assert_eq!(*masked.part(0..2), [Bits(0xffff_fff8), ones]);
        let between = masked.part(2..4);
        assert_eq!(between.as_ptr_range(), words[2..4].as_ptr_range());
        assert_eq!(*masked.part(4..5), [Bits(0x7fff_ffff)]);
        let whole = [Bits(0xffff_fff8), ones, ones, ones, Bits(0x7fff_ffff)];
        assert_eq!(*masked.part(0..5), whole);
    }

    #[test]
    fn a_word_has_both_ends() {
        let words = [Bits(u32::MAX)];
        let mut masked = masked(&words, 4..8);
        assert_eq!(masked.slices(), [&[Bits(0xf0)][..], &[], &[]]);
        assert_eq!(*masked.part(0..1), [Bits(0xf0)]);
    }
}
