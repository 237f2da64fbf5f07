//! The CPU executor and exact results against the test vectors, which come from independent scripts.

#[path = "support/data.rs"]
mod data;
#[path = "support/exact_vectors.rs"]
mod exact_vectors;
#[path = "support/f64_data.rs"]
mod f64_data;
#[path = "support/histogram_vectors.rs"]
mod histogram_vectors;
#[path = "support/moments_vectors.rs"]
mod moments_vectors;
#[path = "support/partial_vectors.rs"]
mod partial_vectors;
#[path = "support/scan_vectors.rs"]
mod scan_vectors;
#[path = "support/segment_vectors.rs"]
mod segment_vectors;

use data::{Vector, vectors};
use exact_vectors::{all_in_hex, exact_vectors, in_hex};
use f64_data::{F64Vector, exact_f64_vectors, f64_vectors};
use gridfold::{
    ArgMax, ArgMin, BitXor, Count, Element, ElementType, Executor, Max, Mean, Min, Operator,
    OperatorType, Partial, Precision, Product, Sum, SumWide, exact,
    half::{bf16, f16},
};
use histogram_vectors::{Made, histogram_vectors};
use moments_vectors::{moments_vectors, told_of_f32s, told_of_f64s};
use partial_vectors::{all_partial_vectors, partial_vectors};
use scan_vectors::{digest, scan_vectors};
use segment_vectors::check_segment_vectors;

/// What the CPU makes of a vector of floats.
macro_rules! bits_on_cpu {
    ($vector:expr, $float:ident) => {{
        let executor = Executor::cpu();
        let elements = $vector.elements();
        assert_eq!(elements.len(), $vector.len, "{}", $vector.name());
        let result = match $vector.operator {
            OperatorType::Sum => executor.sum(&elements).map(Some),
            OperatorType::Product => executor.product(&elements).map(Some),
            OperatorType::Mean => executor.mean(&elements).map(Some),
            OperatorType::SumOfSquares => executor.sum_of_squares(&elements).map(Some),
            OperatorType::Norm => executor.norm(&elements).map(Some),
            OperatorType::Dot => executor.dot(&elements, &$vector.right_elements()).map(Some),
            OperatorType::Min => executor.min(&elements),
            OperatorType::Max => executor.max(&elements),
            OperatorType::Variance => executor.variance(&elements).map(Some),
            OperatorType::SampleVariance => executor.sample_variance(&elements).map(Some),
            other => panic!("no vectors of {other}"),
        };
        result.expect("the CPU does not fail").map($float::to_bits)
    }};
}

fn bits_on_cpu(vector: &Vector) -> Option<u32> {
    bits_on_cpu!(vector, f32)
}

fn f64_bits_on_cpu(vector: &F64Vector) -> Option<u64> {
    bits_on_cpu!(vector, f64)
}

