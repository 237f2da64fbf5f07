//! The reductions of segments that there are, and what their results are.

use crate::{
    chunks::CHUNK,
    error::Error,
    mean::{LOW, rounded_mean},
    memory::{collected, reserve, zeros},
    operators::Value,
};
use bytemuck::Pod;
use gridfold::{
    All, Any, ArgMax, ArgMaxLast, ArgMin, ArgMinLast, ArgMinMax, ArgMinMaxLast, BitAnd, BitOr,
    BitXor, Count, CountNan, Element, ElementType, Executor, Extremes, L1Norm, Max, MaxAbs, Mean,
    Min, MinMax, NanArgMax, NanArgMaxLast, NanArgMin, NanArgMinLast, NanArgMinMax,
    NanArgMinMaxLast, NanMax, NanMean, NanMin, NanMinMax, NanSampleVariance, NanSum, NanVariance,
    Norm, Operator, OperatorType, Place, Precision, Product, ProductWide, SampleVariance,
    StreamError, Sum, SumOfSquares, SumWide, TotalArgMax, TotalArgMaxLast, TotalArgMin,
    TotalArgMinLast, TotalArgMinMax, TotalArgMinMaxLast, TotalMax, TotalMin, TotalMinMax, Variance,
};

/// Segments whose elements are in memory, in this machine's order of bytes, or that come bit by bit.
pub(super) enum Part<'a> {
    /// Those between offsets.
    Whole(&'a [u32], &'a [u8]),
    /// One, of so many elements, and what brings the next of them.
    Long(u64, &'a mut dyn FnMut(&mut [u8]) -> Result<(), Error>),
}

/// A result for each segment.
type Run = fn(&Executor, Part<'_>) -> Result<Vec<u8>, Error>;

/// Results, in this machine's order of bytes, to their numbers in text.
type Show = fn(&[u8]) -> Vec<Value>;

/// A reduction that there is.
pub(super) struct Entry {
    pub(super) operator: OperatorType,
    pub(super) element: ElementType,
    /// What each number of a result is.
    pub(super) out: ElementType,
    /// Numbers of a result: one, or two, of which the first is the minimum's.
    pub(super) numbers: usize,
    pub(super) run: Run,
    pub(super) show: Show,
}

macro_rules! entries {
    ($($make:ident $operator:ident: $($element:ident)*;)*) => {
        &[$($($make::<$element, $operator>(OperatorType::$operator),)*)*]
    };
}

const ENTRIES: &[Entry] = entries! {
    number Sum: f32 f64;
    number Product: f32 f64;
    number SumWide: i32 i64 u32 u64;
    number ProductWide: i32 i64 u32 u64;
    number Min: f32 f64 i32 i64 u32 u64;
    number Max: f32 f64 i32 i64 u32 u64;
    extremes MinMax: f32 f64 i32 i64 u32 u64;
    place ArgMin: f32 f64 i32 i64 u32 u64;
    place ArgMax: f32 f64 i32 i64 u32 u64;
    places ArgMinMax: f32 f64 i32 i64 u32 u64;
    place ArgMinLast: f32 f64 i32 i64 u32 u64;
    place ArgMaxLast: f32 f64 i32 i64 u32 u64;
    places ArgMinMaxLast: f32 f64 i32 i64 u32 u64;
    number BitAnd: i32 i64 u32 u64;
    number BitOr: i32 i64 u32 u64;
    number BitXor: i32 i64 u32 u64;
    number MaxAbs: f32 f64 i32 i64 u32 u64;
    number Count: f32 f64 i32 i64 u32 u64;
    number CountNan: f32 f64;
    flag Any: f32 f64 i32 i64 u32 u64;
    flag All: f32 f64 i32 i64 u32 u64;
    number Mean: f32 f64;
    number SumOfSquares: f32 f64;
    number Norm: f32 f64;
    number L1Norm: f32 f64;
    number Variance: f32 f64;
    number SampleVariance: f32 f64;
    // By a rule for NaNs.
    number NanSum: f32 f64;
    number NanMean: f32 f64;
    number NanVariance: f32 f64;
    number NanSampleVariance: f32 f64;
    number NanMin: f32 f64;
    number NanMax: f32 f64;
    extremes NanMinMax: f32 f64;
    place NanArgMin: f32 f64;
    place NanArgMax: f32 f64;
    places NanArgMinMax: f32 f64;
    place NanArgMinLast: f32 f64;
    place NanArgMaxLast: f32 f64;
    places NanArgMinMaxLast: f32 f64;
    number TotalMin: f32 f64;
    number TotalMax: f32 f64;
    extremes TotalMinMax: f32 f64;
    place TotalArgMin: f32 f64;
    place TotalArgMax: f32 f64;
    places TotalArgMinMax: f32 f64;
    place TotalArgMinLast: f32 f64;
    place TotalArgMaxLast: f32 f64;
    places TotalArgMinMaxLast: f32 f64;
};

/// Those of integers, which the library does not have.
const MEANS: &[Entry] = &[mean::<i32>(), mean::<i64>(), mean::<u32>(), mean::<u64>()];

impl Entry {
    /// What results promise that keep such a promise, if there are some: means of integers, which are exact, keep any.
    pub(super) fn kept_precision(&self, precision: Precision) -> Option<Precision> {
        match self.operator.spec(self.element) {
            Some(_) => precision.kept_by(self.operator, self.element),
            None => Some(Precision::Exact),
        }
    }

    /// Whether devices make the results: means of integers as sums.
    pub(super) fn is_on_devices(&self, precision: Precision) -> bool {
        let spec = self.operator.spec(self.element);
        let spec = spec.or_else(|| OperatorType::SumWide.spec(self.element));
        spec.is_some_and(|spec| spec.has_segments_at(precision))
    }
}

/// The one by an operator of files.
pub(super) fn entry_of(op: OperatorType, element: ElementType) -> Option<&'static Entry> {
    let is_float = matches!(element, ElementType::F32 | ElementType::F64);
    // As NumPy's, of 64 bits.
    let operator = match op {
        OperatorType::Sum if !is_float => OperatorType::SumWide,
        OperatorType::Product if !is_float => OperatorType::ProductWide,
        op => op,
    };
    let mut entries = ENTRIES.iter().chain(MEANS);
    entries.find(|entry| entry.operator == operator && entry.element == element)
}

