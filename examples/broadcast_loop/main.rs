//! A loop in which each lane's value comes to all lanes: subgroups sort their values by counting.

#[path = "../support/mod.rs"]
mod support;

use gridfold::{
    Context, Variant,
    wgsl::{Collective, Collectives, CollectivesError},
};
use support::{Outcome, buffer, module, read, run};

const LEN: u32 = 1000;
const WORKGROUP: u32 = 96;

/// The kernel, and before it the collectives that it calls.
pub fn text(collectives: Collectives) -> Result<String, CollectivesError> {
    let collectives = collectives.workgroup_size(WORKGROUP).with([Collective::Shuffle]);
    support::text(&collectives, include_str!("kernel.wgsl"))
}

/// Runs the example on a device, and checks it.
pub fn example(context: &Context, variant: Variant) -> Outcome {
    let module = module(context, &text(Collectives::new(context).variant(variant))?);

    let values: Vec<u32> = (0..LEN).map(|i| i.wrapping_mul(2_654_435_761) >> 25).collect();
    let [params, input, sorted, size] = [vec![LEN], values.clone(), vec![0; LEN as usize], vec![0]]
        .map(|words| buffer(context, &words));
    let buffers = [(0, &params), (1, &input), (2, &sorted), (3, &size)];
    run(context, &module, "sort", &buffers, LEN.div_ceil(WORKGROUP));

    let size = read::<u32>(context, &size, 1)?[0] as usize;
    let mut expected = values;
    for workgroup in expected.chunks_mut(WORKGROUP as usize) {
        workgroup.chunks_mut(size.max(1)).for_each(<[u32]>::sort_unstable);
    }
    if read::<u32>(context, &sorted, LEN as usize)? != expected {
        return Err(format!("subgroups of {size} lanes are not in order").into());
    }
    Ok(format!("{LEN} values are in order, {size} at a time."))
}

#[allow(dead_code, reason = "tests call the example itself")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    support::on_a_device(example)
}
