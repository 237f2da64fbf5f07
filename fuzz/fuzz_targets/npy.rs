//! The program's `.npy` reader, on any bytes.

#![no_main]

#[path = "../../cli/src/dtype.rs"]
#[expect(dead_code, reason = "the program uses the rest")]
mod dtype;
#[path = "../../cli/src/npy.rs"]
#[expect(dead_code, reason = "the program uses the rest")]
mod npy;
#[path = "../../cli/tests/support/npy_check.rs"]
mod npy_check;
#[path = "../../cli/src/small_float.rs"]
#[expect(dead_code, reason = "the program uses the rest")]
mod small_float;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|file: &[u8]| npy_check::check(file));
