//! Operators that files and options name, and their results in text.

use crate::{args::NanRule, memory::reserve};
use gridfold::{
    AdapterName, Context, DynOperator, DynReducer, DynValue, ElementType, Executor, Number,
    OperatorType, Precision, Reduction, Strategy, StreamError, Variant,
};
use std::{borrow::Cow, fmt, sync::LazyLock, time::Duration};

/// Brings the next elements of an input, as bytes, which the operator's element type says how to read.
pub type Fill<'a> = &'a mut dyn FnMut(usize, &mut [u8]) -> Result<(), crate::error::Error>;

/// A value that was reduced, in text.
#[derive(Clone, Debug, PartialEq)]
pub struct Reduced {
    /// The value; `None` for the minimum or maximum of nothing.
    pub value: Option<Answer>,
    pub adapter: AdapterName,
    pub plan: String,
    pub explanation: String,
    pub device_time: Option<Duration>,
}

impl Reduced {
    /// In text.
    pub fn of(reduction: Reduction<DynValue>) -> Self {
        let Reduction { value, adapter, plan, explanation, device_time, .. } = reduction;
        Self { value: Answer::of(&value), adapter, plan, explanation, device_time }
    }

    /// What was reduced, in as much time as that and another reduction of the same kind took.
    pub fn and(self, other: &Self) -> Self {
        let times = self.device_time.zip(other.device_time);
        Self { device_time: times.map(|(own, others)| own + others), ..self }
    }
}

/// A result: one number, or what an operator of extrema has found: one of them or two, and where they are.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer(pub Vec<Found>);

/// A number, and of extrema that tell it where it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    pub index: Option<u64>,
    pub value: Value,
}

impl Answer {
    pub fn of_number(value: Value) -> Self {
        Self(vec![Found { index: None, value }])
    }

    /// `None` where there is no value.
    fn of(value: &DynValue) -> Option<Self> {
        let (numbers, words) = (value.numbers()?, value.words());
        let found = |found: gridfold::Found| {
            let value = match found.number {
                // Many bits on devices.
                Number::Bool(flag) => {
                    Value { decimal: flag.to_string(), bits: Value::bits_of(words) }
                }
                number => Value::of_number(number),
            };
            Found { index: found.place, value }
        };
        Some(match numbers.is_empty() {
            // `gridfold stats` tells what they are.
            true => {
                let decimal = format!("{} words", words.len());
                Self::of_number(Value { decimal, bits: Value::bits_of(words) })
            }
            false => Self(numbers.into_iter().map(found).collect()),
        })
    }

    /// All of it.
    pub fn decimal(&self) -> String {
        let in_text = |found: &Found| match found.index {
            Some(index) => format!("{index}: {}", found.value.decimal),
            None => found.value.decimal.clone(),
        };
        self.0.iter().map(in_text).collect::<Vec<_>>().join(" and ")
    }

    /// The bits of a single number.
    pub fn word(&self) -> u64 {
        self.0[0].value.word()
    }
}

/// In text: `-8 (0xfffffff8)`, or `1: -8 (0xfffffff8) and 0: 3 (0x00000003)`.
impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, Found { index, value: Value { decimal, bits } }) in self.0.iter().enumerate() {
            f.write_str(if number == 0 { "" } else { " and " })?;
            if let Some(index) = index {
                write!(f, "{index}: ")?;
            }
            write!(f, "{decimal} ({bits})")?;
        }
        Ok(())
    }
}

/// A number, in text.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// The shortest decimal that reads back to the same value.
    pub decimal: String,
    /// The bit pattern, `0x…`.
    pub bits: String,
}

impl Value {
    /// The bits, as a number.
    pub fn word(&self) -> u64 {
        u64::from_str_radix(self.bits.trim_start_matches("0x"), 16).expect("64 bits at most")
    }

    /// Of so many bytes.
    pub fn of_bits(decimal: String, bits: u64, bytes: u64) -> Self {
        let digits = usize::try_from(2 * bytes).expect("few");
        Self { decimal, bits: format!("0x{bits:0digits$x}") }
    }

    /// A number of a result.
    pub fn of_number(number: Number) -> Self {
        match number {
            Number::F32(number) => Self::of(number),
            Number::F64(number) => Self::of(number),
            Number::I32(number) => Self::of(number),
            Number::U32(number) => Self::of(number),
            Number::I64(number) => Self::of(number),
            Number::U64(number) => Self::of(number),
            number => unreachable!("{number} is no number of a file"),
        }
    }

