//! Mean, variances, skewness, kurtosis, extrema and NaNs: all of one read.

use crate::{
    algebra::{
        acc_words::{AccWords, Words},
        element::ElementType,
        f64_arithmetic,
        four_moments::{Elements, FourMoments},
        keys::{Key, Keyed, NANS, key_parts},
        operator::{Algebra, Combining, Operator, OperatorSpec, Part, part},
        operator_type::OperatorType,
        operators::{
            F32_ADD, F32_NORMAL, NO_RANGE, Place,
            brief_moments::{
                BriefSummary, MERGED, MERGED_BY_DEVICES, SOFTWARE, take, take_place, write_place,
            },
            f64_sums,
        },
        spread::{LARGEST, LEAST},
        sums::Addend,
    },
    exact::f64_bits::CANONICAL_NAN,
};

/// A [`Summary`] of the elements from one read, by merging runs of equal length in the order of [`crate::order`]
/// (docs/float-sums.md says how). Of `f16` and `bf16` it is that of the `f32`s of the same values.
///
/// In an output buffer it is 15 words, of `f64`s 20: the sum; the sum of the distances from the first run's mean, and of their squares; as
/// `f64`s those of their third and fourth powers; where the smallest element is, and the element; the same of the largest; and how many elements
/// are NaN. Numbers of 64 bits have the low word first. `Operator::value` makes a [`Summary`] of these.
///
/// ```
/// use gridfold::{Executor, Place};
///
/// let summary = Executor::auto().moments(&[2.0f32, 4.0, 4.0, 10.0])?;
/// assert_eq!((summary.mean(), summary.variance()), (5.0, 9.0));
/// assert_eq!(summary.skewness(), 24.0 / 27.0);
/// assert_eq!(summary.max(), Some(Place { index: 3, element: 10.0 }));
/// assert_eq!(summary.nans(), 0);
/// # Ok::<(), gridfold::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[doc(alias("describe"))]
pub struct Moments;

/// The result of [`Moments`]: the elements' mean, variances, skewness, kurtosis, extrema, and how many are NaN.
///
/// NaNs are elements: one of them makes all of it NaN, but for where it is, and for [`Summary::nans`]. Every NaN is 0x7fc00000, of `f64`s
/// 0x7ff8000000000000, and no mean is −0. All bits are `Reproducible`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary<T> {
    brief: BriefSummary<T>,
    /// As docs/float-sums.md has them: T and U.
    cubes: f64,
    fourths: f64,
}

impl<T: Copy> Summary<T> {
    /// All but skewness and kurtosis: what [`crate::BriefMoments`] finds.
    pub fn brief(&self) -> BriefSummary<T> {
        self.brief
    }

    /// How many elements there are, NaNs among them.
    pub fn len(&self) -> u64 {
        self.brief.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.brief.is_empty()
    }

    /// How many elements are NaN.
    pub fn nans(&self) -> u64 {
        self.brief.nans()
    }

    /// The smallest element, and where it is: what [`struct@crate::ArgMin`] finds. No elements give `None`.
    pub fn min(&self) -> Option<Place<T>> {
        self.brief.min()
    }

    /// The largest element, and where it is: what [`struct@crate::ArgMax`] finds. No elements give `None`.
    pub fn max(&self) -> Option<Place<T>> {
        self.brief.max()
    }
}

macro_rules! summary {
    ($($element:ident)*) => {$(
        impl Summary<$element> {
            /// The mean, which has the bits of [`struct@crate::Mean`]. No elements give NaN.
            pub fn mean(&self) -> $element {
                self.brief.mean()
            }

            /// The variance of all there are, which has the bits of [`struct@crate::Variance`]. No elements give NaN.
            pub fn variance(&self) -> $element {
                self.brief.variance()
            }

            /// The variance estimated from a sample, which has the bits of [`Variance.sample()`](struct@crate::Variance). Fewer than two elements give NaN.
            pub fn sample_variance(&self) -> $element {
                self.brief.sample_variance()
            }

            /// The skewness of all there are: the mean of the third powers of the distances from the mean, divided by the variance to the power
            /// 3/2. NaN unless the variance is more than 0 and finite.
            pub fn skewness(&self) -> f64 {
                self.shape().map_or(f64::from_bits(CANONICAL_NAN), |[skewness, _]| skewness)
            }

            /// The kurtosis of all there are: the mean of the fourth powers of the distances from the mean, divided by the variance's square. That
            /// of a normal distribution is 3. NaN unless the variance is more than 0 and finite.
            pub fn kurtosis(&self) -> f64 {
                self.shape().map_or(f64::from_bits(CANONICAL_NAN), |[_, kurtosis]| kurtosis)
            }

            /// Skewness and kurtosis.
            fn shape(&self) -> Option<[f64; 2]> {
                let BriefSummary { len, drift, squares, .. } = self.brief;
                let squares = [drift, squares, self.brief.about_mean()].map(Elements::widened);
                shape(len, squares, self.cubes, self.fourths)
            }
        }
    )*};
}

