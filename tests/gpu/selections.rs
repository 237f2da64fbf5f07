//! Selections: against the CPU, around the lengths of rows, rounds and blocks, over windows, to outputs that are too short; what is refused.

use crate::{
    BOTH, Case, OPENGL, VULKAN,
    device::Gpu,
    map::random::{Random, expression, words as words_of_all_kinds},
    scans::{numbers, read, slice_of, unwritten},
};
use gridfold::{
    Bits, Bool, Compaction, Compactor, Count, Element, Error, Executor, Flag, GpuSlice, HostSlices,
    Input, Map, MapElement, Policy, Predicate, PrepareError, Reducer, Strategy, Variant, WgslError,
    half::{bf16, f16},
    wgpu,
};
use std::iter;

pub fn cases() -> Vec<Case> {
    let kernels = vec![
        Case::tier1(BOTH, "selections, lengths around rows, rounds and blocks", |gpu, variant| {
            for len in [0, 1, 3, 255, 1023, 1025, 4095, 4096, 4097, 8192, 16_385, 70_001] {
                every_kind::<u32>(gpu, variant, len);
            }
            every_kind::<f64>(gpu, variant, 9001);
            every_kind::<i64>(gpu, variant, 4096);
        }),
        Case::tier1(BOTH, "selections of bytes and halves", |gpu, variant| {
            for len in [0, 1, 3, 255, 1025, 4095, 4097, 8192, 16_385] {
                every_kind::<u8>(gpu, variant, len);
                every_kind::<f16>(gpu, variant, len);
            }
            every_kind::<i16>(gpu, variant, 70_001);
            every_kind::<Bool>(gpu, variant, 9001);
            every_kind::<bf16>(gpu, variant, 4096);
        }),
        Case::tier1(
            BOTH,
            "selections of bytes and halves, from any place to any place",
            narrow_places,
        ),
        Case::tier2("selections of several components", |gpu, variant| {
            for len in [0, 1, 3, 1025, 4097, 8192, 16_385] {
                every_kind::<[f32; 2]>(gpu, variant, len);
                every_kind::<[f32; 3]>(gpu, variant, len);
                every_kind::<[f32; 4]>(gpu, variant, len);
            }
            every_kind::<[u32; 3]>(gpu, variant, 70_001);
            every_kind::<[i32; 2]>(gpu, variant, 9001);
            every_kind::<[i32; 4]>(gpu, variant, 4096);
        }),
        Case::tier2(
            "selections of several components, strided, and to short outputs",
            |gpu, variant| {
                components_apart(gpu, &small_blocks(gpu, variant));
            },
        ),
        Case::tier1(BOTH, "selections of all, of none, and of one", |gpu, variant| {
            for flags in [vec![true; 5000], vec![false; 5000]] {
                by_mask::<f32, u32>(gpu, &small_blocks(gpu, variant), &flags, &words(&flags));
                by_mask::<u64, Bits>(gpu, &small_blocks(gpu, variant), &flags, &bits(&flags));
            }
            for place in [0, 1023, 1024, 4095, 4096, 4999] {
                let flags: Vec<bool> = (0..5000).map(|i| i == place).collect();
                by_mask::<i32, Bool>(gpu, &small_blocks(gpu, variant), &flags, &bools(&flags));
            }
            runs(gpu, &small_blocks(gpu, variant), &[7u32; 10_000]);
        }),
        Case::tier1(OPENGL, "selections, windows over a buffer", |gpu, variant| {
            let small = gpu.with_limits(|limits| {
                limits.max_storage_buffer_binding_size = (1 << 15) + 16;
                limits.max_compute_workgroups_per_dimension = 2;
            });
            let check = |gpu: &Gpu| {
                every_kind::<u32>(gpu, variant, 50_001);
                every_kind::<u64>(gpu, variant, 30_000);
                every_kind::<u8>(gpu, variant, 100_003);
                every_kind::<u16>(gpu, variant, 50_001);
                every_kind::<[u32; 3]>(gpu, variant, 20_003);
                every_kind::<[f32; 4]>(gpu, variant, 20_003);
            };
            small.expect("a device with lower limits").check(check).expect("no errors");
        }),
        Case::tier1(
            VULKAN,
            "selections by predicates, lengths around rows, rounds and blocks",
            |gpu, variant| {
                for len in [0, 1, 3, 255, 1023, 1025, 4095, 4096, 4097, 8192, 16_385, 70_001] {
                    predicates(gpu, variant, len);
                }
            },
        ),
        Case::tier1(BOTH, "selections by predicates, windows over a buffer", |gpu, variant| {
            let small = gpu.with_limits(|limits| {
                limits.max_storage_buffer_binding_size = (1 << 15) + 16;
                limits.max_compute_workgroups_per_dimension = 2;
            });
            let check = |gpu: &Gpu| predicates(gpu, variant, 50_001);
            small.expect("a device with lower limits").check(check).expect("no errors");
        }),
        Case::tier1(OPENGL, "selections by predicates, in software", |gpu, variant| {
            predicates(&crate::floats::in_software(gpu), variant, 9001);
        }),
    ];
    // What is before the kernels and behind them, which one mechanism shows.
    let others = [
        Case::tier1(BOTH, "selections, more blocks than the totals' pass has lanes", |gpu, _| {
            let flags: Vec<bool> = flags(4_300_000);
            let mask = slice_of(gpu, &bits(&flags), 0, 0);
            let places: Vec<u64> = set(&flags).map(|i| i as u64).collect();
            let output = unwritten::<u64>(gpu, places.len(), 0, 0);
            let compaction = Compaction::positions::<Bits, u64>(&mask, &output);
            let compactor = Compactor::new(&gpu.context);
            let compactor = compactor.policy(Policy { min_rows: 4, max_workgroups: 2048 });
            let count = compactor.run_blocking(&compaction).expect("there is room");
            assert_eq!(count, places.len() as u64);
            assert_eq!(read(gpu, &output), places);
        }),
        Case::tier1(BOTH, "selections, outputs too short", too_short),
        Case::tier1(BOTH, "selections, the count stays on the device", count_stays),
        Case::tier1(BOTH, "selections that are refused", refused),
        Case::tier1(BOTH, "selections of arrays", arrays),
        Case::tier2("selections by random predicates, as many as are counted", random_predicates),
        Case::tier1(BOTH, "selections by predicates, of arrays, and what is refused", arrays_if),
    ]
    .into_iter();
    kernels.into_iter().chain(others.map(|case| case.only(Variant::WorkgroupMemory))).collect()
}

