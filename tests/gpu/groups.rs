//! Segments of lengths, by begins, runs of keys and flags, and in groups: against reductions of their elements alone, which are gathered here by their
//! definition.

use crate::{
    BOTH, Case, VULKAN,
    axes::check_axes,
    device::Gpu,
    map::random::Random,
    scans::{assert_same, numbers, read, slice_of, unwritten},
    segments::{check, hostile},
};
use gridfold::{
    All, Any, ArgMin, BitAnd, BitOr, BitXor, Bits, Bool, Compaction, Compactor, Count, CountNan,
    Element, Error, Executor, GpuSlice, HostSlices, Max, MaxAbs, Mean, Min, Nan, Operator,
    PrepareError, SegmentError, SegmentedReducer, Segments, Sum, SumWide, Variance, Variant,
    half::f16,
};
use std::ops::Range;

pub fn cases() -> Vec<Case> {
    let cases = vec![
        Case::tier1(
            BOTH,
            "segments, in groups, of lengths, by begins, and along axes",
            |gpu, _| {
                few_of_each(gpu);
            },
        ),
        Case::tier1(BOTH, "segments of lengths, and between offsets of 64 bits", lengths),
        Case::tier1(BOTH, "segments, as many as a number on the device says", counted),
        Case::tier1(BOTH, "segments, runs of keys that never go to the host", by_runs),
        Case::tier1(BOTH, "segments in groups, any order", in_groups),
        Case::tier1(BOTH, "segments in groups, recorded again with other numbers", again),
        Case::tier1(VULKAN, "segments in groups, in one pass", in_one_pass),
        Case::tier1(BOTH, "segments by keys, flags, groups and axes of arrays", arrays),
        Case::tier1(BOTH, "segments by keys and groups that are refused", refused),
    ];
    cases.into_iter().map(|case| case.only(Variant::WorkgroupMemory)).collect()
}

fn bits<V: std::fmt::Debug>(values: &[V]) -> Vec<String> {
    values.iter().map(|value| format!("{value:?}")).collect()
}

fn cut<T: Element>(all: &[T], ranges: impl Iterator<Item = Range<u64>>) -> Vec<Vec<T>> {
    let place = |place: u64| usize::try_from(place).expect("small").min(all.len());
    ranges.map(|range| all[place(range.start)..place(range.end)].to_vec()).collect()
}

/// Each kernel that makes an order or offsets, once.
fn few_of_each(gpu: &Gpu) {
    let all = hostile(1500);
    let input = slice_of(gpu, &all, 4, 0);
    let numbers: Vec<u32> = numbers(1500).into_iter().map(|x| x % 11).collect();
    let slice = slice_of(gpu, &numbers, 0, 0);
    let own = |group: u32| {
        let members = all.iter().zip(&numbers).filter(|(_, number)| **number == group);
        members.map(|(element, _)| *element).collect()
    };
    let groups: Vec<Vec<f32>> = (0..10).map(own).collect();
    check::<f32, _>(gpu, &input, &Segments::groups(&slice, 10), &groups, "in groups", Sum);
    let halves: Vec<f16> = all.iter().map(|&x| f16::from_f32(x)).collect();
    grouped::<f16, _>(gpu, &halves, &numbers, 10, Sum);
    let lens = [0u32, 1, 700, 16, 0, 300];
    let ends: Vec<u64> = lens
        .iter()
        .scan(0, |end, &len| {
            *end += u64::from(len);
            Some(*end)
        })
        .collect();
    let begins: Vec<u64> = [0].into_iter().chain(ends.iter().copied()).collect();
    let own = cut(&all, begins.windows(2).map(|pair| pair[0]..pair[1]));
    let slice = slice_of(gpu, &lens, 4, 0);
    check::<f32, _>(gpu, &input, &Segments::lengths(&slice), &own, "of lengths", Sum);
    let (slice, count) = (slice_of(gpu, &begins[..6], 0, 0), slice_of(gpu, &[6u64], 0, 0));
    let ends = begins[1..6].iter().copied().chain([1500]);
    let own = cut(&all, begins.iter().copied().zip(ends).map(|(begin, end)| begin..end));
    check::<f32, _>(gpu, &input, &Segments::begins(&slice, &count), &own, "by begins", Sum);
    check_axes::<f32, _>(gpu, &all, &[10, 15, 10], &[0, 2], Sum);
    check_axes::<f32, _>(gpu, &all, &[8, 3, 40], &[0, 2], Sum);
    check_axes::<f32, _>(gpu, &all, &[8, 2, 5, 3, 5], &[0, 2], Sum);
}

