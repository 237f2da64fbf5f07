//! Whole arrays of files, and new files: these are written beside, and renamed once they are whole.

use crate::{Outcome, dtype::Dtype, error::Error, files::Opened, progress::Progress};
use gridfold::ElementType;
use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

/// The elements of a file, as they are there.
pub struct Array {
    pub name: String,
    pub dtype: &'static Dtype,
    pub is_big_endian: bool,
    pub len: u64,
    pub shape: Shape,
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
        let mut progress = Progress::new(opened.header().data_bytes());
        let bytes = opened.elements.read_all(|bytes| progress.add(bytes));
        let bytes = bytes.map_err(|source| Error::Npy { file: opened.name.clone(), source })?;
        let header = opened.header();
        let (dtype, is_big_endian, len) = (header.dtype, header.is_big_endian, header.len);
        let shape = Shape { sizes: header.sizes.clone(), is_fortran: header.is_fortran };
        Ok(Self { name: opened.name, dtype, is_big_endian, len, shape, bytes })
    }

    /// What the library takes of them.
    pub fn elements(&self) -> Elements {
        let target = &self.dtype.own;
        let len = usize::try_from(self.len).expect("it is in memory");
        let size_bytes = len * usize::try_from(target.element.size_bytes()).expect("a few");
        let mut words = vec![0u64; size_bytes.div_ceil(8)];
        let elements = &mut bytemuck::cast_slice_mut(&mut words)[..size_bytes];
        (target.convert)(&self.bytes, self.is_big_endian, elements);
        Elements { words, size_bytes }
    }

    /// As a header of elements of the same type has it.
    pub fn descr(&self) -> String {
        let order = match (self.dtype.bytes, self.is_big_endian) {
            (1, _) => '|',
            (_, true) => '>',
            (_, false) => '<',
        };
        match self.dtype.code {
            "" => "<V2".to_owned(),
            code => format!("{order}{code}"),
        }
    }
}

/// As a header has elements that are in this machine's order of bytes. Of the library's narrow ones only bools.
pub fn descr_of(element: ElementType) -> &'static str {
    match (element, cfg!(target_endian = "big")) {
        (ElementType::Bool, _) => "|b1",
        (ElementType::F32, false) => "<f4",
        (ElementType::F64, false) => "<f8",
        (ElementType::I32, false) => "<i4",
        (ElementType::I64, false) => "<i8",
        (ElementType::U32, false) => "<u4",
        (_, false) => "<u8",
        (ElementType::F32, true) => ">f4",
        (ElementType::F64, true) => ">f8",
        (ElementType::I32, true) => ">i4",
        (ElementType::I64, true) => ">i8",
        (ElementType::U32, true) => ">u4",
        (_, true) => ">u8",
    }
}

/// A file that is written, but does not have its name yet. Without that it is removed.
pub struct NewFile {
    path: PathBuf,
    beside: PathBuf,
    is_there: bool,
    is_chart: bool,
}

impl NewFile {
    /// Writes an array beside the file of that path.
    pub fn write(path: &Path, descr: &str, shape: &Shape, bytes: &[u8]) -> Result<Self, Error> {
        Self::beside(path, false, &[&header(descr, shape), bytes])
    }

    /// Writes a chart beside the file of that path.
    pub fn chart(path: &Path, svg: &str) -> Result<Self, Error> {
        Self::beside(path, true, &[svg.as_bytes()])
    }

    fn beside(path: &Path, is_chart: bool, parts: &[&[u8]]) -> Result<Self, Error> {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}.part", std::process::id()));
        let (beside, path) = (path.with_file_name(name), path.to_owned());
        // Pipes and devices, such as /dev/stdout, take it at once, and keep their names.
        let is_special = fs::metadata(&path).is_ok_and(|it| !it.is_file() && !it.is_dir());
        let beside = if is_special { path.clone() } else { beside };
        let new = Self { path, beside, is_there: !is_special, is_chart };
        let written = (|| {
            // Later it could not have that name.
            if new.path.is_dir() {
                return Err(io::ErrorKind::IsADirectory.into());
            }
            let mut file = File::create(&new.beside)?;
            for part in parts {
                file.write_all(part)?;
            }
            if is_special { Ok(()) } else { file.sync_all() }
        })();
        written.map_err(|source| new.failed(source))?;
        Ok(new)
    }

    /// Gives the file its name. What had that name before is gone.
    pub fn name(mut self) -> Outcome {
        if self.is_there {
            fs::rename(&self.beside, &self.path).map_err(|source| self.failed(source))?;
        }
        self.is_there = false;
        Ok(())
    }

    fn failed(&self, source: io::Error) -> Error {
        let file = self.path.display().to_string();
        match self.is_chart {
            true => Error::Chart { file, source },
            false => Error::Write { file, source },
        }
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if self.is_there {
            // It may be that it could not be made.
            let _ = fs::remove_file(&self.beside);
        }
    }
}

/// As NumPy writes it: its elements begin at a multiple of 64 bytes.
fn header(descr: &str, shape: &Shape) -> Vec<u8> {
    let sizes: Vec<String> = shape.sizes.iter().map(u64::to_string).collect();
    // A tuple of one has a comma, too.
    let comma = if sizes.len() == 1 { "," } else { "" };
    let (sizes, order) = (sizes.join(", "), if shape.is_fortran { "True" } else { "False" });
    let text =
        format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': ({sizes}{comma}), }}");
    let bytes = (10 + text.len() + 1).next_multiple_of(64);
    let size = u16::try_from(bytes - 10).expect("a short text");
    let mut header = b"\x93NUMPY\x01\x00".to_vec();
    header.extend(size.to_le_bytes());
    header.extend(text.bytes());
    header.resize(bytes - 1, b' ');
    header.push(b'\n');
    header
}
