//! Whole arrays of files.

use crate::{
    dtype::Dtype, error::Error, files::Opened, memory::zeros, npy::Header, progress::Progress,
};
use gridfold::ElementType;

/// The elements of a file, as they are there.
pub struct Array {
    pub name: String,
    pub dtype: &'static Dtype,
    is_big_endian: bool,
    pub len: u64,
    pub bytes: Vec<u8>,
}

/// The sizes of an array's dimensions.
pub struct Shape {
    pub sizes: Vec<u64>,
    /// Whether the first dimension varies fastest, and not the last.
    pub is_fortran: bool,
}

impl Shape {
    /// Of one dimension.
    pub fn of_len(len: u64) -> Self {
        Self { sizes: vec![len], is_fortran: false }
    }
}

/// Sizes of dimensions, as Python writes them.
pub fn tuple(sizes: &[u64]) -> String {
    let list: Vec<String> = sizes.iter().map(u64::to_string).collect();
    // A tuple of one has a comma, too.
    let comma = if sizes.len() == 1 { "," } else { "" };
    format!("({}{comma})", list.join(", "))
}

/// A file's elements as the library takes them, in this machine's order of bytes.
pub struct Elements {
    /// Words of 64 bits begin where any element may.
    words: Vec<u64>,
    size_bytes: usize,
}

impl Elements {
    pub fn bytes(&self) -> &[u8] {
        &bytemuck::cast_slice(&self.words)[..self.size_bytes]
    }
}

impl Array {
    /// All of a file of which the header was read.
    pub fn read(mut opened: Opened) -> Result<Self, Error> {
        let bytes = opened.read_all(&mut Progress::new(opened.header().data_bytes()))?;
        let Header { dtype, is_big_endian, len, .. } = *opened.header();
        Ok(Self { name: opened.name, dtype, is_big_endian, len, bytes })
    }

    /// What the library takes of them.
    pub fn elements(&self) -> Result<Elements, Error> {
        let target = &self.dtype.own;
        let len = usize::try_from(self.len).expect("it is in memory");
        let size_bytes = len * usize::try_from(target.element.size_bytes()).expect("a few");
        let mut words = zeros::<u64>(size_bytes.div_ceil(8), "elements")?;
        let elements = &mut bytemuck::cast_slice_mut(&mut words)[..size_bytes];
        (target.convert)(&self.bytes, self.is_big_endian, elements);
        Ok(Elements { words, size_bytes })
    }
}

/// As a header of elements of the same type as a file's has it.
pub fn descr_in(header: &Header) -> String {
    let order = match (header.dtype.bytes, header.is_big_endian) {
        (1, _) => '|',
        (_, true) => '>',
        (_, false) => '<',
    };
    format!("{order}{}", header.code)
}

/// As a header has results of a type that are in this machine's order of bytes. Those of bfloat16 are called what the file calls its elements.
pub fn descr_beside(header: &Header, element: ElementType) -> &'static str {
    match (element, header.code) {
        (ElementType::BF16, "u2") => descr_of(ElementType::U16),
        _ => descr_of(element),
    }
}

/// As a header has elements that are in this machine's order of bytes. (NumPy has no name for bfloat16.)
pub fn descr_of(element: ElementType) -> &'static str {
    match (element, cfg!(target_endian = "big")) {
        (ElementType::Bool, _) => "|b1",
        (ElementType::I8, _) => "|i1",
        (ElementType::U8, _) => "|u1",
        (ElementType::BF16, _) => "<V2",
        (ElementType::F16, false) => "<f2",
        (ElementType::I16, false) => "<i2",
        (ElementType::U16, false) => "<u2",
        (ElementType::F32, false) => "<f4",
        (ElementType::F64, false) => "<f8",
        (ElementType::I32, false) => "<i4",
        (ElementType::I64, false) => "<i8",
        (ElementType::U32, false) => "<u4",
        (_, false) => "<u8",
        (ElementType::F16, true) => ">f2",
        (ElementType::I16, true) => ">i2",
        (ElementType::U16, true) => ">u2",
        (ElementType::F32, true) => ">f4",
        (ElementType::F64, true) => ">f8",
        (ElementType::I32, true) => ">i4",
        (ElementType::I64, true) => ">i8",
        (ElementType::U32, true) => ">u4",
        (_, true) => ">u8",
    }
}
