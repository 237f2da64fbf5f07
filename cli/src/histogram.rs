//! `gridfold histogram`: how many elements of a file each bin has.

use crate::{
    Outcome,
    args::GivenDtype,
    arrays::{Array, Shape, descr_of},
    chunks::{CHUNK, Chunks},
    dtype::{Dtype, Target},
    error::Error,
    files::{Opened, Repeated, check_shapes, is_standard_input},
    memory::{collected, is_room},
    outputs::{NewFile, are_one_file},
    progress::Progress,
    segments::{Sums, sums},
    stdout,
};
use charts::ColumnChart;
use clap::Args;
use gridfold::{
    AdapterName, Binned, Bins, Bool, ElementType, Executor, HistogramError, Max, Min, Operator,
};
use serde::Serialize;
use std::{
    io::{self, Write},
    path::PathBuf,
};

#[derive(Debug, Args)]
#[command(after_help = JSON)]
pub struct HistogramArguments {
    /// A file as `gridfold reduce` takes it. It is read in chunks.
    pub file: PathBuf,
    /// What the elements are, if the file does not say: bf16, as which two bytes or uint16s are read. Of edges and weights it says nothing.
    #[arg(long, value_enum)]
    pub dtype: Option<GivenDtype>,
    /// How many bins of equal width. Their edges are those of numpy.histogram for float64s. Of integers beyond 2^53, which float64s can't tell
    /// apart, they are integers: the least that are not below the true edges.
    #[arg(
        long,
        value_name = "N",
        value_parser = bins,
        required_unless_present = "edges",
        allow_negative_numbers = true
    )]
    pub bins: Option<u64>,
    /// From where to where, as 0:1. The last bin has the upper end, too. Without, the least and the largest of the elements that are finite.
    #[arg(long, value_name = "LOW:HIGH", value_parser = range, allow_hyphen_values = true, requires = "bins")]
    pub range: Option<Range>,
    /// A file of ascending numbers, one more than there are bins, in place of --bins.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["bins", "range"])]
    pub edges: Option<PathBuf>,
    /// A file of as many numbers: the sum of those of a bin's elements takes the place of their count. Sums of integers have 64 bits. Those of
    /// floats have the fixed order of `gridfold reduce`.
    #[arg(long, value_name = "FILE", conflicts_with = "svg")]
    pub weights: Option<PathBuf>,
    /// The file of counts to write: uint64s, or of sums of weights. It is written beside, and renamed once it is whole. Without, each bin is a line.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Draw the counts into an SVG file. It is written beside, too, and both get their names once both are whole.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
    /// auto (for files that is the CPU), cpu, an index from `gridfold adapters`, or a part of backend/name/driver that matches exactly one,
    /// such as vulkan/llvmpipe. OpenGL's adapter of a device that another backend has, too, is
    /// meant by gl/... alone.
    #[arg(long, default_value = "auto")]
    pub adapter: String,
}

const JSON: &str = "Elements outside of all bins, and NaNs, are in none. Elements and edges are compared as the numbers that they are.\n\n\
     The JSON object:\n  \
     dtype (NumPy's name of the file's element type, or bfloat16), len,\n  \
     edges (an array of strings: the shortest decimals that read back to the same float64s), counts (an array of one less),\n  \
     sums (of weights, where there are some: an array of strings; of floats the shortest decimals that read back to the same),\n  \
     outside (elements that are in no bin), adapter (an object of backend, name and driver; the name is cpu for the CPU)";

/// What a bin takes, and somewhat more: edges, counts and sums of weights, as numbers and as text.
const BYTES_OF_BIN: u64 = 320;

/// From where to where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    low: f64,
    high: f64,
    /// Both ends, if they are written as integers.
    integers: Option<(i128, i128)>,
}

impl Range {
    /// Both, as one.
    fn joined(self, other: Self) -> Self {
        // Where both are zeros, the negative one is less.
        let first = |a: f64, b: f64| if a.total_cmp(&b).is_le() { a } else { b };
        let integers = self.integers.zip(other.integers);
        Self {
            low: first(self.low, other.low),
            high: -first(-self.high, -other.high),
            integers: integers
                .map(|((low, high), (least, largest))| (low.min(least), high.max(largest))),
        }
    }
}

