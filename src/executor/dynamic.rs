//! Calls by operators, on element types and with expressions that are known at run time.

mod map;
mod operator;
mod reducer;
mod results;

pub use map::DynMap;
pub use operator::DynOperator;
pub use reducer::DynReducer;
pub use results::{DynPartial, DynValue, DynValues};

use crate::{
    algebra::operator::OperatorSpec,
    axes::check_offsets,
    cpu::{self, OutWords, fold::Raw},
    custom::any_operator::AnyOperator,
    device::context::Context,
    error::{Error, PartialError, PrepareError},
    executor::{
        Executor,
        array::upload_items,
        segment_results::outs_between,
        source::{Fill, StreamError},
    },
    partial::{AnyPartial, DecodePartialError},
    reduce::{any_reducer::AnyReducer, reduction::Reduction},
    room::reserve,
    segments::any_segmented::AnySegmentedReducer,
};
use results::Lens;

impl DynOperator {
    /// Reduces slices of host memory, one for each input of the operator, on the device or on the CPU ([`Executor::host_slices`]).
    ///
    /// # Errors
    ///
    /// [`PrepareError::Bytes`] unless there are as many slices as inputs, of whole elements; [`PrepareError::LengthMismatch`] if two slices have different
    /// lengths; and the errors of [`Executor::reduce`].
    pub fn reduce(
        self,
        executor: &Executor,
        inputs: &[&[u8]],
    ) -> Result<Reduction<DynValue>, Error> {
        self.check(inputs)?;
        if let [left, right] = *inputs
            && left.len() != right.len()
        {
            let [left, right] = [left, right].map(|input| self.len(input));
            return Err(PrepareError::LengthMismatch { left, right }.into());
        }
        Ok(self.reduction(executor.reduce_slices(&AnyOperator::Listed(self.0), inputs)?))
    }

    /// Reduces `len` elements of each input, chunk by chunk, as [`Executor::reduce_stream`] does.
    ///
    /// The library calls `fill` with the number of an input, and with the bytes of its next elements to fill, as aligned as elements are.
    ///
    /// # Errors
    ///
    /// The errors of [`Executor::reduce_stream`].
    pub fn reduce_stream<E>(
        self,
        executor: &Executor,
        len: u64,
        mut fill: impl FnMut(usize, &mut [u8]) -> Result<(), E>,
    ) -> Result<Reduction<DynValue>, StreamError<E>> {
        Ok(self.reduction(executor.reduce_filled(&AnyOperator::Listed(self.0), len, &mut fill)?))
    }

    /// Reduces an expression's values of `len` elements of each of its inputs, chunk by chunk as [`DynOperator::reduce_stream`]. The operator
    /// is for the type that the expression computes with ([`MapElement::Wide`](crate::MapElement::Wide)).
    ///
    /// # Errors
    ///
    /// [`PrepareError::Unsupported`] if the operator is for another type, and the errors of [`Executor::reduce_map_stream`].
    pub fn reduce_map_stream<E>(
        self,
        executor: &Executor,
        map: &DynMap,
        len: u64,
        mut fill: impl FnMut(usize, &mut [u8]) -> Result<(), E>,
    ) -> Result<Reduction<DynValue>, StreamError<E>> {
        self.check_map(map).map_err(Error::from)?;
        let mut failed = None;
        let fill: &mut Fill<'_, ()> =
            &mut |input, bytes| fill(input, bytes).map_err(|error| failed = Some(error));
        let reduction = map.0.reduce_filled(executor, self.0, len, fill);
        match (failed, reduction) {
            (Some(error), _) => Err(StreamError::Source(error)),
            (None, Ok(reduction)) => Ok(self.reduction(reduction)),
            (None, Err(StreamError::Reduce(error))) => Err(StreamError::Reduce(error)),
            (None, Err(StreamError::Source(()))) => unreachable!("the source has not failed"),
        }
    }

