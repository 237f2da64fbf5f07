//! Elements that are widened before anything is computed of them: those of less than a word.

use crate::algebra::{
    element::{Bool, Element, ElementType},
    fold_narrow::{Lanes, count, sum},
};
use half::{bf16, f16};

/// An element of less than a word. What the methods that fold give is what the wide operator makes of the widened elements; `None` where
/// there is no way of the type's own.
pub(crate) trait Narrow: Element {
    /// What it is once it is loaded, here as on a device.
    type Wide: Element + Default;
    /// Magnitudes, which of integers are unsigned; and what they are widened to.
    type Magnitude: Copy + Into<Self::WideMagnitude>;
    type WideMagnitude;

    /// Without a float operation: subnormal numbers stay what they are.
    fn widen(self) -> Self::Wide;
    /// The element that is widened to this.
    fn narrow(wide: Self::Wide) -> Self;
    fn narrow_magnitude(wide: Self::WideMagnitude) -> Self::Magnitude;

    fn fold_sum(_elements: &[Self]) -> Option<Self::Wide> {
        None
    }
    /// Not of nothing, as all below.
    fn fold_min(_elements: &[Self]) -> Option<Self::Wide> {
        None
    }
    fn fold_max(_elements: &[Self]) -> Option<Self::Wide> {
        None
    }
    fn fold_magnitude(_elements: &[Self]) -> Option<u32> {
        None
    }
    fn fold_count(elements: &[Self]) -> u64;
}

/// The words of an element, once it is loaded: the low one first, and 0 where there are fewer.
pub(crate) fn loaded_words(element: ElementType, bytes: &[u8]) -> [u32; 4] {
    fn widened<N: Narrow>(bytes: &[u8]) -> [u32; 4] {
        words_of(bytemuck::bytes_of(&bytemuck::pod_read_unaligned::<N>(bytes).widen()))
    }
    fn words_of(bytes: &[u8]) -> [u32; 4] {
        let mut words = [0; 4];
        bytemuck::cast_slice_mut(&mut words)[..bytes.len()].copy_from_slice(bytes);
        words
    }
    match element {
        ElementType::I8 => widened::<i8>(bytes),
        ElementType::U8 => widened::<u8>(bytes),
        ElementType::I16 => widened::<i16>(bytes),
        ElementType::U16 => widened::<u16>(bytes),
        ElementType::F16 => widened::<f16>(bytes),
        ElementType::BF16 => widened::<bf16>(bytes),
        ElementType::Bool => widened::<Bool>(bytes),
        _ => words_of(bytes),
    }
}

macro_rules! integers {
    ($($element:ident -> $wide:ident, $magnitude:ident by $partial:ident, $unsigned:expr;)*) => {$(
        impl Narrow for $element {
            type Wide = $wide;
            type Magnitude = $magnitude;
            type WideMagnitude = u32;
            #[inline]
            fn widen(self) -> $wide {
                self.into()
            }
            #[expect(
                clippy::cast_possible_truncation,
                reason = "an element fits, and of bits the rest are copies"
            )]
            #[inline]
            fn narrow(wide: $wide) -> Self {
                wide as Self
            }
            #[expect(clippy::cast_possible_truncation, reason = "that of an element fits")]
            #[inline]
            fn narrow_magnitude(wide: u32) -> $magnitude {
                wide as $magnitude
            }
            fn fold_sum(elements: &[Self]) -> Option<$wide> {
                Some(sum(elements, |a: $partial, b| a.wrapping_add(b.into()), |a: $wide, b| {
                    a.wrapping_add(b.into())
                }))
            }
            fn fold_min(elements: &[Self]) -> Option<$wide> {
                Some(Self::in_lanes(elements, Self::MAX, |a, b| a.min(b)).into())
            }
            fn fold_max(elements: &[Self]) -> Option<$wide> {
                Some(Self::in_lanes(elements, Self::MIN, |a, b| a.max(b)).into())
            }
            fn fold_magnitude(elements: &[Self]) -> Option<u32> {
                let unsigned: fn($element) -> $magnitude = $unsigned;
                // The largest magnitude is that of the least element, or of the largest.
                let least = Self::in_lanes(elements, Self::MAX, |a, b| a.min(b));
                let largest = Self::in_lanes(elements, Self::MIN, |a, b| a.max(b));
                Some(unsigned(least).max(unsigned(largest)).into())
            }
            fn fold_count(elements: &[Self]) -> u64 {
                count(elements, |element| element != 0)
            }
        }
    )*};
}

