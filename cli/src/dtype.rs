//! The element types of files, as NumPy names them: what they are reduced as, and how results of them are written. A further
//! type is a row of the table, and what makes elements of its bytes.

use crate::small_float::{BFLOAT16, FLOAT16, Format};
use gridfold::{
    Element, ElementType, OperatorType,
    half::{bf16, f16},
};

/// An element type of files.
#[derive(Debug)]
pub struct Dtype {
    /// In programs.
    pub name: &'static str,
    /// In headers, without the order of bytes.
    pub code: &'static str,
    /// Other names that `numpy.dtype` takes, on any machine for the same type.
    aliases: &'static [&'static str],
    /// Bytes of an element.
    pub bytes: u64,
    /// What elements are reduced as: what a device has to be sent is no more than what is in the file.
    pub packed: Target,
    /// What the library's other calls take: of 32 bits at least.
    pub own: Target,
    /// The same, but of 64 bits for integers.
    pub wide: Target,
    kind: Kind,
}

/// An element type of the library, and how a file's elements become some.
#[derive(Debug)]
pub struct Target {
    pub element: ElementType,
    /// From a file's bytes, the most significant first if so, to as many elements, in this machine's order.
    pub convert: fn(&[u8], bool, &mut [u8]),
    /// Whether the file's bytes are the elements' already, in this machine's order.
    pub is_same: bool,
}

/// What values of the type are.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Float,
    /// A float that is reduced as a wider one.
    SmallFloat(Format),
    Signed,
    Unsigned,
    Bool,
}

macro_rules! dtypes {
    ($(
        $name:literal $code:literal $aliases:expr, $stored:ident as $packed:ident, $own:ident, $wide:ident:
        $kind:expr;
    )*) => {
        /// Every type. That of bfloat16 no header has: NumPy has no name for it.
        pub const DTYPES: &[Dtype] = &[$(Dtype {
            name: $name,
            code: $code,
            aliases: &$aliases,
            bytes: size_of::<$stored>() as u64,
            packed: target::<$stored, $packed>(),
            own: target::<$stored, $own>(),
            wide: target::<$stored, $wide>(),
            kind: $kind,
        },)*];
    };
}

dtypes! {
    "float16" "f2" ["e", "half"], Float16 as f16, f32, f32: Kind::SmallFloat(FLOAT16);
    "float32" "f4" ["f", "single"], f32 as f32, f32, f32: Kind::Float;
    "float64" "f8" ["d", "double", "float"], f64 as f64, f64, f64: Kind::Float;
    "bfloat16" "" [], Bfloat16 as bf16, f32, f32: Kind::SmallFloat(BFLOAT16);
    "int8" "i1" ["b", "byte"], i8 as i8, i32, i64: Kind::Signed;
    "int16" "i2" ["h", "short"], i16 as i16, i32, i64: Kind::Signed;
    "int32" "i4" ["i", "intc"], i32 as i32, i32, i64: Kind::Signed;
    "int64" "i8" ["q", "longlong"], i64 as i64, i64, i64: Kind::Signed;
    "uint8" "u1" ["B", "ubyte"], u8 as u8, u32, u64: Kind::Unsigned;
    "uint16" "u2" ["H", "ushort"], u16 as u16, u32, u64: Kind::Unsigned;
    "uint32" "u4" ["I", "uintc"], u32 as u32, u32, u64: Kind::Unsigned;
    "uint64" "u8" ["Q", "ulonglong"], u64 as u64, u64, u64: Kind::Unsigned;
    "bool" "b1" ["?", "bool_"], Bool as u8, u32, i64: Kind::Bool;
}

