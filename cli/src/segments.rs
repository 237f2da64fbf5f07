//! `gridfold reduce` with `--axis`, `--segments`, `--by` and the like: a result for each segment of a file.

use crate::{
    Outcome,
    args::ReduceArguments,
    arrays::{Array, NewFile, Shape, descr_of},
    error::Error,
    files::{Opened, check_lengths, is_standard_input},
    operators::{OFFERED, Value},
    select::{Mask, mask_of},
};
use gridfold::{
    AdapterName, ArgMax, ArgMaxLast, ArgMin, ArgMinLast, BitAnd, BitOr, BitXor, Bool, Count,
    Element, ElementType, Executor, Max, MaxAbs, Mean, Min, Norm, Operator, OperatorType, Place,
    Precision, Product, ProductWide, SampleVariance, Sum, SumOfSquares, SumWide, Variance,
};
use std::{
    io::{self, Write},
    path::Path,
};

/// Where segments are.
enum Places {
    /// Along axes of an array in row-major order.
    Axes(Vec<u64>, Vec<usize>),
    Offsets(Vec<u32>),
    Lengths(Vec<u32>),
    Flags(Mask),
    /// Of equal keys, wherever they are.
    Keys(Keys),
    Runs(Keys),
}

/// Keys as numbers of 64 bits, in their order.
struct Keys {
    numbers: Vec<u64>,
    element: ElementType,
}

/// Results' bytes, and of keys those that they are of.
struct Found {
    results: Vec<u8>,
    keys: Vec<u64>,
}

/// A file's elements, in this machine's order of bytes, to a result for each segment.
type Run = fn(&Executor, &Places, &[u8]) -> Result<Found, gridfold::Error>;

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

macro_rules! place_entries {
    ($($operator:ident: $($element:ident)*;)*) => {
        &[$($(Entry {
            operator: OperatorType::$operator,
            element: <$element as Element>::TYPE,
            out: ElementType::I64,
            run: reduce_to_places::<$element, $operator>,
            show: show::<i64>,
        },)*)*]
    };
}

