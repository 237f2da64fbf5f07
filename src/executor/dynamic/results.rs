//! Results of operators that are known at run time.

use crate::{
    algebra::{acc_words::Words, result_type::Found},
    cpu::{OutWords, fold::Raw},
    error::PartialError,
    executor::dynamic::operator::DynOperator,
    partial::AnyPartial,
};
use std::ops::Range;

/// A result of a [`DynOperator`].
#[derive(Clone, Debug, PartialEq)]
pub struct DynValue {
    pub(super) operator: DynOperator,
    pub(super) raw: Raw,
}

/// Results of a [`DynOperator`], one for each segment, or for each element of a scan.
#[derive(Clone, Debug, PartialEq)]
pub struct DynValues {
    pub(super) operator: DynOperator,
    pub(super) words: OutWords,
    pub(super) lens: Lens,
}

/// How many elements each result has.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Lens {
    /// The first has so many, and each other one more than the result before.
    From(u64),
    /// Between neighbouring offsets.
    Between(Vec<u32>),
}

/// The result of a part of a sequence by a [`DynOperator`], as a [`Partial`](crate::Partial) is by a typed one.
#[derive(Clone, Debug)]
pub struct DynPartial(pub(super) AnyPartial);

impl DynValue {
    /// The operator that has made it.
    pub fn operator(&self) -> DynOperator {
        self.operator
    }

    /// The result as devices write it: [`OperatorSpec::out_words`](crate::OperatorSpec::out_words).
    pub fn words(&self) -> &[u32] {
        &self.raw.words
    }

    /// The result's numbers. A summary has none ([`OperatorSpec::result_type`](crate::OperatorSpec::result_type)). `None` if there is no value: the minimum of
    /// nothing has none.
    pub fn numbers(&self) -> Option<Vec<Found>> {
        let Raw { words, len } = &self.raw;
        let spec = self.operator.spec();
        spec.has_value(words, *len).then(|| spec.numbers(words).collect())
    }
}

impl DynValues {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.words().len() / self.out_words()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.words().is_empty()
    }

    /// All results as devices write them, one behind the other.
    pub fn words(&self) -> &[u32] {
        self.words.words()
    }

    /// A result. `None` behind the last one.
    pub fn get(&self, index: usize) -> Option<DynValue> {
        let (words, len) = self.result(index)?;
        Some(DynValue { operator: self.operator, raw: Raw { words: words.into(), len } })
    }

    /// Whether a result is a value: see [`DynValue::numbers`].
    pub fn has_value(&self, index: usize) -> bool {
        self.result(index).is_some_and(|(words, len)| self.operator.spec().has_value(words, len))
    }

    /// The words of a result, and of how many elements it is.
    fn result(&self, index: usize) -> Option<(&[u32], u64)> {
        let words = self.words().chunks_exact(self.out_words()).nth(index)?;
        let len = match &self.lens {
            Lens::From(first) => first + index as u64,
            Lens::Between(offsets) => (offsets[index + 1] - offsets[index]).into(),
        };
        Some((words, len))
    }

    fn out_words(&self) -> usize {
        self.operator.spec().out_words as usize
    }
}

impl DynPartial {
    /// As [`Partial::range`](crate::Partial::range).
    pub fn range(&self) -> Range<u64> {
        self.0.range()
    }

    /// As [`Partial::merge`](crate::Partial::merge).
    ///
    /// # Errors
    ///
    /// The errors of [`Partial::merge`](crate::Partial::merge), and [`PartialError::Operators`] if operators or element types differ.
    pub fn merge(&self, next: &Self) -> Result<Self, PartialError> {
        let next = DynOperator(self.0.fold()).own(next)?;
        Ok(Self(self.0.merge(next)?))
    }

    /// As [`Partial::finish`](crate::Partial::finish).
    ///
    /// # Errors
    ///
    /// The errors of [`Partial::finish`](crate::Partial::finish).
    pub fn finish(&self) -> Result<DynValue, PartialError> {
        let operator = DynOperator(self.0.fold());
        let mut words = Words::zeros(operator.spec().out_words as usize);
        let len = self.0.finish(&mut words)?;
        Ok(DynValue { operator, raw: Raw { words, len } })
    }

    /// As [`Partial::to_bytes`](crate::Partial::to_bytes).
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.to_bytes()
    }
}
