//! Many reductions at once: [`Batch`].

use crate::{
    algebra::operator::{Items, Operator},
    batches::{
        jobs::Jobs,
        prepared_batch::PreparedBatch,
        short::{Home, Short},
        ticket::{Results, Ticket},
    },
    device::{
        buffer::{self, GpuSlice},
        context::Context,
        pool::Memory,
        readback::{Readback, Staging},
    },
    dispatch::recording::Part,
    error::{Error, PrepareError},
    reduce::{
        any_reducer::AnyReducer,
        inputs::{AnyInput, Input},
        reducer::Reducer,
        work::{Destination, Work},
    },
    wgsl::kernel::Stored,
};
use std::{
    borrow::Cow,
    sync::atomic::{AtomicU64, Ordering},
};

/// Many reductions, of different inputs, operators and lengths, in one pass, one submission and one readback: for a frame of a
/// game, or a step of a training. The bits of the results are those of the reductions one by one.
///
/// Reductions of one operator and type whose inputs lie in one buffer share two dispatches:
///
/// * There are two more if some inputs do not begin at a multiple of 16 bytes, and for elements of 64 bits two more if some begin at an odd multiple of 8.
/// * Exact results, inputs of several slices, and what a single binding of the buffer can't span have dispatches of their own.
///
/// The second dispatch folds partials, also if a reducer asks for a single pass.
///
/// **Many short inputs** become segments, as of a [`SegmentedReducer`](crate::SegmentedReducer): a workgroup has hundreds of them, where it would have
/// one. They take a dispatch for each hexadecimal digit of the longest input's length. There is one more for the whole batch if inputs were not added
/// one by one in the order in which they lie, or if they do not touch. It is done where all of this holds:
///
/// * The reductions have one operator, type and promise. Their reducers have no other options, operators or expressions of the user's. Of `Exact` ones
///   they are sums, means, sums of squares, norms or variances of `f32` or of narrower floats, or results that are exact anyway.
/// * The inputs lie in one buffer, in any order. They have no strides, and do not overlap. One binding spans them.
/// * They are 64 at least (4096 on GPUs, unless each would have dispatches of its own). None has more than 4096 elements, and the mean is 1024 at most.
/// * Between them there are no more elements than they have, or no more than 64 for each.
///
/// ```
/// # use gridfold::{Executor, Max, Reducer, Sum};
/// # let executor = Executor::auto();
/// # let Some(context) = executor.context() else { return Ok(()) };
/// let samples = executor.upload(&(0..1000).map(|i| i as f32).collect::<Vec<_>>())?;
/// let input = &samples.gpu_slices().expect("on a GPU")[0];
///
/// let mut batch = gridfold::Batch::new(context);
/// let sum = batch.add(&Reducer::<f32, _>::new(context, Sum), input)?;
/// let largest = batch.add(&Reducer::<f32, _>::new(context, Max), &input.slice(0..100)?)?;
/// let results = batch.reduce_blocking()?;
/// assert_eq!(results.get(sum)?, 499_500.0);
/// assert_eq!(results.get(largest)?, Some(99.0));
/// # Ok::<(), gridfold::Error>(())
/// ```
#[derive(Debug)]
pub struct Batch {
    context: Context,
    label: Cow<'static, str>,
    id: u64,
    jobs: Jobs,
    /// Those that share no dispatch.
    singles: Vec<Single>,
    /// Of all of these, those that may become segments.
    short: Short,
    /// Whether few of them do, too.
    takes_few: bool,
    len: u32,
    /// Of all results together.
    words: u32,
}

/// A reduction that shares no dispatch: prepared when the buffer of the results is there.
#[derive(Debug)]
struct Single {
    index: u32,
    reducer: AnyReducer,
    inputs: AnyInput,
}

impl Single {
    fn prepare(&self, destination: Destination<'_>) -> Result<Work, PrepareError> {
        let Self { reducer, inputs, .. } = self;
        if inputs.slices().any(|slice| slice.buffer() == destination.buffer) {
            return Err(PrepareError::OutputBufferIsInput);
        }
        let output = (destination.offset_bytes, false);
        let plan = reducer.plan_inputs(inputs, output, Stored::Value)?;
        reducer.prepare_work(plan, inputs, destination, Memory::Own)
    }
}

impl Batch {
    /// A batch without reductions.
    pub fn new(context: &Context) -> Self {
        static NEXT_ID: AtomicU64 = AtomicU64::new(0);
        Self {
            context: context.clone(),
            label: Cow::Borrowed("gridfold batch"),
            id: NEXT_ID.fetch_add(1, Ordering::Relaxed),
            jobs: Jobs::default(),
            singles: Vec::new(),
            short: Short::default(),
            takes_few: false,
            len: 0,
            words: 0,
        }
    }

