//! Segments: each as if it were alone, against the CPU; what is refused, and that nothing is read or written outside.

use crate::{
    BOTH, Case, VULKAN,
    device::Gpu,
    floats::in_software,
    scans::{numbers, slice_of},
    support::{
        data::mix, f64_data::generate, narrow_vectors::out_of_nothing,
        segment_vectors::check_segment_vectors,
    },
};
use gridfold::{
    ArgMax, ArgMin, ArgMinMax, BitXor, CountNan, Element, Error, Executor, GpuSlice, HostSlices,
    Input, L1Norm, Max, Mean, Min, MinMax, Moments, Nan, Norm, Operator, Place, Precision,
    PrepareError, Product, SegmentError, SegmentedReducer, Segments, Sum, SumOfSquares, Variance,
    Variant,
    half::{bf16, f16},
    wgpu,
};

pub fn cases() -> Vec<Case> {
    let cases = vec![
        Case::tier1(BOTH, "segments, between offsets and along axes", |gpu, _| {
            between::<f32, _>(gpu, &hostile(3000), &[0, 1, 15, 16, 17, 300, 0, 33, 2100, 5], Sum);
            along::<f32, _>(gpu, &hostile(3000), &[5, 20, 30], Sum);
        }),
        Case::tier1(VULKAN, "segments, vectors", |gpu, _| {
            let executor = Executor::from_context(gpu.context.clone());
            check_segment_vectors(&executor.host_slices(HostSlices::OnDevice));
        }),
        Case::tier1(VULKAN, "segments, a million, nearly all empty", |gpu, _| {
            let lens: Vec<u32> =
                (0..1_000_000).map(|i| if i % 4999 == 7 { 1 + mix(i) % 40 } else { 0 }).collect();
            between::<f32, _>(gpu, &hostile(9000), &lens, Sum);
        }),
        Case::tier1(VULKAN, "segments, random lengths", random),
        Case::tier1(
            BOTH,
            "segments, lengths around chunks, subgroups, workgroups and tiles",
            |gpu, _| {
                let sizes = [1u32, 4, 16, 32, 64, 128, 256, 1024, 4096, 65_536];
                let around = sizes.into_iter().flat_map(|len| [len - 1, len, len + 1]);
                let lens: Vec<u32> = around.collect();
                let len = 100 + lens.iter().sum::<u32>() as usize;
                between::<f32, _>(gpu, &hostile(len), &lens, Sum);
                between::<u32, _>(gpu, &numbers(len), &lens, Sum);
            },
        ),
        Case::tier1(BOTH, "segments, many empty, and one giant among dwarfs", |gpu, _| {
            let lens: Vec<u32> =
                (0..100_000).map(|i| if i % 977 == 5 { 1 + mix(i) % 9 } else { 0 }).collect();
            between::<f32, _>(gpu, &hostile(2000), &lens, Sum);
            let mut lens: Vec<u32> = (0..5000).map(|i| mix(i) % 60).collect();
            lens[1234] = 1_100_003;
            let len = 100 + lens.iter().sum::<u32>() as usize;
            between::<f32, _>(gpu, &hostile(len), &lens, Sum);
        }),
        Case::tier2("segments, operators and types", |gpu, _| {
            let lens: Vec<u32> = (0..90).chain([700]).collect();
            let (floats, words) = (hostile(5000), numbers(5000));
            between::<f32, _>(gpu, &floats, &lens, Variance);
            between::<f32, _>(gpu, &floats, &lens, SumOfSquares);
            between::<f32, _>(gpu, &floats, &lens, ArgMin);
            between::<f32, _>(gpu, &floats, &lens, Product);
            between::<u32, _>(gpu, &words, &lens, Min);
            let doubles: Vec<f64> = floats.iter().map(|&x| 1.1 * f64::from(x)).collect();
            between::<f64, _>(gpu, &doubles, &lens, Sum);
            let bytes: Vec<u8> = words.iter().map(|word| word.to_le_bytes()[1]).collect();
            between::<u8, _>(gpu, &bytes, &lens, Sum);
            along::<u8, _>(gpu, &bytes, &[10, 50, 10], Sum);
            let points: Vec<[f32; 3]> =
                floats.chunks(3).filter_map(|xyz| xyz.try_into().ok()).collect();
            between::<[f32; 3], _>(gpu, &points, &lens[..50], Mean);
            along::<f32, _>(gpu, &floats, &[2, 50, 50], ArgMin);
        }),
        Case::tier2("segments, of all kinds of elements", |gpu, _| {
            let lens: Vec<u32> = (0..40).chain([300]).collect();
            let (floats, words) = (hostile(1300), numbers(1300));
            let halves: Vec<f16> = floats.iter().map(|&x| f16::from_f32(x)).collect();
            between::<f16, _>(gpu, &halves, &lens, Sum);
            along::<f16, _>(gpu, &halves, &[10, 6, 20], Max);
            let halves: Vec<bf16> = floats.iter().map(|&x| bf16::from_f32(x)).collect();
            between::<bf16, _>(gpu, &halves, &lens, Mean);
            let shorts: Vec<i16> = words.iter().map(|&word| (word >> 16) as u16 as i16).collect();
            between::<i16, _>(gpu, &shorts, &lens, BitXor);
            between::<i16, _>(gpu, &shorts, &lens, ArgMax.last());
            between::<f32, _>(gpu, &floats, &lens, ArgMinMax);
            between::<f32, _>(gpu, &floats, &lens, Min.nan(Nan::Ignore));
            between::<f32, _>(gpu, &floats, &lens, CountNan);
            let doubles: Vec<f64> = floats.iter().map(|&x| 1.1 * f64::from(x)).collect();
            between::<f64, _>(gpu, &doubles, &lens, Variance);
            between::<f64, _>(gpu, &doubles, &lens, MinMax);
            between::<f32, _>(gpu, &floats, &lens, MinMax);
            along::<i16, _>(gpu, &shorts, &[13, 10, 10], MinMax);
            between::<f32, _>(gpu, &floats, &lens, Moments);
            along::<f32, _>(gpu, &floats, &[4, 20, 16], Moments);
            between::<f64, _>(gpu, &doubles, &lens, ArgMin);
            let pairs: Vec<[f32; 2]> = floats.as_chunks().0.to_vec();
            between::<[f32; 2], _>(gpu, &pairs, &lens[..30], Sum);
            let quads: Vec<[u32; 4]> = words.as_chunks().0.to_vec();
            between::<[u32; 4], _>(gpu, &quads, &lens[..20], Max);
        }),
        Case::tier2("segments, NaNs by every rule", |gpu, _| {
            let lens: Vec<u32> = (0..40).chain([300]).collect();
            // Of either sign, among others and alone in a few segments.
            let is_nan = |i: usize| i % 5 == 2 || (90..160).contains(&i);
            let of = |(i, x): (usize, f32)| match is_nan(i) {
                true => f32::from_bits(x.to_bits() | 0x7fc0_0000),
                false => x,
            };
            let floats: Vec<f32> = hostile(1300).into_iter().enumerate().map(of).collect();
            between::<f32, _>(gpu, &floats, &lens, Sum.nan(Nan::Ignore));
            between::<f32, _>(gpu, &floats, &lens, Mean.nan(Nan::Ignore));
            between::<f32, _>(gpu, &floats, &lens, Max.nan(Nan::Ignore));
            between::<f32, _>(gpu, &floats, &lens, MinMax.nan(Nan::Ignore));
            between::<f32, _>(gpu, &floats, &lens, ArgMin.nan(Nan::Ignore));
            between::<f32, _>(gpu, &floats, &lens, ArgMax.nan(Nan::Ignore).last());
            between::<f32, _>(gpu, &floats, &lens, ArgMinMax.nan(Nan::Ignore));
            between::<f32, _>(gpu, &floats, &lens, Min.nan(Nan::Total));
            between::<f32, _>(gpu, &floats, &lens, Max.nan(Nan::Total));
            between::<f32, _>(gpu, &floats, &lens, MinMax.nan(Nan::Total));
            between::<f32, _>(gpu, &floats, &lens, ArgMin.nan(Nan::Total).last());
            between::<f32, _>(gpu, &floats, &lens, ArgMax.nan(Nan::Total));
            along::<f32, _>(gpu, &floats, &[13, 10, 10], Mean.nan(Nan::Ignore));
            along::<f32, _>(gpu, &floats, &[13, 10, 10], ArgMinMax.nan(Nan::Total));
            let wide = |x: &f32| match x.is_nan() {
                true => f64::from_bits((u64::from(x.to_bits()) << 32) | 0x7ff8_0000_0000_0000),
                false => 1.1 * f64::from(*x),
            };
            let doubles: Vec<f64> = floats.iter().map(wide).collect();
            between::<f64, _>(gpu, &doubles, &lens, Sum.nan(Nan::Ignore));
            between::<f64, _>(gpu, &doubles, &lens, Mean.nan(Nan::Ignore));
            between::<f64, _>(gpu, &doubles, &lens, Min.nan(Nan::Ignore));
            between::<f64, _>(gpu, &doubles, &lens, ArgMinMax.nan(Nan::Ignore));
            between::<f64, _>(gpu, &doubles, &lens, Max.nan(Nan::Total));
            between::<f64, _>(gpu, &doubles, &lens, ArgMin.nan(Nan::Total).last());
            let halves: Vec<f16> = floats.iter().map(|&x| f16::from_f32(x)).collect();
            between::<f16, _>(gpu, &halves, &lens, Mean.nan(Nan::Ignore));
            between::<f16, _>(gpu, &halves, &lens, Max.nan(Nan::Ignore));
        }),
        Case::tier2("segments of f64s, sums, means, squares and products", |gpu, _| {
            between_doubles(gpu, Sum);
            between_doubles(gpu, Mean);
            between_doubles(gpu, SumOfSquares);
            between_doubles(gpu, Norm);
            between_doubles(gpu, L1Norm);
            between_doubles(gpu, Mean.nan(Nan::Ignore));
            between_doubles(gpu, Product);
            along::<f64, _>(gpu, &doubles(), &[8, 300], SumOfSquares);
        }),
        // In integers on every device.
        Case::tier2("segments of f64s, variances", |gpu, _| {
            between_doubles(gpu, Variance);
            between_doubles(gpu, Variance.sample());
            along::<f64, _>(gpu, &doubles(), &[8, 300], Variance);
        }),
        // As a device that has no f64s does it.
        Case::tier2("segments of f64s, in software", |gpu, _| {
            let gpu = in_software(gpu);
            between_doubles(&gpu, Mean);
            between_doubles(&gpu, SumOfSquares);
            between_doubles(&gpu, Norm);
            along::<f64, _>(&gpu, &doubles(), &[8, 300], Norm);
        })
        .needs(|capabilities| capabilities.sound_doubles),
        Case::tier1(BOTH, "segments along axes", |gpu, _| {
            let floats = hostile(200_000);
            for shape in [
                &[200_000][..],
                &[1, 200],
                &[200, 1],
                &[700, 285],
                &[3, 4097, 2],
                &[2, 3, 5, 7, 11],
                &[0, 3],
            ] {
                along::<f32, _>(gpu, &floats, shape, Sum);
            }
        }),
        Case::tier1(BOTH, "segments, grids of few workgroups", |gpu, _| {
            let small = gpu.with_limits(|limits| limits.max_compute_workgroups_per_dimension = 2);
            let check = |gpu: &Gpu| {
                let lens: Vec<u32> = (0..3000).map(|i| mix(i) % 30).collect();
                between::<f32, _>(gpu, &hostile(50_000), &lens, Sum);
            };
            small.expect("a device with lower limits").check(check).expect("no errors");
        }),
        Case::tier1(BOTH, "segments, offsets that mean nothing", nonsense),
        Case::tier1(BOTH, "segments, offsets that are looked at", looked_at),
        Case::tier1(BOTH, "segments, recorded again and again", again),
        Case::tier1(BOTH, "segments that are refused", refused),
        Case::tier1(BOTH, "segments of arrays", arrays),
    ];
    cases.into_iter().map(|case| case.only(Variant::WorkgroupMemory)).collect()
}

