//! Where the extrema are.

use crate::algebra::{
    acc_words::{AccWords, Words, read_two, write_two},
    keys::{ARG_END, BLOCK, Comparable, Key, Keyed, KeyedFloat, NANS, Nan, Order},
    operator::{Algebra, Combining, Operator, OperatorSpec, Part, part},
    operator_type::OperatorType,
    operators::{ANY_RANGE, Extremes, NO_RANGE},
};

/// Where the smallest element is, and which it is: of several the first. What is smallest is what [`crate::Min`] finds, so −0 < +0, and
/// the first NaN is, if there is one. Elements are counted from 0 on over the whole sequence, whatever slices and bindings it lies
/// in. Of nothing: `None`.
///
/// In an output buffer it is the number in two words, the low one first, and then the element, as that of `Min` (0x7fc00000 for a NaN).
/// So each result of a scan is ([`crate::Scanner`]): of no elements the number is `u64::MAX`, and where the last of several is found, 0.
///
/// ```
/// use gridfold::{ArgMin, Executor, Place, Reducer};
///
/// let executor = Executor::auto();
/// assert_eq!(executor.arg_min(&[3.5f32, -8.0, 5.0, -8.0])?, Some(Place { index: 1, element: -8.0 }));
/// assert_eq!(executor.arg_min_last(&[3.5f32, -8.0, 5.0, -8.0])?.map(|place| place.index), Some(3));
/// # Ok::<(), gridfold::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[doc(alias("argmin", "min_element"))]
pub struct ArgMin;

/// Where the largest element is: the [`ArgMin`] of [`crate::Max`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[doc(alias("argmax", "max_element"))]
pub struct ArgMax;

/// Two places in one read: [`ArgMin`], and then [`ArgMax`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ArgMinMax;

/// [`ArgMin`], but of several the last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ArgMinLast;

/// [`ArgMax`], but of several the last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ArgMaxLast;

/// [`ArgMinMax`], but of several the last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ArgMinMaxLast;

/// [`ArgMin`] of [`crate::NanMin`]: of the elements that are not NaN; the first NaN, if there is nothing else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NanArgMin;

/// [`ArgMax`] of [`crate::NanMax`]: of the elements that are not NaN; the first NaN, if there is nothing else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NanArgMax;

/// Two places in one read: [`NanArgMin`], and then [`NanArgMax`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NanArgMinMax;

/// [`ArgMin`] of [`crate::TotalMin`]: in IEEE-754's total order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TotalArgMin;

/// [`ArgMax`] of [`crate::TotalMax`]: in IEEE-754's total order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TotalArgMax;

/// Two places in one read: [`TotalArgMin`], and then [`TotalArgMax`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TotalArgMinMax;

/// [`NanArgMin`], but of several the last. If there is nothing but NaNs, the last of these.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NanArgMinLast;

/// [`NanArgMax`], but of several the last. If there is nothing but NaNs, the last of these.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NanArgMaxLast;

/// [`NanArgMinMax`], but of several the last. If there is nothing but NaNs, the last of these.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NanArgMinMaxLast;

/// [`TotalArgMin`], but of several the last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TotalArgMinLast;

/// [`TotalArgMax`], but of several the last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TotalArgMaxLast;

/// [`TotalArgMinMax`], but of several the last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TotalArgMinMaxLast;

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

impl<K: Key> KeyPlace<K> {
    /// Of no elements.
    #[inline]
    const fn of_none(key: K, takes_last: bool) -> Self {
        Self { key, index: if takes_last { 0 } else { u64::MAX } }
    }

    /// In any order.
    #[inline]
    fn combine(self, other: Self, takes_last: bool) -> Self {
        let is_other_first = other.index < self.index;
        let takes_other =
            self.key < other.key || (self.key == other.key && is_other_first != takes_last);
        if takes_other { other } else { self }
    }

    /// The same element, `by` places later.
    #[inline]
    fn moved(self, by: u64) -> Self {
        // That of none is after all wherever they are.
        Self { index: self.index.saturating_add(by), ..self }
    }

