//! Element types: what a buffer or a slice holds.

use half::{bf16, f16};
use std::fmt;

/// A type that can be reduced: an integer of 8 to 64 bits, `f32`, `f64`, [`f16`](half::f16), [`bf16`](half::bf16), [`Bool`], [`Bits`], or two
/// to four `f32`s, `i32`s or `u32`s: `[f32; 3]`. Sealed, because a Rust type here is a promise that the shaders read its exact bytes.
///
/// What has several components is reduced component by component, each to the bits that it has alone, and the result has as many.
/// Elements lie in buffers as in slices: three components take 12 bytes.
///
/// ```
/// use gridfold::Executor;
///
/// let points = [[1.0, 5.0, 3.0], [4.0f32, 2.0, 6.0]];
/// let executor = Executor::cpu();
/// assert_eq!(executor.min(&points)?, Some([1.0, 2.0, 3.0]));
/// assert_eq!(executor.mean(&points)?, [2.5, 3.5, 4.5]);
/// # Ok::<(), gridfold::Error>(())
/// ```
///
/// Elements of less than a word are packed in buffers, as they are in slices, and may begin at any of their places in a word. No device
/// needs to know them: they are widened as they are loaded, in integers.
#[diagnostic::on_unimplemented(
    note = "of `bool` there are `gridfold::Bool`, a byte, and `gridfold::Bits`, 32 flags in a word; `usize` and `isize` have 64 bits on some machines alone: convert them"
)]
pub trait Element:
    sealed::Sealed + bytemuck::Pod + Send + Sync + PartialEq + fmt::Debug + 'static
{
    /// The type as a value.
    const TYPE: ElementType;
}

pub(crate) mod sealed {
    pub trait Sealed {}
}

/// A byte that says whether something is so, as NumPy has them in arrays: any byte that is not 0 is true.
///
/// ```
/// use gridfold::{Bool, Executor};
///
/// let flags = [true, false, true].map(Bool::from);
/// let executor = Executor::cpu();
/// assert_eq!(executor.count(&flags)?, 2);
/// // Are all true, is any?
/// assert_eq!(executor.min(&flags)?, Some(Bool::FALSE));
/// assert_eq!(executor.max(&flags)?, Some(Bool::TRUE));
/// # Ok::<(), gridfold::Error>(())
/// ```
#[derive(Clone, Copy, Default, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub struct Bool(u8);

impl Bool {
    /// The byte 0.
    pub const FALSE: Self = Self(0);
    /// The byte 1.
    pub const TRUE: Self = Self(1);

    /// Makes a `Bool` of any byte.
    #[inline]
    pub const fn from_byte(byte: u8) -> Self {
        Self(byte)
    }

    /// Whether the byte is not 0.
    #[inline]
    pub const fn get(self) -> bool {
        self.0 != 0
    }
}

impl From<bool> for Bool {
    #[inline]
    fn from(is_so: bool) -> Self {
        Self(is_so.into())
    }
}

impl From<Bool> for bool {
    #[inline]
    fn from(is_so: Bool) -> Self {
        is_so.get()
    }
}

/// Whatever their bytes are.
impl PartialEq for Bool {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl Eq for Bool {}

impl fmt::Debug for Bool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

impl fmt::Display for Bool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.get(), f)
    }
}

/// 32 flags of a bit each, of which the first is the lowest bit: what NumPy's `packbits(flags, bitorder="little")` makes, as words. A
/// mask of any length that begins at any bit is a [`GpuSlice::bits`](crate::GpuSlice::bits), or goes to
/// [`Executor::reduce_bits`](crate::Executor::reduce_bits); slices of `Bits` are whole words.
///
/// [`Count`](crate::Count) is the number of bits that are 1, [`Min`](struct@crate::Min) says whether all are, and [`Max`](struct@crate::Max) whether
/// any is: as those of [`Bool`] do.
///
/// ```
/// use gridfold::{Bits, Bool, Executor};
///
/// let mask = [Bits(0b1011), Bits(u32::MAX)];
/// let executor = Executor::cpu();
/// assert_eq!(executor.count(&mask)?, 35);
/// assert_eq!(executor.min(&mask)?, Some(Bool::FALSE));
/// # Ok::<(), gridfold::Error>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub struct Bits(pub u32);

impl fmt::Debug for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#034b}", self.0)
    }
}

macro_rules! element_types {
    ($($variant:ident $element:ident $name:literal $doc:literal
        loaded as $wide:ident by $packing:ident)*) => {
        /// An element type as a value, for plans and shader keys.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum ElementType {
            $(#[doc = $doc] $variant,)*
        }

        impl ElementType {
            /// Every element type.
            pub const ALL: [Self; [$(Self::$variant),*].len()] = [$(Self::$variant),*];

            /// The type's name, which is Rust's, or as `f32x3`.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// Size of an element in bytes, in buffers as in slices.
            pub const fn size_bytes(self) -> u64 {
                match self {
                    $(Self::$variant => size_of::<$element>() as u64,)*
                }
            }

            /// What it is once it is loaded: kernels compute with elements of whole words.
            pub(crate) const fn wide(self) -> Self {
                match self {
                    $(Self::$variant => Self::$wide,)*
                }
            }

            /// How elements lie in words.
            pub(crate) const fn packing(self) -> Packing {
                match self {
                    $(Self::$variant => Packing::$packing,)*
                }
            }
        }

        $(
            impl sealed::Sealed for $element {}
            impl Element for $element {
                const TYPE: ElementType = ElementType::$variant;
            }
        )*
    };
}

