//! A simulation step that sums its energy as it goes: each workgroup that of its particles, and then gridfold the workgroups'.
//!
//! The sum has the bits of gridfold's sum of all particles' energies, because a workgroup of 256 is a run of the fixed order, and there are
//! whole workgroups.

#[path = "../support/mod.rs"]
mod support;

use gridfold::{
    Context, Executor, GpuSlice, Reducer, Sum, Variant,
    wgsl::{Collective, Collectives, CollectivesError},
};
use support::{Outcome, buffer, module, read, run};

const LEN: u16 = 40 * 256;
const SECONDS: f32 = 0.125;
const GRAVITY: f32 = -8.0;

/// The kernel, and before it the collectives that it calls.
pub fn text(collectives: Collectives) -> Result<String, CollectivesError> {
    let collectives = collectives
        .workgroup_size(256)
        .operator::<f32, _>("energy", Sum)
        .with([Collective::Reduce]);
    support::text(&collectives, include_str!("kernel.wgsl"))
}

/// Runs the example on a device, and checks it.
pub fn example(context: &Context, variant: Variant) -> Outcome {
    let module = module(context, &text(Collectives::new(context).variant(variant))?);

    // Numbers of which every product is exact, so that no compiler can change a bit by contracting it.
    let start: Vec<[f32; 2]> = (0..LEN).map(|i| [0.0, f32::from(i % 1000) / 64.0]).collect();
    let particles = buffer(context, &start);
    let workgroups = u32::from(LEN).div_ceil(256);
    let energies = buffer(context, &vec![0.0f32; workgroups as usize]);
    let params = buffer(context, &[0, LEN.into(), SECONDS.to_bits(), GRAVITY.to_bits()]);
    run(context, &module, "step", &[(0, &params), (1, &particles), (2, &energies)], workgroups);
    let totals = GpuSlice::<f32>::whole(&energies).slice(0..workgroups.into())?;
    let energy = Reducer::<f32, _>::new(context, Sum).reduce_blocking(&totals)?;

    let moved: Vec<[f32; 2]> = read(context, &particles, LEN.into())?;
    let expected: Vec<f32> = start
        .iter()
        .map(|[_, velocity]| velocity + GRAVITY * SECONDS)
        .map(|velocity| 0.5 * velocity * velocity)
        .collect();
    let expected = Executor::cpu().sum(&expected)?;
    let velocity = start[7][1] + GRAVITY * SECONDS;
    if moved[7] != [velocity * SECONDS, velocity] {
        return Err(format!("particle 7 is at {:?}", moved[7]).into());
    }
    if energy.to_bits() != expected.to_bits() {
        return Err(format!("the energy is {energy}, and should be {expected}").into());
    }
    Ok(format!("{LEN} particles moved. Their kinetic energy is {energy}, to the bit."))
}

#[allow(dead_code, reason = "tests call the example itself")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    support::on_a_device(example)
}
