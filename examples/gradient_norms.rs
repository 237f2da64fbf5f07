//! The norms of many gradients, by one submission: a batch.

#[path = "support/mod.rs"]
#[allow(dead_code, reason = "other examples use the rest")]
mod support;

use gridfold::{Batch, Context, GpuSlice, Norm, Reducer, Variant};
use support::{Outcome, buffer};

/// Runs the example on a device, and checks it.
pub fn example(context: &Context, variant: Variant) -> Outcome {
    // Of layers of different sizes, each with threes and fours: their norms are 5 times the root of half the length.
    let layers = [2u16, 32, 200, 5000];
    let norm = Reducer::<f32, _>::new(context, Norm).variant(variant);
    let mut batch = Batch::new(context);
    let mut tickets = Vec::new();
    for len in layers {
        let gradient: Vec<f32> = (0..len).map(|i| f32::from(3 + i % 2)).collect();
        let gradient = buffer(context, &gradient);
        tickets.push(batch.add(&norm, GpuSlice::whole(&gradient).slice(0..len.into())?)?);
    }
    let results = batch.reduce_blocking()?;
    let mut norms = Vec::new();
    for (ticket, len) in tickets.into_iter().zip(layers) {
        let (found, expected) = (results.get(ticket)?, 5.0 * (f32::from(len) / 2.0).sqrt());
        if found != expected {
            return Err(format!("the norm of {len} elements is {found}, not {expected}").into());
        }
        norms.push(found);
    }
    Ok(format!("The gradients' norms are {norms:?}."))
}

#[allow(dead_code, reason = "tests call the example itself")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    support::on_a_device(example)
}
