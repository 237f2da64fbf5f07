//! Values on their way to the host: several at once, by copies and without, polled for and waited for.

use crate::{BOTH, Case, device::Gpu, inputs::upload, support::elements};
use gridfold::{
    Batch, CreateError, Error, Executor, GpuSlice, PrepareError, ReadError, Reducer, Sum, Variant,
    wgpu,
};

pub fn cases() -> Vec<Case> {
    vec![
        Case::tier1(BOTH, "values come by a copy, and without one", by_a_copy),
        Case::tier1(BOTH, "threads that wait at once", threads),
        Case::tier1(BOTH, "threads that wait while the device is destroyed", destroyed),
        Case::tier1(BOTH, "rejected submissions between others", rejected_between),
    ]
}

const LENGTHS: [usize; 4] = [1, 1000, 5000, 40_000];

/// A device that no other test uses: how it is waited for is a matter of the context.
fn own(gpu: &Gpu, features: wgpu::Features, spins: bool) -> Gpu {
    let own = Gpu::with(&gpu.adapter, features, gpu.device().limits()).expect("a device");
    own.context.set_spins(spins);
    own
}

/// Each value is of another input, so that none is one of a call before.
fn check_values(gpu: &Gpu, variant: Variant) {
    let values = elements::<f32>(45_000);
    let input = upload(gpu, &values);
    let sum = Reducer::<f32, _>::new(&gpu.context, Sum).variant(variant);
    let part = |begin: usize, len: usize| {
        let slice = input.slice(begin as u64..(begin + len) as u64).expect("within");
        (slice, Executor::cpu().sum(&values[begin..begin + len]).expect("sums"))
    };
    for (round, len) in (0..).zip(LENGTHS) {
        let (slice, expected) = part(round * 7, len);
        assert_eq!(sum.reduce_blocking(&slice).expect("reduces"), expected);
        let (slice, expected) = part(round * 7 + 1, len);
        assert_eq!(pollster::block_on(sum.reduce(&slice)).expect("reduces"), expected);
        let (slice, expected) = part(round * 7 + 2, len);
        let mut encoder = gpu.encoder();
        let readback = sum.record_readback(&mut encoder, &slice).expect("records");
        gpu.submit(encoder);
        assert_eq!(readback.wait_blocking().expect("reads"), expected);
        let (slice, expected) = part(round * 7 + 3, len);
        assert_eq!(sum.measure_blocking(&slice).expect("reduces").value, expected);
        // Of as many words as fit a kept buffer, and of more.
        for count in [1, 1024, 1025] {
            let mut batch = Batch::new(&gpu.context);
            let tickets: Vec<_> = (0..count)
                .map(|number| {
                    let begin = (round + number) as u64;
                    batch.add(&sum, input.slice(begin..begin + 3).expect("within")).expect("adds")
                })
                .collect();
            let results = batch.reduce_blocking().expect("reduces");
            for (number, ticket) in tickets.into_iter().enumerate() {
                let (_, expected) = part(round + number, 3);
                assert_eq!(results.get(ticket).expect("its own"), expected, "{number} of {count}");
            }
        }
    }
    assert!(Batch::new(&gpu.context).reduce_blocking().is_ok());
}

fn by_a_copy(gpu: &Gpu, variant: Variant) {
    let own = own(gpu, gpu.device().features(), true);
    for copies in [true, false] {
        own.context.set_copies(copies);
        for spins in [true, false] {
            own.context.set_spins(spins);
            own.check(|gpu| check_values(gpu, variant)).expect("no errors");
        }
    }
}

