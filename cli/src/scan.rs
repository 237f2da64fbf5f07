//! `gridfold scan`.

use crate::{
    Outcome,
    args::ScanArguments,
    arrays::{Shape, descr_of},
    chunks::{CHUNK, Chunks},
    dtype::DTYPES,
    error::Error,
    files::Opened,
    operators::{OFFERED, by_nan_rule, bytes_in_file, defined, type_in_file},
    outputs::Writing,
    stdout,
};
use gridfold::{DynOperator, DynPartial, ElementType, Executor, OperatorType};
use std::{io::Write, sync::LazyLock};

/// The elements on their way in, and as many results on their way out.
struct Stream {
    chunks: Chunks,
    out: Writing,
}

/// A scan that there is.
#[derive(Clone, Copy)]
struct Scanned {
    by: DynOperator,
    /// The type of results in a file.
    out: ElementType,
}

/// What --op takes.
pub static SCANNED: LazyLock<Vec<OperatorType>> = LazyLock::new(|| {
    let is_scanned = |&op: &OperatorType| {
        DTYPES.iter().any(|dtype| Scanned::of(op, false, dtype.own.element).is_some())
    };
    OFFERED.iter().copied().filter(is_scanned).collect()
});

impl Scanned {
    fn of(op: OperatorType, wide: bool, element: ElementType) -> Option<Self> {
        let by = defined(scanned_by(op, wide), element).filter(|by| by.spec().scans())?;
        let (out, numbers) = type_in_file(by)?;
        (numbers == 1).then_some(Self { by, out })
    }

    /// Chunk by chunk, each after all elements before it.
    fn run(self, executor: &Executor, is_exclusive: bool, stream: &mut Stream) -> Outcome {
        let Self { by, .. } = self;
        let Stream { chunks, out } = stream;
        let len = chunks.file.header().len;
        let mut before: Option<DynPartial> = None;
        while chunks.next()? {
            let (begin, elements, count) = (chunks.begin(), chunks.bytes(), chunks.len() as u64);
            let scan = || by.scan(executor, !is_exclusive, before.as_ref(), elements);
            // Nothing goes on from the last chunk. Side by side, so that a driver compiles the kernels of both at once.
            let goes_on = begin + count < len;
            let part = || goes_on.then(|| by.reduce_part(executor, elements, begin)).transpose();
            let (results, part) = rayon::join(scan, part);
            let results = results?;
            let has_value = |index| results.has_value(index);
            out.add(&bytes_in_file(by, results.words(), has_value)?)?;
            if let Some(part) = part? {
                before = Some(match before {
                    None => part,
                    Some(before) => before.merge(&part).map_err(gridfold::Error::from)?,
                });
            }
        }
        Ok(())
    }
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
    if op.without_options() == OperatorType::Variance && op.nan_rule() == gridfold::NanRule::Ignore
    {
        return Err(Error::ExactAlone { file: file.name, operator: arguments.op });
    }
    let element = dtype.own.element;
    // What is there without it is not refused for itself.
    if wide && Scanned::of(op, false, element).is_some() && !is_widened(op, element) {
        return Err(Error::NotWide { operator: op, dtype: dtype.name });
    }
    let wide = wide && is_widened(op, element);
    let scan = Scanned::of(op, wide, element).ok_or_else(|| {
        let defined = SCANNED.iter().filter(|&&op| Scanned::of(op, wide, element).is_some());
        Error::NotScanned {
            file: file.name.clone(),
            operator: scanned_by(op, wide),
            dtype: dtype.name,
            defined: defined.map(|op| op.name()).collect(),
        }
    })?;
    let executor = Executor::with_adapter(&arguments.adapter)?;
    let shape = Shape::of_len(len);
    let out = Writing::array(("--out", &arguments.out), descr_of(scan.out), &shape)?;
    let mut stream = Stream { chunks: Chunks::new(file, Some(&dtype.own), CHUNK)?, out };
    scan.run(&executor, exclusive, &mut stream)?;
    let Stream { chunks, out } = stream;
    out.end()?.name()?;
    // With its bar, before anything is printed.
    drop(chunks);
    let mut stdout = stdout();
    let kind = if exclusive { "exclusive" } else { "inclusive" };
    writeln!(
        stdout,
        "the {kind} scan by {} of {len} {}, to {}, on {}",
        scan.by.spec().name(),
        dtype.name,
        scan.out,
        executor.name()
    )?;
    Ok(stdout.flush()?)
}

/// Whether there are results of more bits.
fn is_widened(op: OperatorType, element: ElementType) -> bool {
    scanned_by(op, true) != op && Scanned::of(op, true, element).is_some()
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
        scan: Scanned,
        is_exclusive: bool,
        elements: &[u8],
        chunk: usize,
        out: &Path,
    ) -> Vec<u8> {
        let dtype = DTYPES.iter().find(|dtype| dtype.element() == scan.by.spec().element);
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
        let out_file = Writing::array(("--out", out), descr_of(scan.out), &shape);
        let out_file = out_file.expect("a temporary file");
        let chunks = Chunks::new(file, Some(&dtype.own), chunk).expect("there is memory");
        let mut stream = Stream { chunks, out: out_file };
        scan.run(&Executor::cpu(), is_exclusive, &mut stream).expect("the CPU has no errors");
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
        let elements = [ElementType::F32, ElementType::F64, ElementType::I32, ElementType::I64]
            .into_iter()
            .chain([ElementType::U32, ElementType::U64]);
        let all = OperatorType::ALL.iter().flat_map(|&op| {
            elements.clone().filter_map(move |element| Scanned::of(op, false, element))
        });
        let all: Vec<Scanned> = all.collect();
        // Sums have scans of each type, and so on.
        assert!(all.len() > 100, "only {} scans", all.len());
        for scan in all {
            #[expect(clippy::cast_possible_truncation, reason = "any float32 will do")]
            let elements: Vec<u8> = match scan.by.spec().element {
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
                let whole = written(scan, is_exclusive, &elements, 1000, &out);
                for chunk in [7, 64, 150] {
                    let found = written(scan, is_exclusive, &elements, chunk, &out);
                    assert_eq!(found, whole, "{:?}", scan.by);
                }
            }
        }
    }
}
