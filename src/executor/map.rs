//! Executors and arrays, of what expressions make of elements.

use crate::{
    algebra::{
        operator::Operator,
        operators::{Count, Sum},
    },
    custom::expression::{Expression, IntoPredicate, Map, Map2, MapElement},
    error::{Error, PrepareError},
    exact::LengthMismatch,
    executor::{
        Executor,
        array::{Array, Beside},
        map_on_cpu::{InputParts, on_cpu, parts_on_cpu, value_on_cpu},
        source::{Fill, Filled, Source, StreamError, check_len, cpu_ranges},
    },
    reduce::{
        custom::{Mapped, OfMapped, OfPaired, Paired},
        inputs::{Input, Pairs},
        reducer::Reducer,
        reduction::Reduction,
    },
};

impl Executor {
    /// Reduces what `map` makes of `values`, where [`Executor::reduce`] would, and tells how.
    ///
    /// # Errors
    ///
    /// [`Error::Wgsl`] as [`Reducer::map`], but that there are variances of the elements for which a predicate is true: the CPU makes them, without
    /// rounding, and `Exact` means of these; as [`Executor::reduce`]; [`crate::PrepareError::Imprecise`] for what is not `Exact`, on the CPU, too.
    #[doc(alias("transform_reduce"))]
    pub fn reduce_map<T: MapElement, Op: Operator<T::Wide>>(
        &self,
        map: &Map<T>,
        values: &[T],
    ) -> Result<Reduction<Op::Value>, Error>
    where
        Mapped<Op>: OfMapped<T, Op>,
    {
        let device = self.device_for::<T, Mapped<Op>>(&[values]);
        match device.filter(|_| self.maps_on_device::<T, Op>(map.expression())) {
            None => {
                let mapping = map.expression().of(&<Op as Operator<T::Wide>>::SPEC)?;
                on_cpu::<T, Op>(self.precision, &mapping, [values, &[], &[]])
            }
            Some(context) => {
                let reducer = Reducer::<T, Mapped<Op>>::mapped(context, map)?;
                reducer.precision(self.precision).measure_stream(&[values], self.chunk_bytes)
            }
        }
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
    ) -> Result<Reduction<Op::Value>, Error>
    where
        Paired<Op>: OfPaired<T, Op>,
    {
        LengthMismatch::check(left, right).map_err(PrepareError::from)?;
        let device = self.device_for::<T, Paired<Op>>(&[left, right]);
        match device.filter(|_| self.maps_on_device::<T, Op>(map.expression())) {
            None => {
                let mapping = map.expression().of(&<Op as Operator<T::Wide>>::SPEC)?;
                on_cpu::<T, Op>(self.precision, &mapping, [left, right, &[]])
            }
            Some(context) => Reducer::<T, Paired<Op>>::map2(context, map)?
                .precision(self.precision)
                .measure_stream(&[left, right], self.chunk_bytes),
        }
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
        mut fill: impl FnMut(usize, &mut [T]) -> Result<(), E>,
    ) -> Result<Reduction<Op::Value>, StreamError<E>>
    where
        Mapped<Op>: OfMapped<T, Op>,
    {
        self.reduce_map_filled::<T, Op, E>(map, len, &mut fill)
    }

    fn reduce_map_filled<T: MapElement, Op: Operator<T::Wide>, E>(
        &self,
        map: &Map<T>,
        len: u64,
        fill: &mut Fill<'_, T, E>,
    ) -> Result<Reduction<Op::Value>, StreamError<E>>
    where
        Mapped<Op>: OfMapped<T, Op>,
    {
        check_len(len)?;
        let device = self.device_for_len::<T, Mapped<Op>>(len);
        let device = device.filter(|_| self.maps_on_device::<T, Op>(map.expression()));
        if let Some(context) = device {
            let reducer = Reducer::<T, Mapped<Op>>::mapped(context, map).map_err(Error::from)?;
            return reducer.precision(self.precision).measure_fill(len, self.chunk_bytes, fill);
        }
        let mapping = map.expression().of(&<Op as Operator<T::Wide>>::SPEC).map_err(Error::from)?;
        let mut source = Filled::new(1, len, fill);
        let result = parts_on_cpu::<T, Op>(self.precision, &mapping, len, &mut |add| {
            for range in cpu_ranges::<T>(len, self.chunk_bytes) {
                let Some(part) = source.part(0, range) else { return };
                add([part, &[], &[]]);
            }
        });
        source.outcome(result.map(Some))
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
        mut fill: impl FnMut(usize, &mut [T]) -> Result<(), E>,
    ) -> Result<Reduction<Op::Value>, StreamError<E>>
    where
        Paired<Op>: OfPaired<T, Op>,
    {
        self.reduce_map2_filled::<T, Op, E>(map, len, &mut fill)
    }

