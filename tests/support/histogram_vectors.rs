//! The test vectors of histograms. `tests/vectors/histograms.py` wrote them, and says what is in a line.

use super::data::mix;
use gridfold::{
    Binned, Bins,
    half::{bf16, f16},
};

/// A line of the vectors: what a histogram must have.
#[derive(Clone, Debug)]
pub struct HistogramVector {
    kind: &'static str,
    seed: u32,
    pub len: usize,
    pub bins: Bins,
    total: u64,
    digest: u64,
}

/// An element type of the vectors.
pub trait Made: Binned {
    const NAME: &'static str;
    /// Of a word of random bits.
    fn of_bits(word: u32) -> Self;
    /// Of a number that it is exactly.
    fn of_number(number: f64) -> Self;
}

macro_rules! made {
    ($($element:ident $name:literal: $of_bits:expr, $of_number:expr;)*) => {$(
        impl Made for $element {
            const NAME: &'static str = $name;
            fn of_bits(word: u32) -> Self {
                let of_bits: fn(u32) -> Self = $of_bits;
                of_bits(word)
            }
            #[allow(clippy::cast_possible_truncation, reason = "the number is one of the type")]
            fn of_number(number: f64) -> Self {
                let of_number: fn(f64) -> Self = $of_number;
                of_number(number)
            }
        }
    )*};
}

fn low<const N: usize>(word: u32) -> [u8; N] {
    std::array::from_fn(|byte| word.to_le_bytes()[byte])
}

made! {
    f32 "f32": f32::from_bits, |number| number as f32;
    f64 "f64": |_| panic!("no vectors have these"), |number| number;
    f16 "f16": |word| f16::from_le_bytes(low(word)), f16::from_f64;
    bf16 "bf16": |word| bf16::from_le_bytes(low(word)), bf16::from_f64;
    i32 "i32": u32::cast_signed, |number| number as i32;
    u32 "u32": |word| word, |number| number as u32;
    i64 "i64": |word| word.cast_signed().into(), |number| number as i64;
    u64 "u64": u64::from, |number| number as u64;
    i8 "i8": |word| i8::from_le_bytes(low(word)), |number| number as i8;
    u8 "u8": |word| u8::from_le_bytes(low(word)), |number| number as u8;
    i16 "i16": |word| i16::from_le_bytes(low(word)), |number| number as i16;
    u16 "u16": |word| u16::from_le_bytes(low(word)), |number| number as u16;
}

/// The lines of a type.
pub fn histogram_vectors<T: Made>() -> Vec<HistogramVector> {
    let lines = include_str!("../vectors/histograms.txt").lines();
    let own = lines.filter(|line| line.split(' ').next() == Some(T::NAME));
    let vectors: Vec<_> =
        own.map(|line| parse(line).unwrap_or_else(|| panic!("not a vector: {line}"))).collect();
    assert!(!vectors.is_empty(), "no vectors of {}", T::NAME);
    vectors
}

fn parse(line: &'static str) -> Option<HistogramVector> {
    let fields: Vec<&str> = line.split(' ').collect();
    let [_, kind, seed, len, bins, total, digest] = fields[..] else { return None };
    let float = |digits: &str| Some(f64::from_bits(u64::from_str_radix(digits, 16).ok()?));
    let bins = match bins.split(':').collect::<Vec<_>>()[..] {
        ["even", count, low, high] => Bins::even(count.parse().ok()?, float(low)?..=float(high)?),
        ["edges", edges] => Bins::edges(&edges.split(',').map(float).collect::<Option<Vec<_>>>()?),
        _ => return None,
    };
    Some(HistogramVector {
        kind,
        seed: seed.parse().ok()?,
        len: len.parse().ok()?,
        bins: bins.ok()?,
        total: total.parse().ok()?,
        digest: u64::from_str_radix(digest.strip_prefix("0x")?, 16).ok()?,
    })
}

impl HistogramVector {
    /// What is counted.
    pub fn elements<T: Made>(&self) -> Vec<T> {
        let words = (0..).take(self.len).map(|index: u32| mix(index.wrapping_add(self.seed)));
        words.map(|h| self.element(h)).collect()
    }

    fn element<T: Made>(&self, h: u32) -> T {
        match self.kind {
            "bits" => T::of_bits(h),
            "unit" if T::NAME == "f64" => T::of_number(f64::from(h) / 4_294_967_296.0),
            "unit" => T::of_number(f64::from(h >> 8) / 16_777_216.0),
            "steps" if h % 41 == 20 && h % 2 == 1 => T::of_number(-0.0),
            "steps" => T::of_number((f64::from(h % 41) - 20.0) / 8.0),
            "few" => T::of_number(f64::from(h % 7)),
            "one" => T::of_number(3.0),
            other => panic!("no elements are {other}"),
        }
    }

    /// Fails if counts are others than NumPy's.
    pub fn check(&self, counts: &[u64], what: &str) {
        let digest =
            counts.iter().fold(0u64, |digest, &count| digest.wrapping_mul(31).wrapping_add(count));
        let found = (counts.len() as u64, counts.iter().sum(), digest);
        let wanted = (self.bins.len(), self.total, self.digest);
        assert_eq!(found, wanted, "{} {} {}, {what}", self.kind, self.seed, self.len);
    }
}
