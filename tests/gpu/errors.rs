//! Bad input: a typed error, and nothing recorded, lost or left in the caller's error scopes.

use crate::{BOTH, Case, device::Gpu, inputs::upload, recording::output};
use gridfold::{
    Context, CreateError, Error, Executor, GpuSlice, Policy, PrepareError, Product, ReadError,
    Reducer, Requirements, SliceError, Strategy, Sum, Variant, wgpu,
};

pub fn cases() -> Vec<Case> {
    vec![
        Case::tier1(BOTH, "buffers without the usage", usages),
        Case::tier1(BOTH, "outputs that can't be", outputs),
        Case::tier1(BOTH, "slices that can't be", slices),
        Case::tier1(BOTH, "a variant that the device lacks", variants),
        Case::tier1(BOTH, "policies out of bounds", policies),
        Case::tier1(BOTH, "a device with too low limits", low_limits),
        Case::tier1(BOTH, "a buffer of another device", other_device),
        Case::tier1(BOTH, "a shader that does not compile", broken_shader),
        Case::tier1(BOTH, "the limits that requirements ask for", required_limits),
        Case::tier1(BOTH, "an input that is still mapped", mapped_input),
        Case::tier1(BOTH, "a submission that wgpu rejects", rejected_submission),
        Case::tier1(BOTH, "a destroyed buffer", destroyed_buffer),
        Case::tier1(BOTH, "the lowest binding limits that there are", tiny_bindings),
    ]
}

fn sum(gpu: &Gpu, variant: Variant) -> Reducer<f32, Sum> {
    Reducer::new(&gpu.context, Sum).variant(variant)
}

fn buffer(gpu: &Gpu, usage: wgpu::BufferUsages) -> GpuSlice<f32> {
    GpuSlice::whole(&gpu.device().create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: 64,
        usage,
        mapped_at_creation: false,
    }))
}

fn usages(gpu: &Gpu, variant: Variant) {
    let storage = buffer(gpu, wgpu::BufferUsages::STORAGE);
    let other = buffer(gpu, wgpu::BufferUsages::COPY_SRC);
    let sum = sum(gpu, variant);
    let error = sum.prepare(&other, &storage).expect_err("no storage");
    assert!(
        matches!(error, PrepareError::Usage { role: "input", missing, .. } if missing == wgpu::BufferUsages::STORAGE),
        "{error}"
    );
    let error = sum.prepare(&storage, &other).expect_err("no storage");
    assert!(matches!(error, PrepareError::Usage { role: "output", .. }), "{error}");
    let another = buffer(gpu, wgpu::BufferUsages::STORAGE);
    let prepared = sum.prepare(&storage, &another).expect("only storage is needed");
    let error = prepared.record_readback(&mut gpu.encoder()).expect_err("can't be copied");
    assert!(
        matches!(error, PrepareError::Usage { role: "output", missing, .. } if missing == wgpu::BufferUsages::COPY_SRC),
        "{error}"
    );
}

fn outputs(gpu: &Gpu, variant: Variant) {
    let sum = sum(gpu, variant);
    let whole = output(gpu, &[1f32; 100]);
    let nothing = whole.slice(5..5).expect("within");
    let input = whole.slice(10..20).expect("within");
    let error = sum.prepare(&input, &nothing).expect_err("no room");
    assert!(matches!(error, PrepareError::ShortOutput { .. }), "{error}");
    let other = output(gpu, &[1.0]);
    let slices = vec![other, input];
    for element in [10, 19] {
        let within = whole.slice(element..element + 1).expect("within");
        let error = sum.prepare(slices.clone(), &within).expect_err("within the input");
        assert!(matches!(error, PrepareError::OutputWithinInput { slice: 1 }), "{error}");
    }
    for element in [9, 20] {
        let beside = whole.slice(element..element + 1).expect("within");
        sum.prepare(slices.clone(), &beside).expect("beside the input");
    }
}

