//! Parts as bytes.

use super::{AnyPartial, Held, Partial};
use crate::{
    algebra::{
        acc_words::Words, element::Element, exact_total::ExactTotal, operator::Operator,
        operator_type::OperatorType,
    },
    cpu::{
        fold::Fold,
        runs::{self, MAX_RUNS},
        table::fold_with,
    },
    exact::DecodeError,
    order::MAX_LEN,
};
use std::ops::Range;

/// What the bytes begin with.
const MAGIC: [u8; 7] = *b"gridfp\n";
/// The version of the format.
const VERSION: u8 = 1;

const TOTAL: u8 = 0;
const RUNS: u8 = 1;
const EXACT: u8 = 2;

/// These are not a part's bytes, or another kind of part's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodePartialError {
    /// The beginning is another than that of a part.
    #[error("these are no bytes of a part: read what to_bytes wrote")]
    NoPartial,
    /// A version of the format that is not known.
    #[error(
        "the bytes have version {version} of the format, and this library knows version 1: read them with a later one"
    )]
    Version {
        /// The version.
        version: u8,
    },
    /// A part of another reduction.
    #[error("the bytes are a part of the {found}, and a part of the {wanted} is asked for")]
    Other {
        /// Operator and element type of the bytes.
        found: String,
        /// Those asked for.
        wanted: String,
    },
    /// More or fewer bytes than such a part has.
    #[error("there are {len} bytes, and the part has {needed}: they are cut, or damaged")]
    Length {
        /// How many there are.
        len: usize,
        /// How many there should be.
        needed: usize,
    },
    /// Positions that no part has.
    #[error(
        "elements {first} to {end} are no part of a sequence, which has at most 2^40: the bytes are damaged"
    )]
    Range {
        /// The first position.
        first: u64,
        /// The position after the last.
        end: u64,
    },
    /// Words that no accumulator has.
    #[error("the bytes are damaged: run {run} of the part has a total that nothing adds up to")]
    Total {
        /// Which of them, from 0 on.
        run: usize,
    },
    /// The accumulator of an exact part.
    #[error("{0}")]
    Exact(#[from] DecodeError),
}

impl<T: Element, Op: Operator<T>> Partial<T, Op> {
    /// The part as bytes, the same on every machine. Numbers are little-endian.
    ///
    /// | bytes | |
    /// |---|---|
    /// | 0..8 | `gridfp\n`, and 1, the version of the format |
    /// | 8..16 | the position of the first element |
    /// | 16..24 | the position after the last |
    /// | 24 | what follows: 0 one accumulator, 1 those of the runs, 2 one that does not round |
    /// | 25, 26 | bytes of the operator's name, and of the element type's |
    /// | 27.. | both names |
    /// | the rest | accumulators, as devices have them, in words of 32 bits; or the `to_bytes` of one that does not round |
    ///
    /// Equal parts have equal bytes, whichever device made them.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.any.to_bytes()
    }

    /// Bytes of [`Partial::to_bytes`] at most, wherever a part begins and ends, with any of the operator's options. 0 where there are no parts: for
    /// expressions and users' own operators.
    pub fn max_bytes() -> usize {
        folds_of::<T, Op>().map(max_bytes).max().unwrap_or(0)
    }

    /// The part that [`Partial::to_bytes`] wrote. It has the operator's options, too.
    ///
    /// # Errors
    ///
    /// [`DecodePartialError`] if they are something else. Damage that leaves possible totals is not noticed: there is no checksum. What is a
    /// part has these bytes, and no others.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodePartialError> {
        let mut result = Err(DecodePartialError::NoPartial);
        for fold in folds_of::<T, Op>() {
            result = AnyPartial::from_bytes(fold, bytes).map(Self::of);
            if !matches!(result, Err(DecodePartialError::Other { .. })) {
                break;
            }
        }
        result
    }
}

/// The operator, with all options that it has for the elements. Without any it is the last one.
fn folds_of<T: Element, Op: Operator<T>>() -> impl Iterator<Item = &'static dyn Fold> {
    let is_own = |operator: &&OperatorType| operator.kind() == Op::SPEC.operator.kind();
    let own = OperatorType::ALL.iter().rev().filter(is_own);
    own.filter_map(|operator| fold_with::<T, Op>(operator.options()).ok())
}

fn max_bytes(fold: &dyn Fold) -> usize {
    let spec = fold.spec();
    let names = spec.operator.name().len() + spec.element.name().len();
    let totals = match spec {
        spec if spec.order_free => 1,
        spec if spec.is_exact_alone() => 0,
        _ => MAX_RUNS,
    };
    let exact = spec.exact.map_or(0, |exact| exact.kind.bytes());
    HEAD_BYTES + names + exact.max(4 * spec.acc_words() as usize * totals)
}