/// Of a round each.
fn small_blocks(gpu: &Gpu, variant: Variant) -> Compactor {
    let policy = Policy { min_rows: 4, max_workgroups: 2048 };
    Compactor::new(&gpu.context).variant(variant).policy(policy)
}

pub fn flags(len: usize) -> Vec<bool> {
    numbers(len)
        .into_iter()
        .enumerate()
        .map(|(i, x)| x.is_multiple_of(3) || i % 7000 > 6000)
        .collect()
}

pub fn words(flags: &[bool]) -> Vec<u32> {
    flags.iter().enumerate().map(|(i, &flag)| u32::from(flag) << (i % 32)).collect()
}

pub fn bools(flags: &[bool]) -> Vec<Bool> {
    flags.iter().map(|&flag| Bool::from(flag)).collect()
}

pub fn bits(flags: &[bool]) -> Vec<Bits> {
    let word =
        |flags: &[bool]| flags.iter().enumerate().map(|(bit, &flag)| u32::from(flag) << bit).sum();
    flags.chunks(32).map(|flags| Bits(word(flags))).collect()
}

fn set(flags: &[bool]) -> impl Iterator<Item = usize> {
    flags.iter().enumerate().filter(|&(_, &flag)| flag).map(|(i, _)| i)
}

/// Of any bits, in runs.
pub fn elements<T: Element>(len: usize) -> Vec<T> {
    let words = numbers(len);
    if T::TYPE.is_vector() {
        // Neighbours differ in a component or two, whichever these are.
        let components = size_of::<T>() / 4;
        let of = |i: usize| {
            let mut item = [u32::try_from(i / 50).expect("short"); 4];
            if let Some(component) =
                item[..components].get_mut(words[i] as usize % (components + 1))
            {
                *component += 1 << 20;
            }
            bytemuck::pod_read_unaligned(&bytemuck::bytes_of(&item)[..size_of::<T>()])
        };
        return (0..len).map(of).collect();
    }
    let of = |i: usize| {
        let word = (words[i] % 3).wrapping_add(u32::try_from(i / 50).expect("short") << 3);
        let bytes = [word.to_le_bytes(), (!word).to_le_bytes()].concat();
        bytemuck::pod_read_unaligned(&bytes[..size_of::<T>()])
    };
    (0..len).map(of).collect()
}