    fn reduce_map2_filled<T: MapElement, Op: Operator<T::Wide>, E>(
        &self,
        map: &Map2<T>,
        len: u64,
        fill: &mut Fill<'_, T, E>,
    ) -> Result<Reduction<Op::Value>, StreamError<E>>
    where
        Paired<Op>: OfPaired<T, Op>,
    {
        check_len(len)?;
        let device = self.device_for_len::<T, Paired<Op>>(2 * len);
        let device = device.filter(|_| self.maps_on_device::<T, Op>(map.expression()));
        if let Some(context) = device {
            let reducer = Reducer::<T, Paired<Op>>::map2(context, map).map_err(Error::from)?;
            return reducer.precision(self.precision).measure_fill(len, self.chunk_bytes, fill);
        }
        let mapping = map.expression().of(&<Op as Operator<T::Wide>>::SPEC).map_err(Error::from)?;
        let mut source = Filled::new(2, len, fill);
        let mut left = Vec::new();
        let result = parts_on_cpu::<T, Op>(self.precision, &mapping, len, &mut |add| {
            for range in cpu_ranges::<T>(len, self.chunk_bytes) {
                let Some(()) = source.bring(0, &range, &mut left) else { return };
                let Some(right) = source.part(1, range) else { return };
                add([&left, right, &[]]);
            }
        });
        source.outcome(result.map(Some))
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
        Mapped<Count>: OfMapped<T, Count>,
    {
        self.map_value::<T, Count>(&predicate.into_predicate()?.counted()?, values)
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
        Mapped<Sum>: OfMapped<T, Sum>,
    {
        self.map_value::<T, Sum>(&predicate.into_predicate()?.chosen()?, values)
    }

    /// The value of [`Executor::reduce_map`], without words about how.
    fn map_value<T: MapElement, Op: Operator<T::Wide>>(
        &self,
        map: &Map<T>,
        values: &[T],
    ) -> Result<Op::Value, Error>
    where
        Mapped<Op>: OfMapped<T, Op>,
    {
        let device = self.device_for::<T, Mapped<Op>>(&[values]);
        if device.is_some_and(|_| self.maps_on_device::<T, Op>(map.expression())) {
            return Ok(self.reduce_map::<T, Op>(map, values)?.value);
        }
        let mapping = map.expression().of(&<Op as Operator<T::Wide>>::SPEC)?;
        let parts: InputParts<'_, T> = &mut |add| add([values, &[], &[]]);
        Ok(value_on_cpu::<T, Op>(self.precision, &mapping, values.len() as u64, parts)?.0)
    }

    /// Whether devices have such results of expressions.
    pub(super) fn maps_on_device<T: MapElement, Op: Operator<T::Wide>>(
        &self,
        of: &Expression<T>,
    ) -> bool {
        !of.leaves_out(&<Op as Operator<T::Wide>>::SPEC, self.precision)
    }
}

impl<T: MapElement> Array<T> {
    /// Reduces what `map` makes of the elements, and tells how. Variances of the elements for which a predicate is true, and exact means of them, take two
    /// reads on a GPU, of which the plan and the time are the second one's.
    ///
    /// # Errors
    ///
    /// As [`Executor::reduce_map`]; on a GPU [`PrepareError::NoExactKernel`] of variances of `f64`.
    #[doc(alias("transform_reduce"))]
    pub fn reduce_map<Op: Operator<T::Wide>>(
        &self,
        map: &Map<T>,
    ) -> Result<Reduction<Op::Value>, Error>
    where
        Mapped<Op>: OfMapped<T, Op>,
    {
        match self.on_gpu() {
            None => {
                let mapping = map.expression().of(&<Op as Operator<T::Wide>>::SPEC)?;
                let precision = self.result_precision();
                self.on_cpu(|values| on_cpu::<T, Op>(precision, &mapping, [values, &[], &[]]))
            }
            Some((context, slices)) => {
                let (spec, precision) = (&<Op as Operator<T::Wide>>::SPEC, self.result_precision());
                if map.expression().leaves_out(spec, precision) {
                    let input = Input::from(slices);
                    return Reducer::<T, Mapped<Op>>::measure_kept(context, map, &input);
                }
                let reducer = Reducer::<T, Mapped<Op>>::mapped(context, map)?;
                reducer.precision(precision).measure_blocking(slices)
            }
        }
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
        Mapped<Count>: OfMapped<T, Count>,
    {
        Ok(self.reduce_map::<Count>(&predicate.into_predicate()?.counted()?)?.value)
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
        Mapped<Sum>: OfMapped<T, Sum>,
    {
        Ok(self.reduce_map::<Sum>(&predicate.into_predicate()?.chosen()?)?.value)
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
    ) -> Result<Reduction<Op::Value>, Error>
    where
        Paired<Op>: OfPaired<T, Op>,
    {
        let precision = self.result_precision();
        match self.beside(other)? {
            Beside::Cpu => {
                let mapping = map.expression().of(&<Op as Operator<T::Wide>>::SPEC)?;
                self.on_cpu(|left| {
                    other.on_cpu(|right| {
                        LengthMismatch::check(left, right).map_err(PrepareError::from)?;
                        on_cpu::<T, Op>(precision, &mapping, [left, right, &[]])
                    })
                })
            }
            Beside::Gpu { context, left, right } => {
                let spec = &<Op as Operator<T::Wide>>::SPEC;
                if map.expression().leaves_out(spec, precision) {
                    let inputs = Pairs::from((left, right));
                    return Reducer::<T, Paired<Op>>::measure_kept(context, map, &inputs);
                }
                let reducer = Reducer::<T, Paired<Op>>::map2(context, map)?;
                reducer.precision(precision).measure_blocking((left, right))
            }
        }
    }
}
