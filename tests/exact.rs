//! Exact sums against big integers, and the accumulator's other promises.

use gridfold::{
    ExactSum,
    exact::{self, DecodeError},
};
use num_bigint::{BigInt, BigUint, ToBigInt};
use proptest::prelude::*;
use std::array;

const NAN: u32 = 0x7fc0_0000;
const INF: u32 = 0x7f80_0000;
const NEG: u32 = 0x8000_0000;
const MAX: u32 = 0x7f7f_ffff;
const ONE: u32 = 0x3f80_0000;

/// The definition, with nothing of the library's.
mod oracle {
    use super::*;

    /// A finite element in units of 2^-149, the smallest subnormal number.
    pub fn units(element: f32) -> BigInt {
        // Both steps are exact: f64 has room for the exponent.
        (f64::from(element) * 2f64.powi(149)).to_bigint().expect("finite")
    }

    pub fn units_of_all(elements: &[f32]) -> BigInt {
        elements.iter().filter(|element| element.is_finite()).map(|&element| units(element)).sum()
    }

    /// The bits of the f32 nearest to `numerator / denominator` units, ties to even.
    pub fn nearest(numerator: &BigInt, denominator: u64) -> u32 {
        let sign = if numerator < &BigInt::ZERO { NEG } else { 0 };
        let magnitude = numerator.magnitude();
        // Floats without a sign have the order of their bits. That of infinity is here 2^128.
        let times_denominator = |bits: u32| {
            let units = match bits {
                INF => BigUint::from(1u32) << 277,
                _ => units(f32::from_bits(bits)).magnitude().clone(),
            };
            units * denominator
        };
        let (mut floor, mut above) = (0, INF);
        while above - floor > 1 {
            let middle = floor.midpoint(above);
            if times_denominator(middle) <= *magnitude { floor = middle } else { above = middle }
        }
        let twice = magnitude * 2u32;
        let halfway = times_denominator(floor) + times_denominator(above);
        let up = twice > halfway || (twice == halfway && floor % 2 == 1);
        sign | if up { above } else { floor }
    }

    fn special(elements: &[f32]) -> Option<u32> {
        let has = |wanted| elements.contains(&wanted);
        match (has(f32::INFINITY), has(f32::NEG_INFINITY)) {
            _ if elements.iter().any(|element| element.is_nan()) => Some(NAN),
            (true, true) => Some(NAN),
            (true, false) => Some(INF),
            (false, true) => Some(NEG | INF),
            (false, false) => None,
        }
    }

    pub fn sum(elements: &[f32]) -> u32 {
        special(elements).unwrap_or_else(|| nearest(&units_of_all(elements), 1))
    }

    pub fn mean(elements: &[f32]) -> u32 {
        if elements.is_empty() {
            return NAN;
        }
        let len = elements.len() as u64;
        special(elements).unwrap_or_else(|| nearest(&units_of_all(elements), len))
    }
}

fn floats(bits: &[u32]) -> Vec<f32> {
    bits.iter().map(|&bits| f32::from_bits(bits)).collect()
}

fn one_by_one(elements: &[f32]) -> ExactSum {
    let mut sum = ExactSum::default();
    for &element in elements {
        sum.add(element);
    }
    sum
}

fn extended(elements: &[f32]) -> ExactSum {
    let mut sum = ExactSum::default();
    sum.extend(elements);
    sum
}

/// Adds the elements up in every way there is, and compares with big integers.
fn check(elements: &[f32]) {
    let sum = one_by_one(elements);
    assert_eq!(extended(elements), sum, "by extend");
    assert_eq!(exact::sum(elements), sum, "by exact::sum");
    assert_eq!(sum.len(), elements.len() as u64);
    assert_eq!(sum.is_empty(), elements.is_empty());

    let units = BigInt::from_signed_bytes_le(&sum.to_bytes()[..40]);
    assert_eq!(units, oracle::units_of_all(elements));
    let (found, wanted) = (sum.to_f32().to_bits(), oracle::sum(elements));
    assert_eq!(found, wanted, "sum {found:#x}, not {wanted:#x}");
    let (found, wanted) = (sum.mean_f32().to_bits(), oracle::mean(elements));
    assert_eq!(found, wanted, "mean {found:#x}, not {wanted:#x}");
    assert_eq!(ExactSum::from_bytes(&sum.to_bytes()), Ok(sum));
}

