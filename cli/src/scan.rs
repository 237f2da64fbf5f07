//! `gridfold scan`.

use crate::{
    Outcome,
    args::ScanArguments,
    arrays::{Shape, descr_of},
    chunks::{CHUNK, Chunks},
    error::Error,
    files::Opened,
    memory::{collected, reserve},
    operators::{OFFERED, by_nan_rule},
    outputs::Writing,
    stdout,
};
use gridfold::{
    All, Any, ArgMax, ArgMaxLast, ArgMin, ArgMinLast, BitAnd, BitOr, BitXor, Count, CountNan,
    Element, ElementType, Executor, L1Norm, Max, MaxAbs, Mean, Min, NanArgMax, NanArgMaxLast,
    NanArgMin, NanArgMinLast, NanMax, NanMean, NanMin, NanSum, Norm, Operator, OperatorType,
    Partial, Place, Product, ProductWide, SampleVariance, Scan, Sum, SumOfSquares, SumWide,
    TotalArgMax, TotalArgMaxLast, TotalArgMin, TotalArgMinLast, TotalMax, TotalMin, Variance,
};
use std::{borrow::Cow, io::Write, sync::LazyLock};

/// The elements on their way in, and as many results on their way out.
struct Stream {
    chunks: Chunks,
    out: Writing,
}

/// Scans all elements; exclusively, if so.
type Run = fn(&Executor, bool, &mut Stream) -> Outcome;

/// A scan that there is.
struct Entry {
    operator: OperatorType,
    element: ElementType,
    out: ElementType,
    run: Run,
}

macro_rules! entries {
    ($($kind:ident $operator:ident: $($element:ident)*;)*) => {
        &[$($($kind::<$element, $operator>(OperatorType::$operator),)*)*]
    };
}

const ENTRIES: &[Entry] = entries! {
    number Sum: f32 f64 i32 i64 u32 u64;
    number Product: f32 f64 i32 i64 u32 u64;
    number SumWide: i32 i64 u32 u64;
    number ProductWide: i32 i64 u32 u64;
    number Min: f32 f64 i32 i64 u32 u64;
    number NanMin: f32 f64;
    number TotalMin: f32 f64;
    number Max: f32 f64 i32 i64 u32 u64;
    number NanMax: f32 f64;
    number TotalMax: f32 f64;
    number MaxAbs: f32 f64 i32 i64 u32 u64;
    number Count: f32 f64 i32 i64 u32 u64;
    number CountNan: f32 f64;
    flag Any: f32 f64 i32 i64 u32 u64;
    flag All: f32 f64 i32 i64 u32 u64;
    number NanSum: f32 f64;
    number NanMean: f32 f64;
    number Mean: f32 f64;
    number SumOfSquares: f32 f64;
    number Norm: f32 f64;
    number L1Norm: f32 f64;
    number Variance: f32 f64;
    number SampleVariance: f32 f64;
    place ArgMin: f32 f64 i32 i64 u32 u64;
    place NanArgMin: f32 f64;
    place TotalArgMin: f32 f64;
    place ArgMax: f32 f64 i32 i64 u32 u64;
    place NanArgMax: f32 f64;
    place TotalArgMax: f32 f64;
    place ArgMinLast: f32 f64 i32 i64 u32 u64;
    place NanArgMinLast: f32 f64;
    place TotalArgMinLast: f32 f64;
    place ArgMaxLast: f32 f64 i32 i64 u32 u64;
    place NanArgMaxLast: f32 f64;
    place TotalArgMaxLast: f32 f64;
    number BitAnd: i32 i64 u32 u64;
    number BitOr: i32 i64 u32 u64;
    number BitXor: i32 i64 u32 u64;
};

/// What --op takes.
pub static SCANNED: LazyLock<Vec<OperatorType>> = LazyLock::new(|| {
    let is_scanned = |op: &OperatorType| ENTRIES.iter().any(|entry| entry.operator == *op);
    OFFERED.iter().copied().filter(is_scanned).collect()
});

const fn number<T: Element, Op: Operator<T>>(operator: OperatorType) -> Entry
where
    Op::Out: Element,
{
    let run: Run = |executor, is_exclusive, stream| {
        scan::<T, Op>(executor, is_exclusive, stream, |results, _| {
            Ok(Cow::Borrowed(bytemuck::cast_slice(results)))
        })
    };
    Entry { operator, element: T::TYPE, out: <Op::Out as Element>::TYPE, run }
}

