//! Results of parts of a sequence, which merge to the result of all of it: [`Partial`].
//!
//! It may depend on `cpu`, `algebra`, `exact`, `order` and on errors.

mod bytes;

pub use bytes::DecodePartialError;

use crate::{
    algebra::{
        element::Element, exact_total::ExactTotal, float_environment, operator::Operator,
        precision::Precision,
    },
    cpu::{self, Before, runs::Runs},
    error::{PartialError, PrepareError},
    order::MAX_LEN,
};
use std::{fmt, marker::PhantomData, ops::Range};

/// The total of a part of a sequence, before anything is rounded that the rest of the sequence has a say in.
///
/// Parts of neighbours [`merge`](Self::merge), in any grouping, and what all parts come to has the bits of a reduction of the
/// whole sequence in one piece, wherever it was cut, and whichever devices, threads or machines have reduced the parts. So a part is
/// what a rank of a cluster sends, what a checkpoint stores, and what remains of each GPU's work.
///
/// Executors make them ([`Executor::reduce_part`](crate::Executor::reduce_part)), and reducers
/// ([`Reducer::reduce_part`](crate::Reducer::reduce_part)). A part knows its place: the position of its first element in the whole
/// sequence, from 0 on.
///
/// ```
/// use gridfold::{Executor, Partial, Sum};
///
/// let values: Vec<f32> = (0..1000).map(|i| 1.0 / (1 + i) as f32).collect();
/// let (here, there) = values.split_at(377);
/// let executor = Executor::cpu();
/// let first: Partial<f32, Sum> = executor.reduce_part(here, 0)?;
/// let second: Partial<f32, Sum> = executor.reduce_part(there, 377)?;
///
/// // As bytes, from another machine.
/// let second = Partial::from_bytes(&second.to_bytes())?;
/// let whole = first.merge(&second)?;
/// assert_eq!(whole.finish()?.to_bits(), executor.sum(&values)?.to_bits());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # What it holds
///
/// Of an operator that rounds: the totals of the longest runs of the fixed order ([`crate::order`]) that the part falls into, at most
/// 80 of them. Of one that does not round: one accumulator. Of [`Precision::Exact`] results: the accumulator that does not round.
#[derive(Clone)]
pub struct Partial<T: Element, Op: Operator<T>> {
    held: Held<Op::Acc>,
    element: PhantomData<fn(T) -> Op>,
}

#[derive(Clone, Debug)]
enum Held<A> {
    /// In any order.
    Total { range: Range<u64>, total: A },
    /// In the fixed order.
    Runs(Box<Runs<A>>),
    /// Without rounding.
    Exact { range: Range<u64>, total: ExactTotal },
}

impl<T: Element, Op: Operator<T>> Partial<T, Op> {
    fn of(held: Held<Op::Acc>) -> Self {
        Self { held, element: PhantomData }
    }

    /// Of the elements of `slices`, of which the first is at position `first`: on the CPU.
    ///
    /// # Errors
    ///
    /// [`PrepareError::Imprecise`] if there are no results of the precision, [`PrepareError::TooLong`] if positions are beyond 2^40.
    pub(crate) fn on_cpu(
        precision: Precision,
        slices: &[&[T]],
        first: u64,
    ) -> Result<Self, PrepareError> {
        let len: u64 = slices.iter().map(|slice| slice.len() as u64).sum();
        let range = first..end_of(first, len)?;
        Ok(Self::of(if cpu::is_exact::<T, Op>(precision) {
            Held::Exact { range, total: cpu::exact_total::<T, Op>(precision, slices)? }
        } else if Op::SPEC.order_free {
            let total = cpu::total::<T, Op>(slices);
            // What no elements come to is nowhere.
            let total = if range.is_empty() { total } else { Op::moved(total, first) };
            Held::Total { range, total }
        } else {
            Held::Runs(Box::new(cpu::part::<T, Op>(slices, first)))
        }))
    }

    /// Of no elements, at position `first`.
    ///
    /// # Errors
    ///
    /// As [`Partial::on_cpu`].
    pub(crate) fn empty(precision: Precision, first: u64) -> Result<Self, PrepareError> {
        Self::on_cpu(precision, &[], first)
    }

    /// Of an order-free operator.
    pub(crate) fn of_total(range: Range<u64>, total: Op::Acc) -> Self {
        Self::of(Held::Total { range, total })
    }

    /// Of the totals of all runs of a range.
    pub(crate) fn of_runs(range: Range<u64>, totals: &[Op::Acc]) -> Self {
        let runs = Runs::of_totals(range.start, range.end, totals, Op::identity());
        Self::of(Held::Runs(Box::new(runs)))
    }

    /// Of an accumulator that does not round.
    pub(crate) fn of_exact(range: Range<u64>, total: ExactTotal) -> Self {
        Self::of(Held::Exact { range, total })
    }

    /// The positions of the part's elements in the whole sequence.
    pub fn range(&self) -> Range<u64> {
        match &self.held {
            Held::Total { range, .. } | Held::Exact { range, .. } => range.clone(),
            Held::Runs(runs) => runs.begin()..runs.end(),
        }
    }

