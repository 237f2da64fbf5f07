//! Dot products, in order and exact: the same bits as on the CPU, for any elements on either side, cut anyhow; and the accumulators that
//! they are rounded from.

use crate::{
    BOTH, Case,
    device::Gpu,
    exact::ONE_WORKGROUP,
    floats::{MATERIAL, Make},
    inputs::upload,
    support::{Element, data::mix},
};
use gridfold::{
    Dot, Error, ExactDot, Executor, GpuSlice, Input, Policy, Precision, PrepareError, Reducer,
    Variant, exact, wgpu,
};
const LENGTHS: [u32; 8] = [0, 1, 2, 3, 300, 5000, 20_480, 100_001];

pub fn cases() -> Vec<Case> {
    vec![
        Case::tier1(BOTH, "dot of slices, cut differently", slices),
        Case::tier1(BOTH, "dot of a buffer with itself", one_buffer),
        Case::tier1(BOTH, "dot of windows over buffers", |gpu, variant| {
            let small = gpu
                .with_limits(|limits| limits.max_storage_buffer_binding_size = 1 << 18)
                .expect("a device with a lower limit");
            small.check(|gpu| windows(gpu, variant)).expect("no errors");
        }),
        Case::tier1(BOTH, "dot, few workgroups in a dispatch", |gpu, variant| {
            let small = gpu
                .with_limits(|limits| limits.max_compute_workgroups_per_dimension = 3)
                .expect("a device with a lower limit");
            small.check(|gpu| few_workgroups(gpu, variant)).expect("no errors");
        }),
        Case::tier1(BOTH, "dot, accumulators that merge", accumulators_merge),
        Case::tier1(BOTH, "dot, more products than a bucket holds", many_products),
        Case::tier1(BOTH, "dot, into a buffer of the caller's", callers_buffer),
        Case::tier1(BOTH, "dot, where almost all cancels", cancellation),
        Case::tier1(BOTH, "dot, in every way to ask", every_call),
        Case::tier1(BOTH, "dot, errors", errors),
        Case::tier1(BOTH, "dot of arrays", arrays).only(Variant::WorkgroupMemory),
    ]
}

fn reducer(gpu: &Gpu, variant: Variant) -> Reducer<(f32, f32), Dot> {
    Reducer::new(&gpu.context, Dot).variant(variant)
}

fn values(make: Make, seed: u32, len: u32) -> Vec<f32> {
    (0..len).map(|i| f32::from_bits(make(mix(seed.wrapping_add(i))))).collect()
}

/// Finite ones of any size.
fn any_values(seed: u32, len: u32) -> Vec<f32> {
    values(
        |bits| if bits & 0x7f80_0000 == 0x7f80_0000 { bits ^ 0x4000_0000 } else { bits },
        seed,
        len,
    )
}

/// Of few binades, which no sum of products leaves.
fn ordinary_values(seed: u32, len: u32) -> Vec<f32> {
    values(|bits| (bits & 0x807f_ffff) | ((107 + (bits >> 23 & 31)) << 23), seed, len)
}

/// Both kinds: one shows what arithmetic does, the other which products there are, and their order.
const KINDS: [fn(u32, u32) -> Vec<f32>; 2] = [any_values, ordinary_values];

/// The CPU's values, and its accumulator.
fn expect(
    gpu: &Gpu,
    variant: Variant,
    (left, left_values): (impl Into<Input<f32>>, &[f32]),
    (right, right_values): (impl Into<Input<f32>>, &[f32]),
    what: &str,
) {
    let (left, right) = (left.into(), right.into());
    let expected = exact::dot(left_values, right_values).expect("of one length");
    let reducer = reducer(gpu, variant);
    let in_order = Executor::cpu().dot(left_values, right_values).expect("of one length");
    for (precision, expected) in
        [(Precision::Reproducible, in_order), (Precision::Exact, expected.to_f32())]
    {
        let reducer = reducer.clone().precision(precision);
        let reduction = reducer.measure_blocking((&left, &right)).expect("reduces");
        assert_eq!(
            reduction.value.to_bits(),
            expected.to_bits(),
            "{what}, {} pairs: {}, expected {expected}; {}",
            left_values.len(),
            reduction.value,
            reduction.plan,
        );
    }
    let accumulator = reducer.accumulate_blocking((left, right)).expect("adds up");
    assert_eq!(accumulator, expected, "{what}, {} pairs", left_values.len());
}

