//! Where the elements of a reduction come from, chunk by chunk: slices of host memory, or a closure of the caller's.

use crate::{
    algebra::{
        element::Element,
        operator::Operator,
        operators::{Dot, DotValue},
    },
    cpu::{self, fold::Raw},
    custom::any_operator::AnyOperator,
    device::capabilities::AdapterName,
    error::{Error, PrepareError},
    executor::Executor,
    order::MAX_LEN,
    reduce::reduction::Reduction,
    room::reserve,
};
use std::ops::Range;

/// Bytes that the CPU reduces at a time, of each input: enough for all its threads, little of its memory.
const CPU_CHUNK_BYTES: u64 = 16 << 20;

/// The elements of each input, part by part: a chunk of every input, the first input first, then the next chunk.
pub(super) trait Source {
    /// Elements of each input.
    fn lens(&self) -> Vec<u64>;

    /// The bytes of some elements of an input. `None` if there are none to be had, and the source knows why.
    fn bytes(&mut self, input: usize, range: Range<u64>) -> Option<&[u8]>;
}

/// Slices of host memory, one for each input, and the bytes of an element.
pub(super) struct OfSlices<'a>(pub(super) &'a [&'a [u8]], pub(super) u64);

impl Source for OfSlices<'_> {
    fn lens(&self) -> Vec<u64> {
        self.0.iter().map(|slice| slice.len() as u64 / self.1).collect()
    }

    fn bytes(&mut self, input: usize, range: Range<u64>) -> Option<&[u8]> {
        let offset = |position: u64| {
            usize::try_from(position * self.1).expect("positions in a slice fit usize")
        };
        Some(&self.0[input][offset(range.start)..offset(range.end)])
    }
}

/// Fills the next elements of an input: takes the input's number and aligned bytes.
pub(super) type Fill<'f, E> = dyn FnMut(usize, &mut [u8]) -> Result<(), E> + 'f;

/// Inputs of `len` elements each, which `fill` brings. It keeps the error of `fill`.
pub(super) struct Filled<'f, E> {
    len: u64,
    item_bytes: u64,
    fill: &'f mut Fill<'f, E>,
    /// For each input, as aligned as any element.
    buffers: Vec<Vec<u64>>,
    error: Option<StreamError<E>>,
}

impl<'f, E> Filled<'f, E> {
    pub(super) fn new(inputs: usize, len: u64, item_bytes: u64, fill: &'f mut Fill<'f, E>) -> Self {
        Self { len, item_bytes, fill, buffers: vec![Vec::new(); inputs], error: None }
    }

    /// The outcome of a reduction of this source.
    pub(super) fn outcome<V>(self, result: Result<Option<V>, Error>) -> Result<V, StreamError<E>> {
        match (self.error, result) {
            (Some(error), _) => Err(error),
            (None, Ok(value)) => Ok(value.expect("the source has not failed")),
            (None, Err(error)) => Err(StreamError::Reduce(error)),
        }
    }

    /// The bytes of some elements.
    fn bytes_of(&self, range: &Range<u64>) -> usize {
        let bytes = (range.end - range.start) * self.item_bytes;
        usize::try_from(bytes).expect("a chunk fits memory")
    }

    /// Brings some elements of an input to one of the buffers. `None` if they can't be had.
    fn bring(&mut self, input: usize, buffer: usize, range: &Range<u64>) -> Option<()> {
        let bytes = self.bytes_of(range);
        let (words, buffer) = (bytes.div_ceil(8), &mut self.buffers[buffer]);
        let room = words.saturating_sub(buffer.len());
        let brought = match reserve(buffer, room, "a chunk of elements") {
            Ok(()) => {
                buffer.resize(words, 0);
                let elements = &mut bytemuck::cast_slice_mut(buffer)[..bytes];
                (self.fill)(input, elements).map_err(StreamError::Source)
            }
            Err(error) => Err(StreamError::Reduce(error.into())),
        };
        brought.map_err(|error| self.error = Some(error)).ok()
    }

