//! Segments between offsets on the device, of elements that take several bindings, or lie in several slices: each as if it were alone.

use crate::{
    BOTH, Case, VULKAN,
    custom::examples,
    device::Gpu,
    scans::{assert_same, numbers, read, slice_of, unwritten},
    segments::{check, check_by, hostile},
    support::{data::mix, narrow_vectors::out_of_nothing},
};
use gridfold::{
    ArgMax, BitXor, Count, Element, GpuSlice, Max, Mean, Min, Operator, Precision, PrepareError,
    SegmentedReducer, Segments, Sum, Variance, Variant, half::f16,
};
use std::iter::zip;

pub fn cases() -> Vec<Case> {
    let cases = vec![
        Case::tier1(VULKAN, "segments, between offsets in windows", |gpu, _| {
            let floats = hostile(30_000);
            small(gpu)
                .check(|gpu| windows::<f32, _>(gpu, &floats, &[slice_of(gpu, &floats, 12, 0)], Sum))
                .expect("no errors");
        }),
        Case::tier2("segments, between offsets in windows, operators and types", |gpu, _| {
            small(gpu).check(types).expect("no errors");
        }),
        Case::tier1(BOTH, "segments, between random offsets in windows", |gpu, _| {
            small(gpu).check(random).expect("no errors");
        }),
        Case::tier1(VULKAN, "segments, between offsets in windows, strided", |gpu, _| {
            small(gpu).check(strided).expect("no errors");
        }),
        Case::tier1(VULKAN, "segments, between offsets, of several slices", slices),
        Case::tier1(VULKAN, "segments, between offsets, of several slices in windows", |gpu, _| {
            let floats = hostile(30_000);
            let ends = [9, 40, 12_345, 12_345, 12_350, 12_377, 21_000, 29_999, 30_000];
            let check = |gpu: &Gpu| {
                windows::<f32, _>(gpu, &floats, &cut_of(gpu, &floats, 4, &ends), Sum);
                let bytes = bytes(60_001);
                windows::<u8, _>(gpu, &bytes, &cut_of(gpu, &bytes, 1, &[777, 33_333, 60_001]), Sum);
            };
            small(gpu).check(check).expect("no errors");
        }),
        Case::tier1(BOTH, "segments, between offsets that fall, exact sums", falling_exact),
        Case::tier1(BOTH, "segments, between offsets that fall, in windows", |gpu, _| {
            small(gpu).check(falling).expect("no errors");
        }),
        Case::tier1(BOTH, "segments, in windows, recorded again with other offsets", |gpu, _| {
            small(gpu).check(again).expect("no errors");
        }),
        Case::tier1(VULKAN, "segments, between offsets in windows that are refused", |gpu, _| {
            small(gpu).check(refused).expect("no errors");
        }),
    ];
    cases.into_iter().map(|case| case.only(Variant::WorkgroupMemory)).collect()
}

/// Bindings of 8196 words.
fn small(gpu: &Gpu) -> Gpu {
    let small = gpu.with_limits(|limits| limits.max_storage_buffer_binding_size = (1 << 15) + 16);
    small.expect("a device with lower limits")
}

fn bytes(len: usize) -> Vec<u8> {
    numbers(len).iter().map(|word| word.to_le_bytes()[1]).collect()
}

/// Slices that end there, each of a buffer of its own, from another place on: a multiple of so many bytes.
fn cut_of<T: Element>(gpu: &Gpu, all: &[T], bytes: usize, ends: &[usize]) -> Vec<GpuSlice<T>> {
    let begins = [0].into_iter().chain(ends.iter().copied());
    let ranges = zip(begins, ends).enumerate();
    ranges.map(|(i, (begin, &end))| slice_of(gpu, &all[begin..end], bytes * (i % 5), 0)).collect()
}

