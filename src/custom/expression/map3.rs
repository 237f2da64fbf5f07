//! Expressions over the elements of three inputs: [`Map3`].

use super::{Expression, MapElement, WideElement};
use crate::{algebra::operator::Operator, error::WgslError, wgsl::program::Program};

/// A function of the elements at the same places of three inputs, `x`, `y` and `z`, that a reduction applies first: as a [`Map`](crate::Map).
///
/// The sum of `x * y * z` is a dot product with weights.
///
/// ```
/// use gridfold::{Executor, Map3, Sum};
///
/// let executor = Executor::auto();
/// let weighted = Map3::<f32>::new("x * y * z")?;
/// let (left, right, weights) = ([1.0f32, 2.0, 3.0], [2.0, 0.5, -1.0], [0.5, 1.0, 2.0]);
/// assert_eq!(executor.reduce_map3(&weighted, &left, &right, &weights, Sum)?.value, -4.0);
/// # Ok::<(), gridfold::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Map3<T>(Expression<T>);

impl<T: MapElement> Map3<T> {
    /// Makes a map of three inputs' elements of an expression.
    ///
    /// # Errors
    ///
    /// [`WgslError`], with line and column of the expression.
    pub fn new(expression: &str) -> Result<Self, WgslError> {
        Ok(Self(Expression::new(expression, 3)?))
    }

    /// Makes a map of an expression over parameters, too: as [`Map::with_parameters`](crate::Map::with_parameters).
    ///
    /// # Errors
    ///
    /// As [`Map::with_parameters`](crate::Map::with_parameters).
    pub fn with_parameters(
        expression: &str,
        parameters: &[(&str, T::Wide)],
    ) -> Result<Self, WgslError> {
        Ok(Self(Expression::with_parameters(expression, 3, parameters)?))
    }

    /// Gives a parameter another value.
    ///
    /// # Errors
    ///
    /// As [`Map::parameter`](crate::Map::parameter).
    pub fn parameter(self, name: &str, value: T::Wide) -> Result<Self, WgslError> {
        Ok(Self(self.0.parameter(name, value)?))
    }

    /// Makes a map of a function of your own, `fn map(x: f32, y: f32, z: f32) -> f32`, or with `i: u32` as its fourth parameter, for elements of
    /// `f32`: as [`Map::wgsl`](crate::Map::wgsl).
    ///
    /// # Errors
    ///
    /// As [`Map::wgsl`](crate::Map::wgsl).
    pub fn wgsl(
        wgsl: &str,
        twin: impl Fn(T::Wide, T::Wide, T::Wide, u32) -> T::Wide + Send + Sync + 'static,
    ) -> Result<Self, WgslError> {
        let of_bits = move |elements: [u64; 3], i| {
            let [x, y, z] = elements.map(T::Wide::of_wide_bits);
            twin(x, y, z, i).wide_bits()
        };
        Ok(Self(Expression::wgsl(wgsl, 3, of_bits)?))
    }

    /// The map, of only the places for which `predicate` is true, as [`Map::only_where`](crate::Map::only_where).
    ///
    /// # Errors
    ///
    /// [`WgslError`], with line and column of the predicate.
    pub fn only_where(self, predicate: &str) -> Result<Self, WgslError> {
        Ok(Self(self.0.only_where(predicate)?))
    }

    /// The same, of whose value only the upper 32 bits are left, as a number with its sign, or the lower ones. Elements that are no integers of 64 bits stay as
    /// they are. It comes last, and takes part in no limit. No promise of stability.
    #[doc(hidden)]
    #[must_use]
    pub fn half(self, is_upper: bool) -> Self {
        Self(self.0.half(is_upper))
    }

    /// Whether the index matters to it, or to its predicate. No promise of stability.
    #[doc(hidden)]
    pub fn reads_index(&self) -> bool {
        self.0.reads_index()
    }

    /// What kernels of an operator are joined with. No promise of stability.
    #[doc(hidden)]
    pub fn program<Op: Operator<T::Wide>>(&self, op: Op) -> Result<Program, WgslError> {
        self.0.program(op)
    }

    pub(crate) fn expression(&self) -> &Expression<T> {
        &self.0
    }

    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn into_expression(self) -> Expression<T> {
        self.0
    }
}
