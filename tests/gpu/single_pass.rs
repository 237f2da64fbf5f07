//! One dispatch, whose last workgroup folds the partials: the same bits as in two passes, as often as one likes.

use crate::{
    Case, VULKAN,
    device::Gpu,
    floats::{MATERIAL, in_software},
    inputs::upload,
    support::{Element, data::mix, elements, same_bits},
};
use bytemuck::Zeroable;
use gridfold::{
    Error, Executor, GpuSlice, Max, Min, Operator, Policy, PrepareError, Product, Reducer,
    Strategy, Sum, Variance, Variant,
};

pub fn cases() -> Vec<Case> {
    let mut cases = vec![
        Case::tier2("a single pass, operators and lengths", |gpu, variant| {
            lengths::<f32, _>(gpu, variant, Sum);
            lengths::<f32, _>(gpu, variant, Product);
            lengths::<f32, _>(gpu, variant, Max);
            lengths::<i32, _>(gpu, variant, Min);
            lengths::<u32, _>(gpu, variant, Sum);
        }),
        Case::tier2("a single pass, f32 sums of anything", |gpu, variant| {
            anything(gpu, variant);
            anything(&in_software(gpu), variant);
        }),
        Case::tier1(VULKAN, "a single pass, again and again", again),
        Case::tier2("a single pass, thousands of times", |gpu, variant| {
            thousands::<u32, _>(gpu, variant, 2, Sum);
            thousands::<f32, _>(gpu, variant, 2, Sum);
            thousands::<f32, _>(gpu, variant, 1, Variance);
        }),
        Case::tier2("a single pass, several bindings", |gpu, variant| {
            let small = gpu
                .with_limits(|limits| limits.max_storage_buffer_binding_size = 1 << 18)
                .expect("a device with a lower limit");
            small.check(|gpu| lengths::<f32, _>(gpu, variant, Sum)).expect("no errors");
        }),
        Case::tier2("a single pass, few workgroups in a dispatch", |gpu, variant| {
            let small = gpu
                .with_limits(|limits| limits.max_compute_workgroups_per_dimension = 3)
                .expect("a device with a lower limit");
            small.check(|gpu| lengths::<f32, _>(gpu, variant, Sum)).expect("no errors");
        }),
        Case::tier2("a single pass, into a buffer of the input", within_the_input),
    ];
    cases = cases.into_iter().map(|case| case.needs(|has| has.coherent_memory)).collect();
    cases.push(Case::tier2("a single pass, without coherent memory", refused));
    cases
}

const LENGTHS: [usize; 9] = [0, 5, 4096, 4097, 8192, 100_003, 262_144, 300_001, 1 << 20];

fn reducer<T: Element, Op: Operator<T>>(gpu: &Gpu, variant: Variant, op: Op) -> Reducer<T, Op> {
    let reducer = Reducer::new(&gpu.context, op).variant(variant).strategy(Strategy::SinglePass);
    // The same blocks on every device.
    reducer.policy(Policy::DEFAULT)
}

fn expect<T: Element, Op: Operator<T> + Copy>(
    gpu: &Gpu,
    variant: Variant,
    values: &[T],
    what: &str,
    op: Op,
) {
    let input = upload(gpu, values);
    let reduction = reducer::<T, _>(gpu, variant, op).measure_blocking(&input).expect("reduces");
    let expected = Executor::cpu().reduce(values, op).expect("the CPU can't fail");
    assert!(
        same_bits(Op::out(reduction.value), Op::out(expected.value)),
        "{what}, {} elements: {:?}, expected {:?}; {}",
        values.len(),
        reduction.value,
        expected.value,
        reduction.plan,
    );
    let name = if values.len() <= 4096 { "two-pass" } else { "single-pass" };
    assert!(reduction.plan.contains(name), "{}", reduction.plan);
}

fn lengths<T: Element, Op: Operator<T> + Copy>(gpu: &Gpu, variant: Variant, op: Op) {
    let longest = elements::<T>(LENGTHS[LENGTHS.len() - 1]);
    for len in LENGTHS {
        expect::<T, _>(gpu, variant, &longest[..len], "elements", op);
    }
}

fn anything(gpu: &Gpu, variant: Variant) {
    for (what, make) in MATERIAL {
        for len in [5000, 40_000] {
            let values: Vec<f32> = (0..len).map(|i| f32::from_bits(make(mix(len + i)))).collect();
            expect::<f32, _>(gpu, variant, &values, what, Sum);
        }
    }
}

