//! `gridfold difference`.

use crate::{
    Outcome,
    args::DifferenceArguments,
    arrays::{Array, Shape, descr_of},
    files::Opened,
    outputs::NewFile,
    progress::during,
};
use gridfold::{DifferenceElement, ElementType, Executor};
use std::io::{self, Write};

pub fn run(arguments: &DifferenceArguments) -> Outcome {
    let DifferenceArguments { file, dtype, out, adapter } = arguments;
    let array = Array::read(Opened::new(file, dtype.is_some())?)?;
    let executor = Executor::with_adapter(adapter)?;
    let (element, elements) = (array.dtype.own.element, array.elements());
    let bytes = elements.bytes();
    // Files have no others: narrow ones are widened.
    let differences = during("subtracting", || match element {
        ElementType::F64 => of::<f64>(&executor, bytes),
        ElementType::I32 => of::<i32>(&executor, bytes),
        ElementType::I64 => of::<i64>(&executor, bytes),
        ElementType::U32 => of::<u32>(&executor, bytes),
        ElementType::U64 => of::<u64>(&executor, bytes),
        _ => of::<f32>(&executor, bytes),
    })?;
    NewFile::write(("--out", out), descr_of(element), &Shape::of_len(array.len), &differences)?
        .name()?;
    let mut stdout = io::stdout().lock();
    let (len, dtype, adapter) = (array.len, array.dtype.name, executor.name());
    writeln!(stdout, "the differences of {len} {dtype}, to {element}, on {adapter}")?;
    Ok(stdout.flush()?)
}

fn of<T: DifferenceElement>(executor: &Executor, bytes: &[u8]) -> Result<Vec<u8>, gridfold::Error> {
    let differences = executor.adjacent_difference::<T>(bytemuck::cast_slice(bytes))?;
    Ok(bytemuck::pod_collect_to_vec(&differences))
}
