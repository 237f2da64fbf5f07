//! Files in Fortran's order, whose elements are numbered, and compared, in C's: they are read whole.

use crate::{
    arrays::{Array, Shape},
    error::Error,
    operators::Fill,
};
use gridfold::StreamError;

/// What is read at a time: words, and elements of any size.
const CHUNK_BYTES: usize = 1 << 24;

/// Calls `reduce` with what brings the elements of so many files, each of so many bytes, in C's order. The files have one shape; without one their
/// own order will do.
pub fn in_c_order<R>(
    shape: Option<&[u64]>,
    (files, element_bytes): (usize, u64),
    fill: Fill<'_>,
    reduce: impl FnOnce(Fill<'_>) -> Result<R, StreamError<Error>>,
) -> Result<R, StreamError<Error>> {
    let Some(shape) = shape else { return reduce(fill) };
    let read = |file| InCOrder::read(shape, element_bytes, &mut |elements| fill(file, elements));
    let files = (0..files).map(read).collect::<Result<Vec<_>, _>>();
    let mut files = files.map_err(StreamError::Source)?;
    reduce(&mut |file, elements: &mut [u8]| {
        files[file].fill(elements);
        Ok(())
    })
}

/// An array of C's order, of one of Fortran's with places that are counted, and elements of so many bytes.
pub fn array_in_c_order(array: Array) -> Result<Array, Error> {
    let size = array.dtype.bytes;
    let mut from = &array.bytes[..];
    let mut in_order = InCOrder::read(&array.shape.sizes, size, &mut |elements| {
        let (next, rest) = from.split_at(elements.len());
        elements.copy_from_slice(next);
        from = rest;
        Ok(())
    })?;
    let mut bytes = vec![0; array.bytes.len()];
    in_order.fill(&mut bytes);
    let shape = Shape { sizes: array.shape.sizes, is_fortran: false };
    Ok(Array { bytes, shape, ..array })
}

/// All elements of a file in Fortran's order.
pub struct InCOrder {
    /// Words of 64 bits begin where any element may.
    words: Vec<u64>,
    element_bytes: usize,
    next: CThroughFortran,
}

impl InCOrder {
    /// Reads the file, which has a shape without a 0, whole.
    pub fn read(
        shape: &[u64],
        element_bytes: u64,
        fill: &mut dyn FnMut(&mut [u8]) -> Result<(), Error>,
    ) -> Result<Self, Error> {
        let size = |number: u64| usize::try_from(number).expect("the header's check: it fits");
        let sizes: Vec<usize> = shape.iter().map(|&elements| size(elements)).collect();
        let element_bytes = size(element_bytes);
        let bytes = sizes.iter().fold(element_bytes, |bytes, &size| bytes.saturating_mul(size));
        // No more memory than there are elements, whatever the header says.
        let mut words = Vec::new();
        let mut found = 0;
        while found < bytes {
            let next = found.saturating_add(CHUNK_BYTES).min(bytes);
            words.resize(next.div_ceil(8), 0u64);
            fill(&mut bytemuck::cast_slice_mut(&mut words)[found..next])?;
            found = next;
        }
        Ok(Self { words, element_bytes, next: CThroughFortran::new(&sizes) })
    }

    /// The next ones.
    pub fn fill(&mut self, elements: &mut [u8]) {
        let size = self.element_bytes;
        let file: &[u8] = bytemuck::cast_slice(&self.words);
        for element in elements.chunks_exact_mut(size) {
            element.copy_from_slice(&file[self.next.next() * size..][..size]);
        }
    }
}

/// Where in Fortran's order the elements are, one after the other in C's.
struct CThroughFortran {
    /// Of each dimension the size, the number that is next, and from one to the next.
    dimensions: Vec<(usize, usize, usize)>,
    place: usize,
}

impl CThroughFortran {
    fn new(sizes: &[usize]) -> Self {
        let mut stride = 1;
        let dimension = |&size: &usize| {
            let own = stride;
            stride *= size;
            (size, 0, own)
        };
        Self { dimensions: sizes.iter().map(dimension).collect(), place: 0 }
    }

    fn next(&mut self) -> usize {
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
        place
    }
}
