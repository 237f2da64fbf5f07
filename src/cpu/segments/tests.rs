use super::{
    super::{reduce_at, table::fold_of},
    *,
};
use crate::{ArgMin, Mean, Min, Product, Sum, SumWide, Variance, error::SegmentError};
use std::fmt::Debug;

fn fold<T: Element, Op: Operator<T>>(op: Op) -> &'static dyn Fold {
    fold_of::<T, Op>(&op).expect("it is defined")
}

fn mix(number: u32) -> u32 {
    let bits = number.wrapping_mul(0x9e37_79b1);
    let bits = (bits ^ (bits >> 15)).wrapping_mul(0x85eb_ca6b);
    bits ^ (bits >> 13)
}

/// Of exponents from -8 to 7, so that sums differ where their order does; and some that are no numbers, or tiny.
fn floats(len: u32) -> Vec<f32> {
    let of_number = |i| match mix(i) {
        bits if i % 1013 == 500 => f32::from_bits(bits & 0x80ff_ffff),
        bits => f32::from_bits((bits & 0x807f_ffff) | ((119 + (mix(bits) & 15)) << 23)),
    };
    (0..len).map(of_number).collect()
}

/// Offsets of segments of these lengths, which begin at the third element.
fn offsets(lens: &[u32]) -> Vec<u32> {
    let sums = lens.iter().scan(3, |end, len| {
        *end += len;
        Some(*end)
    });
    [3].into_iter().chain(sums).collect()
}

fn words<V: Debug>(values: &[V]) -> Vec<String> {
    values.iter().map(|value| format!("{value:?}")).collect()
}

fn check<Op: Operator<f32> + Copy>(elements: &[f32], offsets: &[u32], op: Op) {
    for precision in [Precision::Reproducible, Precision::Exact] {
        let one = |range| reduce_at::<f32, Op>(fold::<f32, _>(op), precision, &[&elements[range]]);
        let ranges = offsets.windows(2).map(|ends| ends[0] as usize..ends[1] as usize);
        let wanted: Result<Vec<_>, _> = ranges.map(one).collect();
        let found = reduce_segments::<f32, Op>(fold::<f32, _>(op), precision, elements, offsets);
        match (wanted, found) {
            (Ok(wanted), Ok(found)) => assert_eq!(words(&found), words(&wanted)),
            (wanted, found) => assert!(wanted.is_err() && found.is_err()),
        }
    }
}

#[test]
fn each_as_if_alone() {
    let mut lens: Vec<u32> = (0..70).collect();
    lens.extend((0..3000).map(|i| if i % 3 == 0 { 0 } else { mix(i) % 40 }));
    lens.extend([1_200_000, 0, 1, 4096, 4097]);
    let offsets = offsets(&lens);
    let elements = floats(offsets[lens.len()] + 7);
    check(&elements, &offsets, Sum);
    check(&elements, &offsets, Min);
    check(&elements, &offsets, ArgMin);
    check(&elements, &offsets, Mean);
    check(&elements[..100_000], &offsets[..1000], Variance);
    check(&elements[..2000], &offsets[..60], Product);
}

#[test]
fn grids() {
    let elements = floats(1_700_000);
    for (groups, items, step) in [
        (3, 5, 7),
        (1, 1000, 1700),
        (100, 17, 1000),
        (1, 9, 33),
        (2, 850_000, 1),
        (0, 4, 4),
        (5, 0, 2),
    ] {
        let len = groups * items * step;
        let grid = Grid { groups: groups as u64, items: items as u64, step: step as u64 };
        let found = reduce_grid::<f32, Sum>(
            fold::<f32, _>(Sum),
            Precision::Reproducible,
            &elements[..len],
            grid,
        );
        let one = |segment: usize| {
            let first = segment / step * items * step + segment % step;
            let own: Vec<f32> = (0..items).map(|item| elements[first + item * step]).collect();
            crate::cpu::reduce::<f32, _>(&[&own], Sum).expect("it is defined")
        };
        let wanted: Vec<f32> = (0..groups * step).map(one).collect();
        assert_eq!(words(&found.expect("reduces")), words(&wanted), "{grid:?}");
    }
}

#[test]
fn groups() {
    let elements = floats(30_000);
    let numbers: Vec<u32> = (0..30_000).map(|i| mix(mix(i)) % 77).collect();
    let found = reduce_groups::<f32, Sum>(
        fold::<f32, _>(Sum),
        Precision::Reproducible,
        &elements,
        &numbers,
        70,
    );
    let wanted: Vec<f32> = (0..70)
        .map(|group| {
            let own = elements.iter().zip(&numbers).filter(|(_, number)| **number == group);
            let own: Vec<f32> = own.map(|(element, _)| *element).collect();
            crate::cpu::reduce::<f32, _>(&[&own], Sum).expect("it is defined")
        })
        .collect();
    assert_eq!(words(&found.expect("reduces")), words(&wanted));
    let none =
        reduce_groups::<f32, Min>(fold::<f32, _>(Min), Precision::Reproducible, &[2.0], &[1], 3);
    assert_eq!(none.expect("reduces"), [None, Some(2.0), None]);
    let refused =
        reduce_groups::<f32, Min>(fold::<f32, _>(Min), Precision::Reproducible, &[2.0], &[], 3);
    assert!(matches!(refused, Err(PrepareError::Segments(SegmentError::Length { .. }))));
}

#[test]
fn axes_apart() {
    let elements = floats(2 * 3 * 4 * 5 * 6);
    let shape = [2, 3, 4, 5, 6];
    let found = reduce_axes::<f32, Sum>(
        fold::<f32, _>(Sum),
        Precision::Reproducible,
        &elements,
        &shape,
        &[4, 0, 2],
    );
    let one = |b: usize, d: usize| {
        let at = |a: usize, c: usize, e: usize| (((a * 3 + b) * 4 + c) * 5 + d) * 6 + e;
        let own = (0..48).map(|i| elements[at(i / 24, i / 6 % 4, i % 6)]);
        crate::cpu::reduce::<f32, _>(&[&own.collect::<Vec<_>>()], Sum).expect("it is defined")
    };
    let wanted: Vec<f32> = (0..15).map(|i| one(i / 5, i % 5)).collect();
    assert_eq!(words(&found.expect("reduces")), words(&wanted));
}

#[test]
fn nothing_and_refusals() {
    let sums = |offsets: &[u32]| {
        reduce_segments::<u8, SumWide>(
            fold::<u8, _>(SumWide),
            Precision::Exact,
            &[1, 2, 250, 250],
            offsets,
        )
    };
    assert_eq!(sums(&[]).expect("none"), [0; 0]);
    assert_eq!(sums(&[4]).expect("none"), [0; 0]);
    assert_eq!(sums(&[1, 1, 4, 4]).expect("three"), [0, 502, 0]);
    let error = sums(&[0, 5]).expect_err("behind the elements");
    let is_told = matches!(error, PrepareError::Segments(SegmentError::Offset { index: 1, .. }));
    assert!(is_told, "{error}");
    // As many results as memory never has.
    for (groups, step) in [(1, 1 << 60), (1 << 60, 1)] {
        let grid = Grid { groups, items: 0, step };
        let results =
            reduce_grid::<f32, Sum>(fold::<f32, _>(Sum), Precision::Reproducible, &[], grid);
        assert!(matches!(results, Err(PrepareError::OutOfMemory { .. })));
    }
    let products =
        reduce_segments::<f32, Product>(fold::<f32, _>(Product), Precision::Exact, &[1.0], &[0, 1]);
    assert!(matches!(products, Err(PrepareError::Imprecise { .. })));
}
