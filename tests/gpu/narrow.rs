//! Elements of less than a word, integers, magnitudes, and what is counted: against vectors that NumPy made, and, wherever the elements
//! lie, against the CPU, which has the same vectors.

use crate::{
    Case, VULKAN,
    atomics::{has_atomic, strategies},
    device::Gpu,
    inputs::upload,
    support::{
        data::mix,
        narrow_vectors::{has_vectors_of, out_of_nothing, vectors_of},
    },
};
use gridfold::{
    Batch, BitXor, Bool, Count, CountNan, Dot, DotValue, Element, Executor, GpuSlice, Max, MaxAbs,
    Min, NanRule, Operator, OperatorType, Policy, Precision, PrepareError, Product, Reducer,
    SliceError, Strategy, Sum, SumWide, Variant,
    half::{bf16, f16},
};
use std::fmt::Debug;

macro_rules! check_all {
    (
        $floats:literal, $gpu:ident, $variant:ident
        one input { $($verb:ident $operator:ident $name:literal [$($element:ident)*] $doc:literal)* }
        two inputs $two:tt
        options { $($of:ident $choice:tt [$($of_element:ident)*])* }
    ) => {
        $($(check_own::<$element, _>($floats, $gpu, $variant, gridfold::$operator);)*)*
        $($(check_own::<$of_element, _>($floats, $gpu, $variant, gridfold::operator!($of $choice));)*)*
    };
}

pub fn cases() -> Vec<Case> {
    vec![
        Case::tier2("narrow elements, vectors of integers", |gpu, variant| {
            gridfold::operators!(check_all!(false, gpu, variant));
        }),
        Case::tier2("narrow elements, vectors of floats", |gpu, variant| {
            gridfold::operators!(check_all!(true, gpu, variant));
            dots::<f16>(gpu, variant);
            dots::<bf16>(gpu, variant);
        }),
        Case::tier1(VULKAN, "narrow elements, a few vectors", |gpu, variant| {
            check_by::<i8, _>(gpu, variant, 1, Sum);
            check_by::<u16, _>(gpu, variant, 1, BitXor);
            check_by::<Bool, _>(gpu, variant, 1, Count);
            check_by::<f16, _>(gpu, variant, 1, Sum);
            check_by::<bf16, _>(gpu, variant, 1, Max);
            check_by::<u8, _>(gpu, variant, 1, SumWide);
            check_by::<i32, _>(gpu, variant, 1, MaxAbs);
            check_by::<u64, _>(gpu, variant, 1, Product);
            check_by::<f32, _>(gpu, variant, 1, CountNan);
            check_by::<f64, _>(gpu, variant, 1, MaxAbs);
        }),
        Case::tier1(VULKAN, "narrow elements, from any place of a buffer on", |gpu, variant| {
            any_place::<u8, _>(gpu, variant, Sum);
            any_place::<i8, _>(gpu, variant, Min);
            any_place::<Bool, _>(gpu, variant, Count);
            any_place::<u16, _>(gpu, variant, SumWide);
            any_place::<f16, _>(gpu, variant, Sum);
            any_place::<bf16, _>(gpu, variant, Max);
        }),
        Case::tier2("narrow elements, slices cut anywhere", |gpu, variant| {
            slices::<u8, _>(gpu, variant, Sum);
            slices::<i16, _>(gpu, variant, Max);
            slices::<f16, _>(gpu, variant, Sum);
            slices::<bf16, _>(gpu, variant, gridfold::Norm);
        }),
        Case::tier2("narrow elements, windows over a buffer", |gpu, variant| {
            let small = gpu.with_limits(|limits| {
                limits.max_storage_buffer_binding_size = (1 << 15) + 16;
                limits.max_compute_workgroups_per_dimension = 2;
            });
            let check = |gpu: &Gpu| {
                windows::<u8, _>(gpu, variant, Sum);
                windows::<i16, _>(gpu, variant, Min);
                windows::<f16, _>(gpu, variant, Sum);
            };
            small.expect("a device with lower limits").check(check).expect("no errors");
        }),
        Case::tier2("narrow elements, a batch", batch),
        Case::tier2("narrow elements, arrays and host slices", |gpu, _| {
            arrays::<u8, _>(gpu, Sum);
            arrays::<i16, _>(gpu, Max);
            arrays::<Bool, _>(gpu, Count);
            arrays::<bf16, _>(gpu, Sum);
        }),
        Case::tier2("narrow elements, pairs from any places on", pairs),
        Case::tier1(VULKAN, "strided elements, a few", |gpu, variant| {
            strided::<u8, _>(gpu, variant, Sum);
            strided::<f32, _>(gpu, variant, Min);
        }),
        Case::tier2("strided elements", |gpu, variant| {
            strided::<f32, _>(gpu, variant, Sum);
            strided::<u64, _>(gpu, variant, Sum);
            strided::<u8, _>(gpu, variant, Sum);
            strided::<bf16, _>(gpu, variant, Sum);
            strided::<i16, _>(gpu, variant, Min);
        }),
        Case::tier2("strided pairs", |gpu, variant| {
            strided_pairs::<f32>(gpu, variant);
            strided_pairs::<f64>(gpu, variant);
            strided_pairs::<f16>(gpu, variant);
            strided_pairs::<bf16>(gpu, variant);
        }),
        Case::tier2("strided slices that are none", refused_strides).only(Variant::WorkgroupMemory),
        Case::tier2("narrow elements, slices that are none", refused)
            .only(Variant::WorkgroupMemory),
    ]
}

