//! `gridfold reduce` with `--axis`, `--segments`, `--by` and the like: a result for each segment of a file.

mod entries;
mod single;

use crate::{
    Outcome,
    args::ReduceArguments,
    arrays::{Array, Shape, descr_of},
    dtype::Dtype,
    error::Error,
    files::{Opened, check_shapes, is_standard_input},
    mean::PART,
    operators::{OFFERED, Value, by_nan_rule},
    order::array_in_c_order,
    outputs::{NewFile, are_one_file},
    progress::during,
    reduce::is_defined,
    select::{Mask, mask_of},
};
use entries::{entry_of, show};
use gridfold::{
    AdapterName, Element, ElementType, Executor, OperatorType, Precision, PrepareError,
    SegmentError,
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

impl Places {
    /// How many elements each of so many segments has. None of them lies behind the elements.
    fn lens(&self, segments: usize) -> Vec<u64> {
        match self {
            Self::Axes(shape, axes) => {
                let len = axes.iter().fold(1, |len: u64, &axis| len.saturating_mul(shape[axis]));
                vec![len; segments]
            }
            Self::Offsets(offsets) => {
                let len = |ends: &[u32]| u64::from(ends[1].saturating_sub(ends[0]));
                offsets.windows(2).map(len).collect()
            }
            Self::Groups(numbers, _) => {
                let mut lens = vec![0; segments];
                for &number in numbers {
                    let len = usize::try_from(number).ok().and_then(|group| lens.get_mut(group));
                    if let Some(len) = len {
                        *len += 1;
                    }
                }
                lens
            }
        }
    }
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

/// Whether there is a result for each segment.
pub fn are_asked_for(arguments: &ReduceArguments) -> bool {
    let ReduceArguments { axis, segments, lengths, flags, by, by_runs, .. } = arguments;
    axis.is_some() || [segments, lengths, flags, by, by_runs].into_iter().any(Option::is_some)
}

pub fn run(arguments: &ReduceArguments) -> Outcome {
    let &ReduceArguments { mut op, nan, precision, .. } = arguments;
    single::refuse(arguments)?;
    if let (Some(out), Some(keys_out)) = (&arguments.out, &arguments.keys_out)
        && are_one_file(out, keys_out)
    {
        return Err(Error::OneOutputOfKeys { file: out.display().to_string() });
    }
    let (file, beside) = opened(arguments)?;
    let mut array = Array::read(file)?;
    // Of others there are no NaNs to have a rule for.
    if array.dtype.has_nans() {
        let refused = Error::NanRule { operator: op, takes_where: false };
        op = by_nan_rule(op, nan).ok_or(refused)?;
    }
    let element = array.dtype.own.element;
    let entry = entry_of(op, element).ok_or_else(|| {
        let defined = OFFERED.iter().filter(|&&op| entry_of(op, element).is_some());
        let defined = defined.map(|op| op.name()).collect();
        let (file, dtype) = (array.name.clone(), array.dtype.name);
        match is_defined(op, array.dtype) {
            true => Error::NotOfSegments { file, operator: op, dtype, defined },
            false => Error::Undefined { file, operator: op, dtype, defined },
        }
    })?;
    let kept = entry.kept_precision(precision).ok_or_else(|| {
        let (file, dtype) = (array.name.clone(), array.dtype.name);
        Error::Imprecise { file, operator: op, dtype, precision }
    })?;
    if is_too_long(op, array.dtype, array.len) {
        return Err(Error::TooManyForSegments { file: array.name, what: "elements" });
    }
    // Places in several axes at once are C's, in Fortran's order, too.
    let axes = arguments.axis.as_ref().map_or(0, Vec::len);
    if axes > 1 && array.shape.is_fortran && entry.operator.tells_places() {
        array = array_in_c_order(array)?;
    }
    let executor = Executor::with_adapter(&arguments.adapter)?.precision(precision);
    let segmented =
        during("finding the segments", || segmented(arguments, &array, beside, &executor))?;
    let Segmented { places, shape, which, keys } = segmented;
    let results = during("reducing the segments", || {
        (entry.run)(&executor, &places, array.elements().bytes())
    });
    let results = results.map_err(|error| match (error, &arguments.segments) {
        (gridfold::Error::Prepare(PrepareError::Segments(source)), Some(file)) => {
            Error::Segments { file: file.display().to_string(), source }
        }
        (error, _) => error.into(),
    })?;
    // Elements are as they are in the file.
    let narrow = array.dtype.of_results(op).filter(|dtype| dtype.bytes < 4);
    let narrow = narrow.filter(|_| !op.tells_places());
    let mut stdout = io::stdout().lock();
    let Some(out) = &arguments.out else {
        let values = match narrow {
            Some(_) => narrowed(array.dtype, op, &results),
            None => (entry.show)(&results),
        };
        let mut names = keys.iter().flat_map(Keys::values);
        for numbers in values.chunks(entry.numbers) {
            let text = |Value { decimal, bits }: &Value| format!("{decimal} ({bits})");
            let text = numbers.iter().map(text).collect::<Vec<_>>().join(" and ");
            match names.next() {
                Some(key) => writeln!(stdout, "{}: {text}", key.decimal)?,
                None => writeln!(stdout, "{text}")?,
            }
        }
        return Ok(stdout.flush()?);
    };
    let (element, results) = match narrow {
        Some(dtype) => (dtype.element(), dtype.narrow(&results)),
        None => (entry.out, results),
    };
    let size = usize::try_from(element.size_bytes()).expect("a few");
    let count = results.len() / size / entry.numbers;
    let (shape, results) = with_numbers(shape, results, entry.numbers, size);
    let written = NewFile::write(("--out", out), array.descr_of(element), &shape, &results)?;
    if let (Some(keys_out), Some(keys)) = (&arguments.keys_out, keys) {
        let descr = descr_of(keys.element);
        NewFile::write(
            ("--keys-out", keys_out),
            descr,
            &Shape::of_len(count as u64),
            &keys.bytes(),
        )?
        .name()?;
    }
    written.name()?;
    // As the executor does it.
    let is_auto = arguments.adapter.trim().eq_ignore_ascii_case("auto");
    let adapter = match is_auto || !entry.is_on_devices(precision) {
        true => AdapterName::cpu(),
        false => executor.name(),
    };
    let (len, dtype) = (array.len, array.dtype.name);
    let name = entry.operator.name();
    let pairs = if entry.numbers > 1 { "pairs of " } else { "" };
    // Where nothing is ever rounded, a level means nothing.
    let least = Precision::Unordered.kept_by(op, array.dtype.own.element);
    let level = match least {
        Some(Precision::Exact) => String::new(),
        _ => format!("{kept} "),
    };
    writeln!(
        stdout,
        "{count} {level}results by {name} of {len} {dtype} {which}, to {pairs}{element}, on {adapter}"
    )?;
    Ok(stdout.flush()?)
}

/// Whether sums of a mean may have more than 64 bits.
fn is_too_long(op: OperatorType, dtype: &Dtype, len: u64) -> bool {
    dtype.is_integers_mean(op) && dtype.bytes >= 4 && len > PART
}

/// Results that were widened, as the file's type has them.
fn narrowed(dtype: &'static Dtype, op: OperatorType, widened: &[u8]) -> Vec<Value> {
    let words: Vec<u32> = bytemuck::pod_collect_to_vec(widened);
    let value = |word: u32| {
        let narrow = dtype.narrowed(op, word.into());
        let (decimal, bits) = narrow.expect("elements of less than 32 bits");
        Value::of_bits(decimal, bits, dtype.bytes)
    };
    words.into_iter().map(value).collect()
}

/// Results of several numbers, each of so many bytes, have a last axis more, of as many places.
fn with_numbers(
    mut shape: Shape,
    results: Vec<u8>,
    numbers: usize,
    size: usize,
) -> (Shape, Vec<u8>) {
    if numbers == 1 {
        return (shape, results);
    }
    shape.sizes.push(numbers as u64);
    if !shape.is_fortran {
        return (shape, results);
    }
    // There the last axis varies slowest.
    let of_number =
        |number| results.chunks_exact(size).skip(number).step_by(numbers).flatten().copied();
    let reordered = (0..numbers).flat_map(of_number).collect();
    (shape, reordered)
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
    let beside = beside.map(|beside| Opened::beside(beside)).transpose()?;
    if let (Some(beside), true) = (&beside, of_each.is_some()) {
        check_shapes(&file, beside)?;
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
        let (places, shape) = along(given, arguments.keepdims, array)?;
        return Ok(Segmented { places, shape, which, keys: None });
    };
    let between = |offsets: Vec<u32>, which, keys| {
        let shape = Shape::of_len(offsets.len().saturating_sub(1) as u64);
        Segmented { places: Places::Offsets(offsets), shape, which, keys }
    };
    let numbers = Array::read(beside)?;
    let (file, dtype) = (numbers.name.clone(), numbers.dtype.name);
    let too_many = |what| Error::TooManyForSegments { file: file.clone(), what };
    if segments.is_some() {
        let offsets = small_numbers(&numbers, "offset")?;
        if offsets.is_empty() {
            return Err(Error::NoOffset { file: file.clone() });
        }
        return Ok(between(offsets, "between offsets", None));
    }
    if lengths.is_some() {
        let lengths = small_numbers(&numbers, "length")?.into_iter().map(u64::from);
        let offsets = offsets_of(lengths).map_err(|(index, number)| {
            let what = "the end of segment";
            Error::OffsetOutOfRange { file: file.clone(), what, index, number }
        })?;
        check_ends(&offsets, array.len)
            .map_err(|source| Error::Segments { file: file.clone(), source })?;
        return Ok(between(offsets, "in segments of these lengths", None));
    }
    if flags.is_some() {
        let begins = match mask_of(numbers)? {
            Mask::Words(mask) => executor.positions(&mask)?,
            Mask::Bytes(mask) => executor.positions(&mask)?,
        };
        let offsets = begins.into_iter().chain([array.len]).map(u32::try_from);
        let offsets = offsets.collect::<Result<_, _>>().map_err(|_| too_many("flags"))?;
        return Ok(between(offsets, "from flag to flag", None));
    }
    let element = numbers.dtype.own.element;
    let keys = keys_of(&numbers);
    if by.is_none() {
        let (numbers, lengths) = executor.run_lengths(&keys)?;
        let offsets = offsets_of(lengths).map_err(|_| too_many("keys"))?;
        let keys = Some(Keys { numbers, element });
        return Ok(between(offsets, "by run of equal keys", keys));
    }
    if matches!(element, ElementType::F32 | ElementType::F64) {
        return Err(Error::Keys { file, dtype });
    }
    let mut unique = keys.clone();
    unique.sort_unstable();
    unique.dedup();
    let groups = u32::try_from(unique.len()).map_err(|_| too_many("different keys"))?;
    // Each is there, and fits as all of them do.
    let number = |key: &u64| unique.binary_search(key).ok().and_then(|at| u32::try_from(at).ok());
    let numbers = keys.iter().map(|key| number(key).unwrap_or(groups)).collect();
    let shape = Shape::of_len(groups.into());
    let keys = Some(Keys { numbers: unique, element });
    Ok(Segmented { places: Places::Groups(numbers, groups), shape, which: "by key", keys })
}

/// Refuses lengths that are more than the elements together.
fn check_ends(offsets: &[u32], len: u64) -> Result<(), SegmentError> {
    let behind = |ends: &&[u32]| u64::from(ends[1]) > len;
    let Some((segment, ends)) = (0..).zip(offsets.windows(2)).find(|(_, ends)| behind(ends)) else {
        return Ok(());
    };
    let length = (ends[1] - ends[0]).into();
    Err(SegmentError::Lengths { segment, length, end: ends[1].into(), most: len })
}

/// Offsets from 0 on. Or, if one has more than 32 bits, the segment that ends there, and the offset.
fn offsets_of(lengths: impl IntoIterator<Item = u64>) -> Result<Vec<u32>, (usize, i128)> {
    let mut offsets = vec![0u32];
    let mut end = 0i128;
    for (segment, length) in lengths.into_iter().enumerate() {
        end += i128::from(length);
        offsets.push(u32::try_from(end).map_err(|_| (segment, end))?);
    }
    Ok(offsets)
}

/// Along axes of a shape. In Fortran's order the first axis varies fastest: so axes are counted from the other end.
fn along(given: &[i64], keepdims: bool, array: &Array) -> Result<(Places, Shape), Error> {
    let Array { name, shape, .. } = array;
    let rank = shape.sizes.len();
    let mut sizes = shape.sizes.clone();
    let mut axes = Vec::new();
    for &given in given {
        let found = if given < 0 { given + i64::try_from(rank).expect("few") } else { given };
        let found = usize::try_from(found).ok().filter(|&axis| axis < rank);
        let axis = found.ok_or_else(|| Error::Axis { file: name.clone(), axis: given, rank })?;
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

/// Offsets or lengths of any integers.
fn small_numbers(array: &Array, what: &'static str) -> Result<Vec<u32>, Error> {
    let elements = array.elements();
    let (file, dtype) = (|| array.name.clone(), array.dtype.name);
    let wide = match array.dtype.own.element {
        ElementType::I32 => numbers::<i32>(elements.bytes()),
        ElementType::U32 if dtype != "bool" => numbers::<u32>(elements.bytes()),
        ElementType::I64 => numbers::<i64>(elements.bytes()),
        ElementType::U64 => numbers::<u64>(elements.bytes()),
        _ => return Err(Error::Offsets { file: file(), what, dtype }),
    };
    let small = |(index, number): (usize, i128)| {
        let small = u32::try_from(number);
        small.map_err(|_| Error::OffsetOutOfRange { file: file(), what, index, number })
    };
    wide.into_iter().enumerate().map(small).collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::NanRule;

    #[test]
    fn how_long_segments_are() {
        let lens = |places: Places, segments| places.lens(segments);
        assert_eq!(lens(Places::Axes(vec![2, 3, 4], vec![0, 2]), 3), [8; 3]);
        assert_eq!(lens(Places::Axes(vec![0, u64::MAX, 3], vec![1, 0]), 3), [0; 3]);
        assert_eq!(lens(Places::Axes(vec![7], vec![]), 7), [1; 7]);
        assert_eq!(lens(Places::Offsets(vec![1, 1, 4]), 2), [0, 3]);
        assert_eq!(lens(Places::Offsets(vec![]), 0), [0u64; 0]);
        assert_eq!(lens(Places::Groups(vec![2, 0, 2, 9], 3), 3), [1, 0, 2]);
    }

    /// Whatever operator there is with a rule, segments have it.
    #[test]
    fn every_rule_for_nans_is_there() {
        let mut found = 0;
        for &op in OFFERED.iter() {
            for element in [ElementType::F32, ElementType::F64] {
                for rule in [NanRule::Propagate, NanRule::Ignore, NanRule::Total] {
                    let is_plain = entry_of(op, element).is_some();
                    if let Some(operator) = by_nan_rule(op, rule).filter(|_| is_plain) {
                        assert!(entry_of(operator, element).is_some(), "{operator} {element}");
                        found += usize::from(rule != NanRule::Propagate);
                    }
                }
            }
        }
        // Nine extrema by two rules, and four sums and the like by one.
        assert_eq!(found, 2 * (2 * 9 + 4));
    }

    #[test]
    fn lengths_that_are_refused() {
        assert_eq!(check_ends(&[0], 0), Ok(()));
        assert_eq!(check_ends(&[0, 2, 2, 5], 5), Ok(()));
        let refused =
            |segment, length, end, most| Err(SegmentError::Lengths { segment, length, end, most });
        assert_eq!(check_ends(&[0, 2, 2, 5], 4), refused(2, 3, 5, 4));
        assert_eq!(check_ends(&[0, 2, 2, 5], 1), refused(0, 2, 2, 1));
    }

    #[test]
    fn means_that_are_refused() {
        let is_too_long = |dtype: &str, op, len| is_too_long(op, Dtype::named(dtype), len);
        assert!(is_too_long("int32", OperatorType::Mean, PART + 1));
        assert!(is_too_long("uint64", OperatorType::Mean, PART + 1));
        assert!(!is_too_long("int32", OperatorType::Mean, PART));
        assert!(!is_too_long("uint16", OperatorType::Mean, 1 << 40));
        assert!(!is_too_long("float32", OperatorType::Mean, 1 << 40));
        assert!(!is_too_long("int32", OperatorType::Sum, 1 << 40));
    }
}
