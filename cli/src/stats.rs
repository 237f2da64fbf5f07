//! `gridfold stats`: what one read of a file tells of its elements, and a histogram of a second one.

use crate::{
    Outcome,
    args::StatsArguments,
    dtype::{Dtype, Target},
    error::Error,
    files::{Opened, is_read_once},
    mean::rounded_mean,
    npy::Header,
    operators::Value,
    order::in_c_order,
    outputs::NewFile,
    progress::Progress,
    stdout,
};
use charts::{Histogram, Mark};
use gridfold::{
    AdapterName, BriefMoments, BriefSummary, Element, ElementType, Executor, Moments, Operator,
    OperatorType, Place, Reduction, StreamError, Summary,
};
use serde::Serialize;
use std::{
    io::{self, Write},
    path::Path,
    time::{Duration, Instant},
};

/// What is told.
#[derive(Serialize)]
struct Report {
    dtype: &'static str,
    len: u64,
    nans: u64,
    mean: Number,
    variance: Number,
    sample_variance: Number,
    standard_deviation: Number,
    #[serde(skip_serializing_if = "Option::is_none")]
    skewness: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kurtosis: Option<Number>,
    min: Option<Extremum>,
    max: Option<Extremum>,
    adapter: Adapter,
    plan: String,
    device_ns: Option<u64>,
    total_ns: u64,
}

#[derive(Serialize)]
struct Number {
    value: String,
    bits: String,
}

impl Number {
    fn of<Out: bytemuck::Pod + std::fmt::Debug>(value: Out) -> Self {
        let Value { decimal, bits } = Value::of(value);
        Self { value: decimal, bits }
    }
}

/// An extremum, and where it is.
#[derive(Serialize)]
struct Extremum {
    index: String,
    element: String,
    bits: String,
}

#[derive(Serialize)]
struct Adapter {
    backend: String,
    name: String,
    driver: String,
}

/// What a read has found, of whatever type.
struct Found {
    nans: u64,
    /// Mean, variance, sample variance and standard deviation.
    numbers: [Number; 4],
    /// Skewness and kurtosis, unless it is to be brief.
    shape: Option<[f64; 2]>,
    min: Option<Extremum>,
    max: Option<Extremum>,
    /// For a histogram: mean, standard deviation, and the extrema.
    marks: [f64; 4],
    adapter: AdapterName,
    plan: String,
    device_time: Option<Duration>,
}

pub fn run(arguments: StatsArguments) -> Outcome {
    let StatsArguments { file, dtype, brief, adapter, svg, json } = arguments;
    let is_bf16 = dtype.is_some();
    // Before anything is read, which would be gone then.
    if svg.is_some() && is_read_once(&file) {
        return Err(Error::ReadOnce);
    }
    let mut opened = Opened::new(&file, is_bf16)?;
    let header = opened.header().clone();
    // Before anything is read.
    if let Some(svg) = &svg {
        NewFile::check_chart(svg)?;
    }
    let executor = Executor::with_adapter(&adapter)?;
    let begin = Instant::now();
    opened = in_c_order(opened)?;
    let found = match (header.dtype.has_nans(), header.dtype.own.element) {
        (true, ElementType::F64) => floats::<f64>(&executor, brief, &mut opened)?,
        (true, _) => floats::<f32>(&executor, brief, &mut opened)?,
        (false, _) => integers(&executor, brief, &mut opened)?,
    };
    let total = begin.elapsed();
    if let Some(svg) = svg {
        NewFile::chart(&svg, &draw(&file, is_bf16, &header, &found)?)?.name()?;
    }
    write(&header, found, total, json)
}

/// A float that is reduced.
trait Float: Element + Into<f64>
where
    Moments: Operator<Self, Value = Summary<Self>>,
    BriefMoments: Operator<Self, Value = BriefSummary<Self>>,
{
    /// Mean, variance and sample variance.
    fn moments(summary: &BriefSummary<Self>) -> [Self; 3];
    fn shape(summary: &Summary<Self>) -> [f64; 2];
    /// The bits, as a number.
    fn word(self) -> u64;
    fn root(self) -> Self;
}

