//! `gridfold reduce`.

use crate::{
    Outcome,
    args::ReduceArguments,
    error::{self, Error},
    npy::{self, Header},
    operators::{Entry, Options, Reduced},
};
use gridfold::{AdapterName, ElementType, Executor, OperatorType, Precision, Strategy, Variant};
use serde::Serialize;
use std::{
    fs::File,
    io::{self, Read, Write},
    path::Path,
    time::{Duration, Instant},
};

/// The JSON object.
#[derive(Serialize)]
struct Report<'a> {
    op: &'static str,
    dtype: &'static str,
    len: u64,
    precision: &'static str,
    value: Option<&'a str>,
    bits: Option<&'a str>,
    adapter: Adapter<'a>,
    plan: &'a str,
    device_ns: Option<u64>,
    total_ns: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<&'a str>,
}

#[derive(Serialize)]
struct Adapter<'a> {
    backend: &'a str,
    name: &'a str,
    driver: &'a str,
}

/// A file of which the header was read.
struct Opened {
    name: String,
    header: Header,
    reader: Box<dyn Read>,
    file_bytes: Option<u64>,
}

impl Opened {
    fn new(path: &Path) -> Result<Self, Error> {
        let name = path.display().to_string();
        let (mut reader, file_bytes) =
            open(path).map_err(|source| Error::Open { file: name.clone(), source })?;
        let header = Header::read(&mut *reader)
            .map_err(|source| Error::Npy { file: name.clone(), source })?;
        Ok(Self { name, header, reader, file_bytes })
    }

    fn read_words(mut self) -> Result<Vec<u32>, Error> {
        npy::read_words(&mut *self.reader, &self.header, self.file_bytes)
            .map_err(|source| Error::Npy { file: self.name, source })
    }
}

pub fn run(arguments: ReduceArguments) -> Outcome {
    check_files(&arguments)?;
    let file = Opened::new(&arguments.file)?;
    let other_file = arguments.other_file.as_deref().map(Opened::new).transpose()?;
    if let Some(other_file) = &other_file {
        check_pair(&file, other_file)?;
    }
    let header = file.header.clone();
    let entry = defined(arguments.op, &header)?;
    let kept = kept_precision(&arguments, &header)?;
    let executor = Executor::with_adapter(&arguments.adapter)?;
    check_options(&arguments, &executor)?;
    let mut inputs = vec![file.read_words()?];
    if let Some(other_file) = other_file {
        inputs.push(other_file.read_words()?);
    }

    let begin = Instant::now();
    let reduced = reduce(&executor, &arguments, entry, inputs);
    let reduced =
        reduced.map_err(|error| error::from_reduction(error, &arguments, &executor.name()))?;
    write(&arguments, &header, entry, kept, &reduced, begin.elapsed())
}

/// As many files as the operator takes.
fn check_files(arguments: &ReduceArguments) -> Outcome {
    let operator = arguments.op;
    let takes_pairs = ElementType::ALL
        .into_iter()
        .filter_map(|element| operator.spec(element))
        .any(|spec| spec.inputs == 2);
    match &arguments.other_file {
        None if takes_pairs => Err(Error::OneFile { operator }),
        Some(other_file) if !takes_pairs => {
            Err(Error::TwoFiles { operator, file: other_file.display().to_string() })
        }
        Some(other_file) if is_standard_input(other_file) && is_standard_input(&arguments.file) => {
            Err(Error::StandardInputTwice)
        }
        _ => Ok(()),
    }
}

/// Whether the files' elements can be paired.
fn check_pair(file: &Opened, other_file: &Opened) -> Outcome {
    let (dtype, other_dtype) = (file.header.dtype.name, other_file.header.dtype.name);
    let (len, other_len) = (file.header.len, other_file.header.len);
    let names = || (file.name.clone(), other_file.name.clone());
    if dtype != other_dtype {
        let (file, other_file) = names();
        return Err(Error::DifferentTypes { file, dtype, other_file, other_dtype });
    }
    if len != other_len {
        let (file, other_file) = names();
        return Err(Error::DifferentLengths { file, len, other_file, other_len });
    }
    if file.header.fortran_shape != other_file.header.fortran_shape {
        let (file, other_file) = names();
        return Err(Error::DifferentOrders { file, other_file });
    }
    Ok(())
}

fn is_standard_input(path: &Path) -> bool {
    path == Path::new("-")
}

/// The input, and its size where that is known.
fn open(path: &Path) -> io::Result<(Box<dyn Read>, Option<u64>)> {
    if is_standard_input(path) {
        return Ok((Box::new(io::stdin().lock()), None));
    }
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    let file_bytes = metadata.is_file().then_some(metadata.len());
    Ok((Box::new(file), file_bytes))
}

fn defined(operator: OperatorType, header: &Header) -> Result<&'static Entry, Error> {
    let element = header.dtype.element;
    Entry::of(operator.spec(element)).ok_or_else(|| {
        let defined = OperatorType::ALL.iter().filter(|operator| operator.spec(element).is_some());
        let defined = defined.map(|operator| operator.name()).collect();
        Error::Undefined { operator, dtype: header.dtype.name, defined }
    })
}

/// What the result will promise.
fn kept_precision(arguments: &ReduceArguments, header: &Header) -> Result<Precision, Error> {
    let &ReduceArguments { op: operator, precision, .. } = arguments;
    let dtype = header.dtype.name;
    precision.kept_by(operator, header.dtype.element).ok_or(Error::Imprecise {
        operator,
        dtype,
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

fn reduce(
    executor: &Executor,
    arguments: &ReduceArguments,
    entry: &Entry,
    inputs: Vec<Vec<u32>>,
) -> Result<Reduced, gridfold::Error> {
    let Some(context) = executor.context() else {
        let inputs: Vec<&[u32]> = inputs.iter().map(Vec::as_slice).collect();
        return (entry.on_cpu)(&inputs, arguments.precision);
    };
    // The words go once the device has them: a software driver's device memory is the host's, too.
    let arrays =
        inputs.into_iter().map(|words| executor.upload(&words)).collect::<Result<Vec<_>, _>>()?;
    let &ReduceArguments { precision, variant, strategy, .. } = arguments;
    (entry.on_gpu)(context, &arrays, Options { precision, variant, strategy })
}

fn write(
    arguments: &ReduceArguments,
    header: &Header,
    entry: &Entry,
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
            precision: kept.name(),
            value: value.as_ref().map(|value| &*value.decimal),
            bits: value.as_ref().map(|value| &*value.bits),
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
        Some(value) => write!(stdout, "{} ({})", value.decimal, value.bits)?,
        None => write!(stdout, "no value")?,
    }
    // Where nothing could be rounded, nobody asks for a level.
    let level = if entry.spec.order_free && !entry.spec.is_always_exact() {
        String::new()
    } else {
        format!("{kept} ")
    };
    let modulus = match (entry.spec.element, entry.spec.operator) {
        (ElementType::I32 | ElementType::U32, OperatorType::Sum | OperatorType::Product) => {
            " modulo 2^32"
        }
        (ElementType::I64 | ElementType::U64, OperatorType::Sum | OperatorType::Product) => {
            " modulo 2^64"
        }
        _ => "",
    };
    write!(
        stdout,
        ", the {level}{op}{modulus} of {len} {dtype}, on {adapter}: {plan}, {total:.1?}"
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
