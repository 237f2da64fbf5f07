//! What a guest leaves behind: nothing.

use crate::{BOTH, Case, device::Gpu, inputs::upload, recording::output, support::elements};
use gridfold::{
    Batch, Context, CreateError, DeviceTimer, Dot, Error, Executor, GpuSlice, Map, Max, Operator,
    Precision, PrepareError, Reducer, Strategy, Sum, Variant, shader::Sources, wgpu,
};
use std::sync::Barrier;

pub fn cases() -> Vec<Case> {
    vec![
        Case::tier1(BOTH, "what is dropped is freed", freed),
        Case::tier1(BOTH, "pipelines are created once, also by threads at once", created_once),
        Case::tier1(BOTH, "a pipeline that can't be has its name in the error", named_pipeline),
        Case::tier1(BOTH, "a pipeline cache of the caller's", pipeline_cache),
        Case::tier1(BOTH, "a warm call creates bind groups and nothing else", warm_calls),
        Case::tier1(BOTH, "nothing is compiled after a warm-up", warmed_up),
        Case::tier1(BOTH, "the caller's error scopes", error_scopes),
        Case::tier1(BOTH, "errors of the caller's callbacks", callbacks),
    ]
}

/// The device's objects, as wgpu counts them.
#[derive(Debug, PartialEq)]
struct Objects {
    buffers: isize,
    buffer_bytes: isize,
    bind_groups: isize,
    bind_group_layouts: isize,
    pipeline_layouts: isize,
    shader_modules: isize,
    pipelines: isize,
    query_sets: isize,
}

impl Objects {
    /// Those there are when the device has nothing left to do.
    fn of(device: &wgpu::Device) -> Self {
        device.poll(wgpu::PollType::wait_indefinitely()).expect("polls");
        let counters = device.get_internal_counters().hal;
        Self {
            buffers: counters.buffers.read(),
            buffer_bytes: counters.buffer_memory.read(),
            bind_groups: counters.bind_groups.read(),
            bind_group_layouts: counters.bind_group_layouts.read(),
            pipeline_layouts: counters.pipeline_layouts.read(),
            shader_modules: counters.shader_modules.read(),
            pipelines: counters.compute_pipelines.read(),
            query_sets: counters.query_sets.read(),
        }
    }
}

/// A device that no other test uses.
fn own(gpu: &Gpu) -> Gpu {
    Gpu::with(&gpu.adapter, gpu.device().features(), gpu.device().limits()).expect("a device")
}

fn freed(gpu: &Gpu, variant: Variant) {
    let Gpu { context, .. } = own(gpu);
    let (device, queue) = (context.device().clone(), context.queue().clone());
    drop(context);
    // Some values have to be there, and wgpu keeps memory for uploads once it has some.
    let values = elements::<f32>(20_000);
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("the caller's"),
        size: 80_000,
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    queue.write_buffer(&buffer, 0, bytemuck::cast_slice(&values));
    queue.submit([]);
    let input = GpuSlice::whole(&buffer);

    let without = Objects::of(&device);
    // Bytes are not counted by OpenGL's backend.
    assert!(without.buffers >= 1, "{without:?}");
    let context = Context::new_blocking(&device, &queue).expect("a context");
    use_everything(&context, variant, &input);
    let warm = Objects::of(&device);
    assert!(warm.pipelines > without.pipelines, "{warm:?}, before {without:?}");
    for _ in 0..3 {
        use_everything(&context, variant, &input);
        assert_eq!(Objects::of(&device), warm);
    }
    drop(context);
    assert_eq!(Objects::of(&device), without);
}

