//! Strategies with atomics: the same bits wherever order plays no part, and sound sums where it does.

use crate::{
    Case,
    device::Gpu,
    inputs::upload,
    recording::{download, output},
    support::{Element, elements, narrow_vectors::out_of_nothing, same_bits},
};
use gridfold::{
    BitXor, Error, Executor, GpuSlice, Input, Max, Min, Operator, OperatorType, Policy, Precision,
    PrepareError, Reducer, Strategy, Sum, Variant, wgpu,
};

/// None at all, a single block, and several.
const LENGTHS: [usize; 7] = [0, 1, 5, 1000, 4097, 12_289, 100_003];

pub fn cases() -> Vec<Case> {
    let mut cases = vec![
        Case::tier2("atomics, f32 sums that are exact", exact_floats),
        Case::tier2("atomics, f32 sums that are rounded", rounded_floats),
        Case::tier2("atomics, special values", specials),
        Case::tier2("atomics, many workgroups", many_workgroups),
        Case::tier2("atomics, one output for several in an encoder", one_output),
        Case::tier2("atomics, one preparation again and again", prepared_again),
        Case::tier2("atomics, after a rejected submission", after_rejection),
        Case::tier2("atomics, slices and windows", slices_and_windows),
        Case::tier2("atomics, the output lies in an input's buffer", output_shares_buffer),
        Case::tier2("atomics, a device that can't add floats", no_float_atomics),
        Case::tier2("atomics, what a device or a variant rules out", ruled_out),
    ];
    for_every_order_free_operator!(add_operator(&mut cases));
    cases
}

fn add_operator<T: Element, Op: Operator<T> + Copy>(cases: &mut Vec<Case>, op: Op) {
    if !has_atomic::<T, _>(op) {
        return;
    }
    cases.push(Case::tier2(
        format!("atomics, {} {}", op.spec().operator, T::TYPE),
        move |gpu, variant| {
            let longest = elements::<T>(LENGTHS[LENGTHS.len() - 1]);
            for len in LENGTHS {
                agrees_with_cpu::<T, _>(gpu, variant, &longest[..len], op);
            }
        },
    ));
}

/// The strategies that a variant allows.
pub fn strategies(variant: Variant) -> Vec<Strategy> {
    let mut strategies = vec![Strategy::WorkgroupAtomic];
    if variant == Variant::Subgroup {
        strategies.push(Strategy::SubgroupAtomic);
    }
    strategies
}

/// Whether a reduction by the operator can end by atomics: its accumulator is one word, and devices have an atomic for it.
pub fn has_atomic<T: gridfold::Element, Op: Operator<T>>(op: Op) -> bool {
    let operator = op.spec().operator;
    // Whatever the rule for NaNs is.
    let is_extremum = matches!(
        operator.without_options(),
        OperatorType::Min | OperatorType::Max | OperatorType::MaxAbs
    );
    let is_listed = matches!(
        operator,
        OperatorType::Sum | OperatorType::BitAnd | OperatorType::BitOr | OperatorType::BitXor
    );
    (is_listed || is_extremum) && T::TYPE.size_bytes() <= 4
}

fn reducers<T: Element, Op: Operator<T> + Copy>(
    gpu: &Gpu,
    variant: Variant,
    op: Op,
) -> Vec<Reducer<T, Op>> {
    if !has_atomic::<T, _>(op) {
        return Vec::new();
    }
    let reducer = Reducer::new(&gpu.context, op).variant(variant).precision(Precision::Unordered);
    // The same blocks on every device: small ones, so that several totals meet.
    let reducer = reducer.policy(Policy::DEFAULT);
    strategies(variant).into_iter().map(|strategy| reducer.clone().strategy(strategy)).collect()
}

/// Every strategy brings the CPU's bits, to the host and into a buffer.
pub fn agrees_with_cpu<T: Element, Op: Operator<T> + Copy>(
    gpu: &Gpu,
    variant: Variant,
    values: &[T],
    op: Op,
) {
    let executor = Executor::from_context(gpu.context.clone());
    let array = executor.upload(values).expect("uploads");
    let slices = array.gpu_slices().expect("on a GPU");
    expect::<T, _>(gpu, variant, slices, values, op);

    // Into a buffer: for an empty input the identity's element.
    let total = Executor::cpu().reduce(values, op).expect("the CPU can't fail").value;
    let expected = Op::out(total).unwrap_or(out_of_nothing::<T, _>(op));
    for reducer in reducers::<T, _>(gpu, variant, op) {
        // An odd word is the first.
        let words = size_of::<Op::Out>() / 4;
        let output = executor.upload(&vec![u32::filler(); words + 2]).expect("uploads");
        let buffer = output.gpu_slices().expect("on a GPU")[0].buffer();
        let destination = GpuSlice::new(buffer, 4, 1).expect("within");
        let mut encoder = gpu.encoder();
        reducer.record(&mut encoder, slices, &destination).expect("records");
        gpu.submit(encoder);
        let mut around = vec![u32::filler(); words + 2];
        bytemuck::cast_slice_mut(&mut around[1..=words])
            .copy_from_slice(bytemuck::bytes_of(&expected));
        assert_eq!(output.download().expect("downloads"), around, "expected {expected:?}");
    }
}

