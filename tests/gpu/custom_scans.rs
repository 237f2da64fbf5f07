//! Scans by operators of a user's own, against a loop on the host.

use crate::{
    BOTH, Case, OPENGL, VULKAN,
    custom::examples::{self, Example},
    device::Gpu,
    quietly,
    scans::{assert_same, kinds, numbers, read, slice_of, unwritten},
};
use gridfold::{
    Counted, CustomOperator, Element, Executor, GpuSlice, HostSlices, Policy, Precision,
    PrepareError, Scan, Scanner, Strategy, Variant, shader::Sources,
};
use std::panic::{AssertUnwindSafe, catch_unwind};

pub fn cases() -> Vec<Case> {
    vec![
        Case::tier1(VULKAN, "custom scans, in order", |gpu, variant| {
            lengths(gpu, variant, &examples::affine(), &numbers(40_001));
            lengths(gpu, variant, &examples::matrix(), &numbers(40_001));
        }),
        Case::tier2("custom scans, in any order", |gpu, variant| {
            let sixes: Vec<u32> = numbers(40_001).iter().map(|word| word % 100_000 * 6).collect();
            lengths(gpu, variant, &examples::gcd(), &sixes);
        }),
        Case::tier2("custom scans, large accumulators", |gpu, variant| {
            lengths(gpu, variant, &examples::matrix_of_four(), &numbers(9001));
        }),
        Case::tier2("custom scans, of a byte, and of components", |gpu, variant| {
            let bytes: Vec<u8> = numbers(20_001).iter().map(|word| word.to_le_bytes()[2]).collect();
            places(gpu, variant, &examples::hash(), &bytes);
            places(gpu, variant, &examples::components(), numbers(60_003).as_chunks().0);
        }),
        Case::tier2("custom scans, in place, and of slices cut anywhere", |gpu, variant| {
            in_place(gpu, variant, &examples::maps(), numbers(40_002).as_chunks().0);
            in_place(gpu, variant, &examples::matrices(), numbers(40_004).as_chunks().0);
            slices(gpu, variant, &examples::matrices(), numbers(40_004).as_chunks().0);
        }),
        Case::tier1(VULKAN, "custom scans, windows over a buffer", |gpu, variant| {
            let small = gpu.with_limits(|limits| {
                limits.max_storage_buffer_binding_size = (1 << 15) + 16;
                limits.max_compute_workgroups_per_dimension = 2;
            });
            let check = |gpu: &Gpu| {
                windows(gpu, variant, &examples::affine(), &numbers(30_001));
                windows(gpu, variant, &examples::longest_run(), &[3; 20_001]);
            };
            small.expect("a device with lower limits").check(check).expect("no errors");
        }),
        Case::tier1(VULKAN, "custom scans, more blocks than a row", rows_of_blocks),
        Case::tier1(BOTH, "custom scans, as many as a number says", counted),
        Case::tier2("custom scans, by shaders that are wrong", by_wrong_shaders),
        Case::tier1(OPENGL, "custom scans, executors", |gpu, _| executors(gpu))
            .only(Variant::WorkgroupMemory),
        Case::tier1(OPENGL, "custom scans that are refused", refused)
            .only(Variant::WorkgroupMemory),
    ]
}

/// Two passes and a single one; blocks of one round, and of more.
fn ways(gpu: &Gpu) -> Vec<(Strategy, Policy)> {
    let small = Policy { min_rows: 4, max_workgroups: 2048 };
    let large = Policy { min_rows: 16, max_workgroups: 3 };
    let mut ways = vec![(Strategy::TwoPass, small), (Strategy::TwoPass, large)];
    if gpu.capabilities().coherent_memory {
        ways.push((Strategy::SinglePass, small));
    }
    ways
}

struct Test<'a, T, A, Out> {
    gpu: &'a Gpu,
    example: &'a Example<T, A, Out>,
    scanner: Scanner<T, CustomOperator<T, Out>>,
}

impl<'a, T: Element, A: Copy, Out: gridfold::CustomOut> Test<'a, T, A, Out> {
    fn new(gpu: &'a Gpu, variant: Variant, example: &'a Example<T, A, Out>) -> Self {
        let scanner = Scanner::new(&gpu.context, example.operator.clone()).variant(variant);
        Self { gpu, example, scanner }
    }

    fn by(mut self, (strategy, policy): (Strategy, Policy)) -> Self {
        self.scanner = self.scanner.strategy(strategy).policy(policy);
        self
    }

    fn check(
        &self,
        scan: Scan<T>,
        input: &[GpuSlice<T>],
        output: &[GpuSlice<Out>],
        elements: &[T],
    ) {
        let Self { gpu, example, scanner } = self;
        let scanner = scanner.clone().kind(scan);
        scanner.scan_blocking(input, output).expect("scans");
        let found: Vec<Out> = output.iter().flat_map(|output| read(gpu, output)).collect();
        let plan = scanner.plan(input, output).expect("plans");
        assert_same(&found, &example.scan(scan, elements), || {
            format!("{scan:?} by {}, {plan}", example.name)
        });
    }
}

