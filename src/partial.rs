//! Results of parts of a sequence, which merge to the result of all of it: [`Partial`].
//!
//! It may depend on `cpu`, `algebra`, `exact`, `order` and on errors.

mod bytes;

pub use bytes::DecodePartialError;

use crate::{
    algebra::{
        acc_words::Words,
        element::Element,
        exact_total::ExactTotal,
        operator::{Operator, OperatorSpec},
        precision::Precision,
    },
    cpu::{
        self, Before,
        fold::{Fold, Inputs},
        runs::Runs,
        table::fold_of,
    },
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
/// let first: Partial<f32, Sum> = executor.reduce_part(here, 0, Sum)?;
/// let second: Partial<f32, Sum> = executor.reduce_part(there, 377, Sum)?;
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
    any: AnyPartial,
    element: PhantomData<fn(T) -> Op>,
}

/// A part, whatever its operator and the type of elements.
#[derive(Clone)]
pub(crate) struct AnyPartial {
    fold: &'static dyn Fold,
    held: Held,
}

#[derive(Clone, Debug)]
enum Held {
    /// In any order.
    Total { range: Range<u64>, total: Words },
    /// In the fixed order.
    Runs(Box<Runs<Words>>),
    /// Without rounding.
    Exact { range: Range<u64>, total: ExactTotal },
}

impl AnyPartial {
    /// Reduces `slices` on the CPU. Their first element is at position `first`.
    ///
    /// # Errors
    ///
    /// [`PrepareError::Imprecise`] if there are no results of the precision, [`PrepareError::TooLong`] if positions are beyond 2^40.
    pub(crate) fn on_cpu(
        fold: &'static dyn Fold,
        precision: Precision,
        slices: &[Inputs<'_>],
        first: u64,
    ) -> Result<Self, PrepareError> {
        let range = first..end_of(first, cpu::len_of(fold, slices))?;
        let held = if cpu::is_exact(fold.spec(), precision) {
            let parts = &mut |add: &mut dyn FnMut(Inputs<'_>)| {
                slices.iter().for_each(|&slice| add(slice));
            };
            Held::Exact { range, total: cpu::exact_total(fold, precision, parts)? }
        } else if fold.spec().order_free {
            let total = cpu::total(fold, slices);
            // The total of no elements has no place.
            let total = if range.is_empty() { total } else { fold.moved(total, first) };
            Held::Total { range, total }
        } else {
            Held::Runs(Box::new(cpu::part(fold, slices, first)))
        };
        Ok(Self { fold, held })
    }

    /// A part without elements, at position `first`.
    ///
    /// # Errors
    ///
    /// As [`AnyPartial::on_cpu`].
    pub(crate) fn empty(
        fold: &'static dyn Fold,
        precision: Precision,
        first: u64,
    ) -> Result<Self, PrepareError> {
        Self::on_cpu(fold, precision, &[], first)
    }

    /// A part of known totals: one in any order, or one for each run of the range.
    pub(crate) fn of_totals(
        fold: &'static dyn Fold,
        range: Range<u64>,
        mut totals: impl Iterator<Item = Words>,
    ) -> Self {
        let held = match fold.spec().order_free {
            true => Held::Total { range, total: totals.next().expect("there is one") },
            false => Held::Runs(Box::new(Runs::of_totals(range.start, range.end, totals))),
        };
        Self { fold, held }
    }

    /// A part whose total does not round.
    pub(crate) fn of_exact(fold: &'static dyn Fold, range: Range<u64>, total: ExactTotal) -> Self {
        Self { fold, held: Held::Exact { range, total } }
    }

    /// The operator.
    pub(crate) fn fold(&self) -> &'static dyn Fold {
        self.fold
    }

    /// A part of another operator, or of other elements, is none of this one.
    pub(crate) fn check_operator(&self, own: &OperatorSpec) -> Result<(), PartialError> {
        let other = self.fold.spec();
        match own == other {
            true => Ok(()),
            false => Err(PartialError::Operators {
                operator: own.operator,
                element: own.element,
                other: other.operator,
                other_element: other.element,
            }),
        }
    }

    /// As [`Partial::range`].
    pub(crate) fn range(&self) -> Range<u64> {
        match &self.held {
            Held::Total { range, .. } | Held::Exact { range, .. } => range.clone(),
            Held::Runs(runs) => runs.begin()..runs.end(),
        }
    }

    /// As [`Partial::precision`].
    pub(crate) fn precision(&self) -> Precision {
        match self.held {
            Held::Runs(_) => Precision::Reproducible,
            Held::Total { .. } | Held::Exact { .. } => Precision::Exact,
        }
    }

    /// As [`Partial::merge`].
    pub(crate) fn merge(&self, next: &Self) -> Result<Self, PartialError> {
        next.check_operator(self.fold.spec())?;
        let (here, there) = (self.range(), next.range());
        let (end, first) = (here.end, there.start);
        match end.cmp(&first) {
            std::cmp::Ordering::Less => return Err(PartialError::Gap { end, first }),
            std::cmp::Ordering::Greater => return Err(PartialError::Overlap { end, first }),
            std::cmp::Ordering::Equal => {}
        }
        let range = here.start..there.end;
        let combine = cpu::combine_here(self.fold);
        let held = match (&self.held, &next.held) {
            (Held::Total { total, .. }, Held::Total { total: next, .. }) => {
                Held::Total { range, total: combine(total.clone(), next.clone()) }
            }
            (Held::Runs(runs), Held::Runs(next)) => {
                let mut runs = runs.clone();
                runs.append(next, combine);
                Held::Runs(runs)
            }
            (Held::Exact { total, .. }, Held::Exact { total: next, .. }) => {
                let mut total = total.clone();
                total.merge(next);
                Held::Exact { range, total }
            }
            _ => return Err(PartialError::Precisions),
        };
        Ok(Self { held, ..*self })
    }

