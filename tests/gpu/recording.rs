//! Into the caller's encoder, from several threads, and back to the host.

use crate::{
    BOTH, Case,
    device::Gpu,
    inputs::upload,
    support::{Element, elements, same_bits},
};
use gridfold::{
    DeviceTimer, Executor, GpuSlice, Max, Min, ReadError, Readback, Reducer, Sum, Variant, wgpu,
};
use std::{
    pin::{Pin, pin},
    sync::{Arc, Mutex},
    task::{Context as TaskContext, Poll, Wake, Waker},
    time::{Duration, Instant},
};

pub fn cases() -> Vec<Case> {
    vec![
        Case::tier1(BOTH, "several records in one encoder", several_records),
        Case::tier1(BOTH, "one preparation, recorded again and again", prepared_again),
        Case::tier1(BOTH, "the output lies in an input's buffer", output_shares_buffer),
        Case::tier1(BOTH, "outputs anywhere, neighbours untouched", output_offsets),
        Case::tier1(BOTH, "one reducer in several threads", threads),
        Case::tier1(BOTH, "one preparation in several threads", prepared_in_threads),
        Case::tier1(BOTH, "async calls under a plain executor", futures),
        Case::tier1(BOTH, "a future dropped midway", dropped_futures),
        Case::tier1(BOTH, "a future dropped by its waker", dropped_by_waker),
        Case::tier1(BOTH, "a readback after the caller's submit", readbacks),
        Case::tier1(BOTH, "device time", device_time),
        Case::tier1(BOTH, "arrays", arrays),
    ]
}

fn cpu_sum(values: &[f32]) -> f32 {
    Executor::cpu().sum(values).expect("the CPU can't fail")
}

fn several_records(gpu: &Gpu, variant: Variant) {
    let long = elements::<f32>(50_000);
    let short = elements::<f32>(777);
    let (long_slice, short_slice) = (upload(gpu, &long), upload(gpu, &short));
    let outputs = output(gpu, &[0.0; 4]);
    let out = |index| outputs.slice(index..index + 1).expect("within");
    let sum = Reducer::<f32, _>::new(&gpu.context, Sum).variant(variant);
    let max = Reducer::<f32, _>::new(&gpu.context, Max).variant(variant);

    let mut encoder = gpu.encoder();
    sum.record(&mut encoder, &long_slice, &out(0)).expect("records");
    sum.record(&mut encoder, &short_slice, &out(1)).expect("records");
    max.record(&mut encoder, &long_slice, &out(2)).expect("records");
    // Over the results so far: the device runs the passes in order.
    sum.record(&mut encoder, outputs.slice(0..3).expect("within"), &out(3)).expect("records");
    gpu.submit(encoder);

    let largest = Executor::cpu().max(&long).expect("the CPU can't fail").expect("not empty");
    let mut expected = vec![cpu_sum(&long), cpu_sum(&short), largest];
    expected.push(cpu_sum(&expected));
    assert_eq!(download(gpu, &outputs), expected);
}

fn prepared_again(gpu: &Gpu, variant: Variant) {
    let input = upload(gpu, &[0.0f32; 9000]);
    let output = output(gpu, &[0.0]);
    let sum = Reducer::<f32, _>::new(&gpu.context, Sum).variant(variant);
    let prepared = sum.prepare(&input, &output).expect("prepares");
    for round in 1..5u16 {
        let values: Vec<f32> = elements(9000).iter().map(|x: &f32| x * f32::from(round)).collect();
        let bytes = bytemuck::cast_slice(&values);
        gpu.context.queue().write_buffer(input.buffer(), 0, bytes);
        let mut encoder = gpu.encoder();
        prepared.record(&mut encoder);
        prepared.record(&mut encoder);
        gpu.submit(encoder);
        assert_eq!(download(gpu, &output), [cpu_sum(&values)]);
    }
}

