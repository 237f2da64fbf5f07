//! The CPU executor and exact results against the test vectors, which come from independent scripts.

#[path = "support/data.rs"]
mod data;
#[path = "support/exact_vectors.rs"]
mod exact_vectors;
#[path = "support/extrema_vectors.rs"]
#[expect(dead_code, reason = "they have a test of their own")]
mod extrema_vectors;
#[path = "support/f64_data.rs"]
mod f64_data;
#[path = "support/histogram_vectors.rs"]
mod histogram_vectors;
#[path = "support/moments_told.rs"]
mod moments_told;
#[path = "support/moments_vectors.rs"]
mod moments_vectors;
#[path = "support/partial_check.rs"]
#[expect(dead_code, reason = "the fuzz target uses the rest")]
mod partial_check;
#[path = "support/partial_vectors.rs"]
mod partial_vectors;
#[path = "support/scan_vectors.rs"]
mod scan_vectors;
#[path = "support/segment_vectors.rs"]
mod segment_vectors;

use data::{Vector, vectors};
use exact_vectors::{all_in_hex, exact_vectors, in_hex};
use extrema_vectors::is_extremum;
use f64_data::{F64Vector, exact_f64_vectors, f64_vectors};
use gridfold::{
    ArgMax, ArgMin, BitXor, BriefMoments, Count, Element, ElementType, Executor, Max, Mean, Min,
    Moments, Operator, OperatorType, Partial, Precision, Product, Sum, SumWide, Variance, exact,
    half::{bf16, f16},
};
use histogram_vectors::{Made, histogram_vectors};
use moments_told::{brief_of_f32s, brief_of_f64s, told_of_f32s, told_of_f64s, without_shape};
use moments_vectors::moments_vectors;
use partial_check::check_as;
use partial_vectors::{all_partial_vectors, partial_vectors};
use scan_vectors::{digest, scan_vectors};
use segment_vectors::check_segment_vectors;
use std::collections::HashSet;

/// What the CPU makes of a vector of floats.
macro_rules! bits_on_cpu {
    ($vector:expr, $float:ident, $precision:expr) => {{
        let executor = Executor::cpu().precision($precision);
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
            other if other == OperatorType::Variance.sample() => {
                executor.reduce(&elements, Variance.sample()).map(|found| Some(found.value))
            }
            other => panic!("no vectors of {other}"),
        };
        result.expect("the CPU does not fail").map($float::to_bits)
    }};
}

fn bits_on_cpu(vector: &Vector) -> Option<u32> {
    bits_on_cpu!(vector, f32, Precision::Reproducible)
}