/// Others are in vectors of their own.
fn check_own<T: Element, Op: Operator<T> + Copy>(
    floats: bool,
    gpu: &Gpu,
    variant: Variant,
    op: Op,
) {
    let operator = op.spec().operator;
    let is_float = matches!(T::TYPE.name(), "f16" | "bf16" | "f32" | "f64");
    // Of these the CPU has them alone: tests/gpu/doubles.rs.
    let is_on_cpu = T::TYPE == gridfold::ElementType::F64
        && operator.without_options() == OperatorType::Variance
        && operator.nan_rule() == NanRule::Ignore;
    if is_float == floats
        && has_vectors_of(operator, T::TYPE)
        && operator != OperatorType::Moments
        && !is_on_cpu
    {
        check(gpu, variant, op);
    }
}

/// Two values, of which NaNs may be the same.
pub fn assert_same<V: Debug>(found: V, expected: V, what: impl FnOnce() -> String) {
    let [found, expected] = [found, expected].map(|value| format!("{value:?}"));
    assert_eq!(found, expected, "{}", what());
}

/// Each vector in one way or another, from one place or another on.
fn check<T: Element, Op: Operator<T> + Copy>(gpu: &Gpu, variant: Variant, op: Op) {
    check_by::<T, _>(gpu, variant, usize::MAX, op);
}

/// The same, in at most so many ways: each has pipelines of its own.
fn check_by<T: Element, Op: Operator<T> + Copy>(gpu: &Gpu, variant: Variant, most: usize, op: Op) {
    let spec = Operator::<T>::spec(&op);
    for (number, vector) in vectors_of(spec.operator, T::TYPE).into_iter().enumerate() {
        let elements: Vec<T> = vector.elements();
        let out = vector.out().unwrap_or(out_of_nothing::<T, _>(op));
        let expected = <Op as Operator<T>>::value(out, vector.len as u64);
        let slice = placed(gpu, &elements, number % 17, number % 3);
        let ways = ways::<T, _>(gpu, variant, vector.precision, op);
        let chosen = [&ways[0], &ways[number % ways.len()]];
        for way in chosen.into_iter().take(most) {
            let reduction = way.measure_blocking(&slice).expect("reduces");
            assert_same(reduction.value, expected, || format!("{vector:?}, {}", reduction.plan));
        }
    }
}

