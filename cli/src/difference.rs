//! `gridfold difference`.

use crate::{
    Outcome,
    args::DifferenceArguments,
    arrays::{Shape, descr_of},
    chunks::{CHUNK, Chunks},
    error::Error,
    files::Opened,
    outputs::Writing,
    stdout,
};
use gridfold::{DifferenceElement, ElementType, Executor};
use std::io::Write;

pub fn run(arguments: &DifferenceArguments) -> Outcome {
    let DifferenceArguments { file, dtype, out, adapter } = arguments;
    let file = Opened::new(file, dtype.is_some())?;
    let (len, dtype) = (file.header().len, file.header().dtype);
    let element = dtype.own.element;
    let executor = Executor::with_adapter(adapter)?;
    let mut out = Writing::array(("--out", out), descr_of(element), &Shape::of_len(len))?;
    let mut chunks = Chunks::new(file, Some(&dtype.own), CHUNK)?;
    // Files have no others: narrow ones are widened.
    let write = match element {
        ElementType::F64 => write::<f64>,
        ElementType::I32 => write::<i32>,
        ElementType::I64 => write::<i64>,
        ElementType::U32 => write::<u32>,
        ElementType::U64 => write::<u64>,
        _ => write::<f32>,
    };
    write(&executor, &mut chunks, &mut out)?;
    out.end()?.name()?;
    // With its bar, before anything is printed.
    drop(chunks);
    let mut stdout = stdout();
    let (dtype, adapter) = (dtype.name, executor.name());
    writeln!(stdout, "the differences of {len} {dtype}, to {element}, on {adapter}")?;
    Ok(stdout.flush()?)
}

fn write<T: DifferenceElement>(
    executor: &Executor,
    chunks: &mut Chunks,
    out: &mut Writing,
) -> Result<(), Error> {
    while chunks.next()? {
        let elements: &[T] = bytemuck::cast_slice(chunks.bytes_from_last());
        let differences = executor.adjacent_difference(elements)?;
        // The one before was written.
        let known = differences.len() - chunks.len();
        out.add(bytemuck::cast_slice(&differences[known..]))?;
    }
    Ok(())
}
