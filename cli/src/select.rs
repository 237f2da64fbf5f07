//! `gridfold select`, `gridfold partition`, `gridfold unique` and `gridfold run-lengths`: elements are copied as they are in the file, whatever they are.

use crate::{
    Outcome,
    args::{PartitionArguments, RunLengthsArguments, SelectArguments, UniqueArguments, Which},
    arrays::{descr_in, descr_of},
    chunks::{CHUNK, Chunks},
    dtype::Dtype,
    error::Error,
    files::{Opened, check_shapes, is_standard_input},
    mapped::{check_parameters, parameters_of},
    memory::{reserve, zeros},
    npy::Header,
    outputs::{Growing, are_one_file},
    stdout,
};
use gridfold::{Bool, Element, ElementType, Executor, Predicate, WgslError, WideElement};
use std::{io::Write, path::Path, str::FromStr};

pub fn select(arguments: &SelectArguments) -> Outcome {
    let SelectArguments { file, dtype, which, positions, out, adapter } = arguments;
    let files = opened((file, dtype.is_some()), which)?;
    let executor = Executor::with_adapter(adapter)?;
    let mut selection = Selection::new(files, which, &executor)?;
    let header = selection.chunks.file.header().clone();
    let size = header.dtype.bytes;
    let mut out = match positions {
        true => Growing::begin(("--out", out), descr_of(ElementType::U64), 8)?,
        false => Growing::begin(("--out", out), &descr_in(&header), size)?,
    };
    let mut selected = selection.room()?;
    while let Some(places) = selection.next()? {
        if *positions {
            out.add(bytemuck::cast_slice(&places))?;
            continue;
        }
        selected.clear();
        selection.part(&places, &mut selected, None);
        out.add(&selected)?;
    }
    let (out, len) = out.end()?;
    out.name()?;
    // With its bar, before anything is printed.
    drop(selection);
    let what = if *positions { "positions" } else { "selected" };
    tell(&header, &format!("{len} {what}"), &executor)
}

pub fn partition(arguments: &PartitionArguments) -> Outcome {
    let PartitionArguments { file, dtype, which, out, rest, adapter } = arguments;
    if are_one_file(out, rest) {
        let (what, option) = ("the selected and the others", "--rest");
        return Err(Error::OneOutput { what, file: out.display().to_string(), option });
    }
    let files = opened((file, dtype.is_some()), which)?;
    let executor = Executor::with_adapter(adapter)?;
    let mut selection = Selection::new(files, which, &executor)?;
    let header = selection.chunks.file.header().clone();
    let begin = |given| Growing::begin(given, &descr_in(&header), header.dtype.bytes);
    let (mut out, mut rest) = (begin(("--out", out))?, begin(("--rest", rest))?);
    let (mut selected, mut others) = (selection.room()?, selection.room()?);
    while let Some(places) = selection.next()? {
        selected.clear();
        others.clear();
        selection.part(&places, &mut selected, Some(&mut others));
        out.add(&selected)?;
        rest.add(&others)?;
    }
    // Both are whole before one has its name.
    let ((first, selected), (second, others)) = (out.end()?, rest.end()?);
    first.name()?;
    second.name()?;
    drop(selection);
    tell(&header, &format!("{selected} selected, {others} others"), &executor)
}

/// A file, which may be of bfloat16s, and that of its flags, if there is one.
fn opened(
    (file, is_of_bfloat16s): (&Path, bool),
    which: &Which,
) -> Result<(Opened, Option<Mask>), Error> {
    if which.mask.as_deref().is_some_and(is_standard_input) && is_standard_input(file) {
        return Err(Error::StandardInputTwice);
    }
    let file = Opened::new(file, is_of_bfloat16s)?;
    let Some(mask) = &which.mask else { return Ok((file, None)) };
    let mask = Opened::beside(mask)?;
    check_shapes(&file, &mask)?;
    Ok((file, Some(Mask::new(mask)?)))
}

/// Tells where elements are selected, of some that begin at a place of the file, as they are there.
type Places<'a> = Box<dyn FnMut(&[u8], u64) -> Result<Vec<u64>, Error> + 'a>;

/// A file's elements, and which of them are selected, chunk by chunk.
struct Selection<'a> {
    chunks: Chunks,
    places: Places<'a>,
}

impl<'a> Selection<'a> {
    fn new(
        (file, mask): (Opened, Option<Mask>),
        which: &'a Which,
        executor: &'a Executor,
    ) -> Result<Self, Error> {
        let places = match mask {
            Some(mask) => places_by_mask(executor, mask),
            None => places_if(executor, file.header(), which)?,
        };
        Ok(Self { chunks: Chunks::new(file, None, CHUNK)?, places })
    }