    /// Calls `add` with each chunk for the CPU, in order. Missing inputs are empty.
    pub(super) fn chunks(&mut self, chunk_bytes: Option<u64>, add: &mut dyn FnMut([&[u8]; 3])) {
        for range in cpu_ranges(self.len, self.item_bytes, chunk_bytes) {
            for input in 0..self.buffers.len() {
                let Some(()) = self.bring(input, input, &range) else { return };
            }
            let bytes = self.bytes_of(&range);
            let chunk = |input: usize| match self.buffers.get(input) {
                Some(buffer) => &bytemuck::cast_slice(buffer)[..bytes],
                None => &[],
            };
            add([chunk(0), chunk(1), chunk(2)]);
        }
    }
}

impl<E> Source for Filled<'_, E> {
    fn lens(&self) -> Vec<u64> {
        vec![self.len; self.buffers.len()]
    }

    fn bytes(&mut self, input: usize, range: Range<u64>) -> Option<&[u8]> {
        // A device has the one before already.
        self.bring(input, 0, &range)?;
        Some(&bytemuck::cast_slice(&self.buffers[0])[..self.bytes_of(&range)])
    }
}

/// A function that fills bytes, by one that fills elements.
pub(super) fn fill_bytes<T: Element, E>(
    fill: &mut impl FnMut(usize, &mut [T]) -> Result<(), E>,
) -> impl FnMut(usize, &mut [u8]) -> Result<(), E> {
    |input, bytes| fill(input, bytemuck::cast_slice_mut(bytes))
}

impl Executor {
    /// Reduces `len` elements that come chunk by chunk, where [`Executor::host_slices`] says, and tells how.
    ///
    /// The executor calls `fill` again and again, with 0, the number of the input, and with the next elements to fill. The bits are those of one
    /// piece. A chunk has 16 MiB on the CPU, and on a GPU what [`Reducer::stream_blocking`](crate::Reducer::stream_blocking) says.
    ///
    /// ```
    /// use gridfold::{Executor, Sum};
    ///
    /// let mut next = 0u32..;
    /// let reduction = Executor::cpu().reduce_stream::<u32, _, std::convert::Infallible>(1000, Sum, |_, elements| {
    ///     elements.fill_with(|| next.next().expect("there is no end"));
    ///     Ok(())
    /// })?;
    /// assert_eq!(reduction.value, 499_500);
    /// # Ok::<(), gridfold::StreamError<std::convert::Infallible>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`StreamError::Source`] is what `fill` returned; it is not called again then. [`StreamError::Reduce`] as of
    /// [`Executor::reduce`], and [`PrepareError::TooLong`] of more than 2^40 elements, before any is asked for.
    pub fn reduce_stream<T: Element, Op: Operator<T>, E>(
        &self,
        len: u64,
        op: Op,
        mut fill: impl FnMut(usize, &mut [T]) -> Result<(), E>,
    ) -> Result<Reduction<Op::Value>, StreamError<E>> {
        let reduction = self.reduce_filled(
            &AnyOperator::of::<T, Op>(&op).map_err(Error::from)?,
            len,
            &mut fill_bytes(&mut fill),
        )?;
        Ok(reduction.of_types::<T, Op>())
    }

    pub(super) fn reduce_filled<E>(
        &self,
        operator: &AnyOperator,
        len: u64,
        fill: &mut Fill<'_, E>,
    ) -> Result<Reduction<Raw>, StreamError<E>> {
        check_len(len)?;
        let spec = operator.spec();
        let inputs = spec.inputs as usize;
        if let Some(context) = self.device_for(spec, len * inputs as u64) {
            return self.any_reducer(context, operator).measure_fill(len, self.chunk_bytes, fill);
        }
        let mut source = Filled::new(inputs, len, spec.element.size_bytes(), fill);
        let fold = operator.fold(self.precision).map_err(Error::from)?;
        let result = cpu::raw_of_parts(fold, self.precision, &mut |add| {
            source.chunks(self.chunk_bytes, &mut |[left, right, _]| add([left, right]));
        });
        let how = cpu::describe(spec, self.precision, len);
        let result = result.map(|value| on_cpu(value, how)).map_err(Error::from);
        source.outcome(result.map(Some))
    }

