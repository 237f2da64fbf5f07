//! A reduction of segments with everything allocated: [`PreparedSegments`].

use crate::{
    algebra::{element::Element, operator::Operator},
    device::buffer::GpuSlice,
    dispatch::recording::{Recording, records},
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

records!("reduction" of [T: Element, Op: Operator<T>] PreparedSegments<T, Op>);

impl<T: Element, Op: Operator<T>> PreparedSegments<T, Op> {
    /// The plan.
    pub fn plan(&self) -> &SegmentPlan {
        &self.plan
    }

    /// Where the results are written: one for each segment.
    pub fn output(&self) -> &GpuSlice<Op::Out> {
        &self.output
    }
}
