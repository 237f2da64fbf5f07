//! Parts of sequences on devices: their bytes are the CPU's, wherever the sequence is cut.

use crate::{
    BOTH, Case, VULKAN,
    device::Gpu,
    inputs::upload,
    scans::{slice_of, takes_initial},
    support::{Element, elements},
};
use bytemuck::{Pod, Zeroable};
use gridfold::{
    All, ArgMax, ArgMin, ArgMinMax, BitXor, BriefMoments, Count, Error, Executor, GpuSlice, Group,
    HostSlices, Max, Mean, Min, MinMax, Nan, Norm, Operator, Partial, Precision, PrepareError,
    Product, Reducer, Scan, Scanner, Strategy, Sum, SumOfSquares, SumWide, Variance, Variant, wgpu,
};

pub fn cases() -> Vec<Case> {
    vec![
        Case::tier1(VULKAN, "parts, accumulators of four shapes", |gpu, variant| {
            check::<f32, _>(gpu, variant, Precision::Reproducible, (1000, 4097), Sum);
            check::<f32, _>(gpu, variant, Precision::Reproducible, (1000, 4097), Variance);
            check::<f64, _>(gpu, variant, Precision::Reproducible, (1000, 4097), Product);
            check::<i64, _>(gpu, variant, Precision::Reproducible, (9000, 1), Min);
        }),
        Case::tier1(VULKAN, "parts, cut anywhere", |gpu, variant| {
            for part in [(1, 3), (4095, 1), (70_001, 5)] {
                check::<f32, _>(gpu, variant, Precision::Reproducible, part, Sum);
                check::<u32, _>(gpu, variant, Precision::Reproducible, part, SumWide);
                check::<f32, _>(gpu, variant, Precision::Reproducible, part, ArgMax.last());
            }
        }),
        Case::tier2("parts, every shape, cut anywhere", |gpu, variant| {
            let parts = [(1, 3), (4096, 0), (4095, 1), (70_001, 5), (100_000, 65_535)];
            every_shape(gpu, variant, &parts);
        }),
        Case::tier2("parts, exact", exact),
        Case::tier1(VULKAN, "parts, exact, of sums", exact_sums).only(Variant::WorkgroupMemory),
        Case::tier1(VULKAN, "parts, of several slices", several_slices),
        Case::tier1(VULKAN, "scans after parts, cut anywhere", scans_after),
        // Results 6 and 7 are the output's first vector. The vector of results 4 and 5 would be in front of it.
        Case::tier1(
            BOTH,
            "scans, results of two words from the third of four on",
            |gpu, variant| {
                check_scan::<u32, _>(gpu, variant, (6, 5000), SumWide);
            },
        ),
        Case::tier2("scans after parts, by other operators", scans_after_by_others),
        Case::tier2("scans after parts, windows over a buffer", scans_after_in_windows)
            .only(Variant::WorkgroupMemory),
        Case::tier2("scans after parts, far from the beginning", scans_after_far)
            .only(Variant::WorkgroupMemory),
        Case::tier1(VULKAN, "scans after parts, recorded again", scans_after_again)
            .only(Variant::WorkgroupMemory),
        Case::tier1(BOTH, "a stream that goes on elsewhere", stream).only(Variant::WorkgroupMemory),
        Case::tier1(BOTH, "a group", group).only(Variant::WorkgroupMemory),
    ]
}

/// A part has the CPU's bytes, and so the whole has its bits.
fn check<T: Element, Op: Operator<T> + Copy>(
    gpu: &Gpu,
    variant: Variant,
    precision: Precision,
    (len, first): (usize, u64),
    op: Op,
) {
    let values = elements::<T>(len);
    let reducer = Reducer::<T, _>::new(&gpu.context, op).variant(variant).precision(precision);
    let part = reducer.reduce_part_blocking(upload(gpu, &values), first).expect("reduces");
    let cpu = Executor::cpu().precision(precision);
    let wanted: Partial<T, Op> =
        cpu.reduce_part(&values, first, op).expect("the CPU does not fail");
    assert_eq!(part.to_bytes(), wanted.to_bytes(), "{:?}, {len} from {first}", op.spec());
    assert_eq!(part.range(), first..first + len as u64);
}

