//! Differences with everything allocated: [`PreparedDifferences`].

use crate::{
    algebra::element::Element,
    difference::plan::DifferencePlan,
    dispatch::recording::{Recording, records},
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

records!("differences" of [T: Element] PreparedDifferences<T>);

impl<T: Element> PreparedDifferences<T> {
    /// The plan.
    pub fn plan(&self) -> &DifferencePlan {
        &self.plan
    }

    /// Where the differences are written: as many as there are elements, or as a number on the device says.
    pub fn output(&self) -> &Input<T> {
        &self.output
    }
}
