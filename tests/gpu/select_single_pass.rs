//! Selections in a single pass: every kind, many blocks, as often as one likes, and though other workgroups leave nothing.

use crate::{
    BOTH, Case, VULKAN,
    device::Gpu,
    scans::{doubles, near_one, numbers, on_cpu, read, slice_of, unwritten},
    selections::{
        assert_same, bits, bools, by_mask, components_apart, elements, every_kind_by, flags,
        floats, narrow_places_by, runs, short, too_short_by, words,
    },
};
use gridfold::{
    Bits, Bool, Compaction, Compactor, DeviceClass, Element, Error, Executor, GpuSlice, MapElement,
    Predicate, PrepareError, Scan, Scanner, Strategy, Sum, Variant,
    half::{bf16, f16},
    shader::Sources,
};

pub fn cases() -> Vec<Case> {
    let mut cases = vec![
        Case::tier1(
            VULKAN,
            "selections in a single pass, lengths around rows, rounds and blocks",
            lengths,
        ),
        Case::tier2("selections in a single pass, of elements of any size", |gpu, variant| {
            for len in [1, 1025, 8191, 8193, 16_385] {
                every_kind::<u8>(gpu, variant, len);
                every_kind::<f16>(gpu, variant, len);
                every_kind::<f64>(gpu, variant, len);
            }
            for len in [1, 8193, 16_385] {
                every_kind::<[u32; 2]>(gpu, variant, len);
                every_kind::<[f32; 3]>(gpu, variant, len);
                every_kind::<[i32; 4]>(gpu, variant, len);
            }
            every_kind::<i16>(gpu, variant, 70_001);
            every_kind::<Bool>(gpu, variant, 9001);
            every_kind::<bf16>(gpu, variant, 8192);
            every_kind::<i64>(gpu, variant, 70_001);
            every_kind::<f32>(gpu, variant, 9001);
        }),
        Case::tier2("selections in a single pass, from any place to any place", |gpu, variant| {
            narrow_places_by(gpu, &compactor(gpu, variant));
            components_apart(gpu, &compactor(gpu, variant));
        }),
        Case::tier1(
            VULKAN,
            "selections in a single pass, of all, of none, and of one",
            few_and_all,
        ),
        Case::tier1(VULKAN, "selections in a single pass, strided elements and flags", strided),
        Case::tier1(
            VULKAN,
            "selections in a single pass, runs from any word of a vector",
            |gpu, variant| {
                runs_from_any_word::<u32>(gpu, variant);
                runs_from_any_word::<f64>(gpu, variant);
            },
        ),
        Case::tier2("selections in a single pass, by predicates", |gpu, variant| {
            predicates(gpu, variant);
            predicates(&crate::floats::in_software(gpu), variant);
        }),
        Case::tier1(VULKAN, "selections in a single pass, groups of blocks", groups),
        Case::tier2("selections in a single pass, groups of groups", groups_of_groups),
        Case::tier1(VULKAN, "selections in a single pass, outputs too short", |gpu, variant| {
            too_short_by(gpu, &compactor(gpu, variant));
        }),
        Case::tier2("selections in a single pass, other workgroups leave nothing", silent),
        Case::tier1(VULKAN, "selections in a single pass, other workgroups are late", late),
        Case::tier1(VULKAN, "selections in a single pass, in memory of others", memory_of_others),
        Case::tier1(VULKAN, "selections in a single pass, tens of times", |gpu, variant| {
            again(gpu, variant, GROUP + 3 * BLOCK + 100, [3, 12]);
        }),
        Case::tier2("selections in a single pass, thousands of times", |gpu, variant| {
            again(gpu, variant, 3 * GROUP + 7 * BLOCK + 100, [200, 20]);
        }),
        Case::tier1(VULKAN, "selections that go in two passes nevertheless", in_two_passes),
        Case::tier1(VULKAN, "selections in a single pass, windows over a buffer", windows),
        Case::tier2("selections in a single pass, where kernels bind four buffers", four_buffers),
    ];
    cases = cases.into_iter().map(|case| case.needs(|has| has.coherent_memory)).collect();
    cases.push(Case::tier1(BOTH, "selections in a single pass, without coherent memory", refused));
    cases
}

