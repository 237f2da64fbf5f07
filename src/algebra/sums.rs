//! Sums of floats: of what is made of each element, in the order of [`crate::order`], and what is made of the sum.

use crate::{
    algebra::{
        acc_words::AccWords,
        accumulator::over_parts,
        element::Element,
        exact_total::{ExactTotal, InTotal},
        f64_arithmetic::{self, divide, root},
        float::Float,
        float_environment,
        fold::{self, MAX_IN_ORDER},
        operator::{Algebra, Parts},
    },
    exact::{self, ExactDot, ExactSum, F64Dot, F64Sum, f64_bits},
};
use std::fmt;

/// The addends that elements make.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Terms {
    Elements,
    Squares,
    Magnitudes,
    /// 0 of a NaN.
    Numbers,
}

/// The result that a sum makes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Finish {
    Sum,
    Mean,
    /// The square root.
    Norm,
}

/// A sum of floats. `IS_PLAIN` says that it is the sum of the elements: loops over single elements are much faster if compilers know that.
#[derive(Clone, Copy)]
pub(crate) struct FloatSum<const IS_PLAIN: bool = false> {
    terms: Terms,
    finish: Finish,
}

impl FloatSum<true> {
    pub(crate) const PLAIN: Self = Self { terms: Terms::Elements, finish: Finish::Sum };
}

impl FloatSum {
    pub(crate) const fn new(terms: Terms, finish: Finish) -> Self {
        Self { terms, finish }
    }
}

impl<const IS_PLAIN: bool> FloatSum<IS_PLAIN> {
    #[inline]
    fn terms(self) -> Terms {
        if IS_PLAIN { Terms::Elements } else { self.terms }
    }

    #[inline]
    fn finish(self) -> Finish {
        if IS_PLAIN { Finish::Sum } else { self.finish }
    }
}

/// Calls a function with each part of two sequences of one length. Both parts of a call are of one length.
pub(crate) type PairParts<'a, T> = &'a mut dyn FnMut(&mut dyn FnMut(&[T], &[T]));

