//! Arrays in `.npz` files: zip archives of `.npy` files, as `numpy.savez` and `numpy.savez_compressed` write them.

use flate2::{Crc, read::DeflateDecoder};
use std::{
    fs::File,
    io::{self, BufReader, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};
use zip::{CompressionMethod, ZipArchive, result::ZipError};

/// What is wrong with an `.npz` file.
#[derive(Debug, thiserror::Error)]
pub enum NpzError {
    #[error("it is no zip archive that can be read ({0}): write it with numpy.savez")]
    Archive(#[from] ZipError),
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

/// The archive and, if one is named, its array: of `FILE.npz` and `FILE.npz:ARRAY`. `None` for other paths, and where there is
/// a file of the whole name.
pub fn parts(path: &Path) -> Option<(PathBuf, Option<String>)> {
    let text = path.to_str()?;
    if text.to_lowercase().ends_with(EXTENSION) {
        return Some((path.to_owned(), None));
    }
    let end = text.rfind(":").filter(|&end| text[..end].to_lowercase().ends_with(EXTENSION))?;
    if path.exists() {
        return None;
    }
    Some((text[..end].into(), Some(text[end + 1..].to_owned())))
}

/// An array of an archive, as the bytes of an `.npy` file, and how many the archive says there are.
pub fn open(mut file: File, member: Option<&str>) -> Result<(Box<dyn Read>, u64), NpzError> {
    let mut archive = ZipArchive::new(BufReader::new(&mut file))?;
    let names: Vec<String> =
        archive.file_names().map(|name| name.map(Into::into)).collect::<Result<_, _>>()?;
    let members: Vec<String> = names
        .iter()
        .filter_map(|name| name.strip_suffix(MEMBER_EXTENSION))
        .map(str::to_owned)
        .collect();
    let member = match (member, &members[..]) {
        (_, []) => return Err(NpzError::Empty),
        (None, [only]) => only,
        (None, _) => return Err(NpzError::Several { members }),
        (Some(member), _) => {
            // NumPy's own name, without the extension, or the file's.
            let is_meant = |name: &&String| {
                *name == member || member.strip_suffix(MEMBER_EXTENSION) == Some(name.as_str())
            };
            let found = members.iter().find(is_meant);
            found.ok_or_else(|| NpzError::NoMember {
                member: member.to_owned(),
                members: members.clone(),
            })?
        }
    };
    let name = format!("{member}{MEMBER_EXTENSION}");
    let index = names.iter().position(|other| *other == name).expect("a name of the list");
    let entry = archive.by_index_raw(index)?;
    let (begin, compressed, bytes) = (entry.data_start(), entry.compressed_size(), entry.size());
    let (method, crc, is_encrypted) = (entry.compression(), entry.crc32(), entry.encrypted());
    drop(entry);
    drop(archive);
    let other_method = || NpzError::Method { member: member.clone(), method: method.to_string() };
    file.seek(SeekFrom::Start(begin.ok_or_else(other_method)?))?;
    let stored = BufReader::with_capacity(1 << 18, file).take(compressed);
    let reader: Box<dyn Read> = match method {
        _ if is_encrypted => return Err(other_method()),
        CompressionMethod::Stored => Box::new(stored),
        CompressionMethod::DEFLATE => Box::new(DeflateDecoder::new(stored)),
        _ => return Err(other_method()),
    };
    Ok((Box::new(Checked { reader, crc: Crc::new(), expected: crc, left: bytes }), bytes))
}

/// Compares the bytes' checksum with the archive's, once the last of them was read.
struct Checked<R> {
    reader: R,
    crc: Crc,
    expected: u32,
    left: u64,
}

impl<R: Read> Read for Checked<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(bytes)?;
        self.crc.update(&bytes[..count]);
        self.left = self.left.saturating_sub(count as u64);
        let is_end = count > 0 && self.left == 0;
        if is_end && self.crc.sum() != self.expected {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "the archive's checksum is another: the file is damaged",
            ));
        }
        Ok(count)
    }
}