    /// The label of passes and buffers, for debuggers.
    #[must_use]
    pub fn label(self, label: impl Into<Cow<'static, str>>) -> Self {
        Self { label: label.into(), ..self }
    }

    /// The batch whose short inputs become segments wherever they can, however few they are.
    pub(crate) fn with_segments_of_few(self) -> Self {
        Self { takes_few: true, ..self }
    }

    /// How many reductions there are.
    pub fn len(&self) -> u32 {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Words of 32 bits of all results together: what [`Batch::prepare_into`] needs room for.
    pub fn words(&self) -> u32 {
        self.words
    }

    /// Adds a reduction. Allocates nothing on the device.
    ///
    /// # Errors
    ///
    /// As [`Reducer::prepare`], and [`PrepareError::DifferentExecutors`] if the reducer is another context's; the batch is as
    /// before then.
    pub fn add<I: Items, Op: Operator<I>>(
        &mut self,
        reducer: &Reducer<I, Op>,
        inputs: impl Into<Input<I>>,
    ) -> Result<Ticket<Op::Out, Op::Value>, PrepareError> {
        let (index, len) = self.add_any(reducer.any(), inputs.into().into_any())?;
        Ok(Ticket { batch: self.id, index, len, value: Op::value })
    }

    /// Adds a reduction. Returns the first word of its result, and how many elements it is of.
    pub(crate) fn add_any(
        &mut self,
        reducer: &AnyReducer,
        inputs: AnyInput,
    ) -> Result<(u32, u64), PrepareError> {
        if !reducer.context().is(&self.context) {
            return Err(PrepareError::DifferentExecutors {
                left: self.context.adapter().to_string(),
                right: reducer.context().adapter().to_string(),
            });
        }
        let (index, words) = (self.words, reducer.of_type().out_words);
        let end = index.checked_add(words).ok_or(PrepareError::TooLong { len: u64::MAX })?;
        let (len, singles) = (inputs.len(), self.singles.len());
        if !self.jobs.add_again(reducer, &inputs, index) {
            self.add_planned(reducer, &inputs, index)?;
        }
        self.short.add(reducer, &inputs, index, self.singles.len() > singles);
        // Each result has a word.
        self.len += 1;
        self.words = end;
        Ok((index, len))
    }

    fn add_planned(
        &mut self,
        reducer: &AnyReducer,
        inputs: &AnyInput,
        index: u32,
    ) -> Result<(), PrepareError> {
        for slice in inputs.slices() {
            slice.require_usage("input", wgpu::BufferUsages::STORAGE)?;
        }
        // A single pass would have to count its workgroups in memory of its own.
        let plan = reducer.plan_jobs(inputs)?;
        if self.jobs.add(&plan, reducer, inputs, index) {
            return Ok(());
        }
        // Where the result goes changes no error.
        reducer.plan_inputs(inputs, (0, false), Stored::Value)?;
        let (reducer, inputs) = (reducer.clone(), inputs.clone());
        self.singles.push(Single { index, reducer, inputs });
        Ok(())
    }

    /// Allocates everything that the batch takes. Submits nothing, waits for nothing.
    ///
    /// # Errors
    ///
    /// [`PrepareError`]; nothing of the caller's is changed then.
    pub fn prepare(self) -> Result<PreparedBatch, PrepareError> {
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
        let size_bytes = u64::from(self.words.max(1)) * 4;
        let results = buffer::create(self.context.device(), &self.label, size_bytes, usage)?;
        self.prepare_for(&results, 0)?.on_a_sound_device()
    }

    /// [`Batch::prepare`], for results in a buffer of the caller's: they begin with the first word of `results`, which may
    /// begin at any word of the buffer, and are [`Batch::words`]. The buffer needs `wgpu::BufferUsages::STORAGE`, and no
    /// reduction of the batch may read it.
    ///
    /// ```
    /// # use gridfold::{Executor, GpuSlice, Reducer, Sum, wgpu};
    /// # let executor = Executor::auto();
    /// # let Some(context) = executor.context() else { return Ok(()) };
    /// # let samples = executor.upload(&(0..1000).map(|i| i as f32).collect::<Vec<_>>())?;
    /// # let rows = &samples.gpu_slices().expect("on a GPU")[0];
    /// # let buffer = context.device().create_buffer(&wgpu::BufferDescriptor {
    /// #     label: None,
    /// #     size: 64,
    /// #     usage: wgpu::BufferUsages::STORAGE,
    /// #     mapped_at_creation: false,
    /// # });
    /// let sum = Reducer::<f32, _>::new(context, Sum);
    /// let mut batch = gridfold::Batch::new(context);
    /// for row in 0..10 {
    ///     batch.add(&sum, rows.slice(row * 100..(row + 1) * 100)?)?;
    /// }
    /// let sums = GpuSlice::<u32>::new(&buffer, 4, 10)?; // words 1 to 10 of the buffer
    /// let prepared = batch.prepare_into(&sums)?;
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`PrepareError::Usage`], [`PrepareError::ShortOutput`] and [`PrepareError::OutputBufferIsInput`], and those of
    /// [`Batch::prepare`]; nothing of the caller's is changed then.
    pub fn prepare_into(self, results: &GpuSlice<u32>) -> Result<PreparedBatch, PrepareError> {
        results.require_usage("output", wgpu::BufferUsages::STORAGE)?;
        let (len, needed) = (results.len(), u64::from(self.words));
        if len < needed {
            return Err(PrepareError::ShortOutput { len, needed });
        }
        self.prepare_for(results.buffer(), results.offset_bytes())?.on_a_sound_device()
    }