/// Of exponents from -8 to 7, so that sums differ where their order does; some subnormal, some that overflow together.
pub fn hostile(len: usize) -> Vec<f32> {
    let of = |(i, bits): (usize, u32)| match i % 1013 {
        500 => f32::from_bits(bits & 0x807f_ffff),
        700 | 701 => f32::from_bits(0x7f7f_0000 | (bits & 0x8000_ffff)),
        _ => f32::from_bits((bits & 0x807f_ffff) | ((119 + (mix(bits) & 15)) << 23)),
    };
    numbers(len).into_iter().enumerate().map(of).collect()
}

/// Between offsets and in groups: of what overflows, what underflows, and what is not finite, too.
fn between_doubles<Op: Operator<f64> + Copy>(gpu: &Gpu, op: Op) {
    let all = doubles();
    let lens: Vec<u32> = (0..19).chain([60, 255, 256, 257, 0, 273, 299, 300, 400]).collect();
    between::<f64, _>(gpu, &all, &lens, op);
    let group_of = |at: u32| mix(at) % 6;
    let mut groups = vec![Vec::new(); 5];
    for (at, &element) in (0u32..).zip(&all) {
        // Those of the last number belong to none.
        if let Some(group) = groups.get_mut(group_of(at) as usize) {
            group.push(element);
        }
    }
    let numbers: Vec<u32> = (0u32..).zip(&all).map(|(at, _)| group_of(at)).collect();
    let segments = Segments::groups(slice_of(gpu, &numbers, 4, 0), 5);
    // At an odd word, as between offsets: of other places there are other shaders.
    let input = slice_of(gpu, &all, 4, 0);
    check::<f64, _>(gpu, &input, &segments, &groups, "in groups", op);
}

