//! Differences of neighbours on the CPU.

use crate::{
    algebra::{difference::DifferenceElement, float_environment},
    error::PrepareError,
    room::reserve,
};

/// The first element, and the difference of each other one and that before it.
///
/// # Errors
///
/// [`PrepareError::OutOfMemory`] if there is no room for the results.
pub(crate) fn adjacent_difference<T: DifferenceElement>(
    elements: &[T],
) -> Result<Vec<T>, PrepareError> {
    let mut results = Vec::new();
    reserve(&mut results, elements.len(), "differences")?;
    let adds_as_ieee = float_environment::is_default();
    results.extend(elements.first());
    let pairs = elements.windows(2);
    results.extend(pairs.map(|pair| pair[1].difference(pair[0], adds_as_ieee)));
    Ok(results)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(values: &[f32]) -> Vec<u32> {
        adjacent_difference(values).expect("there is memory").iter().map(|x| x.to_bits()).collect()
    }

    #[test]
    fn integers_wrap() {
        let found = adjacent_difference(&[i32::MIN, 1, i32::MIN, -1]).expect("there is memory");
        assert_eq!(found, [i32::MIN, i32::MIN + 1, i32::MAX, i32::MAX]);
        assert_eq!(adjacent_difference(&[3u64, 1]).expect("there is memory"), [3, u64::MAX - 1]);
        assert!(adjacent_difference::<u32>(&[]).expect("there is memory").is_empty());
    }

    #[test]
    fn floats_are_those_of_ieee() {
        // The first keeps its bits, whatever they are.
        let nan = f32::from_bits(0xffc0_1234);
        let found = bits(&[nan, 1.0, 1.0, f32::INFINITY, f32::INFINITY, 0.0]);
        assert_eq!(found, [0xffc0_1234, 0x7fc0_0000, 0, 0x7f80_0000, 0x7fc0_0000, 0xff80_0000]);
        // Only -0 less +0 is -0.
        let found = bits(&[0.0, -0.0, -0.0, 0.0, 0.0]);
        assert_eq!(found, [0, 0x8000_0000, 0, 0, 0]);
        // Subnormal.
        assert_eq!(bits(&[f32::MIN_POSITIVE, f32::from_bits(0x0080_0001)])[1], 1);
    }

    #[test]
    fn in_integers_they_are_the_same() {
        let values = [0.0, -0.0, 1.0, f32::MIN_POSITIVE, 1e-45, f32::MAX, f32::INFINITY, f32::NAN];
        for a in values.iter().flat_map(|&x| [x, -x]) {
            for b in values.iter().flat_map(|&x| [x, -x]) {
                let [found, wanted] = [false, true].map(|ieee| a.difference(b, ieee).to_bits());
                assert_eq!(found, wanted, "{a} - {b}");
                let (a, b) = (f64::from(a) * 1e-280, f64::from(b) * 1e-280);
                let [found, wanted] = [false, true].map(|ieee| a.difference(b, ieee).to_bits());
                assert_eq!(found, wanted, "{a} - {b}");
            }
        }
    }
}
