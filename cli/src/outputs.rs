//! Files that the program writes. A file gets its name once it is whole.

use crate::{
    Outcome,
    arrays::{Shape, tuple},
    error::Error,
    memory::extend,
};
use atomic_write_file::AtomicWriteFile;
use std::{
    fs::{self, File},
    io::{self, Seek, Write},
    path::{Path, PathBuf, is_separator},
    sync::atomic::{AtomicBool, Ordering},
};

/// Whether an output goes to the standard output, so that nothing else may.
pub static IS_STANDARD_OUTPUT_TAKEN: AtomicBool = AtomicBool::new(false);

/// Links that are followed to a file, as many as Linux follows.
const MAX_LINKS: usize = 40;

/// Where the bytes of an output go.
enum Place {
    /// To a new file in the folder of this path, which takes the path's name once it is whole.
    Beside(PathBuf),
    /// To a pipe or a device, which takes them at once and keeps its name.
    Special,
    /// To the standard output. What the program says goes to standard error then.
    StandardOutput,
}

impl Place {
    fn of(path: &Path) -> io::Result<Self> {
        let is_any = |path: &Path, paths: &[&str]| {
            cfg!(unix) && paths.iter().any(|it| path == Path::new(it))
        };
        // A link of the user's may lead there.
        let mut next = Some(path.to_owned());
        for _ in 0..MAX_LINKS {
            let Some(path) = next else { break };
            if is_any(&path, &["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]) {
                return Ok(Self::StandardOutput);
            }
            next = linked(&path);
        }
        // A file that is open already is not replaced, whatever it leads to.
        let is_open = |folder: &&str| cfg!(unix) && path.starts_with(folder);
        if is_any(path, &["/dev/stderr"]) || ["/dev/fd", "/proc/self/fd"].iter().any(is_open) {
            return Ok(Self::Special);
        }
        if fs::metadata(path).is_ok_and(|it| !it.is_file() && !it.is_dir()) {
            return Ok(Self::Special);
        }
        Ok(Self::Beside(behind_links(path)?))
    }
}

/// The path that links lead to, though there be no file. The links themselves stay.
fn behind_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Some(next) = linked(&path) else {
            return Ok(path);
        };
        path = next;
    }
    Err(io::Error::other(format!("more than {MAX_LINKS} links")))
}

/// The path that a link leads to.
fn linked(path: &Path) -> Option<PathBuf> {
    Some(path.parent().unwrap_or(Path::new("")).join(fs::read_link(path).ok()?))
}

/// The folder of a path, `.` for a name alone.
fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// Whether two outputs would be one file, which need not be there yet.
pub fn are_one_file(one: &Path, other: &Path) -> bool {
    let file = |path: &Path| {
        let target = match Place::of(path).ok()? {
            Place::Beside(target) => target,
            Place::Special => path.to_owned(),
            Place::StandardOutput => "/dev/stdout".into(),
        };
        let folder = fs::canonicalize(folder_of(&target)).ok()?;
        Some(folder.join(target.file_name()?))
    };
    // Nothing but the paths is known where there is no folder.
    one == other || file(one).is_some_and(|one| file(other) == Some(one))
}

/// A file while its bytes come. It leaves nothing behind if it is dropped.
pub struct Writing {
    /// As the caller says it.
    path: PathBuf,
    /// The option that gives the path.
    option: &'static str,
    sink: Sink,
}

enum Sink {
    Beside(AtomicWriteFile),
    Special(File),
    StandardOutput,
}

impl Writing {
    /// Begins an array in the file that `given`, an option and a path, names. Its elements are added.
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
        let file = path.display().to_string();
        let cannot_write = |source| Error::Write { file: file.clone(), source, option };
        if path.as_os_str().as_encoded_bytes().last().is_some_and(|&it| is_separator(it.into())) {
            return Err(cannot_write(io::ErrorKind::IsADirectory.into()));
        }
        let sink = match Place::of(path).map_err(cannot_write)? {
            Place::Beside(target) => {
                check_target(&target).map_err(cannot_write)?;
                Sink::Beside(AtomicWriteFile::open(&target).map_err(|source| {
                    let folder = folder_of(&target).display().to_string();
                    Error::Folder { file: file.clone(), folder, source, option }
                })?)
            }
            // It keeps the bytes that it has.
            Place::Special => {
                Sink::Special(File::options().append(true).open(path).map_err(cannot_write)?)
            }
            Place::StandardOutput => {
                IS_STANDARD_OUTPUT_TAKEN.store(true, Ordering::Relaxed);
                Sink::StandardOutput
            }
        };
        Ok(Self { path: path.to_owned(), option, sink })
    }

    pub fn add(&mut self, bytes: &[u8]) -> Outcome {
        let added = match &mut self.sink {
            Sink::Beside(file) => file.write_all(bytes),
            Sink::Special(file) => file.write_all(bytes),
            Sink::StandardOutput => io::stdout().lock().write_all(bytes),
        };
        added.map_err(|source| self.failed(source))
    }

    /// The whole file, on the disk.
    pub fn end(self) -> Result<NewFile, Error> {
        let ended = match &self.sink {
            Sink::Beside(file) => file.sync_all(),
            Sink::Special(_) => Ok(()),
            Sink::StandardOutput => io::stdout().lock().flush(),
        };
        ended.map_err(|source| self.failed(source))?;
        Ok(NewFile(self))
    }

    fn failed(&self, source: io::Error) -> Error {
        let (file, option) = (self.path.display().to_string(), self.option);
        Error::Write { file, source, option }
    }
}

