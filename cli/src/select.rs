//! `gridfold select`, `gridfold partition`, `gridfold unique` and `gridfold run-lengths`: elements are copied as they are in the file, whatever they are.

use crate::{
    Outcome,
    args::{PartitionArguments, RunLengthsArguments, SelectArguments, UniqueArguments, Which},
    arrays::{Array, Shape, descr_of},
    error::Error,
    files::{Opened, check_shapes, is_standard_input},
    mapped::{check_parameters, parameters_of},
    outputs::{NewFile, are_one_file},
    progress::during,
};
use gridfold::{Bool, Element, ElementType, Executor, Predicate, WgslError, WideElement};
use std::{
    io::{self, Write},
    path::Path,
    str::FromStr,
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
    let SelectArguments { file, dtype, which, positions, out, adapter } = arguments;
    let (array, mask, executor) = opened((file, dtype.is_some()), which, adapter)?;
    if let (Some(mask), false) = (&mask, positions) {
        let (bytes, _) = during("selecting", || found(&executor, &array, &Kept::Flagged(mask)))?;
        return write_selected(out, &array, &bytes, &executor);
    }
    let places = places(&executor, &array, mask.as_ref(), which)?;
    match positions {
        true => write_positions(out, &array, &places, &executor),
        false => {
            let bytes = bytes_at(&array, places.iter().map(|&place| index(place)));
            write_selected(out, &array, &bytes, &executor)
        }
    }
}

pub fn partition(arguments: &PartitionArguments) -> Outcome {
    let PartitionArguments { file, dtype, which, out, rest, adapter } = arguments;
    if are_one_file(out, rest) {
        let (what, option) = ("the selected and the others", "--rest");
        return Err(Error::OneOutput { what, file: out.display().to_string(), option });
    }
    let (array, mask, executor) = opened((file, dtype.is_some()), which, adapter)?;
    let places = places(&executor, &array, mask.as_ref(), which)?;
    let mut is_selected = vec![false; index(array.len)];
    places.iter().for_each(|&place| is_selected[index(place)] = true);
    let half = |of: bool| {
        let places = is_selected.iter().enumerate().filter(|&(_, &is)| is == of);
        bytes_at(&array, places.map(|(place, _)| place))
    };
    let (selected, others) = (places.len() as u64, array.len - places.len() as u64);
    // Both are whole before one has its name.
    let first =
        NewFile::write(("--out", out), &array.descr(), &Shape::of_len(selected), &half(true))?;
    let second =
        NewFile::write(("--rest", rest), &array.descr(), &Shape::of_len(others), &half(false))?;
    first.name()?;
    second.name()?;
    tell(&array, &format!("{selected} selected, {others} others"), &executor)
}

/// The elements of a file, which may be of bfloat16s; their flags, if there is a file of them; and what is to find those that are selected.
fn opened(
    (file, is_of_bfloat16s): (&Path, bool),
    which: &Which,
    adapter: &str,
) -> Result<(Array, Option<Mask>, Executor), Error> {
    let Some(mask) = &which.mask else {
        let array = Array::read(Opened::new(file, is_of_bfloat16s)?)?;
        return Ok((array, None, Executor::with_adapter(adapter)?));
    };
    if is_standard_input(file) && is_standard_input(mask) {
        return Err(Error::StandardInputTwice);
    }
    let (file, mask) = (Opened::new(file, is_of_bfloat16s)?, Opened::beside(mask)?);
    check_shapes(&file, &mask)?;
    let (array, mask) = (Array::read(file)?, mask_of(Array::read(mask)?)?);
    Ok((array, Some(mask), Executor::with_adapter(adapter)?))
}

/// Where the selected elements are.
fn places(
    executor: &Executor,
    array: &Array,
    mask: Option<&Mask>,
    which: &Which,
) -> Result<Vec<u64>, Error> {
    during("selecting", || match mask {
        Some(Mask::Words(mask)) => Ok(executor.positions(mask)?),
        Some(Mask::Bytes(mask)) => Ok(executor.positions(mask)?),
        None => places_if(executor, array, which),
    })
}

/// Elements as they are in the file.
fn bytes_at(array: &Array, places: impl Iterator<Item = usize>) -> Vec<u8> {
    let size = index(array.dtype.bytes);
    places.flat_map(|place| &array.bytes[place * size..][..size]).copied().collect()
}

fn index(place: u64) -> usize {
    usize::try_from(place).expect("it is in memory")
}

