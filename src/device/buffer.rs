//! Typed views of wgpu buffers.

use crate::{
    algebra::element::Bits,
    device::{
        error_scope::{self, Refusal},
        extent::{BitMasks, Extent, WORD_BYTES},
    },
    error::{PrepareError, SliceError},
};
use std::{borrow::Cow, marker::PhantomData, ops::Range};

/// A run of elements, or of results, in a `wgpu::Buffer`: where they begin, and how many they are. A cheap clone.
///
/// They have one byte, two, or whole words of 32 bits: another `T` does not compile. Inputs and outputs need
/// `wgpu::BufferUsages::STORAGE`. Any offset that is a multiple of 4 bytes will do, also of results of several words; that of
/// elements of one byte or two need only be a multiple of their size. (If the buffer's own size is no multiple of 4 bytes,
/// what is left over can't be bound, and is not part of any slice.)
#[derive(Clone, Debug, PartialEq)]
pub struct GpuSlice<T> {
    any: AnySlice,
    element: PhantomData<T>,
}

/// A [`GpuSlice`], whatever its items are. What needs no more is compiled once, and not for every type.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AnySlice {
    buffer: wgpu::Buffer,
    item_bytes: u64,
    offset_bytes: u64,
    len: u64,
    stride_bytes: Option<u64>,
    bits: Option<BitMasks>,
}

impl AnySlice {
    /// All whole items of `buffer`, of so many bytes each.
    pub(crate) fn whole(buffer: &wgpu::Buffer, item_bytes: u64) -> Self {
        let len = buffer.size() / WORD_BYTES * WORD_BYTES / item_bytes;
        let buffer = buffer.clone();
        Self { buffer, item_bytes, offset_bytes: 0, len, stride_bytes: None, bits: None }
    }

    /// `len` items of so many bytes each, from byte `offset_bytes` on.
    pub(crate) fn new(
        buffer: &wgpu::Buffer,
        item_bytes: u64,
        offset_bytes: u64,
        len: u64,
    ) -> Result<Self, SliceError> {
        Self::placed(buffer, item_bytes, offset_bytes, len, None)
    }

    /// The same, of which each begins so many bytes after the one before, where they do not follow one another.
    pub(crate) fn placed(
        buffer: &wgpu::Buffer,
        item_bytes: u64,
        offset_bytes: u64,
        len: u64,
        stride_bytes: Option<u64>,
    ) -> Result<Self, SliceError> {
        let extent =
            Extent { buffer_bytes: buffer.size(), offset_bytes, len, stride_bytes, bits: None };
        extent.check(item_bytes)?;
        let stride_bytes = stride_bytes.filter(|&bytes| bytes != item_bytes);
        let buffer = buffer.clone();
        Ok(Self { buffer, item_bytes, offset_bytes, len, stride_bytes, bits: None })
    }

    /// The items `range` of this slice.
    pub(crate) fn slice(&self, range: Range<u64>) -> Result<Self, SliceError> {
        if range.start > range.end || range.end > self.len {
            return Err(SliceError::PastSlice { range, len: self.len });
        }
        let offset_bytes = self.offset_bytes + range.start * self.stride_bytes();
        let bits = self.bits.and_then(|bits| bits.part(range.start == 0, range.end == self.len));
        Ok(Self { offset_bytes, len: range.end - range.start, bits, ..self.clone() })
    }

    pub(crate) fn buffer(&self) -> &wgpu::Buffer {
        &self.buffer
    }

    /// The size of an item.
    pub(crate) fn item_bytes(&self) -> u64 {
        self.item_bytes
    }

    pub(crate) fn offset_bytes(&self) -> u64 {
        self.offset_bytes
    }

    pub(crate) fn stride_bytes(&self) -> u64 {
        self.stride_bytes.unwrap_or(self.item_bytes)
    }

    pub(crate) fn is_strided(&self) -> bool {
        self.stride_bytes.is_some()
    }