pub fn assert_same<T: Element>(found: &[T], wanted: &[T]) {
    let bytes: [&[u8]; 2] = [bytemuck::cast_slice(found), bytemuck::cast_slice(wanted)];
    assert_eq!(found.len(), wanted.len());
    let differs = iter::zip(bytes[0].chunks(size_of::<T>()), bytes[1].chunks(size_of::<T>()));
    let place = differs.enumerate().find(|(_, (a, b))| a != b).map(|(place, _)| place);
    assert_eq!(place, None, "the first place with another element");
}

pub fn every_kind<T: Element>(gpu: &Gpu, variant: Variant, len: usize) {
    every_kind_by::<T>(gpu, &small_blocks(gpu, variant), len);
}

pub fn every_kind_by<T: Element>(gpu: &Gpu, compactor: &Compactor, len: usize) {
    let flags = flags(len);
    by_mask::<T, u32>(gpu, compactor, &flags, &words(&flags));
    by_mask::<T, Bool>(gpu, compactor, &flags, &bools(&flags));
    by_mask::<T, Bits>(gpu, compactor, &flags, &bits(&flags));
    runs(gpu, compactor, &elements::<T>(len));
}

/// Elements and results begin anywhere. What is behind the results stays as it is.
pub fn by_mask<T: Element, M: Flag>(gpu: &Gpu, compactor: &Compactor, flags: &[bool], mask: &[M]) {
    let all = elements::<T>(flags.len());
    let cpu = Executor::cpu();
    let (input, mask_slice) = (slice_of(gpu, &all, 12, 4), slice_of(gpu, mask, 8, 0));

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
    let compaction = Compaction::positions::<M, u64>(&mask_slice, &output);
    assert_eq!(compactor.run_blocking(&compaction).expect("fits"), places.len() as u64);
    assert_same(&read(gpu, &output), &places);
    let output = unwritten::<u32>(gpu, places.len(), 4, 4);
    let compaction = Compaction::positions::<M, u32>(&mask_slice, &output);
    assert_eq!(compactor.run_blocking(&compaction).expect("fits"), places.len() as u64);
    assert_same(&read(gpu, &output), &short(&places));
}

/// As 32 bits say them.
pub fn short(numbers: &[u64]) -> Vec<u32> {
    numbers.iter().map(|&number| u32::try_from(number).expect("few")).collect()
}

pub fn runs<T: Element>(gpu: &Gpu, compactor: &Compactor, all: &[T]) {
    let cpu = Executor::cpu();
    let input = slice_of(gpu, all, 4, 8);
    let (values, lengths) = cpu.run_lengths(all).expect("there is memory");
    let to = unwritten::<T>(gpu, values.len(), 8, 0);
    let lengths_to = unwritten::<u64>(gpu, values.len(), 4, 4);
    let compaction = Compaction::run_lengths::<T, u64>(&input, &to, &lengths_to);
    assert_eq!(compactor.run_blocking(&compaction).expect("fits"), values.len() as u64);
    assert_same(&read(gpu, &to), &values);
    assert_same(&read(gpu, &lengths_to), &lengths);
    let lengths_to = unwritten::<u32>(gpu, values.len(), 8, 4);
    let compaction = Compaction::run_lengths::<T, u32>(&input, &to, &lengths_to);
    assert_eq!(compactor.run_blocking(&compaction).expect("fits"), values.len() as u64);
    assert_same(&read(gpu, &lengths_to), &short(&lengths));
    let to = unwritten::<T>(gpu, values.len(), 0, 12);
    let compaction = Compaction::unique::<T>(&input, &to);
    assert_eq!(compactor.run_blocking(&compaction).expect("fits"), values.len() as u64);
    assert_same(&read(gpu, &to), &values);
    let begins: Vec<u64> =
        lengths.iter().scan(0, |end, length| Some(std::mem::replace(end, *end + length))).collect();
    let to = unwritten::<T>(gpu, values.len(), 4, 4);
    let begins_to = unwritten::<u64>(gpu, values.len(), 8, 0);
    let compaction = Compaction::run_begins::<T, u64>(&input, &to, &begins_to);
    assert_eq!(compactor.run_blocking(&compaction).expect("fits"), values.len() as u64);
    assert_same(&read(gpu, &to), &values);
    assert_same(&read(gpu, &begins_to), &begins);
    let begins_to = unwritten::<u32>(gpu, values.len(), 12, 0);
    let compaction = Compaction::run_begins::<T, u32>(&input, &to, &begins_to);
    assert_eq!(compactor.run_blocking(&compaction).expect("fits"), values.len() as u64);
    assert_same(&read(gpu, &begins_to), &short(&begins));
}