fn dots<T: Element>(gpu: &Gpu, variant: Variant)
where
    Dot: Operator<(T, T), Value: bytemuck::Pod>,
{
    for (number, vector) in vectors_of(OperatorType::Dot, T::TYPE).into_iter().enumerate() {
        let left = placed::<T>(gpu, &vector.elements(), number % 9, 0);
        let right = placed::<T>(gpu, &vector.right_elements(), number % 5, 1);
        let reducer = Reducer::<(T, T), _>::new(&gpu.context, Dot).variant(variant);
        let found = reducer.precision(vector.precision).reduce_blocking((left, right));
        let expected: Option<u32> = vector.out();
        let found: u32 = bytemuck::cast(found.expect("reduces"));
        assert_eq!(Some(found), expected, "{vector:?}");
    }
}

/// Every way that a variant allows for the operator.
pub fn ways<T: Element, Op: Operator<T> + Copy>(
    gpu: &Gpu,
    variant: Variant,
    precision: Precision,
    op: Op,
) -> Vec<Reducer<T, Op>> {
    let spec = Operator::<T>::spec(&op);
    let mut ways = vec![Strategy::Auto];
    if spec.order_free {
        ways.push(Strategy::TwoPass);
        if gpu.capabilities().coherent_memory {
            ways.push(Strategy::SinglePass);
        }
        if has_atomic::<T, _>(op) {
            ways.extend(strategies(variant));
        }
    }
    let reducer = |strategy| Reducer::new(&gpu.context, op).variant(variant).strategy(strategy);
    let reducer = |strategy| reducer(strategy).precision(precision).policy(Policy::DEFAULT);
    ways.into_iter().map(reducer).collect()
}

/// Elements in a buffer, with others before and behind them.
pub fn placed<T: Element>(gpu: &Gpu, values: &[T], before: usize, after: usize) -> GpuSlice<T> {
    // Elements of several components may begin at any word.
    let size = if T::TYPE.is_vector() { 4 } else { size_of::<T>() };
    let mut bytes = vec![0xa5u8; before * size];
    bytes.extend_from_slice(bytemuck::cast_slice(values));
    bytes.resize(bytes.len() + after * size, 0x5a);
    bytes.resize(bytes.len().next_multiple_of(4).max(4), 0x5a);
    let words: Vec<u32> = bytemuck::pod_collect_to_vec(&bytes);
    let buffer = upload(gpu, &words);
    let place = (before * size) as u64;
    GpuSlice::new(buffer.buffer(), place, values.len() as u64).expect("within")
}

/// Ordinary ones.
pub fn make<T: Element>(len: usize, seed: u32) -> Vec<T> {
    let bits = |index: u32| {
        let h = mix(index.wrapping_add(mix(seed)));
        match T::TYPE.name() {
            "f16" => h & 0x83ff | (8 + (h >> 16) % 15) << 10,
            name if name.starts_with("f32") => h & 0x807f_ffff | (120 + (h >> 16) % 16) << 23,
            "bf16" => h & 0x807f | (107 + (h >> 16) % 32) << 7,
            "bool" if h.is_multiple_of(3) => 0,
            _ => h,
        }
    };
    if T::TYPE.is_vector() {
        let words: Vec<u32> = (0..).take(len * (size_of::<T>() / 4)).map(bits).collect();
        return bytemuck::pod_collect_to_vec(&words);
    }
    let bytes_of = |i: u32| (u64::from(bits(i)) | u64::from(mix(!i)) << 32).to_le_bytes();
    let bytes = (0..).take(len).flat_map(|i| bytes_of(i).into_iter().take(size_of::<T>()));
    bytemuck::pod_collect_to_vec(&bytes.collect::<Vec<u8>>())
}

pub fn expect<T: Element, Op: Operator<T> + Copy>(
    gpu: &Gpu,
    variant: Variant,
    slices: &[GpuSlice<T>],
    values: &[T],
    what: &str,
    op: Op,
) {
    let expected = gridfold::cpu::reduce::<T, _>(&[values], op).expect("it is defined");
    let reducer = Reducer::<T, _>::new(&gpu.context, op).variant(variant).policy(Policy::DEFAULT);
    let reduction = reducer.measure_blocking(slices).expect("reduces");
    assert_same(reduction.value, expected, || {
        format!("{} {}, {what}, {}", op.spec().operator, T::TYPE, reduction.plan)
    });
}