    /// The dot product ([`Dot`]) of two inputs of `len` elements each, which come as those of [`Executor::reduce_stream`]: of each chunk
    /// first the elements of input 0, then those of input 1.
    ///
    /// # Errors
    ///
    /// As [`Executor::reduce_stream`].
    pub fn dot_stream<T: Element, E>(
        &self,
        len: u64,
        mut fill: impl FnMut(usize, &mut [T]) -> Result<(), E>,
    ) -> Result<Reduction<DotValue<T>>, StreamError<E>>
    where
        Dot: Operator<(T, T)>,
    {
        let reduction = self.reduce_filled(
            &AnyOperator::of::<(T, T), _>(&Dot).map_err(Error::from)?,
            len,
            &mut fill_bytes(&mut fill),
        )?;
        Ok(reduction.of_types::<(T, T), Dot>())
    }
}

/// A length may be anything that a caller says.
pub(super) fn check_len(len: u64) -> Result<(), Error> {
    if len > MAX_LEN { Err(PrepareError::TooLong { len }.into()) } else { Ok(()) }
}

/// Chunks of so many elements: all of one length, a power of two, but for the last.
fn cpu_ranges(
    len: u64,
    item_bytes: u64,
    chunk_bytes: Option<u64>,
) -> impl Iterator<Item = Range<u64>> {
    let most_items = chunk_bytes.unwrap_or(CPU_CHUNK_BYTES) / item_bytes;
    let items = 1 << most_items.max(1).ilog2();
    (0..len.div_ceil(items)).map(move |chunk| chunk * items..len.min((chunk + 1) * items))
}

fn on_cpu<V>(value: V, (plan, explanation): (String, String)) -> Reduction<V> {
    Reduction { value, adapter: AdapterName::cpu(), plan, explanation, device_time: None }
}

