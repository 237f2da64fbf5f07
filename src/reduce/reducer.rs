//! Reductions on a device: [`Reducer`].

use crate::{
    algebra::{element::Element, operator::OperatorSpec, precision::Precision},
    custom::expression::{Expression, MapElement},
    device::{buffer::GpuSlice, context::Context, pool::Memory, readback::Readback},
    error::{Error, PrepareError, WgslError},
    reduce::{
        any_reducer::{AnyReducer, Settings},
        inputs::{AnyOperator, Inputs, spec_of_types},
        plan::Plan,
        prepared::Prepared,
        reduction::Reduction,
    },
    way::{Strategy, Variant, policy::Policy},
    wgsl::{kernel::Stored, program::Program},
};
use std::{borrow::Cow, marker::PhantomData};

/// Reduces elements of type `T` by the operator `Op`, on the device of a [`Context`]: those of one input if `Op` is an
/// [`Operator`](crate::Operator), and pairs of those of two if it is [`crate::Dot`]. What a call takes for its inputs says the
/// operator's [`AnyOperator::Inputs`]: an [`Input`](crate::Input), or whatever makes one; for [`Pairs`](crate::Pairs) two of
/// these, in brackets. Another number of inputs does not compile:
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
/// _ = Reducer::<f32, _>::new(&context, Dot).reduce((&a, &b));
/// # }
/// ```
///
/// Options are taken by value. A reducer holds no GPU object of its own: make as many as you like,
/// use one from several threads.
#[derive(Clone, Debug)]
#[doc(alias("DeviceReduce"))]
pub struct Reducer<T, Op> {
    any: AnyReducer,
    op: Op,
    element: PhantomData<fn(T)>,
}

impl<T: Element, Op: AnyOperator<T>> Reducer<T, Op> {
    /// A reducer that chooses variant and strategy by itself.
    pub fn new(context: &Context, op: Op) -> Self {
        Self::of(AnyReducer::new(context, &spec_of_types::<T, Op>(op)), op)
    }

    /// The reducer that does this. It is of these types.
    pub(crate) fn of(any: AnyReducer, op: Op) -> Self {
        Self { any, op, element: PhantomData }
    }

    pub(crate) fn operator(&self) -> Op {
        self.op
    }

    fn with(self, change: impl FnOnce(Settings) -> Settings) -> Self {
        let any = self.any;
        Self { any: AnyReducer { settings: change(any.settings), ..any }, ..self }
    }

    /// The reducer by an operator of the user's own.
    pub(crate) fn with_program(self, program: Program) -> Self {
        self.with(|settings| Settings { program: Some(program), ..settings })
    }

    /// The reducer of an expression's values.
    pub(crate) fn with_expression<E: MapElement>(
        self,
        expression: &Expression<E>,
        spec: &OperatorSpec,
    ) -> Result<Self, WgslError> {
        Ok(Self::of(self.any.with_expression(expression, spec)?, self.op))
    }

    /// What does not depend on types.
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

    /// How workgroups combine. The bits of the result do not depend on it, except those of [`Precision::Unordered`] sums and products of floats.
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
        inputs: &Inputs,
        output: &GpuSlice<Op::Out>,
        memory: Memory,
    ) -> Result<Prepared<T, Op>, PrepareError> {
        let any = self.any.prepare(inputs, output.any(), memory)?;
        Ok(Prepared { any, output: output.clone(), element: PhantomData })
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
        self.any.plan_inputs(&inputs.into().into(), (0, false), Stored::Value)
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
        self.any.record(encoder, &inputs.into().into(), output.any())
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
        let any = self.any.with_place();
        let prepared = any.prepare_own_output(&inputs.into().into(), Memory::Pooled)?;
        prepared.record_readback(encoder, |raw| raw.value::<T, Op>())
    }

    /// Reduces `inputs` to a value on the host: allocates, submits, and completes when the device is
    /// done, under any executor. Dropping the future loses the value and nothing else.
    ///
    /// # Errors
    ///
    /// [`Error::Prepare`] before a submission, [`Error::Read`] after. Some extrema with a predicate take two ([`Reducer::map`]).
    pub async fn reduce(&self, inputs: impl Into<Op::Inputs>) -> Result<Op::Value, Error> {
        Ok(self.any.reduce(&inputs.into().into()).await?.value::<T, Op>())
    }

    /// [`Reducer::reduce`], blocking.
    ///
    /// # Errors
    ///
    /// As [`Reducer::reduce`].
    #[cfg(not(target_arch = "wasm32"))]
    pub fn reduce_blocking(&self, inputs: impl Into<Op::Inputs>) -> Result<Op::Value, Error> {
        Ok(self.any.reduce_blocking(&inputs.into().into())?.value::<T, Op>())
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
        Ok(self.any.measure(&inputs.into().into()).await?.of_types::<T, Op>())
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
        Ok(self.any.measure_blocking(&inputs.into().into())?.of_types::<T, Op>())
    }
}