/// So many bytes apart from each other, from a byte on.
fn strided_of<T: Element>(gpu: &Gpu, elements: &[T], begin: usize, stride: usize) -> GpuSlice<T> {
    let mut bytes = vec![0xa5u8; begin + elements.len() * stride];
    for (place, element) in bytes[begin..].chunks_mut(stride).zip(elements) {
        place[..size_of::<T>()].copy_from_slice(bytemuck::bytes_of(element));
    }
    let all = slice_of(gpu, &bytes, 0, 0);
    let (begin, len) = (begin as u64, elements.len() as u64);
    GpuSlice::strided(all.buffer(), begin, stride as u64, len).expect("within")
}

/// Where windows begin, but for the first one.
fn borders<T: Element, Op: Operator<T>>(gpu: &Gpu, input: &[GpuSlice<T>], op: Op) -> Vec<u32> {
    let offsets = slice_of(gpu, &[0u32, 1], 0, 0);
    let output = unwritten::<Op::Out>(gpu, 1, 0, 0);
    let reducer = SegmentedReducer::<T, _>::new(&gpu.context, op);
    let plan = reducer.plan(input, &Segments::offsets(&offsets), &output).expect("a plan");
    let begins = plan.dispatches.iter().map(|dispatch| 16 * dispatch.params.begin);
    let borders: Vec<_> = begins.filter(|&begin| begin > 0).collect();
    assert!(borders.is_sorted() && !borders.is_empty(), "{plan}");
    borders
}

/// Between offsets at all places around the windows' borders, and others, some of them twice. Then with a giant in their midst.
fn windows<T: Element, Op: Operator<T> + Copy>(
    gpu: &Gpu,
    all: &[T],
    input: &[GpuSlice<T>],
    op: Op,
) {
    let borders = borders::<T, _>(gpu, input, op);
    let len = u32::try_from(all.len()).expect("short");
    let around = [0u32, 1, 4, 5, 14, 15, 16, 17, 31, 32, 33];
    let mut offsets = vec![3, 3, len, len];
    for (i, border) in (0..).zip(&borders) {
        for by in around {
            offsets.extend([border - by.min(*border), (border + by).min(len)]);
        }
        let other = (border + mix(i) % 3000).min(len);
        offsets.extend([other, other, other]);
    }
    offsets.extend((0..60).map(|i| mix(i) % len));
    offsets.sort_unstable();
    between::<T, _>(gpu, all, input, &offsets, "around windows' borders", op);
    // Over all windows but what is near their first border, and what is near the last one.
    let (first, last) = (borders[0] + 5, borders[borders.len() - 1].max(borders[0] + 12) - 7);
    offsets.retain(|offset| *offset <= first || *offset >= last);
    between::<T, _>(gpu, all, input, &offsets, "a giant in windows", op);
    between::<T, _>(gpu, all, input, &[0, len], "a single segment", op);
    between::<T, _>(
        gpu,
        all,
        input,
        &[0, 0, 0, len, len, len],
        "a single one among empty ones",
        op,
    );
}

fn owned<T: Element>(all: &[T], offsets: &[u32]) -> Vec<Vec<T>> {
    let own = |pair: &[u32]| all[pair[0] as usize..pair[1] as usize].to_vec();
    offsets.windows(2).map(own).collect()
}