    /// `offset_bytes` is where in the buffer the results begin.
    fn prepare_for(
        self,
        buffer: &wgpu::Buffer,
        offset_bytes: u64,
    ) -> Result<PreparedBatch, PrepareError> {
        let Self { context, label, id, mut jobs, mut singles, short, takes_few, len: _, words } =
            self;
        let segments = short.choose(words, takes_few, context.capabilities());
        if jobs.reads(buffer) || segments.reads(buffer) {
            return Err(PrepareError::OutputBufferIsInput);
        }
        if let Some(taken) = segments.taken() {
            jobs.retain(|index| !taken[index as usize]);
            singles.retain(|single| !taken[single.index as usize]);
        }
        // The binding begins at a multiple of the device's alignment, below the results.
        let head_bytes = offset_bytes % context.capabilities().binding_alignment_bytes;
        let bound = Part {
            buffer,
            offset_bytes: offset_bytes - head_bytes,
            size_bytes: head_bytes + u64::from(words) * 4,
        };
        let first = u32::try_from(head_bytes / 4).expect("alignments are small");
        let recording = segments.record(&context, &label, Home { bound, first }, |home| {
            jobs.record(&context, label.clone(), home.bound, home.first)
        })?;
        // They are recorded last: words that come from a room are those of all results, and theirs are not in it.
        let singles = singles
            .iter()
            .map(|single| {
                single.prepare(Destination {
                    buffer,
                    offset_bytes: offset_bytes + u64::from(single.index) * 4,
                    size_bytes: single.reducer.out_bytes(),
                })
            })
            .collect::<Result<_, _>>()?;
        let results = GpuSlice::new(buffer, offset_bytes, words.into())?;
        Ok(PreparedBatch { context, label, id, results, recording, singles })
    }

    /// Reduces to values on the host: allocates, submits once, and completes when the device is done, under any executor.
    ///
    /// # Errors
    ///
    /// [`Error::Prepare`] before anything is submitted, [`Error::Read`] after.
    pub async fn reduce(self) -> Result<Results, Error> {
        let (readback, _) = self.submit()?;
        Ok(readback.await?)
    }

    /// [`Batch::reduce`], blocking.
    ///
    /// # Errors
    ///
    /// As [`Batch::reduce`].
    #[cfg(not(target_arch = "wasm32"))]
    pub fn reduce_blocking(self) -> Result<Results, Error> {
        let (readback, submission) = self.submit()?;
        Ok(readback.wait_submitted(submission)?)
    }

    fn submit(self) -> Result<(Readback<Results>, wgpu::SubmissionIndex), PrepareError> {
        let context = self.context.clone();
        let size_bytes = u64::from(self.words) * 4;
        let (prepared, staging) = match Staging::allocate_written(&context, size_bytes)? {
            Some(staging) => (self.prepare_for(staging.buffer(), 0)?, staging),
            None => {
                let results = context.pool().output(size_bytes.max(4))?;
                (self.prepare_for(&results, 0)?, Staging::allocate_own(&context, size_bytes)?)
            }
        };
        let mut encoder = context.create_encoder(&prepared.label)?;
        let readback = prepared.record_to(staging, &mut encoder);
        Ok((readback, context.submit(encoder)?))
    }
}