summary! {
    f32
    f64
}

/// Of A, B and M2. In integers, as the thread may have any float environment.
fn shape(len: u64, [drift, squares, m2]: [f64; 3], cubes: f64, fourths: f64) -> Option<[f64; 2]> {
    use f64_arithmetic::{divide, multiply, quotient, root};
    let subtract = |a, b: f64| f64_arithmetic::add(a, -b);
    let variance = divide(m2, len);
    // By their bits, as the thread may take subnormals for 0.
    let bits = variance.to_bits();
    if bits == 0 || bits >= f64::INFINITY.to_bits() {
        return None;
    }
    let shift = divide(drift, len);
    let of_all = multiply(shift, drift);
    let third = subtract(multiply(3.0, squares), multiply(2.0, of_all));
    let third = subtract(cubes, multiply(shift, third));
    let fourth = subtract(multiply(6.0, squares), multiply(3.0, of_all));
    let fourth = subtract(multiply(4.0, cubes), multiply(shift, fourth));
    let fourth = subtract(fourths, multiply(shift, fourth));
    let skewness = quotient(divide(third, len), multiply(variance, root(variance)));
    let kurtosis = quotient(divide(fourth, len), multiply(variance, variance));
    Some([skewness, kurtosis].map(Addend::canonical))
}

const SHARED: Part = part!("operator/four_moments.wgsl");
const JOIN: Part = part!("operator/moments.wgsl@join");
const ADD_SCALED: Part = part!("operator/f64_add.wgsl@scaled");

const fn spec(element: ElementType, out_words: u32, combining: Combining) -> OperatorSpec {
    OperatorSpec {
        operator: OperatorType::Moments,
        element,
        inputs: 1,
        out_words,
        order_free: false,
        computes_floats: combining.software.is_some(),
        combining,
        exact: None,
    }
}

/// Moments of `f32`s, and then how they combine.
macro_rules! f32_parts {
    ($($combine:expr),*) => {
        &const {
            let [words, keys] = key_parts(ElementType::F32);
            [
                SHARED,
                MERGED,
                part!("operator/four_moments.wgsl@f32"),
                part!("operator/moments_f32.wgsl@lift"),
                JOIN,
                F32_ADD,
                part!("operator/f32_add.wgsl@scaled"),
                part!("operator/f32_product.wgsl"),
                part!("operator/f32_round.wgsl"),
                part!("operator/f32_mean.wgsl"),
                part!("element/numbers.wgsl@f64"),
                part!("element/two_words.wgsl@less"),
                ADD_SCALED,
                f64_sums::MULTIPLY,
                f64_sums::ROUND,
                f64_sums::SHIFT,
                words,
                keys,
                NANS,
                $($combine),*
            ]
        }
    };
}

const F32: OperatorSpec = spec(
    ElementType::F32,
    15,
    Combining {
        identity: &[0, 0, 0, 0, 0, 0, <f32 as Keyed>::LEAST, <f32 as Keyed>::LEAST, 0, 0, 0, 0],
        parts: f32_parts!(
            F32_NORMAL,
            f64_sums::FENCE,
            part!("operator/moments_f32.wgsl@device"),
            MERGED_BY_DEVICES,
            part!("operator/four_moments.wgsl@hardware"),
            part!("operator/range.wgsl@f32"),
            part!("operator/range.wgsl@four_moments")
        ),
        software: Some(f32_parts!(SOFTWARE, NO_RANGE)),
        ..Combining::NONE
    },
);

const F64: OperatorSpec = spec(
    ElementType::F64,
    20,
    Combining {
        identity: &[0, 0, 0, 0, 0, 0, 0, 0, !0, 0x000f_ffff, !0, 0x000f_ffff, 0, 0, 0, 0],
        // Integers do it on every device.
        parts: &const {
            let [words, keys] = key_parts(ElementType::F64);
            [
                SHARED,
                MERGED,
                SOFTWARE,
                NO_RANGE,
                part!("operator/four_moments.wgsl@f64"),
                part!("operator/moments_f64.wgsl@lift"),
                JOIN,
                ADD_SCALED,
                f64_sums::MULTIPLY,
                f64_sums::ROUND,
                f64_sums::SHIFT,
                f64_sums::MEAN,
                words,
                keys,
                NANS,
            ]
        },
        ..Combining::NONE
    },
);