/// Every strategy brings the CPU's bits to the host.
pub fn expect<T: Element, Op: Operator<T> + Copy>(
    gpu: &Gpu,
    variant: Variant,
    input: impl Into<Input<T>>,
    values: &[T],
    op: Op,
) {
    let input = input.into();
    let expected = Executor::cpu().reduce(values, op).expect("the CPU can't fail").value;
    for (strategy, reducer) in
        strategies(variant).into_iter().zip(reducers::<T, _>(gpu, variant, op))
    {
        let reduction = reducer.measure_blocking(input.clone()).expect("reduces");
        assert!(
            same_bits(Op::out(reduction.value), Op::out(expected)),
            "{} elements: {:?}, expected {expected:?}; {}",
            values.len(),
            reduction.value,
            reduction.plan,
        );
        assert!(reduction.plan.starts_with(strategy.name()), "{}", reduction.plan);
    }
}

/// Integers: sums of less than 2^24 in magnitude are exact in every order.
fn small_integers(len: usize) -> Vec<f32> {
    elements::<u32>(len).iter().map(|x| f32::from((x >> 24) as u8 % 17) - 8.0).collect()
}

pub fn exact_floats(gpu: &Gpu, variant: Variant) {
    for len in LENGTHS {
        agrees_with_cpu::<f32, _>(gpu, variant, &small_integers(len), Sum);
    }
}

fn rounded_floats(gpu: &Gpu, variant: Variant) {
    for len in [1000, 50_000, 1 << 20] {
        // An element passes few additions in its workgroup, and then at most as many as there are
        // subgroups of two lanes in all workgroups.
        let additions = 32.0 + 128.0 * (1.0 + len as f64 / 4096.0);
        let relative = additions * f64::from(f32::EPSILON) / 2.0;

        let values = elements::<f32>(len);
        let exact: f64 = values.iter().map(|&x| f64::from(x)).sum();
        let bound = relative * values.iter().map(|&x| f64::from(x.abs())).sum::<f64>();
        let input = upload(gpu, &values);
        for sum in reducers::<f32, _>(gpu, variant, Sum) {
            let value = f64::from(sum.reduce_blocking(&input).expect("reduces"));
            assert!((value - exact).abs() <= bound, "{value}, not {exact} within {bound}");
        }
    }
}

pub fn specials(gpu: &Gpu, variant: Variant) {
    let (inf, nan) = (f32::INFINITY, f32::NAN);
    let with = |special: &[f32]| {
        let mut values = vec![1.0f32; 9000];
        for (i, &value) in special.iter().enumerate() {
            values[i * 4099] = value;
        }
        values
    };
    for special in [&[inf][..], &[-inf], &[inf, -inf], &[nan], &[nan, inf], &[-0.0]] {
        let values = with(special);
        agrees_with_cpu::<f32, _>(gpu, variant, &values, Sum);
        agrees_with_cpu::<f32, _>(gpu, variant, &values, Min);
        agrees_with_cpu::<f32, _>(gpu, variant, &values, Max);
    }
    agrees_with_cpu::<f32, _>(gpu, variant, &vec![-0.0; 9000], Sum);
}

fn many_workgroups(gpu: &Gpu, variant: Variant) {
    let values = elements::<u32>((1 << 21) + 3);
    let input = upload(gpu, &values);
    expect::<u32, _>(gpu, variant, &input, &values, Sum);
    let values = small_integers(1 << 21);
    expect::<f32, _>(gpu, variant, &upload(gpu, &values), &values, Sum);
}

/// Each reduction begins anew, whatever the output holds, and the device runs them in order.
fn one_output(gpu: &Gpu, variant: Variant) {
    let (a, b) = (elements::<u32>(20_000), elements::<u32>(9000));
    let (a_input, b_input) = (upload(gpu, &a), upload(gpu, &b));
    let one = output(gpu, &[7u32]);
    let copies = output(gpu, &[0u32; 5]);
    let mut encoder = gpu.encoder();
    let mut place = 0;
    let mut expected = Vec::new();
    let mut keep = |encoder: &mut wgpu::CommandEncoder, value: u32| {
        encoder.copy_buffer_to_buffer(one.buffer(), 0, copies.buffer(), place, 4);
        place += 4;
        expected.push(value);
    };
    let cpu = Executor::cpu();
    for sum in reducers::<u32, _>(gpu, variant, Sum) {
        sum.record(&mut encoder, &a_input, &one).expect("records");
        keep(&mut encoder, cpu.sum(&a).expect("the CPU can't fail"));
        sum.record(&mut encoder, &b_input, &one).expect("records");
        keep(&mut encoder, cpu.sum(&b).expect("the CPU can't fail"));
    }
    let min = reducers::<u32, _>(gpu, variant, Min).remove(0);
    min.record(&mut encoder, &b_input, &one).expect("records");
    keep(&mut encoder, cpu.min(&b).expect("the CPU can't fail").expect("not empty"));
    gpu.submit(encoder);
    expected.resize(5, 0);
    assert_eq!(download(gpu, &copies), expected);
}

