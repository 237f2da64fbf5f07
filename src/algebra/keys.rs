//! Elements as *keys*: unsigned integers in the same order, −0 below +0. By them extrema and their places are found, here as on a
//! device: the best element is the one with the greatest key. The least element's is that of the complements.

use crate::{
    algebra::{
        acc_words::AccWords,
        element::{Bool, Element, ElementType},
        fold,
        narrow::Narrow,
        operator::{Part, part},
        options::NanRule,
    },
    exact::f64_bits::{CANONICAL_NAN as F64_CANONICAL_NAN_BITS, SIGN as F64_SIGN_BIT},
};
use half::{bf16, f16};
use std::{
    fmt,
    ops::{BitXor, Not},
};

/// An unsigned integer as large as an element.
pub trait Key:
    AccWords
    + bytemuck::Pod
    + Ord
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Into<u64>
    + fmt::Debug
    + Send
    + Sync
{
    /// Less than every number's.
    const ZERO: Self;
    /// A number in a sequence, and an element's bits, as words.
    type Place: bytemuck::Pod + fmt::Debug + PartialEq + Send + Sync;
    /// Two of them.
    type Places: bytemuck::Pod + fmt::Debug + PartialEq + Send + Sync;
    fn to_place(self, number: u64) -> Self::Place;
    fn of_place(place: Self::Place) -> (Self, u64);
    fn to_places(places: [Self::Place; 2]) -> Self::Places;
    fn of_places(places: Self::Places) -> [Self::Place; 2];
}

macro_rules! keys {
    ($($key:ident of $words:literal: $place:literal, $places:literal;)*) => {$(
        impl Key for $key {
            const ZERO: Self = 0;
            type Place = [u32; $place];
            type Places = [u32; $places];
            #[inline]
            fn to_place(self, number: u64) -> [u32; $place] {
                let mut words = [0; $place];
                words[..2].copy_from_slice(&bytemuck::cast::<u64, [u32; 2]>(number));
                words[2..].copy_from_slice(&bytemuck::cast::<$key, [u32; $words]>(self));
                words
            }
            #[inline]
            fn of_place(place: [u32; $place]) -> (Self, u64) {
                (
                    bytemuck::pod_read_unaligned(bytemuck::cast_slice(&place[2..])),
                    bytemuck::pod_read_unaligned(bytemuck::cast_slice(&place[..2])),
                )
            }
            #[inline]
            fn to_places(places: [[u32; $place]; 2]) -> [u32; $places] {
                bytemuck::cast(places)
            }
            #[inline]
            fn of_places(places: [u32; $places]) -> [[u32; $place]; 2] {
                bytemuck::cast(places)
            }
        }
    )*};
}

keys! {
    u32 of 1: 3, 6;
    u64 of 2: 4, 8;
}

/// An element that has a key.
pub trait Keyed: Element {
    type Key: Key;
    /// What it is once it is loaded, and what devices write.
    type Wide: bytemuck::Pod + fmt::Debug + PartialEq + Send + Sync;
    /// The key of −∞ or of the smallest integer: no number's is less. The other way round it is that of ∞ or of the largest.
    const LEAST: Self::Key;
    /// Two of it, as words.
    const EXTREMES_IDENTITY: &'static [u32];
    /// Two places of none, as words: after all elements, and before all.
    const FIRSTS_IDENTITY: &'static [u32];
    const LASTS_IDENTITY: &'static [u32];
    fn key(self) -> Self::Key;
    fn to_wide(self) -> Self::Wide;
    fn of_wide(wide: Self::Wide) -> Self;
}

/// An element that the CPU compares by its key: others are widened to these.
pub(crate) trait Comparable: Keyed {
    fn has_no_number(self) -> bool;
    /// The inverse of [`Keyed::key`], as bits.
    fn bits(key: Self::Key) -> Self::Key;
    /// The same; what is a NaN's becomes the canonical one's.
    fn number_bits(key: Self::Key) -> Self::Key;
    /// The key of the largest element; with a NaN all bits.
    fn largest(elements: &[Self]) -> Self::Key;
    /// The complement of the least element's key; with a NaN all bits.
    fn least(elements: &[Self]) -> Self::Key;
}

/// The parts that make keys of elements of one word or two on a device.
pub(crate) const fn key_parts(element: ElementType) -> [Part; 2] {
    match element.words() {
        1 => [part!("operator/key.wgsl@word"), part!("operator/key.wgsl@f32")],
        _ => [part!("operator/key.wgsl@two_words"), part!("operator/key.wgsl@f64")],
    }
}