/// Elements of a block, and blocks of a group.
const BLOCK: usize = 8192;
const GROUP: usize = 64 * BLOCK;

fn compactor(gpu: &Gpu, variant: Variant) -> Compactor {
    Compactor::new(&gpu.context).variant(variant).strategy(Strategy::SinglePass)
}

pub fn every_kind<T: Element>(gpu: &Gpu, variant: Variant, len: usize) {
    every_kind_by::<T>(gpu, &compactor(gpu, variant), len);
}

fn lengths(gpu: &Gpu, variant: Variant) {
    let around_blocks = [BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, 2 * BLOCK + 1, 70_001];
    for len in [0, 1, 3, 255, 1023, 1025, 4095, 4096, 4097].into_iter().chain(around_blocks) {
        every_kind::<u32>(gpu, variant, len);
    }
}

/// Runs it in one dispatch, and says how many are selected.
fn once(gpu: &Gpu, variant: Variant, compaction: &Compaction) -> u64 {
    let count = slice_of(gpu, &[u64::MAX], 12, 4);
    let prepared = compactor(gpu, variant).prepare(compaction, &count).expect("prepares");
    let plan = prepared.plan();
    assert_eq!(plan.strategy, Strategy::SinglePass, "{plan}");
    assert_eq!(plan.dispatches.len(), 1, "{plan}");
    let mut encoder = gpu.encoder();
    prepared.record(&mut encoder);
    gpu.submit(encoder);
    read(gpu, &count)[0]
}

/// The elements by a mask, and their positions, each in one dispatch.
fn check_mask<T: Element>(gpu: &Gpu, variant: Variant, all: &[T], flags: &[bool]) {
    check_select(gpu, variant, all, flags);
    let mask = slice_of(gpu, &bools(flags), 0, 0);
    let wanted = Executor::cpu().positions(&bools(flags)).expect("there is memory");
    let output = unwritten::<u64>(gpu, wanted.len().max(1), 0, 0);
    let positions = Compaction::positions::<Bool, u64>(&mask, &output);
    assert_eq!(once(gpu, variant, &positions), wanted.len() as u64, "{} flags", flags.len());
    assert_same(&read(gpu, &output)[..wanted.len()], &wanted);
    let output = unwritten::<u32>(gpu, wanted.len().max(1), 0, 0);
    let positions = Compaction::positions::<Bool, u32>(&mask, &output);
    assert_eq!(once(gpu, variant, &positions), wanted.len() as u64, "{} flags", flags.len());
    assert_same(&read(gpu, &output)[..wanted.len()], &short(&wanted));
}

fn check_select<T: Element>(gpu: &Gpu, variant: Variant, all: &[T], flags: &[bool]) {
    let (input, mask) = (slice_of(gpu, all, 0, 0), slice_of(gpu, &bits(flags), 0, 0));
    let wanted = Executor::cpu().select(all, &bits(flags)).expect("they fit");
    let output = unwritten::<T>(gpu, wanted.len().max(1), 0, 0);
    let select = Compaction::select::<T, Bits>(&input, &mask, &output);
    assert_eq!(once(gpu, variant, &select), wanted.len() as u64, "{} flags", flags.len());
    assert_same(&read(gpu, &output)[..wanted.len()], &wanted);
}

/// The runs, and their lengths, each in one dispatch.
fn check_runs<T: Element>(gpu: &Gpu, variant: Variant, all: &[T]) {
    let input = slice_of(gpu, all, 0, 0);
    let (values, lengths) = Executor::cpu().run_lengths(all).expect("there is memory");
    let output = unwritten::<T>(gpu, values.len(), 0, 0);
    let unique = Compaction::unique::<T>(&input, &output);
    assert_eq!(once(gpu, variant, &unique), values.len() as u64, "{} elements", all.len());
    assert_same(&read(gpu, &output), &values);
    let output = unwritten::<T>(gpu, values.len(), 0, 0);
    let lengths_to = unwritten::<u64>(gpu, values.len(), 0, 0);
    let compaction = Compaction::run_lengths::<T, u64>(&input, &output, &lengths_to);
    assert_eq!(once(gpu, variant, &compaction), values.len() as u64, "{} elements", all.len());
    assert_same(&read(gpu, &output), &values);
    assert_same(&read(gpu, &lengths_to), &lengths);
    let lengths_to = unwritten::<u32>(gpu, values.len(), 0, 0);
    let compaction = Compaction::run_lengths::<T, u32>(&input, &output, &lengths_to);
    assert_eq!(once(gpu, variant, &compaction), values.len() as u64, "{} elements", all.len());
    assert_same(&read(gpu, &lengths_to), &short(&lengths));
}

