//! Elements of several components: against vectors that NumPy made, and against the reduction of each component alone.

use crate::{
    Case, VULKAN,
    device::Gpu,
    floats::in_software,
    inputs::upload,
    narrow::{any_place, arrays, assert_same, make, placed, slices, strided, windows},
    support::{component_vectors::component_vectors_of, narrow_vectors::out_of_nothing},
};
use gridfold::{
    Batch, BitAnd, BitOr, BitXor, Bounds, Count, Element, Error, Executor, GpuSlice, Max, MaxAbs,
    Mean, Min, Nan, Operator, Policy, Precision, PrepareError, Product, Reducer, Scanner,
    SegmentedReducer, Segments, SliceError, Strategy, Sum, SumWide, Variant,
};

/// Vectors have no sum that skips NaNs, neither by arrays nor by slices of buffers.
fn no_rule_for_nans(gpu: &Gpu, variant: Variant) {
    let op = Sum.nan(Nan::Ignore);
    let points = [[1.0f32, f32::NAN], [2.0, 3.0]];
    let input = placed(gpu, &points, 0, 0);
    let output = placed(gpu, &points, 0, 0);
    let rows = Segments::rows(1);
    let array = Executor::from_context(gpu.context.clone()).upload(&points).expect("uploads");
    let errors = [
        Reducer::new(&gpu.context, op).variant(variant).plan(&input).err(),
        Scanner::new(&gpu.context, op).variant(variant).plan(&input, &output).err(),
        SegmentedReducer::new(&gpu.context, op).plan(&input, &rows, &output).err(),
        match array.reduce(op) {
            Err(Error::Prepare(error)) => Some(error),
            other => panic!("{other:?}"),
        },
    ];
    for error in errors {
        let error = error.expect("there is no such sum");
        assert!(matches!(error, PrepareError::Unsupported { .. }), "{error}");
    }
}

/// Of all numbers of components.
macro_rules! of_each_number {
    ($gpu:expr, $variant:expr, $($components:literal)*) => {$(
        check::<[f32; $components], _>($gpu, $variant, Product);
        check::<[f32; $components], _>($gpu, $variant, MaxAbs);
        check::<[f32; $components], _>($gpu, $variant, Count);
        of_each_number!(integers i32 $gpu, $variant, $components);
        of_each_number!(integers u32 $gpu, $variant, $components);
    )*};
    (integers $scalar:ident $gpu:expr, $variant:expr, $components:literal) => {
        check::<[$scalar; $components], _>($gpu, $variant, Product);
        check::<[$scalar; $components], _>($gpu, $variant, SumWide);
        check::<[$scalar; $components], _>($gpu, $variant, MaxAbs);
        check::<[$scalar; $components], _>($gpu, $variant, Count);
        check::<[$scalar; $components], _>($gpu, $variant, BitAnd);
        check::<[$scalar; $components], _>($gpu, $variant, BitOr);
        check::<[$scalar; $components], _>($gpu, $variant, BitXor);
    };
}