/// Also where the buffer ends within a vector.
pub fn any_place<T: Element, Op: Operator<T> + Copy>(gpu: &Gpu, variant: Variant, op: Op) {
    for before in 0..18 {
        for (number, len) in [1, 2, 3, 4, 5, 7, 16, 31, 300, 4096, 8193].into_iter().enumerate() {
            let after = (before * 5 + number * 3) % 18;
            let values = make::<T>(len, 20);
            let slice = placed(gpu, &values, before, after);
            let what = format!("{len} after {before}, before {after}");
            expect::<T, _>(gpu, variant, &[slice], &values, &what, op);
        }
    }
}

/// Of one buffer, with gaps between them.
pub fn slices<T: Element, Op: Operator<T> + Copy>(gpu: &Gpu, variant: Variant, op: Op) {
    for lengths in [&[3, 4096, 0, 1, 8190, 5][..], &[12_288, 4096], &[101, 20_000, 7, 13, 1, 1]] {
        let (mut values, mut all, mut places) = (Vec::new(), make::<T>(1, 1), Vec::new());
        for (&len, gap) in lengths.iter().zip(0..) {
            let part = make::<T>(len, 30 + gap);
            all.extend(make::<T>(gap as usize, 2));
            places.push((all.len() as u64, len as u64));
            all.extend_from_slice(&part);
            values.extend(part);
        }
        let whole = placed(gpu, &all, 1, 3);
        let slices: Vec<GpuSlice<T>> =
            places.iter().map(|&(at, len)| whole.slice(at..at + len).expect("within")).collect();
        expect::<T, _>(gpu, variant, &slices, &values, &format!("slices of {lengths:?}"), op);
    }
}

/// A binding has 32 KiB, or less.
pub fn windows<T: Element, Op: Operator<T> + Copy>(gpu: &Gpu, variant: Variant, op: Op) {
    let values = make::<T>(200_003, 40);
    for before in [0, 1, 3, 6] {
        let slice = placed(gpu, &values, before, 5);
        let plan = Reducer::<T, _>::new(&gpu.context, op).plan(&slice).expect("plans");
        assert!(plan.dispatches.len() >= 4, "{plan}");
        expect::<T, _>(gpu, variant, &[slice], &values, &format!("windows from {before}"), op);
    }
}

/// Of one buffer, as elements of several types.
fn batch(gpu: &Gpu, variant: Variant) {
    let values = make::<u8>(60_000, 50);
    let whole = placed(gpu, &values, 0, 0);
    let sum = Reducer::<u8, _>::new(&gpu.context, Sum).variant(variant);
    let halves = Reducer::<i16, _>::new(&gpu.context, Max).variant(variant);
    let floats = Reducer::<bf16, _>::new(&gpu.context, Min).variant(variant);
    let mut batch = Batch::new(&gpu.context);
    let mut tickets = Vec::new();
    for range in [0..10, 7..7, 17..5016, 8191..30_001, 59_999..60_000, 16..40_000] {
        let bytes = whole.slice(range.start as u64..range.end as u64).expect("within");
        let place = range.start / 2 * 2;
        let (len, place_bytes) = (range.len() / 2, place as u64);
        let i16s = GpuSlice::<i16>::new(whole.buffer(), place_bytes, len as u64).expect("within");
        let bf16s = GpuSlice::<bf16>::new(whole.buffer(), place_bytes, len as u64).expect("within");
        let tickets_of_range = (
            batch.add(&sum, &bytes).expect("adds"),
            batch.add(&halves, &i16s).expect("adds"),
            batch.add(&floats, &bf16s).expect("adds"),
        );
        tickets.push((tickets_of_range, range.clone(), place..place + 2 * len));
    }
    let results = batch.reduce_blocking().expect("reduces");
    for ((sum, max, min), range, halves) in tickets {
        let bytes = &values[range.clone()];
        let i16s: Vec<i16> = bytemuck::pod_collect_to_vec(&values[halves.clone()]);
        let bf16s: Vec<bf16> = bytemuck::pod_collect_to_vec(&values[halves]);
        let what = || format!("{range:?}");
        let expected = gridfold::cpu::reduce::<u8, _>(&[bytes], Sum).expect("it is defined");
        assert_same(results.get(sum).expect("its own"), expected, what);
        let expected = gridfold::cpu::reduce::<i16, _>(&[&i16s], Max).expect("it is defined");
        assert_same(results.get(max).expect("its own"), expected, what);
        let expected = gridfold::cpu::reduce::<bf16, _>(&[&bf16s], Min).expect("it is defined");
        assert_same(results.get(min).expect("its own"), expected, what);
    }
}

