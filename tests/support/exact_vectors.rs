//! The test vectors of exact results. `tests/vectors/exact.py` wrote them, and says what is in a line.

use super::data;

/// Elements, and what must come of them: bits and bytes in hexadecimal, as [`in_hex`] and [`all_in_hex`].
#[derive(Clone, Copy, Debug)]
pub struct ExactVector {
    /// A generator's name, or `listed:` and the elements' bits.
    data: &'static str,
    seed: u32,
    len: usize,
    pub sum: &'static str,
    pub mean: &'static str,
    pub sum_bytes: &'static str,
    /// Of the elements and themselves, rotated left by one.
    pub dot: &'static str,
    pub root_of_dot: &'static str,
    pub dot_bytes: &'static str,
    pub squares: &'static str,
    pub norm: &'static str,
    pub squares_bytes: &'static str,
    pub variance: &'static str,
    pub sample_variance: &'static str,
}

impl ExactVector {
    /// What is reduced.
    pub fn elements(&self) -> Vec<f32> {
        let elements = data::elements(self.data, self.seed, self.len);
        assert_eq!(elements.len(), self.len, "{}", self.name());
        elements
    }

    /// The line without the results: a name for a test.
    pub fn name(&self) -> String {
        format!("{} {} {}", self.data, self.seed, self.len)
    }
}

/// Every line of the vectors.
pub fn exact_vectors() -> Vec<ExactVector> {
    include_str!("../vectors/exact.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| parse(line).unwrap_or_else(|| panic!("not a vector: {line}")))
        .collect()
}

fn parse(line: &'static str) -> Option<ExactVector> {
    let fields: Vec<&str> = line.split(' ').collect();
    let [
        data,
        seed,
        len,
        sum,
        mean,
        sum_bytes,
        dot,
        root_of_dot,
        dot_bytes,
        squares,
        norm,
        squares_bytes,
        variance,
        sample_variance,
    ] = fields[..]
    else {
        return None;
    };
    Some(ExactVector {
        data,
        seed: seed.parse().ok()?,
        len: len.parse().ok()?,
        sum,
        mean,
        sum_bytes,
        dot,
        root_of_dot,
        dot_bytes,
        squares,
        norm,
        squares_bytes,
        variance,
        sample_variance,
    })
}

/// An f32's bits.
pub fn in_hex(value: f32) -> String {
    format!("{:#010x}", value.to_bits())
}

/// Bytes, one after another.
pub fn all_in_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