/// Few or many elements, which are added up in different ways.
fn any_words() -> impl Strategy<Value = Vec<u32>> {
    prop_oneof![
        3 => prop::collection::vec(any::<u32>(), 0..300),
        1 => prop::collection::vec(any::<u32>(), 1000..3000),
    ]
}

/// Any bits; specials are 1 of 256.
fn any_elements() -> impl Strategy<Value = Vec<f32>> {
    any_words().prop_map(|words| floats(&words))
}

fn finite(bits: u32) -> f32 {
    f32::from_bits(if bits & INF == INF { bits & !(1 << 30) } else { bits })
}

/// Elements of a few exponents, from anywhere.
fn near_one_another() -> impl Strategy<Value = Vec<f32>> {
    (0..253u32, 1..4u32).prop_flat_map(|(lowest, exponents)| {
        let element = (any::<u32>(), 0..exponents)
            .prop_map(move |(bits, above)| finite(bits & !INF | (lowest + above) << 23));
        prop::collection::vec(element, 1..300)
    })
}

/// A float, as many halves of its last place, and a rest of a few units: ties, and what is next to them.
fn near_a_tie() -> impl Strategy<Value = Vec<f32>> {
    (25..254u32, any::<u32>(), -3..4i32, -2..3i32).prop_map(|(exponent, bits, halves, rest)| {
        let float = f32::from_bits(bits & !INF | exponent << 23);
        let half = f32::from_bits((exponent - 24) << 23);
        let units = f32::from_bits(rest.unsigned_abs()).copysign(rest as f32);
        vec![float, half * halves as f32, units]
    })
}

/// Any finite elements, then such that cancel their sum, as far as floats can, again and again: what is left
/// is tiny, and has nothing to do with the leading bits of any element but the last.
fn ill_conditioned() -> impl Strategy<Value = Vec<f32>> {
    (prop::collection::vec(any::<u32>(), 1..100), 1..12usize, any::<u64>()).prop_map(
        |(bits, rounds, seed)| {
            let mut elements: Vec<f32> = bits.into_iter().map(finite).collect();
            for _ in 0..rounds {
                let rest = oracle::nearest(&oracle::units_of_all(&elements), 1);
                elements.push(-f32::from_bits(rest.min(rest & NEG | MAX)));
            }
            shuffle(&mut elements, seed);
            elements
        },
    )
}

/// Fisher and Yates.
fn shuffle<T>(items: &mut [T], mut seed: u64) {
    for end in (1..items.len()).rev() {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let chosen = usize::try_from((seed >> 32) % (end as u64 + 1)).expect("small");
        items.swap(end, chosen);
    }
}

