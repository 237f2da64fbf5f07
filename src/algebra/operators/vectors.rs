//! Operators on elements of several components: each component has what the operator makes of it alone.

use crate::algebra::{
    element::{Element, ElementType},
    operator::{Combining, Operator, OperatorSpec, Part, part},
    operator_type::vector_operators,
    operators::{
        ANY_RANGE, BitAnd, BitOr, BitXor, Count, F32_ADD, FINISH_WORDS, FOLD, INTEGER,
        LIFT_ELEMENT, Max, MaxAbs, Mean, Min, NO_RANGE, OperatorType, Product, Sum, SumWide,
        extremes::EXTREMUM, product,
    },
};

/// An accumulator has a word for each component,
const ACC: Part = part!("operator/acc.wgsl@components");
/// or two.
const WIDE: Part = part!("operator/vector_sum_wide.wgsl");
/// For products of floats, four.
const APART: Part = part!("operator/product_f32.wgsl@components");
/// For sums of floats,
const ADD_F32: Part = part!("operator/vector_sum_f32.wgsl@add");
/// and where integers make them.
const SOFTWARE: Part = part!("operator/vector_sum_f32.wgsl@software");
/// For extrema and magnitudes.
const EXTREMA: (&[Part], Option<&[Part]>) =
    (&[ACC, part!("operator/extremum.wgsl@components"), EXTREMUM, ANY_RANGE, NO_RANGE], None);

/// An operator on elements of several components, as a device combines them: by the parts, or, where integers do what floats do, by others.
macro_rules! parts {
    (Sum f32 $components:literal) => {
        parts!(sums of $components: part!("operator/vector_sum_f32.wgsl@finish"))
    };
    (Mean f32 $components:literal) => {
        parts!(
            sums of $components:
            part!("operator/vector_sum_f32.wgsl@mean"),
            part!("operator/f32_mean.wgsl"),
            part!("operator/f32_round.wgsl")
        )
    };
    (Product f32 $components:literal) => {
        (
            &[APART, product::FACTORS, product::HARDWARE, ANY_RANGE, NO_RANGE],
            Some(&[APART, product::FACTORS, product::SOFTWARE, ANY_RANGE, NO_RANGE]),
        )
    };
    (SumWide $integer:ident $components:literal) => {
        parts!(wide: part!("operator/vector_sum_wide.wgsl@lift"))
    };
    (Count $element:ident $components:literal) => {
        parts!(wide: part!("operator/vector_sum_wide.wgsl@count"))
    };
    (Min $element:ident $components:literal) => {
        EXTREMA
    };
    (Max $element:ident $components:literal) => {
        EXTREMA
    };
    (MaxAbs $element:ident $components:literal) => {
        EXTREMA
    };
    ($operator:ident $integer:ident $components:literal) => {
        (&[ACC, FOLD, INTEGER, LIFT_ELEMENT, FINISH_WORDS, ANY_RANGE, NO_RANGE], None)
    };
    (wide: $lift:expr) => {
        (&[WIDE, $lift, FINISH_WORDS, ANY_RANGE, NO_RANGE], None)
    };
    (sums of $components:literal: $($finish:expr),*) => {
        (
            &[
                ACC,
                F32_ADD,
                ADD_F32,
                part!("operator/vector_sum_f32.wgsl"),
                part!("operator/vector_sum_f32.wgsl@of_" $components),
                part!("operator/vector_sum_f32.wgsl@range"),
                $($finish),*
            ],
            Some(&[ACC, F32_ADD, ADD_F32, SOFTWARE, ANY_RANGE, NO_RANGE, $($finish),*]),
        )
    };
}

macro_rules! value {
    (Min $out:ty) => {
        optional_value!($out);
    };
    (Max $out:ty) => {
        optional_value!($out);
    };
    ($operator:ident $out:ty) => {
        total_value!($out);
    };
}

/// The accumulator of no elements: a component's, as often as there are components.
const fn repeated<const WORDS: usize>(component: &[u32]) -> [u32; WORDS] {
    let mut words = [0; WORDS];
    let mut i = 0;
    while i < WORDS {
        words[i] = component[i % component.len()];
        i += 1;
    }
    words
}

macro_rules! by_components {
    ($operator:ident $scalar:ident $components:literal) => {
        impl Operator<[$scalar; $components]> for $operator {
            const SPEC: OperatorSpec = {
                const ALONE: OperatorSpec = <$operator as Operator<$scalar>>::SPEC;
                const PARTS: (&[Part], Option<&[Part]>) = parts!($operator $scalar $components);
                OperatorSpec {
                    element: <[$scalar; $components] as Element>::TYPE,
                    out_words: $components * ALONE.out_words,
                    combining: Combining {
                        identity: &repeated::<{ $components * ALONE.combining.identity.len() }>(
                            ALONE.combining.identity,
                        ),
                        parts: PARTS.0,
                        unchecked: None,
                        software: PARTS.1,
                        subgroup: None,
                        atomic: None,
                    },
                    exact: None,
                    ..ALONE
                }
            };
            value!($operator [<$operator as Operator<$scalar>>::Out; $components]);
        }
    };
}

macro_rules! operators_of_vectors {
    ($($operator:ident [$($scalar:ident)*])*) => {
        /// An operator's description for elements of several components. `None` where it is not defined.
        pub(super) const fn spec(operator: OperatorType, element: ElementType) -> Option<&'static OperatorSpec> {
            match (operator, element) {
                $($(
                    (OperatorType::$operator, <[$scalar; 2] as Element>::TYPE) => {
                        Some(const { &<$operator as Operator<[$scalar; 2]>>::SPEC })
                    }
                    (OperatorType::$operator, <[$scalar; 3] as Element>::TYPE) => {
                        Some(const { &<$operator as Operator<[$scalar; 3]>>::SPEC })
                    }
                    (OperatorType::$operator, <[$scalar; 4] as Element>::TYPE) => {
                        Some(const { &<$operator as Operator<[$scalar; 4]>>::SPEC })
                    }
                )*)*
                _ => None,
            }
        }

        $($(
            by_components!($operator $scalar 2);
            by_components!($operator $scalar 3);
            by_components!($operator $scalar 4);
        )*)*
    };
}

vector_operators!(operators_of_vectors!);
