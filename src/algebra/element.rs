//! Element types: what a buffer or a slice holds.

use std::fmt;

/// A type that can be reduced: `f32`, `i32`, `u32`, `i64` or `u64`. Sealed, because a Rust type here is a promise
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
impl Element for i64 {
    const TYPE: ElementType = ElementType::I64;
}
impl Element for u64 {
    const TYPE: ElementType = ElementType::U64;
}

pub(crate) mod sealed {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for i32 {}
    impl Sealed for u32 {}
    impl Sealed for i64 {}
    impl Sealed for u64 {}
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
    /// 64-bit two's complement integers, the low word first.
    I64,
    /// 64-bit unsigned integers, the low word first.
    U64,
}

impl ElementType {
    /// Every element type.
    pub const ALL: [Self; 5] = [Self::F32, Self::I32, Self::U32, Self::I64, Self::U64];

    /// Rust's name of the type.
    pub const fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::I32 => "i32",
            Self::U32 => "u32",
            Self::I64 => "i64",
            Self::U64 => "u64",
        }
    }

    /// Size of an element in bytes, in buffers as in slices.
    pub const fn size_bytes(self) -> u64 {
        4 * self.words() as u64
    }

    /// Words of 32 bits of an element.
    pub(crate) const fn words(self) -> u32 {
        match self {
            Self::F32 | Self::I32 | Self::U32 => 1,
            Self::I64 | Self::U64 => 2,
        }
    }

    /// The shader files that define the element.
    pub(crate) const fn shader_files(self) -> &'static [&'static str] {
        match self {
            Self::F32 => &["element/f32.wgsl"],
            Self::I32 => &["element/i32.wgsl"],
            Self::U32 => &["element/u32.wgsl"],
            Self::I64 => &["element/two_words.wgsl", "element/i64.wgsl"],
            Self::U64 => &["element/two_words.wgsl", "element/u64.wgsl"],
        }
    }

    /// The shader file that loads elements.
    pub(crate) const fn load_file(self) -> &'static str {
        match self.words() {
            1 => "element/load_word.wgsl",
            _ => "element/load_two_words.wgsl",
        }
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