/// Why a reduction of elements that come chunk by chunk has no result.
#[derive(Debug, thiserror::Error)]
pub enum StreamError<E> {
    /// Elements could not be brought: what the caller's closure returned.
    #[error("{0}")]
    Source(E),
    /// The reduction failed.
    #[error("{0}")]
    Reduce(#[from] Error),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BitXor, Max, Mean, Norm, Precision, Product, Sum, Variance};
    use std::convert::Infallible;

    fn elements(len: u32) -> Vec<f32> {
        let of_number = |number: u32| {
            let bits = number.wrapping_mul(0x9e37_79b1).rotate_left(11).wrapping_mul(0x85eb_ca6b);
            f32::from_bits(bits & 0x807f_ffff | (120 + bits % 16) << 23)
        };
        (0..len).map(of_number).collect()
    }

    #[test]
    fn any_length_is_looked_at_first() {
        for len in [MAX_LEN + 1, 1 << 62, u64::MAX] {
            let never = |_: usize, _: &mut [i64]| -> Result<(), Infallible> { panic!("asked") };
            let error = Executor::cpu().reduce_stream::<i64, _, _>(len, Sum, never);
            let expected = PrepareError::TooLong { len };
            assert_eq!(error.expect_err("too long").to_string(), expected.to_string());
            let never = |_: usize, _: &mut [f64]| -> Result<(), Infallible> { panic!("asked") };
            let error = Executor::cpu().dot_stream::<f64, _>(len, never);
            assert_eq!(error.expect_err("too long").to_string(), expected.to_string());
        }
    }

    /// In chunks of 16 elements, so that there are many.
    fn executor(precision: Precision) -> Executor {
        Executor { chunk_bytes: Some(64), ..Executor::cpu().precision(precision) }
    }

    fn check<T: Element, Op: Operator<T> + Copy>(elements: &[T], precision: Precision, op: Op)
    where
        Op::Value: PartialEq + std::fmt::Debug,
    {
        let executor = executor(precision);
        let wanted = executor.reduce(elements, op).expect("the CPU does not fail");
        let mut rest = elements;
        let found =
            executor.reduce_stream::<T, _, Infallible>(elements.len() as u64, op, |_, part| {
                let now;
                (now, rest) = rest.split_at(part.len());
                part.copy_from_slice(now);
                Ok(())
            });
        let found = found.expect("elements are there");
        let len = elements.len();
        assert_eq!(found.value, wanted.value, "{} of {len}, {precision}", op.spec().operator);
        assert_eq!((found.plan, found.adapter), (wanted.plan, wanted.adapter));
        assert!(rest.is_empty());
    }

    #[test]
    fn chunks_change_no_bits() {
        for len in [1, 2, 15, 16, 17, 31, 32, 33, 100, 1000, 4097] {
            let floats = elements(len);
            for precision in [Precision::Reproducible, Precision::Exact] {
                check::<f32, _>(&floats, precision, Sum);
                check::<f32, _>(&floats, precision, Mean);
                check::<f32, _>(&floats, precision, Norm);
                check::<f32, _>(&floats, precision, Variance);
                check::<f32, _>(&floats, precision, Max);
            }
            check::<f32, _>(&floats, Precision::Reproducible, Product);
            let doubles: Vec<f64> = floats.iter().map(|&x| f64::from(x).abs().sqrt()).collect();
            check::<f64, _>(&doubles, Precision::Reproducible, Max);
            check::<f64, _>(&doubles, Precision::Exact, Sum);
            check::<f64, _>(&doubles, Precision::Exact, Mean);
            let integers: Vec<u64> = floats.iter().map(|x| x.to_bits().into()).collect();
            check::<u64, _>(&integers, Precision::Reproducible, Sum);
            check::<u64, _>(&integers, Precision::Reproducible, BitXor);
        }
        check::<u64, _>(&[], Precision::Reproducible, Sum);
        check::<f32, _>(&[], Precision::Reproducible, Sum);
        check::<f32, _>(&[], Precision::Exact, Sum);
        check::<u64, _>(&[], Precision::Reproducible, Max);
    }

    #[test]
    fn dot_products_in_chunks() {
        for len in [0, 1, 16, 17, 1000] {
            let left = elements(len);
            let mut right = left.clone();
            right.reverse();
            for precision in [Precision::Reproducible, Precision::Exact] {
                let executor = executor(precision);
                let wanted = executor.measure_dot(&left, &right).expect("of one length");
                let mut rest = [&left[..], &right[..]];
                let found = executor.dot_stream::<f32, Infallible>(len.into(), |input, part| {
                    let now;
                    (now, rest[input]) = rest[input].split_at(part.len());
                    part.copy_from_slice(now);
                    Ok(())
                });
                let found = found.expect("elements are there");
                assert_eq!((found.value, found.plan), (wanted.value, wanted.plan), "{len}");
            }
        }
    }

    #[test]
    fn what_a_source_fails_with_comes_back() {
        let mut calls = 0;
        let mut fill = |_: usize, _: &mut [f32]| {
            calls += 1;
            if calls % 3 == 0 { Err("no more") } else { Ok(()) }
        };
        for precision in [Precision::Reproducible, Precision::Exact] {
            let executor = executor(precision);
            let sum = executor.reduce_stream::<f32, _, _>(1000, Sum, &mut fill);
            assert!(matches!(sum, Err(StreamError::Source("no more"))), "{sum:?}");
        }
        let dot = executor(Precision::Reproducible).dot_stream::<f32, _>(1000, |input, _| {
            if input == 1 { Err("no right") } else { Ok(()) }
        });
        assert!(matches!(dot, Err(StreamError::Source("no right"))), "{dot:?}");
    }

    #[test]
    fn there_are_no_exact_products() {
        let product =
            executor(Precision::Exact)
                .reduce_stream::<f32, _, Infallible>(10, Product, |_, _| Ok(()));
        assert!(matches!(product, Err(StreamError::Reduce(Error::Prepare(_)))), "{product:?}");
    }
}
