//! Means of integers: float64, as NumPy's are, but of the exact sum, rounded once. Whoever reduces gives sums in 64 bits, and the host divides.

use crate::{
    error::Error,
    memory::zeros,
    operators::{Answer, Fill, Options, Reduced, Value, defined},
};
use gridfold::{DynOperator, ElementType, Executor, OperatorType, StreamError};

/// Elements of 32 bits whose sum has 64. (It is a multiple of 2^32, modulo which elements are numbered: so their numbers are the same in parts.)
pub const PART: u64 = 1 << 32;
/// Elements of 64 bits at a time, which are halved, or added up, in memory.
const WIDE_PART: u64 = 1 << 22;

/// An exact sum, and how it was made.
type Summed = Result<(i128, Reduced), StreamError<Error>>;

/// The exact mean of `len` integers, as they are in a file. `by` is their sum.
pub fn integers_mean(
    executor: &Executor,
    options: Options,
    by: DynOperator,
    len: u64,
    fill: Fill<'_>,
) -> Result<Reduced, StreamError<Error>> {
    let element = by.spec().element;
    let (sum, how) = match (element, executor.context()) {
        (ElementType::I64 | ElementType::U64, None) => {
            sum_on_host(executor, is_signed(element), len, fill)?
        }
        (ElementType::I64 | ElementType::U64, Some(_)) => {
            sum_of_halves(executor, options, is_signed(element), (len, WIDE_PART), fill)?
        }
        _ => sum_of_parts(is_signed(element), (len, PART), |count| {
            options.stream(by, executor, count, fill)
        })?,
    };
    Ok(mean_of(sum, len, how))
}

/// The mean of as many elements as have a sum.
pub fn mean_of(sum: i128, len: u64, how: Reduced) -> Reduced {
    let value = Some(Answer::of_number(Value::of(rounded_mean(sum, len))));
    let explanation =
        format!("{} The host divides the exact sum, and rounds: once.", how.explanation);
    Reduced { value, explanation, ..how }
}

/// The sum of `len` elements, of parts that `reduce` adds up in 64 bits. It is called with the number of each part's elements, once at least.
pub fn sum_of_parts(
    is_signed: bool,
    (len, part): (u64, u64),
    mut reduce: impl FnMut(u64) -> Result<Reduced, StreamError<Error>>,
) -> Summed {
    let mut how = reduce(len.min(part))?;
    let mut sum = number(is_signed, &how);
    let mut left = len.saturating_sub(part);
    while left > 0 {
        let count = left.min(part);
        let next = reduce(count)?;
        sum += number(is_signed, &next);
        how = how.and(&next);
        left -= count;
    }
    Ok((sum, how))
}

/// Of elements of 64 bits: what reduces them adds up their high words, and their low ones, each to a sum in 64 bits.
fn sum_of_halves(
    executor: &Executor,
    options: Options,
    is_signed: bool,
    (len, part): (u64, u64),
    fill: Fill<'_>,
) -> Summed {
    let sum_of = |element| defined(OperatorType::SumWide, element).expect("all integers have it");
    let high = sum_of(if is_signed { ElementType::I32 } else { ElementType::U32 });
    let halves = [(high, 32u32, is_signed), (sum_of(ElementType::U32), 0, false)];
    let (mut sum, mut all) = (0i128, None::<Reduced>);
    let mut words = room(len.min(part)).map_err(StreamError::Source)?;
    let mut left = len;
    loop {
        let count = left.min(part);
        let words = &mut words[..usize::try_from(count).expect("a part's")];
        fill(0, bytemuck::cast_slice_mut(words)).map_err(StreamError::Source)?;
        for (by, shift, is_signed) in halves {
            let mut next = words.iter();
            let how = options.stream(by, executor, count, &mut |_, elements| {
                let elements: &mut [u32] = bytemuck::cast_slice_mut(elements);
                for (half, word) in elements.iter_mut().zip(&mut next) {
                    *half = u32::try_from((word >> shift) & LOW).expect("a half");
                }
                Ok(())
            })?;
            sum += number(is_signed, &how) << shift;
            all = Some(match all {
                Some(all) => all.and(&how),
                None => how,
            });
        }
        left -= count;
        if left == 0 {
            break;
        }
    }
    Ok((sum, all.expect("there is a part")))
}

/// Room for a part of so many elements of 64 bits.
fn room(len: u64) -> Result<Vec<u64>, Error> {
    zeros(usize::try_from(len.min(WIDE_PART)).expect("a part's"), "a part of the elements")
}

/// The low half of a word.
pub const LOW: u64 = 0xffff_ffff;

/// The same on the CPU, which has sums of more than 64 bits.
fn sum_on_host(executor: &Executor, is_signed: bool, len: u64, fill: Fill<'_>) -> Summed {
    let mut words = room(len).map_err(StreamError::Source)?;
    let (mut sum, mut left) = (0, len);
    while left > 0 {
        let count = left.min(WIDE_PART);
        let words = &mut words[..usize::try_from(count).expect("a part's")];
        fill(0, bytemuck::cast_slice_mut(words)).map_err(StreamError::Source)?;
        sum += words.iter().map(|&word| signed(is_signed, word)).sum::<i128>();
        left -= count;
    }
    let how = Reduced {
        value: None,
        adapter: executor.name(),
        plan: "cpu, exact, 1 thread".to_owned(),
        explanation: "The CPU adds in 128 bits.".to_owned(),
        device_time: None,
    };
    Ok((sum, how))
}

