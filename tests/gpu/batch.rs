//! Many reductions at once: the same bits as one by one.

use crate::{
    BOTH, Case, VULKAN,
    device::Gpu,
    floats::{MATERIAL, in_software},
    inputs::upload,
    support::{data::mix, elements, same_bits},
};
use gridfold::{
    Batch, Count, Dot, Executor, GpuSlice, Max, Mean, Min, Norm, Operator, Policy, Precision,
    PrepareError, Product, ReadError, Reducer, Results, Strategy, Sum, Ticket, Variant, wgpu,
};

pub fn cases() -> Vec<Case> {
    vec![
        Case::tier1(VULKAN, "a batch, operators, types, lengths and offsets", many),
        Case::tier1(BOTH, "a batch, f32 sums of anything", |gpu, variant| {
            anything(gpu, variant);
            anything(&in_software(gpu), variant);
        }),
        Case::tier1(BOTH, "a batch, recorded again and again", again),
        Case::tier2("a batch, few workgroups in a dispatch", |gpu, variant| {
            let small = gpu
                .with_limits(|limits| limits.max_compute_workgroups_per_dimension = 3)
                .expect("a device with a lower limit");
            small.check(|gpu| many(gpu, variant)).expect("no errors");
        }),
        Case::tier2("a batch, several bindings", |gpu, variant| {
            let small = gpu
                .with_limits(|limits| limits.max_storage_buffer_binding_size = 1 << 18)
                .expect("a device with a lower limit");
            small.check(|gpu| many(gpu, variant)).expect("no errors");
        }),
        Case::tier1(BOTH, "a batch, slices that end with their buffers", at_the_end),
        Case::tier1(BOTH, "a batch of hundreds shares dispatches", hundreds),
        Case::tier1(BOTH, "a batch of hundreds of norms", norms),
        Case::tier1(BOTH, "a batch, results on the device", on_the_device),
        Case::tier1(BOTH, "a batch, shapes that come again", again_and_others),
        Case::tier1(BOTH, "a batch, in a pass and a buffer of the caller's", in_the_callers),
        Case::tier1(BOTH, "a batch, misused", misused),
    ]
}

/// What to ask of the results, once they are there.
type Check = Box<dyn Fn(&Results)>;

fn reducer<T: gridfold::Element, Op: Operator<T>>(
    gpu: &Gpu,
    variant: Variant,
    op: Op,
) -> Reducer<T, Op> {
    Reducer::new(&gpu.context, op).variant(variant)
}

/// Adds a reduction of `slice`, which holds `values`.
fn add<T: gridfold::Element, Op: Operator<T> + Default>(
    batch: &mut Batch,
    reducer: &Reducer<T, Op>,
    slice: &GpuSlice<T>,
    values: &[T],
    precision: Precision,
) -> Check {
    let ticket = batch.add(&reducer.clone().precision(precision), slice).expect("adds");
    let executor = Executor::cpu().precision(precision);
    let expected = Op::out(executor.reduce(values, Op::default()).expect("reduces").value);
    let len = values.len();
    Box::new(move |results| {
        let found = Op::out(results.get(ticket).expect("its own ticket"));
        assert!(
            same_bits(found, expected),
            "{} {} of {len}",
            Op::default().spec().operator,
            T::TYPE
        );
    })
}

