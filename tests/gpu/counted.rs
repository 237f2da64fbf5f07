//! Reductions of as many elements as a number on the device says: the bits of reductions of as many, whatever the operator, around the
//! lengths of rows, rounds, blocks and slices; behind a selection; what is refused.

use crate::{
    BOTH, Case, VULKAN,
    device::Gpu,
    map::random::{Random, words},
    scans::{read, slice_of, unwritten},
};
use gridfold::{
    ArgMax, BitXor, Bits, Compaction, Compactor, Count, Counted, Dot, Element, Executor, GpuSlice,
    Map, Max, Mean, Min, Nan, Operator, Policy, Precision, Predicate, PrepareError, Product,
    Reducer, Scan, Scanner, Strategy, Sum, SumOfSquares, SumWide, Variance, Variant, wgpu,
};

mod others;
mod selections;

pub fn cases() -> Vec<Case> {
    let mut cases = vec![
        Case::tier1(
            BOTH,
            "counted, every length around rows, rounds and blocks",
            |gpu, variant| {
                let lens = around(&[0, 4, 1024, 4096, 8192, 12_288, 16_384, 30_000]);
                every_count::<f32, _>(gpu, variant, &ordinary(30_001), &[30_001], &lens, Sum);
                every_count::<u32, _>(gpu, variant, &numbers(30_001), &[30_001], &lens, Sum);
            },
        ),
        Case::tier1(BOTH, "counted, of a single block", |gpu, variant| {
            let lens = around(&[0, 4, 64, 1000, 3000]);
            every_count::<f32, _>(gpu, variant, &ordinary(3001), &[3001], &lens, Sum);
            every_count::<u32, _>(gpu, variant, &numbers(3001), &[3001], &lens, Max);
            every_count::<f32, _>(gpu, variant, &[], &[0], &[0, 1], Sum);
        }),
        Case::tier1(BOTH, "counted, over slices", |gpu, variant| {
            let lens = around(&[0, 5, 7000, 8192, 16_384, 20_003]);
            let cuts = [5, 5, 7000, 20_003];
            every_count::<f32, _>(gpu, variant, &ordinary(20_003), &cuts, &lens, Sum);
            every_count::<u32, _>(gpu, variant, &numbers(20_003), &cuts, &lens, BitXor);
            every_count::<u32, _>(gpu, variant, &numbers(20_003), &cuts, &lens, ArgMax);
        }),
        Case::tier2("counted, every kind of operator and element", |gpu, variant| {
            let lens = [0, 1, 777, 4096, 5000, 9999, 10_000];
            let cuts = [3333, 10_000];
            let floats = ordinary(10_000);
            every_count::<f32, _>(gpu, variant, &floats, &cuts, &lens, Product);
            every_count::<f32, _>(gpu, variant, &floats, &cuts, &lens, Min);
            every_count::<f32, _>(gpu, variant, &floats, &cuts, &lens, Mean);
            every_count::<f32, _>(gpu, variant, &floats, &cuts, &lens, Variance);
            every_count::<f32, _>(gpu, variant, &floats, &cuts, &lens, Count);
            let doubles: Vec<f64> = floats.iter().map(|&x| f64::from(x) * 1.1).collect();
            every_count::<f64, _>(gpu, variant, &doubles, &cuts, &lens, Sum);
            let bytes: Vec<u8> = numbers(10_000).iter().map(|x| x.to_le_bytes()[1]).collect();
            every_count::<u8, _>(gpu, variant, &bytes, &cuts, &lens, SumWide);
            let bits: Vec<Bits> = numbers(10_000).into_iter().map(Bits).collect();
            every_count::<Bits, _>(gpu, variant, &bits, &cuts, &lens, Count);
            let hostile: Vec<f32> = words(&mut Random(3), 10_000)
                .into_iter()
                .map(|word| {
                    f32::from_bits(if word & 0x7f80_0000 == 0x7f80_0000 { 1 } else { word })
                })
                .collect();
            every_count::<f32, _>(gpu, variant, &hostile, &cuts, &lens, Sum);
        }),
        Case::tier1(BOTH, "counted, windows over a buffer", |gpu, variant| {
            let small = gpu.with_limits(|limits| {
                limits.max_storage_buffer_binding_size = (1 << 15) + 16;
                limits.max_compute_workgroups_per_dimension = 5;
            });
            let lens = around(&[0, 8192, 30_000, 50_001]);
            let check = |gpu: &Gpu| {
                every_count::<f32, _>(gpu, variant, &ordinary(50_001), &[50_001], &lens, Sum);
                every_count::<u32, _>(gpu, variant, &numbers(50_001), &[50_001], &lens, Sum);
            };
            small.expect("a device with lower limits").check(check).expect("no errors");
        }),
        Case::tier1(VULKAN, "counted, pairs and expressions", pairs_and_expressions),
        Case::tier1(BOTH, "counted, what a selection has left", behind_a_selection),
        Case::tier1(VULKAN, "counted, scans", scans),
        Case::tier1(BOTH, "counted, what is refused", refused).only(Variant::WorkgroupMemory),
    ];
    cases.extend(selections::cases());
    cases.extend(others::cases());
    cases
}

