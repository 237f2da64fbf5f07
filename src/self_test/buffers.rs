//! Inputs on the device.

use super::{input::Input, slot::LABEL};
use crate::{
    device::{buffer, context::Context},
    error::PrepareError,
};

/// An input on the device.
pub(super) struct Buffers {
    pub(super) left: wgpu::Buffer,
    /// The left one, if there is no other.
    pub(super) right: wgpu::Buffer,
    /// As the left one, with the elements the other way round: where a single pass needs it.
    pub(super) spoiler: Option<wgpu::Buffer>,
}

impl Buffers {
    /// Those there are, or new ones, with a spoiler if it is wanted; and the bytes of what is new.
    pub(super) fn of(
        context: &Context,
        input: &Input,
        made: Option<Self>,
        with_spoiler: bool,
    ) -> Result<(Self, u64), PrepareError> {
        let mut new_bytes = 0;
        let mut upload = |words: &[u32]| {
            let buffer = upload(context, words)?;
            new_bytes += buffer.size();
            Ok::<_, PrepareError>(buffer)
        };
        let mut made = if let Some(made) = made {
            made
        } else {
            let [left, right] = input.contents();
            let left = upload(&left)?;
            let right = if right.is_empty() { left.clone() } else { upload(&right)? };
            Self { left, right, spoiler: None }
        };
        if with_spoiler {
            let [spoiler, _] = Input { left: input.reversed(), ..input.clone() }.contents();
            made.spoiler = Some(upload(&spoiler)?);
        }
        Ok((made, new_bytes))
    }
}

/// Elements are read; a result that goes behind them is copied from there and back.
const USAGE: wgpu::BufferUsages = wgpu::BufferUsages::STORAGE
    .union(wgpu::BufferUsages::COPY_SRC)
    .union(wgpu::BufferUsages::COPY_DST);

/// Through staging memory of our own, because wgpu (30) gives up the device where there is none for its own.
#[cfg(not(target_arch = "wasm32"))]
fn upload(context: &Context, words: &[u32]) -> Result<wgpu::Buffer, PrepareError> {
    let bytes: &[u8] = bytemuck::cast_slice(words);
    let buffer = buffer::create(context.device(), LABEL, bytes.len() as u64, USAGE)?;
    crate::device::upload::upload(context, &buffer, bytes)?;
    Ok(buffer)
}

#[cfg(target_arch = "wasm32")]
fn upload(context: &Context, words: &[u32]) -> Result<wgpu::Buffer, PrepareError> {
    let bytes: &[u8] = bytemuck::cast_slice(words);
    Ok(buffer::create_filled(context.device(), LABEL, bytes.len() as u64, USAGE, bytes)?)
}
