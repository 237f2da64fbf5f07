//! Exact results: the same bits as on the CPU, for any elements in any order and cut anyhow, by windows and by
//! integers alone; and the accumulators that they are rounded from.

use crate::{
    Case,
    device::Gpu,
    floats::{MATERIAL, in_software},
    inputs::upload,
    support::data::mix,
};
use gridfold::{
    ExactDot, ExactMoments, ExactOperator, ExactSum, Executor, GpuSlice, Input, Mean, Norm,
    Operator, Policy, Precision, Reducer, SampleVariance, Sum, SumOfSquares, Variance, exact,
};
use std::fmt::Debug;

pub fn cases() -> Vec<Case> {
    let mut cases = vec![
        Case::new("exact sums of anything, in software", |gpu, variant| {
            anything::<Sum>(&in_software(gpu), variant, 1);
        }),
        Case::new("exact means of anything, in software", |gpu, variant| {
            anything::<Mean>(&in_software(gpu), variant, 2);
        }),
        Case::new("exact sums, at the edges of windows", edges),
        Case::new("exact sums, in any order and parts", any_order),
        Case::new("exact sums, more elements than a window takes", full_windows),
        Case::new("exact accumulators, left on the device", left_on_the_device),
    ];
    add_operator::<Sum>(&mut cases);
    add_operator::<Mean>(&mut cases);
    add_operator::<SumOfSquares>(&mut cases);
    add_operator::<Norm>(&mut cases);
    add_operator::<Variance>(&mut cases);
    add_operator::<SampleVariance>(&mut cases);
    cases
}

/// An operator whose accumulator the CPU can make.
trait Truth: ExactOperator<Accumulator: Debug + PartialEq> + Operator<f32, Value = f32> {
    fn accumulated(values: &[f32]) -> Self::Accumulator;
}

macro_rules! truths {
    ($($operator:ident $accumulator:ident $all:path;)*) => {$(
        impl Truth for $operator {
            fn accumulated(values: &[f32]) -> $accumulator {
                $all(values)
            }
        }
    )*};
}

truths! {
    Sum ExactSum exact::sum;
    Mean ExactSum exact::sum;
    SumOfSquares ExactDot exact::squares;
    Norm ExactDot exact::squares;
    Variance ExactMoments exact::moments;
    SampleVariance ExactMoments exact::moments;
}

fn add_operator<Op: Truth>(cases: &mut Vec<Case>) {
    cases.push(Case::new(format!("exact {} of anything", Op::TYPE), |gpu, variant| {
        anything::<Op>(gpu, variant, 0);
    }));
}

fn anything<Op: Truth>(gpu: &Gpu, variant: gridfold::Variant, seed: u32) {
    for (what, make) in MATERIAL {
        for len in [0, 1, 2, 3, 300, 5000, 4096 * 5, 100_001] {
            let start = mix(seed.wrapping_mul(77) + len);
            let values: Vec<f32> =
                (0..len).map(|i| f32::from_bits(make(mix(start.wrapping_add(i))))).collect();
            let whole = upload(gpu, &values);
            expect::<Op>(gpu, variant, &whole, &values, what);
            let cuts = [0, u64::from(len) / 5, u64::from(len) / 2, u64::from(len)];
            let slices: Vec<GpuSlice<f32>> =
                cuts.windows(2).map(|cut| whole.slice(cut[0]..cut[1]).expect("within")).collect();
            expect::<Op>(gpu, variant, &slices, &values, what);
        }
    }
}

fn reducer<Op: Truth>(gpu: &Gpu, variant: gridfold::Variant) -> Reducer<f32, Op> {
    Reducer::new(&gpu.context).variant(variant).precision(Precision::Exact)
}

/// The CPU's value, and its accumulator.
fn expect<Op: Truth>(
    gpu: &Gpu,
    variant: gridfold::Variant,
    input: impl Into<Input<f32>>,
    values: &[f32],
    what: &str,
) {
    let input = input.into();
    let reduction = reducer::<Op>(gpu, variant).measure_blocking(input.clone()).expect("reduces");
    let executor = Executor::cpu().precision(Precision::Exact);
    let expected = executor.reduce::<f32, Op>(values).expect("it is exact").value;
    assert_eq!(
        reduction.value.to_bits(),
        expected.to_bits(),
        "{what}, {} elements: {}, expected {expected}; {}",
        values.len(),
        reduction.value,
        reduction.plan,
    );
    let accumulator = reducer::<Op>(gpu, variant).accumulate_blocking(input).expect("adds up");
    assert_eq!(accumulator, Op::accumulated(values), "{what}, {} elements", values.len());
}

