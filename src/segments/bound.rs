//! What is bound of a buffer that results go to.

use crate::device::{buffer::AnySlice, capabilities::Capabilities, extent::WORD_BYTES};

/// Bytes of the buffer, from where a binding may begin.
pub(super) struct Bound {
    pub(super) offset_bytes: u64,
    pub(super) size_bytes: u64,
    /// The word of them that results begin at.
    pub(super) index: u32,
}

impl Bound {
    pub(super) fn of(output: &AnySlice, capabilities: &Capabilities) -> Self {
        let begin = output.offset_bytes();
        let head_bytes = begin % capabilities.binding_alignment_bytes.max(WORD_BYTES);
        Self {
            offset_bytes: begin - head_bytes,
            size_bytes: head_bytes + output.bytes().end - begin,
            index: u32::try_from(head_bytes / WORD_BYTES).expect("alignments are small"),
        }
    }
}
