//! Sums of products, and their roots.

use super::*;
use gridfold::ExactDot;
use num_bigint::Sign;

type Pair = (f32, f32);

fn one_by_one(left: &[f32], right: &[f32]) -> ExactDot {
    let mut dot = ExactDot::default();
    for (&x, &y) in left.iter().zip(right) {
        dot.add(x, y);
    }
    dot
}

fn extended(left: &[f32], right: &[f32]) -> ExactDot {
    let mut dot = ExactDot::default();
    dot.extend(left, right).expect("of one length");
    dot
}

fn of_pairs(pairs: &[Pair]) -> ExactDot {
    let (left, right): (Vec<f32>, Vec<f32>) = pairs.iter().copied().unzip();
    extended(&left, &right)
}

/// Adds the products up in every way there is, and compares with big integers.
fn check(left: &[f32], right: &[f32]) {
    let dot = one_by_one(left, right);
    assert_eq!(extended(left, right), dot, "by extend");
    assert_eq!(extended(right, left), dot, "by extend, the other way round");
    assert_eq!(exact::dot(left, right), Ok(dot), "by exact::dot");
    assert_eq!(dot.len(), left.len() as u64);
    assert_eq!(dot.is_empty(), left.is_empty());

    let flags = oracle::flags_of_products(left, right);
    let wanted = encoded(&oracle::units_of_products(left, right), flags, left.len() as u64);
    assert_eq!(dot.to_bytes(), wanted);
    let (found, wanted) = (dot.to_f32().to_bits(), oracle::dot(left, right));
    assert_eq!(found, wanted, "dot {found:#x}, not {wanted:#x}");
    let (found, wanted) = (dot.norm_f32().to_bits(), oracle::root_of_dot(left, right));
    assert_eq!(found, wanted, "root {found:#x}, not {wanted:#x}");
    assert_eq!(ExactDot::from_bytes(&dot.to_bytes()), Ok(dot));
}

/// The products of the elements with those of their other half, and their squares.
fn check_halves_and_squares(elements: &[f32]) {
    let (left, right) = elements.split_at(elements.len() / 2);
    check(left, &right[..left.len()]);

    check(elements, elements);
    let squares = extended(elements, elements);
    assert_eq!(exact::squares(elements), squares, "by exact::squares");
    let mut by_squares = ExactDot::default();
    by_squares.extend_squares(elements);
    assert_eq!(by_squares, squares, "by extend_squares");
    let mut one_by_one = ExactDot::default();
    elements.iter().for_each(|&element| one_by_one.add_square(element));
    assert_eq!(one_by_one, squares, "by add_square");
}

/// Factors whose products, and the sums of these, are about as large as the smallest f32s.
fn tiny_products() -> impl Strategy<Value = Vec<Pair>> {
    let pair = (any::<[u32; 2]>(), 1..170u32, 0..4u32).prop_map(|([x, y], exponent, above)| {
        let with_exponent = |bits: u32, exponent| f32::from_bits(bits & !INF | exponent << 23);
        // Powers of two often, for ties.
        let x = if x % 4 == 0 { x & NEG } else { x };
        let y = if x % 8 == 0 { y & NEG } else { y };
        // The product of 2^(a - 127) and 2^(b - 127) is 2^-150 where a + b is 104.
        let exponent = exponent.min(100);
        (with_exponent(x, exponent), with_exponent(y, 103 + above - exponent))
    });
    prop::collection::vec(pair, 1..4)
}

/// Any products below 4, and then such that cancel their sum, as far as floats can, again and again, until a
/// few bits at the lowest places are left.
fn ill_conditioned_pairs() -> impl Strategy<Value = Vec<Pair>> {
    (prop::collection::vec(any::<[u32; 2]>(), 1..60), 1..16, any::<u64>()).prop_map(
        |(words, rounds, seed)| {
            let below_2 = |bits: u32| f32::from_bits(bits & !(1 << 30));
            let mut pairs: Vec<Pair> =
                words.into_iter().map(|[x, y]| (below_2(x), below_2(y))).collect();
            for _ in 0..rounds {
                let (left, right): (Vec<f32>, Vec<f32>) = pairs.iter().copied().unzip();
                let units = oracle::units_of_products(&left, &right);
                let rest = f32::from_bits(oracle::sum_of_products(&units));
                pairs.push(if rest.is_normal() {
                    (-rest, 1.0)
                } else {
                    // The same with 2^-149 apart.
                    (-f32::from_bits(oracle::sum_of(&units)), f32::from_bits(1))
                });
            }
            shuffle(&mut pairs, seed);
            pairs
        },
    )
}