/// What one process has compiled, the next one takes from the caller's cache.
fn pipeline_cache(gpu: &Gpu, variant: Variant) {
    let feature = wgpu::Features::PIPELINE_CACHE;
    if !gpu.adapter.features().contains(feature) {
        assert_ne!(gpu.adapter.get_info().backend, wgpu::Backend::Vulkan, "every driver has it");
        return;
    }
    let features = gpu.device().features() | feature;
    let own = Gpu::with(&gpu.adapter, features, gpu.device().limits()).expect("a device");
    let create = |data: Option<&[u8]>| {
        let descriptor = wgpu::PipelineCacheDescriptor { label: None, data, fallback: true };
        #[expect(unsafe_code, reason = "the only way to have a cache")]
        // SAFETY: the data comes from `get_data` of a cache of the same device.
        unsafe {
            own.device().create_pipeline_cache(&descriptor)
        }
    };
    let input = upload(&own, &elements::<f32>(20_000));
    let sum_with = |cache: &wgpu::PipelineCache| {
        let (device, queue) = (own.device(), own.context.queue());
        let context = Context::with_pipeline_cache(device, queue, cache);
        let context = pollster::block_on(context).expect("a context");
        let sum = Reducer::<f32, _>::new(&context, Sum).variant(variant);
        sum.reduce_blocking(&input).expect("reduces")
    };
    let empty = create(None);
    let before = empty.get_data().expect("has some").len();
    let expected = Executor::cpu().sum(&elements::<f32>(20_000)).expect("the CPU can't fail");
    assert_eq!(sum_with(&empty), expected);
    let data = empty.get_data().expect("has some");
    // Drivers in software keep nothing.
    assert!(data.len() > before || gpu.is_software(), "{} bytes, {before} before", data.len());
    assert_eq!(sum_with(&create(Some(&data))), expected);
}

/// One of each kind has to be there: after that buffers come from the pool, and go back to it.
fn warm_calls(gpu: &Gpu, variant: Variant) {
    let own = own(gpu);
    let input = upload(&own, &elements::<f32>(20_000));
    let sum = Reducer::<f32, _>::new(&own.context, Sum).variant(variant);
    let exact = sum.clone().precision(Precision::Exact);
    let expected = [&sum, &exact].map(|sum| sum.reduce_blocking(&input).expect("reduces"));
    let created = |device: &wgpu::Device| {
        device.poll(wgpu::PollType::wait_indefinitely()).expect("polls");
        device.get_internal_counters().hal.buffers.read()
    };
    let mut warm = None;
    for _ in 0..10 {
        let found = [&sum, &exact].map(|sum| sum.reduce_blocking(&input).expect("reduces"));
        assert_eq!(found, expected);
        let mut encoder = own.encoder();
        let first = sum.record_readback(&mut encoder, &input).expect("records");
        let second = exact.record_readback(&mut encoder, &input).expect("records");
        own.submit(encoder);
        assert_eq!(
            [first, second].map(|readback| readback.wait_blocking().expect("reads")),
            expected
        );
        // The first round leaves what the others use.
        let created = created(own.device());
        assert_eq!(*warm.get_or_insert(created), created);
    }
}

/// Of any length and alignment, on its own and in a batch.
fn warmed_up(gpu: &Gpu, variant: Variant) {
    fn check<T: crate::support::Element, Op: Operator<T> + Default>(
        gpu: &Gpu,
        reducer: &Reducer<T, Op>,
    ) {
        let compiled = || {
            let counters = gpu.device().get_internal_counters().hal;
            (counters.compute_pipelines.read(), counters.shader_modules.read())
        };
        let before = compiled();
        pollster::block_on(reducer.warm_up()).expect("compiles");
        let warm = compiled();
        assert!(warm > before);
        reducer.warm_up_blocking().expect("all is there");
        let input = upload(gpu, &elements::<T>(70_000));
        for len in [0, 1, 4096, 5000, 8192, 65_536, 69_000] {
            let mut batch = Batch::new(&gpu.context);
            for begin in 0..5 {
                let slice = input.slice(begin..begin + len).expect("within");
                reducer.reduce_blocking(&slice).expect("reduces");
                batch.add(reducer, &slice).expect("adds");
            }
            batch.reduce_blocking().expect("reduces");
        }
        assert_eq!(compiled(), warm, "{} {}", Op::default().spec().operator, T::TYPE);
    }
    let gpu = &own(gpu);
    let sum = Reducer::<f32, _>::new(&gpu.context, Sum).variant(variant);
    check(gpu, &sum);
    check(gpu, &sum.clone().precision(Precision::Exact));
    check(gpu, &Reducer::<u64, _>::new(&gpu.context, Max).variant(variant));
    let atomic = Reducer::<u32, _>::new(&gpu.context, Sum).variant(variant);
    check(gpu, &atomic.strategy(Strategy::WorkgroupAtomic));
    // No element counts, so each reduction takes two reads.
    let none = Map::<i32>::new("x").and_then(|map| map.only_where("false")).expect("a predicate");
    let least = Reducer::<i32, _>::new(&gpu.context, gridfold::Min).variant(variant);
    check(gpu, &least.map(&none).expect("a map"));
    let dot = Reducer::<(f32, f32), _>::new(&gpu.context, Dot).variant(variant);
    dot.warm_up_blocking().expect("pairs, too");
    // Without options the context does it, too.
    let compiled = || gpu.device().get_internal_counters().hal.compute_pipelines.read();
    let before = compiled();
    gpu.context.warm_up_blocking::<i32, _>(gridfold::Min).expect("compiles");
    let warm = compiled();
    assert!(warm > before);
    pollster::block_on(gpu.context.warm_up::<i32, _>(gridfold::Min)).expect("all is there");
    let least = Reducer::<i32, _>::new(&gpu.context, gridfold::Min);
    let input = upload(gpu, &elements::<i32>(5000));
    least.reduce_blocking(&input).expect("reduces");
    assert_eq!(compiled(), warm);
    // Many short inputs become segments, also where their results have to be moved.
    for step in [1, 11] {
        let mut batch = Batch::new(&gpu.context);
        batch.add(&least, input.slice(4200..4300).expect("within")).expect("adds");
        for number in 0..4200u64 {
            let begin = number * step % 4200;
            batch.add(&least, input.slice(begin..begin + 1).expect("within")).expect("adds");
        }
        batch.reduce_blocking().expect("reduces");
    }
    assert_eq!(compiled(), warm);
    let unfit = sum.strategy(Strategy::WorkgroupAtomic).warm_up_blocking();
    let unfit = unfit.expect_err("it does not reproduce");
    assert!(matches!(unfit, Error::Prepare(PrepareError::StrategyUnfit { .. })), "{unfit}");
}

