//! Parts of a sequence: of slices, of arrays, and of what comes piece by piece.

use crate::{
    algebra::{
        element::Element,
        operator::{Operator, OperatorSpec},
        precision::Precision,
    },
    cpu::{self, fold::Fold, table::fold_of},
    custom::any_operator::AnyOperator,
    device::capabilities::AdapterName,
    error::Error,
    executor::{
        Executor,
        array::{Array, any_slices, upload_items},
    },
    partial::{AnyPartial, Partial, end_of},
};
use std::mem;

/// Bytes that go to a GPU at a time, and that a [`PartStream`] collects: a power of two.
const CHUNK_BYTES: u64 = 64 << 20;

impl Executor {
    /// Reduces a part of a longer sequence, of which `values` are the elements from position `first` on, where
    /// [`Executor::host_slices`] says. The [`Partial`] merges with those of the other parts.
    ///
    /// Parts that round are [`Precision::Reproducible`](crate::Precision::Reproducible), also if the executor's precision is
    /// [`Precision::Unordered`](crate::Precision::Unordered). Exact parts of `f64`s the CPU makes, also for an executor on a GPU.
    ///
    /// ```
    /// use gridfold::{Executor, Min, Partial};
    ///
    /// let executor = Executor::auto();
    /// let left = executor.reduce_part(&[5i32, 2, 7], 0, Min)?;
    /// let right = executor.reduce_part(&[4, 3], 3, Min)?;
    /// assert_eq!(left.merge(&right)?.finish()?, Some(2));
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Executor::reduce`], and [`PrepareError::TooLong`](crate::PrepareError::TooLong) of positions beyond 2^40.
    pub fn reduce_part<T: Element, Op: Operator<T>>(
        &self,
        values: &[T],
        first: u64,
        op: Op,
    ) -> Result<Partial<T, Op>, Error> {
        Ok(Partial::of(
            self.part_by(fold_of::<T, Op>(&op)?, bytemuck::cast_slice(values), first)?.0,
        ))
    }

    /// The part, and who has made it.
    pub(super) fn part_by(
        &self,
        fold: &'static dyn Fold,
        values: &[u8],
        first: u64,
    ) -> Result<(AnyPartial, AdapterName), Error> {
        let item_bytes = fold.spec().element.size_bytes();
        let len = values.len() as u64 / item_bytes;
        let end = end_of(first, len)?;
        let device = self.device_for(fold.spec(), len);
        let Some(context) = device.filter(|_| is_made_on_devices(fold.spec(), self.precision))
        else {
            let mut copy = Vec::new();
            let values = cpu::aligned(fold.spec().element, values, &mut copy)?;
            let part = AnyPartial::on_cpu(fold, self.precision, &[[values, &[]]], first)?;
            return Ok((part, AdapterName::cpu()));
        };
        // Cut where long runs end, so that nearly all of a chunk is one.
        let chunk_items = CHUNK_BYTES / item_bytes;
        let reducer = self.any_reducer(context, &AnyOperator::Listed(fold));
        let mut merged = AnyPartial::empty(fold, self.precision, first)?;
        let mut rest = values;
        while !rest.is_empty() {
            let begin = merged.range().end;
            let chunk_end = end.min((begin / chunk_items + 1) * chunk_items);
            let (chunk, later) = rest.split_at(host_len((chunk_end - begin) * item_bytes));
            let slices = upload_items(context, chunk, item_bytes)?;
            merged = merged.merge(&reducer.part_blocking(fold, &slices, begin)?)?;
            rest = later;
        }
        Ok((merged, context.adapter().clone()))
    }

    /// Reduces elements that come piece by piece, of which the number need not be known: push pieces, and finish.
    ///
    /// ```
    /// use gridfold::{Executor, Sum};
    ///
    /// let mut sum = Executor::auto().stream::<f32, _>(Sum)?;
    /// for piece in [[1.0, 2.0], [3.5, 4.0]] {
    ///     sum.push(&piece)?;
    /// }
    /// assert_eq!(sum.finish()?, 10.5);
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`PrepareError::Imprecise`](crate::PrepareError::Imprecise) if there are no results of the executor's precision.
    pub fn stream<T: Element, Op: Operator<T>>(&self, op: Op) -> Result<PartStream<T, Op>, Error> {
        Ok(self.resume(Partial::empty(op, self.precision, 0)?))
    }

    /// Goes on where a part ends, such as a checkpoint of [`PartStream::checkpoint`], with the precision that it has.
    pub fn resume<T: Element, Op: Operator<T>>(&self, part: Partial<T, Op>) -> PartStream<T, Op> {
        let executor = self.clone().precision(part.precision());
        PartStream { executor, merged: part, pending: Vec::new() }
    }
}