impl Dtype {
    /// The type of that name.
    pub fn named(name: &str) -> &'static Self {
        DTYPES.iter().find(|dtype| dtype.name == name).expect("a row of the table")
    }

    /// The type that headers call so, without the order of bytes: as `numpy.save` writes it, or by another name that NumPy takes.
    pub fn of_header(name: &str) -> Option<&'static Self> {
        // bfloat16 has no code: no header has its name.
        let mut named = DTYPES.iter().filter(|dtype| !dtype.code.is_empty());
        named
            .find(|dtype| name == dtype.code || name == dtype.name || dtype.aliases.contains(&name))
    }

    /// The library's operator for an operator of files: sums and products of integers have 64 bits, as NumPy's have, and a mean of them is
    /// made of their sum.
    pub fn reduced_by(&self, operator: OperatorType) -> OperatorType {
        match operator {
            _ if self.has_nans() => operator,
            OperatorType::Sum => OperatorType::SumWide,
            OperatorType::Product => OperatorType::ProductWide,
            OperatorType::Mean => OperatorType::SumWide,
            _ => operator,
        }
    }

    /// Whether the operator is a mean of integers, which the library does not have.
    pub fn is_integers_mean(&self, operator: OperatorType) -> bool {
        operator == OperatorType::Mean && !matches!(self.kind, Kind::Float | Kind::SmallFloat(_))
    }

    /// Whether there are NaNs.
    pub fn has_nans(&self) -> bool {
        matches!(self.kind, Kind::Float | Kind::SmallFloat(_))
    }

    /// Whether there are values below 0.
    pub fn is_signed(&self) -> bool {
        !matches!(self.kind, Kind::Unsigned)
    }

    /// The library's type of as many bytes, with the same values.
    pub fn element(&self) -> ElementType {
        match self.kind {
            Kind::Bool => ElementType::Bool,
            _ => self.packed.element,
        }
    }

    /// The type of an operator's results, where these are elements: this one, or of magnitudes the one of as many bytes without a
    /// sign. `None` where the operator gives something else.
    pub fn of_results(&'static self, operator: OperatorType) -> Option<&'static Self> {
        match operator.without_options() {
            OperatorType::MaxAbs if matches!(self.kind, Kind::Signed) => {
                let has_no_sign = |other: &&Self| matches!(other.kind, Kind::Unsigned);
                DTYPES.iter().filter(has_no_sign).find(|other| other.bytes == self.bytes)
            }
            OperatorType::Min
            | OperatorType::Max
            | OperatorType::MinMax
            | OperatorType::MaxAbs
            | OperatorType::BitAnd
            | OperatorType::BitOr
            | OperatorType::BitXor => Some(self),
            _ => Some(self).filter(|_| operator.tells_places()),
        }
    }

    /// The decimal and the bits of a result whose bits, as the operator gave them ([`Dtype::own`]), are these: of the file's type
    /// again, where the operator keeps it. `None` where they are right as they are.
    pub fn narrowed(&'static self, operator: OperatorType, widened: u64) -> Option<(String, u64)> {
        let of_results = self.of_results(operator)?;
        let bits = of_results.nearest(widened);
        Some((of_results.decimal(bits)?, bits))
    }

    /// Elements of the type, in this machine's order of bytes, of as many that are widened ([`Dtype::own`]).
    pub fn narrow(&self, widened: &[u8]) -> Vec<u8> {
        let words = || bytemuck::pod_collect_to_vec::<u8, u32>(widened).into_iter();
        let bits = |word: u32| self.nearest(word.into());
        match self.bytes {
            1 => words().map(|word| u8::try_from(bits(word)).expect("of a byte")).collect(),
            2 => words()
                .flat_map(|word| u16::try_from(bits(word)).expect("of two bytes").to_ne_bytes())
                .collect(),
            _ => widened.to_vec(),
        }
    }

    /// The bits of the element that is widened to these. What no element is widened to, as extrema of nothing, has the nearest
    /// one's.
    fn nearest(&self, widened: u64) -> u64 {
        let word = || u32::try_from(widened).expect("they are widened to a word");
        match (self.kind, self.bytes) {
            (Kind::SmallFloat(format), _) => format.narrowed(word()).into(),
            (Kind::Signed, 1 | 2) => {
                let largest = (1i64 << (8 * self.bytes - 1)) - 1;
                let number = i64::from(word().cast_signed()).clamp(-largest - 1, largest);
                self.low_bits(number.cast_unsigned())
            }
            (Kind::Unsigned, 1 | 2) => widened.min(self.low_bits(u64::MAX)),
            (Kind::Bool, _) => (widened != 0).into(),
            _ => widened,
        }
    }

    /// The decimal of an element, of its bits. `None` of the floats that have Rust's own.
    pub fn decimal(&self, bits: u64) -> Option<String> {
        match self.kind {
            Kind::Float => None,
            Kind::SmallFloat(format) => {
                Some(format.decimal(u16::try_from(bits).expect("of two bytes")))
            }
            Kind::Signed => {
                let unused = self.unused_bits();
                Some(((bits << unused).cast_signed() >> unused).to_string())
            }
            Kind::Unsigned => Some(bits.to_string()),
            Kind::Bool => Some((bits != 0).to_string()),
        }
    }

    /// As many of the bits as an element has.
    pub fn low_bits(&self, bits: u64) -> u64 {
        bits << self.unused_bits() >> self.unused_bits()
    }

    /// Those of 64 bits that an element does not have.
    fn unused_bits(&self) -> u32 {
        64 - 8 * u32::try_from(self.bytes).expect("few")
    }
}

/// What a file stores for an element.
trait Stored: Copy {
    /// Whether any bytes are a value, and no others the same one.
    const IS_ANY: bool = true;

    fn of(bytes: &[u8], is_big_endian: bool) -> Self;
}

