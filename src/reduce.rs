//! Reductions on a device: [`Reducer`] and [`Prepared`].

use crate::{
    buffer::{self, GpuSlice, Input},
    capabilities::AdapterName,
    context::Context,
    element::Element,
    error::{Error, PrepareError},
    error_scope,
    operator::Operator,
    pipeline::{PARAMS_BINDING_BYTES, PipelineKey},
    plan::{Ending, Launch, Plan, Problem, Strategy, Variant},
    policy::Policy,
    readback::{Readback, Source, Staging},
    shader::{Binding, Constants, Kernel, Params, ShaderKey},
    timer::{self, DeviceTimer},
};
use std::{borrow::Cow, marker::PhantomData, time::Duration};

/// Reduces elements of type `T` by the operator `Op`, on the device of a [`Context`].
///
/// Options are taken by value. A reducer holds no GPU object of its own: make as many as you like,
/// use one from several threads.
#[derive(Clone, Debug)]
pub struct Reducer<T, Op> {
    context: Context,
    variant: Variant,
    strategy: Strategy,
    policy: Policy,
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
    /// Device time of the pass. `None` where it can't be measured, and on the CPU.
    pub device_time: Option<Duration>,
}

impl<T: Element, Op: Operator<T>> Reducer<T, Op> {
    /// A reducer that chooses variant and strategy by itself.
    pub fn new(context: &Context) -> Self {
        Self {
            context: context.clone(),
            variant: Variant::Auto,
            strategy: Strategy::Auto,
            policy: Policy::DEFAULT,
            label: Cow::Borrowed("gridfold reduce"),
            algebra: PhantomData,
        }
    }

    /// The context that the reducer was made from.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// How invocations of a workgroup combine. The bits of the result do not depend on it.
    #[must_use]
    pub fn variant(self, variant: Variant) -> Self {
        Self { variant, ..self }
    }

    /// How workgroups combine. The bits of the result do not depend on it, but for f32 sums and products by
    /// [`Strategy::WorkgroupAtomic`] and [`Strategy::SubgroupAtomic`].
    #[must_use]
    pub fn strategy(self, strategy: Strategy) -> Self {
        Self { strategy, ..self }
    }

    /// How order-free operators cut their input. The bits of the result do not depend on it.
    #[must_use]
    pub fn policy(self, policy: Policy) -> Self {
        Self { policy, ..self }
    }

    /// The label of passes and buffers, for debuggers.
    #[must_use]
    pub fn label(self, label: impl Into<Cow<'static, str>>) -> Self {
        Self { label: label.into(), ..self }
    }

    /// The plan for an input, without allocating anything.
    ///
    /// # Errors
    ///
    /// [`PrepareError`], if the input can't be reduced.
    pub fn plan(&self, input: impl Into<Input<T>>) -> Result<Plan, PrepareError> {
        self.plan_for(&input.into(), false)
    }

    fn plan_for(&self, input: &Input<T>, output_shares_input: bool) -> Result<Plan, PrepareError> {
        let problem = Problem {
            element: T::TYPE,
            operator: Op::TYPE,
            slices: input.0.iter().map(GpuSlice::extent).collect(),
            output_shares_input,
            variant: self.variant,
            strategy: self.strategy,
        };
        Plan::new(&problem, self.context.capabilities(), self.policy)
    }

