//! Where the extrema are.

use crate::algebra::{
    acc_words::{AccWords, Words, read_two, write_two},
    keys::{ARG_END, BLOCK, Comparable, Key, Keyed, NANS, Order, key_parts},
    operator::{Algebra, Combining, Operator, OperatorSpec, Part, part},
    operator_type::OperatorType,
    operators::{ANY_RANGE, Extremes, NO_RANGE},
    options::{NanRule, Options},
};

with_options! {
    /// Where the smallest element is, and which it is: of several the first. The smallest is the element that [`struct@crate::Min`] finds, so −0 < +0, and
    /// the first NaN is, if there is one. Elements are counted from 0 on over the whole sequence, whatever slices and bindings it lies
    /// in. No elements give `None`.
    ///
    /// In an output buffer it is the number in two words, the low one first, and then the element, as that of `Min` (0x7fc00000 for a NaN).
    /// So each result of a scan is ([`crate::Scanner`]): of no elements the number is `u64::MAX`, and where the last of several is found, 0.
    ///
    /// ```
    /// use gridfold::{ArgMin, Executor, Place, Reducer};
    ///
    /// let executor = Executor::auto();
    /// assert_eq!(executor.arg_min(&[3.5f32, -8.0, 5.0, -8.0])?, Some(Place { index: 1, element: -8.0 }));
    /// assert_eq!(executor.reduce(&[3.5f32, -8.0, 5.0, -8.0], ArgMin.last())?.value.map(|place| place.index), Some(3));
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    #[doc(alias("argmin", "min_element"))]
    ArgMin: nan_rule last
}

with_options! {
    /// Where the largest element is: the [`struct@ArgMin`] of [`struct@crate::Max`].
    #[doc(alias("argmax", "max_element"))]
    ArgMax: nan_rule last
}

with_options! {
    /// Two places in one read: [`struct@ArgMin`], and then [`struct@ArgMax`].
    ArgMinMax: nan_rule last
}

/// An element, and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place<T> {
    /// Its number in the whole sequence, from 0 on.
    pub index: u64,
    /// The element. Every NaN is 0x7fc00000, of `f64`s 0x7ff8000000000000, but in the total order.
    pub element: T,
}

impl<T> Place<T> {
    /// Whether it is one: where an expression says which elements count, there may be none.
    fn is_one(&self) -> bool {
        self.index != u64::MAX
    }
}

/// The place of a key, the greatest of which is the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KeyPlace<K> {
    key: K,
    index: u64,
}

impl<K: Key> AccWords for KeyPlace<K> {
    const WORDS: usize = 2 + K::WORDS;
    fn write(self, words: &mut Words) {
        write_two(self.index, words);
        self.key.write(words);
    }
    fn read(words: &[u32]) -> Option<Self> {
        Some(Self { index: read_two(words), key: K::read(&words[2..])? })
    }
}

/// An extremum's place.
#[derive(Clone, Copy)]
pub(crate) struct ExtremumPlace {
    order: Order,
    /// Of several the last one.
    takes_last: bool,
}

impl<T: Comparable> Algebra<T> for ExtremumPlace {
    type Acc = KeyPlace<T::Key>;
    type Out = <T::Key as Key>::Place;
    #[inline]
    fn identity(self) -> Self::Acc {
        let index = if self.takes_last { 0 } else { u64::MAX };
        KeyPlace { key: self.order.identity::<T>(), index }
    }
    #[inline]
    fn lift(self, element: T) -> Self::Acc {
        KeyPlace { key: self.order.key(element), index: 0 }
    }
    #[inline]
    fn combine(self, a: Self::Acc, b: Self::Acc) -> Self::Acc {
        let is_b_first = b.index < a.index;
        let takes_b = a.key < b.key || (a.key == b.key && is_b_first != self.takes_last);
        if takes_b { b } else { a }
    }
    #[inline]
    fn moved(self, acc: Self::Acc, by: u64) -> Self::Acc {
        // That of none is after all wherever they are.
        KeyPlace { index: acc.index.saturating_add(by), ..acc }
    }
    fn fold(self, elements: &[T]) -> Option<Self::Acc> {
        let mut total = Algebra::<T>::identity(self);
        for (block, begin) in elements.chunks(BLOCK).zip((0..).step_by(BLOCK)) {
            self.include(&mut total, block, begin);
        }
        Some(total)
    }
    fn finish(self, total: Self::Acc, _len: u64) -> Self::Out {
        self.order.bits::<T>(total.key).to_place(total.index)
    }
}

impl ExtremumPlace {
    pub(crate) const fn least(Options { nan, last, .. }: Options) -> Self {
        Self { order: Order::least(nan), takes_last: last }
    }

    pub(crate) const fn largest(Options { nan, last, .. }: Options) -> Self {
        Self { order: Order::largest(nan), takes_last: last }
    }

    /// Adds the elements that follow from a number on.
    #[inline]
    fn include<T: Comparable>(self, total: &mut KeyPlace<T::Key>, block: &[T], begin: u64) {
        let Self { order, takes_last } = self;
        let best = order.best(block);
        let is_better = match takes_last || total.index == u64::MAX {
            true => total.key <= best,
            false => total.key < best,
        };
        if is_better {
            let is_best = |&element: &T| order.key(element) == best;
            let place = match takes_last {
                true => block.iter().rposition(is_best),
                false => block.iter().position(is_best),
            };
            let place = place.expect("the best key is an element's") as u64;
            *total = KeyPlace { key: best, index: begin + place };
        }
    }
}

/// The places of both extrema.
#[derive(Clone, Copy)]
pub(crate) struct ExtremePlaces(pub(crate) Options);

