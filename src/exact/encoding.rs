//! Accumulators as bytes.

use super::{ExactDot, ExactMoments, ExactSum, accumulator::Accumulator, wide::Wide};

/// These are no accumulator's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// A flag that there is not.
    #[error(
        "the flags {flags:#x} have bits beyond 7: read what to_bytes of this or an earlier version wrote"
    )]
    Flags {
        /// The flags.
        flags: u32,
    },
    /// More than 2^40 elements.
    #[error(
        "{len} elements are more than the 2^40 that a sum can have: add up parts of them, each in an \
         accumulator of its own"
    )]
    TooLong {
        /// The number of elements, or of products.
        len: u64,
    },
    /// So many elements can't have such a sum, or so many different infinities and NaNs; or no elements have
    /// such a sum and such a sum of squares.
    #[error(
        "no {len} elements have this sum: the bytes are damaged, or another accumulator's; read what to_bytes \
         of the same type wrote"
    )]
    TooLarge {
        /// The number of elements, or of products.
        len: u64,
    },
}

impl<const WORDS: usize> Accumulator<WORDS> {
    /// To `8 * WORDS + 12` bytes.
    fn write(&self, bytes: &mut [u8]) {
        let (finite, rest) = bytes.split_at_mut(8 * WORDS);
        let (flags, len) = rest.split_at_mut(4);
        self.finite.write(finite);
        flags.copy_from_slice(&self.flags.to_le_bytes());
        len.copy_from_slice(&self.len.to_le_bytes());
    }

    /// From `8 * WORDS + 12` bytes, not yet checked.
    fn read(bytes: &[u8]) -> Self {
        let (finite, rest) = bytes.split_at(8 * WORDS);
        let (flags, len) = rest.split_at(4);
        Self {
            finite: Wide::read(finite),
            flags: u32::from_le_bytes(flags.try_into().expect("4 bytes")),
            len: u64::from_le_bytes(len.try_into().expect("8 bytes")),
        }
    }
}

impl ExactSum {
    /// Bytes of [`ExactSum::to_bytes`].
    pub const BYTES: usize = 52;

    /// The accumulator as bytes, the same on every machine. All numbers are little-endian:
    ///
    /// | bytes | |
    /// |---|---|
    /// | 0..40 | the sum of all finite elements, an integer in two's complement, in units of 2^-149 |
    /// | 40..44 | flags: 1 if there was a NaN, 2 if +∞, 4 if −∞ |
    /// | 44..52 | the number of elements |
    ///
    /// The other flags are 0, and left to later versions of the format, should there be any.
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        self.0.write(&mut bytes);
        bytes
    }

    /// The accumulator that [`ExactSum::to_bytes`] wrote.
    ///
    /// # Errors
    ///
    /// [`DecodeError`] if flags, number and size can't belong together. Damage that leaves a possible sum is not
    /// noticed: there is no checksum.
    pub fn from_bytes(bytes: &[u8; Self::BYTES]) -> Result<Self, DecodeError> {
        Self(Accumulator::read(bytes)).checked()
    }
}

impl ExactDot {
    /// Bytes of [`ExactDot::to_bytes`].
    pub const BYTES: usize = 92;

    /// The accumulator as bytes, the same on every machine. All numbers are little-endian:
    ///
    /// | bytes | |
    /// |---|---|
    /// | 0..80 | the sum of all finite products, an integer in two's complement, in units of 2^-298 |
    /// | 80..84 | flags: 1 if there was a NaN, 2 if +∞, 4 if −∞, among the products |
    /// | 84..92 | the number of products |
    ///
    /// The other flags are 0, and left to later versions of the format, should there be any.
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        self.0.write(&mut bytes);
        bytes
    }

    /// The accumulator that [`ExactDot::to_bytes`] wrote.
    ///
    /// # Errors
    ///
    /// [`DecodeError`] if flags, number and size can't belong together. Damage that leaves a possible sum is not
    /// noticed: there is no checksum.
    pub fn from_bytes(bytes: &[u8; Self::BYTES]) -> Result<Self, DecodeError> {
        Self(Accumulator::read(bytes)).checked()
    }
}

impl ExactMoments {
    /// Bytes of [`ExactMoments::to_bytes`].
    pub const BYTES: usize = 132;

    /// The accumulator as bytes, the same on every machine:
    ///
    /// | bytes | |
    /// |---|---|
    /// | 0..52 | [`ExactMoments::sum`], as [`ExactSum::to_bytes`] has it |
    /// | 52..132 | the sum of all finite elements' squares, a little-endian integer, in units of 2^-298 |
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        let (sum, squares) = bytes.split_at_mut(ExactSum::BYTES);
        self.sum.0.write(sum);
        self.squares.write(squares);
        bytes
    }

    /// The accumulator that [`ExactMoments::to_bytes`] wrote.
    ///
    /// # Errors
    ///
    /// [`DecodeError`] if flags, number and sizes can't belong together. Damage that leaves possible sums is not
    /// noticed: there is no checksum.
    pub fn from_bytes(bytes: &[u8; Self::BYTES]) -> Result<Self, DecodeError> {
        let (sum, squares) = bytes.split_at(ExactSum::BYTES);
        let sum = ExactSum(Accumulator::read(sum));
        Self { sum, squares: Wide::read(squares) }.checked()
    }
}