pub fn prepared_again(gpu: &Gpu, variant: Variant) {
    let input = upload(gpu, &[0u32; 9000]);
    let output = output(gpu, &[0u32]);
    for sum in reducers::<u32, _>(gpu, variant, Sum) {
        let prepared = sum.prepare(&input, &output).expect("prepares");
        for round in 1..5u32 {
            let values = vec![round; 9000];
            let bytes = bytemuck::cast_slice(&values);
            gpu.context.queue().write_buffer(input.buffer(), 0, bytes);
            let mut encoder = gpu.encoder();
            prepared.record(&mut encoder);
            prepared.record(&mut encoder);
            gpu.submit(encoder);
            assert_eq!(download(gpu, &output), [9000 * round]);
        }
    }
}

/// A recording that wgpu rejects, or that is dropped, leaves the accumulator as it was.
fn after_rejection(gpu: &Gpu, variant: Variant) {
    let input = upload(gpu, &[1u32; 9000]);
    let output = output(gpu, &[0u32]);
    for sum in reducers::<u32, _>(gpu, variant, Sum) {
        let prepared = sum.prepare(&input, &output).expect("prepares");
        let mut rejected = gpu.encoder();
        prepared.record(&mut rejected);
        let scope = gpu.device().push_error_scope(wgpu::ErrorFilter::Validation);
        rejected.clear_buffer(input.buffer(), 1, None);
        gpu.submit(rejected);
        assert!(pollster::block_on(scope.pop()).is_some());
        let mut dropped = gpu.encoder();
        prepared.record(&mut dropped);
        drop(dropped);
        let mut encoder = gpu.encoder();
        prepared.record(&mut encoder);
        gpu.submit(encoder);
        assert_eq!(download(gpu, &output), [9000]);
    }
}

fn slices_and_windows(gpu: &Gpu, variant: Variant) {
    let values = elements::<i32>(30_000);
    let whole = upload(gpu, &values);
    let cuts = [0, 1, 5, 4100, 4103, 20_001, 30_000];
    let slices: Vec<GpuSlice<i32>> =
        cuts.windows(2).map(|cut| whole.slice(cut[0]..cut[1]).expect("within")).collect();
    expect::<i32, _>(gpu, variant, &*slices, &values, Sum);
    expect::<i32, _>(gpu, variant, &*slices, &values, Max);
    let small = gpu
        .with_limits(|limits| limits.max_storage_buffer_binding_size = 1 << 18)
        .expect("a device with a lower limit");
    small
        .check(|gpu| {
            let values = elements::<u32>(300_000);
            expect::<u32, _>(gpu, variant, &upload(gpu, &values), &values, BitXor);
        })
        .expect("no errors");
}

fn output_shares_buffer(gpu: &Gpu, variant: Variant) {
    for sum in reducers::<u32, _>(gpu, variant, Sum) {
        for len in [1, 10_000] {
            let mut values = vec![2u32; len + 1];
            let whole = output(gpu, &values);
            let input = whole.slice(0..len as u64).expect("within");
            let last = whole.slice(len as u64..len as u64 + 1).expect("within");
            let mut encoder = gpu.encoder();
            sum.record(&mut encoder, &input, &last).expect("records");
            gpu.submit(encoder);
            values[len] = 2 * u32::try_from(len).expect("small");
            assert_eq!(download(gpu, &whole), values);
        }
    }
}

fn no_float_atomics(gpu: &Gpu, variant: Variant) {
    let features = gpu.device().features() - wgpu::Features::SHADER_FLOAT32_ATOMIC;
    let other = Gpu::with(&gpu.adapter, features, gpu.device().limits()).expect("a device");
    other
        .check(|gpu| {
            assert!(!gpu.capabilities().float_atomics);
            exact_floats(gpu, variant);
        })
        .expect("no errors");
}

fn ruled_out(gpu: &Gpu, _: Variant) {
    let input = upload(gpu, &[1.0f32, 2.0]);
    let sum = Reducer::<f32, _>::new(&gpu.context, Sum)
        .precision(Precision::Unordered)
        .strategy(Strategy::SubgroupAtomic)
        .variant(Variant::WorkgroupMemory);
    let error = sum.reduce_blocking(&input).expect_err("contradictory");
    assert!(
        matches!(
            error,
            Error::Prepare(PrepareError::Contradiction {
                strategy: Strategy::SubgroupAtomic,
                variant: Variant::WorkgroupMemory
            })
        ),
        "{error}"
    );
    let plain = Gpu::with(&gpu.adapter, wgpu::Features::empty(), gpu.device().limits());
    plain
        .expect("a device")
        .check(|gpu| {
            let input = upload(gpu, &[1.0f32, 2.0]);
            let sum = Reducer::<f32, _>::new(&gpu.context, Sum)
                .precision(Precision::Unordered)
                .strategy(Strategy::SubgroupAtomic);
            let error = sum.reduce_blocking(&input).expect_err("lacking");
            assert!(matches!(error, Error::Prepare(PrepareError::NoSubgroups)), "{error}");
        })
        .expect("no errors");
}