/// A float that is added up.
pub(crate) trait Addend: Float + Element + AccWords + fmt::Debug {
    fn magnitude(self) -> Self;
    /// The same bits as `a + b`, in any float environment.
    fn add_in_integers(a: Self, b: Self) -> Self;
    /// The same bits as `a * b`, in any float environment.
    fn multiply_in_integers(a: Self, b: Self) -> Self;
    /// One NaN, and no negative zero.
    fn canonical(self) -> Self;
    /// `total / len`, rounded, in any float environment.
    fn mean(total: Self, len: u64) -> Self;
    /// The square root, rounded, in any float environment.
    fn norm(total: Self) -> Self;
    fn exact_total(terms: Terms, parts: Parts<'_, Self>) -> Option<ExactTotal>;
    /// The total of all pairs' products, without rounding.
    fn exact_products(parts: PairParts<'_, Self>) -> ExactTotal;
    fn exact_finish(terms: Terms, finish: Finish, total: &ExactTotal) -> Self;
}

impl<F: Addend, const IS_PLAIN: bool> Algebra<F> for FloatSum<IS_PLAIN> {
    const ORDER_FREE: bool = false;
    type Acc = F;
    type Out = F;
    #[inline]
    fn identity(self) -> F {
        F::default()
    }
    #[inline]
    fn lift(self, element: F) -> F {
        match self.terms() {
            Terms::Elements => element,
            Terms::Squares => element * element,
            Terms::Magnitudes => element.magnitude(),
            Terms::Numbers => number(element),
        }
    }
    #[inline]
    fn lift_in_integers(self, element: F) -> F {
        match self.terms() {
            Terms::Squares => F::multiply_in_integers(element, element),
            // Bits, whatever the thread does with floats.
            _ => self.lift(element),
        }
    }
    #[inline]
    fn combine(self, a: F, b: F) -> F {
        a + b
    }
    fn combine_in_integers(self, a: F, b: F) -> F {
        F::add_in_integers(a, b)
    }
    #[inline]
    fn fold(self, elements: &[F]) -> Option<F> {
        Some(match self.terms() {
            Terms::Elements => fold::sum(elements),
            Terms::Squares => fold::dot(elements, elements),
            Terms::Magnitudes => sum_of_made(elements, F::magnitude),
            Terms::Numbers => of_numbers(elements),
        })
    }
    #[inline]
    fn finish(self, total: F, len: u64) -> F {
        match self.finish() {
            Finish::Sum => total.canonical(),
            Finish::Mean => F::mean(total, len),
            Finish::Norm => F::norm(total),
        }
    }
    #[inline]
    fn lift_each(self, elements: &[F], accs: &mut [F]) {
        match self.terms() {
            Terms::Elements => accs.copy_from_slice(elements),
            Terms::Squares => make_each(elements, accs, |element| element * element),
            Terms::Magnitudes => make_each(elements, accs, F::magnitude),
            Terms::Numbers => make_each(elements, accs, number),
        }
    }
    #[inline]
    fn finish_each(self, totals: &[F], len: u64, outs: &mut [F]) {
        match self.finish() {
            Finish::Sum => make_each(totals, outs, F::canonical),
            _ => {
                for ((out, &total), len) in outs.iter_mut().zip(totals).zip(len..) {
                    *out = Algebra::<F>::finish(self, total, len);
                }
            }
        }
    }
    fn exact_total(self, parts: Parts<'_, F>) -> Option<ExactTotal> {
        F::exact_total(self.terms(), parts)
    }
    fn exact_finish(self, total: &ExactTotal) -> F {
        F::exact_finish(self.terms(), self.finish(), total)
    }
}

#[inline]
fn make_each<F: Addend>(elements: &[F], made: &mut [F], make: impl Fn(F) -> F) {
    for (made, &element) in made.iter_mut().zip(elements) {
        *made = make(element);
    }
}

#[inline]
fn number<F: Addend>(element: F) -> F {
    if element.is_nan() { F::default() } else { element }
}

/// The sum of at most [`MAX_IN_ORDER`] elements without NaNs, where the float environment is the default.
pub(crate) fn of_numbers<F: Addend>(elements: &[F]) -> F {
    sum_of_made(elements, number)
}

#[inline]
fn sum_of_made<F: Addend>(elements: &[F], made: impl Fn(F) -> F) -> F {
    let mut addends = [F::default(); MAX_IN_ORDER];
    let addends = &mut addends[..elements.len()];
    make_each(elements, addends, made);
    fold::sum(addends)
}

macro_rules! addends {
    ($(
        $float:ident by $arithmetic:ident, $nan:expr, $sign:expr, $largest:expr,
        $sum:ident $add_up:ident $to_sum:ident $to_mean:ident,
        $dot:ident $squares:ident $products:ident $to_dot:ident $to_norm:ident,
        $mean_in_integers:ident $norm_in_integers:ident;
    )*) => {$(
        impl Addend for $float {
            #[inline]
            fn magnitude(self) -> Self {
                self.abs()
            }
            fn add_in_integers(a: Self, b: Self) -> Self {
                $arithmetic::add(a, b)
            }
            fn multiply_in_integers(a: Self, b: Self) -> Self {
                $arithmetic::multiply(a, b)
            }
            #[inline]
            fn canonical(self) -> Self {
                if self.is_nan() {
                    Self::from_bits($nan)
                } else if self.to_bits() == $sign {
                    0.0
                } else {
                    self
                }
            }
            #[inline]
            fn mean(total: Self, len: u64) -> Self {
                // Longer lengths are no floats.
                match len <= $largest && float_environment::is_default() {
                    true => (total / len as Self).canonical(),
                    false => $mean_in_integers(total, len).canonical(),
                }
            }
            #[inline]
            fn norm(total: Self) -> Self {
                match float_environment::is_default() {
                    true => total.sqrt().canonical(),
                    false => $norm_in_integers(total).canonical(),
                }
            }
            fn exact_total(terms: Terms, parts: Parts<'_, Self>) -> Option<ExactTotal> {
                match terms {
                    Terms::Elements => Some(over_parts(parts, exact::$add_up)),
                    Terms::Squares => Some(over_parts(parts, exact::$squares)),
                    Terms::Magnitudes | Terms::Numbers => None,
                }
            }
            fn exact_products(parts: PairParts<'_, Self>) -> ExactTotal {
                let mut total = $dot::default();
                parts(&mut |left, right| total.merge(&exact::$products(left, right)));
                total.into_total()
            }
            fn exact_finish(terms: Terms, finish: Finish, total: &ExactTotal) -> Self {
                match (terms, finish) {
                    (Terms::Squares, Finish::Norm) => $dot::of_total(total).$to_norm(),
                    (Terms::Squares, _) => $dot::of_total(total).$to_dot(),
                    (_, Finish::Mean) => $sum::of_total(total).$to_mean(),
                    _ => $sum::of_total(total).$to_sum(),
                }
            }
        }
    )*};
}

addends! {
    f32 by float_environment, 0x7fc0_0000, 1 << 31, 1 << f32::MANTISSA_DIGITS,
        ExactSum sum to_f32 mean_f32, ExactDot squares f32_dot to_f32 norm_f32,
        mean_in_integers norm_in_integers;
    f64 by f64_arithmetic, f64_bits::CANONICAL_NAN, f64_bits::SIGN, u64::MAX,
        F64Sum f64_sum sum mean, F64Dot f64_squares f64_dot sum norm, divide root;
}

#[inline(never)]
fn mean_in_integers(total: f32, len: u64) -> f32 {
    let mut sum = ExactSum::default();
    sum.add(total);
    sum.with_len(len).mean_f32()
}

#[inline(never)]
fn norm_in_integers(total: f32) -> f32 {
    let mut sum = ExactDot::default();
    sum.add(total, 1.0);
    sum.norm_f32()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(5000))]

        #[test]
        fn means_and_roots_in_integers(bits: u32, len in 0..=1u64 << 24, cleared in 0..24u32) {
            let total = f32::from_bits(bits & (u32::MAX << cleared));
            let found = mean_in_integers(total, len).canonical();
            prop_assert_eq!(found.to_bits(), f32::mean(total, len).to_bits());
            let total = total.abs();
            let found = norm_in_integers(total).canonical();
            prop_assert_eq!(found.to_bits(), f32::norm(total).to_bits());
        }
    }
}
