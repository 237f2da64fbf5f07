//! Reductions on a device: [`Reducer`] and [`Prepared`].

use crate::{
    algebra::{element::Element, precision::Precision},
    device::{
        buffer::GpuSlice,
        capabilities::AdapterName,
        context::Context,
        pool::Memory,
        readback::{Readback, Source, Staging},
        timer::{self, DeviceTimer},
    },
    error::{Error, PrepareError},
    reduce::{
        inputs::{AnyOperator, Inputs},
        plan::Plan,
        problem::Problem,
        work::{Destination, Work},
    },
    way::{Strategy, Variant, policy::Policy},
    wgsl::kernel::ExactOutput,
};
use std::{borrow::Cow, marker::PhantomData, ops::Range, time::Duration};

/// Reduces elements of type `T` by the operator `Op`, on the device of a [`Context`]: those of one input if `Op` is an
/// [`Operator`](crate::Operator), and pairs of those of two if it is [`crate::Dot`]. What a call takes for its inputs says the
/// operator's [`AnyOperator::Inputs`]: an [`Input`](crate::Input), or whatever makes one; for [`Pairs`](crate::Pairs) two of
/// these, in brackets. Another number of inputs does not compile:
///
/// ```compile_fail
/// # fn example(context: gridfold::Context, a: gridfold::wgpu::Buffer, b: gridfold::wgpu::Buffer) {
/// use gridfold::{Reducer, Sum};
/// _ = Reducer::<f32, Sum>::new(&context).reduce((&a, &b));
/// # }
/// ```
///
/// ```
/// # fn example(context: gridfold::Context, a: gridfold::wgpu::Buffer, b: gridfold::wgpu::Buffer) {
/// use gridfold::{Dot, Reducer, Sum};
/// _ = Reducer::<f32, Sum>::new(&context).reduce(&a);
/// _ = Reducer::<f32, Dot>::new(&context).reduce((&a, &b));
/// # }
/// ```
///
/// Options are taken by value. A reducer holds no GPU object of its own: make as many as you like,
/// use one from several threads.
#[derive(Clone, Debug)]
pub struct Reducer<T, Op> {
    context: Context,
    variant: Variant,
    strategy: Strategy,
    precision: Precision,
    policy: Option<Policy>,
    label: Cow<'static, str>,
    algebra: PhantomData<fn(T) -> Op>,
}

/// A reduced value, who made it, and how.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Reduction<V> {
    /// The value.
    pub value: V,
    /// The adapter that made it, or the CPU.
    pub adapter: AdapterName,
    /// The plan, in a line.
    pub plan: String,
    /// The plan, in sentences.
    pub explanation: String,
    /// Device time of the pass. `None` where it can't be measured, on the CPU, and of slices of host memory that came
    /// to the device in several chunks, each with a pass of its own.
    pub device_time: Option<Duration>,
}

impl<T: Element, Op: AnyOperator<T>> Reducer<T, Op> {
    /// A reducer that chooses variant and strategy by itself.
    pub fn new(context: &Context) -> Self {
        Self {
            context: context.clone(),
            variant: Variant::Auto,
            strategy: Strategy::Auto,
            precision: Precision::default(),
            policy: None,
            label: Cow::Borrowed("gridfold reduce"),
            algebra: PhantomData,
        }
    }

    /// The label of passes and buffers.
    pub(crate) fn label_text(&self) -> &str {
        &self.label
    }

    /// The context that the reducer was made from.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// How invocations of a workgroup combine. The bits of the result do not depend on it, unless it is
    /// [`Precision::Unordered`]. Exact results need no subgroups, and go through workgroup memory in any variant.
    #[must_use]
    pub fn variant(self, variant: Variant) -> Self {
        Self { variant, ..self }
    }

    /// What the result has to promise: the default is [`Precision::Reproducible`].
    #[must_use]
    pub fn precision(self, precision: Precision) -> Self {
        Self { precision, ..self }
    }

