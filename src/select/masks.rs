//! Masks of bits, as bindings see them.

use crate::{
    algebra::flag::Flag,
    device::{buffer::AnySlice, capabilities::Capabilities, extent::Extent},
    dispatch::windows::View,
};

/// Flags that one launch has at most, so that positions fit 32 bits.
const MAX_FLAGS: u64 = 1 << 30;

/// The slices of a mask.
#[derive(Clone, Debug)]
pub(super) struct Mask {
    /// The shader's `FLAG_BYTES`.
    pub(super) flag_bytes: u32,
    pub(super) buffers: Vec<wgpu::Buffer>,
    pub(super) extents: Vec<Extent>,
}

impl Mask {
    pub(super) fn new<M: Flag>(slices: &[AnySlice]) -> Self {
        Self {
            flag_bytes: M::BYTES,
            buffers: slices.iter().map(|slice| slice.buffer().clone()).collect(),
            extents: slices.iter().map(AnySlice::extent).collect(),
        }
    }

    pub(super) fn is_of_bits(&self) -> bool {
        self.flag_bytes == 0
    }

    /// Flags of the mask, at least and at most: of whole words of bits the last one has one flag or more.
    pub(super) fn flags(&self) -> (u64, u64) {
        let most: u64 = match self.is_of_bits() {
            true => self.bit_slices().iter().map(|slice| slice.len).sum(),
            false => self.extents.iter().map(|extent| extent.len).sum(),
        };
        let ends_somewhere = self.is_of_bits()
            && self.extents.last().is_some_and(|extent| extent.len > 0 && extent.bits.is_none());
        (if ends_somewhere { most - 31 } else { most }, most)
    }

    /// Of a mask of bits, where each slice has them.
    pub(super) fn bit_slices(&self) -> Vec<BitSlice> {
        let mut begin = 0;
        let slices = self.extents.iter().enumerate().map(|(slice, extent)| {
            let before = extent.bits.map_or(0, |bits| bits.first.trailing_zeros());
            let behind = extent.bits.map_or(0, |bits| bits.last.leading_zeros());
            let len = (32 * extent.len).saturating_sub(u64::from(before + behind));
            let first_bit = 8 * extent.offset_bytes + u64::from(before);
            begin += len;
            BitSlice { slice, first_bit, begin: begin - len, len }
        });
        slices.collect()
    }
}

/// A slice of a mask of bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct BitSlice {
    slice: usize,
    /// The bit of the buffer that is its first flag.
    first_bit: u64,
    /// The position of that flag.
    pub(super) begin: u64,
    pub(super) len: u64,
}

impl BitSlice {
    pub(super) fn end(self) -> u64 {
        self.begin + self.len
    }

    /// Where a launch that begins at this position has to end, so that one binding spans its flags.
    pub(super) fn latest_end(self, begin: u64, capabilities: &Capabilities) -> u64 {
        let alignment = capabilities.binding_alignment_bytes.max(16);
        let flags = 8 * (capabilities.max_binding_bytes.saturating_sub(alignment + 16));
        self.end().min(begin + flags.clamp(1, MAX_FLAGS))
    }

    /// The binding of a launch's flags, and the bit of it that is the first one.
    pub(super) fn view(self, begin: u64, end: u64, capabilities: &Capabilities) -> (View, u32) {
        let alignment = capabilities.binding_alignment_bytes.max(16);
        let bit = self.first_bit + (begin - self.begin);
        let offset_bytes = bit / 8 / alignment * alignment;
        let head_bits = bit - 8 * offset_bytes;
        let view = View {
            slice: self.slice,
            ..View::of_words(offset_bytes, (head_bits + (end - begin)).div_ceil(32) * 4)
        };
        (view, u32::try_from(head_bits).expect("alignments are small"))
    }
}