fn many(gpu: &Gpu, variant: Variant) {
    let floats = elements::<f32>(300_001);
    let words = elements::<u32>(120_000);
    let signed = elements::<i32>(5000);
    let (f, u, i) = (upload(gpu, &floats), upload(gpu, &words), upload(gpu, &signed));
    let mut batch = Batch::new(&gpu.context);
    let mut checks: Vec<Check> = Vec::new();
    let part = |len: usize, begin: usize| (begin as u64..(begin + len) as u64, begin..begin + len);
    for (len, begin) in
        [(0, 0), (1, 3), (5, 1), (1000, 2), (4096, 0), (4097, 64), (10_000, 7), (119_000, 1000)]
    {
        let (range, indices) = part(len, begin);
        let (slice, values) = (f.slice(range.clone()).expect("within"), &floats[indices.clone()]);
        let keeps = Precision::Reproducible;
        checks.push(add(&mut batch, &reducer::<f32, _>(gpu, variant, Sum), &slice, values, keeps));
        checks.push(add(
            &mut batch,
            &reducer::<f32, _>(gpu, variant, Product),
            &slice,
            values,
            keeps,
        ));
        checks.push(add(&mut batch, &reducer::<f32, _>(gpu, variant, Max), &slice, values, keeps));
        let exact = Precision::Exact;
        checks.push(add(&mut batch, &reducer::<f32, _>(gpu, variant, Sum), &slice, values, exact));
        checks.push(add(&mut batch, &reducer::<f32, _>(gpu, variant, Mean), &slice, values, exact));
        let (slice, values) = (u.slice(range).expect("within"), &words[indices]);
        let sum = reducer::<u32, _>(gpu, variant, Sum);
        checks.push(add(&mut batch, &sum, &slice, values, keeps));
        let atomic = sum.strategy(Strategy::WorkgroupAtomic);
        checks.push(add(&mut batch, &atomic, &slice, values, keeps));
    }
    let min = reducer::<i32, _>(gpu, variant, Min);
    checks.push(add(&mut batch, &min, &i, &signed, Precision::Reproducible));
    let whole = reducer::<f32, _>(gpu, variant, Sum);
    checks.push(add(&mut batch, &whole, &f, &floats, Precision::Reproducible));
    // Several slices, and pairs.
    let halves = [f.slice(0..1000).expect("within"), f.slice(1000..5000).expect("within")];
    let halves = batch.add(&whole, &halves[..]).expect("adds");
    let dot = Reducer::<(f32, f32), _>::new(&gpu.context, Dot);
    let (left, right) = (f.slice(0..777).expect("within"), f.slice(1000..1777).expect("within"));
    let dot = batch.add(&dot, (&left, &right)).expect("adds");

    assert_eq!(batch.len(), 8 * 7 + 4);
    let results = batch.reduce_blocking().expect("reduces");
    for check in checks {
        check(&results);
    }
    let cpu = Executor::cpu();
    let sum = results.get(halves).expect("its own");
    assert_eq!(sum.to_bits(), cpu.sum(&floats[..5000]).expect("sums").to_bits());
    let expected = cpu.dot(&floats[..777], &floats[1000..1777]).expect("pairs");
    assert_eq!(results.get(dot).expect("its own").to_bits(), expected.to_bits());
}

fn anything(gpu: &Gpu, variant: Variant) {
    let mut batch = Batch::new(&gpu.context);
    let mut checks: Vec<Check> = Vec::new();
    let sum = reducer::<f32, _>(gpu, variant, Sum);
    for (_, make) in MATERIAL {
        for len in [700, 5000, 40_000] {
            let values: Vec<f32> = (0..len).map(|i| f32::from_bits(make(mix(len + i)))).collect();
            let slice = upload(gpu, &values);
            checks.push(add(&mut batch, &sum, &slice, &values, Precision::Reproducible));
        }
    }
    let results = batch.reduce_blocking().expect("reduces");
    for check in checks {
        check(&results);
    }
}

/// Whoever is kind among the elements of a buffer must not be thought out of range for its neighbours, nor the other way.
fn again(gpu: &Gpu, variant: Variant) {
    const LEN: usize = 20_000;
    let input = upload(gpu, &vec![0.0f32; LEN]);
    let sum = reducer::<f32, _>(gpu, variant, Sum);
    let mut batch = Batch::new(&gpu.context);
    let parts: Vec<_> = (0..10).map(|i| i * 2000..(i + 1) * 2000).collect();
    let tickets: Vec<Ticket<f32, f32>> = parts
        .iter()
        .map(|part| {
            let slice = input.slice(part.start as u64..part.end as u64).expect("within");
            batch.add(&sum, slice).expect("adds")
        })
        .collect();
    let prepared = batch.prepare().expect("prepares");
    for round in 0..5u16 {
        let mut values: Vec<f32> =
            elements::<f32>(LEN).into_iter().map(|x| x * f32::from(round)).collect();
        values[4321] = f32::INFINITY;
        values[9000] = 1e-40;
        gpu.context.queue().write_buffer(input.buffer(), 0, bytemuck::cast_slice(&values));
        let mut encoder = gpu.encoder();
        prepared.record(&mut encoder);
        let readback = prepared.record_readback(&mut encoder).expect("records");
        gpu.submit(encoder);
        let results = readback.wait_blocking().expect("reads");
        for (&ticket, part) in tickets.iter().zip(&parts) {
            let expected = Executor::cpu().sum(&values[part.clone()]).expect("sums");
            let found = results.get(ticket).expect("its own");
            assert_eq!(found.to_bits(), expected.to_bits(), "round {round}, {part:?}");
        }
    }
}