/// Refuses names that a whole file could not take.
fn check_target(target: &Path) -> io::Result<()> {
    // The temporary name has a dot before, and a dot and six letters behind. No file system takes more than 255 bytes.
    const MAX_NAME_BYTES: usize = 255 - 8;
    if target.file_name().is_some_and(|name| name.len() > MAX_NAME_BYTES) {
        return Err(io::Error::other(format!("its name has more than {MAX_NAME_BYTES} bytes")));
    }
    match fs::metadata(target) {
        Ok(found) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        // Its folder would let it be replaced all the same.
        Ok(found) if found.permissions().readonly() => {
            Err(io::Error::other("it is write-protected"))
        }
        // So would a file of somebody else's. This changes nothing of it.
        Ok(_) => File::options().append(true).open(target).map(drop),
        Err(_) => Ok(()),
    }
}

/// A whole file that does not have its name yet. It leaves nothing behind if it is dropped.
pub struct NewFile(Writing);

impl NewFile {
    /// Writes an array to the file that `given`, an option and a path, names.
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

    /// Writes a chart to the file of that path.
    pub fn chart(path: &Path, svg: &str) -> Result<Self, Error> {
        let mut writing = Writing::begin(("--svg", path))?;
        writing.add(svg.as_bytes())?;
        writing.end()
    }

    /// Whether a chart can be written to the file of that path: for calls that take long, before they begin.
    pub fn check_chart(path: &Path) -> Outcome {
        match Place::of(path) {
            // They do not give back what they have taken.
            Ok(Place::Special | Place::StandardOutput) => Ok(()),
            _ => Self::chart(path, "").map(drop),
        }
    }

    /// Gives the file its name. A file that had the name before is gone.
    pub fn name(self) -> Outcome {
        let Writing { path, option, sink } = self.0;
        let Sink::Beside(file) = sink else {
            return Ok(());
        };
        let file_name = path.display().to_string();
        file.commit().map_err(|source| Error::Write { file: file_name, source, option })
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
    /// The elements, on their way to a pipe, which needs the header first.
    held: Option<Vec<u8>>,
}

impl Growing {
    /// Begins an array in the file that `given`, an option and a path, names, of elements of so many bytes.
    pub fn begin(given: (&'static str, &Path), descr: &str, size: u64) -> Result<Self, Error> {
        let mut writing = Writing::begin_array(given)?;
        let mut held = None;
        match &writing.sink {
            // As long as the one that takes its place.
            Sink::Beside(_) => writing.add(&header(descr, &Shape::of_len(0)))?,
            Sink::Special(_) | Sink::StandardOutput => held = Some(Vec::new()),
        }
        Ok(Self { writing, descr: descr.to_owned(), size, bytes: 0, held })
    }

    pub fn add(&mut self, bytes: &[u8]) -> Outcome {
        self.bytes += bytes.len() as u64;
        match &mut self.held {
            Some(held) => {
                extend(held, bytes, "elements for a pipe, which needs their number first")
            }
            None => self.writing.add(bytes),
        }
    }

    /// The whole file, and how many elements it has.
    pub fn end(self) -> Result<(NewFile, u64), Error> {
        let Self { mut writing, descr, size, bytes, held } = self;
        let len = bytes / size;
        if let Sink::Beside(file) = &mut writing.sink {
            file.rewind().map_err(|source| writing.failed(source))?;
        }
        writing.add(&header(&descr, &Shape::of_len(len)))?;
        writing.add(&held.unwrap_or_default())?;
        Ok((writing.end()?, len))
    }
}

/// As NumPy writes it: its elements begin at a multiple of 64 bytes.
fn header(descr: &str, shape: &Shape) -> Vec<u8> {
    let (sizes, order) = (tuple(&shape.sizes), if shape.is_fortran { "True" } else { "False" });
    let text = format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {sizes}, }}");
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