macro_rules! floats {
    ($($float:ident)*) => {$(
        impl Float for $float {
            fn moments(summary: &BriefSummary<Self>) -> [Self; 3] {
                [summary.mean(), summary.variance(), summary.sample_variance()]
            }
            fn shape(summary: &Summary<Self>) -> [f64; 2] {
                [summary.skewness(), summary.kurtosis()]
            }
            fn word(self) -> u64 {
                self.to_bits().into()
            }
            fn root(self) -> Self {
                // One NaN.
                if self.is_nan() { self } else { self.sqrt() }
            }
        }
    )*};
}

floats!(f32 f64);

/// Brings the next elements of a file.
struct Source<'a> {
    file: &'a mut Opened,
    target: &'static Target,
    progress: Progress,
}

impl<'a> Source<'a> {
    fn new(file: &'a mut Opened, target: &'static Target) -> Self {
        let progress = Progress::new(file.header().data_bytes());
        Self { file, target, progress }
    }

    /// The next ones, as bytes.
    fn fill(&mut self, elements: &mut [u8]) -> Result<(), Error> {
        self.progress.add(self.file.fill(Some(self.target), elements)?);
        Ok(())
    }
}

/// What a read tells of floats.
struct Told<T> {
    summary: BriefSummary<T>,
    shape: Option<[f64; 2]>,
    adapter: AdapterName,
    plan: String,
    device_time: Option<Duration>,
}

fn reduce<T: Float>(
    executor: &Executor,
    is_brief: bool,
    len: u64,
    mut fill: impl FnMut(&mut [T]) -> Result<(), Error>,
) -> Result<Told<T>, Error>
where
    Moments: Operator<T, Value = Summary<T>>,
    BriefMoments: Operator<T, Value = BriefSummary<T>>,
{
    let fill = |_, elements: &mut [T]| fill(elements);
    let failed = |error| match error {
        StreamError::Source(error) => error,
        StreamError::Reduce(error) => error.into(),
    };
    if is_brief {
        let reduced = executor.reduce_stream::<T, _, _>(len, BriefMoments, fill);
        let Reduction { value: summary, adapter, plan, device_time, .. } =
            reduced.map_err(failed)?;
        return Ok(Told { summary, shape: None, adapter, plan, device_time });
    }
    let reduced = executor.reduce_stream::<T, _, _>(len, Moments, fill);
    let Reduction { value, adapter, plan, device_time, .. } = reduced.map_err(failed)?;
    let (summary, shape) = (value.brief(), Some(T::shape(&value)));
    Ok(Told { summary, shape, adapter, plan, device_time })
}

/// Of a file of floats.
fn floats<T: Float>(executor: &Executor, is_brief: bool, file: &mut Opened) -> Result<Found, Error>
where
    Moments: Operator<T, Value = Summary<T>>,
    BriefMoments: Operator<T, Value = BriefSummary<T>>,
{
    let header = file.header().clone();
    let mut source = Source::new(file, &header.dtype.own);
    let told = reduce::<T>(executor, is_brief, header.len, |elements| {
        source.fill(bytemuck::cast_slice_mut(elements))
    })?;
    drop(source);
    let Told { summary, shape, adapter, plan, device_time } = told;
    let [mean, variance, sample_variance] = T::moments(&summary);
    let deviation = variance.root();
    let extremum = |place: Place<T>| {
        let word = place.element.word();
        let Value { decimal, bits } = match header.dtype.narrowed(OperatorType::Min, word) {
            Some((decimal, bits)) => Value::of_bits(decimal, bits, header.dtype.bytes),
            None => Value::of(place.element),
        };
        Extremum { index: place.index.to_string(), element: decimal, bits }
    };
    let value = |place: Option<Place<T>>| place.map_or(f64::NAN, |place| place.element.into());
    Ok(Found {
        nans: summary.nans(),
        numbers: [mean, variance, sample_variance, deviation].map(Number::of),
        shape,
        min: summary.min().map(extremum),
        max: summary.max().map(extremum),
        marks: [mean.into(), deviation.into(), value(summary.min()), value(summary.max())],
        adapter,
        plan,
        device_time,
    })
}

