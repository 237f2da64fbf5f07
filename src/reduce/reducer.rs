//! Reductions on a device: [`Reducer`].

use crate::{
    algebra::{
        operator::{Items, Operator, OperatorSpec},
        precision::Precision,
    },
    custom::{
        any_operator::program_of,
        expression::{Expression, MapElement},
    },
    device::{buffer::GpuSlice, context::Context, error_scope, pool::Memory, readback::Readback},
    dispatch::{
        plan::Plan,
        prepared::{Output, Prepared},
    },
    error::{Error, PrepareError, WgslError},
    reduce::{
        any_reducer::{AnyReducer, Settings},
        counted::{CountSlice, Counted},
        inputs::{AnyInput, Input, spec_of_types},
        reduction::Reduction,
    },
    way::{Strategy, Variant, policy::Policy},
    wgsl::kernel::Stored,
};
use std::{borrow::Cow, marker::PhantomData};

/// Reduces items of type `I` by the operator `Op`, on the device of a [`Context`]. Items are elements `T` of one input, or, by [`Dot`](crate::Dot), the pairs
/// `(T, T)` of two. Calls take an [`Input`] of them, or anything that makes one: a buffer or slices, or two of these in brackets. Another number
/// of inputs does not compile:
///
/// ```compile_fail
/// # fn example(context: gridfold::Context, a: gridfold::wgpu::Buffer, b: gridfold::wgpu::Buffer) {
/// use gridfold::{Reducer, Sum};
/// _ = Reducer::<f32, _>::new(&context, Sum).reduce((&a, &b));
/// # }
/// ```
///
/// ```
/// # fn example(context: gridfold::Context, a: gridfold::wgpu::Buffer, b: gridfold::wgpu::Buffer) {
/// use gridfold::{Dot, Reducer, Sum};
/// _ = Reducer::<f32, _>::new(&context, Sum).reduce(&a);
/// _ = Reducer::<(f32, f32), _>::new(&context, Dot).reduce((&a, &b));
/// # }
/// ```
///
/// Options are taken by value. A reducer holds no GPU object of its own: make as many as you like,
/// use one from several threads.
#[derive(Clone, Debug)]
#[doc(alias("DeviceReduce"))]
pub struct Reducer<I, Op> {
    any: AnyReducer,
    op: Op,
    items: PhantomData<fn(I)>,
}

impl<I: Items, Op: Operator<I>> Reducer<I, Op> {
    /// A reducer that chooses variant and strategy by itself.
    pub fn new(context: &Context, op: Op) -> Self {
        let any = AnyReducer::new(context, &spec_of_types::<I, Op>(&op));
        Self::of(any.program(program_of::<I, Op>(&op)), op)
    }

    /// The reducer with its types.
    pub(crate) fn of(any: AnyReducer, op: Op) -> Self {
        Self { any, op, items: PhantomData }
    }

    pub(crate) fn operator(&self) -> &Op {
        &self.op
    }

    fn with(self, change: impl FnOnce(Settings) -> Settings) -> Self {
        let any = self.any;
        Self { any: AnyReducer { settings: change(any.settings), ..any }, ..self }
    }

    /// The reducer of an expression's values.
    pub(crate) fn with_expression<E: MapElement>(
        self,
        expression: &Expression<E>,
        spec: &OperatorSpec,
    ) -> Result<Self, WgslError> {
        Ok(Self::of(self.any.with_expression(expression, spec)?, self.op))
    }

    /// The reducer without its types.
    pub(crate) fn any(&self) -> &AnyReducer {
        &self.any
    }

    /// The context that the reducer was made from.
    pub fn context(&self) -> &Context {
        &self.any.context
    }

    /// How invocations of a workgroup combine. The bits of the result do not depend on it, unless it is
    /// [`Precision::Unordered`]. Exact results need no subgroups, and go through workgroup memory in any variant.
    #[must_use]
    pub fn variant(self, variant: Variant) -> Self {
        self.with(|settings| Settings { variant, ..settings })
    }

    /// Sets the promise of the result: the default is [`Precision::Reproducible`].
    #[must_use]
    pub fn precision(self, precision: Precision) -> Self {
        self.with(|settings| Settings { precision, ..settings })
    }

    /// How workgroups combine. The bits of the result do not depend on it, except those of [`Precision::Unordered`] sums of floats.
    ///
    /// Reproducible results need partials, in two passes or a single one. Exact results need workgroups' atomics. A strategy that does not fit
    /// is [`PrepareError::StrategyUnfit`]. `Auto`, the default, always fits.
    #[must_use]
    pub fn strategy(self, strategy: Strategy) -> Self {
        self.with(|settings| Settings { strategy, ..settings })
    }

    /// How a first pass is cut into workgroups. The bits of the result do not depend on it. The default is
    /// [`Policy::EXACT`] for exact results, else what suits the [`DeviceClass`](crate::DeviceClass), or [`Policy::DEFAULT`].
    #[must_use]
    pub fn policy(self, policy: Policy) -> Self {
        self.with(|settings| Settings { policy: Some(policy), ..settings })
    }

    /// The label of passes and buffers, for debuggers.
    #[must_use]
    pub fn label(self, label: impl Into<Cow<'static, str>>) -> Self {
        let any = AnyReducer { label: label.into(), ..self.any };
        Self { any, ..self }
    }