/// The one-liners' way, on the device and on the CPU; and slices of host memory, in chunks.
pub fn arrays<T: Element, Op: Operator<T> + Copy>(gpu: &Gpu, op: Op) {
    let mut values = make::<T>(30_001, 70);
    let on_device = Executor::from_context(gpu.context.clone());
    for executor in [on_device.clone(), Executor::cpu()] {
        let array = executor.upload(&values).expect("uploads");
        let part = array.slice(4097..29_999).expect("within");
        let expect = |values: &[T]| {
            let expected = gridfold::cpu::reduce::<T, _>(&[values], op).expect("it is defined");
            assert_same(part.reduce(op).expect("reduces").value, expected, String::new);
        };
        expect(&values[4097..29_999]);
        for (at, len) in [(0, 1), (3, 2), (4, 4), (5, 9), (25_901, 1), (70, 0)] {
            part.write(at, &values[..len]).expect("writes");
            values.copy_within(..len, 4097 + usize::try_from(at).expect("short"));
        }
        expect(&values[4097..29_999]);
        let bytes = |values: &[T]| bytemuck::cast_slice::<T, u8>(values).to_vec();
        assert_eq!(bytes(&array.download().expect("downloads")), bytes(&values));
        assert_eq!(bytes(&part.download().expect("downloads")), bytes(&values[4097..29_999]));
    }
    let expected = gridfold::cpu::reduce::<T, _>(&[&values], op).expect("it is defined");
    for chunk_bytes in [1 << 10, 1 << 13, 1 << 20] {
        let executor = on_device.clone().chunk_bytes(chunk_bytes);
        let found = executor.reduce(&values, op).expect("reduces").value;
        assert_same(found, expected, || format!("chunks of {chunk_bytes} bytes"));
    }
}

fn pairs(gpu: &Gpu, variant: Variant) {
    pairs_of::<f16>(gpu, variant);
    pairs_of::<bf16>(gpu, variant);
}

fn pairs_of<T: Element>(gpu: &Gpu, variant: Variant)
where
    Dot: Operator<(T, T), Value: bytemuck::Pod>,
{
    let bits = bytemuck::cast::<DotValue<T>, u32>;
    for (len, before, other) in [(1, 0, 1), (7, 1, 0), (300, 3, 2), (4096, 1, 1), (9001, 5, 8)] {
        let (left, right) = (make::<T>(len, 80), make::<T>(len, 81));
        let cut = len as u64 / 3;
        let inputs = [placed(gpu, &left, before, 1), placed(gpu, &right, other, 0)];
        let [left_slice, right_slice] = &inputs;
        let parts = [left_slice.slice(0..cut), left_slice.slice(cut..len as u64)];
        let parts = parts.map(|part| part.expect("within"));
        for precision in [Precision::Reproducible, Precision::Exact] {
            let expected = Executor::cpu().precision(precision).dot(&left, &right);
            let reducer = Reducer::<(T, T), _>::new(&gpu.context, Dot).variant(variant);
            let reducer = reducer.precision(precision);
            let found = reducer.reduce_blocking((left_slice, right_slice)).expect("reduces");
            let expected = bits(expected.expect("of one length"));
            assert_eq!(bits(found), expected, "{len} {precision}");
            let found = reducer.reduce_blocking((&parts, right_slice)).expect("reduces");
            assert_eq!(bits(found), expected, "{len} {precision}, in parts");
            let executor = Executor::from_context(gpu.context.clone()).precision(precision);
            let found = executor.chunk_bytes(1 << 12).dot(&left, &right).expect("reduces");
            assert_eq!(bits(found), expected, "{len} {precision}, in chunks");
            let executor = Executor::from_context(gpu.context.clone()).precision(precision);
            let [left, right] = [&left, &right].map(|side| executor.upload(side).expect("uploads"));
            assert_eq!(bits(left.dot(&right).expect("reduces")), expected);
        }
    }
}

