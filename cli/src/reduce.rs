//! `gridfold reduce`.

use crate::{
    Outcome,
    args::ReduceArguments,
    error::{self, Error},
    npy::{self, Header},
    operators::{self, Options, ProgramElement, Reduced},
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

pub fn run(arguments: ReduceArguments) -> Outcome {
    let file = arguments.file.display().to_string();
    let not_npy = |source| Error::Npy { file: file.clone(), source };
    let (mut reader, file_bytes) =
        open(&arguments.file).map_err(|source| Error::Open { file: file.clone(), source })?;
    let header = Header::read(&mut *reader).map_err(not_npy)?;
    check_defined(arguments.op, &header)?;
    let kept = kept_precision(&arguments, &header)?;
    let executor = Executor::with_adapter(&arguments.adapter)?;
    check_options(&arguments, &executor)?;
    let words = npy::read_words(&mut *reader, header.len, file_bytes).map_err(not_npy)?;

    let begin = Instant::now();
    let reduced = match header.dtype.element {
        ElementType::F32 => reduce::<f32>(&executor, &arguments, words),
        ElementType::I32 => reduce::<i32>(&executor, &arguments, words),
        ElementType::U32 => reduce::<u32>(&executor, &arguments, words),
        other => unreachable!("no dtype has elements of type {other}"),
    };
    let reduced =
        reduced.map_err(|error| error::from_reduction(error, &arguments, &executor.name()))?;
    write(&arguments, &header, kept, &reduced, begin.elapsed())
}

/// The input, and its size where that is known.
fn open(path: &Path) -> io::Result<(Box<dyn Read>, Option<u64>)> {
    if path == Path::new("-") {
        return Ok((Box::new(io::stdin().lock()), None));
    }
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    let file_bytes = metadata.is_file().then_some(metadata.len());
    Ok((Box::new(file), file_bytes))
}

fn check_defined(operator: OperatorType, header: &Header) -> Outcome {
    let element = header.dtype.element;
    if operator.supports(element) {
        return Ok(());
    }
    let mut defined = OperatorType::ALL.to_vec();
    defined.retain(|operator| operator.supports(element));
    let defined = defined.into_iter().map(operators::name).collect();
    Err(Error::Undefined { operator, dtype: header.dtype.name, defined })
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

fn reduce<T: ProgramElement>(
    executor: &Executor,
    arguments: &ReduceArguments,
    words: Vec<u32>,
) -> Result<Reduced, gridfold::Error> {
    let entry = T::OPERATORS
        .iter()
        .find(|entry| entry.operator == arguments.op)
        .expect("every defined operator is listed, and this one was checked");
    let values: &[T] = bytemuck::cast_slice(&words);
    let Some(context) = executor.context() else {
        return (entry.on_cpu)(values, arguments.precision);
    };
    let array = executor.upload(values)?;
    // The device has them now; a software driver's device memory is the host's, too.
    drop(words);
    let &ReduceArguments { precision, variant, strategy, .. } = arguments;
    let options = Options { precision, variant, strategy };
    (entry.on_gpu)(context, array.gpu_slices().expect("on a GPU"), options)
}

fn write(
    arguments: &ReduceArguments,
    header: &Header,
    kept: Precision,
    reduced: &Reduced,
    total: Duration,
) -> Outcome {
    let op = operators::name(arguments.op);
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
    write!(stdout, ", the {op} of {len} {dtype}, on {adapter}: {plan}, {total:.1?}")?;
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