    /// How workgroups combine. The bits of the result do not depend on it, but for f32 sums and products that are
    /// [`Precision::Unordered`]. Reproducible ones need partials, in two passes or a single one, and exact results workgroups'
    /// atomics: what doesn't fit is [`PrepareError::StrategyUnfit`], and `Auto`, the default, always fits. Means, sums of squares, norms, variances and
    /// dot products are exact, whatever precision is asked for.
    #[must_use]
    pub fn strategy(self, strategy: Strategy) -> Self {
        Self { strategy, ..self }
    }

    /// How a first pass is cut into workgroups. The bits of the result do not depend on it. The default is
    /// [`Policy::EXACT`] for exact results, else what suits the [`DeviceClass`](crate::DeviceClass), or [`Policy::DEFAULT`].
    #[must_use]
    pub fn policy(self, policy: Policy) -> Self {
        Self { policy: Some(policy), ..self }
    }

    /// The label of passes and buffers, for debuggers.
    #[must_use]
    pub fn label(self, label: impl Into<Cow<'static, str>>) -> Self {
        Self { label: label.into(), ..self }
    }

    pub(crate) fn plan_inputs(
        &self,
        inputs: &Inputs<T>,
        (output_offset_bytes, output_shares_input): (u64, bool),
        exact_output: ExactOutput,
    ) -> Result<Plan, PrepareError> {
        let problem = Problem {
            element: T::TYPE,
            operator: Op::SPEC.operator,
            slices: inputs.left.0.iter().map(GpuSlice::extent).collect(),
            right_slices: inputs.right.0.iter().map(GpuSlice::extent).collect(),
            output_offset_bytes,
            output_shares_input,
            variant: self.variant,
            strategy: self.strategy,
            precision: self.precision,
        };
        Plan::for_output(&problem, self.context.capabilities(), self.policy, exact_output)
    }

    /// The plan for a batch, whose dispatches may become those of many reductions: in two passes, unless something else is
    /// asked for.
    pub(crate) fn plan_jobs(
        &self,
        inputs: &Inputs<T>,
        output: (u64, bool),
    ) -> Result<Plan, PrepareError> {
        let strategy = match self.strategy {
            Strategy::Auto | Strategy::SinglePass if !self.is_exact() => Strategy::TwoPass,
            strategy => strategy,
        };
        self.clone().strategy(strategy).plan_inputs(inputs, output, ExactOutput::Value)
    }

    fn is_exact(&self) -> bool {
        let kept = self.precision.kept_by(Op::SPEC.operator, T::TYPE);
        kept == Some(Precision::Exact) && Op::SPEC.exact.is_some()
    }

    pub(crate) fn prepare_inputs(
        &self,
        inputs: &Inputs<T>,
        output: &GpuSlice<Op::Out>,
        memory: Memory,
    ) -> Result<Prepared<T, Op>, PrepareError> {
        let plan = self.validate(inputs, output, 1, ExactOutput::Value)?;
        let destination = Destination {
            buffer: output.buffer(),
            offset_bytes: output.offset_bytes(),
            size_bytes: size_of::<Op::Out>() as u64,
        };
        let work = self.prepare_work(plan, inputs, destination, memory)?;
        Ok(Prepared {
            context: self.context.clone(),
            work,
            output: output.clone(),
            element: PhantomData,
        })
    }

    pub(crate) fn prepare_work(
        &self,
        plan: Plan,
        inputs: &Inputs<T>,
        destination: Destination<'_>,
        memory: Memory,
    ) -> Result<Work, PrepareError> {
        Work::prepare(&self.context, plan, self.label.clone(), inputs, destination, memory)
    }

