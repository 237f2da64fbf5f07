//! Scans in a single pass: many blocks, as often as one likes, and though other workgroups leave nothing.

use crate::{
    BOTH, Case, VULKAN,
    device::Gpu,
    scans::{assert_same, doubles, kinds, near_one, numbers, on_cpu, read, slice_of, unwritten},
};
use gridfold::{
    All, Counted, DeviceClass, Element, Executor, L1Norm, Max, Operator, PrepareError, Scan,
    Scanner, Strategy, Sum, Variant, shader::Sources,
};

pub fn cases() -> Vec<Case> {
    let mut cases = vec![
        Case::tier1(VULKAN, "scans in a single pass, groups of blocks", |gpu, variant| {
            groups::<f32, _>(gpu, variant, near_one, Sum);
            groups::<u32, _>(gpu, variant, numbers, Sum);
            groups::<f64, _>(gpu, variant, doubles, Sum);
        }),
        Case::tier2(
            "scans in a single pass, groups of blocks, by other operators",
            |gpu, variant| {
                groups::<f32, _>(gpu, variant, near_one, L1Norm);
                groups::<u32, _>(gpu, variant, |len| vec![1; len], All);
            },
        ),
        Case::tier1(
            VULKAN,
            "scans in a single pass, values that the device is not right for",
            hostile,
        ),
        Case::tier2("scans in a single pass, other workgroups leave nothing", silent),
        Case::tier1(VULKAN, "scans in a single pass, other workgroups are late", late),
        Case::tier1(VULKAN, "scans in a single pass, in memory of others", memory_of_others),
        Case::tier1(VULKAN, "scans in a single pass, tens of times", |gpu, variant| {
            again(gpu, variant, GROUP + 3 * BLOCK + 100, [3, 12]);
        }),
        Case::tier2("scans in a single pass, thousands of times", |gpu, variant| {
            again(gpu, variant, 3 * GROUP + 7 * BLOCK + 100, [200, 20]);
        }),
        Case::tier2("scans in a single pass, groups of groups", |gpu, variant| {
            check_long(gpu, variant, &[64 * GROUP - 4, 64 * GROUP]);
        }),
        Case::tier1(VULKAN, "scans that go in two passes nevertheless", in_two_passes),
    ];
    cases = cases.into_iter().map(|case| case.needs(|has| has.coherent_memory)).collect();
    let long = Case::tier2("scans in a single pass, several groups of groups", |gpu, variant| {
        check_long(gpu, variant, &[64 * GROUP + 4, LONGEST]);
    });
    cases
        .push(long.needs(|has| has.coherent_memory && has.max_binding_bytes >= 4 * LONGEST as u64));
    cases.push(Case::tier1(BOTH, "scans in a single pass, without coherent memory", refused));
    // Elsewhere everything goes in two passes.
    let of_host_slices =
        Case::tier1(VULKAN, "slices of host memory go in two passes", of_host_slices);
    cases.push(
        of_host_slices.needs(|has| has.coherent_memory && has.device_class == DeviceClass::Nvidia),
    );
    cases
}

/// Elements of a block, and blocks of a group.
const BLOCK: usize = 8192;
const GROUP: usize = 64 * BLOCK;
/// The most blocks: of two groups of groups, and of some groups more.
const LONGEST: usize = 2 * 64 * GROUP + 5 * GROUP + 3 * BLOCK;

fn scanner<T: Element, Op: Operator<T>>(gpu: &Gpu, variant: Variant, op: Op) -> Scanner<T, Op> {
    Scanner::new(&gpu.context, op).variant(variant).strategy(Strategy::SinglePass)
}

fn check<T: Element, Op: Operator<T> + Copy>(
    gpu: &Gpu,
    variant: Variant,
    scan: Scan<T>,
    elements: &[T],
    op: Op,
) {
    let input = slice_of(gpu, elements, 0, 0);
    let output = unwritten::<Op::Out>(gpu, elements.len(), 0, 0);
    let scanner = scanner::<T, _>(gpu, variant, op).kind(scan);
    let plan = scanner.plan(&input, &output).expect("plans");
    assert_eq!(plan.strategy, Strategy::SinglePass, "{plan}");
    assert_eq!(plan.dispatches.len(), 1, "{plan}");
    scanner.scan_blocking(&input, &output).expect("scans");
    let wanted = on_cpu::<T, _>(scan, elements, op);
    assert_same(&read(gpu, &output), &wanted, || format!("{scan:?}, {plan}"));
}