/// The last vector of a buffer may not be whole, nor its last word.
fn at_the_end(gpu: &Gpu, variant: Variant) {
    let sum = reducer::<f32, _>(gpu, variant, Sum);
    let values = elements::<f32>(8200);
    for (begin, end) in [(1, 4097), (3, 8195), (4, 4100), (5, 4101), (7, 8199)] {
        let slice = upload(gpu, &values[..end]).slice(begin as u64..end as u64).expect("within");
        let mut batch = Batch::new(&gpu.context);
        let ticket = batch.add(&sum, slice).expect("adds");
        let results = batch.reduce_blocking().expect("reduces");
        let expected = Executor::cpu().sum(&values[begin..end]).expect("sums");
        assert_eq!(results.get(ticket).expect("its own").to_bits(), expected.to_bits(), "{begin}");
    }
    let odd = gpu.device().create_buffer(&wgpu::BufferDescriptor {
        label: Some("no whole number of words"),
        size: 1022,
        usage: wgpu::BufferUsages::STORAGE,
        mapped_at_creation: false,
    });
    let mut batch = Batch::new(&gpu.context);
    let ticket = batch.add(&sum, GpuSlice::<f32>::whole(&odd)).expect("adds");
    let results = batch.reduce_blocking().expect("reduces");
    assert_eq!(results.get(ticket).expect("its own"), 0.0);
}

fn hundreds(gpu: &Gpu, variant: Variant) {
    let values = elements::<f32>(256 * 100 + 20_000);
    let input = upload(gpu, &values);
    let sum = reducer::<f32, _>(gpu, variant, Sum).policy(Policy::DEFAULT);
    // Of a block each: a dispatch. Of several: two.
    for (len, dispatches) in [(100, 1), (20_000, 2)] {
        let mut batch = Batch::new(&gpu.context);
        let parts: Vec<_> = (0..256).map(|i| i * 100..i * 100 + len).collect();
        let tickets: Vec<_> = parts
            .iter()
            .map(|part| {
                let slice = input.slice(part.start as u64..part.end as u64).expect("within");
                batch.add(&sum, slice).expect("adds")
            })
            .collect();
        let prepared = batch.prepare().expect("prepares");
        assert_eq!(prepared.dispatches(), dispatches);
        let mut encoder = gpu.encoder();
        let readback = prepared.record_readback(&mut encoder).expect("records");
        gpu.submit(encoder);
        let results = readback.wait_blocking().expect("reads");
        for (ticket, part) in tickets.into_iter().zip(parts) {
            let expected = Executor::cpu().sum(&values[part.clone()]).expect("sums");
            assert_eq!(results.get(ticket).expect("its own"), expected, "{part:?}");
        }
    }
}

/// Of many lengths, each of one block.
fn norms(gpu: &Gpu, variant: Variant) {
    let mut values = elements::<f32>(6000);
    // Their squares leave the range: some of the norms have them.
    values[1000] = 1e-30;
    values[4000] = 1e30;
    let input = upload(gpu, &values);
    let norm = reducer::<f32, _>(gpu, variant, Norm).precision(Precision::Reproducible);
    let norm = norm.policy(Policy::DEFAULT);
    let mut batch = Batch::new(&gpu.context);
    let parts: Vec<_> = (0..300).map(|i| 4 * i..17 * i + 1).collect();
    let slices: Vec<_> = parts
        .iter()
        .map(|part| input.slice(part.start as u64..part.end as u64).expect("within"))
        .collect();
    let tickets: Vec<_> =
        slices.iter().map(|slice| batch.add(&norm, slice).expect("adds")).collect();
    let prepared = batch.prepare().expect("prepares");
    assert_eq!(prepared.dispatches(), 1);
    let mut encoder = gpu.encoder();
    let readback = prepared.record_readback(&mut encoder).expect("records");
    gpu.submit(encoder);
    let results = readback.wait_blocking().expect("reads");
    for (number, (ticket, part)) in tickets.into_iter().zip(parts).enumerate() {
        let found = results.get(ticket).expect("its own").to_bits();
        let wanted = Executor::cpu().norm(&values[part.clone()]).expect("reduces");
        assert_eq!(found, wanted.to_bits(), "{part:?} on the CPU");
        // All would take drivers in software long.
        if number % 5 == 0 {
            let alone = norm.reduce_blocking(&slices[number]).expect("reduces");
            assert_eq!(found, alone.to_bits(), "{part:?} alone");
        }
    }
}