/// Around rows, rounds and blocks of few lanes and of many. Each in one way.
fn lengths<T: Element, A: Copy, Out: gridfold::CustomOut>(
    gpu: &Gpu,
    variant: Variant,
    example: &Example<T, A, Out>,
    elements: &[T],
) {
    let around = [1 << 8, 1 << 10, 1 << 12, 1 << 13, 1 << 14].map(|len| [len - 1, len, len + 1]);
    let mut lens = vec![0, 1, 2, 3, 5, 17, 64];
    lens.extend(around.concat().into_iter().chain([elements.len()]));
    lens.retain(|&len| len <= elements.len());
    let ways = ways(gpu);
    for (number, len) in lens.into_iter().enumerate() {
        // The longest one in all.
        let (first, step) = if len == elements.len() { (0, 1) } else { (number, ways.len()) };
        for (turn, &way) in ways.iter().enumerate().skip(first % ways.len()).step_by(step) {
            let scan = kinds(elements[7])[(number + turn) % 4];
            let elements = &elements[..len];
            let input = slice_of(gpu, elements, 0, 0);
            let output = unwritten::<Out>(gpu, len, 0, 16 * (number % 2));
            Test::new(gpu, variant, example).by(way).check(scan, &[input], &[output], elements);
        }
    }
}

/// From any place to any place, in two passes: a single one compiles long, and other cases have it.
fn places<T: Element, A: Copy, Out: gridfold::CustomOut>(
    gpu: &Gpu,
    variant: Variant,
    example: &Example<T, A, Out>,
    elements: &[T],
) {
    let ways = ways(gpu);
    for from in 0..4 {
        for to in 0..3 {
            let elements = &elements[..elements.len() - 37 * from - 1000 * to];
            let input = slice_of(gpu, elements, from * size_of::<T>().min(4), 4 * to);
            let output = unwritten::<Out>(gpu, elements.len(), 4 * to, 4 * from);
            let scan = kinds(elements[1])[(from + to) % 4];
            let way = ways[(from + to) % 2];
            Test::new(gpu, variant, example).by(way).check(scan, &[input], &[output], elements);
        }
    }
}

fn in_place<T: Element, A: Copy, Out: gridfold::CustomOut>(
    gpu: &Gpu,
    variant: Variant,
    example: &Example<T, A, Out>,
    elements: &[T],
) {
    for (number, len) in [3, 4096, elements.len()].into_iter().enumerate() {
        for place in 0..3 {
            let elements = &elements[..len];
            let slice = slice_of(gpu, elements, 4 * place, 0);
            let output = GpuSlice::<Out>::new(slice.buffer(), slice.offset_bytes(), len as u64);
            let output = output.expect("of the same size");
            let scan = kinds(elements[0])[(number + place) % 4];
            Test::new(gpu, variant, example).check(scan, &[slice], &[output], elements);
        }
    }
}

/// Of input and output, cut in different places.
fn slices<T: Element, A: Copy, Out: gridfold::CustomOut>(
    gpu: &Gpu,
    variant: Variant,
    example: &Example<T, A, Out>,
    elements: &[T],
) {
    let len = elements.len();
    let cuts: [(&[usize], &[usize]); 2] =
        [(&[1, 2, 7, 1000, 5000, 5001], &[2, 4097, 9000, 9000]), (&[4096, 8192], &[])];
    for (number, (from, to)) in cuts.into_iter().enumerate() {
        let parts = |cuts: &[usize]| {
            let bounds = [&[0], cuts, &[len]].concat();
            bounds.windows(2).map(|bounds| bounds[0]..bounds[1]).enumerate().collect::<Vec<_>>()
        };
        let input: Vec<GpuSlice<T>> = parts(from)
            .into_iter()
            .map(|(i, part)| slice_of(gpu, &elements[part], 4 * (i % 3), 0))
            .collect();
        let output: Vec<GpuSlice<Out>> = parts(to)
            .into_iter()
            .map(|(i, part)| unwritten(gpu, part.len(), 4 * (i % 2), 0))
            .collect();
        for (turn, &way) in ways(gpu).iter().take(2).enumerate() {
            let scan = kinds(elements[2])[2 * number + turn];
            Test::new(gpu, variant, example).by(way).check(scan, &input, &output, elements);
        }
    }
}

fn windows<T: Element, A: Copy, Out: gridfold::CustomOut>(
    gpu: &Gpu,
    variant: Variant,
    example: &Example<T, A, Out>,
    elements: &[T],
) {
    let input = [slice_of(gpu, elements, 8, 0)];
    let output = [unwritten::<Out>(gpu, elements.len(), 0, 0)];
    let test = Test::new(gpu, variant, example);
    let plan = test.scanner.plan(&input, &output).expect("plans");
    assert!(plan.dispatches.len() >= 4, "{plan}");
    for scan in kinds(elements[5]) {
        test.check(scan, &input, &output, elements);
    }
}

