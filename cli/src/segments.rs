//! `gridfold reduce` with `--axis`, `--segments`, `--by` and the like: a result for each segment of a file.

mod each;
mod places;
mod single;

use crate::{
    Outcome,
    args::ReduceArguments,
    arrays::{Shape, descr_beside, descr_of},
    chunks::CHUNK,
    dtype::Dtype,
    error::Error,
    files::{Opened, check_shapes, is_standard_input},
    memory::{extend, is_room, reserve, zeros},
    npy::Header,
    operators::{OFFERED, Value, by_nan_rule},
    order::in_c_order,
    outputs::{NewFile, Writing, are_one_file},
    progress::Progress,
    reduce::is_defined,
    stdout,
};
use each::{Each, Part};
use gridfold::{ElementType, Executor, OperatorType, Precision};
use places::{Ends, Keys, NextNumbers, Segmented, in_groups, segmented};
use std::{borrow::Cow, io::Write, mem, ops::Range};

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
    let header = file.header().clone();
    let Header { dtype, len, .. } = header;
    // Of others there are no NaNs to have a rule for.
    if dtype.has_nans() {
        let refused = Error::NanRule { operator: op, takes_where: false };
        op = by_nan_rule(op, nan).ok_or(refused)?;
    }
    let element = dtype.own.element;
    let each = Each::of(op, element).ok_or_else(|| {
        let defined = OFFERED.iter().filter(|&&op| Each::of(op, element).is_some());
        let defined = defined.map(|op| op.name()).collect();
        let (file, dtype_name) = (file.name.clone(), dtype.name);
        match is_defined(op, dtype) {
            true => Error::NotOfSegments { file, operator: op, dtype: dtype_name, defined },
            false => Error::Undefined { file, operator: op, dtype: dtype_name, defined },
        }
    })?;
    let kept = each.kept_precision(precision).ok_or_else(|| {
        let (file, dtype) = (file.name.clone(), dtype.name);
        Error::Imprecise { file, operator: op, dtype, precision }
    })?;
    // For files auto is the CPU, and some results it makes alone.
    let is_auto = arguments.adapter.trim().eq_ignore_ascii_case("auto");
    let mut executor = Executor::cpu();
    if !is_auto {
        let chosen = Executor::with_adapter(&arguments.adapter)?;
        executor = if each.is_on_devices(precision) { chosen } else { executor };
    }
    let executor = executor.precision(precision);
    // Places in several axes at once are C's, in Fortran's order, too.
    let axes = arguments.axis.as_ref().map_or(0, Vec::len);
    let file = match axes > 1 && each.operator.tells_places() {
        true => in_c_order(file)?,
        false => file,
    };
    let mut segmented = segmented(arguments, file, beside, &executor)?;
    // Elements are as they are in the file.
    let narrow = dtype.of_results(op).filter(|dtype| dtype.bytes < 4);
    let narrow = narrow.filter(|_| !op.tells_places());
    let Some(out) = &arguments.out else {
        let show = |results: &[u8]| match narrow {
            Some(_) => narrowed(dtype, op, results),
            None => each.show(results),
        };
        return print(&executor, each, &mut segmented, &show);
    };
    let element = narrow.map_or(each.out, Dtype::element);
    let shape = with_numbers(&segmented.shape, each.numbers);
    let mut out = Writing::array(("--out", out), descr_beside(&header, element), &shape)?;
    // In Fortran's order several numbers are along the axis that varies slowest.
    let is_held = each.numbers > 1 && shape.is_fortran;
    let mut held = Vec::new();
    reduce_each(&executor, each, &mut segmented, &mut |_, results| {
        let results = narrow.map_or(Cow::Borrowed(results), |dtype| dtype.narrow(results).into());
        if is_held { extend(&mut held, &results, "results") } else { out.add(&results) }
    })?;
    let size = usize::try_from(element.size_bytes()).expect("a few");
    for number in 0..each.numbers {
        let mut of_number = Vec::new();
        reserve(&mut of_number, held.len() / each.numbers, "results")?;
        for number in held.chunks_exact(size).skip(number).step_by(each.numbers) {
            of_number.extend_from_slice(number);
        }
        out.add(&of_number)?;
    }
    let written = out.end()?;
    let Segmented { ends, which, keys, .. } = segmented;
    let count = ends.count();
    if let (Some(keys_out), Some(Keys { bytes, element })) = (&arguments.keys_out, &keys) {
        let shape = Shape::of_len(count);
        NewFile::write(("--keys-out", keys_out), descr_of(*element), &shape, bytes)?.name()?;
    }
    written.name()?;
    let (name, adapter) = (each.operator.name(), executor.name());
    let pairs = if each.numbers > 1 { "pairs of " } else { "" };
    // Where nothing is ever rounded, a level means nothing.
    let least = Precision::Unordered.kept_by(op, dtype.own.element);
    let level = match least {
        Some(Precision::Exact) => String::new(),
        _ => format!("{kept} "),
    };
    let mut stdout = stdout();
    writeln!(
        stdout,
        "{count} {level}results by {name} of {len} {} {which}, to {pairs}{element}, on {adapter}",
        dtype.name
    )?;
    Ok(stdout.flush()?)
}