fn check(operator: OperatorType) {
    let cases: Vec<Vector> =
        vectors().into_iter().filter(|vector| vector.operator == operator).collect();
    assert!(cases.len() > 30, "only {} vectors of {operator}", cases.len());
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|vector| {
            let found = bits_on_cpu(vector);
            let in_hex = |bits: Option<u32>| bits.map(|bits| format!("{bits:#010x}"));
            (found != vector.bits).then(|| {
                let (found, wanted) = (in_hex(found), in_hex(vector.bits));
                format!("{}: {found:?}, not {wanted:?}", vector.name())
            })
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

#[test]
fn sums() {
    check(OperatorType::Sum);
}

#[test]
fn products() {
    check(OperatorType::Product);
}

#[test]
fn means() {
    check(OperatorType::Mean);
}

#[test]
fn sums_of_squares() {
    check(OperatorType::SumOfSquares);
}

#[test]
fn norms() {
    check(OperatorType::Norm);
}

#[test]
fn variances() {
    check(OperatorType::Variance);
}

#[test]
fn sample_variances() {
    check(OperatorType::SampleVariance);
}

#[test]
fn dot_products() {
    check(OperatorType::Dot);
}

#[test]
fn minima() {
    check(OperatorType::Min);
}

#[test]
fn maxima() {
    check(OperatorType::Max);
}

#[test]
fn f64s() {
    for operator in [
        OperatorType::Sum,
        OperatorType::Product,
        OperatorType::Mean,
        OperatorType::SumOfSquares,
        OperatorType::Norm,
        OperatorType::Dot,
        OperatorType::Variance,
        OperatorType::SampleVariance,
        OperatorType::Min,
        OperatorType::Max,
    ] {
        for vector in f64_vectors(operator) {
            let found = f64_bits_on_cpu(&vector);
            let in_hex = |bits: Option<u64>| bits.map(|bits| format!("{bits:#018x}"));
            assert_eq!(in_hex(found), in_hex(vector.bits), "{}", vector.name());
        }
    }
}

#[test]
fn exact_results() {
    let vectors = exact_vectors();
    assert!(vectors.len() > 200, "only {} vectors", vectors.len());
    for vector in vectors {
        let elements = vector.elements();
        let mut rotated = elements.clone();
        rotated.rotate_left(1.min(elements.len()));
        let sum = exact::sum(&elements);
        let dot = exact::dot(&elements, &rotated).expect("of one length");
        let squares = exact::squares(&elements);
        let moments = exact::moments(&elements);
        assert_eq!((moments.sum(), moments.squares()), (sum, squares), "{}", vector.name());
        for (found, expected) in [
            (in_hex(sum.to_f32()), vector.sum),
            (in_hex(sum.mean_f32()), vector.mean),
            (all_in_hex(&sum.to_bytes()), vector.sum_bytes),
            (in_hex(dot.to_f32()), vector.dot),
            (in_hex(dot.norm_f32()), vector.root_of_dot),
            (all_in_hex(&dot.to_bytes()), vector.dot_bytes),
            (in_hex(squares.to_f32()), vector.squares),
            (in_hex(squares.norm_f32()), vector.norm),
            (all_in_hex(&squares.to_bytes()), vector.squares_bytes),
            (in_hex(moments.variance_f32()), vector.variance),
            (in_hex(moments.sample_variance_f32()), vector.sample_variance),
        ] {
            assert_eq!(found, expected, "{}", vector.name());
        }
    }
}

#[test]
fn exact_results_of_f64s() {
    let executor = Executor::cpu().precision(Precision::Exact);
    for operator in [OperatorType::Sum, OperatorType::Mean] {
        for vector in exact_f64_vectors(operator) {
            let elements = vector.elements();
            let result = match operator {
                OperatorType::Mean => executor.mean(&elements),
                _ => executor.sum(&elements),
            };
            let found = result.expect("the CPU does not fail").to_bits();
            assert_eq!(Some(found), vector.bits, "{}: {found:#018x}", vector.name());
        }
    }
}

fn check_scans<T: Element, Op: Operator<T>>()
where
    Op::Out: Element,
{
    for vector in scan_vectors::<T, Op>() {
        let elements = vector.elements::<T>();
        assert_eq!(elements.len(), vector.len);
        let results = Executor::cpu().scan::<T, Op>(vector.scan(), &elements);
        let found = digest(&results.expect("there is memory"));
        assert_eq!(found, vector.digest, "{vector:?}");
    }
}

#[test]
fn scans() {
    check_scans::<f32, Sum>();
    check_scans::<f32, Product>();
    check_scans::<f32, Min>();
    check_scans::<f32, Max>();
    check_scans::<f64, Sum>();
    check_scans::<u32, Sum>();
    check_scans::<i32, Sum>();
    check_scans::<u32, SumWide>();
    check_scans::<i32, SumWide>();
    check_scans::<u32, Product>();
    check_scans::<i32, Min>();
    check_scans::<u32, Max>();
    check_scans::<u32, BitXor>();
}

#[test]
fn moments_of_f32s() {
    for vector in moments_vectors(ElementType::F32) {
        let elements = vector.f32s();
        let found = Executor::cpu().moments(&elements).expect("the CPU does not fail");
        assert_eq!(told_of_f32s(&found), vector.told, "{vector:?}");
        // In parts.
        let (left, right) = elements.split_at(elements.len() / 3);
        let found = gridfold::cpu::reduce::<f32, gridfold::Moments>(&[left, &[], right]);
        assert_eq!(told_of_f32s(&found), vector.told, "{vector:?} in parts");
    }
}

#[test]
fn moments_of_f64s() {
    for vector in moments_vectors(ElementType::F64) {
        let elements = vector.f64s();
        let found = Executor::cpu().moments(&elements).expect("the CPU does not fail");
        assert_eq!(told_of_f64s(&found), vector.told, "{vector:?}");
        let (left, right) = elements.split_at(elements.len() / 3);
        let found = gridfold::cpu::reduce::<f64, gridfold::Moments>(&[left, &[], right]);
        assert_eq!(told_of_f64s(&found), vector.told, "{vector:?} in parts");
    }
}

fn check_histograms<T: Made>() {
    for vector in histogram_vectors::<T>() {
        let elements = vector.elements::<T>();
        let counts = Executor::cpu().histogram(&elements, &vector.bins).expect("there is memory");
        vector.check(&counts, T::NAME);
    }
}

#[test]
fn histograms() {
    check_histograms::<f32>();
    check_histograms::<f64>();
    check_histograms::<f16>();
    check_histograms::<bf16>();
    check_histograms::<i32>();
    check_histograms::<u32>();
    check_histograms::<i64>();
    check_histograms::<u64>();
    check_histograms::<i8>();
    check_histograms::<u8>();
    check_histograms::<i16>();
    check_histograms::<u16>();
}

#[test]
fn segments() {
    check_segment_vectors(&Executor::cpu());
}

/// How many vectors there were.
fn check_partials<T: Element, Op: Operator<T>>() -> usize {
    let vectors = partial_vectors::<T, Op>();
    for vector in &vectors {
        let executor = Executor::cpu().precision(vector.precision);
        let part = executor.reduce_part::<T, Op>(&vector.elements(), vector.first);
        let part = part.expect("the CPU does not fail");
        assert_eq!(part.to_bytes(), vector.bytes, "{vector:?}");
        assert_eq!(Partial::from_bytes(&vector.bytes), Ok(part), "{vector:?}");
    }
    vectors.len()
}

#[test]
fn bytes_of_parts() {
    let checked = [
        check_partials::<f32, Sum>(),
        check_partials::<f64, Sum>(),
        check_partials::<f32, Mean>(),
        check_partials::<f32, Product>(),
        check_partials::<u32, Sum>(),
        check_partials::<u32, SumWide>(),
        check_partials::<f32, Count>(),
        check_partials::<f32, Min>(),
        check_partials::<u32, ArgMax>(),
        check_partials::<u32, ArgMin>(),
    ];
    assert_eq!(checked.iter().sum::<usize>(), all_partial_vectors().count());
}

#[test]
fn serde_has_the_bytes_of_parts() {
    let exact = Executor::cpu().precision(Precision::Exact);
    let parts: [Partial<f32, Sum>; 2] = [
        Executor::cpu().reduce_part(&[1.0, -2.0, 3.0], 1).expect("the CPU does not fail"),
        exact.reduce_part(&[1e30, 1.0], 5).expect("the CPU does not fail"),
    ];
    for part in parts {
        let text = serde_json::to_string(&part).expect("serializes");
        let bytes: Vec<u8> = serde_json::from_str(&text).expect("a list of numbers");
        assert_eq!(bytes, part.to_bytes());
        let found: Partial<f32, Sum> = serde_json::from_str(&text).expect("deserializes");
        assert_eq!(found, part);
        let error = serde_json::from_str::<Partial<f32, Mean>>(&text).expect_err("it is a sum");
        assert!(error.to_string().contains("sum of f32"), "{error}");
        for damaged in [text.replace("[103,", "[104,"), text.replace(']', ",0]")] {
            assert_ne!(damaged, text);
            serde_json::from_str::<Partial<f32, Sum>>(&damaged).expect_err("they are damaged");
        }
        serde_json::from_str::<Partial<f32, Sum>>("[103,300]").expect_err("no bytes");
        serde_json::from_str::<Partial<f32, Sum>>("{}").expect_err("no list");
        let stored = postcard::to_stdvec(&part).expect("serializes");
        let found: Partial<f32, Sum> = postcard::from_bytes(&stored).expect("deserializes");
        assert_eq!(found, part);
        postcard::from_bytes::<Partial<f32, Sum>>(&stored[..stored.len() - 1])
            .expect_err("they are cut");
    }
}