    /// An element of a file, from bytes in this machine's order.
    pub fn of_element(element: ElementType, bytes: &[u8]) -> Self {
        match Number::read(element, bytes).expect("an element of a file") {
            Number::Bool(flag) => Self::of_bits(flag.to_string(), flag.into(), 1),
            number => Self::of_number(number),
        }
    }

    /// The bits of words, whose lowest one comes first.
    fn bits_of(words: &[u32]) -> String {
        let digits: String = words.iter().rev().map(|word| format!("{word:08x}")).collect();
        format!("0x{digits}")
    }

    pub fn of<Out: bytemuck::Pod + fmt::Debug>(out: Out) -> Self {
        // Rust's debug format is the shortest that reads back, with an exponent where that is
        // shorter by far. It marks whole floating-point numbers by ".0".
        let decimal = format!("{out:?}");
        let decimal = decimal.strip_suffix(".0").unwrap_or(&decimal).to_owned();
        let mut bytes = bytemuck::bytes_of(&out).to_vec();
        if cfg!(target_endian = "little") {
            bytes.reverse();
        }
        let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        Self { decimal, bits: format!("0x{digits}") }
    }
}

/// How a reduction is to be done, as the library's [`DynReducer`] takes it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub precision: Precision,
    pub variant: Variant,
    pub strategy: Strategy,
}

impl Options {
    /// The executor's device, if a way on devices is forced: an executor takes none.
    pub fn forced_context(self, executor: &Executor) -> Option<&Context> {
        let is_forced = self.variant != Variant::Auto || self.strategy != Strategy::Auto;
        executor.context().filter(|_| is_forced)
    }

    pub fn executor(self, executor: &Executor) -> Executor {
        executor.clone().precision(self.precision)
    }

    /// A reducer with these options.
    pub fn reducer(self, operator: DynOperator, context: &Context) -> DynReducer {
        let Self { precision, variant, strategy } = self;
        operator.on(context).precision(precision).variant(variant).strategy(strategy)
    }

    /// Reduces as many elements of each input, which come chunk by chunk.
    pub fn stream(
        self,
        operator: DynOperator,
        executor: &Executor,
        len: u64,
        fill: Fill<'_>,
    ) -> Result<Reduced, StreamError<crate::error::Error>> {
        let reduction = match self.forced_context(executor) {
            Some(context) => self.reducer(operator, context).stream_blocking(len, fill)?,
            None => operator.reduce_stream(&self.executor(executor), len, fill)?,
        };
        Ok(Reduced::of(reduction))
    }
}

/// What --op takes: all but the operators of 64 bits, as sums and products of files have 64 bits anyway, those that are asked for by
/// --nan, and that of `gridfold stats`.
pub static OFFERED: LazyLock<Vec<OperatorType>> = LazyLock::new(|| {
    let is_offered = |name: &str| {
        !name.ends_with("-wide")
            && !name.starts_with("nan-")
            && !name.starts_with("total-")
            && name != OperatorType::Moments.name()
            && name != OperatorType::BriefMoments.name()
            // Files have no elements of several components.
            && name != OperatorType::Bounds.name()
    };
    let offered = OperatorType::ALL.iter().copied();
    let mut offered: Vec<_> = offered.filter(|operator| is_offered(operator.name())).collect();
    offered.sort();
    offered
});

/// The operator with a rule for NaNs, if it has that rule.
pub fn by_nan_rule(operator: OperatorType, rule: NanRule) -> Option<OperatorType> {
    let nan = match rule {
        NanRule::Propagate => gridfold::NanRule::Propagate,
        NanRule::Ignore => gridfold::NanRule::Ignore,
        NanRule::Total => gridfold::NanRule::Total,
    };
    Some(operator.nan(nan)).filter(|operator| OperatorType::ALL.contains(operator))
}

/// The type of each number of an operator's results in a file, and how many there are. `None` of summaries. Places are as NumPy indexes.
pub fn type_in_file(by: DynOperator) -> Option<(ElementType, usize)> {
    let result = by.spec().result_type()?;
    let element = if result.has_places { ElementType::I64 } else { result.element };
    Some((element, result.numbers as usize))
}

