//! Selections of as many elements as a number on the device says: what selections of as many give, and nothing else is written.

use super::{around, first, slices};
use crate::{
    BOTH, Case,
    device::Gpu,
    scans::{assert_same, numbers, read, slice_of, unwritten},
};
use gridfold::{
    Bits, Compaction, Compactor, Counted, Element, Executor, Flag, GpuSlice, Policy, Predicate,
    PrepareError, Reducer, Strategy, Sum, Variant,
};

pub fn cases() -> Vec<Case> {
    vec![
        Case::tier1(BOTH, "counted, selections", |gpu, variant| {
            let lens = around(&[0, 32, 1024, 4096, 7000, 8192, 20_002]);
            every_kind::<u32>(gpu, variant, 20_003, &lens);
            by_predicates(gpu, variant, 20_003, &lens);
            every_kind::<f64>(gpu, variant, 6001, &[0, 1, 4096, 4097, 6001, 7000]);
            every_kind::<u8>(gpu, variant, 20_003, &[0, 1, 4095, 8193, 20_002]);
            every_kind::<u16>(gpu, variant, 6001, &[0, 1, 4096, 4097, 6001, 7000]);
            every_kind::<[u32; 3]>(gpu, variant, 6001, &[0, 1, 4096, 4097, 6001, 7000]);
            every_kind::<u32>(gpu, variant, 0, &[0, 1]);
        }),
        // Of one slice, as single passes are.
        Case::tier2("counted, selections in a single pass", |gpu, variant| {
            let way = Way { variant, strategy: Strategy::SinglePass };
            // Each recording also takes many blocks behind none.
            let mut lens = around(&[0, 32, 1024, 4096, 8192, 16_384, 20_002]);
            lens.extend([0, 0, 20_002, 20_002]);
            every_kind::<u32>(gpu, way, 20_003, &lens);
            by_predicates(gpu, way, 20_003, &lens);
            every_kind::<f64>(gpu, way, 9001, &[0, 1, 4096, 8192, 8193, 9001, 10_000]);
            every_kind::<u8>(gpu, way, 20_003, &[0, 1, 8191, 8193, 20_002]);
            every_kind::<u16>(gpu, way, 9001, &[0, 1, 8192, 9001, 10_000]);
            every_kind::<[i32; 4]>(gpu, way, 9001, &[0, 1, 8192, 9001, 10_000]);
        })
        .needs(|has| has.coherent_memory),
        // Two launches of two blocks, and one of a part of a block.
        Case::tier1(BOTH, "counted, selections of several launches", |gpu, variant| {
            let small = gpu.with_limits(|limits| {
                limits.max_storage_buffer_binding_size = (1 << 15) + 16;
                limits.max_compute_workgroups_per_dimension = 2;
            });
            let lens = around(&[0, 4096, 8192, 12_288, 16_384, 18_000]);
            let check = |gpu: &Gpu| {
                every_kind::<u32>(gpu, variant, 18_001, &lens);
                by_predicates(gpu, variant, 18_001, &lens);
            };
            small.expect("a device with lower limits").check(check).expect("no errors");
        }),
        Case::tier1(BOTH, "counted, a selection behind a selection", behind_each_other),
        Case::tier1(BOTH, "counted, selections that are refused", refused)
            .only(Variant::WorkgroupMemory),
    ]
}

/// How it is done.
#[derive(Clone, Copy)]
struct Way {
    variant: Variant,
    strategy: Strategy,
}

/// In two passes.
impl From<Variant> for Way {
    fn from(variant: Variant) -> Self {
        Self { variant, strategy: Strategy::TwoPass }
    }
}

fn compactor(gpu: &Gpu, Way { variant, strategy }: Way) -> Compactor {
    let policy = Policy { min_rows: 4, max_workgroups: 2048 };
    Compactor::new(&gpu.context).variant(variant).strategy(strategy).policy(policy)
}

/// The runs' lengths, of so many elements.
type Lengths<'a> = &'a dyn Fn(usize) -> Vec<u64>;

