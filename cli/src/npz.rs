//! Arrays in `.npz` files: zip archives of `.npy` files, as `numpy.savez` and `numpy.savez_compressed` write them.

use crate::npy::MAGIC;
use flate2::{Crc, read::DeflateDecoder};
use std::{
    cell::Cell,
    fs::{self, File},
    io::{self, BufReader, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
    rc::Rc,
};
use zip::{CompressionMethod, ZipArchive, result::ZipError};

/// What is wrong with an `.npz` file.
#[derive(Debug, thiserror::Error)]
pub enum NpzError {
    #[error("it is no whole zip archive ({0}): copy it again, or write it with numpy.savez")]
    Archive(#[from] ZipError),
    #[error("it is empty: copy it again, or write it with numpy.savez")]
    NoBytes,
    #[error(
        "its array {member:?} is not where it should be ({source}): copy the archive again, or write it with numpy.savez"
    )]
    Member { member: String, source: ZipError },
    #[error("it can't be read ({0}): check the disk that it is on")]
    Read(#[from] io::Error),
    #[error("it has no array {member:?}: choose one of {}, as FILE.npz:ARRAY", .members.join(", "))]
    NoMember { member: String, members: Vec<String> },
    #[error("it has several arrays: choose one of {}, as FILE.npz:ARRAY", .members.join(", "))]
    Several { members: Vec<String> },
    #[error("it has no arrays: write some with numpy.savez")]
    Empty,
    #[error(
        "its array {member:?} is encrypted, or compressed in a way that NumPy does not use ({method}): write it with numpy.savez"
    )]
    Method { member: String, method: String },
}

const EXTENSION: &str = ".npz";
const MEMBER_EXTENSION: &str = ".npy";

/// The archive and, if one is named, its array: of `ARCHIVE` and `ARCHIVE:ARRAY`. `None` for other paths, and where there is
/// an array in a file of the whole name. Both names may have colons: the longest one of a file that is there is the archive's. A file that is
/// there is an archive if it begins like one, whatever its name is, as for `numpy.load`.
pub fn parts(path: &Path) -> Option<(PathBuf, Option<String>)> {
    let text = path.to_str()?;
    if path.exists() {
        return is_archive(text).then(|| (path.to_owned(), None));
    }
    let whole = has_name_of_archive(text).then(|| (path.to_owned(), None));
    let ends = text.rmatch_indices(':').map(|(colon, _)| colon);
    let named = |end: usize| (text[..end].into(), Some(text[end + 1..].to_owned()));
    let of_missing = || ends.clone().rfind(|&end| has_name_of_archive(&text[..end]));
    match ends.clone().find(|&end| Path::new(&text[..end]).exists() && is_archive(&text[..end])) {
        Some(end) => Some(named(end)),
        None => whole.or_else(|| of_missing().map(named)),
    }
}

fn has_name_of_archive(path: &str) -> bool {
    path.to_lowercase().ends_with(EXTENSION)
}

/// Whether a file that is there is an archive. Nothing is read of pipes, which would be gone.
fn is_archive(path: &str) -> bool {
    let mut begin = [0; MAGIC.len()];
    let is_file = fs::metadata(path).is_ok_and(|it| it.is_file());
    if is_file && File::open(path).is_ok_and(|mut file| file.read_exact(&mut begin).is_ok()) {
        // Of an empty archive there is only the end.
        return begin.starts_with(b"PK\x03\x04")
            || begin.starts_with(b"PK\x05\x06")
            || (has_name_of_archive(path) && &begin != MAGIC);
    }
    has_name_of_archive(path)
}

/// An array of an archive.
pub struct Member {
    /// As NumPy has it.
    pub name: String,
    /// The bytes of an `.npy` file.
    pub reader: Box<dyn Read>,
    /// How many the archive says there are.
    pub bytes: u64,
}

