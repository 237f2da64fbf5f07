//! How each segment is reduced, and what its result is.

use crate::{
    chunks::CHUNK,
    error::Error,
    mean::{LOW, is_signed, rounded_mean, signed},
    memory::{collected, reserve, zeros},
    operators::{Value, bytes_in_file, defined, two_words, type_in_file},
};
use gridfold::{DynOperator, ElementType, Executor, OperatorType, Precision, StreamError};

/// Segments whose elements are in memory, in this machine's order of bytes, or that come bit by bit.
pub(super) enum Part<'a> {
    /// Segments between offsets.
    Whole(&'a [u32], &'a [u8]),
    /// One, of so many elements, and what brings the next of them.
    Long(u64, &'a mut dyn FnMut(&mut [u8]) -> Result<(), Error>),
}

/// A reduction of segments.
#[derive(Clone, Copy)]
pub(super) struct Each {
    pub(super) operator: OperatorType,
    pub(super) element: ElementType,
    /// The type of each number of a result, in a file.
    pub(super) out: ElementType,
    /// Numbers of a result: one, or two, of which the first is the minimum's.
    pub(super) numbers: usize,
    /// `None` for means of integers, which the library does not have.
    by: Option<DynOperator>,
}

impl Each {
    /// The one by an operator of files.
    pub(super) fn of(op: OperatorType, element: ElementType) -> Option<Self> {
        let is_float = matches!(element, ElementType::F32 | ElementType::F64);
        // As NumPy's, of 64 bits.
        let operator = match op {
            OperatorType::Sum if !is_float => OperatorType::SumWide,
            OperatorType::Product if !is_float => OperatorType::ProductWide,
            OperatorType::Mean if !is_float => {
                let out = ElementType::F64;
                return Some(Self { operator: op, element, out, numbers: 1, by: None });
            }
            op => op,
        };
        let by = defined(operator, element).filter(|by| by.spec().inputs == 1)?;
        let (out, numbers) = type_in_file(by)?;
        Some(Self { operator, element, out, numbers, by: Some(by) })
    }

    /// The promise that results keep if they shall keep this one. `None` if there are none. Means of integers are exact, so they keep any.
    pub(super) fn kept_precision(&self, precision: Precision) -> Option<Precision> {
        match self.by {
            Some(_) => precision.kept_by(self.operator, self.element),
            None => Some(Precision::Exact),
        }
    }

    /// Whether devices make the results: means of integers as sums.
    pub(super) fn is_on_devices(&self, precision: Precision) -> bool {
        let by = self.by.or_else(|| defined(OperatorType::SumWide, self.element));
        by.is_some_and(|by| by.spec().has_segments_at(precision))
    }

    /// A result for each segment, in this machine's order of bytes.
    pub(super) fn reduce(&self, executor: &Executor, part: Part<'_>) -> Result<Vec<u8>, Error> {
        let Some(by) = self.by else { return self.means(executor, part) };
        match part {
            Part::Whole(offsets, elements) => {
                let results = by.reduce_segments(executor, elements, offsets)?;
                let has_value = |segment| results.has_value(segment);
                Ok(bytes_in_file(by, results.words(), has_value)?.into_owned())
            }
            Part::Long(len, fill) => {
                match by.reduce_stream(executor, len, |_, elements| fill(elements)) {
                    Ok(reduced) => {
                        let has_value = |_| reduced.value.numbers().is_some();
                        Ok(bytes_in_file(by, reduced.value.words(), has_value)?.into_owned())
                    }
                    Err(StreamError::Source(error)) => Err(error),
                    Err(StreamError::Reduce(error)) => Err(error.into()),
                }
            }
        }
    }

    /// Means of integers: the nearest `f64`s.
    fn means(&self, executor: &Executor, part: Part<'_>) -> Result<Vec<u8>, Error> {
        let element = self.element;
        let mut bytes = Vec::new();
        match part {
            Part::Whole(offsets, elements) => {
                let sums = sums(executor, element, offsets, elements)?;
                reserve(&mut bytes, sums.len() * size_of::<f64>(), "results")?;
                let lens = offsets.windows(2).map(|ends| u64::from(ends[1] - ends[0]));
                let means = sums.into_iter().zip(lens).map(|(sum, len)| rounded_mean(sum, len));
                bytes.extend(means.flat_map(f64::to_ne_bytes));
            }
            Part::Long(len, fill) => {
                let item_bytes = usize::try_from(element.size_bytes()).expect("a few");
                let mut words = zeros::<u64>((CHUNK * item_bytes).div_ceil(8), "elements")?;
                let (mut sum, mut left) = (0, len);
                while left > 0 {
                    let count = usize::try_from(left).map_or(CHUNK, |left| left.min(CHUNK));
                    let elements = &mut bytemuck::cast_slice_mut(&mut words)[..count * item_bytes];
                    fill(elements)?;
                    let end = u32::try_from(count).expect("a chunk's");
                    sum += sums(executor, element, &[0, end], elements)?.iter().sum::<i128>();
                    left -= count as u64;
                }
                bytes.extend(rounded_mean(sum, len).to_ne_bytes());
            }
        }
        Ok(bytes)
    }

    /// Results in text.
    pub(super) fn show(&self, bytes: &[u8]) -> Vec<Value> {
        let size = usize::try_from(self.out.size_bytes()).expect("a few");
        bytes.chunks_exact(size).map(|bytes| Value::of_element(self.out, bytes)).collect()
    }
}

/// The exact sum of each segment of integers.
fn sums(
    executor: &Executor,
    element: ElementType,
    offsets: &[u32],
    elements: &[u8],
) -> Result<Vec<i128>, Error> {
    let is_signed = is_signed(element);
    if element.size_bytes() == 4 {
        let by = defined(OperatorType::SumWide, element).expect("all integers have it");
        let results = by.reduce_segments(executor, elements, offsets)?;
        let sums = results.words().chunks_exact(2);
        return collected(sums.map(|words| signed(is_signed, two_words(words))), "sums");
    }
    // Halves are added up apart: 64 bits have room for their sums.
    let words: &[u64] = bytemuck::cast_slice(elements);
    let sums_of = |element, shift: u32| {
        let half = |word: &u64| u32::try_from((word >> shift) & LOW).expect("a half");
        let halves = collected(words.iter().map(half), "halves of elements")?;
        sums(executor, element, offsets, bytemuck::cast_slice(&halves))
    };
    let high = sums_of(if is_signed { ElementType::I32 } else { ElementType::U32 }, 32)?;
    let both = high.into_iter().zip(sums_of(ElementType::U32, 0)?);
    collected(both.map(|(high, low)| (high << 32) + low), "sums")
}
