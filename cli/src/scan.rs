//! `gridfold scan`.

use crate::{
    Outcome,
    args::ScanArguments,
    arrays::{Array, NewFile, Shape, descr_of},
    error::Error,
    files::Opened,
    operators::{OFFERED, by_nan_rule},
    progress::during,
};
use gridfold::{
    All, Any, ArgMax, ArgMaxLast, ArgMin, ArgMinLast, BitAnd, BitOr, BitXor, Count, CountNan,
    Element, ElementType, Executor, L1Norm, Max, MaxAbs, Mean, Min, NanArgMax, NanArgMaxLast,
    NanArgMin, NanArgMinLast, NanMax, NanMean, NanMin, NanSum, Norm, Operator, OperatorType, Place,
    Product, ProductWide, SampleVariance, Scan, Sum, SumOfSquares, SumWide, TotalArgMax,
    TotalArgMaxLast, TotalArgMin, TotalArgMinLast, TotalMax, TotalMin, Variance,
};
use std::{
    io::{self, Write},
    sync::LazyLock,
};

/// A file's elements, in this machine's order of bytes, to as many results.
type Run = fn(&Executor, bool, &[u8]) -> Result<Vec<u8>, gridfold::Error>;

/// A scan that there is.
struct Entry {
    operator: OperatorType,
    element: ElementType,
    out: ElementType,
    run: Run,
}

macro_rules! entries {
    ($($kind:ident $operator:ident: $($element:ident)*;)*) => {
        &[$($($kind::<$element, $operator>(OperatorType::$operator),)*)*]
    };
}

const ENTRIES: &[Entry] = entries! {
    number Sum: f32 f64 i32 i64 u32 u64;
    number Product: f32 f64 i32 i64 u32 u64;
    number SumWide: i32 i64 u32 u64;
    number ProductWide: i32 i64 u32 u64;
    number Min: f32 f64 i32 i64 u32 u64;
    number NanMin: f32 f64;
    number TotalMin: f32 f64;
    number Max: f32 f64 i32 i64 u32 u64;
    number NanMax: f32 f64;
    number TotalMax: f32 f64;
    number MaxAbs: f32 f64 i32 i64 u32 u64;
    number Count: f32 f64 i32 i64 u32 u64;
    number CountNan: f32 f64;
    flag Any: f32 f64 i32 i64 u32 u64;
    flag All: f32 f64 i32 i64 u32 u64;
    number NanSum: f32 f64;
    number NanMean: f32 f64;
    number Mean: f32 f64;
    number SumOfSquares: f32 f64;
    number Norm: f32 f64;
    number L1Norm: f32 f64;
    number Variance: f32 f64;
    number SampleVariance: f32 f64;
    place ArgMin: f32 f64 i32 i64 u32 u64;
    place NanArgMin: f32 f64;
    place TotalArgMin: f32 f64;
    place ArgMax: f32 f64 i32 i64 u32 u64;
    place NanArgMax: f32 f64;
    place TotalArgMax: f32 f64;
    place ArgMinLast: f32 f64 i32 i64 u32 u64;
    place NanArgMinLast: f32 f64;
    place TotalArgMinLast: f32 f64;
    place ArgMaxLast: f32 f64 i32 i64 u32 u64;
    place NanArgMaxLast: f32 f64;
    place TotalArgMaxLast: f32 f64;
    number BitAnd: i32 i64 u32 u64;
    number BitOr: i32 i64 u32 u64;
    number BitXor: i32 i64 u32 u64;
};

/// What --op takes.
pub static SCANNED: LazyLock<Vec<OperatorType>> = LazyLock::new(|| {
    let is_scanned = |op: &OperatorType| ENTRIES.iter().any(|entry| entry.operator == *op);
    OFFERED.iter().copied().filter(is_scanned).collect()
});

const fn number<T: Element, Op: Operator<T>>(operator: OperatorType) -> Entry
where
    Op::Out: Element,
{
    Entry { operator, element: T::TYPE, out: <Op::Out as Element>::TYPE, run: scan::<T, Op> }
}

/// What is a number on devices, and true or false in a file.
const fn flag<T: Element, Op: Operator<T, Out = u64>>(operator: OperatorType) -> Entry {
    let run: Run = |executor, is_exclusive, bytes| {
        let flags = results::<T, Op>(executor, is_exclusive, bytes)?;
        Ok(flags.into_iter().map(|flag| u8::from(flag != 0)).collect())
    };
    Entry { operator, element: T::TYPE, out: ElementType::Bool, run }
}

