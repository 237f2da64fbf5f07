//! Device time of a pass.

use crate::{
    device::{
        buffer,
        context::Context,
        error_scope,
        readback::{Readback, Source, Staging},
    },
    error::PrepareError,
};
use std::time::Duration;

/// Measures one compute pass on the device, by two timestamps.
#[derive(Debug)]
pub struct DeviceTimer {
    context: Context,
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
}

/// Two timestamps of 64 bits.
pub(crate) const TIMESTAMPS_BYTES: u64 = 16;

impl DeviceTimer {
    /// `None` on a device without `wgpu::Features::TIMESTAMP_QUERY`. Allocates a query set and a small
    /// buffer.
    ///
    /// # Errors
    ///
    /// [`PrepareError::OutOfMemory`], [`PrepareError::DeviceLost`] or [`PrepareError::Refused`].
    pub fn new(context: &Context) -> Result<Option<Self>, PrepareError> {
        if !context.capabilities().timestamps {
            return Ok(None);
        }
        let device = context.device();
        let queries = buffer::create_with(device, "gridfold timer", |label| {
            device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some(label),
                ty: wgpu::QueryType::Timestamp,
                count: 2,
            })
        })?;
        let resolved = buffer::create(
            device,
            "gridfold timer",
            TIMESTAMPS_BYTES,
            wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
        )?;
        error_scope::ensure_not_lost(device, "gridfold timer")?;
        Ok(Some(Self { context: context.clone(), queries, resolved }))
    }

    /// The descriptor that makes a pass write this timer's timestamps, for [`crate::Prepared::record_timed`] or a pass of
    /// the caller's.
    pub fn timestamp_writes(&self) -> wgpu::ComputePassTimestampWrites<'_> {
        wgpu::ComputePassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: Some(0),
            end_of_pass_write_index: Some(1),
        }
    }

    /// Records the copy of the measured time to the host, after the pass, in the same encoder. `None`
    /// if the timestamps make no sense (zero, or not increasing), as some drivers' do not.
    ///
    /// # Errors
    ///
    /// [`PrepareError::OutOfMemory`], [`PrepareError::DeviceLost`] or [`PrepareError::Refused`].
    pub fn record_readback(
        &self,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Result<Readback<Option<Duration>>, PrepareError> {
        let period_ns = self.period_ns();
        let staging = Staging::allocate(&self.context, TIMESTAMPS_BYTES)?;
        let source = self.resolve(encoder);
        let decode = move |bytes: &[u8]| duration(bytes, period_ns);
        Ok(staging.record(&self.context, encoder, &[source], decode))
    }

    pub(crate) fn resolve(&self, encoder: &mut wgpu::CommandEncoder) -> Source<'_> {
        encoder.resolve_query_set(&self.queries, 0..2, &self.resolved, 0);
        Source { buffer: &self.resolved, offset_bytes: 0, size_bytes: TIMESTAMPS_BYTES }
    }

    pub(crate) fn period_ns(&self) -> f32 {
        self.context.queue().get_timestamp_period()
    }
}

/// The time between two timestamps, unless they make no sense.
pub(crate) fn duration(timestamps: &[u8], period_ns: f32) -> Option<Duration> {
    let timestamps: Vec<u64> = bytemuck::pod_collect_to_vec(timestamps);
    let [begin, end] = timestamps[..] else { return None };
    if begin == 0 || end <= begin {
        return None;
    }
    // Exact below 2^53 ticks, a hundred days of nanoseconds.
    let ns = (end - begin) as f64 * f64::from(period_ns);
    Duration::try_from_secs_f64(ns * 1e-9).ok().filter(|duration| !duration.is_zero())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn senseless_timestamps_are_no_duration() {
        let duration = |begin: u64, end: u64, period_ns| {
            duration(bytemuck::bytes_of(&[begin, end]), period_ns)
        };
        assert_eq!(duration(1000, 3000, 1.0), Some(Duration::from_nanos(2000)));
        assert_eq!(duration(1000, 3000, 0.5), Some(Duration::from_nanos(1000)));
        assert_eq!(duration(0, 3000, 1.0), None);
        assert_eq!(duration(0, 0, 1.0), None);
        assert_eq!(duration(3000, 3000, 1.0), None);
        assert_eq!(duration(3000, 1000, 1.0), None);
        assert_eq!(duration(1000, 3000, 0.0), None);
        assert_eq!(duration(1000, 3000, f32::NAN), None);
        assert_eq!(duration(1000, u64::MAX, f32::MAX), None);
        assert_eq!(duration(1000, 1001, 0.1), None);
    }
}