impl AnyPartial {
    /// As [`Partial::to_bytes`].
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let Range { start, end } = self.range();
        let spec = self.fold.spec();
        let (operator, element) = (spec.operator.name(), spec.element.name());
        let (kind, words, exact) = match &self.held {
            Held::Total { total, .. } => (TOTAL, self.fold.write(total).to_vec(), Vec::new()),
            Held::Runs(runs) => {
                let words = runs.totals().iter().map(|total| self.fold.write(total).to_vec());
                (RUNS, words.flatten().collect(), Vec::new())
            }
            Held::Exact { total, .. } => (EXACT, Vec::new(), total.to_bytes()),
        };
        let mut bytes = MAGIC.to_vec();
        bytes.push(VERSION);
        bytes.extend(start.to_le_bytes());
        bytes.extend(end.to_le_bytes());
        bytes.push(kind);
        bytes.extend(
            [operator, element].map(|name| u8::try_from(name.len()).expect("names are short")),
        );
        bytes.extend(operator.bytes().chain(element.bytes()));
        bytes.extend(words.into_iter().flat_map(u32::to_le_bytes));
        bytes.extend(exact);
        bytes
    }

    /// As [`Partial::from_bytes`].
    pub(crate) fn from_bytes(
        fold: &'static dyn Fold,
        bytes: &[u8],
    ) -> Result<Self, DecodePartialError> {
        let spec = fold.spec();
        let (magic, rest) = bytes.split_first_chunk().ok_or(DecodePartialError::NoPartial)?;
        let (&[version], rest) = rest.split_first_chunk().ok_or(DecodePartialError::NoPartial)?;
        if magic != &MAGIC {
            return Err(DecodePartialError::NoPartial);
        }
        if version != VERSION {
            return Err(DecodePartialError::Version { version });
        }
        let cut = |needed| DecodePartialError::Length { len: bytes.len(), needed };
        let (&first, rest) = rest.split_first_chunk().ok_or(cut(HEAD_BYTES))?;
        let (&end, rest) = rest.split_first_chunk().ok_or(cut(HEAD_BYTES))?;
        let (first, end) = (u64::from_le_bytes(first), u64::from_le_bytes(end));
        let (&[kind, of_operator, of_element], rest) =
            rest.split_first_chunk().ok_or(cut(HEAD_BYTES))?;
        let names = usize::from(of_operator) + usize::from(of_element);
        let (names, payload) = rest.split_at_checked(names).ok_or(cut(HEAD_BYTES + names))?;
        let (operator, element) = names.split_at(of_operator.into());
        let wanted = (spec.operator.name(), spec.element.name());
        if (operator, element) != (wanted.0.as_bytes(), wanted.1.as_bytes()) {
            let [operator, element] = [operator, element].map(String::from_utf8_lossy);
            return Err(DecodePartialError::Other {
                found: format!("{operator} of {element}"),
                wanted: format!("{} of {}", wanted.0, wanted.1),
            });
        }
        if first > end || end > MAX_LEN {
            return Err(DecodePartialError::Range { first, end });
        }
        let head = bytes.len() - payload.len();
        let check_len = |needed: usize| match payload.len() == needed {
            true => Ok(()),
            false => Err(DecodePartialError::Length { len: bytes.len(), needed: head + needed }),
        };
        let acc_words = spec.acc_words() as usize;
        match (kind, spec.exact) {
            (TOTAL, _) if spec.order_free => {
                check_len(4 * acc_words)?;
                let totals = accumulators(fold, acc_words, payload)?;
                Ok(Self::of_totals(fold, first..end, totals.into_iter()))
            }
            (RUNS, _) if !spec.order_free && !spec.is_exact_alone() => {
                check_len(4 * acc_words * runs::positions(first, end).count())?;
                let totals = accumulators(fold, acc_words, payload)?;
                Ok(Self::of_totals(fold, first..end, totals.into_iter()))
            }
            (EXACT, Some(exact)) => {
                check_len(exact.kind.bytes())?;
                let total = ExactTotal::from_bytes(exact.kind, payload)?;
                let (len, counted) = (end - first, total.len());
                let counts_all = exact.counts_all;
                match counted == len || (!counts_all && counted < len) {
                    true => Ok(Self::of_exact(fold, first..end, total)),
                    false => Err(DecodePartialError::Range { first, end }),
                }
            }
            _ => Err(DecodePartialError::NoPartial),
        }
    }
}

/// Before the names.
const HEAD_BYTES: usize = 27;

fn accumulators(
    fold: &dyn Fold,
    acc_words: usize,
    bytes: &[u8],
) -> Result<Vec<Words>, DecodePartialError> {
    let words: Vec<u32> =
        bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
    let of_run = |(run, words): (usize, &[u32])| {
        // Others would be equal parts with other bytes, such as a NaN's.
        let total = fold.read(words).filter(|total| fold.write(total)[..] == *words);
        total.ok_or(DecodePartialError::Total { run })
    };
    words.chunks_exact(acc_words).enumerate().map(of_run).collect()
}

/// The bytes of [`Partial::to_bytes`].
#[cfg(feature = "serde")]
impl<T: Element, Op: Operator<T>> serde::Serialize for Partial<T, Op> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.to_bytes())
    }
}

#[cfg(feature = "serde")]
impl<'de, T: Element, Op: Operator<T>> serde::Deserialize<'de> for Partial<T, Op> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = deserializer.deserialize_bytes(Bytes)?;
        Self::from_bytes(&bytes).map_err(serde::de::Error::custom)
    }
}

/// Formats of text have bytes as a list of numbers.
#[cfg(feature = "serde")]
struct Bytes;

#[cfg(feature = "serde")]
impl<'de> serde::de::Visitor<'de> for Bytes {
    type Value = Vec<u8>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the bytes of a part")
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
        Ok(bytes.to_vec())
    }

    fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut items: A) -> Result<Vec<u8>, A::Error> {
        let mut bytes = Vec::new();
        while let Some(byte) = items.next_element()? {
            bytes.push(byte);
        }
        Ok(bytes)
    }
}
