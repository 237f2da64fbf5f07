//! Executors and arrays, of what expressions make of elements.

use crate::{
    algebra::{
        operator::{Operator, OperatorSpec},
        operators::{Count, Sum},
        precision::Precision,
    },
    cpu::fold::{Fold, Raw, elements},
    cpu::table::fold_of,
    custom::expression::{Expression, IntoPredicate, Map, Map2, MapElement},
    device::context::Context,
    error::{Error, PrepareError},
    exact::LengthMismatch,
    executor::{
        Executor,
        array::{Array, inputs_of},
        map_on_cpu::{InputParts, on_cpu, parts_on_cpu, value_on_cpu},
        source::{Fill, Filled, StreamError, check_len, fill_bytes},
    },
    reduce::{any_reducer::AnyReducer, mapped::measure_kept, reduction::Reduction},
};

impl Executor {
    /// Reduces what `map` makes of `values`, where [`Executor::reduce`] would, and tells how.
    ///
    /// # Errors
    ///
    /// [`Error::Wgsl`] as [`Reducer::map`](crate::Reducer::map), but that there are variances of the elements for which a predicate is true: the CPU makes them, without
    /// rounding, and `Exact` means of these; as [`Executor::reduce`]; [`crate::PrepareError::Imprecise`] for what is not `Exact`, on the CPU, too.
    #[doc(alias("transform_reduce"))]
    pub fn reduce_map<T: MapElement, Op: Operator<T::Wide>>(
        &self,
        map: &Map<T>,
        values: &[T],
        op: Op,
    ) -> Result<Reduction<Op::Value>, Error> {
        let by = By::of(map.expression(), fold_of::<T::Wide, Op>(&op)?);
        Ok(self.reduce_expression(by, [values, &[], &[]])?.of_types::<T::Wide, Op>())
    }

    /// Reduces what `map` makes of the pairs of `left` and `right`, as [`Executor::reduce_map`].
    ///
    /// # Errors
    ///
    /// [`PrepareError::LengthMismatch`] if there are more elements on one side; as [`Executor::reduce_map`].
    #[doc(alias("inner_product", "transform_reduce"))]
    pub fn reduce_map2<T: MapElement, Op: Operator<T::Wide>>(
        &self,
        map: &Map2<T>,
        left: &[T],
        right: &[T],
        op: Op,
    ) -> Result<Reduction<Op::Value>, Error> {
        LengthMismatch::check(left, right).map_err(PrepareError::from)?;
        let by = By::of(map.expression(), fold_of::<T::Wide, Op>(&op)?);
        Ok(self.reduce_expression(by, [left, right, &[]])?.of_types::<T::Wide, Op>())
    }

    /// Reduces what `map` makes of `len` elements that come chunk by chunk, as [`Executor::reduce_stream`].
    ///
    /// # Errors
    ///
    /// As [`Executor::reduce_stream`] and [`Executor::reduce_map`].
    pub fn reduce_map_stream<T: MapElement, Op: Operator<T::Wide>, E>(
        &self,
        map: &Map<T>,
        len: u64,
        op: Op,
        mut fill: impl FnMut(usize, &mut [T]) -> Result<(), E>,
    ) -> Result<Reduction<Op::Value>, StreamError<E>> {
        let by = By::of(map.expression(), fold_of::<T::Wide, Op>(&op).map_err(Error::from)?);
        let reduction = self.reduce_expression_filled(by, len, &mut fill_bytes(&mut fill))?;
        Ok(reduction.of_types::<T::Wide, Op>())
    }

    /// Reduces what `map` makes of `len` pairs of elements, which come as those of [`Executor::dot_stream`].
    ///
    /// # Errors
    ///
    /// As [`Executor::reduce_map_stream`].
    pub fn reduce_map2_stream<T: MapElement, Op: Operator<T::Wide>, E>(
        &self,
        map: &Map2<T>,
        len: u64,
        op: Op,
        mut fill: impl FnMut(usize, &mut [T]) -> Result<(), E>,
    ) -> Result<Reduction<Op::Value>, StreamError<E>> {
        let by = By::of(map.expression(), fold_of::<T::Wide, Op>(&op).map_err(Error::from)?);
        let reduction = self.reduce_expression_filled(by, len, &mut fill_bytes(&mut fill))?;
        Ok(reduction.of_types::<T::Wide, Op>())
    }