/// What is a number on devices, and true or false in a file.
const fn flag<T: Element, Op: Operator<T, Out = u64>>(operator: OperatorType) -> Entry {
    let run: Run = |executor, is_exclusive, stream| {
        scan::<T, Op>(executor, is_exclusive, stream, |flags, _| {
            let flags = flags.iter().map(|&flag| u8::from(flag != 0));
            Ok(Cow::Owned(collected(flags, "flags")?))
        })
    };
    Entry { operator, element: T::TYPE, out: ElementType::Bool, run }
}

/// Where elements are: a number as NumPy indexes by, and -1 where there is no element.
const fn place<T: Element, Op: Operator<T, Value = Option<Place<T>>>>(
    operator: OperatorType,
) -> Entry {
    let run: Run = |executor, is_exclusive, stream| {
        scan::<T, Op>(executor, is_exclusive, stream, |results, begin| {
            let index = |place: Place<T>| i64::try_from(place.index).unwrap_or(i64::MAX);
            let lens = begin + u64::from(!is_exclusive)..;
            let places = results.iter().zip(lens).map(|(&result, len)| Op::value(result, len));
            let mut bytes = Vec::new();
            reserve(&mut bytes, results.len() * size_of::<i64>(), "places")?;
            for place in places {
                bytes.extend(place.map_or(-1, index).to_ne_bytes());
            }
            Ok(Cow::Owned(bytes))
        })
    };
    Entry { operator, element: T::TYPE, out: ElementType::I64, run }
}

/// Chunk by chunk, each after all elements before it. `bytes` makes of results, of which the first is at a place, those of a file.
fn scan<T: Element, Op: Operator<T>>(
    executor: &Executor,
    is_exclusive: bool,
    stream: &mut Stream,
    bytes: impl Fn(&[Op::Out], u64) -> Result<Cow<'_, [u8]>, Error>,
) -> Outcome {
    let scan = kind(is_exclusive);
    let Stream { chunks, out } = stream;
    let len = chunks.file.header().len;
    let mut before: Option<Partial<T, Op>> = None;
    while chunks.next()? {
        let (begin, elements) = (chunks.begin(), bytemuck::cast_slice::<u8, T>(chunks.bytes()));
        let results = match &before {
            None => executor.scan::<T, Op>(scan, elements)?,
            Some(before) => executor.scan_after(scan, before, elements)?,
        };
        out.add(&bytes(&results, begin)?)?;
        // The last part nothing goes on from.
        if begin + (elements.len() as u64) < len {
            let part = executor.reduce_part(elements, begin)?;
            before = Some(match before {
                None => part,
                Some(before) => before.merge(&part).map_err(gridfold::Error::from)?,
            });
        }
    }
    Ok(())
}

const fn kind<T: Copy>(is_exclusive: bool) -> Scan<T> {
    if is_exclusive { Scan::exclusive() } else { Scan::inclusive() }
}

pub fn run(arguments: &ScanArguments) -> Outcome {
    let &ScanArguments { mut op, exclusive, wide, nan, .. } = arguments;
    let file = Opened::new(&arguments.file, arguments.dtype.is_some())?;
    let (dtype, len) = (file.header().dtype, file.header().len);
    // Of others there are no NaNs to have a rule for.
    if dtype.has_nans() {
        let refused = Error::NanRule { operator: op, takes_where: false };
        op = by_nan_rule(op, nan).ok_or(refused)?;
    }
    if let OperatorType::NanVariance | OperatorType::NanSampleVariance = op {
        return Err(Error::ExactAlone { file: file.name, operator: arguments.op });
    }
    let element = dtype.own.element;
    // What is there without it is not refused for itself.
    if wide && entry_of(op, false, element).is_some() && !is_widened(op, element) {
        return Err(Error::NotWide { operator: op, dtype: dtype.name });
    }
    let wide = wide && is_widened(op, element);
    let entry = entry_of(op, wide, element).ok_or_else(|| {
        let defined = SCANNED.iter().filter(|&&op| entry_of(op, wide, element).is_some());
        Error::NotScanned {
            file: file.name.clone(),
            operator: scanned_by(op, wide),
            dtype: dtype.name,
            defined: defined.map(|op| op.name()).collect(),
        }
    })?;
    let executor = Executor::with_adapter(&arguments.adapter)?;
    let shape = Shape::of_len(len);
    let out = Writing::array(("--out", &arguments.out), descr_of(entry.out), &shape)?;
    let mut stream = Stream { chunks: Chunks::new(file, Some(&dtype.own), CHUNK)?, out };
    (entry.run)(&executor, exclusive, &mut stream)?;
    let Stream { chunks, out } = stream;
    out.end()?.name()?;
    // With its bar, before anything is printed.
    drop(chunks);
    let mut stdout = stdout();
    let kind = if exclusive { "exclusive" } else { "inclusive" };
    writeln!(
        stdout,
        "the {kind} scan by {} of {len} {}, to {}, on {}",
        entry.operator.name(),
        dtype.name,
        entry.out,
        executor.name()
    )?;
    Ok(stdout.flush()?)
}

