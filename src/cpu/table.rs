//! The one table of operators without their types: compiled here alone, and not again in each program that names an operator.

use crate::{
    algebra::{
        acc_words::Words,
        element::{Bits, Bool, Element, ElementType},
        keys::{Nan, Order},
        narrow::Narrow,
        operator::{Operator, PairOperator},
        operator_type::{OperatorType, vector_operators},
        operators::*,
        sums::{Finish, FloatSum, Terms},
        variances::{RunVariance, VarianceOfNumbers},
    },
    cpu::{
        components::{ByComponents, Scalar},
        fold::{Dots, Fold, Typed, words},
        widened::Widened,
    },
};
use half::{bf16, f16};
use std::marker::PhantomData;

/// Functions, and no references: a reference would have its operator compiled wherever it is.
type Row = fn() -> &'static dyn Fold;

macro_rules! row {
    ($fold:expr) => {{
        fn row() -> &'static dyn Fold {
            const { &$fold }
        }
        Some(row as Row)
    }};
}

/// An operator on elements that are not widened.
macro_rules! typed {
    (i64 SumWide) => {
        typed!(i64 Sum as SumWide)
    };
    (u64 SumWide) => {
        typed!(u64 Sum as SumWide)
    };
    (i64 ProductWide) => {
        typed!(i64 Product as ProductWide)
    };
    (u64 ProductWide) => {
        typed!(u64 Product as ProductWide)
    };
    (f32 Sum) => {
        Typed::<f32, _>::new(FloatSum::PLAIN, &<Sum as Operator<f32>>::SPEC)
    };
    (f64 Sum) => {
        Typed::<f64, _>::new(FloatSum::PLAIN, &<Sum as Operator<f64>>::SPEC)
    };
    ($element:ident $operator:ident) => {
        typed!($element $operator as $operator)
    };
    ($element:ident $algebra:ident as $operator:ident) => {
        Typed::<$element, _>::new(
            algebra!($algebra),
            &<$operator as Operator<$element>>::SPEC,
        )
    };
}

/// How an operator is computed.
macro_rules! algebra {
    (Count) => {
        Counting { counted: Counted::NotZero, answer: Answer::Number }
    };
    (CountNan) => {
        Counting { counted: Counted::Nan, answer: Answer::Number }
    };
    (Any) => {
        Counting { counted: Counted::NotZero, answer: Answer::Any }
    };
    (All) => {
        Counting { counted: Counted::NotZero, answer: Answer::All }
    };
    (Variance) => {
        RunVariance { is_of_sample: false }
    };
    (SampleVariance) => {
        RunVariance { is_of_sample: true }
    };
    (NanVariance) => {
        VarianceOfNumbers { is_of_sample: false }
    };
    (NanSampleVariance) => {
        VarianceOfNumbers { is_of_sample: true }
    };
    (NanSum) => {
        FloatSum { terms: Terms::Numbers, finish: Finish::Sum }
    };
    (L1Norm) => {
        FloatSum { terms: Terms::Magnitudes, finish: Finish::Sum }
    };
    (Mean) => {
        FloatSum { terms: Terms::Elements, finish: Finish::Mean }
    };
    (SumOfSquares) => {
        FloatSum { terms: Terms::Squares, finish: Finish::Sum }
    };
    (Norm) => {
        FloatSum { terms: Terms::Squares, finish: Finish::Norm }
    };
    (MinMax) => {
        BothExtrema(Nan::Propagate)
    };
    (NanMin) => {
        Extremum(Order::least(Nan::Ignore))
    };
    (NanMax) => {
        Extremum(Order::largest(Nan::Ignore))
    };
    (NanMinMax) => {
        BothExtrema(Nan::Ignore)
    };
    (TotalMin) => {
        Extremum(Order::least(Nan::Total))
    };
    (TotalMax) => {
        Extremum(Order::largest(Nan::Total))
    };
    (TotalMinMax) => {
        BothExtrema(Nan::Total)
    };
    (ArgMin) => {
        ExtremumPlace { order: Order::least(Nan::Propagate), takes_last: false }
    };
    (ArgMax) => {
        ExtremumPlace { order: Order::largest(Nan::Propagate), takes_last: false }
    };
    (ArgMinMax) => {
        ExtremePlaces { nan: Nan::Propagate, takes_last: false }
    };
    (ArgMinLast) => {
        ExtremumPlace { order: Order::least(Nan::Propagate), takes_last: true }
    };
    (ArgMaxLast) => {
        ExtremumPlace { order: Order::largest(Nan::Propagate), takes_last: true }
    };
    (ArgMinMaxLast) => {
        ExtremePlaces { nan: Nan::Propagate, takes_last: true }
    };
    (NanArgMin) => {
        ExtremumPlace { order: Order::least(Nan::Ignore), takes_last: false }
    };
    (NanArgMax) => {
        ExtremumPlace { order: Order::largest(Nan::Ignore), takes_last: false }
    };
    (NanArgMinMax) => {
        ExtremePlaces { nan: Nan::Ignore, takes_last: false }
    };
    (NanArgMinLast) => {
        ExtremumPlace { order: Order::least(Nan::Ignore), takes_last: true }
    };
    (NanArgMaxLast) => {
        ExtremumPlace { order: Order::largest(Nan::Ignore), takes_last: true }
    };
    (NanArgMinMaxLast) => {
        ExtremePlaces { nan: Nan::Ignore, takes_last: true }
    };
    (TotalArgMin) => {
        ExtremumPlace { order: Order::least(Nan::Total), takes_last: false }
    };
    (TotalArgMax) => {
        ExtremumPlace { order: Order::largest(Nan::Total), takes_last: false }
    };
    (TotalArgMinMax) => {
        ExtremePlaces { nan: Nan::Total, takes_last: false }
    };
    (TotalArgMinLast) => {
        ExtremumPlace { order: Order::least(Nan::Total), takes_last: true }
    };
    (TotalArgMaxLast) => {
        ExtremumPlace { order: Order::largest(Nan::Total), takes_last: true }
    };
    (TotalArgMinMaxLast) => {
        ExtremePlaces { nan: Nan::Total, takes_last: true }
    };
    ($operator:ident) => {
        $operator
    };
}

