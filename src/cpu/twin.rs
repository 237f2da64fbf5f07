//! Operators that are no [`Operator`](crate::Operator)s: users' own.

use super::{prefixes::Prefixes, runs::Runs};
use crate::{algebra::scan::Scan, error::PrepareError, room::reserve};

/// The total in the order of [`crate::order`].
pub(crate) fn total_by<A: Clone>(
    items: impl IntoIterator<Item = A>,
    identity: A,
    combine: &impl Fn(A, A) -> A,
) -> A {
    let mut runs = Runs::new(0);
    for item in items {
        runs.push(0, item, combine);
    }
    runs.finish(combine).unwrap_or(identity)
}

/// An operator in Rust, whatever its accumulators are.
pub(crate) trait Twin<T, Out>: Send + Sync {
    /// The result of slices as one sequence, in the order of [`crate::order`].
    fn reduce(&self, slices: &[&[T]]) -> Out;

    /// The result of the totals of groups of `size` elements each, the last of which may have fewer.
    fn reduce_groups(&self, elements: &[T], size: usize) -> Out;

    /// A result for each element, in the same order.
    ///
    /// # Errors
    ///
    /// [`PrepareError::OutOfMemory`] if there is no room for the results.
    fn scan(&self, scan: Scan<T>, elements: &[T]) -> Result<Vec<Out>, PrepareError>;
}

/// An operator's functions.
pub(crate) struct TwinFunctions<A, Lift, Combine, Finish> {
    pub(crate) identity: A,
    pub(crate) lift: Lift,
    pub(crate) combine: Combine,
    pub(crate) finish: Finish,
}

impl<T, A, Out, Lift, Combine, Finish> Twin<T, Out> for TwinFunctions<A, Lift, Combine, Finish>
where
    T: Copy,
    A: Copy + Send + Sync,
    Lift: Fn(T) -> A + Send + Sync,
    Combine: Fn(A, A) -> A + Send + Sync,
    Finish: Fn(A) -> Out + Send + Sync,
{
    fn reduce(&self, slices: &[&[T]]) -> Out {
        let Self { identity, lift, combine, finish } = self;
        let items = slices.iter().copied().flatten().map(|&element| lift(element));
        finish(total_by(items, *identity, combine))
    }

    fn reduce_groups(&self, elements: &[T], size: usize) -> Out {
        let Self { identity, lift, combine, finish } = self;
        let total = |group: &[T]| total_by(group.iter().map(|&it| lift(it)), *identity, combine);
        finish(total_by(elements.chunks(size.max(1)).map(total), *identity, combine))
    }

    fn scan(&self, scan: Scan<T>, elements: &[T]) -> Result<Vec<Out>, PrepareError> {
        let Self { identity, lift, combine, finish } = self;
        let mut results = Vec::new();
        reserve(&mut results, elements.len(), "the results of a scan")?;
        let mut prefixes = Prefixes::new(scan.initial_value().map_or(*identity, lift));
        results.extend(elements.iter().map(|&element| {
            let before = prefixes.total();
            prefixes.push(0, lift(element), combine);
            finish(if scan.is_inclusive() { prefixes.total() } else { before })
        }));
        Ok(results)
    }
}
