//! The elements, which are a function of their number, and their reductions on the CPU.

use std::{ops::Range, thread};

/// 32 bits without a pattern.
pub fn mix(number: u32) -> u32 {
    let mut bits = number.wrapping_mul(0x9e37_79b1);
    bits = (bits ^ (bits >> 16)).wrapping_mul(0x85eb_ca6b);
    bits = (bits ^ (bits >> 13)).wrapping_mul(0xc2b2_ae35);
    bits ^ (bits >> 16)
}

/// The bits of a random float in [0, 1).
pub fn uniform(number: u32) -> u32 {
    ((mix(number) >> 8) as f32 / 16_777_216.0).to_bits()
}

/// Whether an element is selected, 1 or 0: every second one, without a pattern.
pub fn keeps(number: u32) -> u32 {
    mix(!number) & 1
}

/// How many of these are.
pub fn kept(numbers: Range<u32>) -> u32 {
    by_all_cores(numbers, |part| part.map(keeps).sum::<u32>()).into_iter().sum()
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

    pub fn of(numbers: Range<u32>) -> Self {
        let of_part = |numbers: Range<u32>| {
            numbers.map(mix).fold(Self::OF_NONE, |all, element| {
                all.merge(Self { sum: element, min: element, max: element })
            })
        };
        by_all_cores(numbers, of_part).into_iter().fold(Self::OF_NONE, Self::merge)
    }
}

/// What reductions of some floats are. The sum is as good as exact.
#[derive(Clone, Copy)]
pub struct ExpectedFloats {
    pub sum: f64,
    pub max: f64,
}

impl ExpectedFloats {
    const OF_NONE: Self = Self { sum: 0.0, max: 0.0 };

    fn merge(self, other: Self) -> Self {
        Self { sum: self.sum + other.sum, max: self.max.max(other.max) }
    }

    pub fn of(numbers: Range<u32>) -> Self {
        let of_part = |numbers: Range<u32>| {
            numbers
                .map(|number| f64::from(f32::from_bits(uniform(number))))
                .fold(Self::OF_NONE, |all, element| all.merge(Self { sum: element, max: element }))
        };
        by_all_cores(numbers, of_part).into_iter().fold(Self::OF_NONE, Self::merge)
    }
}

fn by_all_cores<R: Send>(numbers: Range<u32>, of_part: impl Fn(Range<u32>) -> R + Sync) -> Vec<R> {
    let part_items = part_items(numbers.len());
    let of_part = &of_part;
    thread::scope(|scope| {
        let threads: Vec<_> = numbers
            .clone()
            .step_by(part_items)
            .map(|begin| {
                let rest = numbers.end - begin;
                let part =
                    begin..begin + u32::try_from(part_items).map_or(rest, |items| items.min(rest));
                scope.spawn(move || of_part(part))
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("it does not panic")).collect()
    })
}

/// Fills `elements` with those from number `first` on, by all cores.
pub fn fill(elements: &mut [u32], first: u32, element: fn(u32) -> u32) {
    let part_items = part_items(elements.len());
    thread::scope(|scope| {
        for (begin, part) in (first..).step_by(part_items).zip(elements.chunks_mut(part_items)) {
            scope.spawn(move || {
                for (number, place) in (begin..).zip(part) {
                    *place = element(number);
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