fn slices(gpu: &Gpu, _: Variant) {
    let whole = output(gpu, &[1f32; 100]);
    let buffer = whole.buffer();
    let misaligned = GpuSlice::<f32>::new(buffer, 2, 1);
    assert_eq!(misaligned, Err(SliceError::Misaligned { offset_bytes: 2, element_bytes: 4 }));
    for (offset_bytes, len) in [(0, 101), (400, 1), (404, 0), (0, u64::MAX), (u64::MAX - 3, 1)] {
        let past = GpuSlice::<f32>::new(buffer, offset_bytes, len);
        let expected = SliceError::PastBuffer { offset_bytes, len, buffer_bytes: 400 };
        assert_eq!(past, Err(expected));
    }
    GpuSlice::<f32>::new(buffer, 400, 0).expect("nothing at the end");
    #[expect(clippy::reversed_empty_ranges, reason = "what is tested")]
    for range in [0..101, 101..101, 5..4] {
        let part = whole.slice(range.clone());
        assert_eq!(part, Err(SliceError::PastSlice { range: range.clone(), len: 100 }));
        let array = Executor::from_context(gpu.context.clone()).upload(&[0u32; 100]);
        let part = array.expect("uploads").slice(range.clone()).expect_err("past the end");
        assert_eq!(part, SliceError::PastSlice { range, len: 100 });
    }
    let array = Executor::from_context(gpu.context.clone()).upload(&[7u32; 100]).expect("uploads");
    let error = array.write(99, &[1, 2]).expect_err("past the end");
    assert!(matches!(error, Error::Slice(SliceError::PastSlice { len: 100, .. })), "{error}");
    assert_eq!(array.download().expect("downloads"), [7; 100]);
}

fn variants(gpu: &Gpu, _: Variant) {
    let limits = gpu.device().limits();
    let plain = Gpu::with(&gpu.adapter, wgpu::Features::empty(), limits).expect("a device");
    plain
        .check(|gpu| {
            let input = upload(gpu, &[1.0f32, 2.0]);
            let error = sum(gpu, Variant::Subgroup).reduce_blocking(&input).expect_err("lacking");
            assert!(matches!(error, Error::Prepare(PrepareError::NoSubgroups)), "{error}");
            assert_eq!(sum(gpu, Variant::Auto).reduce_blocking(&input).expect("reduces"), 3.0);
        })
        .expect("no errors");
}

fn policies(gpu: &Gpu, variant: Variant) {
    let input = upload(gpu, &[1.0f32]);
    for (min_rows, max_workgroups) in [(0, 1), (2, 1), (5, 1), (1 << 17, 1), (4, 0), (4, 2049)] {
        let policy = Policy { min_rows, max_workgroups };
        let error = sum(gpu, variant).policy(policy).plan(&input).expect_err("out of bounds");
        assert!(matches!(error, PrepareError::Policy { policy: p } if p == policy), "{error}");
    }
}

fn low_limits(gpu: &Gpu, _: Variant) {
    let mut limits = wgpu::Limits::downlevel_defaults().or_worse_values_from(&gpu.adapter.limits());
    limits.max_storage_buffers_per_shader_stage = 3;
    let low = Gpu::with(&gpu.adapter, wgpu::Features::empty(), limits.clone());
    let message = low.err().expect("too low");
    assert!(message.contains("max_storage_buffers_per_shader_stage = 3"), "{message}");
    let descriptor = wgpu::DeviceDescriptor { required_limits: limits, ..Default::default() };
    let (device, queue) =
        pollster::block_on(gpu.adapter.request_device(&descriptor)).expect("a device");
    let error = Context::new_blocking(&device, &queue).expect_err("too low");
    assert!(matches!(error, CreateError::Limit { needed: 4, found: 3, .. }), "{error}");
}

fn other_device(gpu: &Gpu, variant: Variant) {
    let other = Gpu::open(&gpu.adapter).expect("another device");
    let foreign = upload(&other, &[1.0f32; 10]);
    let error = sum(gpu, variant).reduce_blocking(&foreign).expect_err("of another device");
    assert!(matches!(error, Error::Prepare(PrepareError::Refused { .. })), "{error}");
    let own = upload(gpu, &[1.0f32; 10]);
    assert_eq!(sum(gpu, variant).reduce_blocking(&own).expect("reduces"), 10.0);
}

fn broken_shader(gpu: &Gpu, variant: Variant) {
    let sources = gridfold::shader::Sources::default()
        .replace("reduce/rounds.wgsl@rows", "fn round_load", "fn round_load_2")
        .expect("it is there");
    let broken = gpu.with_shaders(sources).expect("the probe does not use it");
    let input = upload(gpu, &[1.0f32; 10]);
    let sum = sum(&broken, variant).strategy(Strategy::TwoPass);
    let error = sum.reduce_blocking(&input).expect_err("broken");
    match error {
        Error::Prepare(PrepareError::Create(CreateError::Refused { what, message })) => {
            let expected = format!("gridfold reduce, sum f32, {}", variant.name());
            assert_eq!(what, expected);
            assert!(message.contains("round_load"), "{message}");
        }
        error => panic!("{error}"),
    }
}