proptest! {
    #[test]
    fn any_bits(elements in any_elements()) {
        check(&elements);
    }

    #[test]
    fn finite_bits(words in any_words()) {
        check(&words.into_iter().map(finite).collect::<Vec<_>>());
    }

    #[test]
    fn subnormals(words in any_words()) {
        check(&words.into_iter().map(|bits| f32::from_bits(bits & !INF)).collect::<Vec<_>>());
    }

    #[test]
    fn few_exponents(elements in near_one_another()) {
        check(&elements);
    }

    #[test]
    fn ties(elements in near_a_tie()) {
        check(&elements);
    }

    #[test]
    fn cancellation(elements in ill_conditioned()) {
        check(&elements);
    }

    #[test]
    fn edges_of_ranges(
        bits in prop::collection::vec(
            prop::sample::select(vec![0, 1, 0x007f_ffff, 0x0080_0000, 0x00ff_ffff, 0x0100_0000, 0x0fff_ffff,
                0x1000_0000, 0x7e80_0000, 0x7eff_ffff, 0x7f00_0000, MAX]),
            0..600,
        ),
        signs in any::<u64>(),
    ) {
        let sign = |index: usize| if signs >> (index % 64) & 1 == 1 { NEG } else { 0 };
        let signed: Vec<u32> = bits.iter().enumerate().map(|(i, bits)| bits | sign(i)).collect();
        check(&floats(&signed));
    }

    /// Any order, cut into any parts, merged in any order.
    #[test]
    fn order_does_not_matter(
        elements in any_elements(),
        seed in any::<u64>(),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
        merges in prop::collection::vec(any::<(prop::sample::Index, prop::sample::Index)>(), 7),
    ) {
        let whole = extended(&elements);
        let mut shuffled = elements;
        shuffle(&mut shuffled, seed);
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(shuffled.len() + 1)).collect();
        cuts.extend([0, shuffled.len()]);
        cuts.sort_unstable();
        let mut parts: Vec<ExactSum> =
            cuts.windows(2).map(|range| extended(&shuffled[range[0]..range[1]])).collect();
        for (into, from) in merges {
            if parts.len() > 1 {
                let from = parts.swap_remove(from.index(parts.len()));
                let into = into.index(parts.len());
                parts[into].merge(&from);
            }
        }
        prop_assert_eq!(parts, [whole]);
    }

    #[test]
    fn other_bytes(
        limbs in prop::collection::vec(any::<u8>(), 40),
        // Few bits, so that many are accepted.
        bits in 0..320usize,
        flags in 0..9u8,
        len in prop_oneof![0..10u64, 0..=1u64 << 40, any::<u64>()],
    ) {
        let limbs = BigInt::from_signed_bytes_le(&limbs) >> (320 - bits);
        let bytes = encoded(&limbs, u32::from(flags), len);
        let largest = oracle::units(f32::MAX) * (i128::from(len) - i128::from(flags.count_ones()));
        let is_sum = flags < 8 && len <= 1 << 40 && largest >= limbs && -largest <= limbs;
        match ExactSum::from_bytes(&bytes) {
            Ok(sum) => {
                prop_assert!(is_sum);
                prop_assert_eq!(sum.to_bytes(), bytes);
                prop_assert_eq!(sum.len(), len);
                if flags == 0 {
                    prop_assert_eq!(sum.to_f32().to_bits(), oracle::nearest(&limbs, 1));
                }
                if flags == 0 && len > 0 {
                    prop_assert_eq!(sum.mean_f32().to_bits(), oracle::nearest(&limbs, len));
                }
            }
            Err(_) => prop_assert!(!is_sum),
        }
    }
}

fn encoded(limbs: &BigInt, flags: u32, len: u64) -> [u8; ExactSum::BYTES] {
    let sign = if limbs < &BigInt::ZERO { 0xff } else { 0 };
    let mut bytes = [sign; ExactSum::BYTES];
    let little_endian = limbs.to_signed_bytes_le();
    bytes[..little_endian.len()].copy_from_slice(&little_endian);
    bytes[40..44].copy_from_slice(&flags.to_le_bytes());
    bytes[44..].copy_from_slice(&len.to_le_bytes());
    bytes
}

