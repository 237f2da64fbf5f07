//! Segments along several axes: against reductions of their elements alone, which are gathered here by their definition.

use crate::{
    BOTH, Case, VULKAN,
    device::Gpu,
    map::random::Random,
    scans::{numbers, slice_of, unwritten},
    segments::{check, check_by, hostile},
    support::data::mix,
};
use gridfold::{
    ArgMax, ArgMin, ArgMinMax, BitXor, CountNan, Element, Executor, GpuSlice, Max, Mean, Min,
    MinMax, Moments, Nan, Norm, Operator, Precision, Product, SegmentedReducer, Segments, Sum,
    SumOfSquares, Variance, Variant,
    half::{bf16, f16},
};

pub fn cases() -> Vec<Case> {
    let cases = vec![
        Case::tier1(VULKAN, "segments along several axes", along_axes),
        Case::tier1(BOTH, "segments along every set of axes", every_set),
        Case::tier1(BOTH, "segments along axes, runs around chunks", runs),
        Case::tier1(VULKAN, "segments along axes, from any word and byte", from_anywhere),
        Case::tier2("segments along axes, operators and types", of_all_kinds),
        Case::tier2("segments along axes, NaNs and what overflows everywhere", of_no_range),
        Case::tier2("segments along axes, exact", exact),
        Case::tier1(BOTH, "segments along axes, grids of few workgroups", few_workgroups),
        Case::tier1(BOTH, "segments along axes, what is dispatched", dispatched),
        Case::tier2("columns, operators and types", columns),
    ];
    cases.into_iter().map(|case| case.only(Variant::WorkgroupMemory)).collect()
}

/// What `Debug` prints of values: bits, but for NaNs' payloads.
fn bits<V: std::fmt::Debug>(values: &[V]) -> Vec<String> {
    values.iter().map(|value| format!("{value:?}")).collect()
}

/// The segments along axes, by their definition: the places of all axes are counted up one by one.
fn along<T: Element>(all: &[T], shape: &[u64], axes: &[usize]) -> Vec<Vec<T>> {
    let kept: Vec<usize> = (0..shape.len()).filter(|axis| !axes.contains(axis)).collect();
    let count: u64 = kept.iter().map(|&axis| shape[axis]).product();
    let mut own = vec![Vec::new(); usize::try_from(count).expect("small")];
    for (number, &element) in (0u64..).zip(all) {
        let mut rest = number;
        let mut at = vec![0; shape.len()];
        for axis in (0..shape.len()).rev() {
            at[axis] = rest % shape[axis];
            rest /= shape[axis];
        }
        let segment = kept.iter().fold(0, |all, &axis| all * shape[axis] + at[axis]);
        own[usize::try_from(segment).expect("small")].push(element);
    }
    own
}

pub fn check_axes<T: Element, Op: Operator<T> + Copy>(
    gpu: &Gpu,
    all: &[T],
    shape: &[u64],
    axes: &[usize],
    op: Op,
) {
    let before = if size_of::<T>().is_multiple_of(4) { 4 } else { size_of::<T>() };
    check_axes_from::<T, _>(gpu, all, before, shape, axes, op);
}

/// Elements begin at a byte.
fn check_axes_from<T: Element, Op: Operator<T> + Copy>(
    gpu: &Gpu,
    all: &[T],
    before: usize,
    shape: &[u64],
    axes: &[usize],
    op: Op,
) {
    let len = usize::try_from(shape.iter().product::<u64>()).expect("small");
    let input = slice_of(gpu, &all[..len], before, 0);
    let own = along(&all[..len], shape, axes);
    let what = format!("along {axes:?} of {shape:?} from byte {before}");
    check::<T, _>(gpu, &input, &Segments::axes(shape, axes), &own, &what, op);
    let found = Executor::cpu().reduce_axes(&all[..len], shape, axes, op).expect("reduces");
    let cpu = Executor::cpu();
    let wanted = own.iter().map(|own| cpu.reduce(own, op).expect("reduces").value);
    assert_eq!(bits(&found), bits(&wanted.collect::<Vec<_>>()), "{what} on the CPU");
}