/// Results may be reduced again without coming to the host.
fn on_the_device(gpu: &Gpu, variant: Variant) {
    let values = elements::<f32>(9000);
    let input = upload(gpu, &values);
    let sum = reducer::<f32, _>(gpu, variant, Sum);
    let mut batch = Batch::new(&gpu.context).label("two sums");
    batch.add(&sum, input.slice(0..4000).expect("within")).expect("adds");
    let second = batch.add(&sum, input.slice(4000..9000).expect("within")).expect("adds");
    let prepared = batch.prepare().expect("prepares");
    let mut encoder = gpu.encoder();
    prepared.record(&mut encoder);
    let results = GpuSlice::<f32>::whole(prepared.results().buffer());
    let total = sum.record_readback(&mut encoder, results.slice(0..2).expect("within"));
    let only = prepared.result(second).expect("its own");
    let only = sum.record_readback(&mut encoder, only).expect("records");
    gpu.submit(encoder);
    let parts =
        [&values[..4000], &values[4000..]].map(|part| Executor::cpu().sum(part).expect("sums"));
    let total = total.expect("records").wait_blocking().expect("reads");
    assert_eq!(total, Executor::cpu().sum(&parts).expect("sums"));
    assert_eq!(only.wait_blocking().expect("reads"), parts[1]);
}

/// What was added lately is not planned again: it must be told from what is like it but for one thing.
/// What a buffer of all of these holds.
fn words_of(floats: &[f32], ints: &[i32], long: &[u64]) -> Vec<u32> {
    let mut words: Vec<u32> = bytemuck::cast_slice(floats).to_vec();
    words.extend::<&[u32]>(bytemuck::cast_slice(ints));
    words.extend::<&[u32]>(bytemuck::cast_slice(long));
    words
}

fn again_and_others(gpu: &Gpu, variant: Variant) {
    let values = elements::<f32>(60_000);
    let (first, second) = (upload(gpu, &values), upload(gpu, &values[5..]));
    let words = upload(gpu, &elements::<u32>(60_000));
    let mut batch = Batch::new(&gpu.context);
    let mut checks: Vec<Check> = Vec::new();
    let sum = reducer::<f32, _>(gpu, variant, Sum);
    let small = sum.clone().policy(Policy { min_rows: 4, max_workgroups: 3 });
    for begin in [0, 64, 1, 65, 128, 3, 256, 30_000] {
        for len in [700, 701, 20_000] {
            let range = begin as u64..(begin + len) as u64;
            let part = &values[begin..begin + len];
            let slice = first.slice(range.clone()).expect("within");
            let keeps = Precision::Reproducible;
            checks.push(add(&mut batch, &sum, &slice, part, keeps));
            checks.push(add(&mut batch, &small, &slice, part, keeps));
            checks.push(add(&mut batch, &sum, &slice, part, Precision::Exact));
            checks.push(add(
                &mut batch,
                &reducer::<f32, _>(gpu, variant, Max),
                &slice,
                part,
                keeps,
            ));
            let other = &values[begin + 5..begin + len + 5];
            let slice = second.slice(range.clone()).expect("within");
            checks.push(add(&mut batch, &sum, &slice, other, keeps));
            let slice = words.slice(range).expect("within");
            let part = &elements::<u32>(60_000)[begin..begin + len];
            checks.push(add(
                &mut batch,
                &reducer::<u32, _>(gpu, variant, Sum),
                &slice,
                part,
                keeps,
            ));
        }
    }
    // Of the same buffer, length and alignment, but of another type.
    let (ints, long): (Vec<i32>, Vec<u64>) = (elements(2000), elements(1000));
    let mixed = upload(gpu, &words_of(&values[..2000], &ints, &long));
    let one_buffer = mixed.buffer();
    for _ in 0..2 {
        let keeps = Precision::Reproducible;
        let slice = GpuSlice::new(one_buffer, 0, 700).expect("within");
        checks.push(add(&mut batch, &sum, &slice, &values[..700], keeps));
        let slice = GpuSlice::new(one_buffer, 8000, 700).expect("within");
        checks.push(add(
            &mut batch,
            &reducer::<i32, _>(gpu, variant, Sum),
            &slice,
            &ints[..700],
            keeps,
        ));
        checks.push(add(
            &mut batch,
            &reducer::<i32, _>(gpu, variant, Max),
            &slice,
            &ints[..700],
            keeps,
        ));
        let unsigned: &[u32] = bytemuck::cast_slice(&ints[..700]);
        let slice = GpuSlice::new(one_buffer, 8000, 700).expect("within");
        checks.push(add(
            &mut batch,
            &reducer::<u32, _>(gpu, variant, Max),
            &slice,
            unsigned,
            keeps,
        ));
        let slice = GpuSlice::new(one_buffer, 16_000, 700).expect("within");
        checks.push(add(
            &mut batch,
            &reducer::<u64, _>(gpu, variant, Max),
            &slice,
            &long[..700],
            keeps,
        ));
        let signed: &[i64] = bytemuck::cast_slice(&long[..700]);
        let slice = GpuSlice::new(one_buffer, 16_000, 700).expect("within");
        checks.push(add(&mut batch, &reducer::<i64, _>(gpu, variant, Max), &slice, signed, keeps));
    }
    // Of the same length and alignment, but at the end of their buffer, where the last vector is not whole.
    let cut = upload(gpu, &values[..5443]);
    for begin in [64, 5443 - 259, 128, 5443 - 323] {
        let slice = cut.slice(begin..begin + 259).expect("within");
        let begin = usize::try_from(begin).expect("small");
        let part = &values[begin..begin + 259];
        checks.push(add(&mut batch, &sum, &slice, part, Precision::Reproducible));
    }
    let results = batch.reduce_blocking().expect("reduces");
    for check in checks {
        check(&results);
    }
}

