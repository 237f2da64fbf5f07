//! Reductions of a Vec, on a device and on the CPU: the same bits.

#[path = "support/mod.rs"]
#[allow(dead_code, reason = "other examples use the rest")]
mod support;

use gridfold::{Context, Executor, Variant};
use support::Outcome;

/// Runs the example on a device, and checks it.
pub fn example(context: &Context, _: Variant) -> Outcome {
    let values: Vec<f32> = (0..50_000u16).map(|i| 1.0 / (f32::from(i) + 1.0)).collect();
    let device = Executor::from_context(context.clone());
    let array = device.upload(&values)?;
    let (sum, max) = (array.sum()?, array.max()?);
    let on_cpu = Executor::cpu().sum(&values)?;
    if sum.to_bits() != on_cpu.to_bits() || max != Some(1.0) {
        return Err(
            format!("the sum is {sum}, and on the CPU {on_cpu}; the largest is {max:?}").into()
        );
    }
    Ok(format!("The sum of {} values is {sum}, on the device as on the CPU.", values.len()))
}

#[allow(dead_code, reason = "tests call the example itself")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    support::on_a_device(example)
}