fn lengths(gpu: &Gpu, _: Variant) {
    let all = hostile(9000);
    let input = slice_of(gpu, &all, 4, 0);
    // The last ones are cut by the elements' end.
    let lens: Vec<u32> =
        [0, 1, 15, 16, 17, 0, 300, 4097, 5].into_iter().chain((0..400).map(|i| i % 31)).collect();
    let own = |lens: &[u32]| {
        let ranges = lens.iter().scan(0u64, |end, &len| {
            let begin = *end;
            *end += u64::from(len);
            Some(begin..*end)
        });
        cut(&all, ranges)
    };
    let slice = slice_of(gpu, &lens, 8, 4);
    check::<f32, _>(gpu, &input, &Segments::lengths(&slice), &own(&lens), "of lengths", Sum);
    let wide: Vec<u64> = lens.iter().map(|&len| len.into()).collect();
    let slice = slice_of(gpu, &wide, 8, 0);
    check::<f32, _>(gpu, &input, &Segments::lengths(&slice), &own(&lens), "of u64 lengths", Sum);
    let long = slice_of(gpu, &[4u64, 1 << 40, 7], 0, 0);
    check::<f32, _>(
        gpu,
        &input,
        &Segments::lengths(&long),
        &own(&[4, u32::MAX, 0]),
        "of long",
        Mean,
    );
    let one = slice_of(gpu, &[9000u32], 0, 0);
    check::<f32, _>(gpu, &input, &Segments::lengths(&one), &own(&[9000]), "of one length", Min);
    let offsets: Vec<u64> = vec![3, 3, 20, 5000, 9000, 9001, (1 << 32) + 4, u64::MAX];
    let own = cut(&all, offsets.windows(2).map(|pair| pair[0]..pair[1]));
    let slice = slice_of(gpu, &offsets, 8, 0);
    check::<f32, _>(gpu, &input, &Segments::offsets(&slice), &own, "between u64 offsets", Sum);
    // Every other one of these.
    let apart: Vec<u64> = offsets.iter().flat_map(|&offset| [offset, 7]).collect();
    let slice = slice_of(gpu, &apart, 0, 0);
    let apart = GpuSlice::<u64>::strided(slice.buffer(), 0, 16, offsets.len() as u64);
    let segments = Segments::offsets(&apart.expect("within"));
    check::<f32, _>(gpu, &input, &segments, &own, "between strided u64 offsets", Sum);
}