/// What is exact of integers: their sum, and extrema.
#[derive(Default)]
struct Exact {
    len: u64,
    sum: i128,
    /// Number and place.
    min: Option<(i128, u64)>,
    max: Option<(i128, u64)>,
}

impl Exact {
    fn add(&mut self, number: i128) {
        self.sum += number;
        if self.min.is_none_or(|(min, _)| number < min) {
            self.min = Some((number, self.len));
        }
        if self.max.is_none_or(|(max, _)| number > max) {
            self.max = Some((number, self.len));
        }
        self.len += 1;
    }
}

/// Of a file of integers, as f64s; what f64s may round is made beside.
fn integers(executor: &Executor, is_brief: bool, file: &mut Opened) -> Result<Found, Error> {
    let header = file.header().clone();
    let dtype = header.dtype;
    let number = number_of(dtype);
    let mut exact = Exact::default();
    let mut source = Source::new(file, &dtype.wide);
    let told = reduce::<f64>(executor, is_brief, header.len, |elements| {
        source.fill(bytemuck::cast_slice_mut(elements))?;
        for element in elements {
            let integer = number(element.to_bits());
            exact.add(integer);
            *element = integer as f64;
        }
        Ok(())
    })?;
    drop(source);
    let Told { summary, shape, adapter, plan, device_time } = told;
    let mean = rounded_mean(exact.sum, header.len);
    let deviation = summary.variance().root();
    let extremum = |(number, index): (i128, u64)| {
        // Of the file's type.
        let bits = dtype.low_bits(bytemuck::cast::<i128, [u64; 2]>(number.to_le())[0]);
        let decimal = dtype.decimal(bits).expect("integers have their own text");
        let Value { decimal, bits } = Value::of_bits(decimal, bits, dtype.bytes);
        Extremum { index: index.to_string(), element: decimal, bits }
    };
    let value = |found: Option<(i128, u64)>| found.map_or(f64::NAN, |(number, _)| number as f64);
    let numbers = [mean, summary.variance(), summary.sample_variance(), deviation];
    Ok(Found {
        nans: 0,
        numbers: numbers.map(Number::of),
        shape,
        min: exact.min.map(extremum),
        max: exact.max.map(extremum),
        marks: [mean, deviation, value(exact.min), value(exact.max)],
        adapter,
        plan,
        device_time,
    })
}

/// Of a word of 64 bits the integer.
fn number_of(dtype: &'static Dtype) -> fn(u64) -> i128 {
    match dtype.is_signed() {
        true => |word| word.cast_signed().into(),
        false => Into::into,
    }
}