/// Whether there are values below 0.
pub fn is_signed(element: ElementType) -> bool {
    matches!(element, ElementType::I8 | ElementType::I16 | ElementType::I32 | ElementType::I64)
}

/// The number that was reduced to.
pub fn number(is_signed: bool, reduced: &Reduced) -> i128 {
    signed(is_signed, reduced.value.as_ref().map_or(0, Answer::word))
}

/// A number of 64 bits, with the sign that it may have.
pub fn signed(is_signed: bool, word: u64) -> i128 {
    if is_signed { word.cast_signed().into() } else { word.into() }
}

/// `sum / len`, rounded to the nearest, ties to even. NaN of nothing.
pub fn rounded_mean(sum: i128, len: u64) -> f64 {
    if sum == 0 || len == 0 {
        return if len == 0 { f64::NAN } else { 0.0 };
    }
    // As many bits of the quotient as there is room for, 64 at least; of what is below only matters whether it is there.
    let magnitude = sum.unsigned_abs();
    let places = magnitude.leading_zeros();
    let (dividend, divisor) = (magnitude << places, u128::from(len));
    let rest = u128::from(dividend % divisor != 0);
    let quotient = ((dividend / divisor) | rest) as f64;
    let mean = quotient * 2f64.powi(-places.cast_signed());
    if sum < 0 { -mean } else { mean }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridfold::AdapterName;
    use std::time::Duration;

    fn reduced(number: i64) -> Reduced {
        Reduced {
            value: Some(Answer::of_number(Value::of(number))),
            adapter: AdapterName::cpu(),
            plan: "a plan".to_owned(),
            explanation: String::new(),
            device_time: Some(Duration::from_secs(1)),
        }
    }

    #[test]
    fn sums_of_parts() {
        for (len, part, lens) in [
            (5, 2, &[2, 2, 1][..]),
            (4, 2, &[2, 2]),
            (1, 2, &[1]),
            (0, 2, &[0]),
            (7, PART, &[7]),
            (PART + 1, PART, &[PART, 1]),
        ] {
            let mut asked = Vec::new();
            let summed = sum_of_parts(true, (len, part), |count| {
                asked.push(count);
                Ok(reduced(i64::MIN))
            });
            let (sum, how) = summed.expect("there are no errors");
            assert_eq!(asked, lens, "{len} by {part}");
            let parts = i128::try_from(lens.len()).expect("few");
            assert_eq!(sum, parts * i128::from(i64::MIN));
            assert_eq!(how.device_time, Some(Duration::from_secs(lens.len() as u64)));
        }
        let summed = sum_of_parts(false, (4, 2), |_| Ok(reduced(-1)));
        assert_eq!(summed.expect("there are no errors").0, 2 * i128::from(u64::MAX));
    }

    /// What a device is given, on the CPU, and what the CPU does alone.
    #[test]
    fn sums_of_words() {
        let mut random = fastrand::Rng::with_seed(2);
        let executor = Executor::cpu();
        for len in [0u64, 1, 2, 7, 8, 9, 1000] {
            let words: Vec<u64> = (0..len).map(|_| random.u64(..)).collect();
            for is_signed in [false, true] {
                let wanted: i128 = words.iter().map(|&word| signed(is_signed, word)).sum();
                let mut sums = Vec::new();
                for part in [None, Some(3), Some(8), Some(WIDE_PART)] {
                    let mut next = words.iter();
                    let fill: Fill<'_> = &mut |_, elements| {
                        let elements: &mut [u64] = bytemuck::cast_slice_mut(elements);
                        for element in elements {
                            *element = *next.next().expect("no more than there are");
                        }
                        Ok(())
                    };
                    let options = Options::default();
                    let summed = match part {
                        Some(part) => {
                            sum_of_halves(&executor, options, is_signed, (len, part), fill)
                        }
                        None => sum_on_host(&executor, is_signed, len, fill),
                    };
                    sums.push(summed.expect("there are no errors").0);
                }
                assert_eq!(sums, [wanted; 4], "{len}");
            }
        }
    }

    #[test]
    fn means_are_rounded_once() {
        assert!(rounded_mean(0, 0).is_nan());
        for (sum, len, mean) in [
            (0, 5, 0.0),
            (7, 2, 3.5),
            (-7, 2, -3.5),
            (1, 3, 1.0 / 3.0),
            (-10, 3, -10.0 / 3.0),
            (i128::from(u64::MAX), 1, 18_446_744_073_709_551_615u64 as f64),
            // 2^53 + 1 is a tie, to even; a little more is above it.
            ((1 << 53) + 1, 1, 9_007_199_254_740_992.0),
            (((1 << 53) + 1) * 3 + 1, 3, 9_007_199_254_740_994.0),
            (((1 << 53) + 3) * 2, 2, 9_007_199_254_740_996.0),
            (1, 1 << 40, 2f64.powi(-40)),
            (i128::from(i64::MIN) << 40, 1 << 40, -(2f64.powi(63))),
        ] {
            assert_eq!(rounded_mean(sum, len).to_bits(), f64::to_bits(mean), "{sum} / {len}");
        }
    }

    /// Of small numbers, where a division of floats rounds once, too.
    #[test]
    fn means_of_small_numbers() {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..100_000 {
            let sum = random.i64(-(1 << 53)..=1 << 53);
            let len = random.u64(1..=1 << 53);
            assert_eq!(rounded_mean(sum.into(), len), sum as f64 / len as f64, "{sum} / {len}");
        }
    }
}
