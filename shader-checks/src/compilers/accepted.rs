//! What compilers accepted before: they are asked about each text once.

use sha2::{Digest, Sha256};
use std::{
    collections::HashSet,
    fs::{self, File, OpenOptions},
    io::Write as _,
    path::{Path, PathBuf},
};

/// Questions that one version of a compiler accepted, as hashes in a file beside the compilers.
///
/// A problem is not remembered: its question is asked again.
pub struct Accepted {
    path: PathBuf,
    file: File,
    hashes: HashSet<String>,
    /// The compiler that is asked, its version, and how it is asked.
    compiler: String,
}

impl Accepted {
    /// Those of a compiler, whose name and version `compiler` tells.
    ///
    /// # Errors
    ///
    /// A sentence, if the file cannot be opened.
    pub fn new(tools: &Path, compiler: String) -> Result<Self, String> {
        let path = tools.join("accepted");
        let about = |error| format!("{}: {error}", path.display());
        let file = OpenOptions::new().append(true).create(true).open(&path).map_err(about)?;
        let text = fs::read_to_string(&path).map_err(about)?;
        Ok(Self { hashes: text.lines().map(str::to_owned).collect(), path, file, compiler })
    }

    /// A number that stands for a question.
    pub fn hash(&self, question: &[&[u8]]) -> String {
        let mut hash = Sha256::new();
        // Lengths keep neighbours apart.
        for part in [self.compiler.as_bytes()].iter().chain(question) {
            hash.update(part.len().to_le_bytes());
            hash.update(part);
        }
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Whether a question was accepted.
    pub fn has(&self, hash: &str) -> bool {
        self.hashes.contains(hash)
    }

    /// Remembers a question that was accepted now.
    ///
    /// # Errors
    ///
    /// A sentence, if the file cannot be written.
    pub fn add(&mut self, hash: String) -> Result<(), String> {
        let about = |error| format!("{}: {error}", self.path.display());
        writeln!(self.file, "{hash}").map_err(about)?;
        self.hashes.insert(hash);
        Ok(())
    }
}
