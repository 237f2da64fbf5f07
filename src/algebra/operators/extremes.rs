//! Extrema, and both at once.

use crate::algebra::{
    keys::{ARG_END, BLOCK, Comparable, Keyed, NANS, Order, key_parts},
    operator::{Algebra, AtomicSpec, Combining, Operator, OperatorSpec, Part, part},
    operator_type::{OperatorKind, OperatorType},
    operators::{ACC_TWO_WORDS, ACC_WORD, ANY_RANGE, NO_RANGE},
    options::{NanRule, Options},
};

with_options! {
    /// The smallest element. A NaN anywhere gives 0x7fc00000, of `f64`s 0x7ff8000000000000; −0 < +0. No elements give `None`.
    #[doc(alias("min_element", "minimum", "nanmin"))]
    Min: nan_rule
}

with_options! {
    /// The largest element. A NaN anywhere gives 0x7fc00000, of `f64`s 0x7ff8000000000000; −0 < +0. No elements give `None`.
    #[doc(alias("max_element", "maximum", "nanmax"))]
    Max: nan_rule
}

with_options! {
    /// The smallest and the largest element, in one read: [`struct@crate::Min`] and [`struct@crate::Max`]. A NaN anywhere makes both NaN; −0 < +0. Of
    /// nothing: `None`.
    ///
    /// ```
    /// use gridfold::{Executor, Extremes};
    ///
    /// let executor = Executor::auto();
    /// assert_eq!(executor.min_max(&[3, -8, 5])?, Some(Extremes { min: -8, max: 5 }));
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    MinMax: nan_rule
}

/// The smallest and the largest: elements, or their places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Extremes<V> {
    /// The smallest.
    pub min: V,
    /// The largest.
    pub max: V,
}

/// An extremum by its key.
#[derive(Clone, Copy)]
pub(crate) struct Extremum(pub(crate) Order);

impl<T: Comparable> Algebra<T> for Extremum {
    type Acc = T::Key;
    type Out = T::Key;
    #[inline]
    fn identity(self) -> T::Key {
        self.0.identity::<T>()
    }
    #[inline]
    fn lift(self, element: T) -> T::Key {
        self.0.key(element)
    }
    #[inline]
    fn combine(self, a: T::Key, b: T::Key) -> T::Key {
        a.max(b)
    }
    #[inline]
    fn fold(self, elements: &[T]) -> Option<T::Key> {
        Some(self.0.best::<T>(elements))
    }
    #[inline]
    fn finish(self, total: T::Key, _len: u64) -> T::Key {
        self.0.bits::<T>(total)
    }
}

/// Both extrema by their keys: the complement of the least, and the largest, so that the greatest are the best.
#[derive(Clone, Copy)]
pub(crate) struct BothExtrema(pub(crate) NanRule);

impl BothExtrema {
    const fn each(self) -> [Extremum; 2] {
        [Extremum(Order::least(self.0)), Extremum(Order::largest(self.0))]
    }
}

impl<T: Comparable> Algebra<T> for BothExtrema {
    type Acc = [T::Key; 2];
    type Out = [T::Key; 2];
    #[inline]
    fn identity(self) -> Self::Acc {
        self.each().map(|end| Algebra::<T>::identity(end))
    }
    #[inline]
    fn lift(self, element: T) -> Self::Acc {
        self.each().map(|end| end.lift(element))
    }
    #[inline]
    fn combine(self, [least, largest]: Self::Acc, [a, b]: Self::Acc) -> Self::Acc {
        [least.max(a), largest.max(b)]
    }
    fn fold(self, elements: &[T]) -> Option<Self::Acc> {
        let of_block = |block| self.each().map(|Extremum(order)| order.best::<T>(block));
        let combine = |a, b| Algebra::<T>::combine(self, a, b);
        Some(elements.chunks(BLOCK).map(of_block).fold(Algebra::<T>::identity(self), combine))
    }
    fn finish(self, [least, largest]: Self::Acc, len: u64) -> Self::Out {
        let [min, max] = self.each();
        [Algebra::<T>::finish(min, least, len), Algebra::<T>::finish(max, largest, len)]
    }
}

