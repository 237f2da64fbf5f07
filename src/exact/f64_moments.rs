//! The exact sum of f64s and of their squares: on the CPU.

use super::{
    DecodeError, F64Dot, F64Sum,
    f64_bits::CANONICAL_NAN,
    f64_dot::{WORDS, rounded},
    wide::Magnitude,
};

/// Sums of f64s and of their squares, which do not round.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct F64Moments {
    sum: F64Sum,
    squares: F64Dot,
}

/// Digits of one number may differ.
impl PartialEq for F64Moments {
    fn eq(&self, other: &Self) -> bool {
        self.to_bytes() == other.to_bytes()
    }
}

impl F64Moments {
    /// Adds all elements, on the calling thread.
    pub(super) fn extend(&mut self, elements: &[f64]) {
        self.sum.extend(elements);
        self.squares.extend(elements, elements);
    }

    /// Adds the elements of other sums.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.sum.merge(&other.sum);
        self.squares.merge(&other.squares);
    }

    /// The variance of all elements there are, (n·Σx² − (Σx)²) / n², rounded once. NaN without elements, and if an element is not finite.
    pub(crate) fn variance(&self) -> f64 {
        self.divided_by(self.len())
    }

    /// The variance of what they are a sample of, (n·Σx² − (Σx)²) / (n·(n − 1)), rounded once. NaN of less than two elements, too.
    pub(crate) fn sample_variance(&self) -> f64 {
        self.divided_by(self.len().saturating_sub(1))
    }

    /// How many elements.
    pub(crate) fn len(&self) -> u64 {
        self.sum.len()
    }

    /// Bytes of [`F64Moments::to_bytes`].
    pub(crate) const BYTES: usize = F64Sum::BYTES + F64Dot::DIGIT_BYTES;

    /// The bytes of the sum, and behind them the sum of the squares of all that is finite, in units of 2^-2148.
    pub(crate) fn to_bytes(self) -> Vec<u8> {
        let mut bytes = self.sum.to_bytes();
        bytes.extend(self.squares.digit_bytes());
        bytes
    }

    /// The sums that [`F64Moments::to_bytes`] wrote.
    ///
    /// # Errors
    ///
    /// [`DecodeError`] if no elements have such sums.
    pub(crate) fn from_bytes(bytes: &[u8; Self::BYTES]) -> Result<Self, DecodeError> {
        let (sum, squares) = bytes.split_first_chunk().expect("more of them");
        let sum = F64Sum::from_bytes(sum)?;
        let (flags, len) = (sum.flags(), sum.len());
        let moments = Self { squares: F64Dot::of_digit_bytes(squares, flags, len)?, sum };
        let (len_squares, squared_sum) = moments.spread(len - u64::from(flags.count_ones()));
        if moments.squares.is_negative() || len_squares < squared_sum {
            return Err(DecodeError::TooLarge { len });
        }
        Ok(moments)
    }

    /// The sum of squared differences from the mean, divided by `degrees` of freedom.
    fn divided_by(&self, degrees: u64) -> f64 {
        let len = self.len();
        if degrees == 0 || self.sum.flags() != 0 {
            return f64::from_bits(CANONICAL_NAN);
        }
        let (len_squares, squared_sum) = self.spread(len);
        let (quotient, has_remainder) = len_squares.minus(&squared_sum).divided(len);
        let (quotient, has_another) = quotient.divided(degrees);
        f64::from_bits(rounded(&quotient, has_remainder || has_another))
    }

    /// n·Σx² and (Σx)², in units of 2^-2148, for n finite elements. The first is never smaller.
    fn spread(&self, len: u64) -> (Magnitude<WORDS>, Magnitude<WORDS>) {
        let sum = self.sum.magnitude_words();
        (self.squares.magnitude().times(&len.into()), sum.times(&sum))
    }
}
