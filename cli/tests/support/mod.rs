//! Running the program, and making `.npy` files byte by byte.

// Each test program uses a part of this.
#![allow(dead_code, reason = "each test program uses a part")]

use std::{
    io::Write,
    path::PathBuf,
    process::{Command, Output, Stdio},
};
use tempfile::TempDir;

/// Runs the program.
pub fn gridfold(arguments: &[&str]) -> Output {
    command(arguments).output().expect("the program starts")
}

/// Runs the program with bytes on standard input.
pub fn gridfold_with_input(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    // The program may stop reading early, at an error.
    let _ = stdin.write_all(input);
    drop(stdin);
    child.wait_with_output().expect("the program ends")
}

pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gridfold"));
    command.args(arguments).env_remove("RUST_LOG");
    command
}

pub fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("text")
}

pub fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).expect("text")
}

/// The JSON that a successful run printed.
pub fn json(output: &Output) -> serde_json::Value {
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(output), stderr(output));
    serde_json::from_slice(&output.stdout).expect("standard output is one JSON value")
}

/// A directory that is removed at the end.
pub struct Files(TempDir);

impl Files {
    pub fn new() -> Self {
        Self(TempDir::new().expect("a temporary directory"))
    }

    /// Writes a file, and returns its path.
    pub fn add(&self, name: &str, bytes: &[u8]) -> String {
        let path = self.path(name);
        std::fs::write(&path, bytes).expect("a temporary file");
        path.into_os_string().into_string().expect("temporary paths are text")
    }

    /// The names of all that is there, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).expect("a folder");
        let name = |entry: std::io::Result<std::fs::DirEntry>| {
            entry.expect("an entry").file_name().into_string().expect("text")
        };
        let mut names: Vec<String> = entries.map(name).collect();
        names.sort();
        names
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

/// A header as NumPy writes it, of a version from 1 to 3.
pub fn header(version: u8, descr: &str, fortran_order: &str, shape: &str) -> Vec<u8> {
    let entries = format!("'descr': {descr}, 'fortran_order': {fortran_order}, 'shape': {shape}, ");
    header_of_text(version, &format!("{{{entries}}}"))
}

/// A header of any text, padded to 64 bytes as NumPy does.
pub fn header_of_text(version: u8, text: &str) -> Vec<u8> {
    let before_text = if version == 1 { 10 } else { 12 };
    let total = (before_text + text.len() + 1).next_multiple_of(64);
    let len = total - before_text;
    let mut bytes = b"\x93NUMPY".to_vec();
    bytes.extend([version, 0]);
    match version {
        1 => bytes.extend(u16::try_from(len).expect("a short header").to_le_bytes()),
        _ => bytes.extend(u32::try_from(len).expect("a short header").to_le_bytes()),
    }
    bytes.extend(text.as_bytes());
    bytes.resize(total - 1, b' ');
    bytes.push(b'\n');
    bytes
}

/// A file with a header and elements of four bytes.
pub fn npy<const N: usize>(header: Vec<u8>, elements: [[u8; 4]; N]) -> Vec<u8> {
    let mut bytes = header;
    bytes.extend(elements.concat());
    bytes
}

/// A one-dimensional file of version 1.
pub fn vector<const N: usize>(descr: &str, elements: [[u8; 4]; N]) -> Vec<u8> {
    npy(header(1, &format!("'{descr}'"), "False", &format!("({N},)")), elements)
}

pub fn f4<const N: usize>(elements: [f32; N]) -> Vec<u8> {
    vector("<f4", elements.map(f32::to_le_bytes))
}

pub fn f8<const N: usize>(elements: [f64; N]) -> Vec<u8> {
    let mut bytes = header(1, "'<f8'", "False", &format!("({N},)"));
    bytes.extend(elements.map(f64::to_le_bytes).concat());
    bytes
}

pub fn i4<const N: usize>(elements: [i32; N]) -> Vec<u8> {
    vector("<i4", elements.map(i32::to_le_bytes))
}

pub fn u4<const N: usize>(elements: [u32; N]) -> Vec<u8> {
    vector("<u4", elements.map(u32::to_le_bytes))
}