/// Keys that are 0, as words.
const NO_KEYS: &[u32] = &[0; 4];

/// The words of an accumulator of no elements, which has so many keys.
const fn identity<T: Keyed>(operator: OperatorType, keys: u32) -> &'static [u32] {
    let words = (keys * T::TYPE.words()) as usize;
    let of_magnitudes = matches!(operator.kind(), OperatorKind::MaxAbs);
    match operator.nan_rule() {
        NanRule::Propagate if !of_magnitudes => T::EXTREMES_IDENTITY.split_at(words).0,
        _ => NO_KEYS.split_at(words).0,
    }
}

/// How both extrema combine on a device.
pub(super) const fn both_spec<T: Keyed>(operator: OperatorType) -> OperatorSpec {
    let words = T::TYPE.words();
    OperatorSpec {
        out_words: 2 * words,
        ..OperatorSpec::order_free(
            operator,
            T::TYPE,
            Combining {
                identity: identity::<T>(operator, 2),
                parts: &const {
                    let [words, keys] = key_parts(T::TYPE);
                    [words, keys, NANS, part!("operator/extremum.wgsl@both"), ANY_RANGE, NO_RANGE]
                },
                unchecked: None,
                software: None,
                subgroup: match words {
                    1 => Some(part!("operator/extremum.wgsl@both_subgroup")),
                    _ => None,
                },
                atomic: None,
            },
        )
    }
}

/// The part that makes an extremum, of an element or of its components.
pub(super) const EXTREMUM: Part = part!("operator/extremum.wgsl");

/// How one extremum combines on a device, or the largest magnitude.
pub(super) const fn one_spec<T: Keyed>(operator: OperatorType) -> OperatorSpec {
    let words = T::TYPE.words();
    OperatorSpec {
        out_words: words,
        ..OperatorSpec::order_free(
            operator,
            T::TYPE,
            Combining {
                identity: identity::<T>(operator, 1),
                parts: &const {
                    let [words, keys] = key_parts(T::TYPE);
                    let acc = if T::TYPE.words() == 1 { ACC_WORD } else { ACC_TWO_WORDS };
                    [words, keys, NANS, ARG_END, acc, EXTREMUM, ANY_RANGE, NO_RANGE]
                },
                unchecked: None,
                software: None,
                subgroup: match words {
                    1 => Some(part!("operator/extremum.wgsl@subgroup")),
                    _ => None,
                },
                atomic: match words {
                    1 => Some(AtomicSpec::native(part!("operator/extremum.wgsl@atomic"))),
                    _ => None,
                },
            },
        )
    }
}

macro_rules! extremum {
    ($($operator:ident)*) => {$(
        impl<T: Keyed> Operator<T> for $operator {
            const SPEC: OperatorSpec = one_spec::<T>(OperatorType::$operator);
            type Out = T::Wide;
            type Value = Option<T>;
            #[inline]
            fn value(out: T::Wide, len: u64) -> Option<T> {
                (len > 0).then(|| T::of_wide(out))
            }
            #[inline]
            fn out(value: Option<T>) -> Option<T::Wide> {
                value.map(T::to_wide)
            }
        }
    )*};
}

extremum!(Min Max);

impl<T: Keyed> Operator<T> for MinMax {
    const SPEC: OperatorSpec = both_spec::<T>(OperatorType::MinMax);
    type Out = [T::Wide; 2];
    type Value = Option<Extremes<T>>;
    #[inline]
    fn value([min, max]: Self::Out, len: u64) -> Self::Value {
        (len > 0).then(|| Extremes { min: T::of_wide(min), max: T::of_wide(max) })
    }
    #[inline]
    fn out(value: Self::Value) -> Option<Self::Out> {
        value.map(|Extremes { min, max }| [min.to_wide(), max.to_wide()])
    }
}
