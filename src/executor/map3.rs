//! Executors and arrays, of what expressions make of the elements of three inputs.

use crate::{
    algebra::operator::Operator,
    cpu::table::fold_of,
    custom::expression::{Map3, MapElement},
    error::{Error, PrepareError},
    executor::{
        Executor,
        array::Array,
        map::By,
        source::{StreamError, fill_bytes},
    },
    reduce::reduction::Reduction,
};

impl Executor {
    /// Reduces what `map` makes of the elements at the same places of `x`, `y` and `z`, as [`Executor::reduce_map`]: in one read of all three.
    ///
    /// ```
    /// use gridfold::{Executor, Map3, Max};
    ///
    /// let mixed = Map3::<i32>::new("select(x, y, z > 0)")?;
    /// let largest = Executor::auto().reduce_map3(&mixed, &[1, 9], &[5, 2], &[1, 1], Max)?;
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
        op: Op,
    ) -> Result<Reduction<Op::Value>, Error> {
        check_lens([x, y, z].map(|input| input.len() as u64))?;
        let by = By::of(map.expression(), fold_of::<T::Wide, Op>(&op)?);
        Ok(self.reduce_expression(by, [x, y, z])?.of_types::<T::Wide, Op>())
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
        op: Op,
        mut fill: impl FnMut(usize, &mut [T]) -> Result<(), E>,
    ) -> Result<Reduction<Op::Value>, StreamError<E>> {
        let by = By::of(map.expression(), fold_of::<T::Wide, Op>(&op).map_err(Error::from)?);
        let reduction = self.reduce_expression_filled(by, len, &mut fill_bytes(&mut fill))?;
        Ok(reduction.of_types::<T::Wide, Op>())
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
        op: Op,
    ) -> Result<Reduction<Op::Value>, Error> {
        self.beside(y)?;
        self.beside(z)?;
        let by = By::of(map.expression(), fold_of::<T::Wide, Op>(&op)?);
        by.check()?;
        check_lens([self, y, z].map(Self::len))?;
        let reduction = Self::reduce_expression(self.result_precision(), &by, [self, y, z])?;
        Ok(reduction.of_types::<T::Wide, Op>())
    }
}

/// Refuses inputs that are not of one length.
fn check_lens([x, y, z]: [u64; 3]) -> Result<(), PrepareError> {
    match x == y && y == z {
        true => Ok(()),
        false => Err(PrepareError::LengthMismatchOfThree { x, y, z }),
    }
}