pub fn cases() -> Vec<Case> {
    vec![
        Case::tier1(VULKAN, "components, a rule for NaNs, which they have not", no_rule_for_nans),
        Case::tier2("components, vectors of floats", |gpu, variant| {
            check::<[f32; 2], _>(gpu, variant, Sum);
            check::<[f32; 3], _>(gpu, variant, Sum);
            check::<[f32; 4], _>(gpu, variant, Sum);
            check::<[f32; 2], _>(gpu, variant, Mean);
            check::<[f32; 3], _>(gpu, variant, Mean);
            check::<[f32; 4], _>(gpu, variant, Mean);
            check::<[f32; 2], _>(gpu, variant, Min);
            check::<[f32; 3], _>(gpu, variant, Min);
            check::<[f32; 4], _>(gpu, variant, Min);
            check::<[f32; 2], _>(gpu, variant, Max);
            check::<[f32; 3], _>(gpu, variant, Max);
            check::<[f32; 4], _>(gpu, variant, Max);
            check::<[f32; 2], _>(gpu, variant, Bounds);
            check::<[f32; 3], _>(gpu, variant, Bounds);
            check::<[f32; 4], _>(gpu, variant, Bounds);
        }),
        Case::tier2("components, vectors of integers", |gpu, variant| {
            check::<[i32; 2], _>(gpu, variant, Sum);
            check::<[i32; 3], _>(gpu, variant, Sum);
            check::<[i32; 4], _>(gpu, variant, Sum);
            check::<[i32; 2], _>(gpu, variant, Min);
            check::<[i32; 3], _>(gpu, variant, Min);
            check::<[i32; 4], _>(gpu, variant, Min);
            check::<[i32; 2], _>(gpu, variant, Max);
            check::<[i32; 3], _>(gpu, variant, Max);
            check::<[i32; 4], _>(gpu, variant, Max);
            check::<[u32; 2], _>(gpu, variant, Sum);
            check::<[u32; 3], _>(gpu, variant, Sum);
            check::<[u32; 4], _>(gpu, variant, Sum);
            check::<[u32; 2], _>(gpu, variant, Min);
            check::<[u32; 3], _>(gpu, variant, Min);
            check::<[u32; 4], _>(gpu, variant, Min);
            check::<[u32; 2], _>(gpu, variant, Max);
            check::<[u32; 3], _>(gpu, variant, Max);
            check::<[u32; 4], _>(gpu, variant, Max);
        }),
        Case::tier2("components, vectors of products, magnitudes and counts", |gpu, variant| {
            check::<[f32; 3], _>(gpu, variant, Product);
            check::<[f32; 2], _>(gpu, variant, MaxAbs);
            check::<[f32; 4], _>(gpu, variant, Count);
            check::<[i32; 2], _>(gpu, variant, SumWide);
            check::<[i32; 4], _>(gpu, variant, MaxAbs);
            check::<[u32; 2], _>(gpu, variant, Product);
            check::<[u32; 3], _>(gpu, variant, SumWide);
            check::<[u32; 4], _>(gpu, variant, BitAnd);
            check::<[u32; 3], _>(gpu, variant, BitOr);
            check::<[u32; 2], _>(gpu, variant, BitXor);
            check::<[u32; 3], _>(gpu, variant, Count);
        }),
        // Compiling takes most of the time.
        Case::tier2(
            "components, all vectors of products, magnitudes and counts",
            |gpu, variant| {
                of_each_number!(gpu, variant, 2 3 4);
            },
        ),
        Case::tier2("components, a few vectors", |gpu, variant| {
            check_by::<[f32; 3], _>(gpu, variant, 1, Sum);
            check_by::<[f32; 2], _>(gpu, variant, 1, Mean);
            check_by::<[i32; 3], _>(gpu, variant, 1, Min);
            check_by::<[u32; 4], _>(gpu, variant, 1, Sum);
            check_by::<[f32; 3], _>(gpu, variant, 1, Product);
            check_by::<[f32; 4], _>(gpu, variant, 1, Count);
            check_by::<[i32; 3], _>(gpu, variant, 1, SumWide);
            check_by::<[f32; 3], _>(gpu, variant, 1, Bounds);
        }),
        Case::tier2("components, each as alone", |gpu, variant| {
            as_alone(gpu, variant, Sum);
            as_alone(gpu, variant, Mean);
            as_alone(gpu, variant, Min);
            as_alone(gpu, variant, Max);
            as_alone(gpu, variant, Product);
            as_alone(gpu, variant, MaxAbs);
            as_alone(gpu, variant, Count);
        }),
        Case::tier2("components, each of bounds as alone", |gpu, variant| {
            bounds_as_alone(gpu, variant);
            bounds_as_alone(&in_software(gpu), variant);
        }),
        Case::tier1(VULKAN, "components, from any word of a buffer on", |gpu, variant| {
            any_place::<[f32; 2], _>(gpu, variant, Sum);
            any_place::<[f32; 3], _>(gpu, variant, Sum);
            any_place::<[f32; 3], _>(gpu, variant, Bounds);
            any_place::<[i32; 3], _>(gpu, variant, Min);
            any_place::<[u32; 4], _>(gpu, variant, Max);
        }),
        Case::tier2("components, slices cut anywhere", |gpu, variant| {
            slices::<[f32; 3], _>(gpu, variant, Sum);
            slices::<[f32; 4], _>(gpu, variant, Mean);
            slices::<[f32; 3], _>(gpu, variant, Bounds);
            slices::<[u32; 2], _>(gpu, variant, Sum);
            slices::<[f32; 4], _>(gpu, variant, Product);
            slices::<[i32; 3], _>(gpu, variant, SumWide);
        }),
        Case::tier2("components, windows over a buffer", |gpu, variant| {
            let small = gpu.with_limits(|limits| {
                limits.max_storage_buffer_binding_size = (1 << 15) + 16;
                limits.max_compute_workgroups_per_dimension = 2;
            });
            let check = |gpu: &Gpu| {
                windows::<[f32; 3], _>(gpu, variant, Sum);
                windows::<[i32; 2], _>(gpu, variant, Max);
            };
            small.expect("a device with lower limits").check(check).expect("no errors");
        }),
        Case::tier2("components, arrays and host slices", |gpu, _| {
            arrays::<[f32; 3], _>(gpu, Sum);
            arrays::<[u32; 3], _>(gpu, Max);
            arrays::<[f32; 4], _>(gpu, Mean);
        }),
        Case::tier2("components, strided", |gpu, variant| {
            strided::<[f32; 3], _>(gpu, variant, Sum);
            strided::<[f32; 2], _>(gpu, variant, Mean);
            strided::<[i32; 4], _>(gpu, variant, Min);
        }),
        Case::tier2("components, a batch", batch),
        Case::tier2("components, slices and results that are none", refused)
            .only(Variant::WorkgroupMemory),
    ]
}

