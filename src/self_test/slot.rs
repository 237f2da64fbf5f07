//! Where results go: to slots of one buffer, or behind the elements first.

use crate::{
    device::{buffer, context::Context},
    error::PrepareError,
};

/// Of all that a self-test makes, for debuggers.
pub(super) const LABEL: &str = "gridfold self-test";

/// Words of the longest result: the accumulator of moments.
const SLOT_WORDS: u64 = 33;
/// From one slot to the next: so results begin at every place in a vector.
const SLOT_STRIDE_WORDS: u64 = SLOT_WORDS + 2;
/// What no result is: where nothing was written, this is there.
const UNTOUCHED: u32 = 0x5ca1_ab1e;

/// Where a result goes.
#[derive(Clone)]
pub(super) struct Slot {
    buffer: wgpu::Buffer,
    offset_bytes: u64,
}

impl Slot {
    /// The slot of this number in a buffer of slots.
    pub(super) fn new(results: &wgpu::Buffer, index: usize) -> Self {
        Self { buffer: results.clone(), offset_bytes: index as u64 * SLOT_STRIDE_WORDS * 4 }
    }

    /// Behind so many words of a buffer.
    pub(super) fn behind(words: usize, buffer: &wgpu::Buffer) -> Self {
        Self { buffer: buffer.clone(), offset_bytes: words as u64 * 4 }
    }

    pub(super) fn buffer(&self) -> &wgpu::Buffer {
        &self.buffer
    }

    pub(super) fn offset_bytes(&self) -> u64 {
        self.offset_bytes
    }

    /// Records that all of it goes to another slot.
    pub(super) fn copy_to(&self, to: &Self, encoder: &mut wgpu::CommandEncoder) {
        encoder.copy_buffer_to_buffer(
            &self.buffer,
            self.offset_bytes,
            &to.buffer,
            to.offset_bytes,
            SLOT_STRIDE_WORDS * 4,
        );
    }

    pub(super) fn words(&self) -> u64 {
        SLOT_WORDS
    }
}

/// From one slot to the next, in words.
pub(super) fn stride() -> usize {
    usize::try_from(SLOT_STRIDE_WORDS).expect("a few")
}

/// A buffer of so many slots.
pub(super) fn results(context: &Context, slots: usize) -> Result<wgpu::Buffer, PrepareError> {
    let words = vec![UNTOUCHED; slots * stride()];
    let copies = wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
    let usage = wgpu::BufferUsages::STORAGE | copies;
    let bytes: &[u8] = bytemuck::cast_slice(&words);
    Ok(buffer::create_filled(context.device(), LABEL, bytes.len() as u64, usage, bytes)?)
}

/// What a slot holds, of all slots' words: a result of so many words, or the whole slot if something was written behind it.
pub(super) fn found(words: &[u32], index: usize, len: usize) -> &[u32] {
    let slot = &words[index * stride()..][..stride()];
    let (result, rest) = slot.split_at(len);
    if rest.iter().any(|&word| word != UNTOUCHED) { slot } else { result }
}
