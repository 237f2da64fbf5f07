//! For programs that own no device yet: an executor finds one, or uses the CPU.
//!
//! It may depend on all else but `self_test`.

mod adapters;
pub(crate) mod array;
mod axis_blocks;
mod difference;
mod distances;
mod dynamic;
mod group;
mod group_parts;
mod groups;
mod histogram;
pub(crate) mod host;
mod map;
mod map3;
mod map_on_cpu;
mod masks;
mod one_liners;
mod parts;
mod scan;
mod segment_results;
mod segments;
mod select;
mod select_if;
mod source;
mod stream;

pub use adapters::ListedAdapter;
pub use dynamic::{DynMap, DynOperator, DynPartial, DynReducer, DynValue, DynValues};
pub use group::{Group, GroupReduction, ShardedArray, ShardsLost, Share};
pub use parts::PartStream;
pub use source::StreamError;

use crate::{
    algebra::{
        element::Element,
        operator::{Items, Operator, OperatorSpec},
        operator_type::OperatorType,
        operators::*,
        precision::Precision,
    },
    cpu::{
        self,
        fold::{Inputs, Raw},
    },
    custom::any_operator::AnyOperator,
    device::{capabilities::AdapterName, context::Context},
    error::{Error, PrepareError},
    exact::LengthMismatch,
    executor::{
        array::{Array, reduce_on_cpu},
        host::{HostPolicy, HostSlices, HostWork, for_one_call},
    },
    reduce::{any_reducer::AnyReducer, reduction::Reduction},
};
use smallvec::SmallVec;

/// Runs reductions on a GPU of its own choice, on one that the caller chose, or on the CPU, with the
/// same bits. Its calls block. A cheap clone, `Send + Sync`.
///
/// Slices in host memory are reduced where [`Executor::host_slices`] says. To a GPU they come in chunks, so they may be
/// larger than its memory. What is reduced more than once is better uploaded ([`Executor::upload`]).
///
/// ```
/// let executor = gridfold::Executor::auto();
/// let samples: Vec<f32> = (0..1000).map(|i| i as f32).collect();
/// assert_eq!(executor.sum(&samples)?, 499_500.0);
/// # Ok::<(), gridfold::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Executor {
    place: Place,
    precision: Precision,
    host_slices: HostSlices,
    /// Of host slices on their way to a GPU, if not the usual.
    chunk_bytes: Option<u64>,
}

#[derive(Clone, Debug)]
enum Place {
    Cpu,
    Gpu(Context),
}

impl Executor {
    /// The best GPU, or the CPU where there is none. Makes a device: keep the executor (or a clone) rather than
    /// asking again. Discrete GPUs come before integrated and virtual
    /// ones; software drivers are no GPUs. Environment variables of wgpu such as `WGPU_BACKEND` limit the
    /// choice. OpenGL is asked only where no other backend has a GPU that can be used.
    ///
    /// Arrays ([`Executor::upload`]) are reduced on the GPU, slices in host memory where that is faster
    /// ([`HostSlices::Auto`]): nearly always on the CPU, because a copy to the device reads the host's memory, too.
    pub fn auto() -> Self {
        if let Some(executor) = adapters::by_stages().find_map(adapters::best) {
            return executor.host_slices(HostSlices::Auto);
        }
        log::info!("no GPU adapter can be used: using the CPU");
        Self::cpu()
    }

    /// The CPU: every core, if the feature `parallel` is on.
    pub fn cpu() -> Self {
        Self::at(Place::Cpu)
    }

    /// The adapter that `selector` means, and no other:
    ///
    /// * `auto`: as [`Executor::auto`];
    /// * `cpu`: as [`Executor::cpu`];
    /// * an index in [`Executor::adapters`];
    /// * a part of `backend/name/driver`, in any case of letters, that occurs in one of them only. Adapters of OpenGL count only where no adapter of
    ///   another backend matches: `llvmpipe` is Vulkan's, although OpenGL has one, too. An OpenGL adapter whose device another backend offers,
    ///   too, must be asked for as `gl/…`, or as `gl` if it is OpenGL's only one.
    ///
    /// Only the backends that the selector can mean are opened: one that it begins with, as `vulkan/`, else OpenGL only where no
    /// adapter of another backend matches. (Drivers may write to the standard error while they are opened.)
    ///
    /// # Errors
    ///
    /// [`Error::Select`], or [`Error::Create`] if the context can't be made.
    pub fn with_adapter(selector: &str) -> Result<Self, Error> {
        match selector.trim().to_lowercase().as_str() {
            "auto" => Ok(Self::auto()),
            "cpu" => Ok(Self::cpu()),
            _ => adapters::select(selector)?.open(),
        }
    }

