//! Reductions of parts of a sequence on a device.

use crate::{
    algebra::{
        acc_words::AccWords,
        element::Element,
        exact_total::ExactTotal,
        operator::{ExactSpec, Operator},
        precision::Precision,
    },
    cpu::runs,
    device::{
        buffer::GpuSlice,
        pool::Memory,
        readback::{Readback, Source, Staging},
    },
    error::{Error, PrepareError, ReadError},
    partial::{Partial, end_of},
    reduce::{
        inputs::{Input, Inputs},
        reducer::Reducer,
        work::Destination,
    },
    way::Strategy,
    wgsl::kernel::Stored,
};
use std::ops::Range;

/// A part on its way to the host.
type Submitted<T, Op> = (Readback<Option<Partial<T, Op>>>, wgpu::SubmissionIndex);

impl<T: Element, Op: Operator<T>> Reducer<T, Op> {
    /// Reduces a part of a longer sequence, whose first element has position `first` there: allocates, submits, and completes when the
    /// device is done, under any executor. The [`Partial`] merges with those of the other parts, wherever they were made.
    ///
    /// Of an operator that rounds the device reduces each of the part's runs ([`crate::order`]), at most 80, of which the longest have
    /// nearly all elements. [`Precision::Unordered`] has parts as [`Precision::Reproducible`] has, and the strategy is not asked for.
    ///
    /// # Errors
    ///
    /// [`Error::Prepare`] before anything is submitted: [`PrepareError::TooLong`] also of positions beyond 2^40, and
    /// [`PrepareError::NoExactPart`] of exact parts of `f64`s, which the CPU makes, and [`PrepareError::NoMappedPart`] of a
    /// [`Reducer::map`]. [`Error::Read`] after.
    pub async fn reduce_part(
        &self,
        input: impl Into<Input<T>>,
        first: u64,
    ) -> Result<Partial<T, Op>, Error> {
        let input = input.into();
        if input.is_empty() {
            return Ok(Partial::empty(self.part_precision(), first)?);
        }
        let (readback, _) = self.submit_part(&input, first)?;
        let partial: Option<_> = readback.await?;
        Ok(partial.ok_or_else(no_total)?)
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
        let input = input.into();
        if input.is_empty() {
            return Ok(Partial::empty(self.part_precision(), first)?);
        }
        let (readback, submission) = self.submit_part(&input, first)?;
        let partial: Option<_> = readback.wait_submitted(submission)?;
        Ok(partial.ok_or_else(no_total)?)
    }

    fn part_precision(&self) -> Precision {
        if self.any().is_exact() { Precision::Exact } else { Precision::Reproducible }
    }

    fn submit_part(&self, input: &Input<T>, first: u64) -> Result<Submitted<T, Op>, PrepareError> {
        if self.any().is_mapped() {
            return Err(PrepareError::NoMappedPart { operator: Op::SPEC.operator });
        }
        let part = first..end_of(first, input.len())?;
        let exact = Op::SPEC.exact.filter(|_| self.any().is_exact());
        let totals: Vec<Range<u64>> = match exact.is_some() || Op::SPEC.order_free {
            true => vec![part.clone()],
            false => runs::positions(part.start, part.end).collect(),
        };
        let words = match exact {
            None => Op::Acc::WORDS,
            Some(ExactSpec { kind, kernels: Some(kernels), .. })
                if kernels.terms.store_files().is_some() =>
            {
                kind.bytes() / 4
            }
            // The digits stay where they are, or there are none.
            Some(_) => {
                let (operator, element) = (Op::SPEC.operator, T::TYPE);
                return Err(PrepareError::NoExactPart { operator, element });
            }
        };
        let reducer = self.clone().precision(self.part_precision()).strategy(Strategy::Auto);
        let any = reducer.any();
        let context = self.context();
        let total_bytes = 4 * words as u64;
        let output = context.pool().output(total_bytes * totals.len() as u64)?;
        let works = totals.iter().enumerate().map(|(index, run)| {
            let inputs = Inputs::from(input.part(run.start - first..run.end - first)?);
            let offset_bytes = index as u64 * total_bytes;
            let stored = GpuSlice::<u32>::new(&output, offset_bytes, words as u64)?;
            let plan = any.validate(&inputs, stored.any(), words as u64, Stored::Accumulator)?;
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
                return Some(Partial::of_exact(part, total));
            }
            let words: Vec<u32> = bytemuck::pod_collect_to_vec(bytes);
            let totals = words.chunks_exact(Op::Acc::WORDS).map(Op::Acc::read);
            let totals: Vec<Op::Acc> = totals.collect::<Option<_>>()?;
            Some(match Op::SPEC.order_free {
                true => {
                    let total = Op::moved(totals[0], part.start);
                    Partial::of_total(part, total)
                }
                false => Partial::of_runs(part, &totals),
            })
        };
        let readback = staging.record(context, &mut encoder, &[source], decode);
        Ok((readback, context.submit(encoder)?))
    }
}

/// What no kernel writes.
fn no_total() -> ReadError {
    ReadError::Map("the device has written no accumulator".to_owned())
}
