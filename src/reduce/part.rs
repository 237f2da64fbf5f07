//! Reductions of parts of a sequence on a device.

use crate::{
    algebra::{
        element::Element,
        exact_total::ExactTotal,
        operator::{ExactSpec, Operator},
        precision::Precision,
    },
    cpu::{fold::Fold, runs, table::fold_of},
    device::{
        buffer::AnySlice,
        extent::WORD_BYTES,
        pool::Memory,
        readback::{Readback, Source, Staging},
    },
    error::{Error, PrepareError, ReadError},
    partial::{AnyPartial, Partial, end_of},
    reduce::{
        any_reducer::{AnyReducer, Settings},
        inputs::{AnyInput, Input, any_parts, total_len},
        reducer::Reducer,
        work::Destination,
    },
    way::Strategy,
    wgsl::kernel::Stored,
};
use std::ops::Range;

/// A part on its way to the host.
type Submitted = (Readback<Option<AnyPartial>>, wgpu::SubmissionIndex);

impl<T: Element, Op: Operator<T>> Reducer<T, Op> {
    /// Reduces a part of a longer sequence, whose first element has position `first` there: allocates, submits, and completes when the
    /// device is done, under any executor. The [`Partial`] merges with those of the other parts, wherever they were made.
    ///
    /// If the operator rounds, the device reduces each of the part's runs ([`crate::order`]). There are at most 80, and the longest ones have
    /// nearly all elements. [`Precision::Unordered`] has parts as [`Precision::Reproducible`] has, and the strategy is not asked for.
    ///
    /// # Errors
    ///
    /// [`Error::Prepare`] before anything is submitted: [`PrepareError::TooLong`] also of positions beyond 2^40, and
    /// [`PrepareError::NoExactPart`] of exact parts of `f64`s, which the CPU makes, [`PrepareError::NoMappedPart`] of expressions, and
    /// [`PrepareError::Unsupported`] of users' own operators. [`Error::Read`] after.
    pub async fn reduce_part(
        &self,
        input: impl Into<Input<T>>,
        first: u64,
    ) -> Result<Partial<T, Op>, Error> {
        let (fold, input) = (self.fold()?, input.into().into_slices());
        Ok(Partial::of(match self.any().submit_part(fold, &input, first)? {
            Ok(empty) => empty,
            Err((readback, _)) => readback.await?.ok_or_else(no_total)?,
        }))
    }

    /// [`Reducer::reduce_part`], blocking.
    ///
    /// # Errors
    ///
    /// As [`Reducer::reduce_part`].
    #[cfg(not(target_arch = "wasm32"))]
    pub fn reduce_part_blocking(
        &self,
        input: impl Into<Input<T>>,
        first: u64,
    ) -> Result<Partial<T, Op>, Error> {
        let input = input.into().into_slices();
        Ok(Partial::of(self.any().part_blocking(self.fold()?, &input, first)?))
    }

    fn fold(&self) -> Result<&'static dyn Fold, PrepareError> {
        match self.any().is_mapped() {
            true => Err(PrepareError::NoMappedPart { operator: self.any().of_type().operator }),
            false => fold_of::<T, Op>(self.operator()),
        }
    }
}

impl AnyReducer {
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn part_blocking(
        &self,
        fold: &'static dyn Fold,
        input: &[AnySlice],
        first: u64,
    ) -> Result<AnyPartial, Error> {
        Ok(match self.submit_part(fold, input, first)? {
            Ok(empty) => empty,
            Err((readback, submission)) => {
                readback.wait_submitted(submission)?.ok_or_else(no_total)?
            }
        })
    }

    /// Submits the part, or returns it at once if there are no elements.
    fn submit_part(
        &self,
        fold: &'static dyn Fold,
        input: &[AnySlice],
        first: u64,
    ) -> Result<Result<AnyPartial, Submitted>, PrepareError> {
        let precision = if self.is_exact() { Precision::Exact } else { Precision::Reproducible };
        let (spec, len) = (fold.spec(), total_len(input));
        if len == 0 {
            return AnyPartial::empty(fold, precision, first).map(Ok);
        }
        let part = first..end_of(first, len)?;
        let exact = spec.exact.filter(|_| self.is_exact());
        let totals: Vec<Range<u64>> = match exact.is_some() || spec.order_free {
            true => vec![part.clone()],
            false => runs::positions(part.start, part.end).collect(),
        };
        let words = match exact {
            None => spec.acc_words() as usize,
            Some(ExactSpec { kind, kernels: Some(kernels), .. })
                if kernels.terms.store_files().is_some() =>
            {
                kind.bytes() / 4
            }
            // The digits stay where they are, or there are none.
            Some(_) => {
                let (operator, element) = (spec.operator, spec.element);
                return Err(PrepareError::NoExactPart { operator, element });
            }
        };
        let settings = Settings { precision, strategy: Strategy::Auto, ..self.settings.clone() };
        let any = Self { settings, ..self.clone() };
        let context = self.context();
        let total_bytes = 4 * words as u64;
        let output = context.pool().output(total_bytes * totals.len() as u64)?;
        let works = totals.iter().enumerate().map(|(index, run)| {
            let own = any_parts(input, run.start - first..run.end - first);
            let left = own.map(|(slice, part)| slice.slice(part)).collect::<Result<_, _>>()?;
            let inputs = AnyInput { left, ..AnyInput::default() };
            let offset_bytes = index as u64 * total_bytes;
            let stored = AnySlice::new(&output, WORD_BYTES, offset_bytes, words as u64)?;
            let plan = any.validate(&inputs, &stored, words as u64, Stored::Accumulator)?;
            let destination =
                Destination { buffer: &output, offset_bytes, size_bytes: total_bytes };
            any.prepare_work(plan, &inputs, destination, Memory::Pooled)
        });
        let works = works.collect::<Result<Vec<_>, PrepareError>>()?;
        let size_bytes = total_bytes * totals.len() as u64;
        let staging = Staging::allocate_own(context, size_bytes)?;
        let mut encoder = context.create_encoder(any.label_text())?;
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                label: Some(any.label_text()),
                timestamp_writes: None,
            });
            works.iter().for_each(|work| work.recording.record_in(&mut pass));
        }
        let source = Source { buffer: &output, offset_bytes: 0, size_bytes };
        let decode = move |bytes: &[u8]| {
            if let Some(exact) = exact {
                let total = ExactTotal::from_bytes(exact.kind, bytes).ok()?;
                return Some(AnyPartial::of_exact(fold, part, total));
            }
            let all: Vec<u32> = bytemuck::pod_collect_to_vec(bytes);
            let totals = all.chunks_exact(words).map(|words| fold.read(words));
            let totals = totals.collect::<Option<Vec<_>>>()?;
            let moved = |total| if spec.order_free { fold.moved(total, part.start) } else { total };
            Some(AnyPartial::of_totals(fold, part.clone(), totals.into_iter().map(moved)))
        };
        let readback = staging.record(context, &mut encoder, &[source], decode);
        Ok(Err((readback, context.submit(encoder)?)))
    }
}

/// The error for words that no kernel writes.
fn no_total() -> ReadError {
    ReadError::Map("the device has written no accumulator".to_owned())
}