#[test]
fn special_values() {
    let sum = |bits: &[u32]| {
        check(&floats(bits));
        extended(&floats(bits)).to_f32().to_bits()
    };
    assert_eq!(sum(&[]), 0);
    assert_eq!(sum(&[NEG, NEG]), 0);
    assert_eq!(sum(&[ONE, NEG | ONE]), 0);
    assert_eq!(sum(&[NAN | NEG]), NAN);
    assert_eq!(sum(&[0x7f80_0001, ONE]), NAN);
    assert_eq!(sum(&[INF, 0xffff_ffff]), NAN);
    assert_eq!(sum(&[INF, ONE, INF | NEG]), NAN);
    assert_eq!(sum(&[INF, INF]), INF);
    assert_eq!(sum(&[INF | NEG, ONE]), INF | NEG);
    // Overflow is decided at the end.
    assert_eq!(sum(&[MAX, MAX | NEG, ONE]), ONE);
    assert_eq!(sum(&[MAX, MAX]), INF);
    assert_eq!(sum(&[MAX | NEG, MAX | NEG]), INF | NEG);
    assert_eq!(sum(&[MAX | NEG, MAX | NEG, INF]), INF);
    // Half of the last place of the largest number: a tie, which goes to infinity, and less.
    assert_eq!(sum(&[MAX, 0x7300_0000]), INF);
    assert_eq!(sum(&[MAX, 0x7300_0000, NEG | 1]), MAX);
}

#[test]
fn means() {
    let mean = |bits: &[u32]| extended(&floats(bits)).mean_f32().to_bits();
    assert_eq!(mean(&[]), NAN);
    assert_eq!(mean(&[MAX, MAX, MAX]), MAX);
    assert_eq!(mean(&[1, 0]), 0, "a tie of subnormals goes to even");
    assert_eq!(mean(&[3, 0]), 2);
    assert_eq!(mean(&[2, 0, 0]), 1);
    assert_eq!(mean(&[NEG | 1, 0, 0]), NEG, "rounded to zero with its sign");
    assert_eq!(mean(&[NEG, NEG]), 0);
    assert_eq!(mean(&[INF, ONE]), INF);
}

/// As many as the ways to add up change at, and the most that their integers hold.
#[test]
fn long_inputs() {
    for len in [255, 256, 257, 1023, 1024, 1025, 1027, 1 << 16, (1 << 16) + 1, (1 << 20) + 3] {
        // Large in significand; the second also where a digit of radix 2^32 begins lowest.
        for bits in [MAX, 0x107f_ffff, 0x007f_ffff] {
            let mut elements = vec![f32::from_bits(bits); len];
            check_long(&elements);
            elements.iter_mut().for_each(|element| *element = -*element);
            elements[len / 2] = f32::from_bits(1);
            check_long(&elements);
            elements[len - 1] = f32::NEG_INFINITY;
            elements[0] = f32::NAN;
            check_long(&elements);
        }
    }
}

fn check_long(elements: &[f32]) {
    let mut wanted = BigInt::ZERO;
    for run in elements.chunk_by(|a, b| a.to_bits() == b.to_bits()) {
        if run[0].is_finite() {
            wanted += oracle::units(run[0]) * run.len();
        }
    }
    let has_nan = u32::from(elements.iter().any(|element| element.is_nan()));
    let has_negative_infinity = u32::from(elements.contains(&f32::NEG_INFINITY));
    let flags = has_nan + 4 * has_negative_infinity;
    let wanted = encoded(&wanted, flags, elements.len() as u64);
    assert_eq!(extended(elements).to_bytes(), wanted, "{} by extend", elements.len());
    assert_eq!(exact::sum(elements).to_bytes(), wanted, "{} by exact::sum", elements.len());
}

#[test]
fn the_longest_sum() {
    for largest in [f32::MAX, f32::MIN] {
        let mut sum = extended(&[largest]);
        for _ in 0..40 {
            sum.merge(&sum.clone());
        }
        assert_eq!(sum.len(), 1 << 40);
        assert_eq!(sum.to_f32(), f32::INFINITY.copysign(largest));
        assert_eq!(sum.mean_f32(), largest);
        assert_eq!(ExactSum::from_bytes(&sum.to_bytes()), Ok(sum));

        sum.add(0.0);
        let len = (1 << 40) + 1;
        assert_eq!(sum.len(), len);
        assert_eq!(sum.to_f32().to_bits(), NAN);
        assert_eq!(sum.mean_f32().to_bits(), NAN);
        assert_eq!(ExactSum::from_bytes(&sum.to_bytes()), Err(DecodeError::TooLong { len }));

        for _ in 0..40 {
            sum.merge(&sum.clone());
        }
        assert_eq!(sum.len(), u64::MAX);
        assert_eq!(sum.to_f32().to_bits(), NAN);
    }
}