/// A selection that was prepared for the most elements there can be, and what it gives of fewer.
struct Asked<'a, T: Element> {
    what: &'static str,
    compaction: Compaction,
    output: GpuSlice<T>,
    /// Items that are written, and how many are counted.
    wanted: &'a dyn Fn(usize) -> (Vec<T>, u64),
    /// Those of a second output.
    lengths: Option<(GpuSlice<u64>, Lengths<'a>)>,
}

impl<T: Element + std::fmt::Debug> Asked<'_, T> {
    /// One recording, of one number after the other: what is behind the items stays as it was.
    fn check(self, gpu: &Gpu, way: Way, len: usize, lens: &[usize]) {
        let Self { what, compaction, output, wanted, lengths } = self;
        let (number, count) = (slice_of(gpu, &[0u64], 4, 4), slice_of(gpu, &[0u64], 8, 4));
        let half = GpuSlice::<u32>::new(number.buffer(), 4, 1).expect("within");
        let compactor = compactor(gpu, way);
        let by_u64 =
            compactor.prepare(&compaction.clone().counted(&number), &count).expect("prepares");
        let by_u32 =
            compactor.prepare(&compaction.clone().counted(&half), &count).expect("prepares");
        let found = by_u64.plan().strategy;
        let is_of_two_passes = way.strategy == Strategy::TwoPass || what == "partition";
        assert_eq!(found == Strategy::TwoPass, is_of_two_passes, "{what}: {}", by_u64.plan());
        let mut items = read(gpu, &output);
        let mut all_lengths = lengths.as_ref().map(|(to, _)| read(gpu, to));
        let huge = usize::try_from(1u64 << 40).ok();
        for (turn, len_told) in lens.iter().copied().chain(huge).enumerate() {
            let about = || format!("{what} of {len_told} of {len} {}", T::TYPE);
            let bytes = (len_told as u64).to_le_bytes();
            gpu.context.queue().write_buffer(number.buffer(), 4, &bytes);
            let is_wide = len_told > len || turn % 2 == 0;
            let mut encoder = gpu.encoder();
            if is_wide { &by_u64 } else { &by_u32 }.record(&mut encoder);
            gpu.submit(encoder);
            let some = len_told.min(len);
            let (found, how_many) = wanted(some);
            items[..found.len()].copy_from_slice(&found);
            assert_eq!(read(gpu, &count), [how_many], "{}", about());
            assert_same(&read(gpu, &output), &items, about);
            if let (Some((to, of)), Some(all)) = (&lengths, &mut all_lengths) {
                let found = of(some);
                all[..found.len()].copy_from_slice(&found);
                assert_same(&read(gpu, to), all, about);
            }
        }
    }
}

/// Of any bits, in runs, some of which are long.
fn elements<T: Element>(len: usize) -> Vec<T> {
    let of = |(i, x): (usize, u32)| {
        let word = (x % 3) * u32::from(i % 5000 < 3000) + u32::try_from(i / 900).expect("short");
        let words = [word, !word, 7, word << 3];
        bytemuck::pod_read_unaligned(&bytemuck::bytes_of(&words)[..size_of::<T>()])
    };
    numbers(len).into_iter().enumerate().map(of).collect()
}

