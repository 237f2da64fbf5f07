//! Slices of buffers that are none.

use std::ops::Range;

/// A range of a buffer is no slice of elements.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SliceError {
    /// The offset is not a multiple of what elements are aligned to.
    #[error(
        "offset {offset_bytes} bytes is not a multiple of {element_bytes} bytes, to which elements are aligned: begin \
         at an element"
    )]
    Misaligned {
        /// The offset asked for.
        offset_bytes: u64,
        /// Bytes of an element.
        element_bytes: u64,
    },
    /// The stride is less than an element, more than 65536 bytes, or not a multiple of what an offset is one of.
    #[error(
        "a stride of {stride_bytes} bytes is none of elements of {item_bytes} bytes: give a multiple of {element_bytes} from there to \
         65536"
    )]
    Stride {
        /// The stride asked for.
        stride_bytes: u64,
        /// Bytes of an element.
        item_bytes: u64,
        /// What it is a multiple of.
        element_bytes: u64,
    },
    /// The range ends past the buffer.
    #[error(
        "{len} elements from byte {offset_bytes} on do not fit the buffer of {buffer_bytes} bytes: take \
         fewer, or make the buffer larger"
    )]
    PastBuffer {
        /// The offset asked for.
        offset_bytes: u64,
        /// The length asked for, in elements.
        len: u64,
        /// The buffer's size.
        buffer_bytes: u64,
    },
    /// The range ends past the slice or array that it is taken of, or begins after its own end.
    #[error(
        "elements {range:?} are not within a slice of {len} elements: take a range that begins before it \
         ends, and ends at {len} or before"
    )]
    PastSlice {
        /// The range asked for, in elements.
        range: Range<u64>,
        /// The length of what it was taken of, in elements.
        len: u64,
    },
}
