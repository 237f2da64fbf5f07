//! Products of f64s.

use crate::{
    algebra::{
        acc_words::{AccWords, Words, read_two, write_two},
        element::ElementType,
        f64_arithmetic,
        operator::{Algebra, Combining, Operator, OperatorSpec, Part, part},
        operator_type::OperatorType,
        operators::{
            ANY_RANGE, NO_RANGE, Product,
            f64_sums::{FENCE, MULTIPLY, ROUND, SHIFT},
            product::MAX_EXPONENT,
        },
    },
    exact::f64_bits::{CANONICAL_NAN, FRACTION_MASK, INFINITY, SIGN},
};

const APART: Part = part!("operator/product_f64.wgsl");

/// An f64 product under way, as [`crate::ProductAcc`] is an f32's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct F64ProductAcc {
    is_negative: bool,
    has_nan: bool,
    has_infinity: bool,
    has_zero: bool,
    /// In [1, 2).
    significand: f64,
    exponent: i64,
}

impl F64ProductAcc {
    const OF_NOTHING: Self = Self {
        is_negative: false,
        has_nan: false,
        has_infinity: false,
        has_zero: false,
        significand: 1.0,
        exponent: 0,
    };

    fn of_words(words: &[u32]) -> Self {
        let [has_nan, has_infinity, has_zero, is_negative] = FLAGS.map(|flag| words[0] & flag != 0);
        let significand = f64::from_bits(read_two(&words[1..]));
        let exponent = read_two(&words[3..]).cast_signed();
        Self { is_negative, has_nan, has_infinity, has_zero, significand, exponent }
    }

    /// Both, given the product of their significands, in [1, 4).
    #[inline]
    fn combined(a: Self, b: Self, product: f64) -> Self {
        // On the bits, which no float environment changes.
        let halved = product.to_bits() >> 62;
        Self {
            is_negative: a.is_negative != b.is_negative,
            has_nan: a.has_nan | b.has_nan,
            has_infinity: a.has_infinity | b.has_infinity,
            has_zero: a.has_zero | b.has_zero,
            significand: f64::from_bits(product.to_bits() - (halved << 52)),
            exponent: a.exponent + b.exponent + halved.cast_signed(),
        }
    }
}

impl AccWords for F64ProductAcc {
    const WORDS: usize = 5;
    fn write(self, words: &mut Words) {
        let Self { is_negative, has_nan, has_infinity, has_zero, .. } = self;
        let flags = FLAGS.into_iter().zip([has_nan, has_infinity, has_zero, is_negative]);
        // Of what is special no more counts.
        let (significand, exponent) = match has_nan || has_infinity || has_zero {
            true => (1.0, 0),
            false => (self.significand, self.exponent),
        };
        words.push(flags.filter(|&(_, has)| has).map(|(flag, _)| flag).sum());
        write_two(significand.to_bits(), words);
        write_two(exponent.cast_unsigned(), words);
    }
    fn read(words: &[u32]) -> Option<Self> {
        let acc = Self::of_words(words);
        let is_one = words[0] & !FLAGS.iter().sum::<u32>() == 0
            && acc.significand.to_bits() & !FRACTION_MASK == ONE_BITS
            && acc.exponent.unsigned_abs() <= MAX_EXPONENT;
        is_one.then_some(acc)
    }
    // Totals of parts whose bytes someone has made up may have any exponent.
    fn kept(words: &mut &[u32]) -> Self {
        Self::of_words(words.split_off(..Self::WORDS).expect("as many"))
    }
}

/// The shader's, of NaN, infinity, zero and sign.
const FLAGS: [u32; 4] = [1, 2, 4, 1 << 31];

const ONE_BITS: u64 = 1023 << 52;

impl Operator<f64> for Product {
    const SPEC: OperatorSpec = OperatorSpec {
        operator: OperatorType::Product,
        element: ElementType::F64,
        inputs: 1,
        out_words: 2,
        order_free: false,
        computes_floats: true,
        combining: Combining {
            identity: &[0, 0, 0x3ff0_0000, 0, 0],
            parts: &[
                APART,
                SHIFT,
                ROUND,
                FENCE,
                part!("operator/f64_round.wgsl@hardware"),
                ANY_RANGE,
                NO_RANGE,
            ],
            // Significands in [1, 2) need no check.
            unchecked: None,
            software: Some(&[
                APART,
                SHIFT,
                ROUND,
                MULTIPLY,
                part!("operator/f64_round.wgsl@software"),
                ANY_RANGE,
                NO_RANGE,
            ]),
            subgroup: None,
            atomic: None,
        },
        exact: None,
    };
    total_value!(f64);
}

impl Algebra<f64> for Product {
    const ORDER_FREE: bool = false;
    type Acc = F64ProductAcc;
    type Out = <Self as Operator<f64>>::Out;

    #[inline]
    fn identity(self) -> F64ProductAcc {
        F64ProductAcc::OF_NOTHING
    }

    #[inline]
    fn lift(self, element: f64) -> F64ProductAcc {
        let bits = element.to_bits();
        let magnitude = bits & !SIGN;
        let of_sign = F64ProductAcc { is_negative: bits != magnitude, ..F64ProductAcc::OF_NOTHING };
        match magnitude {
            0 => F64ProductAcc { has_zero: true, ..of_sign },
            INFINITY => F64ProductAcc { has_infinity: true, ..of_sign },
            _ if magnitude > INFINITY => F64ProductAcc { has_nan: true, ..of_sign },
            _ => {
                // A subnormal's leading bit is moved to where a normal number hides it.
                let up = magnitude.leading_zeros().saturating_sub(11).min(52);
                let is_subnormal = magnitude <= FRACTION_MASK;
                let (fraction, exponent) = match is_subnormal {
                    true => (magnitude << up, -1022 - i64::from(up)),
                    false => (magnitude, (magnitude >> 52).cast_signed() - 1023),
                };
                let significand = f64::from_bits(fraction & FRACTION_MASK | ONE_BITS);
                F64ProductAcc { significand, exponent, ..of_sign }
            }
        }
    }

    #[inline]
    fn combine(self, a: F64ProductAcc, b: F64ProductAcc) -> F64ProductAcc {
        F64ProductAcc::combined(a, b, a.significand * b.significand)
    }

    fn combine_in_integers(self, a: F64ProductAcc, b: F64ProductAcc) -> F64ProductAcc {
        let product = f64_arithmetic::multiply(a.significand, b.significand);
        F64ProductAcc::combined(a, b, product)
    }

    fn finish(self, total: F64ProductAcc, _len: u64) -> f64 {
        let sign = if total.is_negative { SIGN } else { 0 };
        f64::from_bits(match total {
            F64ProductAcc { has_nan: true, .. }
            | F64ProductAcc { has_zero: true, has_infinity: true, .. } => CANONICAL_NAN,
            F64ProductAcc { has_infinity: true, .. } => sign | INFINITY,
            F64ProductAcc { has_zero: true, .. } => sign,
            _ => sign | f64_arithmetic::scaled(total.significand, total.exponent),
        })
    }
}