/// Elements and results begin and end within words, which other results share, and bytes that stay as they are. Also strided elements, outputs of
/// several slices, and an output that is too short.
fn narrow_places(gpu: &Gpu, variant: Variant) {
    narrow_places_by(gpu, &small_blocks(gpu, variant));
}

pub fn narrow_places_by(gpu: &Gpu, compactor: &Compactor) {
    fn check<T: Element>(gpu: &Gpu, compactor: &Compactor, step: usize) {
        let len = 9001;
        let all = elements::<T>(len);
        let mask = words(&flags(len));
        let mask_slice = slice_of(gpu, &mask, 0, 0);
        // Any bit of a byte sets the flag.
        let bytes: Vec<u8> = flags(len).iter().map(|&flag| if flag { 0x80 } else { 0 }).collect();
        let cpu = Executor::cpu();
        let wanted = cpu.select(&all, &mask).expect("they fit");
        let (parted, count) = cpu.partition(&all, &mask).expect("they fit");
        let (values, lengths) = cpu.run_lengths(&all).expect("there is memory");
        for from in 0..4 {
            let by_bytes = slice_of::<Bool>(gpu, bytemuck::cast_slice(&bytes), from, 4);
            let input = slice_of(gpu, &all, 0, 0);
            let output = unwritten::<T>(gpu, wanted.len(), 0, 8);
            let select = Compaction::select::<T, Bool>(&input, &by_bytes, &output);
            compactor.run_blocking(&select).expect("there is room");
            assert_same(&read(gpu, &output), &wanted);
        }
        for from in (0..4).step_by(step) {
            for to in (0..4).step_by(step) {
                let input = slice_of(gpu, &all, from, 4);
                let output = unwritten::<T>(gpu, wanted.len(), to, 8);
                let select = Compaction::select::<T, u32>(&input, &mask_slice, &output);
                let found = compactor.run_blocking(&select).expect("there is room");
                assert_eq!(found, wanted.len() as u64);
                assert_same(&read(gpu, &output), &wanted);

                let room = wanted.len() / 2 + to;
                let output = unwritten::<T>(gpu, room, to, 400);
                let select = Compaction::select::<T, u32>(&input, &mask_slice, &output);
                let short = compactor.run_blocking(&select);
                assert!(matches!(short, Err(Error::Prepare(PrepareError::ShortOutput { .. }))));
                assert_same(&read(gpu, &output), &wanted[..room]);

                // Two slices, which meet within a word.
                let whole = unwritten::<T>(gpu, len, to, 4);
                let part = |range| whole.slice(range).expect("within");
                let cut = 1001 + from as u64;
                let parts = [part(0..cut), part(cut..len as u64)];
                let partition = Compaction::partition::<T, u32>(&input, &mask_slice, &parts);
                assert_eq!(compactor.run_blocking(&partition).expect("there is room"), count);
                assert_same(&read(gpu, &whole), &parted);

                let output = unwritten::<T>(gpu, values.len(), to, 4);
                let lengths_to = unwritten::<u64>(gpu, values.len(), 4, 4);
                let runs = Compaction::run_lengths::<T, u64>(&input, &output, &lengths_to);
                compactor.run_blocking(&runs).expect("there is room");
                assert_same(&read(gpu, &output), &values);
                assert_same(&read(gpu, &lengths_to), &lengths);
            }
        }
        let fields: Vec<T> = all.iter().flat_map(|&x| [T::zeroed(), x, T::zeroed()]).collect();
        let fields = slice_of(gpu, &fields, 0, 0);
        let bytes = size_of::<T>() as u64;
        let strided = GpuSlice::<T>::strided(fields.buffer(), bytes, 3 * bytes, len as u64);
        let strided = strided.expect("within");
        let output = unwritten::<T>(gpu, wanted.len(), step, 4);
        let select = Compaction::select::<T, u32>(&strided, &mask_slice, &output);
        compactor.run_blocking(&select).expect("there is room");
        assert_same(&read(gpu, &output), &wanted);
        let output = unwritten::<T>(gpu, values.len(), step, 4);
        compactor.run_blocking(&Compaction::unique::<T>(&strided, &output)).expect("there is room");
        assert_same(&read(gpu, &output), &values);
    }
    check::<u8>(gpu, compactor, 1);
    check::<u16>(gpu, compactor, 2);
}

