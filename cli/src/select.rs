//! `gridfold select`, `gridfold unique` and `gridfold run-lengths`: elements are copied as they are in the file, whatever they are.

use crate::{
    Outcome,
    args::{RunLengthsArguments, SelectArguments, UniqueArguments},
    arrays::{Array, NewFile, Shape, descr_of},
    error::Error,
    files::{Opened, check_lengths, is_standard_input},
    progress::during,
};
use gridfold::{Bool, Element, ElementType, Executor};
use std::{
    io::{self, Write},
    path::Path,
};

/// What a call does with a file's elements.
enum Kept<'a> {
    Flagged(&'a Mask),
    Unique,
    RunLengths,
}

/// As a file has it.
pub enum Mask {
    Words(Vec<u32>),
    Bytes(Vec<Bool>),
}

/// Elements as bytes, and of runs their lengths.
type Found = (Vec<u8>, Vec<u64>);

pub fn select(arguments: &SelectArguments) -> Outcome {
    let SelectArguments { file, mask, predicate, positions, out, adapter } = arguments;
    match (mask, predicate) {
        (Some(mask), _) => {
            if is_standard_input(file) && is_standard_input(mask) {
                return Err(Error::StandardInputTwice);
            }
            let (file, mask) = (Opened::new(file, false)?, Opened::new(mask, false)?);
            check_lengths(&file, &mask)?;
            let (array, mask) = (Array::read(file)?, mask_of(Array::read(mask)?)?);
            let executor = Executor::with_adapter(adapter)?;
            if *positions {
                let places = during("selecting", || match mask {
                    Mask::Words(mask) => executor.positions(&mask),
                    Mask::Bytes(mask) => executor.positions(&mask),
                })?;
                return write_positions(out, &array, &places, &executor);
            }
            let (bytes, _) =
                during("selecting", || found(&executor, &array, &Kept::Flagged(&mask)))?;
            write_selected(out, &array, &bytes, &executor)
        }
        (None, predicate) => {
            let array = Array::read(Opened::new(file, false)?)?;
            let executor = Executor::with_adapter(adapter)?;
            let predicate = predicate.as_deref().unwrap_or("true");
            let places = during("selecting", || places_if(&executor, &array, predicate))?;
            if *positions {
                return write_positions(out, &array, &places, &executor);
            }
            // As they are in the file.
            let size = usize::try_from(array.dtype.bytes).expect("a few");
            let mut bytes = Vec::with_capacity(places.len() * size);
            for place in places {
                let begin = usize::try_from(place).expect("it is in memory") * size;
                bytes.extend_from_slice(&array.bytes[begin..begin + size]);
            }
            write_selected(out, &array, &bytes, &executor)
        }
    }
}

/// Where an expression over the elements, widened, is true.
fn places_if(executor: &Executor, array: &Array, predicate: &str) -> Result<Vec<u64>, Error> {
    let elements = array.elements();
    let bytes = elements.bytes();
    let places = match array.dtype.own.element {
        ElementType::F32 => executor.positions_if::<f32>(bytemuck::cast_slice(bytes), predicate),
        ElementType::I32 => executor.positions_if::<i32>(bytemuck::cast_slice(bytes), predicate),
        ElementType::U32 => executor.positions_if::<u32>(bytemuck::cast_slice(bytes), predicate),
        _ => return Err(Error::NoPredicate { file: array.name.clone(), dtype: array.dtype.name }),
    };
    places.map_err(|error| match error {
        gridfold::Error::Wgsl(source) => Error::Expression { option: "--where", source },
        error => error.into(),
    })
}

fn write_selected(out: &Path, array: &Array, bytes: &[u8], executor: &Executor) -> Outcome {
    let len = bytes.len() as u64 / array.dtype.bytes;
    NewFile::write(out, &array.descr(), &Shape::of_len(len), bytes)?.name()?;
    tell(array, &format!("{len} selected"), executor)
}

fn write_positions(out: &Path, array: &Array, places: &[u64], executor: &Executor) -> Outcome {
    let len = places.len() as u64;
    let bytes = bytemuck::cast_slice(places);
    NewFile::write(out, descr_of(ElementType::U64), &Shape::of_len(len), bytes)?.name()?;
    tell(array, &format!("{len} positions"), executor)
}