    /// As [`Partial::merge_all`].
    pub(crate) fn merge_all(mut parts: Vec<Self>) -> Result<Self, PartialError> {
        // An empty part comes before the one that begins at its place.
        parts.sort_by_key(|part| (part.range().start, part.range().end));
        let mut parts = parts.into_iter();
        let first = parts.next().ok_or(PartialError::None)?;
        parts.try_fold(first, |merged, next| merged.merge(&next))
    }

    /// The beginning of a scan that starts where the part ends.
    ///
    /// # Errors
    ///
    /// [`PartialError::NotFirst`] if elements before the part are missing; [`PartialError::Precisions`] if it is exact, and scans round.
    pub(crate) fn before(&self) -> Result<Before<'_>, PartialError> {
        self.check_first()?;
        match &self.held {
            Held::Total { range, total } => {
                Ok(Before::Total { total: total.clone(), len: range.end })
            }
            Held::Runs(runs) => Ok(Before::Runs(runs)),
            Held::Exact { .. } => Err(PartialError::Precisions),
        }
    }

    /// As [`Partial::finish`], to words. Returns how many elements there are.
    pub(crate) fn finish(&self, out: &mut [u32]) -> Result<u64, PartialError> {
        self.check_first()?;
        let len = self.range().end;
        match &self.held {
            Held::Total { total, .. } => self.fold.finish(total, len, out),
            Held::Runs(runs) => self.fold.finish(&cpu::finish(self.fold, runs), len, out),
            Held::Exact { total, .. } => self.fold.exact_finish(total, out),
        }
        Ok(len)
    }

    fn check_first(&self) -> Result<(), PartialError> {
        match self.range().start {
            0 => Ok(()),
            first => Err(PartialError::NotFirst { first }),
        }
    }
}

impl<T: Element, Op: Operator<T>> Partial<T, Op> {
    /// Gives a part its types.
    pub(crate) fn of(any: AnyPartial) -> Self {
        Self { any, element: PhantomData }
    }

    /// Without types.
    pub(crate) fn any(&self) -> &AnyPartial {
        &self.any
    }

    /// A part without elements, at position `first`.
    ///
    /// # Errors
    ///
    /// As [`AnyPartial::on_cpu`].
    pub(crate) fn empty(op: Op, precision: Precision, first: u64) -> Result<Self, PrepareError> {
        Ok(Self::of(AnyPartial::empty(fold_of::<T, Op>(&op)?, precision, first)?))
    }

    /// The positions of the part's elements in the whole sequence.
    pub fn range(&self) -> Range<u64> {
        self.any.range()
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
        self.any.precision()
    }

    /// This part and the one that follows it. Both stay as they are.
    ///
    /// # Errors
    ///
    /// [`PartialError::Gap`] or [`PartialError::Overlap`] if `next` does not begin where this part ends;
    /// [`PartialError::Precisions`] if one is exact, and the other is not; [`PartialError::Operators`] if their operators have other options.
    pub fn merge(&self, next: &Self) -> Result<Self, PartialError> {
        Ok(Self::of(self.any.merge(&next.any)?))
    }

    /// Merges all parts. They may come in any order: they are first put in the order of their places.
    ///
    /// # Errors
    ///
    /// As [`Partial::merge`], and [`PartialError::None`] if there are no parts.
    pub fn merge_all(parts: impl IntoIterator<Item = Self>) -> Result<Self, PartialError> {
        Ok(Self::of(AnyPartial::merge_all(parts.into_iter().map(|part| part.any).collect())?))
    }

    /// The result of the whole sequence, which the part has to begin with: the bits of a reduction in one piece.
    ///
    /// # Errors
    ///
    /// [`PartialError::NotFirst`] if elements before the part are missing.
    pub fn finish(&self) -> Result<Op::Value, PartialError> {
        let mut out = bytemuck::Zeroable::zeroed();
        let len = self.any.finish(bytemuck::cast_slice_mut(std::slice::from_mut(&mut out)))?;
        Ok(Op::value(out, len))
    }
}

/// The position after `len` elements from `first` on.
pub(crate) fn end_of(first: u64, len: u64) -> Result<u64, PrepareError> {
    let end = first.saturating_add(len);
    if end > MAX_LEN { Err(PrepareError::TooLong { len: end }) } else { Ok(end) }
}

impl fmt::Debug for AnyPartial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Partial")
            .field("operator", self.fold.spec())
            .field("range", &self.range())
            .field("precision", &self.precision())
            .finish_non_exhaustive()
    }
}

impl<T: Element, Op: Operator<T>> fmt::Debug for Partial<T, Op> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.any.fmt(f)
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