/// Results of devices as files have them, in this machine's order of bytes: places, with -1 where there is no element, and flags of a byte.
pub fn bytes_in_file<'a>(
    by: DynOperator,
    words: &'a [u32],
    has_value: impl Fn(usize) -> bool,
) -> Result<Cow<'a, [u8]>, crate::error::Error> {
    let (element, numbers) = type_in_file(by).expect("files have no summaries");
    let results = words.chunks_exact(by.spec().out_words as usize);
    let mut bytes = Vec::new();
    if by.spec().operator.tells_places() {
        reserve(&mut bytes, results.len() * numbers * size_of::<i64>(), "places")?;
        for (index, result) in results.enumerate() {
            let has_value = has_value(index);
            for number in result.chunks_exact(result.len() / numbers) {
                let place = if has_value { two_words(number).cast_signed() } else { -1 };
                bytes.extend(place.to_ne_bytes());
            }
        }
    } else if element == ElementType::Bool {
        reserve(&mut bytes, results.len(), "flags")?;
        bytes.extend(results.map(|result| u8::from(result.iter().any(|&word| word != 0))));
    } else {
        return Ok(Cow::Borrowed(bytemuck::cast_slice(words)));
    }
    Ok(Cow::Owned(bytes))
}

/// The number of the first two words.
pub fn two_words(words: &[u32]) -> u64 {
    bytemuck::pod_read_unaligned(bytemuck::cast_slice(&words[..2]))
}

/// The library's operator, where it is defined.
pub fn defined(operator: OperatorType, element: ElementType) -> Option<DynOperator> {
    DynOperator::new(operator, element).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nan_rules_are_operators() {
        let extrema = [OperatorType::Max, OperatorType::ArgMin, OperatorType::ArgMinMax.last()];
        let sample = OperatorType::Variance.sample();
        let others = [OperatorType::Sum, OperatorType::Mean, OperatorType::Variance, sample];
        for operator in extrema.into_iter().chain(others) {
            assert_eq!(by_nan_rule(operator, NanRule::Propagate), Some(operator));
            let ignoring = operator.nan(gridfold::NanRule::Ignore);
            assert_eq!(by_nan_rule(operator, NanRule::Ignore), Some(ignoring));
        }
        for operator in extrema {
            let total = operator.nan(gridfold::NanRule::Total);
            assert_eq!(by_nan_rule(operator, NanRule::Total), Some(total));
        }
        for operator in others {
            assert_eq!(by_nan_rule(operator, NanRule::Total), None, "{operator}");
        }
    }

    #[test]
    fn names_are_written_like_options() {
        for operator in OperatorType::ALL {
            let name = operator.name();
            assert!(
                name.chars().all(|c| c == '-' || c.is_ascii_lowercase() || c.is_ascii_digit()),
                "{name}"
            );
        }
    }

    #[test]
    fn extrema_are_two_numbers_and_places() {
        let reduce = |operator: OperatorType| {
            let operator = defined(operator, ElementType::I32).expect("it is defined");
            let elements = [3, -8i32, 5, -8];
            let reduction = operator.reduce(&Executor::cpu(), &[bytemuck::cast_slice(&elements)]);
            let reduced = Reduced::of(reduction.expect("the CPU has no errors"));
            reduced.value.expect("there are elements").to_string()
        };
        assert_eq!(reduce(OperatorType::MinMax), "-8 (0xfffffff8) and 5 (0x00000005)");
        assert_eq!(reduce(OperatorType::ArgMin), "1: -8 (0xfffffff8)");
        assert_eq!(reduce(OperatorType::ArgMin.last()), "3: -8 (0xfffffff8)");
        let both = "1: -8 (0xfffffff8) and 2: 5 (0x00000005)";
        assert_eq!(reduce(OperatorType::ArgMinMax), both);
        assert_eq!(reduce(OperatorType::Max), "5 (0x00000005)");
    }

    #[test]
    fn decimals_are_short_and_bits_are_whole() {
        let floats = [
            (7.0, "7", "0x40e00000"),
            (-0.0, "-0", "0x80000000"),
            (0.1, "0.1", "0x3dcccccd"),
            (16_777_216.0, "16777216", "0x4b800000"),
            (f32::MAX, "3.4028235e38", "0x7f7fffff"),
            (f32::from_bits(1), "1e-45", "0x00000001"),
            (f32::NAN, "NaN", "0x7fc00000"),
            (f32::INFINITY, "inf", "0x7f800000"),
            (f32::NEG_INFINITY, "-inf", "0xff800000"),
        ];
        for (value, decimal, bits) in floats {
            let expected = Value { decimal: decimal.to_owned(), bits: bits.to_owned() };
            assert_eq!(Value::of(value), expected);
        }
        let expected = Value { decimal: "-2".to_owned(), bits: "0xfffffffe".to_owned() };
        assert_eq!(Value::of(-2i32), expected);
    }
}