/// Elements between which others lie; outputs that are too short, and of two slices.
pub fn components_apart(gpu: &Gpu, compactor: &Compactor) {
    fn check<T: Element>(gpu: &Gpu, compactor: &Compactor) {
        let len = 9001;
        let all = elements::<T>(len);
        let mask = bits(&flags(len));
        let mask_slice = slice_of(gpu, &mask, 4, 0);
        let cpu = Executor::cpu();
        let wanted = cpu.select(&all, &mask).expect("they fit");
        let (values, lengths) = cpu.run_lengths(&all).expect("there is memory");
        let other = elements::<T>(len + 1)[len];
        let fields: Vec<T> = all.iter().flat_map(|&x| [other, x, T::zeroed()]).collect();
        let fields = slice_of(gpu, &fields, 4, 0);
        let bytes = size_of::<T>() as u64;
        let strided = GpuSlice::<T>::strided(fields.buffer(), 4 + bytes, 3 * bytes, len as u64);
        let strided = strided.expect("within");

        let room = wanted.len() / 2;
        let output = unwritten::<T>(gpu, room, 8, 400);
        let short = Compaction::select::<T, Bits>(&strided, &mask_slice, &output);
        let short = compactor.run_blocking(&short);
        assert!(matches!(short, Err(Error::Prepare(PrepareError::ShortOutput { .. }))));
        assert_same(&read(gpu, &output), &wanted[..room]);

        let whole = unwritten::<T>(gpu, len, 12, 4);
        let part = |range| whole.slice(range).expect("within");
        let parts = [part(0..1001), part(1001..len as u64)];
        let partition = Compaction::partition::<T, Bits>(&strided, &mask_slice, &parts);
        let count = compactor.run_blocking(&partition).expect("there is room");
        let parted = cpu.partition(&all, &mask).expect("they fit");
        assert_eq!(count, parted.1);
        assert_same(&read(gpu, &whole), &parted.0);

        let output = unwritten::<T>(gpu, values.len(), 4, 4);
        let lengths_to = unwritten::<u64>(gpu, values.len(), 4, 4);
        let runs = Compaction::run_lengths::<T, u64>(&strided, &output, &lengths_to);
        compactor.run_blocking(&runs).expect("there is room");
        assert_same(&read(gpu, &output), &values);
        assert_same(&read(gpu, &lengths_to), &lengths);
    }
    check::<[u32; 2]>(gpu, compactor);
    check::<[f32; 3]>(gpu, compactor);
    check::<[i32; 4]>(gpu, compactor);
}

/// The first ones are there, nothing else is written, and the error says how many there are.
fn too_short(gpu: &Gpu, _: Variant) {
    too_short_by(gpu, &Compactor::new(&gpu.context));
}

