//! The elements that a self-test asks about, and where in buffers they lie.

use super::{
    material::{Make, words},
    slot,
};
use crate::algebra::element::ElementType;
use std::ops::Range;

/// One input, or two; their words. What has elements of two words takes the same places in elements, as far as there are any.
#[derive(Clone, Debug, Default)]
pub(super) struct Input {
    pub(super) what: String,
    pub(super) left: Vec<u32>,
    /// Empty for operators of one input.
    pub(super) right: Vec<u32>,
    /// Words before the first in its buffer, of the left input.
    pub(super) offset: usize,
    /// Of elements of less than a word, how many there are before the first one in the words.
    pub(super) skipped: usize,
    /// Words that follow the last in their buffers.
    pub(super) rest: usize,
    /// Words that follow each element in its buffer.
    pub(super) gap: usize,
    /// Words of an element, where others follow it.
    pub(super) element_words: usize,
    /// The words that one slice ends at, and another begins; in rising order.
    pub(super) cuts: Vec<usize>,
}

impl Input {
    pub(super) fn new(what: impl Into<String>, words: Vec<u32>) -> Self {
        Self { what: what.into(), left: words, ..Self::default() }
    }

    /// Of words without a pattern.
    pub(super) fn of(what: &str, len: usize, seed: u32, make: Make) -> Self {
        Self::new(format!("{what}, seed {seed}"), words(len, seed, make))
    }

    pub(super) fn at(self, offset: usize) -> Self {
        Self { offset, ..self }
    }

    /// With so many others behind each word.
    pub(super) fn with_gaps(self, gap: usize) -> Self {
        self.with_gaps_behind(1, gap)
    }

    /// With so many others behind each element of several words.
    pub(super) fn with_gaps_behind(self, element_words: usize, gap: usize) -> Self {
        Self { element_words, gap, ..self }
    }

    /// Bytes that each element takes before its gap: a whole word, where there is one.
    fn room_bytes(&self, element: ElementType) -> u64 {
        if self.gap > 0 { element.size_bytes().max(4) } else { element.size_bytes() }
    }

    /// The elements of the left input, one after another: with gaps, a narrow one is the first in its word.
    pub(super) fn elements(&self, element: ElementType) -> Vec<u32> {
        let item_bytes = usize::try_from(element.size_bytes()).expect("a few");
        if self.room_bytes(element) == element.size_bytes() {
            return self.left.clone();
        }
        let bytes =
            self.left.iter().flat_map(|word| word.to_ne_bytes().into_iter().take(item_bytes));
        bytemuck::pod_collect_to_vec(&bytes.collect::<Vec<u8>>())
    }

    /// From one element to the next in bytes, where they do not follow one another.
    pub(super) fn stride_bytes(&self) -> Option<u64> {
        (self.gap > 0).then(|| 4 * (self.element_words + self.gap) as u64)
    }

    /// From this element of the words on.
    pub(super) fn skipping(self, skipped: usize) -> Self {
        Self { skipped, ..self }
    }

    pub(super) fn followed_by(self, rest: usize) -> Self {
        Self { rest, ..self }
    }

    /// With room for a result in its buffer.
    pub(super) fn with_room(self) -> Self {
        self.followed_by(slot::stride() + 1)
    }

    /// Words before that room. A result of two words can begin there.
    pub(super) fn room(&self) -> usize {
        (self.offset + self.left.len()).next_multiple_of(2)
    }

    pub(super) fn cut(self, cuts: &[usize]) -> Self {
        Self { cuts: cuts.to_vec(), ..self }
    }

    /// The second of two inputs.
    pub(super) fn with(self, what: &str, right: Vec<u32>) -> Self {
        Self { what: format!("{}; and {what}", self.what), right, ..self }
    }

    /// Words before the first in either buffer: never the same.
    pub(super) fn offsets(&self) -> [usize; 2] {
        [self.offset, self.offset + 5]
    }

    /// The slices' places, in elements.
    pub(super) fn ranges(&self, element: ElementType) -> Vec<Range<u64>> {
        let place = |word: usize| word as u64 * 4 / self.room_bytes(element);
        let skipped = self.skipped as u64;
        let cuts = || self.cuts.iter().map(|&cut| place(cut) + skipped);
        let ends = cuts().chain([place(self.left.len())]);
        let begins = [skipped].into_iter().chain(cuts());
        begins.zip(ends).map(|(begin, end)| begin..end).collect()
    }

    /// What is in either buffer: of the right one, nothing if there is none.
    pub(super) fn contents(&self) -> [Vec<u32>; 2] {
        let [left_offset, right_offset] = self.offsets();
        let contents = |words: &[u32], offset: usize| {
            // What no kernel may use: as floats they are NaNs.
            let filler = |len: usize| vec![0x7fff_ffff; len];
            let before = filler(offset.max(usize::from(words.is_empty())));
            let gap = filler(self.gap);
            let words: Vec<u32> = match self.gap {
                0 => words.to_vec(),
                _ => words
                    .chunks(self.element_words)
                    .flat_map(|element| [element, &gap[..]].concat())
                    .collect(),
            };
            [&before, &words[..], &filler(self.rest)].concat()
        };
        let right = match &self.right[..] {
            [] if !self.left.is_empty() => Vec::new(),
            words => contents(words, right_offset),
        };
        [contents(&self.left, left_offset), right]
    }

    /// Bytes of either buffer.
    pub(super) fn buffer_bytes(&self) -> [u64; 2] {
        let bytes = |words: usize, offset: usize| {
            let gaps = if self.gap == 0 { 0 } else { words / self.element_words * self.gap };
            ((offset + words + gaps + self.rest).max(1) * 4) as u64
        };
        let [left_offset, right_offset] = self.offsets();
        [bytes(self.left.len(), left_offset), bytes(self.right.len(), right_offset)]
    }

    /// The elements the other way round.
    pub(super) fn reversed(&self) -> Vec<u32> {
        self.left.iter().rev().copied().collect()
    }

    /// In words, for reports.
    pub(super) fn describe(&self) -> String {
        let Self { what, left, offset, skipped, rest, gap, cuts, .. } = self;
        let mut text = format!("{} words ({what})", left.len());
        if *offset != 0 {
            text += &format!(", from word {offset} of a buffer on");
        }
        if *skipped != 0 {
            text += &format!(", without the first {skipped} elements");
        }
        if *gap != 0 {
            text += &format!(", with {gap} others behind each");
        }
        if *rest != 0 {
            text += &format!(", followed by {rest} others");
        }
        if !cuts.is_empty() {
            text += &format!(", cut at {cuts:?}");
        }
        text
    }
}
