//! Element types that expressions are over.

use crate::algebra::{
    element::{Bool, Element, ElementType},
    narrow::Narrow,
};
use half::{bf16, f16};
use std::ops::Range;

/// An element type that expressions are over: all but [`Bits`](crate::Bits). Sealed.
pub trait MapElement: Element {
    /// What expressions compute with: the type itself; of less than a word, what elements are widened to: `i32`, `u32` or `f32`; of several components,
    /// what each of them is. Results are of it, too.
    type Wide: WideElement;

    /// The bits of a component, which there is, of what the element is widened to. Component 0 of a number is the number.
    #[doc(hidden)]
    fn component_bits(self, component: usize) -> u64;
}

/// What expressions compute with: `f32`, `i32`, `u32`, `f64`, `i64`, `u64`. Sealed.
pub trait WideElement: MapElement<Wide = Self> {
    #[doc(hidden)]
    const ONE: Self;

    /// The element's bits.
    #[doc(hidden)]
    fn wide_bits(self) -> u64;

    /// The element of these bits.
    #[doc(hidden)]
    fn of_wide_bits(bits: u64) -> Self;
}

macro_rules! wide {
    ($($element:ident $one:literal |$value:ident| $to_bits:expr, |$bits:ident| $of_bits:expr;)*) => {$(
        impl MapElement for $element {
            type Wide = Self;
            #[inline]
            fn component_bits(self, _component: usize) -> u64 {
                self.wide_bits()
            }
        }

        impl WideElement for $element {
            const ONE: Self = $one;
            #[inline]
            fn wide_bits(self) -> u64 {
                let $value = self;
                $to_bits
            }
            #[inline]
            fn of_wide_bits($bits: u64) -> Self {
                $of_bits
            }
        }
    )*};
}

wide! {
    f32 1.0 |value| value.to_bits().into(), |bits| Self::from_bits(low_word(bits));
    i32 1 |value| value.cast_unsigned().into(), |bits| low_word(bits).cast_signed();
    u32 1 |value| value.into(), |bits| low_word(bits);
    f64 1.0 |value| value.to_bits(), |bits| Self::from_bits(bits);
    i64 1 |value| value.cast_unsigned(), |bits| bits.cast_signed();
    u64 1 |value| value, |bits| bits;
}

macro_rules! narrow {
    ($($element:ident as $wide:ident)*) => {$(
        impl MapElement for $element {
            type Wide = $wide;
            #[inline]
            fn component_bits(self, _component: usize) -> u64 {
                Narrow::widen(self).wide_bits()
            }
        }
    )*};
}

narrow! {
    i8 as i32
    u8 as u32
    i16 as i32
    u16 as u32
    f16 as f32
    bf16 as f32
    Bool as u32
}

macro_rules! vectors {
    ($($component:ident)*) => {$(
        impl<const COMPONENTS: usize> MapElement for [$component; COMPONENTS]
        where
            Self: Element,
        {
            type Wide = $component;
            #[inline]
            fn component_bits(self, component: usize) -> u64 {
                self[component].wide_bits()
            }
        }
    )*};
}

vectors!(f32 i32 u32);

/// Elements, by their size.
#[derive(Clone, Copy)]
pub(super) enum Lanes<'a> {
    Words(&'a [u32]),
    Wides(&'a [u64]),
}

impl<'a> Lanes<'a> {
    /// Elements as lanes have them, if they are in memory so.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn of<T: MapElement>(elements: &'a [T]) -> Option<Self> {
        match T::TYPE {
            ElementType::F32 | ElementType::I32 | ElementType::U32 => {
                Some(Self::Words(bytemuck::cast_slice(elements)))
            }
            ElementType::F64 | ElementType::I64 | ElementType::U64 => {
                Some(Self::Wides(bytemuck::cast_slice(elements)))
            }
            _ => None,
        }
    }

    /// Some of them, if there are so many.
    pub(super) fn get(self, range: Range<usize>) -> Option<Self> {
        match self {
            Self::Words(words) => words.get(range).map(Self::Words),
            Self::Wides(wides) => wides.get(range).map(Self::Wides),
        }
    }
}

/// Where elements go, by their size.
pub(super) enum LanesMut<'a> {
    Words(&'a mut [u32]),
    Wides(&'a mut [u64]),
}

impl<'a> LanesMut<'a> {
    /// The bits of elements that expressions compute with.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn of<T: WideElement>(elements: &'a mut [T]) -> Self {
        match T::TYPE.size_bytes() {
            4 => Self::Words(bytemuck::cast_slice_mut(elements)),
            _ => Self::Wides(bytemuck::cast_slice_mut(elements)),
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Words(words) => words.len(),
            Self::Wides(wides) => wides.len(),
        }
    }

    /// As many words, from a place on, if they are words, and so many.
    pub(super) fn words_at<const N: usize>(&mut self, begin: usize) -> Option<&mut [u32; N]> {
        match self {
            Self::Words(words) => words[begin..].first_chunk_mut(),
            Self::Wides(_) => None,
        }
    }

    /// The same of 64 bits.
    pub(super) fn wides_at<const N: usize>(&mut self, begin: usize) -> Option<&mut [u64; N]> {
        match self {
            Self::Words(_) => None,
            Self::Wides(wides) => wides[begin..].first_chunk_mut(),
        }
    }
}

/// Fills lanes with a component of elements, widened.
#[cfg(not(target_arch = "wasm32"))]
pub(super) fn load<T: MapElement>(elements: &[T], component: usize, to: LanesMut<'_>) {
    match to {
        LanesMut::Words(to) => {
            for (to, element) in to.iter_mut().zip(elements) {
                *to = low_word(element.component_bits(component));
            }
        }
        LanesMut::Wides(to) => {
            for (to, element) in to.iter_mut().zip(elements) {
                *to = element.component_bits(component);
            }
        }
    }
}

/// The word that bits of one word are.
#[expect(clippy::cast_possible_truncation, reason = "that is what it is for")]
pub(super) const fn low_word(bits: u64) -> u32 {
    bits as u32
}
