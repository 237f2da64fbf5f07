//! Typed views of wgpu buffers.

use crate::{
    device::{
        error_scope::{self, Refusal},
        extent::Extent,
    },
    error::{PrepareError, SliceError},
};
use std::{marker::PhantomData, ops::Range};

/// A run of elements, or of results, in a `wgpu::Buffer`: where they begin, and how many they are. A cheap clone.
///
/// They have whole words of 32 bits: another `T` does not compile. Inputs and outputs need `wgpu::BufferUsages::STORAGE`.
/// Any offset that is a multiple of 4 bytes will do, also of results of several words.
#[derive(Clone, Debug, PartialEq)]
pub struct GpuSlice<T> {
    buffer: wgpu::Buffer,
    offset_bytes: u64,
    len: u64,
    element: PhantomData<T>,
}

impl<T: bytemuck::Pod> GpuSlice<T> {
    const ITEM_BYTES: u64 = {
        assert!(size_of::<T>() > 0 && size_of::<T>().is_multiple_of(4), "whole words of 32 bits");
        size_of::<T>() as u64
    };

    /// All whole elements of `buffer`.
    pub fn whole(buffer: &wgpu::Buffer) -> Self {
        let len = buffer.size() / Self::ITEM_BYTES;
        Self { buffer: buffer.clone(), offset_bytes: 0, len, element: PhantomData }
    }

    /// `len` elements of `buffer` from byte `offset_bytes` on.
    ///
    /// # Errors
    ///
    /// [`SliceError::Misaligned`] if the offset is no multiple of 4,
    /// [`SliceError::PastBuffer`] if the elements end past the buffer.
    pub fn new(buffer: &wgpu::Buffer, offset_bytes: u64, len: u64) -> Result<Self, SliceError> {
        Extent { buffer_bytes: buffer.size(), offset_bytes, len }.check(Self::ITEM_BYTES)?;
        Ok(Self { buffer: buffer.clone(), offset_bytes, len, element: PhantomData })
    }

    /// The elements `range` of this slice.
    ///
    /// # Errors
    ///
    /// [`SliceError::PastSlice`] if the range is not within the slice.
    pub fn slice(&self, range: Range<u64>) -> Result<Self, SliceError> {
        if range.start > range.end || range.end > self.len {
            return Err(SliceError::PastSlice { range, len: self.len });
        }
        let offset_bytes = self.offset_bytes + range.start * Self::ITEM_BYTES;
        Ok(Self { offset_bytes, len: range.end - range.start, ..self.clone() })
    }

    /// The buffer.
    pub fn buffer(&self) -> &wgpu::Buffer {
        &self.buffer
    }

    /// Where the slice begins in its buffer, in bytes.
    pub fn offset_bytes(&self) -> u64 {
        self.offset_bytes
    }

    /// Length in elements.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(crate) fn bytes(&self) -> Range<u64> {
        self.offset_bytes..self.offset_bytes + self.len * Self::ITEM_BYTES
    }

    pub(crate) fn extent(&self) -> Extent {
        Extent { buffer_bytes: self.buffer.size(), offset_bytes: self.offset_bytes, len: self.len }
    }

    pub(crate) fn require_usage(
        &self,
        role: &'static str,
        usage: wgpu::BufferUsages,
    ) -> Result<(), PrepareError> {
        let missing = usage - self.buffer.usage();
        if missing.is_empty() {
            return Ok(());
        }
        let label = format!("{} bytes, {:?}", self.buffer.size(), self.buffer.usage());
        Err(PrepareError::Usage { role, label, missing })
    }
}

/// Creates a buffer, with wgpu's error as a value.
pub(crate) fn create(
    device: &wgpu::Device,
    label: &str,
    size_bytes: u64,
    usage: wgpu::BufferUsages,
) -> Result<wgpu::Buffer, Refusal> {
    create_by(device, label, size_bytes, usage, false)
}

/// Creates a buffer that is mapped, for the host to write to. With the usage `MAP_WRITE`: else wgpu (30) needs staging
/// memory, and gives up the device where there is none.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn create_mapped(
    device: &wgpu::Device,
    label: &str,
    size_bytes: u64,
    usage: wgpu::BufferUsages,
) -> Result<wgpu::Buffer, Refusal> {
    create_by(device, label, size_bytes, usage, true)
}

fn create_by(
    device: &wgpu::Device,
    label: &str,
    size: u64,
    usage: wgpu::BufferUsages,
    mapped_at_creation: bool,
) -> Result<wgpu::Buffer, Refusal> {
    create_with(device, label, |label| {
        let label = Some(label);
        device.create_buffer(&wgpu::BufferDescriptor { label, size, usage, mapped_at_creation })
    })
}

/// Creates a buffer that begins with `contents`, whose length is a multiple of 4.
///
/// Without `MAP_WRITE` only for small contents: wgpu (30) then needs staging memory, and gives up the device
/// where there is none.
pub(crate) fn create_filled(
    device: &wgpu::Device,
    label: &str,
    size_bytes: u64,
    usage: wgpu::BufferUsages,
    contents: &[u8],
) -> Result<wgpu::Buffer, Refusal> {
    create_with(device, label, |label| {
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size: size_bytes,
            usage,
            mapped_at_creation: true,
        });
        // Fails if the buffer could not be created, and that error is on its way already.
        if let Ok(mut mapped) = buffer.get_mapped_range_mut(0..contents.len() as u64) {
            mapped.copy_from_slice(contents);
        }
        buffer.unmap();
        buffer
    })
}

/// Creates something, with wgpu's error as a value.
pub(crate) fn create_with<R>(
    device: &wgpu::Device,
    label: &str,
    create: impl FnOnce(&str) -> R,
) -> Result<R, Refusal> {
    error_scope::capture(device, label, || create(label))
}
