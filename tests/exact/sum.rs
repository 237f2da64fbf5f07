//! Sums, and their means.

use super::*;
use gridfold::ExactSum;

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

    let wanted =
        encoded(&oracle::units_of_all(elements), oracle::flags(elements), elements.len() as u64);
    assert_eq!(sum.to_bytes(), wanted);
    let (found, wanted) = (sum.to_f32().to_bits(), oracle::sum(elements));
    assert_eq!(found, wanted, "sum {found:#x}, not {wanted:#x}");
    let (found, wanted) = (sum.mean_f32().to_bits(), oracle::mean(elements));
    assert_eq!(found, wanted, "mean {found:#x}, not {wanted:#x}");
    assert_eq!(ExactSum::from_bytes(&sum.to_bytes()), Ok(sum));
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
    fn windows(elements in in_windows()) {
        check(&elements);
    }

    #[test]
    fn edges_of_ranges(elements in edges()) {
        check(&elements);
    }

    /// Any order, cut into any parts, merged in any order.
    #[test]
    fn order_does_not_matter(
        elements in any_elements(),
        seed in any::<u64>(),
        cuts in any_cuts(),
    ) {
        let whole = extended(&elements);
        let mut shuffled = elements;
        shuffle(&mut shuffled, seed);
        prop_assert_eq!(in_parts(&shuffled, cuts, extended, ExactSum::merge), whole);
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
        let bytes = encoded::<52>(&limbs, u32::from(flags), len);
        let largest = oracle::units(f32::MAX) * (i128::from(len) - i128::from(flags.count_ones()));
        let is_sum = flags < 8 && len <= 1 << 40 && largest >= limbs && -largest <= limbs;
        match ExactSum::from_bytes(&bytes) {
            Ok(sum) => {
                prop_assert!(is_sum);
                prop_assert_eq!(sum.to_bytes(), bytes);
                prop_assert_eq!(sum.len(), len);
                if flags == 0 {
                    prop_assert_eq!(sum.to_f32().to_bits(), oracle::sum_of(&limbs));
                }
                if flags == 0 && len > 0 {
                    prop_assert_eq!(sum.mean_f32().to_bits(), oracle::mean_of(&limbs, len));
                }
            }
            Err(_) => prop_assert!(!is_sum),
        }
    }
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