/// An operator on elements of one word or two, or on what narrow ones are widened to.
macro_rules! scalar {
    (i8 $operator:ident) => {
        scalar!(i8 as i32 $operator)
    };
    (u8 $operator:ident) => {
        scalar!(u8 as u32 $operator)
    };
    (i16 $operator:ident) => {
        scalar!(i16 as i32 $operator)
    };
    (u16 $operator:ident) => {
        scalar!(u16 as u32 $operator)
    };
    (Bool $operator:ident) => {
        scalar!(Bool as u32 $operator)
    };
    (f16 Dot) => {
        scalar!(f16 of pairs)
    };
    (bf16 Dot) => {
        scalar!(bf16 of pairs)
    };
    (f16 $operator:ident) => {
        scalar!(f16 as f32 $operator)
    };
    (bf16 $operator:ident) => {
        scalar!(bf16 as f32 $operator)
    };
    ($element:ident Dot) => {
        row!(Dots::<$element>(PhantomData))
    };
    ($element:ident $operator:ident) => {
        row!(typed!($element $operator))
    };
    ($element:ident of pairs) => {
        row!(Widened::<$element> {
            spec: &<Dot as PairOperator<$element>>::SPEC,
            wide: &Dots::<f32>(PhantomData),
            own: None,
        })
    };
    ($element:ident as $wide:ident $operator:ident) => {
        row!(Widened::<$element> {
            spec: &<$operator as Operator<$element>>::SPEC,
            wide: &typed!($wide $operator),
            own: own!($operator),
        })
    };
}

/// How narrow elements are folded as they are. `None` where they have to be widened.
macro_rules! own {
    (Sum) => {
        Some(|elements, wide| Narrow::fold_sum(elements).map(|sum| lifted(wide, sum)))
    };
    (Min) => {
        Some(|elements, wide| Narrow::fold_min(elements).map(|least| lifted(wide, least)))
    };
    (Max) => {
        Some(|elements, wide| Narrow::fold_max(elements).map(|largest| lifted(wide, largest)))
    };
    (MaxAbs) => {
        Some(|elements, _| Narrow::fold_magnitude(elements).map(words))
    };
    (MinMax) => {
        Some(|elements, wide| {
            let [least, largest] = [Narrow::fold_min(elements)?, Narrow::fold_max(elements)?];
            Some(wide.combine(&lifted(wide, least), &lifted(wide, largest), false))
        })
    };
    (ArgMin) => {
        Some(|elements, wide| placed(elements, wide, Narrow::fold_min(elements)?, false))
    };
    (ArgMax) => {
        Some(|elements, wide| placed(elements, wide, Narrow::fold_max(elements)?, false))
    };
    (ArgMinLast) => {
        Some(|elements, wide| placed(elements, wide, Narrow::fold_min(elements)?, true))
    };
    (ArgMaxLast) => {
        Some(|elements, wide| placed(elements, wide, Narrow::fold_max(elements)?, true))
    };
    (ArgMinMax) => {
        Some(|elements, wide| both_placed(elements, wide, false))
    };
    (ArgMinMaxLast) => {
        Some(|elements, wide| both_placed(elements, wide, true))
    };
    (Count) => {
        Some(|elements, _| Some(words(Narrow::fold_count(elements))))
    };
    (Any) => {
        own!(Count)
    };
    (All) => {
        own!(Count)
    };
    ($operator:ident) => {
        None
    };
}

/// The accumulator of a widened element.
fn lifted(wide: &dyn Fold, element: impl Element) -> Words {
    wide.lift(bytemuck::bytes_of(&element))
}