macro_rules! moments {
    ($($element:ident of $words:literal: $spec:expr;)*) => {$(
        impl Operator<$element> for Moments {
            const SPEC: OperatorSpec = $spec;
            type Out = [u32; $words];
            type Value = Summary<$element>;
            fn value(out: Self::Out, len: u64) -> Self::Value {
                let words = &mut &out[..];
                let [sum, drift, squares] = take::<[$element; 3]>(words);
                let [cubes, fourths] = take::<[f64; 2]>(words);
                let [min, max] = [(); 2].map(|()| take_place::<$element>(words));
                let nans = take::<u64>(words);
                let brief = BriefSummary { len, sum, drift, squares, min, max, nans };
                Summary { brief, cubes, fourths }
            }
            fn out(value: Self::Value) -> Option<Self::Out> {
                let Summary { brief, cubes, fourths } = value;
                let BriefSummary { sum, drift, squares, min, max, nans, .. } = brief;
                let mut words = Words::default();
                [sum, drift, squares].write(&mut words);
                [cubes, fourths].write(&mut words);
                [min, max].into_iter().for_each(|place| write_place(place, &mut words));
                nans.write(&mut words);
                Some(words[..].try_into().expect("as many"))
            }
        }

        impl Algebra<$element> for Moments {
            const ORDER_FREE: bool = false;
            type Acc = FourMoments<$element>;
            type Out = <Self as Operator<$element>>::Out;
            fn identity(self) -> Self::Acc {
                FourMoments::nothing()
            }
            #[inline]
            fn lift(self, element: $element) -> Self::Acc {
                FourMoments::of(element)
            }
            fn combine(self, a: Self::Acc, b: Self::Acc) -> Self::Acc {
                a.combine(b)
            }
            fn combine_in_integers(self, a: Self::Acc, b: Self::Acc) -> Self::Acc {
                a.combine_in_integers(b)
            }
            fn fold(self, elements: &[$element]) -> Option<Self::Acc> {
                Some(FourMoments::fold(elements))
            }
            fn finish(self, FourMoments { high, spread }: Self::Acc, _len: u64) -> Self::Out {
                let mut words = Words::default();
                [high.sum, high.run.drift(), high.run.squares()].write(&mut words);
                high.cubes.write(&mut words);
                high.fourths.write(&mut words);
                words.extend(&LEAST.bits::<$element>(spread.least).to_place(spread.least_at));
                words.extend(&LARGEST.bits::<$element>(spread.largest).to_place(spread.largest_at));
                spread.nans.write(&mut words);
                words[..].try_into().expect("as many")
            }
        }
    )*};
}

moments! {
    f32 of 15: F32;
    f64 of 20: F64;
}

#[cfg(test)]
mod tests {
    use crate::{ArgMax, ArgMin, CountNan, Executor, Mean, Variance};

    #[test]
    fn they_are_what_each_operator_says() {
        let cpu = Executor::cpu();
        let mut elements: Vec<f32> =
            (0..10_000u32).map(|i| (i.wrapping_mul(0x9e37_79b1) >> 9) as f32 / 3.0 - 1e6).collect();
        for nan_at in [None, Some(77)] {
            if let Some(at) = nan_at {
                elements[at] = f32::NAN;
            }
            for len in [0, 1, 2, 3, 7, 100, 4096, 4097, 10_000] {
                let elements = &elements[..len];
                let found = cpu.moments(elements).expect("the CPU does not fail");
                let of_len = |bits: [f32; 3]| bits.map(f32::to_bits);
                let wanted = [
                    cpu.reduce(elements, Mean).expect("a mean").value,
                    cpu.reduce(elements, Variance).expect("a variance").value,
                    cpu.reduce(elements, Variance.sample()).expect("a variance").value,
                ];
                let own = [found.mean(), found.variance(), found.sample_variance()];
                assert_eq!(of_len(own), of_len(wanted), "{len}");
                let min = cpu.reduce(elements, ArgMin).expect("a place").value;
                let max = cpu.reduce(elements, ArgMax).expect("a place").value;
                assert_eq!(
                    format!("{:?}", [found.min(), found.max()]),
                    format!("{:?}", [min, max])
                );
                let nans = cpu.reduce(elements, CountNan).expect("a number").value;
                assert_eq!((found.nans(), found.len()), (nans, len as u64));
            }
        }
    }

    #[test]
    fn shapes_are_those_of_the_formulas() {
        let elements: Vec<f64> =
            (0..5000u32).map(|i| f64::from(i.wrapping_mul(i) % 1009)).collect();
        let found = Executor::cpu().moments(&elements).expect("the CPU does not fail");
        let n = elements.len() as f64;
        let mean = elements.iter().sum::<f64>() / n;
        let moment = |power| elements.iter().map(|x| (x - mean).powi(power)).sum::<f64>() / n;
        let skewness = moment(3) / moment(2).powf(1.5);
        let kurtosis = moment(4) / moment(2).powi(2);
        assert!((found.skewness() - skewness).abs() < 1e-12, "{} {skewness}", found.skewness());
        assert!((found.kurtosis() - kurtosis).abs() < 1e-12, "{} {kurtosis}", found.kurtosis());
    }
}