    /// Reduces each segment between neighbouring offsets, as [`Executor::reduce_segments`] does.
    ///
    /// # Errors
    ///
    /// [`PrepareError::Bytes`] unless there are whole elements, of an operator of one input; and the errors of [`Executor::reduce_segments`].
    pub fn reduce_segments(
        self,
        executor: &Executor,
        elements: &[u8],
        offsets: &[u32],
    ) -> Result<DynValues, Error> {
        self.check(&[elements])?;
        let (spec, precision) = (self.spec(), executor.precision);
        let mut ends = Vec::new();
        reserve(&mut ends, offsets.len(), "the offsets of segments")?;
        ends.extend_from_slice(offsets);
        let words = match executor.context().filter(|_| executor.takes_segments(spec)) {
            Some(context) => {
                check_offsets(offsets, self.len(elements)).map_err(PrepareError::from)?;
                let slices = upload_items(context, elements, spec.element.size_bytes())?;
                let reducer = AnySegmentedReducer::new(context, *spec).precision(precision);
                outs_between(&reducer, &slices, offsets)?
            }
            None => {
                let mut copy = Vec::new();
                let elements = cpu::aligned(spec.element, elements, &mut copy)?;
                cpu::outs_of_segments(self.0, precision, elements, offsets)?
            }
        };
        let words = OutWords::Words(words);
        Ok(DynValues { operator: self, words, lens: Lens::Between(ends) })
    }

    /// Scans elements after a part of the sequence, or from its beginning on, as [`Executor::scan`] and [`Executor::scan_after`] do.
    ///
    /// # Errors
    ///
    /// [`PrepareError::Bytes`] unless there are whole elements, of an operator of one input; and the errors of [`Executor::scan_after`].
    pub fn scan(
        self,
        executor: &Executor,
        is_inclusive: bool,
        before: Option<&DynPartial>,
        elements: &[u8],
    ) -> Result<DynValues, Error> {
        self.check(&[elements])?;
        let before = before.map(|before| self.own(before)).transpose()?;
        let first = before.map_or(0, |before| before.range().end) + u64::from(is_inclusive);
        let words = executor.scan_words(self.0, is_inclusive, before, elements)?;
        Ok(DynValues { operator: self, words, lens: Lens::From(first) })
    }

    /// Reduces a part of a longer sequence, in which the first element has position `first`, as [`Executor::reduce_part`] does.
    ///
    /// # Errors
    ///
    /// [`PrepareError::Bytes`] unless there are whole elements, of an operator of one input; and the errors of [`Executor::reduce_part`].
    pub fn reduce_part(
        self,
        executor: &Executor,
        elements: &[u8],
        first: u64,
    ) -> Result<DynPartial, Error> {
        self.check(&[elements])?;
        Ok(DynPartial(executor.part_by(self.0, elements, first)?.0))
    }

    /// The part that [`DynPartial::to_bytes`] wrote of this operator.
    ///
    /// # Errors
    ///
    /// The errors of [`Partial::from_bytes`](crate::Partial::from_bytes). An operator of two inputs has no parts.
    pub fn part_from_bytes(self, bytes: &[u8]) -> Result<DynPartial, DecodePartialError> {
        match self.spec().inputs {
            1 => Ok(DynPartial(AnyPartial::from_bytes(self.0, bytes)?)),
            _ => Err(DecodePartialError::NoPartial),
        }
    }

    /// Reductions on a device, where variant and strategy can be chosen.
    pub fn on(self, context: &Context) -> DynReducer {
        DynReducer { operator: self, any: AnyReducer::new(context, self.spec()) }
    }

    /// A part of another operator, or of other elements, is none of this one.
    fn own(self, part: &DynPartial) -> Result<&AnyPartial, PartialError> {
        part.0.check_operator(self.spec())?;
        Ok(&part.0)
    }

    fn check(self, inputs: &[&[u8]]) -> Result<(), PrepareError> {
        let OperatorSpec { operator, element, inputs: wanted, .. } = *self.spec();
        let is_whole = |input: &&[u8]| (input.len() as u64).is_multiple_of(element.size_bytes());
        if inputs.len() == wanted as usize && inputs.iter().all(is_whole) {
            return Ok(());
        }
        let bytes = inputs.iter().map(|input| input.len() as u64).collect();
        Err(PrepareError::Bytes { operator, element, inputs: wanted, bytes })
    }

    fn check_map(self, map: &DynMap) -> Result<(), PrepareError> {
        let OperatorSpec { operator, element, inputs, .. } = *self.spec();
        match (map.0.wide(), inputs) == (element, 1) {
            true => Ok(()),
            false => Err(PrepareError::Unsupported { operator, element: map.0.wide() }),
        }
    }

    fn len(self, elements: &[u8]) -> u64 {
        elements.len() as u64 / self.spec().element.size_bytes()
    }

    fn reduction(self, reduction: Reduction<Raw>) -> Reduction<DynValue> {
        let Reduction { value: raw, adapter, plan, explanation, device_time } = reduction;
        let value = DynValue { operator: self, raw };
        Reduction { value, adapter, plan, explanation, device_time }
    }
}

#[cfg(test)]
mod tests;