/// The accumulator of an extremum, where it is.
fn placed<T: Narrow>(
    elements: &[T],
    wide: &dyn Fold,
    extremum: T::Wide,
    is_last: bool,
) -> Option<Words> {
    let is_it = |element: &T| element.widen() == extremum;
    let place = match is_last {
        true => elements.iter().rposition(is_it),
        false => elements.iter().position(is_it),
    };
    Some(wide.moved(lifted(wide, extremum), place? as u64))
}

fn both_placed<T: Narrow>(elements: &[T], wide: &dyn Fold, is_last: bool) -> Option<Words> {
    let least = placed(elements, wide, T::fold_min(elements)?, is_last)?;
    let largest = placed(elements, wide, T::fold_max(elements)?, is_last)?;
    Some(wide.combine(&least, &largest, false))
}

macro_rules! rows {
    (
        one input { $($verb:ident $one:ident $name:literal [$($element:ident)*] $doc:literal)* }
        two inputs {
            $($two_verb:ident $two:ident $two_name:literal [$($two_element:ident)*] $two_doc:literal)*
        }
    ) => {
        const fn scalars(operator: OperatorType, element: ElementType) -> Option<Row> {
            match (operator, element) {
                $($((OperatorType::$one, <$element as Element>::TYPE) => scalar!($element $one),)*)*
                $($((OperatorType::$two, <$two_element as Element>::TYPE) => scalar!($two_element $two),)*)*
                _ => None,
            }
        }
    };
}

crate::operators!(rows!());

/// Sums, minima and maxima; of results the minima are first.
macro_rules! bounds {
    ($components:literal) => {
        row!(ByComponents {
            spec: &<Bounds as Operator<[f32; $components]>>::SPEC,
            scalars: &[
                Scalar { fold: &typed!(f32 Mean), out: 2 },
                Scalar { fold: &typed!(f32 Min), out: 0 },
                Scalar { fold: &typed!(f32 Max), out: 1 },
            ],
            components: $components,
        })
    };
}

macro_rules! by_components {
    ($operator:ident $scalar:ident $components:literal) => {
        row!(ByComponents {
            spec: &<$operator as Operator<[$scalar; $components]>>::SPEC,
            scalars: &[Scalar { fold: &typed!($scalar $operator), out: 0 }],
            components: $components,
        })
    };
}

macro_rules! rows_of_vectors {
    ($($operator:ident [$($scalar:ident)*])*) => {
        const fn vectors(operator: OperatorType, element: ElementType) -> Option<Row> {
            match (operator, element) {
                $($(
                    (OperatorType::$operator, <[$scalar; 2] as Element>::TYPE) => {
                        by_components!($operator $scalar 2)
                    }
                    (OperatorType::$operator, <[$scalar; 3] as Element>::TYPE) => {
                        by_components!($operator $scalar 3)
                    }
                    (OperatorType::$operator, <[$scalar; 4] as Element>::TYPE) => {
                        by_components!($operator $scalar 4)
                    }
                )*)*
                (OperatorType::Bounds, ElementType::F32x2) => bounds!(2),
                (OperatorType::Bounds, ElementType::F32x3) => bounds!(3),
                (OperatorType::Bounds, ElementType::F32x4) => bounds!(4),
                _ => None,
            }
        }
    };
}

vector_operators!(rows_of_vectors!);

const fn masks(operator: OperatorType, element: ElementType) -> Option<Row> {
    match (operator, element) {
        (OperatorType::Count, ElementType::Bits) => {
            row!(Typed::<Bits, _>::new(Count, &<Count as Operator<Bits>>::SPEC))
        }
        (OperatorType::Min, ElementType::Bits) => row!(typed!(Bits Min)),
        (OperatorType::Max, ElementType::Bits) => row!(typed!(Bits Max)),
        _ => None,
    }
}

const fn row(operator: OperatorType, element: ElementType) -> Option<Row> {
    match scalars(operator, element) {
        None => match vectors(operator, element) {
            None => masks(operator, element),
            row => row,
        },
        row => row,
    }
}

/// The operator on elements of a type. `None` where it is not defined.
pub(crate) fn find(operator: OperatorType, element: ElementType) -> Option<&'static dyn Fold> {
    row(operator, element).map(|row| row())
}

/// The operator, without its types.
pub(crate) fn fold_of<T: Element, Op: Operator<T>>() -> &'static dyn Fold {
    let row = const { row(Op::SPEC.operator, T::TYPE).expect("all operators have a row") };
    row()
}

/// The dot product of elements of a type.
pub(crate) fn dot_of<T: Element>() -> &'static dyn Fold
where
    Dot: PairOperator<T>,
{
    let row = const { row(OperatorType::Dot, T::TYPE).expect("all operators have a row") };
    row()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_specifications() {
        for operator in OperatorType::ALL {
            for element in ElementType::ALL {
                let spec = find(*operator, element).map(Fold::spec);
                assert_eq!(spec, operator.spec(element), "{operator} {element}");
            }
        }
    }
}
