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

    /// Goes on by some elements, with which the total is another one, of an operator that has no order: of such a one there are no runs.
    pub(super) fn go_on(&mut self, items: usize, total: A) {
        self.position += items as u64;
        self.total = total;
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

#[cfg(feature = "parallel")]
impl<A: Copy> Prefixes<A> {
    /// Goes on by runs of `2^level` elements. The total before each of them, and behind the last.
    pub(super) fn push_each(&mut self, level: u32, runs: &[A], combine: fn(A, A) -> A) -> Vec<A> {
        let mut totals = vec![self.total];
        for &run in runs {
            self.push(level, run, combine);
            totals.push(self.total);
        }
        totals
    }
}

/// Elements of a [`group`].
pub(super) const GROUP: usize = 64;

/// What is behind each element of a group, a run whose elements come to `runs` one by one. It goes on to the group's end.
///
/// Neighbours' totals go up level by level, as a reduction's do. Then what is behind goes down again: behind a run is what is behind its right half, and behind
/// its left half the left half's total behind all that is before the run. These are loops of known lengths, which compilers make vector instructions of.
#[inline]
pub(super) fn group<A: Copy>(
    prefixes: &mut Prefixes<A>,
    runs: &[A; GROUP],
    combine: impl Fn(A, A) -> A + Copy,
) -> [A; GROUP] {
    let before = prefixes.total();
    let twos: [A; 32] = halved(runs, combine);
    let fours: [A; 16] = halved(&twos, combine);
    let eights: [A; 8] = halved(&fours, combine);
    let sixteens: [A; 4] = halved(&eights, combine);
    let halves: [A; 2] = halved(&sixteens, combine);
    prefixes.push(GROUP.ilog2(), combine(halves[0], halves[1]), combine);
    let behind: [A; 2] = spread(before, &[prefixes.total()], &halves, combine);
    let behind: [A; 4] = spread(before, &behind, &sixteens, combine);
    let behind: [A; 8] = spread(before, &behind, &eights, combine);
    let behind: [A; 16] = spread(before, &behind, &fours, combine);
    let behind: [A; 32] = spread(before, &behind, &twos, combine);
    spread(before, &behind, runs, combine)
}

/// The totals of neighbours: `N` is twice `HALF`.
#[inline]
fn halved<A: Copy, const N: usize, const HALF: usize>(
    runs: &[A; N],
    combine: impl Fn(A, A) -> A,
) -> [A; HALF] {
    let mut totals = [runs[0]; HALF];
    for (total, &[left, right]) in totals.iter_mut().zip(runs.as_chunks().0) {
        *total = combine(left, right);
    }
    totals
}

/// What is behind each run, from what is before all of them, and behind each two.
#[inline]
fn spread<A: Copy, const N: usize, const HALF: usize>(
    before: A,
    behind_two: &[A; HALF],
    runs: &[A; N],
    combine: impl Fn(A, A) -> A,
) -> [A; N] {
    let mut behind = [before; N];
    behind[0] = combine(before, runs[0]);
    behind[1] = behind_two[0];
    for two in 1..HALF {
        behind[2 * two] = combine(behind_two[two - 1], runs[2 * two]);
        behind[2 * two + 1] = behind_two[two];
    }
    behind
}