/// Where elements are: a number as NumPy indexes by, and -1 where there is no element.
const fn place<T: Element, Op: Operator<T, Value = Option<Place<T>>>>(
    operator: OperatorType,
) -> Entry {
    let run: Run = |executor, is_exclusive, bytes| {
        let places =
            executor.scan_values::<T, Op>(kind(is_exclusive), bytemuck::cast_slice(bytes))?;
        let index = |place: Place<T>| i64::try_from(place.index).unwrap_or(i64::MAX);
        let indices: Vec<i64> = places.into_iter().map(|place| place.map_or(-1, index)).collect();
        Ok(bytemuck::pod_collect_to_vec(&indices))
    };
    Entry { operator, element: T::TYPE, out: ElementType::I64, run }
}

fn scan<T: Element, Op: Operator<T>>(
    executor: &Executor,
    is_exclusive: bool,
    bytes: &[u8],
) -> Result<Vec<u8>, gridfold::Error>
where
    Op::Out: Element,
{
    Ok(bytemuck::pod_collect_to_vec(&results::<T, Op>(executor, is_exclusive, bytes)?))
}

fn results<T: Element, Op: Operator<T>>(
    executor: &Executor,
    is_exclusive: bool,
    bytes: &[u8],
) -> Result<Vec<Op::Out>, gridfold::Error>
where
    Op::Out: Element,
{
    executor.scan::<T, Op>(kind(is_exclusive), bytemuck::cast_slice(bytes))
}

const fn kind<T: Copy>(is_exclusive: bool) -> Scan<T> {
    if is_exclusive { Scan::exclusive() } else { Scan::inclusive() }
}

pub fn run(arguments: &ScanArguments) -> Outcome {
    let &ScanArguments { mut op, exclusive, wide, nan, .. } = arguments;
    let array = Array::read(Opened::new(&arguments.file, false)?)?;
    // Of others there are no NaNs to have a rule for.
    if array.dtype.has_nans() {
        let refused = Error::NanRule { operator: op, takes_where: false };
        op = by_nan_rule(op, nan).ok_or(refused)?;
    }
    let element = array.dtype.own.element;
    // What is there without it is not refused for itself.
    if wide && entry_of(op, false, element).is_some() && !is_widened(op, element) {
        return Err(Error::NotWide { operator: op, dtype: array.dtype.name });
    }
    let wide = wide && is_widened(op, element);
    let entry = entry_of(op, wide, element).ok_or_else(|| {
        let defined = SCANNED.iter().filter(|&&op| entry_of(op, wide, element).is_some());
        Error::Undefined {
            file: array.name.clone(),
            operator: scanned_by(op, wide),
            dtype: array.dtype.name,
            defined: defined.map(|op| op.name()).collect(),
        }
    })?;
    let executor = Executor::with_adapter(&arguments.adapter)?;
    let results =
        during("scanning", || (entry.run)(&executor, exclusive, array.elements().bytes()))?;
    let shape = Shape::of_len(array.len);
    NewFile::write(("--out", &arguments.out), descr_of(entry.out), &shape, &results)?.name()?;
    let mut stdout = io::stdout().lock();
    let kind = if exclusive { "exclusive" } else { "inclusive" };
    let (len, dtype, adapter) = (array.len, array.dtype.name, executor.name());
    writeln!(
        stdout,
        "the {kind} scan by {} of {len} {dtype}, to {}, on {adapter}",
        entry.operator.name(),
        entry.out
    )?;
    Ok(stdout.flush()?)
}

fn entry_of(op: OperatorType, wide: bool, element: ElementType) -> Option<&'static Entry> {
    let operator = scanned_by(op, wide);
    ENTRIES.iter().find(|entry| entry.operator == operator && entry.element == element)
}

/// Whether there are results of more bits.
fn is_widened(op: OperatorType, element: ElementType) -> bool {
    scanned_by(op, true) != op && entry_of(op, true, element).is_some()
}

fn scanned_by(op: OperatorType, wide: bool) -> OperatorType {
    match (op, wide) {
        (OperatorType::Sum, true) => OperatorType::SumWide,
        (OperatorType::Product, true) => OperatorType::ProductWide,
        (op, _) => op,
    }
}