fn output_shares_buffer(gpu: &Gpu, variant: Variant) {
    let power = |exponent: i32| 2f32.powi(exponent);
    let inputs = [
        elements::<f32>(1),
        elements::<f32>(1000),
        elements::<f32>(10_000),
        // Elements are sure to be added right, and their sum has to be looked at.
        vec![power(86); 2],
        vec![power(80); 4096],
        vec![power(80); 8192],
        vec![power(-102) + power(-125), -power(-102)],
    ];
    for mut values in inputs {
        let len = values.len();
        let expected = cpu_sum(&values);
        values.extend([1.0, 2.0]);
        let whole = output(gpu, &values);
        let input = whole.slice(0..len as u64).expect("within");
        let last = whole.slice(len as u64 + 1..len as u64 + 2).expect("within");
        let mut encoder = gpu.encoder();
        let sum = Reducer::<f32, _>::new(&gpu.context, Sum).variant(variant);
        sum.record(&mut encoder, &input, &last).expect("records");
        gpu.submit(encoder);
        values[len + 1] = expected;
        assert_eq!(download(gpu, &whole), values);
    }
}

/// A result must land in its own element, whether it comes from the first pass or the second.
pub fn output_offsets(gpu: &Gpu, variant: Variant) {
    let sum = Reducer::<f32, _>::new(&gpu.context, Sum).variant(variant);
    for len in [100, 10_000] {
        let values = elements::<f32>(len);
        let input = upload(gpu, &values);
        for place in [0u8, 1, 7, 63, 64, 65, 99] {
            let mut expected = vec![-1.0f32; 100];
            let outputs = output(gpu, &expected);
            let place = usize::from(place);
            let mut encoder = gpu.encoder();
            let out = outputs.slice(place as u64..place as u64 + 1).expect("within");
            sum.record(&mut encoder, &input, &out).expect("records");
            gpu.submit(encoder);
            expected[place] = cpu_sum(&values);
            assert_eq!(download(gpu, &outputs), expected, "into element {place}");
        }
    }
}

fn threads(gpu: &Gpu, variant: Variant) {
    // A fresh context, so that the threads also meet at the pipelines' first use.
    let gpu = &gpu.with_shaders(gridfold::shader::Sources::default()).expect("a context");
    let sum = &Reducer::<f32, _>::new(&gpu.context, Sum).variant(variant);
    std::thread::scope(|scope| {
        for thread in 0..4usize {
            scope.spawn(move || {
                for len in [10 + thread, 5000 * thread, 30_000 + thread] {
                    let values = elements::<f32>(len + 1);
                    let input = upload(gpu, &values);
                    let value = sum.reduce_blocking(&input).expect("reduces");
                    assert_eq!(value.to_bits(), cpu_sum(&values).to_bits());
                }
            });
        }
    });
}

fn prepared_in_threads(gpu: &Gpu, variant: Variant) {
    let values = elements::<f32>(20_000);
    let input = upload(gpu, &values);
    let output = output(gpu, &[0.0]);
    let sum = Reducer::<f32, _>::new(&gpu.context, Sum).variant(variant);
    let prepared = &sum.prepare(&input, &output).expect("prepares");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(move || {
                let mut encoder = gpu.encoder();
                let readback = prepared.record_readback(&mut encoder).expect("records");
                gpu.submit(encoder);
                assert_eq!(pollster::block_on(readback), Ok(cpu_sum(&values_again())));
            });
        }
    });

    fn values_again() -> Vec<f32> {
        elements(20_000)
    }
}

fn futures(gpu: &Gpu, variant: Variant) {
    let values = elements::<f32>(10_000);
    let input = upload(gpu, &values);
    let sum = Reducer::<f32, _>::new(&gpu.context, Sum).variant(variant);
    let value = pollster::block_on(sum.reduce(&input)).expect("reduces");
    assert_eq!(value.to_bits(), cpu_sum(&values).to_bits());
    let reduction = pollster::block_on(sum.measure(&input)).expect("reduces");
    assert_eq!(reduction.value.to_bits(), cpu_sum(&values).to_bits());
    assert_eq!(reduction.adapter, *gpu.context.adapter());

    // Futures of two reductions awaited in the other order, on another thread.
    let (first, second) =
        (sum.reduce(input.clone()), sum.reduce(input.slice(0..5).expect("within")));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let second = pollster::block_on(second).expect("reduces");
            assert_eq!(second.to_bits(), cpu_sum(&values[..5]).to_bits());
            let first = pollster::block_on(first).expect("reduces");
            assert_eq!(first.to_bits(), cpu_sum(&values).to_bits());
        });
    });
}