/// Makes keys of elements on a device, whatever NaNs are.
pub(crate) const NANS: Part = part!("operator/key.wgsl@nans");
/// Makes keys of one end, whichever is meant.
pub(crate) const ARG_END: Part = part!("operator/arg.wgsl@end");

/// Which end of an order is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Least,
    Largest,
}

/// An order of keys in which the best element has the greatest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Order {
    end: End,
    nan: NanRule,
}

impl Order {
    /// In which the least element is the best.
    pub(crate) const fn least(nan: NanRule) -> Self {
        Self { end: End::Least, nan }
    }

    /// In which the largest is.
    pub(crate) const fn largest(nan: NanRule) -> Self {
        Self { end: End::Largest, nan }
    }

    /// The key of no elements.
    #[inline]
    pub(crate) fn identity<T: Comparable>(self) -> T::Key {
        match self.nan {
            NanRule::Propagate => T::LEAST,
            NanRule::Ignore | NanRule::Total => T::Key::ZERO,
        }
    }

    /// Branches depend on the order alone, so that they leave loops.
    #[inline]
    pub(crate) fn key<T: Comparable>(self, element: T) -> T::Key {
        let of_nan = if self.nan == NanRule::Propagate { !T::Key::ZERO } else { T::Key::ZERO };
        let key = element.key() ^ self.flip();
        if self.nan != NanRule::Total && element.has_no_number() { of_nan } else { key }
    }

    /// The bits of a key that are complemented.
    #[inline]
    fn flip<K: Key>(self) -> K {
        if self.end == End::Least { !K::ZERO } else { K::ZERO }
    }

    /// The greatest key of some elements.
    #[inline]
    pub(crate) fn best<T: Comparable>(self, elements: &[T]) -> T::Key {
        match (self.nan, self.end) {
            (NanRule::Propagate, End::Least) => T::least(elements),
            (NanRule::Propagate, End::Largest) => T::largest(elements),
            _ => self.best_key(elements),
        }
    }

    /// The same, by the elements' keys.
    #[inline]
    fn best_key<T: Comparable>(self, elements: &[T]) -> T::Key {
        let keys = elements.iter().map(|&element| self.key(element));
        keys.fold(self.identity::<T>(), Ord::max)
    }

    /// The bits of an element with the key.
    #[inline]
    pub(crate) fn bits<T: Comparable>(self, key: T::Key) -> T::Key {
        let key = key ^ self.flip();
        if self.nan == NanRule::Total { T::bits(key) } else { T::number_bits(key) }
    }
}

/// Elements whose best key is looked for at a time: they stay in the nearest cache.
pub(crate) const BLOCK: usize = 4096;

/// The best integers.
macro_rules! integers {
    ($element:ident) => {
        #[inline]
        fn largest(elements: &[Self]) -> Self::Key {
            fold::in_any_order(elements, $element::MIN, |a, b| a.max(b)).key()
        }
        #[inline]
        fn least(elements: &[Self]) -> Self::Key {
            !fold::in_any_order(elements, $element::MAX, |a, b| a.min(b)).key()
        }
    };
}

/// The best floats. Where comparisons can't be trusted, or elements are few, by their keys.
macro_rules! floats {
    ($element:ident) => {
        #[inline]
        fn largest(elements: &[Self]) -> Self::Key {
            let order = Order::largest(NanRule::Propagate);
            let key = |element| order.key::<Self>(element);
            let worst = $element::NEG_INFINITY;
            fold::extremum(elements, worst, |a, b| a > b, |a, b| a & b, key, Ord::max)
                .unwrap_or_else(|| order.best_key(elements))
        }
        #[inline]
        fn least(elements: &[Self]) -> Self::Key {
            let order = Order::least(NanRule::Propagate);
            let key = |element| order.key::<Self>(element);
            let worst = $element::INFINITY;
            fold::extremum(elements, worst, |a, b| a < b, |a, b| a | b, key, Ord::max)
                .unwrap_or_else(|| order.best_key(elements))
        }
    };
}

