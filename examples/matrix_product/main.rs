//! Matrix multiplication, naive and tiled, with its inner products by collectives of a workgroup and of tiles of four lanes.

#[path = "../support/mod.rs"]
mod support;

use gridfold::{
    Context, Sum, Variant,
    wgsl::{Collective, Collectives, CollectivesError},
};
use support::{Outcome, buffer, module, read, run};

const SIZE: u8 = 45;

/// The kernel, and before it the collectives that it calls.
pub fn text(collectives: Collectives) -> Result<String, CollectivesError> {
    let collectives =
        collectives.workgroup_size(256).operator::<f32, _>("inner", Sum).with([Collective::Reduce]);
    support::text(&collectives, include_str!("kernel.wgsl"))
}

/// Runs the example on a device, and checks it.
pub fn example(context: &Context, variant: Variant) -> Outcome {
    let module = module(context, &text(Collectives::new(context).variant(variant))?);

    // Small whole numbers: every sum of products is exact, in any order.
    let number = |i: usize, of: usize| f32::from(u8::try_from(i * of % 15).expect("small")) - 7.0;
    let size = usize::from(SIZE);
    let [left, right] =
        [7, 11].map(|of| (0..size * size).map(|i| number(i, of)).collect::<Vec<_>>());
    let mut expected = vec![0.0f32; size * size];
    for (at, element) in expected.iter_mut().enumerate() {
        let (row, column) = (at / size, at % size);
        *element = (0..size).map(|i| left[row * size + i] * right[i * size + column]).sum();
    }

    let params = buffer(context, &[0, u32::from(SIZE)]);
    let [left, right] = [left, right].map(|matrix| buffer(context, &matrix));
    let tiles = u32::from(SIZE).div_ceil(8).pow(2);
    for (entry_point, workgroups) in [("naive", u32::from(SIZE).pow(2)), ("tiled", tiles)] {
        let product = buffer(context, &vec![0.0f32; size * size]);
        let buffers = [(0, &params), (1, &left), (2, &right), (3, &product)];
        run(context, &module, entry_point, &buffers, workgroups);
        let found: Vec<f32> = read(context, &product, size * size)?;
        if let Some(at) = (0..found.len()).find(|&at| found[at] != expected[at]) {
            let wrong = format!("{entry_point}: {} at {at}, not {}", found[at], expected[at]);
            return Err(wrong.into());
        }
    }
    Ok(format!("Two matrices of {SIZE} rows have the same product in both ways."))
}

#[allow(dead_code, reason = "tests call the example itself")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    support::on_a_device(example)
}
