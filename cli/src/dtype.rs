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
    /// Bytes of an element.
    pub bytes: u64,
    /// What elements are reduced as: what a device has to be sent is no more than what is in the file.
    packed: Target,
    /// What the library's other calls take: of 32 bits at least.
    pub own: Target,
    /// What means and wide results are of: of 64 bits for integers.
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
        $name:literal $code:literal, $stored:ident as $packed:ident, $own:ident, $wide:ident:
        $kind:expr;
    )*) => {
        /// Every type. That of bfloat16 no header has: NumPy has no name for it.
        pub const DTYPES: &[Dtype] = &[$(Dtype {
            name: $name,
            code: $code,
            bytes: size_of::<$stored>() as u64,
            packed: target::<$stored, $packed>(),
            own: target::<$stored, $own>(),
            wide: target::<$stored, $wide>(),
            kind: $kind,
        },)*];
    };
}

dtypes! {
    "float16" "f2", Float16 as f16, f32, f32: Kind::SmallFloat(FLOAT16);
    "float32" "f4", f32 as f32, f32, f32: Kind::Float;
    "float64" "f8", f64 as f64, f64, f64: Kind::Float;
    "bfloat16" "", Bfloat16 as bf16, f32, f32: Kind::SmallFloat(BFLOAT16);
    "int8" "i1", i8 as i8, i32, i64: Kind::Signed;
    "int16" "i2", i16 as i16, i32, i64: Kind::Signed;
    "int32" "i4", i32 as i32, i32, i64: Kind::Signed;
    "int64" "i8", i64 as i64, i64, i64: Kind::Signed;
    "uint8" "u1", u8 as u8, u32, u64: Kind::Unsigned;
    "uint16" "u2", u16 as u16, u32, u64: Kind::Unsigned;
    "uint32" "u4", u32 as u32, u32, u64: Kind::Unsigned;
    "uint64" "u8", u64 as u64, u64, u64: Kind::Unsigned;
    "bool" "b1", Bool as u8, u32, i64: Kind::Bool;
}

impl Dtype {
    /// The type of that name.
    pub fn named(name: &str) -> &'static Self {
        DTYPES.iter().find(|dtype| dtype.name == name).expect("a row of the table")
    }

    /// What an operator reduces elements as.
    pub fn target(&self, operator: OperatorType) -> &Target {
        if self.is_integers_mean(operator) { &self.wide } else { &self.packed }
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

    /// The decimal and the bits of a result whose bits, as the operator gave them, are these: of the file's type again,
    /// where the operator keeps it. `None` where they are right as they are.
    pub fn narrowed(&self, operator: OperatorType, bits: u64) -> Option<(String, u64)> {
        use OperatorType::{
            BitAnd, BitOr, BitXor, Max, MaxAbs, Min, MinMax, NanMax, NanMin, NanMinMax, TotalMax,
            TotalMin, TotalMinMax,
        };
        let is_element = match operator {
            Min | Max | MinMax | NanMin | NanMax | NanMinMax => true,
            TotalMin | TotalMax | TotalMinMax | MaxAbs | BitAnd | BitOr | BitXor => true,
            _ => operator.tells_places(),
        };
        if !is_element {
            return None;
        }
        let unused = 64 - 8 * u32::try_from(self.bytes).expect("few");
        let low = bits << unused >> unused;
        match self.kind {
            Kind::Float => None,
            Kind::SmallFloat(format) => {
                let value = f32::from_bits(u32::try_from(bits).expect("an f32's"));
                let narrow = format.encode(value.into());
                Some((format.decimal(narrow), narrow.into()))
            }
            // A magnitude has no sign.
            Kind::Signed if operator != MaxAbs => {
                Some(((low << unused).cast_signed().wrapping_shr(unused).to_string(), low))
            }
            Kind::Signed | Kind::Unsigned => Some((low.to_string(), low)),
            Kind::Bool => Some(((low & 1 == 1).to_string(), low & 1)),
        }
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
        use OperatorType::{BitAnd, Count, Max, MaxAbs, Min, Sum};
        for (dtype, operator, bits, text, narrow) in [
            ("int8", Min, 0xffff_ff80, "-128", 0x80),
            ("int8", Max, 0x7f, "127", 0x7f),
            ("int8", MaxAbs, 0x80, "128", 0x80),
            ("int16", BitAnd, 0xffff_ffff, "-1", 0xffff),
            ("int64", Min, 1 << 63, "-9223372036854775808", 1 << 63),
            ("uint8", BitAnd, 0xffff_ffff, "255", 0xff),
            ("uint64", Max, u64::MAX, "18446744073709551615", u64::MAX),
            ("bool", Min, 0, "false", 0),
            ("bool", BitAnd, 0xffff_ffff, "true", 1),
            ("float16", Max, 0x3dcc_c000, "0.1", 0x2e66),
            ("bfloat16", Min, 0xff80_0000, "-inf", 0xff80),
        ] {
            let expected = Some((text.to_owned(), narrow));
            assert_eq!(narrowed(dtype, operator, bits), expected, "{dtype} {operator}");
        }
        assert_eq!(narrowed("int8", Sum, 0xffff_ffff_ffff_ff80), None);
        assert_eq!(narrowed("uint8", Count, 300), None);
        assert_eq!(narrowed("float32", Max, 0x3f80_0000), None);
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
