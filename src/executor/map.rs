//! Executors and arrays, of what expressions make of elements.

use crate::{
    algebra::{
        element::{Element, ElementType},
        operator::Operator,
        operator_type::OperatorType,
        operators::{Count, NanMean, Sum},
        precision::Precision,
    },
    cpu,
    custom::expression::{
        Expression, IntoPredicate, Made, Map, Map2, MapElement, Mapping, WideElement,
    },
    device::capabilities::AdapterName,
    error::{Error, PrepareError},
    exact::LengthMismatch,
    executor::{
        Executor,
        array::{Array, Beside},
        source::{Fill, Filled, Source, StreamError, check_len, cpu_ranges},
    },
    reduce::{
        custom::{Mapped, OfMapped, OfPaired, Paired},
        inputs::{Input, Pairs},
        reducer::{Reducer, Reduction},
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
                let Some(part) = source.part(0, range.clone()) else { return };
                left.clear();
                left.extend_from_slice(part);
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

/// Calls what it is given with each part of an expression's inputs, the first one first: all have one length, but that inputs that there are not are empty.
pub(super) type InputParts<'a, T> = &'a mut dyn FnMut(&mut dyn FnMut([&[T]; 3]));

/// Of slices. Inputs that there are not are empty.
pub(super) fn on_cpu<T: MapElement, Op: Operator<T::Wide>>(
    precision: Precision,
    mapping: &Mapping,
    inputs: [&[T]; 3],
) -> Result<Reduction<Op::Value>, Error> {
    let len = inputs[0].len() as u64;
    parts_on_cpu::<T, Op>(precision, mapping, len, &mut |add| add(inputs))
}

/// Of parts that begin at multiples of a power of two.
pub(super) fn parts_on_cpu<T: MapElement, Op: Operator<T::Wide>>(
    precision: Precision,
    mapping: &Mapping,
    len: u64,
    parts: InputParts<'_, T>,
) -> Result<Reduction<Op::Value>, Error> {
    let (value, is_exact) = value_on_cpu::<T, Op>(precision, mapping, len, parts)?;
    let (plan, explanation) = match is_exact {
        true => cpu::describe_exact(),
        false => cpu::describe_map(len),
    };
    Ok(Reduction { value, adapter: AdapterName::cpu(), plan, explanation, device_time: None })
}

/// The value, and whether accumulators made it that do not round.
fn value_on_cpu<T: MapElement, Op: Operator<T::Wide>>(
    precision: Precision,
    mapping: &Mapping,
    len: u64,
    parts: InputParts<'_, T>,
) -> Result<(Op::Value, bool), Error> {
    let spec = <Op as Operator<T::Wide>>::SPEC;
    let precision = match spec.operator {
        // Of some elements there is no order of runs of equal length.
        operator if operator.is_variance() && mapping.tells_kept() => Precision::Exact,
        // There are no others.
        _ if spec.is_exact_alone() => Precision::Exact,
        _ => precision,
    };
    let is_exact = precision == Precision::Exact && !spec.order_free;
    if is_exact && spec.exact.is_none() {
        let (operator, element) = (spec.operator, T::TYPE);
        return Err(PrepareError::Imprecise { operator, element, precision }.into());
    }
    let value = match (mapping.tells_kept(), spec.operator) {
        (true, _) if is_exact => cpu::reduce_parts::<T::Wide, Op>(precision, &mut |add| {
            made_parts(mapping, parts, &mut |made, kept| {
                let counted = made.iter().zip(kept).filter(|&(_, &is_kept)| is_kept != 0);
                add(&counted.map(|(&value, _)| value).collect::<Vec<_>>());
            });
        })?,
        (false, _) if cpu::is_exact::<T::Wide, Op>(precision) => {
            cpu::reduce_parts::<T::Wide, Op>(precision, &mut |add| {
                made_parts(mapping, parts, &mut |made, _| add(made));
            })?
        }
        (false, _) => cpu::reduce_made::<T::Wide, Op>(&mut |add| {
            let mut first = 0u32;
            parts(&mut |inputs| {
                let len = inputs[0].len();
                add(len, &|begin, values| {
                    make(mapping, inputs, first, begin, Made { values, kept: &mut [] });
                });
                first = at(first, len);
            });
        }),
        (true, OperatorType::Mean) => mean_of_kept::<T, Op>(precision, mapping, parts)?,
        (true, _) => {
            let (mut total, mut number) = (Op::identity(), 0);
            made_parts(mapping, parts, &mut |made, kept| {
                for (&element, &is_kept) in made.iter().zip(kept) {
                    if is_kept != 0 {
                        total = Op::combine(total, Op::moved(Op::lift(element), number));
                    }
                    number += 1;
                }
            });
            Op::value(Op::finish(total, len), len)
        }
    };
    Ok((value, is_exact))
}

/// What takes numbers, and for each whether it counts.
type AddKept<'a, Wide> = dyn FnMut(&[Wide], &[u32]) + 'a;

/// What is made of parts, and for each element whether it counts, if the mapping tells.
fn made_parts<T: MapElement>(
    mapping: &Mapping,
    parts: InputParts<'_, T>,
    add: &mut AddKept<'_, T::Wide>,
) {
    let mut first = 0u32;
    parts(&mut |inputs| {
        let len = inputs[0].len();
        if mapping.tells_kept() {
            let most = len.min(KEPT_ITEMS);
            let (mut values, mut kept) =
                (vec![<T::Wide as bytemuck::Zeroable>::zeroed(); most], vec![0; most]);
            for begin in (0..len).step_by(KEPT_ITEMS) {
                let items = KEPT_ITEMS.min(len - begin);
                let made = Made { values: &mut values[..items], kept: &mut kept[..items] };
                make(mapping, inputs, first, begin, made);
                add(&values[..items], &kept[..items]);
            }
        } else {
            let make = |begin: usize, values: &mut [T::Wide]| {
                make(mapping, inputs, first, begin, Made { values, kept: &mut [] });
            };
            cpu::make_parts(len, make, |values| add(values, &[]));
        }
        first = at(first, len);
    });
}

/// The index of an element of a part, whose first one has the index `first`.
#[expect(clippy::cast_possible_truncation, reason = "indices are modulo 2^32")]
fn at(first: u32, place: usize) -> u32 {
    first.wrapping_add(place as u32)
}

/// Makes what elements of a part come to, from a place on: as many as there is room for. The part's first element has the index `first`.
fn make<T: MapElement>(
    mapping: &Mapping,
    inputs: [&[T]; 3],
    first: u32,
    begin: usize,
    made: Made<'_, T::Wide>,
) {
    let end = begin + made.values.len();
    let of_part = inputs.map(|input| input.get(begin..end).unwrap_or_default());
    mapping.run(of_part, at(first, begin), made);
}

/// Elements that are made at a time, where something is told of each.
const KEPT_ITEMS: usize = 1 << 16;

/// The mean of the elements that count.
fn mean_of_kept<T: MapElement, Op: Operator<T::Wide>>(
    precision: Precision,
    mapping: &Mapping,
    parts: InputParts<'_, T>,
) -> Result<Op::Value, Error> {
    let mean = match T::Wide::TYPE {
        ElementType::F64 => mean_of::<T, f64>(precision, mapping, parts, f64::NAN)?,
        _ => mean_of::<T, f32>(precision, mapping, parts, f32::NAN)?,
    };
    let mean = T::Wide::of_wide_bits(mean);
    Ok(Op::value(bytemuck::pod_read_unaligned(bytemuck::bytes_of(&mean)), 1))
}

/// Its bits. NaNs stand for the elements that do not count, so those among the others are told apart.
fn mean_of<T: MapElement, F: WideElement>(
    precision: Precision,
    mapping: &Mapping,
    parts: InputParts<'_, T>,
    nan: F,
) -> Result<u64, Error>
where
    NanMean: Operator<F, Value = F>,
{
    let mut has_nan = false;
    let mean = cpu::reduce_parts::<F, NanMean>(precision, &mut |add| {
        made_parts(mapping, parts, &mut |made, kept| {
            let numbers = made.iter().zip(kept).map(|(&number, &is_kept)| match is_kept {
                0 => nan,
                _ => F::of_wide_bits(number.wide_bits()),
            });
            let numbers: Vec<F> = numbers.collect();
            // Of those that count, as no NaN equals itself.
            has_nan |= numbers.iter().zip(kept).any(|(x, &is_kept)| is_kept != 0 && !x.eq(x));
            add(&numbers);
        });
    })?;
    Ok(if has_nan { nan } else { mean }.wide_bits())
}