    /// The plan for inputs whose result takes `items` items of `output`.
    pub(crate) fn validate<Out: bytemuck::Pod>(
        &self,
        inputs: &Inputs<T>,
        output: &GpuSlice<Out>,
        items: u64,
        exact_output: ExactOutput,
    ) -> Result<Plan, PrepareError> {
        for slice in inputs.slices() {
            slice.require_usage("input", wgpu::BufferUsages::STORAGE)?;
        }
        output.require_usage("output", wgpu::BufferUsages::STORAGE)?;
        let written = match output.slice(0..items) {
            Ok(written) => written.bytes(),
            Err(_) => return Err(PrepareError::ShortOutput { len: output.len(), needed: items }),
        };
        let shares_buffer = |slice: &GpuSlice<T>| slice.buffer() == output.buffer();
        let overlaps = |slice: &GpuSlice<T>| {
            let read = slice.bytes();
            shares_buffer(slice) && read.start.max(written.start) < read.end.min(written.end)
        };
        if let Some(slice) = inputs.slices().position(overlaps) {
            return Err(PrepareError::OutputWithinInput { slice });
        }
        let shares_input = inputs.slices().any(shares_buffer);
        self.plan_inputs(inputs, (output.offset_bytes(), shares_input), exact_output)
    }

    pub(crate) fn prepare_own_output(
        &self,
        inputs: &Inputs<T>,
        memory: Memory,
    ) -> Result<Prepared<T, Op>, PrepareError> {
        let output = self.context.pool().output(size_of::<Op::Out>() as u64)?;
        self.prepare_inputs(inputs, &GpuSlice::whole(&output), memory)
    }

    pub(crate) fn submit(
        &self,
        inputs: &Inputs<T>,
    ) -> Result<(Readback<Op::Value>, wgpu::SubmissionIndex), PrepareError> {
        let prepared = self.prepare_own_output(inputs, Memory::Pooled)?;
        let mut encoder = self.context.create_encoder(&self.label)?;
        let readback = prepared.record_readback(&mut encoder)?;
        Ok((readback, self.context.submit(encoder)?))
    }

    pub(crate) fn submit_timed(
        &self,
        inputs: &Inputs<T>,
    ) -> Result<(TimedReadback<Op::Value>, wgpu::SubmissionIndex, Plan), PrepareError> {
        let prepared = self.prepare_own_output(inputs, Memory::Pooled)?;
        let timer = DeviceTimer::new(&self.context)?;
        let mut encoder = self.context.create_encoder(&self.label)?;
        let steps = 0..prepared.work.plan.dispatches.len();
        let readback = prepared.record_end(&mut encoder, steps, timer.as_ref())?;
        Ok((readback, self.context.submit(encoder)?, prepared.work.plan))
    }

    pub(crate) fn reduction(
        &self,
        (value, device_time): (Op::Value, Option<Duration>),
        plan: &Plan,
    ) -> Reduction<Op::Value> {
        Reduction {
            value,
            adapter: self.context.adapter().clone(),
            plan: plan.to_string(),
            explanation: plan.explain(),
            device_time,
        }
    }
}

/// Reductions.
impl<T: Element, Op: AnyOperator<T>> Reducer<T, Op> {
    /// The plan for inputs, without allocating anything.
    ///
    /// # Errors
    ///
    /// [`PrepareError`], if they can't be reduced.
    pub fn plan(&self, inputs: impl Into<Op::Inputs>) -> Result<Plan, PrepareError> {
        self.plan_inputs(&inputs.into().into(), (0, false), ExactOutput::Value)
    }

    /// Allocates everything that reducing `inputs` into the first item of `output` takes. Submits
    /// nothing, waits for nothing.
    ///
    /// The first input of a kind in a context (operator, type, alignment, a single block or several)
    /// also compiles a pipeline.
    ///
    /// All need `wgpu::BufferUsages::STORAGE`, and `output` may lie in a buffer that is also an input.
    /// An empty input writes what [`Operator::finish`](crate::Operator::finish) makes of the identity.
    ///
    /// # Errors
    ///
    /// [`PrepareError`]; nothing of the caller's is changed then.
    pub fn prepare(
        &self,
        inputs: impl Into<Op::Inputs>,
        output: &GpuSlice<Op::Out>,
    ) -> Result<Prepared<T, Op>, PrepareError> {
        self.prepare_inputs(&inputs.into().into(), output, Memory::Own)
    }