fn every_shape(gpu: &Gpu, variant: Variant, parts: &[(usize, u64)]) {
    for &part in parts {
        let precision = Precision::Reproducible;
        check::<f32, _>(gpu, variant, precision, part, Sum);
        check::<f32, _>(gpu, variant, precision, part, Product);
        check::<f32, _>(gpu, variant, precision, part, Variance);
        check::<f32, _>(gpu, variant, Precision::Unordered, part, Mean);
        check::<f64, _>(gpu, variant, precision, part, Sum);
        check::<f64, _>(gpu, variant, precision, part, Product);
        check::<f64, _>(gpu, variant, precision, part, Variance.sample());
        check::<f32, _>(gpu, variant, precision, part, Max);
        check::<i64, _>(gpu, variant, precision, part, Min);
        check::<u32, _>(gpu, variant, precision, part, SumWide);
        check::<i32, _>(gpu, variant, precision, part, BitXor);
        check::<u32, _>(gpu, variant, precision, part, Count);
        check::<u32, _>(gpu, variant, precision, part, All);
        check::<u32, _>(gpu, variant, precision, part, MinMax);
        check::<f32, _>(gpu, variant, precision, part, ArgMax.last());
        check::<f64, _>(gpu, variant, precision, part, ArgMinMax);
    }
}

fn exact(gpu: &Gpu, variant: Variant) {
    for part in [(1, 3), (5000, 0), (70_001, 17)] {
        check::<f32, _>(gpu, variant, Precision::Exact, part, Sum);
        check::<f32, _>(gpu, variant, Precision::Exact, part, Mean);
        check::<f32, _>(gpu, variant, Precision::Exact, part, Norm);
        check::<f32, _>(gpu, variant, Precision::Exact, part, Variance);
    }
}

/// Those of `f64`s the CPU makes, for executors on a device, too.
fn exact_sums(gpu: &Gpu, variant: Variant) {
    check::<f32, _>(gpu, variant, Precision::Exact, (5000, 17), Sum);
    let executor = Executor::from_context(gpu.context.clone()).precision(Precision::Exact);
    let cpu = Executor::cpu().precision(Precision::Exact);
    let values = elements::<f64>(5000);
    let wanted: Partial<f64, Sum> =
        cpu.reduce_part(&values, 7, Sum).expect("the CPU does not fail");
    assert_eq!(executor.reduce_part(&values, 7, Sum).expect("reduces"), wanted);
    let array = executor.upload(&values).expect("uploads");
    assert_eq!(array.reduce_part(7, Sum).expect("reduces"), wanted);
    let group = Group::new([executor, cpu.clone()]).expect("two");
    let reduction = group.reduce(&values, Sum).expect("reduces");
    assert_eq!(reduction.value, cpu.sum(&values).expect("the CPU does not fail"));
    assert!(reduction.shares.iter().all(|share| share.adapter.backend == "cpu"));
    let reduction = group.upload(&values).expect("uploads").reduce(Sum).expect("reduces");
    assert!(reduction.shares.iter().all(|share| share.adapter.backend == "cpu"));
    let of_doubles = Reducer::<f64, _>::new(&gpu.context, Sum).precision(Precision::Exact);
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
    let reducer = Reducer::<f32, _>::new(&gpu.context, Sum).variant(variant);
    let part = reducer.reduce_part_blocking(&slices, 12_345).expect("reduces");
    assert_eq!(
        part,
        Executor::cpu().reduce_part(&values, 12_345, Sum).expect("the CPU does not fail")
    );
    let part = pollster::block_on(reducer.reduce_part(&slices, 12_345)).expect("reduces");
    assert_eq!(
        part,
        Executor::cpu().reduce_part(&values, 12_345, Sum).expect("the CPU does not fail")
    );
    let empty = reducer.reduce_part_blocking(Vec::new(), 5).expect("nothing to do");
    assert_eq!(empty.range(), 5..5);
}

