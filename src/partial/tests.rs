use super::*;
use crate::{Executor, Nan, OperatorType, Scan, algebra::operators::*, cpu::table::find};
use half::f16;
use proptest::prelude::*;

/// Of all magnitudes, and with both signs.
fn floats(len: usize, seed: u32) -> Vec<f32> {
    let of_number = |number: u32| {
        let bits = number.wrapping_add(seed).wrapping_mul(0x9e37_79b1).rotate_left(11);
        f32::from_bits(bits.wrapping_mul(0x85eb_ca6b) & 0x807f_ffff | (120 + bits % 16) << 23)
    };
    (0..).take(len).map(of_number).collect()
}

/// Elements cut at some places: parts of neighbours, merged from the left, from the right, and by `merge_all`, after a trip as bytes.
fn check<T: Element, Op: Operator<T> + Copy>(
    elements: &[T],
    cuts: &[usize],
    precision: Precision,
    op: Op,
) {
    let executor = Executor::cpu().precision(precision);
    let wanted = executor.reduce(elements, op).expect("the CPU does not fail").value;
    let mut ends: Vec<usize> = cuts.iter().map(|cut| cut % (elements.len() + 1)).collect();
    ends.extend([0, elements.len()]);
    ends.sort_unstable();
    let parts: Vec<Partial<T, Op>> = ends
        .windows(2)
        .map(|ends| {
            let part = executor.reduce_part(&elements[ends[0]..ends[1]], ends[0] as u64, op);
            let bytes = part.expect("the CPU does not fail").to_bytes();
            assert!(bytes.len() <= Partial::<T, Op>::max_bytes());
            Partial::from_bytes(&bytes).expect("a part's bytes")
        })
        .collect();
    let (first, others) = parts.split_first().expect("one");
    let from_left =
        others.iter().fold(first.clone(), |merged, next| merged.merge(next).expect("next"));
    let (last, others) = parts.split_last().expect("one");
    let from_right =
        others.iter().rfold(last.clone(), |merged, part| part.merge(&merged).expect("next"));
    let of_all = Partial::merge_all(parts.into_iter().rev()).expect("all");
    let whole: Partial<T, Op> =
        executor.reduce_part(elements, 0, op).expect("the CPU does not fail");
    for merged in [from_left, from_right, of_all, whole.clone()] {
        let found = merged.finish().expect("it begins at 0");
        // Debug tells NaNs apart from nothing else, and zeros.
        assert_eq!(format!("{found:?}"), format!("{wanted:?}"), "{:?} {cuts:?}", op.spec());
        assert_eq!(merged, whole, "{:?} {cuts:?}", op.spec());
        assert_eq!(merged.to_bytes(), whole.to_bytes());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]
    #[test]
    fn any_cuts(len in 0..5000usize, seed: u32, cuts in prop::collection::vec(any::<usize>(), 0..6)) {
        let floats = floats(len, seed);
        for precision in [Precision::Reproducible, Precision::Exact] {
            check::<f32, _>(&floats, &cuts, precision, Sum);
            check::<f32, _>(&floats, &cuts, precision, Mean);
            check::<f32, _>(&floats, &cuts, precision, Norm);
            check::<f32, _>(&floats, &cuts, precision, Variance);
            check::<f32, _>(&floats, &cuts, precision, Max);
            let doubles: Vec<f64> = floats.iter().map(|&x| f64::from(x) * 1e100).collect();
            check::<f64, _>(&doubles, &cuts, precision, Sum);
            check::<f64, _>(&doubles, &cuts, precision, Mean);
            check::<f64, _>(&doubles, &cuts, precision, Min);
            check::<f64, _>(&doubles, &cuts, precision, Norm);
            check::<f64, _>(&doubles, &cuts, precision, Variance);
            let halves: Vec<f16> = floats.iter().map(|&x| f16::from_f32(x)).collect();
            check::<f16, _>(&halves, &cuts, precision, Sum);
        }
        check::<f32, _>(&floats, &cuts, Precision::Reproducible, Product);
        let doubles: Vec<f64> = floats.iter().map(|&x| x.into()).collect();
        check::<f64, _>(&doubles, &cuts, Precision::Reproducible, Product);
        let triples: Vec<[f32; 3]> = floats.as_chunks().0.to_vec();
        check::<[f32; 3], _>(&triples, &cuts, Precision::Reproducible, Mean);
        let integers: Vec<i64> = floats.iter().map(|x| i64::from(x.to_bits()) << 20).collect();
        check::<i64, _>(&integers, &cuts, Precision::Reproducible, Sum);
        check::<i64, _>(&integers, &cuts, Precision::Reproducible, Count);
        check::<i64, _>(&integers, &cuts, Precision::Reproducible, All);
        check::<i64, _>(&integers, &cuts, Precision::Reproducible, ArgMax);
        check::<f32, _>(&floats, &cuts, Precision::Reproducible, ArgMinMax.last());
        check::<f32, _>(&floats, &cuts, Precision::Reproducible, MinMax.nan(Nan::Total));
        // The key of the elements is that of none.
        let zeros = vec![0u32; len];
        check::<u32, _>(&zeros, &cuts, Precision::Reproducible, ArgMax);
        check::<u32, _>(&zeros, &cuts, Precision::Reproducible, ArgMax.last());
    }
}

