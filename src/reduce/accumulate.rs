//! Exact accumulators made on a device: read back, or left there.

use crate::{
    algebra::{
        accumulator::{ExactAccumulator, ExactOperator},
        operator::{Items, Operator},
        precision::Precision,
    },
    device::{
        buffer::GpuSlice,
        context::Context,
        pool::Memory,
        readback::{Readback, Source, Staging},
    },
    error::{Error, PrepareError},
    reduce::{
        inputs::{AnyInput, Input},
        plan::Plan,
        reducer::Reducer,
        work::{Destination, Work},
    },
    way::Strategy,
    wgsl::kernel::Stored,
};
use std::marker::PhantomData;

/// Exact accumulators, before they are rounded. The reducer's precision and strategy do not matter here.
impl<I: Items<Element = f32>, Op: ExactOperator + Operator<I>> Reducer<I, Op> {
    pub(crate) fn prepare_accumulator_of(
        &self,
        inputs: &AnyInput,
        output: &GpuSlice<u32>,
        memory: Memory,
    ) -> Result<PreparedAccumulator<Op>, PrepareError> {
        let words = Op::Accumulator::WORDS as u64;
        let exact = self.clone().precision(Precision::Exact).strategy(Strategy::Auto);
        let plan = exact.any().validate(inputs, output.any(), words, Stored::Accumulator)?;
        let destination = Destination {
            buffer: output.buffer(),
            offset_bytes: output.offset_bytes(),
            size_bytes: 4 * words,
        };
        let work = self.any().prepare_work(plan, inputs, destination, memory)?;
        let context = self.context().clone();
        Ok(PreparedAccumulator { context, work, output: output.clone(), operator: PhantomData })
    }

    fn submit_accumulator(
        &self,
        inputs: &AnyInput,
    ) -> Result<(Readback<Op::Accumulator>, wgpu::SubmissionIndex), PrepareError> {
        let output = self.context().pool().output(Op::Accumulator::WORDS as u64 * 4)?;
        let prepared =
            self.prepare_accumulator_of(inputs, &GpuSlice::whole(&output), Memory::Pooled)?;
        let mut encoder = self.context().create_encoder(self.any().label_text())?;
        let readback = prepared.record_readback(&mut encoder)?;
        Ok((readback, self.context().submit(encoder)?))
    }

    /// Allocates everything that adding up `inputs`, or their products, into the first words of `output` takes. Submits nothing, waits
    /// for nothing.
    ///
    /// The words are those of the accumulator's `to_bytes`, little-endian: 13 of an [`crate::ExactSum`], 23
    /// of an [`crate::ExactDot`], 33 of [`crate::ExactMoments`].
    ///
    /// # Errors
    ///
    /// [`PrepareError`]; nothing of the caller's is changed then.
    pub fn prepare_accumulator(
        &self,
        inputs: impl Into<Input<I>>,
        output: &GpuSlice<u32>,
    ) -> Result<PreparedAccumulator<Op>, PrepareError> {
        self.prepare_accumulator_of(&inputs.into().into_any(), output, Memory::Own)
    }

    /// Adds up `inputs`, or their products, to an accumulator on the host. Elements that a predicate leaves out are zeros in it: its `len` counts
    /// them, but where NaNs are left out it counts neither. Allocates, submits, and completes when the device is done,
    /// under any executor. Dropping the future loses the accumulator and nothing else.
    ///
    /// # Errors
    ///
    /// [`Error::Prepare`] before anything is submitted, [`Error::Read`] after.
    pub async fn accumulate(&self, inputs: impl Into<Input<I>>) -> Result<Op::Accumulator, Error> {
        let (readback, _) = self.submit_accumulator(&inputs.into().into_any())?;
        Ok(readback.await?)
    }

    /// [`Reducer::accumulate`], blocking.
    ///
    /// # Errors
    ///
    /// As [`Reducer::accumulate`].
    #[cfg(not(target_arch = "wasm32"))]
    pub fn accumulate_blocking(
        &self,
        inputs: impl Into<Input<I>>,
    ) -> Result<Op::Accumulator, Error> {
        let (readback, submission) = self.submit_accumulator(&inputs.into().into_any())?;
        Ok(readback.wait_submitted(submission)?)
    }
}

/// An accumulator in the making, with everything allocated: record it as often as you like.
#[derive(Debug)]
pub struct PreparedAccumulator<Op> {
    context: Context,
    work: Work,
    output: GpuSlice<u32>,
    operator: PhantomData<fn() -> Op>,
}

impl<Op: ExactOperator> PreparedAccumulator<Op> {
    /// Appends the pass to `encoder`. Creates no GPU object.
    pub fn record(&self, encoder: &mut wgpu::CommandEncoder) {
        self.work.recording.record(encoder, None);
    }

    /// [`PreparedAccumulator::record`], with timestamps around the pass.
    pub fn record_timed(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        timestamp_writes: wgpu::ComputePassTimestampWrites<'_>,
    ) {
        self.work.recording.record(encoder, Some(timestamp_writes));
    }

    /// [`PreparedAccumulator::record`], and the accumulator's way to the host. Allocates a small buffer. The
    /// output needs `wgpu::BufferUsages::COPY_SRC`. The readback resolves after the caller's submit.
    ///
    /// # Errors
    ///
    /// [`PrepareError`]; nothing was recorded then.
    pub fn record_readback(
        &self,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Result<Readback<Op::Accumulator>, PrepareError> {
        self.output.require_usage("output", wgpu::BufferUsages::COPY_SRC)?;
        let size_bytes = Op::Accumulator::WORDS as u64 * 4;
        let staging = Staging::allocate(&self.context, size_bytes)?;
        self.record(encoder);
        let source = Source {
            buffer: self.output.buffer(),
            offset_bytes: self.output.offset_bytes(),
            size_bytes,
        };
        let decode = |bytes: &[u8]| {
            Op::Accumulator::from_words(&bytemuck::pod_collect_to_vec::<u8, u32>(bytes))
        };
        Ok(staging.record(&self.context, encoder, &[source], decode))
    }

    /// The plan.
    pub fn plan(&self) -> &Plan {
        &self.work.plan
    }

    pub(crate) fn into_work(self) -> Work {
        self.work
    }

    /// Where the accumulator is written.
    pub fn output(&self) -> &GpuSlice<u32> {
        &self.output
    }
}
