//! Reductions on a device: [`Reducer`].

use crate::{
    algebra::{element::Element, operator::OperatorSpec, precision::Precision},
    custom::expression::{Expression, MapElement},
    device::{
        buffer::GpuSlice,
        capabilities::AdapterName,
        context::Context,
        error_scope,
        pool::Memory,
        readback::{Readback, Staging},
        timer::DeviceTimer,
    },
    error::{Error, PrepareError},
    reduce::{
        inputs::{AnyOperator, Inputs, spec_of},
        plan::Plan,
        prepared::{Prepared, TimedReadback},
        problem::Problem,
        work::{Destination, Work},
    },
    way::{Strategy, Variant, policy::Policy},
    wgsl::{kernel::Stored, params::Params, program::Program},
};
use std::{borrow::Cow, marker::PhantomData, time::Duration};

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
#[doc(alias("DeviceReduce"))]
pub struct Reducer<T, Op> {
    context: Context,
    settings: Settings,
    label: Cow<'static, str>,
    algebra: PhantomData<fn(T) -> Op>,
}

/// What plans depend on, beyond operator, inputs and device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Settings {
    pub(crate) variant: Variant,
    pub(crate) strategy: Strategy,
    pub(crate) precision: Precision,
    pub(crate) policy: Option<Policy>,
    pub(crate) program: Option<Program>,
    /// The parameters of an expression, if it has some.
    pub(crate) arguments: Option<[u32; Params::ARGUMENTS]>,
    /// Of an exact result: of how many elements it is, if not of all.
    pub(crate) kept: Option<u64>,
}

/// A reduced value, where it was made, and how.
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
    /// Device time of the pass. `None` if it can't be measured, on the CPU, and if slices of host memory came
    /// to the device in several chunks, each with a pass of its own.
    pub device_time: Option<Duration>,
}

impl<T: Element, Op: AnyOperator<T>> Reducer<T, Op> {
    /// A reducer that chooses variant and strategy by itself.
    pub fn new(context: &Context) -> Self {
        Self {
            context: context.clone(),
            settings: Settings::default(),
            label: Cow::Borrowed("gridfold reduce"),
            algebra: PhantomData,
        }
    }

    /// The reducer with what the user has brought.
    pub(crate) fn with_program(self, program: Program) -> Self {
        let settings = Settings { program: Some(program), ..self.settings };
        Self { settings, ..self }
    }

    /// The reducer of what an expression makes of elements.
    pub(crate) fn with_expression<E: MapElement>(
        self,
        program: Program,
        expression: &Expression<E>,
    ) -> Self {
        let settings =
            Settings { program: Some(program), arguments: expression.arguments(), ..self.settings };
        Self { settings, ..self }
    }

