//! Elements of several slices side by side, in a buffer of the plan's own.

use crate::{
    device::{buffer, context::Context, pool::Memory},
    dispatch::{
        plan::Dispatch,
        recording::{Part, Recording, Resources},
    },
    error::PrepareError,
};

/// What is copied before anything is reduced.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Seams {
    /// One for each part of a slice.
    pub(super) copies: Vec<Dispatch>,
    /// What they write.
    pub(super) bytes: u64,
}

impl Seams {
    /// Adds the dispatches, of which each binds the scratch memory, too. Gives the buffer that they write to, if there are any.
    pub(super) fn add_to(
        &self,
        context: &Context,
        recording: &mut Recording,
        left: &[&wgpu::Buffer],
        scratch: Part<'_>,
        memory: Memory,
    ) -> Result<Option<wgpu::Buffer>, PrepareError> {
        if self.copies.is_empty() {
            return Ok(None);
        }
        let usage = wgpu::BufferUsages::STORAGE;
        let written = buffer::create(context.device(), recording.label(), self.bytes, usage)?;
        let resources = Resources {
            left,
            right: &[context.no_vectors()],
            third: &[],
            scratch: Some(scratch),
            accumulator: None,
            result: Some(Part::whole(&written)),
        };
        recording.add(context, &self.copies, resources, memory)?;
        Ok(Some(written))
    }
}
