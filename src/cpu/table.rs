//! The one table of operators without their types: compiled here alone, and not again in each program that names an operator.

use crate::{
    algebra::{
        acc_words::Words,
        element::{Bits, Bool, Element, ElementType},
        keys::Order,
        narrow::Narrow,
        operator::{Items, Operator},
        operator_type::{OperatorKind, OperatorType, choice, vector_operators},
        operators::*,
        options::{NanRule, Options},
        sums::{Finish, FloatSum, Terms},
        variances::{RunVariance, VarianceOfNumbers},
    },
    cpu::{
        components::{ByComponents, Scalar},
        fold::{Dots, Fold, Typed, words},
        widened::Widened,
    },
    error::PrepareError,
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
    ($element:ident $operator:ident $choice:tt) => {
        Typed::<$element, _>::new(
            algebra!($element $operator $choice),
            spec!($element $operator $choice),
        )
    };
}

/// The operator's description.
macro_rules! spec {
    ($element:ident $operator:ident $choice:tt) => {
        const {
            let operator = OperatorType::$operator.with(choice!($choice));
            operator.spec(<$element as Element>::TYPE).expect("a row is an operator")
        }
    };
}

/// How an operator is computed.
macro_rules! algebra {
    (f32 Sum []) => {
        FloatSum::PLAIN
    };
    (f64 Sum []) => {
        FloatSum::PLAIN
    };
    ($element:ident Sum [Ignore]) => {
        FloatSum::new(Terms::Numbers, Finish::Sum)
    };
    ($element:ident L1Norm []) => {
        FloatSum::new(Terms::Magnitudes, Finish::Sum)
    };
    ($element:ident Mean []) => {
        FloatSum::new(Terms::Elements, Finish::Mean)
    };
    ($element:ident Mean [Ignore]) => {
        MeanOfNumbers
    };
    ($element:ident SumOfSquares []) => {
        FloatSum::new(Terms::Squares, Finish::Sum)
    };
    ($element:ident Norm []) => {
        FloatSum::new(Terms::Squares, Finish::Norm)
    };
    ($element:ident Variance [Ignore $($sample:ident)?]) => {
        VarianceOfNumbers { is_of_sample: choice!([Ignore $($sample)?]).sample }
    };
    ($element:ident Variance $choice:tt) => {
        RunVariance { is_of_sample: choice!($choice).sample }
    };
    (i64 SumWide []) => {
        Sum
    };
    (u64 SumWide []) => {
        Sum
    };
    (i64 ProductWide []) => {
        Product
    };
    (u64 ProductWide []) => {
        Product
    };
    (Bits Count []) => {
        Count
    };
    ($element:ident Count []) => {
        Counting { counted: Counted::NotZero, answer: Answer::Number }
    };
    ($element:ident CountNan []) => {
        Counting { counted: Counted::Nan, answer: Answer::Number }
    };
    ($element:ident Any []) => {
        Counting { counted: Counted::NotZero, answer: Answer::Any }
    };
    ($element:ident All []) => {
        Counting { counted: Counted::NotZero, answer: Answer::All }
    };
    (Bits Min []) => {
        Min
    };
    (Bits Max []) => {
        Max
    };
    ($element:ident Min $choice:tt) => {
        Extremum(Order::least(choice!($choice).nan))
    };
    ($element:ident Max $choice:tt) => {
        Extremum(Order::largest(choice!($choice).nan))
    };
    ($element:ident MinMax $choice:tt) => {
        BothExtrema(choice!($choice).nan)
    };
    ($element:ident ArgMin $choice:tt) => {
        ExtremumPlace::least(choice!($choice))
    };
    ($element:ident ArgMax $choice:tt) => {
        ExtremumPlace::largest(choice!($choice))
    };
    ($element:ident ArgMinMax $choice:tt) => {
        ExtremePlaces(choice!($choice))
    };
    ($element:ident $operator:ident []) => {
        $operator
    };
}

