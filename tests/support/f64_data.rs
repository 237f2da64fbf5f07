//! The test vectors of f64s, and the data they are made of. `tests/vectors/pairwise_f64.py` and `exact_f64.py` wrote them; the first
//! defines the generators, which are here once more; they must agree to the bit.

use super::data::mix;
use gridfold::OperatorType;

/// A line of the vectors: what a reduction must give.
#[derive(Clone, Copy, Debug)]
pub struct F64Vector {
    pub operator: OperatorType,
    /// A generator's name, or `listed:` and the elements' bits.
    data: &'static str,
    seed: u32,
    pub len: usize,
    /// `None` for the minimum or maximum of nothing.
    pub bits: Option<u64>,
}

impl F64Vector {
    /// What is reduced.
    pub fn elements(&self) -> Vec<f64> {
        match self.data.strip_prefix("listed:") {
            Some(words) => words
                .split(',')
                .map(|word| f64::from_bits(u64::from_str_radix(word, 16).expect("hexadecimal")))
                .collect(),
            None => generate(self.data, self.seed, self.len),
        }
    }

    /// The right side of a dot product: the elements, rotated by one place.
    pub fn right_elements(&self) -> Vec<f64> {
        let mut elements = self.elements();
        elements.rotate_left(self.len.min(1));
        elements
    }

    /// The line without the result: a name for a test.
    pub fn name(&self) -> String {
        format!("{} f64 {} {} {}", self.operator, self.data, self.seed, self.len)
    }
}

/// The lines of an operator's vectors, in the fixed order.
pub fn f64_vectors(operator: OperatorType) -> Vec<F64Vector> {
    vectors_in(include_str!("../vectors/pairwise_f64.txt"), operator)
}

/// The same of exact results.
pub fn exact_f64_vectors(operator: OperatorType) -> Vec<F64Vector> {
    vectors_in(include_str!("../vectors/exact_f64.txt"), operator)
}

fn vectors_in(text: &'static str, operator: OperatorType) -> Vec<F64Vector> {
    let lines = text.lines();
    let vectors: Vec<F64Vector> = lines
        .filter(|line| !line.starts_with('#'))
        .map(|line| parse(line).unwrap_or_else(|| panic!("not a vector: {line}")))
        .filter(|vector| vector.operator == operator)
        .collect();
    assert!(vectors.len() > 30, "only {} vectors of {operator}", vectors.len());
    vectors
}

fn parse(line: &'static str) -> Option<F64Vector> {
    let fields: Vec<&str> = line.split(' ').collect();
    let [operator, data, seed, len, bits] = fields[..] else { return None };
    Some(F64Vector {
        operator: OperatorType::ALL.iter().copied().find(|known| known.name() == operator)?,
        data,
        seed: seed.parse().ok()?,
        len: len.parse().ok()?,
        bits: match bits.strip_prefix("0x") {
            Some(digits) => Some(u64::from_str_radix(digits, 16).ok()?),
            None if bits == "none" => None,
            None => return None,
        },
    })
}

/// `len` elements of a generator; see `pairwise_f64.py`.
pub fn generate(kind: &str, seed: u32, len: usize) -> Vec<f64> {
    let element: fn(u32, u32, bool) -> f64 = match kind {
        "signed" => |h, g, _| with_sign(scaled(u64::from(h >> 8) << 29 | u64::from(g >> 3)), h),
        "wide" => |h, g, _| of_field(983 + part(h, 81), h, g),
        "few" => |h, g, _| from_words(h & 0x800c_0000 | (963 + part(h, 120)) << 20, g & 3),
        "constant" => |_, _, _| 1.1,
        "huge" => |_, _, _| 1e300,
        "near_one" => |h, g, _| {
            let steps = u64::from(h >> 1) << 13 | u64::from(g >> 19);
            with_sign(scaled((1 << 53) - (1 << 44) + 2 * steps), h)
        },
        "small" => |h, g, _| of_field(485 + part(h, 27), h, g),
        "large" => |h, g, _| of_field(1528 + part(h, 8), h, g),
        "barely" => |h, g, _| of_field(53 + (h >> 20 & 3), h, g),
        "finite" => |h, g, _| {
            if h >> 20 & 2047 == 2047 { of_field(1023, h, g) } else { from_words(h, g) }
        },
        "any" => |h, g, _| from_words(h, g),
        "subnormal" => |h, g, _| of_field(0, h, g),
        "zeros" => |h, _, _| with_sign(0.0, h),
        "clustered" => |h, _, _| f64::from_bits(0x408f_4000_0000_0000 + u64::from(h >> 12)),
        "one_nan" => |h, g, is_chosen| match is_chosen {
            true => f64::from_bits(0xfff4_0000_0000_0001),
            false => with_sign(scaled(u64::from(h >> 8) << 29 | u64::from(g >> 3)), h),
        },
        _ => panic!("no generator {kind}"),
    };
    let of_index = |index: u32| {
        let h = mix(index.wrapping_add(seed));
        element(h, mix(h ^ 0x9e37_79b9), index == seed)
    };
    (0..u32::try_from(len).expect("vectors are shorter")).map(of_index).collect()
}

fn from_words(high: u32, low: u32) -> f64 {
    f64::from_bits(u64::from(high) << 32 | u64::from(low))
}

fn of_field(field: u32, h: u32, g: u32) -> f64 {
    from_words(h & 0x800f_ffff | field << 20, g)
}

/// A number below `count`, of the bits of the exponent field.
fn part(h: u32, count: u32) -> u32 {
    ((h >> 20 & 2047) * count) >> 11
}

/// An integer times 2^-53. Exact for those of at most 53 significant bits.
fn scaled(integer: u64) -> f64 {
    integer as f64 / 9_007_199_254_740_992.0
}

fn with_sign(magnitude: f64, h: u32) -> f64 {
    if h & 1 == 1 { -magnitude } else { magnitude }
}