    /// On a context of the caller's.
    pub fn from_context(context: Context) -> Self {
        Self::at(Place::Gpu(context))
    }

    fn at(place: Place) -> Self {
        Self {
            place,
            precision: Precision::default(),
            host_slices: HostSlices::default(),
            chunk_bytes: None,
        }
    }

    /// Bytes that a chunk of a host slice (of two for [`Executor::dot`], together) has at most on its way to a GPU: for
    /// tests that must see several chunks of a short one.
    #[cfg(feature = "unstable")]
    #[must_use]
    pub fn chunk_bytes(self, chunk_bytes: u64) -> Self {
        Self { chunk_bytes: Some(chunk_bytes), ..self }
    }

    /// Sets the promise of results: the default is [`Precision::Reproducible`]. [`Executor::upload`] gives it to
    /// the array.
    ///
    /// ```
    /// use gridfold::{Executor, Precision};
    ///
    /// let executor = Executor::auto().precision(Precision::Exact);
    /// assert_eq!(executor.sum(&[1e30f32, 1.0, -1e30])?, 1.0);
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    #[must_use]
    pub fn precision(self, precision: Precision) -> Self {
        Self { precision, ..self }
    }

    /// Where slices of host memory are reduced: by [`Executor::reduce`], [`Executor::dot`] and their like, not by
    /// those of an [`Array`]. The default is [`HostSlices::Auto`] for [`Executor::auto`], and else
    /// [`HostSlices::OnDevice`]: a caller that asks for an adapter gets it, and nothing falls back in silence. Without a GPU it is
    /// the CPU in any case. [`Reduction::adapter`] names the place.
    ///
    /// ```
    /// use gridfold::{Executor, HostSlices, Sum};
    ///
    /// let executor = Executor::auto().host_slices(HostSlices::OnCpu);
    /// let reduction = executor.reduce(&[1.5, 2.5], Sum)?;
    /// assert_eq!(reduction.value, 4.0);
    /// assert_eq!(reduction.adapter.backend, "cpu");
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    #[must_use]
    pub fn host_slices(self, host_slices: HostSlices) -> Self {
        Self { host_slices, ..self }
    }

    /// The adapters there are, OpenGL's last. Environment variables of wgpu such as `WGPU_BACKEND` limit
    /// them. Without any backend of wgpu, as without the feature `backends`, there are none.
    pub fn adapters() -> Vec<ListedAdapter> {
        adapters::by_stages().flatten().collect()
    }

    /// The adapter's names; for the CPU, `cpu`.
    pub fn name(&self) -> AdapterName {
        match &self.place {
            Place::Cpu => AdapterName::cpu(),
            Place::Gpu(context) => context.adapter().clone(),
        }
    }

    /// The context, if this executor runs on a GPU.
    pub fn context(&self) -> Option<&Context> {
        match &self.place {
            Place::Cpu => None,
            Place::Gpu(context) => Some(context),
        }
    }

    /// Copies `values` to the device, into as many buffers as it takes.
    ///
    /// # Errors
    ///
    /// [`Error::Prepare`], if the device has no room.
    pub fn upload<T: Element>(&self, values: &[T]) -> Result<Array<T>, Error> {
        Array::upload(self.context(), self.precision, values)
    }

    /// [`Executor::upload`] of elements that no other call will use.
    fn upload_once<T: Element>(&self, values: &[T]) -> Result<Array<T>, Error> {
        let array = self.upload(values)?;
        Ok(match self.context() {
            Some(context) => array.with_strategy(for_one_call(context)),
            None => array,
        })
    }

