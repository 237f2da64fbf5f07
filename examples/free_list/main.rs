//! Particles that die, appended to a list of free places with one atomic addition for each workgroup.

#[path = "../support/mod.rs"]
mod support;

use gridfold::{
    Context, Variant,
    wgsl::{Collective, Collectives, CollectivesError},
};
use support::{Outcome, buffer, module, read, run};

const LEN: u32 = 20_000;
const TIME: u32 = 3;
const WORKGROUP: u32 = 128;

/// The kernel, and before it the collectives that it calls.
pub fn text(collectives: Collectives) -> Result<String, CollectivesError> {
    let collectives =
        collectives.workgroup_size(WORKGROUP).list("free_list.count").with([Collective::Append]);
    support::text(&collectives, include_str!("kernel.wgsl"))
}

/// Runs the example on a device, and checks it.
pub fn example(context: &Context, variant: Variant) -> Outcome {
    let module = module(context, &text(Collectives::new(context).variant(variant))?);

    let deaths: Vec<u32> = (0..LEN).map(|i| i.wrapping_mul(2_654_435_761) >> 29).collect();
    let free_list = buffer(context, &vec![0u32; LEN as usize + 1]);
    let [params, input] = [&vec![LEN, TIME], &deaths].map(|words| buffer(context, words));
    let buffers = [(0, &params), (1, &input), (2, &free_list)];
    run(context, &module, "collect", &buffers, LEN.div_ceil(WORKGROUP));

    let dead: Vec<u32> =
        (0..LEN).zip(&deaths).filter(|&(_, &time)| time == TIME).map(|(index, _)| index).collect();
    let words: Vec<u32> = read(context, &free_list, dead.len() + 1)?;
    let (count, places) = (words[0], &words[1..]);
    // Workgroups come in any order, and a workgroup's entries are neighbours in the order of its lanes.
    let is_run = |pair: &[u32]| pair[0] < pair[1] || pair[0] / WORKGROUP != pair[1] / WORKGROUP;
    let mut sorted = places.to_vec();
    sorted.sort_unstable();
    if count as usize != dead.len() || sorted != dead || !places.windows(2).all(is_run) {
        return Err(format!("{count} places are free, and should be {}", dead.len()).into());
    }
    Ok(format!(
        "{count} of {LEN} places are free, by {} atomic additions.",
        LEN.div_ceil(WORKGROUP)
    ))
}

#[allow(dead_code, reason = "tests call the example itself")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    support::on_a_device(example)
}
