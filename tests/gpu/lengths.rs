//! Every operator and type, at the lengths where plans change.

use crate::{
    Case,
    device::Gpu,
    support::{Element, elements, narrow_vectors::out_of_nothing, same_bits},
};
use gridfold::{Executor, GpuSlice, Operator, Product, Reducer, Sum, Variant};

/// Around rows (1024), rounds and the shortest blocks (4096), and several blocks.
const LENGTHS: [usize; 17] =
    [0, 1, 3, 4, 5, 255, 1023, 1024, 1025, 4095, 4096, 4097, 8191, 8192, 12_289, 100_003, 1 << 20];

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for_every_operator!(add_operator(&mut cases));
    cases.push(Case::tier2("more elements than 65535 rows", |gpu, variant| {
        agrees_with_cpu::<u32, _>(gpu, variant, &elements(65_536 * 1024 + 1), Sum);
    }));
    cases.push(Case::tier2("blocks of more than four rows", |gpu, variant| {
        for len in [(1 << 23) + 1, (1 << 24) + 8191] {
            agrees_with_cpu::<f32, _>(gpu, variant, &elements(len), Sum);
        }
        agrees_with_cpu::<f32, _>(gpu, variant, &elements((1 << 23) + 5), Product);
    }));
    cases
}

fn add_operator<T: Element, Op: Operator<T> + Copy>(cases: &mut Vec<Case>, op: Op) {
    cases.push(Case::tier2(
        format!("{} {}, lengths", op.spec().operator, T::TYPE),
        move |gpu, variant| {
            let longest = elements::<T>(LENGTHS[LENGTHS.len() - 1]);
            for len in LENGTHS {
                agrees_with_cpu::<T, _>(gpu, variant, &longest[..len], op);
            }
        },
    ));
}

/// Reduces on the device, to a value on the host and into a buffer, and on the CPU.
fn agrees_with_cpu<T: Element, Op: Operator<T> + Copy>(
    gpu: &Gpu,
    variant: Variant,
    values: &[T],
    op: Op,
) {
    let executor = Executor::from_context(gpu.context.clone());
    let array = executor.upload(values).expect("uploads");
    let reducer = Reducer::<T, _>::new(&gpu.context, op).variant(variant);
    let reduction =
        reducer.measure_blocking(array.gpu_slices().expect("on a GPU")).expect("reduces");

    let expected = Executor::cpu().reduce(values, op).expect("the CPU can't fail");
    assert!(
        same_bits(Op::out(reduction.value), Op::out(expected.value)),
        "{} elements: {:?}, expected {:?}; {}",
        values.len(),
        reduction.value,
        expected.value,
        reduction.plan,
    );
    assert!(reduction.plan.contains(variant.name()), "{}", reduction.plan);
    if !gpu.capabilities().timestamps {
        assert_eq!(reduction.device_time, None);
    }

    // Into a buffer: for an empty input the identity's element, whatever it is.
    let output = executor.upload(&vec![u32::filler(); size_of::<Op::Out>() / 4]).expect("uploads");
    let mut encoder = gpu.encoder();
    let destination = GpuSlice::whole(output.gpu_slices().expect("on a GPU")[0].buffer());
    reducer
        .record(&mut encoder, array.gpu_slices().expect("on a GPU"), &destination)
        .expect("records");
    gpu.submit(encoder);
    let written = output.download().expect("downloads");
    let expected = Op::out(expected.value).unwrap_or(out_of_nothing::<T, _>(op));
    assert_eq!(bytemuck::cast_slice::<u32, u8>(&written), bytemuck::bytes_of(&expected));
}