fn every_kind<T: Element + std::fmt::Debug>(
    gpu: &Gpu,
    way: impl Into<Way>,
    len: usize,
    lens: &[usize],
) {
    let way = way.into();
    let cpu = Executor::cpu();
    let all = elements::<T>(len);
    let flags: Vec<u32> = numbers(len).into_iter().map(|x| x % 3 / 2).collect();
    let bits: Vec<Bits> = flags
        .chunks(32)
        .map(|flags| Bits((0..).zip(flags).map(|(i, flag)| flag << i).sum()))
        .collect();
    let cuts = [len / 3, len];
    let cuts = if way.strategy == Strategy::SinglePass { &cuts[1..] } else { &cuts };
    let input = slices(gpu, &all, cuts);
    by_mask(gpu, way, (&all, &input), (&flags, &flags), lens);
    by_mask(gpu, way, (&all, &input), (&flags, &bits), lens);

    let runs = |some: usize| cpu.run_lengths(&all[..some]).expect("there is memory");
    let values = |some: usize| {
        let (values, _) = runs(some);
        let count = values.len() as u64;
        (values, count)
    };
    let (output, to) = (unwritten::<T>(gpu, len, 8, 4), unwritten::<u64>(gpu, len, 4, 4));
    let compaction = Compaction::run_lengths::<T, u64>(&input[..], &output, &to);
    let lengths = |some: usize| runs(some).1;
    let lengths = Some((to, &lengths as &dyn Fn(usize) -> Vec<u64>));
    Asked { what: "run lengths", compaction, output, wanted: &values, lengths }
        .check(gpu, way, len, lens);

    let (output, to) = (unwritten::<T>(gpu, len, 0, 4), unwritten::<u64>(gpu, len, 4, 0));
    let compaction = Compaction::run_begins::<T, u64>(&input[..], &output, &to);
    let begins = |some: usize| {
        let lengths = runs(some).1;
        lengths.iter().scan(0, |end, length| Some(std::mem::replace(end, *end + length))).collect()
    };
    let lengths = Some((to, &begins as &dyn Fn(usize) -> Vec<u64>));
    Asked { what: "run begins", compaction, output, wanted: &values, lengths }
        .check(gpu, way, len, lens);

    let output = unwritten::<T>(gpu, len, 4, 4);
    let compaction = Compaction::unique::<T>(&input[..], &output);
    Asked { what: "unique", compaction, output, wanted: &values, lengths: None }
        .check(gpu, way, len, lens);
}

fn by_mask<T: Element + std::fmt::Debug, M: Flag>(
    gpu: &Gpu,
    way: Way,
    (all, input): (&[T], &[GpuSlice<T>]),
    (flags, mask): (&[u32], &[M]),
    lens: &[usize],
) {
    let cpu = Executor::cpu();
    let len = all.len();
    let mask = slice_of(gpu, mask, 8, 4);
    let selected = |some: usize| {
        let selected = cpu.select(&all[..some], &flags[..some]).expect("they fit");
        let count = selected.len() as u64;
        (selected, count)
    };
    let output = unwritten::<T>(gpu, len, 4, 4);
    let compaction = Compaction::select::<T, M>(input, &mask, &output);
    Asked { what: "selection", compaction, output, wanted: &selected, lengths: None }
        .check(gpu, way, len, lens);

    // Of fewer than are selected.
    let output = unwritten::<T>(gpu, len / 5, 4, 4);
    let compaction = Compaction::select::<T, M>(input, &mask, &output);
    let some_selected = |some: usize| {
        let (mut items, count) = selected(some);
        items.truncate(len / 5);
        (items, count)
    };
    Asked { what: "short selection", compaction, output, wanted: &some_selected, lengths: None }
        .check(gpu, way, len, lens);

    let output = unwritten::<T>(gpu, len, 12, 4);
    let compaction = Compaction::partition::<T, M>(input, &mask, &output);
    let parted = |some: usize| cpu.partition(&all[..some], &flags[..some]).expect("they fit");
    Asked { what: "partition", compaction, output, wanted: &parted, lengths: None }
        .check(gpu, way, len, lens);

    let output = unwritten::<u64>(gpu, len, 4, 4);
    let compaction = Compaction::positions::<M, u64>(&mask, &output);
    let positions = |some: usize| {
        let places = cpu.positions(&flags[..some]).expect("there is memory");
        let count = places.len() as u64;
        (places, count)
    };
    Asked { what: "positions", compaction, output, wanted: &positions, lengths: None }
        .check(gpu, way, len, lens);
}

fn by_predicates(gpu: &Gpu, way: impl Into<Way>, len: usize, lens: &[usize]) {
    let way = way.into();
    let cpu = Executor::cpu();
    let all = numbers(len);
    let cuts = [5, len];
    let cuts = if way.strategy == Strategy::SinglePass { &cuts[1..] } else { &cuts };
    let input = slices(gpu, &all, cuts);
    let text = "x % 3u == 1u || i % 1000u < 20u";
    let predicate = Predicate::<u32>::new(text).expect(text);
    let output = unwritten::<u32>(gpu, len, 4, 4);
    let compaction = Compaction::select_if(&input[..], &predicate, &output).expect(text);
    let selected = |some: usize| {
        let selected = cpu.select_if(&all[..some], text).expect(text);
        let count = selected.len() as u64;
        (selected, count)
    };
    Asked {
        what: "selection by a predicate",
        compaction,
        output,
        wanted: &selected,
        lengths: None,
    }
    .check(gpu, way, len, lens);
}