/// Whatever allocates, and some of it given up midway.
fn use_everything(context: &Context, variant: Variant, input: &GpuSlice<f32>) {
    let device = context.device();
    for strategy in [Strategy::TwoPass, Strategy::WorkgroupAtomic] {
        let sum = Reducer::<f32, _>::new(context, Sum)
            .variant(variant)
            .strategy(strategy)
            .precision(Precision::Unordered);
        sum.reduce_blocking(input).expect("reduces");
        sum.measure_blocking(input).expect("reduces");
        pollster::block_on(sum.reduce(input)).expect("reduces");
        drop(sum.reduce(input));
        // Given up once it waits.
        let mut future = Box::pin(sum.reduce(input));
        let mut task = std::task::Context::from_waker(std::task::Waker::noop());
        assert!(future.as_mut().poll(&mut task).is_pending());
        drop(future);

        let executor = Executor::from_context(context.clone());
        let array = executor.upload(&[1.0f32; 5000]).expect("uploads");
        assert_eq!(array.sum().expect("reduces"), 5000.0);
        let in_chunks = executor.chunk_bytes(1 << 14);
        assert_eq!(in_chunks.sum(&[1.0f32; 50_000]).expect("reduces"), 50_000.0);
        let target = array.gpu_slices().expect("on a GPU")[0].slice(7..8).expect("within");
        let prepared = sum.prepare(input, &target).expect("prepares");
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let timer = DeviceTimer::new(context).expect("allocates");
        if let Some(timer) = &timer {
            prepared.record_timed(&mut encoder, timer.timestamp_writes());
        }
        prepared.record(&mut encoder);
        let readback = prepared.record_readback(&mut encoder).expect("records");
        context.queue().submit([encoder.finish()]);
        readback.wait_blocking().expect("reads");
        // Never submitted.
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        drop(prepared.record_readback(&mut encoder).expect("records"));
    }
}

fn created_once(gpu: &Gpu, variant: Variant) {
    const THREADS: usize = 4;
    let own = own(gpu);
    let input = &upload(&own, &elements::<f32>(20_000));
    let before = Objects::of(own.device());
    let start = &Barrier::new(THREADS);
    let context = &own.context;
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(move || {
                start.wait();
                for _ in 0..3 {
                    let sum = Reducer::<f32, _>::new(context, Sum)
                        .variant(variant)
                        .strategy(Strategy::TwoPass);
                    sum.reduce_blocking(input).expect("reduces");
                }
            });
        }
    });
    let after = Objects::of(own.device());
    // The first pass over whole rounds and its edges is one launch, the fold another.
    assert_eq!(after.pipelines - before.pipelines, 2, "{after:?}, before {before:?}");
    assert_eq!(after.shader_modules - before.shader_modules, 2, "{after:?}, before {before:?}");
    // Another context shares nothing with it.
    let other = Context::new_blocking(own.device(), context.queue()).expect("a context");
    let sum = Reducer::<f32, _>::new(&other, Sum).variant(variant).strategy(Strategy::TwoPass);
    sum.reduce_blocking(input).expect("reduces");
    assert!(Objects::of(own.device()).pipelines >= after.pipelines + 2);
}