    /// Room for the elements of a chunk.
    fn room(&self) -> Result<Vec<u8>, Error> {
        let header = self.chunks.file.header();
        let mut room = Vec::new();
        let bytes = header.data_bytes().min(CHUNK as u64 * header.dtype.bytes);
        reserve(&mut room, index(bytes), "what is selected")?;
        Ok(room)
    }

    /// Where the next chunk's selected elements are in the file. `None` behind the last one.
    fn next(&mut self) -> Result<Option<Vec<u64>>, Error> {
        if !self.chunks.next()? {
            return Ok(None);
        }
        (self.places)(self.chunks.bytes(), self.chunks.begin()).map(Some)
    }

    /// Copies the chunk's elements at these places, and the others, if there is room for them.
    fn part(&self, places: &[u64], selected: &mut Vec<u8>, mut others: Option<&mut Vec<u8>>) {
        let (mut rest, begin) = (self.chunks.bytes(), self.chunks.begin());
        let size = index(self.chunks.file.header().dtype.bytes);
        let mut next = begin;
        for &place in places {
            let (before, from) = rest.split_at(index(place - next) * size);
            let (element, behind) = from.split_at(size);
            selected.extend_from_slice(element);
            if let Some(others) = &mut others {
                others.extend_from_slice(before);
            }
            (rest, next) = (behind, place + 1);
        }
        if let Some(others) = others {
            others.extend_from_slice(rest);
        }
    }
}

fn index(place: u64) -> usize {
    usize::try_from(place).expect("it is in memory")
}

fn places_by_mask(executor: &Executor, mut mask: Mask) -> Places<'_> {
    Box::new(move |_, begin| {
        let mut places = executor.positions(mask.next()?)?;
        places.iter_mut().for_each(|place| *place += begin);
        Ok(places)
    })
}

/// Where an expression over the elements, widened, is true.
fn places_if<'a>(
    executor: &'a Executor,
    header: &Header,
    which: &'a Which,
) -> Result<Places<'a>, Error> {
    let places = match header.dtype.own.element {
        ElementType::F32 => places_of::<f32>,
        ElementType::I32 => places_of::<i32>,
        ElementType::F64 => places_of::<f64>,
        ElementType::I64 => places_of::<i64>,
        ElementType::U64 => places_of::<u64>,
        // What all others are widened to.
        _ => places_of::<u32>,
    };
    places(executor, header, which)
}

fn places_of<'a, T: WideElement + FromStr + ToString>(
    executor: &'a Executor,
    header: &Header,
    which: &'a Which,
) -> Result<Places<'a>, Error> {
    let predicate = which.predicate.as_deref().unwrap_or("true");
    let wrong = |source: WgslError| {
        let is_of_parameter = matches!(source, WgslError::Parameter { .. });
        let option = if is_of_parameter { "--parameter" } else { "--where" };
        Error::Expression { option, source }
    };
    let parameters = parameters_of::<T>(&which.parameters).map_err(wrong)?;
    let predicate = Predicate::<T>::with_parameters(predicate, &parameters).map_err(wrong)?;
    check_parameters(&which.parameters, &[which.predicate.as_deref()])?;
    let (target, is_big_endian) = (&header.dtype.own, header.is_big_endian);
    let size = index(header.dtype.bytes);
    let mut elements = zeros::<T>(index(header.len.min(CHUNK as u64)), "elements")?;
    Ok(Box::new(move |bytes, begin| {
        let elements = &mut elements[..bytes.len() / size];
        (target.convert)(bytes, is_big_endian, bytemuck::cast_slice_mut(elements));
        Ok(executor.positions_if_from::<T>(elements, begin, &predicate)?)
    }))
}

/// A file of flags: whatever is not 0 is set, in either order of bytes.
pub struct Mask {
    chunks: Chunks,
    flags: Vec<Bool>,
}

impl Mask {
    pub fn new(file: Opened) -> Result<Self, Error> {
        let Header { dtype, len, .. } = *file.header();
        if dtype.has_nans() {
            return Err(Error::NoMask { file: file.name, dtype: dtype.name });
        }
        let mut flags = Vec::new();
        reserve(&mut flags, index(len.min(CHUNK as u64)), "flags")?;
        Ok(Self { chunks: Chunks::new(file, None, CHUNK)?, flags })
    }

