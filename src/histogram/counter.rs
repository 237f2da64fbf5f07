//! Histograms on a device: [`Histogram`].

use crate::{
    bins::{BinCount, Binned, Bins},
    device::{
        buffer::{self, AnySlice, GpuSlice},
        context::Context,
        error_scope,
        extent::{Extent, WORD_BYTES},
        pool::Memory,
        readback::{Readback, Source, Staging, submit_alone},
    },
    dispatch::{
        plan::Plan,
        prepared::{Output, Prepared},
        recording::{Part, Recording, Resources},
    },
    error::{Error, HistogramError, PrepareError},
    histogram::{plan::HistogramPlan, planner::HistogramProblem},
    reduce::{
        counted::{Counted, recorded},
        inputs::Input,
    },
};
use std::{borrow::Cow, marker::PhantomData};

/// Counts elements of type `T` bin by bin, on the device of a [`Context`], as [`Bins`] say.
///
/// Counts are the same on every device and on the CPU, because elements and edges are compared as integers. Elements lie in one slice or in several, also
/// with strides, and may be more than a binding spans. Options are taken by value. A histogram holds no GPU object of its own.
///
/// ```no_run
/// # fn example(context: &gridfold::Context, values: gridfold::wgpu::Buffer) -> Result<(), gridfold::Error> {
/// use gridfold::{Bins, Histogram};
///
/// let bins = Bins::even(256, 0.0..=1.0)?;
/// let counts: Vec<u64> = Histogram::<f32>::new(context).count_blocking(&values, &bins)?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[doc(alias("DeviceHistogram", "numpy.histogram"))]
pub struct Histogram<T> {
    context: Context,
    label: Cow<'static, str>,
    element: PhantomData<fn(T)>,
}

impl<T: Binned> Histogram<T> {
    /// For the device of `context`.
    pub fn new(context: &Context) -> Self {
        let label = Cow::Borrowed("gridfold histogram");
        Self { context: context.clone(), label, element: PhantomData }
    }

    /// The label of passes and buffers, for debuggers.
    #[must_use]
    pub fn label(self, label: impl Into<Cow<'static, str>>) -> Self {
        Self { label: label.into(), ..self }
    }

    /// The context that the histogram was made from.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// The plan for an input, its bins and an output, without allocating anything on the device.
    ///
    /// # Errors
    ///
    /// As [`Histogram::prepare`].
    pub fn plan<C: BinCount>(
        &self,
        input: impl Into<Input<T>>,
        bins: &Bins,
        output: &GpuSlice<C>,
    ) -> Result<Plan, PrepareError> {
        Ok(self.validate(&input.into(), bins, output, false)?.plan.into())
    }

    /// Allocates everything that counting the elements of `input` to the first items of `output` takes: memory for the edges. Submits
    /// nothing, waits for nothing.
    ///
    /// Input and output need `wgpu::BufferUsages::STORAGE`. Counts are `u32`s or `u64`s. Of an output that is longer than there are bins the rest
    /// stays as it is.
    ///
    /// # Errors
    ///
    /// [`PrepareError::Histogram`] if the output shares a buffer with the elements, or counts are `u32`s of 2^32 elements or more;
    /// [`PrepareError::ShortOutput`] if there is no room for a count of each bin, [`PrepareError::StridedOutput`],
    /// [`PrepareError::BindingTooSmall`] if counts or edges take more than a binding, and others as of a reduction. Nothing of the caller's
    /// is changed then.
    pub fn prepare<C: BinCount>(
        &self,
        input: impl Into<Counted<T>>,
        bins: &Bins,
        output: &GpuSlice<C>,
    ) -> Result<Prepared<Vec<C>>, PrepareError> {
        let (plan, recording, output) =
            self.prepare_in(&input.into(), bins, output, false, Memory::Own)?;
        error_scope::ensure_not_lost(self.context.device(), "a histogram")?;
        let output = vec![output.any().clone()];
        let output = Output::new(&self.context, output, bytemuck::pod_collect_to_vec);
        Ok(Prepared { plan: plan.into(), recording, output })
    }