/// A line for each segment.
fn print(
    executor: &Executor,
    by: Each,
    segmented: &mut Segmented,
    show: &dyn Fn(&[u8]) -> Vec<Value>,
) -> Outcome {
    let mut stdout = stdout();
    let keys = segmented.keys.take();
    let size = by.numbers * index(by.out.size_bytes());
    reduce_each(executor, by, segmented, &mut |segments, results| {
        for (segment, result) in segments.zip(results.chunks_exact(size)) {
            let text = |Value { decimal, bits }: Value| format!("{decimal} ({bits})");
            let text = show(result).into_iter().map(text).collect::<Vec<_>>().join(" and ");
            match &keys {
                Some(keys) => writeln!(stdout, "{}: {text}", keys.value(segment).decimal)?,
                None => writeln!(stdout, "{text}")?,
            }
        }
        Ok(())
    })?;
    Ok(stdout.flush()?)
}

/// Segments whose results are made at a time, at most. Elements are as many as a chunk has.
const SEGMENTS: u64 = CHUNK as u64 / 8;

/// Calls `each` with the numbers of some segments, and their results.
fn reduce_each(
    executor: &Executor,
    by: Each,
    segmented: &mut Segmented,
    each: &mut dyn FnMut(Range<u64>, &[u8]) -> Outcome,
) -> Outcome {
    let Segmented { file, ends, .. } = segmented;
    let len = file.header().len;
    let count = ends.count();
    if let Ends::Rows(count, 0) = *ends {
        // Segments of nothing are as many as a shape says.
        let bytes = usize::try_from(count.saturating_mul(by.out.size_bytes()));
        let bytes = bytes.unwrap_or(usize::MAX);
        is_room(bytes).then_some(()).ok_or(Error::Memory { what: "results", bytes })?;
    }
    let mut elements = Source::new(file)?;
    let mut offsets = Vec::new();
    reserve(&mut offsets, 1 + index(count.min(SEGMENTS)), "where segments are")?;
    let (mut first, chunk) = (0, CHUNK as u64);
    while first < count {
        let begin = ends.at(first);
        elements.skip(begin)?;
        let fits = |&segment: &u64| ends.at(segment + 1) - begin <= chunk;
        offsets.clear();
        offsets.push(0);
        let some = (first..count.min(first + SEGMENTS)).take_while(fits);
        let small = |end: u64| u32::try_from(end).expect("within a chunk");
        offsets.extend(some.map(|segment| small(ends.at(segment + 1) - begin)));
        let (segments, part) = match offsets[..] {
            [.., _, end] => {
                let elements = elements.next(end as usize)?;
                (offsets.len() as u64 - 1, Part::Whole(&offsets, elements))
            }
            _ => {
                let len = ends.at(first + 1) - begin;
                (1, Part::Long(len, &mut |to| elements.fill(to)))
            }
        };
        each(first..first + segments, &by.reduce(executor, part)?)?;
        first += segments;
    }
    // What comes behind them may be damaged, too.
    elements.skip(len)
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

/// Results of several numbers have a last axis more, of as many places.
fn with_numbers(shape: &Shape, numbers: usize) -> Shape {
    let mut sizes = shape.sizes.clone();
    sizes.extend((numbers > 1).then_some(numbers as u64));
    Shape { sizes, is_fortran: shape.is_fortran }
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

/// Sums of the elements of groups.
pub struct Sums {
    pub element: ElementType,
    /// In this machine's order.
    pub bytes: Vec<u8>,
    pub values: Vec<Value>,
}

/// The sum of each group of a file's elements: of integers with 64 bits. Groups end where the next ones begin, and `next_numbers` adds the numbers of the next
/// chunk's. `None` if these are not as many as ends say.
pub fn sums(
    executor: &Executor,
    file: Opened,
    ends: Vec<u64>,
    next_numbers: NextNumbers<'_>,
) -> Result<Option<Sums>, Error> {
    let operator = OperatorType::Sum;
    let dtype = file.header().dtype;
    let undefined = || Error::Undefined {
        file: file.name.clone(),
        operator,
        dtype: dtype.name,
        defined: Vec::new(),
    };
    let each = Each::of(operator, dtype.own.element).ok_or_else(undefined)?;
    let Some(file) = in_groups(file, &ends, next_numbers)? else { return Ok(None) };
    let ends = Ends::Groups(ends);
    let shape = Shape::of_len(ends.count());
    let mut segmented = Segmented { file, ends, shape, which: "by bin", keys: None };
    let mut bytes = Vec::new();
    reduce_each(executor, each, &mut segmented, &mut |_, sums| extend(&mut bytes, sums, "sums"))?;
    Ok(Some(Sums { element: each.out, values: each.show(&bytes), bytes }))
}

/// The elements of a file on their way to what reduces them.
struct Source<'a> {
    file: &'a mut Opened,
    progress: Progress,
    /// As many as a chunk has.
    words: Vec<u64>,
    /// Which one is next.
    next: u64,
}

impl<'a> Source<'a> {
    fn new(file: &'a mut Opened) -> Result<Self, Error> {
        let Header { dtype, len, .. } = *file.header();
        let bytes = len.min(CHUNK as u64) * dtype.own.element.size_bytes();
        let words = zeros(index(bytes.div_ceil(8)), "elements")?;
        let progress = Progress::new(file.header().data_bytes());
        Ok(Self { file, progress, words, next: 0 })
    }

    fn fill(&mut self, elements: &mut [u8]) -> Outcome {
        let own = &self.file.header().dtype.own;
        self.next += elements.len() as u64 / own.element.size_bytes();
        self.progress.add(self.file.fill(Some(own), elements)?);
        Ok(())
    }

    /// The next ones, which a chunk has room for.
    fn next(&mut self, count: usize) -> Result<&[u8], Error> {
        let bytes = count * index(self.file.header().dtype.own.element.size_bytes());
        let mut words = mem::take(&mut self.words);
        let filled = self.fill(&mut bytemuck::cast_slice_mut(&mut words)[..bytes]);
        self.words = words;
        filled?;
        Ok(&bytemuck::cast_slice(&self.words)[..bytes])
    }

    /// Reads what comes before an element.
    fn skip(&mut self, end: u64) -> Outcome {
        while self.next < end {
            self.next(index((end - self.next).min(CHUNK as u64)))?;
        }
        Ok(())
    }
}

fn index(number: u64) -> usize {
    usize::try_from(number).expect("it is in memory")
}

impl Keys {
    /// The key of a segment.
    fn value(&self, segment: u64) -> Value {
        let size = index(self.element.size_bytes());
        Value::of_element(self.element, &self.bytes[index(segment) * size..][..size])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::NanRule;

    /// Whatever operator there is with a rule, segments have it.
    #[test]
    fn every_rule_for_nans_is_there() {
        let mut found = 0;
        for &op in OFFERED.iter() {
            for element in [ElementType::F32, ElementType::F64] {
                for rule in [NanRule::Propagate, NanRule::Ignore, NanRule::Total] {
                    let is_plain = Each::of(op, element).is_some();
                    if let Some(operator) = by_nan_rule(op, rule).filter(|_| is_plain) {
                        assert!(Each::of(operator, element).is_some(), "{operator} {element}");
                        found += usize::from(rule != NanRule::Propagate);
                    }
                }
            }
        }
        // Nine extrema by two rules, and four sums and the like by one.
        assert_eq!(found, 2 * (2 * 9 + 4));
    }
}
