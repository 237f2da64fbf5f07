//! The record of what other compilers said, and the fingerprint that ties it to the shaders.

use crate::modules::Shader;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;

/// The committed record, below the crate's root.
pub const FILE: &str = "record.txt";

/// What the line with the fingerprint begins with.
const FINGERPRINT: &str = "fingerprint: ";

/// A number that changes with any text, entry point, or set of pipeline constants.
pub fn fingerprint(shaders: &[Shader]) -> String {
    let mut hash = Sha256::new();
    // Lengths keep neighbours apart.
    let mut add = |part: &str| {
        hash.update(part.len().to_le_bytes());
        hash.update(part);
    };
    for shader in shaders {
        add(&shader.name);
        add(shader.entry_point);
        add(&shader.text);
        for constants in &shader.constants {
            add(&format!("{:?}", constants.values()));
        }
    }
    hash.finalize().iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// The line of a record that has the fingerprint.
pub fn fingerprint_line(shaders: &[Shader]) -> String {
    format!("{FINGERPRINT}{}", fingerprint(shaders))
}

/// Whether a record is of these shaders.
pub fn is_of(record: &str, shaders: &[Shader]) -> bool {
    record.lines().any(|line| line == fingerprint_line(shaders))
}
