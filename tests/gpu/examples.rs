//! The examples, each of which checks itself.

#![expect(
    clippy::duplicate_mod,
    reason = "each example is a program of its own, and they share a file"
)]

use crate::{Case, VULKAN};
use gridfold::{Context, Variant};
use std::error::Error;

#[path = "../../examples/bounding_box/main.rs"]
mod bounding_box;
#[path = "../../examples/broadcast_loop/main.rs"]
mod broadcast_loop;
#[path = "../../examples/category_ranks/main.rs"]
mod category_ranks;
#[path = "../../examples/compaction.rs"]
mod compaction;
#[path = "../../examples/custom_operator.rs"]
mod custom_operator;
#[path = "../../examples/energy/main.rs"]
mod energy;
#[path = "../../examples/free_list/main.rs"]
mod free_list;
#[path = "../../examples/gradient_norms.rs"]
mod gradient_norms;
#[path = "../../examples/histogram/main.rs"]
mod histogram;
#[path = "../../examples/matrix_product/main.rs"]
mod matrix_product;
#[path = "../../examples/matrix_vector/main.rs"]
mod matrix_vector;
#[path = "../../examples/next_pass/main.rs"]
mod next_pass;
#[path = "../../examples/npy_statistics.rs"]
mod npy_statistics;
#[path = "../../examples/render_loop.rs"]
mod render_loop;
#[path = "../../examples/segmented_mean.rs"]
mod segmented_mean;
#[path = "../../examples/stream_filter/main.rs"]
mod stream_filter;
#[path = "../../examples/streaming.rs"]
mod streaming;
#[path = "../../examples/vector.rs"]
mod vector;

type Example = fn(&Context, Variant) -> Result<String, Box<dyn Error>>;

pub fn cases() -> Vec<Case> {
    let examples: [(&str, Example); 18] = [
        ("bounding_box", bounding_box::example),
        ("broadcast_loop", broadcast_loop::example),
        ("category_ranks", category_ranks::example),
        ("compaction", compaction::example),
        ("custom_operator", custom_operator::example),
        ("energy", energy::example),
        ("free_list", free_list::example),
        ("gradient_norms", gradient_norms::example),
        ("histogram", histogram::example),
        ("matrix_product", matrix_product::example),
        ("matrix_vector", matrix_vector::example),
        ("next_pass", next_pass::example),
        ("npy_statistics", npy_statistics::example),
        ("render_loop", render_loop::example),
        ("segmented_mean", segmented_mean::example),
        ("stream_filter", stream_filter::example),
        ("streaming", streaming::example),
        ("vector", vector::example),
    ];
    let case = |(name, example): (&str, Example)| {
        Case::tier1(VULKAN, format!("example {name}"), move |gpu, variant| {
            let said = example(&gpu.context, variant).unwrap_or_else(|error| panic!("{error}"));
            assert!(!said.is_empty());
        })
    };
    examples.map(case).into()
}