    /// Reduces `values`, where [`Executor::host_slices`] says, and tells how, and where. On a GPU it submits chunk by
    /// chunk, with room for two there, and waits for the result.
    ///
    /// # Errors
    ///
    /// [`Error::Prepare`] or [`Error::Read`]: no chunk of `values` is left on the device. (What the CPU alone can give, such as an exact norm of
    /// `f64`s, it gives whatever the device is.) On the CPU only
    /// [`PrepareError::Imprecise`], if the operator has no results of the executor's precision: an exact f32 product; and
    /// [`PrepareError::Unsupported`], if it has no such options for the elements; and [`PrepareError::NoTwin`] of an operator of your own in WGSL alone.
    pub fn reduce<T: Element, Op: Operator<T>>(
        &self,
        values: &[T],
        op: Op,
    ) -> Result<Reduction<Op::Value>, Error> {
        let operator = AnyOperator::of::<T, Op>(&op)?;
        let reduction = self.reduce_slices(&operator, &[bytemuck::cast_slice(values)])?;
        Ok(reduction.of_types::<T, Op>())
    }

    /// The same of bytes: a slice for each input.
    fn reduce_slices(
        &self,
        operator: &AnyOperator,
        slices: &[&[u8]],
    ) -> Result<Reduction<Raw>, Error> {
        match self.device_for_bytes(operator.spec(), slices) {
            None => {
                let fold = operator.fold(self.precision)?;
                let mut copies = [Vec::new(), Vec::new()];
                let element = fold.spec().element;
                let slices = slices.iter().zip(&mut copies);
                let slices = slices.map(|(slice, copy)| cpu::aligned(element, slice, copy));
                let slices = slices.collect::<Result<SmallVec<[_; 2]>, _>>()?;
                reduce_on_cpu(fold, self.precision, &[inputs_of(&slices)])
            }
            Some(context) => {
                let reducer = self.any_reducer(context, operator);
                reducer.measure_stream(slices, self.chunk_bytes)
            }
        }
    }

