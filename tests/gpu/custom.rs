//! Operators of a user's own, on devices.

#[path = "../custom/examples.rs"]
pub mod examples;

use crate::{BOTH, Case, OPENGL, VULKAN, device::Gpu, support::data::mix};
use examples::Example;
use gridfold::{
    Batch, CustomOperator, Element, Executor, GpuSlice, HostSlices, Policy, Precision,
    PrepareError, Reducer, Strategy, Sum, Variant,
};

pub fn cases() -> Vec<Case> {
    vec![
        Case::tier1(VULKAN, "custom operators, in order", |gpu, variant| {
            check(gpu, variant, &examples::affine(), &words());
            check(gpu, variant, &examples::matrix(), &words());
        }),
        Case::tier2("custom operators, large accumulators", |gpu, variant| {
            check(gpu, variant, &examples::matrix_of_four(), &words());
            check(gpu, variant, &examples::longest_run(), &few());
        }),
        Case::tier1(BOTH, "custom operators, in any order", |gpu, variant| {
            let sixes: Vec<u32> = words().iter().map(|word| word % 100_000 * 6).collect();
            check(gpu, variant, &examples::gcd(), &sixes);
            let floats: Vec<f32> = words()
                .iter()
                .map(|&word| f32::from_bits(word & 0x83ff_ffff | 0x3c00_0000))
                .collect();
            check(gpu, variant, &examples::extent(), &floats);
        }),
        Case::tier2("custom operators, of a byte, of two words, of components", |gpu, variant| {
            let bytes: Vec<u8> = words().iter().map(|word| word.to_le_bytes()[2]).collect();
            check(gpu, variant, &examples::hash(), &bytes);
            let triples: Vec<[u32; 3]> = words().as_chunks().0.to_vec();
            check(gpu, variant, &examples::components(), &triples);
            let long = words().iter().map(|&word| u64::from(word) << 20 | 3).collect::<Vec<_>>();
            check(gpu, variant, &examples::words(), &long);
        }),
        Case::tier1(BOTH, "custom operators, packed counters", |gpu, variant| {
            packed_counters::<5>(gpu, variant, 6);
            packed_counters::<1>(gpu, variant, 32);
        }),
        Case::tier2("custom operators, large accumulators of counters", |gpu, variant| {
            packed_counters::<16>(gpu, variant, 2);
        }),
        Case::tier1(BOTH, "custom operators, small windows", |gpu, variant| {
            let small = gpu.with_limits(|limits| {
                limits.max_storage_buffer_binding_size = (1 << 15) + 16;
                limits.max_compute_workgroups_per_dimension = 5;
            });
            let small = small.expect("a device with lower limits");
            small
                .check(|gpu| check(gpu, variant, &examples::affine(), &words()))
                .expect("no errors");
        }),
        Case::tier2("custom operators, batches", batches),
        Case::tier1(OPENGL, "custom operators, executors", |gpu, _| executors(gpu))
            .only(Variant::WorkgroupMemory),
        Case::tier1(BOTH, "custom operators, errors", errors),
    ]
}

fn upload<T: Element>(gpu: &Gpu, elements: &[T]) -> GpuSlice<T> {
    let array = Executor::from_context(gpu.context.clone()).upload(elements).expect("uploads");
    array.gpu_slices().expect("on a GPU")[0].clone()
}

fn words() -> Vec<u32> {
    (0..70_001).map(mix).collect()
}

/// With runs.
fn few() -> Vec<i32> {
    words().iter().map(|word| i32::from(word % 5 == 0)).collect()
}

/// Two passes and a single one; blocks of one round, of more, and many launches.
fn ways(gpu: &Gpu) -> Vec<(Strategy, Policy)> {
    let strategies = match gpu.capabilities().coherent_memory {
        true => &[Strategy::TwoPass, Strategy::SinglePass][..],
        false => &[Strategy::TwoPass],
    };
    let policies = [(4, 2048), (16, 3)];
    let policies = policies.map(|(min_rows, max_workgroups)| Policy { min_rows, max_workgroups });
    strategies.iter().flat_map(|&strategy| policies.map(|policy| (strategy, policy))).collect()
}

fn check<T: Element, A: Copy, Out: gridfold::CustomOut>(
    gpu: &Gpu,
    variant: Variant,
    example: &Example<T, A, Out>,
    elements: &[T],
) {
    let Example { name, operator, .. } = example;
    let whole = upload(gpu, elements);
    let slice = |begin: usize, end: usize| whole.slice(begin as u64..end as u64).expect("within");
    let expect = |(strategy, policy), slices: &[GpuSlice<T>], wanted: Out, what: &str| {
        let reducer = Reducer::new(&gpu.context, operator.clone()).variant(variant);
        let reducer = reducer.strategy(strategy).policy(policy);
        let found = reducer.reduce_blocking(slices).expect("reduces");
        let plan = reducer.plan(slices).expect("plans").explain();
        assert_eq!(found, wanted, "{name} of {what}: {plan}");
    };
    let lens =
        [0, 1, 2, 3, 4, 7, 64, 100, 1023, 1024, 1025, 4096, 5000, 8192, 16_385, elements.len()];
    let ways = ways(gpu);
    for (number, &way) in ways.iter().enumerate() {
        // Each length in one way.
        for len in lens.into_iter().skip(number).step_by(ways.len()) {
            let begin = (number + len) % 3;
            let end = elements.len().min(begin + len);
            let wanted = example.result(&elements[begin..end]);
            expect(way, &[slice(begin, end)], wanted, &format!("{begin}..{end}"));
        }
        // In slices, with some of nothing.
        for cut in [1, 777, 4096, 4097, 16_390].into_iter().skip(number % 2).step_by(2) {
            let end = elements.len() - 3 * number;
            let slices = [slice(1, cut), slice(cut, cut), slice(cut, cut + 9), slice(cut + 9, end)];
            let wanted = example.result(&elements[1..end]);
            expect(way, &slices, wanted, &format!("1..{end} cut at {cut}"));
        }
    }
}