macro_rules! wide {
    ($(
        $element:ident as $key:ident: $least:expr, [$($word:expr),*],
        $to_key:expr, $is_nan:expr, $of_key:expr, $canonical:expr, $best:ident;
    )*) => {$(
        impl Keyed for $element {
            type Key = $key;
            type Wide = Self;
            const LEAST: $key = $least;
            const EXTREMES_IDENTITY: &'static [u32] = &[$($word,)* $($word),*];
            const FIRSTS_IDENTITY: &'static [u32] = &[!0, !0, $($word,)* !0, !0, $($word),*];
            const LASTS_IDENTITY: &'static [u32] = &[0, 0, $($word,)* 0, 0, $($word),*];
            #[inline]
            fn key(self) -> $key {
                let to_key: fn($element) -> $key = $to_key;
                to_key(self)
            }
            #[inline]
            fn to_wide(self) -> Self {
                self
            }
            #[inline]
            fn of_wide(wide: Self) -> Self {
                wide
            }
        }

        impl Comparable for $element {
            #[inline]
            fn has_no_number(self) -> bool {
                let is_nan: fn($element) -> bool = $is_nan;
                is_nan(self)
            }
            #[inline]
            fn bits(key: $key) -> $key {
                let of_key: fn($key) -> $key = $of_key;
                of_key(key)
            }
            #[inline]
            fn number_bits(key: $key) -> $key {
                let bits = Self::bits(key);
                let element: Self = bytemuck::cast(bits);
                if element.has_no_number() { $canonical } else { bits }
            }
            $best!($element);
        }
    )*};
}

const SIGN_BIT: u32 = 0x8000_0000;

wide! {
    f32 as u32: 0x007f_ffff, [0x007f_ffff],
        |element| {
            let bits = element.to_bits();
            bits ^ ((bits.cast_signed() >> 31).cast_unsigned() | SIGN_BIT)
        },
        f32::is_nan, |key| key ^ if key & SIGN_BIT == 0 { !0 } else { SIGN_BIT }, 0x7fc0_0000, floats;
    f64 as u64: 0x000f_ffff_ffff_ffff, [0xffff_ffff, 0x000f_ffff],
        |element| {
            let bits = element.to_bits();
            bits ^ ((bits.cast_signed() >> 63).cast_unsigned() | F64_SIGN_BIT)
        },
        f64::is_nan, |key| key ^ if key & F64_SIGN_BIT == 0 { !0 } else { F64_SIGN_BIT },
        F64_CANONICAL_NAN_BITS, floats;
    i32 as u32: 0, [0],
        |element| element.cast_unsigned() ^ SIGN_BIT, |_| false, |key| key ^ SIGN_BIT, 0, integers;
    u32 as u32: 0, [0],
        |element| element, |_| false, |key| key, 0, integers;
    i64 as u64: 0, [0, 0],
        |element| element.cast_unsigned() ^ F64_SIGN_BIT, |_| false, |key| key ^ F64_SIGN_BIT, 0, integers;
    u64 as u64: 0, [0, 0],
        |element| element, |_| false, |key| key, 0, integers;
}

macro_rules! narrow {
    ($($element:ident of $wide:ident by $of_wide:expr;)*) => {$(
        impl Keyed for $element {
            type Key = u32;
            type Wide = $wide;
            const LEAST: u32 = <$wide as Keyed>::LEAST;
            const EXTREMES_IDENTITY: &'static [u32] = <$wide as Keyed>::EXTREMES_IDENTITY;
            const FIRSTS_IDENTITY: &'static [u32] = <$wide as Keyed>::FIRSTS_IDENTITY;
            const LASTS_IDENTITY: &'static [u32] = <$wide as Keyed>::LASTS_IDENTITY;
            #[inline]
            fn key(self) -> u32 {
                self.widen().key()
            }
            #[inline]
            fn to_wide(self) -> $wide {
                self.widen()
            }
            #[inline]
            fn of_wide(wide: $wide) -> Self {
                let of_wide: fn($wide) -> Self = $of_wide;
                of_wide(wide)
            }
        }
    )*};
}

narrow! {
    i8 of i32 by Narrow::narrow;
    u8 of u32 by Narrow::narrow;
    i16 of i32 by Narrow::narrow;
    u16 of u32 by Narrow::narrow;
    f16 of f32 by f16_of_wide;
    bf16 of f32 by bf16_of_wide;
    Bool of u32 by Narrow::narrow;
}

/// A NaN keeps what it has of its fraction, as it does where it is widened.
#[expect(clippy::cast_possible_truncation, reason = "it has 16 bits")]
fn f16_of_wide(wide: f32) -> f16 {
    let bits = wide.to_bits();
    match wide.is_nan() {
        true => f16::from_bits((bits >> 16 & 0x8000 | 0x7c00 | bits >> 13 & 0x3ff) as u16),
        false => f16::narrow(wide),
    }
}

fn bf16_of_wide(wide: f32) -> bf16 {
    bf16::from_bits((wide.to_bits() >> 16) as u16)
}