/// Each exponent beside each other: those that windows begin and end with, and all others.
fn edges(gpu: &Gpu, variant: gridfold::Variant) {
    for top in (1..255).step_by(3) {
        for distance in [0, 1, 2, 16, 17, 18, 19, 20, 21, 41, 42, 43, 44] {
            let bottom = u32::saturating_sub(top, distance);
            let values: Vec<f32> = (0..600)
                .map(|i| {
                    let bits = mix(i + 1000 * top);
                    let exponent = if i % 7 == 3 { top } else { bottom };
                    // With all bits, with few, and with none.
                    let fraction = [0x007f_ffff, bits & 0x007f_ffff, 1, 0][i as usize % 4];
                    f32::from_bits((bits & 0x8000_0000) | exponent << 23 | fraction)
                })
                .collect();
            let input = upload(gpu, &values);
            expect::<Sum>(gpu, variant, &input, &values, &format!("{top} and {bottom}"));
        }
    }
}

/// One bit pattern for a multiset, in any order, cut into any parts, by any blocks, in windows and without.
fn any_order(gpu: &Gpu, variant: gridfold::Variant) {
    let software = in_software(gpu);
    for (what, spread) in [("within a window", 8), ("over many binades", 120)] {
        let mut values: Vec<f32> = (0..50_000)
            .map(|i| {
                let bits = mix(i + spread);
                let exponent = 60 + (bits >> 23 & 0xff) % spread;
                f32::from_bits((bits & 0x807f_ffff) | exponent << 23)
            })
            .collect();
        let expected = exact::sum(&values);
        for round in 0..4u32 {
            let input = upload(gpu, &values);
            let len = values.len() as u64;
            let cut = u64::from(mix(round)) % len;
            for gpu in [gpu, &software] {
                for policy in [Policy { min_rows: 4, max_workgroups: 7 }, Policy::EXACT] {
                    let sum = reducer::<Sum>(gpu, variant).policy(policy);
                    let value = sum.reduce_blocking(&input).expect("reduces");
                    assert_eq!(value.to_bits(), expected.to_f32().to_bits(), "{what}");
                }
                let sum = reducer::<Sum>(gpu, variant);
                let part = |range| {
                    let part = input.slice(range).expect("within");
                    sum.accumulate_blocking(&part).expect("adds up")
                };
                let mut merged = part(cut..len);
                merged.merge(&part(0..cut));
                assert_eq!(merged, expected, "{what}, cut at {cut}");
            }
            // Another order.
            let mut order: Vec<(u32, f32)> =
                (0..).map(|i| mix(i ^ round << 20)).zip(values.iter().copied()).collect();
            order.sort_by_key(|&(key, _)| key);
            values = order.into_iter().map(|(_, value)| value).collect();
        }
    }
}

/// So many elements for a lane that sums of parts are moved to the buckets, and these overflow.
fn full_windows(gpu: &Gpu, variant: gridfold::Variant) {
    let policy = Policy { min_rows: 2048, max_workgroups: 1 };
    for (what, value) in [("one", 1.0), ("largest", f32::MAX), ("smallest", f32::from_bits(1))] {
        // Each lane has 2048 vectors.
        let values = vec![value; (1 << 21) - 3];
        let input = upload(gpu, &values);
        let sum = reducer::<Sum>(gpu, variant).policy(policy);
        let accumulator = sum.accumulate_blocking(&input).expect("adds up");
        assert_eq!(accumulator, exact::sum(&values), "{what}");
    }
}

/// Into the caller's buffer, beside other data, several in an encoder.
fn left_on_the_device(gpu: &Gpu, variant: gridfold::Variant) {
    const FILLER: u32 = 0xdead_beef;
    let executor = Executor::from_context(gpu.context.clone());
    let values: Vec<f32> = (0..9000).map(|i| f32::from_bits(mix(i) & 0xbfff_ffff)).collect();
    let input = upload(gpu, &values);
    let output = executor.upload(&[FILLER; 80]).expect("uploads");
    let output_slice = output.gpu_slices().expect("on a GPU")[0].clone();
    let place = |begin: u64, end| output_slice.slice(begin..end).expect("within");
    let sum = reducer::<Sum>(gpu, variant);
    let moments = reducer::<Variance>(gpu, variant);
    let mut encoder = gpu.encoder();
    // Twice the same: the second finds nothing left of the first.
    for _ in 0..2 {
        let prepared = sum.prepare_accumulator(&input, &place(3, 20)).expect("prepares");
        prepared.record(&mut encoder);
        prepared.record(&mut encoder);
    }
    let prepared = moments.prepare_accumulator(&input, &place(30, 63)).expect("prepares");
    prepared.record(&mut encoder);
    gpu.submit(encoder);
    let words = output.download().expect("downloads");
    let mut expected = vec![FILLER; 80];
    let words_of = |bytes: &[u8]| -> Vec<u32> { bytemuck::pod_collect_to_vec(bytes) };
    expected[3..16].copy_from_slice(&words_of(&exact::sum(&values).to_bytes()));
    expected[30..63].copy_from_slice(&words_of(&exact::moments(&values).to_bytes()));
    assert_eq!(words, expected);
    let error = sum.prepare_accumulator(&input, &place(3, 15)).expect_err("too short");
    assert!(
        matches!(error, gridfold::PrepareError::ShortOutput { len: 12, needed: 13 }),
        "{error}"
    );
}
