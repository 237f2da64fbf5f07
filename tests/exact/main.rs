//! Exact sums, and sums of products, against big integers, and the accumulators' other promises.

mod dot;
mod f64;
mod moments;
mod oracle;
mod sum;
mod windows;

use gridfold::exact::{self, DecodeError, LengthMismatch};
use num_bigint::BigInt;
use proptest::{prelude::*, sample::Index};
use std::array;

const NAN: u32 = 0x7fc0_0000;
const INF: u32 = 0x7f80_0000;
const NEG: u32 = 0x8000_0000;
const MAX: u32 = 0x7f7f_ffff;
const ONE: u32 = 0x3f80_0000;

fn floats(bits: &[u32]) -> Vec<f32> {
    bits.iter().map(|&bits| f32::from_bits(bits)).collect()
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

/// Where to cut, and what to merge into what.
type Cuts = (Vec<Index>, Vec<(Index, Index)>);

fn any_cuts() -> impl Strategy<Value = Cuts> {
    (prop::collection::vec(any::<Index>(), 0..6), prop::collection::vec(any::<(Index, Index)>(), 7))
}

/// The items cut into any parts, merged in any order.
fn in_parts<T, Acc>(
    items: &[T],
    (cuts, merges): Cuts,
    of_part: impl Fn(&[T]) -> Acc,
    merge: impl Fn(&mut Acc, &Acc),
) -> Acc {
    let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(items.len() + 1)).collect();
    cuts.extend([0, items.len()]);
    cuts.sort_unstable();
    let mut parts: Vec<Acc> =
        cuts.windows(2).map(|range| of_part(&items[range[0]..range[1]])).collect();
    for (into, from) in merges {
        if parts.len() > 1 {
            let from = parts.swap_remove(from.index(parts.len()));
            let into = into.index(parts.len());
            merge(&mut parts[into], &from);
        }
    }
    assert_eq!(parts.len(), 1, "as many merges as parts");
    parts.remove(0)
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

/// Many elements of more exponents, of one sign or of both, with zeros, and with few specials.
fn in_windows() -> impl Strategy<Value = Vec<f32>> {
    (0..230u32, 1..26u32, any::<[bool; 3]>()).prop_flat_map(|(lowest, exponents, has)| {
        let [both_signs, zeros, specials] = has;
        let element = (any::<[u32; 2]>(), 0..exponents).prop_map(move |([bits, kind], above)| {
            let sign = if both_signs { bits & NEG } else { 0 };
            match kind % 2048 {
                0 if specials => f32::from_bits(bits | INF),
                1..600 if zeros => f32::from_bits(sign),
                _ => f32::from_bits(sign | bits & !INF & !NEG | (lowest + above) << 23),
            }
        });
        prop::collection::vec(element, 200..3000)
    })
}

/// The ends of ranges of exponents, and of what digits hold.
fn edges() -> impl Strategy<Value = Vec<f32>> {
    let bits = prop::sample::select(vec![
        0,
        1,
        0x007f_ffff,
        0x0080_0000,
        0x00ff_ffff,
        0x0100_0000,
        0x0fff_ffff,
        0x1000_0000,
        0x7e80_0000,
        0x7eff_ffff,
        0x7f00_0000,
        MAX,
    ]);
    let element = (bits, any::<bool>()).prop_map(|(bits, is_negative)| {
        f32::from_bits(if is_negative { bits | NEG } else { bits })
    });
    prop::collection::vec(element, 0..600)
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
                let rest = oracle::sum_of(&oracle::units_of_all(&elements));
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

/// An accumulator's bytes: an integer, flags and a number.
fn encoded<const BYTES: usize>(integer: &BigInt, flags: u32, len: u64) -> [u8; BYTES] {
    let mut bytes = [0; BYTES];
    let (integer_bytes, rest) = bytes.split_at_mut(BYTES - 12);
    write_integer(integer, integer_bytes);
    rest[..4].copy_from_slice(&flags.to_le_bytes());
    rest[4..].copy_from_slice(&len.to_le_bytes());
    bytes
}

/// Two's complement, little-endian.
fn write_integer(integer: &BigInt, bytes: &mut [u8]) {
    bytes.fill(if integer < &BigInt::ZERO { 0xff } else { 0 });
    let little_endian = integer.to_signed_bytes_le();
    bytes[..little_endian.len()].copy_from_slice(&little_endian);
}

#[test]
fn errors_say_what_to_do() {
    let flags = DecodeError::Flags { flags: 9 }.to_string();
    assert!(flags.contains("0x9") && flags.contains("read what to_bytes"), "{flags}");
    let too_long = DecodeError::TooLong { len: 5 }.to_string();
    assert!(too_long.starts_with("5 elements") && too_long.contains("add up parts"), "{too_long}");
    let too_large = DecodeError::TooLarge { len: 5 }.to_string();
    assert!(too_large.contains("5 elements") && too_large.contains("read what"), "{too_large}");
    let mismatch = LengthMismatch { left: 5, right: 6 }.to_string();
    assert!(mismatch.contains("5 and 6") && mismatch.contains("give as many"), "{mismatch}");
}
