//! Where the elements lie: offsets, several slices, windows over a buffer.

use crate::{
    BOTH, Case, VULKAN,
    device::Gpu,
    floats::{MATERIAL, in_software},
    support::{Element, data::mix, elements, same_bits},
};
use gridfold::{
    BitXor, Executor, GpuSlice, Min, Operator, Policy, Product, Reducer, Strategy, Sum, Variant,
    wgpu,
};

pub fn cases() -> Vec<Case> {
    vec![
        Case::tier1(BOTH, "offsets", |gpu, variant| {
            offsets::<f32, _>(gpu, variant, Sum);
            offsets::<u32, _>(gpu, variant, BitXor);
        }),
        Case::tier1(BOTH, "buffers that are no whole number of vectors", |gpu, variant| {
            odd_buffers::<f32, _>(gpu, variant, Sum);
            odd_buffers::<i32, _>(gpu, variant, Min);
        }),
        Case::tier1(VULKAN, "several slices as one sequence", |gpu, variant| {
            several_slices::<f32, _>(gpu, variant, Sum);
            several_slices::<f32, _>(gpu, variant, Product);
            several_slices::<i32, _>(gpu, variant, Sum);
        }),
        Case::tier1(BOTH, "windows over a buffer", |gpu, variant| {
            for window_bytes in [1 << 20, 1 << 18] {
                let small = gpu
                    .with_limits(|limits| limits.max_storage_buffer_binding_size = window_bytes)
                    .expect("a device with a lower limit");
                small.check(|gpu| windows(gpu, variant, window_bytes)).expect("no errors");
            }
        }),
        Case::tier2("blocks larger than a window", |gpu, variant| {
            let small = gpu
                .with_limits(|limits| limits.max_storage_buffer_binding_size = 1 << 16)
                .expect("a device with a lower limit");
            small
                .check(|gpu| {
                    // Eight windows for a block.
                    let values = elements::<u32>((1 << 20) + 5);
                    let whole = upload(gpu, &values);
                    let policy = Policy { min_rows: 128, max_workgroups: 2048 };
                    let sum =
                        Reducer::<u32, _>::new(&gpu.context, Sum).variant(variant).policy(policy);
                    assert!(sum.plan(&whole).expect("plans").dispatches.len() > 64);
                    let expected = Executor::cpu().sum(&values).expect("the CPU can't fail");
                    assert_eq!(sum.reduce_blocking(&whole).expect("reduces"), expected);
                    // In order, too.
                    let values = elements::<f32>((1 << 20) + 5);
                    let whole = upload(gpu, &values);
                    let sum =
                        Reducer::<f32, _>::new(&gpu.context, Sum).variant(variant).policy(policy);
                    let plan = sum.plan(&whole).expect("plans");
                    assert!(plan.dispatches.len() > 64 && plan.block_items > 1 << 14, "{plan}");
                    let expected = Executor::cpu().sum(&values).expect("the CPU can't fail");
                    let found = sum.reduce_blocking(&whole).expect("reduces");
                    assert_eq!(found.to_bits(), expected.to_bits(), "{plan}");
                })
                .expect("no errors");
        }),
        Case::tier1(BOTH, "few workgroups in a dispatch", |gpu, variant| {
            let small = gpu
                .with_limits(|limits| limits.max_compute_workgroups_per_dimension = 3)
                .expect("a device with a lower limit");
            small
                .check(|gpu| {
                    agree::<f32, _>(gpu, variant, 100_003, Sum);
                    agree::<u32, _>(gpu, variant, 100_003, Sum);
                })
                .expect("no errors");
        }),
        // Subgroups are a feature.
        Case::tier1(BOTH, "a device with default limits and no features", |gpu, variant| {
            let limits = wgpu::Limits::downlevel_defaults();
            let plain = Gpu::with(&gpu.adapter, wgpu::Features::empty(), limits).expect("a device");
            plain
                .check(|gpu| {
                    assert_eq!(gpu.capabilities().subgroups, None);
                    agree::<f32, _>(gpu, variant, 100_003, Sum);
                    agree::<f32, _>(gpu, variant, 100_003, Product);
                })
                .expect("no errors");
        })
        .only(Variant::WorkgroupMemory),
        Case::tier1(BOTH, "policies", |gpu, variant| {
            let values = elements::<u32>(300_001);
            let expected = Executor::cpu().sum(&values).expect("the CPU can't fail");
            let array = upload(gpu, &values);
            for (min_rows, max_workgroups) in [(4, 1), (4, 7), (16, 2048), (256, 2048)] {
                let reducer = Reducer::<u32, _>::new(&gpu.context, Sum)
                    .variant(variant)
                    .policy(Policy { min_rows, max_workgroups });
                assert_eq!(reducer.reduce_blocking(&array).expect("reduces"), expected);
                let workgroups = reducer.plan(&array).expect("plans").dispatches[0].workgroups;
                assert!(workgroups <= max_workgroups, "{workgroups}");
            }
        }),
        Case::tier2("blocks of several rounds", |gpu, variant| {
            let policy = Policy { min_rows: 4, max_workgroups: 5 };
            let reducer = Reducer::<f32, _>::new(&gpu.context, Sum).policy(policy);
            let plan = reducer.plan(upload(gpu, &[0.0f32; 65_536])).expect("plans");
            assert_eq!(plan.block_items, 1 << 14, "{}", plan.explain());
            several_rounds(gpu, variant);
            several_rounds(&in_software(gpu), variant);
        }),
        Case::tier2("blocks of several rounds, in small bindings", |gpu, variant| {
            let small = gpu
                .with_limits(|limits| limits.max_storage_buffer_binding_size = 1 << 16)
                .expect("a device with a lower limit");
            small.check(|gpu| several_rounds(gpu, variant)).expect("no errors");
        }),
    ]
}