fn few_and_all(gpu: &Gpu, variant: Variant) {
    let len = 3 * BLOCK + 5;
    let compactor = compactor(gpu, variant);
    for flags in [vec![true; len], vec![false; len]] {
        check_mask(gpu, variant, &elements::<u32>(len), &flags);
        by_mask::<u64, u32>(gpu, &compactor, &flags, &words(&flags));
    }
    for place in [0, 1023, 4095, 4096, BLOCK - 1, BLOCK, 3 * BLOCK, len - 1] {
        let flags: Vec<bool> = (0..len).map(|i| i == place).collect();
        check_mask(gpu, variant, &elements::<i32>(len), &flags);
    }
    // One run over all blocks; two that meet anywhere; and blocks without a beginning between blocks with many.
    runs(gpu, &compactor, &vec![7u32; len]);
    for place in [1, 1024, 4095, 4096, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, len - 1] {
        let all: Vec<u32> = (0..len).map(|i| u32::from(i >= place)).collect();
        check_runs(gpu, variant, &all);
    }
    let short = |i: usize| u16::try_from(i % 5000).expect("short");
    let long: Vec<u16> = (0..5 * BLOCK + 9)
        .map(|i| short(if (i / BLOCK).is_multiple_of(2) { i } else { 3 }))
        .collect();
    check_runs(gpu, variant, &long);
}

/// Also where the last element is the last of the buffer.
fn runs_from_any_word<T: Element>(gpu: &Gpu, variant: Variant) {
    for len in [BLOCK / 2, 2 * BLOCK, 2 * BLOCK + 9] {
        let all = elements::<T>(len);
        let (values, lengths) = Executor::cpu().run_lengths(&all).expect("there is memory");
        for bytes_before in [0, 4, 8, 12] {
            let input = slice_of(gpu, &all, bytes_before, 0);
            let output = unwritten::<T>(gpu, values.len(), 0, 0);
            let lengths_to = unwritten::<u64>(gpu, values.len(), 0, 0);
            let compaction = Compaction::run_lengths::<T, u64>(&input, &output, &lengths_to);
            assert_eq!(once(gpu, variant, &compaction), values.len() as u64, "{len} elements");
            assert_same(&read(gpu, &output), &values);
            assert_same(&read(gpu, &lengths_to), &lengths);
        }
    }
}

fn strided(gpu: &Gpu, variant: Variant) {
    fn check<T: Element>(gpu: &Gpu, variant: Variant) {
        let len = 2 * BLOCK + 77;
        let all = elements::<T>(len);
        let flags = flags(len);
        let fields: Vec<T> = all.iter().flat_map(|&x| [T::zeroed(), x, T::zeroed()]).collect();
        let bytes = size_of::<T>() as u64;
        let fields = slice_of(gpu, &fields, 0, 0);
        let input = GpuSlice::<T>::strided(fields.buffer(), bytes, 3 * bytes, len as u64);
        let input = input.expect("within");
        let pairs: Vec<u32> = words(&flags).into_iter().flat_map(|word| [word, 7]).collect();
        let pairs = slice_of(gpu, &pairs, 0, 0);
        let mask = GpuSlice::<u32>::strided(pairs.buffer(), 0, 8, len as u64).expect("within");
        let wanted = Executor::cpu().select(&all, &words(&flags)).expect("they fit");
        let output = unwritten::<T>(gpu, wanted.len(), 4, 4);
        let select = Compaction::select::<T, u32>(&input, &mask, &output);
        assert_eq!(once(gpu, variant, &select), wanted.len() as u64);
        assert_same(&read(gpu, &output), &wanted);
        let (values, lengths) = Executor::cpu().run_lengths(&all).expect("there is memory");
        let output = unwritten::<T>(gpu, values.len(), 4, 4);
        let lengths_to = unwritten::<u64>(gpu, values.len(), 4, 4);
        let compaction = Compaction::run_lengths::<T, u64>(&input, &output, &lengths_to);
        assert_eq!(once(gpu, variant, &compaction), values.len() as u64);
        assert_same(&read(gpu, &output), &values);
        assert_same(&read(gpu, &lengths_to), &lengths);
    }
    check::<u8>(gpu, variant);
    check::<u16>(gpu, variant);
    check::<u32>(gpu, variant);
    check::<u64>(gpu, variant);
}