pub fn too_short_by(gpu: &Gpu, compactor: &Compactor) {
    let all = elements::<u32>(20_000);
    let mask = words(&flags(20_000));
    let (input, mask_slice) = (slice_of(gpu, &all, 0, 0), slice_of(gpu, &mask, 0, 0));
    let wanted = Executor::cpu().select(&all, &mask).expect("they fit");
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
        let compaction = Compaction::run_lengths::<u32, u64>(&input, &to, &lengths_to);
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
    let text = prepared.plan().to_string();
    assert!(
        text.starts_with("selection of 9000 elements of u32") || text.contains("9000"),
        "{text}"
    );
    let wanted = Executor::cpu().select(&all, &words(&flags(9000))).expect("they fit");
    for _ in 0..2 {
        let mut encoder = gpu.encoder();
        let readback = prepared.record_readback(&mut encoder).expect("records");
        gpu.submit(encoder);
        assert_eq!(readback.wait_blocking().expect("a count"), wanted.len() as u64);
        let found = read(gpu, &counts);
        assert_eq!(found[17], wanted.len() as u64);
        assert!(found.iter().enumerate().all(|(i, &x)| i == 17 || x == 0));
        assert_same(&read(gpu, &output)[..wanted.len()], &wanted);
    }
    // Of a longer slice the first number is it, and the others are not touched. They may even be where something else is written.
    let compactor = Compactor::new(&gpu.context);
    for (begin, step) in [(20, 1), (30, 2)] {
        let longer = GpuSlice::<u64>::strided(counts.buffer(), 8 * begin, 8 * step, 4);
        let longer = longer.expect("within");
        let prepared = compactor.prepare(&compaction, &longer).expect("prepares");
        let mut encoder = gpu.encoder();
        prepared.record(&mut encoder);
        gpu.submit(encoder);
        let found = read(gpu, &counts);
        let at = usize::try_from(begin).expect("small");
        assert_eq!(found[at], wanted.len() as u64);
        assert!(found[at + 1..].iter().all(|&x| x == 0), "{found:?}");
    }
    let both = unwritten::<u32>(gpu, 9000, 8, 0);
    let count_and_output = GpuSlice::<u64>::new(both.buffer(), 0, 4).expect("within");
    let select = Compaction::select::<u32, u32>(&input, &mask, &both);
    let plan = compactor.plan(&select, &count_and_output).expect("the count is before the output");
    assert_eq!(plan.strategy, Strategy::TwoPass);
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
    // A part of the buffer, again and again, has more flags than 32 bits count.
    let bits = slice_of(gpu, &vec![Bits(1); 1 << 18], 0, 0);
    let again: Input<Bits> = (0..512).map(|_| bits.clone()).collect();
    let found = error(&Compaction::positions::<Bits, u32>(again, &output));
    assert!(matches!(found, PrepareError::LongNumbers { len } if len == 1 << 32), "{found}");
    let found = error(&select(&all, &mask, &all));
    assert!(matches!(found, PrepareError::OutputAliasing { what: "output" }), "{found}");
    let found = error(&select(&all, &mask, &mask));
    assert!(matches!(found, PrepareError::OutputAliasing { what: "output" }), "{found}");
    let twice = vec![output.slice(0..50).expect("within"), output.slice(49..99).expect("within")];
    let found = error(&Compaction::select::<u32, u32>(&all, &mask, twice));
    assert!(matches!(found, PrepareError::OutputAliasing { what: "output" }), "{found}");
    let whole = unwritten::<u64>(gpu, 100, 0, 0);
    let halves = GpuSlice::<u32>::whole(whole.buffer()).slice(0..100).expect("within");
    let found = error(&Compaction::run_lengths::<u32, u64>(&all, &halves, &whole));
    assert!(matches!(found, PrepareError::OutputAliasing { what: "lengths" }), "{found}");
    let part = output.slice(0..99).expect("within");
    let found = error(&Compaction::partition::<u32, u32>(&all, &mask, &part));
    assert!(matches!(found, PrepareError::ShortOutput { len: 99, needed: 100 }), "{found}");
    let to = unwritten::<Bits>(gpu, 8, 0, 0);
    let found = error(&Compaction::unique::<Bits>(&bits, &to));
    assert!(matches!(found, PrepareError::NoSelection { .. }), "{found}");
    let strided = GpuSlice::<u32>::strided(output.buffer(), 0, 8, 50).expect("within");
    let found = error(&Compaction::unique::<u32>(&all, &strided));
    assert!(matches!(found, PrepareError::StridedOutput), "{found}");
    let count = GpuSlice::<u64>::new(output.buffer(), 0, 1).expect("within");
    let found = compactor.prepare(&select(&all, &mask, &output), &count.slice(0..0).expect("it"));
    assert!(matches!(found, Err(PrepareError::NoCount)), "{found:?}");
    let found = compactor.plan(&select(&all, &mask, &output), &count.slice(0..0).expect("it"));
    assert!(matches!(found, Err(PrepareError::NoCount)), "{found:?}");
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

/// Floats of all kinds, among them many that a device may flush.
pub fn floats(len: usize) -> Vec<f32> {
    let of = |(i, word): (usize, u32)| match i % 4 {
        0 => f32::from_bits(word & 0x80ff_ffff),
        1 => f32::from_bits(word),
        _ => f32::from_bits(word % 3 + 0x3f80_0000) * (1.5 - (word % 4) as f32),
    };
    numbers(len).into_iter().enumerate().map(of).collect()
}

/// Against what Rust says of each element by itself.
fn predicates(gpu: &Gpu, variant: Variant, len: usize) {
    let tiny = f32::MIN_POSITIVE;
    by_predicate::<f32>(gpu, variant, "x * 0.5 > 0.0", &floats(len), |x, _| x * 0.5 > 0.0);
    by_predicate::<f32>(
        gpu,
        variant,
        "x + 1.1754944e-38 < 1.0 && i % 7u != 3u || x != x",
        &floats(len),
        |x, i| (x + tiny < 1.0 && i % 7 != 3) || x.is_nan(),
    );
    by_predicate::<f32>(gpu, variant, "1.0 / x >= f32(i)", &floats(len), |x, i| {
        1.0 / x >= i as f32
    });
    let words = numbers(len);
    by_predicate::<u32>(gpu, variant, "(x ^ i) % 3u == 0u", &words, |x, i| {
        (x ^ i).is_multiple_of(3)
    });
    let signed: Vec<i32> = words.iter().map(|word| word.cast_signed()).collect();
    by_predicate::<i32>(gpu, variant, "x / 3 < -1000 || i < 5u", &signed, |x, i| {
        x / 3 < -1000 || i < 5
    });
    by_predicate::<i32>(gpu, variant, "true", &signed, |_, _| true);
    by_predicate::<i32>(gpu, variant, "x != x", &signed, |_, _| false);
}

/// Elements come in several slices, at odd places; the last one is strided. What is behind the results stays as it is.
fn by_predicate<T: MapElement>(
    gpu: &Gpu,
    variant: Variant,
    text: &str,
    all: &[T],
    is_true: impl Fn(T, u32) -> bool,
) {
    let predicate = Predicate::<T>::new(text).expect(text);
    assert_same(
        &Executor::cpu().select_if(all, text).expect("selects"),
        &Executor::cpu().select_if(all, &predicate).expect("selects"),
    );
    selects(gpu, variant, &predicate, all, is_true);
}

pub fn selects<T: MapElement>(
    gpu: &Gpu,
    variant: Variant,
    predicate: &Predicate<T>,
    all: &[T],
    is_true: impl Fn(T, u32) -> bool,
) {
    let flags: Vec<bool> = iter::zip(all, 0..).map(|(&x, i)| is_true(x, i)).collect();
    let places = |flag: bool| {
        flags.iter().enumerate().filter(move |&(_, &found)| found == flag).map(|(i, _)| i)
    };
    let of = |places: &mut dyn Iterator<Item = usize>| places.map(|i| all[i]).collect::<Vec<T>>();
    let selected = of(&mut places(true));
    let parted = of(&mut places(true).chain(places(false)));
    let positions: Vec<u64> = places(true).map(|i| i as u64).collect();

    let cpu = Executor::cpu();
    assert_same(&cpu.select_if(all, predicate).expect("selects"), &selected);
    let found = cpu.partition_if(all, predicate).expect("parts");
    assert_same(&found.0, &parted);
    assert_eq!(found.1, selected.len() as u64);
    assert_same(&cpu.positions_if(all, predicate).expect("finds"), &positions);

    let cuts = [0, all.len() / 5, all.len() / 5, all.len() / 2, all.len()];
    let mut input: Vec<GpuSlice<T>> = cuts
        .windows(2)
        .map(|ends| slice_of(gpu, &all[ends[0]..ends[1]], 4 * (ends[0] % 5), 4))
        .collect();
    let last = &all[cuts[3]..];
    let apart: Vec<T> = last.iter().flat_map(|&x| [x, T::zeroed(), x]).collect();
    let apart = slice_of(gpu, &apart, 8, 0);
    let stride = 3 * size_of::<T>() as u64;
    input[3] = GpuSlice::strided(apart.buffer(), apart.offset_bytes(), stride, last.len() as u64)
        .expect("within");
    let compactor = small_blocks(gpu, variant);
    let run = |compaction: Result<Compaction, WgslError>| {
        let count =
            compactor.run_blocking(&compaction.expect("a predicate")).expect("there is room");
        assert_eq!(count, selected.len() as u64, "{predicate:?}");
    };

    let output = unwritten::<T>(gpu, selected.len(), 4, 20);
    run(Compaction::select_if(input.clone(), predicate, &output));
    assert_same(&read(gpu, &output), &selected);
    let output = unwritten::<T>(gpu, all.len(), 20, 4);
    run(Compaction::partition_if(input.clone(), predicate, &output));
    assert_same(&read(gpu, &output), &parted);
    let output = unwritten::<u64>(gpu, positions.len(), 12, 8);
    run(Compaction::positions_if(input.clone(), predicate, &output));
    assert_same(&read(gpu, &output), &positions);
    let output = unwritten::<u32>(gpu, positions.len(), 8, 4);
    run(Compaction::positions_if(input, predicate, &output));
    assert_same(&read(gpu, &output), &short(&positions));
}

/// A selection, a count by the same predicate, and both on the CPU.
fn random_predicates(gpu: &Gpu, variant: Variant) {
    for round in 0..8 {
        let mut random = Random(7000 + round);
        let all: Vec<f32> =
            words_of_all_kinds(&mut random, 6001).into_iter().map(f32::from_bits).collect();
        let text = expression(&mut random, "bool", "f32", &["x"], 1 + round % 3);
        let wanted = Executor::cpu().select_if(&all, &text).expect(&text);
        let executor = Executor::from_context(gpu.context.clone());
        let array = executor.upload(&all).expect("uploads");
        let found = array.select_if(&text).expect(&text).download().expect("downloads");
        assert_same(&found, &wanted);
        let ones = Map::<f32>::new("1.0").and_then(|map| map.only_where(&text)).expect(&text);
        let counter = Reducer::<f32, _>::new(&gpu.context, Count).variant(variant);
        let counter = counter.map(&ones).expect("counts");
        let slices = array.gpu_slices().expect("on a GPU");
        assert_eq!(counter.reduce_blocking(slices).expect("counts"), wanted.len() as u64, "{text}");
        assert_eq!(Executor::cpu().count_if(&all, &text).expect(&text), wanted.len() as u64);
    }
}

fn arrays_if(gpu: &Gpu, _: Variant) {
    let executor = Executor::from_context(gpu.context.clone());
    let (all, cpu) = (floats(5000), Executor::cpu());
    let array = executor.upload(&all).expect("uploads");
    let text = "x > 1.0";
    let wanted = cpu.select_if(&all, text).expect("selects");
    assert!(!wanted.is_empty());
    assert_same(&array.select_if(text).expect("selects").download().expect("downloads"), &wanted);
    let (parted, count) = array.partition_if(text).expect("parts");
    assert_eq!(count, wanted.len() as u64);
    assert_same(
        &parted.download().expect("downloads"),
        &cpu.upload(&all).and_then(|all| all.partition_if(text)?.0.download()).expect("parts"),
    );
    let positions = cpu.upload(&all).and_then(|all| all.positions_if(text)?.download());
    let positions = positions.expect("finds");
    assert_same(
        &array.positions_if(text).expect("finds").download().expect("downloads"),
        &positions,
    );
    let on_device = executor.clone().host_slices(HostSlices::OnDevice);
    assert_same(&on_device.select_if(&all, text).expect("selects"), &wanted);
    assert_same(&on_device.positions_if(&all, text).expect("finds"), &positions);
    assert_eq!(on_device.partition_if(&all, text).expect("parts").1, wanted.len() as u64);
    // Cut anywhere, positions and indices are those of the whole, of numbers whose halves are both more than 0, too.
    let by_index = "x > 1.0 && i % 3u == 0u";
    let whole = cpu.positions_if(&all, by_index).expect("finds");
    for executor in [&cpu, &on_device] {
        let (here, there) = all.split_at(1237);
        let mut found = executor.positions_if_from(here, 0, by_index).expect("finds");
        found.extend(executor.positions_if_from(there, 1237, by_index).expect("finds"));
        assert_same(&found, &whole);
        let late = executor.positions_if_from(&all, 3 << 32, by_index).expect("finds");
        let later: Vec<u64> = whole.iter().map(|position| position + (3 << 32)).collect();
        assert_same(&late, &later);
    }

    for executor in [&cpu, &on_device] {
        let error = executor.select_if(&all, "x + 1.0").expect_err("a number");
        assert!(matches!(error, Error::Wgsl(WgslError::Value { .. })), "{error}");
        let error = executor.positions_if(&all, "sin(x) > 0.0").expect_err("no sine");
        assert!(matches!(error, Error::Wgsl(WgslError::Unsupported { .. })), "{error}");
    }
    let slice = slice_of(gpu, &all, 0, 0);
    let predicate = Predicate::<f32>::new(text).expect("a predicate");
    let compaction = Compaction::select_if(&slice, &predicate, &slice).expect("a predicate");
    let error = Compactor::new(&gpu.context).run_blocking(&compaction).expect_err("one buffer");
    let is_refused =
        matches!(error, Error::Prepare(PrepareError::OutputAliasing { what: "output" }));
    assert!(is_refused, "{error}");
}