/// One recording, with one number after the other. Results behind those that there are stay as they are.
fn counted(gpu: &Gpu, _: Variant) {
    let all = hostile(20_000);
    let input = slice_of(gpu, &all, 0, 0);
    let begins: Vec<u64> = (0..600).map(|i| 9 + 33 * i - (i & 1)).collect();
    let slice = slice_of(gpu, &begins, 0, 0);
    let narrow: Vec<u32> =
        begins.iter().map(|&begin| u32::try_from(begin).expect("small")).collect();
    let narrow = slice_of(gpu, &narrow, 4, 0);
    let count = slice_of(gpu, &[0u64], 8, 0);
    let reducer = SegmentedReducer::<f32, _>::new(&gpu.context, Sum);
    let outputs = [0, 1].map(|_| slice_of(gpu, &vec![0xa5a5_a5a5u32; 603], 0, 0));
    let results = |slice: &GpuSlice<u32>| GpuSlice::<f32>::new(slice.buffer(), 4, 600);
    let [wide_to, narrow_to] = [0, 1].map(|i: usize| results(&outputs[i]).expect("within"));
    let by_u64 = reducer.prepare(&input, &Segments::begins(&slice, &count), &wide_to);
    let by_u32 = reducer.prepare(&input, &Segments::begins(&narrow, &count), &narrow_to);
    let (by_u64, by_u32) = (by_u64.expect("prepares"), by_u32.expect("prepares"));
    for number in [0u64, 1, 2, 255, 256, 257, 599, 600, 601, 1 << 33] {
        let queue = gpu.context.queue();
        queue.write_buffer(count.buffer(), 8, &number.to_le_bytes());
        for output in &outputs {
            queue.write_buffer(output.buffer(), 0, &[0xa5; 4 * 603]);
        }
        let mut encoder = gpu.encoder();
        by_u64.record(&mut encoder);
        by_u32.record(&mut encoder);
        gpu.submit(encoder);
        let begins = &begins[..usize::try_from(number).expect("small").min(600)];
        let ends = begins.iter().skip(1).copied().chain([20_000]);
        let own = cut(&all, begins.iter().zip(ends).map(|(&begin, end)| begin..end));
        let cpu = Executor::cpu();
        let mut wanted = vec![0xa5a5_a5a5];
        wanted.extend(own.iter().map(|own| cpu.sum(own).expect("sums").to_bits()));
        wanted.resize(603, 0xa5a5_a5a5);
        assert_eq!(read(gpu, &outputs[0]), wanted, "{number} of u64s");
        assert_eq!(read(gpu, &outputs[1]), wanted, "{number} of u32s");
    }
}

fn by_runs(gpu: &Gpu, _: Variant) {
    let mut random = Random(5);
    for (len, most) in [(1, 1), (5000, 1), (20_000, 7), (20_000, 3000), (9000, 9000)] {
        let mut keys: Vec<u64> = Vec::new();
        while keys.len() < len {
            let run = 1 + random.next() as usize % most;
            // The low words of neighbours are equal now and then.
            keys.extend(vec![
                u64::from(random.next() % 3) << 32 | u64::from(random.next() % 5);
                run
            ]);
        }
        keys.truncate(len);
        let all = hostile(len);
        let (input, keys_slice) = (slice_of(gpu, &all, 4, 0), slice_of(gpu, &keys, 0, 0));
        let (unique, begins) = (unwritten::<u64>(gpu, len, 0, 0), unwritten::<u64>(gpu, len, 0, 0));
        let count = slice_of(gpu, &[0u64], 0, 0);
        let sums = unwritten::<f32>(gpu, len, 0, 0);
        let runs = Compaction::run_begins::<u64, u64>(&keys_slice, &unique, &begins);
        let mut encoder = gpu.encoder();
        Compactor::new(&gpu.context).record(&mut encoder, &runs, &count).expect("records");
        let reducer = SegmentedReducer::<f32, _>::new(&gpu.context, Sum);
        let segments = Segments::begins(&begins, &count);
        reducer.record(&mut encoder, &input, &segments, &sums).expect("records");
        gpu.submit(encoder);
        let heads: Vec<usize> = (0..len).filter(|&i| i == 0 || keys[i] != keys[i - 1]).collect();
        let ends = heads.iter().skip(1).copied().chain([len]);
        let wanted = heads
            .iter()
            .zip(ends)
            .map(|(&begin, end)| Executor::cpu().sum(&all[begin..end]).expect("sums").to_bits());
        let mut wanted: Vec<u32> = wanted.collect();
        wanted.resize(len, 0);
        assert_eq!(read(gpu, &count), [heads.len() as u64]);
        let found: Vec<u32> = read(gpu, &sums).into_iter().map(f32::to_bits).collect();
        assert_eq!(found, wanted, "runs of {most}");
        let wanted: Vec<u64> = heads.iter().map(|&head| keys[head]).collect();
        assert_eq!(read(gpu, &unique)[..heads.len()], wanted);
    }
}

