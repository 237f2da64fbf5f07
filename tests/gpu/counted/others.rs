//! Differences and histograms of as many elements as a number on the device says: what those of as many give, and nothing else is written.

use super::{around, first, numbers, ordinary, slices};
use crate::{
    BOTH, Case,
    device::Gpu,
    scans::{read, slice_of, unwritten},
};
use gridfold::{
    BinCount, Binned, Bins, Compaction, Compactor, Counted, DifferenceElement, Differencer,
    Element, Executor, GpuSlice, Histogram, Policy, Predicate, PrepareError, Scan, Scanner, Sum,
    Variant,
};

pub fn cases() -> Vec<Case> {
    let cases = vec![
        Case::tier1(BOTH, "counted, differences", |gpu, _| {
            let lens = around(&[0, 4, 1024, 4096, 7000, 8192, 20_002]);
            differences::<f32>(gpu, &ordinary(20_003), &lens);
            differences::<u32>(gpu, &numbers(20_003), &lens);
            let wide: Vec<u64> = numbers(9001).iter().map(|&x| u64::from(x) << 9 | 1).collect();
            differences::<u64>(gpu, &wide, &[0, 1, 4096, 4097, 9001, 10_000]);
            differences::<u32>(gpu, &[], &[0, 1]);
        }),
        // Several launches, of two blocks at most.
        Case::tier1(BOTH, "counted, differences of several launches", |gpu, _| {
            let small = small(gpu);
            let lens = around(&[0, 4096, 8192, 12_288, 16_384, 20_002]);
            let check = |gpu: &Gpu| differences::<u32>(gpu, &numbers(20_003), &lens);
            small.check(check).expect("no errors");
        }),
        // A lane of the first pass takes a block. The last slice, which begins at 566_667, has 277 blocks.
        Case::tier1(
            BOTH,
            "counted, differences of more blocks than a workgroup has lanes",
            |gpu, _| {
                let begin = 1_700_001 / 3;
                let lens = [5, begin + 1, begin + (256 << 12), begin + (256 << 12) + 1, 1_700_001];
                differences::<u32>(gpu, &numbers(1_700_001), &lens);
            },
        ),
        Case::tier1(BOTH, "counted, histograms", |gpu, _| {
            let lens = around(&[0, 16, 1024, 4096, 8192, 16_384, 40_002]);
            every_histogram(gpu, &lens);
        }),
        Case::tier1(BOTH, "counted, histograms of several launches", |gpu, _| {
            let lens = around(&[0, 8192, 16_384, 32_768, 40_002]);
            small(gpu).check(|gpu: &Gpu| every_histogram(gpu, &lens)).expect("no errors");
        }),
        Case::tier1(BOTH, "counted, numbers of bins", |gpu, _| every_number_of_bins(gpu)),
        Case::tier1(BOTH, "counted, numbers of bins, of several launches", |gpu, _| {
            let small = gpu.with_limits(|limits| limits.max_compute_workgroups_per_dimension = 2);
            let small = small.expect("a device with lower limits");
            small.check(every_number_of_bins).expect("no errors");
        }),
        Case::tier1(BOTH, "counted, what follows a selection", behind_a_selection),
        Case::tier1(BOTH, "counted, differences and histograms that are refused", refused),
    ];
    cases.into_iter().map(|case| case.only(Variant::WorkgroupMemory)).collect()
}

fn small(gpu: &Gpu) -> Gpu {
    let small = gpu.with_limits(|limits| {
        limits.max_storage_buffer_binding_size = (1 << 15) + 16;
        limits.max_compute_workgroups_per_dimension = 2;
    });
    small.expect("a device with lower limits")
}

fn bytes_of<T: Element>(items: &[T]) -> Vec<u8> {
    bytemuck::cast_slice::<T, u8>(items).to_vec()
}

fn write(gpu: &Gpu, count: &GpuSlice<u64>, len: usize) {
    let queue = gpu.context.queue();
    queue.write_buffer(count.buffer(), count.offset_bytes(), &(len as u64).to_le_bytes());
}

