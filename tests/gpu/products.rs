//! Exact sums of products in windows: elements that are in one, leave it, and come back; where a lane's sums are full.

use crate::{Case, device::Gpu, exact::ONE_WORKGROUP, inputs::upload, support::data::mix};
use gridfold::{Dot, Reducer, SumOfSquares, Variant, exact, shader::Sources};

pub fn cases() -> Vec<Case> {
    vec![
        Case::new("products in windows", windows).only(Variant::WorkgroupMemory),
        Case::new("products in windows, sums that are moved often", |gpu, variant| {
            windows(&with_few_groups(gpu, Sources::default()), variant);
        })
        .only(Variant::WorkgroupMemory),
        Case::long("products in windows, as many as a lane's sums take", full_sums)
            .only(Variant::WorkgroupMemory),
    ]
}

/// A lane's sums are moved to the cells after three groups.
pub fn with_few_groups(gpu: &Gpu, sources: Sources) -> Gpu {
    let file = "exact/product_sums.wgsl";
    let sources = sources.replace(file, "MAX_GROUPS = 4096u", "MAX_GROUPS = 3u");
    gpu.with_shaders(sources.expect("it is there")).expect("a context")
}

/// Several groups for each lane.
const LEN: u32 = 40_000;

const SIGN: u32 = 0x8000_0000;
const FRACTION: u32 = 0x007f_ffff;

/// The exponent field of element number i, of random bits.
type Field = fn(u32, u32) -> u32;

const FIELDS: [(&str, Field); 12] = [
    ("of a binade", |_, _| 127),
    ("of 16 binades", |_, bits| 113 + bits % 16),
    ("of 17 binades", |_, bits| 112 + bits % 17),
    ("of a few binades, and some much smaller", |_, bits| if bits % 61 == 0 { 30 } else { 126 }),
    ("of a few binades, and some much larger", |_, bits| if bits % 61 == 0 { 200 } else { 126 }),
    ("of 80 binades", |_, bits| 87 + bits % 80),
    ("that grow", |i, _| 60 + i / 300),
    ("that shrink", |i, _| 200 - i / 300),
    ("that jump up and down", |i, bits| if i / 5000 % 2 == 0 { 100 } else { 140 } + bits % 4),
    ("among the largest", |_, bits| 236 + bits % 19),
    ("among the smallest", |_, bits| bits % 17),
    ("that are 0, or not", |_, bits| bits % 2 * 120),
];

fn elements(field: Field, seed: u32, signs: u32) -> Vec<f32> {
    let element = |i: u32| {
        let bits = mix(seed + i);
        let field = field(i, mix(bits));
        let fraction = if field == 0 { 0 } else { bits & FRACTION };
        f32::from_bits((bits & signs) | field << 23 | fraction)
    };
    (0..LEN).map(element).collect()
}

pub fn windows(gpu: &Gpu, variant: Variant) {
    for (index, (what, field)) in FIELDS.into_iter().enumerate() {
        for signs in [0, SIGN] {
            let left = elements(field, 1, signs);
            expect_squares(gpu, variant, &left, what);
            // The other side has elements of the same kind, and of another.
            for (other, field) in [FIELDS[index], FIELDS[(index + 5) % FIELDS.len()]] {
                let right = elements(field, 100_000, signs);
                expect_dot(gpu, variant, &left, &right, &format!("{what} times {other}"));
                let negative: Vec<f32> = right.iter().map(|element| -element.abs()).collect();
                expect_dot(gpu, variant, &left, &negative, &format!("{what} times -{other}"));
            }
        }
    }
    // All bits, in each place of a window that begins 14 binades below the first elements.
    for field in 113..=128u32 {
        let mut left = vec![1.5; 4096];
        left.resize(9 * 4096, f32::from_bits(field << 23 | FRACTION));
        let right: Vec<f32> = left.iter().map(|element| -element).collect();
        expect_squares(gpu, variant, &left, &format!("all bits in binade {field}"));
        expect_dot(gpu, variant, &left, &right, &format!("all bits in binade {field}"));
    }
}

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
    let reducer = Reducer::<f32, SumOfSquares>::new(&gpu.context).variant(variant);
    let reducer = reducer.policy(ONE_WORKGROUP);
    let found = reducer.accumulate_blocking(upload(gpu, values)).expect("adds up");
    let expected = exact::dot(values, values).expect("of one length");
    assert_eq!(found, expected, "squares of elements {what}");
}

fn expect_dot(gpu: &Gpu, variant: Variant, left: &[f32], right: &[f32], what: &str) {
    let dot = Reducer::<f32, Dot>::new(&gpu.context).variant(variant).policy(ONE_WORKGROUP);
    let found = dot.accumulate_blocking(upload(gpu, left), upload(gpu, right)).expect("adds up");
    let expected = exact::dot(left, right).expect("of one length");
    assert_eq!(found, expected, "products of elements {what}");
}