fn groups<T: Element, Op: Operator<T> + Copy>(
    gpu: &Gpu,
    variant: Variant,
    make: fn(usize) -> Vec<T>,
    op: Op,
) {
    let lens = [
        BLOCK + 4,
        2 * BLOCK,
        3 * BLOCK - 4,
        63 * BLOCK,
        GROUP - 4,
        GROUP,
        GROUP + 4,
        GROUP + 2 * BLOCK,
        2 * GROUP + 12 * BLOCK + 8,
    ];
    let elements = make(2 * GROUP + 12 * BLOCK + 8);
    for (number, len) in lens.into_iter().enumerate() {
        check::<T, _>(gpu, variant, kinds(elements[5])[number % 4], &elements[..len], op);
        check::<T, _>(gpu, variant, kinds(elements[5])[(number + 1) % 4], &elements[..len], op);
    }
}

/// Scans of a few blocks.
pub fn some_kinds(gpu: &Gpu, variant: Variant) {
    for scan in kinds(3) {
        check::<u32, _>(gpu, variant, scan, &numbers(2 * BLOCK + 1000), Sum);
    }
    for scan in kinds(0.5) {
        check::<f32, _>(gpu, variant, scan, &near_one(2 * BLOCK + 1000), Sum);
    }
}

/// Single passes are wrong here, so arrays are, and slices of host memory are not.
fn of_host_slices(gpu: &Gpu, _: Variant) {
    let sources = Sources::default().replace(
        "memory/progress.wgsl",
        "words[i] = word;",
        "words[i] = word ^ 1u;",
    );
    let wrong = gpu.with_shaders(sources.expect("it is there")).expect("a context");
    let executor = Executor::from_context(wrong.context);
    let values = numbers(3 * BLOCK);
    let wanted = on_cpu::<u32, _>(Scan::inclusive(), &values, Sum);
    assert_eq!(executor.inclusive_scan(&values, Sum).expect("scans"), wanted);
    let before = Executor::cpu().reduce_part(&[], 0, Sum).expect("a part");
    let after = executor.scan_after(Scan::inclusive(), &before, &values).expect("scans");
    assert_eq!(after, wanted);
    let selected = Executor::cpu().select_if(&values, "(x & 1u) == 1u").expect("selects");
    assert_eq!(executor.select_if(&values, "(x & 1u) == 1u").expect("selects"), selected);

    let array = executor.upload(&values).expect("uploads");
    let of_array = array.inclusive_scan(Sum).expect("scans").download().expect("downloads");
    assert_ne!(of_array, wanted);
}

/// Blocks enough for groups of 64 groups, which takes long on drivers in software.
fn check_long(gpu: &Gpu, variant: Variant, lens: &[usize]) {
    let elements = near_one(lens.iter().copied().max().unwrap_or(0));
    for (number, &len) in lens.iter().enumerate() {
        check::<f32, _>(gpu, variant, kinds(0.1)[number], &elements[..len], Sum);
        check::<f32, _>(gpu, variant, kinds(0.1)[number + 2], &elements[..len], Sum);
    }
}

/// The shaders, with something else in place of what a block does with its total.
fn with_total(gpu: &Gpu, instead: &str, polls: &str) -> Gpu {
    let publish =
        "        if lane_index == 0u {\n            total_publish(job, 0u, block, key, total);";
    let first_polls = "const FIRST_POLLS = 1024u;";
    let sources = Sources::default()
        .replace(
            "scan/single_pass.wgsl",
            publish,
            &format!(
                "        {instead} {{\n            total_publish(job, 0u, block, key, total);"
            ),
        )
        .and_then(|sources| {
            sources.replace(
                "scan/look_back.wgsl",
                first_polls,
                &format!("const FIRST_POLLS = {polls};"),
            )
        });
    gpu.with_shaders(sources.expect("they are there")).expect("a context")
}

/// Totals of blocks and of groups that are subnormal, and elements behind them that are.
fn hostile(gpu: &Gpu, variant: Variant) {
    let mut elements = near_one(2 * GROUP + 3 * BLOCK + 400);
    elements[..GROUP + 9 * BLOCK].fill(0.0);
    for block in [0, 1, 5, 64, 66] {
        elements[block * BLOCK + 5] = 1e-41;
    }
    // In the second round of its block alone.
    elements[70 * BLOCK + 5000] = 1e-41;
    elements[2 * GROUP + BLOCK + 7] = -1e-41;
    check::<f32, _>(gpu, variant, Scan::inclusive(), &elements, Sum);
    elements[2 * GROUP + BLOCK + 7] = f32::INFINITY;
    check::<f32, _>(gpu, variant, Scan::exclusive().initial(3.5), &elements, Sum);
}

