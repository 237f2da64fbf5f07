//! A result, and how it was made: [`Reduction`].

use crate::{
    algebra::{
        acc_words::Words,
        operator::{Items, Operator},
    },
    cpu::fold::Raw,
    device::capabilities::AdapterName,
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

/// Words of a place's number, before the element.
pub(super) const NUMBER_WORDS: u32 = 2;

impl Raw {
    /// The value, given the types.
    pub(crate) fn value<I: Items, Op: Operator<I>>(&self) -> Op::Value {
        Op::value(bytemuck::pod_read_unaligned(bytemuck::cast_slice(&self.words)), self.len)
    }

    /// The result of `len` elements, without hidden places. If these are the places of none, no element counts.
    pub(crate) fn of_bytes(bytes: &[u8], len: u64, hidden_places: u32) -> Self {
        let mut raw = Self { words: Words::default(), len };
        let (words, _) = bytes.as_chunks();
        let number_words = if hidden_places > 0 { NUMBER_WORDS as usize } else { 0 };
        for result in words.chunks(words.len() / hidden_places.max(1) as usize) {
            let (number, element) = result.split_at(number_words);
            if hidden_places > 0 && number.iter().all(|&word| u32::from_ne_bytes(word) == u32::MAX)
            {
                raw.len = 0;
            }
            element.iter().for_each(|&word| raw.words.push(u32::from_ne_bytes(word)));
        }
        raw
    }
}

impl Reduction<Raw> {
    /// The reduction, given the types.
    pub(crate) fn of_types<I: Items, Op: Operator<I>>(self) -> Reduction<Op::Value> {
        let Self { value, adapter, plan, explanation, device_time } = self;
        Reduction { value: value.value::<I, Op>(), adapter, plan, explanation, device_time }
    }
}