impl Default for Range {
    /// As NumPy has it where there are no elements.
    fn default() -> Self {
        Self { low: 0.0, high: 1.0, integers: None }
    }
}

fn bins(text: &str) -> Result<u64, &'static str> {
    text.parse().map_err(|_| "give a whole number from 1 on")
}

fn range(text: &str) -> Result<Range, String> {
    let numbers = text.split_once(':').and_then(|(low, high)| {
        let (low, high) = (low.trim(), high.trim());
        let integers = low.parse().ok().zip(high.parse().ok());
        Some(Range { low: low.parse().ok()?, high: high.parse().ok()?, integers })
    });
    numbers.ok_or_else(|| "give two numbers, as 0:1".to_owned())
}

/// The JSON object.
#[derive(Serialize)]
struct Report<'a> {
    dtype: &'static str,
    len: u64,
    edges: Vec<String>,
    counts: &'a [u64],
    #[serde(skip_serializing_if = "Option::is_none")]
    sums: Option<Vec<String>>,
    outside: u64,
    adapter: Adapter<'a>,
}

#[derive(Serialize)]
struct Adapter<'a> {
    backend: &'a str,
    name: &'a str,
    driver: &'a str,
}

pub fn run(arguments: &HistogramArguments) -> Outcome {
    let HistogramArguments { file, dtype, edges, weights, out, svg, json, adapter, .. } = arguments;
    if let (Some(out), Some(svg)) = (out, svg)
        && are_one_file(out, svg)
    {
        let (what, option) = ("counts and chart", "--svg");
        return Err(Error::OneOutput { what, file: out.display().to_string(), option });
    }
    let inputs = [Some(file), edges.as_ref(), weights.as_ref()].into_iter().flatten();
    if inputs.filter(|input| is_standard_input(input)).count() > 1 {
        return Err(Error::StandardInputTwice);
    }
    let path = file;
    let file = Opened::new(path, dtype.is_some())?;
    let weights = weights.as_ref().map(|weights| Opened::beside(weights)).transpose()?;
    if let Some(weights) = &weights {
        check_shapes(&file, weights)?;
    }
    let (name, header) = (file.name.clone(), file.header().clone());
    let executor = Executor::with_adapter(adapter)?;
    let kept_bytes = if file.is_read_once { header.data_bytes() } else { 0 };
    let mut progress = Progress::new(kept_bytes);
    let file = Repeated::new(file, path, dtype.is_some(), &mut progress)?;
    drop(progress);
    let Counted { bins, edges, counts, sums } =
        counted(header.dtype, (&executor, arguments), &file, weights)?;
    // As the executor does it.
    let is_auto = adapter.trim().eq_ignore_ascii_case("auto");
    let adapter = if is_auto { AdapterName::cpu() } else { executor.name() };
    let (len, dtype) = (header.len, header.dtype.name);
    let outside = len - counts.iter().sum::<u64>();
    let told = format!("{len} {dtype} in {} bins, {outside} in none, on {adapter}", bins.len());
    let numbers = out.as_ref().map(|out| {
        let (element, bytes) = match &sums {
            Some(Sums { element, bytes, .. }) => (*element, &bytes[..]),
            None => (ElementType::U64, bytemuck::cast_slice(&counts)),
        };
        NewFile::write(("--out", out), descr_of(element), &Shape::of_len(bins.len()), bytes)
    });
    let chart = svg.as_ref().map(|svg| {
        let title = &name;
        let places = bins.edge_values();
        let chart = ColumnChart { title, subtitle: &told, edges: &places, counts: &counts };
        NewFile::chart(svg, &chart.svg().map_err(gridfold_ladder::Error::from)?)
    });
    // Both are whole before one has its name.
    let written = [numbers.transpose()?, chart.transpose()?];
    written.into_iter().flatten().try_for_each(NewFile::name)?;
    let mut stdout = stdout();
    if *json {
        let adapter =
            Adapter { backend: &adapter.backend, name: &adapter.name, driver: &adapter.driver };
        let text = |sums: &'_ Sums| -> Vec<String> {
            sums.values.iter().map(|sum| sum.decimal.clone()).collect()
        };
        let sums = sums.as_ref().map(text);
        let report = Report { dtype, len, edges, counts: &counts, sums, outside, adapter };
        serde_json::to_writer_pretty(&mut stdout, &report).map_err(io::Error::from)?;
        writeln!(stdout)?;
        return Ok(stdout.flush()?);
    }
    writeln!(stdout, "{told}")?;
    if out.is_some() {
        return Ok(stdout.flush()?);
    }
    let column: Vec<String> = match sums {
        Some(sums) => sums.values.into_iter().map(|sum| sum.decimal).collect(),
        None => counts.iter().map(u64::to_string).collect(),
    };
    for line in table(&edges, &column) {
        writeln!(stdout, "{line}")?;
    }
    Ok(stdout.flush()?)
}

