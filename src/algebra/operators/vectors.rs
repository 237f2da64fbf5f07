//! Operators on elements of several components: each component has what the operator makes of it alone.

use crate::algebra::{
    element::{Element, ElementType},
    operator::{Combining, Operator, OperatorSpec, Part, part},
    operators::{
        ANY_RANGE, F32_ADD, FINISH_WORDS, LIFT_ELEMENT, Max, Mean, Min, OperatorType, Sum,
    },
};
use std::array;

const ACC: Part = part!("operator/vector_acc.wgsl");
/// For sums of floats,
const ADD_F32: Part = part!("operator/vector_add_f32.wgsl");
/// and where integers make them.
const SOFTWARE: Part = part!("operator/vector_sum_f32_software.wgsl");
const MIN: Part = part!("operator/min.wgsl");
const MAX: Part = part!("operator/max.wgsl");

/// An operator on elements of several components, as a device combines them: by the parts, or, where integers do what floats do, by others.
macro_rules! parts {
    (Sum f32 $components:literal) => {
        parts!(sums of $components: part!("operator/vector_sum_f32_finish.wgsl"))
    };
    (Mean f32 $components:literal) => {
        parts!(
            sums of $components:
            part!("operator/vector_mean_f32_finish.wgsl"),
            part!("operator/f32_mean.wgsl"),
            part!("operator/f32_round.wgsl")
        )
    };
    (Sum $integer:ident $components:literal) => {
        (&[ACC, part!("operator/sum.wgsl"), LIFT_ELEMENT, FINISH_WORDS, ANY_RANGE], None)
    };
    (Min f32 $components:literal) => {
        parts!(float keys: MIN, part!("operator/vector_min_f32.wgsl"))
    };
    (Max f32 $components:literal) => {
        parts!(float keys: MAX, part!("operator/vector_max_f32.wgsl"))
    };
    (Min $integer:ident $components:literal) => {
        parts!($integer keys: MIN)
    };
    (Max $integer:ident $components:literal) => {
        parts!($integer keys: MAX)
    };
    (float keys: $($extremum:expr),*) => {
        (
            &[
                ACC,
                part!("operator/f32_key.wgsl"),
                part!("operator/vector_keys_f32.wgsl"),
                $($extremum,)*
                ANY_RANGE,
            ],
            None,
        )
    };
    (i32 keys: $extremum:expr) => {
        (&[ACC, part!("operator/vector_keys_i32.wgsl"), $extremum, ANY_RANGE], None)
    };
    (u32 keys: $extremum:expr) => {
        (&[ACC, part!("operator/vector_keys_u32.wgsl"), $extremum, ANY_RANGE], None)
    };
    (sums of $components:literal: $($finish:expr),*) => {
        (
            &[
                ACC,
                F32_ADD,
                ADD_F32,
                part!("operator/vector_sum_f32.wgsl"),
                part!("operator/vector" $components "_sum_f32.wgsl"),
                part!("operator/vector_range_f32.wgsl"),
                $($finish),*
            ],
            Some(&[ACC, F32_ADD, ADD_F32, SOFTWARE, ANY_RANGE, $($finish),*]),
        )
    };
}

macro_rules! value {
    (Sum $out:ty) => {
        total_value!($out);
    };
    (Mean $out:ty) => {
        total_value!($out);
    };
    ($extremum:ident $out:ty) => {
        optional_value!($out);
    };
}

