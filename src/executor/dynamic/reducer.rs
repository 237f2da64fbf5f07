//! Reductions on a device by operators that are known at run time: [`DynReducer`].

use crate::{
    algebra::{operator::OperatorSpec, precision::Precision},
    device::buffer::{AnySlice, GpuSlice},
    error::{Error, PrepareError},
    executor::{
        dynamic::{map::DynMap, operator::DynOperator, results::DynValue},
        source::StreamError,
    },
    reduce::{any_reducer::AnyReducer, inputs::AnyInput, reduction::Reduction},
    way::{Strategy, Variant},
};

/// Reductions by a [`DynOperator`] on a device, as a [`Reducer`](crate::Reducer) makes them: with a variant and a strategy.
#[derive(Clone, Debug)]
pub struct DynReducer {
    pub(super) operator: DynOperator,
    pub(super) any: AnyReducer,
}

impl DynReducer {
    /// As [`Reducer::precision`](crate::Reducer::precision).
    #[must_use]
    pub fn precision(self, precision: Precision) -> Self {
        Self { any: self.any.precision(precision), ..self }
    }

    /// As [`Reducer::variant`](crate::Reducer::variant).
    #[must_use]
    pub fn variant(mut self, variant: Variant) -> Self {
        self.any.settings.variant = variant;
        self
    }

    /// As [`Reducer::strategy`](crate::Reducer::strategy).
    #[must_use]
    pub fn strategy(mut self, strategy: Strategy) -> Self {
        self.any.settings.strategy = strategy;
        self
    }

    /// Reductions of an expression's values, as [`Reducer::mapped`](crate::Reducer::mapped).
    ///
    /// # Errors
    ///
    /// [`PrepareError::Unsupported`] if the operator is for another type than the expression computes with, and the errors of
    /// [`Reducer::mapped`](crate::Reducer::mapped).
    pub fn mapped(self, map: &DynMap) -> Result<Self, Error> {
        self.operator.check_map(map)?;
        Ok(Self { any: map.0.reducer(self.operator.0, self.any)?, ..self })
    }

    /// Reduces elements on the device: for each input slices of words, each of whole elements, and without a stride.
    ///
    /// # Errors
    ///
    /// [`PrepareError::Bytes`] unless there are as many inputs as the operator has, of whole elements; and the errors of
    /// [`Reducer::measure_blocking`](crate::Reducer::measure_blocking).
    pub fn measure_blocking(
        &self,
        inputs: &[&[GpuSlice<u32>]],
    ) -> Result<Reduction<DynValue>, Error> {
        let OperatorSpec { operator, element, inputs: wanted, .. } = *self.any.of_type();
        let item_bytes = element.size_bytes();
        let bytes_of = |slice: &GpuSlice<u32>| slice.len() * size_of::<u32>() as u64;
        let is_whole = |slice: &GpuSlice<u32>| {
            !slice.is_strided() && bytes_of(slice).is_multiple_of(item_bytes)
        };
        if inputs.len() != wanted as usize || !inputs.iter().copied().flatten().all(is_whole) {
            let bytes = inputs.iter().copied().flatten().map(bytes_of).collect();
            return Err(PrepareError::Bytes { operator, element, inputs: wanted, bytes }.into());
        }
        let any = |slice: &GpuSlice<u32>| {
            let len = bytes_of(slice) / item_bytes;
            AnySlice::new(slice.buffer(), item_bytes, slice.offset_bytes(), len)
        };
        let all = |slices: &&[GpuSlice<u32>]| slices.iter().map(any).collect::<Result<_, _>>();
        let mut inputs = inputs.iter().map(all);
        let mut next = || inputs.next().unwrap_or_else(|| Ok(Vec::new()));
        let (left, right, third) = (next(), next(), next());
        let of_slices = PrepareError::from;
        let inputs = AnyInput {
            left: left.map_err(of_slices)?,
            right: right.map_err(of_slices)?,
            third: third.map_err(of_slices)?,
        };
        Ok(self.operator.reduction(self.any.measure_blocking(&inputs)?))
    }

    /// Reduces elements chunk by chunk, as [`Reducer::stream_blocking`](crate::Reducer::stream_blocking) does.
    ///
    /// # Errors
    ///
    /// The errors of [`Reducer::stream_blocking`](crate::Reducer::stream_blocking).
    pub fn stream_blocking<E>(
        &self,
        len: u64,
        mut fill: impl FnMut(usize, &mut [u8]) -> Result<(), E>,
    ) -> Result<Reduction<DynValue>, StreamError<E>> {
        Ok(self.operator.reduction(self.any.measure_fill(len, None, &mut fill)?))
    }
}
