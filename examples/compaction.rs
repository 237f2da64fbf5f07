//! A simulation's living particles, moved together in their order: their number stays on the device, where the next pass takes it.

#[path = "support/mod.rs"]
#[allow(dead_code, reason = "other examples use the rest")]
mod support;

use gridfold::{Compaction, Compactor, Context, Counted, GpuSlice, Reducer, Sum, Variant};
use support::{Outcome, buffer, read};

const LEN: u32 = 10_000;

/// Runs the example on a device, and checks it.
pub fn example(context: &Context, _: Variant) -> Outcome {
    let particles: Vec<u32> = (0..LEN).collect();
    let alive: Vec<u32> = particles.iter().map(|number| number % 3).collect();
    let living: Vec<u32> = particles.iter().copied().filter(|number| number % 3 != 0).collect();
    let [particles, alive] = [&particles, &alive].map(|words| buffer(context, words));
    let [kept, total] = [LEN as usize, 1].map(|len| buffer(context, &vec![0u32; len]));
    let count = buffer(context, &[0u64, 0]);

    let mut encoder = context.device().create_command_encoder(&Default::default());
    let select = Compaction::select::<u32, u32>(&particles, &alive, &kept);
    let count = GpuSlice::<u64>::new(&count, 0, 1)?;
    Compactor::new(context).record(&mut encoder, &select, &count)?;
    // As many of them as the count says.
    let total = GpuSlice::whole(&total).slice(0..1)?;
    Reducer::<u32, _>::new(context, Sum).record(
        &mut encoder,
        Counted::new(&kept, &count),
        &total,
    )?;
    context.queue().submit([encoder.finish()]);

    let found = read::<u64>(context, count.buffer(), 1)?[0];
    let kept: Vec<u32> = read(context, &kept, living.len())?;
    let total = read::<u32>(context, total.buffer(), 1)?[0];
    if found != living.len() as u64 || kept != living || total != living.iter().sum() {
        return Err(format!("{found} particles with a sum of {total} are not the living").into());
    }
    Ok(format!("{found} of {LEN} particles live; their numbers come to {total}."))
}

#[allow(dead_code, reason = "tests call the example itself")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    support::on_a_device(example)
}