/// Three hundred of each kind.
fn doubles() -> Vec<f64> {
    let kinds = ["signed", "wide", "clustered", "small", "large", "barely", "subnormal", "any"];
    kinds.iter().flat_map(|kind| generate(kind, 7, 300)).collect()
}

fn offsets_of(lens: &[u32]) -> Vec<u32> {
    let mut offsets = vec![7];
    for len in lens {
        offsets.push(offsets[offsets.len() - 1] + len);
    }
    offsets
}

/// Room for so many results, from the second word of a buffer on.
fn room<Out: bytemuck::Pod>(gpu: &Gpu, count: usize) -> (GpuSlice<u32>, GpuSlice<Out>) {
    let words = count * size_of::<Out>() / 4;
    let all = slice_of(gpu, &vec![0xa5a5_a5a5u32; words + 2], 0, 0);
    let output = GpuSlice::new(all.buffer(), 4, count as u64).expect("within");
    (all, output)
}

/// What was written, after what is around it was found as it was.
fn written<Out: bytemuck::Pod>(gpu: &Gpu, all: &GpuSlice<u32>, count: usize) -> Vec<Out> {
    let words = crate::scans::read(
        gpu,
        &GpuSlice::<u32>::whole(all.buffer()).slice(0..all.len()).expect("within"),
    );
    let [first, .., last] = words[..] else { panic!("there are two at least") };
    assert_eq!((first, last), (0xa5a5_a5a5, 0xa5a5_a5a5), "something else was written");
    bytemuck::pod_collect_to_vec(&words[1..=count * size_of::<Out>() / 4])
}

