//! Both extrema at once; and extrema with NaNs by choice.

use crate::algebra::{
    acc_words::{AccWords, Words},
    keys::{ARG_END, BLOCK, Comparable, Key, Keyed, KeyedFloat, NANS, Nan, Order},
    operator::{Algebra, Combining, Operator, OperatorSpec, part},
    operator_type::OperatorType,
    operators::{ACC_TWO_WORDS, ACC_WORD, ANY_RANGE, NO_RANGE},
};

/// The smallest and the largest element, in one read: [`crate::Min`] and [`crate::Max`]. A NaN anywhere makes both NaN; −0 < +0. Of
/// nothing: `None`.
///
/// ```
/// use gridfold::{Executor, Extremes};
///
/// let executor = Executor::auto();
/// assert_eq!(executor.min_max(&[3, -8, 5])?, Some(Extremes { min: -8, max: 5 }));
/// # Ok::<(), gridfold::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MinMax;

/// The smallest and the largest: elements, or their places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Extremes<V> {
    /// The smallest.
    pub min: V,
    /// The largest.
    pub max: V,
}

/// Extremes of keys: the complement of the least, and the largest, so that the greatest are the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ExtremeKeys<K> {
    least: K,
    largest: K,
}

impl<V: AccWords> AccWords for Extremes<V> {
    const WORDS: usize = 2 * V::WORDS;
    fn write(self, words: &mut Words) {
        [self.min, self.max].write(words);
    }
    fn read(words: &[u32]) -> Option<Self> {
        let [min, max] = <[V; 2]>::read(words)?;
        Some(Self { min, max })
    }
}

impl<K: AccWords> AccWords for ExtremeKeys<K> {
    const WORDS: usize = 2 * K::WORDS;
    fn write(self, words: &mut Words) {
        [self.least, self.largest].write(words);
    }
    fn read(words: &[u32]) -> Option<Self> {
        let [least, largest] = <[K; 2]>::read(words)?;
        Some(Self { least, largest })
    }
}

/// [`MinMax`] without NaNs: the NaN, if there is nothing else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NanMinMax;

/// [`MinMax`] in IEEE-754's total order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TotalMinMax;

macro_rules! both {
    ($($operator:ident for $bound:ident: $nan:expr, $identity:expr;)*) => {$(
        impl<T: $bound> Operator<T> for $operator {
            const SPEC: OperatorSpec = OperatorSpec {
                out_words: 2 * T::TYPE.words(),
                ..OperatorSpec::order_free(
                    OperatorType::$operator,
                    T::TYPE,
                    Combining {
                        identity: $identity,
                        parts: &const {
                            let [words, keys] = T::PARTS;
                            [words, keys, NANS, part!("operator/min_max.wgsl"), ANY_RANGE, NO_RANGE]
                        },
                        unchecked: None,
                        software: None,
                        subgroup: match T::TYPE.words() {
                            1 => Some(part!("operator/min_max_subgroup.wgsl")),
                            _ => None,
                        },
                        atomic: None,
                    },
                )
            };
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

        impl<T: $bound + Comparable> Algebra<T> for $operator {
            type Acc = ExtremeKeys<T::Key>;
            #[inline]
            fn identity() -> Self::Acc {
                let none = Order::least($nan).identity::<T>();
                        ExtremeKeys { least: none, largest: none }
            }
            #[inline]
            fn lift(element: T) -> Self::Acc {
                ExtremeKeys {
                            least: Order::least($nan).key(element),
                            largest: Order::largest($nan).key(element),
                        }
            }
            #[inline]
            fn combine(a: Self::Acc, b: Self::Acc) -> Self::Acc {
                ExtremeKeys { least: a.least.max(b.least), largest: a.largest.max(b.largest) }
            }
            fn fold(elements: &[T]) -> Option<Self::Acc> {
                let of_block = |block: &[T]| ExtremeKeys {
                    least: Order::least($nan).best(block),
                    largest: Order::largest($nan).best(block),
                };
                let blocks = elements.chunks(BLOCK).map(of_block);
                Some(blocks.fold(<Self as Algebra<T>>::identity(), <Self as Algebra<T>>::combine))
            }
            fn finish(total: Self::Acc, _len: u64) -> Self::Out {
                [
                            bytemuck::cast(Order::least($nan).bits::<T>(total.least)),
                            bytemuck::cast(Order::largest($nan).bits::<T>(total.largest)),
                        ]
            }
        }
    )*};
}

both! {
    MinMax for Keyed: Nan::Propagate, T::EXTREMES_IDENTITY;
    NanMinMax for KeyedFloat: Nan::Ignore, no_keys(T::TYPE.words());
    TotalMinMax for KeyedFloat: Nan::Total, no_keys(T::TYPE.words());
}

/// Two keys that are 0, as words.
const fn no_keys(words: u32) -> &'static [u32] {
    if words == 1 { &[0; 2] } else { &[0; 4] }
}

/// The smallest element that is not NaN: the NaN, if there is nothing else. As NumPy's `nanmin`; −0 < +0. Of nothing: `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NanMin;

/// The largest element that is not NaN: the NaN, if there is nothing else. As NumPy's `nanmax`; −0 < +0. Of nothing: `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NanMax;

/// The smallest element in IEEE-754's total order, as `f32::total_cmp` has it: a NaN with a sign is below −∞, one without above ∞. Of
/// nothing: `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TotalMin;

/// The largest element in IEEE-754's total order, as `f32::total_cmp` has it: a NaN with a sign is below −∞, one without above ∞. Of
/// nothing: `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TotalMax;

macro_rules! one {
    ($($operator:ident: $order:expr;)*) => {$(
        impl<T: KeyedFloat> Operator<T> for $operator {
            const SPEC: OperatorSpec = OperatorSpec {
                out_words: T::TYPE.words(),
                ..OperatorSpec::order_free(
                    OperatorType::$operator,
                    T::TYPE,
                    Combining {
                        identity: if T::TYPE.words() == 1 { &[0] } else { &[0; 2] },
                        parts: &const {
                            let [words, keys] = T::PARTS;
                            let acc = if T::TYPE.words() == 1 { ACC_WORD } else { ACC_TWO_WORDS };
                            let own = part!("operator/extremum.wgsl");
                            [words, keys, NANS, ARG_END, acc, own, ANY_RANGE, NO_RANGE]
                        },
                        unchecked: None,
                        software: None,
                        subgroup: match T::TYPE.words() {
                            1 => Some(part!("operator/max_subgroup.wgsl")),
                            _ => None,
                        },
                        atomic: None,
                    },
                )
            };
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

        impl<T: KeyedFloat + Comparable> Algebra<T> for $operator {
            type Acc = T::Key;
            #[inline]
            fn identity() -> T::Key {
                T::Key::ZERO
            }
            #[inline]
            fn lift(element: T) -> T::Key {
                $order.key(element)
            }
            #[inline]
            fn combine(a: T::Key, b: T::Key) -> T::Key {
                a.max(b)
            }
            fn fold(elements: &[T]) -> Option<T::Key> {
                Some($order.best(elements))
            }
            fn finish(total: T::Key, _len: u64) -> T::Wide {
                bytemuck::cast($order.bits::<T>(total))
            }
        }
    )*};
}

one! {
    NanMin: Order::least(Nan::Ignore);
    NanMax: Order::largest(Nan::Ignore);
    TotalMin: Order::least(Nan::Total);
    TotalMax: Order::largest(Nan::Total);
}