const PLACE_ENTRIES: &[Entry] = place_entries! {
    ArgMin: f32 f64 i32 i64 u32 u64;
    ArgMax: f32 f64 i32 i64 u32 u64;
    ArgMinLast: f32 f64 i32 i64 u32 u64;
    ArgMaxLast: f32 f64 i32 i64 u32 u64;
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

/// A result for each segment, and of keys those that they are of.
fn values<T: Element, Op: Operator<T>>(
    executor: &Executor,
    places: &Places,
    bytes: &[u8],
) -> Result<(Vec<Op::Value>, Vec<u64>), gridfold::Error> {
    let elements: &[T] = bytemuck::cast_slice(bytes);
    let values = match places {
        Places::Axes(shape, axes) => executor.reduce_axes::<T, Op>(elements, shape, axes)?,
        Places::Offsets(offsets) => executor.reduce_segments::<T, Op>(elements, offsets)?,
        Places::Lengths(lengths) => executor.reduce_lengths::<T, Op>(elements, lengths)?,
        Places::Flags(Mask::Words(mask)) => {
            executor.reduce_flagged::<T, Op, u32>(elements, mask)?
        }
        Places::Flags(Mask::Bytes(mask)) => {
            executor.reduce_flagged::<T, Op, Bool>(elements, mask)?
        }
        Places::Keys(keys) => {
            let (keys, values) = executor.reduce_by_key::<T, Op, u64>(&keys.numbers, elements)?;
            return Ok((values, keys));
        }
        Places::Runs(keys) => {
            let (keys, values) = executor.reduce_by_runs::<T, Op, u64>(&keys.numbers, elements)?;
            return Ok((values, keys));
        }
    };
    Ok((values, Vec::new()))
}

fn reduce<T: Element, Op: Operator<T>>(
    executor: &Executor,
    places: &Places,
    bytes: &[u8],
) -> Result<Found, gridfold::Error> {
    let (values, keys) = values::<T, Op>(executor, places, bytes)?;
    // Of nothing what a device writes.
    let outs = values.into_iter().map(|value| Op::out(value).unwrap_or_else(empty::<T, Op>));
    Ok(Found { results: bytemuck::pod_collect_to_vec(&outs.collect::<Vec<_>>()), keys })
}

/// Where elements are in their segments.
fn reduce_to_places<T: Element, Op: Operator<T, Value = Option<Place<T>>>>(
    executor: &Executor,
    places: &Places,
    bytes: &[u8],
) -> Result<Found, gridfold::Error> {
    let (values, keys) = values::<T, Op>(executor, places, bytes)?;
    let index = |place: Option<Place<T>>| place.map_or(-1, |place| place.index.cast_signed());
    let results: Vec<i64> = values.into_iter().map(index).collect();
    Ok(Found { results: bytemuck::pod_collect_to_vec(&results), keys })
}

fn empty<T: Element, Op: Operator<T>>() -> Op::Out {
    Op::finish(Op::identity(), 0)
}

fn show<Out: Element>(bytes: &[u8]) -> Vec<Value> {
    let outs = bytes.chunks_exact(size_of::<Out>()).map(bytemuck::pod_read_unaligned::<Out>);
    outs.map(Value::of).collect()
}

/// Whether there is a result for each segment.
pub fn are_asked_for(arguments: &ReduceArguments) -> bool {
    let ReduceArguments { axis, segments, lengths, flags, by, by_runs, .. } = arguments;
    axis.is_some() || [segments, lengths, flags, by, by_runs].into_iter().any(Option::is_some)
}

pub fn run(arguments: &ReduceArguments) -> Outcome {
    let &ReduceArguments { op, precision, .. } = arguments;
    if let Some(file) =
        arguments.out.as_ref().filter(|&out| arguments.keys_out.as_ref() == Some(out))
    {
        return Err(Error::OneOutputOfKeys { file: file.display().to_string() });
    }
    let (file, beside) = opened(arguments)?;
    let array = Array::read(file)?;
    let element = array.dtype.own.element;
    let entry = entry_of(op, element).ok_or_else(|| {
        let defined = OFFERED.iter().filter(|&&op| entry_of(op, element).is_some());
        Error::Undefined {
            operator: op,
            dtype: array.dtype.name,
            defined: defined.map(|op| op.name()).collect(),
        }
    })?;
    let (places, shape) = places(arguments, &array.shape, beside)?;
    let executor = Executor::with_adapter(&arguments.adapter)?.precision(precision);
    let Found { results, keys } = (entry.run)(&executor, &places, array.elements().bytes())?;
    let values = (entry.show)(&results);
    let count = values.len();
    let key_element = match &places {
        Places::Keys(keys) | Places::Runs(keys) => Some(keys.element),
        _ => None,
    };
    let mut stdout = io::stdout().lock();
    let Some(out) = &arguments.out else {
        let mut names = key_element.iter().flat_map(|&element| key_values(element, &keys));
        for Value { decimal, bits } in values {
            match names.next() {
                Some(key) => writeln!(stdout, "{}: {decimal} ({bits})", key.decimal)?,
                None => writeln!(stdout, "{decimal} ({bits})")?,
            }
        }
        return Ok(stdout.flush()?);
    };
    let shape = shape.unwrap_or(Shape::of_len(count as u64));
    let written = NewFile::write(out, descr_of(entry.out), &shape, &results)?;
    if let (Some(keys_out), Some(element)) = (&arguments.keys_out, key_element) {
        let bytes = key_bytes(element, &keys);
        NewFile::write(keys_out, descr_of(element), &Shape::of_len(count as u64), &bytes)?
            .name()?;
    }
    written.name()?;
    // As the executor does it.
    let is_auto = arguments.adapter.trim().eq_ignore_ascii_case("auto");
    let is_order_free = entry.operator.spec(entry.element).is_some_and(|spec| spec.order_free);
    let adapter = match is_auto || (precision == Precision::Exact && !is_order_free) {
        true => AdapterName::cpu(),
        false => executor.name(),
    };
    let (len, dtype) = (array.len, array.dtype.name);
    let name = entry.operator.name();
    let where_ = match places {
        Places::Axes(_, axes) if axes.len() == 1 => "along an axis",
        Places::Axes(..) => "along axes",
        Places::Offsets(_) => "between offsets",
        Places::Lengths(_) => "in segments of these lengths",
        Places::Flags(_) => "from flag to flag",
        Places::Keys(_) => "by key",
        Places::Runs(_) => "by run of equal keys",
    };
    writeln!(
        stdout,
        "{count} results by {name} of {len} {dtype} {where_}, to {}, on {adapter}",
        entry.out
    )?;
    Ok(stdout.flush()?)
}

/// The file, and what says where its segments are.
fn opened(arguments: &ReduceArguments) -> Result<(Opened, Option<Opened>), Error> {
    let ReduceArguments { file, segments, lengths, flags, by, by_runs, .. } = arguments;
    let of_each = [flags, by, by_runs].into_iter().flatten().next();
    let beside = [segments, lengths].into_iter().flatten().next().or(of_each);
    if is_standard_input(file) && beside.is_some_and(|beside| is_standard_input(beside)) {
        return Err(Error::StandardInputTwice);
    }
    let file = Opened::new(file, arguments.dtype.is_some())?;
    let beside = beside.map(|beside| Opened::new(beside, false)).transpose()?;
    if let (Some(beside), true) = (&beside, of_each.is_some()) {
        check_lengths(&file, beside)?;
    }
    Ok((file, beside))
}

/// Where segments are, and the shape of the results, if it is known.
fn places(
    arguments: &ReduceArguments,
    shape: &Shape,
    beside: Option<Opened>,
) -> Result<(Places, Option<Shape>), Error> {
    let ReduceArguments { axis, segments, lengths, flags, by, .. } = arguments;
    let Some(beside) = beside else {
        let given = axis.as_deref().unwrap_or_default();
        let (places, shape) = along(given, arguments.keepdims, shape)?;
        return Ok((places, Some(shape)));
    };
    let numbers = Array::read(beside)?;
    let element = numbers.dtype.own.element;
    let places = if segments.is_some() {
        Places::Offsets(small_numbers(numbers, "offsets")?)
    } else if lengths.is_some() {
        Places::Lengths(small_numbers(numbers, "lengths")?)
    } else if flags.is_some() {
        Places::Flags(mask_of(numbers)?)
    } else if by.is_none() {
        Places::Runs(keys_of(&numbers))
    } else if matches!(element, ElementType::F32 | ElementType::F64) {
        return Err(Error::Keys { file: numbers.name, dtype: numbers.dtype.name });
    } else {
        Places::Keys(keys_of(&numbers))
    };
    Ok((places, None))
}

/// Along axes of a shape. In Fortran's order the first axis varies fastest: so axes are counted from the other end.
fn along(given: &[i64], keepdims: bool, shape: &Shape) -> Result<(Places, Shape), Error> {
    let rank = shape.sizes.len();
    let mut sizes = shape.sizes.clone();
    let mut axes = Vec::new();
    for &given in given {
        let found = if given < 0 { given + i64::try_from(rank).expect("few") } else { given };
        let found = usize::try_from(found).ok().filter(|&axis| axis < rank);
        let axis = found.ok_or(Error::Axis { axis: given, rank })?;
        if axes.contains(&axis) {
            return Err(Error::AxisTwice { axis: given });
        }
        axes.push(axis);
    }
    let rest = (0..rank).filter(|axis| keepdims || !axes.contains(axis));
    let rest = rest.map(|axis| if axes.contains(&axis) { 1 } else { sizes[axis] }).collect();
    if shape.is_fortran {
        sizes.reverse();
        axes.iter_mut().for_each(|axis| *axis = rank - 1 - *axis);
    }
    let shape = Shape { sizes: rest, is_fortran: shape.is_fortran };
    Ok((Places::Axes(sizes, axes), shape))
}

fn entry_of(op: OperatorType, element: ElementType) -> Option<&'static Entry> {
    let is_float = matches!(element, ElementType::F32 | ElementType::F64);
    // As NumPy's, of 64 bits.
    let operator = match op {
        OperatorType::Sum if !is_float => OperatorType::SumWide,
        OperatorType::Product if !is_float => OperatorType::ProductWide,
        op => op,
    };
    let mut entries = ENTRIES.iter().chain(PLACE_ENTRIES);
    entries.find(|entry| entry.operator == operator && entry.element == element)
}