/// A slice in parts that end at `cuts`.
fn parts(whole: &GpuSlice<f32>, cuts: &[u64]) -> Vec<GpuSlice<f32>> {
    let begins = [0].iter().chain(cuts);
    begins.zip(cuts).map(|(&begin, &end)| whole.slice(begin..end).expect("within")).collect()
}

fn slices(gpu: &Gpu, variant: Variant) {
    for (len, values) in LENGTHS.into_iter().flat_map(|len| KINDS.map(|kind| (len, kind))) {
        let (a, b) = (values(len, len), values(!len, len));
        let (left, right) = (upload(gpu, &a), upload(gpu, &b));
        let len = u64::from(len);
        let cuts: [&[u64]; 4] = [
            &[len],
            &[len / 5, len / 5, len / 2, len],
            &[0, len / 5 + len % 2, len],
            &[len / 7, len, len],
        ];
        for left_cuts in cuts {
            for right_cuts in cuts {
                let what = format!("cut at {left_cuts:?} and {right_cuts:?}");
                let (left, right) = (parts(&left, left_cuts), parts(&right, right_cuts));
                expect(gpu, variant, (left, &a), (right, &b), &what);
            }
        }
    }
}

/// From different elements on; what follows the last is not finite.
fn one_buffer(gpu: &Gpu, variant: Variant) {
    for (len, values) in LENGTHS.into_iter().flat_map(|len| KINDS.map(|kind| (len, kind))) {
        let mut all = values(7 * len, len + 4);
        all.extend([f32::NAN; 4]);
        let buffer = upload(gpu, &all);
        let of = |begin: u32| {
            let range = begin as usize..(begin + len) as usize;
            let slice = buffer.slice(begin.into()..u64::from(begin + len)).expect("within");
            (slice, &all[range])
        };
        for (left, right) in [(0, 0), (1, 1), (0, 1), (3, 0), (2, 4), (4, 1)] {
            let what = format!("from {left} and {right} on");
            expect(gpu, variant, of(left), of(right), &what);
        }
    }
}

fn windows(gpu: &Gpu, variant: Variant) {
    const WINDOW: u32 = 1 << 16;
    for len in [WINDOW - 1, WINDOW, WINDOW + 1, 3 * WINDOW + 4097] {
        let (a, b) = (ordinary_values(len, len + 3), ordinary_values(!len, len + 3));
        let (left, right) = (upload(gpu, &a), upload(gpu, &b));
        for (left_begin, right_begin) in [(0, 0), (1, 0), (0, 3), (3, 2)] {
            let range = |begin: usize| begin..begin + len as usize;
            let slice = |of: &GpuSlice<f32>, begin: usize| {
                of.slice(begin as u64..begin as u64 + u64::from(len)).expect("within")
            };
            let (left, right) = (slice(&left, left_begin), slice(&right, right_begin));
            let plan = reducer(gpu, variant).plan((&left, &right)).expect("plans");
            let launches = plan.dispatches.iter().filter(|dispatch| dispatch.left.is_some());
            assert!(len <= WINDOW || launches.count() > 1, "{plan}");
            let what = format!("windows, from {left_begin} and {right_begin} on");
            let (a, b) = (&a[range(left_begin)], &b[range(right_begin)]);
            expect(gpu, variant, (left, a), (right, b), &what);
        }
    }
}

