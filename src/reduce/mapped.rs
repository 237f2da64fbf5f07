//! Reductions of expressions.

#[cfg(not(target_arch = "wasm32"))]
use crate::{
    algebra::precision::Precision,
    cpu::fold::Raw,
    custom::expression::Expression,
    device::{
        buffer::GpuSlice,
        pool::Memory,
        readback::{Source, Staging},
    },
    error::{Error, PrepareError},
    reduce::{any_reducer::Settings, inputs::AnyInput, reduction::Reduction, work::Destination},
    wgsl::kernel::Stored,
};
use crate::{
    algebra::{
        element::Element,
        operator::{Items, Operator, OperatorSpec, sealed::Sealed},
    },
    custom::expression::{Map, Map2, Map3, MapElement, WideElement},
    device::context::Context,
    error::WgslError,
    reduce::{any_reducer::AnyReducer, reducer::Reducer},
};

impl<T: WideElement, Op: Operator<T>> Reducer<T, Op> {
    /// The reducer of an expression's values. [`Reducer::mapped`] is for elements of less than a word, too.
    ///
    /// It keeps the promises of `Op`. `Precision::Unordered` sums are [`Precision::Reproducible`](crate::Precision::Reproducible), too. A
    /// result that is [`Precision::Exact`](crate::Precision::Exact) is the true one of the values that the expression makes, each of which is rounded.
    /// Where a predicate says which elements count, only executors and arrays have `Exact` means.
    ///
    /// If no element counts, a `Min`, `Max` or `MinMax` is `None`. A first result that is the neutral element leaves that open. Then the device reads
    /// the inputs once more, so they must not change until the call completes. An output buffer of the caller's, and a [`Batch`](crate::Batch), get
    /// the operator's result of no elements:
    ///
    /// | operator | integers | floats |
    /// |---|---|---|
    /// | `Min` | the largest | ∞ |
    /// | `Max` | the least | −∞ |
    /// | `MinMax` | the largest, the least | ∞, −∞ |
    /// | with `Nan::Ignore` or `Nan::Total` | | NaN |
    ///
    /// ```
    /// use gridfold::{Executor, Map, Reducer, Sum};
    ///
    /// let executor = Executor::auto();
    /// let Some(context) = executor.context() else { return Ok(()) };
    /// let array = executor.upload(&[1.0f32, -2.0, 3.0])?;
    /// let sum = Reducer::<f32, _>::new(context, Sum).map(&Map::new("x * x + 1.0")?)?;
    /// assert_eq!(sum.reduce_blocking(array.gpu_slices().expect("on a GPU"))?, 17.0);
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`WgslError::NoNeutral`] for operators that can't leave out elements, if the map does: variances, which executors and arrays have, moments, and
    /// the last of several places. (A [`Variance.nan(Nan::Ignore)`](struct@crate::Variance) leaves them out as it does NaNs.) [`WgslError::MappedTwice`] if the
    /// reducer has an expression already, or an operator of the user's own.
    pub fn map(self, map: &Map<T>) -> Result<Self, WgslError> {
        let spec = Operator::<T>::spec(self.operator());
        self.with_expression(map.expression(), &spec)
    }
}

/// The operator `Op` on the values that an expression makes of items, as a type. The reducer that [`Reducer::mapped`], [`Reducer::map2`] or [`Reducer::map3`] makes
/// knows the expression.
#[derive(Clone, Copy, Debug)]
pub struct Mapped<Op>(Op);

impl<Op: 'static> Sealed for Mapped<Op> {
    const IS_LISTED: bool = false;
}

/// The type of an expression's values.
type Wide<I> = <<I as Items>::Element as MapElement>::Wide;

impl<I: Items<Element: MapElement>, Op: Operator<Wide<I>>> Operator<I> for Mapped<Op> {
    const SPEC: OperatorSpec =
        OperatorSpec { element: I::Element::TYPE, inputs: I::INPUTS, ..Op::SPEC };
    type Out = Op::Out;
    type Value = Op::Value;
    fn spec(&self) -> OperatorSpec {
        OperatorSpec { element: I::Element::TYPE, inputs: I::INPUTS, ..self.0.spec() }
    }
    fn value(out: Op::Out, len: u64) -> Op::Value {
        Op::value(out, len)
    }
    fn out(value: Op::Value) -> Option<Op::Out> {
        Op::out(value)
    }
}