fn groups_of<T: Element>(all: &[T], numbers: &[u32], groups: u32) -> Vec<Vec<T>> {
    let mut own = vec![Vec::new(); groups as usize];
    for (&number, &element) in numbers.iter().zip(all) {
        if number < groups {
            own[number as usize].push(element);
        }
    }
    own
}

fn grouped<T: Element, Op: Operator<T> + Copy>(
    gpu: &Gpu,
    all: &[T],
    numbers: &[u32],
    groups: u32,
    op: Op,
) {
    let before = if size_of::<T>().is_multiple_of(4) { 4 } else { size_of::<T>() };
    let (input, slice) = (slice_of(gpu, all, before, 0), slice_of(gpu, numbers, 8, 4));
    let own = groups_of(all, numbers, groups);
    check::<T, _>(gpu, &input, &Segments::groups(&slice, groups), &own, "in groups", op);
}

fn in_groups(gpu: &Gpu, _: Variant) {
    let all = hostile(30_000);
    let numbers_below = |most: u32| -> Vec<u32> {
        numbers(30_000).into_iter().map(|x| if x % 5 == 0 { 1 } else { (x >> 8) % most }).collect()
    };
    for groups in [1, 2, 100, 4096] {
        grouped::<f32, _>(gpu, &all, &numbers_below(groups + 3), groups, Sum);
    }
    // Of 8, 64 and 512 groups one digit more is there for what is of none.
    for groups in [7, 8, 9, 64, 512] {
        grouped::<f32, _>(gpu, &all[..5000], &numbers_below(groups + 3)[..5000], groups, Sum);
    }
    // Those of no group may have any number.
    let wild: Vec<u32> = numbers(3000).iter().map(|&x| x >> (x % 32)).collect();
    grouped::<f32, _>(gpu, &all[..3000], &wild, 300, Variance);
    grouped::<f32, _>(gpu, &all[..3000], &wild, 300, ArgMin);
    let bytes: Vec<u8> = numbers(3001).iter().map(|x| x.to_le_bytes()[1]).collect();
    grouped::<u8, _>(
        gpu,
        &bytes,
        &wild[..].iter().chain(&[0]).copied().collect::<Vec<_>>(),
        9,
        SumWide,
    );
    let doubles: Vec<f64> = all[..3000].iter().map(|&x| 1.1 * f64::from(x)).collect();
    grouped::<f64, _>(gpu, &doubles, &wild, 20, Sum);
    let halves: Vec<f16> = all.iter().map(|&x| f16::from_f32(x)).collect();
    grouped::<f16, _>(gpu, &halves, &numbers_below(1000), 997, Sum);
    let triples: Vec<[f32; 3]> = all.as_chunks().0.to_vec();
    grouped::<[f32; 3], _>(gpu, &triples, &numbers_below(60)[..10_000], 50, Sum);
    // All of one group, whose elements fill tiles, and of none.
    grouped::<f32, _>(gpu, &all, &[4095; 30_000], 4096, Sum);
    grouped::<f32, _>(gpu, &all, &[4096; 30_000], 4096, Sum);
    // Every third word is an element.
    let apart: Vec<f32> = all[..3000].iter().flat_map(|&x| [x, f32::NAN, 3.0]).collect();
    let slice = slice_of(gpu, &apart, 4, 0);
    let strided = GpuSlice::<f32>::strided(slice.buffer(), slice.offset_bytes(), 12, 3000);
    let segments = Segments::groups(slice_of(gpu, &wild, 0, 0), 40);
    let own = groups_of(&all[..3000], &wild, 40);
    check::<f32, _>(gpu, &strided.expect("within"), &segments, &own, "strided, in groups", Sum);
    grouped::<f32, _>(gpu, &[], &[], 4, Sum);
    let small = gpu.with_limits(|limits| limits.max_compute_workgroups_per_dimension = 2);
    let check = |gpu: &Gpu| grouped::<f32, _>(gpu, &all, &numbers_below(40), 40, Sum);
    small.expect("a device with lower limits").check(check).expect("no errors");
}

