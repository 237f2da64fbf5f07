//! Differences of neighbours on a device: [`Differencer`].

use crate::{
    algebra::{difference::DifferenceElement, element::Element},
    device::{
        buffer::AnySlice,
        context::Context,
        error_scope,
        pool::Memory,
        readback::{Readback, submit_alone},
    },
    difference::plan::{DifferencePlan, Problem},
    dispatch::{
        plan::Plan,
        prepared::{Output, Prepared},
        recording::{Part, Recording, Resources},
    },
    error::{Error, PrepareError},
    reduce::{
        counted::{Counted, recorded},
        inputs::Input,
    },
    scan::output,
    way::policy::Policy,
};
use std::{borrow::Cow, marker::PhantomData};

/// Writes the differences of neighbours, on the device of a [`Context`]: each element less the one before it. The first one is copied, so there
/// are as many as elements.
///
/// The output may be the input itself; else it has to be in other buffers. Both may have several slices, cut in any way, which are one
/// sequence. An inclusive scan by [`Sum`](struct@crate::Sum) of the differences of integers gives the integers back.
///
/// Integers wrap. A difference of floats is rounded as IEEE-754 says, subnormal numbers, infinities and the sign of zero included, and a NaN is the canonical
/// one, as in sums: so it has the same bits on every device and on the CPU. The first element is copied with its own bits. Options are taken by value. A
/// differencer holds no GPU object of its own.
///
/// ```no_run
/// # fn example(context: &gridfold::Context, offsets: gridfold::wgpu::Buffer, lengths: gridfold::wgpu::Buffer)
/// #     -> Result<(), gridfold::Error> {
/// use gridfold::Differencer;
///
/// Differencer::<u32>::new(context).adjacent_difference_blocking(&offsets, &lengths)?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[doc(alias("adjacent_difference", "DeviceAdjacentDifference", "diff"))]
pub struct Differencer<T> {
    context: Context,
    policy: Option<Policy>,
    label: Cow<'static, str>,
    element: PhantomData<fn(T) -> T>,
}

impl<T: DifferenceElement> Differencer<T> {
    /// For the device of `context`.
    pub fn new(context: &Context) -> Self {
        let label = Cow::Borrowed("gridfold differences");
        Self { context: context.clone(), policy: None, label, element: PhantomData }
    }

    /// How a pass is cut into workgroups. Results do not depend on it.
    #[must_use]
    pub fn policy(self, policy: Policy) -> Self {
        Self { policy: Some(policy), ..self }
    }

    /// The label of passes and buffers, for debuggers.
    #[must_use]
    pub fn label(self, label: impl Into<Cow<'static, str>>) -> Self {
        Self { label: label.into(), ..self }
    }

    /// The plan for an input and an output, without allocating anything.
    ///
    /// # Errors
    ///
    /// As [`Differencer::prepare`].
    pub fn plan(
        &self,
        input: impl Into<Input<T>>,
        output: impl Into<Input<T>>,
    ) -> Result<Plan, PrepareError> {
        Ok(self.validate(&input.into(), &output.into())?.0.into())
    }

    /// Allocates everything that the differences of `input`, written to `output`, take. Submits nothing, waits for nothing.
    ///
    /// All need `wgpu::BufferUsages::STORAGE`. Of an output that is longer than the input the rest stays as it is.
    ///
    /// # Errors
    ///
    /// [`PrepareError::ShortOutput`] if there is no room for all. [`PrepareError::ScanAliasing`] if an output slice lies in a buffer of the
    /// input, and the output is not the input itself; or if two output slices overlap. [`PrepareError::StridedOutput`], and others as of a
    /// reduction. Nothing of the caller's is changed then.
    pub fn prepare(
        &self,
        input: impl Into<Counted<T>>,
        output: impl Into<Input<T>>,
    ) -> Result<Prepared<Vec<T>>, PrepareError> {
        let (plan, recording, output) =
            self.prepare_in(&input.into(), &output.into(), Memory::Own)?;
        error_scope::ensure_not_lost(self.context.device(), "differences")?;
        let output = output.into_slices();
        let output = Output::new(&self.context, output, bytemuck::pod_collect_to_vec);
        Ok(Prepared { plan: plan.into(), recording, output })
    }

