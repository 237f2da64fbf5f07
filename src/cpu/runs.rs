//! A part of a sequence as its runs' totals, in the order of [`crate::order`].

use crate::order::MAX_LEN;
use smallvec::SmallVec;
use std::ops::Range;

/// Runs of a part at most: rising ones up to the longest, and falling ones from there on.
pub(crate) const MAX_RUNS: usize = 2 * MAX_LEN.ilog2() as usize;

/// The elements from position `begin` to `end` of a sequence: the totals of the longest runs that they fall into.
///
/// The two positions determine the runs. The runs of a part that begins at 0 are a binary counter.
#[derive(Clone, Debug)]
pub(crate) struct Runs<A> {
    begin: u64,
    end: u64,
    /// Most sequences have no more.
    totals: SmallVec<[A; 16]>,
}

impl<A: Clone> Runs<A> {
    /// No elements, from position `begin` on.
    #[inline]
    pub(crate) fn new(begin: u64) -> Self {
        Self { begin, end: begin, totals: SmallVec::new() }
    }

    /// The position of the first element.
    #[inline]
    pub(crate) fn begin(&self) -> u64 {
        self.begin
    }

    /// The position after the last element.
    #[inline]
    pub(crate) fn end(&self) -> u64 {
        self.end
    }

    /// Adds the next `2^level` elements, which are a run: `end` is a multiple of that number.
    #[inline]
    pub(crate) fn push(&mut self, level: u32, mut total: A, combine: impl Fn(A, A) -> A) {
        debug_assert!(self.end.trailing_zeros() >= level, "2^{level} at {}", self.end);
        self.end += 1 << level;
        // Siblings on each level below that of the run that now ends here.
        for _ in level..last_level(self.begin, self.end) {
            let left = self.totals.pop().expect("there is a sibling");
            total = combine(left, total);
        }
        self.totals.push(total);
    }

    /// Runs of these totals, the first one first, which are as many as the two positions say.
    pub(crate) fn of_totals(begin: u64, end: u64, totals: impl IntoIterator<Item = A>) -> Self {
        let mut runs = Self::new(begin);
        for total in totals {
            runs.push(first_level(runs.end, end), total, |_, _| unreachable!("the longest runs"));
        }
        debug_assert_eq!(runs.end, end);
        runs
    }

    /// Adds the elements that follow.
    pub(crate) fn append(&mut self, next: &Self, combine: impl Fn(A, A) -> A) {
        assert_eq!(self.end, next.begin, "the parts are neighbours");
        for total in next.totals() {
            self.push(first_level(self.end, next.end), total.clone(), &combine);
        }
    }

    /// The runs' totals, the first one first.
    #[inline]
    pub(crate) fn totals(&self) -> &[A] {
        &self.totals
    }

    /// The result for all elements of a sequence, or `None` if there are none.
    #[inline]
    pub(crate) fn finish(&self, combine: impl Fn(A, A) -> A) -> Option<A> {
        assert_eq!(self.begin, 0, "a sequence begins at 0");
        // The longest run is the first.
        self.totals().iter().cloned().reduce(combine)
    }
}

/// The positions of a part's runs, the first one first.
pub(crate) fn positions(mut begin: u64, end: u64) -> impl Iterator<Item = Range<u64>> {
    std::iter::from_fn(move || {
        let run = (begin < end).then(|| begin..begin + (1 << first_level(begin, end)))?;
        begin = run.end;
        Some(run)
    })
}

/// The level of the first run of a part that is not empty.
#[inline]
pub(crate) fn first_level(begin: u64, end: u64) -> u32 {
    begin.trailing_zeros().min((end - begin).ilog2())
}

/// The level of the last run of a part that is not empty.
#[inline]
fn last_level(begin: u64, end: u64) -> u32 {
    end.trailing_zeros().min((end - begin).ilog2())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::definition;
    use proptest::prelude::*;

    /// Neither associative nor commutative: the result tells what was combined with what.
    fn combine(left: u64, right: u64) -> u64 {
        let mixed = left.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23) ^ right;
        mixed.wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ mixed >> 29
    }

    fn items(len: usize) -> Vec<u64> {
        (1..=len as u64).map(|number| combine(number, 0)).collect()
    }

    /// The runs of the items within, which come one by one.
    fn part(items: &[u64], within: Range<usize>) -> Runs<u64> {
        let mut runs = Runs::new(within.start as u64);
        for &item in &items[within] {
            runs.push(0, item, combine);
        }
        runs
    }

    #[test]
    fn the_longest_runs_that_fit() {
        let items = items(70);
        for begin in 0..=70 {
            for end in begin..=70 {
                let mut wanted = Vec::new();
                let mut rest = begin..end;
                while !rest.is_empty() {
                    let is_within = |&level: &u32| {
                        rest.start % (1 << level) == 0 && rest.start + (1 << level) <= rest.end
                    };
                    let level = (0..8).rev().find(is_within).expect("one is");
                    let index = rest.start >> level;
                    wanted.push(definition::run_total(&items, level, index, &combine));
                    rest.start += 1 << level;
                }
                assert_eq!(part(&items, begin..end).totals(), wanted, "{begin}..{end}");
            }
        }
    }

    #[test]
    fn every_cut_into_three() {
        let items = items(40);
        for len in 0..=40 {
            let wanted = definition::total(&items[..len], combine);
            for cut in 0..=len {
                for other in cut..=len {
                    let [a, b, c] =
                        [0..cut, cut..other, other..len].map(|part_of| part(&items, part_of));
                    let [mut from_left, mut of_right] = [a.clone(), b.clone()];
                    from_left.append(&b, combine);
                    from_left.append(&c, combine);
                    of_right.append(&c, combine);
                    let mut from_right = a;
                    from_right.append(&of_right, combine);
                    for runs in [from_left, from_right] {
                        assert_eq!(runs.finish(combine), wanted, "{len} cut at {cut}, {other}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_most_runs_there_can_be() {
        let mut runs = Runs::new(1);
        // One element less than the longest run to its right, and to its left.
        for level in (0..MAX_LEN.ilog2() - 1).chain((0..MAX_LEN.ilog2() - 1).rev()) {
            runs.push(level, u64::from(level), |_, _| panic!("no siblings"));
        }
        assert_eq!((runs.end(), runs.totals().len()), (MAX_LEN - 1, MAX_RUNS - 2));
    }

    proptest! {
        #[test]
        fn runs_of_any_length(begin in 0..3000usize, levels in prop::collection::vec(0..12u32, 0..60)) {
            let mut runs = Runs::new(begin as u64);
            let mut end = begin;
            let items = items(begin + 60 * 4096);
            for level in levels {
                let level = level.min(end.trailing_zeros());
                let total = definition::run_total(&items, level, end >> level, &combine);
                runs.push(level, total, combine);
                end += 1 << level;
            }
            let one_by_one = part(&items, begin..end);
            prop_assert_eq!(runs.totals(), one_by_one.totals());
            let mut whole = part(&items, 0..begin);
            whole.append(&runs, combine);
            prop_assert_eq!(whole.finish(combine), definition::total(&items[..end], combine));
        }
    }
}
