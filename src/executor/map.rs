//! Executors and arrays, of what expressions make of elements.

use crate::{
    algebra::{
        operator::{Operator, PairParts},
        operators::{Count, Sum},
        precision::Precision,
    },
    cpu,
    custom::expression::{Map, Map2, MapElement, Mapping},
    device::capabilities::AdapterName,
    error::{Error, PrepareError, WgslError},
    exact::LengthMismatch,
    executor::{
        Executor,
        array::{Array, Beside},
        source::{Filled, Source, StreamError, check_len, cpu_ranges},
    },
    reduce::{
        custom::{OfPaired, Paired},
        reducer::{Reducer, Reduction},
    },
};

impl Executor {
    /// Reduces what `map` makes of `values`, where [`Executor::reduce`] would, and tells how.
    ///
    /// # Errors
    ///
    /// [`Error::Wgsl`] as [`Reducer::map`]; [`PrepareError::Imprecise`] where exact sums are asked for; on a GPU as [`Executor::reduce`].
    #[doc(alias("transform_reduce"))]
    pub fn reduce_map<T: MapElement, Op: Operator<T>>(
        &self,
        map: &Map<T>,
        values: &[T],
    ) -> Result<Reduction<Op::Value>, Error> {
        match self.device_for::<T, Op>(&[values]) {
            None => {
                let mapping = map.expression().of(&<Op as Operator<T>>::SPEC)?;
                on_cpu::<T, Op>(self.precision, &mapping, values, &[])
            }
            Some(context) => {
                let reducer = Reducer::<T, Op>::new(context).precision(self.precision);
                reducer.map(map)?.measure_stream(&[values], self.chunk_bytes)
            }
        }
    }

