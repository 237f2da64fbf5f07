//! Slices of host memory: through a device in chunks, or on the CPU, with the same bits.

use crate::{
    BOTH, Case, VULKAN,
    device::Gpu,
    floats::MATERIAL,
    support::{Element, data::mix, elements, same_bits},
};
use gridfold::{
    Count, Error, Executor, HostSlices, Max, MaxAbs, Mean, Operator, Precision, PrepareError,
    Product, Reducer, Reduction, StreamError, Sum, Variance, Variant,
};
use std::sync::atomic::{AtomicBool, Ordering};

/// Elements of the chunks of most tests: a block of the shortest kind.
const CHUNK: usize = 4096;
const CHUNK_BYTES: u64 = 4 * CHUNK as u64;
/// Around the ends of chunks and blocks, of which there are two in a chunk, and up to ten chunks: they take turns in
/// the ring several times.
const LENGTHS: [usize; 14] = [
    0,
    1,
    3,
    CHUNK - 1,
    CHUNK,
    CHUNK + 1,
    2 * CHUNK - 1,
    2 * CHUNK,
    2 * CHUNK + 3,
    3 * CHUNK - 5,
    3 * CHUNK,
    4 * CHUNK + 1,
    5 * CHUNK + 1023,
    10 * CHUNK - 1,
];

pub fn cases() -> Vec<Case> {
    let cases = vec![
        Case::tier1(BOTH, "host slices in chunks", |gpu, _| {
            in_chunks::<f32, _>(gpu, Precision::Reproducible, Sum);
            in_chunks::<f32, _>(gpu, Precision::Reproducible, Product);
            in_chunks::<u32, _>(gpu, Precision::Reproducible, Sum);
            in_chunks::<f32, _>(gpu, Precision::Reproducible, Max);
            in_chunks::<f32, _>(gpu, Precision::Reproducible, Count);
            in_chunks::<i32, _>(gpu, Precision::Reproducible, MaxAbs);
            in_chunks::<i64, _>(gpu, Precision::Reproducible, Sum);
            in_chunks::<u64, _>(gpu, Precision::Reproducible, Max);
        }),
        Case::tier1(VULKAN, "host slices in chunks, exact", |gpu, _| {
            in_chunks::<f32, _>(gpu, Precision::Exact, Sum);
            in_chunks::<f32, _>(gpu, Precision::Reproducible, Mean);
            in_chunks::<f32, _>(gpu, Precision::Unordered, Variance);
        }),
        Case::tier1(BOTH, "host slices of anything", anything),
        Case::tier1(BOTH, "pairs of host slices in chunks", pairs),
        Case::tier1(BOTH, "elements of a host closure in chunks", closures),
        Case::tier1(BOTH, "host slices with blocks larger than a chunk", |gpu, _| {
            // A fourth of a block: the next launch goes on within it.
            for len in [CHUNK - 1, CHUNK, 3 * CHUNK + 1025] {
                let values = elements::<f32>(len);
                let executor = on_device(gpu).chunk_bytes(CHUNK_BYTES / 4);
                let reduction = expect::<f32, _>(&executor, &values, Sum);
                assert_dispatches(&reduction, 4 * len / CHUNK);
                expect::<f32, _>(&executor, &values, Product);
                expect::<f32, _>(&executor.precision(Precision::Exact), &values, Sum);
            }
        }),
        Case::tier1(BOTH, "host slices larger than a buffer", larger_than_a_buffer),
        Case::tier1(BOTH, "host slices in chunks, while other threads reduce", beside_others),
        Case::tier1(BOTH, "host slices in several dispatches for a chunk", |gpu, _| {
            let small = gpu.with_limits(|limits| {
                limits.max_storage_buffer_binding_size = 1 << 17;
                limits.max_compute_workgroups_per_dimension = 1;
            });
            let check = |gpu: &Gpu| {
                let values = elements::<f32>(200_003);
                // Seven chunks, so a slot's elements don't stay until the end.
                let executor = on_device(gpu).chunk_bytes(1 << 17);
                let reduction = expect::<f32, _>(&executor, &values, Sum);
                // Of eight blocks a workgroup takes four at most.
                assert_dispatches(&reduction, 2 * 6 + 1);
                expect::<f32, _>(&executor, &values, Mean);
            };
            small.expect("a device with lower limits").check(check).expect("no errors");
        }),
        Case::tier1(BOTH, "host slices from several threads", |gpu, _| {
            let executor = &on_device(gpu).chunk_bytes(CHUNK_BYTES);
            std::thread::scope(|scope| {
                for len in 0..4 {
                    scope.spawn(move || {
                        let values = elements::<f32>((len + 7) * CHUNK + len);
                        expect::<f32, _>(executor, &values, Sum);
                    });
                }
            });
        }),
        Case::tier1(BOTH, "where host slices are reduced", places),
        Case::tier1(BOTH, "errors of host slices", errors),
        Case::tier2("long host slices, in chunks of the usual size", |gpu, _| {
            let values = elements::<f32>((5 << 21) + 12_345);
            let reduction = expect::<f32, _>(&on_device(gpu), &values, Sum);
            assert_dispatches(&reduction, 6);
        }),
    ];
    // Executors choose the variant themselves.
    cases.into_iter().map(|case| case.only(Variant::WorkgroupMemory)).collect()
}