/// For the list: it has names of one word.
macro_rules! vectors {
    ($($name:ident = [$scalar:ident; $components:literal])*) => {$(
        type $name = [$scalar; $components];
    )*};
}

vectors! {
    F32x2 = [f32; 2] F32x3 = [f32; 3] F32x4 = [f32; 4]
    I32x2 = [i32; 2] I32x3 = [i32; 3] I32x4 = [i32; 4]
    U32x2 = [u32; 2] U32x3 = [u32; 3] U32x4 = [u32; 4]
}

element_types! {
    F32 f32 "f32" "32-bit IEEE-754 floating point."
        loaded as F32 by Word
    I32 i32 "i32" "32-bit two's complement integers."
        loaded as I32 by Word
    U32 u32 "u32" "32-bit unsigned integers."
        loaded as U32 by Word
    I64 i64 "i64" "64-bit two's complement integers, the low word first."
        loaded as I64 by TwoWords
    U64 u64 "u64" "64-bit unsigned integers, the low word first."
        loaded as U64 by TwoWords
    F64 f64 "f64" "64-bit IEEE-754 floating point, the low word first. No device has to know it."
        loaded as F64 by TwoWords
    I8 i8 "i8" "8-bit two's complement integers."
        loaded as I32 by Bytes
    U8 u8 "u8" "8-bit unsigned integers."
        loaded as U32 by Bytes
    I16 i16 "i16" "16-bit two's complement integers."
        loaded as I32 by Halves
    U16 u16 "u16" "16-bit unsigned integers."
        loaded as U32 by Halves
    F16 f16 "f16" "16-bit IEEE-754 floating point, which is computed as `f32`."
        loaded as F32 by Halves
    BF16 bf16 "bf16" "The higher half of an `f32`, as which it is computed."
        loaded as F32 by Halves
    Bool Bool "bool" "A byte that is 0, or is not: [`Bool`](struct@crate::Bool)."
        loaded as U32 by Bytes
    Bits Bits "bits" "32 flags of a bit each, the lowest bit first: [`Bits`]."
        loaded as Bits by Bits
    F32x2 F32x2 "f32x2" "Two `f32`s: `[f32; 2]`."
        loaded as F32x2 by Vector2
    F32x3 F32x3 "f32x3" "Three `f32`s: `[f32; 3]`."
        loaded as F32x3 by Vector3
    F32x4 F32x4 "f32x4" "Four `f32`s: `[f32; 4]`."
        loaded as F32x4 by Vector4
    I32x2 I32x2 "i32x2" "Two `i32`s: `[i32; 2]`."
        loaded as I32x2 by Vector2
    I32x3 I32x3 "i32x3" "Three `i32`s: `[i32; 3]`."
        loaded as I32x3 by Vector3
    I32x4 I32x4 "i32x4" "Four `i32`s: `[i32; 4]`."
        loaded as I32x4 by Vector4
    U32x2 U32x2 "u32x2" "Two `u32`s: `[u32; 2]`."
        loaded as U32x2 by Vector2
    U32x3 U32x3 "u32x3" "Three `u32`s: `[u32; 3]`."
        loaded as U32x3 by Vector3
    U32x4 U32x4 "u32x4" "Four `u32`s: `[u32; 4]`."
        loaded as U32x4 by Vector4
}

/// How elements lie in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    Word,
    TwoWords,
    Bytes,
    Halves,
    Vector2,
    Vector3,
    Vector4,
    Bits,
}

impl Packing {
    /// Whether an element is less than a word.
    pub(crate) const fn is_narrow(self) -> bool {
        matches!(self, Self::Bytes | Self::Halves)
    }

    /// Words of an element of several components, each a word.
    pub(crate) const fn components(self) -> Option<u32> {
        match self {
            Self::Vector2 => Some(2),
            Self::Vector3 => Some(3),
            Self::Vector4 => Some(4),
            _ => None,
        }
    }