/// An operator on elements of one word or two, or on what narrow ones are widened to.
macro_rules! scalar {
    (i8 $operator:ident $choice:tt) => {
        scalar!(i8 as i32 $operator $choice)
    };
    (u8 $operator:ident $choice:tt) => {
        scalar!(u8 as u32 $operator $choice)
    };
    (i16 $operator:ident $choice:tt) => {
        scalar!(i16 as i32 $operator $choice)
    };
    (u16 $operator:ident $choice:tt) => {
        scalar!(u16 as u32 $operator $choice)
    };
    (Bool $operator:ident $choice:tt) => {
        scalar!(Bool as u32 $operator $choice)
    };
    (f16 Dot []) => {
        scalar!(pairs f16)
    };
    (bf16 Dot []) => {
        scalar!(pairs bf16)
    };
    (f16 $operator:ident $choice:tt) => {
        scalar!(f16 as f32 $operator $choice)
    };
    (bf16 $operator:ident $choice:tt) => {
        scalar!(bf16 as f32 $operator $choice)
    };
    ($element:ident Dot []) => {
        row!(Dots::<$element>(PhantomData))
    };
    (pairs $element:ident) => {
        row!(Widened::<$element> {
            spec: spec!($element Dot []),
            wide: &Dots::<f32>(PhantomData),
            own: None,
        })
    };
    ($element:ident as $wide:ident $operator:ident $choice:tt) => {
        row!(Widened::<$element> {
            spec: spec!($element $operator $choice),
            wide: &typed!($wide $operator $choice),
            own: own!($operator $choice),
        })
    };
    ($element:ident $operator:ident $choice:tt) => {
        row!(typed!($element $operator $choice))
    };
}

/// How narrow elements are folded as they are. `None` where they have to be widened.
macro_rules! own {
    (Sum []) => {
        Some(|elements, wide| Narrow::fold_sum(elements).map(|sum| lifted(wide, sum)))
    };
    (Min []) => {
        Some(|elements, wide| Narrow::fold_min(elements).map(|least| lifted(wide, least)))
    };
    (Max []) => {
        Some(|elements, wide| Narrow::fold_max(elements).map(|largest| lifted(wide, largest)))
    };
    (MaxAbs []) => {
        Some(|elements, _| Narrow::fold_magnitude(elements).map(words))
    };
    (MinMax []) => {
        Some(|elements, wide| {
            let [least, largest] = [Narrow::fold_min(elements)?, Narrow::fold_max(elements)?];
            Some(wide.combine(&lifted(wide, least), &lifted(wide, largest), false))
        })
    };
    (ArgMin []) => {
        Some(|elements, wide| placed(elements, wide, Narrow::fold_min(elements)?, false))
    };
    (ArgMax []) => {
        Some(|elements, wide| placed(elements, wide, Narrow::fold_max(elements)?, false))
    };
    (ArgMin [last]) => {
        Some(|elements, wide| placed(elements, wide, Narrow::fold_min(elements)?, true))
    };
    (ArgMax [last]) => {
        Some(|elements, wide| placed(elements, wide, Narrow::fold_max(elements)?, true))
    };
    (ArgMinMax []) => {
        Some(|elements, wide| both_placed(elements, wide, false))
    };
    (ArgMinMax [last]) => {
        Some(|elements, wide| both_placed(elements, wide, true))
    };
    (Count []) => {
        Some(|elements, _| Some(words(Narrow::fold_count(elements))))
    };
    (Any []) => {
        own!(Count [])
    };
    (All []) => {
        own!(Count [])
    };
    ($operator:ident $choice:tt) => {
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
        options { $($of:ident $choice:tt [$($of_element:ident)*])* }
    ) => {
        const fn scalars(operator: OperatorKind, element: ElementType) -> Option<Row> {
            match (operator, element) {
                $($((OperatorKind::$one, <$element as Element>::TYPE) => {
                    scalar!($element $one [])
                })*)*
                $($((OperatorKind::$two, <$two_element as Element>::TYPE) => {
                    scalar!($two_element $two [])
                })*)*
                _ => None,
            }
        }

        fn with_options(operator: OperatorType, element: ElementType) -> Option<Row> {
            match (operator.kind(), operator.options(), element) {
                $($((OperatorKind::$of, choice!($choice), <$of_element as Element>::TYPE) => {
                    scalar!($of_element $of $choice)
                })*)*
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
                Scalar { fold: &typed!(f32 Mean []), out: 2 },
                Scalar { fold: &typed!(f32 Min []), out: 0 },
                Scalar { fold: &typed!(f32 Max []), out: 1 },
            ],
            components: $components,
        })
    };
}

