//! `gridfold reduce`.

use crate::{
    Outcome,
    args::ReduceArguments,
    dtype::Dtype,
    error::{self, Error},
    files::{Opened, check_pair, is_standard_input},
    mapped::{self, Expressions},
    mean::rounded_mean,
    npy::Header,
    operators::{Answer, Entry, Fill, Found, OFFERED, Options, Reduced, Value, by_nan_rule},
    order::in_c_order,
    progress::Progress,
    segments,
};
use gridfold::{
    AdapterName, ElementType, Executor, OperatorType, Precision, Strategy, StreamError, Variant,
};
use serde::Serialize;
use std::{
    collections::BTreeMap,
    io::{self, Write},
    path::Path,
    time::{Duration, Instant},
};

/// The JSON object.
#[derive(Serialize)]
struct Report<'a> {
    op: &'static str,
    dtype: &'static str,
    len: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    map: Option<&'a str>,
    #[serde(rename = "where", skip_serializing_if = "Option::is_none")]
    predicate: Option<&'a str>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    parameters: BTreeMap<&'a str, &'a str>,
    precision: &'static str,
    /// Of what tells places, the index.
    value: Option<Numbers<String>>,
    /// The element there.
    #[serde(skip_serializing_if = "Option::is_none")]
    element: Option<Numbers<&'a str>>,
    bits: Option<Numbers<&'a str>>,
    adapter: Adapter<'a>,
    plan: &'a str,
    device_ns: Option<u64>,
    total_ns: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<&'a str>,
}

/// A number, or those of both extrema.
#[derive(Serialize)]
#[serde(untagged)]
enum Numbers<T> {
    One(T),
    Both(Vec<T>),
}

impl<'a, T> Numbers<T> {
    fn of(answer: &'a Answer, number: impl Fn(&'a Found) -> T) -> Self {
        match &answer.0[..] {
            [found] => Self::One(number(found)),
            both => Self::Both(both.iter().map(number).collect()),
        }
    }
}

#[derive(Serialize)]
struct Adapter<'a> {
    backend: &'a str,
    name: &'a str,
    driver: &'a str,
}