/// Where an expression over the elements, widened, is true.
fn places_if(executor: &Executor, array: &Array, which: &Which) -> Result<Vec<u64>, Error> {
    let elements = array.elements();
    let bytes = elements.bytes();
    match array.dtype.own.element {
        ElementType::F32 => places_of::<f32>(executor, bytes, which),
        ElementType::I32 => places_of::<i32>(executor, bytes, which),
        ElementType::F64 => places_of::<f64>(executor, bytes, which),
        ElementType::I64 => places_of::<i64>(executor, bytes, which),
        ElementType::U64 => places_of::<u64>(executor, bytes, which),
        // What all others are widened to.
        _ => places_of::<u32>(executor, bytes, which),
    }
}

fn places_of<T: WideElement + FromStr>(
    executor: &Executor,
    bytes: &[u8],
    which: &Which,
) -> Result<Vec<u64>, Error> {
    let predicate = which.predicate.as_deref().unwrap_or("true");
    let wrong = |source: WgslError| {
        let is_of_parameter = matches!(source, WgslError::Parameter { .. });
        let option = if is_of_parameter { "--parameter" } else { "--where" };
        Error::Expression { option, source }
    };
    let parameters = parameters_of::<T>(&which.parameters).map_err(wrong)?;
    let predicate = Predicate::<T>::with_parameters(predicate, &parameters).map_err(wrong)?;
    check_parameters(&which.parameters, &[which.predicate.as_deref()])?;
    Ok(executor.positions_if::<T>(bytemuck::cast_slice(bytes), &predicate)?)
}

fn write_selected(out: &Path, array: &Array, bytes: &[u8], executor: &Executor) -> Outcome {
    let len = bytes.len() as u64 / array.dtype.bytes;
    NewFile::write(("--out", out), &array.descr(), &Shape::of_len(len), bytes)?.name()?;
    tell(array, &format!("{len} selected"), executor)
}

fn write_positions(out: &Path, array: &Array, places: &[u64], executor: &Executor) -> Outcome {
    let len = places.len() as u64;
    let bytes = bytemuck::cast_slice(places);
    NewFile::write(("--out", out), descr_of(ElementType::U64), &Shape::of_len(len), bytes)?
        .name()?;
    tell(array, &format!("{len} positions"), executor)
}

pub fn unique(arguments: &UniqueArguments) -> Outcome {
    let UniqueArguments { file, dtype, out, adapter } = arguments;
    let array = Array::read(Opened::new(file, dtype.is_some())?)?;
    let executor = Executor::with_adapter(adapter)?;
    let (bytes, _) = during("finding runs", || found(&executor, &array, &Kept::Unique))?;
    let len = bytes.len() as u64 / array.dtype.bytes;
    NewFile::write(("--out", out), &array.descr(), &Shape::of_len(len), &bytes)?.name()?;
    tell(&array, &format!("{len} unlike the one before"), &executor)
}

pub fn run_lengths(arguments: &RunLengthsArguments) -> Outcome {
    let RunLengthsArguments { file, dtype, out, lengths: lengths_out, adapter } = arguments;
    if are_one_file(out, lengths_out) {
        let (what, option) = ("values and lengths", "--lengths");
        return Err(Error::OneOutput { what, file: out.display().to_string(), option });
    }
    let array = Array::read(Opened::new(file, dtype.is_some())?)?;
    let executor = Executor::with_adapter(adapter)?;
    let (bytes, lengths) = during("finding runs", || found(&executor, &array, &Kept::RunLengths))?;
    let runs = lengths.len() as u64;
    // Both are whole before one has its name.
    let values = NewFile::write(("--out", out), &array.descr(), &Shape::of_len(runs), &bytes)?;
    let lengths = bytemuck::cast_slice(&lengths);
    let lengths = NewFile::write(
        ("--lengths", lengths_out),
        descr_of(ElementType::U64),
        &Shape::of_len(runs),
        lengths,
    )?;
    values.name()?;
    lengths.name()?;
    tell(&array, &format!("{runs} runs"), &executor)
}

/// Whatever is not 0 is set, in either order of bytes.
pub fn mask_of(array: Array) -> Result<Mask, Error> {
    let Array { name, dtype, bytes, .. } = array;
    match dtype.bytes {
        _ if dtype.has_nans() => Err(Error::NoMask { file: name, dtype: dtype.name }),
        1 => Ok(Mask::Bytes(bytes.into_iter().map(Bool::from_byte).collect())),
        4 => Ok(Mask::Words(bytemuck::pod_collect_to_vec(&bytes))),
        size => {
            let is_set = |number: &[u8]| Bool::from(number.iter().any(|&byte| byte != 0));
            Ok(Mask::Bytes(bytes.chunks_exact(index(size)).map(is_set).collect()))
        }
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
