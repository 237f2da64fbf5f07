//! Where elements lie in a buffer, as numbers.

use crate::error::SliceError;

/// What bindings and copies have whole ones of.
pub(crate) const WORD_BYTES: u64 = 4;

/// A stride at most: so that every binding has room for an element.
const MAX_STRIDE_BYTES: u64 = 1 << 16;

/// Where the elements of one input slice lie in its buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Size of the whole buffer in bytes.
    pub buffer_bytes: u64,
    /// Offset of the first element in bytes: a multiple of 4, or of an element's size if that is less.
    pub offset_bytes: u64,
    /// Length in elements.
    pub len: u64,
    /// From the beginning of one element to that of the next in bytes, where they do not follow one another.
    pub stride_bytes: Option<u64>,
    /// Of words of bits, those of the first and the last word that are the input's. `None` for whole words.
    pub bits: Option<BitMasks>,
}

/// Which bits of the first and of the last word are a mask's, if these have others, too. Both are of the same word, if there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitMasks {
    /// Of the first word.
    pub first: u32,
    /// Of the last word.
    pub last: u32,
}

impl BitMasks {
    /// Of words from the one of bit `begin` to the one before bit `end`.
    pub(crate) fn of(begin: u64, end: u64) -> Option<Self> {
        let first = u32::MAX << (begin % 32);
        let last = u32::MAX >> ((32 - end % 32) % 32);
        (first & last != u32::MAX).then_some(Self { first, last })
    }

    /// Of a part of the words, which has the first one of them, or the last.
    pub(crate) fn part(self, has_first: bool, has_last: bool) -> Option<Self> {
        let first = if has_first { self.first } else { u32::MAX };
        let last = if has_last { self.last } else { u32::MAX };
        (first & last != u32::MAX).then_some(Self { first, last })
    }
}

impl Extent {
    /// Whether these are items of the buffer, of so many bytes each.
    pub(crate) fn check(self, item_bytes: u64) -> Result<(), SliceError> {
        let Self { buffer_bytes, offset_bytes, len, stride_bytes, bits: _ } = self;
        let element_bytes = item_bytes.min(WORD_BYTES);
        if !offset_bytes.is_multiple_of(element_bytes) {
            return Err(SliceError::Misaligned { offset_bytes, element_bytes });
        }
        if let Some(stride_bytes) = stride_bytes
            && (stride_bytes < item_bytes
                || stride_bytes > MAX_STRIDE_BYTES
                || !stride_bytes.is_multiple_of(element_bytes))
        {
            return Err(SliceError::Stride { stride_bytes, item_bytes, element_bytes });
        }
        let end_bytes =
            self.span_bytes(item_bytes).and_then(|bytes| bytes.checked_add(offset_bytes));
        // Bindings have whole words.
        if end_bytes.is_none_or(|end_bytes| end_bytes > buffer_bytes / WORD_BYTES * WORD_BYTES) {
            return Err(SliceError::PastBuffer { offset_bytes, len, buffer_bytes });
        }
        Ok(())
    }

    /// Bytes from the beginning of the first element to the end of the last one. `None` if they are too many.
    pub(crate) fn span_bytes(self, item_bytes: u64) -> Option<u64> {
        let Some(last) = self.len.checked_sub(1) else { return Some(0) };
        last.checked_mul(self.stride_bytes.unwrap_or(item_bytes))?.checked_add(item_bytes)
    }
}
