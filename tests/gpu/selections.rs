//! Selections: against the CPU, around the lengths of rows, rounds and blocks, over windows, to outputs that are too short; what is refused.

use crate::{
    Case,
    device::Gpu,
    scans::{numbers, read, slice_of, unwritten},
};
use gridfold::{
    Bits, Bool, Compaction, Compactor, Element, Error, Executor, Flag, GpuSlice, HostSlices,
    Policy, PrepareError, Variant, wgpu,
};
use std::iter;

pub fn cases() -> Vec<Case> {
    let cases = vec![
        Case::new("selections, lengths around rows, rounds and blocks", |gpu, _| {
            for len in [0, 1, 3, 255, 1023, 1025, 4095, 4096, 4097, 8192, 16_385, 70_001] {
                every_kind::<u32>(gpu, len);
            }
            every_kind::<f64>(gpu, 9001);
            every_kind::<i64>(gpu, 4096);
        }),
        Case::new("selections of all, of none, and of one", |gpu, _| {
            for flags in [vec![true; 5000], vec![false; 5000]] {
                by_mask::<f32, u32>(gpu, &flags, &words(&flags));
                by_mask::<u64, Bits>(gpu, &flags, &bits(&flags));
            }
            for place in [0, 1023, 1024, 4095, 4096, 4999] {
                let flags: Vec<bool> = (0..5000).map(|i| i == place).collect();
                by_mask::<i32, Bool>(gpu, &flags, &bools(&flags));
            }
            runs(gpu, &[7u32; 10_000]);
        }),
        Case::new("selections, windows over a buffer", |gpu, _| {
            let small = gpu.with_limits(|limits| {
                limits.max_storage_buffer_binding_size = (1 << 15) + 16;
                limits.max_compute_workgroups_per_dimension = 2;
            });
            let check = |gpu: &Gpu| {
                every_kind::<u32>(gpu, 50_001);
                every_kind::<u64>(gpu, 30_000);
            };
            small.expect("a device with lower limits").check(check).expect("no errors");
        }),
        Case::new("selections, more blocks than the totals' pass has lanes", |gpu, _| {
            let flags: Vec<bool> = flags(4_300_000);
            let mask = slice_of(gpu, &bits(&flags), 0, 0);
            let places: Vec<u64> = set(&flags).map(|i| i as u64).collect();
            let output = unwritten::<u64>(gpu, places.len(), 0, 0);
            let compaction = Compaction::positions::<Bits>(&mask, &output);
            let compactor = Compactor::new(&gpu.context);
            let compactor = compactor.policy(Policy { min_rows: 4, max_workgroups: 2048 });
            let count = compactor.run_blocking(&compaction).expect("there is room");
            assert_eq!(count, places.len() as u64);
            assert_eq!(read(gpu, &output), places);
        }),
        Case::new("selections, outputs too short", too_short),
        Case::new("selections, the count stays on the device", count_stays),
        Case::new("selections that are refused", refused),
        Case::new("selections of arrays", arrays),
    ];
    cases.into_iter().map(|case| case.only(Variant::WorkgroupMemory)).collect()
}

fn flags(len: usize) -> Vec<bool> {
    numbers(len)
        .into_iter()
        .enumerate()
        .map(|(i, x)| x.is_multiple_of(3) || i % 7000 > 6000)
        .collect()
}

fn words(flags: &[bool]) -> Vec<u32> {
    flags.iter().enumerate().map(|(i, &flag)| u32::from(flag) << (i % 32)).collect()
}

fn bools(flags: &[bool]) -> Vec<Bool> {
    flags.iter().map(|&flag| Bool::from(flag)).collect()
}

fn bits(flags: &[bool]) -> Vec<Bits> {
    let word =
        |flags: &[bool]| flags.iter().enumerate().map(|(bit, &flag)| u32::from(flag) << bit).sum();
    flags.chunks(32).map(|flags| Bits(word(flags))).collect()
}

fn set(flags: &[bool]) -> impl Iterator<Item = usize> {
    flags.iter().enumerate().filter(|&(_, &flag)| flag).map(|(i, _)| i)
}

