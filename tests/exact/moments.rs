//! Means and variances.

use super::*;
use gridfold::{ExactDot, ExactMoments, ExactSum};

fn one_by_one(elements: &[f32]) -> ExactMoments {
    let mut moments = ExactMoments::default();
    for &element in elements {
        moments.add(element);
    }
    moments
}

fn extended(elements: &[f32]) -> ExactMoments {
    let mut moments = ExactMoments::default();
    moments.extend(elements);
    moments
}

/// Adds the elements up in every way there is, and compares with big integers.
fn check(elements: &[f32]) {
    let moments = one_by_one(elements);
    assert_eq!(extended(elements), moments, "by extend");
    assert_eq!(exact::moments(elements), moments, "by exact::moments");
    assert_eq!(moments.len(), elements.len() as u64);
    assert_eq!(moments.is_empty(), elements.is_empty());
    assert_eq!(moments.sum(), exact::sum(elements));
    assert_eq!(moments.squares(), exact::squares(elements));

    let wanted = encoded_moments(
        &oracle::units_of_all(elements),
        &oracle::units_of_products(elements, elements),
        oracle::flags(elements),
        elements.len() as u64,
    );
    assert_eq!(moments.to_bytes(), wanted);
    let (found, wanted) = (moments.mean_f32().to_bits(), oracle::mean(elements));
    assert_eq!(found, wanted, "mean {found:#x}, not {wanted:#x}");
    let len = elements.len();
    let (found, wanted) = (moments.variance_f32().to_bits(), oracle::variance(elements, len));
    assert_eq!(found, wanted, "variance {found:#x}, not {wanted:#x}");
    let found = moments.sample_variance_f32().to_bits();
    let wanted = oracle::variance(elements, len.saturating_sub(1));
    assert_eq!(found, wanted, "sample variance {found:#x}, not {wanted:#x}");
    assert_eq!(ExactMoments::from_bytes(&moments.to_bytes()), Ok(moments));
}

fn encoded_moments(
    sum: &BigInt,
    squares: &BigInt,
    flags: u32,
    len: u64,
) -> [u8; ExactMoments::BYTES] {
    let mut bytes = [0; ExactMoments::BYTES];
    bytes[..52].copy_from_slice(&encoded::<52>(sum, flags, len));
    write_integer(squares, &mut bytes[52..]);
    bytes
}

/// Elements of which each differs from the first in a few last places.
fn close_together() -> impl Strategy<Value = Vec<f32>> {
    (prop::collection::vec(0..9u32, 1..50), 0..MAX - 9, any::<bool>()).prop_map(
        |(steps, base, is_negative)| {
            let sign = if is_negative { NEG } else { 0 };
            steps.into_iter().map(|step| f32::from_bits(sign | (base + step))).collect()
        },
    )
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
    fn small_spreads(elements in close_together()) {
        check(&elements);
    }

    /// With squares about as large as the smallest f32s.
    #[test]
    fn subnormal_variances(words in prop::collection::vec(any::<u32>(), 1..9), low in 40..60u32) {
        let element = |bits: u32| f32::from_bits(bits & !INF | (low + bits % 4) << 23);
        check(&words.into_iter().map(element).collect::<Vec<_>>());
    }

    /// Halfway between floats, and next to that by less than the unit of squares.
    #[test]
    fn variances_near_ties(
        significand in prop_oneof![0..1u64 << 23, 1u64 << 23..1 << 24],
        place in 0..200usize,
        sum in -1000..1000,
        rest in -2..3,
        len in 2..50u64,
        is_sample: bool,
    ) {
        let degrees = if is_sample { len - 1 } else { len };
        let sum = BigInt::from(sum);
        // The variance is (squares - sum^2 / len) / degrees.
        let half = BigInt::from(2 * significand + 1) << (148 + place);
        let squares = half * degrees + (sum.pow(2) + (len - 1)) / len + rest;
        let bytes = encoded_moments(&sum, &squares, 0, len);
        let moments = ExactMoments::from_bytes(&bytes).expect("large squares");
        let found =
            if is_sample { moments.sample_variance_f32() } else { moments.variance_f32() };
        let wanted = oracle::variance_of(&sum, &squares, len, degrees);
        prop_assert_eq!(found.to_bits(), wanted);
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
        prop_assert_eq!(in_parts(&shuffled, cuts, extended, ExactMoments::merge), whole);
    }

    #[test]
    fn other_bytes(
        sum in any::<i64>(),
        squares in any::<i128>(),
        // Few bits, so that many are accepted.
        (sum_bits, squares_bits) in (0..64u32, 0..128u32),
        scale in prop::sample::select(vec![0, 254]),
        flags in 0..9u8,
        len in prop_oneof![0..10u64, 0..=1u64 << 40, any::<u64>()],
    ) {
        let sum = BigInt::from(sum.unbounded_shr(64 - sum_bits)) << scale;
        let squares = BigInt::from(squares.unbounded_shr(128 - squares_bits)) << (2 * scale);
        let bytes = encoded_moments(&sum, &squares, u32::from(flags), len);
        let terms = i128::from(len) - i128::from(flags.count_ones());
        let largest: BigInt = oracle::units(f32::MAX) * terms;
        let are_sums = flags < 8 && len <= 1 << 40 && terms >= 0
            && largest >= sum && -&largest <= sum
            && squares <= largest * oracle::units(f32::MAX)
            // Also for no terms.
            && squares >= BigInt::ZERO && sum.pow(2) <= squares * terms;
        match ExactMoments::from_bytes(&bytes) {
            Ok(moments) => {
                prop_assert!(are_sums);
                prop_assert_eq!(moments.to_bytes(), bytes);
            }
            Err(_) => prop_assert!(!are_sums),
        }
    }
}