/// The pieces of a sequence, the first of which the CPU has: results are those of one piece.
fn check_scan<T: Element, Op: Operator<T> + Copy>(
    gpu: &Gpu,
    variant: Variant,
    (cut, len): (usize, usize),
    op: Op,
) {
    let values = elements::<T>(cut + len);
    let (before, piece) = values.split_at(cut);
    let cpu = Executor::cpu();
    let before: Partial<T, Op> = cpu.reduce_part(before, 0, op).expect("the CPU does not fail");
    let input = slice_of(gpu, piece, 0, 0);
    let output = slice_of(gpu, &vec![<Op::Out as Zeroable>::zeroed(); len], 0, 0);
    // An initial value has no place.
    let exclusive = match takes_initial::<T, _>(op) {
        true => Scan::exclusive().initial(values[0]),
        false => Scan::exclusive(),
    };
    for scan in [Scan::inclusive(), exclusive] {
        let wanted = cpu.scan(scan, &values, op).expect("the CPU does not fail");
        let wanted: &[u8] = bytemuck::cast_slice(&wanted[cut..]);
        let scanner = Scanner::<T, _>::new(&gpu.context, op).kind(scan).variant(variant);
        let scanner = scanner.strategy(Strategy::SinglePass); // which such scans do not go in
        let scanner = match gpu.capabilities().coherent_memory {
            true => scanner,
            false => scanner.strategy(Strategy::Auto),
        };
        scanner.scan_after_blocking(&before, &input, &output).expect("scans");
        let found = read(gpu, &output);
        assert!(found[..wanted.len()] == *wanted, "{scan:?} by {:?}, {len} after {cut}", op.spec());
        let executor = Executor::from_context(gpu.context.clone());
        let executor = executor.host_slices(HostSlices::OnDevice);
        let results = executor.scan_after(scan, &before, piece).expect("scans");
        assert!(bytemuck::cast_slice::<_, u8>(&results) == wanted, "{scan:?} by an executor");
    }
}

/// The bytes of a slice's buffer.
fn read<T: Pod>(gpu: &Gpu, slice: &GpuSlice<T>) -> Vec<u8> {
    let buffer = slice.buffer();
    let staging = gpu.device().create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: buffer.size(),
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let mut encoder = gpu.encoder();
    encoder.copy_buffer_to_buffer(buffer, 0, &staging, 0, buffer.size());
    gpu.submit(encoder);
    staging.map_async(wgpu::MapMode::Read, .., |result| result.expect("maps"));
    gpu.device().poll(wgpu::PollType::wait_indefinitely()).expect("polls");
    staging.get_mapped_range(..).expect("it is mapped").to_vec()
}

fn scans_after(gpu: &Gpu, variant: Variant) {
    // Within a row, a round and a block, at their ends, and of several blocks.
    for piece in [(1, 3), (5, 4091), (4096, 4096), (8192, 70_000), (70_001, 20_000)] {
        check_scan::<f32, _>(gpu, variant, piece, Sum);
        check_scan::<u32, _>(gpu, variant, piece, SumWide);
    }
}

/// Accumulators of several words, and an order that is free.
fn scans_after_by_others(gpu: &Gpu, variant: Variant) {
    for piece in [(3, 5), (9001, 20_000)] {
        check_scan::<f32, _>(gpu, variant, piece, Product);
        check_scan::<f32, _>(gpu, variant, piece, Max);
        check_scan::<f32, _>(gpu, variant, piece, All);
        check_scan::<f32, _>(gpu, variant, piece, Mean);
        check_scan::<f32, _>(gpu, variant, piece, SumOfSquares);
        check_scan::<f32, _>(gpu, variant, piece, Sum.nan(Nan::Ignore));
        check_scan::<f32, _>(gpu, variant, piece, Mean.nan(Nan::Ignore));
        check_scan::<f32, _>(gpu, variant, piece, MinMax);
        check_scan::<f32, _>(gpu, variant, piece, ArgMin);
        check_scan::<f32, _>(gpu, variant, piece, ArgMax.last());
        check_scan::<f32, _>(gpu, variant, piece, ArgMinMax);
        check_scan::<f32, _>(gpu, variant, piece, Variance);
        check_scan::<f32, _>(gpu, variant, piece, BriefMoments);
    }
    check_scan::<f64, _>(gpu, variant, (5001, 9000), Sum);
}

fn scans_after_in_windows(gpu: &Gpu, variant: Variant) {
    let small = gpu.with_limits(|limits| {
        limits.max_storage_buffer_binding_size = (1 << 15) + 16;
        limits.max_compute_workgroups_per_dimension = 2;
    });
    let check = |gpu: &Gpu| {
        for piece in [(5, 40_000), (20_003, 50_000)] {
            check_scan::<f32, _>(gpu, variant, piece, Sum);
            check_scan::<u32, _>(gpu, variant, piece, SumWide);
            check_scan::<f32, _>(gpu, variant, piece, Variance);
        }
    };
    small.expect("a device with lower limits").check(check).expect("no errors");
}

