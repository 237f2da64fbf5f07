//! Operators chosen at run time: the one place where names meet the library's generic types.

use gridfold::{
    AdapterName, BitAnd, BitOr, BitXor, Context, Dot, Element, Error, Executor, GpuSlice, Max,
    Mean, Min, Norm, Operator, OperatorType, Precision, Product, Reducer, Reduction,
    SampleVariance, Strategy, Sum, SumOfSquares, Variance, Variant,
};
use std::time::Duration;

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

/// An element, in text.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// The shortest decimal that reads back to the same value.
    pub decimal: String,
    /// The bit pattern, `0x…`.
    pub bits: String,
}

impl Value {
    fn of<T: Element>(element: T) -> Self {
        // Rust's debug format is the shortest that reads back, with an exponent where that is
        // shorter by far. It marks whole floating-point numbers by ".0".
        let decimal = format!("{element:?}");
        let decimal = decimal.strip_suffix(".0").unwrap_or(&decimal).to_owned();
        let mut bytes = bytemuck::bytes_of(&element).to_vec();
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

/// Reduces slices of device buffers by one operator.
type OnGpu<T> = fn(&Context, &[GpuSlice<T>], Options) -> Result<Reduced, Error>;

/// An operator for elements of type `T`.
pub struct Entry<T: 'static> {
    pub operator: OperatorType,
    pub on_cpu: fn(&[T], Precision) -> Result<Reduced, Error>,
    pub on_gpu: OnGpu<T>,
}

/// An element type of which the program knows the operators.
pub trait ProgramElement: Element {
    /// Every operator of one input that is defined for the type.
    const OPERATORS: &'static [Entry<Self>];
}

impl ProgramElement for f32 {
    const OPERATORS: &'static [Entry<Self>] = &[
        entry::<_, Sum>(),
        entry::<_, Product>(),
        entry::<_, Min>(),
        entry::<_, Max>(),
        entry::<_, Mean>(),
        entry::<_, SumOfSquares>(),
        entry::<_, Norm>(),
        entry::<_, Variance>(),
        entry::<_, SampleVariance>(),
    ];
}

macro_rules! integer {
    ($integer:ty) => {
        impl ProgramElement for $integer {
            const OPERATORS: &'static [Entry<Self>] = &[
                entry::<_, Sum>(),
                entry::<_, Product>(),
                entry::<_, Min>(),
                entry::<_, Max>(),
                entry::<_, BitAnd>(),
                entry::<_, BitOr>(),
                entry::<_, BitXor>(),
            ];
        }
    };
}

integer!(i32);
integer!(u32);

const fn entry<T: Element, Op: Operator<T>>() -> Entry<T> {
    Entry { operator: Op::TYPE, on_cpu: on_cpu::<T, Op>, on_gpu: on_gpu::<T, Op> }
}

fn on_cpu<T: Element, Op: Operator<T>>(
    values: &[T],
    precision: Precision,
) -> Result<Reduced, Error> {
    let executor = Executor::cpu().precision(precision);
    Ok(reduced::<T, Op>(executor.reduce::<T, Op>(values)?))
}

fn on_gpu<T: Element, Op: Operator<T>>(
    context: &Context,
    slices: &[GpuSlice<T>],
    Options { precision, variant, strategy }: Options,
) -> Result<Reduced, Error> {
    let reducer =
        Reducer::<T, Op>::new(context).precision(precision).variant(variant).strategy(strategy);
    Ok(reduced::<T, Op>(reducer.measure_blocking(slices)?))
}

/// The dot product of elements in host memory.
pub fn dot_on_cpu(left: &[f32], right: &[f32]) -> Result<Reduced, Error> {
    Ok(reduced_to(Executor::cpu().measure_dot(left, right)?, Some))
}

/// The dot product of slices of device buffers.
pub fn dot_on_gpu(
    context: &Context,
    left: &[GpuSlice<f32>],
    right: &[GpuSlice<f32>],
    Options { precision, variant, strategy }: Options,
) -> Result<Reduced, Error> {
    let reducer =
        Reducer::<f32, Dot>::new(context).precision(precision).variant(variant).strategy(strategy);
    Ok(reduced_to(reducer.measure_blocking(left, right)?, Some))
}

fn reduced<T: Element, Op: Operator<T>>(reduction: Reduction<Op::Value>) -> Reduced {
    reduced_to(reduction, Op::element)
}

fn reduced_to<V, T: Element>(reduction: Reduction<V>, element: fn(V) -> Option<T>) -> Reduced {
    let Reduction { value, adapter, plan, explanation, device_time, .. } = reduction;
    Reduced { value: element(value).map(Value::of), adapter, plan, explanation, device_time }
}

/// The program's name of an operator: `and` rather than the library's `bit_and`, and words joined by `-`, as in its other
/// options.
pub fn name(operator: OperatorType) -> &'static str {
    match operator {
        OperatorType::BitAnd => "and",
        OperatorType::BitOr => "or",
        OperatorType::BitXor => "xor",
        OperatorType::SumOfSquares => "sum-of-squares",
        OperatorType::SampleVariance => "sample-variance",
        _ => operator.name(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operators<T: ProgramElement>() -> Vec<OperatorType> {
        T::OPERATORS.iter().map(|entry| entry.operator).collect()
    }

    fn defined<T: ProgramElement>() -> Vec<OperatorType> {
        let defined =
            |operator: &OperatorType| operator.supports(T::TYPE) && !operator.takes_pairs();
        OperatorType::ALL.into_iter().filter(defined).collect()
    }

    #[test]
    fn every_operator_is_listed() {
        assert_eq!(operators::<f32>(), defined::<f32>());
        assert_eq!(operators::<i32>(), defined::<i32>());
        assert_eq!(operators::<u32>(), defined::<u32>());
    }

    #[test]
    fn names_are_written_like_options() {
        for operator in OperatorType::ALL {
            let name = name(operator);
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
