//! A reduction of segments with everything allocated: [`PreparedSegments`].

use crate::{
    algebra::{element::Element, operator::Operator},
    device::buffer::GpuSlice,
    dispatch::recording::Recording,
    segments::plan::SegmentPlan,
};
use std::marker::PhantomData;

/// A reduction of segments with everything allocated: record it as often as you like.
///
/// Recordings share scratch memory. That is sound in any number of encoders, because the device runs them one after another.
#[derive(Debug)]
pub struct PreparedSegments<T: Element, Op: Operator<T>> {
    pub(super) plan: SegmentPlan,
    pub(super) recording: Recording,
    pub(super) output: GpuSlice<Op::Out>,
    pub(super) element: PhantomData<fn() -> T>,
}

impl<T: Element, Op: Operator<T>> PreparedSegments<T, Op> {
    /// Appends the reduction to `encoder`, as one compute pass. Creates no GPU object.
    pub fn record(&self, encoder: &mut wgpu::CommandEncoder) {
        self.recording.record(encoder, None);
    }

    /// Appends the dispatches to a compute pass of the caller's. Creates no GPU object. Pipeline and bind group 0 of the pass are others
    /// afterwards.
    pub fn record_in(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.recording.record_in(pass);
    }

    /// [`PreparedSegments::record`], with timestamps around the pass: those of a [`DeviceTimer`](crate::DeviceTimer), or of a query set of
    /// the caller's.
    pub fn record_timed(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        timestamp_writes: wgpu::ComputePassTimestampWrites<'_>,
    ) {
        self.recording.record(encoder, Some(timestamp_writes));
    }

    /// The plan.
    pub fn plan(&self) -> &SegmentPlan {
        &self.plan
    }

    /// Where the results are written: one for each segment.
    pub fn output(&self) -> &GpuSlice<Op::Out> {
        &self.output
    }
}
