//! Exact sums of products of f64s: on the CPU.

use super::{
    DecodeError,
    accumulator::{HAS_INFINITY, HAS_NAN, HAS_NEGATIVE_INFINITY, finite_len},
    f64_bits::{CANONICAL_NAN, INFINITY, SIGN, finite, nearest},
    wide::Magnitude,
};

/// Of 32 bits each: 2^40 products of the largest size, in units of 2^-2148, and a sign.
const DIGITS: usize = 134;
/// The same in words of 64 bits.
pub(super) const WORDS: usize = DIGITS / 2;
/// The exponent of a product's unit.
const UNIT: i32 = -2148;
/// Of the largest product, in these units.
const LARGEST_BITS: u32 = 2 * (1074 + 1024);
/// Products before digits have to be carried: to a digit they add less than 2^33 each.
const MAX_ADDITIONS: u32 = 1 << 29;

/// The sum of products of two f64s that does not round: an integer, in units of 2^-2148, and how many they are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct F64Dot {
    /// Digits worth 2^(32 i) units. Each may be negative, and larger than 32 bits.
    digits: [i64; DIGITS],
    additions: u32,
    flags: u32,
    len: u64,
}

impl Default for F64Dot {
    fn default() -> Self {
        Self { digits: [0; DIGITS], additions: 0, flags: 0, len: 0 }
    }
}

impl F64Dot {
    /// Adds the products of the elements of slices of one length, on the calling thread.
    pub(super) fn extend(&mut self, left: &[f64], right: &[f64]) {
        for (x, y) in left.iter().zip(right) {
            self.add(x.to_bits(), y.to_bits());
        }
        self.carry();
        self.len += left.len() as u64;
    }

    /// Adds the products of another sum.
    pub(crate) fn merge(&mut self, other: &Self) {
        // What was added to either has been carried.
        for (digit, of_other) in self.digits.iter_mut().zip(other.digits) {
            *digit += of_other;
        }
        self.carry();
        self.flags |= other.flags;
        self.len += other.len;
    }

    /// The sum, rounded once.
    pub(crate) fn sum(&self) -> f64 {
        self.round(|sum| rounded(sum, false))
    }

    /// The square root of the sum, which is not below 0, rounded once.
    pub(crate) fn norm(&self) -> f64 {
        self.round(|sum| {
            let (leading, place, has_rest) = sum.leading();
            if leading == 0 {
                return 0;
            }
            // As many bits as a root of 63 or 64 needs, whose last has an even place: those that are below stay apart.
            let exponent = UNIT + i32::try_from(place).expect("a few thousand");
            let shift = leading.leading_zeros() & !1;
            let shift = if exponent % 2 == 0 { shift } else { shift.saturating_sub(1) };
            let square = leading << shift;
            let root = square.isqrt();
            let exponent = (exponent - shift.cast_signed()) / 2;
            nearest(root, exponent, has_rest || root * root != square)
        })
    }

    /// How many products.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Bytes of [`F64Dot::to_bytes`].
    pub(crate) const BYTES: usize = Self::DIGIT_BYTES + 12;
    /// Those of them that the digits take.
    pub(super) const DIGIT_BYTES: usize = 4 * DIGITS;

    /// The accumulator as bytes, as [`F64Sum::to_bytes`](super::F64Sum::to_bytes), in units of 2^-2148.
    pub(crate) fn to_bytes(self) -> Vec<u8> {
        let mut bytes = self.digit_bytes();
        bytes.extend_from_slice(&self.flags.to_le_bytes());
        bytes.extend_from_slice(&self.len.to_le_bytes());
        bytes
    }

    /// The sum of all that is finite, in two's complement.
    pub(super) fn digit_bytes(&self) -> Vec<u8> {
        // What was added has been carried, and the last digit is far from full.
        self.digits.iter().flat_map(|digit| digit.to_le_bytes().into_iter().take(4)).collect()
    }

    /// The accumulator that [`F64Dot::to_bytes`] wrote.
    ///
    /// # Errors
    ///
    /// [`DecodeError`] if flags, number and size can't belong together.
    pub(crate) fn from_bytes(bytes: &[u8; Self::BYTES]) -> Result<Self, DecodeError> {
        let (digits, rest) = bytes.split_at(Self::DIGIT_BYTES);
        let (flags, len) = rest.split_at(4);
        let flags = u32::from_le_bytes(flags.try_into().expect("4 bytes"));
        let len = u64::from_le_bytes(len.try_into().expect("8 bytes"));
        Self::of_digit_bytes(digits, flags, len)
    }