/// After more elements than a word counts: the part's bytes are made by hand, with a total for each run.
fn scans_after_far(gpu: &Gpu, variant: Variant) {
    let first = (1u64 << 36) + 4096 + 2;
    let part = |kind: u8, operator: &str, element: &str, content: &[u8]| {
        let mut bytes = b"gridfp\n\x01".to_vec();
        bytes.extend([0u64.to_le_bytes(), first.to_le_bytes()].concat());
        bytes.push(kind);
        bytes.extend([operator, element].map(|name| u8::try_from(name.len()).expect("short")));
        bytes.extend(operator.bytes().chain(element.bytes()));
        bytes.extend(content);
        bytes
    };
    let runs = [1e6f32, 123.456, -0.75].map(f32::to_le_bytes).concat();
    far::<f32, _>(gpu, variant, &part(1, "sum", "f32", &runs), &elements(20_000), Sum);
    // Of as many elements as there are.
    let mut values = vec![7u32; 20_000];
    let all = part(0, "all", "u32", &first.to_le_bytes());
    far::<u32, _>(gpu, variant, &all, &values, All);
    values[12_345] = 0;
    far::<u32, _>(gpu, variant, &all, &values, All);
    let large = [1e13f32, 123.456, -0.75].map(f32::to_le_bytes).concat();
    far::<f32, _>(gpu, variant, &part(1, "mean", "f32", &large), &elements(20_000), Mean);
    // Of each run the sum, the squares and the level.
    let moments = [[1e9f32, 5e10], [123.456, 1e4], [-0.75, 2.0]].map(|run| run.map(f32::to_bits));
    let runs: Vec<u8> = (moments.into_iter().zip([36u32, 12, 1]))
        .flat_map(|([sum, squares], level)| [sum, squares, level])
        .flat_map(u32::to_le_bytes)
        .collect();
    let before = part(1, "variance", "f32", &runs);
    far::<f32, _>(gpu, variant, &before, &elements(20_000), Variance);
}

fn far<T: Element, Op: Operator<T> + Copy>(
    gpu: &Gpu,
    variant: Variant,
    before: &[u8],
    values: &[T],
    op: Op,
) {
    let before = Partial::<T, Op>::from_bytes(before).expect("a part");
    let input = slice_of(gpu, values, 0, 0);
    let exclusive = match takes_initial::<T, _>(op) {
        true => Scan::exclusive().initial(values[0]),
        false => Scan::exclusive(),
    };
    for scan in [Scan::inclusive(), exclusive] {
        let output = slice_of(gpu, &vec![<Op::Out as Zeroable>::zeroed(); values.len()], 0, 0);
        let scanner = Scanner::<T, _>::new(&gpu.context, op).variant(variant).kind(scan);
        scanner.scan_after_blocking(&before, &input, &output).expect("scans");
        let wanted = Executor::cpu().scan_after(scan, &before, values);
        let wanted = wanted.expect("the CPU does not fail");
        let wanted: &[u8] = bytemuck::cast_slice(&wanted);
        assert!(read(gpu, &output)[..wanted.len()] == *wanted, "{scan:?} by {:?}", op.spec());
    }
}

/// Other scans, and its own windows, leave what it goes on from.
fn scans_after_again(gpu: &Gpu, variant: Variant) {
    let values = elements::<f32>(30_000);
    let cpu = Executor::cpu();
    let wanted = cpu.inclusive_scan(&values, Sum).expect("the CPU does not fail");
    let before = cpu.reduce_part(&values[..7001], 0, Sum).expect("the CPU does not fail");
    let slices: Vec<_> =
        [7001..7004, 7004..20_000, 20_000..30_000].map(|range| upload(gpu, &values[range])).into();
    let output = slice_of(gpu, &vec![0f32; 22_999], 0, 0);
    let scanner = Scanner::<f32, _>::new(&gpu.context, Sum).variant(variant);
    let prepared = scanner.prepare_after(&before, &slices, &output).expect("prepares");
    for _ in 0..2 {
        let mut encoder = gpu.encoder();
        prepared.record(&mut encoder);
        gpu.submit(encoder);
        assert!(read(gpu, &output) == bytemuck::cast_slice::<_, u8>(&wanted[7001..]));
        scanner.scan_blocking(&slices, &output).expect("scans");
    }
    // In place.
    let whole = slice_of(gpu, &values[7001..], 0, 0);
    scanner.scan_after_blocking(&before, &whole, &whole).expect("scans");
    let array = Executor::from_context(gpu.context.clone()).upload(&values[7001..]);
    let results = array.expect("uploads").scan_after(Scan::inclusive(), &before).expect("scans");
    assert!(results.download().expect("reads") == wanted[7001..]);
    assert!(read(gpu, &whole) == bytemuck::cast_slice::<_, u8>(&wanted[7001..]));
}

