//! Room in the host's memory for as many items as an input has, which may not be there.

use crate::error::PrepareError;
use std::hint;

/// Bytes from which on a vector is large.
const LARGE_BYTES: usize = 1 << 20;
/// Bytes that a large vector leaves. What is small has no errors: where memory ends with it, so does the program.
const SPARE_BYTES: usize = 4 << 20;

/// Makes room for so many more items, and no others.
///
/// # Errors
///
/// [`PrepareError::OutOfMemory`].
pub(crate) fn reserve<T>(to: &mut Vec<T>, more: usize, what: &str) -> Result<(), PrepareError> {
    let no_memory = |_| PrepareError::OutOfMemory { what: what.to_owned() };
    let before = to.capacity();
    to.try_reserve_exact(more).map_err(no_memory)?;
    if (to.capacity() - before).saturating_mul(size_of::<T>()) >= LARGE_BYTES {
        let mut spare = Vec::<u8>::new();
        let left = spare.try_reserve_exact(SPARE_BYTES);
        // Compilers leave out what nobody looks at.
        hint::black_box(spare);
        if let Err(error) = left {
            to.shrink_to(before);
            return Err(no_memory(error));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_there_is() {
        let mut items = vec![7u64];
        let error = reserve(&mut items, usize::MAX / 16, "many items").expect_err("too many");
        assert!(matches!(&error, PrepareError::OutOfMemory { what } if what == "many items"));
        reserve(&mut items, 1 << 18, "some items").expect("there is memory");
        assert!(items == [7] && items.capacity() > 1 << 18);
    }
}
