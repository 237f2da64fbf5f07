//! Exact sums of products in windows, where a lane's sums are full. (All else of them is in the library's self-test.)

use crate::{Case, device::Gpu, exact::ONE_WORKGROUP, inputs::upload};
use gridfold::{Dot, Reducer, SumOfSquares, Variant, exact, shader::Sources};

pub fn cases() -> Vec<Case> {
    vec![
        Case::tier2("products in windows, as many as a lane's sums take", full_sums)
            .only(Variant::WorkgroupMemory),
    ]
}

/// A lane's sums are moved to the cells after three groups.
pub fn with_few_groups(gpu: &Gpu, sources: Sources) -> Gpu {
    let file = "exact/product.wgsl@sums";
    let sources = sources.replace(file, "MAX_GROUPS = 4096u", "MAX_GROUPS = 3u");
    gpu.with_shaders(sources.expect("it is there")).expect("a context")
}

const FRACTION: u32 = 0x007f_ffff;

/// Of which the largest sums of products of digits are made, so many that a lane moves them.
fn full_sums(gpu: &Gpu, variant: Variant) {
    // The first group sets the window; in the second place of it and in the third, digits are largest.
    for field in [115, 116] {
        let mut left = vec![1.5; 4096];
        left.resize((1 << 24) + 8192, f32::from_bits(field << 23 | FRACTION));
        let right: Vec<f32> = left.iter().map(|element| -element).collect();
        expect_squares(gpu, variant, &left, "full sums");
        expect_dot(gpu, variant, &left, &left, "full sums");
        expect_dot(gpu, variant, &left, &right, "full sums");
    }
}

fn expect_squares(gpu: &Gpu, variant: Variant, values: &[f32], what: &str) {
    let reducer = Reducer::<f32, _>::new(&gpu.context, SumOfSquares).variant(variant);
    let reducer = reducer.policy(ONE_WORKGROUP);
    let found = reducer.accumulate_blocking(upload(gpu, values)).expect("adds up");
    let expected = exact::dot(values, values).expect("of one length");
    assert_eq!(found, expected, "squares of elements {what}");
}

fn expect_dot(gpu: &Gpu, variant: Variant, left: &[f32], right: &[f32], what: &str) {
    let dot =
        Reducer::<(f32, f32), _>::new(&gpu.context, Dot).variant(variant).policy(ONE_WORKGROUP);
    let found = dot.accumulate_blocking((upload(gpu, left), upload(gpu, right))).expect("adds up");
    let expected = exact::dot(left, right).expect("of one length");
    assert_eq!(found, expected, "products of elements {what}");
}
