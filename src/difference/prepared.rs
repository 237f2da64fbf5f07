//! Differences with everything allocated: [`PreparedDifferences`].

use crate::{
    algebra::element::Element, difference::plan::DifferencePlan, dispatch::recording::Recording,
    reduce::inputs::Input,
};

/// Differences with everything allocated: record them as often as you like.
///
/// Recordings share scratch memory. That is sound in any number of encoders, because the device runs them one after another.
#[derive(Debug)]
pub struct PreparedDifferences<T: Element> {
    pub(super) plan: DifferencePlan,
    pub(super) recording: Recording,
    pub(super) output: Input<T>,
}

impl<T: Element> PreparedDifferences<T> {
    /// Appends the differences to `encoder`, as one compute pass. Creates no GPU object.
    pub fn record(&self, encoder: &mut wgpu::CommandEncoder) {
        self.recording.record(encoder, None);
    }

    /// Appends the dispatches to a compute pass of the caller's. Creates no GPU object. Pipeline and bind group 0 of the pass are others
    /// afterwards.
    pub fn record_in(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.recording.record_in(pass);
    }

    /// [`PreparedDifferences::record`], with timestamps around the pass: those of a [`DeviceTimer`](crate::DeviceTimer), or of a query set
    /// of the caller's.
    pub fn record_timed(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        timestamp_writes: wgpu::ComputePassTimestampWrites<'_>,
    ) {
        self.recording.record(encoder, Some(timestamp_writes));
    }

    /// The plan.
    pub fn plan(&self) -> &DifferencePlan {
        &self.plan
    }

    /// Where the differences are written: as many as there are elements.
    pub fn output(&self) -> &Input<T> {
        &self.output
    }
}
