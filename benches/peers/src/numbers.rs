//! The elements, which are a function of their number, and their reductions on the CPU.

use std::{ops::Range, thread};

/// 32 bits without a pattern.
fn mix(number: u32) -> u32 {
    let mut bits = number.wrapping_mul(0x9e37_79b1);
    bits = (bits ^ (bits >> 16)).wrapping_mul(0x85eb_ca6b);
    bits = (bits ^ (bits >> 13)).wrapping_mul(0xc2b2_ae35);
    bits ^ (bits >> 16)
}

/// What reductions of some elements are.
#[derive(Clone, Copy)]
pub struct Expected {
    pub sum: u32,
    pub min: u32,
    pub max: u32,
}

impl Expected {
    const OF_NONE: Self = Self { sum: 0, min: u32::MAX, max: 0 };

    fn merge(self, other: Self) -> Self {
        Self {
            sum: self.sum.wrapping_add(other.sum),
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    fn of_part(numbers: Range<u32>) -> Self {
        numbers.map(mix).fold(Self::OF_NONE, |all, element| {
            all.merge(Self { sum: element, min: element, max: element })
        })
    }

    /// By all cores.
    pub fn of(numbers: Range<u32>) -> Self {
        let part_items = part_items(numbers.len());
        thread::scope(|scope| {
            let threads: Vec<_> = numbers
                .clone()
                .step_by(part_items)
                .map(|begin| {
                    let rest = numbers.end - begin;
                    let part = begin
                        ..begin + u32::try_from(part_items).map_or(rest, |items| items.min(rest));
                    scope.spawn(move || Self::of_part(part))
                })
                .collect();
            threads
                .into_iter()
                .map(|thread| thread.join().expect("it does not panic"))
                .fold(Self::OF_NONE, Self::merge)
        })
    }
}

/// Fills `elements` with those from number `first` on, by all cores.
pub fn fill(elements: &mut [u32], first: u32) {
    let part_items = part_items(elements.len());
    thread::scope(|scope| {
        for (begin, part) in (first..).step_by(part_items).zip(elements.chunks_mut(part_items)) {
            scope.spawn(move || {
                for (number, element) in (begin..).zip(part) {
                    *element = mix(number);
                }
            });
        }
    });
}

/// Elements for each core, but as many as are worth a thread.
fn part_items(items: usize) -> usize {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    items.div_ceil(cores).max(1 << 16)
}