fn reducer<T: Element, Op: Operator<T>>(gpu: &Gpu, variant: Variant, op: Op) -> Reducer<T, Op> {
    Reducer::new(&gpu.context, op).variant(variant).policy(Policy::DEFAULT)
}

/// Each vector from one place or another on, and in more than one way.
fn check<T: Element, Op: Operator<T> + Copy>(gpu: &Gpu, variant: Variant, op: Op) {
    check_by::<T, _>(gpu, variant, usize::MAX, op);
}

/// The same, in at most so many ways.
fn check_by<T: Element, Op: Operator<T> + Copy>(gpu: &Gpu, variant: Variant, most: usize, op: Op) {
    let vectors = component_vectors_of::<T>(op.spec().operator);
    for (number, vector) in vectors.into_iter().enumerate() {
        let out = vector.out().unwrap_or(out_of_nothing::<T, _>(op));
        let expected = <Op as Operator<T>>::value(out, vector.len as u64);
        let slice = placed::<T>(gpu, &vector.elements(), number % 7, number % 3);
        let mut strategies = vec![Strategy::Auto, Strategy::TwoPass];
        if gpu.capabilities().coherent_memory {
            strategies.push(Strategy::SinglePass);
        }
        strategies.truncate(most);
        let strategy = strategies[number % strategies.len()];
        let reduction =
            reducer::<T, _>(gpu, variant, op).strategy(strategy).measure_blocking(&slice);
        let reduction = reduction.expect("reduces");
        assert_same(reduction.value, expected, || format!("{vector:?}, {}", reduction.plan));
    }
}

/// Positions in vertices and tight ones: floats of any kind, of which each component is also reduced alone, as strided floats.
fn as_alone<Op: Operator<f32> + Copy + Operator<[f32; 3]>>(gpu: &Gpu, variant: Variant, op: Op) {
    let kinds: [fn(u32) -> u32; 4] = [
        |bits| bits & 0x807f_ffff | (110 + (bits >> 16) % 30) << 23,
        |bits| bits & 0x81ff_ffff,
        |bits| if bits.is_multiple_of(3001) { bits } else { bits & 0x9fff_ffff | 0x1000_0000 },
        |bits| if bits.is_multiple_of(2000) { 0x7fc0_1234 } else { bits & 0xbfff_ffff },
    ];
    for len in [1, 3, 4, 1000, 4096, 8192, 20_001] {
        for (kind, of) in kinds.into_iter().enumerate() {
            for (offset_bytes, stride_bytes) in [(4, 32), (8, 12), (0, 12)] {
                let words: Vec<u32> = make::<u32>(8 * len + 3, 95).into_iter().map(of).collect();
                let buffer = upload(gpu, &words);
                let buffer = buffer.buffer();
                let place =
                    |component: u64| (offset_bytes + 4 * component, stride_bytes, len as u64);
                let (offset, stride, len) = place(0);
                let slice = GpuSlice::<[f32; 3]>::strided(buffer, offset, stride, len);
                let found = value_bytes::<[f32; 3], _>(gpu, variant, &slice.expect("within"), op);
                let alone = (0..3).flat_map(|component| {
                    let (offset, stride, len) = place(component);
                    let slice = GpuSlice::<f32>::strided(buffer, offset, stride, len);
                    value_bytes::<f32, _>(gpu, variant, &slice.expect("within"), op)
                });
                let operator = Operator::<f32>::spec(&op).operator;
                let what = format!("{operator} of {len}, kind {kind}, every {stride_bytes} bytes");
                assert_eq!(found, alone.collect::<Vec<u8>>(), "{what}");
            }
        }
    }
}

