//! `gridfold reduce` with `--axis`, `--segments`, `--by` and the like: a result for each segment of a file.

use crate::{
    Outcome,
    args::ReduceArguments,
    arrays::{Array, NewFile, Shape, descr_of},
    error::Error,
    files::{Opened, check_lengths, is_standard_input},
    operators::{OFFERED, Value},
    progress::during,
    select::{Mask, mask_of},
};
use gridfold::{
    AdapterName, ArgMax, ArgMaxLast, ArgMin, ArgMinLast, BitAnd, BitOr, BitXor, Count, Element,
    ElementType, Executor, Max, MaxAbs, Mean, Min, Norm, Operator, OperatorType, Place, Product,
    ProductWide, SampleVariance, Sum, SumOfSquares, SumWide, Variance,
};
use std::io::{self, Write};

/// Where segments are.
enum Places {
    /// Along axes of an array in row-major order.
    Axes(Vec<u64>, Vec<usize>),
    Offsets(Vec<u32>),
    /// Of each element the number of its group; and how many groups there are.
    Groups(Vec<u32>, u32),
}

/// Where segments are, and what is known of their results.
struct Segmented {
    places: Places,
    shape: Shape,
    /// In words.
    which: &'static str,
    keys: Option<Keys>,
}

/// Keys as numbers of 64 bits, in their order: one for each segment.
struct Keys {
    numbers: Vec<u64>,
    element: ElementType,
}

/// A file's elements, in this machine's order of bytes, to a result for each segment.
type Run = fn(&Executor, &Places, &[u8]) -> Result<Vec<u8>, gridfold::Error>;

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

fn values<T: Element, Op: Operator<T>>(
    executor: &Executor,
    places: &Places,
    bytes: &[u8],
) -> Result<Vec<Op::Value>, gridfold::Error> {
    let elements: &[T] = bytemuck::cast_slice(bytes);
    match places {
        Places::Axes(shape, axes) => executor.reduce_axes::<T, Op>(elements, shape, axes),
        Places::Offsets(offsets) => executor.reduce_segments::<T, Op>(elements, offsets),
        Places::Groups(numbers, groups) => {
            executor.reduce_groups::<T, Op>(elements, numbers, *groups)
        }
    }
}

fn reduce<T: Element, Op: Operator<T>>(
    executor: &Executor,
    places: &Places,
    bytes: &[u8],
) -> Result<Vec<u8>, gridfold::Error> {
    // Of nothing what a device writes.
    let values = values::<T, Op>(executor, places, bytes)?.into_iter();
    let outs = values.map(|value| Op::out(value).unwrap_or_else(empty::<T, Op>));
    Ok(bytemuck::pod_collect_to_vec(&outs.collect::<Vec<_>>()))
}

