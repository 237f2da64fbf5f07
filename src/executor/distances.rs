//! How far apart two sequences are, and how alike.

use crate::{
    algebra::{
        float_environment::{add, divide, multiply},
        operators::Sum,
    },
    custom::expression::Map2,
    error::{Error, WgslError},
    executor::{Executor, array::Array},
};

impl Executor {
    /// The squared Euclidean distance of two slices: the sum of (x − y)², in one read of both. Each difference is rounded, then each square, and
    /// then they are added in the pairwise order, or, if the executor's results are to be [`Exact`](crate::Precision::Exact), without rounding. So the bits are
    /// the same on every device and on the CPU.
    ///
    /// ```
    /// let executor = gridfold::Executor::auto();
    /// assert_eq!(executor.squared_distance(&[1.0, 2.0, 3.0], &[1.0, 0.0, 2.5])?, 4.25);
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Executor::reduce_map2`].
    pub fn squared_distance(&self, left: &[f32], right: &[f32]) -> Result<f32, Error> {
        Ok(self.reduce_map2::<f32, Sum>(&squared()?, left, right)?.value)
    }

    /// The cosine of the angle between two slices: their dot product, divided by the rounded product of their norms, and rounded. NaN if a norm is
    /// 0. All three have the executor's precision, and the same bits everywhere. Each slice is read twice.
    ///
    /// ```
    /// let executor = gridfold::Executor::auto();
    /// assert_eq!(executor.cosine_similarity(&[3.0, 0.0], &[3.0, 4.0])?, 0.6);
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Executor::dot`].
    pub fn cosine_similarity(&self, left: &[f32], right: &[f32]) -> Result<f32, Error> {
        Ok(cosine(self.dot(left, right)?, self.norm(left)?, self.norm(right)?))
    }
}

impl Array<f32> {
    /// The squared Euclidean distance from another array of the same executor, as [`Executor::squared_distance`].
    ///
    /// # Errors
    ///
    /// As [`Array::reduce_map2`].
    pub fn squared_distance(&self, other: &Self) -> Result<f32, Error> {
        Ok(self.reduce_map2::<Sum>(&squared()?, other)?.value)
    }

    /// The cosine of the angle between this array and another one of the same executor, as [`Executor::cosine_similarity`].
    ///
    /// # Errors
    ///
    /// As [`Array::dot`].
    pub fn cosine_similarity(&self, other: &Self) -> Result<f32, Error> {
        Ok(cosine(self.dot(other)?, self.norm()?, other.norm()?))
    }
}

/// What is added up.
fn squared() -> Result<Map2<f32>, WgslError> {
    Map2::new("(x - y) * (x - y)")
}

/// One NaN, and no negative zero. In integers, as the calling thread may have another float environment.
fn cosine(dot: f32, left: f32, right: f32) -> f32 {
    add(divide(dot, multiply(left, right)), 0.0)
}
