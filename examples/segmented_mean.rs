//! The mean of each segment between offsets, such as of the tokens of each document: the offsets stay on the device.

#[path = "support/mod.rs"]
#[allow(dead_code, reason = "other examples use the rest")]
mod support;

use gridfold::{Context, GpuSlice, Mean, SegmentedReducer, Segments, Variant};
use support::{Outcome, buffer, read};

/// Runs the example on a device, and checks it.
pub fn example(context: &Context, _: Variant) -> Outcome {
    let values = [1.0f32, 2.0, 6.0, 4.0, 8.0, 3.0];
    // The second segment is empty: the mean of nothing is NaN.
    let offsets = [0u32, 3, 3, 5, 6];
    let segments = offsets.len() - 1;
    let [values, means] = [&values[..], &vec![0.0; segments]].map(|all| buffer(context, all));
    let offsets = buffer(context, &offsets);

    let values = GpuSlice::<f32>::whole(&values).slice(0..6)?;
    let offsets = GpuSlice::<u32>::whole(&offsets).slice(0..segments as u64 + 1)?;
    let segments_of = Segments::offsets(&offsets);
    let output = GpuSlice::whole(&means).slice(0..segments as u64)?;
    SegmentedReducer::<f32, _>::new(context, Mean).reduce_blocking(
        &values,
        &segments_of,
        &output,
    )?;

    let means: Vec<f32> = read(context, &means, segments)?;
    match means[..] {
        [3.0, empty, 6.0, 3.0] if empty.is_nan() => Ok(format!("The means are {means:?}.")),
        _ => Err(format!("the means are {means:?}, not 3, NaN, 6 and 3").into()),
    }
}

#[allow(dead_code, reason = "tests call the example itself")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    support::on_a_device(example)
}