fn few_workgroups(gpu: &Gpu, variant: Variant) {
    let (a, b) = (ordinary_values(1, 100_003), ordinary_values(2, 100_003));
    let (left, right) = (upload(gpu, &a), upload(gpu, &b));
    let plan = reducer(gpu, variant).plan((&left, &right)).expect("plans");
    assert!(plan.dispatches.len() > 2, "{plan}");
    assert!(plan.dispatches.iter().all(|dispatch| dispatch.workgroups <= 3), "{plan}");
    expect(gpu, variant, (left, &a), (right, &b), "few workgroups");
}

fn accumulators_merge(gpu: &Gpu, variant: Variant) {
    let (a, b) = (any_values(1, 50_000), any_values(2, 50_000));
    let (left, right) = (upload(gpu, &a), upload(gpu, &b));
    let expected = exact::dot(&a, &b).expect("of one length");
    for cut in [1, 4097, 30_000] {
        let reducer = reducer(gpu, variant).policy(Policy { min_rows: 4, max_workgroups: 5 });
        let part = |begin: u64, end: u64| {
            let of = |side: &GpuSlice<f32>| side.slice(begin..end).expect("within");
            reducer.accumulate_blocking((of(&left), of(&right))).expect("adds up")
        };
        let mut merged = part(cut, 50_000);
        merged.merge(&part(0, cut));
        merged.merge(&ExactDot::default());
        assert_eq!(merged, expected, "cut at {cut}");
    }
}

/// So many of one kind that buckets overflow into others.
fn many_products(gpu: &Gpu, variant: Variant) {
    let (largest, smallest) = (f32::MAX, f32::from_bits(1));
    for (x, y) in [(largest, largest), (largest, -largest), (smallest, smallest), (1.0, -3.0)] {
        let (a, b) = (vec![x; (1 << 20) - 3], vec![y; (1 << 20) - 3]);
        let (left, right) = (upload(gpu, &a), upload(gpu, &b));
        let dot = reducer(gpu, variant).policy(ONE_WORKGROUP);
        let accumulator = dot.accumulate_blocking((&left, &right)).expect("adds up");
        assert_eq!(accumulator, exact::dot(&a, &b).expect("of one length"), "{x} and {y}");
    }
}

/// Results and accumulators beside other data, in buffers that are also inputs, several in an encoder.
fn callers_buffer(gpu: &Gpu, variant: Variant) {
    let all = ordinary_values(3, 9000);
    let executor = Executor::from_context(gpu.context.clone());
    let array = executor.upload(&all).expect("uploads");
    let buffer = array.gpu_slices().expect("on a GPU")[0].clone();
    let (left, right) =
        (buffer.slice(0..4000).expect("within"), buffer.slice(4500..8500).expect("within"));
    let expected = exact::dot(&all[..4000], &all[4500..8500]).expect("of one length");
    let in_order = Executor::cpu().dot(&all[..4000], &all[4500..8500]).expect("of one length");
    let mut words: Vec<u32> = all.iter().map(|value| value.to_bits()).collect();

    let reducer = reducer(gpu, variant);
    let mut encoder = gpu.encoder();
    for place in [4001u64, 8999] {
        let output = buffer.slice(place..place + 1).expect("within");
        let prepared = reducer.prepare((&left, &right), &output).expect("prepares");
        prepared.record(&mut encoder);
        prepared.record(&mut encoder);
        words[usize::try_from(place).expect("small")] = in_order.to_bits();
    }
    let output = GpuSlice::<u32>::new(buffer.buffer(), 4100 * 4, 23).expect("within");
    let prepared = reducer.prepare_accumulator((&left, &right), &output).expect("prepares");
    prepared.record(&mut encoder);
    prepared.record(&mut encoder);
    let accumulator: Vec<u32> = bytemuck::pod_collect_to_vec(&expected.to_bytes());
    words[4100..4123].copy_from_slice(&accumulator);
    gpu.submit(encoder);
    let found = array.download().expect("downloads");
    assert!(found.iter().map(|value| value.to_bits()).eq(words));

    // Within the right input.
    let output = buffer.slice(8000..9000).expect("within");
    let error = reducer.prepare((&left, &right), &output).expect_err("it is read, too");
    assert!(matches!(error, PrepareError::OutputWithinInput { slice: 1 }), "{error}");
}

