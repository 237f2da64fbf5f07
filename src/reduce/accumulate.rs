//! Exact accumulators made on a device: read back, or left there.

use crate::{
    algebra::{
        accumulator::{ExactAccumulator, ExactOperator},
        operator::{Items, Operator},
        precision::Precision,
    },
    device::{
        buffer::{AnySlice, GpuSlice},
        extent::WORD_BYTES,
        pool::Memory,
        readback::Readback,
    },
    dispatch::prepared::{Output, Prepared},
    error::{Error, PrepareError},
    reduce::{
        inputs::{AnyInput, Input},
        reducer::Reducer,
        work::{Destination, Work},
    },
    way::Strategy,
    wgsl::kernel::Stored,
};

/// Exact accumulators, before they are rounded. The reducer's precision and strategy do not matter here.
impl<I: Items<Element = f32>, Op: ExactOperator + Operator<I>> Reducer<I, Op> {
    pub(crate) fn accumulator_work(
        &self,
        inputs: &AnyInput,
        output: &GpuSlice<u32>,
        memory: Memory,
    ) -> Result<Work, PrepareError> {
        let words = Op::Accumulator::WORDS as u64;
        let exact = self.clone().precision(Precision::Exact).strategy(Strategy::Auto);
        let plan = exact.any().validate(inputs, output.any(), words, Stored::Accumulator)?;
        let destination = Destination {
            buffer: output.buffer(),
            offset_bytes: output.offset_bytes(),
            size_bytes: 4 * words,
        };
        self.any().prepare_work(plan, inputs, destination, memory)
    }

    fn prepare_accumulator_of(
        &self,
        inputs: &AnyInput,
        output: &GpuSlice<u32>,
        memory: Memory,
    ) -> Result<Prepared<Op::Accumulator>, PrepareError> {
        let Work { plan, recording } = self.accumulator_work(inputs, output, memory)?;
        // One after another, whatever the slice's stride is.
        let count = Op::Accumulator::WORDS as u64;
        let words = AnySlice::new(output.buffer(), WORD_BYTES, output.offset_bytes(), count)?;
        let output = Output::new(self.context(), vec![words], |bytes| {
            Op::Accumulator::from_words(&bytemuck::pod_collect_to_vec::<u8, u32>(bytes))
        });
        Ok(Prepared { plan: plan.into(), recording, output })
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
    ) -> Result<Prepared<Op::Accumulator>, PrepareError> {
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
