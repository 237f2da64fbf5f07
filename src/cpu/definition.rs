//! The order of [`crate::order`] as it is defined, for tests to compare with.

/// S(n) of the items, or `None` of none.
pub(crate) fn total<A: Copy>(items: &[A], combine: impl Fn(A, A) -> A) -> Option<A> {
    let n = items.len();
    let mut begin = 0;
    let mut totals = Vec::new();
    for level in (0..usize::BITS).rev().filter(|level| n >> level & 1 == 1) {
        totals.push(run_total(items, level, begin >> level, &combine));
        begin += 1 << level;
    }
    totals.into_iter().reduce(combine)
}

/// R(level, index) of the items.
pub(crate) fn run_total<A: Copy>(
    items: &[A],
    level: u32,
    index: usize,
    combine: &impl Fn(A, A) -> A,
) -> A {
    if level == 0 {
        return items[index];
    }
    let half = |index| run_total(items, level - 1, index, combine);
    combine(half(2 * index), half(2 * index + 1))
}