macro_rules! by_components {
    ($($operator:ident [$($vector:ident $scalar:ident $components:literal)*])*) => {
        /// What an operator is for elements of several components. `None` where it is not defined.
        pub(super) fn spec(operator: OperatorType, element: ElementType) -> Option<&'static OperatorSpec> {
            match (operator, element) {
                $($((OperatorType::$operator, ElementType::$vector) => {
                    Some(const { &<$operator as Operator<[$scalar; $components]>>::SPEC })
                })*)*
                _ => None,
            }
        }

        $($(
            impl Operator<[$scalar; $components]> for $operator {
                const SPEC: OperatorSpec = {
                    const PARTS: (&[Part], Option<&[Part]>) =
                        parts!($operator $scalar $components);
                    OperatorSpec {
                        element: ElementType::$vector,
                        out_words: $components,
                        combining: Combining {
                            identity: &[
                                <$operator as Operator<$scalar>>::SPEC.combining.identity[0];
                                $components
                            ],
                            parts: PARTS.0,
                            unchecked: None,
                            software: PARTS.1,
                            subgroup: None,
                            atomic: None,
                        },
                        exact: None,
                        ..<Self as Operator<$scalar>>::SPEC
                    }
                };
                type Acc = [<Self as Operator<$scalar>>::Acc; $components];
                value!($operator [$scalar; $components]);
                #[inline]
                fn identity() -> Self::Acc {
                    [<Self as Operator<$scalar>>::identity(); $components]
                }
                #[inline]
                fn lift(element: [$scalar; $components]) -> Self::Acc {
                    element.map(<Self as Operator<$scalar>>::lift)
                }
                #[inline]
                fn combine(a: Self::Acc, b: Self::Acc) -> Self::Acc {
                    array::from_fn(|i| <Self as Operator<$scalar>>::combine(a[i], b[i]))
                }
                #[inline]
                fn lift_in_integers(element: [$scalar; $components]) -> Self::Acc {
                    element.map(<Self as Operator<$scalar>>::lift_in_integers)
                }
                #[inline]
                fn combine_in_integers(a: Self::Acc, b: Self::Acc) -> Self::Acc {
                    array::from_fn(|i| <Self as Operator<$scalar>>::combine_in_integers(a[i], b[i]))
                }
                fn fold(elements: &[[$scalar; $components]]) -> Option<Self::Acc> {
                    fold::<$scalar, Self, $components>(elements)
                }
                fn finish(total: Self::Acc, len: u64) -> Self::Out {
                    total.map(|total| <Self as Operator<$scalar>>::finish(total, len))
                }
            }
        )*)*
    };
}

by_components! {
    Sum [
        F32x2 f32 2 F32x3 f32 3 F32x4 f32 4
        I32x2 i32 2 I32x3 i32 3 I32x4 i32 4
        U32x2 u32 2 U32x3 u32 3 U32x4 u32 4
    ]
    Mean [F32x2 f32 2 F32x3 f32 3 F32x4 f32 4]
    Min [
        F32x2 f32 2 F32x3 f32 3 F32x4 f32 4
        I32x2 i32 2 I32x3 i32 3 I32x4 i32 4
        U32x2 u32 2 U32x3 u32 3 U32x4 u32 4
    ]
    Max [
        F32x2 f32 2 F32x3 f32 3 F32x4 f32 4
        I32x2 i32 2 I32x3 i32 3 I32x4 i32 4
        U32x2 u32 2 U32x3 u32 3 U32x4 u32 4
    ]
}

/// Elements whose components are taken apart at a time: they stay in the nearest cache. No operator with an order is given more.
const BLOCK: usize = 4096;

/// What the operator on scalars folds each component to.
#[inline(never)]
fn fold<T: Element + Default, Op: Operator<T>, const COMPONENTS: usize>(
    elements: &[[T; COMPONENTS]],
) -> Option<[Op::Acc; COMPONENTS]> {
    let mut scalars = [T::default(); BLOCK];
    let mut totals = [Op::identity(); COMPONENTS];
    for (number, block) in elements.chunks(BLOCK).enumerate() {
        for (component, total) in totals.iter_mut().enumerate() {
            let scalars = &mut scalars[..block.len()];
            for (scalar, element) in scalars.iter_mut().zip(block) {
                *scalar = element[component];
            }
            let next = Op::fold(scalars)?;
            *total = if number == 0 { next } else { Op::combine(*total, next) };
        }
    }
    Some(totals)
}
