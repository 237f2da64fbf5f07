//! A dot product inside a larger kernel: a matrix times a vector, a row for each workgroup, whose size is no power of two.

#[path = "../support/mod.rs"]
mod support;

use gridfold::{
    Context, Sum, Variant,
    wgsl::{Collective, Collectives, CollectivesError},
};
use support::{Outcome, buffer, module, read, run};

const ROWS: u16 = 37;
const COLUMNS: u16 = 501;

/// The kernel, and before it the collectives that it calls.
pub fn text(collectives: Collectives) -> Result<String, CollectivesError> {
    let collectives =
        collectives.workgroup_size(96).operator::<f32, _>("dot", Sum).with([Collective::Reduce]);
    support::text(&collectives, include_str!("kernel.wgsl"))
}

/// Runs the example on a device, and checks it.
pub fn example(context: &Context, variant: Variant) -> Outcome {
    let module = module(context, &text(Collectives::new(context).variant(variant))?);

    // Small whole numbers: every sum of them is exact, in any order.
    let number =
        |i: u32, j: u32| f32::from(u8::try_from((i * 7 + j * 13) % 19).expect("small")) - 9.0;
    let (rows, columns) = (u32::from(ROWS), u32::from(COLUMNS));
    let matrix: Vec<f32> =
        (0..rows).flat_map(|row| (0..columns).map(move |column| number(row, column))).collect();
    let vector: Vec<f32> = (0..columns).map(|column| number(column, 3)).collect();
    let results = buffer(context, &vec![0.0f32; ROWS.into()]);
    let params = buffer(context, &[0, columns]);
    let [matrix_buffer, vector_buffer] = [&matrix, &vector].map(|values| buffer(context, values));
    let buffers = [(0, &params), (1, &matrix_buffer), (2, &vector_buffer), (3, &results)];
    run(context, &module, "layer", &buffers, rows);

    let found: Vec<f32> = read(context, &results, ROWS.into())?;
    for (row, (found, elements)) in found.iter().zip(matrix.chunks(COLUMNS.into())).enumerate() {
        let product: f32 = elements.iter().zip(&vector).map(|(a, b)| a * b).sum();
        if *found != product.max(0.0) {
            return Err(format!("row {row} gives {found}, and should give {product}").into());
        }
    }
    Ok(format!("{ROWS} rows of {COLUMNS} numbers, each times a vector: as on the CPU."))
}

#[allow(dead_code, reason = "tests call the example itself")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    support::on_a_device(example)
}
