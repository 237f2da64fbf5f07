//! The operators' laws, on the CPU: what src/algebra/operator.rs says an operator is.

use super::{
    fold::Fold,
    scan_words,
    table::{find, fold_of},
};
use crate::{
    Executor,
    algebra::{
        acc_words::Words,
        element::ElementType,
        operator_type::OperatorType,
        operators::{ArgMax, ArgMin, Product, Sum},
        precision::Precision,
    },
};
use proptest::prelude::*;

/// Bytes of a component: any bits, special values often.
fn component(element: ElementType) -> impl Strategy<Value = Vec<u8>> {
    let special: Vec<u64> = match element {
        ElementType::F32 => {
            [0.0, -0.0, 1.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, f32::MAX, f32::MIN]
                .map(|float| float.to_bits().into())
                .into_iter()
                .chain([1, u32::MAX.into(), f32::MIN_POSITIVE.to_bits().into()])
                .collect()
        }
        ElementType::F64 => {
            [0.0, -0.0, 1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, f64::MAX, f64::MIN]
                .map(f64::to_bits)
                .into_iter()
                .chain([1, u64::MAX, f64::MIN_POSITIVE.to_bits()])
                .collect()
        }
        // Zeros of floats with both signs, infinities and NaNs, and the ends of integers.
        ElementType::F16 => vec![0, 0x8000, 0x7c00, 0xfc00, 0x7e00, 1],
        ElementType::BF16 => vec![0, 0x8000, 0x7f80, 0xff80, 0x7fc0, 1],
        _ => {
            let sign = 1 << (8 * element.size_bytes() - 1);
            vec![0, 1, sign, sign - 1, u64::MAX]
        }
    };
    let size = usize::try_from(element.size_bytes()).expect("a few");
    let bits = prop_oneof![4 => any::<u64>(), 1 => prop::sample::select(special)];
    bits.prop_map(move |bits| bits.to_le_bytes()[..size].to_vec())
}

/// Bytes of an element.
fn element(element: ElementType) -> impl Strategy<Value = Vec<u8>> {
    let components = element.packing().components().unwrap_or(1) as usize;
    prop::collection::vec(component(element.component()), components)
        .prop_map(|components| components.concat())
}

/// An accumulator's result.
fn result(fold: &dyn Fold, acc: &[u32]) -> Vec<u32> {
    let mut out = vec![0; fold.spec().out_words as usize];
    fold.finish(acc, 3, &mut out);
    out
}

/// Checks the laws for accumulators that can arise: lifted elements, and combinations of them.
fn laws(fold: &'static dyn Fold) {
    let (spec, of) = (fold.spec(), element(fold.spec().element));
    let bits = |acc: &Words| result(fold, acc);
    let combine = |a: &Words, b: &Words| fold.combine(a, b, true);
    proptest!(|(elements in prop::collection::vec(of, 4))| {
        let total = |bytes: &[u8]| {
            // As aligned as any element.
            let mut words = vec![0u64; bytes.len().div_ceil(8)];
            let copied = &mut bytemuck::cast_slice_mut(&mut words)[..bytes.len()];
            copied.copy_from_slice(bytes);
            fold.total([copied, &[]], true)
        };
        let lifted: Vec<Words> = elements.iter().map(|element| fold.lift(element)).collect();
        let [a, b, c, d] = &lifted[..] else { unreachable!("there are four") };
        prop_assert_eq!(bits(&total(&elements[0])), bits(a), "{:?}", spec);
        // Folds and scans lift by floats, where they may.
        let moved = |acc: &Words, by| fold.moved(acc.clone(), by);
        let in_integers = |a: &Words, b: &Words| fold.combine(a, b, false);
        let left = in_integers(a, &moved(b, 1));
        prop_assert_eq!(bits(&total(&elements[..2].concat())), bits(&left), "{:?}", spec);
        let all = in_integers(&left, &in_integers(&moved(c, 2), &moved(d, 3)));
        prop_assert_eq!(bits(&total(&elements.concat())), bits(&all), "{:?}", spec);
        if spec.scans() {
            let precision = Precision::Reproducible;
            let scan = |bytes: &[u8]| scan_words(fold, precision, true, None, None, bytes);
            // As aligned as any element.
            let mut words = vec![0u64; elements.concat().len().div_ceil(8)];
            let bytes = &mut bytemuck::cast_slice_mut(&mut words)[..elements.concat().len()];
            bytes.copy_from_slice(&elements.concat());
            let scanned = scan(bytes).expect("there is memory");
            let mut last = vec![0; spec.out_words as usize];
            fold.finish(&all, 4, &mut last);
            prop_assert!(scanned.words().ends_with(&last), "{:?}", spec);
        }
        let (ab, cd, nothing) = (combine(a, b), combine(c, d), fold.identity());
        for acc in [a, &ab, &nothing] {
            prop_assert_eq!(bits(&combine(acc, &nothing)), bits(acc), "{:?}", spec);
            prop_assert_eq!(bits(&combine(&nothing, acc)), bits(acc), "{:?}", spec);
        }
        // Each is a run's.
        for acc in [a, &ab] {
            let read = fold.read(&fold.write(acc)).expect("its own words");
            prop_assert_eq!(bits(&read), bits(acc), "{:?}", spec);
        }
        if !spec.operator.keeps_order() {
            prop_assert_eq!(bits(&combine(a, b)), bits(&combine(b, a)), "{:?}", spec);
            prop_assert_eq!(bits(&combine(&ab, &cd)), bits(&combine(&cd, &ab)), "{:?}", spec);
        }
        for (a, b) in [(a, b), (&ab, &cd), (&ab, &nothing)] {
            let in_integers = fold.combine(a, b, false);
            prop_assert_eq!(bits(&in_integers), bits(&combine(a, b)), "{:?}", spec);
        }
        if spec.order_free {
            let grouped = combine(a, &combine(b, &cd));
            prop_assert_eq!(bits(&combine(&ab, &cd)), bits(&grouped), "{:?}", spec);
        }
    });
}