fn on_device(gpu: &Gpu) -> Executor {
    Executor::from_context(gpu.context.clone())
}

/// At least so many.
#[track_caller]
fn assert_dispatches<V>(reduction: &Reduction<V>, least: usize) {
    let plan = &reduction.plan;
    let dispatches: usize = plan.rsplit_once(" dispatches").map_or(1, |(before, _)| {
        let number = before.rsplit(' ').next().and_then(|word| word.parse().ok());
        number.unwrap_or_else(|| panic!("how many? {plan}"))
    });
    assert!(dispatches >= least, "{plan}: fewer than {least} dispatches");
}

/// The CPU's bits, from the executor's device.
fn expect<T: Element, Op: Operator<T> + Copy>(
    executor: &Executor,
    values: &[T],
    op: Op,
) -> Reduction<Op::Value> {
    let reduction = executor.reduce(values, op).expect("reduces");
    // Of the same precision.
    let cpu = executor.clone().host_slices(HostSlices::OnCpu);
    let expected = cpu.reduce(values, op).expect("the CPU can't fail");
    assert!(
        same_bits(Op::out(reduction.value), Op::out(expected.value)),
        "{} of {} {}: {:?}, expected {:?}; {}",
        op.spec().operator,
        values.len(),
        T::TYPE,
        reduction.value,
        expected.value,
        reduction.plan,
    );
    assert_eq!(reduction.adapter, executor.name());
    assert_eq!(expected.adapter, Executor::cpu().name());
    reduction
}

fn in_chunks<T: Element, Op: Operator<T> + Copy>(gpu: &Gpu, precision: Precision, op: Op) {
    let longest = elements::<T>(LENGTHS[LENGTHS.len() - 1]);
    let executor = on_device(gpu).precision(precision);
    for len in LENGTHS {
        for chunks_of in [1, 2] {
            let executor = executor.clone().chunk_bytes(chunks_of * CHUNK_BYTES);
            let reduction = expect::<T, _>(&executor, &longest[..len], op);
            let chunks = (4 * len as u64).div_ceil(chunks_of * CHUNK_BYTES);
            assert_dispatches(&reduction, usize::try_from(chunks).expect("few"));
            assert!(chunks <= 1 || reduction.device_time.is_none(), "of one of its passes");
        }
        let single = expect::<T, _>(&executor, &longest[..len], op);
        assert!(!single.explanation.contains("several bindings"), "{}", single.explanation);
    }
}

fn anything(gpu: &Gpu, _: Variant) {
    let executor = on_device(gpu).chunk_bytes(CHUNK_BYTES);
    for (what, make) in MATERIAL {
        let values: Vec<f32> = (0..20_001).map(|i| f32::from_bits(make(mix(i)))).collect();
        let sum = executor.sum(&values).expect("reduces");
        let expected = Executor::cpu().sum(&values).expect("the CPU can't fail");
        assert_eq!(sum.to_bits(), expected.to_bits(), "{what}: {sum}, expected {expected}");
        expect::<f32, _>(&executor, &values, Product);
        expect::<f32, _>(&executor, &values, Variance);
    }
}