proptest! {
    #[test]
    fn any_bits(elements in any_elements()) {
        check_halves_and_squares(&elements);
    }

    #[test]
    fn finite_bits(words in any_words()) {
        check_halves_and_squares(&words.into_iter().map(finite).collect::<Vec<_>>());
    }

    #[test]
    fn subnormals(words in any_words()) {
        let subnormals = words.into_iter().map(|bits| f32::from_bits(bits & !INF));
        check_halves_and_squares(&subnormals.collect::<Vec<_>>());
    }

    #[test]
    fn few_exponents(elements in near_one_another()) {
        check_halves_and_squares(&elements);
    }

    #[test]
    fn windows(elements in in_windows()) {
        check_halves_and_squares(&elements);
    }

    #[test]
    fn edges_of_ranges(elements in edges()) {
        check_halves_and_squares(&elements);
    }

    #[test]
    fn subnormal_sums(pairs in tiny_products()) {
        let (left, right): (Vec<f32>, Vec<f32>) = pairs.into_iter().unzip();
        check(&left, &right);
    }

    #[test]
    fn cancellation(pairs in ill_conditioned_pairs()) {
        let (left, right): (Vec<f32>, Vec<f32>) = pairs.into_iter().unzip();
        check(&left, &right);
    }

    /// Any order, cut into any parts, merged in any order.
    #[test]
    fn order_does_not_matter(words in any_words(), seed in any::<u64>(), cuts in any_cuts()) {
        let mut pairs: Vec<Pair> = words
            .as_chunks()
            .0
            .iter()
            .map(|&[x, y]| (f32::from_bits(x), f32::from_bits(y)))
            .collect();
        let whole = of_pairs(&pairs);
        shuffle(&mut pairs, seed);
        prop_assert_eq!(in_parts(&pairs, cuts, of_pairs, ExactDot::merge), whole);
    }

    /// Roots halfway between floats, and next to that; roots that are subnormal have no such.
    #[test]
    fn roots_near_ties(
        half in (1u64 << 23..1 << 24).prop_map(|significand| 2 * significand + 1),
        place in 0..254usize,
        rest in -1..=1,
    ) {
        let units = (BigInt::from(half).pow(2) << (2 * place)) + rest;
        let dot = ExactDot::from_bytes(&encoded(&units, 0, 4)).expect("four large products");
        prop_assert_eq!(dot.norm_f32().to_bits(), oracle::root_of(&units));
    }

    #[test]
    fn other_bytes(
        limbs in prop::collection::vec(any::<u8>(), 80),
        // Few bits, so that many are accepted.
        bits in 0..640usize,
        flags in 0..9u8,
        len in prop_oneof![0..10u64, 0..=1u64 << 40, any::<u64>()],
    ) {
        let limbs = BigInt::from_signed_bytes_le(&limbs) >> (640 - bits);
        let bytes = encoded(&limbs, u32::from(flags), len);
        let largest =
            oracle::units(f32::MAX).pow(2) * (i128::from(len) - i128::from(flags.count_ones()));
        let is_sum = flags < 8 && len <= 1 << 40 && largest >= limbs && -largest <= limbs;
        match ExactDot::from_bytes(&bytes) {
            Ok(dot) => {
                prop_assert!(is_sum);
                prop_assert_eq!(dot.to_bytes(), bytes);
                prop_assert_eq!(dot.len(), len);
                if flags == 0 {
                    prop_assert_eq!(dot.to_f32().to_bits(), oracle::sum_of_products(&limbs));
                    prop_assert_eq!(dot.norm_f32().to_bits(), oracle::root_of(&limbs));
                }
            }
            Err(_) => prop_assert!(!is_sum),
        }
    }
}