fn refused(gpu: &Gpu, _: Variant) {
    let buffer = upload(gpu, &[0u32; 3]);
    let buffer = buffer.buffer();
    let size_bytes = buffer.size();
    assert_eq!(GpuSlice::<u8>::whole(buffer).len(), size_bytes);
    assert_eq!(GpuSlice::<f16>::whole(buffer).len(), size_bytes / 2);
    assert!(GpuSlice::<u8>::new(buffer, 11, size_bytes - 11).is_ok());
    let past =
        SliceError::PastBuffer { offset_bytes: 11, len: size_bytes, buffer_bytes: size_bytes };
    assert_eq!(GpuSlice::<u8>::new(buffer, 11, size_bytes), Err(past));
    let misaligned = SliceError::Misaligned { offset_bytes: 3, element_bytes: 2 };
    assert_eq!(GpuSlice::<i16>::new(buffer, 3, 1), Err(misaligned));
    let misaligned = SliceError::Misaligned { offset_bytes: 2, element_bytes: 4 };
    assert_eq!(GpuSlice::<f32>::new(buffer, 2, 1), Err(misaligned));
}

/// The fields of structs, from any place of a buffer on.
pub fn strided<T: Element, Op: Operator<T> + Copy>(gpu: &Gpu, variant: Variant, op: Op) {
    let size = size_of::<T>();
    let unit = size.min(4);
    for (number, len) in [1, 2, 5, 300, 4096, 8193].into_iter().enumerate() {
        for stride in [size + unit, 3 * size, 40, 256] {
            let before = unit * (number % 4 + 1);
            let values = make::<T>(len, 90);
            let mut bytes = vec![0xa5u8; before + stride * (len - 1) + size];
            for (index, value) in values.iter().enumerate() {
                bytes[before + index * stride..][..size].copy_from_slice(bytemuck::bytes_of(value));
            }
            bytes.resize(bytes.len().next_multiple_of(4), 0x5a);
            let words: Vec<u32> = bytemuck::pod_collect_to_vec(&bytes);
            let buffer = upload(gpu, &words);
            let place = |bytes: usize| bytes as u64;
            let slice =
                GpuSlice::strided(buffer.buffer(), place(before), place(stride), place(len));
            let slice = slice.expect("within");
            let what = format!("{len}, every {stride} bytes from {before} on");
            expect::<T, _>(gpu, variant, std::slice::from_ref(&slice), &values, &what, op);
            // Beside elements that follow one another, and in a batch.
            let cut = place(len / 3);
            let parts = [slice.slice(0..cut), slice.slice(cut..place(len))];
            let parts = parts.map(|part| part.expect("within"));
            let beside = placed(gpu, &values, 1, 0);
            let all = [&values[..], &values].concat();
            let parts = [parts[0].clone(), parts[1].clone(), beside];
            expect::<T, _>(gpu, variant, &parts, &all, &what, op);
            let reducer = Reducer::<T, _>::new(&gpu.context, op).variant(variant);
            let mut batch = Batch::new(&gpu.context);
            let tickets = [&slice, &slice].map(|slice| batch.add(&reducer, slice).expect("adds"));
            let results = batch.reduce_blocking().expect("reduces");
            for ticket in tickets {
                let expected =
                    gridfold::cpu::reduce::<T, _>(&[&values], op).expect("it is defined");
                assert_same(results.get(ticket).expect("its own"), expected, || what.clone());
            }
        }
    }
}