    /// [`Reducer::prepare`] and [`Prepared::record`] in one: allocates, and appends to the caller's
    /// encoder. Submits nothing, waits for nothing.
    ///
    /// # Errors
    ///
    /// [`PrepareError`]; nothing was recorded then.
    pub fn record(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        inputs: impl Into<Op::Inputs>,
        output: &GpuSlice<Op::Out>,
    ) -> Result<(), PrepareError> {
        self.prepare_inputs(&inputs.into().into(), output, Memory::Pooled)?.record(encoder);
        Ok(())
    }

    /// Records the reduction and the result's way to the host into the caller's encoder. Allocates;
    /// submits nothing, waits for nothing. The readback resolves after the caller's submit.
    ///
    /// # Errors
    ///
    /// [`PrepareError`]; nothing was recorded then.
    pub fn record_readback(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        inputs: impl Into<Op::Inputs>,
    ) -> Result<Readback<Op::Value>, PrepareError> {
        self.prepare_own_output(&inputs.into().into(), Memory::Pooled)?.record_readback(encoder)
    }

    /// Reduces `inputs` to a value on the host: allocates, submits, and completes when the device is
    /// done, under any executor. Dropping the future loses the value and nothing else.
    ///
    /// # Errors
    ///
    /// [`Error::Prepare`] before anything is submitted, [`Error::Read`] after.
    pub async fn reduce(&self, inputs: impl Into<Op::Inputs>) -> Result<Op::Value, Error> {
        let (readback, _) = self.submit(&inputs.into().into())?;
        Ok(readback.await?)
    }

    /// [`Reducer::reduce`], blocking.
    ///
    /// # Errors
    ///
    /// As [`Reducer::reduce`].
    #[cfg(not(target_arch = "wasm32"))]
    pub fn reduce_blocking(&self, inputs: impl Into<Op::Inputs>) -> Result<Op::Value, Error> {
        let (readback, submission) = self.submit(&inputs.into().into())?;
        Ok(readback.wait_submitted(submission)?)
    }

    /// [`Reducer::reduce`] with the plan and the device time.
    ///
    /// # Errors
    ///
    /// As [`Reducer::reduce`].
    pub async fn measure(
        &self,
        inputs: impl Into<Op::Inputs>,
    ) -> Result<Reduction<Op::Value>, Error> {
        let (readback, _, plan) = self.submit_timed(&inputs.into().into())?;
        Ok(self.reduction(readback.await?, &plan))
    }

    /// [`Reducer::measure`], blocking.
    ///
    /// # Errors
    ///
    /// As [`Reducer::reduce`].
    #[cfg(not(target_arch = "wasm32"))]
    pub fn measure_blocking(
        &self,
        inputs: impl Into<Op::Inputs>,
    ) -> Result<Reduction<Op::Value>, Error> {
        let (readback, submission, plan) = self.submit_timed(&inputs.into().into())?;
        Ok(self.reduction(readback.wait_submitted(submission)?, &plan))
    }
}

pub(crate) type TimedReadback<V> = Readback<(V, Option<Duration>)>;

/// A reduction with everything allocated: record it as often as you like.
///
/// Recordings share scratch memory. That is sound in any number of encoders, because the device runs
/// them one after another.
#[derive(Debug)]
pub struct Prepared<T: Element, Op: AnyOperator<T>> {
    context: Context,
    work: Work,
    output: GpuSlice<Op::Out>,
    element: PhantomData<fn() -> T>,
}

