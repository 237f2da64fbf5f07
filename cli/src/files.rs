//! Files that are read.

use crate::{
    Outcome,
    arrays::tuple,
    dtype::Target,
    error::Error,
    memory::{SPARE_BYTES, is_room},
    npy::{Elements, Header, NpyError},
    npz::{self, Member},
    progress::Progress,
};
use std::{
    fs::{self, File},
    io::{self, Cursor, Read},
    path::Path,
    rc::Rc,
};

/// A file of which the header was read.
pub struct Opened {
    pub name: String,
    pub elements: Elements<Box<dyn Read>>,
    /// Whether there is nothing to open again, as of a pipe.
    pub is_read_once: bool,
}

impl Opened {
    /// Opens a file. Its elements are bfloat16s, if the caller says so.
    pub fn new(path: &Path, is_of_bfloat16s: bool) -> Result<Self, Error> {
        Self::of(path, is_of_bfloat16s, NpyError::Opaque)
    }

    /// Opens a file that goes with another one. Nobody says what its elements are.
    pub fn beside(path: &Path) -> Result<Self, Error> {
        Self::of(path, false, NpyError::OpaqueBeside)
    }

    fn of(path: &Path, is_of_bfloat16s: bool, opaque: NpyError) -> Result<Self, Error> {
        let Source { name, mut reader, bytes: size } = open(path)?;
        let npy = |source| Error::Npy { file: name.clone(), source };
        let mut header = Header::read(&mut *reader).map_err(npy)?;
        if is_of_bfloat16s {
            header = header.of_bfloat16s().map_err(npy)?;
        } else if header.dtype.code.is_empty() {
            return Err(npy(opaque));
        }
        // Before anything is made for so many.
        let found = size.map(|bytes| bytes.saturating_sub(header.bytes));
        let expected = header.data_bytes();
        if let Some(found) = found.filter(|&found| found < expected) {
            return Err(npy(NpyError::DataEnds { found, expected }));
        }
        let elements = Elements::new(reader, header, size);
        Ok(Self { name, elements, is_read_once: size.is_none() })
    }

    pub fn header(&self) -> &Header {
        self.elements.header()
    }

    /// All of its elements, as they are in the file.
    pub fn read_all(&mut self, progress: &mut Progress) -> Result<Vec<u8>, Error> {
        let bytes = self.elements.read_all(|bytes| progress.add(bytes));
        let bytes = bytes.and_then(|bytes| match is_room(SPARE_BYTES) {
            true => Ok(bytes),
            false => Err(NpyError::Memory { bytes: self.header().data_bytes() }),
        });
        bytes.map_err(|source| Error::Npy { file: self.name.clone(), source })
    }

    /// Fills `elements` with the next ones, as `target` has them, or as they are in the file. Returns how many bytes of the file they are.
    pub fn fill(&mut self, target: Option<&Target>, elements: &mut [u8]) -> Result<u64, Error> {
        let filled = match target {
            Some(target) => self.elements.fill(target, elements),
            None => self.elements.fill_as_they_are(elements),
        };
        filled.map_err(|source| Error::Npy { file: self.name.clone(), source })
    }
}

/// A file that is read several times: what there is nothing to open again of is kept in memory.
pub struct Repeated<'a> {
    path: &'a Path,
    is_of_bfloat16s: bool,
    name: String,
    header: Header,
    kept: Option<Rc<Vec<u8>>>,
}

impl<'a> Repeated<'a> {
    /// Of a file of which no element was read.
    pub fn new(
        mut opened: Opened,
        path: &'a Path,
        is_of_bfloat16s: bool,
        progress: &mut Progress,
    ) -> Result<Self, Error> {
        let header = opened.header().clone();
        let mut kept = None;
        if opened.is_read_once {
            kept = Some(Rc::new(opened.read_all(progress)?));
        }
        Ok(Self { path, is_of_bfloat16s, name: opened.name, header, kept })
    }