/// One recording of each way, with one number after the other: over slices, apart and in place. What is behind the results stays as it is.
fn differences<T: DifferenceElement>(gpu: &Gpu, all: &[T], lens: &[usize]) {
    let differencer =
        Differencer::<T>::new(&gpu.context).policy(Policy { min_rows: 4, max_workgroups: 2048 });
    let cuts = [all.len().min(5), all.len() / 3, all.len()];
    let cuts = [cuts[0].min(cuts[1]), cuts[1], cuts[2]];
    let count = slice_of(gpu, &[0u64], 4, 0);
    let input = slices(gpu, all, &cuts);
    let output = unwritten::<T>(gpu, all.len(), 4, 4);
    let apart = differencer.prepare(Counted::new(&input[..], &count), &output).expect("prepares");
    for &len in lens {
        write(gpu, &count, len);
        let zeros = vec![0u8; size_of_val(all)];
        gpu.context.queue().write_buffer(output.buffer(), 4, &zeros);
        let in_place = slices(gpu, all, &cuts);
        let mut encoder = gpu.encoder();
        apart.record(&mut encoder);
        differencer
            .record(&mut encoder, Counted::new(&in_place[..], &count), &in_place[..])
            .expect("records");
        gpu.submit(encoder);
        let some = len.min(all.len());
        let wanted = Executor::cpu().adjacent_difference(&all[..some]).expect("fits");
        let found = read(gpu, &output);
        assert!(bytes_of(&found[..some]) == bytes_of(&wanted), "{len} of {}", T::TYPE);
        assert!(bytes_of(&found[some..]).iter().all(|&byte| byte == 0), "written behind {len}");
        let found: Vec<T> = in_place.iter().flat_map(|slice| read(gpu, slice)).collect();
        let behind = [&wanted[..], &all[some..]].concat();
        assert!(bytes_of(&found) == bytes_of(&behind), "{len} of {} in place", T::TYPE);
        // What differences of as many give.
        let same = unwritten::<T>(gpu, some, 0, 0);
        differencer.adjacent_difference_blocking(&first(&input, some)[..], &same).expect("fits");
        assert!(bytes_of(&read(gpu, &same)) == bytes_of(&wanted), "{len}, not counted");
    }
}

/// Of few bins and of many, by kernels of floats, of bytes, and of others.
fn every_histogram(gpu: &Gpu, lens: &[usize]) {
    let even = |bins, low, high| Bins::even(bins, low..=high).expect("a range");
    let floats = ordinary(40_003);
    histograms::<f32, u64>(gpu, &floats, &even(50, -0.1, 0.1), lens);
    histograms::<f32, u32>(gpu, &floats, &even(5000, -0.1, 0.1), lens);
    let words = numbers(40_003);
    histograms::<u32, u64>(gpu, &words, &even(300, 0.0, 4e9), lens);
    let bytes: Vec<u8> = words.iter().map(|x| x.to_le_bytes()[1]).collect();
    histograms::<u8, u32>(gpu, &bytes, &even(256, 0.0, 256.0), lens);
    let halves: Vec<u16> = words.iter().map(|x| u16::try_from(x >> 16).expect("16 bits")).collect();
    histograms::<u16, u32>(gpu, &halves, &even(7, 0.0, 65_535.0), &[0, 1, 9000, 50_000]);
    // No element can be in a bin.
    let none = Bins::edges(&[300, 400]).expect("ascending");
    histograms::<u8, u64>(gpu, &bytes, &none, &[0, 5, 40_003]);
}

fn histograms<T: Binned, C: BinCount + Into<u64>>(
    gpu: &Gpu,
    all: &[T],
    bins: &Bins,
    lens: &[usize],
) {
    let histogram = Histogram::<T>::new(&gpu.context);
    let cuts = [4, all.len() / 2, all.len()];
    let input = slices(gpu, all, &cuts);
    let count = slice_of(gpu, &[0u64], 4, 0);
    let len = usize::try_from(bins.len()).expect("few");
    let outputs = [unwritten::<C>(gpu, len, 4, 4), unwritten::<C>(gpu, len, 0, 8)];
    let prepared =
        histogram.prepare(Counted::new(&input[..], &count), bins, &outputs[0]).expect("prepares");
    for &len in lens {
        write(gpu, &count, len);
        let mut encoder = gpu.encoder();
        prepared.record(&mut encoder);
        histogram
            .record(&mut encoder, Counted::new(&input[..], &count), bins, &outputs[1])
            .expect("records");
        gpu.submit(encoder);
        let some = len.min(all.len());
        let wanted = Executor::cpu().histogram(&all[..some], bins).expect("counts");
        for output in &outputs {
            let found: Vec<u64> = read(gpu, output).into_iter().map(Into::into).collect();
            assert_eq!(found, wanted, "{len} of {}", T::TYPE);
        }
    }
}

/// By floats, by what is narrower, and where no element can be in a bin.
fn every_number_of_bins(gpu: &Gpu) {
    let even = |bins, low, high| Bins::even(bins, low..=high).expect("a range");
    let lens = around(&[0, 16, 1024, 4096, 8192, 16_384, 40_002]);
    numbers_of_bins::<f32>(gpu, &ordinary(40_003), &even(50, -0.1, 0.1), &lens);
    let words = numbers(40_003);
    let doubles: Vec<f64> = words.iter().map(|&x| f64::from(x) * 0.3).collect();
    numbers_of_bins::<f64>(gpu, &doubles, &even(5000, 0.0, 1e9), &lens);
    let bytes: Vec<u8> = words.iter().map(|x| x.to_le_bytes()[1]).collect();
    numbers_of_bins::<u8>(gpu, &bytes, &even(7, 0.0, 200.0), &lens);
    let none = Bins::edges(&[300, 400]).expect("ascending");
    numbers_of_bins::<u8>(gpu, &bytes, &none, &[0, 5, 40_003, 50_000]);
    numbers_of_bins::<u32>(gpu, &[], &even(7, 0.0, 1.0), &[0, 1]);
}