/// By offsets, by lengths, and by begins whose number the device has.
fn between<T: Element, Op: Operator<T> + Copy>(
    gpu: &Gpu,
    all: &[T],
    input: &[GpuSlice<T>],
    offsets: &[u32],
    what: &str,
    op: Op,
) {
    let own = owned(all, offsets);
    let segments = Segments::offsets(&slice_of(gpu, offsets, 4, 0));
    check::<T, _>(gpu, input, &segments, &own, what, op);
    let lens = offsets.windows(2).map(|pair| u64::from(pair[1] - pair[0]));
    let lens: Vec<u64> = [u64::from(offsets[0])].into_iter().chain(lens).collect();
    let with_first: Vec<u32> = [0].into_iter().chain(offsets.iter().copied()).collect();
    let segments = Segments::lengths(&slice_of(gpu, &lens, 0, 0));
    check::<T, _>(gpu, input, &segments, &owned(all, &with_first), &format!("{what}, lengths"), op);
    // The last one ends with the elements, and there are more begins than count.
    let count = offsets.len() - offsets.len() / 3;
    let begins = slice_of(gpu, offsets, 0, 0);
    let number = slice_of(gpu, &[u32::try_from(count).expect("short")], 0, 0);
    let ends = [&offsets[..count], &[u32::try_from(all.len()).expect("short")]].concat();
    let output = unwritten::<Op::Out>(gpu, offsets.len(), 0, 0);
    let reducer = SegmentedReducer::<T, _>::new(&gpu.context, op);
    reducer.reduce_blocking(input, &Segments::begins(&begins, &number), &output).expect("reduces");
    let found = read(gpu, &output);
    let cpu = gridfold::Executor::cpu();
    let wanted: Vec<Op::Out> = owned(all, &ends)
        .iter()
        .map(|own| {
            let value = cpu.reduce(own, op).expect("reduces").value;
            Op::out(value).unwrap_or_else(|| out_of_nothing::<T, _>(op))
        })
        .collect();
    assert_same(&found[..count], &wanted, || format!("{what}, begins"));
    let nothing: Op::Out = bytemuck::Zeroable::zeroed();
    let rest = vec![nothing; offsets.len() - count];
    assert_same(&found[count..], &rest, || format!("{what}, behind the count"));
}

fn types(gpu: &Gpu) {
    let floats = hostile(30_000);
    let one = |bytes: usize| [slice_of(gpu, &floats, bytes, 0)];
    windows::<f32, _>(gpu, &floats, &one(0), Min);
    windows::<f32, _>(gpu, &floats, &one(4), ArgMax);
    windows::<f32, _>(gpu, &floats, &one(8), Variance);
    let words = numbers(30_000);
    windows::<u32, _>(gpu, &words, &[slice_of(gpu, &words, 4, 0)], BitXor);
    let doubles: Vec<f64> = floats[..14_000].iter().map(|&x| 1.1 * f64::from(x)).collect();
    // At an even word, and at an odd one.
    windows::<f64, _>(gpu, &doubles, &[slice_of(gpu, &doubles, 8, 0)], Mean);
    windows::<f64, _>(gpu, &doubles, &[slice_of(gpu, &doubles, 4, 0)], Mean);
    let bytes = bytes(100_001);
    windows::<u8, _>(gpu, &bytes, &[slice_of(gpu, &bytes, 3, 0)], Sum);
    let halves: Vec<f16> = floats.iter().map(|&x| f16::from_f32(x)).collect();
    windows::<f16, _>(gpu, &halves, &[slice_of(gpu, &halves, 2, 0)], Max);
    let points: Vec<[f32; 3]> = floats[..27_000].as_chunks().0.to_vec();
    windows::<[f32; 3], _>(gpu, &points, &[slice_of(gpu, &points, 4, 0)], Sum);
    let quads: Vec<[u32; 4]> = words[..28_000].as_chunks().0.to_vec();
    windows::<[u32; 4], _>(gpu, &quads, &[slice_of(gpu, &quads, 0, 0)], Max);
    let input = slice_of(gpu, &floats, 4, 0);
    let offsets = [9, 9, 2000, 8100, 8176, 9500, 9990];
    let segments = Segments::offsets(&slice_of(gpu, &offsets, 0, 0));
    let own = owned(&floats, &offsets);
    // Scratch memory has 44 bytes for a chunk.
    let input = input.slice(0..10_000).expect("within");
    check_by::<f32, _>(gpu, &input, &segments, &own, "exact", Precision::Exact, Sum);
    let affine = examples::affine();
    let input = slice_of(gpu, &words, 4, 0);
    let output = unwritten::<[u32; 2]>(gpu, 6, 0, 0);
    let reducer = SegmentedReducer::new(&gpu.context, affine.operator.clone());
    reducer.reduce_blocking(&input, &segments, &output).expect("reduces");
    let wanted: Vec<_> = owned(&words, &offsets).iter().map(|own| affine.result(own)).collect();
    assert_same(&read(gpu, &output), &wanted, || "of one's own".to_owned());
}