pub fn check<T: Element, Op: Operator<T> + Copy>(
    gpu: &Gpu,
    input: impl Into<Input<T>>,
    segments: &Segments,
    own: &[Vec<T>],
    what: &str,
    op: Op,
) {
    check_by::<T, _>(gpu, input, segments, own, what, Precision::Reproducible, op);
}

pub fn check_by<T: Element, Op: Operator<T> + Copy>(
    gpu: &Gpu,
    input: impl Into<Input<T>>,
    segments: &Segments,
    own: &[Vec<T>],
    what: &str,
    precision: Precision,
    op: Op,
) {
    let (all, output) = room::<Op::Out>(gpu, own.len());
    let reducer = SegmentedReducer::<T, _>::new(&gpu.context, op).precision(precision);
    reducer.reduce_blocking(input, segments, &output).expect("reduces");
    let found = written::<Op::Out>(gpu, &all, own.len());
    let cpu = Executor::cpu().precision(precision);
    for (number, (found, own)) in found.iter().zip(own).enumerate() {
        let value = cpu.reduce(own, op).expect("reduces").value;
        // Of nothing what the identity is finished to.
        let wanted = Op::out(value).unwrap_or_else(|| out_of_nothing::<T, _>(op));
        assert_eq!(
            bytemuck::bytes_of(found),
            bytemuck::bytes_of(&wanted),
            "segment {number} of {} elements, {what}: {found:?}, not {wanted:?}",
            own.len()
        );
    }
}