/// What is behind those that are written stays as it is.
fn numbers_of_bins<T: Binned>(gpu: &Gpu, all: &[T], bins: &Bins, lens: &[usize]) {
    let histogram = Histogram::<T>::new(&gpu.context);
    let input = slices(gpu, all, &[all.len().min(4), all.len() / 2, all.len()]);
    let count = slice_of(gpu, &[0u64], 4, 0);
    for &len in lens {
        write(gpu, &count, len);
        let mut wanted = vec![0xa5a5_a5a5u32; all.len()];
        let output = slice_of(gpu, &wanted, 12, 4);
        let mut encoder = gpu.encoder();
        histogram
            .record_numbers(&mut encoder, Counted::new(&input[..], &count), bins, &output)
            .expect("records");
        gpu.submit(encoder);
        let some = len.min(all.len());
        let found = Executor::cpu().bin_numbers(&all[..some], bins).expect("numbers");
        wanted[..some].copy_from_slice(&found);
        assert!(read(gpu, &output) == wanted, "{len} of {}", T::TYPE);
    }
}

/// Nothing of it goes to the host in between.
fn behind_a_selection(gpu: &Gpu, _: Variant) {
    let all = numbers(30_001);
    let input = slice_of(gpu, &all, 0, 0);
    let kept = unwritten::<u32>(gpu, all.len(), 0, 0);
    let count = slice_of(gpu, &[0u64], 0, 0);
    let bins = Bins::even(40, 0.0..=4e9).expect("a range");
    let counts = unwritten::<u64>(gpu, 40, 0, 0);
    let sums = unwritten::<u32>(gpu, all.len(), 0, 0);
    for text in ["x < 2000000000u", "i % 3u == 0u", "false", "true"] {
        let predicate = Predicate::<u32>::new(text).expect(text);
        let select = Compaction::select_if(&input, &predicate, &kept).expect(text);
        let mut encoder = gpu.encoder();
        Compactor::new(&gpu.context).record(&mut encoder, &select, &count).expect("records");
        Histogram::<u32>::new(&gpu.context)
            .record(&mut encoder, Counted::new(&kept, &count), &bins, &counts)
            .expect("records");
        // Differences, and the sums of these: what was there.
        Differencer::<u32>::new(&gpu.context)
            .record(&mut encoder, Counted::new(&kept, &count), &kept)
            .expect("records");
        Scanner::<u32, _>::new(&gpu.context, Sum)
            .kind(Scan::inclusive())
            .record(&mut encoder, Counted::new(&kept, &count), &sums)
            .expect("records");
        gpu.submit(encoder);
        let cpu = Executor::cpu();
        let wanted = cpu.select_if(&all, text).expect(text);
        assert_eq!(read(gpu, &sums)[..wanted.len()], wanted, "{text}");
        assert_eq!(read(gpu, &counts), cpu.histogram(&wanted, &bins).expect("counts"), "{text}");
    }
}

fn refused(gpu: &Gpu, _: Variant) {
    let input = slice_of(gpu, &numbers(100), 0, 0);
    let whole = unwritten::<u64>(gpu, 60, 0, 0);
    let count = whole.slice(3..4).expect("within");
    let over = GpuSlice::<u32>::new(whole.buffer(), 0, 100).expect("within");
    let nothing = whole.slice(0..0).expect("within");
    let output = unwritten::<u32>(gpu, 100, 0, 0);
    let bins = Bins::even(8, 0.0..=4e9).expect("a range");
    let differencer = Differencer::<u32>::new(&gpu.context);
    let error =
        differencer.prepare(Counted::new(&input, &count), &over).expect_err("it is overwritten");
    assert!(matches!(error, PrepareError::OutputAliasing { .. }), "{error}");
    let error =
        differencer.prepare(Counted::new(&input, &nothing), &output).expect_err("no number");
    assert!(matches!(error, PrepareError::NoCount), "{error}");
    let histogram = Histogram::<u32>::new(&gpu.context);
    let over = GpuSlice::<u32>::new(whole.buffer(), 0, 8).expect("within");
    let error =
        histogram.prepare(Counted::new(&input, &count), &bins, &over).expect_err("overwritten");
    assert!(matches!(error, PrepareError::OutputAliasing { .. }), "{error}");
    let error =
        histogram.prepare(Counted::new(&input, &nothing), &bins, &output).expect_err("no number");
    assert!(matches!(error, PrepareError::NoCount), "{error}");
    let over = GpuSlice::<u32>::new(whole.buffer(), 0, 100).expect("within");
    let mut encoder = gpu.encoder();
    let error = histogram.record_numbers(&mut encoder, Counted::new(&input, &count), &bins, &over);
    assert!(matches!(error, Err(PrepareError::OutputAliasing { .. })), "{error:?}");
    let short = output.slice(0..99).expect("within");
    let error = histogram.record_numbers(&mut encoder, Counted::new(&input, &count), &bins, &short);
    assert!(matches!(error, Err(PrepareError::ShortOutput { len: 99, needed: 100 })), "{error:?}");
    // Beside each other they may be.
    let beside = GpuSlice::<u32>::new(whole.buffer(), 64, 8).expect("within");
    histogram.prepare(Counted::new(&input, &count), &bins, &beside).expect("prepares");
}