    /// [`Histogram::prepare`] and [`Prepared::record`] in one: allocates, and appends to the caller's encoder. Submits nothing,
    /// waits for nothing.
    ///
    /// # Errors
    ///
    /// As [`Histogram::prepare`]; nothing was recorded then.
    pub fn record<C: BinCount>(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        input: impl Into<Counted<T>>,
        bins: &Bins,
        output: &GpuSlice<C>,
    ) -> Result<(), PrepareError> {
        let (_, recording, _) =
            self.prepare_in(&input.into(), bins, output, false, Memory::Pooled)?;
        error_scope::ensure_not_lost(self.context.device(), &self.label)?;
        recording.record(encoder, None);
        Ok(())
    }

    /// Appends to the caller's encoder what writes which bin each element is in: its number, from 0, and `u32::MAX` where it is in none. They are
    /// [`Segments::groups`](crate::Segments::groups) of other elements: so values are reduced bin by bin. Submits nothing, waits for nothing.
    ///
    /// # Errors
    ///
    /// As [`Histogram::prepare`]; nothing was recorded then.
    #[doc(alias("digitize"))]
    pub fn record_numbers(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        input: impl Into<Counted<T>>,
        bins: &Bins,
        output: &GpuSlice<u32>,
    ) -> Result<(), PrepareError> {
        let (_, recording, _) =
            self.prepare_in(&input.into(), bins, output, true, Memory::Pooled)?;
        error_scope::ensure_not_lost(self.context.device(), &self.label)?;
        recording.record(encoder, None);
        Ok(())
    }

    /// The plan of [`Histogram::record_numbers`].
    pub(crate) fn plan_numbers(
        &self,
        input: impl Into<Input<T>>,
        bins: &Bins,
        output: &GpuSlice<u32>,
    ) -> Result<Plan, PrepareError> {
        Ok(self.validate(&input.into(), bins, output, true)?.plan.into())
    }

    /// The same, submitted; completes when the device is done.
    pub(crate) fn submit_numbers(
        &self,
        input: impl Into<Counted<T>>,
        bins: &Bins,
        output: &GpuSlice<u32>,
    ) -> Result<(Readback<()>, wgpu::SubmissionIndex), PrepareError> {
        submit_alone(&self.context, &self.label, |encoder| {
            self.record_numbers(encoder, input, bins, output)
        })
    }

    /// How many elements each bin has: allocates, submits, and completes when the device is done, under any executor.
    ///
    /// # Errors
    ///
    /// [`Error::Prepare`] before anything is submitted, [`Error::Read`] after.
    pub async fn count(
        &self,
        input: impl Into<Counted<T>>,
        bins: &Bins,
    ) -> Result<Vec<u64>, Error> {
        let (readback, _) = self.submit(&input.into(), bins)?;
        Ok(readback.await?)
    }

    /// [`Histogram::count`], blocking.
    ///
    /// # Errors
    ///
    /// As [`Histogram::count`].
    #[cfg(not(target_arch = "wasm32"))]
    pub fn count_blocking(
        &self,
        input: impl Into<Counted<T>>,
        bins: &Bins,
    ) -> Result<Vec<u64>, Error> {
        let (readback, submission) = self.submit(&input.into(), bins)?;
        Ok(readback.wait_submitted(submission)?)
    }