macro_rules! stored {
    ($($number:ident)*) => {$(
        impl Stored for $number {
            fn of(bytes: &[u8], is_big_endian: bool) -> Self {
                let bytes = bytes.try_into().expect("as many as it has");
                if is_big_endian { Self::from_be_bytes(bytes) } else { Self::from_le_bytes(bytes) }
            }
        }
    )*};
}

stored!(f32 f64 i8 i16 i32 i64 u8 u16 u32 u64);

/// A byte, of which NumPy's are 0 or 1.
#[derive(Clone, Copy)]
struct Bool(u8);

impl Stored for Bool {
    const IS_ANY: bool = false;

    fn of(bytes: &[u8], _: bool) -> Self {
        Self(u8::from(bytes[0] != 0))
    }
}

impl From<Bool> for u8 {
    fn from(value: Bool) -> Self {
        value.0
    }
}

impl From<Bool> for u32 {
    fn from(value: Bool) -> Self {
        value.0.into()
    }
}

impl From<Bool> for i64 {
    fn from(value: Bool) -> Self {
        value.0.into()
    }
}

#[derive(Clone, Copy)]
struct Float16(u16);

impl Stored for Float16 {
    fn of(bytes: &[u8], is_big_endian: bool) -> Self {
        Self(u16::of(bytes, is_big_endian))
    }
}

impl From<Float16> for f16 {
    fn from(value: Float16) -> Self {
        Self::from_bits(value.0)
    }
}

impl From<Float16> for f32 {
    fn from(value: Float16) -> Self {
        FLOAT16.decode(value.0)
    }
}

#[derive(Clone, Copy)]
struct Bfloat16(u16);

impl Stored for Bfloat16 {
    fn of(bytes: &[u8], is_big_endian: bool) -> Self {
        Self(u16::of(bytes, is_big_endian))
    }
}

impl From<Bfloat16> for bf16 {
    fn from(value: Bfloat16) -> Self {
        Self::from_bits(value.0)
    }
}

impl From<Bfloat16> for f32 {
    fn from(value: Bfloat16) -> Self {
        Self::from_bits(u32::from(value.0) << 16)
    }
}

const fn target<S: Stored, T: Element + From<S>>() -> Target {
    // Only a type of its own size is itself: all others are widened.
    let is_same = S::IS_ANY && size_of::<S>() == size_of::<T>() && cfg!(target_endian = "little");
    Target { element: T::TYPE, convert: convert::<S, T>, is_same }
}