    /// Length in items.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(crate) fn bytes(&self) -> Range<u64> {
        self.offset_bytes
            ..self.offset_bytes + self.extent().span_bytes(self.item_bytes).unwrap_or(u64::MAX)
    }

    pub(crate) fn extent(&self) -> Extent {
        let Self { offset_bytes, len, stride_bytes, bits, .. } = *self;
        Extent { buffer_bytes: self.buffer.size(), offset_bytes, len, stride_bytes, bits }
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

impl<T: bytemuck::Pod> GpuSlice<T> {
    const ITEM_BYTES: u64 = {
        let size = size_of::<T>();
        let is_narrow = size == 1 || size == 2;
        assert!(is_narrow || (size > 0 && size.is_multiple_of(4)), "parts of words, or whole ones");
        size as u64
    };

    /// All whole elements of `buffer`.
    pub fn whole(buffer: &wgpu::Buffer) -> Self {
        Self::of(AnySlice::whole(buffer, Self::ITEM_BYTES))
    }

    /// The slice that this is. Its items are of this type.
    pub(crate) fn of(any: AnySlice) -> Self {
        Self { any, element: PhantomData }
    }

    /// The same, whatever its elements are.
    pub(crate) fn any(&self) -> &AnySlice {
        &self.any
    }

    pub(crate) fn into_any(self) -> AnySlice {
        self.any
    }

    /// `len` elements of `buffer` from byte `offset_bytes` on.
    ///
    /// # Errors
    ///
    /// [`SliceError::Misaligned`] if the offset is no multiple of 4, or of the size of an element that is smaller,
    /// [`SliceError::PastBuffer`] if the elements end past the buffer.
    pub fn new(buffer: &wgpu::Buffer, offset_bytes: u64, len: u64) -> Result<Self, SliceError> {
        Self::placed(buffer, offset_bytes, len, None)
    }

    /// `len` elements of `buffer`, of which the first begins at byte `offset_bytes`, and each other one `stride_bytes` after the one before:
    /// a field of structs. Each is loaded alone, so what lies between them costs bandwidth, too. An input, and no output.
    ///
    /// ```
    /// # fn example(context: &gridfold::Context, vertices: &gridfold::wgpu::Buffer) -> Result<(), gridfold::Error> {
    /// use gridfold::{GpuSlice, Max, Reducer};
    /// // Of 100 vertices of 32 bytes the heights, which are the second of their numbers.
    /// let heights = GpuSlice::<f32>::strided(vertices, 4, 32, 100)?;
    /// let highest = Reducer::<f32, _>::new(context, Max).reduce_blocking(&heights)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`GpuSlice::new`], and [`SliceError::Stride`] if the stride is smaller than an element, larger than 65536, or no multiple of
    /// what the offset has to be one of.
    pub fn strided(
        buffer: &wgpu::Buffer,
        offset_bytes: u64,
        stride_bytes: u64,
        len: u64,
    ) -> Result<Self, SliceError> {
        Self::placed(buffer, offset_bytes, len, Some(stride_bytes))
    }

    fn placed(
        buffer: &wgpu::Buffer,
        offset_bytes: u64,
        len: u64,
        stride_bytes: Option<u64>,
    ) -> Result<Self, SliceError> {
        AnySlice::placed(buffer, Self::ITEM_BYTES, offset_bytes, len, stride_bytes).map(Self::of)
    }

    /// The elements `range` of this slice.
    ///
    /// # Errors
    ///
    /// [`SliceError::PastSlice`] if the range is not within the slice.
    pub fn slice(&self, range: Range<u64>) -> Result<Self, SliceError> {
        self.any.slice(range).map(Self::of)
    }

    /// The buffer.
    pub fn buffer(&self) -> &wgpu::Buffer {
        self.any.buffer()
    }

    /// Where the slice begins in its buffer, in bytes.
    pub fn offset_bytes(&self) -> u64 {
        self.any.offset_bytes()
    }

    /// From the beginning of one element to that of the next, in bytes.
    pub fn stride_bytes(&self) -> u64 {
        self.any.stride_bytes()
    }

    /// Whether elements do not follow one another.
    pub fn is_strided(&self) -> bool {
        self.any.is_strided()
    }

    /// Length in elements.
    pub fn len(&self) -> u64 {
        self.any.len()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.any.is_empty()
    }

    pub(crate) fn bytes(&self) -> Range<u64> {
        self.any.bytes()
    }

    pub(crate) fn extent(&self) -> Extent {
        self.any.extent()
    }

    pub(crate) fn require_usage(
        &self,
        role: &'static str,
        usage: wgpu::BufferUsages,
    ) -> Result<(), PrepareError> {
        self.any.require_usage(role, usage)
    }
}

impl GpuSlice<Bits> {
    /// `len` bits of `buffer` from bit `first_bit` on, where bit 0 is the lowest bit of the first word: a mask of any length. Its words
    /// are the elements, of which the first and the last may have other bits, too. An input, and no output.
    ///
    /// ```
    /// # fn example(context: &gridfold::Context, mask: &gridfold::wgpu::Buffer) -> Result<(), gridfold::Error> {
    /// use gridfold::{Bits, Count, GpuSlice, Reducer};
    /// // How many of 1000 flags are set, of which the first is the buffer's bit 7.
    /// let mask = GpuSlice::bits(mask, 7, 1000)?;
    /// let count = Reducer::<Bits, _>::new(context, Count).reduce_blocking(&mask)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`SliceError::PastBuffer`] if the bits end past the buffer, or past what positions can be; its `len` is in words.
    pub fn bits(buffer: &wgpu::Buffer, first_bit: u64, len: u64) -> Result<Self, SliceError> {
        let first_word = first_bit / 32;
        let end = first_bit.saturating_add(len);
        let words = if len == 0 { 0 } else { end.div_ceil(32) - first_word };
        let slice = Self::new(buffer, first_word * WORD_BYTES, words)?;
        Ok(Self::of(AnySlice { bits: BitMasks::of(first_bit, end), ..slice.any }))
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

/// Creates a buffer that begins with `contents`. What is behind them is 0.
///
/// Without `MAP_WRITE` only for small buffers: wgpu (30) then makes staging memory of the buffer's size, whatever that of the contents is, fills it
/// with zeros and copies all of it. Where there is no such memory it gives up the device.
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
        let contents = whole_words(contents);
        if let Ok(mut mapped) = buffer.get_mapped_range_mut(0..contents.len() as u64) {
            mapped.copy_from_slice(&contents);
        }
        buffer.unmap();
        buffer
    })
}

/// Bytes, with zeros behind them up to a whole word.
pub(crate) fn whole_words(bytes: &[u8]) -> Cow<'_, [u8]> {
    let size_bytes = bytes.len().next_multiple_of(size_of::<u32>());
    if size_bytes == bytes.len() {
        return Cow::Borrowed(bytes);
    }
    let mut words = bytes.to_vec();
    words.resize(size_bytes, 0);
    Cow::Owned(words)
}

/// Creates something, with wgpu's error as a value.
pub(crate) fn create_with<R>(
    device: &wgpu::Device,
    label: &str,
    create: impl FnOnce(&str) -> R,
) -> Result<R, Refusal> {
    error_scope::capture(device, label, || create(label))
}