/// Against the CPU, which tests/gpu/selections.rs compares with Rust.
fn predicates(gpu: &Gpu, variant: Variant) {
    fn check<T: MapElement>(gpu: &Gpu, variant: Variant, text: &str, all: &[T]) {
        let predicate = Predicate::<T>::new(text).expect(text);
        let input = slice_of(gpu, all, 8, 4);
        let wanted = Executor::cpu().select_if(all, text).expect(text);
        let output = unwritten::<T>(gpu, wanted.len().max(1), 4, 4);
        let select = Compaction::select_if(&input, &predicate, &output).expect(text);
        assert_eq!(once(gpu, variant, &select), wanted.len() as u64, "{text}");
        assert_same(&read(gpu, &output)[..wanted.len()], &wanted);
        let wanted = Executor::cpu().positions_if(all, text).expect(text);
        let output = unwritten::<u64>(gpu, wanted.len().max(1), 4, 4);
        let positions = Compaction::positions_if(&input, &predicate, &output).expect(text);
        assert_eq!(once(gpu, variant, &positions), wanted.len() as u64, "{text}");
        assert_same(&read(gpu, &output)[..wanted.len()], &wanted);
    }
    for len in [1, 4097, BLOCK, BLOCK + 1, 5 * BLOCK + 3] {
        check(gpu, variant, "x * 0.5 > 0.0", &floats(len));
        check(gpu, variant, "1.0 / x >= f32(i)", &floats(len));
        check(gpu, variant, "(x ^ i) % 3u == 0u", &numbers(len));
        check(gpu, variant, "true", &numbers(len));
        check(gpu, variant, "x != x", &numbers(len));
    }
    check(gpu, variant, "x * 1.5 > 1.0", &doubles(2 * BLOCK + 9));
    parameters(gpu, variant);
    check(gpu, variant, "x % 3u == 1u", &elements::<u8>(2 * BLOCK + 9));
    check(gpu, variant, "x * 3 < 500", &elements::<i16>(2 * BLOCK + 9));
}

/// As many words of them as there can be.
fn parameters(gpu: &Gpu, variant: Variant) {
    fn check<T: MapElement>(
        gpu: &Gpu,
        variant: Variant,
        predicate: &Predicate<T>,
        all: &[T],
        wanted: &[T],
    ) {
        let input = slice_of(gpu, all, 8, 4);
        let output = unwritten::<T>(gpu, wanted.len(), 4, 4);
        let select = Compaction::select_if(&input, predicate, &output).expect("of its type");
        assert_eq!(once(gpu, variant, &select), wanted.len() as u64);
        assert_same(&read(gpu, &output), wanted);
    }
    let all = numbers(2 * BLOCK + 9);
    let four = [("a", 77), ("b", 5), ("c", 2), ("d", 0)];
    let predicate = Predicate::<u32>::with_parameters("(x ^ a) % b == c && x != d", &four);
    let wanted: Vec<u32> = all.iter().copied().filter(|x| (x ^ 77) % 5 == 2 && *x != 0).collect();
    check(gpu, variant, &predicate.expect("parameters"), &all, &wanted);
    let all: Vec<u64> = elements(2 * BLOCK + 9);
    let ends = [("low", u64::MAX / 3), ("high", u64::MAX - (1 << 36))];
    let predicate = Predicate::<u64>::with_parameters("x > low && x < high", &ends);
    let within = |x: &u64| *x > u64::MAX / 3 && *x < u64::MAX - (1 << 36);
    let wanted: Vec<u64> = all.iter().copied().filter(within).collect();
    assert!(!wanted.is_empty() && wanted.len() < all.len(), "{} of all", wanted.len());
    check(gpu, variant, &predicate.expect("parameters"), &all, &wanted);
}