/// Opens an array of an archive: the one that is named, or the only one.
pub fn open(mut file: File, member: Option<&str>) -> Result<Member, NpzError> {
    let metadata = file.metadata()?;
    if metadata.is_file() && metadata.len() == 0 {
        return Err(NpzError::NoBytes);
    }
    let mut archive = ZipArchive::new(BufReader::new(&mut file))?;
    let names: Vec<String> =
        archive.file_names().map(|name| name.map(Into::into)).collect::<Result<_, _>>()?;
    let own_name = |name: &str| name.strip_suffix(MEMBER_EXTENSION).unwrap_or(name).to_owned();
    let mut arrays: Vec<&String> =
        names.iter().filter(|name| name.ends_with(MEMBER_EXTENSION)).collect();
    // Arrays may lack the extension, as for NumPy.
    if arrays.is_empty() {
        arrays = names.iter().filter(|name| !name.ends_with('/')).collect();
    }
    let members = || arrays.iter().map(|name| own_name(name)).collect();
    let name = match (member, &arrays[..]) {
        (_, []) => return Err(NpzError::Empty),
        (None, &[only]) => only,
        (None, _) => return Err(NpzError::Several { members: members() }),
        // The file's whole name, or NumPy's.
        (Some(member), _) => {
            let whole = names.iter().find(|name| *name == member);
            let found = whole.or_else(|| names.iter().find(|name| own_name(name) == member));
            let missing = || NpzError::NoMember { member: member.to_owned(), members: members() };
            found.ok_or_else(missing)?
        }
    };
    let member = own_name(name);
    let index = names.iter().position(|other| other == name).expect("a name of the list");
    let entry = archive
        .by_index_raw(index)
        .map_err(|source| NpzError::Member { member: member.clone(), source })?;
    let (begin, compressed, bytes) = (entry.data_start(), entry.compressed_size(), entry.size());
    let (method, crc, is_encrypted) = (entry.compression(), entry.crc32(), entry.encrypted());
    drop(entry);
    drop(archive);
    let other_method = || NpzError::Method { member: member.clone(), method: method.to_string() };
    let begin = begin.ok_or_else(other_method)?;
    let end = begin.checked_add(compressed);
    let file_bytes = file.metadata()?.len();
    file.seek(SeekFrom::Start(begin))?;
    let is_cut = Rc::new(Cell::new(false));
    let stored = Stored {
        file,
        left: compressed,
        was_whole: end.is_some_and(|end| end <= file_bytes),
        is_cut: Rc::clone(&is_cut),
    };
    let stored = BufReader::with_capacity(1 << 18, stored);
    let reader: Box<dyn Read> = match method {
        _ if is_encrypted => return Err(other_method()),
        CompressionMethod::Stored => Box::new(stored),
        CompressionMethod::DEFLATE => Box::new(DeflateDecoder::new(stored)),
        _ => return Err(other_method()),
    };
    let reader = Box::new(Checked { reader, crc: Crc::new(), expected: crc, left: bytes, is_cut });
    Ok(Member { name: member, reader, bytes })
}

/// An array's bytes as they are in the archive.
struct Stored {
    file: File,
    left: u64,
    was_whole: bool,
    /// Whether the file has become shorter, and has not all of them any more.
    is_cut: Rc<Cell<bool>>,
}

impl Read for Stored {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.left).map_or(bytes.len(), |left| left.min(bytes.len()));
        let count = self.file.read(&mut bytes[..most])?;
        self.left -= count as u64;
        if count == 0 && most > 0 && self.was_whole {
            self.is_cut.set(true);
        }
        Ok(count)
    }
}

/// Compares the bytes' checksum with the archive's, once the last of them was read. Of a file that has become shorter they end early.
struct Checked<R> {
    reader: R,
    crc: Crc,
    expected: u32,
    left: u64,
    is_cut: Rc<Cell<bool>>,
}

impl<R: Read> Read for Checked<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let count = match self.reader.read(bytes) {
            // What is compressed does not just end.
            Err(_) if self.is_cut.get() => 0,
            // As flate2 calls what is no such stream.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
                return Err(io::Error::new(io::ErrorKind::InvalidData, error));
            }
            count => count?,
        };
        self.crc.update(&bytes[..count]);
        self.left = self.left.saturating_sub(count as u64);
        let damaged = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what);
        if count == 0 && self.left > 0 && !bytes.is_empty() && !self.is_cut.get() {
            return Err(damaged("it ends before it should"));
        }
        if count > 0 && self.left == 0 && self.crc.sum() != self.expected {
            return Err(damaged("its checksum is another"));
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::npy::{Elements, Header, NpyError};
    use std::fs;

    /// Opens an array in a copy of an archive of NumPy's, and cuts the copy behind as many bytes.
    fn of_cut(name: &str, member: Option<&str>, bytes: u64) -> Member {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
        let path = folder.path().join(name);
        fs::copy(golden.join(name), &path).expect("a copy");
        let opened = open(File::open(&path).expect("it is there"), member).expect("an archive");
        let file = File::options().write(true).open(&path).expect("it is there");
        file.set_len(bytes).expect("a shorter file");
        opened
    }

    #[test]
    fn a_file_that_shrinks() {
        let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/single.npz");
        let whole = fs::read(golden).expect("NumPy's file");
        let begin = whole.windows(6).position(|bytes| bytes == b"\x93NUMPY").expect("an array");
        // Behind the header, and 3 of 9 bytes.
        let Member { mut reader, bytes, .. } = of_cut("single.npz", None, begin as u64 + 128 + 3);
        let header = Header::read(&mut *reader).expect("it is there");
        let found = Elements::new(reader, header, Some(bytes)).read_all(|_| ());
        let is_shrunk = matches!(found, Err(NpyError::Shrunk { found: 3, expected: 9 }));
        assert!(is_shrunk, "{found:?}");
        // What is compressed ends as soon.
        let Member { mut reader, bytes, .. } = of_cut("deflated.npz", Some("weights"), 100);
        let mut found = Vec::new();
        reader.read_to_end(&mut found).expect("it ends");
        assert!((found.len() as u64) < bytes, "{} of {bytes}", found.len());
    }

    #[test]
    fn an_array_that_is_shorter_than_the_archive_says() {
        let (crc, is_cut) = (Crc::new(), Rc::new(Cell::new(false)));
        let mut checked = Checked { reader: &b"abc"[..], crc, expected: 0, left: 4, is_cut };
        let error = checked.read_to_end(&mut Vec::new()).expect_err("one byte is missing");
        assert_eq!(error.kind(), io::ErrorKind::InvalidData, "{error}");
    }
}
