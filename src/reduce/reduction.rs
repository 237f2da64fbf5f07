//! A result, and how it was made: [`Reduction`].

use crate::{
    algebra::{acc_words::Words, element::Element},
    cpu::fold::Raw,
    device::capabilities::AdapterName,
    reduce::inputs::AnyOperator,
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
        Op::value(bytemuck::pod_read_unaligned(bytemuck::cast_slice(&self.words)), self.len)
    }

    /// The result of `len` elements, from words that a device has written: so many places, of which the elements alone are the result. No element has the
    /// place of none.
    pub(crate) fn of_bytes(bytes: &[u8], len: u64, places: u32) -> Self {
        let mut raw = Self { words: Words::default(), len };
        let of_place = match places {
            0 => bytes.len(),
            _ => bytes.len() / places as usize,
        };
        for bytes in bytes.chunks_exact(of_place.max(1)) {
            let (number, element) = bytes.split_at(if places > 0 { size_of::<u64>() } else { 0 });
            if number == u64::MAX.to_ne_bytes() {
                raw.len = 0;
            }
            for word in element.as_chunks().0 {
                raw.words.push(u32::from_ne_bytes(*word));
            }
        }
        raw
    }
}

impl Reduction<Raw> {
    /// The reduction, given the types.
    pub(crate) fn of_types<T: Element, Op: AnyOperator<T>>(self) -> Reduction<Op::Value> {
        let Self { value, adapter, plan, explanation, device_time } = self;
        Reduction { value: value.value::<T, Op>(), adapter, plan, explanation, device_time }
    }
}