/// The second of three passes has several rows of its own.
fn rows_of_blocks(gpu: &Gpu, variant: Variant) {
    let elements = numbers((1024 + 9) * 4096 + 5);
    let (example, small) = (examples::affine(), Policy { min_rows: 4, max_workgroups: 2048 });
    let test = Test::new(gpu, variant, &example).by((Strategy::TwoPass, small));
    let input = [slice_of(gpu, &elements, 0, 0)];
    let output = [unwritten::<[u32; 2]>(gpu, elements.len(), 0, 0)];
    test.check(Scan::inclusive(), &input, &output, &elements);
}

fn counted(gpu: &Gpu, variant: Variant) {
    let elements: Vec<[u32; 4]> = numbers(40_004).as_chunks().0.to_vec();
    let example = examples::matrices();
    let scan = Scan::inclusive().initial(elements[1]);
    let scanner = Scanner::new(&gpu.context, example.operator.clone()).variant(variant).kind(scan);
    let input = slice_of(gpu, &elements, 4, 0);
    for len in [0u32, 5, 4097, 10_001, 20_000] {
        let count = slice_of(gpu, &[len], 0, 0);
        let output = unwritten::<[u32; 4]>(gpu, elements.len(), 0, 0);
        let prepared = scanner.prepare(Counted::new(&input, &count), &output).expect("prepares");
        let mut encoder = gpu.encoder();
        prepared.record(&mut encoder);
        gpu.submit(encoder);
        let some = elements.len().min(len as usize);
        let mut wanted = example.scan(scan, &elements[..some]);
        wanted.resize(elements.len(), [0; 4]);
        assert_same(&read(gpu, &output), &wanted, || format!("the first {len}"));
    }
}

/// These tests see what the self-test does not: it has no operators of users' own.
fn by_wrong_shaders(gpu: &Gpu, variant: Variant) {
    let in_order = "collective/scan_siblings.wgsl@in_order";
    let mut changes = vec![
        ("scan/initial.wgsl@components", "== 0u", "!= 0u"),
        ("scan/initial.wgsl@components", "job.initial_3", "0u"),
    ];
    if variant == Variant::Subgroup {
        changes.push((in_order, "acc_select(own, sibling, is_upper)", "own"));
    }
    for (file, from, to) in changes {
        let sources = Sources::default().replace(file, from, to).expect("it is there");
        let wrong = gpu.with_shaders(sources).expect("a context");
        let found = quietly(|| {
            catch_unwind(AssertUnwindSafe(|| {
                let elements = numbers(20_000);
                places(&wrong, variant, &examples::matrices(), elements.as_chunks().0);
                lengths(&wrong, variant, &examples::affine(), &elements);
            }))
        });
        assert!(found.is_err(), "nothing notices {to:?} in place of {from:?} in {file}");
    }
}

fn executors(gpu: &Gpu) {
    let elements = numbers(10_001);
    let affine = examples::affine();
    let executor = Executor::from_context(gpu.context.clone());
    let on_cpu = executor.clone().host_slices(HostSlices::OnCpu);
    let array = executor.upload(&elements).expect("uploads");
    for scan in kinds(elements[0]) {
        let wanted = affine.scan(scan, &elements);
        for executor in [&executor, &on_cpu] {
            let found = executor.scan(scan, &elements, affine.operator.clone()).expect("scans");
            assert_eq!(found, wanted, "{scan:?}");
        }
        let found = array.scan(scan, affine.operator.clone()).expect("scans");
        assert_eq!(found.download().expect("downloads"), wanted, "{scan:?}");
    }
    let none = array.slice(0..0).expect("within").scan(Scan::inclusive(), affine.operator.clone());
    assert!(none.expect("scans").is_empty());
}

fn refused(gpu: &Gpu, _: Variant) {
    let input = slice_of(gpu, &numbers(100), 0, 0);
    let output = unwritten::<[u32; 2]>(gpu, 100, 0, 0);
    let scanner = Scanner::new(&gpu.context, examples::affine().operator.clone());
    let error = scanner.clone().strategy(Strategy::WorkgroupAtomic).plan(&input, &output);
    let error = error.expect_err("no atomics");
    assert!(matches!(error, PrepareError::StrategyUnfit { .. }), "{error}");
    let error = scanner.clone().precision(Precision::Exact).plan(&input, &output);
    let error = error.expect_err("not exact");
    assert!(matches!(error, PrepareError::Imprecise { .. }), "{error}");
    let short = output.slice(0..99).expect("within");
    let error = scanner.plan(&input, &short).expect_err("too short");
    assert!(matches!(error, PrepareError::ShortOutput { len: 99, needed: 100 }), "{error}");
    // Results of two words have no place where elements of one are.
    let over = GpuSlice::<[u32; 2]>::new(input.buffer(), 0, 50).expect("within");
    let error = scanner.plan(input.slice(0..50).expect("within"), &over).expect_err("in place");
    assert!(matches!(error, PrepareError::ScanAliasing { slice: 0 }), "{error}");
    assert_eq!(read(gpu, &output), [[0; 2]; 100]);
}
