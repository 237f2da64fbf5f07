//! Exact sums of f64s: on the CPU.

use super::{
    DecodeError,
    accumulator::{HAS_INFINITY, HAS_NAN, HAS_NEGATIVE_INFINITY, finite_len},
    f64_bits::{CANONICAL_NAN, INFINITY, SIGN, finite, nearest},
    wide::Magnitude,
};

/// Of 32 bits each: 2^40 terms of the largest size, in units of 2^-1074, and a sign.
const DIGITS: usize = 68;
/// Of a quotient, in bits: the digits, and two behind the last place.
const QUOTIENT_BITS: i32 = 32 * (68 + 2);
/// Of a quotient: 64 bits behind the last place of the sum.
const LAST_PLACE: i32 = -1074 - 64;
/// Of the largest f64, in units of 2^-1074.
const LARGEST_BITS: u32 = 1074 + 1024;
/// Additions to a digit, of less than 2^32 each, before it has to be carried.
const MAX_ADDITIONS: u32 = 1 << 30;

/// The sum of f64s that does not round: an integer, in units of 2^-1074, and how many they are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct F64Sum {
    /// Digits worth 2^(32 i) units. Each may be negative, and larger than 32 bits.
    digits: [i64; DIGITS],
    additions: u32,
    has_nan: bool,
    has_infinity: [bool; 2],
    len: u64,
}

impl Default for F64Sum {
    fn default() -> Self {
        Self { digits: [0; DIGITS], additions: 0, has_nan: false, has_infinity: [false; 2], len: 0 }
    }
}

impl F64Sum {
    /// Adds all elements, on the calling thread.
    pub(super) fn extend(&mut self, elements: &[f64]) {
        for element in elements {
            self.add(element.to_bits());
        }
        self.carry();
        self.len += elements.len() as u64;
    }

    /// Adds the elements of another sum.
    pub(crate) fn merge(&mut self, other: &Self) {
        // What was added to either has been carried.
        for (digit, of_other) in self.digits.iter_mut().zip(other.digits) {
            *digit += of_other;
        }
        self.carry();
        self.has_nan |= other.has_nan;
        for (has, of_other) in self.has_infinity.iter_mut().zip(other.has_infinity) {
            *has |= of_other;
        }
        self.len += other.len;
    }

    /// The sum, rounded once.
    pub(crate) fn sum(&self) -> f64 {
        self.divided_by(1)
    }

    /// The mean, rounded once; of nothing: NaN.
    pub(crate) fn mean(&self) -> f64 {
        match self.len {
            0 => f64::from_bits(CANONICAL_NAN),
            len => self.divided_by(len),
        }
    }

    /// How many elements.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Bytes of [`F64Sum::to_bytes`].
    pub(crate) const BYTES: usize = 4 * DIGITS + 12;

    /// The accumulator as bytes, the same on every machine, as an [`ExactSum`](super::ExactSum)'s: the sum of all finite elements in two's
    /// complement, in units of 2^-1074, flags, and the number of elements.
    pub(crate) fn to_bytes(self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(Self::BYTES);
        for digit in self.digits {
            // What was added has been carried, and the last digit is far from full.
            bytes.extend_from_slice(&digit.to_le_bytes()[..4]);
        }
        bytes.extend_from_slice(&self.flags().to_le_bytes());
        bytes.extend_from_slice(&self.len.to_le_bytes());
        bytes
    }

    /// The accumulator that [`F64Sum::to_bytes`] wrote.
    ///
    /// # Errors
    ///
    /// [`DecodeError`] if flags, number and size can't belong together.
    pub(crate) fn from_bytes(bytes: &[u8; Self::BYTES]) -> Result<Self, DecodeError> {
        let (digits, rest) = bytes.split_at(4 * DIGITS);
        let (flags, len) = rest.split_at(4);
        let flags = u32::from_le_bytes(flags.try_into().expect("4 bytes"));
        let len = u64::from_le_bytes(len.try_into().expect("8 bytes"));
        let finite_len = finite_len(flags, len)?;
        let mut sum = Self {
            has_nan: flags & HAS_NAN != 0,
            has_infinity: [HAS_INFINITY, HAS_NEGATIVE_INFINITY].map(|flag| flags & flag != 0),
            len,
            ..Self::default()
        };
        for (digit, bytes) in sum.digits.iter_mut().zip(digits.as_chunks().0) {
            *digit = u32::from_le_bytes(*bytes).into();
        }
        let last = &mut sum.digits[DIGITS - 1];
        *last = i64::from((*last & 0xffff_ffff) as i32);
        if sum.bits() > finite_len.checked_ilog2().map_or(0, |log2| LARGEST_BITS + log2 + 1) {
            return Err(DecodeError::TooLarge { len });
        }
        Ok(sum)
    }