fn between<T: Element, Op: Operator<T> + Copy>(gpu: &Gpu, elements: &[T], lens: &[u32], op: Op) {
    between_by::<T, _>(gpu, elements, lens, Precision::Reproducible, op);
}

pub fn between_by<T: Element, Op: Operator<T> + Copy>(
    gpu: &Gpu,
    elements: &[T],
    lens: &[u32],
    precision: Precision,
    op: Op,
) {
    let offsets = offsets_of(lens);
    let before = if size_of::<T>().is_multiple_of(4) { 4 } else { size_of::<T>() };
    let input = slice_of(gpu, elements, before, 0);
    let offsets_slice = slice_of(gpu, &offsets, 12, 4);
    let own: Vec<Vec<T>> = offsets
        .windows(2)
        .map(|pair| elements[pair[0] as usize..pair[1] as usize].to_vec())
        .collect();
    let segments = Segments::offsets(&offsets_slice);
    check_by::<T, _>(gpu, &input, &segments, &own, "between offsets", precision, op);
}

/// Offsets of many kinds: how long segments are, and how many of them are empty, differs from one to the next.
fn random(gpu: &Gpu, _: Variant) {
    for seed in 0..24 {
        let choose = |number: u32, below: u32| mix(9001 * seed + number) % below;
        let count = 1 + (choose(0, 30_000) >> choose(1, 12));
        // About 60 000 elements at most: few long ones, or many short ones.
        let most = 2 + choose(2, 60_000) / count;
        let (empty_of_8, giant) = (choose(3, 9), choose(4, count));
        let len = |i: u32| match choose(10 + 2 * i, 8) {
            _ if i == giant => 20_000 >> choose(5, 15),
            which if which < empty_of_8 => 0,
            _ => choose(11 + 2 * i, most),
        };
        let lens: Vec<u32> = (0..count).map(len).collect();
        let all = 100 + lens.iter().sum::<u32>() as usize;
        match seed % 4 {
            0 => between::<u32, _>(gpu, &numbers(all), &lens, Max),
            1 => between::<f32, _>(gpu, &hostile(all), &lens, Mean),
            _ => between::<f32, _>(gpu, &hostile(all), &lens, Sum),
        }
    }
}

