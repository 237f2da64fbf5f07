//! Files, with errors that name them.

use atomic_write_file::AtomicWriteFile;
use serde::de::DeserializeOwned;
use std::{
    fmt::Display,
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

/// What went wrong with a file.
pub fn about(path: &Path) -> impl Fn(&dyn Display) -> String {
    let path = path.display().to_string();
    move |error| format!("{path}: {error}")
}

/// # Errors
///
/// A sentence, as of all functions here.
pub fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| about(path)(&error))
}

pub fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, String> {
    serde_json::from_str(&read(path)?).map_err(|error| about(path)(&error))
}

/// The file gets its name, and takes the place of another one, once it is whole.
pub fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<(), String> {
    let written = AtomicWriteFile::open(path).and_then(|mut file| {
        file.write_all(content.as_ref())?;
        file.commit()
    });
    written.map_err(|error| about(path)(&error))
}

pub fn copy(from: &Path, to: &Path) -> Result<(), String> {
    fs::copy(from, to).map(drop).map_err(|error| about(from)(&error))
}

pub fn create_dir(path: &Path) -> Result<(), String> {
    fs::create_dir_all(path).map_err(|error| about(path)(&error))
}

/// What is in a folder, sorted.
pub fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|error| about(folder)(&error))?;
    let paths: Result<Vec<PathBuf>, _> = entries.map(|entry| Ok(entry?.path())).collect();
    let mut paths = paths.map_err(|error: io::Error| about(folder)(&error))?;
    paths.sort();
    Ok(paths)
}

/// Also if it is not there.
pub fn remove_dir(path: &Path) -> Result<(), String> {
    if path.exists() {
        fs::remove_dir_all(path).map_err(|error| about(path)(&error))
    } else {
        Ok(())
    }
}