/// Workgroups end though others never leave their totals.
fn silent(gpu: &Gpu, variant: Variant) {
    let elements = near_one(GROUP + 3 * BLOCK + 400);
    let mut hostile = elements.clone();
    hostile[3 * BLOCK + 5] = 1e-41;
    hostile[9 * BLOCK] = f32::INFINITY;
    for instead in [
        // A third of them, all of them, and those that come first.
        "if lane_index == 0u && (block != own || own % 3u != 1u)",
        "if lane_index == 0u && block != own",
        "if lane_index == 0u && (block != own || own > 40u)",
    ] {
        let silent = with_total(gpu, instead, "8u");
        for scan in [Scan::inclusive(), Scan::exclusive().initial(3.5)] {
            check::<f32, _>(&silent, variant, scan, &elements, Sum);
        }
        check::<f32, _>(&silent, variant, Scan::exclusive(), &hostile[..20 * BLOCK], Sum);
        check::<u32, _>(&silent, variant, Scan::inclusive(), &numbers(30 * BLOCK), Sum);
    }
    // Nor those of groups.
    let group = "if lane_index == 0u {\n            own_totals[level + 1u] = total;\n            total_publish(job, level + 1u,";
    let sources = Sources::default().replace(
        "scan/look_back.wgsl",
        group,
        "if lane_index == 0u {\n            own_totals[level + 1u] = total;\n        }\n        if lane_index == 0u && level > 5u {\n            total_publish(job, level + 1u,",
    );
    let silent = gpu.with_shaders(sources.expect("it is there")).expect("a context");
    check::<f32, _>(
        &silent,
        variant,
        Scan::inclusive(),
        &near_one(2 * GROUP + 3 * BLOCK + 400),
        Sum,
    );
    check::<u32, _>(&silent, variant, Scan::inclusive(), &numbers(2 * GROUP + 3 * BLOCK), Max);
}

/// Totals come so late that others have made them meanwhile, and those come, too.
fn late(gpu: &Gpu, variant: Variant) {
    let wait = "if lane_index == 0u { for (var i = 0u; i < 400u * (own % 5u); i++) { atomicOr(&progress[EPOCH], 0u); } }\n        if lane_index == 0u";
    for polls in ["1u", "64u"] {
        let late = with_total(gpu, wait, polls);
        let elements = near_one(40 * BLOCK + 12);
        check::<f32, _>(&late, variant, Scan::inclusive(), &elements, Sum);
        check::<f32, _>(&late, variant, Scan::exclusive(), &elements, Sum);
    }
}

/// Passes of other lengths, types and operators were there before, and left their totals.
fn memory_of_others(gpu: &Gpu, variant: Variant) {
    let floats = near_one(20 * BLOCK);
    let doubles = doubles(20 * BLOCK);
    let numbers = numbers(20 * BLOCK);
    for blocks in [20, 3, 12, 20, 5, 19] {
        check::<f32, _>(gpu, variant, Scan::inclusive(), &floats[..blocks * BLOCK], Sum);
        check::<f64, _>(gpu, variant, Scan::exclusive(), &doubles[..(23 - blocks) * BLOCK], Sum);
        check::<u32, _>(gpu, variant, Scan::inclusive(), &numbers[..blocks * BLOCK], Sum);
        check::<u32, _>(gpu, variant, Scan::inclusive(), &vec![7; blocks * BLOCK], Max);
    }
}

/// So many submissions, each of so many scans. What one has left is no result of the next.
fn again(gpu: &Gpu, variant: Variant, len: usize, [submits, records]: [usize; 2]) {
    let elements = near_one(len);
    let input = slice_of(gpu, &elements, 0, 0);
    let output = unwritten::<f32>(gpu, elements.len(), 0, 0);
    let wanted = on_cpu::<f32, _>(Scan::inclusive(), &elements, Sum);
    let prepared = scanner::<f32, _>(gpu, variant, Sum).prepare(&input, &output).expect("prepares");
    assert_eq!(prepared.plan().strategy, Strategy::SinglePass);
    for _ in 0..submits {
        let mut encoder = gpu.encoder();
        encoder.clear_buffer(output.buffer(), 0, None);
        for _ in 0..records {
            prepared.record(&mut encoder);
        }
        gpu.submit(encoder);
        assert_same(&read(gpu, &output), &wanted, || "again and again".to_owned());
    }
}

