//! The dot product: exact, of two inputs.

use crate::{
    algebra::{
        operator::{AnyOperator, OperatorType, sealed},
        statistics::ExactOperator,
    },
    device::{
        buffer::{GpuSlice, Input, Inputs},
        pool::Memory,
        readback::Readback,
    },
    dispatch::shader::ExactOutput,
    error::{Error, PrepareError},
    exact::{ExactDot, LengthMismatch},
    reduce::{
        accumulate::PreparedAccumulator,
        plan::Plan,
        reducer::{Prepared, Reducer, Reduction},
    },
};

/// The dot product: the sum of the products of the elements at the same places of two inputs, which are not rounded;
/// rounded once. A NaN, 0 · ∞, or infinite products of both signs give 0x7fc00000. Of nothing: 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Dot;

impl sealed::Sealed for Dot {}

impl AnyOperator<f32> for Dot {
    const TYPE: OperatorType = OperatorType::Dot;
    type Value = f32;
    fn value(result: f32, _len: u64) -> f32 {
        result
    }
}

impl ExactOperator for Dot {
    type Accumulator = ExactDot;
}

impl From<LengthMismatch> for PrepareError {
    fn from(LengthMismatch { left, right }: LengthMismatch) -> Self {
        Self::LengthMismatch { left: left as u64, right: right as u64 }
    }
}

/// Reductions of two inputs. Each may have several slices, cut in any way, and they may have slices of the same buffer.
/// Together they have as many elements on the left as on the right: else every call fails with
/// [`PrepareError::LengthMismatch`].
///
/// The result is [`crate::Precision::Exact`] whatever is asked for.
impl Reducer<f32, Dot> {
    /// The plan for two inputs, without allocating anything.
    ///
    /// # Errors
    ///
    /// [`PrepareError`], if the inputs can't be reduced.
    pub fn plan(
        &self,
        left: impl Into<Input<f32>>,
        right: impl Into<Input<f32>>,
    ) -> Result<Plan, PrepareError> {
        self.plan_inputs(&Inputs::pairs(left, right), (0, false), ExactOutput::Value)
    }

    /// Allocates everything that the dot product of `left` and `right`, into the first element of `output`, takes.
    /// Submits nothing, waits for nothing.
    ///
    /// All need `wgpu::BufferUsages::STORAGE`, and `output` may lie in a buffer that is also an input.
    ///
    /// # Errors
    ///
    /// [`PrepareError`]; nothing of the caller's is changed then.
    pub fn prepare(
        &self,
        left: impl Into<Input<f32>>,
        right: impl Into<Input<f32>>,
        output: &GpuSlice<f32>,
    ) -> Result<Prepared<f32, Dot>, PrepareError> {
        self.prepare_inputs(&Inputs::pairs(left, right), output, Memory::Own)
    }

    /// `prepare` and [`Prepared::record`] in one: allocates, and appends to the caller's encoder. Submits nothing, waits
    /// for nothing.
    ///
    /// # Errors
    ///
    /// [`PrepareError`]; nothing was recorded then.
    pub fn record(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        left: impl Into<Input<f32>>,
        right: impl Into<Input<f32>>,
        output: &GpuSlice<f32>,
    ) -> Result<(), PrepareError> {
        self.prepare(left, right, output)?.record(encoder);
        Ok(())
    }

    /// Records the reduction and the result's way to the host into the caller's encoder. Allocates; submits nothing,
    /// waits for nothing. The readback resolves after the caller's submit.
    ///
    /// # Errors
    ///
    /// [`PrepareError`]; nothing was recorded then.
    pub fn record_readback(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        left: impl Into<Input<f32>>,
        right: impl Into<Input<f32>>,
    ) -> Result<Readback<f32>, PrepareError> {
        self.prepare_own_output(&Inputs::pairs(left, right), Memory::Pooled)?
            .record_readback(encoder)
    }

    /// The dot product on the host: allocates, submits, and completes when the device is done, under any executor.
    /// Dropping the future loses the value and nothing else.
    ///
    /// # Errors
    ///
    /// [`Error::Prepare`] before anything is submitted, [`Error::Read`] after.
    pub async fn reduce(
        &self,
        left: impl Into<Input<f32>>,
        right: impl Into<Input<f32>>,
    ) -> Result<f32, Error> {
        let (readback, _) = self.submit(&Inputs::pairs(left, right))?;
        Ok(readback.await?)
    }

    /// `reduce`, blocking.
    ///
    /// # Errors
    ///
    /// As `reduce`.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn reduce_blocking(
        &self,
        left: impl Into<Input<f32>>,
        right: impl Into<Input<f32>>,
    ) -> Result<f32, Error> {
        let (readback, submission) = self.submit(&Inputs::pairs(left, right))?;
        Ok(readback.wait_submitted(submission)?)
    }

    /// `reduce` with the plan and the device time.
    ///
    /// # Errors
    ///
    /// As `reduce`.
    pub async fn measure(
        &self,
        left: impl Into<Input<f32>>,
        right: impl Into<Input<f32>>,
    ) -> Result<Reduction<f32>, Error> {
        let (readback, _, plan) = self.submit_timed(&Inputs::pairs(left, right))?;
        Ok(self.reduction(readback.await?, &plan))
    }

    /// `measure`, blocking.
    ///
    /// # Errors
    ///
    /// As `reduce`.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn measure_blocking(
        &self,
        left: impl Into<Input<f32>>,
        right: impl Into<Input<f32>>,
    ) -> Result<Reduction<f32>, Error> {
        let (readback, submission, plan) = self.submit_timed(&Inputs::pairs(left, right))?;
        Ok(self.reduction(readback.wait_submitted(submission)?, &plan))
    }

    /// Allocates everything that adding up the products of `left` and `right` into the first words of `output` takes.
    /// Submits nothing, waits for nothing.
    ///
    /// The words are the 23 of [`ExactDot::to_bytes`], little-endian.
    ///
    /// # Errors
    ///
    /// [`PrepareError`]; nothing of the caller's is changed then.
    pub fn prepare_accumulator(
        &self,
        left: impl Into<Input<f32>>,
        right: impl Into<Input<f32>>,
        output: &GpuSlice<u32>,
    ) -> Result<PreparedAccumulator<Dot>, PrepareError> {
        self.prepare_accumulator_of(&Inputs::pairs(left, right), output)
    }

    /// Adds up the products of `left` and `right` to an accumulator on the host: allocates, submits, and completes when
    /// the device is done, under any executor. Dropping the future loses the accumulator and nothing else.
    ///
    /// # Errors
    ///
    /// [`Error::Prepare`] before anything is submitted, [`Error::Read`] after.
    pub async fn accumulate(
        &self,
        left: impl Into<Input<f32>>,
        right: impl Into<Input<f32>>,
    ) -> Result<ExactDot, Error> {
        let (readback, _) = self.submit_accumulator(&Inputs::pairs(left, right))?;
        Ok(readback.await?)
    }

    /// `accumulate`, blocking.
    ///
    /// # Errors
    ///
    /// As `accumulate`.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn accumulate_blocking(
        &self,
        left: impl Into<Input<f32>>,
        right: impl Into<Input<f32>>,
    ) -> Result<ExactDot, Error> {
        let (readback, submission) = self.submit_accumulator(&Inputs::pairs(left, right))?;
        Ok(readback.wait_submitted(submission)?)
    }
}
