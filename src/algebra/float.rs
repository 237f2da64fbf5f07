//! Floats of either size.

use std::ops::{Add, BitOr, Mul};

/// What is the same of f32s and f64s.
pub(crate) trait Float:
    Copy + Default + PartialEq + Add<Output = Self> + Mul<Output = Self>
{
    /// An integer of its size.
    type Bits: Copy + Default + PartialEq + BitOr<Output = Self::Bits>;
    const NAN: Self;
    const ALL_BITS: Self::Bits;
    fn is_nan(self) -> bool;
    fn to_bits(self) -> Self::Bits;
    /// A zero with the sign of a float of these bits.
    fn zero_like(bits: Self::Bits) -> Self;
}

macro_rules! floats {
    ($($float:ident $bits:ident)*) => {$(
        impl Float for $float {
            type Bits = $bits;
            const NAN: Self = $float::NAN;
            const ALL_BITS: $bits = $bits::MAX;
            #[inline]
            fn is_nan(self) -> bool {
                self.is_nan()
            }
            #[inline]
            fn to_bits(self) -> $bits {
                self.to_bits()
            }
            #[inline]
            fn zero_like(bits: $bits) -> Self {
                $float::copysign(0.0, $float::from_bits(bits))
            }
        }
    )*};
}

floats!(f32 u32 f64 u64);