#[test]
fn special_values() {
    let results = |bits: &[u32]| {
        check(&floats(bits));
        let moments = extended(&floats(bits));
        [moments.mean_f32(), moments.variance_f32(), moments.sample_variance_f32()]
            .map(f32::to_bits)
    };
    assert_eq!(results(&[]), [NAN; 3]);
    assert_eq!(results(&[ONE]), [ONE, 0, NAN]);
    assert_eq!(results(&[INF]), [INF, NAN, NAN]);
    assert_eq!(results(&[INF, ONE, ONE]), [INF, NAN, NAN]);
    assert_eq!(results(&[INF | NEG, ONE, NAN]), [NAN; 3]);
    assert_eq!(results(&[0x7f80_0001, ONE]), [NAN; 3]);
    assert_eq!(results(&[MAX, MAX | NEG]), [0, INF, INF]);
    assert_eq!(results(&[MAX; 3]), [MAX, 0, 0]);
    assert_eq!(results(&[1, 0]), [0; 3], "too small for an f32");
    // 2^24 - 1 and 2^24: variances of a quarter and a half, where sums of f32 have lost them.
    let [quarter, half] = [0.25f32, 0.5].map(f32::to_bits);
    assert_eq!(results(&[0x4b7f_ffff, 0x4b80_0000])[1..], [quarter, half]);
}

#[test]
fn the_longest_sum() {
    let mut moments = extended(&[f32::MAX, f32::MIN]);
    for _ in 0..39 {
        moments.merge(&moments.clone());
    }
    assert_eq!(moments.len(), 1 << 40);
    assert_eq!(moments.mean_f32().to_bits(), 0);
    assert_eq!(moments.variance_f32(), f32::INFINITY);
    assert_eq!(ExactMoments::from_bytes(&moments.to_bytes()), Ok(moments));

    let mut moments = extended(&[f32::MAX]);
    for _ in 0..40 {
        moments.merge(&moments.clone());
    }
    assert_eq!(moments.mean_f32(), f32::MAX);
    assert_eq!(moments.variance_f32().to_bits(), 0);
    assert_eq!(moments.sample_variance_f32().to_bits(), 0);
    assert_eq!(ExactMoments::from_bytes(&moments.to_bytes()), Ok(moments));

    moments.add(0.0);
    let len = (1 << 40) + 1;
    assert_eq!(moments.mean_f32().to_bits(), NAN);
    assert_eq!(moments.variance_f32().to_bits(), NAN);
    assert_eq!(moments.sample_variance_f32().to_bits(), NAN);
    assert_eq!(ExactMoments::from_bytes(&moments.to_bytes()), Err(DecodeError::TooLong { len }));
}

#[test]
fn bytes_of_no_sums() {
    let of = |sum, squares, flags, len| {
        let (sum, squares) = (BigInt::from(sum), BigInt::from(squares));
        ExactMoments::from_bytes(&encoded_moments(&sum, &squares, flags, len))
    };
    let too_large = |len| Err(DecodeError::TooLarge { len });
    assert_eq!(of(0, 0, 0, 0), Ok(ExactMoments::default()));
    assert_eq!(of(0, 0, 8, 9), Err(DecodeError::Flags { flags: 8 }));
    assert_eq!(of(0, 1, 0, 0), too_large(0));
    assert_eq!(of(1, 0, 0, 0), too_large(0));
    assert_eq!(of(0, -1, 0, 9), too_large(9));
    // 2 and 3: sum 5, squares 13, which 12 elements of both signs may have, too.
    assert!(of(5, 13, 0, 2).is_ok());
    assert_eq!(of(5, 12, 0, 2), too_large(2));
    assert!(of(-5, 13, 0, 12).is_ok());
    // Three specials leave two elements.
    assert!(of(5, 13, 7, 5).is_ok());
    assert_eq!(of(5, 13, 7, 4), too_large(4));
}

#[test]
fn the_layout_of_bytes() {
    let elements = floats(&[NEG | 2, 1, INF, NAN]);
    let (sum, squares) = (exact::sum(&elements), exact::squares(&elements));
    let bytes = extended(&elements).to_bytes();
    assert_eq!(bytes[..52], sum.to_bytes());
    assert_eq!(bytes[52..], squares.to_bytes()[..80]);
    assert_eq!([ExactSum::BYTES, ExactDot::BYTES, ExactMoments::BYTES], [52, 92, 132]);
}

#[test]
fn json() {
    let moments = extended(&floats(&[NEG | 2, INF]));
    let text = serde_json::to_string(&moments).expect("serializes");
    let limbs = format!("4294967294{}", ",4294967295".repeat(9));
    let squares = format!("4{}", ",0".repeat(19));
    let wanted = format!(r#"{{"limbs":[{limbs}],"flags":2,"len":2,"squares":[{squares}]}}"#);
    assert_eq!(text, wanted);
    assert_eq!(serde_json::from_str::<ExactMoments>(&text).expect("deserializes"), moments);

    let damaged = text.replace(r#""squares":[4"#, r#""squares":[3"#);
    let error = serde_json::from_str::<ExactMoments>(&damaged).expect_err("-2 has the square 4");
    assert!(error.to_string().contains(&DecodeError::TooLarge { len: 2 }.to_string()), "{error}");
}

#[test]
fn a_binary_format() {
    let moments = extended(&[1.5, -3e38, f32::NAN]);
    let bytes = postcard::to_stdvec(&moments).expect("serializes");
    assert_eq!(postcard::from_bytes::<ExactMoments>(&bytes).expect("deserializes"), moments);
}