fn pairs(gpu: &Gpu, _: Variant) {
    let values = elements::<f32>(2 * LENGTHS[LENGTHS.len() - 1]);
    let (lefts, rights) = values.split_at(values.len() / 2);
    let cpu = Executor::cpu();
    for len in LENGTHS {
        let (left, right) = (&lefts[..len], &rights[..len]);
        let expected = cpu.dot(left, right).expect("of one length").to_bits();
        // The chunks of both sides together.
        for chunk_bytes in [CHUNK_BYTES, 2 * CHUNK_BYTES] {
            let executor = on_device(gpu).chunk_bytes(chunk_bytes);
            let measured = executor.measure_dot(left, right).expect("reduces");
            assert_eq!(measured.value.to_bits(), expected, "{len}: {}", measured.plan);
            assert_eq!(measured.adapter, executor.name());
            let bytes_of_both = 8 * len as u64;
            let chunks = usize::try_from(bytes_of_both.div_ceil(chunk_bytes)).expect("few");
            assert_dispatches(&measured, chunks);
            let value = executor.dot(left, right).expect("reduces");
            assert_eq!(value.to_bits(), expected, "{len}");
        }
        let single = on_device(gpu).dot(left, right).expect("reduces");
        assert_eq!(single.to_bits(), expected, "{len}");
    }
}

/// Elements that a closure brings, and what it fails with.
fn closures(gpu: &Gpu, _: Variant) {
    let executor = on_device(gpu).chunk_bytes(CHUNK_BYTES);
    let fill = |values: &[f32], rest: &mut usize, part: &mut [f32]| {
        part.copy_from_slice(&values[*rest..*rest + part.len()]);
        *rest += part.len();
    };
    for len in LENGTHS {
        let values = elements::<f32>(len);
        let (mut at, mut pairs_at) = (0, [0; 2]);
        let sum = executor.reduce_stream::<f32, _, ()>(len as u64, Sum, |_, part| {
            fill(&values, &mut at, part);
            Ok(())
        });
        let expected = Executor::cpu().sum(&values).expect("the CPU does not fail");
        let sum = sum.expect("there are as many elements");
        assert_eq!(sum.value.to_bits(), expected.to_bits(), "sum of {len}");
        assert_ne!(sum.adapter.backend, "cpu");
        let dot = executor.dot_stream::<f32, ()>(len as u64, |input, part| {
            fill(&values, &mut pairs_at[input], part);
            Ok(())
        });
        let expected = Executor::cpu().dot(&values, &values).expect("the CPU does not fail");
        let dot = dot.expect("there are as many elements").value;
        assert_eq!(dot.to_bits(), expected.to_bits(), "dot product of {len}");
        assert_eq!((at, pairs_at), (len, [len; 2]));
    }
    let mut calls = 0;
    let failed = executor.reduce_stream::<f32, _, _>(5 * CHUNK as u64, Sum, |_, _| {
        calls += 1;
        if calls == 4 { Err("the disk is gone") } else { Ok(()) }
    });
    assert!(matches!(failed, Err(StreamError::Source("the disk is gone"))), "{failed:?}");
    assert_eq!(calls, 4, "it is not asked again");
    // The device goes on.
    assert_eq!(executor.sum(&[1.5f32, 2.5]).expect("sums"), 4.0);
}

fn larger_than_a_buffer(gpu: &Gpu, _: Variant) {
    let small = gpu.with_limits(|limits| {
        limits.max_buffer_size = 65_536;
        limits.max_storage_buffer_binding_size = 65_536;
    });
    let check = |gpu: &Gpu| {
        let values = elements::<f32>(100_003);
        let reduction = expect::<f32, _>(&on_device(gpu), &values, Sum);
        assert_dispatches(&reduction, 7);
        expect::<f32, _>(&on_device(gpu), &values, Mean);
        let (left, right) = values.split_at(50_000);
        let reduction = on_device(gpu).measure_dot(left, &right[..50_000]).expect("reduces");
        let expected = Executor::cpu().dot(left, &right[..50_000]).expect("of one length");
        assert_eq!(reduction.value.to_bits(), expected.to_bits());
        assert_dispatches(&reduction, 7);
        // They come back in parts, each of whole elements.
        let triples: &[[f32; 3]] = values.as_chunks().0;
        let array = on_device(gpu).upload(triples).expect("uploads");
        assert!(array.download().expect("downloads") == triples);
    };
    small.expect("a device with lower limits").check(check).expect("no errors");
}

