//! Mean, variances, extrema and NaNs: all of one read, without what skewness and kurtosis take.

use crate::algebra::{
    acc_words::{AccWords, Words},
    element::ElementType,
    keys::{Key, Keyed, NANS, key_parts},
    operator::{Algebra, Combining, Operator, OperatorSpec, Part, part},
    operator_type::OperatorType,
    operators::{
        CANONICAL_NAN_BITS, F32_ADD, F32_NORMAL, F64_CANONICAL_NAN_BITS, NO_RANGE, Place, f64_sums,
    },
    run_moments::about_mean,
    spread::{LARGEST, LEAST},
    sums::Addend,
    two_moments::TwoMoments,
};

/// A [`BriefSummary`] of the elements from one read: what [`crate::Moments`] tells, with the same bits, but for skewness and kurtosis. A device
/// has less to do for it, and of `f32`s nothing that takes `f64`s. Of `f16` and `bf16` it is that of the `f32`s of the same values.
///
/// In an output buffer it is 11 words, of `f64`s 16: the sum; the sum of the distances from the first run's mean, and of their squares; where the
/// smallest element is, and the element; the same of the largest; and how many elements are NaN. Numbers of 64 bits have the low word first.
/// `Operator::value` makes a [`BriefSummary`] of these.
///
/// ```
/// use gridfold::{Executor, Place};
///
/// let summary = Executor::auto().brief_moments(&[2.0f32, 4.0, 4.0, 10.0])?;
/// assert_eq!((summary.mean(), summary.variance()), (5.0, 9.0));
/// assert_eq!(summary.min(), Some(Place { index: 0, element: 2.0 }));
/// assert_eq!((summary.len(), summary.nans()), (4, 0));
/// # Ok::<(), gridfold::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[doc(alias("describe"))]
pub struct BriefMoments;

/// The result of [`BriefMoments`]: the elements' mean, variances, extrema, and how many are NaN.
///
/// NaNs are elements: one of them makes all of it NaN, but for where it is, and for [`BriefSummary::nans`]. Every NaN is 0x7fc00000, of `f64`s
/// 0x7ff8000000000000, and no mean is −0. All bits are `Reproducible`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BriefSummary<T> {
    pub(super) len: u64,
    /// As docs/float-sums.md has them: S, A and B.
    pub(super) sum: T,
    pub(super) drift: T,
    pub(super) squares: T,
    pub(super) min: Place<T>,
    pub(super) max: Place<T>,
    pub(super) nans: u64,
}

impl<T: Copy> BriefSummary<T> {
    /// How many elements there are, NaNs among them.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many elements are NaN.
    pub fn nans(&self) -> u64 {
        self.nans
    }

    /// The smallest element, and where it is: what [`struct@crate::ArgMin`] finds. No elements give `None`.
    pub fn min(&self) -> Option<Place<T>> {
        (self.len > 0).then_some(self.min)
    }

    /// The largest element, and where it is: what [`struct@crate::ArgMax`] finds. No elements give `None`.
    pub fn max(&self) -> Option<Place<T>> {
        (self.len > 0).then_some(self.max)
    }
}

macro_rules! summary {
    ($($element:ident: $nan:expr;)*) => {$(
        impl BriefSummary<$element> {
            /// The mean, which has the bits of [`struct@crate::Mean`]. No elements give NaN.
            pub fn mean(&self) -> $element {
                Addend::mean(self.sum, self.len)
            }

            /// The variance of all there are, which has the bits of [`struct@crate::Variance`]. No elements give NaN.
            pub fn variance(&self) -> $element {
                self.over(Some(self.len))
            }

            /// The variance estimated from a sample, which has the bits of [`Variance.sample()`](struct@crate::Variance). Fewer than two elements give NaN.
            pub fn sample_variance(&self) -> $element {
                self.over(self.len.checked_sub(1))
            }

            /// M2.
            pub(super) fn about_mean(&self) -> $element {
                about_mean(self.squares, self.drift, self.len, Addend::mean)
            }

            fn over(&self, divisor: Option<u64>) -> $element {
                let nan = $element::from_bits($nan);
                divisor.filter(|_| self.len > 0).map_or(nan, |divisor| Addend::mean(self.about_mean(), divisor))
            }
        }
    )*};
}

