//! The test vectors of the pairwise order, and the data they are made of. `tests/vectors/pairwise.py` and
//! `tests/vectors/pairwise_statistics.py` wrote them and define the generators, which are here once more; they must agree to
//! the bit.

use gridfold::OperatorType;

/// A line of the vectors: what a reduction must give.
#[derive(Clone, Copy, Debug)]
pub struct Vector {
    pub operator: OperatorType,
    /// A generator's name, or `listed:` and the elements' bits.
    data: &'static str,
    seed: u32,
    pub len: usize,
    /// `None` for the minimum or maximum of nothing.
    pub bits: Option<u32>,
}

impl Vector {
    /// What is reduced. Up to 2^22 elements and some, so it is made anew each time.
    pub fn elements(&self) -> Vec<f32> {
        elements(self.data, self.seed, self.len)
    }

    /// The right side of a dot product: the elements, rotated by one place.
    pub fn right_elements(&self) -> Vec<f32> {
        let mut elements = self.elements();
        elements.rotate_left(self.len.min(1));
        elements
    }

    /// The line without the result: a name for a test.
    pub fn name(&self) -> String {
        format!("{} {} {} {}", self.operator, self.data, self.seed, self.len)
    }
}

/// Every line of the vectors.
pub fn vectors() -> Vec<Vector> {
    let lines = include_str!("../vectors/pairwise.txt").lines();
    lines
        .chain(include_str!("../vectors/pairwise_statistics.txt").lines())
        .chain(include_str!("../vectors/pairwise_variance.txt").lines())
        .filter(|line| !line.starts_with('#'))
        .map(|line| parse(line).unwrap_or_else(|| panic!("not a vector: {line}")))
        .collect()
}

fn parse(line: &'static str) -> Option<Vector> {
    let fields: Vec<&str> = line.split(' ').collect();
    let [operator, data, seed, len, bits] = fields[..] else { return None };
    Some(Vector {
        operator: OperatorType::ALL.iter().copied().find(|known| known.name() == operator)?,
        data,
        seed: seed.parse().ok()?,
        len: len.parse().ok()?,
        bits: match bits.strip_prefix("0x") {
            Some(digits) => Some(u32::from_str_radix(digits, 16).ok()?),
            None if bits == "none" => None,
            None => return None,
        },
    })
}

/// The elements that a vector's data, seed and length stand for.
pub fn elements(data: &str, seed: u32, len: usize) -> Vec<f32> {
    match data.strip_prefix("listed:") {
        Some("") => Vec::new(),
        Some(words) => words
            .split(',')
            .map(|word| f32::from_bits(u32::from_str_radix(word, 16).expect("hexadecimal")))
            .collect(),
        None => generate(data, seed, len),
    }
}

/// `len` elements of a generator; see `pairwise.py`, `pairwise_statistics.py` and `pairwise_variance.py`.
pub fn generate(kind: &str, seed: u32, len: usize) -> Vec<f32> {
    let element: fn(u32, bool) -> f32 = match kind {
        "uniform" => |h, _| uniform(h),
        "signed" => |h, _| with_sign(uniform(h), h),
        "wide" => |h, _| {
            let exponent = 87 + ((((h >> 23) & 255) * 81) >> 8);
            f32::from_bits((h & 0x807f_ffff) | (exponent << 23))
        },
        "small" => |h, _| {
            let exponent = 52 + ((((h >> 23) & 255) * 24) >> 8);
            f32::from_bits((h & 0x807f_ffff) | (exponent << 23))
        },
        "large" => |h, _| {
            let exponent = 180 + ((((h >> 23) & 255) * 12) >> 8);
            f32::from_bits((h & 0x807f_ffff) | (exponent << 23))
        },
        "clustered" => |h, _| f32::from_bits(0x447a_0000 + (h >> 22)),
        "constant" => |_, _| f32::from_bits(0x3f8c_cccd),
        "huge" => |_, _| f32::from_bits(0x60ad_78ec),
        "near_one" => |h, _| {
            let steps = (1 << 24) - (1 << 15) + 2 * (h >> 17);
            with_sign(scaled(steps), h)
        },
        "finite" => |h, _| {
            let is_finite = h & 0x7f80_0000 != 0x7f80_0000;
            f32::from_bits(if is_finite { h } else { (h & 0x807f_ffff) | (127 << 23) })
        },
        "any" => |h, _| f32::from_bits(h),
        "subnormal" => |h, _| f32::from_bits(h & 0x807f_ffff),
        "zeros" => |h, _| with_sign(0.0, h),
        "one_nan" => |h, is_chosen| {
            if is_chosen { f32::from_bits(0xffa0_0001) } else { with_sign(uniform(h), h) }
        },
        _ => panic!("no generator {kind}"),
    };
    (0..u32::try_from(len).expect("vectors are shorter"))
        .map(|index| element(mix(index.wrapping_add(seed)), index == seed))
        .collect()
}

/// 32 bits that look random, of 32 bits that do not.
pub fn mix(mut x: u32) -> u32 {
    x ^= x >> 16;
    x = x.wrapping_mul(0x7feb_352d);
    x ^= x >> 15;
    x = x.wrapping_mul(0x846c_a68b);
    x ^ (x >> 16)
}

fn uniform(h: u32) -> f32 {
    scaled(h >> 8)
}

/// An integer times 2^-24. Exact for those of at most 24 significant bits.
fn scaled(integer: u32) -> f32 {
    integer as f32 / 16_777_216.0
}

fn with_sign(magnitude: f32, h: u32) -> f32 {
    if h & 1 == 1 { -magnitude } else { magnitude }
}
