//! The fixed order, and exact results, against vectors from independent scripts.

use crate::{
    BOTH, Case,
    device::Gpu,
    inputs::upload,
    support::{
        data::{Vector, vectors},
        exact_vectors::{ExactVector, all_in_hex, exact_vectors, in_hex},
    },
};
use gridfold::{
    Dot, ExactOperator, Executor, Max, Mean, Min, Norm, Operator, OperatorType, Precision, Product,
    Reducer, Sum, SumOfSquares, Variance, Variant,
};

pub fn cases() -> Vec<Case> {
    vec![
        Case::tier1(BOTH, "vectors of f32 sums", |gpu, variant| check(gpu, variant, Sum)),
        Case::tier1(BOTH, "vectors of f32 products", |gpu, variant| check(gpu, variant, Product)),
        Case::tier1(BOTH, "vectors of f32 means", |gpu, variant| check(gpu, variant, Mean)),
        Case::tier1(BOTH, "vectors of f32 sums of squares", |gpu, variant| {
            check(gpu, variant, SumOfSquares)
        }),
        Case::tier1(BOTH, "vectors of f32 norms", |gpu, variant| check(gpu, variant, Norm)),
        Case::tier1(BOTH, "vectors of f32 variances", |gpu, variant| check(gpu, variant, Variance)),
        Case::tier1(BOTH, "vectors of f32 sample variances", |gpu, variant| {
            check(gpu, variant, Variance.sample())
        }),
        Case::tier1(BOTH, "vectors of f32 dot products", dot),
        Case::tier1(BOTH, "vectors of f32 minima", |gpu, variant| check(gpu, variant, Min)),
        Case::tier1(BOTH, "vectors of f32 maxima", |gpu, variant| check(gpu, variant, Max)),
        // Exact kernels are of both variants.
        Case::tier1(BOTH, "vectors of exact results", exact_results).only(Variant::WorkgroupMemory),
    ]
}

fn check<Op: Operator<f32, Out = f32> + Copy>(gpu: &Gpu, variant: Variant, op: Op) {
    let executor = Executor::from_context(gpu.context.clone());
    let reducer = Reducer::<f32, _>::new(&gpu.context, op).variant(variant);
    let mut checked = 0;
    for vector in vectors().iter().filter(|vector| vector.operator == op.spec().operator) {
        let elements = vector.elements();
        let array = executor.upload(&elements).expect("uploads");
        let value =
            reducer.reduce_blocking(array.gpu_slices().expect("on a GPU")).expect("reduces");
        let found = Op::out(value).map(f32::to_bits);
        assert_eq!(found, vector.bits, "{}", Vector::name(vector));
        checked += 1;
    }
    assert!(checked > 30, "only {checked}");
}

fn dot(gpu: &Gpu, variant: Variant) {
    let reducer = Reducer::<(f32, f32), _>::new(&gpu.context, Dot).variant(variant);
    let mut checked = 0;
    for vector in vectors().iter().filter(|vector| vector.operator == OperatorType::Dot) {
        let left = upload(gpu, &vector.elements());
        let right = upload(gpu, &vector.right_elements());
        let found = reducer.reduce_blocking((left, right)).expect("reduces").to_bits();
        assert_eq!(Some(found), vector.bits, "{}", Vector::name(vector));
        checked += 1;
    }
    assert!(checked > 30, "only {checked}");
}

pub fn exact_results(gpu: &Gpu, variant: Variant) {
    let vectors = exact_vectors();
    assert!(vectors.len() > 200, "only {} vectors", vectors.len());
    for vector in &vectors {
        let elements = vector.elements();
        expect(gpu, variant, vector, &elements, vector.sum, Sum);
        expect(gpu, variant, vector, &elements, vector.mean, Mean);
        expect(gpu, variant, vector, &elements, vector.squares, SumOfSquares);
        expect(gpu, variant, vector, &elements, vector.norm, Norm);
        expect(gpu, variant, vector, &elements, vector.variance, Variance);
        expect(gpu, variant, vector, &elements, vector.sample_variance, Variance.sample());

        let input = upload(gpu, &elements);
        let sum = exact_reducer(gpu, variant, Sum).accumulate_blocking(&input).expect("adds up");
        assert_eq!(all_in_hex(&sum.to_bytes()), vector.sum_bytes, "{}", vector.name());
        let squares = exact_reducer(gpu, variant, SumOfSquares);
        let squares = squares.accumulate_blocking(&input).expect("adds up");
        assert_eq!(all_in_hex(&squares.to_bytes()), vector.squares_bytes, "{}", vector.name());
        let moments = exact_reducer(gpu, variant, Variance);
        let moments = moments.accumulate_blocking(&input).expect("adds up");
        assert_eq!((moments.sum(), moments.squares()), (sum, squares), "{}", vector.name());
    }
}

fn exact_reducer<Op: ExactOperator + Operator<f32>>(
    gpu: &Gpu,
    variant: Variant,
    op: Op,
) -> Reducer<f32, Op> {
    Reducer::new(&gpu.context, op).variant(variant).precision(Precision::Exact)
}

fn expect<Op: ExactOperator + Operator<f32, Value = f32> + Copy>(
    gpu: &Gpu,
    variant: Variant,
    vector: &ExactVector,
    elements: &[f32],
    expected: &str,
    op: Op,
) {
    let value = exact_reducer(gpu, variant, op).reduce_blocking(upload(gpu, elements));
    let found = in_hex(value.expect("reduces"));
    assert_eq!(found, expected, "{} of {}", op.spec().operator, vector.name());
}