/// Offsets or lengths of any integers.
fn small_numbers(array: Array, what: &'static str) -> Result<Vec<u32>, Error> {
    let elements = array.elements();
    let wide: Option<Vec<i128>> = match array.dtype.own.element {
        ElementType::I32 => Some(numbers::<i32>(elements.bytes())),
        ElementType::U32 if array.dtype.name != "bool" => Some(numbers::<u32>(elements.bytes())),
        ElementType::I64 => Some(numbers::<i64>(elements.bytes())),
        ElementType::U64 => Some(numbers::<u64>(elements.bytes())),
        _ => None,
    };
    let small = wide.into_iter().flatten().map(u32::try_from).collect::<Result<Vec<_>, _>>();
    match small {
        Ok(small) if small.len() as u64 == array.len => Ok(small),
        _ => Err(Error::Offsets { file: array.name, what, dtype: array.dtype.name }),
    }
}

/// What puts signed numbers in the order of others.
const SIGN: u64 = 1 << 63;

fn keys_of(array: &Array) -> Keys {
    let (elements, element) = (array.elements(), array.dtype.own.element);
    let bytes = elements.bytes();
    let signed = |number: i64| number.cast_unsigned() ^ SIGN;
    let numbers = match element {
        ElementType::I32 => of_each::<i32>(bytes, |key| signed(key.into())),
        ElementType::I64 => of_each::<i64>(bytes, signed),
        ElementType::F64 | ElementType::U64 => of_each::<u64>(bytes, |key| key),
        _ => of_each::<u32>(bytes, u64::from),
    };
    Keys { numbers, element }
}