fn along_axes(gpu: &Gpu, _: Variant) {
    let all = hostile(30_000);
    let mut random = Random(11);
    for round in 0..40 {
        let rank = 1 + round % 6;
        let mut shape: Vec<u64> = (0..rank).map(|_| 1 + u64::from(random.next() % 6)).collect();
        if round % 4 == 3 {
            shape[random.next() as usize % rank] *= 17;
        }
        if round == 39 {
            shape[2] = 0;
        }
        let mut axes: Vec<usize> = (0..rank).filter(|_| random.next().is_multiple_of(2)).collect();
        if round % 3 == 0 {
            axes.reverse();
        }
        if shape.iter().product::<u64>() <= 30_000 {
            check_axes::<f32, _>(gpu, &all, &shape, &axes, Sum);
        }
    }
    check_axes::<f32, _>(gpu, &all, &[3, 50, 4, 7, 5], &[0, 2, 4], Sum);
    check_axes::<f32, _>(gpu, &all, &[40, 5, 40], &[2, 0], Variance);
    check_axes::<f32, _>(gpu, &all, &[40, 5, 40], &[2, 0], Norm);
    check_axes::<f32, _>(gpu, &all, &[4, 5, 6], &[0, 1], Mean);
    check_axes::<f32, _>(gpu, &all, &[40, 5, 40], &[0, 2], ArgMax);
    let halves: Vec<f16> = all.iter().map(|&x| f16::from_f32(x)).collect();
    check_axes::<f16, _>(gpu, &halves, &[40, 5, 41], &[2, 0], Sum);
}

/// Of ranks from 2 to 5, with axes of one place among others.
fn every_set(gpu: &Gpu, _: Variant) {
    let all = hostile(6000);
    for shape in [
        &[3u64, 40][..],
        &[18, 2, 17],
        &[3, 20, 16],
        &[16, 3, 2, 5],
        &[2, 5, 33, 3],
        &[2, 3, 15, 2, 4],
        &[5, 1, 3, 1, 37],
        &[4, 3, 17, 2, 3],
        &[2, 17, 2, 3, 16],
    ] {
        for set in 0u32..1 << shape.len() {
            let axes: Vec<usize> = (0..shape.len()).filter(|axis| set >> axis & 1 == 1).collect();
            check_axes::<f32, _>(gpu, &all, shape, &axes, Sum);
        }
    }
}

/// Neighbours as many as these: fewer than four, fewer than a chunk, around chunks, and around chunks of chunks, whose totals are joined if all are whole.
fn runs(gpu: &Gpu, _: Variant) {
    let all = hostile(30_000);
    for run in
        [2, 3, 4, 5, 7, 8, 12, 15, 16, 17, 20, 31, 32, 33, 48, 49, 64, 100, 255, 256, 257, 272, 512]
    {
        check_axes::<f32, _>(gpu, &all, &[5, 3, run], &[0, 2], Sum);
        check_axes::<f32, _>(gpu, &all, &[16, 3, run], &[0, 2], Sum);
        check_axes::<f32, _>(gpu, &all, &[3, 2, 3, 2, run], &[0, 2, 4], ArgMin);
        // An axis that remains lies behind them.
        check_axes::<f32, _>(gpu, &all, &[3, 2, run, 3], &[0, 2], Sum);
        check_axes::<f32, _>(gpu, &all, &[2, 2, run, 4], &[0, 2], Sum);
    }
    // Segments of up to a few elements, and of up to a chunk.
    for (outer, run) in [(2, 2), (2, 3), (3, 2), (2, 7), (5, 3), (2, 8), (4, 4), (17, 15)] {
        check_axes::<f32, _>(gpu, &all, &[7, outer, 9, run], &[1, 3], Sum);
        check_axes::<f32, _>(gpu, &all, &[7, outer, 9, run], &[1, 3], Variance);
    }
    // More levels than one.
    check_axes::<f32, _>(gpu, &all, &[110, 2, 130], &[0, 2], Sum);
    check_axes::<f32, _>(gpu, &all, &[128, 3, 64], &[0, 2], Sum);
    check_axes::<f32, _>(gpu, &all, &[70, 2, 70, 3], &[0, 2], Sum);
}