fn random(gpu: &Gpu) {
    for seed in 0..12 {
        let choose = |number: u32, below: u32| mix(7001 * seed + number) % below;
        let len = 8000 + choose(0, 50_000);
        let count = 1 + (choose(1, 4000) >> choose(2, 12));
        // Of every second case most are empty.
        let most = if seed % 2 == 0 { len } else { 1 + len / 500 };
        let place = |i: u32| match choose(10 + 2 * i, 6) {
            0 => choose(3, len + 1),
            _ => choose(11 + 2 * i, most) * (len / most),
        };
        let mut offsets: Vec<u32> = (0..=count).map(place).collect();
        offsets.sort_unstable();
        let what = format!("random offsets, seed {seed}");
        let before = 4 * (seed as usize % 7);
        let floats = hostile(len as usize);
        let ends = match seed % 3 {
            0 => {
                let mut ends: Vec<usize> =
                    (0..7).map(|i| choose(4 + i, len + 1) as usize).chain([len as usize]).collect();
                ends.sort_unstable();
                ends
            }
            _ => vec![len as usize],
        };
        let input = match &ends[..] {
            [_] => vec![slice_of(gpu, &floats, before, 0)],
            ends => cut_of(gpu, &floats, 4, ends),
        };
        let segments = Segments::offsets(&slice_of(gpu, &offsets, 0, 0));
        check::<f32, _>(gpu, &input[..], &segments, &owned(&floats, &offsets), &what, Sum);
    }
}

fn strided(gpu: &Gpu) {
    let floats = hostile(9000);
    windows::<f32, _>(gpu, &floats, &[strided_of(gpu, &floats, 4, 12)], Sum);
    windows::<f32, _>(gpu, &floats[..900], &[strided_of(gpu, &floats[..900], 8, 400)], ArgMax);
    let doubles: Vec<f64> = floats.iter().map(|&x| 1.1 * f64::from(x)).collect();
    windows::<f64, _>(gpu, &doubles, &[strided_of(gpu, &doubles, 4, 12)], Sum);
    let bytes = bytes(20_000);
    windows::<u8, _>(gpu, &bytes, &[strided_of(gpu, &bytes, 1, 3)], Sum);
    let points: Vec<[f32; 3]> = floats.as_chunks().0.to_vec();
    windows::<[f32; 3], _>(gpu, &points, &[strided_of(gpu, &points, 8, 20)], Sum);
}