/// A module that naga accepts, and a pipeline that no device can have.
fn named_pipeline(gpu: &Gpu, variant: Variant) {
    let entry = ["reduce/entry.wgsl@memory", "reduce/entry.wgsl@subgroups"]
        [usize::from(variant == Variant::Subgroup)];
    let many = "@workgroup_size(1048576)";
    let size = "@workgroup_size(WORKGROUP_SIZE)";
    let sources = Sources::default().replace(entry, size, many);
    let greedy = gpu.with_shaders(sources.expect("it is there")).expect("the probe is as it was");
    let max = Reducer::<f32, _>::new(&greedy.context, Max).variant(variant);
    let max = max.strategy(Strategy::TwoPass);
    let error = max.reduce_blocking(upload(&greedy, &[1.0; 10])).expect_err("too large");
    match error {
        Error::Prepare(PrepareError::Create(CreateError::Refused { what, message })) => {
            let expected = format!("gridfold reduce, max f32, {}", variant.name());
            assert!(what.starts_with(&expected), "{what}");
            assert!(message.contains(&expected), "{message}");
        }
        error => panic!("{error}"),
    }
}

/// Ours come and go within a call; the caller's catch the caller's errors.
fn error_scopes(gpu: &Gpu, variant: Variant) {
    let device = gpu.device();
    let input = upload(gpu, &elements::<f32>(9000));
    let sum = Reducer::<f32, _>::new(&gpu.context, Sum).variant(variant);
    let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
    sum.reduce_blocking(&input).expect("reduces");
    // An error of ours is a value.
    let foreign = output(&own(gpu), &[0.0f32; 4]);
    sum.prepare(&input, &foreign).expect_err("of another device");
    assert!(pollster::block_on(scope.pop()).is_none());

    let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
    let mut encoder = gpu.encoder();
    encoder.clear_buffer(input.buffer(), 1, None);
    sum.reduce_blocking(&input).expect("reduces");
    drop(encoder.finish());
    let error = pollster::block_on(scope.pop()).expect("the caller's mistake");
    assert!(error.to_string().contains("offset 1"), "{error}");
}

/// wgpu runs the caller's callbacks within our submissions, and so within our error scopes.
fn callbacks(gpu: &Gpu, variant: Variant) {
    let Gpu { context, .. } = &own(gpu);
    let device = context.device();
    let input = Executor::from_context(context.clone()).upload(&elements::<f32>(9000));
    let input = input.expect("there is memory");
    let input = input.gpu_slices().expect("on a GPU");
    let sum = Reducer::<f32, _>::new(context, Sum).variant(variant);
    let expected = sum.reduce_blocking(input).expect("reduces");
    // While the device has nothing to do, a callback waits for the next submission.
    let on_next_submission = |callback: fn(&wgpu::Device)| {
        device.poll(wgpu::PollType::wait_indefinitely()).expect("polls");
        let device = device.clone();
        context.queue().on_submitted_work_done(move || callback(&device));
    };

    let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
    on_next_submission(make_mistake);
    match sum.reduce_blocking(input) {
        Err(Error::Prepare(PrepareError::Refused { what, message })) => {
            assert_eq!(what, "a submission");
            assert!(message.contains("the callback's mistake"), "{message}");
        }
        outcome => panic!("{outcome:?}"),
    }
    on_next_submission(|device| {
        let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
        make_mistake(device);
        assert!(pollster::block_on(scope.pop()).is_some());
    });
    assert_eq!(sum.reduce_blocking(input).expect("reduces").to_bits(), expected.to_bits());
    assert!(pollster::block_on(scope.pop()).is_none());
}

fn make_mistake(device: &wgpu::Device) {
    let _ = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("the callback's mistake"),
        size: 4,
        usage: wgpu::BufferUsages::empty(),
        mapped_at_creation: false,
    });
}