fn of_each<T: Element>(bytes: &[u8], number: impl Fn(T) -> u64) -> Vec<u64> {
    bytemuck::cast_slice::<u8, T>(bytes).iter().map(|&key| number(key)).collect()
}

/// The inverse of [`keys_of`].
fn key_bytes(element: ElementType, keys: &[u64]) -> Vec<u8> {
    let bytes = usize::try_from(element.size_bytes()).expect("a few");
    let is_signed = matches!(element, ElementType::I32 | ElementType::I64);
    let plain = keys.iter().map(|key| if is_signed { key ^ SIGN } else { *key });
    plain
        .flat_map(|key| match bytes {
            4 => u32::try_from(key & 0xffff_ffff).expect("32 bits").to_ne_bytes().to_vec(),
            _ => key.to_ne_bytes().to_vec(),
        })
        .collect()
}

fn key_values(element: ElementType, keys: &[u64]) -> Vec<Value> {
    let bytes = key_bytes(element, keys);
    match element {
        ElementType::F32 => show::<f32>(&bytes),
        ElementType::F64 => show::<f64>(&bytes),
        ElementType::I32 => show::<i32>(&bytes),
        ElementType::I64 => show::<i64>(&bytes),
        ElementType::U64 => show::<u64>(&bytes),
        _ => show::<u32>(&bytes),
    }
}

fn numbers<T: Element + Into<i128>>(elements: &[u8]) -> Vec<i128> {
    bytemuck::cast_slice::<u8, T>(elements).iter().map(|&number| number.into()).collect()
}