    /// [`Differencer::prepare`] and [`Prepared::record`] in one: allocates, and appends to the caller's encoder. Submits nothing, waits
    /// for nothing.
    ///
    /// # Errors
    ///
    /// As [`Differencer::prepare`]; nothing was recorded then.
    pub fn record(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        input: impl Into<Counted<T>>,
        output: impl Into<Input<T>>,
    ) -> Result<(), PrepareError> {
        let (_, recording, _) = self.prepare_in(&input.into(), &output.into(), Memory::Pooled)?;
        error_scope::ensure_not_lost(self.context.device(), &self.label)?;
        recording.record(encoder, None);
        Ok(())
    }

    /// Writes the differences of `input` to `output`: allocates, submits, and completes when the device is done, under any executor.
    ///
    /// # Errors
    ///
    /// [`Error::Prepare`] before anything is submitted, [`Error::Read`] after.
    pub async fn adjacent_difference(
        &self,
        input: impl Into<Counted<T>>,
        output: impl Into<Input<T>>,
    ) -> Result<(), Error> {
        let (readback, _) = self.submit(&input.into(), &output.into())?;
        Ok(readback.await?)
    }

    /// [`Differencer::adjacent_difference`], blocking.
    ///
    /// # Errors
    ///
    /// As [`Differencer::adjacent_difference`].
    #[cfg(not(target_arch = "wasm32"))]
    pub fn adjacent_difference_blocking(
        &self,
        input: impl Into<Counted<T>>,
        output: impl Into<Input<T>>,
    ) -> Result<(), Error> {
        let (readback, submission) = self.submit(&input.into(), &output.into())?;
        Ok(readback.wait_submitted(submission)?)
    }

    fn submit(
        &self,
        input: &Counted<T>,
        output: &Input<T>,
    ) -> Result<(Readback<()>, wgpu::SubmissionIndex), PrepareError> {
        let (_, recording, _) = self.prepare_in(input, output, Memory::Pooled)?;
        submit_alone(&self.context, &self.label, |encoder| {
            recording.record(encoder, None);
            Ok(())
        })
    }

    fn prepare_in(
        &self,
        Counted { input, count }: &Counted<T>,
        output: &Input<T>,
        memory: Memory,
    ) -> Result<(DifferencePlan, Recording, Input<T>), PrepareError> {
        let (plan, output) = self.validate(input, output)?;
        for slice in output.slices() {
            count.as_ref().map_or(Ok(()), |count| count.check(slice))?;
        }
        let (context, label) = (&self.context, self.label.clone());
        let size_bytes = plan.scratch_bytes();
        let scratch = context.pool().scratch(memory, &label, size_bytes, false)?;
        let resources = Resources {
            left: &input.slices().iter().map(AnySlice::buffer).collect::<Vec<_>>(),
            right: &output.slices().iter().map(AnySlice::buffer).collect::<Vec<_>>(),
            third: &[],
            scratch: Some(Part { buffer: &scratch, offset_bytes: 0, size_bytes }),
            accumulator: None,
            result: None,
        };
        let counted = (plan.len, count.as_ref());
        let recording = recorded(context, label, &plan.dispatches, counted, resources, memory)?;
        Ok((plan, recording, output))
    }

    /// The plan, and what is written of the output.
    fn validate(
        &self,
        input: &Input<T>,
        output: &Input<T>,
    ) -> Result<(DifferencePlan, Input<T>), PrepareError> {
        let (output, in_place) = output::check(input.slices(), output.slices())?;
        let output = Input::of(output);
        let problem = Problem {
            element: <T as Element>::TYPE,
            slices: input.slices().iter().map(AnySlice::extent).collect(),
            output_slices: output.slices().iter().map(AnySlice::extent).collect(),
            in_place,
            policy: self.policy,
        };
        Ok((DifferencePlan::new(&problem, self.context.capabilities())?, output))
    }
}
