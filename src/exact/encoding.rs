//! An accumulator as words, bytes and in serde's formats.

use super::{ExactSum, FLAGS, wide::Wide};
use crate::tree::MAX_LEN;

/// These are no accumulator's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// A flag that there is not.
    #[error(
        "the flags {flags:#x} have bits beyond 7: read what ExactSum::to_bytes of this or an earlier \
         version wrote"
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
        /// The number of elements.
        len: u64,
    },
    /// So many elements can't have such a sum, or so many different infinities and NaNs.
    #[error(
        "no {len} elements have this sum: the bytes are damaged, or no ExactSum's; read what \
         ExactSum::to_bytes wrote"
    )]
    TooLarge {
        /// The number of elements.
        len: u64,
    },
}

/// The parts of an accumulator, not yet checked.
#[derive(Clone, Copy)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename = "ExactSum", deny_unknown_fields)
)]
pub(super) struct Parts {
    limbs: [u32; 10],
    flags: u32,
    len: u64,
}

impl From<ExactSum> for Parts {
    fn from(sum: ExactSum) -> Self {
        Self { limbs: sum.finite.limbs(), flags: sum.flags, len: sum.len }
    }
}

impl TryFrom<Parts> for ExactSum {
    type Error = DecodeError;

    fn try_from(Parts { limbs, flags, len }: Parts) -> Result<Self, DecodeError> {
        if flags & !FLAGS != 0 {
            return Err(DecodeError::Flags { flags });
        }
        if len > MAX_LEN {
            return Err(DecodeError::TooLong { len });
        }
        // Each flag took an element.
        let finite_len = len
            .checked_sub(u64::from(flags.count_ones()))
            .ok_or(DecodeError::TooLarge { len })?
            .cast_signed();
        // That often the largest f32, which is 2^277 - 2^253 units.
        let mut largest = Wide::default();
        largest.add_shifted(finite_len, 277);
        largest.add_shifted(-finite_len, 253);
        let finite = Wide::from_limbs(limbs);
        if finite.magnitude() > largest.magnitude() {
            return Err(DecodeError::TooLarge { len });
        }
        Ok(Self { finite, flags, len })
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
        let parts = Parts::from(*self);
        let mut bytes = [0; Self::BYTES];
        bytes[..40].copy_from_slice(parts.limbs.map(u32::to_le_bytes).as_flattened());
        bytes[40..44].copy_from_slice(&parts.flags.to_le_bytes());
        bytes[44..].copy_from_slice(&parts.len.to_le_bytes());
        bytes
    }

    /// The accumulator that [`ExactSum::to_bytes`] wrote.
    ///
    /// # Errors
    ///
    /// [`DecodeError`] if flags, number and size can't belong together. Damage that leaves a possible sum is not
    /// noticed: there is no checksum.
    pub fn from_bytes(bytes: &[u8; Self::BYTES]) -> Result<Self, DecodeError> {
        let (words, _) = bytes.as_chunks::<4>();
        let word = |index: usize| u32::from_le_bytes(words[index]);
        Self::try_from(Parts {
            limbs: std::array::from_fn(word),
            flags: word(10),
            len: u64::from(word(11)) | u64::from(word(12)) << 32,
        })
    }
}