/// Where elements are in their segments.
fn reduce_to_places<T: Element, Op: Operator<T, Value = Option<Place<T>>>>(
    executor: &Executor,
    places: &Places,
    bytes: &[u8],
) -> Result<Vec<u8>, gridfold::Error> {
    let index = |place: Option<Place<T>>| place.map_or(-1, |place| place.index.cast_signed());
    let values = values::<T, Op>(executor, places, bytes)?.into_iter();
    Ok(bytemuck::pod_collect_to_vec(&values.map(index).collect::<Vec<i64>>()))
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
            file: array.name.clone(),
            operator: op,
            dtype: array.dtype.name,
            defined: defined.map(|op| op.name()).collect(),
        }
    })?;
    let executor = Executor::with_adapter(&arguments.adapter)?.precision(precision);
    let segmented =
        during("finding the segments", || segmented(arguments, &array, beside, &executor))?;
    let Segmented { places, shape, which, keys } = segmented;
    let results = during("reducing the segments", || {
        (entry.run)(&executor, &places, array.elements().bytes())
    })?;
    let values = (entry.show)(&results);
    let count = values.len();
    let mut stdout = io::stdout().lock();
    let Some(out) = &arguments.out else {
        let mut names = keys.iter().flat_map(Keys::values);
        for Value { decimal, bits } in values {
            match names.next() {
                Some(key) => writeln!(stdout, "{}: {decimal} ({bits})", key.decimal)?,
                None => writeln!(stdout, "{decimal} ({bits})")?,
            }
        }
        return Ok(stdout.flush()?);
    };
    let written = NewFile::write(out, descr_of(entry.out), &shape, &results)?;
    if let (Some(keys_out), Some(keys)) = (&arguments.keys_out, keys) {
        let descr = descr_of(keys.element);
        NewFile::write(keys_out, descr, &Shape::of_len(count as u64), &keys.bytes())?.name()?;
    }
    written.name()?;
    // As the executor does it.
    let is_auto = arguments.adapter.trim().eq_ignore_ascii_case("auto");
    let is_on_devices =
        entry.operator.spec(entry.element).is_some_and(|spec| spec.has_segments_at(precision));
    let adapter = match is_auto || !is_on_devices {
        true => AdapterName::cpu(),
        false => executor.name(),
    };
    let (len, dtype) = (array.len, array.dtype.name);
    let name = entry.operator.name();
    writeln!(
        stdout,
        "{count} results by {name} of {len} {dtype} {which}, to {}, on {adapter}",
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

fn segmented(
    arguments: &ReduceArguments,
    array: &Array,
    beside: Option<Opened>,
    executor: &Executor,
) -> Result<Segmented, Error> {
    let ReduceArguments { axis, segments, lengths, flags, by, .. } = arguments;
    let Some(beside) = beside else {
        let given = axis.as_deref().unwrap_or_default();
        let which = if given.len() == 1 { "along an axis" } else { "along axes" };
        let (places, shape) = along(given, arguments.keepdims, &array.shape)?;
        return Ok(Segmented { places, shape, which, keys: None });
    };
    let between = |offsets: Vec<u32>, which, keys| {
        let shape = Shape::of_len(offsets.len().saturating_sub(1) as u64);
        Segmented { places: Places::Offsets(offsets), shape, which, keys }
    };
    let numbers = Array::read(beside)?;
    let (file, dtype) = (numbers.name.clone(), numbers.dtype.name);
    let refused = |what| Error::Offsets { file: file.clone(), what, dtype };
    if segments.is_some() {
        let offsets = small_numbers(&numbers).ok_or_else(|| refused("offsets"))?;
        return Ok(between(offsets, "between offsets", None));
    }
    if lengths.is_some() {
        let lengths = small_numbers(&numbers).ok_or_else(|| refused("lengths"))?;
        let lengths = lengths.into_iter().map(u64::from);
        let offsets = offsets_of(lengths).ok_or_else(|| refused("such lengths"))?;
        return Ok(between(offsets, "in segments of these lengths", None));
    }
    if flags.is_some() {
        let begins = match mask_of(numbers)? {
            Mask::Words(mask) => executor.positions(&mask)?,
            Mask::Bytes(mask) => executor.positions(&mask)?,
        };
        let offsets = begins.into_iter().chain([array.len]).map(u32::try_from);
        let offsets = offsets.collect::<Result<_, _>>().map_err(|_| refused("so few flags"))?;
        return Ok(between(offsets, "from flag to flag", None));
    }
    let element = numbers.dtype.own.element;
    let keys = keys_of(&numbers);
    if by.is_none() {
        let (numbers, lengths) = executor.run_lengths(&keys)?;
        let offsets = offsets_of(lengths).ok_or_else(|| refused("so few keys"))?;
        let keys = Some(Keys { numbers, element });
        return Ok(between(offsets, "by run of equal keys", keys));
    }
    if matches!(element, ElementType::F32 | ElementType::F64) {
        return Err(Error::Keys { file, dtype });
    }
    let mut unique = keys.clone();
    unique.sort_unstable();
    unique.dedup();
    let groups = u32::try_from(unique.len()).map_err(|_| refused("so few different keys"))?;
    // Each is there, and fits as all of them do.
    let number = |key: &u64| unique.binary_search(key).ok().and_then(|at| u32::try_from(at).ok());
    let numbers = keys.iter().map(|key| number(key).unwrap_or(groups)).collect();
    let shape = Shape::of_len(groups.into());
    let keys = Some(Keys { numbers: unique, element });
    Ok(Segmented { places: Places::Groups(numbers, groups), shape, which: "by key", keys })
}

/// Offsets from 0 on, if they have at most 32 bits.
fn offsets_of(lengths: impl IntoIterator<Item = u64>) -> Option<Vec<u32>> {
    let mut offsets = vec![0u32];
    for length in lengths {
        offsets.push(offsets[offsets.len() - 1].checked_add(u32::try_from(length).ok()?)?);
    }
    Some(offsets)
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

/// Sums of the elements of groups.
pub struct Sums {
    pub element: ElementType,
    /// In this machine's order.
    pub bytes: Vec<u8>,
    pub values: Vec<Value>,
}

/// The sum of each group of a file's elements, of which this is the number of each one's group: of integers with 64 bits.
pub fn sums(
    executor: &Executor,
    array: &Array,
    numbers: Vec<u32>,
    groups: u32,
) -> Result<Sums, Error> {
    let operator = OperatorType::Sum;
    let undefined = || Error::Undefined {
        file: array.name.clone(),
        operator,
        dtype: array.dtype.name,
        defined: Vec::new(),
    };
    let entry = entry_of(operator, array.dtype.own.element).ok_or_else(undefined)?;
    let places = Places::Groups(numbers, groups);
    let bytes = (entry.run)(executor, &places, array.elements().bytes())?;
    Ok(Sums { element: entry.out, values: (entry.show)(&bytes), bytes })
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
fn small_numbers(array: &Array) -> Option<Vec<u32>> {
    let elements = array.elements();
    let wide = match array.dtype.own.element {
        ElementType::I32 => numbers::<i32>(elements.bytes()),
        ElementType::U32 if array.dtype.name != "bool" => numbers::<u32>(elements.bytes()),
        ElementType::I64 => numbers::<i64>(elements.bytes()),
        ElementType::U64 => numbers::<u64>(elements.bytes()),
        _ => return None,
    };
    wide.into_iter().map(|number| u32::try_from(number).ok()).collect()
}

/// What puts signed numbers in the order of others.
const SIGN: u64 = 1 << 63;

fn keys_of(array: &Array) -> Vec<u64> {
    let elements = array.elements();
    let bytes = elements.bytes();
    let signed = |number: i64| number.cast_unsigned() ^ SIGN;
    match array.dtype.own.element {
        ElementType::I32 => of_each::<i32>(bytes, |key| signed(key.into())),
        ElementType::I64 => of_each::<i64>(bytes, signed),
        ElementType::F64 | ElementType::U64 => of_each::<u64>(bytes, |key| key),
        _ => of_each::<u32>(bytes, u64::from),
    }
}

fn of_each<T: Element>(bytes: &[u8], number: impl Fn(T) -> u64) -> Vec<u64> {
    bytemuck::cast_slice::<u8, T>(bytes).iter().map(|&key| number(key)).collect()
}

impl Keys {
    /// As they were, in this machine's order of bytes.
    fn bytes(&self) -> Vec<u8> {
        let is_signed = matches!(self.element, ElementType::I32 | ElementType::I64);
        let plain = self.numbers.iter().map(|key| if is_signed { key ^ SIGN } else { *key });
        match self.element.size_bytes() {
            4 => plain
                .flat_map(|key| u32::try_from(key & 0xffff_ffff).unwrap_or(0).to_ne_bytes())
                .collect(),
            _ => plain.flat_map(u64::to_ne_bytes).collect(),
        }
    }

    fn values(&self) -> Vec<Value> {
        let bytes = self.bytes();
        match self.element {
            ElementType::F32 => show::<f32>(&bytes),
            ElementType::F64 => show::<f64>(&bytes),
            ElementType::I32 => show::<i32>(&bytes),
            ElementType::I64 => show::<i64>(&bytes),
            ElementType::U64 => show::<u64>(&bytes),
            _ => show::<u32>(&bytes),
        }
    }
}

fn numbers<T: Element + Into<i128>>(elements: &[u8]) -> Vec<i128> {
    bytemuck::cast_slice::<u8, T>(elements).iter().map(|&number| number.into()).collect()
}
