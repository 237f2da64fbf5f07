//! Reductions with everything allocated.

use crate::{
    cpu::fold::Raw,
    device::{
        buffer::AnySlice,
        context::Context,
        readback::{Readback, Source, Staging},
        timer::{self, DeviceTimer},
    },
    dispatch::prepared::{Output, Prepared},
    error::PrepareError,
    reduce::work::Work,
};
use std::{ops::Range, time::Duration};

/// A result, and the time that it took.
#[derive(Clone, Debug)]
pub(crate) struct Timed {
    pub(crate) value: Raw,
    pub(crate) device_time: Option<Duration>,
}

/// A reduction with everything allocated, whatever the types of elements and result.
#[derive(Debug)]
pub(crate) struct AnyPrepared {
    pub(super) context: Context,
    pub(crate) work: Work,
    pub(super) output: AnySlice,
    /// [`Settings::hidden_places`](super::any_reducer::Settings::hidden_places).
    pub(super) hidden_places: u32,
}

impl AnyPrepared {
    /// The same, with the type of its value.
    pub(super) fn typed<V: 'static>(self, decode: fn(Raw) -> V) -> Prepared<V> {
        let Self { context, work: Work { plan, recording }, output, hidden_places } = self;
        let len = plan.len;
        let first = output.slice(0..1).expect("a plan has checked the output");
        let output = Output::new(&context, vec![first], move |bytes| {
            decode(Raw::of_bytes(bytes, len, hidden_places))
        });
        Prepared { plan: plan.into(), recording, output }
    }

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
