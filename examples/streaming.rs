//! A sum of more elements than memory is given to: they come chunk by chunk from a closure.

#[path = "support/mod.rs"]
#[allow(dead_code, reason = "other examples use the rest")]
mod support;

use gridfold::{Context, Executor, Sum, Variant};
use std::convert::Infallible;
use support::Outcome;

const LEN: u32 = 300_000;

/// Runs the example on a device, and checks it.
pub fn example(context: &Context, _: Variant) -> Outcome {
    let value = |i: u32| f32::from(u16::try_from(i % 1000).expect("small")) * 0.001;
    let executor = Executor::from_context(context.clone()).chunk_bytes(1 << 18);
    let mut next = 0u32..;
    let mut chunks = 0;
    let streamed =
        executor.reduce_stream::<f32, _, Infallible>(LEN.into(), Sum, |_, elements| {
            chunks += 1;
            elements.fill_with(|| value(next.next().expect("there is no end")));
            Ok(())
        })?;
    let all: Vec<f32> = (0..LEN).map(value).collect();
    let whole = Executor::cpu().sum(&all)?;
    if streamed.value.to_bits() != whole.to_bits() || chunks < 2 {
        return Err(
            format!("{chunks} chunks give {}, and one gives {whole}", streamed.value).into()
        );
    }
    Ok(format!("{LEN} elements in {chunks} chunks: {whole}, the bits of one piece."))
}

#[allow(dead_code, reason = "tests call the example itself")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    support::on_a_device(example)
}