pub fn unique(arguments: &UniqueArguments) -> Outcome {
    let UniqueArguments { file, out, adapter } = arguments;
    let array = Array::read(Opened::new(file, false)?)?;
    let executor = Executor::with_adapter(adapter)?;
    let (bytes, _) = during("finding runs", || found(&executor, &array, &Kept::Unique))?;
    let len = bytes.len() as u64 / array.dtype.bytes;
    NewFile::write(out, &array.descr(), &Shape::of_len(len), &bytes)?.name()?;
    tell(&array, &format!("{len} unlike the one before"), &executor)
}

pub fn run_lengths(arguments: &RunLengthsArguments) -> Outcome {
    let RunLengthsArguments { file, out, lengths: lengths_out, adapter } = arguments;
    if out == lengths_out {
        return Err(Error::OneOutput { file: out.display().to_string() });
    }
    let array = Array::read(Opened::new(file, false)?)?;
    let executor = Executor::with_adapter(adapter)?;
    let (bytes, lengths) = during("finding runs", || found(&executor, &array, &Kept::RunLengths))?;
    let runs = lengths.len() as u64;
    // Both are whole before one has its name.
    let values = NewFile::write(out, &array.descr(), &Shape::of_len(runs), &bytes)?;
    let lengths = bytemuck::cast_slice(&lengths);
    let lengths =
        NewFile::write(lengths_out, descr_of(ElementType::U64), &Shape::of_len(runs), lengths)?;
    values.name()?;
    lengths.name()?;
    tell(&array, &format!("{runs} runs"), &executor)
}

pub fn mask_of(array: Array) -> Result<Mask, Error> {
    match array.dtype.name {
        "bool" | "uint8" | "int8" => {
            Ok(Mask::Bytes(array.bytes.into_iter().map(Bool::from_byte).collect()))
        }
        // Whatever their order of bytes is.
        "uint32" | "int32" => Ok(Mask::Words(bytemuck::pod_collect_to_vec(&array.bytes))),
        dtype => Err(Error::NoMask { file: array.name, dtype }),
    }
}

/// Elements of less than a word are widened to one: devices copy words.
fn found(executor: &Executor, array: &Array, kept: &Kept<'_>) -> Result<Found, Error> {
    let bytes = &array.bytes;
    let size = usize::try_from(array.dtype.bytes).expect("a few");
    match size {
        4 => found_of::<u32>(executor, &bytemuck::pod_collect_to_vec(bytes), kept),
        8 => found_of::<u64>(executor, &bytemuck::pod_collect_to_vec(bytes), kept),
        _ => {
            let widened = bytes.chunks_exact(size).map(|bytes| {
                bytes.iter().rev().fold(0, |word, &byte| (word << 8) | u32::from(byte))
            });
            let words: Vec<u32> = widened.collect();
            let (found, lengths) = found_of::<u32>(executor, &words, kept)?;
            let words: Vec<u32> = bytemuck::pod_collect_to_vec(&found);
            let narrowed = words.iter().flat_map(|word| word.to_le_bytes().into_iter().take(size));
            Ok((narrowed.collect(), lengths))
        }
    }
}

fn found_of<T: Element>(
    executor: &Executor,
    elements: &[T],
    kept: &Kept<'_>,
) -> Result<Found, Error> {
    let (found, lengths) = match kept {
        Kept::Flagged(Mask::Words(mask)) => (executor.select(elements, mask)?, Vec::new()),
        Kept::Flagged(Mask::Bytes(mask)) => (executor.select(elements, mask)?, Vec::new()),
        Kept::Unique => (executor.unique(elements)?, Vec::new()),
        Kept::RunLengths => executor.run_lengths(elements)?,
    };
    Ok((bytemuck::pod_collect_to_vec(&found), lengths))
}

fn tell(array: &Array, what: &str, executor: &Executor) -> Outcome {
    let mut stdout = io::stdout().lock();
    let (len, dtype, adapter) = (array.len, array.dtype.name, executor.name());
    writeln!(stdout, "{what}, of {len} {dtype}, on {adapter}")?;
    Ok(stdout.flush()?)
}