/// Of any bits, in runs.
fn elements<T: Element>(len: usize) -> Vec<T> {
    let words = numbers(len);
    let of = |i: usize| {
        let word = (words[i] % 3).wrapping_add(u32::try_from(i / 50).expect("short") << 3);
        let bytes = [word.to_le_bytes(), (!word).to_le_bytes()].concat();
        bytemuck::pod_read_unaligned(&bytes[..size_of::<T>()])
    };
    (0..len).map(of).collect()
}

fn assert_same<T: Element>(found: &[T], wanted: &[T]) {
    let bytes: [&[u8]; 2] = [bytemuck::cast_slice(found), bytemuck::cast_slice(wanted)];
    assert_eq!(found.len(), wanted.len());
    let differs = iter::zip(bytes[0].chunks(size_of::<T>()), bytes[1].chunks(size_of::<T>()));
    let place = differs.enumerate().find(|(_, (a, b))| a != b).map(|(place, _)| place);
    assert_eq!(place, None, "the first place with another element");
}

fn every_kind<T: Element>(gpu: &Gpu, len: usize) {
    let flags = flags(len);
    by_mask::<T, u32>(gpu, &flags, &words(&flags));
    by_mask::<T, Bool>(gpu, &flags, &bools(&flags));
    by_mask::<T, Bits>(gpu, &flags, &bits(&flags));
    runs(gpu, &elements::<T>(len));
}

/// Elements and results begin anywhere. What is behind the results stays as it is.
fn by_mask<T: Element, M: Flag>(gpu: &Gpu, flags: &[bool], mask: &[M]) {
    let all = elements::<T>(flags.len());
    let cpu = Executor::cpu();
    let (input, mask_slice) = (slice_of(gpu, &all, 12, 4), slice_of(gpu, mask, 8, 0));
    let compactor = Compactor::new(&gpu.context);
    let compactor = compactor.policy(Policy { min_rows: 4, max_workgroups: 2048 });

    let wanted = cpu.select(&all, mask).expect("they fit");
    let output = unwritten::<T>(gpu, wanted.len(), 4, 20);
    let compaction = Compaction::select::<T, M>(&input, &mask_slice, &output);
    assert_eq!(compactor.run_blocking(&compaction).expect("fits"), wanted.len() as u64);
    assert_same(&read(gpu, &output), &wanted);

    let (parted, count) = cpu.partition(&all, mask).expect("they fit");
    let output = unwritten::<T>(gpu, all.len(), 20, 4);
    let compaction = Compaction::partition::<T, M>(&input, &mask_slice, &output);
    assert_eq!(compactor.run_blocking(&compaction).expect("fits"), count);
    assert_same(&read(gpu, &output), &parted);

    let places = cpu.positions(mask).expect("there is memory");
    let output = unwritten::<u64>(gpu, places.len(), 12, 8);
    let compaction = Compaction::positions::<M>(&mask_slice, &output);
    assert_eq!(compactor.run_blocking(&compaction).expect("fits"), places.len() as u64);
    assert_same(&read(gpu, &output), &places);
}

fn runs<T: Element>(gpu: &Gpu, all: &[T]) {
    let cpu = Executor::cpu();
    let input = slice_of(gpu, all, 4, 8);
    let compactor = Compactor::new(&gpu.context);
    let compactor = compactor.policy(Policy { min_rows: 4, max_workgroups: 2048 });
    let (values, lengths) = cpu.run_lengths(all).expect("there is memory");
    let to = unwritten::<T>(gpu, values.len(), 8, 0);
    let lengths_to = unwritten::<u64>(gpu, values.len(), 4, 4);
    let compaction = Compaction::run_lengths::<T>(&input, &to, &lengths_to);
    assert_eq!(compactor.run_blocking(&compaction).expect("fits"), values.len() as u64);
    assert_same(&read(gpu, &to), &values);
    assert_same(&read(gpu, &lengths_to), &lengths);
    let to = unwritten::<T>(gpu, values.len(), 0, 12);
    let compaction = Compaction::unique::<T>(&input, &to);
    assert_eq!(compactor.run_blocking(&compaction).expect("fits"), values.len() as u64);
    assert_same(&read(gpu, &to), &values);
}

