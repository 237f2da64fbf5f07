//! Executors and arrays, of what expressions make of the elements of three inputs.

use crate::{
    algebra::operator::Operator,
    custom::expression::{Map3, MapElement},
    error::{Error, PrepareError},
    executor::{
        Executor,
        array::{Array, Beside},
        map_on_cpu::{on_cpu, parts_on_cpu},
        source::{Fill, Filled, Source, StreamError, check_len, cpu_ranges},
    },
    reduce::{
        custom::{OfTripled, Tripled},
        inputs::Triples,
        reducer::Reducer,
        reduction::Reduction,
    },
};

impl Executor {
    /// Reduces what `map` makes of the elements at the same places of `x`, `y` and `z`, as [`Executor::reduce_map`]: in one read of all three.
    ///
    /// ```
    /// use gridfold::{Executor, Map3, Max};
    ///
    /// let mixed = Map3::<i32>::new("select(x, y, z > 0)")?;
    /// let largest = Executor::auto().reduce_map3::<i32, Max>(&mixed, &[1, 9], &[5, 2], &[1, 1])?;
    /// assert_eq!(largest.value, Some(5));
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`PrepareError::LengthMismatchOfThree`] if there are more elements in one of them; as [`Executor::reduce_map`].
    #[doc(alias("transform_reduce"))]
    pub fn reduce_map3<T: MapElement, Op: Operator<T::Wide>>(
        &self,
        map: &Map3<T>,
        x: &[T],
        y: &[T],
        z: &[T],
    ) -> Result<Reduction<Op::Value>, Error>
    where
        Tripled<Op>: OfTripled<T, Op>,
    {
        check_lens([x, y, z])?;
        let device = self.device_for::<T, Tripled<Op>>(&[x, y, z]);
        match device.filter(|_| self.maps_on_device::<T, Op>(map.expression())) {
            None => {
                let mapping = map.expression().of(&<Op as Operator<T::Wide>>::SPEC)?;
                on_cpu::<T, Op>(self.precision, &mapping, [x, y, z])
            }
            Some(context) => Reducer::<T, Tripled<Op>>::map3(context, map)?
                .precision(self.precision)
                .measure_stream(&[x, y, z], self.chunk_bytes),
        }
    }

    /// Reduces what `map` makes of `len` elements of each of three inputs, which come as those of [`Executor::dot_stream`]: of each chunk
    /// first the elements of input 0, then those of input 1, then those of input 2.
    ///
    /// # Errors
    ///
    /// As [`Executor::reduce_map_stream`].
    pub fn reduce_map3_stream<T: MapElement, Op: Operator<T::Wide>, E>(
        &self,
        map: &Map3<T>,
        len: u64,
        mut fill: impl FnMut(usize, &mut [T]) -> Result<(), E>,
    ) -> Result<Reduction<Op::Value>, StreamError<E>>
    where
        Tripled<Op>: OfTripled<T, Op>,
    {
        self.reduce_map3_filled::<T, Op, E>(map, len, &mut fill)
    }

    fn reduce_map3_filled<T: MapElement, Op: Operator<T::Wide>, E>(
        &self,
        map: &Map3<T>,
        len: u64,
        fill: &mut Fill<'_, T, E>,
    ) -> Result<Reduction<Op::Value>, StreamError<E>>
    where
        Tripled<Op>: OfTripled<T, Op>,
    {
        check_len(len)?;
        let device = self.device_for_len::<T, Tripled<Op>>(3 * len);
        let device = device.filter(|_| self.maps_on_device::<T, Op>(map.expression()));
        if let Some(context) = device {
            let reducer = Reducer::<T, Tripled<Op>>::map3(context, map).map_err(Error::from)?;
            return reducer.precision(self.precision).measure_fill(len, self.chunk_bytes, fill);
        }
        let mapping = map.expression().of(&<Op as Operator<T::Wide>>::SPEC).map_err(Error::from)?;
        let mut source = Filled::new(3, len, fill);
        let mut before = [Vec::new(), Vec::new()];
        let result = parts_on_cpu::<T, Op>(self.precision, &mapping, len, &mut |add| {
            for range in cpu_ranges::<T>(len, self.chunk_bytes) {
                for (input, elements) in before.iter_mut().enumerate() {
                    let Some(()) = source.bring(input, &range, elements) else { return };
                }
                let Some(last) = source.part(2, range) else { return };
                let [x, y] = &before;
                add([x, y, last]);
            }
        });
        source.outcome(result.map(Some))
    }
}

impl<T: MapElement> Array<T> {
    /// Reduces what `map` makes of the elements at the same places of this array (`x`) and of two others of the same executor (`y` and `z`), and tells how.
    ///
    /// # Errors
    ///
    /// As [`Executor::reduce_map3`], and [`PrepareError::DifferentExecutors`].
    #[doc(alias("transform_reduce"))]
    pub fn reduce_map3<Op: Operator<T::Wide>>(
        &self,
        map: &Map3<T>,
        y: &Self,
        z: &Self,
    ) -> Result<Reduction<Op::Value>, Error>
    where
        Tripled<Op>: OfTripled<T, Op>,
    {
        let precision = self.result_precision();
        let spec = &<Op as Operator<T::Wide>>::SPEC;
        match (self.beside(y)?, self.beside(z)?) {
            (Beside::Gpu { context, left: x, right: y }, Beside::Gpu { right: z, .. }) => {
                if map.expression().leaves_out(spec, precision) {
                    let inputs = Triples::from((x, y, z));
                    return Reducer::<T, Tripled<Op>>::measure_kept(context, map, &inputs);
                }
                let reducer = Reducer::<T, Tripled<Op>>::map3(context, map)?;
                reducer.precision(precision).measure_blocking((x, y, z))
            }
            // Where one is, all are.
            _ => {
                let mapping = map.expression().of(spec)?;
                self.on_cpu(|x| {
                    y.on_cpu(|y| {
                        z.on_cpu(|z| {
                            check_lens([x, y, z])?;
                            on_cpu::<T, Op>(precision, &mapping, [x, y, z])
                        })
                    })
                })
            }
        }
    }
}

/// Refuses inputs that are not of one length.
fn check_lens<T>(inputs: [&[T]; 3]) -> Result<(), PrepareError> {
    let [x, y, z] = inputs.map(|input| input.len() as u64);
    match x == y && y == z {
        true => Ok(()),
        false => Err(PrepareError::LengthMismatchOfThree { x, y, z }),
    }
}