fn groups(gpu: &Gpu, variant: Variant) {
    let lens = [
        3 * BLOCK - 4,
        63 * BLOCK,
        GROUP - 1,
        GROUP,
        GROUP + 1,
        GROUP + 2 * BLOCK,
        2 * GROUP + 12 * BLOCK + 7,
    ];
    let longest = lens[lens.len() - 1];
    let (all, flags) = (elements::<u32>(longest), flags(longest));
    // Runs that are longer than a group are between others.
    let mut long = elements::<u32>(longest);
    long[20 * BLOCK + 1..GROUP + 30 * BLOCK + 5].fill(1);
    for len in lens {
        check_mask(gpu, variant, &all[..len], &flags[..len]);
        check_runs(gpu, variant, &all[..len]);
        check_runs(gpu, variant, &long[..len]);
    }
    let few: Vec<bool> = (0..longest).map(|i| i % GROUP == 5 * BLOCK).collect();
    check_mask(gpu, variant, &all, &few);
}

/// Blocks enough for groups of 64 groups, which takes long on drivers in software.
fn groups_of_groups(gpu: &Gpu, variant: Variant) {
    let longest = 64 * GROUP + 5 * GROUP + 3 * BLOCK + 1;
    let (all, flags) = (elements::<u8>(longest), flags(longest));
    for len in [64 * GROUP - 1, 64 * GROUP, 64 * GROUP + 1, longest] {
        check_select(gpu, variant, &all[..len], &flags[..len]);
    }
    let short = |i: usize| u8::try_from(i % 251).expect("short");
    let mut long: Vec<u8> = (0..longest).map(|i| short(i / 9000)).collect();
    long[GROUP + 7..65 * GROUP + 7].fill(1);
    check_runs(gpu, variant, &long);
}

/// The shaders, with something else in place of what a block does with its total.
fn with_total(gpu: &Gpu, instead: &str, polls: &str) -> Gpu {
    let publish =
        "        if lane_index == 0u {\n            total_publish(job, 0u, block, key, total);";
    let hostile =
        format!("        {instead} {{\n            total_publish(job, 0u, block, key, total);");
    let few_polls = format!("const FIRST_POLLS = {polls};");
    let sources = Sources::default()
        .replace("select/single_pass.wgsl", publish, &hostile)
        .and_then(|sources| {
            sources.replace("scan/look_back.wgsl", "const FIRST_POLLS = 1024u;", &few_polls)
        });
    gpu.with_shaders(sources.expect("they are there")).expect("a context")
}

/// Every kind of what blocks tell each other.
fn check_all(gpu: &Gpu, variant: Variant, len: usize) {
    check_mask(gpu, variant, &elements::<u32>(len), &flags(len));
    check_runs(gpu, variant, &elements::<u32>(len));
}

