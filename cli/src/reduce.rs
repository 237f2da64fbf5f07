//! `gridfold reduce`.

use crate::{
    Outcome,
    args::{NanRule, ReduceArguments},
    dtype::{Dtype, Target},
    error::{self, Error},
    files::{Opened, Repeated, check_pair, is_standard_input},
    mapped::{self, Expressions, Mapped, Pass, mean_by_passes},
    mean::integers_mean,
    npy::Header,
    operators::{self, Answer, Found, OFFERED, Options, Reduced, Value, by_nan_rule},
    order::in_c_order,
    progress::Progress,
    segments, stdout,
};
use gridfold::{
    AdapterName, DynOperator, ElementType, Executor, OperatorType, Precision, Strategy,
    StreamError, Variant,
};
use serde::Serialize;
use std::{
    collections::BTreeMap,
    io::{self, Write},
    iter, mem,
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
    Plain(DynOperator),
    /// By their sum.
    IntegersMean(DynOperator),
    /// By what expressions make of them.
    Mapped(Expressions<'a>, Mapped),
    /// By sums of that.
    MappedMean(Expressions<'a>, Vec<Pass>),
}

impl<'a> How<'a> {
    fn of(arguments: &'a ReduceArguments, dtype: &'static Dtype) -> Result<Self, Error> {
        let expressions = Expressions::of(arguments);
        expressions.map_or(Ok(()), Expressions::check_parameters)?;
        Ok(match (expressions, dtype.is_integers_mean(arguments.op)) {
            (Some(expressions), true) => {
                Self::MappedMean(expressions, mapped::passes(expressions, dtype))
            }
            (Some(expressions), false) => Self::Mapped(expressions, Mapped::of(arguments, dtype)?),
            (None, true) => Self::IntegersMean(defined(arguments, dtype)?),
            (None, false) => Self::Plain(defined(arguments, dtype)?),
        })
    }

    fn is_integers_mean(&self) -> bool {
        matches!(self, Self::IntegersMean(_) | Self::MappedMean(..))
    }

    /// What the files' elements become.
    fn target(&self, dtype: &'static Dtype) -> &'static Target {
        match self {
            Self::Plain(_) | Self::IntegersMean(_) => &dtype.packed,
            Self::Mapped(..) | Self::MappedMean(..) => &dtype.own,
        }
    }

    /// How often the files are read.
    fn passes(&self) -> u64 {
        match self {
            Self::MappedMean(_, passes) => passes.len() as u64,
            _ => 1,
        }
    }

    /// Whether results depend on which element is which in C's order.
    fn is_numbered(&self) -> Result<bool, Error> {
        match self {
            Self::Plain(operator) => Ok(operator.spec().operator.tells_places()),
            Self::IntegersMean(_) => Ok(false),
            Self::Mapped(expressions, by) => by.is_numbered(*expressions),
            Self::MappedMean(expressions, passes) => passes[0].is_numbered(*expressions),
        }
    }

    /// Whether results are of the files' elements, and not of others that are made of them.
    fn keeps_elements(&self) -> bool {
        match self {
            Self::Plain(_) | Self::IntegersMean(_) => true,
            Self::Mapped(expressions, _) | Self::MappedMean(expressions, _) => {
                expressions.keep_elements()
            }
        }
    }

    /// What the result will promise.
    fn kept_precision(
        &self,
        arguments: &ReduceArguments,
        dtype: &'static Dtype,
    ) -> Result<Precision, Error> {
        match self {
            Self::Plain(operator) | Self::IntegersMean(operator) => {
                kept_precision(arguments, dtype, *operator)
            }
            Self::Mapped(_, by) => by.kept_precision(arguments, dtype),
            Self::MappedMean(..) => Ok(Precision::Exact),
        }
    }
}

/// The files' elements, on their way to what reduces them.
struct Inputs<'a> {
    files: Vec<Opened>,
    /// The files of several passes.
    repeated: Vec<Repeated<'a>>,
    how: &'a How<'a>,
    target: &'static Target,
    progress: Progress,
}

impl<'a> Inputs<'a> {
    fn new(
        arguments: &'a ReduceArguments,
        mut files: Vec<Opened>,
        how: &'a How<'a>,
    ) -> Result<Self, Error> {
        let (target, passes) = (how.target(files[0].header().dtype), how.passes());
        let bytes = files.iter().map(|file| {
            let is_kept = passes > 1 && file.is_read_once;
            file.header().data_bytes().saturating_mul(passes + u64::from(is_kept))
        });
        let mut progress = Progress::new(bytes.fold(0, u64::saturating_add));
        let mut repeated = Vec::new();
        if passes > 1 {
            let is_bf16 = arguments.dtype.is_some();
            let paths = iter::once(&arguments.file).chain(arguments.other_files());
            for (file, path) in files.drain(..).zip(paths) {
                repeated.push(Repeated::new(file, path, is_bf16, &mut progress)?);
            }
        }
        let mut inputs = Self { files, repeated, how, target, progress };
        inputs.order()?;
        Ok(inputs)
    }

    /// Puts elements in C's order, where that matters: they are read then.
    fn order(&mut self) -> Result<(), Error> {
        if self.how.is_numbered()? {
            let files = mem::take(&mut self.files).into_iter();
            self.files = files.map(in_c_order).collect::<Result<_, _>>()?;
        }
        Ok(())
    }

    /// Begins a pass, of several: with the first elements.
    fn begin(&mut self) -> Result<(), Error> {
        if !self.repeated.is_empty() {
            self.files = self.repeated.iter().map(Repeated::open).collect::<Result<_, _>>()?;
            self.order()?;
        }
        Ok(())
    }

    /// The next elements of a file.
    fn fill(&mut self, input: usize, elements: &mut [u8]) -> Result<(), Error> {
        self.progress.add(self.files[input].fill(Some(self.target), elements)?);
        Ok(())
    }
}

pub fn run(mut arguments: ReduceArguments) -> Outcome {
    if segments::are_asked_for(&arguments) {
        return segments::run(&arguments);
    }
    check_files(&arguments)?;
    let mut files = vec![Opened::new(&arguments.file, arguments.dtype.is_some())?];
    for other_file in arguments.other_files() {
        let other_file = Opened::new(other_file, arguments.dtype.is_some())?;
        check_pair(&files[0], &other_file)?;
        files.push(other_file);
    }
    let header = files[0].header().clone();
    // Of others there are no NaNs to have a rule for.
    if header.dtype.has_nans() {
        let operator = arguments.op;
        // Numbers that are not NaN are equal to themselves. By other operators no expressions are reduced, or nothing would be left of them.
        let is_of_others = !matches!(operator, OperatorType::Dot | OperatorType::CountNan);
        let takes_where = arguments.nan == NanRule::Ignore && is_of_others;
        arguments.op =
            by_nan_rule(operator, arguments.nan).ok_or(Error::NanRule { operator, takes_where })?;
    }
    let how = How::of(&arguments, header.dtype)?;
    let kept = how.kept_precision(&arguments, header.dtype)?;
    let executor = executor(&arguments, how.is_integers_mean())?;
    check_options(&arguments, &executor)?;

    let begin = Instant::now();
    let mut inputs = Inputs::new(&arguments, files, &how)?;
    let &ReduceArguments { precision, variant, strategy, .. } = &arguments;
    let options = Options { precision, variant, strategy };
    let len = header.len;
    let reduced = match &how {
        &How::Plain(operator) => {
            options.stream(operator, &executor, len, &mut |input, to| inputs.fill(input, to))
        }
        &How::IntegersMean(sum) => {
            integers_mean(&executor, options, sum, len, &mut |input, to| inputs.fill(input, to))
        }
        How::Mapped(expressions, by) => {
            let fill = &mut |input: usize, to: &mut [u8]| inputs.fill(input, to);
            by.stream(*expressions, &executor, options, len, fill)
        }
        How::MappedMean(expressions, passes) => mean_by_passes(passes, len, |pass| {
            inputs.begin().map_err(StreamError::Source)?;
            let fill = &mut |input: usize, to: &mut [u8]| inputs.fill(input, to);
            pass.reduce(*expressions, &executor, options, len, fill)
        }),
    };
    drop(inputs);
    let mut reduced = reduced.map_err(|error| match error {
        StreamError::Source(error) => error,
        StreamError::Reduce(error) => {
            error::from_reduction(error, &arguments, header.dtype.name, &executor.name())
        }
    })?;
    if how.keeps_elements() {
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

/// As many files as the operator takes.
fn check_files(arguments: &ReduceArguments) -> Outcome {
    let operator = arguments.op;
    let maps_pairs = Expressions::of(arguments).is_some_and(Expressions::take_pairs);
    let takes_pairs = ElementType::ALL
        .into_iter()
        .filter_map(|element| operator.spec(element))
        .any(|spec| spec.inputs == 2);
    let all = iter::once(&arguments.file).chain(arguments.other_files());
    match (&arguments.other_file, &arguments.third_file) {
        (None, _) if takes_pairs => Err(Error::OneFile { operator }),
        (Some(other_file), _) if !takes_pairs && !maps_pairs => {
            Err(Error::TwoFiles { operator, file: other_file.display().to_string() })
        }
        (_, Some(third_file)) if !maps_pairs => {
            Err(Error::ThreeFiles { operator, file: third_file.display().to_string() })
        }
        _ if all.filter(|file| is_standard_input(file)).count() > 1 => {
            Err(Error::StandardInputTwice)
        }
        _ => Ok(()),
    }
}

/// What reduces the elements: for a mean of integers, their sum.
fn defined(arguments: &ReduceArguments, dtype: &'static Dtype) -> Result<DynOperator, Error> {
    let operator = arguments.op;
    operator_of(operator, dtype).ok_or_else(|| {
        let defined = OFFERED.iter().filter(|&&operator| is_defined(operator, dtype));
        let defined = defined.map(|operator| operator.name()).collect();
        let file = arguments.file.display().to_string();
        Error::Undefined { file, operator, dtype: dtype.name, defined }
    })
}

fn operator_of(operator: OperatorType, dtype: &'static Dtype) -> Option<DynOperator> {
    operators::defined(dtype.reduced_by(operator), dtype.packed.element)
}

/// Whether a whole file is reduced by the operator.
pub fn is_defined(operator: OperatorType, dtype: &'static Dtype) -> bool {
    operator_of(operator, dtype).is_some()
}

/// What the result will promise.
fn kept_precision(
    arguments: &ReduceArguments,
    dtype: &'static Dtype,
    by: DynOperator,
) -> Result<Precision, Error> {
    let &ReduceArguments { op: operator, precision, .. } = arguments;
    let kept = precision.kept_by(by.spec().operator, by.spec().element);
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
    let mut stdout = stdout();
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