/// Every product twice, of opposite signs, over all binades there are, and one that is 1.
fn cancellation(gpu: &Gpu, variant: Variant) {
    let finite = MATERIAL[1].1;
    let mut pairs: Vec<(f32, f32)> = values(finite, 10, 40_000)
        .into_iter()
        .zip(values(finite, 99, 40_000))
        .flat_map(|(x, y)| [(x, y), (y, -x)])
        .collect();
    pairs.push((f32::from_bits(0x3e80_0000), 4.0));
    let order = |(x, y): &(f32, f32)| mix(x.to_bits().wrapping_mul(3) ^ y.to_bits());
    pairs.sort_by_key(order);
    let (a, b): (Vec<f32>, Vec<f32>) = pairs.into_iter().unzip();
    let (left, right) = (upload(gpu, &a), upload(gpu, &b));
    let exact = reducer(gpu, variant).precision(Precision::Exact);
    assert_eq!(exact.reduce_blocking((&left, &right)).expect("reduces"), 1.0);
    expect(gpu, variant, (left, &a), (right, &b), "cancelling");
}

fn every_call(gpu: &Gpu, variant: Variant) {
    let (a, b) = (ordinary_values(1, 5000), ordinary_values(2, 5000));
    let (left, right) = (upload(gpu, &a), upload(gpu, &b));
    let exact = exact::dot(&a, &b).expect("of one length");
    let expected = Executor::cpu().dot(&a, &b).expect("of one length").to_bits();
    let dot = reducer(gpu, variant);
    let reduced = pollster::block_on(dot.reduce((&left, &right))).expect("reduces");
    assert_eq!(reduced.to_bits(), expected);
    assert_eq!(dot.reduce_blocking((&left, &right)).expect("reduces").to_bits(), expected);
    let measured = pollster::block_on(dot.measure((&left, &right))).expect("reduces");
    assert_eq!(measured.value.to_bits(), expected);
    assert_eq!(measured.plan, dot.plan((&left, &right)).expect("plans").to_string());
    assert!(measured.explanation.contains("pairs of f32"), "{}", measured.explanation);
    assert_eq!(pollster::block_on(dot.accumulate((&left, &right))).expect("adds up"), exact);

    let executor = Executor::from_context(gpu.context.clone());
    let output = executor.upload(&[f32::filler(); 3]).expect("uploads");
    let output_slice = output.gpu_slices().expect("on a GPU")[0].slice(1..3).expect("within");
    let mut encoder = gpu.encoder();
    dot.record(&mut encoder, (&left, &right), &output_slice).expect("records");
    let own = dot.record_readback(&mut encoder, (&left, &right)).expect("records");
    let prepared = dot.prepare((&left, &right), &output_slice).expect("prepares");
    let callers = prepared.record_readback(&mut encoder).expect("records");
    gpu.submit(encoder);
    for readback in [own, callers] {
        assert_eq!(readback.wait_blocking().expect("a value").to_bits(), expected);
    }
    let words = output.download().expect("downloads").into_iter().map(f32::to_bits);
    assert!(words.eq([f32::filler().to_bits(), expected, f32::filler().to_bits()]));
}

