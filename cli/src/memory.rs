//! Memory for what depends on a file's size, which may not be there.

use crate::{Outcome, error::Error};
use bytemuck::Zeroable;
use std::hint;

/// Makes room for so many more, and for no others.
pub fn reserve<T>(to: &mut Vec<T>, more: usize, what: &'static str) -> Outcome {
    to.try_reserve_exact(more).map_err(|_| none_left::<T>(more, what))
}

/// Makes room for so many more, and for others that come behind them: what grows little by little is moved seldom.
pub fn grow<T>(to: &mut Vec<T>, more: usize, what: &'static str) -> Outcome {
    to.try_reserve(more).map_err(|_| none_left::<T>(to.len() + more, what))
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

fn none_left<T>(len: usize, what: &'static str) -> Error {
    Error::Memory { what, bytes: len.saturating_mul(size_of::<T>()) }
}