impl<T: Element> Array<T> {
    /// Reduces the elements as a part of a longer sequence, in which the first of them has position `first`. For exact parts of `f64`s the
    /// elements come to the CPU.
    ///
    /// # Errors
    ///
    /// As [`Executor::reduce_part`].
    pub fn reduce_part<Op: Operator<T>>(
        &self,
        first: u64,
        op: Op,
    ) -> Result<Partial<T, Op>, Error> {
        Ok(Partial::of(self.part_by(fold_of::<T, Op>(&op)?, first)?.0))
    }

    /// The part, and who has made it.
    pub(super) fn part_by(
        &self,
        fold: &'static dyn Fold,
        first: u64,
    ) -> Result<(AnyPartial, AdapterName), Error> {
        let precision = self.result_precision();
        let on_cpu = |elements: &[T]| {
            let part = AnyPartial::on_cpu(fold, precision, &[cpu::input(elements)], first)?;
            Ok((part, AdapterName::cpu()))
        };
        match self.on_gpu() {
            None => self.on_cpu(on_cpu),
            Some(_) if !is_made_on_devices(fold.spec(), precision) => on_cpu(&self.download()?),
            Some((context, slices)) => {
                let reducer = self.any_reducer(context, &AnyOperator::Listed(fold));
                let part = reducer.part_blocking(fold, &any_slices(slices), first)?;
                Ok((part, context.adapter().clone()))
            }
        }
    }
}

/// Whether devices make parts of the operator: the digits of exact sums of `f64`s stay where they are.
fn is_made_on_devices(spec: &OperatorSpec, precision: Precision) -> bool {
    !cpu::is_exact(spec, precision)
        || spec.exact_kernels().is_some_and(|kernels| kernels.terms.store_files().is_some())
}

/// A reduction of elements that come piece by piece, to the bits of one piece: [`Executor::stream`].
///
/// It collects up to 64 MiB before it reduces them.
#[derive(Debug)]
pub struct PartStream<T: Element, Op: Operator<T>> {
    executor: Executor,
    merged: Partial<T, Op>,
    /// What follows, not yet reduced.
    pending: Vec<T>,
}

impl<T: Element, Op: Operator<T>> PartStream<T, Op> {
    /// Adds the next elements.
    ///
    /// # Errors
    ///
    /// As [`Executor::reduce_part`]. Nothing is lost then: the stream still has what was pushed before, and not `elements`.
    pub fn push(&mut self, elements: &[T]) -> Result<(), Error> {
        let len = (self.pending.len() + elements.len()) as u64;
        if len * T::TYPE.size_bytes() < CHUNK_BYTES {
            end_of(self.merged.range().end, len)?;
            self.pending.extend_from_slice(elements);
            return Ok(());
        }
        self.reduce_pending()?;
        self.reduce_next(elements)
    }

    /// The part of all elements so far: store its bytes, and go on with [`Executor::resume`], on this machine or on another.
    ///
    /// # Errors
    ///
    /// As [`PartStream::push`].
    pub fn checkpoint(&mut self) -> Result<&Partial<T, Op>, Error> {
        self.reduce_pending()?;
        Ok(&self.merged)
    }

    /// The result of all elements.
    ///
    /// # Errors
    ///
    /// As [`PartStream::push`], and [`PartialError::NotFirst`](crate::PartialError::NotFirst) if the stream goes on from a part that
    /// does not begin at 0.
    pub fn finish(mut self) -> Result<Op::Value, Error> {
        Ok(self.checkpoint()?.finish()?)
    }

    /// The part that the elements are, for a stream that does not begin at 0.
    ///
    /// # Errors
    ///
    /// As [`PartStream::push`].
    pub fn into_part(mut self) -> Result<Partial<T, Op>, Error> {
        self.reduce_pending()?;
        Ok(self.merged)
    }

    fn reduce_pending(&mut self) -> Result<(), Error> {
        if !self.pending.is_empty() {
            let pending = mem::take(&mut self.pending);
            let reduced = self.reduce_next(&pending);
            // The memory stays for the next pieces.
            self.pending = pending;
            reduced?;
            self.pending.clear();
        }
        Ok(())
    }

    fn reduce_next(&mut self, elements: &[T]) -> Result<(), Error> {
        let (fold, first) = (self.merged.any().fold(), self.merged.range().end);
        let (part, _) = self.executor.part_by(fold, bytemuck::cast_slice(elements), first)?;
        self.merged = self.merged.merge(&Partial::of(part))?;
        Ok(())
    }
}

/// A number of elements of host memory.
fn host_len(len: u64) -> usize {
    usize::try_from(len).expect("slices of host memory have as many")
}
