//! The extrema of a run, where they are, and how many elements are NaN.

use crate::algebra::{
    acc_words::{AccWords, Words, read_two, write_two},
    keys::{Comparable, Key, Order},
    options::NanRule,
};

/// The extrema, and NaNs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spread<K> {
    /// The best keys, as [`Order`] has them, and the first places where they are.
    pub(super) least: K,
    pub(super) largest: K,
    pub(super) least_at: u64,
    pub(super) largest_at: u64,
    /// How many elements are NaN.
    pub(super) nans: u64,
}

/// In which the best of keys is greatest.
pub(super) const LEAST: Order = Order::least(NanRule::Propagate);
pub(super) const LARGEST: Order = Order::largest(NanRule::Propagate);

impl<K: Key> Spread<K> {
    pub(super) fn nothing<F: Comparable<Key = K>>() -> Self {
        let none = LEAST.identity::<F>();
        Self { least: none, largest: none, least_at: 0, largest_at: 0, nans: 0 }
    }

    #[inline]
    pub(super) fn of<F: Comparable<Key = K>>(element: F) -> Self {
        Self {
            least: LEAST.key(element),
            largest: LARGEST.key(element),
            least_at: 0,
            largest_at: 0,
            nans: element.has_no_number().into(),
        }
    }

    /// Of some elements.
    pub(super) fn of_all<F: Comparable<Key = K>>(elements: &[F]) -> Self {
        let (least, largest) = (LEAST.best(elements), LARGEST.best(elements));
        let place = |order: Order, best: K| {
            let found = elements.iter().position(|&element| order.key(element) == best);
            found.expect("the best key is an element's") as u64
        };
        let count: u32 = elements.iter().map(|element| u32::from(element.has_no_number())).sum();
        Self {
            least,
            largest,
            least_at: place(LEAST, least),
            largest_at: place(LARGEST, largest),
            nans: count.into(),
        }
    }

    /// With what comes after so many elements.
    #[inline]
    pub(super) fn combine(self, next: Self, len: u64) -> Self {
        let (takes_least, takes_largest) = (self.least < next.least, self.largest < next.largest);
        Self {
            least: self.least.max(next.least),
            largest: self.largest.max(next.largest),
            least_at: if takes_least { len + next.least_at } else { self.least_at },
            largest_at: if takes_largest { len + next.largest_at } else { self.largest_at },
            nans: self.nans + next.nans,
        }
    }
}

/// The higher parts of places and of the number of NaNs are in the last word, beside a run's level.
impl<K: Key> Spread<K> {
    pub(super) const WORDS: usize = 2 * K::WORDS + 4;

    /// As the shader packs it.
    pub(super) fn write(self, level: i32, words: &mut Words) {
        self.least.write(words);
        self.largest.write(words);
        let mut high_parts = level.max(0).unsigned_abs();
        for (number, place) in [(self.least_at, 6), (self.largest_at, 14), (self.nans, 22)] {
            write_two(number, words);
            high_parts |= words.pop().expect("the higher word") << place;
        }
        words.push(high_parts);
    }

    /// The inverse.
    pub(super) fn read(words: &[u32]) -> Option<(Self, u32)> {
        let (keys, numbers) = words.split_at(2 * K::WORDS);
        let &[least_at, largest_at, nans, high_parts] = numbers else { return None };
        let spread = Self {
            least: K::read(&keys[..K::WORDS])?,
            largest: K::read(&keys[K::WORDS..])?,
            least_at: read_two(&[least_at, high_parts >> 6 & 0xff]),
            largest_at: read_two(&[largest_at, high_parts >> 14 & 0xff]),
            nans: read_two(&[nans, high_parts >> 22]),
        };
        Some((spread, high_parts & 0x3f))
    }

    /// As [`AccWords::keep`].
    pub(super) fn keep(self, words: &mut Words) {
        [self.least, self.largest].keep(words);
        [self.least_at, self.largest_at, self.nans].keep(words);
    }

    /// As [`AccWords::kept`].
    pub(super) fn kept(words: &mut &[u32]) -> Self {
        let ([least, largest], [least_at, largest_at, nans]) =
            (AccWords::kept(words), AccWords::kept(words));
        Self { least, largest, least_at, largest_at, nans }
    }

    /// Whether so many elements may have it.
    pub(super) fn is_within(&self, len: u64) -> bool {
        self.least_at.max(self.largest_at) < len && self.nans <= len
    }
}