#[test]
fn special_values() {
    let special = [0.0, -0.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e-40, f32::MAX, 2.0];
    for first in 0..special.len() {
        for second in 0..special.len() {
            let elements = [special[first], 1.5, special[second], -3.0, special[first]];
            for precision in [Precision::Reproducible, Precision::Exact] {
                check::<f32, _>(&elements, &[1, 2, 4], precision, Sum);
                check::<f32, _>(&elements, &[1, 3], precision, Variance);
                let doubles = elements.map(f64::from);
                check::<f64, _>(&doubles, &[1, 2, 4], precision, Sum);
                check::<f64, _>(&doubles, &[1, 2, 4], precision, SumOfSquares);
                check::<f64, _>(&doubles, &[1, 3], precision, Variance.sample());
            }
            check::<f32, _>(&elements, &[1, 2, 4], Precision::Reproducible, Product);
            check::<f64, _>(&elements.map(f64::from), &[3], Precision::Reproducible, Product);
            check::<f32, _>(&elements, &[2], Precision::Reproducible, Min);
        }
    }
}

fn part(values: &[f32], first: u64) -> Partial<f32, Sum> {
    Executor::cpu().reduce_part(values, first, Sum).expect("the CPU does not fail")
}

#[test]
fn only_neighbours_merge() {
    let (here, there) = (part(&[1.0, 2.0], 0), part(&[4.0], 3));
    assert_eq!(here.merge(&there).expect_err("a gap"), PartialError::Gap { end: 2, first: 3 });
    let overlap = PartialError::Overlap { end: 4, first: 0 };
    assert_eq!(there.merge(&here).expect_err("the wrong order"), overlap);
    assert_eq!(there.finish().expect_err("no beginning"), PartialError::NotFirst { first: 3 });
    let exact = Executor::cpu().precision(Precision::Exact);
    let exact: Partial<f32, Sum> = exact.reduce_part(&[3.0], 2, Sum).expect("it does not fail");
    assert_eq!(here.merge(&exact).expect_err("of two kinds"), PartialError::Precisions);
    let none: [Partial<f32, Sum>; 0] = [];
    assert_eq!(Partial::merge_all(none).expect_err("no parts"), PartialError::None);
    let between = part(&[3.0], 2);
    let all = Partial::merge_all([there, between, here]).expect("neighbours");
    assert_eq!((all.finish(), all.range(), all.len()), (Ok(10.0), 0..4, 4));
}

#[test]
fn what_a_part_of_nothing_comes_to() {
    let empty = part(&[], 5);
    assert!(empty.is_empty());
    assert_eq!(part(&[1.0; 5], 0).merge(&empty).expect("next").finish(), Ok(5.0));
    assert_eq!(part(&[], 0).finish(), Ok(0.0));
    let min: Partial<f32, Min> =
        Executor::cpu().reduce_part(&[], 0, Min).expect("it does not fail");
    assert_eq!(min.finish(), Ok(None));
    let too_long = Executor::cpu().reduce_part::<f32, _>(&[1.0], MAX_LEN, Sum);
    assert!(matches!(too_long, Err(crate::Error::Prepare(PrepareError::TooLong { .. }))));
}

/// Written by hand, from the table in the documentation.
#[test]
fn bytes_of_version_1() {
    let mut bytes = b"gridfp\n\x01".to_vec();
    bytes.extend([1, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0]);
    bytes.extend([1, 3, 3]);
    bytes.extend(b"sumf32");
    // Elements 1, and 2 to 3, which are siblings.
    bytes.extend([0, 0, 0x80, 0x3f, 0, 0, 0xa0, 0x40]);
    let three = part(&[1.0, 2.0, 3.0], 1);
    assert_eq!(three.to_bytes(), bytes);
    assert_eq!(Partial::from_bytes(&bytes), Ok(three));
}