const fn number<T: Element, Op: Operator<T>>(operator: OperatorType) -> Entry
where
    Op::Out: Element,
{
    Entry {
        operator,
        element: T::TYPE,
        out: <Op::Out as Element>::TYPE,
        numbers: 1,
        run: reduce::<T, Op>,
        show: show::<Op::Out>,
    }
}

const fn extremes<T: Element, Op: Operator<T, Value = Option<Extremes<T>>>>(
    operator: OperatorType,
) -> Entry {
    Entry {
        operator,
        element: T::TYPE,
        out: T::TYPE,
        numbers: 2,
        run: reduce::<T, Op>,
        show: show::<T>,
    }
}

const fn flag<T: Element, Op: Operator<T, Value = bool>>(operator: OperatorType) -> Entry {
    let run: Run =
        |executor, part| bytes_of(values::<T, Op>(executor, part)?.into_iter().map(u8::from));
    let show: Show = |bytes| {
        let flag = |&flag: &u8| Value::of_bits((flag != 0).to_string(), flag.into(), 1);
        bytes.iter().map(flag).collect()
    };
    Entry { operator, element: T::TYPE, out: ElementType::Bool, numbers: 1, run, show }
}

const fn place<T: Element, Op: Operator<T, Value = Option<Place<T>>>>(
    operator: OperatorType,
) -> Entry {
    let run: Run =
        |executor, part| bytes_of(values::<T, Op>(executor, part)?.into_iter().map(index));
    let (out, show) = (ElementType::I64, show::<i64>);
    Entry { operator, element: T::TYPE, out, numbers: 1, run, show }
}

const fn places<T: Element, Op: Operator<T, Value = Option<Extremes<Place<T>>>>>(
    operator: OperatorType,
) -> Entry {
    let run: Run = |executor, part| {
        let values = values::<T, Op>(executor, part)?.into_iter();
        bytes_of(values.map(|both| {
            let [min, max] = [both.map(|both| both.min), both.map(|both| both.max)];
            [index(min), index(max)]
        }))
    };
    let (out, show) = (ElementType::I64, show::<i64>);
    Entry { operator, element: T::TYPE, out, numbers: 2, run, show }
}

/// Integers with exact sums.
trait Integer: Element {
    /// The sum of each segment between offsets.
    fn sums(executor: &Executor, offsets: &[u32], elements: &[Self]) -> Result<Vec<i128>, Error>;
}