#[test]
fn bytes_of_no_sum() {
    let of = |units: &BigInt, flags, len| ExactSum::from_bytes(&encoded(units, flags, len));
    let zero = BigInt::ZERO;
    assert_eq!(of(&zero, 0, 0), Ok(ExactSum::default()));
    assert_eq!(of(&zero, 8, 9), Err(DecodeError::Flags { flags: 8 }));
    assert_eq!(of(&zero, 1 << 31, 9), Err(DecodeError::Flags { flags: 1 << 31 }));
    let len = (1 << 40) + 1;
    assert_eq!(of(&zero, 0, len), Err(DecodeError::TooLong { len }));
    assert_eq!(of(&BigInt::from(1), 0, 0), Err(DecodeError::TooLarge { len: 0 }));
    assert_eq!(of(&zero, 7, 2), Err(DecodeError::TooLarge { len: 2 }));
    assert_eq!(of(&BigInt::from(-1), 7, 3), Err(DecodeError::TooLarge { len: 3 }));

    let largest = oracle::units(f32::MAX) * 3;
    for sign in [1, -1] {
        assert!(of(&(&largest * sign), 0, 3).is_ok());
        assert!(of(&(&largest * sign), 5, 5).is_ok());
        let beyond = (&largest + 1) * sign;
        assert_eq!(of(&beyond, 0, 3), Err(DecodeError::TooLarge { len: 3 }));
        assert_eq!(of(&beyond, 5, 5), Err(DecodeError::TooLarge { len: 5 }));
    }
    let most_negative = BigInt::from(-1) << 319;
    assert_eq!(of(&most_negative, 0, 1 << 40), Err(DecodeError::TooLarge { len: 1 << 40 }));
}

#[test]
fn errors_say_what_to_do() {
    let flags = DecodeError::Flags { flags: 9 }.to_string();
    assert!(flags.contains("0x9") && flags.contains("read what ExactSum::to_bytes"), "{flags}");
    let too_long = DecodeError::TooLong { len: 5 }.to_string();
    assert!(too_long.starts_with("5 elements") && too_long.contains("add up parts"), "{too_long}");
    let too_large = DecodeError::TooLarge { len: 5 }.to_string();
    assert!(too_large.contains("5 elements") && too_large.contains("read what"), "{too_large}");
}

#[test]
fn the_layout_of_bytes() {
    let sum = extended(&floats(&[NEG | 2, INF, NAN]));
    let wanted: [u8; 52] = array::from_fn(|index| match index {
        0 => 0xfe,
        1..40 => 0xff,
        40 | 44 => 3,
        _ => 0,
    });
    assert_eq!(sum.to_bytes(), wanted);
}

#[test]
fn json() {
    let sum = extended(&floats(&[NEG | 2, INF]));
    let text = serde_json::to_string(&sum).expect("serializes");
    let limbs = format!("4294967294{}", ",4294967295".repeat(9));
    assert_eq!(text, format!(r#"{{"limbs":[{limbs}],"flags":2,"len":2}}"#));
    assert_eq!(serde_json::from_str::<ExactSum>(&text).expect("deserializes"), sum);

    let damaged = text.replace(r#""len":2"#, r#""len":0"#);
    let error = serde_json::from_str::<ExactSum>(&damaged).expect_err("nothing has no sum");
    assert!(error.to_string().contains(&DecodeError::TooLarge { len: 0 }.to_string()), "{error}");
}

#[test]
fn a_binary_format() {
    let sum = extended(&[1.5, -3e38, f32::NAN]);
    let bytes = postcard::to_stdvec(&sum).expect("serializes");
    assert!(bytes.len() <= 64, "{} bytes", bytes.len());
    assert_eq!(postcard::from_bytes::<ExactSum>(&bytes).expect("deserializes"), sum);
}
