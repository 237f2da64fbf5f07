//! Exact results: the same bits as on the CPU, for any elements in any order and cut anyhow, by windows and by
//! integers alone; and the accumulators that they are rounded from.

use crate::{
    Case,
    device::Gpu,
    floats::{MATERIAL, in_software, in_software_with, taking_liberties},
    inputs::upload,
    support::data::mix,
};
use gridfold::{
    ExactDot, ExactMoments, ExactOperator, ExactSum, Executor, GpuSlice, Input, Mean, Norm,
    Operator, Policy, Precision, Reducer, SampleVariance, Sum, SumOfSquares, Variance, exact,
    shader::Sources,
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
        Case::new("exact results, special values", specials),
        Case::new("exact sums, offsets", offsets),
        Case::new("exact sums, at the edges of windows", |gpu, variant| {
            edges(gpu, variant);
            edges(&taking_liberties(gpu, Sources::default()), variant);
        }),
        Case::new("exact sums, in any order and parts", |gpu, variant| {
            any_order(gpu, variant);
            any_order(&in_software(gpu), variant);
        }),
        Case::new("exact sums, more elements than a window takes", full_windows),
        Case::new("exact sums, elements that grow", growing),
        Case::new("exact sums, more workgroups than copies of the accumulator", many_workgroups),
        Case::new("exact sums, carries out of the cells", |gpu, variant| {
            carries(&in_software(gpu), variant);
        }),
        Case::new("exact sums, carries through the digits", |gpu, variant| {
            full_digits(&with_one_copy(gpu, Sources::default()), variant);
        }),
        Case::new("exact results, ties that something small decides", ties),
        Case::new("exact results, of more than 2^32 elements", |gpu, variant| {
            many_elements(&told_of_more(gpu, &Sources::default()), variant);
        }),
        Case::new("exact accumulators, left on the device", left_on_the_device),
        Case::new("exact accumulators, one preparation again and again", prepared_again),
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
pub trait Truth:
    ExactOperator<Accumulator: Debug + PartialEq> + Operator<f32, Value = f32>
{
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

pub fn anything<Op: Truth>(gpu: &Gpu, variant: gridfold::Variant, seed: u32) {
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

/// Infinities and NaNs that meet in a workgroup, and those that do not.
pub fn specials(gpu: &Gpu, variant: gridfold::Variant) {
    let (inf, nan) = (f32::INFINITY, f32::NAN);
    for [first, second] in
        [[inf, inf], [inf, -inf], [-inf, -inf], [-inf, 1.0], [nan, inf], [-inf, nan]]
    {
        for distance in [1, 1024, 20_000] {
            let mut values = vec![1.0; 30_000];
            values[7] = first;
            values[7 + distance] = second;
            let input = upload(gpu, &values);
            expect::<Sum>(gpu, variant, &input, &values, "special values");
            expect::<Mean>(gpu, variant, &input, &values, "special values");
            expect::<SumOfSquares>(gpu, variant, &input, &values, "special values");
            expect::<Norm>(gpu, variant, &input, &values, "special values");
            expect::<Variance>(gpu, variant, &input, &values, "special values");
        }
    }
}

/// Whole groups that begin anywhere and end with their buffer.
pub fn offsets(gpu: &Gpu, variant: gridfold::Variant) {
    for offset in 0..8 {
        for len in [4096, 8192, 12_289] {
            let mut values = vec![f32::NAN; offset];
            values.extend((0..len).map(|i| f32::from_bits(mix(i) & 0xbfff_ffff)));
            let input = upload(gpu, &values);
            let slice = input.slice(offset as u64..values.len() as u64).expect("within");
            expect::<Sum>(gpu, variant, &slice, &values[offset..], "at an offset");
        }
    }
}

/// Each exponent beside each other: those that windows begin and end with, and all others.
pub fn edges(gpu: &Gpu, variant: gridfold::Variant) {
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

/// One bit pattern for a multiset, in any order, cut into any parts, by any blocks.
pub fn any_order(gpu: &Gpu, variant: gridfold::Variant) {
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
            // Another order.
            let mut order: Vec<(u32, f32)> =
                (0..).map(|i| mix(i ^ round << 20)).zip(values.iter().copied()).collect();
            order.sort_by_key(|&(key, _)| key);
            values = order.into_iter().map(|(_, value)| value).collect();
        }
    }
}

/// All elements in one workgroup.
pub const ONE_WORKGROUP: Policy = Policy { min_rows: 2048, max_workgroups: 1 };

fn expect_accumulator<Op: Truth>(
    gpu: &Gpu,
    variant: gridfold::Variant,
    policy: Policy,
    values: &[f32],
    what: &str,
) {
    let reducer = reducer::<Op>(gpu, variant).policy(policy);
    let accumulator = reducer.accumulate_blocking(upload(gpu, values)).expect("adds up");
    assert_eq!(accumulator, Op::accumulated(values), "{what}");
}

/// So many elements for a lane that sums of parts are moved to the cells, and these overflow.
pub fn full_windows(gpu: &Gpu, variant: gridfold::Variant) {
    // 1 + 2^-19 is split into 1 and the largest lower part that there is.
    let one_and_a_bit = f32::from_bits(0x3f80_0010);
    for value in [1.0, one_and_a_bit, f32::MAX, f32::from_bits(1)] {
        for value in [value, -value] {
            // Each lane has 2048 vectors.
            let values = vec![value; (1 << 21) - 3];
            expect_accumulator::<Sum>(gpu, variant, ONE_WORKGROUP, &values, &format!("{value:e}"));
        }
    }
    let values = vec![f32::MIN; 1 << 20];
    expect_accumulator::<SumOfSquares>(gpu, variant, ONE_WORKGROUP, &values, "largest squares");
    expect_accumulator::<Variance>(gpu, variant, ONE_WORKGROUP, &values, "largest squares");
    // Of which there is no variance.
    expect::<Variance>(gpu, variant, upload(gpu, &values), &values, "the largest");
}

/// A lane's window is full of elements that are larger than the first ones: the largest that it holds, or too
/// large for it.
pub fn growing(gpu: &Gpu, variant: gridfold::Variant) {
    for binades in 0..6 {
        let large = f32::from_bits(((127 + binades) << 23) | 0x007f_ffff);
        for large in [large, -large] {
            let mut values = vec![1.0; 4096];
            values.resize(1 << 20, large);
            // Zeros are in every window.
            values[8192..16384].fill(0.0);
            expect_accumulator::<Sum>(
                gpu,
                variant,
                ONE_WORKGROUP,
                &values,
                &format!("up to {large}"),
            );
        }
    }
}

/// A cell overflows, twice. Where each element is deposited by itself.
pub fn carries(software: &Gpu, variant: gridfold::Variant) {
    const ELEMENTS: usize = 1100;
    // The highest shift in its cell, and all bits.
    let element = f32::from_bits(95 << 23 | 0x007f_ffff);
    let sum = (0x00ff_ffff_u128 << 31) * ELEMENTS as u128;
    assert!(sum > 2 << 64, "a cell has 64 bits");
    // All of them are the first lane's.
    let mut values = vec![0.0; ELEMENTS.div_ceil(4) * 1024];
    for i in 0..ELEMENTS {
        values[i / 4 * 1024 + i % 4] = element;
    }
    expect_accumulator::<Sum>(software, variant, ONE_WORKGROUP, &values, "positive");
    values.iter_mut().for_each(|value| *value = -*value);
    expect_accumulator::<Sum>(software, variant, ONE_WORKGROUP, &values, "negative");

    // By a subnormal, in units of 2^-150: 512 (2^24 - 1) 2^31 and (2^24 - 1) 2^16 are 2^64 - 2^16.
    let mut values = vec![0.0; 130 * 1024];
    for vector in values.chunks_mut(1024).take(128) {
        vector[..4].fill(f32::from_bits(31 << 23 | 0x007f_ffff));
    }
    values[128 * 1024] = f32::from_bits(16 << 23 | 0x007f_ffff);
    values[129 * 1024] = f32::from_bits(0x8000);
    expect_accumulator::<Sum>(software, variant, ONE_WORKGROUP, &values, "a subnormal");
}

/// Each copy is of several workgroups; and is 0 again for the next reduction.
pub fn many_workgroups(gpu: &Gpu, variant: gridfold::Variant) {
    let policy = Policy { min_rows: 4, max_workgroups: 40 };
    let values: Vec<f32> = (0..150_000).map(|i| f32::from_bits(mix(i) & 0xbfff_ffff)).collect();
    let reducer = reducer::<Sum>(gpu, variant).policy(policy);
    let input = upload(gpu, &values);
    assert!(reducer.plan(&input).expect("plans").blocks.count > 2 * 16);
    let executor = Executor::from_context(gpu.context.clone());
    let output = executor.upload(&[0u32; 13]).expect("uploads");
    let output_slice = &output.gpu_slices().expect("on a GPU")[0];
    let prepared = reducer.prepare_accumulator(&input, output_slice).expect("prepares");
    for _ in 0..2 {
        let mut encoder = gpu.encoder();
        prepared.record(&mut encoder);
        gpu.submit(encoder);
    }
    expect_accumulator::<Sum>(gpu, variant, policy, &values, "many workgroups");
    // Different flags in one copy, and in different ones.
    for workgroup in [16, 17] {
        let mut values = values.clone();
        values[5] = f32::INFINITY;
        values[workgroup * 4096] = f32::NEG_INFINITY;
        expect_accumulator::<Sum>(gpu, variant, policy, &values, "infinities of both signs");
    }
    let words: Vec<u32> = bytemuck::pod_collect_to_vec(&Sum::accumulated(&values).to_bytes());
    assert_eq!(output.download().expect("downloads"), words, "again");
}

/// A context whose adder is not trusted, where all workgroups share one copy of the accumulator.
pub fn with_one_copy(gpu: &Gpu, sources: Sources) -> Gpu {
    let file = "exact/accumulator_copies.wgsl";
    in_software_with(
        gpu,
        sources.replace(file, "COPIES = 16u", "COPIES = 1u").expect("it is there"),
    )
}

/// So many workgroups that sums of digits overflow, if they share them.
pub fn full_digits(one_copy: &Gpu, variant: gridfold::Variant) {
    let policy = Policy { min_rows: 4, max_workgroups: 2048 };
    // At the lowest shift of its cell, with all bits of two digits; one of them in each set of cells.
    let element = f32::from_bits(64 << 23 | 0x007f_ffff);
    let mut values = vec![0.0; 2100 * 4096];
    for block in values.chunks_mut(4096) {
        for lane in 0..32 {
            block[4 * lane] = element;
        }
    }
    expect_accumulator::<Sum>(one_copy, variant, policy, &values, "positive digits");
    values.iter_mut().for_each(|value| *value = -*value);
    expect_accumulator::<Sum>(one_copy, variant, policy, &values, "negative digits");
}

/// Halfway between two floats, but for something far below, which no number of limbs away is lost.
pub fn ties(gpu: &Gpu, variant: gridfold::Variant) {
    let power = |field: u32| f32::from_bits(field << 23);
    for top in [60u32, 150, 240] {
        for distance in (1..=top - 25).step_by(7) {
            for last_bit in [0.0, power(top - 23)] {
                let rest = power(top - 24 - distance);
                for rest in [rest, -rest, 0.0] {
                    let values = [power(top), last_bit, power(top - 24), rest];
                    let input = upload(gpu, &values);
                    expect::<Sum>(gpu, variant, &input, &values, "a tie");
                    expect::<Mean>(gpu, variant, &input, &values, "a tie");
                }
            }
        }
    }
    // Of so few bits that there is but one limb.
    for top in 2..10 {
        for last_bit in [0, 1 << (top - 1)] {
            let values = [power(top), f32::from_bits(last_bit), f32::from_bits(1 << (top - 2))];
            expect::<Sum>(gpu, variant, upload(gpu, &values), &values, "a tie");
        }
    }
    // Sums of squares next to halves of the smallest float: 2^-150 is one.
    let tiny = |bits: u32| f32::from_bits(bits << 23);
    for squares in [
        vec![52],
        vec![52, 40],
        vec![52, 10],
        vec![52, 52, 52],
        vec![52, 52, 52, 9],
        vec![51],
        vec![51, 51],
        vec![51, 51, 51],
    ] {
        let values: Vec<f32> = squares.into_iter().map(tiny).collect();
        let input = upload(gpu, &values);
        expect::<SumOfSquares>(gpu, variant, &input, &values, "tiny squares");
        expect::<Norm>(gpu, variant, &input, &values, "tiny squares");
        expect::<Variance>(gpu, variant, &input, &values, "tiny squares");
    }
    // Roots halfway between two floats: (3 m)^2 + (4 m)^2 = (5 m)^2, where 5 m is an odd number of 25 bits.
    for i in 0..12u32 {
        let odd =
            f32::from(u16::try_from(mix(i) >> 16).expect("16 bits")).mul_add(32.0, 3_355_445.0);
        let scale = f32::from_bits((30 + 13 * i) << 23);
        let near = (4..13).map(|bits| scale * power(127 - bits));
        for decides in near.chain([0.0, f32::from_bits(1)]) {
            let values = [3.0 * odd * scale, 4.0 * odd * scale, decides, decides];
            expect::<Norm>(gpu, variant, upload(gpu, &values), &values, "a tie");
        }
    }
    // Means q + 1/6, q and q - 1/6, where q, of 32 bits, is halfway between two floats.
    for i in 0..20u32 {
        let upper = f32::from_bits(0x4b00_0000 | mix(i) >> 9);
        let scale = f32::from_bits((60 + i) << 23);
        for sixth in [1.0, 0.0, -1.0] {
            let values = [512.0 * upper, 512.0 * upper, 512.0 * upper, 768.0, sixth, 0.0];
            let values = values.map(|value| value * scale);
            expect::<Mean>(gpu, variant, upload(gpu, &values), &values, "a tie");
        }
    }
    // Roots and means next to ties.
    for i in 0..200u32 {
        let near = f32::from_bits(0x3f80_0000 + (mix(i) & 0xffff));
        let half_an_ulp = f32::from_bits(0x3380_0000);
        let square_of_tie = [near, half_an_ulp, (2.0 * near * half_an_ulp).sqrt()];
        for values in [square_of_tie, [near, near, half_an_ulp], [near, f32::from_bits(1), -near]] {
            let input = upload(gpu, &values);
            expect::<Norm>(gpu, variant, &input, &values, "a root");
            expect::<Mean>(gpu, variant, &input, &values, "a mean");
            expect::<Variance>(gpu, variant, &input, &values, "a variance");
        }
    }
}

/// So many elements' upper 32 bits, and some lower ones, as `told_of_more` has them.
const TOLD: u32 = 0x35;
const TOLD_LOW: [u32; 4] = [0, 1000, 0x7fff_ffff, 0xffff_fff0];

/// Devices with shaders that are told of more than 2^32 elements, whatever there are.
pub type ToldOfMore = [(u64, Gpu); 4];

pub fn told_of_more(gpu: &Gpu, sources: &Sources) -> ToldOfMore {
    TOLD_LOW.map(|low| {
        let mut sources = sources.clone();
        for file in ["value_mean", "value_variance", "variance_population", "variance_sample"] {
            let file = format!("exact/{file}.wgsl");
            for (word, told) in [("params.len_high", TOLD), ("params.len_low", low)] {
                sources = sources.replace(&file, word, &format!("{told}u")).expect("it is there");
            }
        }
        let len = u64::from(TOLD) << 32 | u64::from(low);
        (len, gpu.with_shaders(sources).expect("a context"))
    })
}

/// Means and variances of the elements that are there, and of so many zeros.
pub fn many_elements(told_of_more: &ToldOfMore, variant: gridfold::Variant) {
    for told in told_of_more {
        for (what, make) in MATERIAL {
            for len in [1, 2, 1000] {
                let values: Vec<f32> =
                    (0..len).map(|i| f32::from_bits(make(mix(len + i)))).collect();
                expect_of_many(told, variant, &values, what);
            }
        }
        expect_of_many(told, variant, &borrowing(told.0), "borrows");
        expect_of_many(told, variant, &carrying(), "carries");
    }
}

fn expect_of_many((len, gpu): &(u64, Gpu), variant: gridfold::Variant, values: &[f32], what: &str) {
    let mut bytes = exact::moments(values).to_bytes();
    bytes[44..52].copy_from_slice(&len.to_le_bytes());
    let moments = ExactMoments::from_bytes(&bytes).expect("possible");
    let input = upload(gpu, values);
    let expect = |found: Result<f32, gridfold::Error>, expected: f32, operator: &str| {
        let found = found.expect("reduces");
        assert_eq!(found.to_bits(), expected.to_bits(), "{operator}, {len} of {what}: {found}");
    };
    let mean = reducer::<Mean>(gpu, variant).reduce_blocking(&input);
    expect(mean, moments.sum().mean_f32(), "mean");
    let variance = reducer::<Variance>(gpu, variant).reduce_blocking(&input);
    expect(variance, moments.variance_f32(), "variance");
    let sample = reducer::<SampleVariance>(gpu, variant).reduce_blocking(&input);
    expect(sample, moments.sample_variance_f32(), "sample variance");
}

/// Elements for whose variance n S2 / n^2 a division subtracts n^2 from n^2 + 2^64 - 5: it borrows from the third
/// word through the second, of which nothing is left.
fn borrowing(len: u64) -> Vec<f32> {
    let n = u128::from(len);
    let minuend = n * n + (1 << 64) - 5;
    let half = (minuend << 40) / n / 2 + 1;
    assert_eq!((2 * n * half) >> 40, minuend, "the first bits of n S2");
    with_squares(half)
}

/// Elements for whose variance a multiplication of S2 by n carries from one word to the next, which has few bits.
fn carrying() -> Vec<f32> {
    // S2 is twice this, a word; it and the upper word of n have a product with almost all bits in its lower word.
    let half = (40 << 32) / u128::from(TOLD) / 2;
    let [lower, upper] =
        [(2 * half * u128::from(TOLD)) & 0xffff_ffff, (2 * half * u128::from(TOLD_LOW[1])) >> 32];
    assert_eq!((lower + upper) >> 32, 1, "a carry");
    with_squares(half)
}

/// Powers of two and their negatives: their sum is 0, and that of their squares is this number twice, as
/// words of the accumulator.
fn with_squares(mut half: u128) -> Vec<f32> {
    let mut values = Vec::new();
    for exponent in 74.. {
        for _ in 0..half % 4 {
            let power = f32::from_bits(exponent << 23);
            values.extend([power, -power]);
        }
        half /= 4;
        if half == 0 {
            break;
        }
    }
    values
}

/// Into the caller's buffer, beside other data, several in an encoder.
pub fn left_on_the_device(gpu: &Gpu, variant: gridfold::Variant) {
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

    let rounded = executor.upload(&[1.5f32; 5]).expect("uploads");
    let destination = rounded.gpu_slices().expect("on a GPU")[0].slice(3..4).expect("within");
    let mut encoder = gpu.encoder();
    sum.record(&mut encoder, &input, &destination).expect("records");
    gpu.submit(encoder);
    let expected = [1.5, 1.5, 1.5, exact::sum(&values).to_f32(), 1.5];
    assert_eq!(rounded.download().expect("downloads"), expected);
    let error = sum.prepare_accumulator(&input, &place(3, 15)).expect_err("too short");
    assert!(
        matches!(error, gridfold::PrepareError::ShortOutput { len: 12, needed: 13 }),
        "{error}"
    );
}

/// Nothing is left of the elements that were there before.
pub fn prepared_again(gpu: &Gpu, variant: gridfold::Variant) {
    let executor = Executor::from_context(gpu.context.clone());
    let input = upload(gpu, &[0.0f32; 9000]);
    let output = executor.upload(&[0u32; 33]).expect("uploads");
    let moments = reducer::<Variance>(gpu, variant);
    let output_slice = &output.gpu_slices().expect("on a GPU")[0];
    let prepared = moments.prepare_accumulator(&input, output_slice).expect("prepares");
    for value in [-1.5, f32::INFINITY, f32::MAX, f32::NAN, 1.0] {
        let values = vec![value; 9000];
        gpu.context.queue().write_buffer(input.buffer(), 0, bytemuck::cast_slice(&values));
        let mut encoder = gpu.encoder();
        prepared.record(&mut encoder);
        gpu.submit(encoder);
        let words = output.download().expect("downloads");
        let expected = exact::moments(&values).to_bytes();
        assert_eq!(bytemuck::cast_slice::<u32, u8>(&words), expected, "{value}");
    }
}