fn in_the_callers(gpu: &Gpu, variant: Variant) {
    let values = elements::<f32>(50_000);
    let input = upload(gpu, &values);
    let sum = reducer::<f32, _>(gpu, variant, Sum);
    let batch = || {
        let mut batch = Batch::new(&gpu.context);
        let mut checks: Vec<Check> = Vec::new();
        let keeps = Precision::Reproducible;
        for (begin, len) in [(0, 900), (1, 30_000), (7, 1), (900, 4096)] {
            let slice = input.slice(begin as u64..(begin + len) as u64).expect("within");
            let part = &values[begin..begin + len];
            checks.push(add(&mut batch, &sum, &slice, part, keeps));
            checks.push(add(&mut batch, &sum, &slice, part, Precision::Exact));
            checks.push(add(
                &mut batch,
                &reducer::<f32, _>(gpu, variant, Count),
                &slice,
                part,
                keeps,
            ));
        }
        (batch, checks)
    };
    // The buffer's other words stay as they are.
    for first in [0u64, 1, 5, 64, 67] {
        let (batch, checks) = batch();
        let words = batch.words();
        assert_eq!(words, 4 * (1 + 1 + 2));
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
        let around = first + u64::from(words) + 3;
        let untouched = 0xabcd_ef01_u32;
        let buffer = gpu.device().create_buffer(&wgpu::BufferDescriptor {
            label: Some("the caller's"),
            size: around * 4,
            usage,
            mapped_at_creation: true,
        });
        let filling: Vec<u32> = (0..around).map(|_| untouched).collect();
        buffer
            .get_mapped_range_mut(..)
            .expect("mapped")
            .copy_from_slice(bytemuck::cast_slice(&filling));
        buffer.unmap();
        let output = GpuSlice::new(&buffer, first * 4, u64::from(words) + 2).expect("within");
        let prepared = batch.prepare_into(&output).expect("prepares");
        assert_eq!(prepared.results(), &output.slice(0..words.into()).expect("within"));
        let mut encoder = gpu.encoder();
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            prepared.record_in(&mut pass);
        }
        let staging = gpu.device().create_buffer(&wgpu::BufferDescriptor {
            label: Some("all of it"),
            size: around * 4,
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        encoder.copy_buffer_to_buffer(&buffer, 0, &staging, 0, around * 4);
        encoder.map_buffer_on_submit(&staging, wgpu::MapMode::Read, .., |_| ());
        let readback = prepared.record_readback(&mut encoder).expect("records");
        gpu.submit(encoder);
        let results = readback.wait_blocking().expect("reads");
        for check in &checks {
            check(&results);
        }
        gpu.device().poll(wgpu::PollType::wait_indefinitely()).expect("polls");
        let mapped = staging.get_mapped_range(..).expect("mapped");
        let found: Vec<u32> = bytemuck::pod_collect_to_vec(&mapped);
        let begin = usize::try_from(first).expect("small");
        let end = begin + usize::try_from(words).expect("small");
        assert!(found[..begin].iter().chain(&found[end..]).all(|word| *word == untouched));
    }

    let refused = |output: GpuSlice<u32>| batch().0.prepare_into(&output).expect_err("refused");
    let create = |size, usage| {
        gpu.device().create_buffer(&wgpu::BufferDescriptor {
            label: Some("the caller's"),
            size,
            usage,
            mapped_at_creation: false,
        })
    };
    let storage = wgpu::BufferUsages::STORAGE;
    let error = refused(GpuSlice::whole(&create(60, storage)));
    assert!(matches!(error, PrepareError::ShortOutput { len: 15, needed: 16 }), "{error}");
    let error = refused(GpuSlice::whole(&create(64, wgpu::BufferUsages::COPY_SRC)));
    assert!(matches!(error, PrepareError::Usage { role: "output", .. }), "{error}");
    let error = refused(GpuSlice::whole(input.buffer()));
    assert!(matches!(error, PrepareError::OutputBufferIsInput), "{error}");
    let mut exact = Batch::new(&gpu.context);
    exact.add(&sum.clone().precision(Precision::Exact), &input).expect("adds");
    let error = exact.prepare_into(&GpuSlice::whole(input.buffer())).expect_err("it is read");
    assert!(matches!(error, PrepareError::OutputBufferIsInput), "{error}");
    // Without `COPY_SRC` the results stay on the device.
    let prepared = batch().0.prepare_into(&GpuSlice::whole(&create(64, storage)));
    let error = prepared.expect("prepares").record_readback(&mut gpu.encoder());
    let error = error.expect_err("it can't be copied from");
    assert!(matches!(error, PrepareError::Usage { role: "output", .. }), "{error}");
    let nothing = Batch::new(&gpu.context).prepare_into(&GpuSlice::whole(&create(4, storage)));
    assert_eq!(nothing.expect("no reductions").dispatches(), 0);
}

fn misused(gpu: &Gpu, variant: Variant) {
    let sum = reducer::<f32, _>(gpu, variant, Sum);
    let input = upload(gpu, &[1.0f32, 2.0]);
    let empty = Batch::new(&gpu.context);
    assert!(empty.is_empty());
    let nothing = empty.reduce_blocking().expect("no reductions");

    let mut batch = Batch::new(&gpu.context);
    let ticket = batch.add(&sum, &input).expect("adds");
    assert!(matches!(nothing.get(ticket), Err(ReadError::ForeignTicket)));
    let mut other = Batch::new(&gpu.context);
    other.add(&sum, &input).expect("adds");
    let others = other.reduce_blocking().expect("reduces");
    assert!(matches!(others.get(ticket), Err(ReadError::ForeignTicket)));

    let unusable = gpu.device().create_buffer(&wgpu::BufferDescriptor {
        label: Some("no storage"),
        size: 16,
        usage: wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let error = batch.add(&sum, GpuSlice::<f32>::whole(&unusable)).expect_err("not storage");
    assert!(matches!(error, PrepareError::Usage { .. }), "{error}");
    let exact = reducer::<f32, _>(gpu, variant, Product).precision(Precision::Exact);
    let error = batch.add(&exact, &input).expect_err("there is none");
    assert!(matches!(error, PrepareError::Imprecise { .. }), "{error}");
    let stranger = gpu.with_limits(|_| {}).expect("another device");
    let error =
        batch.add(&reducer::<f32, _>(&stranger, variant, Sum), &input).expect_err("not ours");
    assert!(matches!(error, PrepareError::DifferentExecutors { .. }), "{error}");
    // And the batch is as before.
    assert_eq!(batch.len(), 1);
    assert_eq!(batch.reduce_blocking().expect("reduces").get(ticket).expect("its own"), 3.0);
}
