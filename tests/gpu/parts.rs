//! Parts of sequences on devices: their bytes are the CPU's, wherever the sequence is cut.

use crate::{Case, device::Gpu, inputs::upload, support::Element, support::elements};
use gridfold::{
    All, ArgMaxLast, ArgMinMax, BitXor, Count, Error, Executor, Group, Max, Mean, Min, MinMax,
    Norm, Operator, Partial, Precision, PrepareError, Product, Reducer, SampleVariance, Sum,
    SumWide, Variance, Variant,
};

pub fn cases() -> Vec<Case> {
    vec![
        Case::kernels("parts, accumulators of four shapes", |gpu, variant| {
            check::<f32, Sum>(gpu, variant, Precision::Reproducible, (1000, 4097));
            check::<f32, Variance>(gpu, variant, Precision::Reproducible, (1000, 4097));
            check::<f64, Product>(gpu, variant, Precision::Reproducible, (1000, 4097));
            check::<i64, Min>(gpu, variant, Precision::Reproducible, (9000, 1));
        }),
        Case::new("parts, cut anywhere", |gpu, variant| {
            let parts = [(1, 3), (4096, 0), (4095, 1), (70_001, 5), (100_000, 65_535)];
            every_shape(gpu, variant, &parts);
        }),
        Case::new("parts, exact", exact),
        Case::new("parts, of several slices", several_slices),
        Case::new("a stream that goes on elsewhere", stream).only(Variant::WorkgroupMemory),
        Case::new("a group", group).only(Variant::WorkgroupMemory),
    ]
}

/// A part has the CPU's bytes, and so the whole has its bits.
fn check<T: Element, Op: Operator<T>>(
    gpu: &Gpu,
    variant: Variant,
    precision: Precision,
    (len, first): (usize, u64),
) {
    let values = elements::<T>(len);
    let reducer = Reducer::<T, Op>::new(&gpu.context).variant(variant).precision(precision);
    let part = reducer.reduce_part_blocking(upload(gpu, &values), first).expect("reduces");
    let cpu = Executor::cpu().precision(precision);
    let wanted: Partial<T, Op> = cpu.reduce_part(&values, first).expect("the CPU does not fail");
    assert_eq!(part.to_bytes(), wanted.to_bytes(), "{:?}, {len} from {first}", Op::SPEC);
    assert_eq!(part.range(), first..first + len as u64);
}

fn every_shape(gpu: &Gpu, variant: Variant, parts: &[(usize, u64)]) {
    for &part in parts {
        let precision = Precision::Reproducible;
        check::<f32, Sum>(gpu, variant, precision, part);
        check::<f32, Product>(gpu, variant, precision, part);
        check::<f32, Variance>(gpu, variant, precision, part);
        check::<f32, Mean>(gpu, variant, Precision::Unordered, part);
        check::<f64, Sum>(gpu, variant, precision, part);
        check::<f64, Product>(gpu, variant, precision, part);
        check::<f64, SampleVariance>(gpu, variant, precision, part);
        check::<f32, Max>(gpu, variant, precision, part);
        check::<i64, Min>(gpu, variant, precision, part);
        check::<u32, SumWide>(gpu, variant, precision, part);
        check::<i32, BitXor>(gpu, variant, precision, part);
        check::<u32, Count>(gpu, variant, precision, part);
        check::<u32, All>(gpu, variant, precision, part);
        check::<u32, MinMax>(gpu, variant, precision, part);
        check::<f32, ArgMaxLast>(gpu, variant, precision, part);
        check::<f64, ArgMinMax>(gpu, variant, precision, part);
    }
}

fn exact(gpu: &Gpu, variant: Variant) {
    for part in [(1, 3), (5000, 0), (70_001, 17)] {
        check::<f32, Sum>(gpu, variant, Precision::Exact, part);
        check::<f32, Mean>(gpu, variant, Precision::Exact, part);
        check::<f32, Norm>(gpu, variant, Precision::Exact, part);
        check::<f32, Variance>(gpu, variant, Precision::Exact, part);
    }
    let of_doubles = Reducer::<f64, Sum>::new(&gpu.context).precision(Precision::Exact);
    let input = upload(gpu, &[1.0f64, 2.0]);
    let error = of_doubles.reduce_part_blocking(&input, 0).expect_err("the CPU makes them");
    assert!(matches!(error, Error::Prepare(PrepareError::NoExactPart { .. })), "{error}");
    let error = of_doubles.reduce_part_blocking(&input, 1 << 40).expect_err("too far");
    assert!(matches!(error, Error::Prepare(PrepareError::TooLong { .. })), "{error}");
}

