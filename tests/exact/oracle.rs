//! The definitions, with big integers and nothing of the library's.

use super::{INF, NAN, NEG};
use num_bigint::{BigInt, BigUint, Sign, ToBigInt};
use std::{cmp::Ordering, iter::zip};

/// A finite element in units of 2^-149, the smallest subnormal number.
pub fn units(element: f32) -> BigInt {
    // Both steps are exact: f64 has room for the exponent.
    (f64::from(element) * 2f64.powi(149)).to_bigint().expect("finite")
}

pub fn units_of_all(elements: &[f32]) -> BigInt {
    elements.iter().filter(|element| element.is_finite()).map(|&element| units(element)).sum()
}

/// The sum of the finite products, in units of 2^-298.
pub fn units_of_products(left: &[f32], right: &[f32]) -> BigInt {
    let finite = zip(left, right).filter(|(x, y)| x.is_finite() && y.is_finite());
    finite.map(|(&x, &y)| units(x) * units(y)).sum()
}

/// 1 for NaN, 2 for +infinity, 4 for -infinity.
pub fn flags(elements: &[f32]) -> u32 {
    flags_of(elements.iter().copied().map(f64::from))
}

pub fn flags_of_products(left: &[f32], right: &[f32]) -> u32 {
    // No finite f32s have a product that is too large for an f64.
    flags_of(zip(left, right).map(|(&x, &y)| f64::from(x) * f64::from(y)))
}

fn flags_of(values: impl Iterator<Item = f64>) -> u32 {
    values.fold(0, |flags, value| {
        let is = [value.is_nan(), value == f64::INFINITY, value == f64::NEG_INFINITY];
        zip(is, [1, 2, 4]).fold(flags, |flags, (is, flag)| if is { flags | flag } else { flags })
    })
}

/// The bits of what is not finite, by flags.
fn special(flags: u32) -> Option<u32> {
    match flags {
        0 => None,
        2 => Some(INF),
        4 => Some(NEG | INF),
        _ => Some(NAN),
    }
}

/// The bits of the f32 nearest to a value without a sign, ties to even. `compare` compares the value with a
/// number of halves of 2^-149.
fn nearest(compare: impl Fn(BigUint) -> Ordering) -> u32 {
    // Floats without a sign have the order of their bits. That of infinity is here 2^128.
    let units = |bits: u32| match bits {
        INF => BigUint::from(1u32) << 277,
        _ => units(f32::from_bits(bits)).magnitude().clone(),
    };
    let (mut floor, mut above) = (0, INF);
    while above - floor > 1 {
        let middle = floor.midpoint(above);
        if compare(units(middle) * 2u32).is_ge() { floor = middle } else { above = middle }
    }
    match compare(units(floor) + units(above)) {
        Ordering::Less => floor,
        Ordering::Equal => floor + floor % 2,
        Ordering::Greater => above,
    }
}

/// The bits of the f32 nearest to `numerator / denominator` units of 2^-149.
fn nearest_quotient(numerator: &BigInt, denominator: &BigUint) -> u32 {
    let sign = if numerator.sign() == Sign::Minus { NEG } else { 0 };
    let twice = numerator.magnitude() * 2u32;
    sign | nearest(|halves| twice.cmp(&(halves * denominator)))
}

pub fn sum_of(units: &BigInt) -> u32 {
    mean_of(units, 1)
}

pub fn mean_of(units: &BigInt, len: u64) -> u32 {
    nearest_quotient(units, &len.into())
}

/// Of a sum in units of 2^-298.
pub fn sum_of_products(units: &BigInt) -> u32 {
    nearest_quotient(units, &(BigUint::from(1u32) << 149))
}

/// The square root of a sum in units of 2^-298.
pub fn root_of(units: &BigInt) -> u32 {
    if units.sign() == Sign::Minus {
        return NAN;
    }
    let quadruple = units.magnitude() * 4u32;
    nearest(|halves| quadruple.cmp(&(&halves * &halves)))
}

pub fn sum(elements: &[f32]) -> u32 {
    special(flags(elements)).unwrap_or_else(|| sum_of(&units_of_all(elements)))
}

pub fn mean(elements: &[f32]) -> u32 {
    if elements.is_empty() {
        return NAN;
    }
    let len = elements.len() as u64;
    special(flags(elements)).unwrap_or_else(|| mean_of(&units_of_all(elements), len))
}

pub fn dot(left: &[f32], right: &[f32]) -> u32 {
    special(flags_of_products(left, right))
        .unwrap_or_else(|| sum_of_products(&units_of_products(left, right)))
}

/// The square root of the dot product.
pub fn root_of_dot(left: &[f32], right: &[f32]) -> u32 {
    match special(flags_of_products(left, right)) {
        None => root_of(&units_of_products(left, right)),
        Some(INF) => INF,
        Some(_) => NAN,
    }
}

/// The mean of the squared differences from the mean, of which there is one for each degree of freedom.
pub fn variance(elements: &[f32], degrees: usize) -> u32 {
    if degrees == 0 || flags(elements) != 0 {
        return NAN;
    }
    // With differences from the mean n times as large: the sum of their squares, divided by n^2.
    let (len, sum) = (BigInt::from(elements.len()), units_of_all(elements));
    let squares: BigInt = elements.iter().map(|&x| (units(x) * &len - &sum).pow(2)).sum();
    let denominator = len.magnitude() * len.magnitude() * degrees;
    nearest_quotient(&squares, &(denominator << 149))
}

/// The same of n elements with this sum, in units of 2^-149, and this sum of squares, in units of 2^-298.
pub fn variance_of(sum: &BigInt, squares: &BigInt, len: u64, degrees: u64) -> u32 {
    nearest_quotient(&(squares * len - sum.pow(2)), &(BigUint::from(len * degrees) << 149))
}