/// Elements in a buffer, from one to the next a stride, with other bytes between them.
fn spread<T: Element>(gpu: &Gpu, values: &[T], before: usize, stride: usize) -> GpuSlice<T> {
    let size = size_of::<T>();
    let mut bytes = vec![0xa5u8; before + stride * values.len()];
    for (index, value) in values.iter().enumerate() {
        bytes[before + index * stride..][..size].copy_from_slice(bytemuck::bytes_of(value));
    }
    bytes.resize(bytes.len().next_multiple_of(4), 0x5a);
    let words: Vec<u32> = bytemuck::pod_collect_to_vec(&bytes);
    let [before, stride, len] = [before, stride, values.len()].map(|number| number as u64);
    GpuSlice::strided(upload(gpu, &words).buffer(), before, stride, len).expect("within")
}

/// Of which one side is strided, or both are; in parts, and exact where there are such results.
fn strided_pairs<T: Element>(gpu: &Gpu, variant: Variant)
where
    Dot: Operator<(T, T), Value: bytemuck::Pod>,
{
    let size = size_of::<T>();
    let unit = size.min(4);
    let bytes = |value: DotValue<T>| bytemuck::bytes_of(&value).to_vec();
    for (number, len) in [1, 2, 7, 300, 4096, 9001].into_iter().enumerate() {
        let (left, right) = (make::<T>(len, 96), make::<T>(len, 97));
        for (before, stride) in [(unit, size + unit), (3 * unit, 40)] {
            let strided = [&left, &right].map(|side| spread(gpu, side, before, stride));
            let tight = [&left, &right].map(|side| placed(gpu, side, number, 1));
            let cut = len as u64 / 3;
            let parts = [strided[0].slice(0..cut), tight[0].slice(cut..len as u64)];
            let parts = parts.map(|part| part.expect("within"));
            for precision in [Precision::Reproducible, Precision::Exact] {
                let expected = Executor::cpu().precision(precision).dot(&left, &right);
                let expected = expected.expect("as many");
                let reducer = Reducer::<(T, T), _>::new(&gpu.context, Dot).variant(variant);
                let reducer = reducer.precision(precision).policy(Policy::DEFAULT);
                if precision == Precision::Exact && T::TYPE.name() == "f64" {
                    // The CPU alone has these.
                    let found = reducer.reduce_blocking((&strided[0], &strided[1]));
                    let is_refused = matches!(
                        found,
                        Err(gridfold::Error::Prepare(PrepareError::NoExactKernel { .. }))
                    );
                    assert!(is_refused, "{len} by {stride}");
                    continue;
                }
                let check = |found: Result<DotValue<T>, gridfold::Error>, what: &str| {
                    let found = bytes(found.expect("reduces"));
                    assert_eq!(found, bytes(expected), "{what}: {len} by {stride}, {precision}");
                };
                check(reducer.reduce_blocking((&strided[0], &strided[1])), "both");
                check(reducer.reduce_blocking((&strided[0], &tight[1])), "the left one");
                check(reducer.reduce_blocking((&tight[0], &strided[1])), "the right one");
                check(reducer.reduce_blocking((&parts, &strided[1])), "in parts");
            }
        }
    }
}

fn refused_strides(gpu: &Gpu, _: Variant) {
    let buffer = upload(gpu, &[0u32; 8]);
    let strided =
        |stride_bytes, len| GpuSlice::<f32>::strided(buffer.buffer(), 4, stride_bytes, len);
    for stride_bytes in [0, 2, 6, 1 << 17] {
        let error = SliceError::Stride { stride_bytes, item_bytes: 4, element_bytes: 4 };
        assert_eq!(strided(stride_bytes, 2), Err(error));
    }
    assert!(strided(8, 4).is_ok(), "the last one ends with the buffer");
    assert!(matches!(strided(8, 5), Err(SliceError::PastBuffer { .. })));
    assert!(matches!(strided(8, u64::MAX), Err(SliceError::PastBuffer { .. })));
    let slice = strided(8, 4).expect("within");
    assert_eq!(slice.slice(1..3).expect("within").offset_bytes(), 12);
}