/// As their twins, of several blocks and of one.
fn packed_counters<const N: usize>(gpu: &Gpu, variant: Variant, bits: u32)
where
    [u32; N]: bytemuck::Pod,
{
    let operator = CustomOperator::<u32, [u32; N]>::packed_counters(bits).expect("they fit");
    let reducer = Reducer::new(&gpu.context, operator.clone()).variant(variant);
    let reducer = reducer.strategy(Strategy::TwoPass).policy(Policy::DEFAULT);
    let elements = words();
    let whole = upload(gpu, &elements);
    for (begin, end) in [(0, 20_003), (1, 778)] {
        let slice = whole.slice(begin as u64..end as u64).expect("within");
        let found = reducer.reduce_blocking(&slice).expect("reduces");
        let wanted = Executor::cpu().reduce(&elements[begin..end], operator.clone());
        let wanted = wanted.expect("it has a twin").value;
        assert_eq!(found, wanted, "{N} of {bits} bits, {begin}..{end}");
    }
}

fn batches(gpu: &Gpu, variant: Variant) {
    let elements = words();
    let whole = upload(gpu, &elements);
    let (affine, matrix) = (examples::affine(), examples::matrix_of_four());
    let of_affine = Reducer::new(&gpu.context, affine.operator.clone()).variant(variant);
    let of_matrix = Reducer::new(&gpu.context, matrix.operator.clone()).variant(variant);
    let mut batch = Batch::new(&gpu.context);
    let lens = [5, 5, 1000, 4096, 10_000, 30_001, 5];
    let tickets = lens.map(|len| {
        let slice = whole.slice(len as u64..2 * len as u64).expect("within");
        let first = batch.add(&of_affine, &slice).expect("fits");
        (first, batch.add(&of_matrix, &slice).expect("fits"))
    });
    let results = batch.reduce_blocking().expect("reduces");
    for (len, (first, second)) in lens.into_iter().zip(tickets) {
        let elements = &elements[len..2 * len];
        assert_eq!(results.get(first).expect("its own"), affine.result(elements), "{len}");
        assert_eq!(results.get(second).expect("its own"), matrix.result(elements), "{len}");
    }
}

fn executors(gpu: &Gpu) {
    let elements = words();
    let affine = examples::affine();
    let executor = Executor::from_context(gpu.context.clone());
    let wanted = affine.result(&elements);
    let in_chunks = executor.clone().chunk_bytes(1 << 16);
    for executor in [&executor, &in_chunks] {
        let found = executor.reduce(&elements, affine.operator.clone()).expect("reduces");
        assert_eq!(found.value, wanted);
        assert_ne!(found.adapter.backend, "cpu");
    }
    let array = executor.upload(&elements).expect("uploads");
    assert_eq!(array.reduce(affine.operator.clone()).expect("reduces").value, wanted);
    let on_cpu = executor.host_slices(HostSlices::OnCpu);
    let found = on_cpu.reduce(&elements, affine.operator.clone()).expect("reduces");
    assert_eq!((found.value, &*found.adapter.backend), (wanted, "cpu"));
}

fn errors(gpu: &Gpu, variant: Variant) {
    let whole = upload(gpu, &words());
    let reducer =
        || Reducer::new(&gpu.context, examples::affine().operator.clone()).variant(variant);
    let error = reducer().strategy(Strategy::WorkgroupAtomic).plan(&whole).expect_err("no atomics");
    assert!(matches!(error, PrepareError::StrategyUnfit { .. }), "{error}");
    let error = reducer().precision(Precision::Exact).plan(&whole).expect_err("not exact");
    assert!(matches!(error, PrepareError::Imprecise { .. }), "{error}");
    // An operator of a user's own changes nothing for the library's.
    let sum = Reducer::<u32, _>::new(&gpu.context, Sum).variant(variant);
    let wanted = words().iter().fold(0u32, |sum, &word| sum.wrapping_add(word));
    assert_eq!(sum.reduce_blocking(&whole).expect("reduces"), wanted);
    // The same text is the same operator, and has the same pipelines.
    let again = CustomOperator::<u32, [u32; 2]>::ordered(include_str!("../custom/affine.wgsl"));
    let again = Reducer::new(&gpu.context, again.expect("it is right")).variant(variant);
    assert_eq!(again.plan(&whole).expect("plans"), reducer().plan(&whole).expect("plans"));
}
