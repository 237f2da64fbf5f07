//! The axis-aligned box of a mesh: six reductions of interleaved triples by one kernel, which reads each vertex once.

#[path = "../support/mod.rs"]
mod support;

use gridfold::{
    Context, Max, Min, Variant,
    wgsl::{Collective, Collectives, CollectivesError},
};
use support::{Outcome, buffer, module, read, run};

const VERTICES: u32 = 5000;

/// The kernel, and before it the collectives that it calls.
pub fn text(collectives: Collectives) -> Result<String, CollectivesError> {
    let collectives = collectives
        .operator::<f32, _>("low", Min)
        .operator::<f32, _>("high", Max)
        .with([Collective::Reduce]);
    support::text(&collectives, include_str!("kernel.wgsl"))
}

/// Runs the example on a device, and checks it.
pub fn example(context: &Context, variant: Variant) -> Outcome {
    let module = module(context, &text(Collectives::new(context).variant(variant))?);

    let mesh: Vec<f32> = (0..VERTICES)
        .flat_map(|vertex| {
            let angle = f32::from(u16::try_from(vertex).expect("few")) * 0.1;
            [angle.cos() * 3.0 + 1.0, angle.sin() * 2.0, angle / 100.0 - 7.0]
        })
        .collect();
    // As it is bound: no bytes beyond the mesh, for the kernel asks how long it is.
    let coordinates = buffer(context, &mesh);
    let corners = buffer(context, &[0.0f32; 6]);
    run(context, &module, "bounds", &[(0, &coordinates), (1, &corners)], 1);

    let found: Vec<f32> = read(context, &corners, 6)?;
    for axis in 0..3 {
        let along = || mesh.iter().copied().skip(axis).step_by(3);
        let [low, high] =
            [along().fold(f32::INFINITY, f32::min), along().fold(f32::NEG_INFINITY, f32::max)];
        if [found[axis], found[3 + axis]] != [low, high] {
            return Err(
                format!("axis {axis} goes from {} to {}", found[axis], found[3 + axis]).into()
            );
        }
    }
    Ok(format!("{VERTICES} vertices lie between {:?} and {:?}.", &found[..3], &found[3..]))
}

#[allow(dead_code, reason = "tests call the example itself")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    support::on_a_device(example)
}