#[test]
fn other_bytes_are_refused() {
    let good = part(&[1.0, 2.0, 3.0], 1).to_bytes();
    for len in 0..good.len() {
        Partial::<f32, Sum>::from_bytes(&good[..len]).expect_err("they are cut");
    }
    Partial::<f32, Sum>::from_bytes(&[&good[..], &[0]].concat()).expect_err("one too many");
    let other = Partial::<f32, Mean>::from_bytes(&good).expect_err("another operator");
    let text = "the bytes are a part of the sum of f32, and a part of the mean of f32 is asked for";
    assert_eq!(other.to_string(), text);
    let later = [&good[..7], &[2], &good[8..]].concat();
    let error = Partial::<f32, Sum>::from_bytes(&later).expect_err("a later version");
    assert_eq!(error, DecodePartialError::Version { version: 2 });
    // The positions of no part.
    let past = [&good[..8], &[0xff; 16], &good[24..]].concat();
    let error = Partial::<f32, Sum>::from_bytes(&past).expect_err("too long");
    assert_eq!(error, DecodePartialError::Range { first: u64::MAX, end: u64::MAX });
    let product: Partial<f32, Product> =
        Executor::cpu().reduce_part(&[3.0], 0, Product).expect("it does not fail");
    let mut bytes = product.to_bytes();
    let exponent = bytes.len() - 1;
    bytes[exponent] = 0x70;
    let error = Partial::<f32, Product>::from_bytes(&bytes).expect_err("a huge exponent");
    assert_eq!(error, DecodePartialError::Total { run: 0 });
}

/// A part of whatever bytes: it merges with neighbours, goes through bytes again, and has a result if it has a beginning.
fn check_decoded<T: Element, Op: Operator<T> + Copy>(bytes: &[u8], element: T, op: Op) -> bool {
    let Ok(part) = Partial::<T, Op>::from_bytes(bytes) else { return false };
    assert_eq!(Partial::from_bytes(&part.to_bytes()), Ok(part.clone()));
    assert_eq!(part.finish().is_ok(), part.range().start == 0);
    let executor = Executor::cpu().precision(part.precision());
    let neighbour = |first| executor.reduce_part::<T, _>(&[element], first, op);
    let range = part.range();
    let mut whole = part.clone();
    if range.start > 0 {
        let before = neighbour(range.start - 1).expect("the CPU does not fail");
        whole = before.merge(&whole).expect("neighbours");
    }
    if range.end < MAX_LEN {
        let next = neighbour(range.end).expect("the CPU does not fail");
        whole = whole.merge(&next).expect("neighbours");
    }
    assert_eq!(whole.range().end, (range.end + 1).min(MAX_LEN));
    assert_eq!(Partial::from_bytes(&whole.to_bytes()), Ok(whole));
    true
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]
    /// Whatever they are: an error, or a part that merges and finishes.
    #[test]
    fn any_bytes(at in any::<prop::sample::Index>(), with: u8, cut in 0..80usize) {
        let exact = Executor::cpu().precision(Precision::Exact);
        let damaged = |mut bytes: Vec<u8>| {
            let at = at.index(bytes.len());
            bytes[at] = with;
            bytes.truncate(bytes.len() - cut / 78);
            bytes
        };
        let bytes = damaged(part(&[1.0, -2.0, 3.0], 1).to_bytes());
        check_decoded::<f32, _>(&bytes, 0.5, Sum);
        let sum = exact.reduce_part::<f32, _>(&[1.0, 2.0], 0, Sum).expect("it does not fail");
        check_decoded::<f32, _>(&damaged(sum.to_bytes()), 0.5, Sum);
        let sum = exact.reduce_part::<f64, _>(&[1.0, 2.0], 7, Sum).expect("it does not fail");
        check_decoded::<f64, _>(&damaged(sum.to_bytes()), 0.5, Sum);
        let variance = exact.reduce_part::<f32, _>(&[1.0, 2.0], 0, Variance).expect("does not fail");
        check_decoded::<f32, _>(&damaged(variance.to_bytes()), 0.5, Variance);
        let cpu = Executor::cpu();
        let product = cpu.reduce_part::<f32, _>(&[1.5, 2.0], 1, Product).expect("it does not fail");
        check_decoded::<f32, _>(&damaged(product.to_bytes()), 0.5, Product);
        let place = cpu.reduce_part::<i64, _>(&[1, 2], 1, ArgMax).expect("it does not fail");
        check_decoded::<i64, _>(&damaged(place.to_bytes()), 5, ArgMax);
    }
}