    /// The dot product ([`Dot`](crate::Dot)). It runs where [`Executor::reduce`] would, to
    /// which both sides come in chunks.
    ///
    /// ```
    /// use gridfold::{Executor, Precision};
    ///
    /// let executor = Executor::auto();
    /// assert_eq!(executor.dot(&[1.5f32, 2.0, -1.0], &[2.0, 3.0, 4.0])?, 5.0);
    /// let exact = executor.precision(Precision::Exact);
    /// assert_eq!(exact.dot(&[1e30f32, 1.0, -1e30], &[1e30, 3.0, 1e30])?, 3.0);
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`PrepareError::LengthMismatch`] if there are more elements on one side; [`PrepareError::Imprecise`] where there are no
    /// results of the executor's precision; on a GPU as [`Executor::reduce`].
    #[doc(alias("inner_product"))]
    pub fn dot<T: Element>(&self, left: &[T], right: &[T]) -> Result<DotValue<T>, Error>
    where
        Dot: Operator<(T, T)>,
    {
        LengthMismatch::check(left, right).map_err(PrepareError::from)?;
        let slices = [left, right].map(bytemuck::cast_slice);
        let dot = AnyOperator::of::<(T, T), _>(&Dot)?;
        match self.device_for_bytes(dot.spec(), &slices) {
            None => Ok(cpu::dot_at(self.precision, left, right)?),
            Some(context) => self.value_on_device::<(T, T), Dot>(context, &slices, &dot),
        }
    }

    /// [`Executor::dot`], telling how.
    ///
    /// # Errors
    ///
    /// As [`Executor::dot`].
    pub fn measure_dot<T: Element>(
        &self,
        left: &[T],
        right: &[T],
    ) -> Result<Reduction<DotValue<T>>, Error>
    where
        Dot: Operator<(T, T)>,
    {
        LengthMismatch::check(left, right).map_err(PrepareError::from)?;
        let slices = [left, right].map(bytemuck::cast_slice);
        let dot = AnyOperator::of::<(T, T), _>(&Dot)?;
        Ok(self.reduce_slices(&dot, &slices)?.of_types::<(T, T), Dot>())
    }

    #[inline]
    fn value<T: Element, Op: Operator<T>>(&self, values: &[T], op: Op) -> Result<Op::Value, Error> {
        let slices = [bytemuck::cast_slice(values)];
        let operator = AnyOperator::of::<T, Op>(&op)?;
        match self.device_for_bytes(operator.spec(), &slices) {
            None => {
                let fold = operator.fold(self.precision)?;
                Ok(cpu::reduce_at::<T, Op>(fold, self.precision, &[values])?)
            }
            Some(context) => self.value_on_device::<T, Op>(context, &slices, &operator),
        }
    }

    /// Out of line, so that the CPU's way is short: a few elements take nanoseconds.
    #[inline(never)]
    fn value_on_device<I: Items, Op: Operator<I>>(
        &self,
        context: &Context,
        slices: &[&[u8]],
        operator: &AnyOperator,
    ) -> Result<Op::Value, Error> {
        let reducer = self.any_reducer(context, operator);
        Ok(reducer.stream(slices, self.chunk_bytes)?.value::<I, Op>())
    }

    /// The device that reduces these slices of host memory. `None` is the CPU.
    #[inline]
    fn device_for_bytes(&self, spec: &OperatorSpec, slices: &[&[u8]]) -> Option<&Context> {
        let context = self.context()?;
        let bytes: u64 = slices.iter().map(|slice| slice.len() as u64).sum();
        self.is_on_device(spec, bytes).then_some(context)
    }

    /// The same of so many elements of all inputs together.
    fn device_for(&self, spec: &OperatorSpec, len: u64) -> Option<&Context> {
        let context = self.context()?;
        self.is_on_device(spec, len.saturating_mul(spec.element.size_bytes())).then_some(context)
    }

    fn is_on_device(&self, spec: &OperatorSpec, bytes: u64) -> bool {
        match self.host_slices {
            _ if self.precision.is_on_cpu_alone(spec) => false,
            HostSlices::OnCpu => false,
            HostSlices::OnDevice => true,
            HostSlices::Auto if spec.operator == OperatorType::Custom => true,
            HostSlices::Auto => {
                let work = HostWork::of(spec, self.precision);
                HostPolicy::DEFAULT.prefers_device(work, bytes, cpu_threads())
            }
        }
    }

    /// The device of slices that stay on the CPU, unless [`HostSlices::OnDevice`] says otherwise, or the user's own operator may be in WGSL alone.
    fn device_if_asked(&self, spec: &OperatorSpec) -> Option<&Context> {
        let is_asked = match self.host_slices {
            HostSlices::OnCpu => false,
            HostSlices::OnDevice => true,
            HostSlices::Auto => spec.operator == OperatorType::Custom,
        };
        self.context().filter(|_| is_asked)
    }

    fn any_reducer(&self, context: &Context, operator: &AnyOperator) -> AnyReducer {
        AnyReducer::by(context, operator).precision(self.precision)
    }
}

/// Slices of one input, or of two.
fn inputs_of<'a>(slices: &[&'a [u8]]) -> Inputs<'a> {
    [slices[0], slices.get(1).copied().unwrap_or_default()]
}

