//! Accumulators as words of 32 bits, as devices have them in memory, and as parts of a sequence are stored.

use crate::exact::{ExactMoments, F64Moments, f32_bits, f64_bits};
use smallvec::SmallVec;
use std::ops::{Deref, DerefMut};

/// The words of an accumulator or of a result. Most are few.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Words(SmallVec<[u32; 8]>);

impl Words {
    /// So many zeros.
    pub(crate) fn zeros(count: usize) -> Self {
        Self(SmallVec::from_elem(0, count))
    }

    #[inline]
    pub(crate) fn push(&mut self, word: u32) {
        self.0.push(word);
    }

    pub(crate) fn pop(&mut self) -> Option<u32> {
        self.0.pop()
    }

    #[inline]
    pub(crate) fn extend(&mut self, words: &[u32]) {
        self.0.extend_from_slice(words);
    }
}

/// By copying memory: `SmallVec`'s own clone goes item by item.
impl Clone for Words {
    #[inline]
    fn clone(&self) -> Self {
        Self::from(&self[..])
    }
}

impl From<&[u32]> for Words {
    #[inline]
    fn from(words: &[u32]) -> Self {
        Self(SmallVec::from_slice(words))
    }
}

impl Deref for Words {
    type Target = [u32];
    #[inline]
    fn deref(&self) -> &[u32] {
        &self.0
    }
}

impl DerefMut for Words {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u32] {
        &mut self.0
    }
}

/// An accumulator that words of 32 bits stand for, the same on every device: what the shader's `op_pack` makes of it.
///
/// What is written is canonical: a float sum has one NaN and no −0, neither of which shows in a result.
pub trait AccWords: Copy {
    /// How many words.
    const WORDS: usize;
    /// Appends the words.
    fn write(self, words: &mut Words);
    /// The accumulator of [`AccWords::WORDS`] words. `None` of those that no accumulator has.
    fn read(words: &[u32]) -> Option<Self>;
    /// Appends the words that stand for it on the host. Some accumulators need more words there than [`AccWords::write`] has: a device's are the total of a
    /// single run, the host's also the total of several.
    #[inline]
    fn keep(self, words: &mut Words) {
        self.write(words);
    }
    /// The accumulator of the first words, which [`AccWords::keep`] wrote. The others are left.
    #[inline]
    fn kept(words: &mut &[u32]) -> Self {
        Self::read(words.split_off(..Self::WORDS).expect("as many")).expect("an accumulator")
    }
}

/// Two words, the lower half first.
pub(crate) fn write_two(bits: u64, words: &mut Words) {
    let halves = [bits & u64::from(u32::MAX), bits >> 32];
    words.extend(&halves.map(|half| u32::try_from(half).expect("32 bits")));
}

/// The inverse of [`write_two`].
pub(crate) fn read_two(words: &[u32]) -> u64 {
    u64::from(words[0]) | u64::from(words[1]) << 32
}

macro_rules! of_one_word {
    ($($acc:ident: $to_word:expr, $of_word:expr;)*) => {$(
        impl AccWords for $acc {
            const WORDS: usize = 1;
            fn write(self, words: &mut Words) {
                let to_word: fn(Self) -> u32 = $to_word;
                words.push(to_word(self));
            }
            fn read(words: &[u32]) -> Option<Self> {
                let of_word: fn(u32) -> Self = $of_word;
                Some(of_word(words[0]))
            }
        }
    )*};
}

macro_rules! of_two_words {
    ($($acc:ident: $to_bits:expr, $of_bits:expr;)*) => {$(
        impl AccWords for $acc {
            const WORDS: usize = 2;
            fn write(self, words: &mut Words) {
                let to_bits: fn(Self) -> u64 = $to_bits;
                write_two(to_bits(self), words);
            }
            fn read(words: &[u32]) -> Option<Self> {
                let of_bits: fn(u64) -> Self = $of_bits;
                Some(of_bits(read_two(words)))
            }
        }
    )*};
}

of_one_word! {
    u32: |acc| acc, |word| word;
    i32: i32::cast_unsigned, u32::cast_signed;
    f32: |acc| canonical_f32(acc.to_bits()), |word| f32::from_bits(canonical_f32(word));
}