/// Else the test above might see errors alone.
#[test]
fn whole_bytes_are_parts() {
    assert!(check_decoded::<f32, _>(&part(&[1.0, -2.0, 3.0], 1).to_bytes(), 0.5, Sum));
    assert!(check_decoded::<f32, _>(&part(&[1.0; 70], MAX_LEN - 70).to_bytes(), 0.5, Sum));
    let place = Executor::cpu().reduce_part::<i64, _>(&[1, 2], 1, ArgMax).expect("does not fail");
    assert!(check_decoded::<i64, _>(&place.to_bytes(), 5, ArgMax));
}

/// Pieces that each go on from the part before them, which has gone through bytes.
fn check_scan<T: Element, Op: Operator<T, Out: Element> + Copy>(
    elements: &[T],
    cuts: &[usize],
    initial: T,
    op: Op,
) {
    let executor = Executor::cpu();
    let mut ends: Vec<usize> = cuts.iter().map(|cut| cut % (elements.len() + 1)).collect();
    ends.extend([0, elements.len()]);
    ends.sort_unstable();
    // An initial value has no place.
    let has_initial = !op.spec().operator.tells_places();
    for kind in [Scan::inclusive(), Scan::exclusive()] {
        for kind in [Some(kind), has_initial.then(|| kind.initial(initial))].into_iter().flatten() {
            let wanted = executor.scan(kind, elements, op).expect("the CPU does not fail");
            let mut before =
                executor.reduce_part::<T, _>(&[], 0, op).expect("the CPU does not fail");
            let mut found = Vec::new();
            for ends in ends.windows(2) {
                let piece = &elements[ends[0]..ends[1]];
                let results = executor.scan_after(kind, &before, piece);
                found.extend(results.expect("the CPU does not fail"));
                let part = executor.reduce_part(piece, ends[0] as u64, op).expect("does not fail");
                before = before.merge(&part).expect("neighbours");
                before = Partial::from_bytes(&before.to_bytes()).expect("a part's bytes");
            }
            let [found, wanted]: [&[u8]; 2] =
                [&found, &wanted].map(|results| bytemuck::cast_slice(results));
            assert!(found == wanted, "{kind:?} by {:?}, {cuts:?}", op.spec());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 30, ..ProptestConfig::default() })]
    #[test]
    fn scans_cut_anywhere(len in 0..3000usize, seed: u32, cuts in prop::collection::vec(any::<usize>(), 0..6)) {
        let floats = floats(len, seed);
        check_scan::<f32, _>(&floats, &cuts, 0.3, Sum);
        check_scan::<f32, _>(&floats, &cuts, -3.0, Product);
        check_scan::<f32, _>(&floats, &cuts, 1.0, Max);
        let doubles: Vec<f64> = floats.iter().map(|&x| f64::from(x) * 1.1).collect();
        check_scan::<f64, _>(&doubles, &cuts, 0.3, Sum);
        check_scan::<f64, _>(&doubles, &cuts, 0.3, Product);
        let halves: Vec<f16> = floats.iter().map(|&x| f16::from_f32(x)).collect();
        check_scan::<f16, _>(&halves, &cuts, f16::ONE, Sum);
        let integers: Vec<u32> = floats.iter().map(|x| x.to_bits()).collect();
        check_scan::<u32, _>(&integers, &cuts, 7, SumWide);
        check_scan::<u32, _>(&integers, &cuts, 7, Count);
        check_scan::<u32, _>(&integers, &cuts, 7, BitXor);
        check_scan::<u32, _>(&integers, &cuts, 7, All);
        check_scan::<f32, _>(&floats, &cuts, 0.3, Mean);
        check_scan::<f64, _>(&doubles, &cuts, -0.3, SumOfSquares);
        check_scan::<f32, _>(&floats, &cuts, f32::NAN, Min.nan(Nan::Ignore));
        check_scan::<f32, _>(&floats, &cuts, 0.3, ArgMin);
        check_scan::<f64, _>(&doubles, &cuts, 0.3, ArgMax.last());
    }
}

