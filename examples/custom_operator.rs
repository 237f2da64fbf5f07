//! An operator of one's own, in which the order counts: the longest run of zeros.

#[path = "support/mod.rs"]
#[allow(dead_code, reason = "other examples use the rest")]
mod support;

use gridfold::{Context, CustomOperator, Executor, Reducer, Variant};
use support::{Outcome, buffer};

/// Of a sequence: how many elements, zeros at its beginning, at its end, and the longest run of them.
type Runs = [u32; 4];

fn combine(a: Runs, b: Runs) -> Runs {
    let whole = |runs: Runs| runs[0] == runs[1];
    [
        a[0] + b[0],
        if whole(a) { a[0] + b[1] } else { a[1] },
        if whole(b) { a[2] + b[0] } else { b[2] },
        a[3].max(b[3]).max(a[2] + b[1]),
    ]
}

/// Runs the example on a device, and checks it.
pub fn example(context: &Context, variant: Variant) -> Outcome {
    let longest = CustomOperator::<u32, u32>::ordered(include_str!("custom_operator.wgsl"))?
        .with_twin(
            [0; 4],
            |x| if x == 0 { [1; 4] } else { [1, 0, 0, 0] },
            combine,
            |runs: Runs| runs[3],
        );
    let values: Vec<u32> =
        (0..40_000u32).map(|i| u32::from(i.wrapping_mul(2_654_435_761) >> 30 == 3)).collect();
    let input = buffer(context, &values);
    let found = Reducer::new(context, longest.clone()).variant(variant).reduce_blocking(&input)?;
    let on_cpu = Executor::cpu().reduce(&values, longest)?.value;
    let expected = values.split(|&x| x != 0).map(<[u32]>::len).max();
    if found != on_cpu || expected != Some(found as usize) {
        return Err(
            format!("the longest run is {found}, on the CPU {on_cpu}, not {expected:?}").into()
        );
    }
    Ok(format!("The longest run of zeros has {found} of {} values.", values.len()))
}

#[allow(dead_code, reason = "tests call the example itself")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    support::on_a_device(example)
}
