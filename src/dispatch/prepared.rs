//! Calls with everything allocated: [`Prepared`].

use crate::{
    device::{
        buffer::AnySlice,
        context::Context,
        readback::{Readback, Source, Staging},
    },
    dispatch::{plan::Plan, recording::Recording},
    error::PrepareError,
};
use std::{fmt, sync::Arc};

/// A call with everything allocated: record it as often as you like. `R` is what a readback brings: a reduction's value, an accumulator, the number of selected
/// elements, or all results.
///
/// Recordings share scratch memory. That is sound in any number of encoders, because the device runs them one after another.
pub struct Prepared<R> {
    pub(crate) plan: Plan,
    pub(crate) recording: Recording,
    pub(crate) output: Output<R>,
}

/// Where results are, and what they are on the host.
pub(crate) struct Output<R> {
    pub(crate) context: Context,
    /// With what errors call them.
    pub(crate) slices: Vec<(&'static str, AnySlice)>,
    pub(crate) decode: Decode<R>,
}

type Decode<R> = Arc<dyn Fn(&[u8]) -> R + Send + Sync>;

impl<R> Prepared<R> {
    /// Appends the dispatches to `encoder`, as one compute pass. Creates no GPU object.
    pub fn record(&self, encoder: &mut wgpu::CommandEncoder) {
        self.recording.record(encoder, None);
    }

    /// Appends the dispatches to a compute pass of the caller's. Creates no GPU object.
    ///
    /// A pass costs a GPU several microseconds, which is more than a small reduction does: many reductions are best
    /// recorded in one. Pipeline and bind group 0 of the pass are others afterwards.
    pub fn record_in(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.recording.record_in(pass);
    }

    /// [`Prepared::record`], with timestamps around the pass: those of a [`DeviceTimer`](crate::DeviceTimer), or of a query set
    /// of the caller's.
    pub fn record_timed(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        timestamp_writes: wgpu::ComputePassTimestampWrites<'_>,
    ) {
        self.recording.record(encoder, Some(timestamp_writes));
    }

    /// The plan. If a number on the device says how many elements there are, it is for the most that there can be, without the dispatch that reads the number.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }
}

impl<R: 'static> Prepared<R> {
    /// [`Prepared::record`], and copies the results to the host. Allocates a buffer. The output needs `wgpu::BufferUsages::COPY_SRC`, and so does the number of a
    /// reduction of as many elements as it says. The readback resolves after the caller's submit.
    ///
    /// The value is what the output holds. Where a map's predicate leaves out every element, the output holds an extremum's neutral element
    /// ([`Reducer::map`](crate::Reducer::map)). A call that counts its elements on the device may write fewer results than the output holds. The others are as they were.
    ///
    /// # Errors
    ///
    /// [`PrepareError`]; nothing was recorded then.
    pub fn record_readback(
        &self,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Result<Readback<R>, PrepareError> {
        let staging = self.output.staging()?;
        self.record(encoder);
        Ok(self.output.record(staging, encoder))
    }
}

impl<R: 'static> Output<R> {
    pub(crate) fn new(
        context: &Context,
        slices: Vec<AnySlice>,
        decode: impl Fn(&[u8]) -> R + Send + Sync + 'static,
    ) -> Self {
        let slices = slices.into_iter().map(|slice| ("output", slice)).collect();
        Self { context: context.clone(), slices, decode: Arc::new(decode) }
    }

    /// Results are whole words, and outputs have no gaps.
    fn sources(&self) -> Vec<Source<'_>> {
        let filled = self.slices.iter().filter(|(_, slice)| !slice.is_empty());
        let sources = filled.map(|(_, slice)| Source {
            buffer: slice.buffer(),
            offset_bytes: slice.offset_bytes(),
            size_bytes: slice.len() * slice.item_bytes(),
        });
        sources.collect()
    }

    fn staging(&self) -> Result<Staging, PrepareError> {
        let usage = wgpu::BufferUsages::COPY_SRC;
        let mut filled = self.slices.iter().filter(|(_, slice)| !slice.is_empty());
        filled.try_for_each(|(name, slice)| slice.require_usage(name, usage))?;
        let size_bytes = self.sources().iter().map(|source| source.size_bytes).sum();
        Ok(Staging::allocate(&self.context, size_bytes)?)
    }

    /// Copies the results, and reads them when they are there.
    fn record(&self, staging: Staging, encoder: &mut wgpu::CommandEncoder) -> Readback<R> {
        let decode = Arc::clone(&self.decode);
        staging.record(&self.context, encoder, &self.sources(), move |bytes| decode(bytes))
    }
}

impl<R> fmt::Debug for Prepared<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { plan, output, .. } = self;
        f.debug_struct("Prepared")
            .field("plan", plan)
            .field("output", &output.slices)
            .finish_non_exhaustive()
    }
}