/// The threads that the CPU's reductions use.
fn cpu_threads() -> usize {
    #[cfg(feature = "parallel")]
    {
        rayon::current_num_threads()
    }
    #[cfg(not(feature = "parallel"))]
    {
        1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        ElementType, OperatorType,
        cpu::table::{find, fold_of},
    };

    /// Their sum is 1; in the fixed order 0.
    const CANCELLING: [f32; 3] = [1e30, 1.0, -1e30];

    fn exact() -> Executor {
        Executor::cpu().precision(Precision::Exact)
    }

    fn assert_imprecise<V: std::fmt::Debug>(result: Result<V, Error>) {
        let expected = PrepareError::Imprecise {
            operator: OperatorType::Product,
            element: ElementType::F32,
            precision: Precision::Exact,
        };
        assert_eq!(result.expect_err("there are none").to_string(), expected.to_string());
    }

    #[test]
    fn the_cpu_keeps_every_level() {
        for (precision, expected) in Precision::ALL.into_iter().zip([0.0, 0.0, 1.0]) {
            let executor = Executor::cpu().precision(precision);
            assert_eq!(executor.sum(&CANCELLING).expect("sums"), expected);
            let reduction = executor.reduce(&CANCELLING, Sum).expect("sums");
            assert_eq!(reduction.value, expected);
            assert_eq!(executor.min(&CANCELLING).expect("any level"), Some(-1e30));
            assert_eq!(executor.sum(&[u32::MAX, 2]).expect("any level"), 1);
        }
        assert_eq!(Executor::cpu().sum(&CANCELLING).expect("sums"), 0.0);
        assert_eq!(exact().sum::<f32>(&[]).expect("sums").to_bits(), 0);
    }

    #[test]
    fn an_array_takes_its_executors_precision() {
        let array = exact().upload(&CANCELLING).expect("uploads");
        assert_eq!(array.sum().expect("sums"), 1.0);
        assert_eq!(array.reduce(Sum).expect("sums").value, 1.0);
        assert_eq!(array.slice(0..3).expect("within").sum().expect("sums"), 1.0);
        let array = array.precision(Precision::Reproducible);
        assert_eq!(array.sum().expect("sums"), 0.0);
        assert_eq!(array.precision(Precision::Exact).sum().expect("sums"), 1.0);
    }

    #[test]
    fn exact_products_are_an_error_on_the_cpu_too() {
        assert_imprecise(exact().product(&CANCELLING));
        assert_imprecise(exact().reduce(&CANCELLING, Product));
        let array = exact().upload(&CANCELLING).expect("uploads");
        assert_imprecise(array.product());
        assert_imprecise(array.reduce(Product));
        assert_eq!(exact().product(&[3, 5]).expect("integers"), 15);
    }

    #[test]
    fn slices_are_one_exact_sum() {
        let (a, b) = CANCELLING.split_at(2);
        let fold = fold_of::<f32, _>(&Sum).expect("it is defined");
        let sum = cpu::reduce_at::<f32, Sum>(fold, Precision::Exact, &[a, &[], b]);
        assert_eq!(sum.expect("sums"), 1.0);
    }

    #[test]
    fn exact_sums_describe_themselves() {
        let reduction = exact().reduce(&CANCELLING, Sum).expect("sums");
        assert!(reduction.plan.starts_with("cpu, exact, "), "{}", reduction.plan);
        let says = "The CPU adds without rounding, on up to ";
        assert!(reduction.explanation.starts_with(says), "{}", reduction.explanation);
        let reduction = exact().reduce::<u32, _>(&[1], Sum).expect("sums");
        assert!(!reduction.plan.contains("exact"), "{}", reduction.plan);
    }

    #[test]
    fn dot_products_keep_every_level() {
        for (precision, expected) in Precision::ALL.into_iter().zip([0.0, 0.0, 1.0]) {
            let executor = Executor::cpu().precision(precision);
            assert_eq!(executor.dot(&CANCELLING, &[1.0; 3]).expect("pairs"), expected);
            let reduction = executor.measure_dot(&CANCELLING, &[1.0; 3]).expect("pairs");
            assert_eq!(reduction.value, expected);
            let is_exact = reduction.plan.starts_with("cpu, exact, ");
            assert_eq!(is_exact, precision == Precision::Exact, "{}", reduction.plan);
            let array = executor.upload(&CANCELLING).expect("uploads");
            assert_eq!(array.dot(&array).expect("pairs"), f32::INFINITY);
            let ones = executor.upload(&[1.0; 3]).expect("uploads");
            assert_eq!(array.dot(&ones).expect("pairs"), expected);
            assert_eq!(array.measure_dot(&ones).expect("pairs").value, expected);
            let part = array.slice(1..2).expect("within");
            assert_eq!(part.dot(&part).expect("pairs"), 1.0);
            for error in [executor.dot(&[1f32; 3], &[1.0]), array.dot(&part)] {
                let error = error.expect_err("one is longer");
                let expected = PrepareError::LengthMismatch { left: 3, right: 1 };
                assert_eq!(error.to_string(), expected.to_string());
            }
        }
        assert_eq!(Executor::cpu().dot::<f32>(&[], &[]).expect("no pairs").to_bits(), 0);
    }

    /// The operator and its specification, which plans ask, agree.
    #[test]
    fn operators_have_the_exact_results_that_they_say() {
        for spec in OperatorType::specs() {
            let fold = find(spec.operator, spec.element).expect("it is defined");
            let total = fold.exact_total(&mut |_| {});
            assert_eq!(total.is_some(), spec.exact.is_some(), "{spec:?}");
        }
    }
}
