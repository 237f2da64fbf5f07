//! Numbers of values within their categories, in two ways: by one scan of packed counters, and by five ballots. `cargo bench --bench
//! collectives` measures both.

#[path = "../support/mod.rs"]
mod support;

use gridfold::{
    Context, Sum, Variant,
    wgsl::{Collective, Collectives, CollectivesError},
};
use support::{Outcome, buffer, module, read, run};

const LEN: u32 = 10_000;
const WORKGROUP: u32 = 256;

/// The kernel, and before it the collectives that it calls.
pub fn text(collectives: Collectives) -> Result<String, CollectivesError> {
    let collectives = collectives
        .workgroup_size(WORKGROUP)
        .operator::<u64, _>("packed", Sum)
        .with([Collective::Reduce, Collective::Scan, Collective::Vote, Collective::Rank]);
    support::text(&collectives, include_str!("kernel.wgsl"))
}

/// Runs the example on a device, and checks it.
pub fn example(context: &Context, variant: Variant) -> Outcome {
    let module = module(context, &text(Collectives::new(context).variant(variant))?);

    let values: Vec<u32> = (0..LEN).map(|i| i.wrapping_mul(2_654_435_761) >> 23).collect();
    let workgroups = LEN.div_ceil(WORKGROUP);
    let mut expected_ranks = Vec::new();
    let mut expected_counts = Vec::new();
    for values in values.chunks(WORKGROUP as usize) {
        let mut counts = [0u32; 5];
        for value in values {
            let count = &mut counts[(*value as usize / 100).min(4)];
            expected_ranks.push(*count);
            *count += 1;
        }
        expected_counts.extend(counts);
    }
    let [params, input] = [&vec![LEN], &values].map(|words| buffer(context, words));
    for way in ["by_packed_scan", "by_ballots"] {
        let [ranks, counts] =
            [LEN, 5 * workgroups].map(|len| buffer(context, &vec![u32::MAX; len as usize]));
        let buffers = [(0, &params), (1, &ranks), (2, &input), (3, &counts)];
        run(context, &module, way, &buffers, workgroups);
        let found: Vec<u32> = read(context, &ranks, expected_ranks.len())?;
        if let Some(at) = (0..found.len()).find(|&at| found[at] != expected_ranks[at]) {
            let (found, expected) = (found[at], expected_ranks[at]);
            return Err(format!("{way}: value {at} is number {found}, not {expected}").into());
        }
        if read::<u32>(context, &counts, expected_counts.len())? != expected_counts {
            return Err(format!("{way}: the categories' counts are wrong").into());
        }
    }
    Ok(format!("{LEN} values have the same numbers in their categories in both ways."))
}

#[allow(dead_code, reason = "tests call the example itself")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    support::on_a_device(example)
}
