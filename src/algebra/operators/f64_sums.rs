//! Sums of f64s, and what comes of them: each addition rounded, in the order of [`crate::order`].

use crate::algebra::{
    element::ElementType,
    exact_total::ExactKind,
    operator::{Combining, ExactSpec, ExactTerms, Operator, OperatorSpec, Part, part},
    operator_type::OperatorType,
    operators::{
        ACC_TWO_WORDS, ANY_RANGE, LIFT_COUNTED, LIFT_ELEMENT, Mean, NO_RANGE, Norm, Sum,
        SumOfSquares,
    },
};

const IDENTITY: Part = part!("operator/sum_f64.wgsl@identity");
pub(super) const SHIFT: Part = part!("operator/f64_round.wgsl@shift");
pub(super) const ADD: Part = part!("operator/f64_add.wgsl");
/// For what the device computes, to see whether it is right.
pub(super) const NORMAL: Part = part!("operator/f64_round.wgsl@normal");
const SUM: Part = part!("operator/sum_f64.wgsl");
const SOFTWARE_SUM: Part = part!("operator/sum_f64.wgsl@software");
pub(super) const FENCE: Part = part!("operator/f64_round.wgsl@fence");
pub(super) const RANGE: Part = part!("operator/range.wgsl@f64");
const OF_ADDENDS: Part = part!("operator/range.wgsl@f64_addends");
const OF_FACTORS: Part = part!("operator/range.wgsl@f64_factors");
pub(super) const MULTIPLY: Part = part!("operator/f64_product.wgsl");
const PRODUCTS: Part = part!("operator/products.wgsl@f64");
const SOFTWARE_PRODUCTS: Part = part!("operator/products.wgsl@f64_software");
pub(super) const ROUND: Part = part!("operator/f64_round.wgsl");
const FINISH: Part = part!("operator/sum_f64.wgsl@finish");
pub(super) const MEAN: Part = part!("operator/f64_mean.wgsl");

/// How sums combine on a device, of `elements` or of `products`: by its own f64s, and in integers. Then come the parts that make the
/// result.
macro_rules! f64_sums_of {
    (elements, $($finish:expr),*) => {
        combining(
            &[ACC_TWO_WORDS, IDENTITY, SHIFT, ADD, LIFT_ELEMENT, FENCE, SUM, NORMAL, RANGE, OF_ADDENDS, $($finish),*],
            &[ACC_TWO_WORDS, IDENTITY, SHIFT, ADD, LIFT_ELEMENT, SOFTWARE_SUM, ANY_RANGE, NO_RANGE, $($finish),*],
        )
    };
    (products, $($finish:expr),*) => {
        combining(
            &[
                ACC_TWO_WORDS, IDENTITY, SHIFT, ADD, FENCE, SUM, NORMAL, RANGE, OF_FACTORS, PRODUCTS, MULTIPLY,
                ROUND, $($finish),*
            ],
            &[
                ACC_TWO_WORDS, IDENTITY, SHIFT, ADD, SOFTWARE_SUM, ANY_RANGE, NO_RANGE, SOFTWARE_PRODUCTS,
                MULTIPLY, ROUND, $($finish),*
            ],
        )
    };
}

const fn combining(hardware: &'static [Part], software: &'static [Part]) -> Combining {
    Combining {
        identity: &[0, 0],
        parts: hardware,
        unchecked: None,
        software: Some(software),
        subgroup: None,
        atomic: None,
    }
}

/// Where there are kernels of exact results: what makes the sum of all elements one.
const fn exactly(value: &'static [Part]) -> Option<ExactSpec> {
    ExactSpec::everywhere(ExactTerms::Doubles, value)
}

/// Of products: no device has the digits.
pub(super) const EXACT_PRODUCTS: Option<ExactSpec> = ExactSpec::on_cpu(ExactKind::DoubleProducts);

pub(super) const fn spec(
    operator: OperatorType,
    combining: Combining,
    exact: Option<ExactSpec>,
) -> OperatorSpec {
    OperatorSpec {
        operator,
        element: ElementType::F64,
        inputs: 1,
        out_words: 2,
        order_free: false,
        computes_floats: true,
        combining,
        exact,
    }
}

/// Of what is counted: of magnitudes, or of what is not NaN.
pub(super) const fn counted() -> Combining {
    combining(
        &[
            ACC_TWO_WORDS,
            IDENTITY,
            SHIFT,
            ADD,
            LIFT_COUNTED,
            FENCE,
            SUM,
            NORMAL,
            RANGE,
            OF_ADDENDS,
            FINISH,
        ],
        &[
            ACC_TWO_WORDS,
            IDENTITY,
            SHIFT,
            ADD,
            LIFT_COUNTED,
            SOFTWARE_SUM,
            ANY_RANGE,
            NO_RANGE,
            FINISH,
        ],
    )
}

/// How products of pairs combine, and squares.
pub(super) const SUM_OF_PRODUCTS: Combining = f64_sums_of!(products, FINISH);

/// How [`Norm`] combines squares that are there already.
pub(super) const ROOT_OF_SUM: Combining =
    f64_sums_of!(elements, ROUND, part!("operator/norm.wgsl@f64"));

macro_rules! f64_sums {
    ($(
        $operator:ident {
            combining: $combining:expr,
            exact: $exact:expr,
        }
    )*) => {$(
        impl Operator<f64> for $operator {
            const SPEC: OperatorSpec = spec(OperatorType::$operator, $combining, $exact);
            total_value!(f64);
        }
    )*};
}

f64_sums! {
    Sum {
        combining: f64_sums_of!(elements, FINISH),
        exact: exactly(&[part!("exact/value.wgsl@sum_f64")]),
    }
    Mean {
        combining: f64_sums_of!(elements, ROUND, MEAN, part!("operator/f64_mean.wgsl@finish")),
        exact: exactly(&[part!("exact/value.wgsl@mean_f64"), part!("exact/divide.wgsl")]),
    }
    SumOfSquares {
        combining: SUM_OF_PRODUCTS,
        exact: EXACT_PRODUCTS,
    }
    Norm {
        combining: f64_sums_of!(products, part!("operator/norm.wgsl@f64")),
        exact: EXACT_PRODUCTS,
    }
}