/// Workgroups end though others never leave their totals.
fn silent(gpu: &Gpu, variant: Variant) {
    for instead in [
        // A third of them, all of them, and those that come first.
        "if lane_index == 0u && (block != own || own % 3u != 1u)",
        "if lane_index == 0u && block != own",
        "if lane_index == 0u && (block != own || own > 40u)",
    ] {
        let silent = with_total(gpu, instead, "8u");
        check_all(&silent, variant, GROUP + 3 * BLOCK + 400);
        check_all(&silent, variant, 20 * BLOCK);
        let predicate = Predicate::<u32>::new("x % 3u == 1u").expect("a predicate");
        let all = numbers(30 * BLOCK + 3);
        let (input, output) =
            (slice_of(&silent, &all, 0, 0), unwritten::<u32>(&silent, all.len(), 0, 0));
        let select = Compaction::select_if(&input, &predicate, &output).expect("a predicate");
        let wanted = Executor::cpu().select_if(&all, &predicate).expect("selects");
        assert_eq!(once(&silent, variant, &select), wanted.len() as u64, "{instead}");
        assert_same(&read(&silent, &output)[..wanted.len()], &wanted);
    }
    // Nor those of groups.
    let group = "if lane_index == 0u {\n            own_totals[level + 1u] = total;\n            total_publish(job, level + 1u,";
    let sources = Sources::default().replace(
        "scan/look_back.wgsl",
        group,
        "if lane_index == 0u {\n            own_totals[level + 1u] = total;\n        }\n        if lane_index == 0u && level > 5u {\n            total_publish(job, level + 1u,",
    );
    let silent = gpu.with_shaders(sources.expect("it is there")).expect("a context");
    check_all(&silent, variant, 2 * GROUP + 3 * BLOCK + 1);
}

/// Totals come so late that others have made them meanwhile, and those come, too.
fn late(gpu: &Gpu, variant: Variant) {
    let wait = "if lane_index == 0u { for (var i = 0u; i < 400u * (own % 5u); i++) { atomicOr(&progress[EPOCH], 0u); } }\n        if lane_index == 0u";
    for polls in ["1u", "64u"] {
        check_all(&with_total(gpu, wait, polls), variant, 40 * BLOCK + 12);
    }
}

/// Passes of other lengths and kinds, and of scans, were there before, and left their totals.
fn memory_of_others(gpu: &Gpu, variant: Variant) {
    let all = near_one(20 * BLOCK);
    for blocks in [20, 3, 12, 20, 5, 19] {
        check_all(gpu, variant, blocks * BLOCK - 1);
        let some = &all[..blocks * BLOCK];
        let (input, output) = (slice_of(gpu, some, 0, 0), unwritten::<f32>(gpu, some.len(), 0, 0));
        let scanner = Scanner::<f32, _>::new(&gpu.context, Sum).variant(variant);
        let scanner = scanner.strategy(Strategy::SinglePass);
        scanner.scan_blocking(&input, &output).expect("scans");
        assert_same(&read(gpu, &output), &on_cpu::<f32, _>(Scan::inclusive(), some, Sum));
        check_mask(gpu, variant, &elements::<u8>(blocks * BLOCK), &flags(blocks * BLOCK));
    }
}

/// So many submissions, each of so many selections. What one has left is no result of the next.
fn again(gpu: &Gpu, variant: Variant, len: usize, [submits, records]: [usize; 2]) {
    let (all, flags) = (elements::<u32>(len), flags(len));
    let (input, mask) = (slice_of(gpu, &all, 0, 0), slice_of(gpu, &bits(&flags), 0, 0));
    let wanted = Executor::cpu().select(&all, &bits(&flags)).expect("they fit");
    let (output, count) =
        (unwritten::<u32>(gpu, wanted.len(), 0, 0), slice_of(gpu, &[0u64, 0], 0, 0));
    let number = count.slice(1..2).expect("within");
    let select = Compaction::select::<u32, Bits>(&input, &mask, &output);
    let prepared = compactor(gpu, variant).prepare(&select, &number).expect("prepares");
    assert_eq!(prepared.plan().strategy, Strategy::SinglePass);
    for _ in 0..submits {
        let mut encoder = gpu.encoder();
        encoder.clear_buffer(output.buffer(), 0, None);
        encoder.clear_buffer(count.buffer(), 0, None);
        for _ in 0..records {
            prepared.record(&mut encoder);
        }
        gpu.submit(encoder);
        assert_same(&read(gpu, &output), &wanted);
        assert_eq!(read(gpu, &count), [0, wanted.len() as u64]);
    }
}