fn slices(gpu: &Gpu, _: Variant) {
    let floats = hostile(3000);
    for ends in [
        &[1500usize, 3000][..],
        &[1, 3000],
        &[2999, 3000],
        &[15, 30, 46, 63, 3000],
        &[1000, 1001, 1002, 1003, 1004, 1031, 1040, 3000],
        &[0, 1600, 1600, 1616, 3000, 3000],
        &[16, 32, 48, 64, 96, 128, 3000],
    ] {
        windows::<f32, _>(gpu, &floats, &cut_of(gpu, &floats, 4, ends), Sum);
    }
    // No slice has a chunk.
    let ends: Vec<usize> = (1..=60).map(|i| 5 * i).collect();
    let input = cut_of(gpu, &floats[..300], 4, &ends);
    let offsets = [0, 0, 3, 40, 41, 130, 299];
    between::<f32, _>(gpu, &floats[..300], &input, &offsets, "of sixty slices", Sum);
    let ends = [700, 701, 1400, 2000];
    let words = numbers(2000);
    let halves: Vec<f16> = floats[..2000].iter().map(|&x| f16::from_f32(x)).collect();
    windows::<f16, _>(gpu, &halves, &cut_of(gpu, &halves, 2, &ends), Mean);
    let bytes: Vec<i8> = bytes(2000).into_iter().map(u8::cast_signed).collect();
    windows::<i8, _>(gpu, &bytes, &cut_of(gpu, &bytes, 1, &ends), Sum);
    windows::<i8, _>(gpu, &bytes, &cut_of(gpu, &bytes, 1, &ends), ArgMax);
    let doubles: Vec<f64> = floats[..2000].iter().map(|&x| 1.1 * f64::from(x)).collect();
    windows::<f64, _>(gpu, &doubles, &cut_of(gpu, &doubles, 4, &ends), Sum);
    windows::<u32, _>(gpu, &words, &cut_of(gpu, &words, 4, &ends), Count);
    let points: Vec<[f32; 3]> = hostile(6000).as_chunks().0.to_vec();
    windows::<[f32; 3], _>(gpu, &points, &cut_of(gpu, &points, 4, &ends), Sum);
    let pairs: Vec<[u32; 2]> = numbers(4000).as_chunks().0.to_vec();
    windows::<[u32; 2], _>(gpu, &pairs, &cut_of(gpu, &pairs, 4, &ends), Max);
    // Some with a stride.
    let floats = &floats[..2000];
    let input = [strided_of(gpu, &floats[..900], 4, 12), slice_of(gpu, &floats[900..], 8, 0)];
    windows::<f32, _>(gpu, floats, &input, Sum);
    let input = [strided_of(gpu, &doubles[..900], 4, 20), strided_of(gpu, &doubles[900..], 8, 12)];
    windows::<f64, _>(gpu, &doubles, &input, Sum);
    let input = [strided_of(gpu, &bytes[..900], 1, 3), strided_of(gpu, &bytes[900..], 3, 2)];
    windows::<i8, _>(gpu, &bytes, &input, Sum);
    let input = [strided_of(gpu, &pairs[..900], 4, 20), strided_of(gpu, &pairs[900..], 0, 12)];
    windows::<[u32; 2], _>(gpu, &pairs, &input, Max);
}

/// Results mean nothing then, but there is one of each, and nothing around them is written.
fn falling(gpu: &Gpu) {
    let floats = hostile(20_000);
    let input = slice_of(gpu, &floats, 0, 0);
    for seed in 0..4 {
        let far = |i: u32| if i.is_multiple_of(7) { mix(i) } else { mix(i) % 21_000 };
        let offsets: Vec<u32> = (0..3000).map(|i| far(i + 3000 * seed)).collect();
        let offsets = slice_of(gpu, &offsets, 0, 0);
        let output = slice_of(gpu, &vec![[0xa5a5_a5a5u32; 2]; 2999], 8, 8);
        let counts = GpuSlice::<u64>::new(output.buffer(), 8, 2999).expect("within");
        SegmentedReducer::<f32, _>::new(&gpu.context, Count)
            .reduce_blocking(&input, &Segments::offsets(&offsets), &counts)
            .expect("reduces");
        let written = read(gpu, &output).iter().all(|words| *words != [0xa5a5_a5a5; 2]);
        assert!(written, "not all segments have a result, seed {seed}");
    }
}