/// The first ones are there, nothing else is written, and the error says how many there are.
fn too_short(gpu: &Gpu, _: Variant) {
    let all = elements::<u32>(20_000);
    let mask = words(&flags(20_000));
    let (input, mask_slice) = (slice_of(gpu, &all, 0, 0), slice_of(gpu, &mask, 0, 0));
    let wanted = Executor::cpu().select(&all, &mask).expect("they fit");
    let compactor = Compactor::new(&gpu.context);
    let needed_of = |compaction: &Compaction| match compactor.run_blocking(compaction) {
        Err(Error::Prepare(PrepareError::ShortOutput { len, needed })) => (len, needed),
        other => panic!("{other:?}"),
    };
    for room in [0, 1, 1000, wanted.len() - 1] {
        let output = unwritten::<u32>(gpu, room, 4, 400);
        let compaction = Compaction::select::<u32, u32>(&input, &mask_slice, &output);
        assert_eq!(needed_of(&compaction), (room as u64, wanted.len() as u64));
        assert_same(&read(gpu, &output), &wanted[..room]);
    }
    let (values, lengths) = Executor::cpu().run_lengths(&all).expect("there is memory");
    for (room, more) in [(5000, 0), (5000, 300)] {
        let to = unwritten::<u32>(gpu, room + more, 4, 40);
        let lengths_to = unwritten::<u64>(gpu, room, 4, 80);
        let compaction = Compaction::run_lengths::<u32>(&input, &to, &lengths_to);
        assert_eq!(needed_of(&compaction), (room as u64, values.len() as u64));
        assert_same(&read(gpu, &to)[..room], &values[..room]);
        assert!(read(gpu, &to)[room..].iter().all(|&x| x == 0));
        assert_same(&read(gpu, &lengths_to), &lengths[..room]);
    }
}

/// Recorded twice, with other elements in between, into one encoder.
fn count_stays(gpu: &Gpu, _: Variant) {
    let all = elements::<u32>(9000);
    let mask = slice_of(gpu, &words(&flags(9000)), 0, 0);
    let (input, output) = (slice_of(gpu, &all, 0, 0), unwritten::<u32>(gpu, 9000, 0, 0));
    let counts = slice_of(gpu, &[0u64; 64], 0, 0);
    let count = counts.slice(17..18).expect("within");
    let compaction = Compaction::select::<u32, u32>(&input, &mask, &output);
    let prepared = Compactor::new(&gpu.context).prepare(&compaction, &count).expect("prepares");
    assert_eq!(prepared.count(), &count);
    assert_eq!(prepared.room(), 9000);
    let text = prepared.plan().to_string();
    assert!(
        text.starts_with("selection of 9000 elements of u32") || text.contains("9000"),
        "{text}"
    );
    let wanted = Executor::cpu().select(&all, &words(&flags(9000))).expect("they fit");
    for _ in 0..2 {
        let mut encoder = gpu.encoder();
        prepared.record(&mut encoder);
        gpu.submit(encoder);
        let found = read(gpu, &counts);
        assert_eq!(found[17], wanted.len() as u64);
        assert!(found.iter().enumerate().all(|(i, &x)| i == 17 || x == 0));
        assert_same(&read(gpu, &output)[..wanted.len()], &wanted);
    }
    let mut encoder = gpu.encoder();
    prepared.record_in(&mut encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default()));
    gpu.submit(encoder);
    assert_eq!(read(gpu, &counts)[17], wanted.len() as u64);
}