summary! {
    f32: CANONICAL_NAN_BITS;
    f64: F64_CANONICAL_NAN_BITS;
}

const SHARED: Part = part!("operator/two_moments.wgsl");
/// What they have in common with [`crate::Moments`],
pub(super) const MERGED: Part = part!("operator/moments_and_places.wgsl");
/// by devices,
pub(super) const MERGED_BY_DEVICES: Part = part!("operator/moments_and_places.wgsl@hardware");
/// and by integers alone.
pub(super) const SOFTWARE: Part = part!("operator/four_moments.wgsl@software");
const JOIN: Part = part!("operator/moments.wgsl@join");

const fn spec(element: ElementType, out_words: u32, combining: Combining) -> OperatorSpec {
    OperatorSpec {
        operator: OperatorType::BriefMoments,
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
                part!("operator/two_moments.wgsl@f32"),
                part!("operator/moments_f32.wgsl@lift"),
                JOIN,
                F32_ADD,
                part!("operator/f32_add.wgsl@scaled"),
                part!("operator/f32_product.wgsl"),
                part!("operator/f32_round.wgsl"),
                part!("operator/f32_mean.wgsl"),
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
    11,
    Combining {
        identity: &[0, 0, <f32 as Keyed>::LEAST, <f32 as Keyed>::LEAST, 0, 0, 0, 0],
        parts: f32_parts!(
            F32_NORMAL,
            part!("operator/moments_f32.wgsl@device"),
            MERGED_BY_DEVICES,
            part!("operator/range.wgsl@f32"),
            part!("operator/range.wgsl@two_moments")
        ),
        software: Some(f32_parts!(SOFTWARE, NO_RANGE)),
        ..Combining::NONE
    },
);

const F64: OperatorSpec = spec(
    ElementType::F64,
    16,
    Combining {
        identity: &[0, 0, 0, 0, !0, 0x000f_ffff, !0, 0x000f_ffff, 0, 0, 0, 0],
        // Integers do it on every device.
        parts: &const {
            let [words, keys] = key_parts(ElementType::F64);
            [
                SHARED,
                MERGED,
                SOFTWARE,
                NO_RANGE,
                part!("operator/two_moments.wgsl@f64"),
                part!("operator/moments_f64.wgsl@lift"),
                JOIN,
                part!("operator/f64_add.wgsl@scaled"),
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
        impl Operator<$element> for BriefMoments {
            const SPEC: OperatorSpec = $spec;
            type Out = [u32; $words];
            type Value = BriefSummary<$element>;
            fn value(out: Self::Out, len: u64) -> Self::Value {
                let words = &mut &out[..];
                let [sum, drift, squares] = take::<[$element; 3]>(words);
                let [min, max] = [(); 2].map(|()| take_place::<$element>(words));
                BriefSummary { len, sum, drift, squares, min, max, nans: take::<u64>(words) }
            }
            fn out(value: Self::Value) -> Option<Self::Out> {
                let BriefSummary { sum, drift, squares, min, max, nans, .. } = value;
                let mut words = Words::default();
                [sum, drift, squares].write(&mut words);
                [min, max].into_iter().for_each(|place| write_place(place, &mut words));
                nans.write(&mut words);
                Some(words[..].try_into().expect("as many"))
            }
        }

        impl Algebra<$element> for BriefMoments {
            const ORDER_FREE: bool = false;
            type Acc = TwoMoments<$element>;
            type Out = <Self as Operator<$element>>::Out;
            fn identity(self) -> Self::Acc {
                TwoMoments::nothing()
            }
            #[inline]
            fn lift(self, element: $element) -> Self::Acc {
                TwoMoments::of(element)
            }
            fn combine(self, a: Self::Acc, b: Self::Acc) -> Self::Acc {
                a.combine(b)
            }
            fn combine_in_integers(self, a: Self::Acc, b: Self::Acc) -> Self::Acc {
                a.combine_in_integers(b)
            }
            fn fold(self, elements: &[$element]) -> Option<Self::Acc> {
                Some(TwoMoments::fold(elements))
            }
            fn finish(self, TwoMoments { run, sum, spread, .. }: Self::Acc, _len: u64) -> Self::Out {
                let mut words = Words::default();
                [sum, run.drift(), run.squares()].write(&mut words);
                words.extend(&LEAST.bits::<$element>(spread.least).to_place(spread.least_at));
                words.extend(&LARGEST.bits::<$element>(spread.largest).to_place(spread.largest_at));
                spread.nans.write(&mut words);
                words[..].try_into().expect("as many")
            }
        }
    )*};
}

moments! {
    f32 of 11: F32;
    f64 of 16: F64;
}

/// The next value of some words.
pub(super) fn take<A: AccWords>(words: &mut &[u32]) -> A {
    let (own, rest) = words.split_at(A::WORDS);
    *words = rest;
    A::read(own).expect("any words")
}

/// The next place: its element has its bits as they are, of a zero the sign, too.
pub(super) fn take_place<T: AccWords + bytemuck::Pod>(words: &mut &[u32]) -> Place<T> {
    let index = take::<u64>(words);
    let (element, rest) = words.split_at(T::WORDS);
    *words = rest;
    Place { index, element: bytemuck::pod_read_unaligned(bytemuck::cast_slice(element)) }
}

/// The inverse.
pub(super) fn write_place<T: Keyed>(Place { index, element }: Place<T>, words: &mut Words) {
    index.write(words);
    bytemuck::cast::<T, T::Key>(element).write(words);
}

#[cfg(test)]
mod tests {
    use crate::{ArgMax, ArgMin, BriefSummary, CountNan, Executor, Mean, Variance};

    #[test]
    fn they_are_what_each_operator_says() {
        let cpu = Executor::cpu();
        let mut elements: Vec<f32> =
            (0..10_000u32).map(|i| (i.wrapping_mul(0x9e37_79b1) >> 9) as f32 / 3.0 - 1e6).collect();
        for special in [None, Some(-0.0), Some(f32::INFINITY), Some(f32::NAN)] {
            if let Some(special) = special {
                elements[77] = special;
            }
            for len in [0, 1, 2, 3, 7, 100, 4096, 4097, 10_000] {
                let elements = &elements[..len];
                let found = cpu.brief_moments(elements).expect("the CPU does not fail");
                let wanted = [
                    cpu.reduce(elements, Mean).expect("a mean").value,
                    cpu.reduce(elements, Variance).expect("a variance").value,
                    cpu.reduce(elements, Variance.sample()).expect("a variance").value,
                ];
                let own = [found.mean(), found.variance(), found.sample_variance()];
                assert_eq!(own.map(f32::to_bits), wanted.map(f32::to_bits), "{len}");
                let min = cpu.reduce(elements, ArgMin).expect("a place").value;
                let max = cpu.reduce(elements, ArgMax).expect("a place").value;
                assert_eq!(
                    format!("{:?}", [found.min(), found.max()]),
                    format!("{:?}", [min, max])
                );
                let nans = cpu.reduce(elements, CountNan).expect("a number").value;
                assert_eq!((found.nans(), found.len()), (nans, len as u64));
                assert_eq!(found.is_empty(), len == 0);
                // And what moments say.
                let all = cpu.moments(elements).expect("the CPU does not fail");
                let text = |summary: BriefSummary<f32>| format!("{summary:?}");
                assert_eq!(text(found), text(all.brief()), "{len}");
            }
        }
    }
}
