//! Products.

use crate::algebra::{
    acc_words::{AccWords, Words, read_two, write_two},
    element::{Element, ElementType},
    float_environment, fold,
    operator::{Algebra, Combining, Operator, OperatorSpec, Part, part},
    operators::{ANY_RANGE, CANONICAL_NAN_BITS, NO_RANGE, OperatorType, SIGN_BIT},
};

/// The product. Integers wrap: those of less than 64 bits modulo 2^32, as `i32` or `u32`
/// ([`ProductWide`](crate::ProductWide) has 64 bits). Products of `f16` and `bf16` are those of the `f32`s of the same values, and
/// `f32` themselves. f32 products multiply significands in the fixed order of
/// [`crate::order`] with exponents apart, so that nothing overflows or underflows midway; they
/// round once more at the end where the result is subnormal. NaN, or 0 with ∞, gives 0x7fc00000.
/// No elements give 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Product;

integer_operator!(Product, one_by_one, 1, |a, b| a.wrapping_mul(b), None);

/// An f32 product under way: `significand · 2^exponent` with the significand in [1, 2); zeros,
/// infinities, NaNs and the sign are flags. The exponent is 64-bit because 2^40 factors can be
/// 2^−149 each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ProductAcc {
    flags: u32,
    significand: f32,
    exponent: i64,
}

impl ProductAcc {
    const NAN: u32 = 1;
    const INFINITE: u32 = 2;
    const ZERO: u32 = 4;
    const SPECIAL: u32 = 7;
    const ONE_BITS: u32 = 0x3f80_0000;
    const FRACTION_MASK: u32 = 0x007f_ffff;
    const HIDDEN_BIT: u32 = 0x0080_0000;

    fn of_words(words: &[u32]) -> Self {
        Self {
            flags: words[0],
            significand: f32::from_bits(words[1]),
            exponent: read_two(&words[2..]).cast_signed(),
        }
    }

    /// Both, given the product of their significands, in [1, 4).
    #[inline]
    fn combined(a: Self, b: Self, product: f32) -> Self {
        let halved = product >= 2.0;
        Self {
            flags: ((a.flags ^ b.flags) & SIGN_BIT) | ((a.flags | b.flags) & Self::SPECIAL),
            // Halving is exact.
            significand: if halved { product * 0.5 } else { product },
            exponent: a.exponent + b.exponent + i64::from(halved),
        }
    }
}

impl AccWords for ProductAcc {
    const WORDS: usize = 4;
    fn write(self, words: &mut Words) {
        // Of what is special no more counts.
        let is_special = self.flags & Self::SPECIAL != 0;
        let (significand, exponent) =
            if is_special { (1.0, 0) } else { (self.significand, self.exponent) };
        words.extend(&[self.flags, significand.to_bits()]);
        write_two(exponent.cast_unsigned(), words);
    }
    fn read(words: &[u32]) -> Option<Self> {
        let acc = Self::of_words(words);
        let is_one = acc.flags & !(SIGN_BIT | Self::SPECIAL) == 0
            && words[1] & !Self::FRACTION_MASK == Self::ONE_BITS
            && acc.exponent.unsigned_abs() <= MAX_EXPONENT;
        is_one.then_some(acc)
    }
    // Totals of parts whose bytes someone has made up may have any exponent.
    fn kept(words: &mut &[u32]) -> Self {
        Self::of_words(words.split_off(..Self::WORDS).expect("as many"))
    }
}

/// Of 2^40 elements, each between 2^-1074 and 2^1024.
pub(super) const MAX_EXPONENT: u64 = 1 << 51;

const PRODUCT_OF_NOTHING: ProductAcc = ProductAcc { flags: 0, significand: 1.0, exponent: 0 };

/// What is the same by the device's multiplier and by integers, of one product and of several,
pub(super) const FACTORS: Part = part!("operator/f32_product.wgsl@factors");
/// of one,
const APART: Part = part!("operator/product_f32.wgsl");
/// and what multiplies.
pub(super) const HARDWARE: Part = part!("operator/f32_multiply.wgsl@hardware");
pub(super) const SOFTWARE: Part = part!("operator/f32_multiply.wgsl@software");

