//! Segments of elements that have a stride, that lie in several slices, and that no binding spans: each as if it were alone.

use crate::{
    BOTH, Case, OPENGL, VULKAN,
    custom::examples,
    device::Gpu,
    scans::{assert_same, numbers, read, slice_of, unwritten},
    segments::{check, check_by, hostile},
    support::data::mix,
};
use gridfold::{
    ArgMin, Bins, Count, Element, Error, Executor, GpuSlice, HostSlices, Max, Mean, Min, Norm,
    Operator, Precision, PrepareError, SegmentError, SegmentedReducer, Segments, Sum, SumOfSquares,
    SumWide, Variance, Variant, half::f16,
};

pub fn cases() -> Vec<Case> {
    let cases = vec![
        Case::tier1(VULKAN, "segments, strided elements", |gpu, _| {
            let floats = hostile(3000);
            strided::<f32, _>(gpu, &floats, 4, 12, Sum);
            strided::<f32, _>(gpu, &floats, 0, 8, ArgMin);
            strided::<f32, _>(gpu, &floats, 8, 20, Variance);
            strided::<u32, _>(gpu, &numbers(3000), 4, 400, Max);
            let doubles: Vec<f64> = floats.iter().map(|&x| 1.1 * f64::from(x)).collect();
            strided::<f64, _>(gpu, &doubles, 4, 12, Sum);
            let bytes: Vec<u8> = numbers(3000).iter().map(|word| word.to_le_bytes()[1]).collect();
            strided::<u8, _>(gpu, &bytes, 1, 3, Sum);
            let halves: Vec<f16> = floats.iter().map(|&x| f16::from_f32(x)).collect();
            strided::<f16, _>(gpu, &halves, 2, 6, Mean);
            let points: Vec<[f32; 3]> = hostile(9000).as_chunks().0.to_vec();
            strided::<[f32; 3], _>(gpu, &points, 8, 20, Sum);
        }),
        Case::tier2(
            "segments, strided elements, exact and of an operator of one's own",
            |gpu, _| {
                let floats = hostile(3000);
                let input = strided_of(gpu, &floats, 4, 12);
                let own = rows(&floats, 100);
                let exact = Precision::Exact;
                check_by::<f32, _>(
                    gpu,
                    &input,
                    &Segments::rows(100),
                    &own,
                    "exact rows",
                    exact,
                    Sum,
                );
                let affine = examples::affine();
                let words = numbers(3000);
                let input = strided_of(gpu, &words, 4, 12);
                let output = unwritten::<[u32; 2]>(gpu, 10, 0, 0);
                let reducer = SegmentedReducer::new(&gpu.context, affine.operator.clone());
                reducer.reduce_blocking(&input, &Segments::rows(300), &output).expect("reduces");
                let wanted: Vec<_> = words.chunks(300).map(|own| affine.result(own)).collect();
                assert_same(&read(gpu, &output), &wanted, || "strided rows".to_owned());
            },
        ),
        Case::tier1(OPENGL, "segments, groups in one pass of several slices", |gpu, _| {
            let words = numbers(9000);
            grouped::<u32, _>(gpu, &words, 10, Sum);
            grouped::<u32, _>(gpu, &words, 500, SumWide);
            grouped::<f32, _>(gpu, &hostile(9000), 77, Max);
            let bytes: Vec<u8> = words.iter().map(|word| word.to_le_bytes()[1]).collect();
            grouped::<u8, _>(gpu, &bytes, 3, Min);
            let wide: Vec<u64> = words.iter().map(|&x| u64::from(x) * 0x1_0000_0301).collect();
            grouped::<u64, _>(gpu, &wide, 40, Sum);
            grouped_apart::<u32, _>(gpu, &words, 30, Max);
            grouped_apart::<u64, _>(gpu, &wide, 30, Sum);
            // Of several bindings.
            let check = |gpu: &Gpu| {
                let words = numbers(11_000);
                grouped::<u32, _>(gpu, &words, 10, Sum);
                let bytes: Vec<u8> = words.iter().map(|word| word.to_le_bytes()[1]).collect();
                grouped::<u8, _>(gpu, &bytes, 40, Min);
            };
            small(gpu).check(check).expect("no errors");
        }),
        Case::tier1(OPENGL, "segments, rows and axes of several slices", |gpu, _| {
            let floats = hostile(6000);
            // Cut between rows and within them, in the middle of a chunk, and so that a row lies in four slices.
            for ends in [
                &[3000usize, 6000][..],
                &[1, 3005, 3010, 3011, 6000],
                &[16, 300, 301, 302, 303, 5999, 6000],
                &[0, 0, 2999, 2999, 6000],
            ] {
                let slices = cut_of(gpu, &floats, ends);
                for row_len in [1usize, 24, 60, 300, 2000, 6000] {
                    let (segments, own) = (Segments::rows(row_len as u64), rows(&floats, row_len));
                    let what = format!("rows of {row_len} in slices to {ends:?}");
                    check::<f32, _>(gpu, &slices[..], &segments, &own, &what, Sum);
                }
                for shape in [[20usize, 30, 10], [1, 1500, 4], [2, 60, 50], [3, 400, 5]] {
                    let segments = Segments::axis(&shape.map(|side| side as u64), 1);
                    let what = format!("along axis 1 of {shape:?} in slices to {ends:?}");
                    check::<f32, _>(
                        gpu,
                        &slices[..],
                        &segments,
                        &along(&floats, shape),
                        &what,
                        Mean,
                    );
                }
            }
            let exact = Precision::Exact;
            let slices = cut_of(gpu, &floats, &[2500, 6000]);
            let own = rows(&floats, 1000);
            check_by::<f32, _>(gpu, &slices[..], &Segments::rows(1000), &own, "exact", exact, Sum);
            let strided =
                [strided_of(gpu, &floats[..2500], 4, 12), slice_of(gpu, &floats[2500..], 8, 0)];
            check::<f32, _>(
                gpu,
                &strided[..],
                &Segments::rows(1000),
                &own,
                "rows, some strided",
                Sum,
            );
            let own = along(&floats, [2, 300, 10]);
            let segments = Segments::axis(&[2, 300, 10], 1);
            check::<f32, _>(gpu, &strided[..], &segments, &own, "an axis, some strided", Sum);
        }),
        Case::tier1(VULKAN, "segments, windows over a buffer", |gpu, _| {
            small(gpu).check(windows).expect("no errors");
        }),
        Case::tier2("segments between offsets of arrays that no binding spans", |gpu, _| {
            small(gpu).check(arrays).expect("no errors");
        }),
        Case::tier2("segments of arrays, block by block", |gpu, _| {
            small(gpu).check(blocks).expect("no errors");
        }),
        Case::tier1(BOTH, "segments of inputs that are refused", refused),
    ];
    cases.into_iter().map(|case| case.only(Variant::WorkgroupMemory)).collect()
}