/// The order of f32 sums and products is the same however many rounds a workgroup folds.
fn several_rounds(gpu: &Gpu, variant: Variant) {
    let strategies = [Strategy::TwoPass, Strategy::SinglePass];
    let strategies = &strategies[..if gpu.capabilities().coherent_memory { 2 } else { 1 }];
    for (what, make) in MATERIAL {
        for len in [30_000u32, 65_536] {
            let values: Vec<f32> = (0..len).map(|i| f32::from_bits(make(mix(len + i)))).collect();
            let array = upload(gpu, &values);
            // A second slice that begins within a block.
            let slices = [0..5000, 5000..u64::from(len)].map(|range| array.slice(range.clone()));
            let slices: Vec<_> = slices.into_iter().flatten().collect();
            let inputs = [vec![array], slices];
            let expected = Executor::cpu().sum(&values).expect("the CPU can't fail");
            for (input, &strategy) in inputs
                .iter()
                .flat_map(|input| strategies.iter().map(move |strategy| (input, strategy)))
            {
                for max_workgroups in [1, 5] {
                    let policy = Policy { min_rows: 4, max_workgroups };
                    let reducer = Reducer::<f32, _>::new(&gpu.context, Sum)
                        .variant(variant)
                        .strategy(strategy)
                        .policy(policy);
                    let sum = reducer.reduce_blocking(&input[..]).expect("reduces");
                    assert!(
                        same_bits(Some(sum), Some(expected)),
                        "{what}, {len} elements, {sum:?}, expected {expected:?}: {}",
                        reducer.plan(&input[..]).expect("plans").explain(),
                    );
                }
            }
        }
    }
}

