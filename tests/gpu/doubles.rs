//! f64s, which are two words on a device, and need not be floats there: against vectors from an independent script.

use crate::{
    Case, VULKAN,
    device::Gpu,
    floats::{in_software, taking_liberties},
    inputs::upload,
    support::f64_data::{F64Vector, exact_f64_vectors, f64_vectors, generate},
};
use gridfold::{
    Dot, ElementType, Error, Executor, GpuSlice, Max, Mean, Min, Nan, Norm, Operator, OperatorType,
    Precision, PrepareError, Product, Reducer, Sum, SumOfSquares, Variance, Variant, exact,
    shader::Sources,
};
use std::convert::Infallible;

pub fn cases() -> Vec<Case> {
    type Check = fn(&Gpu, Variant);
    let in_order: [(&str, Check); 6] = [
        ("sums", |gpu, variant| check(gpu, variant, Sum)),
        ("products", |gpu, variant| check(gpu, variant, Product)),
        ("means", |gpu, variant| check(gpu, variant, Mean)),
        ("sums of squares", |gpu, variant| check(gpu, variant, SumOfSquares)),
        ("norms", |gpu, variant| check(gpu, variant, Norm)),
        ("dot products", dot),
    ];
    let mut cases = vec![
        Case::tier1(VULKAN, "vectors of f64 minima", |gpu, variant| check(gpu, variant, Min)),
        Case::tier1(VULKAN, "vectors of f64 maxima", |gpu, variant| check(gpu, variant, Max)),
        // In integers on every device.
        Case::tier1(VULKAN, "vectors of f64 variances", |gpu, variant| {
            check(gpu, variant, Variance)
        }),
        Case::tier1(VULKAN, "vectors of f64 sample variances", |gpu, variant| {
            check(gpu, variant, Variance.sample())
        }),
        // Exact kernels are of both variants.
        Case::tier1(VULKAN, "vectors of exact f64 sums and means", |gpu, variant| {
            check_exact(gpu, variant, Sum);
            check_exact(gpu, variant, Mean);
        })
        .only(Variant::WorkgroupMemory),
        Case::tier2("exact f64 sums, strided and streamed", strided_and_streamed)
            .only(Variant::WorkgroupMemory),
        Case::tier1(VULKAN, "exact f64 results of the CPU", from_the_cpu)
            .only(Variant::WorkgroupMemory),
    ];
    for (what, check) in in_order {
        cases.push(Case::tier1(VULKAN, format!("vectors of f64 {what}"), check));
        // As a device that has no f64s does it,
        cases.push(
            Case::tier2(format!("vectors of f64 {what}, in software"), move |gpu, variant| {
                check(&in_software(gpu), variant);
            })
            .needs(|capabilities| capabilities.sound_doubles),
        );
        // and one that does what it likes where something is subnormal, infinite or NaN.
        cases.push(
            Case::tier2(format!("vectors of f64 {what}, every liberty"), move |gpu, variant| {
                let gpu = gpu
                    .sibling("taking liberties", || Ok(taking_liberties(gpu, Sources::default())));
                check(&gpu.expect("a context"), variant);
            })
            .needs(|capabilities| capabilities.sound_doubles),
        );
    }
    cases
}

fn check<Op: Operator<f64, Out = f64> + Copy>(gpu: &Gpu, variant: Variant, op: Op) {
    let reducer = Reducer::<f64, _>::new(&gpu.context, op).variant(variant);
    check_all(gpu, &reducer, &f64_vectors(op.spec().operator));
}

fn check_exact<Op: Operator<f64, Out = f64> + Copy>(gpu: &Gpu, variant: Variant, op: Op) {
    let reducer = Reducer::<f64, _>::new(&gpu.context, op).variant(variant);
    let reducer = reducer.precision(Precision::Exact);
    check_all(gpu, &reducer, &exact_f64_vectors(op.spec().operator));
}

fn check_all<Op: Operator<f64, Out = f64>>(
    gpu: &Gpu,
    reducer: &Reducer<f64, Op>,
    vectors: &[F64Vector],
) {
    let executor = Executor::from_context(gpu.context.clone());
    for vector in vectors {
        let array = executor.upload(&vector.elements()).expect("uploads");
        let value =
            reducer.reduce_blocking(array.gpu_slices().expect("on a GPU")).expect("reduces");
        let found = Op::out(value).map(f64::to_bits);
        assert_eq!(in_hex(found), in_hex(vector.bits), "{}", vector.name());
    }
}

fn in_hex(bits: Option<u64>) -> Option<String> {
    bits.map(|bits| format!("{bits:#018x}"))
}

