//! A histogram with everything allocated: [`PreparedHistogram`].

use crate::{
    bins::BinCount, device::buffer::GpuSlice, dispatch::recording::Recording,
    histogram::plan::HistogramPlan,
};

/// A histogram with everything allocated: record it as often as you like. Each time counts begin at 0.
#[derive(Debug)]
pub struct PreparedHistogram<C: BinCount> {
    pub(super) plan: HistogramPlan,
    pub(super) recording: Recording,
    pub(super) output: GpuSlice<C>,
}

impl<C: BinCount> PreparedHistogram<C> {
    /// Appends the histogram to `encoder`, as one compute pass. Creates no GPU object.
    pub fn record(&self, encoder: &mut wgpu::CommandEncoder) {
        self.recording.record(encoder, None);
    }

    /// Appends the dispatches to a compute pass of the caller's. Creates no GPU object. Pipeline and bind group 0 of the pass are others
    /// afterwards.
    pub fn record_in(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.recording.record_in(pass);
    }

    /// [`PreparedHistogram::record`], with timestamps around the pass: those of a [`DeviceTimer`](crate::DeviceTimer), or of a query set of
    /// the caller's.
    pub fn record_timed(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        timestamp_writes: wgpu::ComputePassTimestampWrites<'_>,
    ) {
        self.recording.record(encoder, Some(timestamp_writes));
    }

    /// The plan.
    pub fn plan(&self) -> &HistogramPlan {
        &self.plan
    }

    /// Where the counts are written: one for each bin.
    pub fn output(&self) -> &GpuSlice<C> {
        &self.output
    }
}