    /// Allocates everything that reducing `input` into the first element of `output` takes. Submits
    /// nothing, waits for nothing.
    ///
    /// The first input of a kind in a context (operator, type, alignment, length a multiple of 4096 or not)
    /// also compiles a pipeline.
    ///
    /// Both need `wgpu::BufferUsages::STORAGE`, and `output` may lie in a buffer that is also an input.
    /// An empty input writes what [`Operator::finish`] makes of the identity.
    ///
    /// # Errors
    ///
    /// [`PrepareError`]; nothing of the caller's is changed then.
    pub fn prepare(
        &self,
        input: impl Into<Input<T>>,
        output: &GpuSlice<T>,
    ) -> Result<Prepared<T, Op>, PrepareError> {
        let input = input.into();
        let plan = self.validate(&input, output)?;
        let device = self.context.device();

        let scratch =
            buffer::create(device, &self.label, plan.scratch_bytes(), wgpu::BufferUsages::STORAGE)?;
        let accumulator = match plan.ending {
            Ending::SingleBlock | Ending::Fold => None,
            Ending::Atomic { .. } => Some(self.create_accumulator()?),
        };
        // The output's binding begins at a multiple of the device's alignment, below the element.
        let alignment = self.context.capabilities().binding_alignment_bytes;
        let output_offset_bytes = output.offset_bytes() / alignment * alignment;
        let result_index = u32::try_from((output.offset_bytes() - output_offset_bytes) / 4)
            .expect("alignments are small");
        let (first_kernel, second_kernel) = Kernel::of(plan.ending);
        let mut dispatches: Vec<(Kernel, Option<&Launch>, Params)> = plan
            .launches
            .iter()
            .enumerate()
            .map(|(index, launch)| {
                (first_kernel, Some(launch), Params::launch(&plan, index, result_index))
            })
            .collect();
        if let Some(kernel) = second_kernel {
            dispatches.push((kernel, None, Params::second_pass(&plan, result_index)));
        }
        let params = self.create_params(dispatches.iter().map(|(_, _, params)| params))?;

        let steps = dispatches
            .iter()
            .enumerate()
            .map(|(index, &(kernel, launch, _))| {
                let shader =
                    ShaderKey::new(kernel, Op::TYPE, T::TYPE, plan.mechanism, plan.arithmetic);
                let constants = launch.map_or(Constants::None, Constants::of);
                let pipeline = self.context.pipelines().get(PipelineKey { shader, constants })?;
                let range = |buffer, offset, size| wgpu::BufferBinding {
                    buffer,
                    offset,
                    size: wgpu::BufferSize::new(size),
                };
                let resource = |binding| {
                    wgpu::BindingResource::Buffer(match (binding, launch) {
                        (Binding::Vectors, Some(launch)) if launch.binding_bytes < 16 => {
                            self.context.no_vectors().as_entire_buffer_binding()
                        }
                        (Binding::Vectors | Binding::Words, Some(launch)) => range(
                            input.0[launch.slice].buffer(),
                            launch.binding_offset_bytes,
                            launch.binding_bytes,
                        ),
                        (Binding::Result, _) => range(
                            output.buffer(),
                            output_offset_bytes,
                            u64::from(result_index + 1) * 4,
                        ),
                        (Binding::Accumulator, _) => accumulator
                            .as_ref()
                            .expect("only kernels with atomics bind it")
                            .as_entire_buffer_binding(),
                        (Binding::Scratch | Binding::Vectors | Binding::Words, _) => {
                            scratch.as_entire_buffer_binding()
                        }
                    })
                };
                let mut entries = vec![wgpu::BindGroupEntry {
                    binding: 0,
                    resource: wgpu::BindingResource::Buffer(range(
                        &params,
                        (index * PARAMS_STRIDE_BYTES) as u64,
                        PARAMS_BINDING_BYTES,
                    )),
                }];
                entries.extend(kernel.storage_bindings().iter().map(|&(binding, _)| {
                    wgpu::BindGroupEntry { binding: binding as u32, resource: resource(binding) }
                }));
                let bind_group = buffer::create_with(device, &self.label, |label| {
                    device.create_bind_group(&wgpu::BindGroupDescriptor {
                        label: Some(label),
                        layout: &pipeline.get_bind_group_layout(0),
                        entries: &entries,
                    })
                })?;
                Ok(Step { pipeline, bind_group, workgroups: launch.map_or(1, |l| l.workgroups) })
            })
            .collect::<Result<_, PrepareError>>()?;
        error_scope::ensure_not_lost(device, &self.label)?;
        Ok(Prepared {
            context: self.context.clone(),
            steps,
            output: output.clone(),
            plan,
            label: self.label.clone(),
            operator: PhantomData,
        })
    }