/// A device, but under `Auto` only for what the CPU is slow at.
fn places(gpu: &Gpu, _: Variant) {
    let by_default = on_device(gpu);
    let [auto, on_cpu, on_device] = [HostSlices::Auto, HostSlices::OnCpu, HostSlices::OnDevice]
        .map(|place| by_default.clone().host_slices(place));
    let device = by_default.name();
    let cpu = Executor::cpu().name();
    assert_ne!(device, cpu);

    let values = elements::<f32>(10 << 20);
    let (left, right) = values.split_at(values.len() / 2);
    for (executor, expected) in
        [(&by_default, &device), (&auto, &cpu), (&on_cpu, &cpu), (&on_device, &device)]
    {
        assert_eq!(executor.name(), device);
        for len in [0, 1, 100_003] {
            let reduction = executor.reduce(&values[..len], Sum).expect("reduces");
            assert_eq!(reduction.adapter, *expected);
            let reduction = executor.reduce(&values[..len], Product).expect("reduces");
            assert_eq!(reduction.adapter, *expected);
        }
        let reduction = executor.measure_dot(&left[..1000], &right[..1000]).expect("reduces");
        assert_eq!(reduction.adapter, *expected);
        // An array is where it is.
        let array = executor.upload(&values[..1000]).expect("uploads");
        assert!(array.gpu_slices().is_some());
        assert_eq!(array.reduce(Sum).expect("reduces").adapter, device);
    }
    // However long.
    assert_eq!(auto.reduce(&values, Sum).expect("reduces").adapter, cpu);
    let exact = auto.clone().precision(Precision::Exact);
    assert_eq!(exact.reduce(&values, Sum).expect("reduces").adapter, cpu);
    let threads = rayon::current_num_threads();
    let product = auto.reduce(&values, Product).expect("reduces");
    assert_eq!(product.adapter, if threads <= 2 { device.clone() } else { cpu.clone() });
    assert!(same_bits(Some(product.value), on_cpu.product(&values).ok()));
    let dot = auto.measure_dot(left, right).expect("reduces");
    assert_eq!(dot.adapter, if threads <= 1 { device } else { cpu.clone() });

    // There is no device to choose.
    let without = Executor::cpu().host_slices(HostSlices::OnDevice);
    assert_eq!(without.reduce(&values[..10], Sum).expect("reduces").adapter, cpu);
}

fn errors(gpu: &Gpu, _: Variant) {
    for place in [HostSlices::Auto, HostSlices::OnCpu, HostSlices::OnDevice] {
        let executor = on_device(gpu).host_slices(place).chunk_bytes(CHUNK_BYTES);
        let values = elements::<f32>(3 * CHUNK);
        let exact = executor.clone().precision(Precision::Exact);
        for error in [
            exact.product(&values).expect_err("there are none"),
            exact.reduce(&values, Product).map(drop).expect_err("there are none"),
        ] {
            assert!(matches!(error, Error::Prepare(PrepareError::Imprecise { .. })), "{error}");
        }
        for (left, right) in [(3 * CHUNK, 3 * CHUNK - 1), (0, 1), (1, 0)] {
            for error in [
                executor.dot(&values[..left], &values[..right]).expect_err("one is longer"),
                executor
                    .measure_dot(&values[..left], &values[..right])
                    .map(drop)
                    .expect_err("one is longer"),
            ] {
                let expected =
                    PrepareError::LengthMismatch { left: left as u64, right: right as u64 };
                assert_eq!(error.to_string(), expected.to_string());
            }
        }
        // Nothing is left over.
        expect::<f32, _>(&executor.host_slices(HostSlices::OnDevice), &values, Sum);
    }
}

/// Partials that wait for the next chunk belong to one reduction alone, and so does an accumulator.
fn beside_others(gpu: &Gpu, variant: Variant) {
    let executor = on_device(gpu).chunk_bytes(CHUNK_BYTES);
    let values = elements::<f32>(10 * CHUNK);
    let other: Vec<f32> = elements::<f32>(6 * CHUNK).iter().map(|x| x + 1.0).collect();
    let array = executor.upload(&other).expect("uploads");
    let slices = array.gpu_slices().expect("on a GPU");
    let sum = Reducer::<f32, _>::new(&gpu.context, Sum).variant(variant);
    let exact = sum.clone().precision(Precision::Exact);
    let expected = [Precision::Reproducible, Precision::Exact].map(|precision| {
        [&values, &other].map(|v| Executor::cpu().precision(precision).sum(v).expect("sums"))
    });
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                assert_eq!(sum.reduce_blocking(slices).expect("reduces"), expected[0][1]);
                assert_eq!(exact.reduce_blocking(slices).expect("reduces"), expected[1][1]);
            }
        });
        for _ in 0..10 {
            assert_eq!(executor.sum(&values).expect("reduces"), expected[0][0]);
            let exact = executor.clone().precision(Precision::Exact);
            assert_eq!(exact.sum(&values).expect("reduces"), expected[1][0]);
        }
        done.store(true, Ordering::Relaxed);
    });
}
