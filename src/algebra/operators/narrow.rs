//! Operators on elements of less than a word, by the operators on what these are widened to.

use crate::algebra::{
    element::{Bool, Element},
    narrow::Narrow,
    operator::{Operator, OperatorSpec},
    operators::*,
};
use half::{bf16, f16};

/// [`Narrow::Wide`], in public.
macro_rules! wide {
    (i8) => {
        i32
    };
    (u8) => {
        u32
    };
    (i16) => {
        i32
    };
    (u16) => {
        u32
    };
    (f16) => {
        f32
    };
    (bf16) => {
        f32
    };
    (Bool) => {
        u32
    };
}

/// [`Narrow::Magnitude`], in public.
macro_rules! magnitude {
    (i8) => {
        u8
    };
    (i16) => {
        u16
    };
    ($element:ident) => {
        $element
    };
}

/// An operator on `T`, of the one on what that is widened to: its values.
macro_rules! widened_operator {
    (
        $operator:ident $element:ident: $value:ty, |$out:ident, $len:ident| $of_out:expr,
        |$result:ident| $to_out:expr
    ) => {
        impl Operator<$element> for $operator {
            const SPEC: OperatorSpec = OperatorSpec {
                element: <$element as Element>::TYPE,
                ..<Self as Operator<wide!($element)>>::SPEC
            };
            type Out = <Self as Operator<wide!($element)>>::Out;
            type Value = $value;
            #[inline]
            fn value($out: Self::Out, $len: u64) -> $value {
                $of_out
            }
            #[inline]
            fn out($result: $value) -> Option<Self::Out> {
                $to_out
            }
        }
    };
    // Results that are elements.
    ($operator:ident $element:ident: all bits of an element) => {
        widened_operator!(
            $operator $element: $element,
            |out, _len| <$element as Narrow>::narrow(out),
            |value| Some(value.widen())
        );
    };
    // Results of whole words.
    ($operator:ident $element:ident) => {
        widened_operator!(
            $operator $element: <Self as Operator<wide!($element)>>::Value,
            |out, len| <Self as Operator<wide!($element)>>::value(out, len),
            |value| <Self as Operator<wide!($element)>>::out(value)
        );
    };
}

/// Of the list `operators!`, what is to be had of a wide operator.
macro_rules! cell {
    ($operator:ident f32) => {};
    ($operator:ident i32) => {};
    ($operator:ident u32) => {};
    ($operator:ident i64) => {};
    ($operator:ident u64) => {};
    ($operator:ident f64) => {};
    // Of every element that has a key.
    (Min $element:ident) => {};
    (Max $element:ident) => {};
    (MinMax $element:ident) => {};
    (ArgMin $element:ident) => {};
    (ArgMax $element:ident) => {};
    (ArgMinMax $element:ident) => {};
    (BitAnd $element:ident) => {
        widened_operator!(BitAnd $element: all bits of an element);
    };
    (BitOr $element:ident) => {
        widened_operator!(BitOr $element: all bits of an element);
    };
    (BitXor $element:ident) => {
        widened_operator!(BitXor $element: all bits of an element);
    };
    (MaxAbs $element:ident) => {
        widened_operator!(
            MaxAbs $element: magnitude!($element),
            |out, _len| <$element as Narrow>::narrow_magnitude(out),
            |value| Some(value.into())
        );
    };
    ($operator:ident $element:ident) => {
        widened_operator!($operator $element);
    };
}

macro_rules! cells {
    (
        one input { $($verb:ident $one:ident $name:literal [$($element:ident)*] $doc:literal)* }
        two inputs {
            $($two_verb:ident $two:ident $two_name:literal [$($two_element:ident)*] $two_doc:literal)*
        }
        options $options:tt
    ) => {
        $($(cell!($one $element);)*)*
    };
}

crate::operators!(cells!());