fn around(lens: &[usize]) -> Vec<usize> {
    let mut around: Vec<usize> =
        lens.iter().flat_map(|&len| [len.saturating_sub(1), len, len + 1]).collect();
    around.dedup();
    around
}

fn numbers(len: usize) -> Vec<u32> {
    let mut random = Random(9);
    (0..len).map(|_| random.next()).collect()
}

/// Sums round in another way wherever their order is another.
fn ordinary(len: usize) -> Vec<f32> {
    numbers(len).into_iter().map(|x| f32::from_bits(x & 0x83ff_ffff | 0x3c00_0000)).collect()
}

fn slices<T: Element>(gpu: &Gpu, all: &[T], cuts: &[usize]) -> Vec<GpuSlice<T>> {
    let mut begin = 0;
    cuts.iter()
        .map(|&end| {
            let slice = slice_of(gpu, &all[begin..end], 8, 4);
            begin = end;
            slice
        })
        .collect()
}

/// The first so many elements.
fn first<T: Element>(slices: &[GpuSlice<T>], len: usize) -> Vec<GpuSlice<T>> {
    let mut rest = len as u64;
    let mut first = Vec::new();
    for slice in slices {
        let items = slice.len().min(rest);
        first.push(slice.slice(0..items).expect("within"));
        rest -= items;
    }
    first
}

/// One recording, which is run with one number after the other, against reductions of as many elements.
fn every_count<T: Element, Op: Operator<T> + Copy>(
    gpu: &Gpu,
    variant: Variant,
    all: &[T],
    cuts: &[usize],
    lens: &[usize],
    op: Op,
) {
    let input = slices(gpu, all, cuts);
    let reducer = Reducer::<T, _>::new(&gpu.context, op).variant(variant);
    let reducer = reducer.policy(Policy { min_rows: 4, max_workgroups: 2048 });
    let [wide, narrow] = [slice_of(gpu, &[0u64, 0], 4, 4), slice_of(gpu, &[0u64, 0], 0, 4)];
    let number = wide.slice(1..2).expect("within");
    let half = GpuSlice::<u32>::new(narrow.buffer(), 4, 1).expect("within");
    let result_bytes = size_of::<Op::Out>();
    let result = || slice_of(gpu, &vec![0u32; result_bytes / 4], 4, 4);
    let results = [result(), result(), result()];
    let out = |slice: &GpuSlice<u32>| {
        GpuSlice::<Op::Out>::new(slice.buffer(), slice.offset_bytes(), 1).expect("within")
    };
    let by_u64 =
        reducer.prepare(Counted::new(&input[..], &number), &out(&results[0])).expect("prepares");
    let by_u32 =
        reducer.prepare(Counted::new(&input[..], &half), &out(&results[1])).expect("prepares");
    for &len in lens {
        let mut encoder = gpu.encoder();
        let write = |slice: u64, buffer: &GpuSlice<u64>, bytes: &[u8]| {
            gpu.context.queue().write_buffer(buffer.buffer(), slice, bytes);
        };
        write(number.offset_bytes(), &wide, &(len as u64).to_le_bytes());
        write(4, &narrow, &u32::try_from(len).expect("short").to_le_bytes());
        let readback = by_u64.record_readback(&mut encoder).expect("records");
        by_u32.record(&mut encoder);
        // More than there are is all.
        let some = first(&input, len.min(all.len()));
        reducer.record(&mut encoder, &some[..], &out(&results[2])).expect("records");
        gpu.submit(encoder);
        let [by_u64, by_u32, wanted] = [0, 1, 2].map(|i| read(gpu, &results[i]));
        let what = || format!("{} of {len} of {} {}", op.spec().operator, all.len(), T::TYPE);
        let value = readback.wait_blocking().expect("a result");
        let of_some = reducer.reduce_blocking(&some[..]).expect("reduces");
        assert_eq!(format!("{value:?}"), format!("{of_some:?}"), "{}, read back", what());
        assert_eq!(by_u64, wanted, "{}, by a u64", what());
        assert_eq!(by_u32, wanted, "{}, by a u32", what());
    }
    // The upper half counts, too.
    gpu.context.queue().write_buffer(
        wide.buffer(),
        number.offset_bytes(),
        &(1u64 << 40).to_le_bytes(),
    );
    let mut encoder = gpu.encoder();
    by_u64.record_in(&mut encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default()));
    reducer.record(&mut encoder, &input[..], &out(&results[2])).expect("records");
    gpu.submit(encoder);
    assert_eq!(read(gpu, &results[0]), read(gpu, &results[2]));
}