    fn submit(
        &self,
        input: &Counted<T>,
        bins: &Bins,
    ) -> Result<(Readback<Vec<u64>>, wgpu::SubmissionIndex), PrepareError> {
        let context = &self.context;
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
        let size_bytes = size_of::<u64>() as u64 * bins.len();
        let buffer =
            buffer::create(context.device(), &self.label, size_bytes.next_multiple_of(16), usage)?;
        let output = GpuSlice::<u64>::new(&buffer, 0, bins.len())?;
        let (_, recording, _) = self.prepare_in(input, bins, &output, false, Memory::Pooled)?;
        let staging = Staging::allocate(context, size_bytes)?;
        let mut encoder = context.create_encoder(&self.label)?;
        recording.record(&mut encoder, None);
        let source = Source { buffer: &buffer, offset_bytes: 0, size_bytes };
        let readback =
            staging.record(context, &mut encoder, &[source], bytemuck::pod_collect_to_vec);
        Ok((readback, context.submit(encoder)?))
    }

    fn prepare_in<C: BinCount>(
        &self,
        Counted { input, count }: &Counted<T>,
        bins: &Bins,
        output: &GpuSlice<C>,
        is_of_numbers: bool,
        memory: Memory,
    ) -> Result<(HistogramPlan, Recording, GpuSlice<C>), PrepareError> {
        let Validated { plan, output, offset_bytes, size_bytes } =
            self.validate(input, bins, output, is_of_numbers)?;
        count.as_ref().map_or(Ok(()), |count| count.check(output.any()))?;
        let (context, label) = (&self.context, self.label.clone());
        let edges = match plan.edge_words.is_empty() {
            true => None,
            false => Some(buffer::create_filled(
                context.device(),
                &label,
                plan.edge_bytes(),
                wgpu::BufferUsages::STORAGE,
                bytemuck::cast_slice(&plan.edge_words),
            )?),
        };
        let resources = Resources {
            left: &input.slices().iter().map(AnySlice::buffer).collect::<Vec<_>>(),
            right: &edges.iter().collect::<Vec<_>>(),
            third: &[],
            scratch: None,
            accumulator: None,
            result: Some(Part { buffer: output.buffer(), offset_bytes, size_bytes }),
        };
        let counted = (plan.len, count.as_ref());
        let recording = recorded(context, label, &plan.dispatches, counted, resources, memory)?;
        Ok((plan, recording, output))
    }

    fn validate<C: BinCount>(
        &self,
        input: &Input<T>,
        bins: &Bins,
        output: &GpuSlice<C>,
        is_of_numbers: bool,
    ) -> Result<Validated<C>, PrepareError> {
        let usage = wgpu::BufferUsages::STORAGE;
        input.slices().iter().try_for_each(|slice| slice.require_usage("input", usage))?;
        if output.is_strided() {
            return Err(PrepareError::StridedOutput);
        }
        output.require_usage("output", usage)?;
        let needed = if is_of_numbers { input.len() } else { bins.len() };
        let Ok(output) = output.slice(0..needed) else {
            return Err(PrepareError::ShortOutput { len: output.len(), needed });
        };
        let mut filled = input.slices().iter().filter(|slice| !slice.is_empty());
        if filled.any(|slice| slice.buffer() == output.buffer()) {
            return Err(HistogramError::Aliasing.into());
        }
        let capabilities = self.context.capabilities();
        let begin = output.offset_bytes();
        let head_bytes = begin % capabilities.binding_alignment_bytes.max(WORD_BYTES);
        let slices: Vec<Extent> = input.slices().iter().map(AnySlice::extent).collect();
        let problem = HistogramProblem {
            element: T::TYPE,
            slices: &slices,
            bins,
            is_of_numbers,
            count_words: C::WORDS,
            result_index: u32::try_from(head_bytes / WORD_BYTES).expect("alignments are small"),
        };
        Ok(Validated {
            plan: HistogramPlan::new(problem, capabilities)?,
            offset_bytes: begin - head_bytes,
            size_bytes: head_bytes + output.bytes().end - begin,
            output,
        })
    }
}

/// What can be done.
struct Validated<C> {
    plan: HistogramPlan,
    /// As many counts as there are bins.
    output: GpuSlice<C>,
    /// What is bound of its buffer.
    offset_bytes: u64,
    size_bytes: u64,
}