of_two_words! {
    u64: |acc| acc, |bits| bits;
    i64: i64::cast_unsigned, u64::cast_signed;
    f64: |acc| canonical_f64(acc.to_bits()), |bits| f64::from_bits(canonical_f64(bits));
}

/// On the bits, which no float environment changes.
fn canonical_f32(bits: u32) -> u32 {
    match bits & !f32_bits::SIGN {
        0 => 0,
        magnitude if magnitude > f32_bits::INFINITY => f32_bits::CANONICAL_NAN,
        _ => bits,
    }
}

fn canonical_f64(bits: u64) -> u64 {
    match bits & !f64_bits::SIGN {
        0 => 0,
        magnitude if magnitude > f64_bits::INFINITY => f64_bits::CANONICAL_NAN,
        _ => bits,
    }
}

impl<A: AccWords, const COUNT: usize> AccWords for [A; COUNT] {
    const WORDS: usize = COUNT * A::WORDS;
    fn write(self, words: &mut Words) {
        self.into_iter().for_each(|acc| acc.write(words));
    }
    fn read(words: &[u32]) -> Option<Self> {
        let accs: Option<Vec<A>> = words.chunks(A::WORDS).map(A::read).collect();
        accs?.try_into().ok()
    }
    #[inline]
    fn keep(self, words: &mut Words) {
        self.into_iter().for_each(|acc| acc.keep(words));
    }
    #[inline]
    fn kept(words: &mut &[u32]) -> Self {
        std::array::from_fn(|_| A::kept(words))
    }
}

/// Sums that do not round, by their bytes.
macro_rules! of_bytes {
    ($($acc:ident)*) => {$(
        impl AccWords for $acc {
            const WORDS: usize = Self::BYTES / 4;
            fn write(self, words: &mut Words) {
                let bytes = self.to_bytes();
                for word in bytes.as_chunks().0 {
                    words.push(u32::from_le_bytes(*word));
                }
            }
            fn read(words: &[u32]) -> Option<Self> {
                let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                Self::from_bytes(bytes.as_slice().try_into().ok()?).ok()
            }
        }
    )*};
}

of_bytes! {
    ExactMoments
    F64Moments
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip<A: AccWords>(acc: A) -> Vec<u32> {
        let mut words = Words::default();
        acc.write(&mut words);
        assert_eq!(words.len(), A::WORDS);
        let mut again = Words::default();
        A::read(&words).expect("an accumulator's").write(&mut again);
        assert_eq!(words, again);
        words.to_vec()
    }

    #[test]
    fn floats_are_canonical() {
        assert_eq!(round_trip(-0.0f32), [0]);
        assert_eq!(round_trip(f32::from_bits(0xffc1_2345)), [0x7fc0_0000]);
        assert_eq!(round_trip(f32::NEG_INFINITY), [0xff80_0000]);
        assert_eq!(round_trip([1.0f32, -2.5]), [0x3f80_0000, 0xc020_0000]);
        assert_eq!(round_trip(-0.0f64), [0, 0]);
        assert_eq!(round_trip(-f64::NAN), [0, 0x7ff8_0000]);
        assert_eq!(round_trip(1.5f64), [0, 0x3ff8_0000]);
        assert_eq!(round_trip(-2i32), [0xffff_fffe]);
        assert_eq!(round_trip(-2i64), [0xffff_fffe, 0xffff_ffff]);
    }

    #[test]
    fn sums_that_do_not_round_are_their_bytes() {
        let moments = crate::exact::moments(&[1.5, -2.0, f32::INFINITY]);
        assert_eq!(ExactMoments::read(&round_trip(moments)), Some(moments));
        let moments = crate::exact::f64_moments(&[1.5, -2.0, f64::INFINITY]);
        assert_eq!(F64Moments::read(&round_trip(moments)), Some(moments));
        // A square of no element.
        let mut words = vec![0; ExactMoments::WORDS];
        words[13] = 1;
        assert_eq!(ExactMoments::read(&words), None);
    }
}