/// Along each axis.
fn along<T: Element, Op: Operator<T> + Copy>(gpu: &Gpu, elements: &[T], shape: &[u64], op: Op) {
    let shape_in_memory: Vec<usize> =
        shape.iter().map(|&side| usize::try_from(side).expect("small")).collect();
    let len: usize = shape_in_memory.iter().product();
    let input = slice_of(gpu, &elements[..len], 8, 0);
    for axis in 0..shape.len() {
        let items = shape_in_memory[axis];
        let step: usize = shape_in_memory[axis + 1..].iter().product();
        let groups: usize = shape_in_memory[..axis].iter().product();
        let own: Vec<Vec<T>> = (0..groups * step)
            .map(|segment| {
                let first = segment / step * items * step + segment % step;
                (0..items).map(|item| elements[first + item * step]).collect()
            })
            .collect();
        let what = format!("along axis {axis} of {shape:?}");
        check::<T, _>(gpu, &input, &Segments::axis(shape, axis), &own, &what, op);
        if step == 1 && items > 0 {
            check::<T, _>(gpu, &input, &Segments::rows(items as u64), &own, "rows", op);
        }
    }
}

/// Nothing else is written, and segments that are sound have their results. Those behind the elements' end are cut.
fn nonsense(gpu: &Gpu, _: Variant) {
    let elements = numbers(5000);
    let input = slice_of(gpu, &elements, 0, 0).slice(0..4000).expect("within");
    let reducer = SegmentedReducer::<u32, _>::new(&gpu.context, Sum);
    let sums = |offsets: &[u32]| {
        let offsets_slice = slice_of(gpu, offsets, 0, 0);
        let (all, output) = room::<u32>(gpu, offsets.len() - 1);
        let segments = Segments::offsets(&offsets_slice);
        reducer.reduce_blocking(&input, &segments, &output).expect("reduces");
        written::<u32>(gpu, &all, offsets.len() - 1)
    };
    let sum = |range: std::ops::Range<usize>| {
        elements[range].iter().fold(0u32, |sum, x| sum.wrapping_add(*x))
    };
    assert_eq!(sums(&[10, 4500, u32::MAX, u32::MAX]), [sum(10..4000), 0, 0]);
    assert_eq!(sums(&[4001, 5000]), [0]);
    let offsets: Vec<u32> = numbers(3000).into_iter().map(|x| x >> (x % 23)).collect();
    assert_eq!(sums(&offsets).len(), 2999);
    // A segment that ends before it begins is empty, and another that has no chunk is right.
    assert_eq!(sums(&[100, 50, 60])[1], sum(50..60));
    assert_eq!(sums(&[100, 50, 60])[0], 0);
}

/// Of both widths, with gaps between them, and in several parts.
fn looked_at(gpu: &Gpu, _: Variant) {
    let context = &gpu.context;
    let wrong = |index, offset, least, most| {
        let error = SegmentError::Offset { index, offset, least, most };
        Err(Error::Prepare(PrepareError::Segments(error)))
    };
    let looked_at = |offsets: &GpuSlice<u32>, len| {
        Segments::check_offsets_blocking(context, offsets, len).map_err(|error| error.to_string())
    };
    let text = |result: Result<(), Error>| result.map_err(|error| error.to_string());
    let slice = slice_of(gpu, &[0u32, 0, 7, 7, 9], 8, 4);
    assert_eq!(looked_at(&slice, 9), Ok(()));
    assert_eq!(looked_at(&slice, 8), text(wrong(4, 9, 7, 8)));
    assert_eq!(looked_at(&slice.slice(0..0).expect("within"), 0), Ok(()));
    // More than are copied at once.
    let many = (1 << 20) + 3;
    let mut offsets: Vec<u32> = (0..many).collect();
    assert_eq!(looked_at(&slice_of(gpu, &offsets, 0, 0), u64::from(many)), Ok(()));
    offsets[many as usize - 2] = 5;
    let (index, least) = (u64::from(many) - 2, u64::from(many) - 3);
    let found = looked_at(&slice_of(gpu, &offsets, 0, 0), u64::from(many));
    assert_eq!(found, text(wrong(index, 5, least, u64::from(many))));
    let wide = slice_of(gpu, &[1u64, 1 << 40, 2], 0, 0);
    let found = Segments::check_offsets_blocking(context, &wide, 1 << 40);
    assert_eq!(text(found), text(wrong(2, 2, 1 << 40, 1 << 40)));
    // Every third word.
    let words = slice_of(gpu, &[4u32, 9, 9, 5, 9, 9, 6], 0, 0);
    let strided = GpuSlice::<u32>::strided(words.buffer(), words.offset_bytes(), 12, 3);
    let strided = strided.expect("within");
    let found = pollster::block_on(Segments::check_offsets(context, &strided, 5));
    assert_eq!(text(found), text(wrong(2, 6, 5, 5)));
}