fn f64_bits_on_cpu(vector: &F64Vector, precision: Precision) -> Option<u64> {
    bits_on_cpu!(vector, f64, precision)
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
    check(OperatorType::Variance.sample());
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
        OperatorType::Variance.sample(),
        OperatorType::Min,
        OperatorType::Max,
    ] {
        for vector in f64_vectors(operator) {
            let found = f64_bits_on_cpu(&vector, Precision::Reproducible);
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
    for operator in [
        OperatorType::Sum,
        OperatorType::Mean,
        OperatorType::SumOfSquares,
        OperatorType::Norm,
        OperatorType::Dot,
        OperatorType::Variance,
        OperatorType::Variance.sample(),
    ] {
        for vector in exact_f64_vectors(operator) {
            let found = f64_bits_on_cpu(&vector, Precision::Exact);
            let in_hex = |bits: Option<u64>| bits.map(|bits| format!("{bits:#018x}"));
            assert_eq!(in_hex(found), in_hex(vector.bits), "{}", vector.name());
        }
    }
}

fn check_scans<T: Element, Op: Operator<T> + Copy>(op: Op)
where
    Op::Out: Element,
{
    for vector in scan_vectors::<T, _>(op) {
        let elements = vector.elements::<T>();
        assert_eq!(elements.len(), vector.len);
        let results = Executor::cpu().scan(vector.scan(), &elements, op);
        let found = digest(&results.expect("there is memory"));
        assert_eq!(found, vector.digest, "{vector:?}");
    }
}

#[test]
fn scans() {
    check_scans::<f32, _>(Sum);
    check_scans::<f32, _>(Product);
    check_scans::<f32, _>(Min);
    check_scans::<f32, _>(Max);
    check_scans::<f64, _>(Sum);
    check_scans::<u32, _>(Sum);
    check_scans::<i32, _>(Sum);
    check_scans::<u32, _>(SumWide);
    check_scans::<i32, _>(SumWide);
    check_scans::<u32, _>(Product);
    check_scans::<i32, _>(Min);
    check_scans::<u32, _>(Max);
    check_scans::<u32, _>(BitXor);
}

#[test]
fn moments_of_f32s() {
    for vector in moments_vectors(ElementType::F32) {
        let elements = vector.f32s();
        let found = Executor::cpu().moments(&elements).expect("the CPU does not fail");
        assert_eq!(told_of_f32s(&found), vector.told, "{vector:?}");
        // In parts.
        let (left, right) = elements.split_at(elements.len() / 3);
        let found =
            gridfold::cpu::reduce::<f32, _>(&[left, &[], right], Moments).expect("it is defined");
        assert_eq!(told_of_f32s(&found), vector.told, "{vector:?} in parts");
        let found = Executor::cpu().brief_moments(&elements).expect("the CPU does not fail");
        assert_eq!(brief_of_f32s(&found), without_shape(vector.told), "{vector:?}, brief");
        let found = gridfold::cpu::reduce::<f32, _>(&[left, &[], right], BriefMoments)
            .expect("it is defined");
        assert_eq!(brief_of_f32s(&found), without_shape(vector.told), "{vector:?}, brief parts");
    }
}

#[test]
fn moments_of_f64s() {
    for vector in moments_vectors(ElementType::F64) {
        let elements = vector.f64s();
        let found = Executor::cpu().moments(&elements).expect("the CPU does not fail");
        assert_eq!(told_of_f64s(&found), vector.told, "{vector:?}");
        let (left, right) = elements.split_at(elements.len() / 3);
        let found =
            gridfold::cpu::reduce::<f64, _>(&[left, &[], right], Moments).expect("it is defined");
        assert_eq!(told_of_f64s(&found), vector.told, "{vector:?} in parts");
        let found = Executor::cpu().brief_moments(&elements).expect("the CPU does not fail");
        assert_eq!(brief_of_f64s(&found), without_shape(vector.told), "{vector:?}, brief");
        let found = gridfold::cpu::reduce::<f64, _>(&[left, &[], right], BriefMoments)
            .expect("it is defined");
        assert_eq!(brief_of_f64s(&found), without_shape(vector.told), "{vector:?}, brief parts");
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
fn check_partials<T: Element, Op: Operator<T> + Copy>(op: Op) -> usize {
    let vectors = partial_vectors::<T, _>(op);
    for vector in &vectors {
        let executor = Executor::cpu().precision(vector.precision);
        let part = executor.reduce_part(&vector.elements(), vector.first, op);
        let part = part.expect("the CPU does not fail");
        assert_eq!(part.to_bytes(), vector.bytes, "{vector:?}");
        assert_eq!(Partial::from_bytes(&vector.bytes), Ok(part), "{vector:?}");
    }
    vectors.len()
}

#[test]
fn bytes_of_parts() {
    let checked = [
        check_partials::<f32, _>(Sum),
        check_partials::<f64, _>(Sum),
        check_partials::<f32, _>(Mean),
        check_partials::<f32, _>(Product),
        check_partials::<u32, _>(Sum),
        check_partials::<u32, _>(SumWide),
        check_partials::<f32, _>(Count),
        check_partials::<f32, _>(Min),
        check_partials::<i32, _>(Min),
        check_partials::<u32, _>(ArgMax),
        check_partials::<u32, _>(ArgMin),
    ];
    assert_eq!(checked.iter().sum::<usize>(), all_partial_vectors().count());
}

/// Bytes of parts that are cut, that have other bits or other bytes, or random ones from some place on. Returns how many there were, and
/// how many still were parts.
fn check_damaged<T: Element, Op: Operator<T> + Copy>(wholes: &[Vec<u8>], op: Op) -> [usize; 2] {
    const ROUNDS: u32 = 25_000;
    let [mut tried, mut read] = [0; 2];
    let mut check = |bytes: &[u8]| {
        tried += 1;
        read += usize::from(check_as::<T, _>(bytes, op));
    };
    let mut seed = 1u32;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as usize % below
    };
    for whole in wholes {
        (0..=whole.len()).for_each(|len| check(&whole[..len]));
        // The head, and a few accumulators.
        for bit in 0..8 * whole.len().min(64) {
            let mut bytes = whole.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            check(&bytes);
        }
    }
    for round in 0..ROUNDS {
        let mut bytes = wholes[random(wholes.len())].clone();
        let len = bytes.len();
        match round % 4 {
            0 => bytes[random(len)] ^= 1 << random(8),
            1 => (0..=random(4)).for_each(|_| bytes[random(len)] = random(256).to_le_bytes()[0]),
            2 => bytes[random(len)..].fill_with(|| random(256).to_le_bytes()[0]),
            _ => {
                // Other positions, of other runs.
                bytes[8..11].fill_with(|| random(256).to_le_bytes()[0]);
                bytes[16..19].fill_with(|| random(256).to_le_bytes()[0]);
                bytes.truncate(len - random(2) * random(len));
            }
        }
        check(&bytes);
    }
    [tried, read]
}

/// Damaged bytes are an error, or another part, but no panic.
#[test]
fn damaged_bytes_of_parts() {
    fn of_vectors<T: Element, Op: Operator<T> + Copy>(op: Op) -> [usize; 2] {
        let wholes: Vec<_> =
            partial_vectors::<T, _>(op).into_iter().map(|part| part.bytes).collect();
        check_damaged::<T, _>(&wholes, op)
    }
    fn made<T: Element, Op: Operator<T> + Copy>(elements: &[T], op: Op) -> [usize; 2] {
        let part = |first| Executor::cpu().reduce_part(elements, first, op);
        check_damaged::<T, _>(&[0, 5].map(|first| part(first).expect("no failure").to_bytes()), op)
    }
    let counts = [
        of_vectors::<f32, _>(Sum),
        of_vectors::<f64, _>(Sum),
        of_vectors::<f32, _>(Product),
        of_vectors::<u32, _>(SumWide),
        of_vectors::<f32, _>(Min),
        of_vectors::<u32, _>(ArgMax),
        made::<f64, _>(&[1.5, -2.0, 3.0], Product),
        made::<f32, _>(&[1.5, -2.0, 3.0], Variance),
        made::<f64, _>(&[1.5, -2.0, 3.0], Moments),
    ];
    let tried: usize = counts.iter().map(|[tried, _]| tried).sum();
    assert!(tried > 200_000, "{tried}");
    for [tried, read] in counts {
        assert!(read > 100 && read < tried, "{read} of {tried} were parts");
    }
}

#[test]
fn serde_has_the_bytes_of_parts() {
    let exact = Executor::cpu().precision(Precision::Exact);
    let parts: [Partial<f32, Sum>; 2] = [
        Executor::cpu().reduce_part(&[1.0, -2.0, 3.0], 1, Sum).expect("the CPU does not fail"),
        exact.reduce_part(&[1e30, 1.0], 5, Sum).expect("the CPU does not fail"),
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

/// A result of the table in the documentation of [`Precision`]: the level is the one that is kept.
type Cell = (OperatorType, ElementType, Precision);

/// What has vectors, by the files. The tests here and in tests/narrow.rs and tests/extrema.rs read every line of them.
fn cells_with_vectors() -> HashSet<Cell> {
    fn named<T: Copy>(all: &[T], name: impl Fn(T) -> &'static str, word: &str) -> T {
        let found = all.iter().copied().find(|&one| name(one) == word);
        found.unwrap_or_else(|| panic!("{word}?"))
    }
    let operator = |word: &str| named(OperatorType::ALL, OperatorType::name, word);
    let element = |word: &str| named(&ElementType::ALL, |element| element.name(), word);
    let lines = |text: &'static str| {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        lines.map(|line| line.split(' ').collect::<Vec<_>>())
    };
    let kept = |operator: OperatorType, element| {
        let kept = Precision::Reproducible.kept_by(operator, element);
        (operator, element, kept.unwrap_or_else(|| panic!("no {operator} of {element}")))
    };
    let mut cells = HashSet::new();
    for text in [
        include_str!("vectors/pairwise.txt"),
        include_str!("vectors/pairwise_statistics.txt"),
        include_str!("vectors/pairwise_variance.txt"),
    ] {
        cells.extend(lines(text).map(|line| kept(operator(line[0]), ElementType::F32)));
    }
    let doubles = lines(include_str!("vectors/pairwise_f64.txt"));
    cells.extend(doubles.map(|line| kept(operator(line[0]), ElementType::F64)));
    let doubles = lines(include_str!("vectors/exact_f64.txt"));
    cells.extend(doubles.map(|line| (operator(line[0]), ElementType::F64, Precision::Exact)));
    // The columns of a line, in any order.
    let columns = "sum mean dot sum-of-squares norm variance sample-variance".split(' ');
    cells.extend(columns.map(|name| (operator(name), ElementType::F32, Precision::Exact)));
    let moments = lines(include_str!("vectors/pairwise_moments.txt"));
    // Without skewness and kurtosis a line is of brief moments.
    cells.extend(moments.flat_map(|line| {
        [OperatorType::Moments, OperatorType::BriefMoments].map(|of| kept(of, element(line[0])))
    }));
    let components = lines(include_str!("vectors/components.txt"));
    cells.extend(components.map(|line| kept(operator(line[0]), element(line[1]))));
    cells.extend(lines(include_str!("vectors/narrow.txt")).map(|line| {
        let level = named(&Precision::ALL, Precision::name, line[2]);
        (operator(line[0]), element(line[1]), level)
    }));
    let halves = [ElementType::F16, ElementType::BF16];
    cells.extend(halves.map(|element| kept(OperatorType::BriefMoments, element)));
    for line in lines(include_str!("vectors/extrema.txt")) {
        // What is told by other rules, of floats.
        let has_rules = line.len() > 10;
        let by_rules = |name: &str| name.starts_with("nan-") || name.starts_with("total-");
        let told = OperatorType::ALL
            .iter()
            .copied()
            .filter(|&operator| is_extremum(operator) && (has_rules || !by_rules(operator.name())));
        cells.extend(told.map(|operator| kept(operator, element(line[0]))));
    }
    assert!(lines(include_str!("vectors/masks.txt")).count() > 50);
    let masks = [OperatorType::Count, OperatorType::Min, OperatorType::Max];
    cells.extend(masks.map(|operator| kept(operator, ElementType::Bits)));
    cells
}

/// Why a cell has no vectors.
fn reason_for_none((_, _, kept): Cell) -> Option<&'static str> {
    match kept {
        // tests/gpu/precision.rs compares them within the bound of their errors.
        Precision::Unordered => Some("any order is right, and each rounds in another way"),
        _ => None,
    }
}

#[test]
fn every_cell_of_the_table_has_vectors() {
    let with_vectors = cells_with_vectors();
    let mut all = HashSet::new();
    for &operator in OperatorType::ALL {
        for element in ElementType::ALL {
            let kept =
                Precision::ALL.into_iter().filter_map(|asked| asked.kept_by(operator, element));
            all.extend(kept.map(|kept| (operator, element, kept)));
        }
    }
    let wrong: Vec<String> = all
        .union(&with_vectors)
        .filter_map(|cell| {
            let (operator, element, kept) = cell;
            let what = format!("{operator} {element} {kept}");
            match (all.contains(cell), with_vectors.contains(cell), reason_for_none(*cell)) {
                (true, false, None) => Some(format!("{what} has no vectors")),
                (true, true, Some(_)) => Some(format!("{what} has vectors, and a reason for none")),
                (false, ..) => Some(format!("{what} has vectors, and is no cell")),
                _ => None,
            }
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), all.len(), wrong.join("\n"));
}
