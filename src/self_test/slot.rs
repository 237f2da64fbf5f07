//! Where results go: to slots of one buffer.

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
pub(super) struct Slot {
    results: wgpu::Buffer,
    index: usize,
}

impl Slot {
    pub(super) fn new(results: &wgpu::Buffer, index: usize) -> Self {
        Self { results: results.clone(), index }
    }

    pub(super) fn buffer(&self) -> &wgpu::Buffer {
        &self.results
    }

    pub(super) fn offset_bytes(&self) -> u64 {
        self.index as u64 * SLOT_STRIDE_WORDS * 4
    }

    pub(super) fn words(&self) -> u64 {
        SLOT_WORDS
    }
}

fn stride() -> usize {
    usize::try_from(SLOT_STRIDE_WORDS).expect("a few")
}

/// A buffer of so many slots.
pub(super) fn results(context: &Context, slots: usize) -> Result<wgpu::Buffer, PrepareError> {
    let words = vec![UNTOUCHED; slots * stride()];
    let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
    let bytes: &[u8] = bytemuck::cast_slice(&words);
    Ok(buffer::create_filled(context.device(), LABEL, bytes.len() as u64, usage, bytes)?)
}

/// What a slot holds, of all slots' words: a result of so many words, or the whole slot if something was written behind it.
pub(super) fn found(words: &[u32], index: usize, len: usize) -> &[u32] {
    let slot = &words[index * stride()..][..stride()];
    let (result, rest) = slot.split_at(len);
    if rest.iter().any(|&word| word != UNTOUCHED) { slot } else { result }
}
