//! Where elements lie in a buffer, as numbers.

use crate::error::SliceError;

/// Every offset is a multiple of this.
pub(crate) const WORD_BYTES: u64 = 4;

/// Where the elements of one input slice lie in its buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Size of the whole buffer in bytes.
    pub buffer_bytes: u64,
    /// Offset of the first element in bytes, a multiple of 4.
    pub offset_bytes: u64,
    /// Length in elements.
    pub len: u64,
}

impl Extent {
    /// Whether these are items of the buffer, of so many bytes each.
    pub(crate) fn check(self, item_bytes: u64) -> Result<(), SliceError> {
        let Self { buffer_bytes, offset_bytes, len } = self;
        if !offset_bytes.is_multiple_of(WORD_BYTES) {
            return Err(SliceError::Misaligned { offset_bytes, element_bytes: WORD_BYTES });
        }
        let end_bytes =
            len.checked_mul(item_bytes).and_then(|bytes| bytes.checked_add(offset_bytes));
        if end_bytes.is_none_or(|end_bytes| end_bytes > buffer_bytes) {
            return Err(SliceError::PastBuffer { offset_bytes, len, buffer_bytes });
        }
        Ok(())
    }
}
