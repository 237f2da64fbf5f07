//! `gridfold scan`.

use crate::{
    Outcome,
    args::ScanArguments,
    arrays::{Array, NewFile, Shape, descr_of},
    error::Error,
    files::Opened,
    operators::OFFERED,
    progress::during,
};
use gridfold::{
    BitAnd, BitOr, BitXor, Count, Element, ElementType, Executor, Max, MaxAbs, Min, Operator,
    OperatorType, Product, ProductWide, Scan, Sum, SumWide,
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
    ($($operator:ident: $($element:ident)*;)*) => {
        &[$($(entry::<$element, $operator>(OperatorType::$operator),)*)*]
    };
}

const ENTRIES: &[Entry] = entries! {
    Sum: f32 f64 i32 i64 u32 u64;
    Product: f32 f64 i32 i64 u32 u64;
    SumWide: i32 i64 u32 u64;
    ProductWide: i32 i64 u32 u64;
    Min: f32 f64 i32 i64 u32 u64;
    Max: f32 f64 i32 i64 u32 u64;
    MaxAbs: f32 f64 i32 i64 u32 u64;
    Count: f32 f64 i32 i64 u32 u64;
    BitAnd: i32 i64 u32 u64;
    BitOr: i32 i64 u32 u64;
    BitXor: i32 i64 u32 u64;
};

/// What --op takes.
pub static SCANNED: LazyLock<Vec<OperatorType>> = LazyLock::new(|| {
    let is_scanned = |op: &OperatorType| ENTRIES.iter().any(|entry| entry.operator == *op);
    OFFERED.iter().copied().filter(is_scanned).collect()
});

const fn entry<T: Element, Op: Operator<T>>(operator: OperatorType) -> Entry
where
    Op::Out: Element,
{
    Entry { operator, element: T::TYPE, out: <Op::Out as Element>::TYPE, run: scan::<T, Op> }
}

fn scan<T: Element, Op: Operator<T>>(
    executor: &Executor,
    is_exclusive: bool,
    bytes: &[u8],
) -> Result<Vec<u8>, gridfold::Error>
where
    Op::Out: Element,
{
    let kind = if is_exclusive { Scan::exclusive() } else { Scan::inclusive() };
    let results = executor.scan::<T, Op>(kind, bytemuck::cast_slice(bytes))?;
    Ok(bytemuck::pod_collect_to_vec(&results))
}

pub fn run(arguments: &ScanArguments) -> Outcome {
    let &ScanArguments { op, exclusive, wide, .. } = arguments;
    let array = Array::read(Opened::new(&arguments.file, false)?)?;
    let entry = entry_of(op, wide, array.dtype.own.element).ok_or_else(|| {
        let element = array.dtype.own.element;
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
    NewFile::write(&arguments.out, descr_of(entry.out), &shape, &results)?.name()?;
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

fn scanned_by(op: OperatorType, wide: bool) -> OperatorType {
    match (op, wide) {
        (OperatorType::Sum, true) => OperatorType::SumWide,
        (OperatorType::Product, true) => OperatorType::ProductWide,
        (op, _) => op,
    }
}
