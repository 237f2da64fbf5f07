//! Files byte by byte, and what calls on the CPU write.

// Each test program uses a part of this.
#![allow(dead_code, reason = "each test program uses a part")]

use crate::support::{Files, gridfold, header, stderr, stdout};
use std::{fs, path::Path};

/// The header's text, and the bytes behind it.
pub fn read(path: &Path) -> (String, Vec<u8>) {
    let bytes = fs::read(path).expect("it was written");
    assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
    let end = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    assert_eq!(end % 64, 0);
    let text = String::from_utf8(bytes[10..end].to_vec()).expect("text");
    (text.trim().to_owned(), bytes[end..].to_vec())
}

pub fn npy(descr: &str, len: usize, elements: &[u8]) -> Vec<u8> {
    let shape = format!("({len},)");
    [header(1, &format!("'{descr}'"), "False", &shape), elements.to_vec()].concat()
}

pub fn header_text(descr: &str, len: usize) -> String {
    format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({len},), }}")
}

pub fn bytes_of<const N: usize>(values: impl IntoIterator<Item = [u8; N]>) -> Vec<u8> {
    values.into_iter().flatten().collect()
}

/// Runs a call that writes `out.npy`, on the CPU.
pub fn run(files: &Files, arguments: &[&str]) -> (String, Vec<u8>) {
    let out = files.path("out.npy");
    let out_text = out.to_str().expect("text");
    let output = gridfold(&[arguments, &["--adapter", "cpu", "--out", out_text]].concat());
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    assert!(stdout(&output).contains(", on cpu/"), "{}", stdout(&output));
    read(&out)
}