    /// Reduces what `map` makes of the pairs of `left` and `right`, as [`Executor::reduce_map`].
    ///
    /// # Errors
    ///
    /// [`PrepareError::LengthMismatch`] if there are more elements on one side; as [`Executor::reduce_map`].
    #[doc(alias("inner_product", "transform_reduce"))]
    pub fn reduce_map2<T: MapElement, Op: Operator<T>>(
        &self,
        map: &Map2<T>,
        left: &[T],
        right: &[T],
    ) -> Result<Reduction<Op::Value>, Error>
    where
        Paired<Op>: OfPaired<T, Op>,
    {
        LengthMismatch::check(left, right).map_err(PrepareError::from)?;
        match self.device_for::<T, Op>(&[left, right]) {
            None => {
                let mapping = map.expression().of(&<Op as Operator<T>>::SPEC)?;
                on_cpu::<T, Op>(self.precision, &mapping, left, right)
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
    pub fn reduce_map_stream<T: MapElement, Op: Operator<T>, E>(
        &self,
        map: &Map<T>,
        len: u64,
        fill: impl FnMut(usize, &mut [T]) -> Result<(), E>,
    ) -> Result<Reduction<Op::Value>, StreamError<E>> {
        check_len(len)?;
        if let Some(context) = self.device_for_len::<T, Op>(len) {
            let reducer = self.reducer::<T, Op>(context).map(map).map_err(Error::from)?;
            return reducer.measure_fill(len, self.chunk_bytes, fill);
        }
        let mapping = map.expression().of(&<Op as Operator<T>>::SPEC).map_err(Error::from)?;
        let mut source = Filled::new(1, len, fill);
        let result = parts_on_cpu::<T, Op>(self.precision, &mapping, len, &mut |add| {
            for range in cpu_ranges::<T>(len, self.chunk_bytes) {
                let Some(part) = source.part(0, range) else { return };
                add(part, &[]);
            }
        });
        source.outcome(result.map(Some))
    }

    /// Reduces what `map` makes of `len` pairs of elements, which come as those of [`Executor::dot_stream`].
    ///
    /// # Errors
    ///
    /// As [`Executor::reduce_map_stream`].
    pub fn reduce_map2_stream<T: MapElement, Op: Operator<T>, E>(
        &self,
        map: &Map2<T>,
        len: u64,
        fill: impl FnMut(usize, &mut [T]) -> Result<(), E>,
    ) -> Result<Reduction<Op::Value>, StreamError<E>>
    where
        Paired<Op>: OfPaired<T, Op>,
    {
        check_len(len)?;
        if let Some(context) = self.device_for_len::<T, Op>(2 * len) {
            let reducer = Reducer::<T, Paired<Op>>::map2(context, map).map_err(Error::from)?;
            return reducer.precision(self.precision).measure_fill(len, self.chunk_bytes, fill);
        }
        let mapping = map.expression().of(&<Op as Operator<T>>::SPEC).map_err(Error::from)?;
        let mut source = Filled::new(2, len, fill);
        let mut left = Vec::new();
        let result = parts_on_cpu::<T, Op>(self.precision, &mapping, len, &mut |add| {
            for range in cpu_ranges::<T>(len, self.chunk_bytes) {
                let Some(part) = source.part(0, range.clone()) else { return };
                left.clear();
                left.extend_from_slice(part);
                let Some(right) = source.part(1, range) else { return };
                add(&left, right);
            }
        });
        source.outcome(result.map(Some))
    }

    /// How many of `values` there are for which a predicate over `x` and `i` is true, as [`Map`] says.
    ///
    /// # Errors
    ///
    /// [`Error::Wgsl`], with line and column of the predicate; on a GPU as [`Executor::reduce`].
    pub fn count_if<T: MapElement>(&self, values: &[T], predicate: &str) -> Result<u64, Error>
    where
        Count: Operator<T, Value = u64>,
    {
        Ok(self.reduce_map::<T, Count>(&counted(predicate)?, values)?.value)
    }

    /// The sum of those of `values` for which a predicate over `x` and `i` is true, as [`Map`] says.
    ///
    /// # Errors
    ///
    /// As [`Executor::count_if`].
    pub fn sum_if<T: MapElement>(
        &self,
        values: &[T],
        predicate: &str,
    ) -> Result<<Sum as Operator<T>>::Value, Error>
    where
        Sum: Operator<T>,
    {
        Ok(self.reduce_map::<T, Sum>(&summed(predicate)?, values)?.value)
    }
}

impl<T: MapElement> Array<T> {
    /// Reduces what `map` makes of the elements, and tells how.
    ///
    /// # Errors
    ///
    /// As [`Executor::reduce_map`].
    #[doc(alias("transform_reduce"))]
    pub fn reduce_map<Op: Operator<T>>(&self, map: &Map<T>) -> Result<Reduction<Op::Value>, Error> {
        match self.on_gpu() {
            None => {
                let mapping = map.expression().of(&<Op as Operator<T>>::SPEC)?;
                let precision = self.result_precision();
                self.on_cpu(|values| on_cpu::<T, Op>(precision, &mapping, values, &[]))
            }
            Some((context, slices)) => {
                let reducer = Reducer::<T, Op>::new(context).precision(self.result_precision());
                reducer.map(map)?.measure_blocking(slices)
            }
        }
    }

    /// How many elements there are for which a predicate over `x` and `i` is true, as [`Map`] says.
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
    pub fn count_if(&self, predicate: &str) -> Result<u64, Error>
    where
        Count: Operator<T, Value = u64>,
    {
        Ok(self.reduce_map::<Count>(&counted(predicate)?)?.value)
    }

    /// The sum of those elements for which a predicate over `x` and `i` is true, as [`Map`] says.
    ///
    /// # Errors
    ///
    /// As [`Array::count_if`].
    pub fn sum_if(&self, predicate: &str) -> Result<<Sum as Operator<T>>::Value, Error>
    where
        Sum: Operator<T>,
    {
        Ok(self.reduce_map::<Sum>(&summed(predicate)?)?.value)
    }

    /// Reduces what `map` makes of pairs with another array of the same executor, and tells how.
    ///
    /// # Errors
    ///
    /// As [`Executor::reduce_map2`], and [`PrepareError::DifferentExecutors`].
    #[doc(alias("inner_product", "transform_reduce"))]
    pub fn reduce_map2<Op: Operator<T>>(
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
                let mapping = map.expression().of(&<Op as Operator<T>>::SPEC)?;
                self.on_cpu(|left| {
                    other.on_cpu(|right| {
                        LengthMismatch::check(left, right).map_err(PrepareError::from)?;
                        on_cpu::<T, Op>(precision, &mapping, left, right)
                    })
                })
            }
            Beside::Gpu { context, left, right } => Reducer::<T, Paired<Op>>::map2(context, map)?
                .precision(precision)
                .measure_blocking((left, right)),
        }
    }
}

/// What is counted of elements that a predicate chooses.
fn counted<T: MapElement>(predicate: &str) -> Result<Map<T>, WgslError> {
    Map::new(T::ONE)?.only_where(predicate)
}

/// What is added of elements that a predicate chooses.
fn summed<T: MapElement>(predicate: &str) -> Result<Map<T>, WgslError> {
    Map::new("x")?.only_where(predicate)
}

/// Of slices. Without `right`, of one input.
fn on_cpu<T: MapElement, Op: Operator<T>>(
    precision: Precision,
    mapping: &Mapping,
    left: &[T],
    right: &[T],
) -> Result<Reduction<Op::Value>, Error> {
    let len = left.len() as u64;
    parts_on_cpu::<T, Op>(precision, mapping, len, &mut |add| add(left, right))
}

/// Of parts that begin at multiples of a power of two. Of one input the right ones are empty.
fn parts_on_cpu<T: MapElement, Op: Operator<T>>(
    precision: Precision,
    mapping: &Mapping,
    len: u64,
    parts: PairParts<'_, T>,
) -> Result<Reduction<Op::Value>, Error> {
    let spec = <Op as Operator<T>>::SPEC;
    // As on devices.
    if precision == Precision::Exact && !spec.order_free {
        let (operator, element) = (spec.operator, T::TYPE);
        return Err(PrepareError::Imprecise { operator, element, precision }.into());
    }
    let mut index = 0u32;
    let value = cpu::reduce_parts::<T, Op>(precision, &mut |add| {
        parts(&mut |left, right| {
            let first = index;
            #[expect(clippy::cast_possible_truncation, reason = "indices are modulo 2^32")]
            let at = |begin: usize| first.wrapping_add(begin as u32);
            let make = |begin: usize, words: &mut [u32]| {
                let end = begin + words.len();
                let y = right.get(begin..end).unwrap_or(&[]);
                mapping.run(&left[begin..end], y, at(begin), words);
            };
            cpu::make_parts(left.len(), make, |words| add(bytemuck::cast_slice(words)));
            index = at(left.len());
        });
    })?;
    let (plan, explanation) = cpu::describe_map(len);
    Ok(Reduction { value, adapter: AdapterName::cpu(), plan, explanation, device_time: None })
}