    /// The shader files that define the element.
    pub(crate) fn element_files(self) -> Vec<&'static str> {
        let own: &[_] = match self {
            Self::Word | Self::Bits => &["element/word.wgsl"],
            Self::TwoWords => &["element/two_words.wgsl@less", "element/two_words.wgsl"],
            Self::Bytes => &["element/word.wgsl", "element/bytes.wgsl"],
            Self::Halves => &["element/word.wgsl", "element/halves.wgsl"],
            Self::Vector2 => &["element/vector.wgsl", "element/vector.wgsl@of_2"],
            Self::Vector3 => &["element/vector.wgsl", "element/vector.wgsl@of_3"],
            Self::Vector4 => &["element/vector.wgsl", "element/vector.wgsl@of_4"],
        };
        let floats = match self {
            Self::TwoWords => "element/numbers.wgsl@f64",
            _ => "element/numbers.wgsl@f32",
        };
        [&["element/numbers.wgsl", floats], own].concat()
    }

    /// The shader files of four elements, packed.
    pub(crate) const fn pack_files(self) -> &'static [&'static str] {
        match self {
            Self::Word | Self::TwoWords | Self::Bits => &["element/word.wgsl@pack_quad"],
            Self::Bytes => &["element/bytes.wgsl@pack", "element/two_words.wgsl@join"],
            Self::Halves => &["element/halves.wgsl@pack", "element/two_words.wgsl@join"],
            Self::Vector2 | Self::Vector3 | Self::Vector4 => {
                &["element/word.wgsl@pack_quad", "element/vector.wgsl@load"]
            }
        }
    }

    /// The shader file that loads elements.
    pub(crate) const fn load_file(self) -> &'static str {
        match self {
            Self::Word => "element/word.wgsl@load",
            Self::TwoWords => "element/two_words.wgsl@load",
            Self::Bytes => "element/bytes.wgsl@load",
            Self::Halves => "element/halves.wgsl@load",
            Self::Bits => "element/word.wgsl@load_bits",
            Self::Vector2 => "element/vector.wgsl@load_2",
            Self::Vector3 => "element/vector.wgsl@load_3",
            Self::Vector4 => "element/vector.wgsl@load_4",
        }
    }

    /// The shader file that loads elements of two inputs.
    pub(crate) const fn pairs_file(self) -> &'static str {
        match self {
            Self::Bytes => "memory/pairs.wgsl@bytes",
            Self::Halves => "memory/pairs.wgsl@halves",
            Self::TwoWords => "memory/pairs.wgsl@two_words",
            // No operator of two inputs is for others.
            _ => "memory/pairs.wgsl@words",
        }
    }

    /// The section that loads elements of a third input.
    pub(crate) const fn third_file(self) -> &'static str {
        match self {
            Self::Bytes => "expression/third.wgsl@bytes",
            Self::Halves => "expression/third.wgsl@halves",
            Self::TwoWords => "expression/third.wgsl@two_words",
            // Expressions are over no bits, and have the components of others one by one.
            Self::Vector2 | Self::Vector3 | Self::Vector4 => "expression/third.wgsl@components",
            Self::Word | Self::Bits => "expression/third.wgsl@words",
        }
    }
}

impl ElementType {
    /// Words of 32 bits of an element, once it is loaded.
    pub(crate) const fn words(self) -> u32 {
        match (self.packing(), self.packing().components()) {
            (Packing::TwoWords, _) => 2,
            (_, Some(components)) => components,
            _ => 1,
        }
    }

    /// Bytes that an index in a binding counts: elements of several words may begin at any word.
    pub(crate) const fn index_bytes(self) -> u32 {
        match self.packing() {
            Packing::Bytes => 1,
            Packing::Halves => 2,
            _ => 4,
        }
    }

    /// Bytes from one element to the next that kernels get although elements follow one another: kernels find elements of one word by bytes, wherever they lie.
    pub(crate) const fn told_stride_bytes(self) -> u32 {
        match self.packing() {
            Packing::Word | Packing::Bits => 4,
            _ => 0,
        }
    }

    /// The values of the pipeline constants by which element types share shaders. No shader declares all of them.
    pub(crate) const fn constants(self) -> &'static [(&'static str, u32)] {
        const SIGNED: (&str, u32) = ("NUMBERS", 1);
        const FLOATS: (&str, u32) = ("NUMBERS", 2);
        match self {
            Self::Bool => &[("ARE_FLAGS", 1)],
            Self::BF16 => &[FLOATS, ("ARE_BF16", 1)],
            _ => match self.component().wide() {
                Self::F32 | Self::F64 => &[FLOATS],
                Self::I32 | Self::I64 => &[SIGNED],
                _ => &[],
            },
        }
    }

    /// Whether there are kernels for many reductions at once. Of the others each has dispatches of its own.
    pub(crate) const fn has_jobs(self) -> bool {
        !self.is_vector() && !matches!(self, Self::Bits)
    }

    /// Whether elements are floats, or have components that are.
    pub(crate) const fn is_float(self) -> bool {
        matches!(self.component(), Self::F32 | Self::F64 | Self::F16 | Self::BF16)
    }

    /// Whether elements have several components, each of which is reduced alone.
    pub const fn is_vector(self) -> bool {
        self.packing().components().is_some()
    }

    /// The type of a component: of one that has no components itself.
    pub(crate) const fn component(self) -> Self {
        match self {
            Self::F32x2 | Self::F32x3 | Self::F32x4 => Self::F32,
            Self::I32x2 | Self::I32x3 | Self::I32x4 => Self::I32,
            Self::U32x2 | Self::U32x3 | Self::U32x4 => Self::U32,
            other => other,
        }
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
