use super::{ordered::Sequence, runs::Runs, *};
use crate::{Max, Mean, Min, Norm, Product, Sum, SumOfSquares};
use proptest::prelude::*;

/// The result by definition, in integers.
fn by_definition<T: Element, Op: Operator<T>>(values: &[T], op: Op) -> Op::Value {
    let (fold, len) = (fold_of::<T, _>(&op).expect("it is defined"), values.len() as u64);
    let lifted: Vec<Words> =
        values.iter().map(|value| fold.lift(bytemuck::bytes_of(value))).collect();
    let total = definition::total(&lifted, |a, b| fold.combine(&a, &b, false));
    let mut out: Op::Out = bytemuck::Zeroable::zeroed();
    let words = bytemuck::cast_slice_mut(slice::from_mut(&mut out));
    fold.finish(&total.unwrap_or(fold.identity()), len, words);
    Op::value(out, len)
}

fn bits<Op: Operator<f32>>(value: Op::Value) -> Option<Vec<u8>> {
    Op::out(value).map(|out| bytemuck::bytes_of(&out).to_vec())
}

fn check<Op: Operator<f32> + Copy>(values: &[f32], op: Op) {
    let found = bits::<Op>(reduce::<f32, _>(&[values], op).expect("it is defined"));
    let wanted = bits::<Op>(by_definition::<f32, _>(values, op));
    assert_eq!(found, wanted, "{} of {}", op.spec().operator, values.len());
}

fn check_all(values: &[f32]) {
    check(values, Sum);
    check(values, Product);
    check(values, Min);
    check(values, Max);
    check(values, Mean);
    check(values, SumOfSquares);
    check(values, Norm);
    let mut rotated = values.to_vec();
    rotated.rotate_left(values.len().min(1));
    check_dot(values, &rotated);
}

fn check_dot(left: &[f32], right: &[f32]) {
    let pairs = left.iter().zip(right);
    let products: Vec<f32> = pairs.map(|(&x, &y)| float_environment::multiply(x, y)).collect();
    let found = dot_at(Precision::Reproducible, left, right).expect("of one length");
    assert_eq!(
        found.to_bits(),
        by_definition::<f32, _>(&products, Sum).to_bits(),
        "dot of {}",
        left.len()
    );
}

/// Bits without a pattern.
fn mixed(number: u32) -> u32 {
    let bits = number.wrapping_mul(0x9e37_79b1);
    let bits = (bits ^ (bits >> 15)).wrapping_mul(0x85eb_ca6b);
    bits ^ (bits >> 13)
}

/// Both signs, exponents from -`exponents` to below `exponents`.
fn spread(len: u32, exponents: u32) -> Vec<f32> {
    let of_number = |number| {
        let bits = mixed(number);
        let exponent = 127 - exponents + mixed(bits) % (2 * exponents);
        f32::from_bits((bits & 0x807f_ffff) | (exponent << 23))
    };
    (0..len).map(of_number).collect()
}

#[test]
fn only_siblings_merge() {
    let e = 2f32.powi(-24);
    let sum = |values: &[f32]| reduce::<f32, _>(&[values], Sum).expect("it is defined");
    // The tail's runs come one after another, not as a total.
    assert_eq!(sum(&[1.0, 0.0, 0.0, 0.0, e, 0.0, e]), 1.0);
    // The second and the third are no siblings.
    assert_eq!(sum(&[1.0, e, e]), 1.0);
    // These are.
    assert_eq!(sum(&[1.0, 0.0, e, e]), 1.0 + 2.0 * e);
    // Seven elements are not eight with a zero.
    let seven = [0.0, 0.0, 0.0, 0.0, 1.0, e, e];
    assert_eq!(sum(&seven), 1.0);
    assert_eq!(sum(&[1.0, e, e, 0.0, 0.0, 0.0, 0.0, 0.0]), 1.0);
    assert_eq!(sum(&[0.0, 0.0, 0.0, 0.0, 1.0, 0.0, e, e]), 1.0 + 2.0 * e);
}

#[test]
fn vectors_give_the_bits_of_the_definition() {
    let edges = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 3072, 4096, 8192];
    let lens = edges.into_iter().flat_map(|len| [len - 1, len, len + 1]).chain([100, 1500, 30_001]);
    for len in lens {
        // All of it in the range of vectors of products, some, and hardly any.
        for exponents in [1, 8, 16, 20, 126] {
            check_all(&spread(len, exponents));
        }
    }
    // In parts for threads.
    for exponents in [8, 17] {
        check_all(&spread((1 << 21) + 12_345, exponents));
    }
}

#[test]
fn special_values_anywhere() {
    let specials = [0.0, -0.0, f32::NAN, -f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e-45];
    for len in [1, 7, 40, 300, 1500, 4096, 9000] {
        // Around the special one: nothing better, nothing worse, zeros of either sign.
        for others in [1.0, -1.0, 0.0, -0.0] {
            for special in specials {
                for place in [0, len / 3, len / 2, len - 1] {
                    let mut values = vec![others; len];
                    values[place] = special;
                    check_all(&values);
                }
            }
        }
    }
}