fn dot(gpu: &Gpu, variant: Variant) {
    let reducer = Reducer::<(f64, f64), _>::new(&gpu.context, Dot).variant(variant);
    for vector in f64_vectors(OperatorType::Dot) {
        let left = upload(gpu, &vector.elements());
        let right = upload(gpu, &vector.right_elements());
        let found = reducer.reduce_blocking((left, right)).expect("reduces").to_bits();
        assert_eq!(in_hex(Some(found)), in_hex(vector.bits), "{}", vector.name());
    }
}

/// What no kernel gives: of host memory the CPU gives it, and else it is an error.
fn from_the_cpu(gpu: &Gpu, variant: Variant) {
    let executor = Executor::from_context(gpu.context.clone()).precision(Precision::Exact);
    for vector in exact_f64_vectors(OperatorType::Norm).iter().take(5) {
        let reduction = executor.reduce(&vector.elements(), Norm).expect("the CPU does not fail");
        assert_eq!(reduction.adapter.backend, "cpu");
        assert_eq!(Some(reduction.value.to_bits()), vector.bits, "{}", vector.name());
    }
    let elements = generate("finite", 5, 100);
    let cpu = Executor::cpu().precision(Precision::Exact);
    let found = executor.dot(&elements, &elements).expect("of one length").to_bits();
    assert_eq!(found, cpu.sum_of_squares(&elements).expect("the CPU does not fail").to_bits());
    let part = executor.reduce_part(&elements, 0, Variance).expect("the CPU does not fail");
    let expected = cpu.variance(&elements).expect("the CPU does not fail").to_bits();
    assert_eq!(part.finish().expect("it begins at 0").to_bits(), expected);
    let is_refused = |error: Error| {
        matches!(
            error,
            Error::Prepare(PrepareError::NoExactKernel { element: ElementType::F64, .. })
        )
    };
    let array = executor.upload(&elements).expect("uploads");
    assert!(is_refused(array.norm().expect_err("no kernel")));
    assert!(is_refused(array.dot(&array).expect_err("no kernel")));
    let input = upload(gpu, &elements);
    let reducer = Reducer::<f64, _>::new(&gpu.context, Variance.sample()).variant(variant);
    let reducer = reducer.precision(Precision::Exact);
    assert!(is_refused(reducer.reduce_blocking(&input).expect_err("no kernel")));
    let part = reducer.reduce_part_blocking(&input, 0).expect_err("no kernel");
    assert!(matches!(part, Error::Prepare(PrepareError::NoExactPart { .. })));
    // What is exact alone is so at every level.
    let of_default = Executor::from_context(gpu.context.clone());
    let with_a_nan = [&elements[..], &[f64::NAN]].concat();
    let found = of_default
        .reduce(&with_a_nan, Variance.nan(Nan::Ignore))
        .expect("the CPU does not fail")
        .value;
    assert_eq!(found.to_bits(), expected);
    let array = of_default.upload(&with_a_nan).expect("uploads");
    assert!(is_refused(array.reduce(Variance.nan(Nan::Ignore)).expect_err("no kernel")));
    assert!(is_refused(array.reduce(Variance.nan(Nan::Ignore).sample()).expect_err("no kernel")));
}

/// Elements that do not follow one another, and such as come chunk by chunk.
fn strided_and_streamed(gpu: &Gpu, variant: Variant) {
    let elements = generate("finite", 3, 40_000);
    let executor = Executor::from_context(gpu.context.clone()).precision(Precision::Exact);
    let reducer = Reducer::<f64, _>::new(&gpu.context, Sum).variant(variant);
    let reducer = reducer.precision(Precision::Exact);
    let input = upload(gpu, &elements);
    for (step, len) in [(1, 40_000), (2, 20_000), (3, 8192), (5, 7777)] {
        let slice = GpuSlice::strided(input.buffer(), 0, 8 * step as u64, len as u64);
        let found = reducer.reduce_blocking(slice.expect("within")).expect("reduces");
        let every: Vec<f64> = elements.iter().copied().step_by(step).take(len).collect();
        assert_eq!(found.to_bits(), exact::sum_f64(&every).to_bits(), "{len}, every {step}");
    }
    let mut rest = &elements[..];
    let streamed = executor.reduce_stream::<f64, _, Infallible>(40_000, Mean, |_, chunk| {
        let (here, after) = rest.split_at(chunk.len());
        chunk.copy_from_slice(here);
        rest = after;
        Ok(())
    });
    let found = streamed.expect("reduces").value;
    assert_eq!(found.to_bits(), exact::mean_f64(&elements).to_bits());
}
