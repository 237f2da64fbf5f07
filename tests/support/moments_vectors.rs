//! The vectors of moments, which `tests/vectors/pairwise_moments.py` wrote.

use super::{data, f64_data};
use gridfold::ElementType;

/// A line: what one read of the elements must tell.
#[derive(Clone, Copy, Debug)]
pub struct MomentsVector {
    data: &'static str,
    seed: u32,
    pub len: usize,
    /// Its fields behind these.
    pub told: &'static str,
}

/// The lines of a type.
pub fn moments_vectors(element: ElementType) -> Vec<MomentsVector> {
    let text = include_str!("../vectors/pairwise_moments.txt");
    let name = element.to_string();
    let lines = text.lines().filter_map(|line| line.strip_prefix(&name)?.strip_prefix(' '));
    let vectors: Vec<_> = lines
        .map(|line| {
            let mut fields = line.splitn(4, ' ');
            let mut next = || fields.next().unwrap_or_else(|| panic!("not a vector: {line}"));
            let (data, seed, len, told) = (next(), next(), next(), next());
            let number = |text: &str| text.parse().unwrap_or_else(|_| panic!("no number: {line}"));
            MomentsVector { data, seed: number(seed), len: number(len) as usize, told }
        })
        .collect();
    assert!(vectors.len() > 100, "only {} of {name}", vectors.len());
    vectors
}

impl MomentsVector {
    pub fn f32s(&self) -> Vec<f32> {
        data::elements(self.data, self.seed, self.len)
    }

    pub fn f64s(&self) -> Vec<f64> {
        match self.data.strip_prefix("listed:") {
            Some(words) => words
                .split(',')
                .map(|word| f64::from_bits(u64::from_str_radix(word, 16).expect("hexadecimal")))
                .collect(),
            None => f64_data::generate(self.data, self.seed, self.len),
        }
    }
}