/// One recording. What the numbers before have left changes nothing.
fn again(gpu: &Gpu, _: Variant) {
    let all = hostile(3000);
    let input = slice_of(gpu, &all, 4, 0);
    let slice = slice_of(gpu, &[0u32; 3000], 0, 0);
    let output = unwritten::<f32>(gpu, 9, 0, 0);
    let reducer = SegmentedReducer::<f32, _>::new(&gpu.context, Sum);
    let prepared = reducer.prepare(&input, &Segments::groups(&slice, 9), &output);
    let prepared = prepared.expect("it can be done");
    let cpu = Executor::cpu();
    // Of all groups and of none; of two groups; most of none.
    for most in [11, 2, 100] {
        let own: Vec<u32> = numbers(3000).iter().map(|&x| (x >> 8) % most).collect();
        gpu.context.queue().write_buffer(slice.buffer(), 0, bytemuck::cast_slice(&own));
        let mut encoder = gpu.encoder();
        prepared.record(&mut encoder);
        gpu.submit(encoder);
        let own = groups_of(&all, &own, 9);
        let wanted: Vec<f32> = own.iter().map(|own| cpu.sum(own).expect("sums")).collect();
        assert_same(&read(gpu, &output), &wanted, || format!("numbers below {most}"));
    }
}

/// Those of operators that memory has an atomic for, of each kind of accumulator.
fn in_one_pass(gpu: &Gpu, _: Variant) {
    let all = numbers(70_000);
    let below = |most: u32| -> Vec<u32> {
        all.iter().map(|&x| if x % 5 == 0 { 1 } else { (x >> 8) % most }).collect()
    };
    // Around as many as workgroups have memory for, and some beyond.
    for groups in [1, 2, 16, 300, 2044, 2045, 4088, 4089, 4096] {
        grouped::<u32, _>(gpu, &all, &below(groups + 3), groups, Sum);
    }
    for groups in [5, 2044, 2045] {
        grouped::<u32, _>(gpu, &all, &below(groups), groups, SumWide);
    }
    let signed: Vec<i32> = all.iter().map(|&x| x.cast_signed()).collect();
    grouped::<i32, _>(gpu, &signed, &below(700), 700, Min);
    grouped::<i32, _>(gpu, &signed, &below(20), 20, SumWide);
    grouped::<i32, _>(gpu, &signed, &below(20), 20, MaxAbs);
    // All of one group, and of none.
    grouped::<i32, _>(gpu, &signed, &[3; 70_000], 4, Max);
    grouped::<i32, _>(gpu, &signed, &[4; 70_000], 4, Max);
    let floats = hostile(9001);
    let wild: Vec<u32> = all[..9001].iter().map(|&x| x >> (x % 32)).collect();
    grouped::<f32, _>(gpu, &floats, &wild, 40, Min);
    grouped::<f32, _>(gpu, &floats, &wild, 40, Max);
    // One group has nothing but NaNs.
    let with_nan = |(&x, &number): (&f32, &u32)| if number == 3 { f32::NAN } else { x };
    let nans: Vec<f32> = floats.iter().zip(&wild).map(with_nan).collect();
    grouped::<f32, _>(gpu, &nans, &wild, 40, Min.nan(Nan::Ignore));
    grouped::<f32, _>(gpu, &nans, &wild, 40, Max.nan(Nan::Total));
    grouped::<f32, _>(gpu, &floats, &wild, 40, Count);
    grouped::<f32, _>(gpu, &floats, &wild, 40, CountNan);
    let bytes: Vec<u8> = all[..9001].iter().map(|x| x.to_le_bytes()[1]).collect();
    grouped::<u8, _>(gpu, &bytes, &wild, 40, BitXor);
    grouped::<u8, _>(gpu, &bytes, &wild, 4000, Sum);
    let shorts: Vec<i16> = all[..9001].iter().map(|&x| (x >> 16) as u16 as i16).collect();
    grouped::<i16, _>(gpu, &shorts, &wild, 40, BitAnd);
    grouped::<i16, _>(gpu, &shorts, &wild, 9, BitOr);
    let halves: Vec<f16> = floats.iter().map(|&x| f16::from_f32(x)).collect();
    grouped::<f16, _>(gpu, &halves, &wild, 40, Max);
    let wide: Vec<u64> = all[..9001].iter().map(|&x| u64::from(x) * 0x1_0000_0301).collect();
    grouped::<u64, _>(gpu, &wide, &wild, 77, Sum);
    let flags: Vec<Bool> = all[..9001].iter().map(|&x| Bool::from(x % 3 == 0)).collect();
    grouped::<Bool, _>(gpu, &flags, &wild, 2000, Any);
    grouped::<Bool, _>(gpu, &flags, &wild, 2000, All);
    let small = gpu.with_limits(|limits| limits.max_compute_workgroups_per_dimension = 2);
    let sums = |gpu: &Gpu| grouped::<u32, _>(gpu, &all, &below(40), 40, Sum);
    small.expect("a device with lower limits").check(sums).expect("no errors");
    // Every third word is a number.
    let apart: Vec<u32> = wild.iter().flat_map(|&number| [number, 0, 1]).collect();
    let slice = slice_of(gpu, &apart, 4, 0);
    let strided = GpuSlice::<u32>::strided(slice.buffer(), slice.offset_bytes(), 12, 9001);
    let own = groups_of(&all[..9001], &wild, 40);
    let input = slice_of(gpu, &all[..9001], 8, 0);
    let segments = Segments::groups(strided.expect("within"), 40);
    check::<u32, _>(gpu, &input, &segments, &own, "in groups of strided numbers", Sum);
}