    /// Of the sum's magnitude, up to the highest that is not 0.
    fn bits(&self) -> u32 {
        let magnitude = self.magnitude();
        let places = (0..).step_by(32).zip(magnitude.digits).filter(|&(_, digit)| digit != 0);
        places.last().map_or(0, |(place, digit)| place + digit.ilog2() + 1)
    }

    /// What is not finite, as flags.
    pub(super) fn flags(&self) -> u32 {
        let [plus, minus] = self.has_infinity;
        let flags = [(self.has_nan, HAS_NAN), (plus, HAS_INFINITY), (minus, HAS_NEGATIVE_INFINITY)];
        flags.iter().filter(|(has, _)| *has).map(|(_, flag)| flag).sum()
    }

    /// The sum's magnitude, in units of 2^-1074.
    pub(super) fn magnitude_words(&self) -> Magnitude<{ DIGITS / 2 }> {
        Magnitude::of_digits(self.magnitude().digits.map(i64::unsigned_abs).as_chunks().0)
    }

    fn magnitude(&self) -> Self {
        let mut magnitude = *self;
        if self.digits[DIGITS - 1] < 0 {
            magnitude.digits.iter_mut().for_each(|digit| *digit = -*digit);
            magnitude.carry();
        }
        magnitude
    }

    fn add(&mut self, bits: u64) {
        let is_negative = bits & SIGN != 0;
        let Some((significand, exponent)) = finite(bits) else {
            self.has_nan |= bits & !SIGN > INFINITY;
            self.has_infinity[usize::from(is_negative)] |= bits & !SIGN == INFINITY;
            return;
        };
        let place = (exponent + 1074).unsigned_abs();
        let parts = u128::from(significand) << (place % 32);
        let first = (place / 32) as usize;
        for (i, digit) in self.digits[first..first + 3].iter_mut().enumerate() {
            let part = (parts >> (32 * i) & 0xffff_ffff) as i64;
            *digit += if is_negative { -part } else { part };
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

    /// The sum divided by `divisor`, which is not 0, rounded once.
    fn divided_by(&self, divisor: u64) -> f64 {
        let [plus, minus] = self.has_infinity;
        if self.has_nan || (plus && minus) {
            return f64::from_bits(CANONICAL_NAN);
        }
        if plus || minus {
            return f64::from_bits(INFINITY | if minus { SIGN } else { 0 });
        }
        let is_negative = self.digits[DIGITS - 1] < 0;
        let magnitude = self.magnitude();
        // With 64 bits behind the last place: the digits of the quotient, from the highest one on.
        let digits = magnitude.digits.iter().rev().map(|&digit| digit.unsigned_abs());
        let (mut rest, mut leading, mut has_rest) = (0u128, 0u128, false);
        let mut exponent = LAST_PLACE + QUOTIENT_BITS;
        for digit in digits.chain([0, 0]) {
            rest = rest << 32 | u128::from(digit);
            let quotient = rest / u128::from(divisor);
            rest %= u128::from(divisor);
            exponent -= 32;
            // What is below 96 bits or more only says whether there is anything.
            if leading >> 64 == 0 {
                leading = leading << 32 | quotient;
            } else {
                has_rest |= quotient != 0;
                exponent += 32;
            }
        }
        has_rest |= rest != 0;
        let bits = nearest(leading, exponent, has_rest);
        f64::from_bits(if is_negative { SIGN | bits } else { bits })
    }
}