/// No device has lower ones.
fn tiny_bindings(gpu: &Gpu, variant: Variant) {
    let tiny = gpu
        .with_limits(|limits| limits.max_storage_buffer_binding_size = (1 << 15) + 16)
        .expect("a device with a lower limit");
    tiny.check(|gpu| {
        let input = upload(gpu, &[1.0f32; 20_000]);
        let sum = sum(gpu, variant);
        assert_eq!(sum.reduce_blocking(&input).expect("reduces"), 20_000.0);
        assert_eq!(sum.reduce_blocking(vec![input.clone(); 3]).expect("reduces"), 60_000.0);
        let product = Reducer::<f32, _>::new(&gpu.context, Product).variant(variant);
        assert_eq!(product.reduce_blocking(vec![input; 3]).expect("reduces"), 1.0);
    })
    .expect("no errors");
}

fn required_limits(gpu: &Gpu, variant: Variant) {
    if variant == Variant::Subgroup {
        return; // Once is enough: the variant plays no part.
    }
    let requirements = Requirements::of(&gpu.adapter);
    let limits = requirements.limits(wgpu::Limits::downlevel_webgl2_defaults());
    let other = Gpu::with(&gpu.adapter, wgpu::Features::empty(), limits).expect("enough");
    let input = upload(&other, &[1.0f32; 10]);
    assert_eq!(sum(&other, variant).reduce_blocking(&input).expect("reduces"), 10.0);
}

fn mapped_input(gpu: &Gpu, variant: Variant) {
    let mapped = gpu.device().create_buffer(&wgpu::BufferDescriptor {
        label: Some("mapped"),
        size: 64,
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: true,
    });
    let sum = sum(gpu, variant);
    for error in [
        sum.reduce_blocking(&mapped).expect_err("mapped"),
        sum.measure_blocking(&mapped).expect_err("mapped"),
        pollster::block_on(sum.reduce(&mapped)).expect_err("mapped"),
    ] {
        assert!(matches!(error, Error::Prepare(PrepareError::Refused { .. })), "{error}");
    }
    mapped.unmap();
    assert_eq!(sum.reduce_blocking(&mapped).expect("reduces"), 0.0);
}

fn rejected_submission(gpu: &Gpu, variant: Variant) {
    let input = upload(gpu, &[1.0f32; 10]);
    let sum = sum(gpu, variant);
    for blocks in [true, false] {
        let mut encoder = gpu.encoder();
        let readback = sum.record_readback(&mut encoder, &input).expect("records");
        // Something else of the caller's that makes the encoder invalid.
        let scope = gpu.device().push_error_scope(wgpu::ErrorFilter::Validation);
        encoder.clear_buffer(input.buffer(), 1, None);
        gpu.submit(encoder);
        let error = pollster::block_on(scope.pop());
        assert!(matches!(error, Some(wgpu::Error::Validation { .. })), "{error:?}");
        let value = if blocks { readback.wait_blocking() } else { pollster::block_on(readback) };
        assert_eq!(value, Err(ReadError::Rejected));
    }
}

fn destroyed_buffer(gpu: &Gpu, variant: Variant) {
    let input = upload(gpu, &[1.0f32; 10]);
    let sum = sum(gpu, variant);
    let output = buffer(gpu, wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC);
    let prepared = sum.prepare(&input, &output).expect("nothing is destroyed yet");
    input.buffer().destroy();
    let error = sum.prepare(&input, &output).expect_err("destroyed");
    assert!(matches!(error, PrepareError::Refused { .. }), "{error}");
    // What was prepared before records as ever, and wgpu rejects the caller's submission.
    let mut encoder = gpu.encoder();
    let readback = prepared.record_readback(&mut encoder).expect("its own buffers are there");
    let scope = gpu.device().push_error_scope(wgpu::ErrorFilter::Validation);
    gpu.submit(encoder);
    let error = pollster::block_on(scope.pop());
    assert!(matches!(error, Some(wgpu::Error::Validation { .. })), "{error:?}");
    assert_eq!(readback.wait_blocking(), Err(ReadError::Rejected));
}
