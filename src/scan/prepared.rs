//! A scan with everything allocated: [`PreparedScan`].

use crate::{
    algebra::{element::Element, operator::Operator},
    dispatch::recording::{Recording, records},
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

records!("scan" of [T: Element, Op: Operator<T>] PreparedScan<T, Op>);

impl<T: Element, Op: Operator<T>> PreparedScan<T, Op> {
    /// The plan.
    pub fn plan(&self) -> &ScanPlan {
        &self.plan
    }

    /// Where the results are written: as many items as there are elements.
    pub fn output(&self) -> &Input<Op::Out> {
        &self.output
    }
}