/// With threads, which begin where parts do.
#[test]
fn long_scans_cut_anywhere() {
    let floats = floats(700_001, 3);
    for cuts in [[1, 2], [65_537, 262_144], [131_071, 700_000]] {
        check_scan::<f32, _>(&floats, &cuts, 0.3, Sum);
        check_scan::<f32, _>(&floats, &cuts, 0.3, Min);
        check_scan::<f32, _>(&floats, &cuts, 0.3, ArgMin);
        check_scan::<f32, _>(&floats, &cuts, 0.3, All);
        check_scan::<f32, _>(&floats, &cuts, 0.3, Mean);
    }
}

#[test]
fn what_no_scan_goes_on_from() {
    let scan_after = |before: &Partial<f32, Sum>| {
        Executor::cpu().scan_after(Scan::inclusive(), before, &[1.0]).expect_err("it can't")
    };
    let error = scan_after(&part(&[1.0], 3));
    let wanted = PartialError::NotFirst { first: 3 };
    assert!(matches!(error, crate::Error::Partial(error) if error == wanted));
    let exact = Executor::cpu().precision(Precision::Exact);
    let error = scan_after(&exact.reduce_part(&[1.0], 0, Sum).expect("the CPU does not fail"));
    assert!(matches!(error, crate::Error::Partial(PartialError::Precisions)));
    // All positions before: no elements are missing, and none has room.
    let mut bytes = part(&[1.0], 0).to_bytes();
    bytes[16..24].copy_from_slice(&MAX_LEN.to_le_bytes());
    let full = Partial::from_bytes(&bytes).expect("a single run");
    assert!(matches!(scan_after(&full), crate::Error::Prepare(PrepareError::TooLong { .. })));
    let before: Partial<f32, Variance> = Executor::cpu()
        .reduce_part(&[1.0], 0, Variance.nan(Nan::Ignore))
        .expect("the CPU does not fail");
    let error = Executor::cpu().scan_after(Scan::inclusive(), &before, &[1.0]);
    assert!(matches!(error, Err(crate::Error::Prepare(PrepareError::NoScan { .. }))));
}

#[test]
fn streams() {
    let floats = floats(10_000, 7);
    for precision in [Precision::Reproducible, Precision::Exact] {
        let executor = Executor::cpu().precision(precision);
        let mut stream = executor.stream::<f32, _>(Variance).expect("there is one");
        let (head, tail) = floats.split_at(3333);
        head.chunks(1000).for_each(|piece| stream.push(piece).expect("it does not fail"));
        let checkpoint = stream.checkpoint().expect("it does not fail").to_bytes();
        let part = Partial::from_bytes(&checkpoint).expect("a checkpoint");
        let mut stream = Executor::cpu().resume::<f32, Variance>(part);
        stream.push(tail).expect("it does not fail");
        let wanted = executor.variance(&floats).expect("it does not fail");
        assert_eq!(stream.finish().expect("it begins at 0").to_bits(), wanted.to_bits());
    }
    let error = Executor::cpu().precision(Precision::Exact).stream::<f32, _>(Product);
    assert!(matches!(error, Err(crate::Error::Prepare(PrepareError::Imprecise { .. }))));
}

/// Accumulators of no elements are what the host writes to devices' memory.
#[test]
fn every_operators_words_are_the_devices() {
    for spec in OperatorType::specs().filter(|spec| spec.inputs == 1) {
        let fold = find(spec.operator, spec.element).expect("it is defined");
        let identity = spec.combining.identity;
        let zero = fold.lift(&[0; 16][..usize::try_from(spec.element.size_bytes()).expect("few")]);
        assert_eq!(fold.write(&zero).len(), identity.len(), "{spec:?}");
        // A run of no elements has no level.
        if !spec.operator.is_variance() {
            assert_eq!(fold.write(&fold.identity())[..], *identity, "{spec:?}");
        }
    }
}

/// Each of two runs has the largest exponent that there is, so that the product of both has more.
#[test]
fn made_up_exponents_are_no_panic() {
    fn check<T: Element>(acc: &[u32])
    where
        Product: Operator<T>,
    {
        let part = Executor::cpu().reduce_part::<T, _>(&[], 0, Product).expect("it does not fail");
        let mut bytes = part.to_bytes();
        bytes[16] = 3;
        bytes.extend([acc, acc].concat().into_iter().flat_map(u32::to_le_bytes));
        let part = Partial::<T, Product>::from_bytes(&bytes).expect("these are accumulators");
        part.finish().expect("it begins at 0");
        assert_eq!(part.to_bytes(), bytes);
    }
    check::<f32>(&[0, 0x3f80_0000, 0, 1 << 19]);
    check::<f64>(&[0, 0, 0x3ff0_0000, 0, 1 << 19]);
}
