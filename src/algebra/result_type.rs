//! Results of operators that are known at run time.

use crate::algebra::{element::ElementType, operator::OperatorSpec, operator_type::OperatorKind};
use std::fmt;

/// The numbers of a result, as devices write them, in words: before each number its place, if there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ResultType {
    /// The type of each number. Narrow ones are widened. A [`Bool`](ElementType::Bool) has two words, or of masks one: it is true if one is not 0.
    pub element: ElementType,
    /// How many there are: one, or two, of which the first is the minimum's, or one for each component of an element.
    pub numbers: u32,
    /// Whether a place comes before each number: two words, the low one first.
    pub has_places: bool,
}

/// A number of one of the types that results have.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "types are their own names")]
#[non_exhaustive]
pub enum Number {
    F32(f32),
    F64(f64),
    I32(i32),
    U32(u32),
    I64(i64),
    U64(u64),
    Bool(bool),
}

/// A number of a result, and where in the sequence it is, if the operator finds places.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    /// The index in the sequence.
    pub place: Option<u64>,
    /// The number.
    pub number: Number,
}

impl OperatorSpec {
    /// The numbers of a result. `None` of users' operators, and of summaries, which have several kinds of numbers: [`Moments`](crate::Moments),
    /// [`BriefMoments`](crate::BriefMoments), [`Bounds`](crate::Bounds).
    pub const fn result_type(&self) -> Option<ResultType> {
        use OperatorKind::{
            All, Any, ArgMinMax, Bounds, BriefMoments, Count, CountNan, Custom, MaxAbs, MinMax,
            Moments, ProductWide, SumWide,
        };
        let wide = self.element.component().wide();
        let operator = self.operator.kind();
        let element = match operator {
            Moments | BriefMoments | Bounds | Custom => return None,
            Any | All => ElementType::Bool,
            Count | CountNan => ElementType::U64,
            SumWide | ProductWide => match wide {
                ElementType::I32 | ElementType::I64 => ElementType::I64,
                _ => ElementType::U64,
            },
            MaxAbs => match wide {
                ElementType::I32 => ElementType::U32,
                ElementType::I64 => ElementType::U64,
                other => other,
            },
            // Whether some flag is set, or every one is.
            _ if matches!(wide, ElementType::Bits) => ElementType::Bool,
            _ => wide,
        };
        let numbers = match operator {
            MinMax | ArgMinMax => 2,
            _ => match self.element.packing().components() {
                Some(components) => components,
                None => 1,
            },
        };
        let has_places = self.operator.tells_places();
        let words = match (element, wide) {
            (ElementType::Bool, ElementType::Bits) => 1,
            (ElementType::Bool, _) => 2,
            _ => element.words(),
        };
        // An expression makes a number of components.
        match numbers * (words + if has_places { 2 } else { 0 }) == self.out_words {
            true => Some(ResultType { element, numbers, has_places }),
            false => None,
        }
    }

    /// Whether a result of `len` elements is a value. An extremum of nothing is none; nor is a place, if an expression leaves every element out.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn has_value(&self, out: &[u32], len: u64) -> bool {
        use OperatorKind::{ArgMax, ArgMin, ArgMinMax, Bounds, Max, Min, MinMax};
        match self.operator.kind() {
            ArgMin | ArgMax | ArgMinMax => len > 0 && two_words(&out[..2]) != u64::MAX,
            Min | Max | MinMax | Bounds => len > 0,
            _ => true,
        }
    }

    /// The numbers of a result, from its words. None of summaries.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn numbers<'a>(&self, words: &'a [u32]) -> impl Iterator<Item = Found> + use<'a> {
        let ty = self.result_type();
        let size = ty.map_or(1, |ty| words.len() / ty.numbers as usize).max(1);
        ty.into_iter().flat_map(move |ty| {
            words.chunks_exact(size).map(move |words| {
                let (place, number) = words.split_at(if ty.has_places { 2 } else { 0 });
                let place = ty.has_places.then(|| two_words(place));
                Found { place, number: Number::of(ty.element, number) }
            })
        })
    }
}

fn two_words(words: &[u32]) -> u64 {
    bytemuck::pod_read_unaligned(bytemuck::cast_slice(words))
}

impl Number {
    /// A number from bytes in this machine's order: of an element of 32 or 64 bits, or of a [`Bool`](struct@crate::Bool). `None` of other elements, and of
    /// more or fewer bytes.
    pub fn read(element: ElementType, bytes: &[u8]) -> Option<Self> {
        Some(match (element, bytes.len()) {
            (ElementType::Bool, 1) => Self::Bool(bytes[0] != 0),
            (ElementType::F32 | ElementType::I32 | ElementType::U32, 4)
            | (ElementType::F64 | ElementType::I64 | ElementType::U64, 8) => {
                Self::of(element, &bytemuck::pod_collect_to_vec(bytes))
            }
            _ => return None,
        })
    }

    fn of(element: ElementType, words: &[u32]) -> Self {
        match element {
            ElementType::F32 => Self::F32(f32::from_bits(words[0])),
            ElementType::I32 => Self::I32(words[0].cast_signed()),
            ElementType::F64 => Self::F64(f64::from_bits(two_words(words))),
            ElementType::I64 => Self::I64(two_words(words).cast_signed()),
            ElementType::U64 => Self::U64(two_words(words)),
            ElementType::Bool => Self::Bool(words.iter().any(|&word| word != 0)),
            _ => Self::U32(words[0]),
        }
    }
}

/// As Rust writes them.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::F32(number) => number.fmt(f),
            Self::F64(number) => number.fmt(f),
            Self::I32(number) => number.fmt(f),
            Self::U32(number) => number.fmt(f),
            Self::I64(number) => number.fmt(f),
            Self::U64(number) => number.fmt(f),
            Self::Bool(number) => number.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::algebra::operator_type::OperatorType;

    #[test]
    fn numbers_have_the_words_of_results() {
        for spec in OperatorType::specs() {
            let is_summary = matches!(
                spec.operator,
                OperatorType::Moments | OperatorType::BriefMoments | OperatorType::Bounds
            );
            assert_eq!(spec.result_type().is_none(), is_summary, "{spec:?}");
            let Some(ty) = spec.result_type() else { continue };
            assert_eq!(
                spec.numbers(&vec![0; spec.out_words as usize]).count(),
                ty.numbers as usize
            );
        }
    }
}