#[test]
fn special_values() {
    let dot = |left: &[u32], right: &[u32]| {
        check(&floats(left), &floats(right));
        extended(&floats(left), &floats(right)).to_f32().to_bits()
    };
    assert_eq!(dot(&[], &[]), 0);
    assert_eq!(dot(&[NEG], &[0]), 0);
    assert_eq!(dot(&[NEG], &[ONE]), 0);
    assert_eq!(dot(&[NAN | NEG], &[ONE]), NAN);
    assert_eq!(dot(&[0], &[0x7f80_0001]), NAN);
    assert_eq!(dot(&[0], &[INF]), NAN);
    assert_eq!(dot(&[INF | NEG], &[NEG]), NAN);
    assert_eq!(dot(&[INF, 1], &[1, ONE]), INF);
    assert_eq!(dot(&[INF], &[NEG | 1]), NEG | INF);
    assert_eq!(dot(&[INF | NEG, MAX], &[INF | NEG, MAX | NEG]), INF);
    assert_eq!(dot(&[INF, INF], &[ONE, NEG | ONE]), NAN);
    // Overflow is decided at the end.
    assert_eq!(dot(&[MAX, MAX, ONE], &[MAX, MAX | NEG, ONE]), ONE);
    assert_eq!(dot(&[MAX], &[MAX]), INF);
    assert_eq!(dot(&[MAX | NEG], &[MAX]), NEG | INF);
    assert_eq!(dot(&[MAX, INF | NEG], &[MAX, 1]), NEG | INF);
    // Half of the last place of the largest number: a tie, which goes to infinity, and less.
    assert_eq!(dot(&[MAX, 0x7300_0000], &[ONE, ONE]), INF);
    assert_eq!(dot(&[MAX, 0x7300_0000, NEG | 1], &[ONE, ONE, 1]), MAX);
    // 2^-149 by a half, then a little more; the smallest products.
    let half = 0x3f00_0000;
    assert_eq!(dot(&[1], &[half]), 0);
    assert_eq!(dot(&[1 | NEG], &[half]), NEG, "rounded to zero with its sign");
    assert_eq!(dot(&[1, 1], &[half, 1]), 1);
    assert_eq!(dot(&[3], &[half]), 2);
    assert_eq!(dot(&[1], &[1 | NEG]), NEG);
    assert_eq!(dot(&[1, 1], &[1, 1 | NEG]), 0);
}

#[test]
fn norms() {
    let norm = |bits: &[u32]| exact::squares(&floats(bits)).norm_f32().to_bits();
    let bits = |values: [f32; 2]| values.map(f32::to_bits);
    assert_eq!(norm(&[]), 0);
    assert_eq!(norm(&bits([3.0, 4.0])), 5f32.to_bits());
    // Squares beyond the range of floats, at both ends.
    assert_eq!(norm(&[1 | NEG]), 1);
    assert_eq!(norm(&[1, 1]), 1);
    assert_eq!(norm(&[1; 3]), 2);
    assert_eq!(norm(&[MAX]), MAX);
    assert_eq!(norm(&[MAX, 0x7300_0000]), MAX);
    assert_eq!(norm(&[MAX, MAX]), INF);
    // 17002001 and 18042603 are odd and above 2^24: ties.
    assert_eq!(norm(&bits([14_997_999.0, 8_008_000.0])), 17_002_000f32.to_bits());
    assert_eq!(norm(&bits([13_697_397.0, 11_743_800.0])), 18_042_604f32.to_bits());
    assert_eq!(norm(&[INF, MAX]), INF);
    assert_eq!(norm(&[INF | NEG]), INF);
    assert_eq!(norm(&[INF, NAN]), NAN);
    let negative = extended(&[1.0, f32::INFINITY], &[1.0, -1.0]);
    assert_eq!(negative.norm_f32().to_bits(), NAN);
    assert_eq!(extended(&[1.0], &[-1.0]).norm_f32().to_bits(), NAN);
}

#[test]
fn different_lengths() {
    let mut dot = extended(&[2.0], &[3.0]);
    let before = dot;
    let mismatch = LengthMismatch { left: 2, right: 3 };
    assert_eq!(dot.extend(&[1.0; 2], &[1.0; 3]), Err(mismatch));
    assert_eq!(dot, before);
    assert_eq!(exact::dot(&[1.0; 2], &[1.0; 3]), Err(mismatch));
    assert_eq!(dot.extend(&[], &[1.0]), Err(LengthMismatch { left: 0, right: 1 }));
}

/// As many as are added up at once, and about that: the most that their integers hold.
#[test]
fn long_inputs() {
    for len in [1 << 15, (1 << 16) - 1, 1 << 16, (1 << 16) + 1, (1 << 20) + 3] {
        // Large in significand; also where a digit of radix 2^64 begins lowest.
        for [x, y] in [[MAX, MAX], [0x207f_ffff, 0x00ff_ffff], [0x007f_ffff, 0x007f_ffff]] {
            for sign in [0, NEG] {
                let mut left = vec![f32::from_bits(x); len];
                let right = vec![f32::from_bits(y | sign); len];
                let product = oracle::units(left[0]) * oracle::units(right[0]);
                let wanted = encoded(&(&product * len), 0, len as u64);
                assert_eq!(extended(&left, &right).to_bytes(), wanted, "{len} by extend");
                let dot = exact::dot(&left, &right).expect("of one length");
                assert_eq!(dot.to_bytes(), wanted, "{len} by exact::dot");

                left[len - 1] = f32::INFINITY;
                left[0] = f32::NAN;
                let flags = 1 + if sign == 0 { 2 } else { 4 };
                let wanted = encoded(&(&product * (len - 2)), flags, len as u64);
                assert_eq!(extended(&left, &right).to_bytes(), wanted, "{len} by extend");
                let dot = exact::dot(&left, &right).expect("of one length");
                assert_eq!(dot.to_bytes(), wanted, "{len} by exact::dot");
            }
        }
    }
}

