//! The CPU executor and exact sums against the test vectors, which come from independent scripts.

#[path = "support/data.rs"]
mod data;

use data::{Vector, generate, is_ordinary, vectors};
use gridfold::{Executor, OperatorType, exact};

fn bits_on_cpu(vector: &Vector) -> Option<u32> {
    let executor = Executor::cpu();
    let elements = vector.elements();
    assert_eq!(elements.len(), vector.len, "{}", vector.name());
    let result = match vector.operator {
        OperatorType::Sum => executor.sum(&elements).map(Some),
        OperatorType::Product => executor.product(&elements).map(Some),
        OperatorType::Min => executor.min(&elements),
        OperatorType::Max => executor.max(&elements),
        other => panic!("no vectors of {other}"),
    };
    result.expect("the CPU does not fail").map(f32::to_bits)
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
fn minima() {
    check(OperatorType::Min);
}

#[test]
fn maxima() {
    check(OperatorType::Max);
}

/// `tests/vectors/exact.py` wrote these, and says what is in a line.
#[test]
fn exact_sums() {
    let mut count = 0;
    for line in include_str!("vectors/exact.txt").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(' ').collect();
        let [data, seed, len, results @ ..] = &fields[..] else { panic!("not a vector: {line}") };
        let len = len.parse().expect("a length");
        let elements = data::elements(data, seed.parse().expect("a seed"), len);
        assert_eq!(elements.len(), len, "{line}");
        let mut rotated = elements.clone();
        rotated.rotate_left(1.min(len));
        let sum = exact::sum(&elements);
        let dot = exact::dot(&elements, &rotated).expect("of one length");
        let squares = exact::squares(&elements);
        let moments = exact::moments(&elements);
        assert_eq!((moments.sum(), moments.squares()), (sum, squares), "{data} {seed} {len}");
        let found = [
            in_hex(sum.to_f32()),
            in_hex(sum.mean_f32()),
            all_in_hex(&sum.to_bytes()),
            in_hex(dot.to_f32()),
            in_hex(dot.norm_f32()),
            all_in_hex(&dot.to_bytes()),
            in_hex(squares.to_f32()),
            in_hex(squares.norm_f32()),
            all_in_hex(&squares.to_bytes()),
            in_hex(moments.variance_f32()),
            in_hex(moments.sample_variance_f32()),
        ];
        assert_eq!(found, results, "{data} {seed} {len}");
        count += 1;
    }
    assert!(count > 200, "only {count} vectors");
}

fn in_hex(value: f32) -> String {
    format!("{:#010x}", value.to_bits())
}

fn all_in_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// GPU tests leave out sums that are not, so what they rely on is pinned here.
#[test]
fn ordinary_data() {
    for kind in ["uniform", "signed", "wide", "constant", "near_one", "zeros"] {
        assert!(is_ordinary(&generate(kind, 3, 100_000)), "{kind}");
    }
    for kind in ["finite", "any", "subnormal", "one_nan"] {
        assert!(!is_ordinary(&generate(kind, 3, 100_000)), "{kind}");
    }
}