fn again(gpu: &Gpu, _: Variant) {
    let elements = hostile(9000);
    let input = slice_of(gpu, &elements, 0, 0);
    let offsets = slice_of(gpu, &offsets_of(&[4000, 0, 33, 4000]), 0, 0);
    let (all, output) = room::<f32>(gpu, 4);
    let reducer = SegmentedReducer::<f32, _>::new(&gpu.context, Sum).label("segments");
    let prepared =
        reducer.prepare(&input, &Segments::offsets(&offsets), &output).expect("prepares");
    let text = prepared.plan().to_string();
    assert_eq!(text, "sum of 4 segments of 9000 elements of f32, 3 dispatches");
    let mut found = Vec::new();
    for in_a_pass in [false, true, false] {
        let mut encoder = gpu.encoder();
        match in_a_pass {
            true => prepared.record_in(
                &mut encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default()),
            ),
            false => prepared.record(&mut encoder),
        }
        let readback = prepared.record_readback(&mut encoder).expect("records");
        gpu.submit(encoder);
        let results = readback.wait_blocking().expect("results");
        found.push(results.iter().map(|x| x.to_bits()).collect());
        found.push(written::<f32>(gpu, &all, 4).iter().map(|x| x.to_bits()).collect::<Vec<_>>());
    }
    let wanted = Executor::cpu().reduce_segments::<f32, _>(
        &elements,
        &offsets_of(&[4000, 0, 33, 4000]),
        Sum,
    );
    let wanted: Vec<u32> = wanted.expect("reduces").iter().map(|x| x.to_bits()).collect();
    assert!(found.iter().all(|found| *found == wanted), "{found:?}");
}