/// Whether slices, and parts that are appended, give the bits of the whole.
fn check_cuts<Op: Operator<f32> + Copy>(values: &[f32], cuts: &[usize], op: Op) {
    let wanted = bits::<Op>(by_definition::<f32, _>(values, op));
    let bounds = [&[0], cuts, &[values.len()]].concat();
    let slices: Vec<&[f32]> =
        bounds.windows(2).map(|bounds| &values[bounds[0]..bounds[1]]).collect();
    let found = bits::<Op>(reduce::<f32, _>(&slices, op).expect("it is defined"));
    assert_eq!(found, wanted, "{} of {} cut at {cuts:?}", op.spec().operator, values.len());
    let fold = fold_of::<f32, _>(&op).expect("it is defined");
    let [by_floats, in_integers] =
        [true, false].map(|by_floats| move |a: Words, b: Words| fold.combine(&a, &b, by_floats));
    let mut parts = [Runs::new(0), Runs::new(0)];
    for slice in slices {
        let begin = parts[0].end();
        let sequence = Slices { fold, slices: &[input(slice)], begin };
        parts[0].append(&ordered::runs(&sequence), by_floats);
        let mut part = Runs::new(begin);
        sequence.push_to(&mut part, sequence.positions(), false);
        parts[1].append(&part, in_integers);
    }
    for parts in parts {
        let (mut out, len) = (bytemuck::Zeroable::zeroed(), values.len() as u64);
        let words = bytemuck::cast_slice_mut(slice::from_mut(&mut out));
        fold.finish(&finish(fold, &parts), len, words);
        let found = bits::<Op>(Op::value(out, len));
        assert_eq!(
            found,
            wanted,
            "parts of {} of {} cut at {cuts:?}",
            op.spec().operator,
            values.len()
        );
    }
}

#[test]
fn every_cut_of_short_sequences() {
    let values = spread(40, 12);
    let mut orders_differ = 0;
    for len in 0..=values.len() {
        let values = &values[..len];
        let one_by_one = values.iter().fold(0.0, |sum, value| sum + value);
        orders_differ +=
            u32::from(reduce::<f32, _>(&[values], Sum).expect("it is defined") != one_by_one);
        for cut in 0..=len {
            check_cuts(values, &[cut], Sum);
            check_cuts(values, &[cut], Product);
            check_cuts(values, &[cut], Mean);
            check_cuts(values, &[cut], Norm);
            for other in cut..=len {
                check_cuts(values, &[cut, other], Sum);
                check_cuts(values, &[cut, other], Product);
                check_cuts(values, &[cut, other], Mean);
                check_cuts(values, &[cut, other], Norm);
            }
        }
    }
    assert!(orders_differ > 15, "only {orders_differ} sums depend on the order");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn any_cuts_of_long_sequences(
        len in 0..200_000u32,
        mut places in prop::collection::vec(0.0..=1.0f64, 0..6),
        exponents in 1..60u32,
    ) {
        let values = spread(len, exponents);
        places.sort_by(f64::total_cmp);
        #[expect(clippy::cast_possible_truncation, reason = "rounds down to a place")]
        let cuts: Vec<usize> =
            places.into_iter().map(|place| (place * f64::from(len)) as usize).collect();
        check_cuts(&values, &cuts, Sum);
        check_cuts(&values, &cuts, Product);
            check_cuts(&values, &cuts, Mean);
            check_cuts(&values, &cuts, Norm);
    }
}

/// Of a million elements, which several threads share, in slices, and with a beginning that is no part's.
#[cfg(feature = "parallel")]
#[test]
fn one_thread_and_many() {
    let values = spread(3_000_001, 15);
    let slices: [&[f32]; 3] = [&values[..77], &values[77..1_234_567], &values[1_234_567..]];
    let in_pool = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads start").install(|| {
            let whole = (
                reduce::<f32, _>(&slices, Sum).expect("it is defined"),
                reduce::<f32, _>(&slices, Product).expect("it is defined"),
            );
            let runs =
                part(fold_of::<f32, _>(&Sum).expect("it is defined"), &inputs(&slices), 100_000);
            (whole.0.to_bits(), whole.1.to_bits(), runs.totals().to_vec())
        })
    };
    let one = in_pool(1);
    for threads in [2, 3, 8] {
        assert_eq!(in_pool(threads), one, "{threads} threads");
    }
    assert_eq!(one.0, by_definition::<f32, _>(&values, Sum).to_bits());
    assert_eq!(one.1, by_definition::<f32, _>(&values, Product).to_bits());
}

#[test]
fn errors_are_small() {
    for len in [2, 3, 100, 1023, 1024, 65_535, 100_000u32] {
        let values = spread(len, 3);
        let sum = f64::from(reduce::<f32, _>(&[&values], Sum).expect("it is defined"));
        let [exact, magnitudes] =
            [|x: f64| x, f64::abs].map(|of| values.iter().map(|&x| of(f64::from(x))).sum::<f64>());
        let additions = f64::from(len.ilog2() + len.count_ones() - 1);
        assert!((sum - exact).abs() <= additions / 2f64.powi(24) * magnitudes, "{len}");
    }
}

#[test]
fn empty_inputs() {
    assert_eq!(reduce::<f32, _>(&[], Sum).expect("it is defined").to_bits(), 0);
    assert_eq!(reduce::<f32, _>(&[], Product).expect("it is defined"), 1.0);
    assert_eq!(reduce::<u32, _>(&[&[]], Min).expect("it is defined"), None);
    assert_eq!(reduce::<f32, _>(&[], Max).expect("it is defined"), None);
}
