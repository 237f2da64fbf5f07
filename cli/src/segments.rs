//! `gridfold reduce` with `--axis` or `--segments`: a result for each segment of a file.

use crate::{
    Outcome,
    args::ReduceArguments,
    arrays::{Array, NewFile, Shape, descr_of},
    error::Error,
    files::Opened,
    operators::{OFFERED, Value},
};
use gridfold::{
    AdapterName, BitAnd, BitOr, BitXor, Count, Element, ElementType, Executor, Max, MaxAbs, Mean,
    Min, Norm, Operator, OperatorType, Precision, Product, ProductWide, SampleVariance, Sum,
    SumOfSquares, SumWide, Variance,
};
use std::{
    io::{self, Write},
    path::Path,
};

/// Where segments are.
#[derive(Clone, Copy)]
enum Places<'a> {
    /// Along an axis of an array in row-major order.
    Axis(&'a [u64], usize),
    Offsets(&'a [u32]),
}

/// A file's elements, in this machine's order of bytes, to a result for each segment.
type Run = fn(&Executor, Places<'_>, &[u8]) -> Result<Vec<u8>, gridfold::Error>;

/// A reduction that there is.
struct Entry {
    operator: OperatorType,
    element: ElementType,
    out: ElementType,
    run: Run,
    /// The results, in text.
    show: fn(&[u8]) -> Vec<Value>,
}

macro_rules! entries {
    ($($operator:ident: $($element:ident)*;)*) => {
        &[$($(entry::<$element, $operator>(OperatorType::$operator),)*)*]
    };
}

const ENTRIES: &[Entry] = entries! {
    Sum: f32 f64;
    Product: f32 f64;
    SumWide: i32 i64 u32 u64;
    ProductWide: i32 i64 u32 u64;
    Min: f32 f64 i32 i64 u32 u64;
    Max: f32 f64 i32 i64 u32 u64;
    MaxAbs: f32 f64;
    Count: f32 f64 i32 i64 u32 u64;
    BitAnd: i32 i64 u32 u64;
    BitOr: i32 i64 u32 u64;
    BitXor: i32 i64 u32 u64;
    Mean: f32 f64;
    SumOfSquares: f32 f64;
    Norm: f32 f64;
    Variance: f32 f64;
    SampleVariance: f32 f64;
};

const fn entry<T: Element, Op: Operator<T>>(operator: OperatorType) -> Entry
where
    Op::Out: Element,
{
    Entry {
        operator,
        element: T::TYPE,
        out: <Op::Out as Element>::TYPE,
        run: reduce::<T, Op>,
        show: show::<Op::Out>,
    }
}

fn reduce<T: Element, Op: Operator<T>>(
    executor: &Executor,
    places: Places<'_>,
    bytes: &[u8],
) -> Result<Vec<u8>, gridfold::Error> {
    let elements: &[T] = bytemuck::cast_slice(bytes);
    let values = match places {
        Places::Axis(shape, axis) => executor.reduce_axis::<T, Op>(elements, shape, axis)?,
        Places::Offsets(offsets) => executor.reduce_segments::<T, Op>(elements, offsets)?,
    };
    // Of nothing what a device writes.
    let outs = values.into_iter().map(|value| Op::out(value).unwrap_or_else(empty::<T, Op>));
    Ok(bytemuck::pod_collect_to_vec(&outs.collect::<Vec<_>>()))
}

fn empty<T: Element, Op: Operator<T>>() -> Op::Out {
    Op::finish(Op::identity(), 0)
}

fn show<Out: Element>(bytes: &[u8]) -> Vec<Value> {
    let outs = bytes.chunks_exact(size_of::<Out>()).map(bytemuck::pod_read_unaligned::<Out>);
    outs.map(Value::of).collect()
}

pub fn run(arguments: &ReduceArguments) -> Outcome {
    let &ReduceArguments { op, precision, .. } = arguments;
    let array = Array::read(Opened::new(&arguments.file, arguments.dtype.is_some())?)?;
    let element = array.dtype.own.element;
    let entry = entry_of(op, element).ok_or_else(|| {
        let defined = OFFERED.iter().filter(|&&op| entry_of(op, element).is_some());
        Error::Undefined {
            operator: op,
            dtype: array.dtype.name,
            defined: defined.map(|op| op.name()).collect(),
        }
    })?;
    // In Fortran's order the first axis varies fastest: so axes are counted from the other end.
    let rank = array.shape.sizes.len();
    let mut sizes = array.shape.sizes.clone();
    let offsets;
    let (places, shape) = match (arguments.axis, &arguments.segments) {
        (Some(given), _) => {
            let found = if given < 0 { given + i64::try_from(rank).expect("few") } else { given };
            let found = usize::try_from(found).ok().filter(|&axis| axis < rank);
            let mut axis = found.ok_or(Error::Axis { axis: given, rank })?;
            let mut rest = sizes.clone();
            rest.remove(axis);
            if array.shape.is_fortran {
                sizes.reverse();
                axis = rank - 1 - axis;
            }
            let shape = Shape { sizes: rest, is_fortran: array.shape.is_fortran };
            (Places::Axis(&sizes, axis), shape)
        }
        (None, Some(file)) => {
            offsets = read_offsets(file)?;
            let count = offsets.len().saturating_sub(1) as u64;
            (Places::Offsets(&offsets), Shape { sizes: vec![count], is_fortran: false })
        }
        (None, None) => unreachable!("one of them was given"),
    };
    let executor = Executor::with_adapter(&arguments.adapter)?.precision(precision);
    let results = (entry.run)(&executor, places, array.elements().bytes())?;
    let values = (entry.show)(&results);
    let mut stdout = io::stdout().lock();
    let Some(out) = &arguments.out else {
        for Value { decimal, bits } in values {
            writeln!(stdout, "{decimal} ({bits})")?;
        }
        return Ok(stdout.flush()?);
    };
    NewFile::write(out, descr_of(entry.out), &shape, &results)?.name()?;
    // As the executor does it.
    let is_auto = arguments.adapter.trim().eq_ignore_ascii_case("auto");
    let is_order_free = entry.operator.spec(entry.element).is_some_and(|spec| spec.order_free);
    let adapter = match is_auto || (precision == Precision::Exact && !is_order_free) {
        true => AdapterName::cpu(),
        false => executor.name(),
    };
    let (len, dtype) = (array.len, array.dtype.name);
    let (count, name) = (values.len(), entry.operator.name());
    let where_ = match places {
        Places::Axis(..) => "along an axis",
        Places::Offsets(_) => "between offsets",
    };
    writeln!(
        stdout,
        "{count} results by {name} of {len} {dtype} {where_}, to {}, on {adapter}",
        entry.out
    )?;
    Ok(stdout.flush()?)
}

fn entry_of(op: OperatorType, element: ElementType) -> Option<&'static Entry> {
    let is_float = matches!(element, ElementType::F32 | ElementType::F64);
    // As NumPy's, of 64 bits.
    let operator = match op {
        OperatorType::Sum if !is_float => OperatorType::SumWide,
        OperatorType::Product if !is_float => OperatorType::ProductWide,
        op => op,
    };
    ENTRIES.iter().find(|entry| entry.operator == operator && entry.element == element)
}

/// Offsets of any integers.
fn read_offsets(file: &Path) -> Result<Vec<u32>, Error> {
    let array = Array::read(Opened::new(file, false)?)?;
    let elements = array.elements();
    let wide: Option<Vec<i128>> = match array.dtype.own.element {
        ElementType::I32 => Some(numbers::<i32>(elements.bytes())),
        ElementType::U32 if array.dtype.name != "bool" => Some(numbers::<u32>(elements.bytes())),
        ElementType::I64 => Some(numbers::<i64>(elements.bytes())),
        ElementType::U64 => Some(numbers::<u64>(elements.bytes())),
        _ => None,
    };
    let offsets = wide.into_iter().flatten().map(u32::try_from).collect::<Result<Vec<_>, _>>();
    match offsets {
        Ok(offsets) if offsets.len() as u64 == array.len => Ok(offsets),
        _ => Err(Error::Offsets { file: array.name, dtype: array.dtype.name }),
    }
}

fn numbers<T: Element + Into<i128>>(elements: &[u8]) -> Vec<i128> {
    bytemuck::cast_slice::<u8, T>(elements).iter().map(|&number| number.into()).collect()
}