fn refused(gpu: &Gpu, _: Variant) {
    let input = slice_of(gpu, &hostile(100), 0, 0);
    let offsets = slice_of(gpu, &[0u32, 50, 100], 0, 0);
    let by_offsets = Segments::offsets(&offsets);
    let (_, output) = room::<f32>(gpu, 10);
    let reducer = SegmentedReducer::<f32, _>::new(&gpu.context, Sum);
    let error = |input: &[GpuSlice<f32>], segments: &Segments, output: &GpuSlice<f32>| {
        reducer.plan(input, segments, output).expect_err("it is refused")
    };
    let of_segments = |error: PrepareError| match error {
        PrepareError::Segments(error) => error,
        other => panic!("{other}"),
    };
    let whole = std::slice::from_ref(&input);
    let found = of_segments(error(whole, &Segments::rows(7), &output));
    assert_eq!(found, SegmentError::Rows { len: 100, row_len: 7 });
    let found = of_segments(error(whole, &Segments::axis(&[10, 10], 2), &output));
    assert_eq!(found, SegmentError::Axis { axis: 2, rank: 2 });
    let found = of_segments(error(whole, &Segments::axis(&[10, 11], 0), &output));
    assert!(matches!(found, SegmentError::Shape { len: 100, .. }), "{found}");
    assert_eq!(of_segments(error(whole, &by_offsets, &input)), SegmentError::Aliasing);
    let over_offsets = GpuSlice::<f32>::whole(offsets.buffer());
    assert_eq!(of_segments(error(whole, &by_offsets, &over_offsets)), SegmentError::Aliasing);
    let short = output.slice(0..1).expect("within");
    let found = error(whole, &by_offsets, &short);
    assert!(matches!(found, PrepareError::ShortOutput { len: 1, needed: 2 }), "{found}");
    let doubles = slice_of(gpu, &[1.0f64; 100], 0, 0);
    let (_, double) = room::<f64>(gpu, 10);
    let exact = SegmentedReducer::<f64, _>::new(&gpu.context, Norm).precision(Precision::Exact);
    let found = exact.plan(&doubles, &Segments::rows(50), &double).expect_err("it rounds");
    assert!(matches!(of_segments(found), SegmentError::Inexact { most: 0, .. }));
    // Those that are done one by one, if the host knows where they are.
    let nan_variance = SegmentedReducer::<f32, _>::new(&gpu.context, Variance.nan(Nan::Ignore));
    let exact = nan_variance.precision(Precision::Exact);
    let found = exact.plan(whole, &by_offsets, &output).expect_err("it rounds");
    assert!(matches!(of_segments(found), SegmentError::Inexact { most: 1024, .. }));
    let plan = exact.plan(whole, &Segments::rows(50), &output).expect("a plan");
    assert!(plan.to_string().ends_with(", 2 segments alone"), "{plan}");
    let bits = slice_of(gpu, &[gridfold::Bits(1)], 0, 0);
    let (_, counts) = room::<u64>(gpu, 2);
    let counter = SegmentedReducer::<gridfold::Bits, _>::new(&gpu.context, gridfold::Count);
    let found = of_segments(counter.plan(&bits, &by_offsets, &counts).expect_err("of bits"));
    assert!(matches!(found, SegmentError::Element { .. }), "{found}");
}

fn arrays(gpu: &Gpu, _: Variant) {
    let (cpu, executor) = (Executor::cpu(), Executor::from_context(gpu.context.clone()));
    let executor = executor.host_slices(HostSlices::OnDevice);
    let elements = hostile(6000);
    let offsets = offsets_of(&[0, 1, 17, 3000, 0, 900]);
    let array = executor.upload(&elements).expect("uploads");
    let least = array.reduce_segments(&offsets, Min).expect("reduces");
    assert_eq!(least, cpu.reduce_segments(&elements, &offsets, Min).expect("reduces"));
    let places: Vec<Option<Place<f32>>> =
        array.reduce_axis(&[60, 100], 0, ArgMin).expect("reduces");
    let wanted = cpu.reduce_axis::<f32, _>(&elements, &[60, 100], 0, ArgMin).expect("reduces");
    assert_eq!(format!("{places:?}"), format!("{wanted:?}"));
    let bits = |sums: Vec<f32>| sums.into_iter().map(f32::to_bits).collect::<Vec<_>>();
    for precision in [Precision::Reproducible, Precision::Exact] {
        let (cpu, executor) =
            (cpu.clone().precision(precision), executor.clone().precision(precision));
        let found = executor.reduce_segments(&elements, &offsets, Sum).expect("reduces");
        let wanted = cpu.reduce_segments(&elements, &offsets, Sum).expect("reduces");
        assert_eq!(bits(found), bits(wanted));
    }
    let found = array.reduce_segments(&[0, 6001], Min);
    let refused = Err(Error::Prepare(PrepareError::Segments(SegmentError::Offset {
        index: 1,
        offset: 6001,
        least: 0,
        most: 6000,
    })));
    assert_eq!(
        format!("{found:?}"),
        format!("{refused:?}", refused = refused as Result<Vec<Option<f32>>, _>)
    );
    assert_eq!(array.reduce_segments(&[], Min).expect("none"), []);
}