/// What can't go in one pass: partitions, several slices of anything, nothing at all, and a count beside elements. The results are the same.
fn in_two_passes(gpu: &Gpu, variant: Variant) {
    let len = 3 * BLOCK + 1;
    let (all, flags) = (elements::<u32>(len), flags(len));
    let (input, mask) = (slice_of(gpu, &all, 0, 0), slice_of(gpu, &words(&flags), 0, 0));
    let output = unwritten::<u32>(gpu, len, 0, 400);
    let count = unwritten::<u64>(gpu, 1, 0, 0);
    let compactor = compactor(gpu, variant);
    let passes = |compaction: &Compaction, count: &GpuSlice<u64>| {
        compactor.plan(compaction, count).expect("plans").strategy
    };
    let select = Compaction::select::<u32, u32>(&input, &mask, &output);
    assert_eq!(passes(&select, &count), Strategy::SinglePass);
    let default = Compactor::new(&gpu.context).variant(variant).plan(&select, &count);
    let is_nvidia = gpu.capabilities().device_class == DeviceClass::Nvidia;
    let wanted = if is_nvidia { Strategy::SinglePass } else { Strategy::TwoPass };
    assert_eq!(default.expect("plans").strategy, wanted);

    let partition = Compaction::partition::<u32, u32>(&input, &mask, &output);
    assert_eq!(passes(&partition, &count), Strategy::TwoPass);
    let selected = compactor.run_blocking(&partition).expect("there is room");
    let (wanted, wanted_count) = Executor::cpu().partition(&all, &words(&flags)).expect("parts");
    assert_eq!(selected, wanted_count);
    assert_same(&read(gpu, &output), &wanted);

    let halves = |slice: &GpuSlice<u32>| {
        let (cut, len) = (BLOCK as u64, slice.len());
        vec![slice.slice(0..cut).expect("within"), slice.slice(cut..len).expect("within")]
    };
    let cut_inputs = Compaction::select::<u32, u32>(halves(&input), &mask, &output);
    let cut_masks = Compaction::select::<u32, u32>(&input, halves(&mask), &output);
    let cut_outputs = Compaction::select::<u32, u32>(&input, &mask, halves(&output));
    let wanted = Executor::cpu().select(&all, &words(&flags)).expect("they fit");
    for cut in [&cut_inputs, &cut_masks, &cut_outputs] {
        assert_eq!(passes(cut, &count), Strategy::TwoPass);
        assert_eq!(compactor.run_blocking(cut).expect("there is room"), wanted.len() as u64);
        assert_same(&read(gpu, &output)[..wanted.len()], &wanted);
    }
    let nothing = output.slice(0..0).expect("within");
    let no_room = Compaction::select::<u32, u32>(&input, &mask, &nothing);
    assert_eq!(passes(&no_room, &count), Strategy::TwoPass);

    // Behind the output, and behind the elements, in their buffers.
    let behind = |slice: &GpuSlice<u32>, at: u64| {
        GpuSlice::<u64>::new(slice.buffer(), at, 1).expect("within")
    };
    let beside = unwritten::<u32>(gpu, 2 * len, 0, 0);
    let to = beside.slice(0..len as u64).expect("within");
    let select = Compaction::select::<u32, u32>(&input, &mask, &to);
    let count = behind(&to, 4 * (len as u64 + 3));
    assert_eq!(passes(&select, &count), Strategy::TwoPass);
    let mut encoder = gpu.encoder();
    compactor.record(&mut encoder, &select, &count).expect("records");
    gpu.submit(encoder);
    let found = read(gpu, &beside);
    assert_same(&found[..wanted.len()], &wanted);
    assert_eq!(found[len + 3..len + 5], [u32::try_from(wanted.len()).expect("short"), 0]);

    // In place nothing is selected.
    let in_place = Compaction::select::<u32, u32>(&input, &mask, &input);
    let error = compactor.run_blocking(&in_place).expect_err("one buffer");
    let is_refused =
        matches!(error, Error::Prepare(PrepareError::OutputAliasing { what: "output" }));
    assert!(is_refused, "{error}");
    let by_atomics = Compactor::new(&gpu.context).strategy(Strategy::WorkgroupAtomic);
    let error = by_atomics.run_blocking(&partition).expect_err("no such strategy");
    let is_refused = matches!(error, Error::Prepare(PrepareError::StrategyUnfit { .. }));
    assert!(is_refused, "{error}");
}

