//! The kernels of the programs in `examples/`, which call collectives.

#![expect(
    clippy::duplicate_mod,
    reason = "each example is a program of its own, and they share a file"
)]

use crate::collectives::device;
use gridfold::{
    Variant,
    wgsl::{Collectives, CollectivesError},
};

#[path = "../../examples/bounding_box/main.rs"]
pub mod bounding_box;
#[path = "../../examples/broadcast_loop/main.rs"]
pub mod broadcast_loop;
#[path = "../../examples/category_ranks/main.rs"]
pub mod category_ranks;
#[path = "../../examples/energy/main.rs"]
pub mod energy;
#[path = "../../examples/free_list/main.rs"]
pub mod free_list;
#[path = "../../examples/histogram/main.rs"]
pub mod histogram;
#[path = "../../examples/matrix_product/main.rs"]
pub mod matrix_product;
#[path = "../../examples/matrix_vector/main.rs"]
pub mod matrix_vector;
#[path = "../../examples/next_pass/main.rs"]
pub mod next_pass;
#[path = "../../examples/stream_filter/main.rs"]
pub mod stream_filter;

type Text = fn(Collectives) -> Result<String, CollectivesError>;

/// An example's module, and one of its entry points.
pub struct Example {
    /// Of the example, the entry point and the variant.
    pub name: String,
    /// WGSL.
    pub text: String,
    /// The entry point's name.
    pub entry_point: &'static str,
}

/// Each entry point of each example, in both variants.
///
/// # Panics
///
/// If an example has no text.
pub fn all() -> impl Iterator<Item = Example> {
    let examples: [(&str, Text, &[&str]); 10] = [
        ("bounding_box", bounding_box::text, &["bounds"]),
        ("broadcast_loop", broadcast_loop::text, &["sort"]),
        ("category_ranks", category_ranks::text, &["by_packed_scan", "by_ballots"]),
        ("energy", energy::text, &["step"]),
        ("free_list", free_list::text, &["collect"]),
        ("histogram", histogram::text, &["count"]),
        ("matrix_product", matrix_product::text, &["naive", "tiled"]),
        ("matrix_vector", matrix_vector::text, &["layer"]),
        ("next_pass", next_pass::text, &["measure", "scale"]),
        ("stream_filter", stream_filter::text, &["count", "place", "write"]),
    ];
    examples.into_iter().flat_map(|(name, text, entry_points)| {
        [Variant::Subgroup, Variant::WorkgroupMemory].into_iter().flat_map(move |variant| {
            let (capabilities, limits) = device(128);
            let collectives = Collectives::of(&capabilities, &limits).variant(variant);
            let text = text(collectives).expect("the example has a text");
            entry_points.iter().map(move |&entry_point| Example {
                name: format!("example {name}, {entry_point}, {}", variant.name()),
                text: text.clone(),
                entry_point,
            })
        })
    })
}
