//! The test vectors of masks of bits. `tests/vectors/masks.py` wrote them, and says what is in a line.

use super::data::mix;
use gridfold::Bool;

/// A line of the vectors: what a reduction must give.
#[derive(Clone, Copy, Debug)]
pub struct MaskVector {
    kind: &'static str,
    seed: u32,
    pub first: u64,
    pub len: u64,
    pub count: u64,
    pub all: Option<Bool>,
    pub any: Option<Bool>,
}

/// Every line of the vectors.
pub fn mask_vectors() -> Vec<MaskVector> {
    let lines = include_str!("../vectors/masks.txt").lines().filter(|line| !line.starts_with('#'));
    let vectors: Vec<_> =
        lines.map(|line| parse(line).unwrap_or_else(|| panic!("not a vector: {line}"))).collect();
    assert!(vectors.len() >= 100, "only {} vectors", vectors.len());
    vectors
}

fn parse(line: &'static str) -> Option<MaskVector> {
    let fields: Vec<&str> = line.split(' ').collect();
    let [kind, seed, first, len, count, all, any] = fields[..] else { return None };
    let whether = |field| match field {
        "none" => Some(None),
        "0" => Some(Some(Bool::FALSE)),
        "1" => Some(Some(Bool::TRUE)),
        _ => None,
    };
    Some(MaskVector {
        kind,
        seed: seed.parse().ok()?,
        first: first.parse().ok()?,
        len: len.parse().ok()?,
        count: count.parse().ok()?,
        all: whether(all)?,
        any: whether(any)?,
    })
}

impl MaskVector {
    /// The words that the bits are in, and no other ones.
    pub fn words(&self) -> Vec<u32> {
        let words = usize::try_from((self.first + self.len).div_ceil(32)).expect("a few");
        (0..).take(words).map(|index: u32| self.word(mix(index.wrapping_add(self.seed)))).collect()
    }

    fn word(&self, h: u32) -> u32 {
        let few = if h % 300 == 1 { 1 << ((h >> 8) % 32) } else { 0 };
        match self.kind {
            "any" => h,
            "few" => few,
            "most" => !few,
            "ones" => u32::MAX,
            "none" => 0,
            other => panic!("no words are {other}"),
        }
    }
}
