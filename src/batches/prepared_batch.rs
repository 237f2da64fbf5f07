//! A batch with everything allocated: [`PreparedBatch`].

use crate::{
    batches::ticket::{Results, Ticket},
    device::{
        buffer::GpuSlice,
        context::Context,
        error_scope,
        readback::{Readback, Source, Staging},
    },
    dispatch::recording::Recording,
    error::{Error, PrepareError, ReadError},
    reduce::work::Work,
};
use std::borrow::Cow;

/// A batch with everything allocated: record it as often as you like.
#[derive(Debug)]
pub struct PreparedBatch {
    pub(super) context: Context,
    pub(super) label: Cow<'static, str>,
    pub(super) id: u64,
    pub(super) results: GpuSlice<u32>,
    /// Of those that share dispatches.
    pub(super) recording: Recording,
    pub(super) singles: Vec<Work>,
}

impl PreparedBatch {
    pub(super) fn on_a_sound_device(self) -> Result<Self, PrepareError> {
        error_scope::ensure_not_lost(self.context.device(), &self.label)?;
        Ok(self)
    }

    /// Appends all reductions to `encoder`, as one compute pass. Creates no GPU object.
    pub fn record(&self, encoder: &mut wgpu::CommandEncoder) {
        self.record_timed(encoder, None);
    }

    /// [`PreparedBatch::record`], with timestamps around the pass, if any.
    pub fn record_timed(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        timestamp_writes: Option<wgpu::ComputePassTimestampWrites<'_>>,
    ) {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some(&self.label),
            timestamp_writes,
        });
        self.record_in(&mut pass);
    }

    /// Appends all reductions to a compute pass of the caller's. Creates no GPU object.
    ///
    /// A pass costs a GPU several microseconds. Pipeline and bind group 0 of the pass are others afterwards.
    pub fn record_in(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.recording.record_in(pass);
        for single in &self.singles {
            single.recording.record_in(pass);
        }
    }

    /// [`PreparedBatch::record`], and the results' way to the host. Allocates a small buffer. A buffer of the caller's for the
    /// results needs `wgpu::BufferUsages::COPY_SRC`. The readback resolves after the caller's submit.
    ///
    /// # Errors
    ///
    /// [`PrepareError`]; nothing was recorded then.
    pub fn record_readback(
        &self,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Result<Readback<Results>, PrepareError> {
        self.results.require_usage("output", wgpu::BufferUsages::COPY_SRC)?;
        let staging = Staging::allocate(&self.context, self.results.len() * 4)?;
        Ok(self.record_to(staging, encoder))
    }

    pub(super) fn record_to(
        &self,
        staging: Staging,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Readback<Results> {
        self.record(encoder);
        let size_bytes = self.results.len() * 4;
        let batch = self.id;
        let decode =
            move |bytes: &[u8]| Results { batch, words: bytemuck::pod_collect_to_vec(bytes) };
        let (buffer, offset_bytes) = (self.results.buffer(), self.results.offset_bytes());
        let sources = [Source { buffer, offset_bytes, size_bytes }];
        let sources = if size_bytes == 0 { &[] } else { &sources[..] };
        staging.record(&self.context, encoder, sources, decode)
    }

    /// The results on the device, each where its [`Ticket::index`] says: in a buffer of the caller's ([`crate::Batch::prepare_into`]),
    /// or in one of the batch's own, whose usages are `STORAGE` and `COPY_SRC`.
    pub fn results(&self) -> &GpuSlice<u32> {
        &self.results
    }

    /// The result of a reduction on the device.
    ///
    /// # Errors
    ///
    /// [`ReadError::ForeignTicket`] if another batch has given out the ticket.
    pub fn result<Out: bytemuck::Pod, V>(
        &self,
        ticket: Ticket<Out, V>,
    ) -> Result<GpuSlice<Out>, Error> {
        if ticket.batch != self.id {
            return Err(ReadError::ForeignTicket.into());
        }
        let offset_bytes = self.results.offset_bytes() + u64::from(ticket.index) * 4;
        Ok(GpuSlice::new(self.results.buffer(), offset_bytes, 1)?)
    }

    /// Dispatches of a recording.
    pub fn dispatches(&self) -> usize {
        let singles: usize = self.singles.iter().map(|single| single.recording.dispatches()).sum();
        self.recording.dispatches() + singles
    }
}
