//! Where selections go.

use super::slot::LABEL;
use crate::{
    algebra::{element::Element, offset::Offset},
    device::{
        buffer::{self, GpuSlice},
        context::Context,
    },
    error::Error,
    reduce::inputs::Input,
};

/// Elements: three blocks of four rows, and a part of a row.
pub(super) const LEN: usize = 13_001;
/// The last slice of outputs has these.
const LAST_ITEMS: u64 = 500;

/// Where a selection goes.
pub(super) struct Outputs {
    pub(super) output: wgpu::Buffer,
    pub(super) lengths: wgpu::Buffer,
    pub(super) count: wgpu::Buffer,
    /// Bytes of the first two.
    pub(super) sizes: [u64; 2],
    /// Items of the output's second slice.
    last_items: u64,
}

impl Outputs {
    /// Zeros, in one slice or in two.
    pub(super) fn new(
        context: &Context,
        item_bytes: u64,
        is_one_slice: bool,
    ) -> Result<Self, Error> {
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
        let sizes = [item_bytes, 8].map(|bytes| (LEN as u64 * bytes).next_multiple_of(16));
        let zeros = vec![0; usize::try_from(sizes[0].max(sizes[1])).expect("small")];
        let create = |size_bytes: u64| {
            let zeros = &zeros[..usize::try_from(size_bytes).expect("small")];
            buffer::create_filled(context.device(), LABEL, size_bytes, usage, zeros)
        };
        Ok(Self {
            output: create(sizes[0])?,
            lengths: create(sizes[1])?,
            count: create(32)?,
            sizes,
            last_items: if is_one_slice { 0 } else { LAST_ITEMS },
        })
    }

    /// The output's slices.
    pub(super) fn values<T: Element>(&self) -> Result<Input<T>, Error> {
        let rest = LEN as u64 - self.last_items;
        let mut slices = vec![GpuSlice::<T>::new(&self.output, 0, rest)?];
        if self.last_items > 0 {
            let offset_bytes = rest * T::TYPE.size_bytes();
            slices.push(GpuSlice::<T>::new(&self.output, offset_bytes, self.last_items)?);
        }
        Ok(Input::from(slices))
    }

    pub(super) fn numbers<N: Offset>(buffer: &wgpu::Buffer) -> Result<GpuSlice<N>, Error> {
        Ok(GpuSlice::<N>::new(buffer, 0, LEN as u64)?)
    }
}