/// Within a vector, and within a word.
fn from_anywhere(gpu: &Gpu, _: Variant) {
    let (all, words) = (hostile(12_300), numbers(12_300));
    let bytes: Vec<u8> = words.iter().map(|word| word.to_le_bytes()[1]).collect();
    let halves: Vec<u16> = words.iter().map(|word| (word >> 16) as u16).collect();
    let doubles: Vec<f64> = all.iter().map(|&x| 1.1 * f64::from(x)).collect();
    let shapes: [&[u64]; 6] =
        [&[7, 3, 64], &[16, 3, 16], &[5, 2, 20], &[9, 4, 33], &[9, 4, 10], &[6, 5, 7, 4]];
    for shape in shapes {
        for before in [0, 4, 8, 12, 16] {
            check_axes_from::<f32, _>(gpu, &all, before, shape, &[0, 2], Sum);
            check_axes_from::<f64, _>(gpu, &doubles, before, shape, &[0, 2], Sum);
        }
        for before in [0, 1, 3, 6, 16] {
            check_axes_from::<u8, _>(gpu, &bytes, before, shape, &[0, 2], Sum);
        }
        for before in [0, 2, 6, 10] {
            check_axes_from::<u16, _>(gpu, &halves, before, shape, &[0, 2], Max);
        }
    }
    // With gaps between them.
    let words: Vec<u32> = all.iter().flat_map(|x| [x.to_bits(), 0x7fc0_0000, 0]).collect();
    let whole = slice_of(gpu, &words, 4, 0);
    for shape in shapes {
        let len = shape.iter().product();
        let input = GpuSlice::<f32>::strided(whole.buffer(), 4, 12, len).expect("within");
        let own = along(&all[..usize::try_from(len).expect("small")], shape, &[0, 2]);
        let what = format!("strided, of {shape:?}");
        check::<f32, _>(gpu, &input, &Segments::axes(shape, &[0, 2]), &own, &what, Sum);
    }
}

fn of_all_kinds(gpu: &Gpu, _: Variant) {
    let (floats, words) = (hostile(12_000), numbers(12_000));
    let halves: Vec<f16> = floats.iter().map(|&x| f16::from_f32(x)).collect();
    let brief: Vec<bf16> = floats.iter().map(|&x| bf16::from_f32(x)).collect();
    let doubles: Vec<f64> = floats.iter().map(|&x| 1.1 * f64::from(x)).collect();
    let wide: Vec<u64> = words.iter().map(|&x| u64::from(x) * 0x1_0000_0301).collect();
    let signed: Vec<i32> = words.iter().map(|&x| x.cast_signed()).collect();
    let bytes: Vec<i8> = words.iter().map(|&x| i8::from_le_bytes([x.to_le_bytes()[1]])).collect();
    let shorts: Vec<u16> = words.iter().map(|&x| (x >> 16) as u16).collect();
    let pairs: Vec<[f32; 2]> = floats.as_chunks().0.to_vec();
    let points: Vec<[f32; 3]> = floats.as_chunks().0.to_vec();
    let quads: Vec<[u32; 4]> = words.as_chunks().0.to_vec();
    // Neighbours in whole vectors, in others, in none; and an axis behind them.
    let shapes: [&[u64]; 4] = [&[8, 3, 32], &[5, 6, 27], &[11, 4, 9], &[6, 5, 7, 4]];
    for shape in shapes {
        let axes = &[0, 2];
        check_axes::<f32, _>(gpu, &floats, shape, axes, Product);
        check_axes::<f32, _>(gpu, &floats, shape, axes, SumOfSquares);
        check_axes::<f32, _>(gpu, &floats, shape, axes, Norm);
        check_axes::<f32, _>(gpu, &floats, shape, axes, Variance);
        check_axes::<f32, _>(gpu, &floats, shape, axes, Moments);
        check_axes::<f32, _>(gpu, &floats, shape, axes, ArgMax);
        check_axes::<f32, _>(gpu, &floats, shape, axes, ArgMinMax);
        check_axes::<f32, _>(gpu, &floats, shape, axes, MinMax);
        check_axes::<f16, _>(gpu, &halves, shape, axes, Sum);
        check_axes::<bf16, _>(gpu, &brief, shape, axes, Mean);
        check_axes::<f64, _>(gpu, &doubles, shape, axes, Sum);
        check_axes::<f64, _>(gpu, &doubles, shape, axes, ArgMin);
        check_axes::<u64, _>(gpu, &wide, shape, axes, Sum);
        check_axes::<i32, _>(gpu, &signed, shape, axes, Max);
        check_axes::<u32, _>(gpu, &words, shape, axes, BitXor);
        check_axes::<i8, _>(gpu, &bytes, shape, axes, Sum);
        check_axes::<u16, _>(gpu, &shorts, shape, axes, ArgMax.last());
        check_axes::<[f32; 2], _>(gpu, &pairs, shape, axes, Sum);
        check_axes::<[f32; 3], _>(gpu, &points, shape, axes, Mean);
        check_axes::<[u32; 4], _>(gpu, &quads, shape, axes, Max);
    }
}

