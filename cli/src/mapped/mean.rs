//! Means of integers that expressions make: of sums and of counts, for each of which the elements are read once.

use super::{Bits, Expressions, Mapped};
use crate::{
    dtype::Dtype,
    error::Error,
    mean::{PART, is_signed, mean_of, sum_of_parts},
    operators::{Fill, Options, Reduced},
};
use gridfold::{ElementType, Executor, OperatorType, StreamError};

/// A reduction of all elements, to a number of 64 bits.
pub struct Pass {
    reduced: Mapped,
    /// In place of that of the call.
    map: String,
    bits: Bits,
    /// Whether elements may be left out.
    is_where: bool,
    is_signed: bool,
    what: What,
}

/// What a pass tells.
#[derive(Clone, Copy)]
enum What {
    /// What is added up, in units of this power of two.
    Sum(u32),
    /// How many elements count.
    Count,
}

/// What it takes for the mean of what expressions make of a type's elements.
pub fn passes(expressions: Expressions<'_>, dtype: &Dtype) -> Vec<Pass> {
    let element = dtype.own.element;
    let pass = |operator: OperatorType, map: &str, bits: Bits, what: What| Pass {
        reduced: Mapped::find(operator, element).expect("all integers have it"),
        map: map.to_owned(),
        bits,
        is_where: matches!(what, What::Sum(_)),
        is_signed: is_signed(element) && bits != Bits::Lower,
        what,
    };
    let sum = |bits, power| pass(OperatorType::SumWide, expressions.map(), bits, What::Sum(power));
    let mut passes = match is_wide(element) {
        true => vec![sum(Bits::Upper, 32), sum(Bits::Lower, 0)],
        false => vec![sum(Bits::All, 0)],
    };
    if let Some(predicate) = expressions.predicate {
        // Of which the value is 1 or 0.
        passes.push(pass(OperatorType::Count, predicate, Bits::All, What::Count));
    }
    passes
}

fn is_wide(element: ElementType) -> bool {
    element.size_bytes() == 8
}

/// The mean of `len` elements. `reduce` makes a pass over them.
pub fn mean_by_passes(
    passes: &[Pass],
    len: u64,
    mut reduce: impl FnMut(&Pass) -> Result<(i128, Reduced), StreamError<Error>>,
) -> Result<Reduced, StreamError<Error>> {
    let (mut sum, mut count, mut all) = (0i128, len, None::<Reduced>);
    for pass in passes {
        let (found, how) = reduce(pass)?;
        match pass.what {
            What::Sum(power) => sum += found << power,
            What::Count => count = u64::try_from(found).expect("no more than there are"),
        }
        all = Some(match all {
            Some(all) => all.and(&how),
            None => how,
        });
    }
    Ok(mean_of(sum, count, all.expect("there is a sum")))
}

impl Pass {
    /// Whether the pass depends on which element is which in C's order.
    pub fn is_numbered(&self, expressions: Expressions<'_>) -> Result<bool, Error> {
        self.reduced.is_numbered(expressions)
    }

    /// The pass over `len` elements of each file.
    pub fn reduce(
        &self,
        expressions: Expressions<'_>,
        executor: &Executor,
        options: Options,
        len: u64,
        fill: Fill<'_>,
    ) -> Result<(i128, Reduced), StreamError<Error>> {
        // What is wrong with the expressions of the call is told of these, not of what they are part of here.
        let nothing: Fill<'_> = &mut |_, _| Ok(());
        let checked = Options::default();
        self.reduced.stream(expressions, &Executor::cpu(), checked, 0, nothing)?;
        let own = Expressions {
            map: Some(&self.map),
            bits: self.bits,
            predicate: expressions.predicate.filter(|_| self.is_where),
            ..expressions
        };
        sum_of_parts(self.is_signed, (len, PART), |count| {
            self.reduced.stream(own, executor, options, count, fill)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mean::rounded_mean;

    /// The mean of words of a type, by expressions, in as many passes.
    fn mean_of_words(
        dtype: &str,
        (map, predicate): (Option<&str>, Option<&str>),
        words: &[u64],
        expected_passes: usize,
    ) -> f64 {
        let dtype = Dtype::named(dtype);
        let expressions =
            Expressions { map, predicate, parameters: &[], inputs: 1, bits: Bits::All };
        let passes = passes(expressions, dtype);
        assert_eq!(passes.len(), expected_passes);
        let len = words.len() as u64;
        let (executor, options) = (Executor::cpu(), Options::default());
        let mean = mean_by_passes(&passes, len, |pass| {
            let mut next = words.iter();
            let fill: Fill<'_> = &mut |_, elements| {
                let size = usize::try_from(dtype.own.element.size_bytes()).expect("a few");
                for element in elements.chunks_exact_mut(size) {
                    let word = next.next().expect("no more than there are").to_le_bytes();
                    element.copy_from_slice(&word[..size]);
                }
                Ok(())
            };
            pass.reduce(expressions, &executor, options, len, fill)
        });
        let bits = mean.expect("there are no errors").value.expect("a mean").word();
        f64::from_bits(bits)
    }

    #[test]
    #[cfg(target_endian = "little")]
    fn means_of_what_expressions_make() {
        let of = i64::cast_unsigned;
        let words = [of(i64::MIN), of(i64::MAX), of(-7), 5];
        let mean =
            |map, predicate, passes| mean_of_words("int64", (map, predicate), &words, passes);
        let wanted = |sum: i128, len| rounded_mean(sum, len);
        assert_eq!(mean(None, None, 2), wanted(-3, 4));
        // Each quotient loses its half.
        assert_eq!(mean(Some("x / 2li"), None, 2), -0.5);
        assert_eq!(mean(None, Some("x < 0li"), 3), wanted(i128::from(i64::MIN) - 7, 2));
        assert!(mean(None, Some("x == 6li"), 3).is_nan());
        assert_eq!(mean(Some("x > 0li"), None, 2), 0.5);
        // As many signs as there may be, which are those of the text alone.
        let longest = format!("x{}", " + 0li".repeat(200));
        assert_eq!(mean(Some(&longest), None, 2), wanted(-3, 4));
        let words = [u64::MAX, u64::MAX, 1 << 63, 1];
        let mean =
            |map, predicate, passes| mean_of_words("uint64", (map, predicate), &words, passes);
        let sum = 2 * i128::from(u64::MAX) + (1 << 63) + 1;
        assert_eq!(mean(None, None, 2), wanted(sum, 4));
        assert_eq!(mean(None, Some("x > 1lu"), 3), wanted(sum - 1, 3));
        let words = [u32::MAX, u32::MAX, 7].map(u64::from);
        let mean = |dtype: &str, predicate, passes| {
            mean_of_words(dtype, (None, predicate), &words, passes)
        };
        assert_eq!(mean("uint32", None, 1), wanted(2 * i128::from(u32::MAX) + 7, 3));
        assert_eq!(mean("uint32", Some("x > 7u"), 2), f64::from(u32::MAX));
        // The same bits are -1.
        assert_eq!(mean("int32", None, 1), wanted(5, 3));
        assert_eq!(mean("int32", Some("i < 2u"), 2), -1.0);
    }
}
