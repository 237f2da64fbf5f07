//! A reduction with everything allocated: [`Prepared`].

use crate::{
    algebra::operator::{Items, Operator},
    cpu::fold::Raw,
    device::{
        buffer::{AnySlice, GpuSlice},
        context::Context,
        readback::{Readback, Source, Staging},
        timer::{self, DeviceTimer},
    },
    error::PrepareError,
    reduce::{plan::Plan, work::Work},
};
use std::{marker::PhantomData, ops::Range, time::Duration};

/// A result, and the time that it took.
#[derive(Clone, Debug)]
pub(crate) struct Timed {
    pub(crate) value: Raw,
    pub(crate) device_time: Option<Duration>,
}

/// A reduction with everything allocated: record it as often as you like.
///
/// Recordings share scratch memory. That is sound in any number of encoders, because the device runs
/// them one after another.
#[derive(Debug)]
pub struct Prepared<I: Items, Op: Operator<I>> {
    pub(super) any: AnyPrepared,
    pub(super) output: GpuSlice<Op::Out>,
    pub(super) items: PhantomData<fn() -> I>,
}

/// The same, whatever the types of elements and result.
#[derive(Debug)]
pub(crate) struct AnyPrepared {
    pub(super) context: Context,
    pub(crate) work: Work,
    pub(super) output: AnySlice,
    /// [`Settings::hidden_places`](super::any_reducer::Settings::hidden_places).
    pub(super) hidden_places: u32,
}

impl<I: Items, Op: Operator<I>> Prepared<I, Op> {
    /// Appends the reduction to `encoder`, as one compute pass. Creates no GPU object.
    pub fn record(&self, encoder: &mut wgpu::CommandEncoder) {
        self.any.record(encoder);
    }

    /// Appends the reduction's dispatches to a compute pass of the caller's. Creates no GPU object.
    ///
    /// A pass costs a GPU several microseconds, which is more than a small reduction does: many reductions are best
    /// recorded in one. Pipeline and bind group 0 of the pass are others afterwards.
    pub fn record_in(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.any.work.recording.record_in(pass);
    }

    /// [`Prepared::record`], with timestamps around the pass: those of a [`DeviceTimer`], or of a query set
    /// of the caller's.
    pub fn record_timed(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        timestamp_writes: wgpu::ComputePassTimestampWrites<'_>,
    ) {
        self.any.work.recording.record(encoder, Some(timestamp_writes));
    }

    /// [`Prepared::record`], and the result's way to the host. Allocates a small buffer. The output needs
    /// `wgpu::BufferUsages::COPY_SRC`. The readback resolves after the caller's submit.
    ///
    /// The value is what the output holds. Where a map's predicate leaves out every element, the output holds an extremum's neutral element
    /// ([`Reducer::map`](crate::Reducer::map)).
    ///
    /// # Errors
    ///
    /// [`PrepareError`]; nothing was recorded then.
    pub fn record_readback(
        &self,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Result<Readback<Op::Value>, PrepareError> {
        self.any.record_readback(encoder, |raw| raw.value::<I, Op>())
    }

    /// The plan.
    pub fn plan(&self) -> &Plan {
        &self.any.work.plan
    }

    /// Where the result is written: the first item of this.
    pub fn output(&self) -> &GpuSlice<Op::Out> {
        &self.output
    }
}

impl AnyPrepared {
    pub(crate) fn record(&self, encoder: &mut wgpu::CommandEncoder) {
        self.work.recording.record(encoder, None);
    }

    /// Records the reduction and the result's way to the host, where the caller submits.
    pub(super) fn record_readback<V: 'static>(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        decode: fn(Raw) -> V,
    ) -> Result<Readback<V>, PrepareError> {
        self.output.require_usage("output", wgpu::BufferUsages::COPY_SRC)?;
        let staging = Staging::allocate(&self.context, self.output_source().size_bytes)?;
        Ok(self.record_to(staging, encoder, decode))
    }

    pub(super) fn record_to<V: 'static>(
        &self,
        staging: Staging,
        encoder: &mut wgpu::CommandEncoder,
        decode: fn(Raw) -> V,
    ) -> Readback<V> {
        self.record(encoder);
        let (len, hidden_places) = (self.work.plan.len, self.hidden_places);
        let sources = [self.output_source()];
        let decode = move |bytes: &[u8]| decode(Raw::of_bytes(bytes, len, hidden_places));
        staging.record(&self.context, encoder, &sources, decode)
    }

    /// Records those of the pass's dispatches that are left, and the way of the result and of their time to the host. To be submitted
    /// by [`Context::submit`].
    pub(crate) fn record_end(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        steps: Range<usize>,
        timer: Option<&DeviceTimer>,
    ) -> Result<Readback<Timed>, PrepareError> {
        let timestamps_bytes = timer.map_or(0, |_| timer::TIMESTAMPS_BYTES);
        let mut sources = vec![self.output_source()];
        let out_bytes = sources[0].size_bytes;
        let staging = Staging::allocate_own(&self.context, out_bytes + timestamps_bytes)?;
        self.work.recording.record_steps(encoder, steps, timer.map(DeviceTimer::timestamp_writes));
        let mut period_ns = 0.0;
        if let Some(timer) = timer {
            sources.push(timer.resolve(encoder));
            period_ns = timer.period_ns();
        }
        let out_bytes = usize::try_from(out_bytes).expect("a result is small");
        let (len, hidden_places) = (self.work.plan.len, self.hidden_places);
        Ok(staging.record(&self.context, encoder, &sources, move |bytes| {
            let (result, timestamps) = bytes.split_at(out_bytes);
            let device_time = timer::duration(timestamps, period_ns);
            Timed { value: Raw::of_bytes(result, len, hidden_places), device_time }
        }))
    }

    /// Records some of the pass's dispatches, as [`Recording::record_steps`](crate::dispatch::recording::Recording::record_steps) says.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn record_steps(&self, encoder: &mut wgpu::CommandEncoder, steps: Range<usize>) {
        self.work.recording.record_steps(encoder, steps, None);
    }

    fn output_source(&self) -> Source<'_> {
        Source {
            buffer: self.output.buffer(),
            offset_bytes: self.output.offset_bytes(),
            size_bytes: self.output.item_bytes(),
        }
    }
}