fn pairs_and_expressions(gpu: &Gpu, variant: Variant) {
    let (left, right) = (ordinary(9001), ordinary(9002)[1..].to_vec());
    let (left, right) = (slice_of(gpu, &left, 4, 0), slice_of(gpu, &right, 12, 0));
    let dot = Reducer::<(f32, f32), _>::new(&gpu.context, Dot).variant(variant);
    let map = Map::<f32>::new("x * x + f32(i) * 0.25").expect("an expression");
    let mapped =
        Reducer::<f32, _>::new(&gpu.context, Sum).variant(variant).map(&map).expect("a map");
    let outputs = [0, 1].map(|_| unwritten::<f32>(gpu, 1, 0, 0));
    for len in [0u64, 3, 4096, 9000, 9001] {
        let count = slice_of(gpu, &[len], 0, 0);
        let part = |slice: &GpuSlice<f32>| slice.slice(0..len).expect("within");
        let mut encoder = gpu.encoder();
        dot.record(&mut encoder, Counted::new((&left, &right), &count), &outputs[0])
            .expect("records");
        mapped.record(&mut encoder, Counted::new(&left, &count), &outputs[1]).expect("records");
        gpu.submit(encoder);
        let wanted = [
            dot.reduce_blocking((part(&left), part(&right))).expect("reduces"),
            mapped.reduce_blocking(part(&left)).expect("reduces"),
        ];
        for (output, wanted) in outputs.iter().zip(wanted) {
            assert_eq!(read(gpu, output)[0].to_bits(), wanted.to_bits(), "{len}");
        }
    }
}

/// Nothing of it goes to the host in between.
fn behind_a_selection(gpu: &Gpu, variant: Variant) {
    let all = ordinary(40_000);
    let input = slice_of(gpu, &all, 0, 0);
    let kept = unwritten::<f32>(gpu, 40_000, 0, 0);
    let count = slice_of(gpu, &[0u64], 0, 0);
    let output = unwritten::<f32>(gpu, 1, 0, 0);
    for text in ["x > 0.0", "x > 0.5 && i > 9u", "x > 1e30", "true"] {
        let predicate = Predicate::<f32>::new(text).expect(text);
        let select = Compaction::select_if(&input, &predicate, &kept).expect(text);
        let reducer = Reducer::<f32, _>::new(&gpu.context, Sum).variant(variant);
        let mut encoder = gpu.encoder();
        Compactor::new(&gpu.context).record(&mut encoder, &select, &count).expect("records");
        reducer.record(&mut encoder, Counted::new(&kept, &count), &output).expect("records");
        gpu.submit(encoder);
        let cpu = Executor::cpu();
        let wanted = cpu.sum(&cpu.select_if(&all, text).expect(text)).expect("sums");
        assert_eq!(read(gpu, &output)[0].to_bits(), wanted.to_bits(), "{text}");
    }
}

