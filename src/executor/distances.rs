//! How far apart two sequences are, and how alike.

use crate::{
    algebra::{
        element::ElementType,
        f64_arithmetic, float_environment,
        operator::Operator,
        operators::{Dot, Norm, Sum},
    },
    custom::expression::{Map2, MapElement, WideElement},
    error::{Error, WgslError},
    executor::{Executor, array::Array},
};

impl Executor {
    /// The squared Euclidean distance of two slices: the sum of (x − y)², in one read of both. Each difference is rounded, then each square, and
    /// then they are added in the pairwise order, or, if the executor's results are to be [`Exact`](crate::Precision::Exact), without rounding. So the bits are
    /// the same on every device and on the CPU.
    ///
    /// Narrow elements are widened first, as an expression widens them ([`MapElement::Wide`]): that of `f16` and `bf16` is an `f32`. Integers wrap: the
    /// result is the true one modulo 2^32, or 2^64.
    ///
    /// ```
    /// let executor = gridfold::Executor::auto();
    /// assert_eq!(executor.squared_distance(&[1.0f32, 2.0, 3.0], &[1.0, 0.0, 2.5])?, 4.25);
    /// assert_eq!(executor.squared_distance(&[1.0f64, 2e200], &[0.5, 2e200])?, 0.25);
    /// assert_eq!(executor.squared_distance(&[7u8, 200], &[9, 100])?, 10_004);
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Executor::reduce_map2`].
    pub fn squared_distance<T: MapElement>(&self, left: &[T], right: &[T]) -> Result<T::Wide, Error>
    where
        Sum: Operator<T, Value = T::Wide> + Operator<T::Wide, Value = T::Wide>,
    {
        Ok(self.reduce_map2(&squared()?, left, right, Sum)?.value)
    }

    /// The cosine of the angle between two slices: their dot product, divided by the rounded product of their norms, and rounded. NaN if a norm is
    /// 0. All three have the executor's precision, and the same bits everywhere. Each slice is read twice. That of `f16` and `bf16` is an `f32`.
    ///
    /// ```
    /// let executor = gridfold::Executor::auto();
    /// assert_eq!(executor.cosine_similarity(&[3.0f32, 0.0], &[3.0, 4.0])?, 0.6);
    /// assert_eq!(executor.cosine_similarity(&[3e100f64, 0.0], &[3.0, 4.0])?, 0.6);
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Executor::dot`].
    pub fn cosine_similarity<T: MapElement>(
        &self,
        left: &[T],
        right: &[T],
    ) -> Result<T::Wide, Error>
    where
        Dot: Operator<(T, T), Value = T::Wide>,
        Norm: Operator<T, Value = T::Wide>,
    {
        Ok(cosine(self.dot(left, right)?, self.norm(left)?, self.norm(right)?))
    }
}

impl<T: MapElement> Array<T> {
    /// The squared Euclidean distance from another array of the same executor, as [`Executor::squared_distance`].
    ///
    /// # Errors
    ///
    /// As [`Array::reduce_map2`].
    pub fn squared_distance(&self, other: &Self) -> Result<T::Wide, Error>
    where
        Sum: Operator<T, Value = T::Wide> + Operator<T::Wide, Value = T::Wide>,
    {
        Ok(self.reduce_map2(&squared()?, other, Sum)?.value)
    }

    /// The cosine of the angle between this array and another one of the same executor, as [`Executor::cosine_similarity`].
    ///
    /// # Errors
    ///
    /// As [`Array::dot`].
    pub fn cosine_similarity(&self, other: &Self) -> Result<T::Wide, Error>
    where
        Dot: Operator<(T, T), Value = T::Wide>,
        Norm: Operator<T, Value = T::Wide>,
    {
        Ok(cosine(self.dot(other)?, self.norm()?, other.norm()?))
    }
}

/// What is added up.
fn squared<T: MapElement>() -> Result<Map2<T>, WgslError> {
    Map2::new("(x - y) * (x - y)")
}

/// One NaN, and no negative zero. In integers, as the calling thread may have another float environment.
fn cosine<F: WideElement>(dot: F, left: F, right: F) -> F {
    let bits = [dot, left, right].map(WideElement::wide_bits);
    F::of_wide_bits(match F::TYPE {
        ElementType::F64 => {
            let [dot, left, right] = bits.map(f64::from_bits);
            let norms = f64_arithmetic::multiply(left, right);
            f64_arithmetic::add(f64_arithmetic::quotient(dot, norms), 0.0).to_bits()
        }
        _ => {
            use float_environment::{add, divide, multiply};
            let [dot, left, right] = bits.map(f32::of_wide_bits);
            add(divide(dot, multiply(left, right)), 0.0).wide_bits()
        }
    })
}