/// Exact sums look up limbs by what scratch memory says, which here are words of another call.
fn falling_exact(gpu: &Gpu, _: Variant) {
    let doubles: Vec<f64> = hostile(20_000).into_iter().map(f64::from).collect();
    let input = slice_of(gpu, &doubles, 0, 0);
    let words = slice_of(gpu, &vec![u32::MAX; 600_000], 0, 0);
    let largest = unwritten::<u32>(gpu, 1500, 0, 0);
    for seed in 0..4 {
        SegmentedReducer::<u32, _>::new(&gpu.context, Max)
            .reduce_blocking(&words, &Segments::rows(400), &largest)
            .expect("reduces");
        let offsets: Vec<u32> = (0..3000).map(|i| mix(i + 3000 * seed) % 21_000).collect();
        let offsets = slice_of(gpu, &offsets, 0, 0);
        let output = slice_of(gpu, &vec![[0xa5a5_a5a5u32; 2]; 2999], 8, 8);
        let sums = GpuSlice::<f64>::new(output.buffer(), 8, 2999).expect("within");
        SegmentedReducer::<f64, _>::new(&gpu.context, Sum)
            .precision(Precision::Exact)
            .reduce_blocking(&input, &Segments::offsets(&offsets), &sums)
            .expect("reduces");
        let written = read(gpu, &output).iter().all(|words| *words != [0xa5a5_a5a5; 2]);
        assert!(written, "not all segments have a result, seed {seed}");
    }
}

fn again(gpu: &Gpu) {
    let floats = hostile(30_000);
    let input = cut_of(gpu, &floats, 4, &[14_001, 30_000]);
    let offsets = slice_of(gpu, &[0u32; 5], 0, 0);
    let output = unwritten::<f32>(gpu, 4, 0, 0);
    let reducer = SegmentedReducer::<f32, _>::new(&gpu.context, Sum);
    let prepared = reducer.prepare(&input[..], &Segments::offsets(&offsets), &output);
    let prepared = prepared.expect("it can be done");
    let cpu = gridfold::Executor::cpu();
    for own in [[0u32, 100, 14_000, 14_010, 30_000], [8000, 8170, 8170, 29_000, 29_001]] {
        gpu.context.queue().write_buffer(offsets.buffer(), 0, bytemuck::bytes_of(&own));
        let mut encoder = gpu.encoder();
        prepared.record(&mut encoder);
        gpu.submit(encoder);
        let wanted: Vec<f32> =
            owned(&floats, &own).iter().map(|own| cpu.sum(own).expect("a sum")).collect();
        assert_same(&read(gpu, &output), &wanted, || format!("between {own:?}"));
    }
}

fn refused(gpu: &Gpu) {
    let offsets = Segments::offsets(&slice_of(gpu, &[0u32, 40], 0, 0));
    let words = numbers(80_000);
    let all = slice_of(gpu, &words, 0, 0);
    let reducer = SegmentedReducer::<u32, _>::new(&gpu.context, Sum);
    let output = unwritten::<u32>(gpu, 1, 0, 0);
    // No binding has room for sixteen elements and the chunk of the last one.
    let apart = GpuSlice::<u32>::strided(all.buffer(), 0, 4000, 80).expect("within");
    let error = reducer.plan(&apart, &offsets, &output).expect_err("they are too far apart");
    assert!(matches!(error, PrepareError::BindingTooSmall { .. }), "{error}");
    assert!(error.to_string().contains("124"), "{error}");
    // Scratch memory takes one binding.
    let exactly =
        SegmentedReducer::<f32, _>::new(&gpu.context, Variance).precision(Precision::Exact);
    let floats = GpuSlice::<f32>::whole(all.buffer());
    let output = unwritten::<f32>(gpu, 1, 0, 0);
    let error = exactly.plan(&floats, &offsets, &output).expect_err("there are many chunks");
    assert!(matches!(error, PrepareError::BindingTooSmall { .. }), "{error}");
    // Of several components, some of them apart.
    let points = GpuSlice::<[f32; 3]>::strided(all.buffer(), 0, 16, 100).expect("within");
    let slices = [points.slice(0..50).expect("within"), points.slice(50..100).expect("within")];
    let output = unwritten::<[f32; 3]>(gpu, 1, 0, 0);
    let reducer = SegmentedReducer::<[f32; 3], _>::new(&gpu.context, Sum);
    let error = reducer.plan(&slices, &offsets, &output).expect_err("two slices");
    let wanted = gridfold::SegmentError::Input { slices: 2 };
    assert!(matches!(error, PrepareError::Segments(error) if error == wanted));
}