fn entry_of(op: OperatorType, wide: bool, element: ElementType) -> Option<&'static Entry> {
    let operator = scanned_by(op, wide);
    ENTRIES.iter().find(|entry| entry.operator == operator && entry.element == element)
}

/// Whether there are results of more bits.
fn is_widened(op: OperatorType, element: ElementType) -> bool {
    scanned_by(op, true) != op && entry_of(op, true, element).is_some()
}

fn scanned_by(op: OperatorType, wide: bool) -> OperatorType {
    match (op, wide) {
        (OperatorType::Sum, true) => OperatorType::SumWide,
        (OperatorType::Product, true) => OperatorType::ProductWide,
        (op, _) => op,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        dtype::DTYPES,
        npy::{Elements, Header},
    };
    use std::{fs, io, path::Path};

    /// What is written of elements, so many at a time.
    fn written(
        entry: &Entry,
        is_exclusive: bool,
        elements: &[u8],
        chunk: usize,
        out: &Path,
    ) -> Vec<u8> {
        let dtype = DTYPES.iter().find(|dtype| dtype.element() == entry.element);
        let dtype = dtype.expect("files have it");
        let len = elements.len() as u64 / dtype.bytes;
        let header = Header {
            dtype,
            code: dtype.code,
            is_big_endian: cfg!(target_endian = "big"),
            bytes: 0,
            len,
            sizes: vec![len],
            is_fortran: false,
            fortran_shape: None,
        };
        let reader: Box<dyn io::Read> = Box::new(io::Cursor::new(elements.to_vec()));
        let file = Opened {
            name: "elements".to_owned(),
            elements: Elements::new(reader, header, None),
            is_read_once: true,
        };
        let shape = Shape::of_len(len);
        let out_file = Writing::array(("--out", out), descr_of(entry.out), &shape);
        let out_file = out_file.expect("a temporary file");
        let chunks = Chunks::new(file, Some(&dtype.own), chunk).expect("there is memory");
        let mut stream = Stream { chunks, out: out_file };
        (entry.run)(&Executor::cpu(), is_exclusive, &mut stream).expect("the CPU has no errors");
        stream.out.end().expect("it is whole").name().expect("it has a name");
        fs::read(out).expect("it is there")
    }

    /// Wherever a file is cut into chunks.
    #[test]
    fn chunks_are_no_matter() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let out = folder.path().join("out.npy");
        let mut random = fastrand::Rng::with_seed(1);
        let numbers: Vec<i8> = (0..150).map(|_| random.i8(..)).collect();
        let float = |&number: &i8| if number == 7 { f64::NAN } else { f64::from(number) / 3.0 };
        for entry in ENTRIES {
            #[expect(clippy::cast_possible_truncation, reason = "any float32 will do")]
            let elements: Vec<u8> = match entry.element {
                ElementType::F32 => {
                    numbers.iter().flat_map(|n| (float(n) as f32).to_ne_bytes()).collect()
                }
                ElementType::F64 => numbers.iter().flat_map(|n| float(n).to_ne_bytes()).collect(),
                ElementType::I32 | ElementType::U32 => {
                    numbers.iter().flat_map(|&n| i32::from(n).to_ne_bytes()).collect()
                }
                _ => numbers.iter().flat_map(|&n| i64::from(n).to_ne_bytes()).collect(),
            };
            for is_exclusive in [false, true] {
                let whole = written(entry, is_exclusive, &elements, 1000, &out);
                for chunk in [7, 64, 150] {
                    let found = written(entry, is_exclusive, &elements, chunk, &out);
                    assert_eq!(found, whole, "{} of {}", entry.operator, entry.element);
                }
            }
        }
    }
}
