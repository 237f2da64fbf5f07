//! Lost devices: every call ends in an error that says so, and none in a panic, a hang, or an error that
//! the caller finds in his scopes or handlers.

use crate::{BOTH, Case, device::Gpu, inputs::upload, recording::output};
use gridfold::{
    Context, CreateError, DeviceTimer, Error, Executor, Group, HostSlices, PrepareError, ReadError,
    Reducer, Sum, Variant, wgpu,
};
use std::{panic::resume_unwind, time::Instant};

pub fn cases() -> Vec<Case> {
    vec![
        Case::tier1(BOTH, "a destroyed device", destroyed),
        Case::tier1(BOTH, "readbacks under way when the device is destroyed", destroyed_under_way),
        Case::tier1(
            BOTH,
            "a host slice under way when the device is destroyed",
            destroyed_in_mid_stream,
        )
        .only(Variant::WorkgroupMemory),
        Case::tier1(BOTH, "a group, of which a device is destroyed midway", destroyed_in_a_group)
            .only(Variant::WorkgroupMemory),
        Case::tier1(BOTH, "a callback that panics while the device is polled", panicking_callback),
    ]
}

fn sum(context: &Context, variant: Variant) -> Reducer<f32, Sum> {
    Reducer::new(context, Sum).variant(variant)
}

/// A device of its own for a test that loses it, which must get no error of wgpu's either.
fn on_another_device(gpu: &Gpu, test: impl FnOnce(&Gpu)) {
    let lost = Gpu::open(&gpu.adapter).expect("a device");
    lost.check(test).expect("nothing reaches the caller's scopes and handlers");
}

/// The adapter is as good as before.
fn check_that_others_go_on(gpu: &Gpu, variant: Variant) {
    let input = upload(gpu, &[1.0f32; 10]);
    assert_eq!(sum(&gpu.context, variant).reduce_blocking(&input).expect("reduces"), 10.0);
    on_another_device(gpu, |new| {
        let input = upload(new, &[1.0f32; 10]);
        assert_eq!(sum(&new.context, variant).reduce_blocking(&input).expect("reduces"), 10.0);
    });
}

#[track_caller]
fn assert_lost<T>(outcome: Result<T, impl Into<Error>>) {
    match outcome.map_err(Into::into) {
        Err(
            Error::Create(CreateError::DeviceLost)
            | Error::Prepare(PrepareError::DeviceLost)
            | Error::Read(ReadError::DeviceLost),
        ) => {}
        Err(error) => panic!("{error:?}"),
        Ok(_) => panic!("the device is lost"),
    }
}

fn destroyed(gpu: &Gpu, variant: Variant) {
    on_another_device(gpu, |lost| {
        let sum = sum(&lost.context, variant);
        let executor = Executor::from_context(lost.context.clone());
        let input = upload(lost, &[1.0f32; 10]);
        let result = output(lost, &[0.0]);
        let array = executor.upload(&[1.0f32; 10]).expect("uploads");
        let prepared = sum.prepare(&input, &result).expect("prepares");
        let timer = DeviceTimer::new(&lost.context).expect("allocates");
        let mut unsubmitted = lost.encoder();
        let readback = prepared.record_readback(&mut unsubmitted).expect("records");
        let kept = prepared.record_readback(&mut unsubmitted).expect("records");

        lost.device().destroy();

        // What was recorded before. The first submission is the caller's.
        lost.submit(unsubmitted);
        assert_lost(readback.wait_blocking());
        assert_lost(pollster::block_on(kept));

        assert_lost(sum.prepare(&input, &result));
        assert_lost(sum.record(&mut lost.encoder(), &input, &result));
        assert_lost(sum.record_readback(&mut lost.encoder(), &input));
        assert_lost(sum.reduce_blocking(&input));
        assert_lost(sum.measure_blocking(&input));
        assert_lost(pollster::block_on(sum.reduce(&input)));
        assert_lost(pollster::block_on(sum.measure(&input)));

        // Recording has no result: it does no harm.
        let mut encoder = lost.encoder();
        prepared.record(&mut encoder);
        assert_lost(prepared.record_readback(&mut encoder));
        if let Some(timer) = &timer {
            prepared.record_timed(&mut encoder, timer.timestamp_writes());
            assert_lost(timer.record_readback(&mut encoder));
            assert_lost(DeviceTimer::new(&lost.context));
        }
        lost.submit(encoder);

        assert_lost(array.sum());
        assert_lost(array.reduce(Sum));
        assert_lost(array.write(0, &[2.0]));
        assert_lost(array.download());
        assert_lost(executor.upload(&[1.0f32; 10]));
        assert_lost(executor.sum(&[1.0f32; 10]));
        let in_chunks = executor.chunk_bytes(1 << 14);
        assert_lost(in_chunks.sum(&[1.0f32; 50_000]));
        assert_lost(in_chunks.reduce::<f32, _>(&[1.0f32; 50_000], Sum));
        assert_lost(in_chunks.dot(&[1.0f32; 50_000], &[1.0f32; 50_000]));
        // The CPU needs no device.
        let on_cpu = in_chunks.host_slices(HostSlices::OnCpu);
        assert_eq!(on_cpu.sum(&[1.0f32; 10]).expect("the CPU can't fail"), 10.0);
        assert_lost(Context::new_blocking(lost.device(), lost.context.queue()));
    });
    check_that_others_go_on(gpu, variant);
}