    fn validate(&self, input: &Input<T>, output: &GpuSlice<T>) -> Result<Plan, PrepareError> {
        for slice in &input.0 {
            slice.require_usage("input", wgpu::BufferUsages::STORAGE)?;
        }
        output.require_usage("output", wgpu::BufferUsages::STORAGE)?;
        if output.is_empty() {
            return Err(PrepareError::EmptyOutput);
        }
        let written = output.offset_bytes();
        let shares_buffer = |slice: &GpuSlice<T>| slice.buffer() == output.buffer();
        if let Some(slice) = input
            .0
            .iter()
            .position(|slice| shares_buffer(slice) && slice.bytes().contains(&written))
        {
            return Err(PrepareError::OutputWithinInput { slice });
        }
        self.plan_for(input, input.0.iter().any(shares_buffer))
    }

    /// The identity, as every reduction finds it and leaves it behind.
    fn create_accumulator(&self) -> Result<wgpu::Buffer, PrepareError> {
        let identity = bytemuck::cast_slice(Op::TYPE.identity_words(T::TYPE));
        let usage = wgpu::BufferUsages::STORAGE;
        let size_bytes = identity.len() as u64;
        Ok(buffer::create_filled(self.context.device(), &self.label, size_bytes, usage, identity)?)
    }