/// The shortest decimal that reads back to the same number.
fn decimal(number: f64) -> String {
    let text = format!("{number:?}");
    text.strip_suffix(".0").unwrap_or(&text).to_owned()
}

/// A line for each bin: its ends, and how many elements it has, or what their weights come to.
fn table(ends: &[String], column: &[String]) -> impl Iterator<Item = String> {
    let width = ends.iter().map(String::len).max().unwrap_or(0);
    let digits = column.iter().map(String::len).max().unwrap_or(0);
    let line = move |(bin, count): (usize, &String)| {
        let close = if bin + 1 == column.len() { ']' } else { ')' };
        let (low, high) = (&ends[bin], &ends[bin + 1]);
        format!("[{low:>width$}, {high:>width$}{close} {count:>digits$}")
    };
    column.iter().enumerate().map(line)
}

/// The bins, how many elements each has, and the sums of their weights, where there are some.
struct Counted {
    bins: Bins,
    /// In text: integers exactly, others as the shortest decimals that read back to the same float64s.
    edges: Vec<String>,
    counts: Vec<u64>,
    sums: Option<Sums>,
}

fn counted(
    dtype: &'static Dtype,
    call: (&Executor, &HistogramArguments),
    file: &Repeated<'_>,
    weights: Option<Opened>,
) -> Result<Counted, Error> {
    let counted = match dtype.own.element {
        ElementType::F32 => counted_of::<f32>,
        ElementType::F64 => counted_of::<f64>,
        ElementType::I32 => counted_of::<i32>,
        ElementType::I64 => counted_of::<i64>,
        ElementType::U64 => counted_of::<u64>,
        _ => counted_of::<u32>,
    };
    counted(&dtype.own, call, file, weights)
}

fn counted_of<T: Number>(
    target: &'static Target,
    (executor, arguments): (&Executor, &HistogramArguments),
    file: &Repeated<'_>,
    weights: Option<Opened>,
) -> Result<Counted, Error>
where
    Min: Operator<T, Value = Option<T>>,
    Max: Operator<T, Value = Option<T>>,
{
    let chunks = || Chunks::new(file.open()?, Some(target), CHUNK);
    let check_room = |bins: u64| {
        let bytes = bins.saturating_mul(BYTES_OF_BIN).try_into().unwrap_or(usize::MAX);
        // The library says how many bins there can be.
        match bins > Bins::MAX || is_room(bytes) {
            true => Ok(()),
            false => Err(Error::Memory { what: "bins", bytes }),
        }
    };
    let (bins, edges) = match &arguments.edges {
        Some(edges) => {
            let edges = Array::read(Opened::beside(edges)?)?;
            check_room(edges.len)?;
            edges_of(&edges)?
        }
        None => {
            let range = match arguments.range {
                Some(range) => range,
                None => finite_range::<T>(executor, chunks()?)?,
            };
            let bins = arguments.bins.unwrap_or(0);
            check_room(bins)?;
            even_bins::<T>(bins, range)
        }
    }
    .map_err(gridfold::Error::from)?;
    let mut counts = executor.histogram::<T>(&[], &bins)?;
    let mut all = chunks()?;
    while all.next()? {
        let own = executor.histogram::<T>(bytemuck::cast_slice(all.bytes()), &bins)?;
        counts.iter_mut().zip(own).for_each(|(count, own)| *count += own);
    }
    let Some(weights) = weights else { return Ok(Counted { bins, edges, counts, sums: None }) };
    let mut ends = vec![0];
    ends.extend(counts.iter().scan(0, |end, count| {
        *end += count;
        Some(*end)
    }));
    let name = weights.name.clone();
    let mut all = chunks()?;
    let sums = sums(executor, weights, ends, &mut |numbers| {
        all.next()?;
        let found = executor.bin_numbers::<T>(bytemuck::cast_slice(all.bytes()), &bins)?;
        numbers.extend_from_slice(&found);
        Ok(())
    })?;
    let sums = sums.ok_or(Error::Changed { file: name })?;
    Ok(Counted { bins, edges, counts, sums: Some(sums) })
}

