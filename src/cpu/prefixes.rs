//! The totals before each place of a sequence, in the order of [`crate::order`].

/// The total of all elements before a place that moves on: a binary counter of runs, each with the total before it.
///
/// Where two siblings merge, the total before both of them is known, so a step takes one combination more than it merges.
#[derive(Clone, Debug)]
pub(crate) struct Prefixes<A, L = Vec<(A, A)>> {
    position: u64,
    total: A,
    /// The total of a run, and that of all before it, for each level whose bit of the position is set.
    runs: L,
}

/// Storage for a run of each level.
pub(crate) trait Levels<A>: AsRef<[(A, A)]> {
    fn set(&mut self, level: usize, run: (A, A));
}

/// Grows: for sequences of any length.
impl<A: Clone> Levels<A> for Vec<(A, A)> {
    fn set(&mut self, level: usize, run: (A, A)) {
        if self.len() <= level {
            self.resize(level + 1, run.clone());
        }
        self[level] = run;
    }
}

/// On the stack: for fewer than 2^LEVELS elements.
impl<A: Copy, const LEVELS: usize> Levels<A> for [(A, A); LEVELS] {
    #[inline]
    fn set(&mut self, level: usize, run: (A, A)) {
        self[level] = run;
    }
}

impl<A: Clone> Prefixes<A> {
    /// No elements, after a `total` that has no sibling.
    pub(super) fn new(total: A) -> Self {
        Self { position: 0, total, runs: Vec::new() }
    }

    /// Goes on by some elements, with which the total is another one, of an operator that has no order: it has no runs.
    pub(super) fn go_on(&mut self, items: usize, total: A) {
        self.position += items as u64;
        self.total = total;
    }
}

impl<A: Copy, const LEVELS: usize> Prefixes<A, [(A, A); LEVELS]> {
    /// The same, of less than 2^LEVELS elements.
    #[inline]
    pub(super) fn of_few(total: A) -> Self {
        Self { position: 0, total, runs: [(total, total); LEVELS] }
    }
}

impl<A: Clone, L: Levels<A>> Prefixes<A, L> {
    /// How many elements there were.
    #[inline]
    pub(super) fn position(&self) -> u64 {
        self.position
    }

    /// The total of all elements so far.
    #[inline]
    pub(super) fn total(&self) -> A {
        self.total.clone()
    }

    /// The last run's own total. There is one.
    pub(super) fn last_run(&self) -> A {
        self.runs.as_ref()[self.position.trailing_zeros() as usize].0.clone()
    }

    /// Goes on by `2^level` elements, which are a run.
    #[inline]
    pub(super) fn push(&mut self, level: u32, mut run: A, combine: impl Fn(A, A) -> A) {
        debug_assert!(self.position.trailing_zeros() >= level, "2^{level} at {}", self.position);
        let mut before = self.total.clone();
        let mut at = level as usize;
        while self.position >> at & 1 == 1 {
            let (left, before_left) = self.runs.as_ref()[at].clone();
            run = combine(left, run);
            before = before_left;
            at += 1;
        }
        self.total = combine(before.clone(), run.clone());
        self.runs.set(at, (run, before));
        self.position += 1 << level;
    }
}

/// Elements of a [`group`].
pub(super) const GROUP: usize = 64;

/// The total behind each element of a group, which is a run; `runs` has its lifted elements. The prefixes move to the group's end.
///
/// Neighbours' totals go up level by level, as a reduction's do. Then what is behind goes down again: behind a run is what is behind its right half, and behind
/// its left half the left half's total behind all that is before the run. These are loops of known lengths, which compilers make vector instructions of.
#[inline]
pub(super) fn group<A: Copy, L: Levels<A>>(
    prefixes: &mut Prefixes<A, L>,
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