impl<T: Element, Op: AnyOperator<T>> Prepared<T, Op> {
    /// Appends the reduction to `encoder`, as one compute pass. Creates no GPU object.
    pub fn record(&self, encoder: &mut wgpu::CommandEncoder) {
        self.work.recording.record(encoder, None);
    }

    /// Appends the reduction's dispatches to a compute pass of the caller's. Creates no GPU object.
    ///
    /// A pass costs a GPU several microseconds, which is more than a small reduction does: many reductions are best
    /// recorded in one. Pipeline and bind group 0 of the pass are others afterwards.
    pub fn record_in(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.work.recording.record_in(pass);
    }

    /// [`Prepared::record`], with timestamps around the pass: those of a [`DeviceTimer`], or of a query set
    /// of the caller's.
    pub fn record_timed(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        timestamp_writes: wgpu::ComputePassTimestampWrites<'_>,
    ) {
        self.work.recording.record(encoder, Some(timestamp_writes));
    }

    /// [`Prepared::record`], and the result's way to the host. Allocates a small buffer. The output needs
    /// `wgpu::BufferUsages::COPY_SRC`. The readback resolves after the caller's submit.
    ///
    /// # Errors
    ///
    /// [`PrepareError`]; nothing was recorded then.
    pub fn record_readback(
        &self,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Result<Readback<Op::Value>, PrepareError> {
        self.output.require_usage("output", wgpu::BufferUsages::COPY_SRC)?;
        let staging = Staging::allocate(&self.context, self.output_source().size_bytes)?;
        self.record(encoder);
        let len = self.work.plan.len;
        let sources = [self.output_source()];
        let decode = move |bytes: &[u8]| decode::<T, Op>(bytes, len);
        Ok(staging.record(&self.context, encoder, &sources, decode))
    }

    /// Records those of the pass's dispatches that are left, and the way of the result and of their time to the host.
    pub(crate) fn record_end(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        steps: Range<usize>,
        timer: Option<&DeviceTimer>,
    ) -> Result<TimedReadback<Op::Value>, PrepareError> {
        let timestamps_bytes = timer.map_or(0, |_| timer::TIMESTAMPS_BYTES);
        let out_bytes = size_of::<Op::Out>();
        let staging = Staging::allocate(&self.context, out_bytes as u64 + timestamps_bytes)?;
        self.work.recording.record_steps(encoder, steps, timer.map(DeviceTimer::timestamp_writes));
        let mut sources = vec![self.output_source()];
        let mut period_ns = 0.0;
        if let Some(timer) = timer {
            sources.push(timer.resolve(encoder));
            period_ns = timer.period_ns();
        }
        let len = self.work.plan.len;
        Ok(staging.record(&self.context, encoder, &sources, move |bytes| {
            let (result, timestamps) = bytes.split_at(out_bytes);
            (decode::<T, Op>(result, len), timer::duration(timestamps, period_ns))
        }))
    }

    /// Records some of the pass's dispatches, as [`Recording::record_steps`](crate::dispatch::recording::Recording::record_steps) says.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn record_steps(&self, encoder: &mut wgpu::CommandEncoder, steps: Range<usize>) {
        self.work.recording.record_steps(encoder, steps, None);
    }

    fn output_source(&self) -> Source<'_> {
        Source {
            buffer: self.output.buffer(),
            offset_bytes: self.output.offset_bytes(),
            size_bytes: size_of::<Op::Out>() as u64,
        }
    }

    /// The plan.
    pub fn plan(&self) -> &Plan {
        &self.work.plan
    }

    pub(crate) fn into_work(self) -> Work {
        self.work
    }

    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn into_plan(self) -> Plan {
        self.work.plan
    }

    /// Where the result is written: the first item of this.
    pub fn output(&self) -> &GpuSlice<Op::Out> {
        &self.output
    }
}

fn decode<T: Element, Op: AnyOperator<T>>(bytes: &[u8], len: u64) -> Op::Value {
    Op::value(bytemuck::pod_read_unaligned(bytes), len)
}