    /// How many elements the part has.
    pub fn len(&self) -> u64 {
        let range = self.range();
        range.end - range.start
    }

    /// Whether the part has no elements. Such a part has a place, too.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The promise of [`Partial::finish`]. It is [`Precision::Exact`] also for operators that do not round.
    pub fn precision(&self) -> Precision {
        match self.held {
            Held::Runs(_) => Precision::Reproducible,
            Held::Total { .. } | Held::Exact { .. } => Precision::Exact,
        }
    }

    /// This part and the one that follows it. Both stay as they are.
    ///
    /// # Errors
    ///
    /// [`PartialError::Gap`] or [`PartialError::Overlap`] if `next` does not begin where this part ends;
    /// [`PartialError::Precisions`] if one is exact, and the other is not.
    pub fn merge(&self, next: &Self) -> Result<Self, PartialError> {
        let (here, there) = (self.range(), next.range());
        let (end, first) = (here.end, there.start);
        match end.cmp(&first) {
            std::cmp::Ordering::Less => return Err(PartialError::Gap { end, first }),
            std::cmp::Ordering::Greater => return Err(PartialError::Overlap { end, first }),
            std::cmp::Ordering::Equal => {}
        }
        let range = here.start..there.end;
        Ok(Self::of(match (&self.held, &next.held) {
            (Held::Total { total, .. }, Held::Total { total: next, .. }) => {
                Held::Total { range, total: combine::<T, Op>()(*total, *next) }
            }
            (Held::Runs(runs), Held::Runs(next)) => {
                let mut runs = runs.clone();
                runs.append(next, combine::<T, Op>());
                Held::Runs(runs)
            }
            (Held::Exact { total, .. }, Held::Exact { total: next, .. }) => {
                let mut total = total.clone();
                total.merge(next);
                Held::Exact { range, total }
            }
            _ => return Err(PartialError::Precisions),
        }))
    }

    /// Merges all parts. They may come in any order: they are first put in the order of their places.
    ///
    /// # Errors
    ///
    /// As [`Partial::merge`], and [`PartialError::None`] if there are no parts.
    pub fn merge_all(parts: impl IntoIterator<Item = Self>) -> Result<Self, PartialError> {
        let mut parts: Vec<Self> = parts.into_iter().collect();
        // An empty part comes before the one that begins at its place.
        parts.sort_by_key(|part| (part.range().start, part.range().end));
        let mut parts = parts.into_iter();
        let first = parts.next().ok_or(PartialError::None)?;
        parts.try_fold(first, |merged, next| merged.merge(&next))
    }

    /// What a scan goes on from that begins where the part ends.
    ///
    /// # Errors
    ///
    /// [`PartialError::NotFirst`] if elements before the part are missing; [`PartialError::Precisions`] if it is exact, and scans round.
    pub(crate) fn before(&self) -> Result<Before<'_, Op::Acc>, PartialError> {
        match &self.held {
            _ if self.range().start != 0 => {
                Err(PartialError::NotFirst { first: self.range().start })
            }
            Held::Total { range, total } => Ok(Before::Total { total: *total, len: range.end }),
            Held::Runs(runs) => Ok(Before::Runs(runs)),
            Held::Exact { .. } => Err(PartialError::Precisions),
        }
    }

    /// The result of the whole sequence, which the part has to begin with: the bits of a reduction in one piece.
    ///
    /// # Errors
    ///
    /// [`PartialError::NotFirst`] if elements before the part are missing.
    pub fn finish(&self) -> Result<Op::Value, PartialError> {
        let range = self.range();
        if range.start != 0 {
            return Err(PartialError::NotFirst { first: range.start });
        }
        let len = range.end;
        let out = match &self.held {
            Held::Total { total, .. } => Op::finish(*total, len),
            Held::Runs(runs) => {
                let total = runs.finish(combine::<T, Op>());
                Op::finish(total.unwrap_or(Op::identity()), len)
            }
            Held::Exact { total, .. } => Op::exact_finish(total),
        };
        Ok(Op::value(out, len))
    }
}

/// The position after `len` elements from `first` on.
pub(crate) fn end_of(first: u64, len: u64) -> Result<u64, PrepareError> {
    let end = first.saturating_add(len);
    if end > MAX_LEN { Err(PrepareError::TooLong { len: end }) } else { Ok(end) }
}

/// By floats, where the thread's environment is the default.
fn combine<T: Element, Op: Operator<T>>() -> fn(Op::Acc, Op::Acc) -> Op::Acc {
    if float_environment::is_default() { Op::combine } else { Op::combine_in_integers }
}

impl<T: Element, Op: Operator<T>> fmt::Debug for Partial<T, Op> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Partial")
            .field("operator", &Op::SPEC)
            .field("range", &self.range())
            .field("precision", &self.precision())
            .finish_non_exhaustive()
    }
}

/// Parts are equal if their bytes are.
impl<T: Element, Op: Operator<T>> PartialEq for Partial<T, Op> {
    fn eq(&self, other: &Self) -> bool {
        self.to_bytes() == other.to_bytes()
    }
}

#[cfg(test)]
mod tests;
