//! How many elements are not 0, or NaN.

use crate::algebra::{
    element::{Element, ElementType},
    operator::{Algebra, Combining, Operator, OperatorSpec, part},
    operators::{
        ACC_TWO_WORDS, ANY_RANGE, F64_SIGN_BIT, FOLD, HIGH_WORD, INTEGER_ATOMIC, INTEGER_TWO_WORDS,
        NO_RANGE, OperatorType, SIGN_BIT,
    },
};

/// The number of elements that are not 0: NaN is not, −0 is. No elements give 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[doc(alias("count_nonzero"))]
pub struct Count;

/// The number of elements that are NaN. No elements give 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[doc(alias("isnan"))]
pub struct CountNan;

macro_rules! count {
    ($operator:ident: $($element:ident)*) => {$(
        impl Operator<$element> for $operator {
            const SPEC: OperatorSpec =
                counting(OperatorType::$operator, <$element as Element>::TYPE);
            total_value!(u64);
        }
    )*};
}

/// Of operators that count on a device.
pub(super) const fn counting(operator: OperatorType, element: ElementType) -> OperatorSpec {
    OperatorSpec {
        out_words: 2,
        ..OperatorSpec::order_free(
            operator,
            element,
            Combining {
                identity: &[0, 0],
                parts: &[
                    ACC_TWO_WORDS,
                    FOLD,
                    INTEGER_TWO_WORDS,
                    HIGH_WORD,
                    ANY_RANGE,
                    NO_RANGE,
                    part!("operator/count.wgsl"),
                ],
                unchecked: None,
                software: None,
                subgroup: None,
                atomic: Some(INTEGER_ATOMIC),
            },
        )
    }
}

count!(Count: f32 f64 i32 u32 i64 u64);
count!(CountNan: f32 f64);

/// A number of elements, and the answer that it gives.
#[derive(Clone, Copy)]
pub(crate) struct Counting {
    pub(crate) counted: Counted,
    pub(crate) answer: Answer,
}

/// Which elements are counted.
#[derive(Clone, Copy)]
pub(crate) enum Counted {
    NotZero,
    Nan,
}

/// The result.
#[derive(Clone, Copy)]
pub(crate) enum Answer {
    Number,
    /// 1 of some, else 0.
    Any,
    /// 1 of all, else 0.
    All,
}

/// An element that is counted.
pub(crate) trait Countable: Element {
    fn is_not_zero(self) -> bool;
    fn is_no_number(self) -> bool;
}

macro_rules! countable {
    ($($element:ident: $is_not_zero:expr, $is_nan:expr;)*) => {$(
        impl Countable for $element {
            #[inline]
            fn is_not_zero(self) -> bool {
                let is_not_zero: fn($element) -> bool = $is_not_zero;
                is_not_zero(self)
            }
            #[inline]
            fn is_no_number(self) -> bool {
                let is_nan: fn($element) -> bool = $is_nan;
                is_nan(self)
            }
        }
    )*};
}

countable! {
    // On the bits: threads that flush subnormals compare these as 0.
    f32: |element| element.to_bits() & !SIGN_BIT != 0, f32::is_nan;
    f64: |element| element.to_bits() & !F64_SIGN_BIT != 0, f64::is_nan;
    i32: |element| element != 0, |_| false;
    u32: |element| element != 0, |_| false;
    i64: |element| element != 0, |_| false;
    u64: |element| element != 0, |_| false;
}

impl<T: Countable> Algebra<T> for Counting {
    type Acc = u64;
    type Out = u64;
    #[inline]
    fn identity(self) -> u64 {
        0
    }
    #[inline]
    fn lift(self, element: T) -> u64 {
        match self.counted {
            Counted::NotZero => element.is_not_zero().into(),
            Counted::Nan => element.is_no_number().into(),
        }
    }
    #[inline]
    fn combine(self, a: u64, b: u64) -> u64 {
        a + b
    }
    fn fold(self, elements: &[T]) -> Option<u64> {
        Some(match self.counted {
            Counted::NotZero => count(elements, T::is_not_zero),
            Counted::Nan => count(elements, T::is_no_number),
        })
    }
    #[inline]
    fn finish(self, count: u64, len: u64) -> u64 {
        match self.answer {
            Answer::Number => count,
            Answer::Any => (count > 0).into(),
            Answer::All => (count == len).into(),
        }
    }
}

#[inline]
fn count<T: Countable>(elements: &[T], is_counted: impl Fn(T) -> bool) -> u64 {
    // So few are counted by as many bits as an element has: that is what vectors are good at.
    let of_block =
        |block: &[T]| -> u32 { block.iter().map(|&element| u32::from(is_counted(element))).sum() };
    elements.chunks(BLOCK).map(|block| u64::from(of_block(block))).sum()
}

/// Elements that are counted in 32 bits at a time.
const BLOCK: usize = 1 << 16;