/// Bounds are the extrema and the means.
fn bounds_as_alone(gpu: &Gpu, variant: Variant) {
    let kinds: [fn(u32) -> u32; 5] = [
        |bits| bits & 0x807f_ffff | (110 + (bits >> 16) % 30) << 23,
        |bits| bits & 0x81ff_ffff,
        |bits| if bits.is_multiple_of(3001) { bits } else { bits & 0x9fff_ffff | 0x1000_0000 },
        // NaNs of one sign, and numbers of the other.
        |bits| if bits.is_multiple_of(2000) { 0x7fc0_1234 } else { bits & 0x3fff_ffff | 1 << 31 },
        |bits| if bits.is_multiple_of(2000) { 0xffc0_1234 } else { bits & 0x3fff_ffff },
    ];
    for len in [1, 3, 4, 1000, 1024, 4096, 20_001, 200_003] {
        for (kind, of) in kinds.into_iter().enumerate() {
            let words: Vec<u32> = make::<u32>(3 * len, 97).into_iter().map(of).collect();
            let points: Vec<[f32; 3]> = bytemuck::pod_collect_to_vec(&words);
            let slice = placed(gpu, &points, 1, 0);
            let found = value_bytes::<[f32; 3], _>(gpu, variant, &slice, Bounds);
            let alone = [
                value_bytes::<[f32; 3], _>(gpu, variant, &slice, Min),
                value_bytes::<[f32; 3], _>(gpu, variant, &slice, Max),
                value_bytes::<[f32; 3], _>(gpu, variant, &slice, Mean),
            ];
            assert_eq!(found, alone.concat(), "{len}, kind {kind}");
        }
    }
}

fn value_bytes<T: Element, Op: Operator<T>>(
    gpu: &Gpu,
    variant: Variant,
    slice: &GpuSlice<T>,
    op: Op,
) -> Vec<u8> {
    let value = reducer::<T, _>(gpu, variant, op).reduce_blocking(slice).expect("reduces");
    bytemuck::bytes_of(&Op::out(value).expect("there are elements")).to_vec()
}

/// Beside others that share dispatches.
fn batch(gpu: &Gpu, variant: Variant) {
    let values = make::<[f32; 3]>(20_000, 50);
    let whole = placed(gpu, &values, 2, 0);
    let points = reducer::<[f32; 3], _>(gpu, variant, Sum);
    let numbers = reducer::<f32, _>(gpu, variant, Sum);
    let mut batch = Batch::new(&gpu.context);
    let mut tickets = Vec::new();
    for range in [0..10, 7..7, 17..5016, 8191..19_999, 17..5016, 18..5017] {
        let slice = whole.slice(range.start as u64..range.end as u64).expect("within");
        let len = 3 * slice.len();
        let floats = GpuSlice::<f32>::new(whole.buffer(), slice.offset_bytes(), len);
        let of_range = (
            batch.add(&points, &slice).expect("adds"),
            batch.add(&numbers, floats.expect("within")).expect("adds"),
        );
        tickets.push((of_range, range));
    }
    let results = batch.reduce_blocking().expect("reduces");
    for ((point, number), range) in tickets {
        let values = &values[range.clone()];
        let expected = gridfold::cpu::reduce::<[f32; 3], _>(&[values], Sum).expect("it is defined");
        assert_same(results.get(point).expect("its own"), expected, || format!("{range:?}"));
        let expected =
            gridfold::cpu::reduce::<f32, _>(&[values.as_flattened()], Sum).expect("it is defined");
        assert_same(results.get(number).expect("its own"), expected, || format!("{range:?}"));
    }
}

fn refused(gpu: &Gpu, _: Variant) {
    let buffer = upload(gpu, &[0u32; 8]);
    let buffer = buffer.buffer();
    let len = buffer.size() / 12;
    assert_eq!(GpuSlice::<[f32; 3]>::whole(buffer).len(), len);
    let misaligned = SliceError::Misaligned { offset_bytes: 2, element_bytes: 4 };
    assert_eq!(GpuSlice::<[f32; 3]>::new(buffer, 2, 1), Err(misaligned));
    assert!(matches!(
        GpuSlice::<[i32; 3]>::new(buffer, 4, len + 1),
        Err(SliceError::PastBuffer { .. })
    ));
    let stride = SliceError::Stride { stride_bytes: 8, item_bytes: 12, element_bytes: 4 };
    assert_eq!(GpuSlice::<[u32; 3]>::strided(buffer, 0, 8, 1), Err(stride));
    let slice = GpuSlice::<[f32; 3]>::new(buffer, 4, 1).expect("within");
    let reducer = Reducer::<[f32; 3], _>::new(&gpu.context, Sum);
    let exact = reducer.clone().precision(Precision::Exact).reduce_blocking(&slice);
    assert!(matches!(exact.expect_err("none"), Error::Prepare(PrepareError::Imprecise { .. })));
    let atomic = reducer.strategy(Strategy::WorkgroupAtomic).reduce_blocking(&slice);
    let error = atomic.expect_err("none");
    assert!(matches!(error, Error::Prepare(PrepareError::StrategyUnfit { .. })));
}