    /// With the elements that follow from a number on.
    fn include<T: Comparable<Key = K>>(
        &mut self,
        block: &[T],
        begin: u64,
        order: Order,
        takes_last: bool,
    ) {
        let best = order.best(block);
        let is_better =
            if takes_last || self.index == u64::MAX { self.key <= best } else { self.key < best };
        if is_better {
            let is_best = |&element: &T| order.key(element) == best;
            let place = match takes_last {
                true => block.iter().rposition(is_best),
                false => block.iter().position(is_best),
            };
            let place = place.expect("the best key is an element's") as u64;
            *self = Self { key: best, index: begin + place };
        }
    }
}

const PLACE: Part = part!("operator/place.wgsl");

const fn combining(identity: &'static [u32], parts: &'static [Part]) -> Combining {
    Combining { identity, parts, unchecked: None, software: None, subgroup: None, atomic: None }
}

macro_rules! one {
    ($(
        $operator:ident for $bound:ident: $takes_last:literal, $order:expr, $identity:expr;
    )*) => {$(
        impl<T: $bound> Operator<T> for $operator {
            const SPEC: OperatorSpec = OperatorSpec {
                out_words: 2 + T::TYPE.words(),
                ..OperatorSpec::order_free(
                    OperatorType::$operator,
                    T::TYPE,
                    combining(
                        $identity,
                        &const {
                            let [words, keys] = T::PARTS;
                            let arg = part!("operator/arg.wgsl");
                            [words, keys, NANS, ARG_END, PLACE, arg, ANY_RANGE, NO_RANGE]
                        },
                    ),
                )
            };
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

        impl<T: $bound + Comparable> Algebra<T> for $operator {
            type Acc = KeyPlace<T::Key>;
            #[inline]
            fn identity() -> Self::Acc {
                KeyPlace::of_none($order.identity::<T>(), $takes_last)
            }
            #[inline]
            fn lift(element: T) -> Self::Acc {
                KeyPlace { key: $order.key(element), index: 0 }
            }
            #[inline]
            fn combine(a: Self::Acc, b: Self::Acc) -> Self::Acc {
                a.combine(b, $takes_last)
            }
            #[inline]
            fn moved(acc: Self::Acc, by: u64) -> Self::Acc {
                acc.moved(by)
            }
            fn fold(elements: &[T]) -> Option<Self::Acc> {
                let mut total = <Self as Algebra<T>>::identity();
                for (block, begin) in elements.chunks(BLOCK).zip((0..).step_by(BLOCK)) {
                    total.include(block, begin, $order, $takes_last);
                }
                Some(total)
            }
            fn finish(total: Self::Acc, _len: u64) -> Self::Out {
                $order.bits::<T>(total.key).to_place(total.index)
            }
        }
    )*};
}

one! {
    ArgMin for Keyed: false, Order::least(Nan::Propagate), T::FIRST_IDENTITY;
    ArgMax for Keyed: false, Order::largest(Nan::Propagate), T::FIRST_IDENTITY;
    ArgMinLast for Keyed: true, Order::least(Nan::Propagate), T::LAST_IDENTITY;
    ArgMaxLast for Keyed: true, Order::largest(Nan::Propagate), T::LAST_IDENTITY;
    NanArgMin for KeyedFloat: false, Order::least(Nan::Ignore), no_place(T::TYPE.words());
    NanArgMax for KeyedFloat: false, Order::largest(Nan::Ignore), no_place(T::TYPE.words());
    TotalArgMin for KeyedFloat: false, Order::least(Nan::Total), no_place(T::TYPE.words());
    TotalArgMax for KeyedFloat: false, Order::largest(Nan::Total), no_place(T::TYPE.words());
    NanArgMinLast for KeyedFloat: true, Order::least(Nan::Ignore), nowhere(T::TYPE.words());
    NanArgMaxLast for KeyedFloat: true, Order::largest(Nan::Ignore), nowhere(T::TYPE.words());
    TotalArgMinLast for KeyedFloat: true, Order::least(Nan::Total), nowhere(T::TYPE.words());
    TotalArgMaxLast for KeyedFloat: true, Order::largest(Nan::Total), nowhere(T::TYPE.words());
}

/// After all elements, with a key that is 0, as words.
const fn no_place(words: u32) -> &'static [u32] {
    if words == 1 { &[!0, !0, 0] } else { &[!0, !0, 0, 0] }
}