integers! {
    i8 -> i32, u8 by i16, i8::unsigned_abs;
    u8 -> u32, u8 by u16, |element| element;
    i16 -> i32, u16 by i32, i16::unsigned_abs;
    u16 -> u32, u16 by u32, |element| element;
}

impl Narrow for Bool {
    type Wide = u32;
    type Magnitude = u8;
    type WideMagnitude = u8;
    #[inline]
    fn widen(self) -> u32 {
        self.get().into()
    }
    #[inline]
    fn narrow_magnitude(wide: u8) -> u8 {
        wide
    }
    #[inline]
    fn narrow(wide: u32) -> Self {
        (wide != 0).into()
    }
    fn fold_min(elements: &[Self]) -> Option<u32> {
        let bytes: &[u8] = bytemuck::cast_slice(elements);
        Some(u32::from(u8::in_lanes(bytes, u8::MAX, |a, b| a.min(b)) != 0))
    }
    fn fold_max(elements: &[Self]) -> Option<u32> {
        let bytes: &[u8] = bytemuck::cast_slice(elements);
        Some(u32::from(u8::in_lanes(bytes, 0, |a, b| a.max(b)) != 0))
    }
    fn fold_count(elements: &[Self]) -> u64 {
        u8::fold_count(bytemuck::cast_slice(elements))
    }
}

macro_rules! floats {
    ($($element:ident: $widen:expr;)*) => {$(
        impl Narrow for $element {
            type Wide = f32;
            type Magnitude = Self;
            type WideMagnitude = f32;
            #[inline]
            fn widen(self) -> f32 {
                let widen: fn(u16) -> u32 = $widen;
                f32::from_bits(widen(self.to_bits()))
            }
            #[inline]
            fn narrow(wide: f32) -> Self {
                Self::from_f32(wide)
            }
            #[inline]
            fn narrow_magnitude(wide: f32) -> Self {
                Self::from_f32(wide)
            }
            fn fold_count(elements: &[Self]) -> u64 {
                let bits: &[u16] = bytemuck::cast_slice(elements);
                count(bits, |bits| bits & 0x7fff != 0)
            }
        }
    )*};
}

floats! {
    f16: f16_to_f32;
    bf16: |bits| u32::from(bits) << 16;
}

/// An f16's bits to those of the f32 of the same value; a NaN's fraction stays.
#[inline]
fn f16_to_f32(bits: u16) -> u32 {
    let sign = u32::from(bits & 0x8000) << 16;
    // Exponent and fraction, where an f32 has them: biases are 15 and 127.
    let magnitude = u32::from(bits & 0x7fff) << 13;
    let bias = if magnitude < 0x0f80_0000 { 0x3800_0000 } else { 0x7000_0000 };
    // A subnormal one is a whole number of 2^-24, which is a float itself, but for its exponent.
    let number = ((magnitude >> 13) as f32).to_bits();
    let subnormal = if magnitude == 0 { 0 } else { number.wrapping_sub(24 << 23) };
    sign | if magnitude >= 0x0080_0000 { magnitude + bias } else { subnormal }
}

/// Elements that are widened at a time, so that many threads have something to do with them.
pub(crate) const WIDENED: usize = 1 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_f16_keeps_its_value() {
        for bits in 0..=u16::MAX {
            let element = f16::from_bits(bits);
            let wide = element.widen();
            assert_eq!(wide.is_nan(), element.is_nan(), "{bits:#x}");
            if !wide.is_nan() {
                assert_eq!(wide.to_bits(), element.to_f32().to_bits(), "{bits:#x}");
                assert_eq!(f16::narrow(wide).to_bits(), bits);
            }
            let element = bf16::from_bits(bits);
            assert_eq!(element.widen().to_bits(), u32::from(bits) << 16);
        }
    }
}
