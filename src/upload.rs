//! Bytes on their way to the device.

use crate::{
    buffer,
    context::Context,
    error_scope::{self, Refusal},
};

/// Bytes that one staging buffer brings at most.
const STAGING_BYTES: usize = 64 << 20;

/// Copies `bytes`, whose length is a multiple of 4, to `destination` from `offset_bytes` on, before any
/// work submitted later. Submits the copies, waits for nothing.
///
/// The staging memory is our own, because wgpu (30) gives up the device where there is none for its own.
pub(crate) fn upload(
    context: &Context,
    destination: &wgpu::Buffer,
    offset_bytes: u64,
    bytes: &[u8],
) -> Result<(), Refusal> {
    let device = context.device();
    let mut offset_bytes = offset_bytes;
    for part in bytes.chunks(STAGING_BYTES) {
        let size_bytes = part.len() as u64;
        let usage = wgpu::BufferUsages::MAP_WRITE | wgpu::BufferUsages::COPY_SRC;
        let staging = buffer::create_filled(device, "gridfold upload", size_bytes, usage, part)?;
        let label = Some("gridfold upload");
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label });
        encoder.copy_buffer_to_buffer(&staging, 0, destination, offset_bytes, size_bytes);
        context.submit(encoder)?;
        offset_bytes += size_bytes;
    }
    error_scope::ensure_not_lost(device, "gridfold upload")
}
