//! The one table of operators without their types: compiled here alone, and not again in each program that names an operator.

use crate::{
    algebra::{
        element::{Bits, Bool, Element, ElementType},
        operator::{Operator, PairOperator},
        operator_type::{OperatorType, vector_operators},
        operators::*,
    },
    cpu::fold::{Dots, Fold, Typed},
};
use half::{bf16, f16};
use std::marker::PhantomData;

/// Functions, and no references: a reference would have its operator compiled wherever it is.
type Row = fn() -> &'static dyn Fold;

macro_rules! row {
    ($kind:ident $($types:ty),*) => {{
        fn row() -> &'static dyn Fold {
            &$kind::<$($types),*>(PhantomData)
        }
        Some(row as Row)
    }};
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
                $($((OperatorType::$one, <$element as Element>::TYPE) => row!(Typed $element, $one),)*)*
                $($((OperatorType::$two, <$two_element as Element>::TYPE) => row!(Dots $two_element),)*)*
                _ => None,
            }
        }
    };
}

crate::operators!(rows!());

macro_rules! rows_of_vectors {
    ($($operator:ident [$($vector:ident $scalar:ident $components:literal)*])*) => {
        const fn vectors(operator: OperatorType, element: ElementType) -> Option<Row> {
            match (operator, element) {
                $($((OperatorType::$operator, ElementType::$vector) => {
                    row!(Typed [$scalar; $components], $operator)
                })*)*
                (OperatorType::Bounds, ElementType::F32x2) => row!(Typed [f32; 2], Bounds),
                (OperatorType::Bounds, ElementType::F32x3) => row!(Typed [f32; 3], Bounds),
                (OperatorType::Bounds, ElementType::F32x4) => row!(Typed [f32; 4], Bounds),
                _ => None,
            }
        }
    };
}

vector_operators!(rows_of_vectors!);

const fn masks(operator: OperatorType, element: ElementType) -> Option<Row> {
    match (operator, element) {
        (OperatorType::Count, ElementType::Bits) => row!(Typed Bits, Count),
        (OperatorType::Min, ElementType::Bits) => row!(Typed Bits, Min),
        (OperatorType::Max, ElementType::Bits) => row!(Typed Bits, Max),
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