/// Each chunk has what the device may not be right for, so all are made with care.
fn of_no_range(gpu: &Gpu, _: Variant) {
    let of = |(i, x): (u32, f32)| match mix(i) % 9 {
        0 => f32::from_bits(x.to_bits() | 0x7fc0_0000),
        1 => f32::from_bits(x.to_bits() & 0x807f_ffff),
        2 => f32::from_bits((x.to_bits() & 0x807f_ffff) | 0x7f00_0000),
        _ => x,
    };
    let floats: Vec<f32> = (0..).zip(hostile(9000)).map(of).collect();
    let without: Vec<f32> =
        floats.iter().map(|&x| if x.is_nan() { f32::MIN_POSITIVE } else { x }).collect();
    for shape in
        [&[8u64, 3, 32][..], &[5, 6, 27], &[11, 4, 9], &[6, 5, 7, 4], &[40, 3, 2], &[2, 150, 2, 3]]
    {
        let axes: &[usize] = if shape[1] == 150 { &[1, 3] } else { &[0, 2] };
        check_axes::<f32, _>(gpu, &floats, shape, axes, Sum);
        check_axes::<f32, _>(gpu, &without, shape, axes, Sum);
        check_axes::<f32, _>(gpu, &without, shape, axes, Mean);
        check_axes::<f32, _>(gpu, &without, shape, axes, SumOfSquares);
        check_axes::<f32, _>(gpu, &floats, shape, axes, Mean.nan(Nan::Ignore));
        check_axes::<f32, _>(gpu, &floats, shape, axes, Min.nan(Nan::Ignore));
        check_axes::<f32, _>(gpu, &floats, shape, axes, CountNan);
        check_axes::<f32, _>(gpu, &floats, shape, axes, ArgMinMax.nan(Nan::Total));
    }
}

fn exact(gpu: &Gpu, _: Variant) {
    let all = hostile(9000);
    let shapes: [&[u64]; 5] = [&[8, 3, 32], &[5, 6, 27], &[11, 4, 9], &[6, 5, 7, 4], &[7, 2, 9, 3]];
    for shape in shapes {
        let len = usize::try_from(shape.iter().product::<u64>()).expect("small");
        let own = along(&all[..len], shape, &[0, 2]);
        let (input, segments) = (slice_of(gpu, &all[..len], 4, 0), Segments::axes(shape, &[0, 2]));
        let (what, exact) = (format!("exact, of {shape:?}"), Precision::Exact);
        check_by::<f32, _>(gpu, &input, &segments, &own, &what, exact, Sum);
        check_by::<f32, _>(gpu, &input, &segments, &own, &what, exact, SumOfSquares);
        check_by::<f32, _>(gpu, &input, &segments, &own, &what, exact, Variance);
    }
}

/// Each takes several rounds.
fn few_workgroups(gpu: &Gpu, _: Variant) {
    let small = gpu.with_limits(|limits| limits.max_compute_workgroups_per_dimension = 2);
    let check = |gpu: &Gpu| {
        let all = hostile(60_000);
        check_axes::<f32, _>(gpu, &all, &[50, 18, 64], &[0, 2], Sum);
        check_axes::<f32, _>(gpu, &all, &[64, 9, 100], &[0, 2], Sum);
        check_axes::<f32, _>(gpu, &all, &[40, 7, 30, 7], &[0, 2], Sum);
    };
    small.expect("a device with lower limits").check(check).expect("no errors");
}