#[test]
fn every_operator_keeps_them() {
    for &operator in OperatorType::ALL {
        for element in ElementType::ALL {
            let fold = find(operator, element).filter(|fold| fold.spec().inputs == 1);
            if let Some(fold) = fold {
                laws(fold);
            }
        }
    }
}

#[test]
fn an_order_is_needed_where_it_is_fixed() {
    let lift = |fold: &dyn Fold, value: f32| fold.lift(bytemuck::bytes_of(&value));
    // The law that f32 sums and products lack: if it held, the fixed order would be for nothing.
    let sum = fold_of::<f32, _>(&Sum).expect("it is defined");
    let [a, b, c] = [1e8, -1e8, 1.0].map(|value| lift(sum, value));
    let combine = |a: &Words, b: &Words| sum.combine(a, b, true);
    let (left, right) = (combine(&combine(&a, &b), &c), combine(&a, &combine(&b, &c)));
    assert_ne!(result(sum, &left), result(sum, &right));
    let product = fold_of::<f32, _>(&Product).expect("it is defined");
    let combine = |a: &Words, b: &Words| product.combine(a, b, true);
    let differs = |values: [f32; 3]| {
        let [a, b, c] = values.map(|value| lift(product, value));
        let (left, right) = (combine(&combine(&a, &b), &c), combine(&a, &combine(&b, &c)));
        result(product, &left) != result(product, &right)
    };
    assert!((1u8..100).any(|i| differs([1.0 + 0.01 * f32::from(i), 1.3, 1.7])));
}

#[test]
fn single_elements_come_through() {
    let cpu = Executor::cpu();
    proptest!(|(bytes in component(ElementType::F32))| {
        let value: f32 = bytemuck::pod_read_unaligned(&bytes);
        let expected = if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() };
        let extrema = [cpu.min(&[value]), cpu.max(&[value])];
        for extremum in extrema {
            let extremum = extremum.expect("the CPU does not fail").expect("there is one");
            prop_assert_eq!(extremum.to_bits(), expected);
        }
        let product = cpu.product(&[value]).expect("the CPU does not fail");
        prop_assert_eq!(product.to_bits(), expected);
        let sum = cpu.sum(&[value]).expect("the CPU does not fail");
        prop_assert_eq!(sum.to_bits(), if expected == 0x8000_0000 { 0 } else { expected });
    });
}

/// Numbers beyond 2^32, of accumulators that are far apart.
#[test]
fn far_places() {
    fn lifted(fold: &dyn Fold, element: u8, place: u64) -> Words {
        fold.moved(fold.lift(&[element]), place)
    }
    fn found(fold: &dyn Fold, acc: &[u32]) -> [u32; 3] {
        let mut out = [0; 3];
        fold.finish(acc, 1 << 40, &mut out);
        out
    }
    let first = fold_of::<u8, _>(&ArgMax).expect("it is defined");
    let (far, farther) = (lifted(first, 7, 1 << 39), lifted(first, 7, (1 << 39) + (1 << 32)));
    assert_eq!(found(first, &first.combine(&farther, &far, true)), [0, 1 << 7, 7]);
    let last = fold_of::<u8, _>(&ArgMax.last()).expect("it is defined");
    let (far, farther) = (lifted(last, 7, 1 << 39), lifted(last, 7, 3 << 38));
    assert_eq!(found(last, &last.combine(&farther, &far, true)), [0, 3 << 6, 7]);
    let least = fold_of::<u8, _>(&ArgMin).expect("it is defined");
    let nothing = least.moved(least.identity(), 5);
    let one = lifted(least, 255, 0);
    assert_eq!(least.combine(&nothing, &one, true), one);
}
