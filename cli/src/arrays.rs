//! Whole arrays of files, and new files: these are written beside, and renamed once they are whole.

use crate::{
    Outcome,
    dtype::Dtype,
    error::Error,
    files::Opened,
    memory::{extend, zeros},
    npy::Header,
    progress::Progress,
};
use gridfold::ElementType;
use std::{
    fs::{self, File},
    io::{self, Seek, Write},
    path::{Path, PathBuf},
};

/// The elements of a file, as they are there.
pub struct Array {
    pub name: String,
    pub dtype: &'static Dtype,
    is_big_endian: bool,
    len: u64,
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

/// A file that is written, but does not have its name yet. Without that it is removed.
pub struct NewFile {
    /// As the caller says it.
    path: PathBuf,
    place: Place,
    is_there: bool,
    /// What the caller gave its path by.
    option: &'static str,
}

/// Where a file is written.
enum Place {
    Beside {
        beside: PathBuf,
        /// What it becomes.
        target: PathBuf,
    },
    /// A pipe or a device takes it at once, and keeps its name.
    Special,
    /// The same, but before what the program prints.
    StandardOutput,
}

impl Place {
    fn of(path: &Path) -> Self {
        let is_any = |paths: &[&str]| cfg!(unix) && paths.iter().any(|it| path == Path::new(it));
        if is_any(&["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]) {
            return Self::StandardOutput;
        }
        // What is open already is not replaced, whatever it leads to.
        let is_open = |folder: &&str| cfg!(unix) && path.starts_with(folder);
        if is_any(&["/dev/stderr"]) || ["/dev/fd", "/proc/self/fd"].iter().any(is_open) {
            return Self::Special;
        }
        if fs::metadata(path).is_ok_and(|it| !it.is_file() && !it.is_dir()) {
            return Self::Special;
        }
        // A link stays, and what it leads to is another file then.
        let is_link = fs::symlink_metadata(path).is_ok_and(|it| it.is_symlink());
        let target = if is_link { fs::canonicalize(path).ok() } else { None };
        let target = target.unwrap_or_else(|| path.to_owned());
        let mut name = target.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}.part", std::process::id()));
        Self::Beside { beside: target.with_file_name(name), target }
    }
}

/// Whether two outputs would be one file, which need not be there yet.
pub fn are_one_file(one: &Path, other: &Path) -> bool {
    let file = |path: &Path| {
        let target = match Place::of(path) {
            Place::Beside { target, .. } => target,
            Place::Special | Place::StandardOutput => path.to_owned(),
        };
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()?;
        Some(folder.join(target.file_name()?))
    };
    // Of a folder that is not there, paths are all that is known.
    one == other || file(one).is_some_and(|one| file(other) == Some(one))
}

impl NewFile {
    /// Writes an array beside the file of that path, which `option` gives.
    pub fn write(
        given: (&'static str, &Path),
        descr: &str,
        shape: &Shape,
        bytes: &[u8],
    ) -> Result<Self, Error> {
        let mut writing = Writing::array(given, descr, shape)?;
        writing.add(bytes)?;
        writing.end()
    }

    /// Writes a chart beside the file of that path.
    pub fn chart(path: &Path, svg: &str) -> Result<Self, Error> {
        let mut writing = Writing::begin(("--svg", path))?;
        writing.add(svg.as_bytes())?;
        writing.end()
    }

    /// Whether a chart can be written beside the file of that path: for calls that take long, before they begin.
    pub fn check_chart(path: &Path) -> Outcome {
        match Place::of(path) {
            Place::Beside { .. } => Self::chart(path, "").map(drop),
            // What they have taken they do not give back.
            Place::Special | Place::StandardOutput => Ok(()),
        }
    }

    /// What its bytes go to, or `None`: to the standard output.
    fn open(&self) -> io::Result<Option<File>> {
        match &self.place {
            // Later it could not have that name.
            Place::Beside { target, .. } if target.is_dir() => {
                Err(io::ErrorKind::IsADirectory.into())
            }
            Place::Beside { beside, .. } => File::create(beside).map(Some),
            // What it has stays.
            Place::Special => File::options().append(true).open(&self.path).map(Some),
            Place::StandardOutput => Ok(None),
        }
    }

    /// Gives the file its name. What had that name before is gone.
    pub fn name(mut self) -> Outcome {
        if let Place::Beside { beside, target } = &self.place {
            fs::rename(beside, target).map_err(|source| self.failed(source))?;
        }
        self.is_there = false;
        Ok(())
    }

    fn failed(&self, source: io::Error) -> Error {
        Error::Write { file: self.path.display().to_string(), source, option: self.option }
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if let (Place::Beside { beside, .. }, true) = (&self.place, self.is_there) {
            // It may be that it could not be made.
            let _ = fs::remove_file(beside);
        }
    }
}

/// A file while its bytes come.
pub struct Writing {
    new: NewFile,
    /// `None` is the standard output.
    file: Option<File>,
}

impl Writing {
    /// Begins an array beside the file of that path, which `option` gives. Its elements are added.
    pub fn array(given: (&'static str, &Path), descr: &str, shape: &Shape) -> Result<Self, Error> {
        let mut writing = Self::begin_array(given)?;
        writing.add(&header(descr, shape))?;
        Ok(writing)
    }

    fn begin_array(given: (&'static str, &Path)) -> Result<Self, Error> {
        let (option, path) = given;
        if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("npz")) {
            return Err(Error::ArchiveOut { file: path.display().to_string(), option });
        }
        Self::begin(given)
    }

    fn begin((option, path): (&'static str, &Path)) -> Result<Self, Error> {
        // As an input it is the standard input.
        if path.as_os_str() == "-" {
            return Err(Error::Dash { option });
        }
        let (path, place) = (path.to_owned(), Place::of(path));
        let is_there = matches!(place, Place::Beside { .. });
        let new = NewFile { path, place, is_there, option };
        let file = new.open().map_err(|source| new.failed(source))?;
        Ok(Self { new, file })
    }

    pub fn add(&mut self, bytes: &[u8]) -> Outcome {
        let added = match &mut self.file {
            Some(file) => file.write_all(bytes),
            None => io::stdout().lock().write_all(bytes),
        };
        added.map_err(|source| self.new.failed(source))
    }

    /// The whole file.
    pub fn end(self) -> Result<NewFile, Error> {
        let ended = match (&self.file, &self.new.place) {
            (Some(file), Place::Beside { .. }) => file.sync_all(),
            (Some(_), _) => Ok(()),
            (None, _) => io::stdout().lock().flush(),
        };
        ended.map_err(|source| self.new.failed(source))?;
        Ok(self.new)
    }
}

/// An array of one dimension while its elements come, however many these are.
pub struct Growing {
    writing: Writing,
    descr: String,
    /// Bytes of an element.
    size: u64,
    /// Of all elements.
    bytes: u64,
    /// The elements, on their way to a pipe, where nothing is written behind what comes first.
    held: Option<Vec<u8>>,
}

impl Growing {
    /// Begins an array beside the file of that path, which `option` gives, of elements of so many bytes.
    pub fn begin(given: (&'static str, &Path), descr: &str, size: u64) -> Result<Self, Error> {
        let mut writing = Writing::begin_array(given)?;
        let mut held = None;
        match &writing.new.place {
            // As long as the one that takes its place.
            Place::Beside { .. } => writing.add(&header(descr, &Shape::of_len(0)))?,
            Place::Special | Place::StandardOutput => held = Some(Vec::new()),
        }
        Ok(Self { writing, descr: descr.to_owned(), size, bytes: 0, held })
    }

    pub fn add(&mut self, bytes: &[u8]) -> Outcome {
        self.bytes += bytes.len() as u64;
        match &mut self.held {
            Some(held) => extend(held, bytes, "what a pipe gets once its length is known"),
            None => self.writing.add(bytes),
        }
    }

    /// The whole file, and how many elements it has.
    pub fn end(self) -> Result<(NewFile, u64), Error> {
        let Self { mut writing, descr, size, bytes, held } = self;
        let len = bytes / size;
        let header = header(&descr, &Shape::of_len(len));
        if let Some(file) = writing.file.as_mut().filter(|_| held.is_none()) {
            file.rewind().map_err(|source| writing.new.failed(source))?;
        }
        writing.add(&header)?;
        writing.add(&held.unwrap_or_default())?;
        Ok((writing.end()?, len))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_of_any_length_are_as_long() {
        for len in [0, 9, 10, u64::MAX] {
            assert_eq!(header("<f4", &Shape::of_len(len)).len(), 128, "{len}");
        }
    }
}