/// Bindings that do not span all, and grids that do not have all blocks: then there are two passes, and else one.
fn windows(gpu: &Gpu, variant: Variant) {
    let small = gpu.with_limits(|limits| {
        limits.max_storage_buffer_binding_size = (1 << 15) + 16;
        limits.max_compute_workgroups_per_dimension = 2;
    });
    let check = |gpu: &Gpu| {
        every_kind::<u32>(gpu, variant, 50_001);
        every_kind::<u8>(gpu, variant, 2 * BLOCK);
        every_kind::<u8>(gpu, variant, 2 * BLOCK + 1);
        let count = unwritten::<u64>(gpu, 1, 0, 0);
        let output = unwritten::<u8>(gpu, 2 * BLOCK, 0, 0);
        for (len, wanted) in [(2 * BLOCK, Strategy::SinglePass), (2 * BLOCK + 1, Strategy::TwoPass)]
        {
            let input = slice_of(gpu, &elements::<u8>(len), 0, 0);
            let unique = Compaction::unique::<u8>(&input, &output);
            let plan = compactor(gpu, variant).plan(&unique, &count).expect("plans");
            assert_eq!(plan.strategy, wanted, "{plan}");
        }
    };
    small.expect("a device with lower limits").check(check).expect("no errors");
}

/// Then what binds more goes in two passes.
fn four_buffers(gpu: &Gpu, variant: Variant) {
    let small = gpu.with_limits(|limits| limits.max_storage_buffers_per_shader_stage = 4);
    let check = |gpu: &Gpu| {
        every_kind::<u32>(gpu, variant, 20_001);
        predicates(gpu, variant);
        let (input, output) =
            (slice_of(gpu, &[7u32; 9000], 0, 0), unwritten::<u32>(gpu, 9000, 0, 0));
        let (lengths, count) = (unwritten::<u64>(gpu, 9000, 0, 0), unwritten::<u64>(gpu, 1, 0, 0));
        let compactor = compactor(gpu, variant);
        let passes = |compaction| compactor.plan(compaction, &count).expect("plans").strategy;
        let odd = Predicate::<u32>::new("x % 2u == 1u").expect("an expression");
        let odd = Compaction::select_if(&input, &odd, &output).expect("no parameters");
        assert_eq!(passes(&odd), Strategy::SinglePass);
        // Without subgroups its kernel loads words alone, so it binds one buffer less.
        let of_unique = match variant {
            Variant::WorkgroupMemory => Strategy::SinglePass,
            _ => Strategy::TwoPass,
        };
        let unique = Compaction::unique::<u32>(&input, &output);
        assert_eq!(passes(&unique), of_unique);
        let runs = Compaction::run_lengths::<u32, u64>(&input, &output, &lengths);
        assert_eq!(passes(&runs), Strategy::TwoPass);
    };
    small.expect("a device with lower limits").check(check).expect("no errors");
}

fn refused(gpu: &Gpu, variant: Variant) {
    let input = slice_of(gpu, &[7u32; 9000], 0, 0);
    let output = unwritten::<u32>(gpu, 9000, 0, 0);
    let count = unwritten::<u64>(gpu, 1, 0, 0);
    let unique = Compaction::unique::<u32>(&input, &output);
    let has = gpu.capabilities().coherent_memory;
    match compactor(gpu, variant).plan(&unique, &count) {
        Ok(plan) => assert!(has && plan.strategy == Strategy::SinglePass, "{plan}"),
        Err(PrepareError::NoCoherentMemory) => assert!(!has),
        Err(error) => panic!("{error}"),
    }
    // A partition has two passes in any case, so it needs none.
    let mask = slice_of(gpu, &[1u32; 9000], 0, 0);
    let partition = Compaction::partition::<u32, u32>(&input, &mask, &output);
    let plan = compactor(gpu, variant).plan(&partition, &count).expect("it has two passes");
    assert_eq!(plan.strategy, Strategy::TwoPass);
    let two = Compactor::new(&gpu.context).variant(variant).strategy(Strategy::TwoPass);
    assert_eq!(two.plan(&unique, &count).expect("plans").strategy, Strategy::TwoPass);
}