/// Cuts between slices are no cuts between runs.
fn several_slices(gpu: &Gpu, variant: Variant) {
    let values = elements::<f32>(30_000);
    let slices: Vec<_> =
        [0..7, 7..5000, 5000..5001, 5001..30_000].map(|range| upload(gpu, &values[range])).into();
    let reducer = Reducer::<f32, Sum>::new(&gpu.context).variant(variant);
    let part = reducer.reduce_part_blocking(&slices, 12_345).expect("reduces");
    assert_eq!(part, Executor::cpu().reduce_part(&values, 12_345).expect("the CPU does not fail"));
    let part = pollster::block_on(reducer.reduce_part(&slices, 12_345)).expect("reduces");
    assert_eq!(part, Executor::cpu().reduce_part(&values, 12_345).expect("the CPU does not fail"));
    let empty = reducer.reduce_part_blocking(Vec::new(), 5).expect("nothing to do");
    assert_eq!(empty.range(), 5..5);
}

/// From the device to the CPU, by a checkpoint's bytes.
fn stream(gpu: &Gpu, _: Variant) {
    let values = elements::<f32>(50_000);
    let executor = Executor::from_context(gpu.context.clone());
    let mut stream = executor.stream::<f32, Product>().expect("there is one");
    let (head, tail) = values.split_at(33_333);
    for piece in head.chunks(10_001) {
        stream.push(piece).expect("reduces");
    }
    let bytes = stream.checkpoint().expect("reduces").to_bytes();
    let checkpoint = Partial::<f32, Product>::from_bytes(&bytes).expect("a checkpoint");
    let mut stream = Executor::cpu().resume(checkpoint);
    stream.push(tail).expect("reduces");
    let wanted = Executor::cpu().product(&values).expect("the CPU does not fail");
    assert_eq!(stream.finish().expect("it begins at 0").to_bits(), wanted.to_bits());
}

/// Two devices and the CPU; then one of the devices is lost.
fn group(gpu: &Gpu, _: Variant) {
    let another = Gpu::open(&gpu.adapter).expect("a device");
    let members = [
        Executor::from_context(gpu.context.clone()),
        Executor::from_context(another.context.clone()),
        Executor::cpu(),
    ];
    let group = Group::new(members).expect("three");
    let values = elements::<f32>(100_003);
    let wanted = Executor::cpu().sum(&values).expect("the CPU does not fail").to_bits();
    let reduction = group.reduce::<f32, Sum>(&values).expect("reduces");
    assert_eq!(reduction.value.to_bits(), wanted);
    let ranges: Vec<_> = reduction.shares.iter().map(|share| share.range.clone()).collect();
    assert_eq!(ranges, [0..33_334, 33_334..66_668, 66_668..100_003]);
    assert_eq!(reduction.shares[2].adapter.backend, "cpu");
    assert_eq!(reduction.lost, []);
    let array = group.upload(&values).expect("uploads");
    assert_eq!(array.sum().expect("reduces").to_bits(), wanted);
    assert_eq!(group.max(&values).expect("reduces"), array.max().expect("reduces"));
    assert_eq!(group.sum::<f32>(&[]).expect("reduces").to_bits(), 0);
    let exact = group.clone().precision(Precision::Exact);
    let of_cpu = Executor::cpu().precision(Precision::Exact).sum(&values);
    let of_cpu = of_cpu.expect("the CPU does not fail").to_bits();
    assert_eq!(exact.sum(&values).expect("reduces").to_bits(), of_cpu);

    another.device().destroy();

    let reduction = group.reduce::<f32, Sum>(&values).expect("the others go on");
    assert_eq!(reduction.value.to_bits(), wanted);
    assert_eq!(reduction.lost, [another.context.adapter().clone()]);
    assert!(reduction.shares.len() > 3, "{:?}", reduction.shares);
    let error = array.sum().expect_err("a shard is lost");
    let [(adapter, reason)] = &error.failures[..] else { panic!("{error:?}") };
    assert_eq!((adapter, error.parts.len()), (another.context.adapter(), 2));
    assert!(reason.to_string().contains("the device is lost"), "{reason}");
    // What is missing is made again, elsewhere.
    let (_, first, _) = array.shards().nth(1).expect("three");
    let again = Executor::cpu().reduce_part(&values[33_334..66_668], first).expect("reduces");
    let whole = Partial::merge_all(error.parts.into_iter().chain([again])).expect("neighbours");
    assert_eq!(whole.finish().expect("it begins at 0").to_bits(), wanted);
    let alone = Group::new([Executor::from_context(another.context.clone())]).expect("one");
    alone.sum(&values).expect_err("no member is left");
}