fn convert<S: Stored, T: Element + From<S>>(
    bytes: &[u8],
    is_big_endian: bool,
    elements: &mut [u8],
) {
    let elements: &mut [T] = bytemuck::cast_slice_mut(elements);
    for (element, bytes) in elements.iter_mut().zip(bytes.chunks_exact(size_of::<S>())) {
        *element = S::of(bytes, is_big_endian).into();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn narrowed(dtype: &str, operator: OperatorType, bits: u64) -> Option<(String, u64)> {
        Dtype::named(dtype).narrowed(operator, bits)
    }

    #[test]
    fn results_are_of_the_files_type() {
        for (dtype, operator, bits, text, narrow) in [
            ("int8", OperatorType::Min, 0xffff_ff80, "-128", 0x80),
            ("int8", OperatorType::Max, 0x7f, "127", 0x7f),
            ("int8", OperatorType::MaxAbs, 0x80, "128", 0x80),
            ("int16", OperatorType::BitAnd, 0xffff_ffff, "-1", 0xffff),
            ("int64", OperatorType::Min, 1 << 63, "-9223372036854775808", 1 << 63),
            ("uint8", OperatorType::BitAnd, 0xffff_ffff, "255", 0xff),
            ("uint64", OperatorType::Max, u64::MAX, "18446744073709551615", u64::MAX),
            ("bool", OperatorType::Min, 0, "false", 0),
            ("bool", OperatorType::BitAnd, 0xffff_ffff, "true", 1),
            ("float16", OperatorType::Max, 0x3dcc_c000, "0.1", 0x2e66),
            ("bfloat16", OperatorType::Min, 0xff80_0000, "-inf", 0xff80),
        ] {
            let expected = Some((text.to_owned(), narrow));
            assert_eq!(narrowed(dtype, operator, bits), expected, "{dtype} {operator}");
        }
        // Extrema of nothing.
        for (dtype, operator, bits, text, narrow) in [
            ("int8", OperatorType::Min, 0x7fff_ffff, "127", 0x7f),
            ("int8", OperatorType::Max, 0x8000_0000, "-128", 0x80),
            ("int16", OperatorType::Min, 0x7fff_ffff, "32767", 0x7fff),
            ("uint16", OperatorType::Min, 0xffff_ffff, "65535", 0xffff),
            ("uint8", OperatorType::Max, 0, "0", 0),
            ("int32", OperatorType::Max, 0x8000_0000, "-2147483648", 0x8000_0000),
        ] {
            let expected = Some((text.to_owned(), narrow));
            assert_eq!(narrowed(dtype, operator, bits), expected, "{dtype} {operator}");
        }
        assert_eq!(narrowed("int8", OperatorType::Sum, 0xffff_ffff_ffff_ff80), None);
        assert_eq!(narrowed("uint8", OperatorType::Count, 300), None);
        assert_eq!(narrowed("float32", OperatorType::Max, 0x3f80_0000), None);
    }

    #[test]
    fn elements_become_narrow_again() {
        let narrow = |dtype: &str, widened: &[u32]| {
            Dtype::named(dtype).narrow(bytemuck::cast_slice(widened))
        };
        let numbers = [-128i32, 127, -1, i32::MAX, i32::MIN].map(i32::cast_unsigned);
        assert_eq!(narrow("int8", &numbers), [0x80, 0x7f, 0xff, 0x7f, 0x80]);
        let halves = [-128i16, 127, -1, i16::MAX, i16::MIN].map(i16::to_ne_bytes);
        assert_eq!(narrow("int16", &numbers), halves.concat());
        assert_eq!(narrow("uint8", &[7, 255, u32::MAX]), [7, 255, 255]);
        assert_eq!(
            narrow("uint16", &[7, u32::MAX]),
            [7u16, u16::MAX].map(u16::to_ne_bytes).concat()
        );
        assert_eq!(narrow("bool", &[0, 1, u32::MAX]), [0, 1, 1]);
        let floats = [0.5f32, f32::INFINITY].map(f32::to_bits);
        assert_eq!(narrow("float16", &floats), [0x3800u16, 0x7c00].map(u16::to_ne_bytes).concat());
        assert_eq!(narrow("bfloat16", &floats), [0x3f00u16, 0x7f80].map(u16::to_ne_bytes).concat());
        assert_eq!(narrow("uint32", &[7]), 7u32.to_ne_bytes());
    }

    #[test]
    fn results_have_a_type() {
        for (dtype, operator, expected) in [
            ("int8", OperatorType::Max, Some("int8")),
            ("int16", OperatorType::MaxAbs, Some("uint16")),
            ("int64", OperatorType::MaxAbs, Some("uint64")),
            ("bool", OperatorType::MaxAbs, Some("bool")),
            ("float16", OperatorType::MaxAbs, Some("float16")),
            ("uint8", OperatorType::BitXor, Some("uint8")),
            ("uint8", OperatorType::ArgMin, Some("uint8")),
            ("uint8", OperatorType::Count, None),
            ("int8", OperatorType::Sum, None),
            ("int8", OperatorType::Mean, None),
        ] {
            let found = Dtype::named(dtype).of_results(operator).map(|dtype| dtype.name);
            assert_eq!(found, expected, "{dtype} {operator}");
        }
        let elements = ["int8", "uint16", "bool", "bfloat16", "int64"].map(|dtype| {
            let dtype = Dtype::named(dtype);
            assert_eq!(dtype.element().size_bytes(), dtype.bytes);
            dtype.element().name()
        });
        assert_eq!(elements, ["i8", "u16", "bool", "bf16", "i64"]);
    }

    #[test]
    fn bytes_become_elements() {
        let convert = |dtype: &str, bytes: &[u8], is_big_endian| {
            let dtype = Dtype::named(dtype);
            let mut wide = [0i64; 2];
            (dtype.wide.convert)(bytes, is_big_endian, bytemuck::bytes_of_mut(&mut wide));
            wide
        };
        assert_eq!(convert("int8", &[0x80, 0x7f], false), [-128, 127]);
        assert_eq!(convert("bool", &[7, 0], false), [1, 0]);
        assert_eq!(convert("int16", &[0xff, 0x01, 0x00, 0x80], false), [0x1ff, -0x8000]);
        assert_eq!(convert("int16", &[0xff, 0x01, 0x00, 0x80], true), [-0xff, 0x80]);
        let mut floats = [0f32; 2];
        let bytes = [0x00, 0x3c, 0x01, 0x80];
        let half = Dtype::named("float16");
        (half.own.convert)(&bytes, false, bytemuck::bytes_of_mut(&mut floats));
        assert_eq!(floats, [1.0, -(2f32.powi(-24))]);
        let flags = &Dtype::named("bool").packed;
        let mut packed = [9u8; 2];
        (flags.convert)(&[7, 0], false, &mut packed);
        assert!(packed == [1, 0] && !flags.is_same);
        let mut halves = [0u16; 2];
        (half.packed.convert)(&[0x3c, 0x00, 0x80, 0x01], true, bytemuck::bytes_of_mut(&mut halves));
        assert!(halves == [0x3c00, 0x8001] && half.packed.is_same);
    }
}
