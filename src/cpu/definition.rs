//! The order of [`crate::order`] as it is defined, for tests to compare with.

/// S(n) of the items, or `None` of none.
pub(crate) fn total<A: Clone>(items: &[A], combine: impl Fn(A, A) -> A) -> Option<A> {
    totals(items, &combine).into_iter().reduce(combine)
}

/// S(n) of the items with a value before them all.
pub(crate) fn total_from<A: Clone>(initial: A, items: &[A], combine: impl Fn(A, A) -> A) -> A {
    totals(items, &combine).into_iter().fold(initial, combine)
}

/// Of the runs that n falls into, the longest first.
fn totals<A: Clone>(items: &[A], combine: &impl Fn(A, A) -> A) -> Vec<A> {
    let n = items.len();
    let mut begin = 0;
    let mut totals = Vec::new();
    for level in (0..usize::BITS).rev().filter(|level| n >> level & 1 == 1) {
        totals.push(run_total(items, level, begin >> level, combine));
        begin += 1 << level;
    }
    totals
}

/// R(level, index) of the items.
pub(crate) fn run_total<A: Clone>(
    items: &[A],
    level: u32,
    index: usize,
    combine: &impl Fn(A, A) -> A,
) -> A {
    if level == 0 {
        return items[index].clone();
    }
    let half = |index| run_total(items, level - 1, index, combine);
    combine(half(2 * index), half(2 * index + 1))
}