fn dropped_futures(gpu: &Gpu, variant: Variant) {
    let values = elements::<f32>(100_000);
    let input = upload(gpu, &values);
    let sum = Reducer::<f32, _>::new(&gpu.context, Sum).variant(variant);
    drop(sum.reduce(&input));
    for _ in 0..3 {
        let mut future = pin!(sum.reduce(&input));
        let mut context = TaskContext::from_waker(Waker::noop());
        // Submitted, and usually still under way.
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            assert_eq!(value.expect("reduces").to_bits(), cpu_sum(&values).to_bits());
        }
    }
    let value = sum.reduce_blocking(&input).expect("the context is as good as before");
    assert_eq!(value.to_bits(), cpu_sum(&values).to_bits());
}

/// A task of an executor that is gone: waking it drops it.
struct LastTask(Mutex<Option<Pin<Box<Readback<f32>>>>>);

impl Wake for LastTask {
    fn wake(self: Arc<Self>) {
        drop(self.0.lock().expect("no panic").take());
    }
}

impl LastTask {
    fn poll(readback: Readback<f32>) -> Arc<Self> {
        let task = Arc::new(Self(Mutex::new(Some(Box::pin(readback)))));
        let waker = Waker::from(Arc::clone(&task));
        let mut future = task.0.lock().expect("no panic");
        let polled = future.as_mut().expect("polled once").as_mut();
        assert!(polled.poll(&mut TaskContext::from_waker(&waker)).is_pending());
        drop(future);
        task
    }

    fn is_dropped(&self) -> bool {
        self.0.lock().expect("no panic").is_none()
    }
}

fn dropped_by_waker(gpu: &Gpu, variant: Variant) {
    let input = upload(gpu, &[1.0f32; 10]);
    let sum = Reducer::<f32, _>::new(&gpu.context, Sum).variant(variant);
    let mut encoder = gpu.encoder();
    let task = LastTask::poll(sum.record_readback(&mut encoder, &input).expect("records"));
    gpu.submit(encoder);
    let begin = Instant::now();
    while !task.is_dropped() {
        assert!(
            begin.elapsed() < Duration::from_secs(20),
            "the task is woken, and drops the future"
        );
        std::thread::sleep(Duration::from_millis(1));
    }
    let mut encoder = gpu.encoder();
    let task = LastTask::poll(sum.record_readback(&mut encoder, &input).expect("records"));
    drop(encoder);
    assert!(task.is_dropped());
    let value = pollster::block_on(sum.reduce(&input)).expect("the context is as good as before");
    assert_eq!(value, 10.0);
}

fn readbacks(gpu: &Gpu, variant: Variant) {
    let values = elements::<f32>(5000);
    let input = upload(gpu, &values);
    let empty = input.slice(0..0).expect("within");
    let sum = Reducer::<f32, _>::new(&gpu.context, Sum).variant(variant);
    let min = Reducer::<f32, _>::new(&gpu.context, Min).variant(variant);

    let mut encoder = gpu.encoder();
    let first = sum.record_readback(&mut encoder, &input).expect("records");
    let nothing = min.record_readback(&mut encoder, &empty).expect("records");
    let waiting = std::thread::spawn(move || pollster::block_on(first));
    // The future is polled before there is anything to wait for.
    std::thread::sleep(Duration::from_millis(20));
    gpu.submit(encoder);
    assert_eq!(waiting.join().expect("no panic"), Ok(cpu_sum(&values)));
    assert_eq!(nothing.wait_blocking(), Ok(None));

    let mut encoder = gpu.encoder();
    let unsubmitted = sum.record_readback(&mut encoder, &input).expect("records");
    assert_eq!(unsubmitted.wait_blocking(), Err(ReadError::NotSubmitted));
    let dropped = sum.record_readback(&mut encoder, &input).expect("records");
    drop(encoder);
    assert_eq!(dropped.wait_blocking(), Err(ReadError::Dropped));

    let mut encoder = gpu.encoder();
    let dropped = sum.record_readback(&mut encoder, &input).expect("records");
    drop(encoder);
    assert_eq!(pollster::block_on(dropped), Err(ReadError::Dropped));
}