    fn create_params<'a>(
        &self,
        params: impl Iterator<Item = &'a Params>,
    ) -> Result<wgpu::Buffer, PrepareError> {
        let mut bytes = Vec::new();
        for params in params {
            bytes.extend_from_slice(bytemuck::bytes_of(params));
            bytes.resize(bytes.len().next_multiple_of(PARAMS_STRIDE_BYTES), 0);
        }
        let usage = wgpu::BufferUsages::UNIFORM;
        let size_bytes = bytes.len() as u64;
        Ok(buffer::create_filled(self.context.device(), &self.label, size_bytes, usage, &bytes)?)
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
        input: impl Into<Input<T>>,
        output: &GpuSlice<T>,
    ) -> Result<(), PrepareError> {
        self.prepare(input, output)?.record(encoder);
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
        input: impl Into<Input<T>>,
    ) -> Result<Readback<Op::Value>, PrepareError> {
        self.prepare_own_output(input)?.record_readback(encoder)
    }

    fn prepare_own_output(
        &self,
        input: impl Into<Input<T>>,
    ) -> Result<Prepared<T, Op>, PrepareError> {
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
        let output = buffer::create(self.context.device(), &self.label, 4, usage)?;
        self.prepare(input, &GpuSlice::whole(&output))
    }

    /// Reduces `input` to a value on the host: allocates, submits, and completes when the device is
    /// done, under any executor. Dropping the future loses the value and nothing else.
    ///
    /// # Errors
    ///
    /// [`Error::Prepare`] before anything is submitted, [`Error::Read`] after.
    pub async fn reduce(&self, input: impl Into<Input<T>>) -> Result<Op::Value, Error> {
        let (readback, _) = self.submit(input)?;
        Ok(readback.await?)
    }

    /// [`Reducer::reduce`], blocking.
    ///
    /// # Errors
    ///
    /// As [`Reducer::reduce`].
    #[cfg(not(target_arch = "wasm32"))]
    pub fn reduce_blocking(&self, input: impl Into<Input<T>>) -> Result<Op::Value, Error> {
        let (readback, submission) = self.submit(input)?;
        Ok(readback.wait_submitted(submission)?)
    }

    fn submit(
        &self,
        input: impl Into<Input<T>>,
    ) -> Result<(Readback<Op::Value>, wgpu::SubmissionIndex), PrepareError> {
        let mut encoder = self.context.create_encoder(&self.label)?;
        let readback = self.record_readback(&mut encoder, input)?;
        Ok((readback, self.context.submit(encoder)?))
    }

    /// [`Reducer::reduce`] with the plan and the device time.
    ///
    /// # Errors
    ///
    /// As [`Reducer::reduce`].
    pub async fn measure(&self, input: impl Into<Input<T>>) -> Result<Reduction<Op::Value>, Error> {
        let (readback, _, plan) = self.submit_timed(input)?;
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
        input: impl Into<Input<T>>,
    ) -> Result<Reduction<Op::Value>, Error> {
        let (readback, submission, plan) = self.submit_timed(input)?;
        Ok(self.reduction(readback.wait_submitted(submission)?, &plan))
    }

    fn submit_timed(
        &self,
        input: impl Into<Input<T>>,
    ) -> Result<(TimedReadback<Op::Value>, wgpu::SubmissionIndex, Plan), PrepareError> {
        let prepared = self.prepare_own_output(input)?;
        let timer = DeviceTimer::new(&self.context)?;
        let timestamps_bytes = timer.as_ref().map_or(0, |_| timer::TIMESTAMPS_BYTES);
        let staging = Staging::allocate(&self.context, T::TYPE.size_bytes() + timestamps_bytes)?;
        let mut encoder = self.context.create_encoder(&self.label)?;
        prepared.record_pass(&mut encoder, timer.as_ref().map(DeviceTimer::timestamp_writes));
        let mut sources = vec![prepared.output_source()];
        let mut period_ns = 0.0;
        if let Some(timer) = &timer {
            sources.push(timer.resolve(&mut encoder));
            period_ns = timer.period_ns();
        }
        let len = prepared.plan.len;
        let readback = staging.record(&self.context, &mut encoder, &sources, move |bytes| {
            let (result, timestamps) = bytes.split_at(4);
            (decode::<T, Op>(result, len), timer::duration(timestamps, period_ns))
        });
        Ok((readback, self.context.submit(encoder)?, prepared.plan))
    }

    fn reduction(
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

type TimedReadback<V> = Readback<(V, Option<Duration>)>;

/// Every device allows a uniform binding to begin at a multiple of this.
const PARAMS_STRIDE_BYTES: usize = 256;

/// A reduction with everything allocated: record it as often as you like.
///
/// Recordings share scratch memory. That is sound in any number of encoders, because the device runs
/// them one after another.
#[derive(Debug)]
pub struct Prepared<T, Op> {
    context: Context,
    steps: Vec<Step>,
    output: GpuSlice<T>,
    plan: Plan,
    label: Cow<'static, str>,
    operator: PhantomData<fn() -> Op>,
}

/// One dispatch.
#[derive(Debug)]
struct Step {
    pipeline: wgpu::ComputePipeline,
    bind_group: wgpu::BindGroup,
    workgroups: u32,
}

impl<T: Element, Op: Operator<T>> Prepared<T, Op> {
    /// Appends the reduction to `encoder`, as one compute pass. Creates no GPU object.
    pub fn record(&self, encoder: &mut wgpu::CommandEncoder) {
        self.record_pass(encoder, None);
    }

    /// [`Prepared::record`], with timestamps around the pass: those of a [`DeviceTimer`], or of a query set
    /// of the caller's.
    pub fn record_timed(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        timestamp_writes: wgpu::ComputePassTimestampWrites<'_>,
    ) {
        self.record_pass(encoder, Some(timestamp_writes));
    }

    fn record_pass(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        timestamp_writes: Option<wgpu::ComputePassTimestampWrites<'_>>,
    ) {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some(&self.label),
            timestamp_writes,
        });
        for step in &self.steps {
            pass.set_pipeline(&step.pipeline);
            pass.set_bind_group(0, &step.bind_group, &[]);
            pass.dispatch_workgroups(step.workgroups, 1, 1);
        }
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
        let staging = Staging::allocate(&self.context, T::TYPE.size_bytes())?;
        self.record(encoder);
        let len = self.plan.len;
        let sources = [self.output_source()];
        let decode = move |bytes: &[u8]| decode::<T, Op>(bytes, len);
        Ok(staging.record(&self.context, encoder, &sources, decode))
    }

    fn output_source(&self) -> Source<'_> {
        Source {
            buffer: self.output.buffer(),
            offset_bytes: self.output.offset_bytes(),
            size_bytes: T::TYPE.size_bytes(),
        }
    }

    /// The plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Where the result is written: the first element of this.
    pub fn output(&self) -> &GpuSlice<T> {
        &self.output
    }
}

fn decode<T: Element, Op: Operator<T>>(bytes: &[u8], len: u64) -> Op::Value {
    Op::value(bytemuck::pod_read_unaligned(bytes), len)
}