fn destroyed_under_way(gpu: &Gpu, variant: Variant) {
    // What the device was doing may still come, in full.
    let check = |outcome: Result<f32, ReadError>| match outcome {
        Ok(value) => assert_eq!(value, 1_000_000.0),
        Err(error) => assert_eq!(error, ReadError::DeviceLost),
    };
    on_another_device(gpu, |lost| {
        let sum = sum(&lost.context, variant);
        let input = upload(lost, &vec![1.0f32; 1_000_000]);
        let submitted = || {
            let mut encoder = lost.encoder();
            let readback = sum.record_readback(&mut encoder, &input).expect("records");
            lost.submit(encoder);
            readback
        };
        let (blocking, awaited) = (submitted(), submitted());
        let mut encoder = lost.encoder();
        let dropped = sum.record_readback(&mut encoder, &input).expect("records");
        let mut never_submitted = lost.encoder();
        let waiting = sum.record_readback(&mut never_submitted, &input).expect("records");

        std::thread::scope(|scope| {
            let awaited = scope.spawn(|| pollster::block_on(awaited));
            lost.device().destroy();
            check(blocking.wait_blocking());
            check(awaited.join().expect("no panic"));
        });
        drop(encoder);
        assert_eq!(pollster::block_on(dropped), Err(ReadError::DeviceLost));
        assert_eq!(waiting.wait_blocking(), Err(ReadError::DeviceLost));
    });
    check_that_others_go_on(gpu, variant);
}

/// At ten moments, of which some are in its middle.
fn destroyed_in_mid_stream(gpu: &Gpu, variant: Variant) {
    let values = vec![1.0f32; 4_000_000];
    let whole = Instant::now();
    let stream =
        |gpu: &Gpu| Executor::from_context(gpu.context.clone()).chunk_bytes(1 << 18).sum(&values);
    assert_eq!(stream(gpu).expect("reduces"), 4_000_000.0);
    let whole = whole.elapsed();
    for moment in 0..10 {
        on_another_device(gpu, |lost| {
            std::thread::scope(|scope| {
                let sum = scope.spawn(|| stream(lost));
                std::thread::sleep(whole * moment / 10);
                lost.device().destroy();
                match sum.join().expect("no panic") {
                    Ok(value) => assert_eq!(value, 4_000_000.0),
                    outcome => assert_lost(outcome),
                }
            });
            assert_lost(stream(lost));
        });
    }
    check_that_others_go_on(gpu, variant);
}

/// At five moments. The others make its part, or it was done before.
fn destroyed_in_a_group(gpu: &Gpu, variant: Variant) {
    let values = vec![1.0f32; 2_000_000];
    let member = |gpu: &Gpu| Executor::from_context(gpu.context.clone());
    let reduce = |lost: &Gpu| {
        let group = Group::new([member(lost), member(gpu)]).expect("two");
        group.reduce(&values, Sum).expect("one is left")
    };
    let whole = Instant::now();
    on_another_device(gpu, |other| assert_eq!(reduce(other).lost, []));
    let whole = whole.elapsed();
    for moment in 0..5 {
        on_another_device(gpu, |lost| {
            let reduction = std::thread::scope(|scope| {
                let reduction = scope.spawn(|| reduce(lost));
                std::thread::sleep(whole * moment / 5);
                lost.device().destroy();
                reduction.join().expect("no panic")
            });
            assert_eq!(reduction.value, 2_000_000.0);
            let made: u64 =
                reduction.shares.iter().map(|share| share.range.end - share.range.start).sum();
            assert_eq!(made, 2_000_000);
            // It was done before, or it is named.
            assert!(
                reduction.lost.iter().all(|name| name == lost.context.adapter()),
                "{reduction:?}"
            );
            assert!(reduction.lost.len() <= 1, "{reduction:?}");
            // Now it is lost in any case.
            assert_eq!(reduce(lost).lost, [lost.context.adapter().clone()]);
        });
    }
    check_that_others_go_on(gpu, variant);
}

fn panicking_callback(gpu: &Gpu, variant: Variant) {
    on_another_device(gpu, |gpu| {
        let sum = sum(&gpu.context, variant);
        let input = upload(gpu, &[1.0f32; 10]);
        let mut encoder = gpu.encoder();
        let readback = sum.record_readback(&mut encoder, &input).expect("records");
        gpu.submit(encoder);
        gpu.context.queue().on_submitted_work_done(|| resume_unwind(Box::new("the caller's")));
        let error = readback.wait_blocking().expect_err("polling panicked");
        assert!(matches!(error, ReadError::Map(_)), "{error:?}");
        assert_eq!(sum.reduce_blocking(&input).expect("reduces"), 10.0);

        if gpu.capabilities().subgroups.is_none() {
            return; // No probe is run, so a context waits for nothing.
        }
        panic_on_the_poller(gpu.device().create_buffer(&wgpu::BufferDescriptor {
            label: Some("the caller's"),
            size: 4,
            usage: wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        }));
        let new_context = || Context::new_blocking(gpu.device(), gpu.context.queue());
        let error = new_context().map(|_| ()).expect_err("polling panicked");
        assert!(matches!(error, CreateError::Probe(_)), "{error:?}");
        new_context().expect("the next time nothing panics");
    });
}

/// Submitting runs callbacks, too, on the caller's thread: there this one only asks to be run again.
fn panic_on_the_poller(mapped: wgpu::Buffer) {
    mapped.clone().map_async(wgpu::MapMode::Read, .., move |_| {
        if std::thread::current().name() == Some("gridfold poller") {
            resume_unwind(Box::new("the caller's"));
        }
        mapped.unmap();
        panic_on_the_poller(mapped);
    });
}