fn device_time(gpu: &Gpu, variant: Variant) {
    let input = upload(gpu, &elements::<f32>(300_000));
    let output = output(gpu, &[0.0]);
    let sum = Reducer::<f32, _>::new(&gpu.context, Sum).variant(variant);
    let timer = DeviceTimer::new(&gpu.context).expect("creates");
    assert_eq!(timer.is_some(), gpu.capabilities().timestamps);
    let Some(timer) = timer else {
        assert_eq!(sum.measure_blocking(&input).expect("reduces").device_time, None);
        return;
    };
    let prepared = sum.prepare(&input, &output).expect("prepares");
    // The first pass may include the driver's compilation.
    for _ in 0..2 {
        let begin = Instant::now();
        let mut encoder = gpu.encoder();
        prepared.record_timed(&mut encoder, timer.timestamp_writes());
        let readback = timer.record_readback(&mut encoder).expect("records");
        gpu.submit(encoder);
        let time = readback.wait_blocking().expect("reads");
        let wall = begin.elapsed();
        assert!(time.is_none_or(|time| !time.is_zero() && time <= wall), "{time:?} of {wall:?}");
    }
    let measured = sum.measure_blocking(&input).expect("reduces");
    assert!(measured.device_time.is_none_or(|time| !time.is_zero()));
}

fn arrays(gpu: &Gpu, _: Variant) {
    let executor = Executor::from_context(gpu.context.clone());
    let mut values = elements::<u32>(10_000);
    let array = executor.upload(&values).expect("uploads");
    assert_eq!(array.download().expect("downloads"), values);
    values[50..53].copy_from_slice(&[1, 2, 3]);
    array.slice(40..60).expect("within").write(10, &[1, 2, 3]).expect("writes");
    assert_eq!(array.download().expect("downloads"), values);
    let middle = array.slice(7..9001).expect("within").slice(1..8000).expect("within");
    assert_eq!(middle.download().expect("downloads"), values[8..8007]);
    let expected = Executor::cpu().bit_xor(&values[8..8007]).expect("the CPU can't fail");
    assert_eq!(middle.bit_xor().expect("reduces"), expected);
    assert_eq!(executor.min(&[] as &[f32]).expect("reduces"), None);
    assert!(same_bits(array.max().expect("reduces"), values.iter().copied().max()));

    // An array larger than a buffer can be.
    let mut values = elements::<u32>(40_000);
    let small = gpu
        .with_limits(|limits| {
            limits.max_buffer_size = 65_536;
            limits.max_storage_buffer_binding_size = 65_536;
        })
        .expect("a device with lower limits");
    let array = Executor::from_context(small.context.clone()).upload(&values).expect("uploads");
    assert_eq!(array.gpu_slices().expect("on a GPU").len(), 3);
    array.write(16_382, &[9, 8, 7, 6]).expect("writes");
    values[16_382..16_386].copy_from_slice(&[9, 8, 7, 6]);
    assert_eq!(array.download().expect("downloads"), values);
    let part = array.slice(16_000..39_000).expect("within");
    assert_eq!(part.download().expect("downloads"), values[16_000..39_000]);
    assert_eq!(
        part.sum().expect("reduces"),
        Executor::cpu().sum(&values[16_000..39_000]).expect("the CPU can't fail")
    );
}

/// A buffer for results, which can also be an input.
pub fn output<T: Element>(gpu: &Gpu, values: &[T]) -> GpuSlice<T> {
    let buffer = gpu.device().create_buffer(&wgpu::BufferDescriptor {
        label: Some("results"),
        size: size_of_val(values) as u64,
        usage: wgpu::BufferUsages::STORAGE
            | wgpu::BufferUsages::COPY_SRC
            | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    gpu.context.queue().write_buffer(&buffer, 0, bytemuck::cast_slice(values));
    GpuSlice::whole(&buffer)
}

/// The elements of a buffer, through wgpu alone.
pub fn download<T: Element>(gpu: &Gpu, slice: &GpuSlice<T>) -> Vec<T> {
    let staging = gpu.device().create_buffer(&wgpu::BufferDescriptor {
        label: Some("download"),
        size: slice.len() * T::TYPE.size_bytes(),
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let mut encoder = gpu.encoder();
    let (offset, size) = (slice.offset_bytes(), slice.len() * T::TYPE.size_bytes());
    encoder.copy_buffer_to_buffer(slice.buffer(), offset, &staging, 0, size);
    gpu.submit(encoder);
    staging.map_async(wgpu::MapMode::Read, .., |mapped| mapped.expect("maps"));
    gpu.device().poll(wgpu::PollType::wait_indefinitely()).expect("polls");
    bytemuck::pod_collect_to_vec(&staging.get_mapped_range(..).expect("is mapped"))
}
