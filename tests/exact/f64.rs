//! Exact sums, means, sums of products, norms and variances of f64s, against big integers.

use gridfold::{
    Executor, Precision, Variance,
    exact::{mean_f64, sum_f64},
};
use num_bigint::{BigInt, BigUint, Sign};
use proptest::prelude::*;

const FRACTION: u64 = (1 << 52) - 1;

/// A finite element in units of 2^-1074.
fn units(element: f64) -> BigInt {
    let (field, fraction) = (element.to_bits() >> 52 & 2047, element.to_bits() & FRACTION);
    let magnitude = match field {
        0 => BigInt::from(fraction),
        _ => BigInt::from(fraction | 1 << 52) << (field - 1),
    };
    if element.is_sign_negative() { -magnitude } else { magnitude }
}

/// The bits of what is nearest to a number of units, ties to even.
fn nearest(numerator: &BigInt, divisor: u64) -> u64 {
    nearest_quotient(numerator, &divisor.into())
}

fn nearest_quotient(numerator: &BigInt, divisor: &BigUint) -> u64 {
    let (sign, magnitude) = (numerator.sign(), numerator.magnitude());
    let shift = (magnitude / divisor).bits().saturating_sub(53);
    let whole = divisor << shift;
    let (mut quotient, rest) = (magnitude / &whole, magnitude % &whole);
    let is_odd = quotient.bit(0);
    if &rest + &rest > whole || (&rest + &rest == whole && is_odd) {
        quotient += 1u32;
    }
    // A significand of 54 bits carries into the field; the leading bit of one of 53 does, too.
    let quotient = u64::try_from(quotient).expect("54 bits");
    let bits = (u128::from(shift) << 52) + u128::from(quotient);
    let bits = u64::try_from(bits.min(2047 << 52)).expect("64 bits");
    if sign == Sign::Minus { 1 << 63 | bits } else { bits }
}

fn check(elements: &[f64]) {
    let sum: BigInt = elements.iter().map(|&element| units(element)).sum();
    assert_eq!(sum_f64(elements).to_bits(), nearest(&sum, 1), "the sum of {elements:?}");
    let len = elements.len() as u64;
    if len > 0 {
        assert_eq!(mean_f64(elements).to_bits(), nearest(&sum, len), "the mean of {elements:?}");
    }
}

/// Units of products in one of elements.
fn unit() -> BigUint {
    BigUint::from(1u32) << 1074
}

/// The same of sums of products, of the elements and of these in another order.
fn check_products(elements: &[f64]) {
    let cpu = Executor::cpu().precision(Precision::Exact);
    let reversed: Vec<f64> = elements.iter().rev().copied().collect();
    let all: Vec<BigInt> = elements.iter().map(|&element| units(element)).collect();
    let dot: BigInt = all.iter().zip(all.iter().rev()).map(|(x, y)| x * y).sum();
    let found = cpu.dot(elements, &reversed).expect("of one length").to_bits();
    assert_eq!(found, nearest_quotient(&dot, &unit()), "the dot product of {elements:?}");
    let squares: BigInt = all.iter().map(|x| x * x).sum();
    let found = cpu.sum_of_squares(elements).expect("the CPU does not fail").to_bits();
    assert_eq!(found, nearest_quotient(&squares, &unit()), "the squares of {elements:?}");
    // Twice the root, with 64 bits behind the last place, and a bit for all that are behind these.
    let square: BigUint = squares.magnitude() << 128;
    let root = square.sqrt();
    let twice = BigInt::from(&root * 2u32 + u32::from(&root * &root != square));
    let found = cpu.norm(elements).expect("the CPU does not fail").to_bits();
    assert_eq!(found, nearest_quotient(&twice, &(BigUint::from(1u32) << 65)), "{elements:?}");
    let sum: BigInt = all.iter().sum();
    let len = elements.len() as u64;
    let spread = squares * len - &sum * &sum;
    let of_degrees = |degrees: u64| nearest_quotient(&spread, &(unit() * len * degrees));
    if len > 0 {
        let found = cpu.variance(elements).expect("the CPU does not fail").to_bits();
        assert_eq!(found, of_degrees(len), "the variance of {elements:?}");
    }
    if len > 1 {
        let found =
            cpu.reduce(elements, Variance.sample()).expect("the CPU does not fail").value.to_bits();
        assert_eq!(found, of_degrees(len - 1), "the sample variance of {elements:?}");
    }
}

/// As many as threads share.
#[test]
fn products_of_many() {
    let of_number = |number: u32| {
        let bits = u64::from(number.wrapping_mul(0x9e37_79b1));
        f64::from_bits(bits << 32 & (1 << 63 | FRACTION) | bits | (900 + bits % 200) << 52)
    };
    check_products(&(0..200_000).map(of_number).collect::<Vec<_>>());
    check_products(&vec![f64::MAX; 5000]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn any_finite_elements(all: Vec<u64>, low in 0..2047u64, fields in 1..2047u64, cleared in 0..53u32) {
        let element = |bits: u64| {
            let field = (low + (bits >> 52 & 2047) % fields) % 2047;
            f64::from_bits(bits & (1 << 63 | FRACTION) & (u64::MAX << cleared) | field << 52)
        };
        let elements = all.iter().copied().map(element).collect::<Vec<_>>();
        check(&elements);
        check_products(&elements);
    }
}

#[test]
fn ties_and_ends() {
    let [tiny, one_ulp] = [f64::from_bits(1), f64::EPSILON];
    for rest in [0.0, tiny, -tiny, 1.0, -1e-300] {
        check(&[1.0, one_ulp / 2.0, rest]);
        check(&[1.0 + one_ulp, one_ulp / 2.0, rest]);
        check(&[f64::MAX, f64::MAX * one_ulp / 4.0, rest]);
        check(&[f64::MAX, f64::MAX, -f64::MAX, rest]);
        check(&[tiny, tiny, tiny, -f64::MIN_POSITIVE, rest]);
        check_products(&[1.0 + one_ulp, 1.0 + one_ulp / 2.0, 1.0, rest]);
        check_products(&[f64::MAX, tiny, rest]);
        check_products(&[1e300, 1e300, 1e300 * (1.0 + one_ulp), rest]);
        check_products(&[1e-162, -1e-162, tiny, rest]);
        check_products(&[1e16, 1e16 + 2.0, 1e16 + 4.0, rest]);
    }
    check(&vec![f64::MAX; 5000]);
    check(&[-f64::MAX; 3]);
    check(&[-tiny; 3]);
    check(&[&vec![1e300; 3000][..], &vec![-1e300; 3000], &[1e-300, 0.1]].concat());
}

#[test]
fn special_values() {
    let bits = |elements: &[f64]| sum_f64(elements).to_bits();
    let [inf, nan] = [f64::INFINITY, f64::NAN];
    const NAN: u64 = 0x7ff8_0000_0000_0000;
    assert_eq!(bits(&[]), 0);
    assert_eq!(bits(&[-0.0, -0.0]), 0);
    assert_eq!(bits(&[-nan, 1.0]), NAN);
    assert_eq!(bits(&[inf, 1.0, -inf]), NAN);
    assert_eq!(bits(&[f64::MAX, f64::MAX, -inf]), (-inf).to_bits());
    assert_eq!(bits(&[inf, -f64::MAX]), inf.to_bits());
    assert_eq!(mean_f64(&[]).to_bits(), NAN);
    assert_eq!(mean_f64(&[inf, 2.0]), inf);
    assert_eq!(mean_f64(&[1.0, 2.0, 4.0]), 7.0 / 3.0);
}
