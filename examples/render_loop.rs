//! A render loop: each frame reduces a buffer in its own encoder, and the host reads the result of the frame before.

#[path = "support/mod.rs"]
#[allow(dead_code, reason = "other examples use the rest")]
mod support;

use gridfold::{Context, GpuSlice, Max, Reducer, Variant};
use support::{Outcome, buffer};

const PIXELS: u16 = 5000;

/// Runs the example on a device, and checks it.
pub fn example(context: &Context, variant: Variant) -> Outcome {
    let luminance = buffer(context, &vec![0.0f32; PIXELS.into()]);
    let brightest = buffer(context, &[0.0f32; 4]);
    let output = GpuSlice::<f32>::whole(&brightest).slice(0..1)?;
    // Once: this allocates. What is recorded then creates nothing.
    let max = Reducer::<f32, _>::new(context, Max).variant(variant).prepare(&luminance, &output)?;

    let mut readback = None;
    let mut seen = Vec::new();
    for frame in 1..=4u16 {
        let pixels: Vec<f32> = (0..PIXELS).map(|i| f32::from(i % (100 * frame))).collect();
        context.queue().write_buffer(&luminance, 0, bytemuck::cast_slice(&pixels));
        let mut encoder = context.device().create_command_encoder(&Default::default());
        max.record(&mut encoder);
        // Passes that read `brightest` would come here.
        let next = max.record_readback(&mut encoder)?;
        context.queue().submit([encoder.finish()]);
        // Of the frame before, which is done by now: nothing waits for this one.
        if let Some(readback) = readback.replace(next) {
            seen.push(pollster::block_on(readback)?);
        }
    }
    if seen != [Some(99.0), Some(199.0), Some(299.0)] {
        return Err(format!("the frames were as bright as {seen:?}").into());
    }
    Ok(format!("The brightest pixels of three frames: {seen:?}."))
}

#[allow(dead_code, reason = "tests call the example itself")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    support::on_a_device(example)
}