/// Bins, and their edges in text.
type Edges = Result<(Bins, Vec<String>), HistogramError>;

fn float_edges(bins: Bins) -> (Bins, Vec<String>) {
    let edges = bins.edge_values().into_iter().map(decimal).collect();
    (bins, edges)
}

fn integer_edges<T: Binned + ToString>(edges: &[T]) -> Edges {
    Ok((Bins::edges(edges)?, edges.iter().map(T::to_string).collect()))
}

fn edges_of(array: &Array) -> Result<Edges, Error> {
    let elements = array.elements()?;
    let bytes = elements.bytes();
    Ok(match array.dtype.own.element {
        ElementType::F32 => Bins::edges::<f32>(bytemuck::cast_slice(bytes)).map(float_edges),
        ElementType::F64 => Bins::edges::<f64>(bytemuck::cast_slice(bytes)).map(float_edges),
        ElementType::I32 => integer_edges::<i32>(bytemuck::cast_slice(bytes)),
        ElementType::I64 => integer_edges::<i64>(bytemuck::cast_slice(bytes)),
        ElementType::U64 => integer_edges::<u64>(bytemuck::cast_slice(bytes)),
        _ => integer_edges::<u32>(bytemuck::cast_slice(bytes)),
    })
}

/// Bins of equal width.
fn even_bins<T: Number>(count: u64, Range { low, high, integers }: Range) -> Edges {
    // As far as every integer is a float64.
    const EXACT: u128 = 1 << 53;
    let large = integers.filter(|(low, high)| low.unsigned_abs().max(high.unsigned_abs()) > EXACT);
    let edges = large.and_then(|(low, high)| T::edges_between(low, high, count));
    edges.unwrap_or_else(|| Bins::even(count, low..=high).map(float_edges))
}

/// From the least of the elements that are finite to the largest.
fn finite_range<T: Number>(executor: &Executor, mut chunks: Chunks) -> Result<Range, Error>
where
    Min: Operator<T, Value = Option<T>>,
    Max: Operator<T, Value = Option<T>>,
{
    let extremes = |elements: &[T]| -> Result<_, gridfold::Error> {
        let least = executor.reduce(elements, Min)?.value;
        Ok(least.zip(executor.reduce(elements, Max)?.value))
    };
    let mut range = None;
    while chunks.next()? {
        let elements: &[T] = bytemuck::cast_slice(chunks.bytes());
        let mut found = extremes(elements)?;
        if found.is_some_and(|(least, largest)| !least.is_finite() || !largest.is_finite()) {
            let mask = collected(elements.iter().map(|x| Bool::from(x.is_finite())), "flags")?;
            found = extremes(&executor.select(elements, &mask)?)?;
        }
        let found = found.map(|(least, largest)| T::range(least, largest));
        range = match (range, found) {
            (Some(range), Some(found)) => Some(Range::joined(range, found)),
            (range, found) => range.or(found),
        };
    }
    let range = range.unwrap_or_default();
    let Range { low, high, .. } = range;
    match (high - low).is_finite() {
        true => Ok(range),
        false => Err(Error::Spread { file: chunks.file.name.clone(), low, high }),
    }
}

