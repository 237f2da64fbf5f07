//! Any bytes as parts of sequences: an error, or a part with these bytes.

#![no_main]

#[path = "../../tests/support/partial_check.rs"]
mod partial_check;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    partial_check::check(bytes);
});