#[test]
fn the_longest_sum() {
    for largest in [f32::MAX, f32::MIN] {
        let mut dot = extended(&[f32::MAX], &[largest]);
        for _ in 0..40 {
            dot.merge(&dot.clone());
        }
        assert_eq!(dot.len(), 1 << 40);
        assert_eq!(dot.to_f32(), f32::INFINITY.copysign(largest));
        assert_eq!(ExactDot::from_bytes(&dot.to_bytes()), Ok(dot));
        let root = if largest > 0.0 { INF } else { NAN };
        assert_eq!(dot.norm_f32().to_bits(), root);

        dot.add(0.0, 0.0);
        let len = (1 << 40) + 1;
        assert_eq!(dot.len(), len);
        assert_eq!(dot.to_f32().to_bits(), NAN);
        assert_eq!(dot.norm_f32().to_bits(), NAN);
        assert_eq!(ExactDot::from_bytes(&dot.to_bytes()), Err(DecodeError::TooLong { len }));
    }
}

#[test]
fn bytes_of_no_sum() {
    let of = |units: &BigInt, flags, len| ExactDot::from_bytes(&encoded(units, flags, len));
    let zero = BigInt::ZERO;
    assert_eq!(of(&zero, 0, 0), Ok(ExactDot::default()));
    assert_eq!(of(&zero, 8, 9), Err(DecodeError::Flags { flags: 8 }));
    let len = (1 << 40) + 1;
    assert_eq!(of(&zero, 0, len), Err(DecodeError::TooLong { len }));
    assert_eq!(of(&BigInt::from(1), 0, 0), Err(DecodeError::TooLarge { len: 0 }));
    assert_eq!(of(&zero, 7, 2), Err(DecodeError::TooLarge { len: 2 }));
    assert_eq!(of(&BigInt::from(-1), 7, 3), Err(DecodeError::TooLarge { len: 3 }));

    for len in [3, 1 << 40] {
        let largest = oracle::units(f32::MAX).pow(2) * len;
        for sign in [1, -1] {
            assert!(of(&(&largest * sign), 0, len).is_ok());
            let beyond = (&largest + 1) * sign;
            assert_eq!(of(&beyond, 0, len), Err(DecodeError::TooLarge { len }));
        }
    }
    let most_negative = BigInt::from_bytes_le(Sign::Minus, &[1]) << 639;
    assert_eq!(of(&most_negative, 0, 1 << 40), Err(DecodeError::TooLarge { len: 1 << 40 }));
}

#[test]
fn the_layout_of_bytes() {
    let dot = extended(&floats(&[NEG | 2, INF, NAN]), &floats(&[1, ONE, ONE]));
    let wanted: [u8; 92] = array::from_fn(|index| match index {
        0 => 0xfe,
        1..80 => 0xff,
        80 | 84 => 3,
        _ => 0,
    });
    assert_eq!(dot.to_bytes(), wanted);
}

#[test]
fn json() {
    let dot = extended(&floats(&[NEG | 2, INF]), &floats(&[1, ONE]));
    let text = serde_json::to_string(&dot).expect("serializes");
    let limbs = format!("4294967294{}", ",4294967295".repeat(19));
    assert_eq!(text, format!(r#"{{"limbs":[{limbs}],"flags":2,"len":2}}"#));
    assert_eq!(serde_json::from_str::<ExactDot>(&text).expect("deserializes"), dot);

    let damaged = text.replace(r#""len":2"#, r#""len":0"#);
    let error = serde_json::from_str::<ExactDot>(&damaged).expect_err("nothing has no sum");
    assert!(error.to_string().contains(&DecodeError::TooLarge { len: 0 }.to_string()), "{error}");
}

#[test]
fn a_binary_format() {
    let dot = extended(&[1.5, -3e38, f32::NAN], &[-1.5, 2e38, 1.0]);
    let bytes = postcard::to_stdvec(&dot).expect("serializes");
    assert_eq!(postcard::from_bytes::<ExactDot>(&bytes).expect("deserializes"), dot);
}