/// Bindings of 8196 words, and arrays in buffers of 12 000.
fn small(gpu: &Gpu) -> Gpu {
    let small = gpu.with_limits(|limits| {
        limits.max_storage_buffer_binding_size = (1 << 15) + 16;
        limits.max_buffer_size = 48_000;
    });
    small.expect("a device with lower limits")
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

/// Slices that end there, each of a buffer of its own, from another word on.
fn cut_of<T: Element>(gpu: &Gpu, elements: &[T], ends: &[usize]) -> Vec<GpuSlice<T>> {
    let begins = [0].into_iter().chain(ends.iter().copied());
    let ranges = begins.zip(ends).enumerate();
    ranges.map(|(i, (begin, &end))| slice_of(gpu, &elements[begin..end], 4 * (i % 5), 0)).collect()
}

fn rows<T: Element>(elements: &[T], row_len: usize) -> Vec<Vec<T>> {
    elements.chunks(row_len).map(<[T]>::to_vec).collect()
}

/// Along the middle one of three axes.
fn along<T: Element>(elements: &[T], [groups, items, step]: [usize; 3]) -> Vec<Vec<T>> {
    let own = |segment: usize| {
        let first = segment / step * items * step + segment % step;
        (0..items).map(|item| elements[first + item * step]).collect()
    };
    (0..groups * step).map(own).collect()
}

/// By every kind of segments.
fn strided<T: Element, Op: Operator<T> + Copy>(
    gpu: &Gpu,
    all: &[T],
    begin: usize,
    stride: usize,
    op: Op,
) {
    let input = strided_of(gpu, all, begin, stride);
    let what = |kind: &str| format!("{kind}, {stride} bytes apart");
    let mut offsets = vec![5u32];
    for len in [0u32, 1, 2, 15, 16, 17, 31, 0, 33, 255, 256, 257, 1100, 0] {
        offsets.push(offsets[offsets.len() - 1] + len);
    }
    let pairs = offsets.windows(2);
    let own: Vec<Vec<T>> =
        pairs.map(|pair| all[pair[0] as usize..pair[1] as usize].to_vec()).collect();
    let by_offsets = Segments::offsets(&slice_of(gpu, &offsets, 0, 0));
    check::<T, _>(gpu, &input, &by_offsets, &own, &what("between offsets"), op);
    check::<T, _>(gpu, &input, &Segments::rows(60), &rows(all, 60), &what("rows"), op);
    // Rows whose chunks are joined, if any are.
    let own = rows(&all[..2816], 256);
    let first = input.slice(0..2816).expect("within");
    check::<T, _>(gpu, &first, &Segments::rows(256), &own, &what("rows of 256"), op);
    let own = along(all, [3, 100, 10]);
    check::<T, _>(gpu, &input, &Segments::axis(&[3, 100, 10], 1), &own, &what("along an axis"), op);
    let own: Vec<Vec<T>> = (0..30)
        .map(|row| (0..100).map(|i| all[(i / 10 * 30 + row) * 10 + i % 10]).collect())
        .collect();
    let segments = Segments::axes(&[10, 30, 10], &[0, 2]);
    check::<T, _>(gpu, &input, &segments, &own, &what("along axes apart"), op);
    let groups: Vec<u32> = (0..3000).map(|i| mix(i) % 11).collect();
    let own: Vec<Vec<T>> = (0..9)
        .map(|group| {
            let own = all.iter().zip(&groups).filter(|(_, own)| **own == group);
            own.map(|(element, _)| *element).collect()
        })
        .collect();
    let segments = Segments::groups(slice_of(gpu, &groups, 0, 0), 9);
    check::<T, _>(gpu, &input, &segments, &own, &what("in groups"), op);
}

/// Numbers of groups, some of which there are not, and the elements of those that there are.
fn groups_of<T: Element>(all: &[T], groups: u32) -> (Vec<u32>, Vec<Vec<T>>) {
    let number = |&x: &u32| mix(x) % (groups + groups / 8 + 1);
    let numbers: Vec<u32> = numbers(all.len()).iter().map(number).collect();
    let mut own = vec![Vec::new(); groups as usize];
    for (&element, &number) in all.iter().zip(&numbers) {
        if let Some(group) = own.get_mut(number as usize) {
            group.push(element);
        }
    }
    (numbers, own)
}

/// In groups in one pass: elements and numbers in slices of their own.
fn grouped<T: Element, Op: Operator<T> + Copy>(gpu: &Gpu, all: &[T], groups: u32, op: Op) {
    let (numbers, own) = groups_of(all, groups);
    let len = all.len();
    for (ends, number_ends) in [
        (&[len / 3, len][..], &[len][..]),
        (&[len], &[1, 4097, len]),
        (&[0, 5, 5001, 5001, 5003, len], &[5, 5, 4096, len - 1, len]),
        (&[len], &[len]),
    ] {
        let (elements, slices) = (cut_of(gpu, all, ends), cut_of(gpu, &numbers, number_ends));
        let segments = Segments::groups(slices, groups);
        let what = format!("in {groups} groups, cut at {ends:?} and at {number_ends:?}");
        check::<T, _>(gpu, &elements[..], &segments, &own, &what, op);
    }
}

/// The same of elements that are apart from each other, and of every second number.
fn grouped_apart<T: Element, Op: Operator<T> + Copy>(gpu: &Gpu, all: &[T], groups: u32, op: Op) {
    let (numbers, own) = groups_of(all, groups);
    let numbers = strided_of(gpu, &numbers, 4, 8);
    let cut = numbers.len() / 5;
    let slices = [numbers.slice(0..cut), numbers.slice(cut..numbers.len())];
    let segments = Segments::groups(slices.map(|slice| slice.expect("within")), groups);
    let elements = strided_of(gpu, all, 4, 3 * size_of::<T>().next_multiple_of(4));
    let cut = elements.len() / 2 + 1;
    let slices = [elements.slice(0..cut), elements.slice(cut..elements.len())];
    let slices = slices.map(|slice| slice.expect("within"));
    check::<T, _>(gpu, &slices, &segments, &own, "in groups, apart", op);
}

/// A buffer that takes several bindings, whose rows and columns they have, and others that are longer than a binding.
fn windows(gpu: &Gpu) {
    let floats = hostile(11_000);
    let input = slice_of(gpu, &floats, 12, 0);
    for row_len in [1usize, 40, 1000, 5500, 11_000] {
        let (segments, own) = (Segments::rows(row_len as u64), rows(&floats, row_len));
        check::<f32, _>(gpu, &input, &segments, &own, &format!("rows of {row_len}"), Sum);
    }
    for shape in [[11usize, 50, 20], [1, 2200, 5], [2, 5500, 1], [5, 2, 1100]] {
        let segments = Segments::axis(&shape.map(|side| side as u64), 1);
        let own = along(&floats, shape);
        check::<f32, _>(gpu, &input, &segments, &own, &format!("along axis 1 of {shape:?}"), Sum);
    }
    let reducer = SegmentedReducer::<f32, _>::new(&gpu.context, Sum);
    let room = unwritten::<f32>(gpu, 11_000, 0, 0);
    let plan = reducer.plan(&input, &Segments::rows(11_000), &room).expect("a plan");
    assert!(plan.to_string().ends_with(", 1 segment alone"), "{plan}");
    let plan = reducer.plan(&input, &Segments::rows(1000), &room).expect("a plan");
    assert!(!plan.to_string().ends_with("alone"), "{plan}");
    // Totals of chunks take more bytes than the elements.
    let (segments, own) = (Segments::rows(1000), rows(&floats, 1000));
    let exact = Precision::Exact;
    check_by::<f32, _>(gpu, &input, &segments, &own, "exact variances", exact, Variance);
    check_by::<f32, _>(gpu, &input, &segments, &own, "exact norms", exact, Norm);
    let segments = Segments::axis(&[4, 55, 50], 1);
    let own = along(&floats, [4, 55, 50]);
    check_by::<f32, _>(gpu, &input, &segments, &own, "exact, along an axis", exact, SumOfSquares);
    // And so do results.
    let bytes: Vec<u8> = numbers(5000).iter().map(|word| (word % 2) as u8).collect();
    let input = slice_of(gpu, &bytes, 0, 0);
    check::<u8, _>(gpu, &input, &Segments::rows(1), &rows(&bytes, 1), "rows of one byte", Count);
    let strided = strided_of(gpu, &floats[..900], 4, 52);
    check::<f32, _>(
        gpu,
        &strided,
        &Segments::rows(9),
        &rows(&floats[..900], 9),
        "strided rows",
        Sum,
    );
}

fn arrays(gpu: &Gpu) {
    let cpu = Executor::cpu();
    let executor = Executor::from_context(gpu.context.clone()).host_slices(HostSlices::OnDevice);
    let floats = hostile(70_000);
    let array = executor.upload(&floats).expect("uploads");
    assert!(array.gpu_slices().expect("on a GPU").len() > 4, "it is to be in several buffers");
    let bits = |all: Vec<f32>| all.into_iter().map(f32::to_bits).collect::<Vec<_>>();
    let mut offsets = vec![3u32];
    for i in 0..2000 {
        let len = match i {
            100 => 9000,
            777 => 25_000,
            _ if i % 3 == 0 => 0,
            _ => mix(i) % 40,
        };
        offsets.push((offsets[offsets.len() - 1] + len).min(70_000));
    }
    let found = array.reduce_segments(&offsets, Sum).expect("reduces");
    let wanted = cpu.reduce_segments(&floats, &offsets, Sum).expect("reduces");
    assert_eq!(bits(found), bits(wanted), "between offsets");
    let exactly = executor.clone().precision(Precision::Exact);
    let exact_array = exactly.upload(&floats).expect("uploads");
    let found = exact_array.reduce_segments(&offsets, Variance).expect("reduces");
    let wanted = cpu.clone().precision(Precision::Exact);
    let wanted = wanted.reduce_segments(&floats, &offsets, Variance).expect("reduces");
    assert_eq!(bits(found), bits(wanted), "exact variances between offsets");
    let found = array.reduce_segments(&[0, 0, 70_000, 70_000], ArgMin).expect("reduces");
    let wanted = cpu.reduce_segments::<f32, _>(&floats, &[0, 0, 70_000, 70_000], ArgMin);
    assert_eq!(format!("{found:?}"), format!("{:?}", wanted.expect("reduces")));
    let found = array.reduce_lengths(&[20_000, 1, 0, 30_000], Sum).expect("reduces");
    let wanted = cpu.reduce_lengths::<f32, _>(&floats, &[20_000, 1, 0, 30_000], Sum);
    assert_eq!(bits(found), bits(wanted.expect("reduces")), "of lengths");
    for (shape, axis) in [(&[70, 1000][..], 1), (&[700, 100], 0), (&[2, 7000, 5], 1)] {
        let found = array.reduce_axis(shape, axis, Sum).expect("reduces");
        let wanted = cpu.reduce_axis(&floats, shape, axis, Sum).expect("reduces");
        assert_eq!(bits(found), bits(wanted), "along axis {axis} of {shape:?}");
    }
    let keys: Vec<u32> = (0..70_000).map(|i| i / 900 + u32::from(i > 40_000)).collect();
    let (unique, found) =
        array.reduce_by_runs(&executor.upload(&keys).expect("uploads"), Sum).expect("reduces");
    let (wanted_keys, wanted) =
        cpu.reduce_by_runs::<f32, _, u32>(&keys, &floats, Sum).expect("reduces");
    assert_eq!(unique.download().expect("downloads"), wanted_keys);
    assert_eq!(bits(found), bits(wanted), "of runs");
    let flags: Vec<u32> = (0..70_000).map(|i| u32::from(mix(i) % 3000 == 1)).collect();
    let found = array.reduce_flagged(&executor.upload(&flags).expect("uploads"), Sum);
    let wanted = cpu.reduce_flagged::<f32, _, u32>(&floats, &flags, Sum).expect("reduces");
    assert_eq!(bits(found.expect("reduces")), bits(wanted), "by flags");
    // In several buffers, as their numbers are. No binding has all of group 7, and some elements are of no group.
    let number_of = |i: u32| if i.is_multiple_of(4) { 7 } else { mix(i) % 90 };
    let groups: Vec<u32> = (0..70_000).map(number_of).collect();
    let on_device = executor.upload(&groups).expect("uploads");
    assert!(on_device.gpu_slices().expect("on a GPU").len() > 4, "they are to be in several, too");
    let found = array.reduce_groups(&on_device, 80, Max).expect("reduces");
    let wanted = cpu.reduce_groups(&floats, &groups, 80, Max).expect("reduces");
    assert_eq!(format!("{found:?}"), format!("{wanted:?}"), "in groups");
    let found = executor.reduce_groups(&keys, &groups, 60, Sum).expect("reduces");
    let wanted = cpu.reduce_groups(&keys, &groups, 60, Sum).expect("reduces");
    assert_eq!(found, wanted, "in groups of a slice");
    let by_floats = executor.upload(&keys).expect("uploads");
    let bins = Bins::even(50, -1.0..=1.0).expect("there are such");
    let found = array.bin_numbers(&bins).expect("numbers").download().expect("downloads");
    assert_eq!(found, cpu.bin_numbers(&floats, &bins).expect("numbers"), "numbers of bins");
    let found = by_floats.reduce_bins(&array, &bins, Sum).expect("reduces");
    let wanted = cpu.reduce_bins::<u32, _, f32>(&keys, &floats, &bins, Sum).expect("reduces");
    assert_eq!(found, wanted, "by bin");
    // What has an order comes part by part.
    let found = array.reduce_groups(&on_device, 80, Sum).expect("reduces");
    let wanted = cpu.reduce_groups(&floats, &groups, 80, Sum).expect("reduces");
    assert_eq!(bits(found), bits(wanted), "sums in groups");
    let found = exact_array.reduce_groups(&on_device, 8, Mean).expect("reduces");
    let wanted = cpu.clone().precision(Precision::Exact);
    let wanted = wanted.reduce_groups(&floats, &groups, 8, Mean).expect("reduces");
    assert_eq!(bits(found), bits(wanted), "exact means in groups");
    let found = array.reduce_bins(&array, &bins, Sum).expect("reduces");
    let wanted = cpu.reduce_bins::<f32, _, f32>(&floats, &floats, &bins, Sum).expect("reduces");
    assert_eq!(bits(found), bits(wanted), "sums by bin");
    let pairs_of_floats: Vec<[f32; 2]> = floats.iter().map(|&x| [x, 1.0]).collect();
    let pairs = executor.upload(&pairs_of_floats).expect("uploads");
    let found = pairs.reduce_groups(&on_device, 80, Sum).expect("reduces");
    let wanted = cpu.reduce_groups(&pairs_of_floats, &groups, 80, Sum).expect("reduces");
    let bits_of = |pairs: Vec<[f32; 2]>| -> Vec<[u32; 2]> {
        pairs.into_iter().map(|pair| pair.map(f32::to_bits)).collect()
    };
    assert_eq!(bits_of(found), bits_of(wanted), "sums of pairs in groups");
    around_a_binding::<[f32; 2], _>(gpu, &executor, &pairs_of_floats, Sum);
    let doubles: Vec<f64> = floats[..4099].iter().map(|&x| 1.1 * f64::from(x)).collect();
    around_a_binding::<f64, _>(gpu, &executor, &doubles, Sum);
    let words = numbers(30_000);
    let affine = examples::affine();
    let array = executor.upload(&words).expect("uploads");
    let found = array.reduce_segments(&[1, 1, 40, 29_000, 29_999], affine.operator.clone());
    let wanted: Vec<_> = [1..1, 1..40, 40..29_000, 29_000..29_999]
        .into_iter()
        .map(|range| affine.result(&words[range]))
        .collect();
    assert_same(&found.expect("reduces"), &wanted, || "of one's own".to_owned());
    let groups = executor.upload(&groups[..30_000]).expect("uploads");
    let found = array.reduce_groups(&groups, 30, affine.operator.clone()).expect("reduces");
    let own = |group: u32| {
        let own = (0u32..).zip(&words).filter(|&(at, _)| number_of(at) == group);
        affine.result(&own.map(|(_, &word)| word).collect::<Vec<_>>())
    };
    let wanted: Vec<_> = (0..30).map(own).collect();
    assert_same(&found, &wanted, || "in groups, of one's own".to_owned());
}

/// Elements of 8 bytes in two groups, as many as a binding has room for, some fewer, and one more. A copy of them needs no more room than they do.
fn around_a_binding<T: Element, Op: Operator<T> + Copy>(
    gpu: &Gpu,
    executor: &Executor,
    all: &[T],
    op: Op,
) {
    for len in [4096, 4098, 4099] {
        let (numbers, own) = groups_of(&all[..len], 2);
        if len < 4099 {
            let input = slice_of(gpu, &all[..len], 0, 0);
            let segments = Segments::groups(slice_of(gpu, &numbers, 0, 0), 2);
            check::<T, _>(gpu, &input, &segments, &own, &format!("{len} in two groups"), op);
        }
        let array = executor.upload(&all[..len]).expect("uploads");
        let on_device = executor.upload(&numbers).expect("uploads");
        let found = array.reduce_groups(&on_device, 2, op).expect("reduces");
        let wanted = Executor::cpu().reduce_groups(&all[..len], &numbers, 2, op);
        let wanted = wanted.expect("reduces");
        assert_eq!(format!("{found:?}"), format!("{wanted:?}"), "{len} of an array");
    }
}

/// Where no binding has segments side by side, or their results.
fn blocks(gpu: &Gpu) {
    let words = numbers(48_000);
    let floats = hostile(48_000);
    along_axes::<f32, _>(gpu, &floats, Precision::Reproducible, Sum);
    along_axes::<f32, _>(gpu, &floats, Precision::Exact, Variance);
    along_axes::<f32, _>(gpu, &floats, Precision::Reproducible, ArgMin);
    along_axes::<u32, _>(gpu, &words, Precision::Reproducible, SumWide);
    let bytes: Vec<u8> = words.iter().map(|word| word.to_le_bytes()[1]).collect();
    along_axes::<u8, _>(gpu, &bytes, Precision::Reproducible, Max);
    let doubles: Vec<f64> = floats.iter().map(|&x| 1.1 * f64::from(x)).collect();
    along_axes::<f64, _>(gpu, &doubles, Precision::Exact, Sum);
    let affine = examples::affine();
    let executor = Executor::from_context(gpu.context.clone());
    let array = executor.upload(&words).expect("uploads");
    let own = along(&words, [1, 16, 3000]);
    let wanted: Vec<_> = own.iter().map(|column| affine.result(column)).collect();
    let found = array.reduce_axis(&[16, 3000], 0, affine.operator.clone()).expect("reduces");
    assert_same(&found, &wanted, || "columns of an array, of one's own".to_owned());
    let found = executor.reduce_axis(&words, &[16, 3000], 0, affine.operator.clone());
    assert_same(&found.expect("reduces"), &wanted, || "columns, of one's own".to_owned());
    // Each element is a segment.
    let array = executor.upload(&floats).expect("uploads");
    let offsets: Vec<u32> = (0..=48_000).collect();
    let found = [
        array.reduce_segments(&offsets, Sum).expect("reduces"),
        array
            .reduce_flagged::<_, u32>(&executor.upload(&[1u32; 48_000]).expect("uploads"), Sum)
            .expect("reduces"),
        array
            .reduce_by_runs(&executor.upload(&offsets[1..]).expect("uploads"), Sum)
            .expect("reduces")
            .1,
    ];
    for (found, what) in found.iter().zip(["between offsets", "by flags", "of runs"]) {
        assert_same(found, &floats, || what.to_owned());
    }
}

/// Columns, results, and segments, that are more than a binding has; and axes that are apart.
fn along_axes<T: Element, Op: Operator<T> + Copy>(
    gpu: &Gpu,
    all: &[T],
    precision: Precision,
    op: Op,
) {
    let executor = Executor::from_context(gpu.context.clone()).host_slices(HostSlices::OnDevice);
    let executor = executor.precision(precision);
    let array = executor.upload(all).expect("uploads");
    let cpu = Executor::cpu().precision(precision);
    let bytes = |values: Vec<Op::Value>| -> Vec<Vec<u8>> {
        let bytes = |out: Op::Out| bytemuck::bytes_of(&out).to_vec();
        values.into_iter().map(|value| Op::out(value).map_or(Vec::new(), bytes)).collect()
    };
    for (shape, axes) in [
        (&[16, 3000][..], &[0][..]),
        (&[48_000, 1], &[1]),
        (&[1, 48_000], &[0]),
        (&[2, 24_000], &[1]),
        (&[24_000, 2], &[0]),
        (&[2, 2, 12_000], &[1]),
        (&[4, 3000, 4], &[0, 2]),
        (&[24, 2, 1000], &[0, 2]),
    ] {
        let wanted = bytes(cpu.reduce_axes(all, shape, axes, op).expect("reduces"));
        let what = format!("{} of {} along {axes:?} of {shape:?}", op.spec().operator, T::TYPE);
        let found = executor.reduce_axes(all, shape, axes, op).expect("reduces");
        assert!(bytes(found) == wanted, "{what}");
        let found = array.reduce_axes(shape, axes, op).expect("reduces");
        assert!(bytes(found) == wanted, "{what}, of an array");
    }
}

fn refused(gpu: &Gpu, _: Variant) {
    let floats = hostile(6000);
    let reducer = SegmentedReducer::<f32, _>::new(&gpu.context, Sum);
    let slices = cut_of(gpu, &floats, &[2000, 6000]);
    let output = unwritten::<f32>(gpu, 6000, 0, 0);
    let refused = |segments: &Segments| match reducer.plan(&slices[..], segments, &output) {
        Err(PrepareError::Segments(error)) => error,
        other => panic!("{other:?}"),
    };
    let numbers = slice_of(gpu, &vec![1u32; 6000], 0, 0);
    let two = [0..10, 10..6000].map(|range| numbers.slice(range).expect("within"));
    let one = slice_of(gpu, &floats, 0, 0);
    let error = reducer.plan(&one, &Segments::groups(two, 7), &output).expect_err("two slices");
    let wanted = SegmentError::Input { slices: 2 };
    assert!(matches!(error, PrepareError::Segments(error) if error == wanted));
    for segments in [Segments::groups(&numbers, 7), Segments::axes(&[10, 60, 10], &[0, 2])] {
        assert_eq!(refused(&segments), SegmentError::Input { slices: 2 });
    }
    // Each of 3000 columns lies in both.
    let columns = refused(&Segments::axis(&[2, 3000], 0));
    assert_eq!(columns, SegmentError::Split { segments: 1025, most: 1024 });
    // Arrays tell what reducers tell.
    let executor = Executor::from_context(gpu.context.clone());
    let exactly = executor.precision(Precision::Exact).upload(&[1u32, 2]).expect("uploads");
    let affine = examples::affine();
    let error = exactly.reduce_segments(&[0, 1], affine.operator.clone()).expect_err("who knows");
    assert!(matches!(error, Error::Prepare(PrepareError::Imprecise { .. })), "{error}");
}