macro_rules! by_components {
    ($operator:ident $scalar:ident $components:literal) => {
        row!(ByComponents {
            spec: &<$operator as Operator<[$scalar; $components]>>::SPEC,
            scalars: &[Scalar { fold: &typed!($scalar $operator []), out: 0 }],
            components: $components,
        })
    };
}

macro_rules! rows_of_vectors {
    ($($operator:ident [$($scalar:ident)*])*) => {
        const fn vectors(operator: OperatorKind, element: ElementType) -> Option<Row> {
            match (operator, element) {
                $($(
                    (OperatorKind::$operator, <[$scalar; 2] as Element>::TYPE) => {
                        by_components!($operator $scalar 2)
                    }
                    (OperatorKind::$operator, <[$scalar; 3] as Element>::TYPE) => {
                        by_components!($operator $scalar 3)
                    }
                    (OperatorKind::$operator, <[$scalar; 4] as Element>::TYPE) => {
                        by_components!($operator $scalar 4)
                    }
                )*)*
                (OperatorKind::Bounds, ElementType::F32x2) => bounds!(2),
                (OperatorKind::Bounds, ElementType::F32x3) => bounds!(3),
                (OperatorKind::Bounds, ElementType::F32x4) => bounds!(4),
                _ => None,
            }
        }
    };
}

vector_operators!(rows_of_vectors!);

const fn masks(operator: OperatorKind, element: ElementType) -> Option<Row> {
    match (operator, element) {
        (OperatorKind::Count, ElementType::Bits) => {
            row!(typed!(Bits Count []))
        }
        (OperatorKind::Min, ElementType::Bits) => row!(typed!(Bits Min [])),
        (OperatorKind::Max, ElementType::Bits) => row!(typed!(Bits Max [])),
        _ => None,
    }
}

const fn row(operator: OperatorKind, element: ElementType) -> Option<Row> {
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
    let operator = operator.on(element);
    let row = match operator.options() {
        Options::DEFAULT => row(operator.kind(), element),
        _ => with_options(operator, element),
    };
    row.map(|row| row())
}

/// The operator, without its types.
///
/// # Errors
///
/// [`PrepareError::Unsupported`] where it has not these options for the elements, and for expressions; [`PrepareError::OwnOperator`] of users' own.
#[inline]
pub(crate) fn fold_of<I: Items, Op: Operator<I>>(
    op: &Op,
) -> Result<&'static dyn Fold, PrepareError> {
    fold_with::<I, Op>(op.options())
}

/// The same, with options.
pub(crate) fn fold_with<I: Items, Op: Operator<I>>(
    options: Options,
) -> Result<&'static dyn Fold, PrepareError> {
    let (operator, element) = (Op::SPEC.operator.with(options), I::Element::TYPE);
    let fold = match options {
        _ if !Op::IS_LISTED => None,
        Options::DEFAULT => {
            const { row(Op::SPEC.operator.kind(), I::Element::TYPE) }.map(|row| row())
        }
        _ => find(operator, element),
    };
    fold.ok_or(match operator {
        OperatorType::Custom => PrepareError::OwnOperator,
        _ => PrepareError::Unsupported { operator, element },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_specifications() {
        for operator in OperatorType::ALL {
            for element in ElementType::ALL {
                let spec = find(*operator, element).map(Fold::spec);
                let own = operator.on(element);
                assert_eq!(spec, own.spec(element), "{operator} {element}");
            }
        }
    }
}