/// Before all elements, with a key that is 0, as words.
const fn nowhere(words: u32) -> &'static [u32] {
    if words == 1 { &[0; 3] } else { &[0; 4] }
}

/// Two of them.
const fn nowheres(words: u32) -> &'static [u32] {
    if words == 1 { &[0; 6] } else { &[0; 8] }
}

/// Two of those after all elements.
const fn no_places(words: u32) -> &'static [u32] {
    if words == 1 { &[!0, !0, 0, !0, !0, 0] } else { &[!0, !0, 0, 0, !0, !0, 0, 0] }
}

fn place_of_out<T: Keyed>(out: <T::Key as Key>::Place) -> Place<T> {
    let (bits, index) = T::Key::of_place(out);
    Place { index, element: T::of_wide(bytemuck::cast(bits)) }
}

fn out_of_place<T: Keyed>(place: Place<T>) -> <T::Key as Key>::Place {
    let bits: T::Key = bytemuck::cast(place.element.to_wide());
    bits.to_place(place.index)
}

macro_rules! both {
    ($($operator:ident for $bound:ident: $takes_last:literal, $nan:expr, $identity:expr;)*) => {$(
        impl<T: $bound> Operator<T> for $operator {
            const SPEC: OperatorSpec = OperatorSpec {
                out_words: 2 * (2 + T::TYPE.words()),
                ..OperatorSpec::order_free(
                    OperatorType::$operator,
                    T::TYPE,
                    combining(
                        $identity,
                        &const {
                            let [words, keys] = T::PARTS;
                            let own = part!("operator/arg_min_max.wgsl");
                            [words, keys, NANS, PLACE, own, ANY_RANGE, NO_RANGE]
                        },
                    ),
                )
            };
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

        impl<T: $bound + Comparable> Algebra<T> for $operator {
            type Acc = Extremes<KeyPlace<T::Key>>;
            #[inline]
            fn identity() -> Self::Acc {
                let none = KeyPlace::of_none(Order::least($nan).identity::<T>(), $takes_last);
                Extremes { min: none, max: none }
            }
            #[inline]
            fn lift(element: T) -> Self::Acc {
                Extremes {
                    min: KeyPlace { key: Order::least($nan).key(element), index: 0 },
                    max: KeyPlace { key: Order::largest($nan).key(element), index: 0 },
                }
            }
            #[inline]
            fn combine(a: Self::Acc, b: Self::Acc) -> Self::Acc {
                Extremes {
                    min: a.min.combine(b.min, $takes_last),
                    max: a.max.combine(b.max, $takes_last),
                }
            }
            #[inline]
            fn moved(acc: Self::Acc, by: u64) -> Self::Acc {
                Extremes { min: acc.min.moved(by), max: acc.max.moved(by) }
            }
            fn fold(elements: &[T]) -> Option<Self::Acc> {
                let Extremes { mut min, mut max } = <Self as Algebra<T>>::identity();
                for (block, begin) in elements.chunks(BLOCK).zip((0..).step_by(BLOCK)) {
                    min.include(block, begin, Order::least($nan), $takes_last);
                    max.include(block, begin, Order::largest($nan), $takes_last);
                }
                Some(Extremes { min, max })
            }
            fn finish(Extremes { min, max }: Self::Acc, _len: u64) -> Self::Out {
                T::Key::to_places([
                    Order::least($nan).bits::<T>(min.key).to_place(min.index),
                    Order::largest($nan).bits::<T>(max.key).to_place(max.index),
                ])
            }
        }
    )*};
}

both! {
    ArgMinMax for Keyed: false, Nan::Propagate, T::FIRSTS_IDENTITY;
    ArgMinMaxLast for Keyed: true, Nan::Propagate, T::LASTS_IDENTITY;
    NanArgMinMax for KeyedFloat: false, Nan::Ignore, no_places(T::TYPE.words());
    TotalArgMinMax for KeyedFloat: false, Nan::Total, no_places(T::TYPE.words());
    NanArgMinMaxLast for KeyedFloat: true, Nan::Ignore, nowheres(T::TYPE.words());
    TotalArgMinMaxLast for KeyedFloat: true, Nan::Total, nowheres(T::TYPE.words());
}
