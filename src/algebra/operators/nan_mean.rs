//! The mean of what is not NaN.

use crate::algebra::{
    acc_words::{AccWords, Words, read_two, write_two},
    element::ElementType,
    operator::{Algebra, Combining, OperatorSpec, Part, part},
    operator_type::OperatorType,
    operators::{ANY_RANGE, F32_ADD, F32_NORMAL, NO_RANGE, f64_sums},
    sums::{self, Addend},
};

/// The mean of the elements that are not NaN: 0 stands in a NaN's place, so that the others keep the order of all elements,
/// [`crate::order`].
#[derive(Clone, Copy)]
pub(crate) struct MeanOfNumbers;

/// The sum of the elements that are not NaN, and their number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NumbersSum<F> {
    sum: F,
    count: u64,
}

impl<F: AccWords> AccWords for NumbersSum<F> {
    const WORDS: usize = F::WORDS + 2;
    fn write(self, words: &mut Words) {
        self.sum.write(words);
        write_two(self.count, words);
    }
    fn read(words: &[u32]) -> Option<Self> {
        let (sum, count) = words.split_at(F::WORDS);
        Some(Self { sum: F::read(sum)?, count: read_two(count) })
    }
}

/// What both types share.
const SHARED: Part = part!("operator/nan_mean.wgsl");
/// Where a device adds floats.
const CHECKED: Part = part!("operator/nan_mean.wgsl@checked");

const F32: Combining = Combining {
    identity: &[0; 3],
    parts: &[
        SHARED,
        CHECKED,
        part!("operator/nan_mean_floats.wgsl@f32"),
        part!("operator/nan_mean_floats.wgsl@f32_hardware"),
        F32_ADD,
        F32_NORMAL,
        part!("operator/range.wgsl@f32"),
        part!("operator/range.wgsl@f32_lost"),
        part!("operator/f32_mean.wgsl"),
        part!("operator/f32_round.wgsl"),
    ],
    unchecked: None,
    software: Some(&[
        SHARED,
        part!("operator/nan_mean_floats.wgsl@f32"),
        part!("operator/nan_mean_floats.wgsl@f32_software"),
        F32_ADD,
        ANY_RANGE,
        NO_RANGE,
        part!("operator/f32_mean.wgsl"),
        part!("operator/f32_round.wgsl"),
    ]),
    subgroup: None,
    atomic: None,
};

const F64: Combining = Combining {
    identity: &[0; 4],
    parts: &[
        SHARED,
        CHECKED,
        part!("operator/nan_mean_floats.wgsl@f64"),
        part!("operator/nan_mean_floats.wgsl@f64_hardware"),
        f64_sums::ADD,
        f64_sums::SHIFT,
        f64_sums::FENCE,
        f64_sums::NORMAL,
        f64_sums::RANGE,
        f64_sums::MEAN,
        f64_sums::ROUND,
    ],
    software: Some(&[
        SHARED,
        part!("operator/nan_mean_floats.wgsl@f64"),
        part!("operator/nan_mean_floats.wgsl@f64_software"),
        f64_sums::ADD,
        f64_sums::SHIFT,
        ANY_RANGE,
        NO_RANGE,
        f64_sums::MEAN,
        f64_sums::ROUND,
    ]),
    ..F32
};

/// The mean's description, where NaNs are ignored.
pub(super) const fn spec(operator: OperatorType, element: ElementType) -> OperatorSpec {
    OperatorSpec {
        operator,
        element,
        inputs: 1,
        out_words: element.words(),
        order_free: false,
        computes_floats: true,
        combining: if element.words() == 1 { F32 } else { F64 },
        exact: None,
    }
}

impl<F: Addend> Algebra<F> for MeanOfNumbers {
    const ORDER_FREE: bool = false;
    type Acc = NumbersSum<F>;
    type Out = F;
    #[inline]
    fn identity(self) -> Self::Acc {
        NumbersSum { sum: F::default(), count: 0 }
    }
    #[inline]
    fn lift(self, element: F) -> Self::Acc {
        match element.is_nan() {
            true => Algebra::<F>::identity(self),
            false => NumbersSum { sum: element, count: 1 },
        }
    }
    #[inline]
    fn combine(self, a: Self::Acc, b: Self::Acc) -> Self::Acc {
        NumbersSum { sum: a.sum + b.sum, count: a.count + b.count }
    }
    fn combine_in_integers(self, a: Self::Acc, b: Self::Acc) -> Self::Acc {
        NumbersSum { sum: F::add_in_integers(a.sum, b.sum), count: a.count + b.count }
    }
    fn fold(self, elements: &[F]) -> Option<Self::Acc> {
        let nans = elements.iter().map(|element| u64::from(element.is_nan())).sum::<u64>();
        Some(NumbersSum { sum: sums::of_numbers(elements), count: elements.len() as u64 - nans })
    }
    #[inline]
    fn finish(self, total: Self::Acc, _len: u64) -> F {
        F::mean(total.sum, total.count)
    }
}