    pub(crate) fn prepare_inputs(
        &self,
        inputs: &AnyInput,
        output: &GpuSlice<Op::Out>,
        memory: Memory,
    ) -> Result<Prepared<Op::Value>, PrepareError> {
        Ok(self.any.prepare(inputs, output.any(), memory)?.typed(|raw| raw.value::<I, Op>()))
    }
}

/// Reductions.
impl<I: Items, Op: Operator<I>> Reducer<I, Op> {
    /// The plan for inputs, without allocating anything.
    ///
    /// # Errors
    ///
    /// [`PrepareError`], if they can't be reduced.
    pub fn plan(&self, inputs: impl Into<Input<I>>) -> Result<Plan, PrepareError> {
        Ok(self.any.plan_inputs(&inputs.into().into_any(), (0, false), Stored::Value)?.into())
    }

    /// Allocates everything that reducing `inputs` into the first item of `output` takes. Submits
    /// nothing, waits for nothing.
    ///
    /// The first input of a kind in a context (operator, type, a single block or several, of these also the alignment)
    /// also compiles a pipeline: see [`Reducer::warm_up`].
    ///
    /// All need `wgpu::BufferUsages::STORAGE`, and `output` may lie in a buffer that is also an input.
    /// An empty input writes the result of nothing ([`Operator::Out`](crate::Operator::Out)).
    ///
    /// # Errors
    ///
    /// [`PrepareError`]. Nothing of the caller's has changed then.
    pub fn prepare(
        &self,
        inputs: impl Into<Counted<I>>,
        output: &GpuSlice<Op::Out>,
    ) -> Result<Prepared<Op::Value>, PrepareError> {
        let Counted { input, count } = inputs.into();
        let (any, inputs) = (&self.any, input.into_any());
        let Some(count) = count else {
            return self.prepare_inputs(&inputs, output, Memory::Own);
        };
        let (plan, recording) = any.prepare_counted(&inputs, &count, output.any(), Memory::Own)?;
        error_scope::ensure_not_lost(self.context().device(), "a reduction")?;
        let (most, first) = (plan.len, output.any().slice(0..1)?);
        let mut output = Output::new(self.context(), vec![first], move |bytes| {
            let (out, count) = bytes.split_at(size_of::<Op::Out>());
            Op::value(bytemuck::pod_read_unaligned(out), CountSlice::number(count).min(most))
        });
        output.slices.push(("count", count.slice()?));
        Ok(Prepared { plan: plan.into(), recording, output })
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
        inputs: impl Into<Counted<I>>,
        output: &GpuSlice<Op::Out>,
    ) -> Result<(), PrepareError> {
        let Counted { input, count } = inputs.into();
        let (any, inputs) = (&self.any, input.into_any());
        let Some(count) = count else {
            return any.record(encoder, &inputs, output.any());
        };
        let (_, recording) = any.prepare_counted(&inputs, &count, output.any(), Memory::Pooled)?;
        error_scope::ensure_not_lost(self.context().device(), any.label_text())?;
        recording.record(encoder, None);
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
        inputs: impl Into<Input<I>>,
    ) -> Result<Readback<Op::Value>, PrepareError> {
        let any = self.any.with_place();
        let prepared = any.prepare_own_output(&inputs.into().into_any(), Memory::Pooled)?;
        prepared.record_readback(encoder, |raw| raw.value::<I, Op>())
    }

    /// Reduces `inputs` to a value on the host: allocates, submits, and completes when the device is
    /// done, under any executor. Dropping the future loses the value and nothing else.
    ///
    /// # Errors
    ///
    /// [`Error::Prepare`] before a submission, [`Error::Read`] after. Some extrema with a predicate take two ([`Reducer::map`]).
    pub async fn reduce(&self, inputs: impl Into<Input<I>>) -> Result<Op::Value, Error> {
        Ok(self.any.reduce(&inputs.into().into_any()).await?.value::<I, Op>())
    }

    /// [`Reducer::reduce`], blocking.
    ///
    /// # Errors
    ///
    /// As [`Reducer::reduce`].
    #[cfg(not(target_arch = "wasm32"))]
    pub fn reduce_blocking(&self, inputs: impl Into<Input<I>>) -> Result<Op::Value, Error> {
        Ok(self.any.reduce_blocking(&inputs.into().into_any())?.value::<I, Op>())
    }

    /// [`Reducer::reduce`] with the plan and the device time.
    ///
    /// # Errors
    ///
    /// As [`Reducer::reduce`].
    pub async fn measure(
        &self,
        inputs: impl Into<Input<I>>,
    ) -> Result<Reduction<Op::Value>, Error> {
        Ok(self.any.measure(&inputs.into().into_any()).await?.of_types::<I, Op>())
    }

    /// [`Reducer::measure`], blocking.
    ///
    /// # Errors
    ///
    /// As [`Reducer::reduce`].
    #[cfg(not(target_arch = "wasm32"))]
    pub fn measure_blocking(
        &self,
        inputs: impl Into<Input<I>>,
    ) -> Result<Reduction<Op::Value>, Error> {
        Ok(self.any.measure_blocking(&inputs.into().into_any())?.of_types::<I, Op>())
    }
}
