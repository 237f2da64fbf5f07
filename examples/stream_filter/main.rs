//! What passes a test, in the order of the stream: by votes, ranks and a scan.

#[path = "../support/mod.rs"]
mod support;

use gridfold::{
    Context, Sum, Variant,
    wgsl::{Collective, Collectives, CollectivesError},
};
use support::{Outcome, buffer, module, read, run};

const LEN: u32 = 30_000;
const LIMIT: u32 = 300;
const WORKGROUP: u32 = 64;

/// The kernel, and before it the collectives that it calls.
pub fn text(collectives: Collectives) -> Result<String, CollectivesError> {
    let collectives = collectives
        .workgroup_size(WORKGROUP)
        .operator::<u32, _>("number", Sum)
        .with([Collective::Reduce, Collective::Scan, Collective::Vote, Collective::Rank]);
    support::text(&collectives, include_str!("kernel.wgsl"))
}

/// Runs the example on a device, and checks it.
pub fn example(context: &Context, variant: Variant) -> Outcome {
    let module = module(context, &text(Collectives::new(context).variant(variant))?);

    let stream: Vec<u32> = (0..LEN).map(|i| i.wrapping_mul(2_654_435_761) >> 22).collect();
    let workgroups = LEN.div_ceil(WORKGROUP);
    // One more than workgroups: the kernel asks how long it is.
    let slots = workgroups as usize + 1;
    let counts = buffer(context, &vec![0u32; slots]);
    let [params, input, kept] = [vec![LEN, LIMIT], stream.clone(), vec![0; LEN as usize]]
        .map(|words| buffer(context, &words));
    let buffers = [(0, &params), (1, &input), (2, &counts)];
    run(context, &module, "count", &buffers, workgroups);
    run(context, &module, "place", &[(2, &counts)], 1);
    run(
        context,
        &module,
        "write",
        &[(0, &params), (1, &input), (2, &counts), (3, &kept)],
        workgroups,
    );

    let expected: Vec<u32> = stream.into_iter().filter(|&value| value < LIMIT).collect();
    let count = read::<u32>(context, &counts, slots)?[workgroups as usize] as usize;
    if count != expected.len() || read::<u32>(context, &kept, count)? != expected {
        return Err(format!("{count} values are kept, and should be {}", expected.len()).into());
    }
    Ok(format!("{count} of {LEN} values are below {LIMIT}, in the order that they had."))
}

#[allow(dead_code, reason = "tests call the example itself")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    support::on_a_device(example)
}