fn refused(gpu: &Gpu, _: Variant) {
    let all = slice_of(gpu, &elements::<u32>(100), 0, 0);
    let mask = slice_of(gpu, &[1u32; 100], 0, 0);
    let output = unwritten::<u32>(gpu, 100, 0, 0);
    let compactor = Compactor::new(&gpu.context);
    let error = |compaction: &Compaction| match compactor.run_blocking(compaction) {
        Err(Error::Prepare(error)) => error,
        other => panic!("{other:?}"),
    };
    let select = |input: &GpuSlice<u32>, mask: &GpuSlice<u32>, output: &GpuSlice<u32>| {
        Compaction::select::<u32, u32>(input, mask, output)
    };
    let short = mask.slice(0..99).expect("within");
    let found = error(&select(&all, &short, &output));
    assert!(matches!(found, PrepareError::MaskLength { flags: 99, len: 100 }), "{found}");
    let bits = slice_of(gpu, &[Bits(1); 3], 0, 0);
    let found = error(&Compaction::select::<u32, Bits>(&all, &bits, &output));
    assert!(matches!(found, PrepareError::MaskLength { flags: 96, len: 100 }), "{found}");
    let found = error(&select(&all, &mask, &all));
    assert!(matches!(found, PrepareError::OutputAliasing { what: "output" }), "{found}");
    let found = error(&select(&all, &mask, &mask));
    assert!(matches!(found, PrepareError::OutputAliasing { what: "output" }), "{found}");
    let twice = vec![output.slice(0..50).expect("within"), output.slice(49..99).expect("within")];
    let found = error(&Compaction::select::<u32, u32>(&all, &mask, twice));
    assert!(matches!(found, PrepareError::OutputAliasing { what: "output" }), "{found}");
    let whole = unwritten::<u64>(gpu, 100, 0, 0);
    let halves = GpuSlice::<u32>::whole(whole.buffer()).slice(0..100).expect("within");
    let found = error(&Compaction::run_lengths::<u32>(&all, &halves, &whole));
    assert!(matches!(found, PrepareError::OutputAliasing { what: "lengths" }), "{found}");
    let part = output.slice(0..99).expect("within");
    let found = error(&Compaction::partition::<u32, u32>(&all, &mask, &part));
    assert!(matches!(found, PrepareError::ShortOutput { len: 99, needed: 100 }), "{found}");
    let (bytes, to) = (slice_of(gpu, &[1u8; 8], 0, 0), unwritten::<u8>(gpu, 8, 0, 0));
    let found = error(&Compaction::unique::<u8>(&bytes, &to));
    assert!(matches!(found, PrepareError::NoSelection { .. }), "{found}");
    let strided = GpuSlice::<u32>::strided(output.buffer(), 0, 8, 50).expect("within");
    let found = error(&Compaction::unique::<u32>(&all, &strided));
    assert!(matches!(found, PrepareError::StridedOutput), "{found}");
    let count = GpuSlice::<u64>::new(output.buffer(), 0, 1).expect("within");
    let found = compactor.prepare(&select(&all, &mask, &output), &count);
    let is_refused = matches!(found, Err(PrepareError::OutputAliasing { what: "count" }));
    assert!(is_refused, "{found:?}");
    assert!(read(gpu, &output).iter().all(|&x| x == 0), "something was written");
}

fn arrays(gpu: &Gpu, _: Variant) {
    let executor = Executor::from_context(gpu.context.clone());
    let all = elements::<f32>(5000);
    let (flags, cpu) = (flags(5000), Executor::cpu());
    let array = executor.upload(&all).expect("uploads");
    let mask = executor.upload(&bits(&flags)).expect("uploads");
    let selected = array.select(&mask).expect("selects");
    let wanted = cpu.select(&all, &bits(&flags)).expect("selects");
    assert_same(&selected.download().expect("downloads"), &wanted);
    let (values, lengths) = array.run_lengths().expect("encodes");
    let wanted = cpu.run_lengths(&all).expect("encodes");
    assert_same(&values.download().expect("downloads"), &wanted.0);
    assert_same(&lengths.download().expect("downloads"), &wanted.1);
    assert_same(&array.unique().expect("selects").download().expect("downloads"), &wanted.0);
    let on_cpu = cpu.upload(&bools(&flags)).expect("uploads");
    assert!(matches!(
        array.select(&on_cpu),
        Err(Error::Prepare(PrepareError::DifferentExecutors { .. }))
    ));
    let executor = executor.host_slices(HostSlices::OnDevice);
    let (parted, count) = executor.partition(&all, &words(&flags)).expect("parts");
    let wanted = cpu.partition(&all, &words(&flags)).expect("parts");
    assert_same(&parted, &wanted.0);
    assert_eq!(count, wanted.1);
    let places = executor.positions(&bools(&flags)).expect("finds");
    assert_same(&places, &cpu.positions(&bools(&flags)).expect("finds"));
}