    /// How many of `values` there are for which a predicate over `x` and `i` is true, as [`Map`] says: a text, or a
    /// [`Predicate`](crate::Predicate), which may have parameters.
    ///
    /// ```
    /// use gridfold::{Executor, Predicate};
    ///
    /// let executor = Executor::auto();
    /// let values = [0.5f32, 2.0, 3.0];
    /// assert_eq!(executor.count_if(&values, "x > 1.0")?, 2);
    /// let above = Predicate::<f32>::with_parameters("x > limit", &[("limit", 1.0)])?;
    /// assert_eq!((executor.count_if(&values, &above)?, executor.sum_if(&values, &above)?), (2, 5.0));
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::Wgsl`], with line and column of the predicate; on a GPU as [`Executor::reduce`].
    pub fn count_if<T: MapElement>(
        &self,
        values: &[T],
        predicate: impl IntoPredicate<T>,
    ) -> Result<u64, Error>
    where
        Count: Operator<T::Wide, Value = u64>,
    {
        self.map_value(&predicate.into_predicate()?.counted()?, values, Count)
    }

    /// The sum of those of `values` for which a predicate over `x` and `i` is true, as [`Executor::count_if`] takes it. Elements have one component: of several
    /// reduce an expression of them, as `x.z`, with [`Map::only_where`].
    ///
    /// # Errors
    ///
    /// As [`Executor::count_if`].
    pub fn sum_if<T: MapElement>(
        &self,
        values: &[T],
        predicate: impl IntoPredicate<T>,
    ) -> Result<<Sum as Operator<T::Wide>>::Value, Error>
    where
        Sum: Operator<T, Value = <Sum as Operator<T::Wide>>::Value> + Operator<T::Wide>,
    {
        self.map_value(&predicate.into_predicate()?.chosen()?, values, Sum)
    }

    /// The value of [`Executor::reduce_map`], without words about how.
    fn map_value<T: MapElement, Op: Operator<T::Wide>>(
        &self,
        map: &Map<T>,
        values: &[T],
        op: Op,
    ) -> Result<Op::Value, Error> {
        let by = By::of(map.expression(), fold_of::<T::Wide, Op>(&op)?);
        if self.device_of(&by, values.len() as u64).is_some() {
            let reduction = self.reduce_expression(by, [values, &[], &[]])?;
            return Ok(reduction.value.value::<T::Wide, Op>());
        }
        let mapping = by.expression.of(by.fold.spec())?;
        let parts: InputParts<'_, T> = &mut |add| add([values, &[], &[]]);
        let (value, _) =
            value_on_cpu(by.fold, self.precision, &mapping, values.len() as u64, parts)?;
        Ok(value.value::<T::Wide, Op>())
    }

    /// Reduces an expression's values of slices of one length. Missing inputs are empty.
    pub(super) fn reduce_expression<T: MapElement>(
        &self,
        by: By<'_, T>,
        inputs: [&[T]; 3],
    ) -> Result<Reduction<Raw>, Error> {
        let inputs_len = inputs.iter().map(|input| input.len() as u64).sum();
        let Some(context) = self.device_of(&by, inputs_len) else {
            let mapping = by.expression.of(by.fold.spec())?;
            return on_cpu(by.fold, self.precision, &mapping, inputs);
        };
        let slices = inputs.map(bytemuck::cast_slice);
        let slices = &slices[..by.of_type.inputs as usize];
        by.reducer(context, self.precision)?.measure_stream(slices, self.chunk_bytes)
    }

    /// The same for `len` elements of each input, chunk by chunk.
    pub(super) fn reduce_expression_filled<T: MapElement, E>(
        &self,
        by: By<'_, T>,
        len: u64,
        fill: &mut Fill<'_, E>,
    ) -> Result<Reduction<Raw>, StreamError<E>> {
        check_len(len)?;
        let inputs = by.of_type.inputs;
        if let Some(context) = self.device_of(&by, len * u64::from(inputs)) {
            let reducer = by.reducer(context, self.precision)?;
            return reducer.measure_fill(len, self.chunk_bytes, fill);
        }
        let mapping = by.expression.of(by.fold.spec()).map_err(Error::from)?;
        let mut source = Filled::new(inputs as usize, len, T::TYPE.size_bytes(), fill);
        let result = parts_on_cpu::<T>(by.fold, self.precision, &mapping, len, &mut |add| {
            source.chunks(self.chunk_bytes, &mut |inputs| add(inputs.map(elements)));
        });
        source.outcome(result.map(Some))
    }

    /// The device that makes such results of so many elements of all inputs. `None` is the CPU.
    fn device_of<T: MapElement>(&self, by: &By<'_, T>, len: u64) -> Option<&Context> {
        let device = self.device_for(&by.of_type, len);
        device.filter(|_| !by.expression.leaves_out(by.fold.spec(), self.precision))
    }
}

/// An expression, and the operator that reduces its values.
pub(super) struct By<'e, T> {
    expression: &'e Expression<T>,
    fold: &'static dyn Fold,
    /// The operator on elements of the inputs.
    of_type: OperatorSpec,
}

impl<'e, T: MapElement> By<'e, T> {
    pub(super) fn of(expression: &'e Expression<T>, fold: &'static dyn Fold) -> Self {
        Self { expression, fold, of_type: expression.spec_of(fold.spec()) }
    }

    /// Fails if the operator can't take the expression.
    pub(super) fn check(&self) -> Result<(), Error> {
        self.expression.of(self.fold.spec())?;
        Ok(())
    }

    fn reducer(&self, context: &Context, precision: Precision) -> Result<AnyReducer, Error> {
        let reducer = AnyReducer::new(context, &self.of_type).precision(precision);
        Ok(reducer.with_expression(self.expression, self.fold.spec())?)
    }
}

impl<T: MapElement> Array<T> {
    /// Reduces an expression's values of arrays of one executor.
    pub(super) fn reduce_expression<const N: usize>(
        precision: Precision,
        by: &By<'_, T>,
        arrays: [&Self; N],
    ) -> Result<Reduction<Raw>, Error> {
        let (expression, spec) = (by.expression, by.fold.spec());
        let Some((context, _)) = arrays[0].on_gpu() else {
            let mapping = expression.of(spec)?;
            return Self::on_cpu_each(arrays, |inputs| {
                on_cpu(by.fold, precision, &mapping, inputs)
            });
        };
        let inputs = inputs_of(arrays.map(|array| array.gpu_slices().unwrap_or_default()));
        if expression.leaves_out(spec, precision) {
            return measure_kept(context, &by.of_type, expression, spec, &inputs);
        }
        by.reducer(context, precision)?.measure_blocking(&inputs)
    }

    /// Reads the elements of up to three arrays.
    fn on_cpu_each<R, const N: usize>(arrays: [&Self; N], read: impl FnOnce([&[T]; 3]) -> R) -> R {
        let with = |input: usize, read: &mut dyn FnMut(&[T])| match arrays.get(input) {
            Some(array) => array.on_cpu(read),
            None => read(&[]),
        };
        let mut read = Some(read);
        let mut result = None;
        with(0, &mut |x| {
            with(1, &mut |y| {
                with(2, &mut |z| result = read.take().map(|read| read([x, y, z])));
            });
        });
        result.expect("it is read once")
    }
}

impl<T: MapElement> Array<T> {
    /// Reduces what `map` makes of the elements, and tells how. Variances of the elements for which a predicate is true, and exact means of them, take two
    /// reads on a GPU, and so does an extremum if its first result is the neutral element. The plan and the time are the second one's.
    ///
    /// # Errors
    ///
    /// As [`Executor::reduce_map`]; on a GPU [`PrepareError::NoExactKernel`] of variances of `f64`.
    #[doc(alias("transform_reduce"))]
    pub fn reduce_map<Op: Operator<T::Wide>>(
        &self,
        map: &Map<T>,
        op: Op,
    ) -> Result<Reduction<Op::Value>, Error> {
        let by = By::of(map.expression(), fold_of::<T::Wide, Op>(&op)?);
        let reduction = Self::reduce_expression(self.result_precision(), &by, [self])?;
        Ok(reduction.of_types::<T::Wide, Op>())
    }

    /// How many elements there are for which a predicate over `x` and `i` is true, as [`Executor::count_if`] takes it.
    ///
    /// ```
    /// let array = gridfold::Executor::auto().upload(&[3i32, -1, 7])?;
    /// assert_eq!(array.count_if("x > 0")?, 2);
    /// assert_eq!(array.sum_if("x > 0")?, 10);
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::Wgsl`], with line and column of the predicate; on a GPU as [`Array::reduce`].
    pub fn count_if(&self, predicate: impl IntoPredicate<T>) -> Result<u64, Error>
    where
        Count: Operator<T::Wide, Value = u64>,
    {
        Ok(self.reduce_map(&predicate.into_predicate()?.counted()?, Count)?.value)
    }

    /// The sum of those elements for which a predicate over `x` and `i` is true, as [`Executor::sum_if`].
    ///
    /// # Errors
    ///
    /// As [`Array::count_if`].
    pub fn sum_if(
        &self,
        predicate: impl IntoPredicate<T>,
    ) -> Result<<Sum as Operator<T::Wide>>::Value, Error>
    where
        Sum: Operator<T, Value = <Sum as Operator<T::Wide>>::Value> + Operator<T::Wide>,
    {
        Ok(self.reduce_map(&predicate.into_predicate()?.chosen()?, Sum)?.value)
    }

    /// Reduces what `map` makes of pairs with another array of the same executor, and tells how.
    ///
    /// # Errors
    ///
    /// As [`Executor::reduce_map2`], and [`PrepareError::DifferentExecutors`].
    #[doc(alias("inner_product", "transform_reduce"))]
    pub fn reduce_map2<Op: Operator<T::Wide>>(
        &self,
        map: &Map2<T>,
        other: &Self,
        op: Op,
    ) -> Result<Reduction<Op::Value>, Error> {
        self.beside(other)?;
        let by = By::of(map.expression(), fold_of::<T::Wide, Op>(&op)?);
        by.check()?;
        check_lens(self, other)?;
        let reduction = Self::reduce_expression(self.result_precision(), &by, [self, other])?;
        Ok(reduction.of_types::<T::Wide, Op>())
    }
}

fn check_lens<T: MapElement>(left: &Array<T>, right: &Array<T>) -> Result<(), PrepareError> {
    let (left, right) = (left.len(), right.len());
    if left == right { Ok(()) } else { Err(PrepareError::LengthMismatch { left, right }) }
}