impl Operator<f32> for Product {
    const SPEC: OperatorSpec = OperatorSpec {
        operator: OperatorType::Product,
        element: ElementType::F32,
        inputs: 1,
        out_words: 1,
        order_free: false,
        computes_floats: true,
        combining: Combining {
            identity: &[0, ProductAcc::ONE_BITS, 0, 0],
            parts: &[APART, FACTORS, HARDWARE, ANY_RANGE, NO_RANGE],
            // Significands in [1, 2) need no check.
            unchecked: None,
            software: Some(&[APART, FACTORS, SOFTWARE, ANY_RANGE, NO_RANGE]),
            subgroup: None,
            atomic: None,
        },
        exact: None,
    };
    total_value!(f32);
}

impl Algebra<f32> for Product {
    const ORDER_FREE: bool = false;
    type Acc = ProductAcc;
    type Out = <Self as Operator<f32>>::Out;

    #[inline]
    fn identity(self) -> ProductAcc {
        PRODUCT_OF_NOTHING
    }

    #[inline]
    fn lift(self, element: f32) -> ProductAcc {
        let bits = element.to_bits();
        let negative = bits & SIGN_BIT;
        let magnitude = bits & !SIGN_BIT;
        let special = |flag| ProductAcc { flags: negative | flag, ..PRODUCT_OF_NOTHING };
        if magnitude == 0 {
            return special(ProductAcc::ZERO);
        }
        if element.is_nan() {
            return special(ProductAcc::NAN);
        }
        if element.is_infinite() {
            return special(ProductAcc::INFINITE);
        }
        // A subnormal's leading bit is moved to where a normal number hides it.
        let (shift, exponent) = if magnitude < ProductAcc::HIDDEN_BIT {
            let shift = magnitude.leading_zeros() - 8;
            (shift, -126 - i64::from(shift))
        } else {
            (0, i64::from(magnitude >> 23) - 127)
        };
        let fraction = (magnitude << shift) & ProductAcc::FRACTION_MASK;
        ProductAcc {
            flags: negative,
            significand: f32::from_bits(fraction | ProductAcc::ONE_BITS),
            exponent,
        }
    }

    #[inline]
    fn combine(self, a: ProductAcc, b: ProductAcc) -> ProductAcc {
        ProductAcc::combined(a, b, a.significand * b.significand)
    }

    fn combine_in_integers(self, a: ProductAcc, b: ProductAcc) -> ProductAcc {
        let product = float_environment::multiply(a.significand, b.significand);
        ProductAcc::combined(a, b, product)
    }

    #[inline]
    fn fold(self, elements: &[f32]) -> Option<ProductAcc> {
        if let [element] = *elements {
            return Some(self.lift(element));
        }
        let (flags, significand, exponent) = fold::product(elements, |element| {
            let lifted = self.lift(element);
            (lifted.flags, lifted.significand, lifted.exponent)
        });
        Some(ProductAcc { flags, significand, exponent })
    }

    fn finish(self, total: ProductAcc, _len: u64) -> f32 {
        let has = |flag| total.flags & flag != 0;
        let negative = total.flags & SIGN_BIT;
        if has(ProductAcc::NAN) || (has(ProductAcc::ZERO) && has(ProductAcc::INFINITE)) {
            return f32::from_bits(CANONICAL_NAN_BITS);
        }
        if has(ProductAcc::INFINITE) || (total.exponent > 127 && !has(ProductAcc::ZERO)) {
            return f32::from_bits(negative | f32::INFINITY.to_bits());
        }
        if has(ProductAcc::ZERO) {
            return f32::from_bits(negative);
        }
        let fraction = total.significand.to_bits() & ProductAcc::FRACTION_MASK;
        if let Ok(biased @ 1..) = u32::try_from(total.exponent + 127) {
            return f32::from_bits(negative | (biased << 23) | fraction);
        }
        // Subnormal: to the nearest multiple of 2^-149, ties to even. Beyond 24 excess bits less
        // than half of the smallest is left.
        let excess @ ..=24 = u32::try_from(-126 - total.exponent).unwrap_or(u32::MAX) else {
            return f32::from_bits(negative);
        };
        let whole = fraction | ProductAcc::HIDDEN_BIT;
        let kept = whole >> excess;
        let rest = whole & ((1 << excess) - 1);
        let half = 1 << (excess - 1);
        let rounds_up = rest > half || (rest == half && kept & 1 == 1);
        f32::from_bits(negative | (kept + u32::from(rounds_up)))
    }
}
