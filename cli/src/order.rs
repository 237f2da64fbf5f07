//! Files whose elements are taken in another order than their own: they are read whole.

use crate::{
    arrays::Array,
    error::Error,
    files::Opened,
    memory::zeros,
    npy::{Elements, Header},
};
use std::io::{self, Read};

/// Bytes that are brought together at a time, at most, unless a run of elements that belong together has more.
const BLOCK_BYTES: usize = 1 << 22;
/// Runs that are brought together, because they share lines of memory, at most.
const RUNS: usize = 64;

/// Sizes of dimensions, the first of which varies slowest, each with how many elements it is from one to the next.
pub type Dimensions = Vec<(usize, usize)>;

/// A file in Fortran's order in C's. Others are as they were.
pub fn in_c_order(file: Opened) -> Result<Opened, Error> {
    let header = file.header();
    let Some(shape) = header.fortran_shape.clone().filter(|_| header.len > 0) else {
        return Ok(file);
    };
    let mut stride = 1;
    let dimension = |&size: &u64| {
        let (size, own) = (in_memory(size), stride);
        stride *= size;
        (size, own)
    };
    let mut outer: Dimensions = shape.iter().map(dimension).collect();
    let inner = outer.pop().into_iter().collect();
    reordered(file, &outer, inner)
}

/// All elements of a file in an order of dimensions: for each place of the outer ones all of the inner ones.
pub fn reordered(
    file: Opened,
    outer: &[(usize, usize)],
    inner: Dimensions,
) -> Result<Opened, Error> {
    let header = Header { is_fortran: false, fortran_shape: None, ..file.header().clone() };
    let size = in_memory(header.dtype.bytes);
    let items = inner.iter().map(|(size, _)| size).product::<usize>();
    let Array { name, bytes, .. } = Array::read(file)?;
    let runs = (BLOCK_BYTES.max(bytes.len() / 8) / (items * size).max(1)).clamp(1, RUNS);
    let block = zeros(runs * items * size, "elements in another order")?;
    let begins = Vec::with_capacity(runs);
    let runs = Places::new(outer);
    let in_order = InOrder { bytes, size, runs, inner, items, block, begins, at: 0, end: 0 };
    let elements = Elements::new(Box::new(in_order) as Box<dyn Read>, header, None);
    Ok(Opened { name, elements, is_read_once: true })
}

fn in_memory(size: u64) -> usize {
    usize::try_from(size).expect("it is in memory")
}

/// The bytes of elements in order.
struct InOrder {
    bytes: Vec<u8>,
    /// Bytes of an element.
    size: usize,
    /// Where runs begin.
    runs: Places,
    /// Of a run.
    inner: Dimensions,
    items: usize,
    /// Some runs.
    block: Vec<u8>,
    /// Where they begin.
    begins: Vec<usize>,
    /// What is next of the block, and where it ends.
    at: usize,
    end: usize,
}

impl Read for InOrder {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if self.at == self.end && !to.is_empty() {
            self.bring();
        }
        let count = to.len().min(self.end - self.at);
        to[..count].copy_from_slice(&self.block[self.at..][..count]);
        self.at += count;
        Ok(count)
    }
}

impl InOrder {
    /// Brings the next runs together.
    fn bring(&mut self) {
        let most = self.block.len() / (self.items * self.size);
        self.begins.clear();
        self.begins.extend(self.runs.by_ref().take(most));
        (self.at, self.end) = (0, self.begins.len() * self.items * self.size);
        match self.size {
            1 => self.bring_elements::<1>(),
            2 => self.bring_elements::<2>(),
            4 => self.bring_elements::<4>(),
            _ => self.bring_elements::<8>(),
        }
    }

    fn bring_elements<const SIZE: usize>(&mut self) {
        let (from, _) = self.bytes.as_chunks::<SIZE>();
        let (to, _) = self.block.as_chunks_mut::<SIZE>();
        for (item, place) in Places::new(&self.inner).enumerate() {
            for (run, begin) in self.begins.iter().enumerate() {
                to[run * self.items + item] = from[begin + place];
            }
        }
    }
}

/// Where elements are, in an order of dimensions.
struct Places {
    /// Of each dimension the size, the number that is next, and from one to the next.
    dimensions: Vec<(usize, usize, usize)>,
    place: usize,
    left: usize,
}

impl Places {
    fn new(dimensions: &[(usize, usize)]) -> Self {
        let left = dimensions.iter().map(|(size, _)| size).product();
        let dimensions = dimensions.iter().map(|&(size, stride)| (size, 0, stride)).collect();
        Self { dimensions, place: 0, left }
    }
}

impl Iterator for Places {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        self.left = self.left.checked_sub(1)?;
        let place = self.place;
        for (size, number, stride) in self.dimensions.iter_mut().rev() {
            *number += 1;
            self.place += *stride;
            if number < size {
                break;
            }
            self.place -= *size * *stride;
            *number = 0;
        }
        Some(place)
    }
}
