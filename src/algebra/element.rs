//! Element types: what a buffer or a slice holds.

use std::fmt;

/// A type that can be reduced: `f32`, `i32` or `u32`. Sealed, because a Rust type here is a promise
/// that the shaders read its exact bytes.
pub trait Element:
    sealed::Sealed + bytemuck::Pod + Send + Sync + PartialEq + fmt::Debug + fmt::Display + 'static
{
    /// The type as a value.
    const TYPE: ElementType;
}

impl Element for f32 {
    const TYPE: ElementType = ElementType::F32;
}
impl Element for i32 {
    const TYPE: ElementType = ElementType::I32;
}
impl Element for u32 {
    const TYPE: ElementType = ElementType::U32;
}

pub(crate) mod sealed {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for i32 {}
    impl Sealed for u32 {}
}

/// An element type as a value, for plans and shader keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ElementType {
    /// 32-bit IEEE-754 floating point.
    F32,
    /// 32-bit two's complement integers.
    I32,
    /// 32-bit unsigned integers.
    U32,
}

impl ElementType {
    /// Every element type.
    pub const ALL: [Self; 3] = [Self::F32, Self::I32, Self::U32];

    /// Rust's name of the type.
    pub const fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::I32 => "i32",
            Self::U32 => "u32",
        }
    }

    /// Size of an element in bytes, in buffers as in slices.
    pub const fn size_bytes(self) -> u64 {
        4
    }

    /// The shader file that defines the element.
    pub(crate) const fn shader_file(self) -> &'static str {
        match self {
            Self::F32 => "element/f32.wgsl",
            Self::I32 => "element/i32.wgsl",
            Self::U32 => "element/u32.wgsl",
        }
    }

    /// The shader file that loads elements.
    pub(crate) const fn load_file(self) -> &'static str {
        "element/load_word.wgsl"
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