fn arrays(gpu: &Gpu, _: Variant) {
    let (cpu, executor) = (Executor::cpu(), Executor::from_context(gpu.context.clone()));
    let executor = executor.host_slices(HostSlices::OnDevice);
    let all = hostile(6000);
    let array = executor.upload(&all).expect("uploads");
    let keys: Vec<i32> = numbers(6000).iter().map(|&x| (x % 3).cast_signed() - 1).collect();
    let by_runs = |executor: &Executor| {
        executor.reduce_by_runs::<f32, _, i32>(&keys, &all, Sum).expect("reduces")
    };
    let (found, wanted) = (by_runs(&executor), by_runs(&cpu));
    assert_eq!(found.0, wanted.0);
    assert_eq!(bits(&found.1), bits(&wanted.1));
    let narrow: Vec<i8> = keys.iter().map(|&key| i8::try_from(key).expect("small")).collect();
    let by_narrow = executor.reduce_by_runs::<f32, _, i8>(&narrow, &all, Sum).expect("reduces");
    assert_eq!(by_narrow.0.iter().map(|&key| key.into()).collect::<Vec<i32>>(), wanted.0);
    assert_eq!(bits(&by_narrow.1), bits(&wanted.1));
    let by_key = |executor: &Executor| {
        executor.reduce_by_key::<f32, _, i32>(&keys, &all, Mean).expect("reduces")
    };
    let (found, wanted) = (by_key(&executor), by_key(&cpu));
    assert_eq!((&found.0[..], &wanted.0[..]), (&[-1, 0, 1][..], &[-1, 0, 1][..]));
    assert_eq!(bits(&found.1), bits(&wanted.1));
    let own: Vec<f32> =
        all.iter().zip(&keys).filter(|(_, key)| **key == 0).map(|(x, _)| *x).collect();
    assert_eq!(bits(&found.1[1..2]), bits(&[cpu.mean(&own).expect("a mean")]));
    // Groups without elements have no minimum.
    let groups: Vec<u32> = numbers(6000).iter().map(|&x| (x >> 7) % 9 * 2).collect();
    let found = array.reduce_groups(&executor.upload(&groups).expect("uploads"), 16, Min);
    let wanted = cpu.reduce_groups(&all, &groups, 16, Min).expect("reduces");
    assert_eq!(found.expect("reduces"), wanted);
    assert_eq!((wanted[1], wanted[2].is_some()), (None, true));
    // Flags of every kind, also behind the elements.
    let flags: Vec<u32> = numbers(6000).iter().map(|&x| u32::from(x % 40 == 0)).collect();
    let wanted = cpu.reduce_flagged::<f32, _, u32>(&all, &flags, Sum).expect("reduces");
    assert_eq!(wanted.len(), flags.iter().filter(|&&flag| flag > 0).count());
    let found = executor.reduce_flagged::<f32, _, u32>(&all, &flags, Sum).expect("reduces");
    assert_eq!(bits(&found), bits(&wanted));
    let bools: Vec<Bool> = flags.iter().map(|&flag| Bool::from(flag > 0)).collect();
    let found = executor.reduce_flagged::<f32, _, Bool>(&all, &bools, Sum).expect("reduces");
    assert_eq!(bits(&found), bits(&wanted));
    let mut masks: Vec<Bits> = flags
        .chunks(32)
        .map(|chunk| Bits((0..).zip(chunk).map(|(bit, flag)| flag << bit).sum()))
        .collect();
    masks[187].0 |= 0xffff_0000;
    for executor in [&executor, &cpu] {
        let found = executor.reduce_flagged::<f32, _, Bits>(&all, &masks, Sum).expect("reduces");
        assert_eq!(bits(&found), bits(&wanted));
    }
    let found = executor.reduce_axes::<f32, _>(&all, &[10, 20, 30], &[0, 2], ArgMin);
    let wanted = cpu.reduce_axes::<f32, _>(&all, &[10, 20, 30], &[0, 2], ArgMin);
    assert_eq!(bits(&found.expect("reduces")), bits(&wanted.expect("reduces")));
    let found = array.reduce_lengths(&[5, 0, 5995], Max).expect("reduces");
    assert_eq!(found, cpu.reduce_lengths::<f32, _>(&all, &[5, 0, 5995], Max).expect("reduces"));
    let nothing = executor.reduce_by_runs::<f32, _, u32>(&[], &[], Sum).expect("reduces");
    assert_eq!(nothing, (vec![], vec![]));
    let nothing = executor.reduce_by_key::<f32, _, u32>(&[], &[], Count).expect("reduces");
    assert_eq!(nothing, (vec![], vec![]));
    let none = executor.reduce_flagged::<f32, _, u32>(&all, &[0; 6000], Sum).expect("reduces");
    assert_eq!(none, [0.0; 0]);
}

