//! A scan with everything allocated: [`PreparedScan`].

use crate::{
    algebra::{element::Element, operator::Operator},
    dispatch::recording::Recording,
    reduce::inputs::Input,
    scan::plan::ScanPlan,
};
use std::marker::PhantomData;

/// A scan with everything allocated: record it as often as you like.
///
/// Recordings share scratch memory. That is sound in any number of encoders, because the device runs them one after another.
#[derive(Debug)]
pub struct PreparedScan<T: Element, Op: Operator<T>> {
    pub(super) plan: ScanPlan,
    pub(super) recording: Recording,
    pub(super) output: Input<Op::Out>,
    pub(super) element: PhantomData<fn() -> T>,
}

impl<T: Element, Op: Operator<T>> PreparedScan<T, Op> {
    /// Appends the scan to `encoder`, as one compute pass. Creates no GPU object.
    pub fn record(&self, encoder: &mut wgpu::CommandEncoder) {
        self.recording.record(encoder, None);
    }

    /// Appends the scan's dispatches to a compute pass of the caller's. Creates no GPU object. Pipeline and bind group 0 of the pass are
    /// others afterwards.
    pub fn record_in(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.recording.record_in(pass);
    }

    /// [`PreparedScan::record`], with timestamps around the pass: those of a [`DeviceTimer`](crate::DeviceTimer), or of a query set
    /// of the caller's.
    pub fn record_timed(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        timestamp_writes: wgpu::ComputePassTimestampWrites<'_>,
    ) {
        self.recording.record(encoder, Some(timestamp_writes));
    }

    /// The plan.
    pub fn plan(&self) -> &ScanPlan {
        &self.plan
    }

    /// Where the results are written: as many items as there are elements.
    pub fn output(&self) -> &Input<Op::Out> {
        &self.output
    }
}
