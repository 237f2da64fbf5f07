//! Float sums of what float sums go wrong on: every kind by every precision, against the CPU.

use crate::{
    Case,
    device::Gpu,
    floats::in_software,
    inputs::{expect, upload},
    support::data::mix,
};
use gridfold::{
    Executor, GpuSlice, Mean, Norm, Operator, Precision, Product, Reducer, Sum, SumOfSquares,
    Variance, Variant, exact,
};

pub fn cases() -> Vec<Case> {
    vec![
        Case::tier2("material, reproducible", |gpu, variant| {
            for (what, values) in material(20_000) {
                let input = [upload(gpu, &values)];
                expect::<f32, _>(gpu, variant, &input, &values, what, Sum);
                expect::<f32, _>(gpu, variant, &input, &values, what, Product);
            }
        }),
        Case::tier2("material, exact", |gpu, variant| exactly(gpu, variant, 20_000)),
        Case::tier2("material, exact, in software", |gpu, variant| {
            exactly(&in_software(gpu), variant, 9_000);
        }),
        Case::tier2("material, exact, in windows over a buffer", |gpu, variant| {
            let small = gpu
                .with_limits(|limits| {
                    limits.max_storage_buffer_binding_size = (1 << 15) + 16;
                    limits.max_compute_workgroups_per_dimension = 2;
                })
                .expect("a device with lower limits");
            small.check(|gpu| exactly(gpu, variant, 30_001)).expect("no errors");
        }),
        Case::tier2("material, exact, many elements", |gpu, variant| {
            exactly(gpu, variant, (1 << 20) + 1);
        }),
    ]
}

fn exactly(gpu: &Gpu, variant: Variant, len: u32) {
    for (what, values) in material(len) {
        let input = upload(gpu, &values);
        expect_exact(gpu, variant, &input, &values, what, Sum);
        expect_exact(gpu, variant, &input, &values, what, Mean);
        expect_exact(gpu, variant, &input, &values, what, SumOfSquares);
        expect_exact(gpu, variant, &input, &values, what, Norm);
        expect_exact(gpu, variant, &input, &values, what, Variance);
    }
}

fn expect_exact<Op: Operator<f32, Value = f32> + Copy>(
    gpu: &Gpu,
    variant: Variant,
    input: &GpuSlice<f32>,
    values: &[f32],
    what: &str,
    op: Op,
) {
    let reducer = Reducer::<f32, _>::new(&gpu.context, op).variant(variant);
    let found = reducer.precision(Precision::Exact).reduce_blocking(input).expect("reduces");
    let executor = Executor::cpu().precision(Precision::Exact);
    let expected = executor.reduce(values, op).expect("it is exact").value;
    assert_eq!(
        found.to_bits(),
        expected.to_bits(),
        "{} of {what}: {found}, {expected}",
        op.spec().operator
    );
}

fn power(exponent: i32) -> f32 {
    let field = exponent + 127;
    // Those below are subnormal.
    f32::from_bits(if field > 0 { field.cast_unsigned() << 23 } else { 1 << (exponent + 149) })
}

fn uniform(number: u32) -> f32 {
    (mix(number) >> 8) as f32 / 16_777_216.0
}

/// By Box and Muller. No test compares the values themselves.
fn normal(number: u32) -> f32 {
    let radius = (-2.0 * (1.0 - uniform(number)).ln()).sqrt();
    radius * (std::f32::consts::TAU * uniform(!number)).cos()
}

