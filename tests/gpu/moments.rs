//! Mean, variances, skewness, kurtosis, extrema and NaNs of one read: against vectors from an independent script, and against the CPU.

use crate::{
    Case,
    device::Gpu,
    inputs::upload,
    narrow::placed,
    support::{
        Element, data, f64_data,
        moments_told::{told_of_f32s, told_of_f64s},
        moments_vectors::moments_vectors,
        narrow_vectors::vectors_of,
    },
};
use gridfold::{
    ElementType, Executor, Moments, Operator, OperatorType, Reducer, Summary, Variant,
    half::{bf16, f16},
};

pub fn cases() -> Vec<Case> {
    vec![
        Case::kernels("vectors of f32 moments", |gpu, variant| {
            for vector in moments_vectors(ElementType::F32) {
                let found = reduce::<f32>(gpu, variant, &vector.f32s());
                assert_eq!(told_of_f32s(&found), vector.told, "{vector:?}");
            }
        }),
        Case::kernels("vectors of f64 moments", |gpu, variant| {
            for vector in moments_vectors(ElementType::F64) {
                let found = reduce::<f64>(gpu, variant, &vector.f64s());
                assert_eq!(told_of_f64s(&found), vector.told, "{vector:?}");
            }
        }),
        Case::kernels("vectors of moments of halves", |gpu, variant| {
            halves::<f16>(gpu, variant);
            halves::<bf16>(gpu, variant);
        }),
        Case::new("moments of several blocks", |gpu, variant| {
            let mut elements = data::generate("signed", 5, 200_003);
            check::<f32>(gpu, variant, &elements);
            elements[150_001] = f32::NAN;
            check::<f32>(gpu, variant, &elements);
            let halves: Vec<f16> = elements.iter().map(|element| f16::from_f32(*element)).collect();
            let reducer = Reducer::<f16, Moments>::new(&gpu.context).variant(variant);
            let found = reducer.reduce_blocking(placed(gpu, &halves, 1, 0)).expect("reduces");
            let wanted = Executor::cpu().moments(&halves).expect("the CPU does not fail");
            assert_eq!(told_of_f32s(&found), told_of_f32s(&wanted), "of halves");
            check::<f64>(gpu, variant, &f64_data::generate("clustered", 6, 70_001));
        }),
        Case::new("moments of segments", |gpu, _| segments(gpu)).only(Variant::WorkgroupMemory),
    ]
}

fn halves<T: gridfold::Element>(gpu: &Gpu, variant: Variant)
where
    Moments: Operator<T, Value = Summary<f32>>,
{
    let reducer = Reducer::<T, Moments>::new(&gpu.context).variant(variant);
    for (number, vector) in vectors_of(OperatorType::Moments, T::TYPE).into_iter().enumerate() {
        let slice = placed::<T>(gpu, &vector.elements(), number % 5, number % 3);
        let found = reducer.reduce_blocking(slice).expect("reduces");
        assert_eq!(told_of_f32s(&found), vector.told.replace(',', " "), "{vector:?}");
    }
}

fn reduce<T: Element>(
    gpu: &Gpu,
    variant: Variant,
    elements: &[T],
) -> <Moments as Operator<T>>::Value
where
    Moments: Operator<T>,
{
    let reducer = Reducer::<T, Moments>::new(&gpu.context).variant(variant);
    reducer.reduce_blocking(upload(gpu, elements)).expect("reduces")
}

/// Of one slice, and of several.
fn check<T: Element>(gpu: &Gpu, variant: Variant, elements: &[T])
where
    Moments: Operator<T>,
{
    let words = |value| Moments::out(value).map(|out| bytemuck::bytes_of(&out).to_vec());
    let wanted = words(gridfold::cpu::reduce::<T, Moments>(&[elements]));
    assert_eq!(words(reduce(gpu, variant, elements)), wanted, "{} in one slice", elements.len());
    let (left, right) = elements.split_at(elements.len() / 3);
    let slices = [upload(gpu, left), upload(gpu, right)];
    let reducer = Reducer::<T, Moments>::new(&gpu.context).variant(variant);
    let found = words(reducer.reduce_blocking(slices.to_vec()).expect("reduces"));
    assert_eq!(found, wanted, "{} in two slices", elements.len());
}

/// Places are counted from a segment's beginning.
fn segments(gpu: &Gpu) {
    let elements = data::generate("signed", 7, 3000);
    let offsets = [0, 0, 1, 17, 400, 401, 2448, 2976, 3000];
    let reduce = |executor: &Executor| {
        let values = executor.reduce_segments::<f32, Moments>(&elements, &offsets);
        let outs = values.expect("reduces").into_iter().map(<Moments as Operator<f32>>::out);
        outs.collect::<Vec<_>>()
    };
    let found = reduce(&Executor::from_context(gpu.context.clone()));
    assert_eq!(found, reduce(&Executor::cpu()));
}