    /// The file, from its first element on.
    pub fn open(&self) -> Result<Opened, Error> {
        let Some(bytes) = &self.kept else {
            let opened = Opened::new(self.path, self.is_of_bfloat16s)?;
            let of = |header: &Header| {
                (header.len, header.dtype.name, header.is_big_endian, header.fortran_shape.clone())
            };
            if of(opened.header()) != of(&self.header) {
                return Err(Error::Changed { file: opened.name });
            }
            return Ok(opened);
        };
        let reader: Box<dyn Read> = Box::new(Cursor::new(Kept(Rc::clone(bytes))));
        let elements = Elements::new(reader, self.header.clone(), None);
        Ok(Opened { name: self.name.clone(), elements, is_read_once: true })
    }
}

/// Bytes that several readers share.
struct Kept(Rc<Vec<u8>>);

impl AsRef<[u8]> for Kept {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// Whether the files' elements can be paired.
pub fn check_pair(file: &Opened, other_file: &Opened) -> Outcome {
    let (header, other_header) = (file.header(), other_file.header());
    let (dtype, other_dtype) = (header.dtype.name, other_header.dtype.name);
    let names = || (file.name.clone(), other_file.name.clone());
    if dtype != other_dtype {
        let (file, other_file) = names();
        return Err(Error::DifferentTypes { file, dtype, other_file, other_dtype });
    }
    check_shapes(file, other_file)
}

/// Whether both files have arrays of one shape, with their elements in the same order.
pub fn check_shapes(file: &Opened, other_file: &Opened) -> Outcome {
    let (header, other_header) = (file.header(), other_file.header());
    let (file, other_file) = (file.name.clone(), other_file.name.clone());
    if header.sizes != other_header.sizes {
        let [shape, other_shape] = [header, other_header].map(|it| tuple(&it.sizes));
        return Err(Error::DifferentShapes { file, shape, other_file, other_shape });
    }
    if header.fortran_shape != other_header.fortran_shape {
        return Err(Error::DifferentOrders { file, other_file });
    }
    Ok(())
}

/// Whether a file can be read only once: the standard input, a pipe or a device.
pub fn is_read_once(path: &Path) -> bool {
    let is_special = |it: fs::Metadata| !it.is_file() && !it.is_dir();
    is_standard_input(path) || fs::metadata(path).is_ok_and(is_special)
}

pub fn is_standard_input(path: &Path) -> bool {
    path == Path::new("-")
}

/// The bytes of an `.npy` file, and how many there are, where that is known.
struct Source {
    /// With that of the array, of an archive.
    name: String,
    reader: Box<dyn Read>,
    bytes: Option<u64>,
}

fn open(path: &Path) -> Result<Source, Error> {
    let name = path.display().to_string();
    if is_standard_input(path) {
        let reader = Box::new(io::stdin().lock());
        return Ok(Source { name, reader, bytes: None });
    }
    let (path, member) = match npz::parts(path) {
        Some((archive, member)) => (archive, Some(member)),
        None => (path.to_owned(), None),
    };
    let file_name = path.display().to_string();
    let cannot_open = |source| Error::Open { file: file_name.clone(), source };
    let file = File::open(&path).map_err(cannot_open)?;
    let metadata = file.metadata().map_err(cannot_open)?;
    if metadata.is_dir() {
        return Err(cannot_open(io::ErrorKind::IsADirectory.into()));
    }
    let Some(member) = member else {
        let bytes = metadata.is_file().then_some(metadata.len());
        return Ok(Source { name, reader: Box::new(file), bytes });
    };
    let found = npz::open(file, member.as_deref());
    let Member { name, reader, bytes } =
        found.map_err(|source| Error::Npz { file: file_name.clone(), source })?;
    Ok(Source { name: format!("{file_name}:{name}"), reader, bytes: Some(bytes) })
}