fn write(header: &Header, found: Found, total: Duration, json: bool) -> Outcome {
    let Found { nans, numbers, shape, min, max, adapter, plan, device_time, .. } = found;
    let [mean, variance, sample_variance, standard_deviation] = numbers;
    let [skewness, kurtosis] = [0, 1].map(|of| shape.map(|shape| Number::of(shape[of])));
    let (dtype, len) = (header.dtype.name, header.len);
    let mut stdout = stdout();
    if json {
        let AdapterName { backend, name, driver } = adapter;
        let report = Report {
            dtype,
            len,
            nans,
            mean,
            variance,
            sample_variance,
            standard_deviation,
            skewness,
            kurtosis,
            min,
            max,
            adapter: Adapter { backend, name, driver },
            plan,
            device_ns: device_time.map(nanoseconds),
            total_ns: nanoseconds(total),
        };
        serde_json::to_writer(&mut stdout, &report).map_err(io::Error::from)?;
        writeln!(stdout)?;
        return Ok(stdout.flush()?);
    }
    for (name, number) in [
        ("mean", Some(mean)),
        ("variance", Some(variance)),
        ("sample variance", Some(sample_variance)),
        ("standard deviation", Some(standard_deviation)),
        ("skewness", skewness),
        ("kurtosis", kurtosis),
    ] {
        if let Some(Number { value, bits }) = number {
            writeln!(stdout, "{name:18}  {value} ({bits})")?;
        }
    }
    for (name, extremum) in [("min", min), ("max", max)] {
        match extremum {
            Some(Extremum { index, element, bits }) => {
                writeln!(stdout, "{name:18}  {index}: {element} ({bits})")?;
            }
            None => writeln!(stdout, "{name:18}  no value")?,
        }
    }
    write!(stdout, "of {len} {dtype}, of which {nans} are NaN, on {adapter}: {plan}, {total:.1?}")?;
    match device_time {
        Some(time) => writeln!(stdout, " of which {time:.1?} on the device")?,
        None => writeln!(stdout)?,
    }
    Ok(stdout.flush()?)
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// Of a histogram.
const BINS: u8 = 64;
/// Elements at a time.
const CHUNK: usize = 1 << 16;

/// Reads the file once more, or twice.
fn draw(file: &Path, is_bf16: bool, header: &Header, found: &Found) -> Result<String, Error> {
    let [mean, deviation, min, max] = found.marks;
    let mut range = [min, max];
    if !(min.is_finite() && max.is_finite()) {
        range = [f64::INFINITY, f64::NEG_INFINITY];
        each(file, is_bf16, header, |value| {
            range = [range[0].min(value), range[1].max(value)];
        })?;
    }
    let [begin, end] = range;
    let mut counts = vec![0u64; BINS.into()];
    // Halves, as the whole width may be too large for an f64.
    let width = end / 2.0 - begin / 2.0;
    each(file, is_bf16, header, |value| {
        let share = (value / 2.0 - begin / 2.0) / width;
        // Equal elements have no width: they are in the middle.
        let share = if share.is_nan() { 0.5 } else { share };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a bin")]
        let bin = (share * f64::from(BINS)) as usize;
        counts[bin.min(usize::from(BINS) - 1)] += 1;
    })?;
    let shown: u64 = counts.iter().sum();
    let marks = [
        ("min", min),
        ("mean − σ", mean - deviation),
        ("mean", mean),
        ("mean + σ", mean + deviation),
        ("max", max),
    ];
    let title = format!("{}", file.display());
    let subtitle = match header.len - shown {
        0 => format!("{} {}", header.len, header.dtype.name),
        others => {
            format!("{shown} of {} {}: {others} are not finite", header.len, header.dtype.name)
        }
    };
    let chart = Histogram {
        title: &title,
        subtitle: &subtitle,
        range,
        counts: if shown == 0 { Vec::new() } else { counts },
        marks: marks.map(|(name, value)| Mark { name: name.to_owned(), value }).into(),
    };
    Ok(chart.svg()?)
}

/// Calls `use_value` with each finite element of a file.
fn each(
    file: &Path,
    is_bf16: bool,
    header: &Header,
    mut use_value: impl FnMut(f64),
) -> Result<(), Error> {
    let mut opened = Opened::new(file, is_bf16)?;
    if opened.header().len != header.len || opened.header().dtype.name != header.dtype.name {
        return Err(Error::Changed { file: opened.name });
    }
    let dtype = header.dtype;
    let is_float = dtype.has_nans();
    let target = if is_float { &dtype.own } else { &dtype.wide };
    let number = number_of(dtype);
    // The order is no matter here.
    let mut words = vec![0u64; CHUNK];
    let size = target.element.size_bytes();
    let mut progress = Progress::new(header.data_bytes());
    let mut left = header.len;
    while left > 0 {
        let count = left.min(CHUNK as u64);
        left -= count;
        let bytes = usize::try_from(count * size).expect("a chunk's");
        let bytes = &mut bytemuck::cast_slice_mut(&mut words)[..bytes];
        progress.add(opened.fill(Some(target), bytes)?);
        match (is_float, target.element) {
            (true, ElementType::F64) => {
                let values: &[f64] = bytemuck::cast_slice(bytes);
                values.iter().copied().filter(|value| value.is_finite()).for_each(&mut use_value);
            }
            (true, _) => {
                let values: &[f32] = bytemuck::cast_slice(bytes);
                let finite = values.iter().filter(|value| value.is_finite());
                finite.for_each(|&value| use_value(value.into()));
            }
            (false, _) => {
                let values: &[u64] = bytemuck::cast_slice(bytes);
                values.iter().for_each(|&word| use_value(number(word) as f64));
            }
        }
    }
    Ok(())
}
