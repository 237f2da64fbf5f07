//! Exact results and the accumulators that they are rounded from: in any order, of very many elements, left on the device. (What
//! they are for elements of every kind is in the library's self-test.)

use crate::{
    BOTH, Case,
    device::Gpu,
    floats::{MATERIAL, in_software, in_software_with},
    inputs::upload,
    support::data::mix,
};
use gridfold::{
    ExactMoments, ExactSum, Executor, Mean, Nan, Operator, Policy, Precision, PrepareError,
    Reducer, SegmentError, Sum, Variance, exact, shader::Sources,
};

pub fn cases() -> Vec<Case> {
    vec![
        Case::tier1(BOTH, "exact sums, in any order and parts", |gpu, variant| {
            any_order(gpu, variant);
            any_order(&in_software(gpu), variant);
        }),
        Case::tier2("exact results, of more than 2^32 elements", |gpu, variant| {
            many_elements(&told_of_more(gpu, &Sources::default()), variant);
        })
        // Exact kernels are of both variants, and these contexts are made for this.
        .only(gridfold::Variant::WorkgroupMemory),
        Case::tier1(BOTH, "exact accumulators, left on the device", left_on_the_device),
        Case::tier1(BOTH, "exact accumulators, one preparation again and again", prepared_again),
        Case::tier1(BOTH, "exact variances without NaNs", without_nans),
    ]
}

fn reducer<Op: Operator<f32>>(gpu: &Gpu, variant: gridfold::Variant, op: Op) -> Reducer<f32, Op> {
    Reducer::new(&gpu.context, op).variant(variant).precision(Precision::Exact)
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
                let sum = reducer(gpu, variant, Sum).policy(policy);
                let value = sum.reduce_blocking(&input).expect("reduces");
                assert_eq!(value.to_bits(), expected.to_f32().to_bits(), "{what}");
            }
            let sum = reducer(gpu, variant, Sum);
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

/// A context whose adder is not trusted, where all workgroups share one copy of the accumulator.
pub fn with_one_copy(gpu: &Gpu, sources: Sources) -> Gpu {
    let file = "exact/accumulator.wgsl@copies";
    in_software_with(
        gpu,
        sources.replace(file, "COPIES = 16u", "COPIES = 1u").expect("it is there"),
    )
}

/// So many elements' upper 32 bits, and some lower ones, as `told_of_more` has them.
const TOLD: u32 = 0x35;
const TOLD_LOW: [u32; 4] = [0, 1000, 0x7fff_ffff, 0xffff_fff0];

/// Devices with shaders that are told of more than 2^32 elements, whatever there are.
pub type ToldOfMore = [(u64, Gpu); 4];

/// Exact results that depend on the number of elements.
const FILES_OF_LENGTHS: [&str; 5] = [
    "exact/store.wgsl@value",
    "exact/store.wgsl@value_f64",
    "exact/variance.wgsl@population",
    "exact/variance.wgsl@sample",
    "exact/limbs.wgsl@numbers",
];