impl ExtremePlaces {
    const fn each(self) -> [ExtremumPlace; 2] {
        [ExtremumPlace::least(self.0), ExtremumPlace::largest(self.0)]
    }
}

impl<T: Comparable> Algebra<T> for ExtremePlaces {
    type Acc = [KeyPlace<T::Key>; 2];
    type Out = <T::Key as Key>::Places;
    #[inline]
    fn identity(self) -> Self::Acc {
        self.each().map(|end| Algebra::<T>::identity(end))
    }
    #[inline]
    fn lift(self, element: T) -> Self::Acc {
        self.each().map(|end| end.lift(element))
    }
    #[inline]
    fn combine(self, [min, max]: Self::Acc, [other_min, other_max]: Self::Acc) -> Self::Acc {
        let [least, largest] = self.each();
        [
            Algebra::<T>::combine(least, min, other_min),
            Algebra::<T>::combine(largest, max, other_max),
        ]
    }
    #[inline]
    fn moved(self, [min, max]: Self::Acc, by: u64) -> Self::Acc {
        let [least, largest] = self.each();
        [Algebra::<T>::moved(least, min, by), Algebra::<T>::moved(largest, max, by)]
    }
    fn fold(self, elements: &[T]) -> Option<Self::Acc> {
        let (ends, mut totals) = (self.each(), Algebra::<T>::identity(self));
        for (block, begin) in elements.chunks(BLOCK).zip((0..).step_by(BLOCK)) {
            for (end, total) in ends.iter().zip(&mut totals) {
                end.include(total, block, begin);
            }
        }
        Some(totals)
    }
    fn finish(self, [min, max]: Self::Acc, len: u64) -> Self::Out {
        let [least, largest] = self.each();
        T::Key::to_places([
            Algebra::<T>::finish(least, min, len),
            Algebra::<T>::finish(largest, max, len),
        ])
    }
}

const PLACE: Part = part!("operator/arg.wgsl@place");

/// How places combine on a device: `count` of them, by the parts.
const fn spec<T: Keyed>(
    operator: OperatorType,
    count: usize,
    parts: &'static [Part],
) -> OperatorSpec {
    let Options { nan, last, .. } = operator.options();
    let words = T::TYPE.words();
    let identity = match (nan, last) {
        (NanRule::Propagate, false) => T::FIRSTS_IDENTITY,
        (NanRule::Propagate, true) => T::LASTS_IDENTITY,
        (_, false) if words == 1 => &[!0, !0, 0, !0, !0, 0],
        (_, false) => &[!0, !0, 0, 0, !0, !0, 0, 0],
        (_, true) if words == 1 => &[0; 6],
        (_, true) => &[0; 8],
    };
    let own_words = count * (2 + words as usize);
    OperatorSpec {
        #[expect(clippy::cast_possible_truncation, reason = "a few words")]
        out_words: own_words as u32,
        ..OperatorSpec::order_free(
            operator,
            T::TYPE,
            Combining {
                identity: identity.split_at(own_words).0,
                parts,
                unchecked: None,
                software: None,
                subgroup: None,
                atomic: None,
            },
        )
    }
}

/// The place of one extremum.
pub(super) const fn one_spec<T: Keyed>(operator: OperatorType) -> OperatorSpec {
    spec::<T>(
        operator,
        1,
        &const {
            let [words, keys] = key_parts(T::TYPE);
            let arg = part!("operator/arg.wgsl");
            [words, keys, NANS, ARG_END, PLACE, arg, ANY_RANGE, NO_RANGE]
        },
    )
}

/// The places of both.
pub(super) const fn both_spec<T: Keyed>(operator: OperatorType) -> OperatorSpec {
    spec::<T>(
        operator,
        2,
        &const {
            let [words, keys] = key_parts(T::TYPE);
            [words, keys, NANS, PLACE, part!("operator/arg.wgsl@both"), ANY_RANGE, NO_RANGE]
        },
    )
}

fn place_of_out<T: Keyed>(out: <T::Key as Key>::Place) -> Place<T> {
    let (bits, index) = T::Key::of_place(out);
    Place { index, element: T::of_wide(bytemuck::cast(bits)) }
}

fn out_of_place<T: Keyed>(place: Place<T>) -> <T::Key as Key>::Place {
    let bits: T::Key = bytemuck::cast(place.element.to_wide());
    bits.to_place(place.index)
}

macro_rules! one {
    ($($operator:ident)*) => {$(
        impl<T: Keyed> Operator<T> for $operator {
            const SPEC: OperatorSpec = one_spec::<T>(OperatorType::$operator);
            type Out = <T::Key as Key>::Place;
            type Value = Option<Place<T>>;
            #[inline]
            fn value(out: Self::Out, len: u64) -> Self::Value {
                (len > 0).then(|| place_of_out(out)).filter(Place::is_one)
            }
            #[inline]
            fn out(value: Self::Value) -> Option<Self::Out> {
                value.map(out_of_place)
            }
        }
    )*};
}

one!(ArgMin ArgMax);

impl<T: Keyed> Operator<T> for ArgMinMax {
    const SPEC: OperatorSpec = both_spec::<T>(OperatorType::ArgMinMax);
    type Out = <T::Key as Key>::Places;
    type Value = Option<Extremes<Place<T>>>;
    #[inline]
    fn value(out: Self::Out, len: u64) -> Self::Value {
        let [min, max] = T::Key::of_places(out).map(place_of_out);
        let found = Extremes { min, max };
        (len > 0).then_some(found).filter(|found| found.min.is_one())
    }
    #[inline]
    fn out(value: Self::Value) -> Option<Self::Out> {
        value.map(|Extremes { min, max }| T::Key::to_places([min, max].map(out_of_place)))
    }
}