/// Nothing before the segments' own, and no memory but for totals.
fn dispatched(gpu: &Gpu, _: Variant) {
    let all = hostile(12_288);
    let reducer = SegmentedReducer::<f32, _>::new(&gpu.context, Sum);
    let plan = |shape: &[u64], axes: &[usize]| {
        let len = usize::try_from(shape.iter().product::<u64>()).expect("small");
        let (input, output) =
            (slice_of(gpu, &all[..len], 0, 0), unwritten::<f32>(gpu, 12_288, 0, 0));
        reducer.plan(&input, &Segments::axes(shape, axes), &output).expect("a plan")
    };
    let text = plan(&[64, 3, 64], &[0, 2]).to_string();
    assert_eq!(text, "sum of 3 segments of 12288 elements of f32, 3 dispatches");
    let text = plan(&[2, 64, 7], &[0, 2]).to_string();
    assert_eq!(text, "sum of 64 segments of 896 elements of f32, 1 dispatch");
    // Totals of sixteen chunks each, as of rows.
    let words = |shape: &[u64], axes: &[usize]| plan(shape, axes).scratch_bytes / 4;
    let wanted = |totals: u64| (1 + totals).next_multiple_of(4);
    assert_eq!(words(&[64, 3, 64], &[0, 2]), wanted(3 * (16 + 1)));
    assert_eq!(words(&[64, 2, 16, 5], &[0, 2]), wanted(2 * 5 * 4));
    assert_eq!(words(&[2, 512, 7], &[1]), wanted(2 * 7 * 2));
    // Of each chunk, where some are in no sixteen.
    assert_eq!(words(&[2, 500, 7], &[1]), wanted(2 * 7 * (31 + 1)));
}

/// Segments that lie within each other: of one chunk, of several levels, and with elements in no chunk.
fn columns(gpu: &Gpu, _: Variant) {
    let (floats, words) = (hostile(12_000), numbers(12_000));
    let nans: Vec<f32> =
        (0u32..).zip(&floats).map(|(i, &x)| if mix(i) % 5 == 2 { f32::NAN } else { x }).collect();
    let signed: Vec<i32> = words.iter().map(|&x| x.cast_signed()).collect();
    let bytes: Vec<u8> = words.iter().map(|word| word.to_le_bytes()[1]).collect();
    let doubles: Vec<f64> = floats.iter().map(|&x| 1.1 * f64::from(x)).collect();
    for shape in [
        [2, 16, 5],
        [1, 17, 4],
        [3, 300, 7],
        [1, 256, 8],
        [2, 513, 3],
        [1, 40, 300],
        // Joined: a few, and such that a workgroup has columns of several groups.
        [2, 512, 3],
        [1, 256, 46],
        [5, 256, 9],
        [1, 4096, 2],
    ] {
        for before in [0, 4, 8, 12] {
            check_axes_from::<f32, _>(gpu, &floats, before, &shape, &[1], Sum);
        }
        check_axes::<f32, _>(gpu, &nans, &shape, &[1], Sum);
        check_axes::<f32, _>(gpu, &nans, &shape, &[1], Mean.nan(Nan::Ignore));
        check_axes::<f32, _>(gpu, &floats, &shape, &[1], ArgMax);
        check_axes::<f32, _>(gpu, &floats, &shape, &[1], Product);
        check_axes::<f32, _>(gpu, &floats, &shape, &[1], Norm);
        check_axes::<f32, _>(gpu, &floats, &shape, &[1], Variance);
        check_axes::<i32, _>(gpu, &signed, &shape, &[1], Max);
        check_axes::<u8, _>(gpu, &bytes, &shape, &[1], Sum);
        check_axes::<f64, _>(gpu, &doubles, &shape, &[1], Sum);
    }
    // Of several workgroups, of which the last one has few columns.
    let all = hostile(90_000);
    check_axes::<f32, _>(gpu, &all, &[2, 256, 70], &[1], Sum);
    check_axes::<f32, _>(gpu, &all, &[1, 256, 300], &[1], ArgMin);
    check_axes::<f32, _>(gpu, &all, &[1, 40_960, 2], &[1], Sum);
    check_axes::<f32, _>(gpu, &all, &[64, 3, 8, 40], &[0, 2], Sum);
}