pub fn told_of_more(gpu: &Gpu, sources: &Sources) -> ToldOfMore {
    TOLD_LOW.map(|low| {
        let mut sources = sources.clone();
        for file in FILES_OF_LENGTHS {
            for (word, told) in [("params.len_high", TOLD), ("params.len_low", low)] {
                sources = sources.replace(file, word, &format!("{told}u")).expect("it is there");
            }
        }
        // Of results in order only the mean looks at it.
        let (from, to) =
            ("vec2<u32>(job.len_low, job.len_high)", format!("vec2<u32>({low}u, {TOLD}u)"));
        sources = sources.replace("reduce/ordered.wgsl@end", from, &to).expect("it is there");
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
        // Of one in a hundred the number's last bits decide how the mean is rounded, and of the last two a carry does.
        for seed in (0..300).chain([611, 1451]) {
            let (len, gpu) = told;
            let values = [f32::from_bits(mix(seed) & 0x807f_ffff | 100 << 23)];
            expect_mean_in_order(gpu, variant, *len, &values, "one element");
            let bits = u64::from(mix(seed)) << 32 | u64::from(mix(!seed));
            let value = f64::from_bits(bits & 0x800f_ffff_ffff_ffff | 1000 << 52);
            for precision in [Precision::Reproducible, Precision::Exact] {
                let reducer = Reducer::<f64, _>::new(&gpu.context, Mean).variant(variant);
                let reducer = reducer.precision(precision);
                let found = reducer.reduce_blocking(upload(gpu, &[value])).expect("reduces");
                assert_eq!(found.to_bits(), (value / *len as f64).to_bits(), "{value:e} / {len}");
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
    let mean = reducer(gpu, variant, Mean).reduce_blocking(&input);
    expect(mean, moments.sum().mean_f32(), "mean");
    expect_mean_in_order(gpu, variant, *len, values, what);
    let variance = reducer(gpu, variant, Variance).reduce_blocking(&input);
    expect(variance, moments.variance_f32(), "variance");
    let sample = reducer(gpu, variant, Variance.sample()).reduce_blocking(&input);
    expect(sample, moments.sample_variance_f32(), "sample variance");
    // The same, and NaNs that do not count.
    let numbers: Vec<f32> = values.iter().copied().filter(|value| !value.is_nan()).collect();
    for nans in [1, 1001] {
        let with_nans = [&numbers[..], &vec![f32::NAN; nans]].concat();
        let mut bytes = exact::moments(&numbers).to_bytes();
        bytes[44..52].copy_from_slice(&(len - nans as u64).to_le_bytes());
        let moments = ExactMoments::from_bytes(&bytes).expect("possible");
        let input = upload(gpu, &with_nans);
        let variance = reducer(gpu, variant, Variance.nan(Nan::Ignore)).reduce_blocking(&input);
        expect(variance, moments.variance_f32(), "variance without NaNs");
        let sample =
            reducer(gpu, variant, Variance.nan(Nan::Ignore).sample()).reduce_blocking(&input);
        expect(sample, moments.sample_variance_f32(), "sample variance without NaNs");
    }
}

/// By every level, of slices and arrays, in parts, along segments, and left on the device.
pub fn without_nans(gpu: &Gpu, variant: gridfold::Variant) {
    let executor = Executor::from_context(gpu.context.clone());
    for (what, every) in [("few", 5000), ("some", 7), ("many", 2), ("only", 1)] {
        let values: Vec<f32> = (0..50_003)
            .map(|i| match mix(i) % every {
                0 => f32::from_bits(0x7f80_0001 | mix(i) & 0x807f_ffff),
                _ => f32::from_bits(mix(!i) & 0xbfff_ffff),
            })
            .collect();
        let numbers: Vec<f32> = values.iter().copied().filter(|value| !value.is_nan()).collect();
        let moments = exact::moments(&numbers);
        let (variance, sample) = (moments.variance_f32(), moments.sample_variance_f32());
        let input = upload(gpu, &values);
        for precision in Precision::ALL {
            let reducer =
                Reducer::<f32, _>::new(&gpu.context, Variance.nan(Nan::Ignore)).variant(variant);
            let found = reducer.precision(precision).measure_blocking(&input).expect("reduces");
            assert_eq!(found.value.to_bits(), variance.to_bits(), "{what}, {precision}");
            assert!(found.plan.starts_with("exact, "), "{}", found.plan);
            let own = executor.clone().precision(precision);
            let array = own.upload(&values).expect("uploads");
            let found = array.reduce(Variance.nan(Nan::Ignore).sample()).expect("reduces").value;
            assert_eq!(found.to_bits(), sample.to_bits(), "{what}, {precision}");
            let (head, tail) = (array.slice(0..777), array.slice(777..50_003));
            let head =
                head.expect("within").reduce_part(0, Variance.nan(Nan::Ignore)).expect("reduces");
            let tail =
                tail.expect("within").reduce_part(777, Variance.nan(Nan::Ignore)).expect("reduces");
            let whole = head.merge(&tail).expect("neighbours").finish().expect("all of it");
            assert_eq!(whole.to_bits(), variance.to_bits(), "{what}, {precision}, parts");
        }
        let accumulated =
            reducer(gpu, variant, Variance.nan(Nan::Ignore)).accumulate_blocking(&input);
        assert_eq!(accumulated.expect("adds up"), moments, "{what}");
        let array = executor.upload(&values).expect("uploads");
        // Devices reduce a few segments one by one.
        let offsets = [0, 3, 9, 9, 40_000, 50_003];
        let found = array.reduce_segments(&offsets, Variance.nan(Nan::Ignore)).expect("reduces");
        let wanted = Executor::cpu().reduce_segments(&values, &offsets, Variance.nan(Nan::Ignore));
        let bits = |all: Vec<f32>| all.into_iter().map(f32::to_bits).collect::<Vec<_>>();
        assert_eq!(bits(found), bits(wanted.expect("reduces")), "{what}, segments");
        let many: Vec<u32> = (0..=1025).collect();
        let refused =
            array.reduce_segments(&many, Variance.nan(Nan::Ignore)).expect_err("too many");
        assert!(
            matches!(
                refused,
                gridfold::Error::Prepare(PrepareError::Segments(SegmentError::Inexact {
                    most: 1024,
                    ..
                }))
            ),
            "{refused}"
        );
        // The CPU reduces those of slices.
        let found =
            executor.reduce_segments::<f32, _>(&values, &[0, 50_003], Variance.nan(Nan::Ignore));
        assert_eq!(found.expect("reduces")[0].to_bits(), variance.to_bits(), "{what}, a segment");
    }
}

/// In order it is the sum that is divided.
fn expect_mean_in_order(
    gpu: &Gpu,
    variant: gridfold::Variant,
    len: u64,
    values: &[f32],
    what: &str,
) {
    let mut sum = ExactSum::default();
    sum.add(Executor::cpu().sum(values).expect("the CPU does not fail"));
    let mut bytes = sum.to_bytes();
    bytes[44..52].copy_from_slice(&len.to_le_bytes());
    let expected = ExactSum::from_bytes(&bytes).expect("possible").mean_f32();
    let expected = if expected == 0.0 { 0.0 } else { expected };
    let mean = reducer(gpu, variant, Mean).precision(Precision::Reproducible);
    let found = mean.reduce_blocking(upload(gpu, values)).expect("reduces");
    assert_eq!(found.to_bits(), expected.to_bits(), "mean, {len} of {what}: {found}");
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
    let sum = reducer(gpu, variant, Sum);
    let moments = reducer(gpu, variant, Variance);
    let mut encoder = gpu.encoder();
    // Twice the same: the second finds nothing left of the first.
    for _ in 0..2 {
        let prepared = sum.prepare_accumulator(&input, &place(3, 20)).expect("prepares");
        prepared.record(&mut encoder);
        prepared.record(&mut encoder);
    }
    let prepared = moments.prepare_accumulator(&input, &place(30, 63)).expect("prepares");
    let readback = prepared.record_readback(&mut encoder).expect("records");
    gpu.submit(encoder);
    assert_eq!(readback.wait_blocking().expect("an accumulator"), exact::moments(&values));
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
    assert!(matches!(error, PrepareError::ShortOutput { len: 12, needed: 13 }), "{error}");
}

/// Nothing is left of the elements that were there before.
pub fn prepared_again(gpu: &Gpu, variant: gridfold::Variant) {
    let executor = Executor::from_context(gpu.context.clone());
    let input = upload(gpu, &[0.0f32; 9000]);
    let output = executor.upload(&[0u32; 33]).expect("uploads");
    let moments = reducer(gpu, variant, Variance);
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
