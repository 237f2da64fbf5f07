//! A result that the next pass of a frame reads, without the host: both are in one encoder.

#[path = "../support/mod.rs"]
#[allow(dead_code, reason = "other examples use the rest")]
mod support;

use gridfold::{
    Context, Max, Variant,
    wgsl::{Collective, Collectives, CollectivesError},
};
use support::{Outcome, buffer, module, read, record};

const LEN: u16 = 10_000;
const WORKGROUP: u32 = 128;

/// The kernels, and before them the collectives that they call.
pub fn text(collectives: Collectives) -> Result<String, CollectivesError> {
    let collectives = collectives
        .workgroup_size(WORKGROUP)
        .operator::<f32, _>("top", Max)
        .with([Collective::Reduce]);
    support::text(&collectives, include_str!("kernel.wgsl"))
}

/// Runs the example on a device, and checks it.
pub fn example(context: &Context, variant: Variant) -> Outcome {
    let module = module(context, &text(Collectives::new(context).variant(variant))?);

    let image: Vec<f32> = (0..LEN).map(|i| f32::from(i % 1000) + 0.5).collect();
    let params = buffer(context, &[u32::from(LEN)]);
    let pixels = buffer(context, &image);
    let brightest = buffer(context, &[0u32]);
    let buffers = [(0, &params), (1, &pixels), (2, &brightest)];
    let workgroups = u32::from(LEN).div_ceil(WORKGROUP);
    let mut frame = context.device().create_command_encoder(&Default::default());
    for entry_point in ["measure", "scale"] {
        record(context, &mut frame, &module, entry_point, &buffers, workgroups);
    }
    context.queue().submit([frame.finish()]);

    let found: Vec<f32> = read(context, &pixels, LEN.into())?;
    // WGSL's quotients are not rounded as those of the CPU.
    let is_right = |at: usize| (found[at] - image[at] / 999.5).abs() < 1e-6;
    if let Some(at) = (0..found.len()).find(|&at| !is_right(at)) {
        return Err(format!("pixel {at} is {}, and was {}", found[at], image[at]).into());
    }
    Ok(format!("{LEN} pixels are scaled by the brightest, which the host never saw."))
}

#[allow(dead_code, reason = "tests call the example itself")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    support::on_a_device(example)
}