/// What is left of elements, and one of each run of these, and their sum: nothing of it goes to the host in between.
fn behind_each_other(gpu: &Gpu, variant: Variant) {
    let all: Vec<u32> = elements(30_000);
    let input = slice_of(gpu, &all, 0, 0);
    let [kept, unique] = [0, 4].map(|before| unwritten::<u32>(gpu, all.len(), before, 0));
    let [kept_count, count] = [0, 8].map(|before| slice_of(gpu, &[0u64], before, 0));
    let sum = slice_of(gpu, &[0u32], 0, 0);
    for text in ["x % 2u == 0u", "x > 1000000u", "true"] {
        let predicate = Predicate::<u32>::new(text).expect(text);
        let select = Compaction::select_if(&input, &predicate, &kept).expect(text);
        let runs = Compaction::unique::<u32>(&kept, &unique);
        let (compactor, mut encoder) = (compactor(gpu, variant.into()), gpu.encoder());
        compactor.record(&mut encoder, &select, &kept_count).expect("records");
        compactor
            .record(&mut encoder, &runs.clone().counted(&kept_count), &count)
            .expect("records");
        let reducer = Reducer::<u32, _>::new(&gpu.context, Sum).variant(variant);
        reducer.record(&mut encoder, Counted::new(&unique, &count), &sum).expect("records");
        gpu.submit(encoder);
        let cpu = Executor::cpu();
        let wanted = cpu.unique(&cpu.select_if(&all, text).expect(text)).expect("unique");
        assert_eq!(read(gpu, &count), [wanted.len() as u64], "{text}");
        assert_same(&read(gpu, &unique)[..wanted.len()], &wanted, || text.to_owned());
        assert_eq!(read(gpu, &sum), [wanted.iter().fold(0, |sum: u32, x| sum.wrapping_add(*x))]);
    }
}

fn refused(gpu: &Gpu, _: Variant) {
    let all = slice_of(gpu, &elements::<u32>(100), 0, 0);
    let output = unwritten::<u32>(gpu, 100, 0, 0);
    let lengths = unwritten::<u64>(gpu, 100, 0, 0);
    let [number, count] = [0, 1].map(|_| slice_of(gpu, &[7u64], 0, 8));
    let compactor = Compactor::new(&gpu.context);
    let unique = Compaction::unique::<u32>(&all, &output);
    let runs = Compaction::run_lengths::<u32, u64>(&all, &output, &lengths);
    let refuse = |compaction: &Compaction, number: &GpuSlice<u64>, count: &GpuSlice<u64>| {
        compactor.prepare(&compaction.clone().counted(number), count).expect_err("it is refused")
    };
    let error = refuse(&unique, &number.slice(0..0).expect("within"), &count);
    assert!(matches!(error, PrepareError::NoCount), "{error}");
    let error = refuse(&unique, &number, &number);
    assert!(matches!(error, PrepareError::OutputAliasing { what: "count" }), "{error}");
    let within = GpuSlice::<u64>::new(output.buffer(), 8, 1).expect("within");
    let error = refuse(&unique, &within, &count);
    assert!(matches!(error, PrepareError::OutputAliasing { what: "output" }), "{error}");
    let error = refuse(&runs, &lengths.slice(99..100).expect("within"), &count);
    assert!(matches!(error, PrepareError::OutputAliasing { what: "lengths" }), "{error}");
    // The number may be one of the elements.
    let within = GpuSlice::<u64>::new(all.buffer(), 8, 1).expect("within");
    compactor.prepare(&unique.clone().counted(&within), &count).expect("it is read");
    let held = first(std::slice::from_ref(&all), 10);
    let error = refuse(&Compaction::unique::<u32>(&held[..], &all), &number, &count);
    assert!(matches!(error, PrepareError::OutputAliasing { what: "output" }), "{error}");
}
