//! Operators on elements of less than a word: those on what these are widened to.

use crate::algebra::{
    element::{Bool, Element, FloatElement},
    exact_total::ExactTotal,
    narrow::{Narrow, WIDENED, add_widened, fold_widened},
    operator::{Operator, OperatorSpec, PairOperator, PairParts, Parts},
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

/// An operator on `T`, of the one on what that is widened to: its values, and how the CPU folds.
macro_rules! widened_operator {
    (
        $operator:ident $element:ident: $value:ty, |$out:ident, $len:ident| $of_out:expr,
        |$result:ident| $to_out:expr, |$elements:ident| $fold:expr
    ) => {
        impl Operator<$element> for $operator {
            const SPEC: OperatorSpec = OperatorSpec {
                element: <$element as Element>::TYPE,
                ..<Self as Operator<wide!($element)>>::SPEC
            };
            type Acc = <Self as Operator<wide!($element)>>::Acc;
            type Out = <Self as Operator<wide!($element)>>::Out;
            type Value = $value;
            #[inline]
            fn identity() -> Self::Acc {
                <Self as Operator<wide!($element)>>::identity()
            }
            #[inline]
            fn lift(element: $element) -> Self::Acc {
                <Self as Operator<wide!($element)>>::lift(element.widen())
            }
            #[inline]
            fn combine(a: Self::Acc, b: Self::Acc) -> Self::Acc {
                <Self as Operator<wide!($element)>>::combine(a, b)
            }
            #[inline]
            fn lift_in_integers(element: $element) -> Self::Acc {
                <Self as Operator<wide!($element)>>::lift_in_integers(element.widen())
            }
            #[inline]
            fn combine_in_integers(a: Self::Acc, b: Self::Acc) -> Self::Acc {
                <Self as Operator<wide!($element)>>::combine_in_integers(a, b)
            }
            fn fold($elements: &[$element]) -> Option<Self::Acc> {
                $fold
            }
            fn finish(total: Self::Acc, len: u64) -> Self::Out {
                <Self as Operator<wide!($element)>>::finish(total, len)
            }
            #[inline]
            fn value($out: Self::Out, $len: u64) -> $value {
                $of_out
            }
            #[inline]
            fn out($result: $value) -> Option<Self::Out> {
                $to_out
            }
            fn exact_total(parts: Parts<'_, $element>) -> Option<ExactTotal> {
                <Self as Operator<$element>>::SPEC.exact?;
                <Self as Operator<wide!($element)>>::exact_total(&mut |add| {
                    parts(&mut |part| add_widened(part, add));
                })
            }
            fn exact_finish(total: &ExactTotal) -> Self::Out {
                <Self as Operator<wide!($element)>>::exact_finish(total)
            }
        }
    };
    // Results that are elements.
    ($operator:ident $element:ident: an element, $fold:ident) => {
        widened_operator!(
            $operator $element: Option<$element>,
            |out, len| (len > 0).then(|| <$element as Narrow>::narrow(out)),
            |value| value.map(Narrow::widen),
            |elements| {
                let own = if elements.is_empty() { None } else { <$element>::$fold(elements) };
                match own {
                    Some(wide) => Some(<Self as Operator<wide!($element)>>::lift(wide)),
                    None => fold_widened::<$element, Self>(elements),
                }
            }
        );
    };
    ($operator:ident $element:ident: all bits of an element) => {
        widened_operator!(
            $operator $element: $element,
            |out, _len| <$element as Narrow>::narrow(out),
            |value| Some(value.widen()),
            |elements| fold_widened::<$element, Self>(elements)
        );
    };
    // Results of whole words.
    ($operator:ident $element:ident: |$elements:ident| $fold:expr) => {
        widened_operator!(
            $operator $element: <Self as Operator<wide!($element)>>::Value,
            |out, len| <Self as Operator<wide!($element)>>::value(out, len),
            |value| <Self as Operator<wide!($element)>>::out(value),
            |$elements| $fold
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
    (MinMax $element:ident) => {};
    (ArgMin $element:ident) => {};
    (ArgMax $element:ident) => {};
    (ArgMinMax $element:ident) => {};
    (ArgMinLast $element:ident) => {};
    (ArgMaxLast $element:ident) => {};
    (ArgMinMaxLast $element:ident) => {};
    (NanMin $element:ident) => {};
    (NanMax $element:ident) => {};
    (NanMinMax $element:ident) => {};
    (NanArgMin $element:ident) => {};
    (NanArgMax $element:ident) => {};
    (NanArgMinMax $element:ident) => {};
    (TotalMin $element:ident) => {};
    (TotalMax $element:ident) => {};
    (TotalMinMax $element:ident) => {};
    (TotalArgMin $element:ident) => {};
    (TotalArgMax $element:ident) => {};
    (TotalArgMinMax $element:ident) => {};
    (NanArgMinLast $element:ident) => {};
    (NanArgMaxLast $element:ident) => {};
    (NanArgMinMaxLast $element:ident) => {};
    (TotalArgMinLast $element:ident) => {};
    (TotalArgMaxLast $element:ident) => {};
    (TotalArgMinMaxLast $element:ident) => {};
    (Min $element:ident) => {
        widened_operator!(Min $element: an element, fold_min);
    };
    (Max $element:ident) => {
        widened_operator!(Max $element: an element, fold_max);
    };
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
            |value| Some(value.into()),
            |elements| match <$element>::fold_magnitude(elements) {
                Some(magnitude) if !elements.is_empty() => Some(magnitude),
                _ => None,
            }
        );
    };
    (Count $element:ident) => {
        widened_operator!(Count $element: |elements| Some(<$element>::fold_count(elements)));
    };
    (Any $element:ident) => {
        widened_operator!(Any $element: |elements| Some(<$element>::fold_count(elements)));
    };
    (All $element:ident) => {
        widened_operator!(All $element: |elements| Some(<$element>::fold_count(elements)));
    };
    (Sum $element:ident) => {
        widened_operator!(Sum $element: |elements| match <$element>::fold_sum(elements) {
            Some(sum) => Some(sum),
            None => fold_widened::<$element, Self>(elements),
        });
    };
    ($operator:ident $element:ident) => {
        widened_operator!($operator $element: |elements| fold_widened::<$element, Self>(elements));
    };
}

macro_rules! cells {
    (
        one input { $($verb:ident $one:ident $name:literal [$($element:ident)*] $doc:literal)* }
        two inputs {
            $($two_verb:ident $two:ident $two_name:literal [$($two_element:ident)*] $two_doc:literal)*
        }
    ) => {
        $($(cell!($one $element);)*)*
    };
}

crate::operators!(cells!());

macro_rules! dots {
    ($($element:ident)*) => {$(
        impl PairOperator<$element> for Dot {
            const SPEC: OperatorSpec = OperatorSpec {
                element: <$element as Element>::TYPE,
                ..<Self as PairOperator<f32>>::SPEC
            };
            type Total = f32;
            type Sum = Sum;
            fn fold(left: &[$element], right: &[$element]) -> f32 {
                let [left, right] = [left, right].map(FloatElement::widened);
                <Self as PairOperator<f32>>::fold(&left, &right)
            }
            fn product_in_integers(left: $element, right: $element) -> f32 {
                <Self as PairOperator<f32>>::product_in_integers(left.widen(), right.widen())
            }
            fn exact_total(parts: PairParts<'_, $element>) -> ExactTotal {
                <Self as PairOperator<f32>>::exact_total(&mut |add| {
                    parts(&mut |left, right| {
                        for (left, right) in left.chunks(WIDENED).zip(right.chunks(WIDENED)) {
                            let [left, right] = [left, right].map(FloatElement::widened);
                            add(&left, &right);
                        }
                    });
                })
            }
            fn exact_finish(total: &ExactTotal) -> f32 {
                <Self as PairOperator<f32>>::exact_finish(total)
            }
        }
    )*};
}

dots!(f16 bf16);
