//! Operators chosen at run time: the one place where names meet the library's generic types.

use gridfold::{
    AdapterName, AnyOperator, Array, Context, Dot, Element, Error, Executor, GpuSlice, Operator,
    OperatorSpec, Precision, Reducer, Reduction, Strategy, Variant,
};
use std::{borrow::Cow, fmt, time::Duration};

/// A value that was reduced, in text.
#[derive(Clone, Debug, PartialEq)]
pub struct Reduced {
    /// The value; `None` for the minimum or maximum of nothing.
    pub value: Option<Value>,
    pub adapter: AdapterName,
    pub plan: String,
    pub explanation: String,
    pub device_time: Option<Duration>,
}

/// A result, in text.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// The shortest decimal that reads back to the same value.
    pub decimal: String,
    /// The bit pattern, `0x…`.
    pub bits: String,
}

impl Value {
    fn of<Out: bytemuck::Pod + fmt::Debug>(out: Out) -> Self {
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
    fn reducer<T: Element, Op: AnyOperator<T>>(self, context: &Context) -> Reducer<T, Op> {
        let Self { precision, variant, strategy } = self;
        Reducer::new(context).precision(precision).variant(variant).strategy(strategy)
    }
}

/// An operator for elements of one type, which come as words: a list, or an array, for each input.
pub struct Entry {
    pub spec: OperatorSpec,
    pub on_cpu: fn(&[&[u32]], Precision) -> Result<Reduced, Error>,
    pub on_gpu: OnGpu,
}

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
                Ok(reduced(reduction, Op::out))
            },
            on_gpu: |context, arrays, options| {
                let reducer = options.reducer::<T, Op>(context);
                Ok(reduced(reducer.measure_blocking(slices(&arrays[0])?)?, Op::out))
            },
        }
    }
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
            &[$($(Entry::one::<$element, gridfold::$operator>(),)*)* DOT]
        };
    }
    gridfold::operators!(entries!())
};

const DOT: Entry = Entry {
    spec: <Dot as AnyOperator<f32>>::SPEC,
    on_cpu: |inputs, precision| {
        let [left, right] = [inputs[0], inputs[1]].map(bytemuck::cast_slice);
        Ok(reduced(Executor::cpu().precision(precision).measure_dot(left, right)?, Some))
    },
    on_gpu: |context, arrays, options| {
        let pair = (slices(&arrays[0])?, slices(&arrays[1])?);
        Ok(reduced(options.reducer::<f32, Dot>(context).measure_blocking(pair)?, Some))
    },
};

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

fn reduced<V, Out: bytemuck::Pod + fmt::Debug>(
    reduction: Reduction<V>,
    out: fn(V) -> Option<Out>,
) -> Reduced {
    let Reduction { value, adapter, plan, explanation, device_time, .. } = reduction;
    Reduced { value: out(value).map(Value::of), adapter, plan, explanation, device_time }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridfold::{ElementType, OperatorType};

    #[test]
    fn every_operator_is_listed() {
        for &operator in OperatorType::ALL {
            for element in ElementType::ALL {
                let spec = operator.spec(element);
                assert_eq!(Entry::of(spec).map(|entry| &entry.spec), spec);
            }
        }
    }

    #[test]
    fn names_are_written_like_options() {
        for operator in OperatorType::ALL {
            let name = operator.name();
            assert!(name.chars().all(|c| c == '-' || c.is_ascii_lowercase()), "{name}");
        }
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