/// One recording of each way, with one number after the other. What is behind the results stays as it is.
fn scans(gpu: &Gpu, variant: Variant) {
    let lens = around(&[0, 4, 4096, 7000, 8192, 20_002]);
    let all = ordinary(20_003);
    every_scan::<f32, _>(gpu, variant, &all, &lens, Sum);
    every_scan::<f32, _>(gpu, variant, &all, &lens, Mean);
    every_scan::<f32, _>(gpu, variant, &all, &lens, SumOfSquares);
    every_scan::<f32, _>(gpu, variant, &all, &[0, 4097, 20_002], Min.nan(Nan::Ignore));
    every_scan::<u32, _>(gpu, variant, &numbers(20_003), &lens, Sum);
    every_scan::<u64, _>(
        gpu,
        variant,
        &numbers(6001).iter().map(|&x| u64::from(x) << 9).collect::<Vec<_>>(),
        &[0, 1, 4096, 4097, 6001],
        Sum,
    );
    let small = gpu.with_limits(|limits| {
        limits.max_storage_buffer_binding_size = (1 << 15) + 16;
        limits.max_compute_workgroups_per_dimension = 2;
    });
    let check = |gpu: &Gpu| {
        every_scan::<f32, _>(gpu, variant, &all, &lens, Sum);
        every_scan::<f32, _>(gpu, variant, &all, &[8191, 20_003], Mean);
    };
    small.expect("a device with lower limits").check(check).expect("no errors");
}

fn every_scan<T: Element, Op: Operator<T, Out = T> + Copy>(
    gpu: &Gpu,
    variant: Variant,
    all: &[T],
    lens: &[usize],
    op: Op,
) {
    let scanner = || {
        let scanner = Scanner::<T, _>::new(&gpu.context, op).variant(variant);
        scanner.policy(Policy { min_rows: 4, max_workgroups: 2048 })
    };
    let cuts = [5, all.len() / 3, all.len()];
    let count = slice_of(gpu, &[0u64], 4, 0);
    for scan in [Scan::inclusive(), Scan::exclusive().initial(all[0])] {
        for &len in lens {
            gpu.context.queue().write_buffer(count.buffer(), 4, &(len as u64).to_le_bytes());
            let (input, in_place) = (slices(gpu, all, &cuts), slices(gpu, all, &cuts));
            let output = unwritten::<T>(gpu, all.len(), 4, 4);
            let apart = scanner().kind(scan).prepare(Counted::new(&input[..], &count), &output);
            let over =
                scanner().kind(scan).prepare(Counted::new(&in_place[..], &count), &in_place[..]);
            let mut encoder = gpu.encoder();
            apart.expect("prepares").record(&mut encoder);
            over.expect("prepares").record(&mut encoder);
            gpu.submit(encoder);
            let some = len.min(all.len());
            let wanted = Executor::cpu().scan(scan, &all[..some], op).expect("scans");
            let bytes = |items: &[T]| bytemuck::cast_slice::<T, u8>(items).to_vec();
            let found = read(gpu, &output);
            assert_eq!(bytes(&found[..some]), bytes(&wanted), "{len} of {}", T::TYPE);
            assert!(bytes(&found[some..]).iter().all(|&byte| byte == 0), "written behind {len}");
            let found: Vec<T> = in_place.iter().flat_map(|slice| read(gpu, slice)).collect();
            let behind = [&wanted[..], &all[some..]].concat();
            assert_eq!(bytes(&found), bytes(&behind), "{len} of {} in place", T::TYPE);
        }
    }
}

fn refused(gpu: &Gpu, _: Variant) {
    let input = slice_of(gpu, &ordinary(100), 0, 0);
    let output = unwritten::<f32>(gpu, 1, 0, 0);
    let counts = slice_of(gpu, &[7u64], 0, 0);
    let reducer = Reducer::<f32, _>::new(&gpu.context, Sum);
    let refuse = |reducer: &Reducer<f32, Sum>, count: &GpuSlice<u64>, output: &GpuSlice<f32>| {
        reducer.prepare(Counted::new(&input, count), output).expect_err("it is refused")
    };
    let exact = reducer.clone().precision(Precision::Exact);
    let error = refuse(&exact, &counts, &output);
    assert!(matches!(error, PrepareError::StrategyUnfit { .. }), "{error}");
    let atomic = reducer.clone().strategy(Strategy::WorkgroupAtomic);
    let error = refuse(&atomic.precision(Precision::Unordered), &counts, &output);
    assert!(matches!(error, PrepareError::StrategyUnfit { .. }), "{error}");
    let error = refuse(&reducer, &counts.slice(0..0).expect("within"), &output);
    assert!(matches!(error, PrepareError::NoCount), "{error}");
    let within = GpuSlice::<f32>::new(counts.buffer(), 4, 1).expect("within");
    let error = refuse(&reducer, &counts, &within);
    assert!(matches!(error, PrepareError::OutputAliasing { what: "output" }), "{error}");
    let error = refuse(&reducer, &counts, &input);
    assert!(matches!(error, PrepareError::OutputWithinInput { .. }), "{error}");
}
