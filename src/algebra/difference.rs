//! Differences of neighbours.

use crate::{
    algebra::{element::Element, f64_arithmetic, float_environment},
    exact::{f32_bits, f64_bits},
};

/// Numbers that have differences: those of 32 and 64 bits. Sealed.
pub trait DifferenceElement: Element {
    /// Of an element and the one before it. `adds_as_ieee` is whether the thread adds floats as IEEE-754 says.
    #[doc(hidden)]
    fn difference(self, before: Self, adds_as_ieee: bool) -> Self;
}

macro_rules! integers {
    ($($integer:ident)*) => {$(
        impl DifferenceElement for $integer {
            #[inline]
            fn difference(self, before: Self, _: bool) -> Self {
                self.wrapping_sub(before)
            }
        }
    )*};
}

integers!(i32 u32 i64 u64);

impl DifferenceElement for f32 {
    #[inline]
    fn difference(self, before: Self, adds_as_ieee: bool) -> Self {
        let difference = match adds_as_ieee {
            true => self - before,
            false => float_environment::add(self, -before),
        };
        if difference.is_nan() { Self::from_bits(f32_bits::CANONICAL_NAN) } else { difference }
    }
}

impl DifferenceElement for f64 {
    #[inline]
    fn difference(self, before: Self, adds_as_ieee: bool) -> Self {
        let difference = match adds_as_ieee {
            true => self - before,
            false => f64_arithmetic::add(self, -before),
        };
        if difference.is_nan() { Self::from_bits(f64_bits::CANONICAL_NAN) } else { difference }
    }
}
