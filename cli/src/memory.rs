//! Memory for what depends on a file's size, which may not be there.

use crate::{Outcome, error::Error};
use bytemuck::Zeroable;
use std::{collections::TryReserveError, hint};

/// Bytes from which on a vector is large.
const LARGE_BYTES: usize = 1 << 20;
/// Bytes that a large vector leaves. What is small has no errors: where memory ends with it, so does the program.
pub const SPARE_BYTES: usize = 4 << 20;

/// Makes room for so many more, and for no others.
pub fn reserve<T>(to: &mut Vec<T>, more: usize, what: &'static str) -> Outcome {
    make_room(to, more, what, Vec::try_reserve_exact)
}

/// Makes room for so many more, and for others that come behind them: what grows little by little is moved seldom.
pub fn grow<T>(to: &mut Vec<T>, more: usize, what: &'static str) -> Outcome {
    make_room(to, more, what, Vec::try_reserve)
}

fn make_room<T>(
    to: &mut Vec<T>,
    more: usize,
    what: &'static str,
    reserve: fn(&mut Vec<T>, usize) -> Result<(), TryReserveError>,
) -> Outcome {
    let bytes = |items: usize| items.saturating_mul(size_of::<T>());
    let before = to.capacity();
    let is_made = reserve(to, more).is_ok();
    let is_large = bytes(to.capacity() - before) >= LARGE_BYTES;
    match is_made && (!is_large || is_room(SPARE_BYTES)) {
        true => Ok(()),
        false => Err(Error::Memory { what, bytes: bytes(to.len().saturating_add(more)) }),
    }
}

/// Adds all of them to what grows little by little.
pub fn extend<T: Copy>(to: &mut Vec<T>, more: &[T], what: &'static str) -> Outcome {
    grow(to, more.len(), what)?;
    to.extend_from_slice(more);
    Ok(())
}

/// All of them.
pub fn collected<T>(
    items: impl ExactSizeIterator<Item = T>,
    what: &'static str,
) -> Result<Vec<T>, Error> {
    let mut collected = Vec::new();
    reserve(&mut collected, items.len(), what)?;
    collected.extend(items);
    Ok(collected)
}

/// Whether there is room for so many bytes now.
pub fn is_room(bytes: usize) -> bool {
    let mut room = Vec::<u8>::new();
    let is_there = room.try_reserve_exact(bytes).is_ok();
    // Compilers leave out what nobody looks at.
    hint::black_box(room);
    is_there
}

/// So many zeros.
pub fn zeros<T: Zeroable + Clone>(len: usize, what: &'static str) -> Result<Vec<T>, Error> {
    let mut zeros = Vec::new();
    reserve(&mut zeros, len, what)?;
    zeros.resize(len, T::zeroed());
    Ok(zeros)
}
