//! A result, and how it was made: [`Reduction`].

use crate::{
    algebra::element::Element,
    cpu::fold::Raw,
    device::capabilities::AdapterName,
    reduce::{inputs::AnyOperator, prepared::decode},
};
use std::time::Duration;

/// A reduced value, where it was made, and how.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Reduction<V> {
    /// The value.
    pub value: V,
    /// The adapter that made it, or the CPU.
    pub adapter: AdapterName,
    /// The plan, in a line.
    pub plan: String,
    /// The plan, in sentences.
    pub explanation: String,
    /// Device time of the pass. `None` if it can't be measured, on the CPU, and if slices of host memory came
    /// to the device in several chunks, each with a pass of its own.
    pub device_time: Option<Duration>,
}

impl Raw {
    /// The value, given the types.
    pub(crate) fn value<T: Element, Op: AnyOperator<T>>(&self) -> Op::Value {
        decode::<T, Op>(bytemuck::cast_slice(&self.words), self.len)
    }
}

impl Reduction<Raw> {
    /// The reduction, given the types.
    pub(crate) fn of_types<T: Element, Op: AnyOperator<T>>(self) -> Reduction<Op::Value> {
        let Self { value, adapter, plan, explanation, device_time } = self;
        Reduction { value: value.value::<T, Op>(), adapter, plan, explanation, device_time }
    }
}
