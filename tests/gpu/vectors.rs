//! The fixed order, against vectors from an independent script.

use crate::{
    Case,
    device::Gpu,
    support::data::{Vector, is_ordinary, vectors},
};
use gridfold::{Executor, Max, Min, Operator, OperatorType, Product, Reducer, Sum, Variant};

pub fn cases() -> Vec<Case> {
    vec![
        Case::new("vectors of f32 sums", check::<Sum>),
        Case::new("vectors of f32 products", check::<Product>),
        Case::new("vectors of f32 minima", check::<Min>),
        Case::new("vectors of f32 maxima", check::<Max>),
    ]
}

fn check<Op: Operator<f32>>(gpu: &Gpu, variant: Variant) {
    let executor = Executor::from_context(gpu.context.clone());
    let reducer = Reducer::<f32, Op>::new(&gpu.context).variant(variant);
    let mut checked = 0;
    for vector in vectors().iter().filter(|vector| vector.operator == Op::TYPE) {
        let elements = vector.elements();
        // Sums whose partial sums may be subnormal, infinite or NaN are not promised yet.
        if vector.operator == OperatorType::Sum && !is_ordinary(&elements) {
            continue;
        }
        let array = executor.upload(&elements).expect("uploads");
        let value =
            reducer.reduce_blocking(array.gpu_slices().expect("on a GPU")).expect("reduces");
        let found = Op::element(value).map(f32::to_bits);
        assert_eq!(found, vector.bits, "{}", Vector::name(vector));
        checked += 1;
    }
    assert!(checked > 30, "only {checked}");
}