    /// The reducer of exact results of so many of the elements.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn with_kept(self, len: u64) -> Self {
        let settings = Settings { precision: Precision::Exact, kept: Some(len), ..self.settings };
        Self { settings, ..self }
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
        let settings = Settings { variant, ..self.settings };
        Self { settings, ..self }
    }

    /// Sets the promise of the result: the default is [`Precision::Reproducible`].
    #[must_use]
    pub fn precision(self, precision: Precision) -> Self {
        let settings = Settings { precision, ..self.settings };
        Self { settings, ..self }
    }

    /// How workgroups combine. The bits of the result do not depend on it, except those of [`Precision::Unordered`] sums and products of floats.
    ///
    /// Reproducible results need partials, in two passes or a single one. Exact results need workgroups' atomics. A strategy that does not fit
    /// is [`PrepareError::StrategyUnfit`]. `Auto`, the default, always fits.
    #[must_use]
    pub fn strategy(self, strategy: Strategy) -> Self {
        let settings = Settings { strategy, ..self.settings };
        Self { settings, ..self }
    }

    /// How a first pass is cut into workgroups. The bits of the result do not depend on it. The default is
    /// [`Policy::EXACT`] for exact results, else what suits the [`DeviceClass`](crate::DeviceClass), or [`Policy::DEFAULT`].
    #[must_use]
    pub fn policy(self, policy: Policy) -> Self {
        let settings = Settings { policy: Some(policy), ..self.settings };
        Self { settings, ..self }
    }

    /// The label of passes and buffers, for debuggers.
    #[must_use]
    pub fn label(self, label: impl Into<Cow<'static, str>>) -> Self {
        Self { label: label.into(), ..self }
    }

    pub(super) fn strategy_and_precision(&self) -> (Strategy, Precision) {
        (self.settings.strategy, self.settings.precision)
    }

    /// The operator, which a type alone does not tell of a program.
    pub(super) fn spec(&self) -> Result<&'static OperatorSpec, PrepareError> {
        spec_of::<T, Op>(self.settings.program)
    }

    pub(crate) fn settings(&self) -> Settings {
        self.settings
    }

    pub(crate) fn plan_inputs(
        &self,
        inputs: &Inputs<T>,
        output: (u64, bool),
        stored: Stored,
    ) -> Result<Plan, PrepareError> {
        self.plan_by(self.settings.strategy, inputs, output, stored, false)
    }

    pub(super) fn plan_by(
        &self,
        strategy: Strategy,
        inputs: &Inputs<T>,
        (output_offset_bytes, output_shares_input): (u64, bool),
        stored: Stored,
        is_counted: bool,
    ) -> Result<Plan, PrepareError> {
        let Settings { variant, precision, policy, program, arguments, kept, .. } = self.settings;
        // A type alone does not tell what a program does.
        let own = program.map(Program::spec);
        let (operator, element) = (own.unwrap_or(&Op::SPEC).operator, T::TYPE);
        let spec = own.or_else(|| operator.spec(element));
        // Without one, elements of several components have results of as many.
        let has_size = |spec: &OperatorSpec| own.is_some() || spec.out_words == Op::SPEC.out_words;
        if !spec.is_some_and(|spec| spec.inputs == Op::SPEC.inputs && has_size(spec)) {
            return Err(PrepareError::Unsupported { operator, element });
        }
        let problem = Problem {
            element: T::TYPE,
            operator,
            program,
            slices: inputs.left.0.iter().map(GpuSlice::extent).collect(),
            right_slices: inputs.right.0.iter().map(GpuSlice::extent).collect(),
            third_slices: inputs.third.0.iter().map(GpuSlice::extent).collect(),
            output_offset_bytes,
            output_shares_input,
            variant,
            strategy,
            precision,
            is_counted,
        };
        let plan = Plan::for_output(&problem, self.context.capabilities(), policy, stored);
        let mut plan = plan.map_err(|error| error.of_operator(Op::SPEC.operator))?;
        if let Some(arguments) = arguments {
            for dispatch in &mut plan.dispatches {
                dispatch.params = dispatch.params.with_arguments(arguments);
            }
        }
        if let Some(len) = kept {
            for dispatch in &mut plan.dispatches {
                dispatch.params = dispatch.params.with_len(len);
            }
        }
        Ok(plan)
    }

    /// Whether an expression has parameters, which are those of a dispatch.
    pub(crate) fn has_arguments(&self) -> bool {
        self.settings.arguments.is_some()
    }

    /// The plan for a batch, whose dispatches may become those of many reductions: in two passes, unless something else is
    /// asked for.
    pub(crate) fn plan_jobs(&self, inputs: &Inputs<T>) -> Result<Plan, PrepareError> {
        let strategy = match self.settings.strategy {
            Strategy::Auto | Strategy::SinglePass if !self.is_exact() => Strategy::TwoPass,
            strategy => strategy,
        };
        self.plan_by(strategy, inputs, (0, false), Stored::Value, false)
    }

    /// Whether there is an expression between the elements and the operator.
    pub(super) fn is_mapped(&self) -> bool {
        self.settings.program.is_some_and(|program| !program.is_operator())
    }

    pub(super) fn is_exact(&self) -> bool {
        let kept = self.settings.precision.kept_of(&Op::SPEC);
        kept == Some(Precision::Exact) && Op::SPEC.exact.is_some()
    }

    pub(crate) fn prepare_inputs(
        &self,
        inputs: &Inputs<T>,
        output: &GpuSlice<Op::Out>,
        memory: Memory,
    ) -> Result<Prepared<T, Op>, PrepareError> {
        let plan = self.validate(inputs, output, 1, Stored::Value)?;
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
        stored: Stored,
    ) -> Result<Plan, PrepareError> {
        let shares_input = Self::check_slices(inputs, output, items)?;
        self.plan_inputs(inputs, (output.offset_bytes(), shares_input), stored)
    }

    /// Whether the output is in a buffer of the inputs.
    pub(super) fn check_slices<Out: bytemuck::Pod>(
        inputs: &Inputs<T>,
        output: &GpuSlice<Out>,
        items: u64,
    ) -> Result<bool, PrepareError> {
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
        Ok(inputs.slices().any(shares_buffer))
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
        let size_bytes = size_of::<Op::Out>() as u64;
        let (prepared, staging) = match Staging::allocate_written(&self.context, size_bytes)? {
            Some(staging) => {
                let output = GpuSlice::whole(staging.buffer());
                (self.prepare_inputs(inputs, &output, Memory::Pooled)?, staging)
            }
            None => {
                let prepared = self.prepare_own_output(inputs, Memory::Pooled)?;
                (prepared, Staging::allocate_own(&self.context, size_bytes)?)
            }
        };
        let mut encoder = self.context.create_encoder(&self.label)?;
        let readback = prepared.record_to(staging, &mut encoder);
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
        self.plan_inputs(&inputs.into().into(), (0, false), Stored::Value)
    }

    /// Allocates everything that reducing `inputs` into the first item of `output` takes. Submits
    /// nothing, waits for nothing.
    ///
    /// The first input of a kind in a context (operator, type, a single block or several, of these also the alignment)
    /// also compiles a pipeline: see [`Reducer::warm_up`].
    ///
    /// All need `wgpu::BufferUsages::STORAGE`, and `output` may lie in a buffer that is also an input.
    /// An empty input writes what [`Operator::finish`](crate::Operator::finish) makes of the identity.
    ///
    /// # Errors
    ///
    /// [`PrepareError`]. Nothing of the caller's has changed then.
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
        let prepared = self.prepare_inputs(&inputs.into().into(), output, Memory::Pooled)?;
        error_scope::ensure_not_lost(self.context.device(), &self.label)?;
        prepared.record(encoder);
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
        self.measure_inputs_blocking(&inputs.into().into())
    }

    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn measure_inputs_blocking(
        &self,
        inputs: &Inputs<T>,
    ) -> Result<Reduction<Op::Value>, Error> {
        let (readback, submission, plan) = self.submit_timed(inputs)?;
        Ok(self.reduction(readback.wait_submitted(submission)?, &plan))
    }
}
