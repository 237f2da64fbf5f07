//! Operators chosen at run time: the one place where names meet the library's generic types.

use crate::args::NanRule;
use gridfold::{
    AdapterName, AnyOperator, Array, Bool, Context, Dot, Element, ElementType, Error, Executor,
    GpuSlice, OfPairs, Operator, OperatorSpec, OperatorType, Precision, Reducer, Reduction,
    Strategy, StreamError, Variant,
    half::{bf16, f16},
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

    /// What a device writes.
    fn of<Out: bytemuck::Pod + fmt::Debug>(spec: &OperatorSpec, out: Out) -> Self {
        use OperatorType::{MinMax, NanMinMax, TotalMinMax};
        let tells_places = spec.operator.tells_places();
        let parts = match spec.operator {
            // An index in two words, and an element, of each.
            _ if tells_places => {
                if spec.out_words > 4 {
                    2
                } else {
                    1
                }
            }
            MinMax | NanMinMax | TotalMinMax => 2,
            // `gridfold stats` tells what they are.
            OperatorType::Moments | OperatorType::BriefMoments => {
                let words = bytemuck::bytes_of(&out).len() / size_of::<u32>();
                let Value { bits, .. } = Value::of(out);
                return Self::of_number(Value { decimal: format!("{words} words"), bits });
            }
            OperatorType::Any | OperatorType::All => {
                let Value { decimal, bits } = Value::of(out);
                return Self::of_number(Value { decimal: (decimal != "0").to_string(), bits });
            }
            _ => return Self::of_number(Value::of(out)),
        };
        let bytes = bytemuck::bytes_of(&out);
        let found = |part: &[u8]| {
            let (index, element) = part.split_at(if tells_places { size_of::<u64>() } else { 0 });
            Found {
                index: tells_places.then(|| bytemuck::pod_read_unaligned(index)),
                value: Value::of_element(spec.element, element),
            }
        };
        Self(bytes.chunks(bytes.len() / parts).map(found).collect())
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

    /// Of the bytes of an element, as devices write them: widened.
    fn of_element(element: ElementType, bytes: &[u8]) -> Self {
        match element {
            ElementType::F32 | ElementType::F16 | ElementType::BF16 => {
                Self::of::<f32>(bytemuck::pod_read_unaligned(bytes))
            }
            ElementType::F64 => Self::of::<f64>(bytemuck::pod_read_unaligned(bytes)),
            ElementType::I64 => Self::of::<i64>(bytemuck::pod_read_unaligned(bytes)),
            ElementType::U64 => Self::of::<u64>(bytemuck::pod_read_unaligned(bytes)),
            ElementType::I8 | ElementType::I16 | ElementType::I32 => {
                Self::of::<i32>(bytemuck::pod_read_unaligned(bytes))
            }
            _ => Self::of::<u32>(bytemuck::pod_read_unaligned(bytes)),
        }
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

/// How a reduction is to be done, as the library's [`Reducer`] takes it.
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

    fn reducer<T: Element, Op: AnyOperator<T>>(self, context: &Context) -> Reducer<T, Op> {
        self.apply(Reducer::new(context))
    }

    /// A reducer with these options.
    pub fn apply<T: Element, Op: AnyOperator<T>>(self, reducer: Reducer<T, Op>) -> Reducer<T, Op> {
        let Self { precision, variant, strategy } = self;
        reducer.precision(precision).variant(variant).strategy(strategy)
    }
}

/// An operator for elements of one type, which come as words: a list, or an array, for each input.
pub struct Entry {
    pub spec: OperatorSpec,
    pub on_cpu: fn(&[&[u32]], Precision) -> Result<Reduced, Error>,
    pub on_gpu: OnGpu,
    /// Of as many elements of each input, which come chunk by chunk.
    pub stream: Stream,
}

type Stream =
    fn(&Executor, Options, u64, Fill<'_>) -> Result<Reduced, StreamError<crate::error::Error>>;
type OnGpu = fn(&Context, &[Array<u32>], Options) -> Result<Reduced, Error>;

impl Entry {
    /// The operator's, if it is defined for the type.
    pub fn of(spec: Option<&OperatorSpec>) -> Option<&'static Self> {
        ENTRIES.iter().find(|entry| Some(&entry.spec) == spec)
    }

    const fn one<T: Element, Op: Operator<T>>() -> Self {
        Self {
            spec: <Op as Operator<T>>::SPEC,
            on_cpu: |inputs, precision| {
                let executor = Executor::cpu().precision(precision);
                let reduction = executor.reduce::<T, Op>(&elements(inputs[0]))?;
                Ok(reduced(&<Op as Operator<T>>::SPEC, reduction, Op::out))
            },
            on_gpu: |context, arrays, options| {
                let reducer = options.reducer::<T, Op>(context);
                Ok(reduced(
                    &<Op as Operator<T>>::SPEC,
                    reducer.measure_blocking(slices(&arrays[0])?)?,
                    Op::out,
                ))
            },
            stream: |executor, options, len, fill| {
                let fill =
                    |input, elements: &mut [T]| fill(input, bytemuck::cast_slice_mut(elements));
                let reduction = match options.forced_context(executor) {
                    Some(context) => options.reducer::<T, Op>(context).stream_blocking(len, fill),
                    None => options.executor(executor).reduce_stream::<T, Op, _>(len, fill),
                };
                Ok(reduced(&<Op as Operator<T>>::SPEC, reduction?, Op::out))
            },
        }
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
    OperatorType::ALL.iter().copied().filter(|operator| is_offered(operator.name())).collect()
});

/// The operator that does the same with NaNs as a rule has it, if there is one.
pub fn by_nan_rule(operator: OperatorType, rule: NanRule) -> Option<OperatorType> {
    let prefix = match rule {
        NanRule::Propagate => return Some(operator),
        NanRule::Ignore => "nan-",
        NanRule::Total => "total-",
    };
    let has_name =
        |known: &&OperatorType| known.name().strip_prefix(prefix) == Some(operator.name());
    OperatorType::ALL.iter().find(has_name).copied()
}

/// Every operator with every type that it is defined for.
pub const ENTRIES: &[Entry] = {
    macro_rules! entries {
        (
            one input {
                $($verb:ident $operator:ident $name:literal [$($element:ident)*] $doc:literal)*
            }
            two inputs $two:tt
        ) => {
            &[$($(Entry::one::<$element, gridfold::$operator>(),)*)*
                dot::<f32>(),
                dot::<f64>(),
                dot::<f16>(),
                dot::<bf16>(),
            ]
        };
    }
    gridfold::operators!(entries!())
};

const fn dot<T: Element>() -> Entry
where
    Dot: OfPairs<T>,
{
    Entry {
        spec: <Dot as AnyOperator<T>>::SPEC,
        on_cpu: |inputs, precision| {
            let (left, right) = (elements(inputs[0]), elements(inputs[1]));
            let executor = Executor::cpu().precision(precision);
            Ok(reduced(
                &<Dot as AnyOperator<T>>::SPEC,
                executor.measure_dot::<T>(&left, &right)?,
                Some,
            ))
        },
        on_gpu: |context, arrays, options| {
            let pair = (slices(&arrays[0])?, slices(&arrays[1])?);
            let reduction = options.reducer::<T, Dot>(context).measure_blocking(pair)?;
            Ok(reduced(&<Dot as AnyOperator<T>>::SPEC, reduction, Some))
        },
        stream: |executor, options, len, fill| {
            let fill = |input, elements: &mut [T]| fill(input, bytemuck::cast_slice_mut(elements));
            let reduction = match options.forced_context(executor) {
                Some(context) => options.reducer::<T, Dot>(context).stream_blocking(len, fill),
                None => options.executor(executor).dot_stream::<T, _>(len, fill),
            };
            Ok(reduced(&<Dot as AnyOperator<T>>::SPEC, reduction?, Some))
        },
    }
}

/// The elements that words are. A list of words may begin where no wider element can: then it is copied.
fn elements<T: Element>(words: &[u32]) -> Cow<'_, [T]> {
    match bytemuck::try_cast_slice(words) {
        Ok(elements) => Cow::Borrowed(elements),
        Err(_) => Cow::Owned(bytemuck::pod_collect_to_vec(words)),
    }
}

/// Where the elements of an array of words are.
fn slices<T: Element>(array: &Array<u32>) -> Result<Vec<GpuSlice<T>>, Error> {
    let slices = array.gpu_slices().expect("on a GPU").iter();
    Ok(slices
        .map(|slice| {
            let len = slice.len() * size_of::<u32>() as u64 / T::TYPE.size_bytes();
            GpuSlice::new(slice.buffer(), slice.offset_bytes(), len)
        })
        .collect::<Result<_, _>>()?)
}

/// In text.
pub fn reduced<V, Out: bytemuck::Pod + fmt::Debug>(
    spec: &OperatorSpec,
    reduction: Reduction<V>,
    out: fn(V) -> Option<Out>,
) -> Reduced {
    let Reduction { value, adapter, plan, explanation, device_time, .. } = reduction;
    let value = out(value).map(|out| Answer::of(spec, out));
    Reduced { value, adapter, plan, explanation, device_time }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::DTYPES;
    use gridfold::OperatorType;

    #[test]
    fn every_operator_is_listed() {
        for &operator in OperatorType::ALL {
            // Of what files have: they have no elements of several components, and no masks.
            for dtype in DTYPES {
                let spec = operator.spec(dtype.packed.element);
                assert_eq!(Entry::of(spec).map(|entry| &entry.spec), spec);
            }
        }
    }

    #[test]
    fn nan_rules_are_operators() {
        let of = |operator, rule| by_nan_rule(operator, rule);
        use OperatorType::{ArgMin, ArgMinMaxLast, Max, Mean, NanArgMinMaxLast, NanMax};
        use OperatorType::{NanMean, NanSampleVariance, NanSum, NanVariance, SampleVariance, Sum};
        use OperatorType::{TotalArgMin, Variance};
        assert_eq!(of(Max, NanRule::Propagate), Some(Max));
        assert_eq!(of(Max, NanRule::Ignore), Some(NanMax));
        assert_eq!(of(Sum, NanRule::Ignore), Some(NanSum));
        assert_eq!(of(ArgMin, NanRule::Total), Some(TotalArgMin));
        assert_eq!(of(ArgMinMaxLast, NanRule::Ignore), Some(NanArgMinMaxLast));
        assert_eq!(of(Mean, NanRule::Ignore), Some(NanMean));
        assert_eq!(of(Variance, NanRule::Ignore), Some(NanVariance));
        assert_eq!(of(SampleVariance, NanRule::Ignore), Some(NanSampleVariance));
        assert_eq!(of(Variance, NanRule::Total), None);
        assert_eq!((of(Sum, NanRule::Total), of(Mean, NanRule::Total)), (None, None));
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
            let entry = Entry::of(operator.spec(ElementType::I32)).expect("there is one");
            let words = [3, -8i32, 5, -8].map(i32::cast_unsigned);
            let reduced = (entry.on_cpu)(&[&words], Precision::Exact);
            reduced.expect("the CPU has no errors").value.expect("there are elements").to_string()
        };
        assert_eq!(reduce(OperatorType::MinMax), "-8 (0xfffffff8) and 5 (0x00000005)");
        assert_eq!(reduce(OperatorType::ArgMin), "1: -8 (0xfffffff8)");
        assert_eq!(reduce(OperatorType::ArgMinLast), "3: -8 (0xfffffff8)");
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
