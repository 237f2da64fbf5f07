//! A histogram with everything allocated: [`PreparedHistogram`].

use crate::{
    bins::BinCount,
    device::buffer::GpuSlice,
    dispatch::recording::{Recording, records},
    histogram::plan::HistogramPlan,
};

/// A histogram with everything allocated: record it as often as you like. Each time counts begin at 0.
#[derive(Debug)]
pub struct PreparedHistogram<C: BinCount> {
    pub(super) plan: HistogramPlan,
    pub(super) recording: Recording,
    pub(super) output: GpuSlice<C>,
}

records!("histogram" of [C: BinCount] PreparedHistogram<C>);

impl<C: BinCount> PreparedHistogram<C> {
    /// The plan.
    pub fn plan(&self) -> &HistogramPlan {
        &self.plan
    }

    /// Where the counts are written: one for each bin.
    pub fn output(&self) -> &GpuSlice<C> {
        &self.output
    }
}