/// From the device to the CPU, by a checkpoint's bytes.
fn stream(gpu: &Gpu, _: Variant) {
    let values = elements::<f32>(50_000);
    let executor = Executor::from_context(gpu.context.clone());
    let mut stream = executor.stream::<f32, _>(Product).expect("there is one");
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
    let group = Group::new(members.clone()).expect("three");
    let values = elements::<f32>(100_003);
    let wanted = Executor::cpu().sum(&values).expect("the CPU does not fail").to_bits();
    let reduction = group.reduce(&values, Sum).expect("reduces");
    assert_eq!(reduction.value.to_bits(), wanted);
    let ranges: Vec<_> = reduction.shares.iter().map(|share| share.range.clone()).collect();
    assert_eq!(ranges, [0..33_334, 33_334..66_668, 66_668..100_003]);
    assert_eq!(&reduction.shares[0].adapter, gpu.context.adapter());
    assert_eq!(&reduction.shares[1].adapter, another.context.adapter());
    assert_eq!(reduction.shares[2].adapter.backend, "cpu");
    assert_eq!(reduction.lost, []);
    // The host's memory is summed faster by the CPU, which an executor may leave it to.
    let chooses = members[0].clone().host_slices(HostSlices::Auto);
    let reduction = Group::new([chooses]).expect("one").reduce(&values, Sum);
    let reduction = reduction.expect("reduces");
    assert_eq!(reduction.value.to_bits(), wanted);
    let adapters: Vec<_> = reduction.shares.iter().map(|share| &share.adapter.backend).collect();
    assert_eq!(adapters, ["cpu"]);
    let array = group.upload(&values).expect("uploads");
    assert_eq!(array.sum().expect("reduces").to_bits(), wanted);
    assert_eq!(group.max(&values).expect("reduces"), array.max().expect("reduces"));
    assert_eq!(group.sum::<f32>(&[]).expect("reduces").to_bits(), 0);
    // Long runs go to the devices, short ones to the CPU.
    let long = elements::<f32>(400_003);
    let other: Vec<f32> = long.iter().rev().copied().collect();
    let dot = |group: &Group| group.dot(&long, &other).expect("reduces").to_bits();
    let wanted_dot = Executor::cpu().dot(&long, &other).expect("the CPU does not fail").to_bits();
    assert_eq!(dot(&group), wanted_dot);
    assert_eq!(group.dot::<f32>(&[], &[]).expect("reduces").to_bits(), 0);
    group.dot(&long, &values).expect_err("one is longer");
    let exact = group.clone().precision(Precision::Exact);
    let of_cpu = Executor::cpu().precision(Precision::Exact).sum(&values);
    let of_cpu = of_cpu.expect("the CPU does not fail").to_bits();
    assert_eq!(exact.sum(&values).expect("reduces").to_bits(), of_cpu);

    let of_cpu = Executor::cpu().precision(Precision::Exact).dot(&long, &other);
    assert_eq!(dot(&exact), of_cpu.expect("the CPU does not fail").to_bits());

    another.device().destroy();

    assert_eq!(dot(&group), wanted_dot);
    let reduction = group.reduce(&values, Sum).expect("the others go on");
    assert_eq!(reduction.value.to_bits(), wanted);
    assert_eq!(reduction.lost, [another.context.adapter().clone()]);
    assert!(reduction.shares.len() > 3, "{:?}", reduction.shares);
    let error = array.sum().expect_err("a shard is lost");
    let [(adapter, reason)] = &error.failures[..] else { panic!("{error:?}") };
    assert_eq!((adapter, error.parts.len()), (another.context.adapter(), 2));
    assert!(reason.to_string().contains("the device is lost"), "{reason}");
    // What is missing is made again, elsewhere.
    let (_, first, _) = array.shards().nth(1).expect("three");
    let again = Executor::cpu().reduce_part(&values[33_334..66_668], first, Sum).expect("reduces");
    let whole = Partial::merge_all(error.parts.into_iter().chain([again])).expect("neighbours");
    assert_eq!(whole.finish().expect("it begins at 0").to_bits(), wanted);
    let alone = Group::new([Executor::from_context(another.context.clone())]).expect("one");
    alone.sum(&values).expect_err("no member is left");
}