/// A buffer that holds exactly `values`.
pub fn upload<T: Element>(gpu: &Gpu, values: &[T]) -> GpuSlice<T> {
    let bytes: &[u8] = bytemuck::cast_slice(values);
    let buffer = gpu.device().create_buffer(&wgpu::BufferDescriptor {
        label: Some("values"),
        size: bytes.len() as u64,
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    gpu.context.queue().write_buffer(&buffer, 0, bytes);
    GpuSlice::whole(&buffer)
}

pub fn expect<T: Element, Op: Operator<T> + Copy>(
    gpu: &Gpu,
    variant: Variant,
    slices: &[GpuSlice<T>],
    values: &[T],
    what: &str,
    op: Op,
) {
    let reducer = Reducer::<T, _>::new(&gpu.context, op).variant(variant);
    let value = reducer.reduce_blocking(slices).expect("reduces");
    let expected = Executor::cpu().reduce(values, op).expect("the CPU can't fail").value;
    assert!(
        same_bits(Op::out(value), Op::out(expected)),
        "{} {}, {what}: {value:?}, expected {expected:?}; {}",
        op.spec().operator,
        T::TYPE,
        reducer.plan(slices).expect("plans"),
    );
}

fn agree<T: Element, Op: Operator<T> + Copy>(gpu: &Gpu, variant: Variant, len: usize, op: Op) {
    let values = elements::<T>(len);
    expect::<T, _>(gpu, variant, &[upload(gpu, &values)], &values, &format!("{len} elements"), op);
}

/// Every alignment within a vector and around the binding alignments of devices, with ends that
/// leave whole rounds and do not.
pub fn offsets<T: Element, Op: Operator<T> + Copy>(gpu: &Gpu, variant: Variant, op: Op) {
    let values = elements::<T>(20_000);
    let whole = upload(gpu, &values);
    for begin in [0usize, 1, 2, 3, 4, 5, 63, 64, 65, 130] {
        for len in [1usize, 2, 7, 4096, 8192, 12_289, 20_000 - begin] {
            let slice = whole.slice(begin as u64..(begin + len) as u64).expect("within");
            let what = format!("{len} from {begin}");
            expect::<T, _>(gpu, variant, &[slice], &values[begin..begin + len], &what, op);
        }
    }
}

fn odd_buffers<T: Element, Op: Operator<T> + Copy>(gpu: &Gpu, variant: Variant, op: Op) {
    for len in [1, 2, 3, 5, 4095, 4097, 4098, 8191, 8193, 12_290] {
        let values = elements::<T>(len);
        let whole = upload(gpu, &values);
        for begin in 0..len.min(5) {
            let slice = whole.slice(begin as u64..len as u64).expect("within");
            let what = format!("{len} elements from {begin}");
            expect::<T, _>(gpu, variant, &[slice], &values[begin..], &what, op);
        }
    }
}

pub fn several_slices<T: Element, Op: Operator<T> + Copy>(gpu: &Gpu, variant: Variant, op: Op) {
    // Whole blocks, parts of blocks, slices without elements, several within a block, and one that
    // spans many; of one buffer and of several; not in the order of memory.
    let splits: [&[usize]; 6] = [
        &[0],
        &[1, 1, 1],
        &[4096, 4096],
        &[0, 3, 4093, 0, 1, 8190, 5],
        &[100, 40_000, 7, 9000],
        &[5, 20_000, 3, 65_536, 1],
    ];
    for lengths in splits {
        let parts: Vec<Vec<T>> = lengths
            .iter()
            .enumerate()
            .map(|(index, &len)| elements::<T>(len + index)[index..].to_vec())
            .collect();
        let all: Vec<T> = parts.iter().flatten().copied().collect();
        let separate: Vec<_> = parts
            .iter()
            .map(|part| match part.is_empty() {
                true => upload(gpu, &[T::filler()]).slice(0..0).expect("within"),
                false => upload(gpu, part),
            })
            .collect();
        expect::<T, _>(gpu, variant, &separate, &all, &format!("buffers of {lengths:?}"), op);

        let mut backwards = vec![T::filler()];
        let mut ranges = vec![];
        for part in parts.iter().rev() {
            ranges.push(backwards.len() as u64..(backwards.len() + part.len()) as u64);
            backwards.extend(part);
        }
        let whole = upload(gpu, &backwards);
        let slices: Vec<_> =
            ranges.iter().rev().map(|range| whole.slice(range.clone()).expect("within")).collect();
        expect::<T, _>(gpu, variant, &slices, &all, &format!("parts of {lengths:?}"), op);
    }
}

fn windows(gpu: &Gpu, variant: Variant, window_bytes: u64) {
    let window = usize::try_from(window_bytes / 4).expect("small");
    for len in [window - 1, window, window + 1, 3 * window + 4097] {
        let values = elements::<f32>(len + 3);
        let whole = upload(gpu, &values);
        for begin in [0, 1, 3] {
            let slice = whole.slice(begin as u64..(begin + len) as u64).expect("within");
            let what = format!("{len} from {begin}, windows of {window_bytes} bytes");
            let values = &values[begin..begin + len];
            expect::<f32, _>(gpu, variant, std::slice::from_ref(&slice), values, &what, Sum);
            let plan = Reducer::<f32, _>::new(&gpu.context, Sum).plan(slice).expect("plans");
            let launches = plan.dispatches.iter().filter(|dispatch| dispatch.left.is_some());
            assert!(len <= window || launches.count() > 1, "{what}: {plan}");
        }
        expect::<f32, _>(gpu, variant, std::slice::from_ref(&whole), &values, "a window", Product);
        let values = elements::<u32>(len);
        expect::<u32, _>(gpu, variant, &[upload(gpu, &values)], &values, "a window", Sum);
    }
}
