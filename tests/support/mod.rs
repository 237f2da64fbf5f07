//! What several test programs share.

pub mod component_vectors;
pub mod data;
#[expect(dead_code, reason = "GPUs have no dot products")]
pub mod exact_vectors;
pub mod expression_vectors;
pub mod extrema_vectors;
pub mod f64_data;
pub mod histogram_vectors;
pub mod mask_vectors;
pub mod moments_told;
pub mod moments_vectors;
pub mod narrow_vectors;
pub mod scan_vectors;
pub mod segment_vectors;

use bytemuck::bytes_of;

/// Element types, with values to reduce.
pub trait Element: gridfold::Element {
    /// A value from 32 random bits: any integer, or a float of a size that no sum or product of
    /// floats in the tests leaves the range of normal numbers by surprise.
    fn from_random(bits: u32) -> Self;
    /// A value that no result has by chance.
    fn filler() -> Self;
}

impl Element for f32 {
    fn from_random(bits: u32) -> Self {
        // A sign, an exponent from -20 to 11, and 23 bits of fraction.
        let exponent = 107 + (bits >> 23) % 32;
        Self::from_bits((bits & 0x8000_0000) | (exponent << 23) | (bits & 0x007f_ffff))
    }
    fn filler() -> Self {
        -12345.678
    }
}

impl Element for f64 {
    fn from_random(bits: u32) -> Self {
        // The same exponents, and 52 bits of fraction.
        let exponent = 1003 + u64::from(bits >> 23) % 32;
        let fraction = u64::from(bits & 0x007f_ffff) << 29 | u64::from(data::mix(bits) >> 3);
        Self::from_bits(u64::from(bits >> 31) << 63 | exponent << 52 | fraction)
    }
    fn filler() -> Self {
        -12345.678
    }
}

impl Element for i32 {
    fn from_random(bits: u32) -> Self {
        bits.cast_signed()
    }
    fn filler() -> Self {
        0x1234_5678
    }
}

impl Element for u32 {
    fn from_random(bits: u32) -> Self {
        bits
    }
    fn filler() -> Self {
        0x1234_5678
    }
}

impl Element for i64 {
    fn from_random(bits: u32) -> Self {
        u64::from_random(bits).cast_signed()
    }
    fn filler() -> Self {
        0x1234_5678_9abc_def0
    }
}

impl Element for u64 {
    fn from_random(bits: u32) -> Self {
        u64::from(bits) | u64::from(data::mix(bits)) << 32
    }
    fn filler() -> Self {
        0x1234_5678_9abc_def0
    }
}

/// `len` values without a pattern, always the same. They are odd, so that products of integers do
/// not become 0.
pub fn elements<T: Element>(len: usize) -> Vec<T> {
    (0..len).map(|i| T::from_random(data::mix(u32::try_from(i).expect("short")) | 1)).collect()
}

/// Whether two results are the same to the bit.
pub fn same_bits<T: bytemuck::Pod>(a: Option<T>, b: Option<T>) -> bool {
    a.as_ref().map(bytes_of) == b.as_ref().map(bytes_of)
}