/// Several in an encoder, and many submissions: the count of workgroups is 0 again each time.
fn again(gpu: &Gpu, variant: Variant) {
    const LEN: usize = 100_003;
    const RUNS: usize = 8;
    let executor = Executor::from_context(gpu.context.clone());
    let inputs: Vec<Vec<f32>> = (1..=RUNS)
        .map(|run| elements::<f32>(LEN).into_iter().map(|x| x * run as f32).collect())
        .collect();
    let input = upload(gpu, &inputs[0]);
    let output = executor.upload(&[0.0f32; 3]).expect("uploads");
    let slices = output.gpu_slices().expect("on a GPU");
    let sum = reducer::<f32, _>(gpu, variant, Sum);
    let prepared = [0, 1, 2].map(|i| {
        let output = slices[0].slice(i..i + 1).expect("within");
        sum.prepare(&input, &output).expect("prepares")
    });
    for round in 0..100 {
        let values = &inputs[round % RUNS];
        gpu.context.queue().write_buffer(input.buffer(), 0, bytemuck::cast_slice(values));
        let mut encoder = gpu.encoder();
        for prepared in prepared.iter().chain(&prepared[..2]) {
            prepared.record(&mut encoder);
        }
        gpu.submit(encoder);
        let expected = Executor::cpu().sum(values).expect("the CPU can't fail");
        let found = output.download().expect("downloads");
        let bits: Vec<u32> = found.iter().map(|value| value.to_bits()).collect();
        assert_eq!(bits, [expected.to_bits(); 3], "round {round}");
    }
}

/// A race would show as a wrong bit, once in a while. All share scratch memory, and parts take turns: what one leaves behind is
/// wrong for the next, and so is what the output holds. Drivers in software submit less often.
fn thousands<T: Element, Op: Operator<T> + Copy>(
    gpu: &Gpu,
    variant: Variant,
    in_software: u32,
    op: Op,
) where
    Op::Out: gridfold::Element,
{
    const SUBMITS: u32 = 34;
    const RECORDS: usize = 40;
    let submits = if gpu.is_software() { in_software } else { SUBMITS };
    for len in [8192, 100_003, 1 << 20] {
        let values = elements::<T>(len);
        let input = upload(gpu, &values);
        let reducer = reducer::<T, _>(gpu, variant, op);
        let parts = [0, 1, 4097].map(|begin| input.slice(begin..input.len()).expect("within"));
        let expected = parts.each_ref().map(|part| {
            let begin = usize::try_from(input.len() - part.len()).expect("short");
            let reduced = Executor::cpu().reduce(&values[begin..], op);
            Op::out(reduced.expect("the CPU can't fail").value)
        });
        let outputs = Executor::from_context(gpu.context.clone());
        let outputs = outputs.upload(&[<Op::Out as Zeroable>::zeroed(); RECORDS]).expect("uploads");
        let slices = outputs.gpu_slices().expect("on a GPU");
        for submit in 0..submits {
            let mut encoder = gpu.encoder();
            encoder.clear_buffer(slices[0].buffer(), 0, None);
            for i in 0..RECORDS {
                let output = slices[0].slice(i as u64..i as u64 + 1).expect("within");
                reducer.record(&mut encoder, &parts[i % 3], &output).expect("records");
            }
            gpu.submit(encoder);
            let found = outputs.download().expect("downloads");
            for (i, found) in found.into_iter().enumerate() {
                assert!(
                    same_bits(Some(found), expected[i % 3]),
                    "{} {} of {len} elements, submit {submit}, record {i}: {found:?}",
                    op.spec().operator,
                    T::TYPE,
                );
            }
        }
    }
}

/// One dispatch may not read and write one buffer: so there are two.
fn within_the_input(gpu: &Gpu, variant: Variant) {
    let values = elements::<f32>(9000);
    let executor = Executor::from_context(gpu.context.clone());
    let array = executor.upload(&values).expect("uploads");
    let whole: &GpuSlice<f32> = &array.gpu_slices().expect("on a GPU")[0];
    let (input, output) =
        (whole.slice(0..8999).expect("within"), whole.slice(8999..9000).expect("within"));
    let prepared = reducer::<f32, _>(gpu, variant, Sum).prepare(&input, &output).expect("prepares");
    assert_eq!(prepared.plan().strategy, Strategy::TwoPass);
    let mut encoder = gpu.encoder();
    prepared.record(&mut encoder);
    gpu.submit(encoder);
    let expected = Executor::cpu().sum(&values[..8999]).expect("the CPU can't fail");
    assert_eq!(array.download().expect("downloads")[8999].to_bits(), expected.to_bits());
}

fn refused(gpu: &Gpu, variant: Variant) {
    let result = reducer::<f32, _>(gpu, variant, Sum).reduce_blocking(upload(gpu, &[1.0]));
    match result {
        Ok(value) => assert!(gpu.capabilities().coherent_memory && value == 1.0),
        Err(Error::Prepare(PrepareError::NoCoherentMemory)) => {
            assert!(!gpu.capabilities().coherent_memory);
        }
        Err(error) => panic!("{error}"),
    }
}