/// What reduces the elements.
enum How<'a> {
    Plain(&'static Entry),
    /// By their sum.
    IntegersMean(&'static Entry),
    /// By what expressions make of them.
    Mapped(Expressions<'a>, mapped::Entry),
}

impl<'a> How<'a> {
    fn of(arguments: &'a ReduceArguments, dtype: &'static Dtype) -> Result<Self, Error> {
        if let Some(expressions) = Expressions::of(arguments) {
            return Ok(Self::Mapped(expressions, mapped::Entry::of(arguments, dtype)?));
        }
        let entry = defined(arguments, dtype)?;
        Ok(match dtype.is_integers_mean(arguments.op) {
            true => Self::IntegersMean(entry),
            false => Self::Plain(entry),
        })
    }

    /// What the result will promise.
    fn kept_precision(
        &self,
        arguments: &ReduceArguments,
        dtype: &'static Dtype,
    ) -> Result<Precision, Error> {
        match self {
            Self::Plain(entry) | Self::IntegersMean(entry) => {
                kept_precision(arguments, dtype, entry)
            }
            Self::Mapped(_, entry) => entry.kept_precision(arguments, dtype),
        }
    }
}

pub fn run(mut arguments: ReduceArguments) -> Outcome {
    if segments::are_asked_for(&arguments) {
        return segments::run(&arguments);
    }
    check_files(&arguments)?;
    let mut files = vec![Opened::new(&arguments.file, arguments.dtype.is_some())?];
    if let Some(other_file) = &arguments.other_file {
        files.push(Opened::new(other_file, arguments.dtype.is_some())?);
        check_pair(&files[0], &files[1])?;
    }
    let header = files[0].header().clone();
    // Of others there are no NaNs to have a rule for.
    if header.dtype.has_nans() {
        let operator = arguments.op;
        arguments.op = by_nan_rule(operator, arguments.nan).ok_or(Error::NanRule { operator })?;
    }
    let how = How::of(&arguments, header.dtype)?;
    let kept = how.kept_precision(&arguments, header.dtype)?;
    let is_mean = matches!(how, How::IntegersMean(_));
    let executor = executor(&arguments, is_mean)?;
    check_options(&arguments, &executor)?;

    let begin = Instant::now();
    let mut progress = Progress::new(files.iter().map(|file| file.header().data_bytes()).sum());
    let target = match how {
        How::Mapped(..) => &header.dtype.own,
        How::Plain(_) | How::IntegersMean(_) => header.dtype.target(arguments.op),
    };
    let fill: Fill<'_> = &mut |input, elements| {
        let Opened { name, elements: file } = &mut files[input];
        let filled = file.fill(target, elements);
        progress.add(filled.map_err(|source| Error::Npy { file: name.clone(), source })?);
        Ok(())
    };
    let &ReduceArguments { precision, variant, strategy, .. } = &arguments;
    let options = Options { precision, variant, strategy };
    let shape = header.fortran_shape.as_deref().filter(|_| header.len > 0);
    let reduced = match &how {
        How::Plain(entry) => {
            let shape = shape.filter(|_| entry.spec.operator.tells_places());
            in_c_order(shape, (1, entry.spec.element.size_bytes()), fill, |fill| {
                (entry.stream)(&executor, options, header.len, fill)
            })
        }
        How::IntegersMean(entry) => {
            integers_mean(&executor, options, entry, &header, &arguments.file, fill)
        }
        How::Mapped(expressions, entry) => {
            (entry.stream)(*expressions, &executor, options, (header.len, shape), fill)
        }
    };
    drop(progress);
    let mut reduced = reduced.map_err(|error| match error {
        StreamError::Source(error) => error,
        StreamError::Reduce(error) => {
            error::from_reduction(error, &arguments, header.dtype.name, &executor.name())
        }
    })?;
    if !matches!(how, How::Mapped(..)) {
        for Found { value, .. } in reduced.value.iter_mut().flat_map(|answer| &mut answer.0) {
            if let Some((decimal, bits)) = header.dtype.narrowed(arguments.op, value.word()) {
                *value = Value::of_bits(decimal, bits, header.dtype.bytes);
            }
        }
    }
    write(&arguments, &header, kept, &reduced, begin.elapsed())
}

/// The one that was asked for. A mean of integers is the CPU's, unless the caller asks for another: it waits for the file.
fn executor(arguments: &ReduceArguments, is_mean: bool) -> Result<Executor, Error> {
    let is_auto = arguments.adapter.trim().eq_ignore_ascii_case("auto");
    let is_forced = arguments.variant != Variant::Auto || arguments.strategy != Strategy::Auto;
    if is_mean && is_auto && !is_forced {
        return Ok(Executor::cpu());
    }
    Ok(Executor::with_adapter(&arguments.adapter)?)
}

/// Of the exact sum.
fn integers_mean(
    executor: &Executor,
    options: Options,
    entry: &Entry,
    header: &Header,
    file: &Path,
    fill: Fill<'_>,
) -> Result<Reduced, StreamError<Error>> {
    let is_signed = header.dtype.is_signed();
    let of_word = |word: u64| {
        if is_signed { i128::from(word.cast_signed()) } else { i128::from(word) }
    };
    if executor.context().is_some() {
        // So many are less than 2^64 together.
        if header.dtype.bytes > 4 || header.len > 1 << 31 {
            let (file, dtype) = (file.display().to_string(), header.dtype.name);
            return Err(StreamError::Source(Error::NeedsCpu { file, dtype, len: header.len }));
        }
        let sum = (entry.stream)(executor, options, header.len, fill)?;
        let word = sum.value.as_ref().map_or(0, Answer::word);
        let value = Value::of(rounded_mean(of_word(word), header.len));
        return Ok(Reduced { value: Some(Answer::of_number(value)), ..sum });
    }
    let mut words = vec![0u64; MEAN_WORDS];
    let (mut sum, mut left) = (0, header.len);
    while left > 0 {
        let count = usize::try_from(left).map_or(MEAN_WORDS, |left| left.min(MEAN_WORDS));
        fill(0, bytemuck::cast_slice_mut(&mut words[..count])).map_err(StreamError::Source)?;
        sum += words[..count].iter().map(|&word| of_word(word)).sum::<i128>();
        left -= count as u64;
    }
    Ok(Reduced {
        value: Some(Answer::of_number(Value::of(rounded_mean(sum, header.len)))),
        adapter: executor.name(),
        plan: "cpu, exact, 1 thread".to_owned(),
        explanation: "The CPU adds in 128 bits, divides, and rounds: once.".to_owned(),
        device_time: None,
    })
}

/// Elements of a mean at a time.
const MEAN_WORDS: usize = 1 << 16;

/// As many files as the operator takes.
fn check_files(arguments: &ReduceArguments) -> Outcome {
    let operator = arguments.op;
    let maps_pairs = Expressions::of(arguments).is_some_and(Expressions::take_pairs);
    let takes_pairs = ElementType::ALL
        .into_iter()
        .filter_map(|element| operator.spec(element))
        .any(|spec| spec.inputs == 2);
    match &arguments.other_file {
        None if takes_pairs => Err(Error::OneFile { operator }),
        Some(other_file) if !takes_pairs && !maps_pairs => {
            Err(Error::TwoFiles { operator, file: other_file.display().to_string() })
        }
        Some(other_file) if is_standard_input(other_file) && is_standard_input(&arguments.file) => {
            Err(Error::StandardInputTwice)
        }
        _ => Ok(()),
    }
}

/// What reduces the elements: for a mean of integers, their sum.
fn defined(arguments: &ReduceArguments, dtype: &'static Dtype) -> Result<&'static Entry, Error> {
    let operator = arguments.op;
    entry_of(operator, dtype).ok_or_else(|| {
        let defined = OFFERED.iter().filter(|&&operator| is_defined(operator, dtype));
        let defined = defined.map(|operator| operator.name()).collect();
        let file = arguments.file.display().to_string();
        Error::Undefined { file, operator, dtype: dtype.name, defined }
    })
}

fn entry_of(operator: OperatorType, dtype: &'static Dtype) -> Option<&'static Entry> {
    Entry::of(dtype.reduced_by(operator).spec(dtype.target(operator).element))
}

/// Whether a whole file is reduced by the operator.
pub fn is_defined(operator: OperatorType, dtype: &'static Dtype) -> bool {
    entry_of(operator, dtype).is_some()
}

/// What the result will promise.
fn kept_precision(
    arguments: &ReduceArguments,
    dtype: &'static Dtype,
    entry: &Entry,
) -> Result<Precision, Error> {
    let &ReduceArguments { op: operator, precision, .. } = arguments;
    let kept = precision.kept_by(entry.spec.operator, entry.spec.element);
    kept.ok_or_else(|| Error::Imprecise {
        file: arguments.file.display().to_string(),
        operator,
        dtype: dtype.name,
        precision,
    })
}

/// A result must not claim what was not done: the CPU has neither variants nor strategies.
fn check_options(arguments: &ReduceArguments, executor: &Executor) -> Outcome {
    let on_cpu = executor.context().is_none();
    if on_cpu && arguments.variant != Variant::Auto {
        return Err(Error::NeedsGpu { option: "--variant" });
    }
    if on_cpu && arguments.strategy != Strategy::Auto {
        return Err(Error::NeedsGpu { option: "--strategy" });
    }
    Ok(())
}

fn write(
    arguments: &ReduceArguments,
    header: &Header,
    kept: Precision,
    reduced: &Reduced,
    total: Duration,
) -> Outcome {
    let op = arguments.op.name();
    let dtype = header.dtype.name;
    let len = header.len;
    let Reduced { value, adapter, plan, explanation, device_time } = reduced;
    let mut stdout = io::stdout().lock();
    if arguments.json {
        let AdapterName { backend, name, driver } = adapter;
        let report = Report {
            op,
            dtype,
            len,
            map: arguments.map.as_deref(),
            predicate: arguments.predicate.as_deref(),
            parameters: arguments
                .parameters
                .iter()
                .map(|(name, value)| (&**name, &**value))
                .collect(),
            precision: kept.name(),
            value: value.as_ref().map(|answer| {
                Numbers::of(answer, |found| match found.index {
                    Some(index) => index.to_string(),
                    None => found.value.decimal.clone(),
                })
            }),
            element: value
                .as_ref()
                .filter(|answer| answer.0[0].index.is_some())
                .map(|answer| Numbers::of(answer, |found| &*found.value.decimal)),
            bits: value.as_ref().map(|answer| Numbers::of(answer, |found| &*found.value.bits)),
            adapter: Adapter { backend, name, driver },
            plan,
            device_ns: device_time.map(nanoseconds),
            total_ns: nanoseconds(total),
            explanation: arguments.explain.then_some(explanation),
        };
        serde_json::to_writer(&mut stdout, &report).map_err(io::Error::from)?;
        writeln!(stdout)?;
        return Ok(stdout.flush()?);
    }
    match value {
        Some(answer) => write!(stdout, "{answer}")?,
        None => write!(stdout, "no value")?,
    }
    // Where nothing is ever rounded, a level means nothing.
    let least = Precision::Unordered.kept_by(arguments.op, header.dtype.own.element);
    let level = match least {
        Some(Precision::Exact) => String::new(),
        _ => format!("{kept} "),
    };
    let is_integer = !matches!(header.dtype.wide.element, ElementType::F32 | ElementType::F64);
    let modulus = match arguments.op {
        OperatorType::Sum | OperatorType::Product if is_integer => " modulo 2^64",
        _ => "",
    };
    let (map, predicate) = Expressions::of(arguments).map(Expressions::words).unwrap_or_default();
    write!(
        stdout,
        ", the {level}{op}{modulus} of {map}{len} {dtype}{predicate}, on {adapter}: {plan}, {total:.1?}"
    )?;
    match device_time {
        Some(time) => writeln!(stdout, " of which {time:.1?} on the device")?,
        None => writeln!(stdout)?,
    }
    if arguments.explain {
        writeln!(stdout, "{explanation}")?;
    }
    Ok(stdout.flush()?)
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