fn errors(gpu: &Gpu, variant: Variant) {
    let (left, right) = (upload(gpu, &[1.0f32; 5]), upload(gpu, &[1.0f32; 6]));
    let dot = reducer(gpu, variant);
    let is_mismatch =
        |error: &PrepareError| matches!(error, PrepareError::LengthMismatch { left: 5, right: 6 });
    let error = dot.plan((&left, &right)).expect_err("one is longer");
    assert!(is_mismatch(&error), "{error}");
    let error = dot.prepare((&left, &right), &left).expect_err("within an input, too");
    assert!(matches!(error, PrepareError::OutputWithinInput { slice: 0 }), "{error}");
    let error = dot.reduce_blocking((&left, &right)).expect_err("one is longer");
    assert!(matches!(&error, Error::Prepare(error) if is_mismatch(error)), "{error}");
    let error = dot.accumulate_blocking((&left, &right)).expect_err("one is longer");
    assert!(matches!(&error, Error::Prepare(error) if is_mismatch(error)), "{error}");

    // The right buffer is checked as the left one is.
    let buffer = gpu.device().create_buffer(&wgpu::BufferDescriptor {
        label: Some("no storage"),
        size: 20,
        usage: wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let error = dot.plan((&left, &buffer)).map(|plan| plan.len);
    assert_eq!(error.expect("plans look at no usage"), 5);
    let error = dot.reduce_blocking((&left, &buffer)).expect_err("it can't be bound");
    let is_usage = matches!(&error, Error::Prepare(PrepareError::Usage { role: "input", .. }));
    assert!(is_usage, "{error}");
}

fn arrays(gpu: &Gpu, _: Variant) {
    let (a, b) = (ordinary_values(1, 5000), ordinary_values(2, 5000));
    let expected = exact::dot(&a, &b).expect("of one length").to_f32().to_bits();
    let executor = Executor::from_context(gpu.context.clone());
    let cpu = Executor::cpu();
    let in_order = cpu.dot(&a, &b).expect("of one length").to_bits();
    assert_ne!(in_order, expected, "these show no order");
    for executor in [&executor, &cpu] {
        assert_eq!(executor.dot(&a, &b).expect("reduces").to_bits(), in_order);
        let [left, right] = [&a, &b].map(|values| executor.upload(values).expect("uploads"));
        assert_eq!(left.dot(&right).expect("reduces").to_bits(), in_order);
        let left = left.precision(Precision::Exact);
        assert_eq!(left.dot(&right).expect("reduces").to_bits(), expected);
        let executor = executor.clone().precision(Precision::Exact);
        assert_eq!(executor.dot(&a, &b).expect("reduces").to_bits(), expected);
        let measured = executor.measure_dot(&a, &b).expect("reduces");
        assert_eq!(measured.value.to_bits(), expected);
        assert_eq!(measured.adapter, executor.name());
        assert!(measured.plan.contains("exact, "), "{}", measured.plan);
        let (left, right) =
            (executor.upload(&a).expect("uploads"), executor.upload(&b).expect("uploads"));
        assert_eq!(left.dot(&right).expect("reduces").to_bits(), expected);
        let part = left.slice(10..20).expect("within");
        let squares = exact::squares(&a[10..20]).to_f32().to_bits();
        assert_eq!(part.dot(&part).expect("reduces").to_bits(), squares);
        assert_eq!(part.measure_dot(&part).expect("reduces").value.to_bits(), squares);
        let mismatches = [
            left.dot(&part),
            left.measure_dot(&part).map(|reduction| reduction.value),
            executor.dot(&a, &b[..10]),
            executor.measure_dot(&a, &b[..10]).map(|reduction| reduction.value),
        ];
        for error in mismatches {
            let error = error.expect_err("one is longer");
            let is_mismatch = matches!(
                error,
                Error::Prepare(PrepareError::LengthMismatch { left: 5000, right: 10 })
            );
            assert!(is_mismatch, "{error}");
        }
    }
    // On the CPU, and on another device of the same adapter.
    let left = executor.upload(&a).expect("uploads");
    let other = Gpu::open(&gpu.adapter).expect("a device");
    for other in [cpu, Executor::from_context(other.context)] {
        let right = other.upload(&b).expect("uploads");
        for (left, right) in [(&left, &right), (&right, &left)] {
            let error = left.dot(right).expect_err("elsewhere");
            let is_expected =
                matches!(error, Error::Prepare(PrepareError::DifferentExecutors { .. }));
            assert!(is_expected, "{error}");
        }
    }
}
