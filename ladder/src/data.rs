//! The ladder's elements: whole numbers of which every sum, in any order, is exact.

use crate::rungs::Layout;
use gridfold::{Array, Executor};

/// All sums stay below this, so that floats hold them.
const EXACT: u64 = 1 << 24;

/// What elements are padded to: whole vectors, and whole structs of three and of four.
const PADDING: u64 = 12;

/// Elements in host memory and on the device: enough of them for every layout.
#[derive(Debug)]
pub struct Input {
    values: Vec<f32>,
    array: Array<f32>,
}

/// The length with padding.
pub fn padded(len: u64) -> u64 {
    len.next_multiple_of(PADDING)
}

/// Element number `position` of inputs of length `len`: from 1 to as much as keeps every sum below 2^24. Long inputs have so
/// many elements that most must be 0, and the others 1.
pub fn value(position: u64, len: u64) -> f32 {
    let len = padded(len);
    let most = (EXACT - 1) / len;
    let bits = mix(position);
    if most > 0 {
        // Below 2^24, as `most` is.
        return (1 + bits % most) as f32;
    }
    // The sum is near 2^23. That it is further from that than 2^16 is too unlikely to happen.
    f32::from(u8::from(bits % len < EXACT / 2))
}

/// Bits without a pattern, by a step of SplitMix64.
fn mix(position: u64) -> u64 {
    let mut bits = position.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

impl Input {
    /// Input number `index` of length `len`, with padding if that makes it no longer than `most`: so rungs that take elements
    /// past the end are found out.
    pub fn new(
        executor: &Executor,
        len: u64,
        most: u64,
        index: u64,
    ) -> Result<Self, gridfold::Error> {
        let first = index * padded(len);
        let items = padded(len).min(most.max(len));
        let values: Vec<f32> =
            (first..first + items).map(|position| value(position, len)).collect();
        Ok(Self { array: executor.upload(&values)?, values })
    }

    /// On the device.
    pub fn array(&self) -> &Array<f32> {
        &self.array
    }

    /// What the CPU makes of the first `len` elements: the words that a rung must leave.
    pub fn expected(&self, layout: Layout, len: u64) -> Vec<u32> {
        let structs = usize::try_from(layout.count(len)).expect("as many as there are values");
        let values = &self.values;
        let sum = |values: &mut dyn Iterator<Item = &f32>| -> f64 {
            values.map(|&value| f64::from(value)).sum()
        };
        let field = |fields: usize, field| {
            sum(&mut values.iter().skip(field).step_by(fields).take(structs))
        };
        let run = |index: usize| sum(&mut values[index * structs..][..structs].iter());
        let sums = match layout {
            Layout::Elements | Layout::Integers => vec![run(0)],
            Layout::ThreeInterleaved => (0..3).map(|index| field(3, index)).collect(),
            Layout::ThreeApart => (0..3).map(run).collect(),
            Layout::OneOfStructs => vec![field(4, 3)],
            Layout::OneOfArrays => vec![run(3)],
        };
        sums.into_iter().map(|sum| word(sum, layout)).collect()
    }
}

/// A sum as the device has it.
fn word(sum: f64, layout: Layout) -> u32 {
    debug_assert!(sum < EXACT as f64, "floats hold it");
    #[expect(clippy::cast_possible_truncation, reason = "a whole number below 2^24")]
    #[expect(clippy::cast_sign_loss, reason = "a sum of positive numbers")]
    match layout {
        Layout::Integers => sum as u32,
        _ => (sum as f32).to_bits(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In any order: there are no negative elements, so the whole sum is the largest.
    #[test]
    fn sums_are_exact_and_telling() {
        for len in [1, 2, 3, 255, 1000, 65_537, 1 << 22, (1 << 24) - 12, 1 << 24, (1 << 25) + 1] {
            let values = (0..padded(len)).map(|position| f64::from(value(position, len)));
            let mut sum = 0.0;
            let mut zeros = 0u64;
            for value in values {
                assert!(value >= 0.0 && value.fract() == 0.0);
                sum += value;
                zeros += u64::from(value == 0.0);
            }
            assert!(sum < EXACT as f64, "{len}");
            assert!(sum > EXACT as f64 / 4.0, "{len}");
            // Nothing can be left out unnoticed, if not in long inputs.
            assert!(zeros == 0 || len >= 1 << 24, "{len}");
        }
    }

    #[test]
    fn layouts_take_what_they_say() {
        // 8 elements and 4 of padding, after those of another input.
        let input = Input::new(&Executor::cpu(), 8, 12, 1).expect("on the CPU");
        let at = |position: u64| f64::from(value(12 + position, 8));
        let sums = |positions: &[&[u64]]| -> Vec<u32> {
            let sum = |positions: &&[u64]| positions.iter().map(|&position| at(position)).sum();
            positions.iter().map(|positions| word(sum(positions), Layout::Elements)).collect()
        };
        let expected = |layout| input.expected(layout, 8);
        assert_eq!(expected(Layout::Elements), sums(&[&[0, 1, 2, 3, 4, 5, 6, 7]]));
        let interleaved = sums(&[&[0, 3], &[1, 4], &[2, 5]]);
        assert_eq!(expected(Layout::ThreeInterleaved), interleaved);
        let apart = sums(&[&[0, 1], &[2, 3], &[4, 5]]);
        assert_eq!(expected(Layout::ThreeApart), apart);
        assert_eq!(expected(Layout::OneOfStructs), sums(&[&[3, 7]]));
        assert_eq!(expected(Layout::OneOfArrays), sums(&[&[6, 7]]));
        let integers = f32::from_bits(expected(Layout::Elements)[0]);
        assert_eq!(f64::from(expected(Layout::Integers)[0]), f64::from(integers));
        // A struct there is in any case, and padding only where there is room for it.
        assert_eq!(input.expected(Layout::OneOfArrays, 1), sums(&[&[3]]));
        let len_of = |most| Input::new(&Executor::cpu(), 25, most, 0).map(|it| it.array.len());
        assert_eq!(len_of(36).expect("on the CPU"), 36);
        assert_eq!(len_of(30).expect("on the CPU"), 30);
        assert_eq!(len_of(25).expect("on the CPU"), 25);
    }
}
