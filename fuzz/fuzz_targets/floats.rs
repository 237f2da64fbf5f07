//! f32 reductions of any elements: the CPU, a GPU and big integers.

#![no_main]

#[path = "../../tests/support/float_check.rs"]
mod float_check;
#[path = "../../tests/exact/oracle.rs"]
#[expect(dead_code, reason = "the tests use the rest")]
mod oracle;

use float_check::FloatCase;
use gridfold::{Executor, Variant};
use libfuzzer_sys::fuzz_target;
use std::{env, sync::LazyLock};

// The oracle's.
const NAN: u32 = 0x7fc0_0000;
const INF: u32 = 0x7f80_0000;
const NEG: u32 = 0x8000_0000;

/// The adapter that `GRIDFOLD_FUZZ_ADAPTER` asks for. Without it nothing runs on a GPU.
static GPU: LazyLock<Option<Executor>> = LazyLock::new(|| {
    let Ok(selector) = env::var("GRIDFOLD_FUZZ_ADAPTER") else {
        eprintln!("floats: no GPU: GRIDFOLD_FUZZ_ADAPTER can name one, as vulkan/llvmpipe");
        return None;
    };
    match Executor::with_adapter(&selector) {
        Ok(executor) => {
            eprintln!("floats: on {}", executor.name());
            Some(executor)
        }
        Err(error) => panic!("GRIDFOLD_FUZZ_ADAPTER: {error}"),
    }
});

fuzz_target!(|bytes: &[u8]| {
    let Some(case) = FloatCase::from_bytes(bytes) else { return };
    let context = GPU.as_ref().map(|gpu| gpu.context().expect("it is on a GPU"));
    // One variant after the other, as the bytes have it.
    let variant = context.map(|context| match bytes[0] & 1 {
        1 if context.capabilities().subgroups.is_some() => Variant::Subgroup,
        _ => Variant::WorkgroupMemory,
    });
    case.check(context.zip(variant));
});
