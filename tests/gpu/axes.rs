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
    ArgMax, ArgMaxLast, ArgMin, ArgMinMax, BitXor, CountNan, Element, Executor, GpuSlice, Max,
    Mean, MinMax, Moments, NanMean, NanMin, Norm, Operator, Precision, Product, SegmentedReducer,
    Segments, Sum, SumOfSquares, TotalArgMinMax, Variance, Variant,
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

pub fn check_axes<T: Element, Op: Operator<T>>(
    gpu: &Gpu,
    all: &[T],
    shape: &[u64],
    axes: &[usize],
) {
    let before = if size_of::<T>().is_multiple_of(4) { 4 } else { size_of::<T>() };
    check_axes_from::<T, Op>(gpu, all, before, shape, axes);
}

/// Elements begin at a byte.
fn check_axes_from<T: Element, Op: Operator<T>>(
    gpu: &Gpu,
    all: &[T],
    before: usize,
    shape: &[u64],
    axes: &[usize],
) {
    let len = usize::try_from(shape.iter().product::<u64>()).expect("small");
    let input = slice_of(gpu, &all[..len], before, 0);
    let own = along(&all[..len], shape, axes);
    let what = format!("along {axes:?} of {shape:?} from byte {before}");
    check::<T, Op>(gpu, &input, &Segments::axes(shape, axes), &own, &what);
    let found = Executor::cpu().reduce_axes::<T, Op>(&all[..len], shape, axes).expect("reduces");
    let cpu = Executor::cpu();
    let wanted = own.iter().map(|own| cpu.reduce::<T, Op>(own).expect("reduces").value);
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
            check_axes::<f32, Sum>(gpu, &all, &shape, &axes);
        }
    }
    check_axes::<f32, Sum>(gpu, &all, &[3, 50, 4, 7, 5], &[0, 2, 4]);
    check_axes::<f32, Variance>(gpu, &all, &[40, 5, 40], &[2, 0]);
    check_axes::<f32, Norm>(gpu, &all, &[40, 5, 40], &[2, 0]);
    check_axes::<f32, Mean>(gpu, &all, &[4, 5, 6], &[0, 1]);
    check_axes::<f32, ArgMax>(gpu, &all, &[40, 5, 40], &[0, 2]);
    let halves: Vec<f16> = all.iter().map(|&x| f16::from_f32(x)).collect();
    check_axes::<f16, Sum>(gpu, &halves, &[40, 5, 41], &[2, 0]);
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
            check_axes::<f32, Sum>(gpu, &all, shape, &axes);
        }
    }
}

