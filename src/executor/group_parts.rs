//! Groups of more elements than one binding spans: halves of the groups, and halves of these, until a binding has the elements of each part.

use crate::{
    algebra::element::Element,
    bins::Bins,
    error::{Error, PrepareError},
    executor::array::Array,
};
use std::ops::Range;

type OfParts<'a, T, R> = &'a dyn Fn(&Array<T>, &Array<u32>, Range<u32>) -> Result<R, Error>;

/// How groups of an array on a device are reduced.
pub(super) struct GroupParts<'a, T, V> {
    pub(super) groups: u32,
    /// Whether the groups of a range are reduced together, by their elements and the numbers of these.
    pub(super) fits: OfParts<'a, T, bool>,
    pub(super) together: OfParts<'a, T, Vec<V>>,
    /// The result of a single group, by its elements.
    pub(super) alone: &'a dyn Fn(&Array<T>) -> Result<V, Error>,
}

impl<T: Element, V> GroupParts<'_, T, V> {
    /// The results of all groups, in their order.
    pub(super) fn results(
        &self,
        elements: &Array<T>,
        numbers: &Array<u32>,
    ) -> Result<Vec<V>, Error> {
        let mut results = Vec::new();
        // Behind the groups comes what belongs to none.
        self.add(elements, numbers, 0..self.groups + 1, &mut results)?;
        Ok(results)
    }

    /// Those of the groups of a range. No element is of another one, but of those behind all groups.
    fn add(
        &self,
        elements: &Array<T>,
        numbers: &Array<u32>,
        range: Range<u32>,
        results: &mut Vec<V>,
    ) -> Result<(), Error> {
        let own = range.start..range.end.min(self.groups);
        if own.is_empty() {
            return Ok(());
        }
        if (self.fits)(elements, numbers, own.clone())? {
            results.extend((self.together)(elements, numbers, own)?);
            return Ok(());
        }
        if range.len() == 1 {
            results.push((self.alone)(elements)?);
            return Ok(());
        }
        let middle = range.start + (range.end - range.start) / 2;
        // Each with the numbers of the other one, of which the last counts, too. What is in no bin has a flag that is set.
        let (low, high) = ([middle.into(), 1 << 32], [0, u64::from(middle) - 1]);
        for (half, others) in [(range.start..middle, low), (middle..range.end, high)] {
            let bins = Bins::edges(&others).map_err(PrepareError::from)?;
            let flags = numbers.bin_numbers(&bins)?;
            let (elements, numbers) = (elements.select(&flags)?, numbers.select(&flags)?);
            drop(flags);
            self.add(&elements, &numbers, half, results)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::executor::Executor;
    use std::cell::Cell;

    /// Each group's elements in their order, where so few fit at once.
    fn sorted(numbers: &[u32], groups: u32, most: u64) -> (Vec<Vec<u32>>, [u32; 2]) {
        let executor = Executor::cpu();
        let places: Vec<u32> = (0..).zip(numbers).map(|(place, _)| place).collect();
        let elements = executor.upload(&places).expect("uploads");
        let (together, alone) = (Cell::new(0), Cell::new(0));
        let parts = GroupParts {
            groups,
            fits: &|elements, _, _| Ok(elements.len() <= most),
            together: &|elements, numbers, range| {
                together.set(together.get() + 1);
                assert!(elements.len() <= most);
                let (elements, numbers) = (elements.download()?, numbers.download()?);
                let own = |group: u32| {
                    let own = elements.iter().zip(&numbers).filter(|(_, own)| **own == group);
                    own.map(|(&element, _)| element).collect()
                };
                Ok(range.map(own).collect())
            },
            alone: &|elements| {
                alone.set(alone.get() + 1);
                elements.download()
            },
        };
        let results = parts.results(&elements, &executor.upload(numbers).expect("uploads"));
        (results.expect("parts"), [together.get(), alone.get()])
    }

    #[test]
    fn parts_have_their_groups() {
        let numbers: Vec<u32> = (0..400)
            .map(|place: u32| match place.wrapping_mul(2_654_435_761) >> 20 {
                random if random % 3 == 0 => 5,
                random if random % 7 == 0 => u32::MAX - random,
                random => random % 20,
            })
            .collect();
        for groups in [0, 1, 2, 5, 6, 7, 16, 20, 21, 1000] {
            let own = |group: u32| {
                let own = (0..400u32).zip(&numbers).filter(|(_, own)| **own == group);
                own.map(|(place, _)| place).collect::<Vec<_>>()
            };
            let wanted: Vec<_> = (0..groups).map(own).collect();
            for most in [0, 1, 30, 100, 400] {
                let (found, [together, alone]) = sorted(&numbers, groups, most);
                assert_eq!(found, wanted, "{groups} groups, {most} elements at once");
                match most {
                    400 => assert_eq!([together, alone], [u32::from(groups > 0), 0]),
                    100 if groups > 5 => assert!(together > 0 && alone == 1),
                    _ => (),
                }
            }
        }
    }
}