fn threads(gpu: &Gpu, variant: Variant) {
    let gpu = own(gpu, gpu.device().features(), true);
    let values = elements::<f32>(41_000);
    let input = upload(&gpu, &values);
    let sum = Reducer::<f32, _>::new(&gpu.context, Sum).variant(variant);
    let (gpu, values, input, sum) = (&gpu, &values, &input, &sum);
    std::thread::scope(|scope| {
        for thread in 0..8 {
            scope.spawn(move || {
                for round in 0..20 {
                    let begin = thread * 20 + round;
                    let len = LENGTHS[(thread + round) % LENGTHS.len()];
                    let slice = input.slice(begin as u64..(begin + len) as u64).expect("within");
                    let expected = Executor::cpu().sum(&values[begin..begin + len]).expect("sums");
                    let found = match thread % 4 {
                        0 => sum.reduce_blocking(&slice).expect("reduces"),
                        1 => pollster::block_on(sum.reduce(&slice)).expect("reduces"),
                        _ => {
                            let mut encoder = gpu.encoder();
                            let readback = sum.record_readback(&mut encoder, &slice);
                            // Another one that is given up, before or after the submission.
                            let dropped = sum.record_readback(&mut encoder, &slice);
                            let dropped = dropped.expect("records");
                            if thread % 4 == 2 {
                                drop(dropped);
                                gpu.submit(encoder);
                            } else {
                                gpu.submit(encoder);
                                drop(dropped);
                            }
                            readback.expect("records").wait_blocking().expect("reads")
                        }
                    };
                    assert_eq!(found, expected, "thread {thread}, round {round}");
                }
            });
        }
    });
}

/// Every call ends, in the value or in an error that says what happened.
fn destroyed(gpu: &Gpu, variant: Variant) {
    for spins in [true, false] {
        let lost = own(gpu, gpu.device().features(), spins);
        let checked = lost.check(|lost| {
            let input = upload(lost, &vec![1.0f32; 30_000]);
            let sum = Reducer::<f32, _>::new(&lost.context, Sum).variant(variant);
            assert_eq!(sum.reduce_blocking(&input).expect("reduces"), 30_000.0);
            std::thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| {
                        loop {
                            match sum.reduce_blocking(&input) {
                                Ok(value) => assert_eq!(value, 30_000.0),
                                Err(
                                    Error::Create(CreateError::DeviceLost)
                                    | Error::Prepare(PrepareError::DeviceLost)
                                    | Error::Read(ReadError::DeviceLost),
                                ) => break,
                                Err(error) => panic!("{error:?}"),
                            }
                        }
                    });
                }
                std::thread::sleep(std::time::Duration::from_millis(20));
                lost.device().destroy();
            });
        });
        checked.expect("nothing reaches the caller's scopes and handlers");
    }
}

/// What a kept buffer has from the call before must not be taken for the value.
fn rejected_between(gpu: &Gpu, variant: Variant) {
    let gpu = own(gpu, gpu.device().features() - wgpu::Features::MAPPABLE_PRIMARY_BUFFERS, true);
    let values = elements::<f32>(200);
    let input = upload(&gpu, &values);
    let sum = Reducer::<f32, _>::new(&gpu.context, Sum).variant(variant);
    for round in 0..150 {
        let part = |first: u64| input.slice(first..first + 20).expect("within");
        let expected = Executor::cpu().sum(&values[round..round + 20]).expect("sums");
        assert_eq!(sum.reduce_blocking(part(round as u64)).expect("reduces"), expected);
        let mut encoder = gpu.encoder();
        let readback = sum.record_readback(&mut encoder, part(round as u64 + 1)).expect("records");
        let is_rejected = round % 3 != 0;
        let scope = gpu.device().push_error_scope(wgpu::ErrorFilter::Validation);
        if is_rejected {
            let buffer: &GpuSlice<f32> = &input;
            encoder.clear_buffer(buffer.buffer(), 1, None);
        }
        gpu.submit(encoder);
        assert_eq!(pollster::block_on(scope.pop()).is_some(), is_rejected);
        let expected = Executor::cpu().sum(&values[round + 1..round + 21]).expect("sums");
        match readback.wait_blocking() {
            Ok(value) => assert!(!is_rejected && value == expected, "round {round}: {value}"),
            Err(error) => assert!(is_rejected && error == ReadError::Rejected, "{error:?}"),
        }
    }
}