    /// The same of the parts of these bytes.
    pub(super) fn of_digit_bytes(bytes: &[u8], flags: u32, len: u64) -> Result<Self, DecodeError> {
        let finite_len = finite_len(flags, len)?;
        let mut dot = Self { flags, len, ..Self::default() };
        for (digit, bytes) in dot.digits.iter_mut().zip(bytes.as_chunks().0) {
            *digit = u32::from_le_bytes(*bytes).into();
        }
        let last = &mut dot.digits[DIGITS - 1];
        *last = i64::from((*last & 0xffff_ffff) as i32);
        let most = finite_len.checked_ilog2().map_or(0, |log2| (LARGEST_BITS + log2 + 1) as usize);
        if dot.magnitude().highest_bit().is_some_and(|highest| highest >= most) {
            return Err(DecodeError::TooLarge { len });
        }
        Ok(dot)
    }

    pub(super) fn is_negative(&self) -> bool {
        self.digits[DIGITS - 1] < 0
    }

    pub(super) fn magnitude(&self) -> Magnitude<WORDS> {
        let mut magnitude = *self;
        if self.is_negative() {
            magnitude.digits.iter_mut().for_each(|digit| *digit = -*digit);
            magnitude.carry();
        }
        Magnitude::of_digits(magnitude.digits.map(i64::unsigned_abs).as_chunks().0)
    }

    fn add(&mut self, x: u64, y: u64) {
        let (Some((a, a_exponent)), Some((b, b_exponent))) = (finite(x), finite(y)) else {
            self.flags |= special_product(x, y);
            return;
        };
        let product = u128::from(a) * u128::from(b);
        let place = (a_exponent + b_exponent - UNIT).unsigned_abs();
        let first = (place / 32) as usize;
        let is_negative = (x ^ y) & SIGN != 0;
        // The product has up to 106 bits, and is shifted by up to 31.
        for (half, part) in [product & u128::from(u64::MAX), product >> 64].into_iter().enumerate()
        {
            let part = part << (place % 32);
            let first = first + 2 * half;
            for (i, digit) in self.digits[first..first + 3].iter_mut().enumerate() {
                let part = (part >> (32 * i) & 0xffff_ffff) as i64;
                *digit += if is_negative { -part } else { part };
            }
        }
        self.additions += 1;
        if self.additions == MAX_ADDITIONS {
            self.carry();
        }
    }

    /// Leaves from 0 to 2^32 - 1 in each digit but the last, which has the sign.
    fn carry(&mut self) {
        let mut carry = 0;
        let (last, digits) = self.digits.split_last_mut().expect("many");
        for digit in digits {
            let whole = *digit + carry;
            carry = whole >> 32;
            *digit = whole & 0xffff_ffff;
        }
        *last += carry;
        self.additions = 0;
    }

    /// What `round_magnitude` makes of the sum's magnitude, with the sum's sign, unless the sum is not finite.
    fn round(&self, round_magnitude: impl FnOnce(&Magnitude<WORDS>) -> u64) -> f64 {
        let sign = if self.is_negative() { SIGN } else { 0 };
        f64::from_bits(match self.flags {
            0 => sign | round_magnitude(&self.magnitude()),
            HAS_INFINITY => INFINITY,
            HAS_NEGATIVE_INFINITY => SIGN | INFINITY,
            _ => CANONICAL_NAN,
        })
    }
}

/// The bits of the f64 nearest to a magnitude in units of 2^-2148, and less than a unit more if it `has_rest`.
pub(super) fn rounded(magnitude: &Magnitude<WORDS>, has_rest: bool) -> u64 {
    let (leading, place, has_more) = magnitude.leading();
    let exponent = UNIT + i32::try_from(place).expect("a few thousand");
    nearest(leading, exponent, has_more || has_rest)
}

/// The flag of a product of which one factor is not finite.
fn special_product(x: u64, y: u64) -> u32 {
    let is_nan = |bits: u64| bits & !SIGN > INFINITY;
    if is_nan(x) || is_nan(y) || x & !SIGN == 0 || y & !SIGN == 0 {
        HAS_NAN
    } else if (x ^ y) & SIGN == 0 {
        HAS_INFINITY
    } else {
        HAS_NEGATIVE_INFINITY
    }
}