    /// The flags of the next chunk: none behind the last one.
    pub fn next(&mut self) -> Result<&[Bool], Error> {
        self.flags.clear();
        if self.chunks.next()? {
            let is_set = |number: &[u8]| Bool::from(number.iter().any(|&byte| byte != 0));
            let size = index(self.chunks.file.header().dtype.bytes);
            self.flags.extend(self.chunks.bytes().chunks_exact(size).map(is_set));
        }
        Ok(&self.flags)
    }
}

pub fn unique(arguments: &UniqueArguments) -> Outcome {
    let UniqueArguments { file, dtype, out, adapter } = arguments;
    let file = Opened::new(file, dtype.is_some())?;
    let header = file.header().clone();
    let executor = Executor::with_adapter(adapter)?;
    let mut out = Growing::begin(("--out", out), &descr_in(&header), header.dtype.bytes)?;
    let mut chunks = Chunks::new(file, None, CHUNK)?;
    let write = of_size(
        header.dtype,
        [unique_of::<u8>, unique_of::<u16>, unique_of::<u32>, unique_of::<u64>],
    );
    write(&executor, &mut chunks, &mut out)?;
    let (out, len) = out.end()?;
    out.name()?;
    drop(chunks);
    tell(&header, &format!("{len} unlike the one before"), &executor)
}

/// Whichever is for elements of as many bytes, of those for one, two, four and eight.
fn of_size<T: Copy>(dtype: &Dtype, [one, two, four, eight]: [T; 4]) -> T {
    match dtype.bytes {
        1 => one,
        2 => two,
        4 => four,
        _ => eight,
    }
}

fn unique_of<T: Element>(executor: &Executor, chunks: &mut Chunks, out: &mut Growing) -> Outcome {
    while chunks.next()? {
        let elements: &[T] = bytemuck::cast_slice(chunks.bytes_from_last());
        let unique = executor.unique(elements)?;
        // The one before was written.
        let known = elements.len() - chunks.len();
        out.add(bytemuck::cast_slice(&unique[known..]))?;
    }
    Ok(())
}

pub fn run_lengths(arguments: &RunLengthsArguments) -> Outcome {
    let RunLengthsArguments { file, dtype, out, lengths: lengths_out, adapter } = arguments;
    if are_one_file(out, lengths_out) {
        let (what, option) = ("values and lengths", "--lengths");
        return Err(Error::OneOutput { what, file: out.display().to_string(), option });
    }
    let file = Opened::new(file, dtype.is_some())?;
    let header = file.header().clone();
    let executor = Executor::with_adapter(adapter)?;
    let mut values = Growing::begin(("--out", out), &descr_in(&header), header.dtype.bytes)?;
    let mut lengths = Growing::begin(("--lengths", lengths_out), descr_of(ElementType::U64), 8)?;
    let mut chunks = Chunks::new(file, None, CHUNK)?;
    let each =
        of_size(header.dtype, [each_run::<u8>, each_run::<u16>, each_run::<u32>, each_run::<u64>]);
    each(&executor, &mut chunks, &mut |own_values, own_lengths| {
        values.add(own_values)?;
        lengths.add(bytemuck::cast_slice(own_lengths))
    })?;
    // Both are whole before one has its name.
    let ((values, runs), (lengths, _)) = (values.end()?, lengths.end()?);
    values.name()?;
    lengths.name()?;
    drop(chunks);
    tell(&header, &format!("{runs} runs"), &executor)
}

/// Takes elements that begin runs, and lengths of runs that end. In the end there have been as many of both.
pub type EachRun<'a> = &'a mut dyn FnMut(&[u8], &[u64]) -> Outcome;

/// The runs of equal elements.
pub fn each_run<T: Element>(
    executor: &Executor,
    chunks: &mut Chunks,
    each: EachRun<'_>,
) -> Outcome {
    // The length of the run that has not ended.
    let mut open = 0;
    while chunks.next()? {
        let elements: &[T] = bytemuck::cast_slice(chunks.bytes_from_last());
        let known = elements.len() - chunks.len();
        let (values, mut lengths) = executor.run_lengths(elements)?;
        // The first run goes on from the chunk before, whose last element counts there.
        lengths[0] += open - known as u64;
        open = lengths.pop().expect("there is an element");
        each(bytemuck::cast_slice(&values[known..]), &lengths)?;
    }
    if open > 0 {
        each(&[], &[open])?;
    }
    Ok(())
}

fn tell(header: &Header, what: &str, executor: &Executor) -> Outcome {
    let mut stdout = stdout();
    let (len, dtype, adapter) = (header.len, header.dtype.name, executor.name());
    writeln!(stdout, "{what}, of {len} {dtype}, on {adapter}")?;
    Ok(stdout.flush()?)
}
