//! A histogram of five categories: a workgroup counts all of them by one sum of packed counters.

#[path = "../support/mod.rs"]
mod support;

use gridfold::{
    Context, Sum, Variant,
    wgsl::{Collective, Collectives, CollectivesError},
};
use support::{Outcome, buffer, module, read, run};

const LEN: u32 = 50_000;
const WORKGROUP: u32 = 256;
/// As in the kernel.
const VALUES_OF_LANE: u32 = 15;

/// The kernel, and before it the collectives that it calls.
pub fn text(collectives: Collectives) -> Result<String, CollectivesError> {
    let collectives = collectives
        .workgroup_size(WORKGROUP)
        .operator::<u64, _>("counts", Sum)
        .with([Collective::Reduce]);
    support::text(&collectives, include_str!("kernel.wgsl"))
}

/// Runs the example on a device, and checks it.
pub fn example(context: &Context, variant: Variant) -> Outcome {
    let module = module(context, &text(Collectives::new(context).variant(variant))?);

    let values: Vec<u32> = (0..LEN).map(|i| i.wrapping_mul(2_654_435_761) >> 23).collect();
    let workgroups = LEN.div_ceil(WORKGROUP * VALUES_OF_LANE);
    let histogram = buffer(context, &[0u32; 5]);
    let [params, input] = [&vec![LEN, workgroups], &values].map(|words| buffer(context, words));
    run(context, &module, "count", &[(0, &params), (1, &input), (2, &histogram)], workgroups);

    let mut expected = [0u32; 5];
    for value in values {
        expected[(value as usize / 100).min(4)] += 1;
    }
    let found: Vec<u32> = read(context, &histogram, 5)?;
    if found != expected {
        return Err(format!("the histogram is {found:?}, and should be {expected:?}").into());
    }
    Ok(format!("{LEN} values: {found:?}, by {workgroups} sums of packed counters."))
}

#[allow(dead_code, reason = "tests call the example itself")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    support::on_a_device(example)
}