macro_rules! integers {
    ($($integer:ident)*; $($wide:ident of $high:ident)*) => {
        $(impl Integer for $integer {
            fn sums(
                executor: &Executor,
                offsets: &[u32],
                elements: &[Self],
            ) -> Result<Vec<i128>, Error> {
                let sums = executor.reduce_segments::<Self, SumWide>(elements, offsets)?;
                collected(sums.into_iter().map(Into::into), "sums")
            }
        })*

        // Of the high halves and of the low ones, for which there is room in 64 bits.
        $(impl Integer for $wide {
            fn sums(
                executor: &Executor,
                offsets: &[u32],
                elements: &[Self],
            ) -> Result<Vec<i128>, Error> {
                let words: &[u64] = bytemuck::cast_slice(elements);
                let half = |shift: u32| {
                    let half = |word: &u64| u32::try_from((word >> shift) & LOW).expect("a half");
                    collected(words.iter().map(half), "halves of elements")
                };
                let high = $high::sums(executor, offsets, bytemuck::cast_slice(&half(32)?))?;
                let low = u32::sums(executor, offsets, &half(0)?)?;
                let both = high.into_iter().zip(low);
                collected(both.map(|(high, low)| (high << 32) + low), "sums")
            }
        })*
    };
}

integers!(i32 u32; i64 of i32 u64 of u32);

/// The nearest `f64`s.
const fn mean<T: Integer>() -> Entry {
    let run: Run = |executor, part| match part {
        Part::Whole(offsets, bytes) => {
            let sums = T::sums(executor, offsets, bytemuck::cast_slice(bytes))?;
            let lens = offsets.windows(2).map(|ends| u64::from(ends[1] - ends[0]));
            bytes_of(sums.into_iter().zip(lens).map(|(sum, len)| rounded_mean(sum, len)))
        }
        Part::Long(len, fill) => {
            let mut elements = zeros::<T>(CHUNK, "elements")?;
            let (mut sum, mut left) = (0, len);
            while left > 0 {
                let count = usize::try_from(left).map_or(CHUNK, |left| left.min(CHUNK));
                let elements = &mut elements[..count];
                fill(bytemuck::cast_slice_mut(elements))?;
                let end = u32::try_from(count).expect("a chunk's");
                sum += T::sums(executor, &[0, end], elements)?.iter().sum::<i128>();
                left -= count as u64;
            }
            Ok(rounded_mean(sum, len).to_ne_bytes().to_vec())
        }
    };
    let (operator, out, show) = (OperatorType::Mean, ElementType::F64, show::<f64>);
    Entry { operator, element: T::TYPE, out, numbers: 1, run, show }
}

/// Where an element is in its segment: nowhere in an empty one.
fn index<T>(place: Option<Place<T>>) -> i64 {
    place.map_or(-1, |place| place.index.cast_signed())
}

fn values<T: Element, Op: Operator<T>>(
    executor: &Executor,
    part: Part<'_>,
) -> Result<Vec<Op::Value>, Error> {
    match part {
        Part::Whole(offsets, bytes) => {
            Ok(executor.reduce_segments::<T, Op>(bytemuck::cast_slice(bytes), offsets)?)
        }
        Part::Long(len, fill) => {
            let fill = |_, elements: &mut [T]| fill(bytemuck::cast_slice_mut(elements));
            match executor.reduce_stream::<T, Op, _>(len, fill) {
                Ok(reduced) => Ok(vec![reduced.value]),
                Err(StreamError::Source(error)) => Err(error),
                Err(StreamError::Reduce(error)) => Err(error.into()),
            }
        }
    }
}

fn reduce<T: Element, Op: Operator<T>>(
    executor: &Executor,
    part: Part<'_>,
) -> Result<Vec<u8>, Error> {
    // Of nothing what a device writes.
    let values = values::<T, Op>(executor, part)?.into_iter();
    bytes_of(values.map(|value| Op::out(value).unwrap_or_else(empty::<T, Op>)))
}

/// Results as bytes.
fn bytes_of<Out: Pod>(outs: impl ExactSizeIterator<Item = Out>) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    reserve(&mut bytes, outs.len() * size_of::<Out>(), "results")?;
    outs.for_each(|out| bytes.extend_from_slice(bytemuck::bytes_of(&out)));
    Ok(bytes)
}

fn empty<T: Element, Op: Operator<T>>() -> Op::Out {
    Op::finish(Op::identity(), 0)
}

/// Numbers of a type, in text.
fn show<Out: Element>(bytes: &[u8]) -> Vec<Value> {
    let outs = bytes.chunks_exact(size_of::<Out>()).map(bytemuck::pod_read_unaligned::<Out>);
    outs.map(Value::of).collect()
}
