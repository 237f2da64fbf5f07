//! The file of `--svg`.

use super::report::Report;
use crate::error::Error;
use std::{fs::File, io::Write, path::PathBuf};

/// A file for a chart.
pub struct Chart {
    path: PathBuf,
    file: File,
}

impl Chart {
    /// Before anything is measured: who can't have the file needs to know soon.
    pub fn create(path: PathBuf) -> Result<Self, Error> {
        // What it holds stays until there is a new chart.
        match File::options().write(true).create(true).truncate(false).open(&path) {
            Ok(file) => Ok(Self { path, file }),
            Err(source) => Err(Error::Chart { file: path.display().to_string(), source }),
        }
    }

    pub fn write(mut self, report: &Report) -> Result<(), Error> {
        let svg = report.chart()?;
        let written = self.file.set_len(0).and_then(|()| self.file.write_all(svg.as_bytes()));
        written.map_err(|source| Error::Chart { file: self.path.display().to_string(), source })
    }
}