/// Lists of `len` elements, or one or two more.
fn material(len: u32) -> Vec<(&'static str, Vec<f32>)> {
    let all = |make: &dyn Fn(u32) -> f32| -> Vec<f32> { (0..len).map(make).collect() };
    let edge = |exponent: i32| {
        all(&move |i| {
            // At a power of two, and the next floats to both sides.
            let bits = power(exponent).to_bits() + mix(i) % 3 - 1;
            f32::from_bits(bits | (mix(!i) & 0x8000_0000))
        })
    };
    // Elements that lie this many binades below the largest.
    let below = |binades: i32| {
        all(&move |i| {
            if i % 50 == 7 { 1.5 } else { (1.0 + uniform(i)) * power(-binades) }
        })
    };
    let mut lists = vec![
        ("uniform", all(&uniform)),
        ("normal", all(&normal)),
        ("lognormal, 2", all(&|i| (2.0 * normal(i)).exp())),
        ("lognormal, 10", all(&|i| (10.0 * normal(i)).exp())),
        ("constant 1.1", all(&|_| 1.1)),
        ("random bits", all(&|i| f32::from_bits(mix(i)))),
        ("subnormal", all(&|i| f32::from_bits(mix(i) & 0x807f_ffff))),
        ("negative zeros", all(&|_| -0.0)),
        ("sparse", all(&|i| if i % 9 == 0 { normal(i) } else { 0.0 })),
        ("alternating ±largest, and a rest", {
            let mut list = all(&|i| if i % 2 == 0 { f32::MAX } else { f32::MIN });
            if len % 2 == 1 {
                list.push(f32::MIN);
            }
            list.push(1e-30);
            list
        }),
        ("sums that overflow against an infinity", {
            let mut list = all(&|_| f32::MAX);
            list.push(f32::NEG_INFINITY);
            list
        }),
        ("an outlier first", {
            let mut list = all(&uniform);
            list[0] = 1e30;
            list
        }),
        ("an outlier last", {
            let mut list = all(&uniform);
            list.push(1e30);
            list
        }),
        ("an outlier in each lane, then one value", {
            all(&|i| if i < 1024 { power(100) } else { f32::from_bits(0x3fff_ffff) })
        }),
        ("ill-conditioned", ill_conditioned(len)),
        ("edge 2^-103", edge(-103)),
        ("edge 2^-102", edge(-102)),
        ("edge 2^87", edge(87)),
        ("edge 2^123", edge(123)),
        ("edge 2^124", edge(124)),
        ("edge of the first window", edge(44 - 20 - 127)),
        ("edge above the first window", edge(44 - 1 - 127)),
        ("edge of the last window", edge(252 - 1 - 127)),
    ];
    for (what, binades) in [
        ("16 binades below", 16),
        ("17 binades below", 17),
        ("18 binades below", 18),
        ("19 binades below", 19),
        ("20 binades below", 20),
        ("42 binades below", 42),
        ("43 binades below", 43),
    ] {
        lists.push((what, below(binades)));
    }
    for (what, rest) in [("a tie", 0.0), ("a tie and a bit", 1.0), ("a tie less a bit", -1.0)] {
        // 2^24 + 1 is halfway between floats.
        let mut list = all(&|_| 0.0);
        list[1] = power(24);
        list[(len / 2) as usize] = 1.0;
        list[(len - 1) as usize] = rest * f32::from_bits(1);
        lists.push((what, list));
    }
    lists
}

/// Sums that nearly cancel, again and again: after S. M. Rump, T. Ogita and S. Oishi, "Accurate floating-point
/// summation" (2008). The condition number goes beyond 10^30.
fn ill_conditioned(len: u32) -> Vec<f32> {
    let mut list: Vec<f32> = Vec::new();
    let mut sum = exact::sum(&[]);
    for i in 0..len {
        // The scale falls from 2^60 to 2^-60.
        let exponent = 60 - i32::try_from(u64::from(i) * 120 / u64::from(len)).expect("small");
        let mut element = normal(i) * power(exponent);
        if i % 2 == 1 {
            element -= sum.to_f32();
        }
        sum.add(element);
        list.push(element);
    }
    // Some order.
    let mut keyed: Vec<(u32, f32)> = (0..).map(mix).zip(list).collect();
    keyed.sort_by_key(|&(key, _)| key);
    keyed.into_iter().map(|(_, element)| element).collect()
}
