//! Operators that are no [`Operator`](crate::Operator)s: users' own.

use super::runs::Runs;

/// The total of slices as one sequence, in the order of [`crate::order`].
pub(crate) fn total_by<T: Copy, A: Copy>(
    slices: &[&[T]],
    identity: A,
    lift: &impl Fn(T) -> A,
    combine: &impl Fn(A, A) -> A,
) -> A {
    let mut runs = Runs::new(0, identity);
    for &element in slices.iter().copied().flatten() {
        runs.push(0, lift(element), combine);
    }
    runs.finish(combine).unwrap_or(identity)
}