/// These can't go in one pass: in place, several slices, narrow elements with strides, results in no whole vectors, and steps that take long.
fn in_two_passes(gpu: &Gpu, variant: Variant) {
    let elements = near_one(3 * BLOCK + 1);
    let input = slice_of(gpu, &elements, 0, 16);
    let output = unwritten::<f32>(gpu, elements.len(), 0, 0);
    let scanner = scanner::<f32, _>(gpu, variant, Sum);
    let passes = |plan: Result<gridfold::Plan, PrepareError>| plan.expect("plans").strategy;
    let whole = unwritten::<f32>(gpu, elements.len(), 0, 16);
    assert_eq!(passes(scanner.plan(&input, &whole)), Strategy::SinglePass);
    let odd = unwritten::<f32>(gpu, elements.len(), 4, 16);
    assert_eq!(passes(scanner.plan(&input, &odd)), Strategy::TwoPass);
    assert_eq!(passes(scanner.plan(&input, &input)), Strategy::TwoPass);
    let long = slice_of(gpu, &near_one(4 * BLOCK), 0, 0);
    let narrow = gridfold::GpuSlice::<u8>::strided(long.buffer(), 0, 2, 2 * BLOCK as u64);
    let numbers = unwritten::<u32>(gpu, 2 * BLOCK, 0, 16);
    let plan = self::scanner::<u8, _>(gpu, variant, Sum).plan(narrow.expect("within"), &numbers);
    assert_eq!(passes(plan), Strategy::TwoPass);
    let strided = gridfold::GpuSlice::<f32>::strided(long.buffer(), 4, 8, 2 * BLOCK as u64);
    let strided = strided.expect("within");
    let sums = unwritten::<f32>(gpu, 2 * BLOCK, 0, 16);
    assert_eq!(passes(scanner.plan(&strided, &sums)), Strategy::SinglePass);
    scanner.scan_blocking(&strided, &sums).expect("scans");
    let every_second: Vec<f32> = near_one(4 * BLOCK).into_iter().skip(1).step_by(2).collect();
    let wanted = on_cpu::<f32, _>(Scan::inclusive(), &every_second, Sum);
    assert_same(&read(gpu, &sums), &wanted, || "strided".to_owned());
    let halves = [input.slice(0..BLOCK as u64), input.slice(BLOCK as u64..2 * BLOCK as u64)];
    let halves = halves.map(|half| half.expect("within")).to_vec();
    assert_eq!(passes(scanner.plan(halves, &whole)), Strategy::TwoPass);
    let products =
        Scanner::<f32, _>::new(&gpu.context, gridfold::Product).strategy(Strategy::SinglePass);
    assert_eq!(passes(products.plan(&input, &whole)), Strategy::TwoPass);
    scanner.scan_blocking(&input, &input).expect("scans");
    assert_same(&read(gpu, &input), &on_cpu::<f32, _>(Scan::inclusive(), &elements, Sum), || {
        "in place".to_owned()
    });
    let by_atomics = scanner.clone().strategy(Strategy::WorkgroupAtomic).plan(&input, &output);
    assert!(matches!(by_atomics, Err(PrepareError::StrategyUnfit { .. })), "{by_atomics:?}");
    let count = unwritten::<u64>(gpu, 1, 0, 0);
    let counted = scanner.prepare(Counted::new(&input, &count), &output);
    assert!(matches!(counted, Err(PrepareError::StrategyUnfit { .. })), "{counted:?}");
}

fn refused(gpu: &Gpu, variant: Variant) {
    let input = slice_of(gpu, &near_one(3 * BLOCK), 0, 0);
    let output = unwritten::<f32>(gpu, 3 * BLOCK, 0, 0);
    let has = gpu.capabilities().coherent_memory;
    match scanner::<f32, _>(gpu, variant, Sum).plan(&input, &output) {
        Ok(plan) => assert!(has && plan.strategy == Strategy::SinglePass, "{plan}"),
        Err(PrepareError::NoCoherentMemory) => assert!(!has),
        Err(error) => panic!("{error}"),
    }
    let plan = Scanner::<f32, _>::new(&gpu.context, Sum).variant(variant).plan(&input, &output);
    let plan = plan.expect("plans");
    assert!(has || plan.strategy == Strategy::TwoPass, "{plan}");
}