/// An element of a file, once it is widened.
trait Number: Binned {
    fn is_finite(self) -> bool;

    /// From the least of elements to the largest.
    fn range(least: Self, largest: Self) -> Range;

    /// Edges of so many bins of equal width, if elements and both ends are integers of a type: each is the least integer that is not below the
    /// true edge, so it parts the same elements.
    fn edges_between(low: i128, high: i128, count: u64) -> Option<Edges>;
}

macro_rules! floats {
    ($($float:ident)*) => {$(
        impl Number for $float {
            fn is_finite(self) -> bool {
                self.is_finite()
            }
            fn range(least: Self, largest: Self) -> Range {
                Range { low: least.into(), high: largest.into(), integers: None }
            }
            fn edges_between(_: i128, _: i128, _: u64) -> Option<Edges> {
                None
            }
        }
    )*};
}

macro_rules! integers {
    ($($integer:ident)*) => {$(
        impl Number for $integer {
            fn is_finite(self) -> bool {
                true
            }
            fn range(least: Self, largest: Self) -> Range {
                let integers = Some((least.into(), largest.into()));
                Range { low: least as f64, high: largest as f64, integers }
            }
            fn edges_between(low: i128, high: i128, count: u64) -> Option<Edges> {
                if !(1..=Bins::MAX).contains(&count) {
                    return None;
                }
                let (first, last) = (Self::try_from(low).ok()?, Self::try_from(high).ok()?);
                let ends = (first as f64, last as f64);
                if first > last {
                    return Some(Err(HistogramError::Range { low: ends.0, high: ends.1 }));
                }
                let (width, bins) = (high - low, i128::from(count));
                if width < bins {
                    let (low, high) = ends;
                    return Some(Err(HistogramError::NarrowBins { bins: count, low, high }));
                }
                let edge = |number: i128| low + (number * width + bins - 1) / bins;
                let edges = (0..=bins).map(|number| Self::try_from(edge(number)));
                let edges: Vec<Self> = edges.collect::<Result<_, _>>().ok()?;
                Some(integer_edges(&edges))
            }
        }
    )*};
}

floats!(f32 f64);
integers!(i32 i64 u32 u64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_two_numbers() {
        let integers = Some((0, 1));
        assert_eq!(range("0:1"), Ok(Range { low: 0.0, high: 1.0, integers }));
        let integers = None;
        assert_eq!(range("-1.5: 2e3"), Ok(Range { low: -1.5, high: 2000.0, integers }));
        for text in ["", "1", "1:", ":1", "a:b", "1:2:3"] {
            assert!(range(text).is_err(), "{text}");
        }
    }

    #[test]
    fn large_integers_have_integers_between_bins() {
        let edges = |low, high, count| {
            let edges = i64::edges_between(low, high, count).expect("ends of the type");
            edges.map(|(_, edges)| edges.join(" "))
        };
        let low = 1_700_000_000_000_000_000;
        let found = edges(low, low + 400, 3).expect("a range");
        let wanted =
            "1700000000000000000 1700000000000000134 1700000000000000267 1700000000000000400";
        assert_eq!(found, wanted);
        let (least, largest) = (i64::MIN.into(), i64::MAX.into());
        assert_eq!(edges(least, largest, 2).expect("a range"), format!("{least} 0 {largest}"));
        assert_eq!(edges(low, low + 1, 1).expect("a range"), format!("{low} {}", low + 1));
        assert!(matches!(edges(low, low, 1), Err(HistogramError::NarrowBins { .. })));
        assert!(matches!(edges(low, low + 2, 3), Err(HistogramError::NarrowBins { .. })));
        assert!(matches!(edges(low + 1, low, 3), Err(HistogramError::Range { .. })));
        assert!(
            i64::edges_between(low, low << 8, 3).is_none() && i64::edges_between(0, 1, 0).is_none()
        );
    }
}