fn refused(gpu: &Gpu, _: Variant) {
    let executor = Executor::from_context(gpu.context.clone());
    let of_segments = |error: Error| match error {
        Error::Prepare(PrepareError::Segments(error)) => error,
        other => panic!("{other}"),
    };
    for executor in [Executor::cpu(), executor.clone().host_slices(HostSlices::OnDevice)] {
        let values = [1u32, 2, 3, 4, 5, 6];
        let error = executor.reduce_by_runs::<u32, _, u32>(&[1, 2], &values, Sum).expect_err("few");
        let wanted = SegmentError::Length { what: "keys", given: 2, len: 6 };
        assert_eq!(of_segments(error), wanted);
        let error = executor.reduce_by_key::<u32, _, u32>(&[1, 2], &values, Sum).expect_err("few");
        assert_eq!(of_segments(error), wanted);
        let error = executor.reduce_groups::<u32, _>(&values, &[0; 7], 3, Sum).expect_err("many");
        let wanted = SegmentError::Length { what: "numbers of groups", given: 7, len: 6 };
        assert_eq!(of_segments(error), wanted);
        let error =
            executor.reduce_flagged::<u32, _, u32>(&values, &[0; 7], Sum).expect_err("many");
        assert!(matches!(error, Error::Prepare(PrepareError::MaskLength { .. })), "{error}");
        let error =
            executor.reduce_axes::<u32, _>(&values, &[2, 3], &[1, 1], Sum).expect_err("twice");
        assert_eq!(of_segments(error), SegmentError::AxisTwice { axis: 1 });
        let error = executor.reduce_axes::<u32, _>(&values, &[2, 3], &[2], Sum).expect_err("none");
        assert_eq!(of_segments(error), SegmentError::Axis { axis: 2, rank: 2 });
        let error =
            executor.reduce_axes::<u32, _>(&values, &[2, 4], &[0], Sum).expect_err("others");
        assert!(matches!(of_segments(error), SegmentError::Shape { .. }));
        let error = executor.reduce_lengths::<u32, _>(&values, &[3, 4], Sum).expect_err("behind");
        assert_eq!(
            of_segments(error),
            SegmentError::Lengths { segment: 1, length: 4, end: 7, most: 6 }
        );
    }
    // Of slices the host sorts the values of so many.
    let (values, keys) = ([1.5f32, 1e-9, 2.5, 4.0], [1u32 << 20, 3, 1 << 20, u32::MAX]);
    let on_device = executor.clone().host_slices(HostSlices::OnDevice);
    let found = on_device.reduce_groups(&values, &keys, (1 << 20) + 1, Sum);
    let wanted = Executor::cpu().reduce_groups(&values, &keys, (1 << 20) + 1, Sum);
    assert!(found.expect("reduces") == wanted.expect("reduces"), "many groups");
    let array = executor.upload(&[1u32, 2, 3]).expect("uploads");
    let error = array.reduce_groups(&array, (1 << 20) + 1, Sum).expect_err("too many");
    assert_eq!(of_segments(error), SegmentError::Groups { groups: (1 << 20) + 1, most: 1 << 20 });
    let input = slice_of(gpu, &[1u32, 2, 3], 0, 0);
    let (output, counts) = (unwritten::<u32>(gpu, 5000, 0, 0), slice_of(gpu, &[3u32, 0], 0, 0));
    let reducer = SegmentedReducer::<u32, _>::new(&gpu.context, Sum);
    let refuse = |segments: &Segments, output: &GpuSlice<u32>| {
        reducer.prepare(&input, segments, output).expect_err("it is refused")
    };
    let error = refuse(&Segments::groups(&input, 4097), &output);
    let wanted = SegmentError::Groups { groups: 4097, most: 4096 };
    assert_eq!(of_segments(error.into()), wanted);
    let error = refuse(&Segments::groups(&counts, 2), &output);
    assert!(matches!(of_segments(error.into()), SegmentError::Length { given: 2, len: 3, .. }));
    let error = refuse(&Segments::lengths(&output.slice(0..3).expect("within")), &output);
    assert_eq!(of_segments(error.into()), SegmentError::Aliasing);
    let begins = slice_of(gpu, &[0u32, 1], 0, 0);
    let count = GpuSlice::<u32>::new(output.buffer(), 4, 1).expect("within");
    let error = refuse(&Segments::begins(&begins, &count), &output);
    assert!(matches!(error, PrepareError::OutputAliasing { what: "output" }), "{error}");
    let error = refuse(&Segments::begins(&begins, &counts.slice(0..0).expect("within")), &output);
    assert!(matches!(error, PrepareError::NoCount), "{error}");
    let error = refuse(&Segments::begins(&begins, &counts), &output.slice(0..1).expect("within"));
    assert!(matches!(error, PrepareError::ShortOutput { len: 1, needed: 2 }), "{error}");
}