/// Neighbours as many as these: fewer than four, fewer than a chunk, around chunks, and around chunks of chunks, whose totals are joined if all are whole.
fn runs(gpu: &Gpu, _: Variant) {
    let all = hostile(30_000);
    for run in
        [2, 3, 4, 5, 7, 8, 12, 15, 16, 17, 20, 31, 32, 33, 48, 49, 64, 100, 255, 256, 257, 272, 512]
    {
        check_axes::<f32, Sum>(gpu, &all, &[5, 3, run], &[0, 2]);
        check_axes::<f32, Sum>(gpu, &all, &[16, 3, run], &[0, 2]);
        check_axes::<f32, ArgMin>(gpu, &all, &[3, 2, 3, 2, run], &[0, 2, 4]);
        // An axis that remains lies behind them.
        check_axes::<f32, Sum>(gpu, &all, &[3, 2, run, 3], &[0, 2]);
        check_axes::<f32, Sum>(gpu, &all, &[2, 2, run, 4], &[0, 2]);
    }
    // Segments of up to a few elements, and of up to a chunk.
    for (outer, run) in [(2, 2), (2, 3), (3, 2), (2, 7), (5, 3), (2, 8), (4, 4), (17, 15)] {
        check_axes::<f32, Sum>(gpu, &all, &[7, outer, 9, run], &[1, 3]);
        check_axes::<f32, Variance>(gpu, &all, &[7, outer, 9, run], &[1, 3]);
    }
    // More levels than one.
    check_axes::<f32, Sum>(gpu, &all, &[110, 2, 130], &[0, 2]);
    check_axes::<f32, Sum>(gpu, &all, &[128, 3, 64], &[0, 2]);
    check_axes::<f32, Sum>(gpu, &all, &[70, 2, 70, 3], &[0, 2]);
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
            check_axes_from::<f32, Sum>(gpu, &all, before, shape, &[0, 2]);
            check_axes_from::<f64, Sum>(gpu, &doubles, before, shape, &[0, 2]);
        }
        for before in [0, 1, 3, 6, 16] {
            check_axes_from::<u8, Sum>(gpu, &bytes, before, shape, &[0, 2]);
        }
        for before in [0, 2, 6, 10] {
            check_axes_from::<u16, Max>(gpu, &halves, before, shape, &[0, 2]);
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
        check::<f32, Sum>(gpu, &input, &Segments::axes(shape, &[0, 2]), &own, &what);
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
        check_axes::<f32, Product>(gpu, &floats, shape, axes);
        check_axes::<f32, SumOfSquares>(gpu, &floats, shape, axes);
        check_axes::<f32, Norm>(gpu, &floats, shape, axes);
        check_axes::<f32, Variance>(gpu, &floats, shape, axes);
        check_axes::<f32, Moments>(gpu, &floats, shape, axes);
        check_axes::<f32, ArgMax>(gpu, &floats, shape, axes);
        check_axes::<f32, ArgMinMax>(gpu, &floats, shape, axes);
        check_axes::<f32, MinMax>(gpu, &floats, shape, axes);
        check_axes::<f16, Sum>(gpu, &halves, shape, axes);
        check_axes::<bf16, Mean>(gpu, &brief, shape, axes);
        check_axes::<f64, Sum>(gpu, &doubles, shape, axes);
        check_axes::<f64, ArgMin>(gpu, &doubles, shape, axes);
        check_axes::<u64, Sum>(gpu, &wide, shape, axes);
        check_axes::<i32, Max>(gpu, &signed, shape, axes);
        check_axes::<u32, BitXor>(gpu, &words, shape, axes);
        check_axes::<i8, Sum>(gpu, &bytes, shape, axes);
        check_axes::<u16, ArgMaxLast>(gpu, &shorts, shape, axes);
        check_axes::<[f32; 2], Sum>(gpu, &pairs, shape, axes);
        check_axes::<[f32; 3], Mean>(gpu, &points, shape, axes);
        check_axes::<[u32; 4], Max>(gpu, &quads, shape, axes);
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
        check_axes::<f32, Sum>(gpu, &floats, shape, axes);
        check_axes::<f32, Sum>(gpu, &without, shape, axes);
        check_axes::<f32, Mean>(gpu, &without, shape, axes);
        check_axes::<f32, SumOfSquares>(gpu, &without, shape, axes);
        check_axes::<f32, NanMean>(gpu, &floats, shape, axes);
        check_axes::<f32, NanMin>(gpu, &floats, shape, axes);
        check_axes::<f32, CountNan>(gpu, &floats, shape, axes);
        check_axes::<f32, TotalArgMinMax>(gpu, &floats, shape, axes);
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
        check_by::<f32, Sum>(gpu, &input, &segments, &own, &what, exact);
        check_by::<f32, SumOfSquares>(gpu, &input, &segments, &own, &what, exact);
        check_by::<f32, Variance>(gpu, &input, &segments, &own, &what, exact);
    }
}

/// Each takes several rounds.
fn few_workgroups(gpu: &Gpu, _: Variant) {
    let small = gpu.with_limits(|limits| limits.max_compute_workgroups_per_dimension = 2);
    let check = |gpu: &Gpu| {
        let all = hostile(60_000);
        check_axes::<f32, Sum>(gpu, &all, &[50, 18, 64], &[0, 2]);
        check_axes::<f32, Sum>(gpu, &all, &[64, 9, 100], &[0, 2]);
        check_axes::<f32, Sum>(gpu, &all, &[40, 7, 30, 7], &[0, 2]);
    };
    small.expect("a device with lower limits").check(check).expect("no errors");
}

/// Nothing before the segments' own, and no memory but for totals.
fn dispatched(gpu: &Gpu, _: Variant) {
    let all = hostile(12_288);
    let reducer = SegmentedReducer::<f32, Sum>::new(&gpu.context);
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
    let words = |shape: &[u64], axes: &[usize]| plan(shape, axes).scratch_bytes() / 4;
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
            check_axes_from::<f32, Sum>(gpu, &floats, before, &shape, &[1]);
        }
        check_axes::<f32, Sum>(gpu, &nans, &shape, &[1]);
        check_axes::<f32, NanMean>(gpu, &nans, &shape, &[1]);
        check_axes::<f32, ArgMax>(gpu, &floats, &shape, &[1]);
        check_axes::<f32, Product>(gpu, &floats, &shape, &[1]);
        check_axes::<f32, Norm>(gpu, &floats, &shape, &[1]);
        check_axes::<f32, Variance>(gpu, &floats, &shape, &[1]);
        check_axes::<i32, Max>(gpu, &signed, &shape, &[1]);
        check_axes::<u8, Sum>(gpu, &bytes, &shape, &[1]);
        check_axes::<f64, Sum>(gpu, &doubles, &shape, &[1]);
    }
    // Of several workgroups, of which the last one has few columns.
    let all = hostile(90_000);
    check_axes::<f32, Sum>(gpu, &all, &[2, 256, 70], &[1]);
    check_axes::<f32, ArgMin>(gpu, &all, &[1, 256, 300], &[1]);
    check_axes::<f32, Sum>(gpu, &all, &[1, 40_960, 2], &[1]);
    check_axes::<f32, Sum>(gpu, &all, &[64, 3, 8, 40], &[0, 2]);
}
