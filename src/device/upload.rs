//! Bytes on their way to the device.

use crate::device::{
    buffer,
    context::Context,
    error_scope::{self, Refusal},
    extent::WORD_BYTES,
};

/// Bytes that one staging buffer brings at most.
const STAGING_BYTES: usize = 64 << 20;
const LABEL: &str = "gridfold upload";

/// Copies `bytes` to the beginning of `destination`, before any work submitted later: whole words, the last of which is filled up
/// with zeros. Waits for nothing.
///
/// Each part is submitted as soon as it is staged, so that its staging memory is soon free again. Where there
/// is none for a later part, the destination has been written in part.
pub(crate) fn upload(
    context: &Context,
    destination: &wgpu::Buffer,
    bytes: &[u8],
) -> Result<(), Refusal> {
    let mut offset_bytes = 0;
    for part in bytes.chunks(STAGING_BYTES) {
        let mut encoder = context.create_encoder(LABEL)?;
        offset_bytes = stage(context, &mut encoder, destination, offset_bytes, part)?;
        context.submit(encoder)?;
    }
    error_scope::ensure_not_lost(context.device(), LABEL)
}

/// Copies each piece's bytes, whose length is a multiple of 4, to its buffer from its offset in bytes on,
/// before any work submitted later. Waits for nothing.
///
/// All pieces are staged before one submission: they are written together or not at all.
pub(crate) fn overwrite<'a>(
    context: &Context,
    pieces: impl Iterator<Item = (&'a wgpu::Buffer, u64, &'a [u8])>,
) -> Result<(), Refusal> {
    let mut encoder = context.create_encoder(LABEL)?;
    for (destination, mut offset_bytes, bytes) in pieces {
        for part in bytes.chunks(STAGING_BYTES) {
            offset_bytes = stage(context, &mut encoder, destination, offset_bytes, part)?;
        }
    }
    context.submit(encoder)?;
    error_scope::ensure_not_lost(context.device(), LABEL)
}

/// Brings `part` into a staging buffer, and records the copy from there. Returns where it ends.
///
/// The staging memory is our own, because wgpu (30) gives up the device where there is none for its own.
fn stage(
    context: &Context,
    encoder: &mut wgpu::CommandEncoder,
    destination: &wgpu::Buffer,
    offset_bytes: u64,
    part: &[u8],
) -> Result<u64, Refusal> {
    let size_bytes = (part.len() as u64).next_multiple_of(WORD_BYTES);
    let usage = wgpu::BufferUsages::MAP_WRITE | wgpu::BufferUsages::COPY_SRC;
    let staging = buffer::create_filled(context.device(), LABEL, size_bytes, usage, part)?;
    encoder.copy_buffer_to_buffer(&staging, 0, destination, offset_bytes, size_bytes);
    Ok(offset_bytes + size_bytes)
}
