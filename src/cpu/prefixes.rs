//! The totals before each place of a sequence, in the order of [`crate::order`].

use crate::order::MAX_LEN;

/// Levels of the runs that a place of a sequence falls into.
const LEVELS: usize = MAX_LEN.ilog2() as usize + 1;

/// The total of all elements before a place that moves on: a binary counter of runs, each with the total before it.
///
/// Where two siblings merge, the total before both of them is known, so a step takes one combination more than it merges.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prefixes<A> {
    position: u64,
    total: A,
    /// The total of a run, and that of all before it, for each level whose bit of the position is set.
    runs: [(A, A); LEVELS],
}

impl<A: Copy> Prefixes<A> {
    /// No elements, after a `total` that has no sibling.
    pub(super) fn new(total: A) -> Self {
        Self { position: 0, total, runs: [(total, total); LEVELS] }
    }

    /// How many elements there were.
    pub(super) fn position(&self) -> u64 {
        self.position
    }

    /// Of all elements so far.
    pub(super) fn total(&self) -> A {
        self.total
    }

    /// Goes on by `2^level` elements, which are a run.
    #[inline]
    pub(super) fn push(&mut self, level: u32, mut run: A, combine: impl Fn(A, A) -> A) {
        debug_assert!(self.position.trailing_zeros() >= level, "2^{level} at {}", self.position);
        let mut before = self.total;
        let mut at = level as usize;
        while self.position >> at & 1 == 1 {
            let (left, before_left) = self.runs[at];
            run = combine(left, run);
            before = before_left;
            at += 1;
        }
        self.runs[at] = (run, before);
        self.total = combine(before, run);
        self.position += 1 << level;
    }
}