/// The exact result of the elements for which a predicate is true, and of no others: these are counted first.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn measure_kept<T: MapElement>(
    context: &Context,
    of_type: &OperatorSpec,
    expression: &Expression<T>,
    spec: &OperatorSpec,
    inputs: &AnyInput,
) -> Result<Reduction<Raw>, Error> {
    let (operator, element) = (spec.operator, T::TYPE);
    if Precision::Exact.is_on_cpu_alone(spec) {
        return Err(PrepareError::NoExactKernel { operator, element }.into());
    }
    let Some([count, exact]) = expression.programs_of_kept(spec)? else {
        return Err(PrepareError::Unsupported { operator, element }.into());
    };
    let reducer = |program| AnyReducer::new(context, of_type).with_program(program, expression);
    let kept = Some(reducer(count).count_blocking(inputs)?);
    let any = reducer(exact);
    let settings = Settings { precision: Precision::Exact, kept, ..any.settings };
    AnyReducer { settings, ..any }.measure_blocking(inputs)
}

#[cfg(not(target_arch = "wasm32"))]
impl AnyReducer {
    /// The count that the reducer's program makes, whatever its operator is.
    fn count_blocking(&self, inputs: &AnyInput) -> Result<u64, Error> {
        const WORDS: u64 = 2;
        let context = self.context();
        let size_bytes = 4 * WORDS;
        let output = context.pool().output(size_bytes)?;
        let stored = GpuSlice::<u32>::new(&output, 0, WORDS).map_err(PrepareError::from)?;
        let plan = self.validate(inputs, stored.any(), WORDS, Stored::Value)?;
        let destination = Destination { buffer: &output, offset_bytes: 0, size_bytes };
        let work = self.prepare_work(plan, inputs, destination, Memory::Pooled)?;
        let staging = Staging::allocate(context, size_bytes)?;
        let mut encoder = context.create_encoder(self.label_text())?;
        work.recording.record(&mut encoder, None);
        let source = Source { buffer: &output, offset_bytes: 0, size_bytes };
        let decode = |bytes: &[u8]| bytemuck::pod_read_unaligned::<u64>(bytes);
        let readback = staging.record(context, &mut encoder, &[source], decode);
        let submission = context.submit(encoder)?;
        Ok(readback.wait_submitted(submission)?)
    }
}

impl<T: MapElement, Op: Operator<T::Wide>> Reducer<T, Mapped<Op>> {
    /// A reducer of an expression's values, for elements of any type that expressions take, as [`Reducer::map`].
    ///
    /// ```
    /// use gridfold::{Executor, Map, Mapped, Max, Reducer};
    ///
    /// let executor = Executor::auto();
    /// let Some(context) = executor.context() else { return Ok(()) };
    /// let bytes = executor.upload(&[7u8, 200, 31])?;
    /// let square = Map::new("x * x")?;
    /// let largest = Reducer::<u8, Mapped<_>>::mapped(context, &square, Max)?;
    /// assert_eq!(largest.reduce_blocking(bytes.gpu_slices().expect("on a GPU"))?, Some(40_000));
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Reducer::map`].
    pub fn mapped(context: &Context, map: &Map<T>, op: Op) -> Result<Self, WgslError> {
        let spec = Operator::<T::Wide>::spec(&op);
        Self::new(context, Mapped(op)).with_expression(map.expression(), &spec)
    }
}

impl<T: MapElement, Op: Operator<T::Wide>> Reducer<(T, T), Mapped<Op>> {
    /// A reducer of an expression's values for the pairs of two inputs, as [`Reducer::mapped`].
    ///
    /// # Errors
    ///
    /// As [`Reducer::map`].
    pub fn map2(context: &Context, map: &Map2<T>, op: Op) -> Result<Self, WgslError> {
        let spec = Operator::<T::Wide>::spec(&op);
        Self::new(context, Mapped(op)).with_expression(map.expression(), &spec)
    }
}

impl<T: MapElement, Op: Operator<T::Wide>> Reducer<(T, T, T), Mapped<Op>> {
    /// A reducer of an expression's values for the triples of three inputs, as [`Reducer::mapped`].
    ///
    /// ```
    /// use gridfold::{Executor, Map3, Mapped, Reducer, Sum};
    ///
    /// let executor = Executor::auto();
    /// let Some(context) = executor.context() else { return Ok(()) };
    /// let array = executor.upload(&[1u32, 2, 3])?;
    /// let slices = array.gpu_slices().expect("on a GPU");
    /// let cubes = Reducer::<_, Mapped<_>>::map3(context, &Map3::new("x * y * z")?, Sum)?;
    /// assert_eq!(cubes.reduce_blocking((slices, slices, slices))?, 36);
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Reducer::map`].
    pub fn map3(context: &Context, map: &Map3<T>, op: Op) -> Result<Self, WgslError> {
        let spec = Operator::<T::Wide>::spec(&op);
        Self::new(context, Mapped(op)).with_expression(map.expression(), &spec)
    }
}
