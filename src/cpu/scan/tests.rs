use super::{super::prefixes::GROUP, *};
use crate::{
    All, Any, ArgMax, ArgMin, BitXor, Count, CountNan, L1Norm, Max, MaxAbs, Mean, Min, MinMax, Nan,
    NanRule, Norm, Operator, Product, ProductWide, Sum, SumOfSquares, SumWide,
    cpu::{definition, table::fold_of},
};

fn scan<T: Element, Op: Operator<T>>(
    precision: Precision,
    kind: Scan<T>,
    elements: &[T],
    op: Op,
) -> Result<Vec<Op::Out>, PrepareError> {
    super::scan(fold_of::<T, Op>(&op)?, precision, kind, elements)
}

/// Each result by itself.
fn by_definition<T: Element, Op: Operator<T>>(
    scan: Scan<T>,
    elements: &[T],
    op: Op,
) -> Vec<Op::Out> {
    let fold = fold_of::<T, _>(&op).expect("it is defined");
    let combine = |a: Words, b: Words| fold.combine(&a, &b, false);
    let lift = |element: &T| fold.lift(bytemuck::bytes_of(element));
    let lifted: Vec<Words> = elements.iter().map(lift).collect();
    let shift = usize::from(scan.is_inclusive());
    let mut outs: Vec<Op::Out> = vec![Zeroable::zeroed(); elements.len()];
    for (i, out) in outs.iter_mut().enumerate() {
        let items = &lifted[..i + shift];
        let (total, len) = match scan.initial_value() {
            Some(initial) => {
                let total = definition::total_from(lift(&initial), items, combine);
                (total, items.len() as u64 + 1)
            }
            None => {
                let total = definition::total(items, combine);
                (total.unwrap_or(fold.identity()), items.len() as u64)
            }
        };
        fold.finish(&total, len, bytemuck::cast_slice_mut(std::slice::from_mut(out)));
    }
    outs
}

fn check<T: Element, Op: Operator<T> + Copy>(elements: &[T], initial: T, op: Op) {
    for kind in [Scan::inclusive(), Scan::exclusive()] {
        for kind in [kind, kind.initial(initial)] {
            let found = scan::<T, _>(Precision::Reproducible, kind, elements, op);
            let found = found.expect("there is memory");
            let wanted = by_definition::<T, _>(kind, elements, op);
            let [found, wanted]: [&[u8]; 2] =
                [&found, &wanted].map(|results| bytemuck::cast_slice(results));
            assert!(found == wanted, "{kind:?} by {:?} of {}", op.spec(), elements.len());
        }
    }
}

fn mixed(number: u32) -> u32 {
    let bits = number.wrapping_mul(0x9e37_79b1);
    let bits = (bits ^ (bits >> 15)).wrapping_mul(0x85eb_ca6b);
    bits ^ (bits >> 13)
}

#[test]
fn every_short_length() {
    let bits: Vec<u32> = (0..150).map(mixed).collect();
    let near_one = |&bits: &u32| f32::from_bits((bits & 0x80ff_ffff) | 0x3f00_0000);
    let floats: Vec<f32> = bits.iter().map(near_one).collect();
    let any: Vec<f32> = bits.iter().map(|&bits| f32::from_bits(bits)).collect();
    let doubles: Vec<f64> = floats.iter().map(|&x| 1.1 * f64::from(x)).collect();
    let signed: Vec<i32> = bits.iter().map(|bits| bits.cast_signed()).collect();
    for len in (0..70).chain([127, 128, 129, 150]) {
        check::<f32, _>(&floats[..len], 0.3, Sum);
        check::<f32, _>(&any[..len], -1e-3, Sum);
        check::<f32, _>(&floats[..len], -3.0, Product);
        check::<f32, _>(&any[..len], -0.0, Max);
        check::<f64, _>(&doubles[..len], 1e-5, Sum);
        check::<f64, _>(&doubles[..len], 1e300, Product);
        check::<f32, _>(&any[..len], 1.0, Count);
        check::<u32, _>(&bits[..len], 7, Sum);
        check::<u32, _>(&bits[..len], 7, SumWide);
        check::<i32, _>(&signed[..len], -1, ProductWide);
        check::<i32, _>(&signed[..len], 5, Min);
        check::<i32, _>(&signed[..len], -5, MaxAbs);
        check::<u32, _>(&bits[..len], 1, BitXor);
    }
}

/// NaNs with a sign and without, and zeros, among them.
fn with_nans(len: u32) -> Vec<f32> {
    (0..len)
        .map(|i| match mixed(i) % 7 {
            0 => f32::from_bits(0x7fc0_0000 | mixed(i) & 0x803f_ffff),
            1 => f32::from_bits(mixed(i) & 0x8000_0000),
            _ => f32::from_bits((mixed(i) & 0x80ff_ffff) | 0x3f00_0000),
        })
        .collect()
}

#[test]
fn every_short_length_by_what_nans_and_numbers_of_elements_matter_to() {
    let floats = with_nans(150);
    let numbers: Vec<f32> = floats.iter().map(|x| if x.is_nan() { 3.5 } else { *x }).collect();
    let doubles: Vec<f64> = floats.iter().map(|&x| 1.1 * f64::from(x)).collect();
    let flags: Vec<u32> = (0..150).map(|i| u32::from(i != 77)).collect();
    for len in (0..70).chain([77, 78, 127, 128, 129, 150]) {
        check::<f32, _>(&floats[..len], -f32::NAN, Min.nan(Nan::Ignore));
        check::<f32, _>(&floats[..len], -0.0, Max.nan(Nan::Ignore));
        check::<f32, _>(&floats[..len], -0.0, MinMax);
        check::<f32, _>(&floats[..len], f32::NAN, MinMax.nan(Nan::Ignore));
        check::<f64, _>(&doubles[..len], 1e-5, MinMax.nan(Nan::Total));
        check::<f32, _>(&floats[..len], f32::NAN, Min.nan(Nan::Total));
        check::<f32, _>(&floats[..len], 1.5, Max.nan(Nan::Total));
        check::<f32, _>(&floats[..len], f32::NAN, Sum.nan(Nan::Ignore));
        check::<f32, _>(&numbers[..len], -0.3, L1Norm);
        check::<f32, _>(&numbers[..len], -0.3, SumOfSquares);
        check::<f32, _>(&numbers[..len], 1e-30, Norm);
        check::<f32, _>(&numbers[..len], -0.3, Mean);
        check::<f32, _>(&floats[..len], f32::NAN, CountNan);
        check::<f32, _>(&floats[..len], -0.0, Any);
        check::<u32, _>(&flags[..len], 5, All);
        check::<u32, _>(&flags[..len], 0, All);
        check::<f64, _>(&doubles[..len], 1e-5, Sum.nan(Nan::Ignore));
        check::<f32, _>(&floats[..len], f32::NAN, Mean.nan(Nan::Ignore));
        check::<f32, _>(&floats[..len], -0.0, Mean.nan(Nan::Ignore));
        check::<f64, _>(&doubles[..len], 1e-5, Mean.nan(Nan::Ignore));
        check::<f64, _>(&doubles[..len], 1e-5, Min.nan(Nan::Total));
        check::<f64, _>(&doubles[..len], f64::NAN, SumOfSquares);
        check::<f64, _>(&doubles[..len], 7.0, Mean);
    }
}

/// Each result is what a reduction of its elements gives.
fn check_reductions<T: Element, Op: Operator<T> + Copy>(elements: &[T], op: Op) {
    let results = scan::<T, _>(Precision::Reproducible, Scan::inclusive(), elements, op);
    for (i, found) in results.expect("there is memory").iter().enumerate() {
        let value = super::super::reduce::<T, _>(&[&elements[..=i]], op).expect("it is defined");
        let wanted = Op::out(value).expect("there is an element");
        let [found, wanted] = [found, &wanted].map(bytemuck::bytes_of);
        assert!(found == wanted, "{:?}, {i}: {found:?}, not {wanted:?}", op.spec());
    }
}

#[test]
fn every_result_is_a_reduction() {
    let floats = with_nans(300);
    check_reductions::<f32, _>(&floats, Min.nan(Nan::Ignore));
    check_reductions::<f32, _>(&floats, Max.nan(Nan::Ignore));
    check_reductions::<f32, _>(&floats, Min.nan(Nan::Total));
    check_reductions::<f32, _>(&floats, Max.nan(Nan::Total));
    check_reductions::<f32, _>(&floats, Sum.nan(Nan::Ignore));
    check_reductions::<f32, _>(&floats, Mean.nan(Nan::Ignore));
    check_reductions::<f32, _>(&floats, MinMax.nan(Nan::Ignore));
    check_reductions::<f32, _>(&floats, ArgMin);
    check_reductions::<f32, _>(&floats, ArgMax.last());
    check_reductions::<f32, _>(&floats, ArgMax.nan(Nan::Ignore));
    check_reductions::<f32, _>(&floats, ArgMin.nan(Nan::Total).last());
    check_reductions::<f32, _>(&floats, CountNan);
    check_reductions::<f32, _>(&floats, Any);
    check_reductions::<f32, _>(&floats, All);
    let numbers: Vec<f32> = floats.into_iter().filter(|x| !x.is_nan()).collect();
    check_reductions::<f32, _>(&numbers, Mean);
    check_reductions::<f32, _>(&numbers, Norm);
    check_reductions::<f32, _>(&numbers, L1Norm);
    check_reductions::<f32, _>(&numbers, SumOfSquares);
}

fn results<T: Element, Op: Operator<T>>(kind: Scan<T>, elements: &[T], op: Op) -> Vec<Op::Out> {
    scan::<T, _>(Precision::Reproducible, kind, elements, op).expect("there is memory")
}

/// Of values that a loop adds without rounding, so that no order matters.
#[test]
fn what_a_loop_gives() {
    let or_nan = |i: u8| if i % 9 == 4 { f32::NAN } else { i.into() };
    let values: Vec<f32> = (1..=200).rev().map(or_nan).collect();
    let (mut sum, mut nans, mut least) = (0.0f32, 0u64, f32::NAN);
    let [sums, means, leasts] = [
        results::<f32, _>(Scan::inclusive(), &values, Sum.nan(Nan::Ignore)),
        results::<f32, _>(Scan::inclusive().initial(f32::NAN), &values, Mean.nan(Nan::Ignore)),
        results::<f32, _>(Scan::inclusive().initial(50.0), &values, Min.nan(Nan::Ignore)),
    ];
    let counts = results::<f32, _>(Scan::exclusive(), &values, CountNan);
    for (i, &value) in values.iter().enumerate() {
        assert_eq!(counts[i], nans, "{i}");
        sum += if value.is_nan() { 0.0 } else { value };
        nans += u64::from(value.is_nan());
        least = least.min(value).min(50.0);
        assert_eq!((sums[i], leasts[i]), (sum, least), "{i}");
        assert_eq!(means[i], sum / (i as u64 + 1 - nans) as f32, "{i}");
    }
    let values: Vec<f32> = (1..=200u8).map(f32::from).collect();
    let means = results::<f32, _>(Scan::inclusive(), &values, Mean);
    let from_ten = results::<f32, _>(Scan::exclusive().initial(10.0), &values, Mean);
    let squares = results::<f32, _>(Scan::inclusive().initial(-3.0), &values, SumOfSquares);
    let norms = results::<f32, _>(Scan::inclusive().initial(-3.0), &values, L1Norm);
    let (mut sum, mut square, mut count) = (0.0f32, 9.0f32, 0.0f32);
    for (i, &value) in values.iter().enumerate() {
        assert_eq!(from_ten[i], (sum + 10.0) / (count + 1.0), "{i}");
        sum += value;
        square += value * value;
        count += 1.0;
        assert_eq!((means[i], squares[i], norms[i]), (sum / count, square, sum + 3.0), "{i}");
    }
    let empty = results::<f32, _>(Scan::exclusive(), &values, Mean)[0];
    assert_eq!(empty.to_bits(), 0x7fc0_0000, "the mean of nothing");
}

#[test]
fn any_and_all() {
    let values = [1u32, 2, 0, 3];
    assert_eq!(results::<u32, _>(Scan::inclusive(), &values, All), [1, 1, 0, 0]);
    assert_eq!(results::<u32, _>(Scan::exclusive(), &values, All), [1, 1, 1, 0]);
    assert_eq!(results::<u32, _>(Scan::exclusive().initial(7), &values, All), [1, 1, 1, 0]);
    assert_eq!(results::<u32, _>(Scan::inclusive().initial(0), &values, All), [0, 0, 0, 0]);
    let values = [0u32, 0, 9, 0];
    assert_eq!(results::<u32, _>(Scan::inclusive(), &values, Any), [0, 0, 1, 1]);
    assert_eq!(results::<u32, _>(Scan::exclusive(), &values, Any), [0, 0, 0, 1]);
    assert_eq!(results::<u32, _>(Scan::exclusive().initial(1), &values, Any), [1, 1, 1, 1]);
}

/// On every thread, and after a part, there are as many elements as there are.
#[test]
fn numbers_of_elements_of_long_scans() {
    let len = 1_300_001;
    let fold = fold_of::<u32, _>(&All).expect("it is defined");
    for kind in [Scan::inclusive(), Scan::exclusive(), Scan::exclusive().initial(4)] {
        let all = results::<u32, _>(kind, &vec![3; len], All);
        assert!(all.iter().all(|&all| all == 1), "{kind:?}");
        let before = Before::Total { total: [5, 0][..].into(), len: 5 };
        let all =
            scan_after::<u32, u64>(fold, Precision::Reproducible, kind, before, &vec![3; len]);
        assert!(all.expect("there is memory").iter().all(|&all| all == 1), "{kind:?}");
        let before = Before::Total { total: [4, 0][..].into(), len: 5 };
        let all =
            scan_after::<u32, u64>(fold, Precision::Reproducible, kind, before, &vec![3; len]);
        assert!(all.expect("there is memory").iter().all(|&all| all == 0), "{kind:?}");
    }
    let means = results::<f32, _>(Scan::inclusive(), &vec![3.0; len], Mean);
    assert!(means.iter().all(|&mean| mean == 3.0));
    let means = results::<f32, _>(Scan::exclusive().initial(3.0), &vec![3.0; len], Mean);
    assert!(means.iter().all(|&mean| mean == 3.0));
}

#[test]
fn the_last_result_is_the_reduction() {
    for len in [1, 7, 100, 4095, 70_000, 1_000_003] {
        let floats: Vec<f32> =
            (0..len).map(|i| f32::from_bits((mixed(i) & 0x87ff_ffff) | 0x3800_0000)).collect();
        let scan = scan::<f32, _>(Precision::Reproducible, Scan::inclusive(), &floats, Sum);
        let last = scan.expect("there is memory").pop().expect("there are elements");
        assert_eq!(
            last.to_bits(),
            super::super::reduce::<f32, _>(&[&floats], Sum).expect("it is defined").to_bits()
        );
    }
}

/// Around groups, and around the blocks that results' memory is made by, also behind a part that ends within a group: what a loop gives that takes elements
/// one by one.
#[test]
fn lengths_around_groups_and_blocks() {
    let len = u32::try_from(3 * BLOCK_ITEMS + GROUP + 6).expect("few");
    let bits: Vec<u32> = (0..len).map(mixed).collect();
    let floats: Vec<f32> =
        bits.iter().map(|bits| f32::from_bits((bits & 0x87ff_ffff) | 0x3800_0000)).collect();
    let doubles: Vec<f64> = floats.iter().map(|&x| 1.1 * f64::from(x)).collect();
    check_behind::<f32, _>(&floats, Sum);
    check_behind::<f32, _>(&floats, Mean);
    check_behind::<f32, _>(&floats, Product);
    check_behind::<f32, _>(&with_nans(len), Mean.nan(Nan::Ignore));
    check_behind::<f64, _>(&doubles, Sum);
    check_behind::<u32, _>(&bits, Sum);
    check_behind::<u32, _>(&bits, SumWide);
    check_behind::<f32, _>(&with_nans(len), Min);
    check_behind::<u32, _>(&bits, ArgMin);
    check_behind::<u32, _>(&bits, All);
    let halves: Vec<half::f16> = floats.iter().map(|&x| half::f16::from_f32(x)).collect();
    check_behind::<half::f16, _>(&halves, Sum);
    let bytes: Vec<u8> = bits.iter().map(|bits| bits.to_le_bytes()[0]).collect();
    check_behind::<u8, _>(&bytes, ArgMin);
    let pairs: Vec<[f32; 2]> = floats.iter().map(|&x| [x, -x]).collect();
    check_behind::<[f32; 2], _>(&pairs, Mean);
}

/// The results behind the first elements, of both kinds, by the totals of all runs.
fn check_behind<T: Element, Op: Operator<T>>(elements: &[T], op: Op) {
    let fold = fold_of::<T, _>(&op).expect("it is defined");
    let combine = |left: Words, right: Words| fold.combine(&left, &right, false);
    let out = |runs: &Runs<Words>| {
        let total = runs.finish(combine).unwrap_or_else(|| fold.identity());
        let mut out = [<Op::Out as Zeroable>::zeroed()];
        fold.finish(&total, runs.end(), bytemuck::cast_slice_mut(&mut out));
        out[0]
    };
    let mut runs = vec![Runs::new(0)];
    let mut totals = vec![out(&runs[0])];
    for (place, element) in elements.iter().enumerate() {
        let mut longer = runs[place].clone();
        let lifted = fold.moved(fold.lift(bytemuck::bytes_of(element)), place as u64);
        longer.push(0, lifted, combine);
        totals.push(out(&longer));
        runs.push(longer);
    }
    let edges = [GROUP, 2 * GROUP, 4 * GROUP, BLOCK_ITEMS, 2 * BLOCK_ITEMS, 3 * BLOCK_ITEMS];
    let lens = edges.into_iter().flat_map(|edge| edge - 2..edge + 3).chain([elements.len()]);
    for len in lens {
        for before in [0, 1, GROUP - 3, GROUP, GROUP + 1, BLOCK_ITEMS - 1] {
            let before = before.min(len);
            let came = match op.spec().order_free {
                true => Before::Total {
                    total: runs[before].finish(combine).unwrap_or_else(|| fold.identity()),
                    len: before as u64,
                },
                false => Before::Runs(&runs[before]),
            };
            for is_inclusive in [false, true] {
                let kind = if is_inclusive { Scan::inclusive() } else { Scan::exclusive() };
                let (precision, behind) = (Precision::Reproducible, &elements[before..len]);
                let found = scan_after::<T, Op::Out>(fold, precision, kind, came.clone(), behind);
                let found = found.expect("there is memory");
                let first = before + usize::from(is_inclusive);
                let wanted = &totals[first..first + behind.len()];
                let place = found.iter().zip(wanted).position(|(found, wanted)| {
                    bytemuck::bytes_of(found) != bytemuck::bytes_of(wanted)
                });
                let what = format!("{:?} of {len} behind {before}", op.spec());
                assert_eq!((found.len(), place), (wanted.len(), None), "{kind:?} by {what}");
            }
        }
    }
}

/// By one thread and by many, from the first element on, and behind others, which end where a block does or within one.
#[cfg(feature = "parallel")]
#[test]
fn one_thread_and_many() {
    let floats: Vec<f32> =
        (0..1_300_001).map(|i| f32::from_bits((mixed(i) & 0x87ff_ffff) | 0x3800_0000)).collect();
    let ints: Vec<u32> = floats.iter().map(|x| x.to_bits()).collect();
    check_threads::<f32, _>(&floats, &[0.5f32.to_bits()], Sum);
    check_threads::<f32, _>(&floats, &[0.5f32.to_bits()], Mean);
    check_threads::<u32, _>(&ints, &[9], Sum);
    check_threads::<u32, _>(
        &ints,
        &fold_of::<u32, _>(&ArgMin).expect("it is defined").identity(),
        ArgMin,
    );
    let halves: Vec<half::f16> = floats.iter().map(|&x| half::f16::from_f32(x)).collect();
    check_threads::<half::f16, _>(&halves, &[0.5f32.to_bits()], Sum);
    let bounds = fold_of::<[f32; 3], _>(&crate::Bounds).expect("it is defined").identity();
    check_threads::<[f32; 3], _>(floats.as_chunks().0, &bounds, crate::Bounds);
}

#[cfg(feature = "parallel")]
fn check_threads<T: Element, Op: Operator<T>>(elements: &[T], initial: &[u32], op: Op) {
    let befores: &[usize] = match op.spec().order_free {
        true => &[0],
        false => &[0, 1, BLOCK_ITEMS - 3, BLOCK_ITEMS, 3 * BLOCK_ITEMS + GROUP],
    };
    for is_inclusive in [false, true] {
        let scanner = || Scanner {
            fold: fold_of::<T, _>(&op).expect("it is defined"),
            is_inclusive,
            begin: 0,
            prefixes: Prefixes::new(initial.into()),
        };
        let mut wanted = Vec::<Op::Out>::new();
        scanner().push_blocks(elements_as_bytes(elements), true, &mut wanted);
        for &before in befores {
            for len in [before + 5, before + 70_000, elements.len()] {
                for threads in [1, 2, 3, 8] {
                    let mut scanner = scanner();
                    // One by one: a block that is no run ends a scan.
                    for came in &elements[..before] {
                        scanner.push_blocks(
                            bytemuck::bytes_of(came),
                            false,
                            &mut Vec::<Op::Out>::new(),
                        );
                    }
                    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                    let behind = elements_as_bytes(&elements[before..len]);
                    let found: Result<Vec<Op::Out>, _> = pool
                        .expect("threads start")
                        .install(|| scanner.scan_by_threads(behind, len - before));
                    let found = found.expect("there is memory");
                    let [found, wanted]: [&[u8]; 2] =
                        [&found[..], &wanted[before..len]].map(bytemuck::cast_slice);
                    let what = format!("{before}..{len} by {threads} threads");
                    assert!(found == wanted, "{:?} of {what}", op.spec());
                }
            }
        }
    }
}

#[test]
fn what_is_no_scan() {
    use crate::{OperatorType, Variance};
    let variance = Variance.nan(Nan::Ignore);
    let none = scan(Precision::Reproducible, Scan::inclusive(), &[1.0f32], variance);
    let own = OperatorType::Variance.nan(NanRule::Ignore);
    assert!(matches!(none, Err(PrepareError::NoScan { operator }) if operator == own));
    let sums = |precision| scan::<f32, _>(precision, Scan::inclusive(), &[1.0], Sum);
    let found = sums(Precision::Exact);
    let sum = OperatorType::Sum;
    assert!(matches!(found, Err(PrepareError::NoExactScan { operator, .. }) if operator == sum));
    assert!(sums(Precision::Unordered).is_ok());
    assert!(scan::<u32, _>(Precision::Exact, Scan::inclusive(), &[1], Sum).is_ok());
}

/// Each result is a reduction's of the elements so far, also of accumulators that are no run's, and of several words.
#[test]
fn each_is_a_reduction() {
    use crate::{Bounds, BriefMoments, Mean, Moments, Variance};
    fn check<T: Element, Op: Operator<T> + Copy>(elements: &[T], op: Op) {
        let inclusive = results::<T, _>(Scan::inclusive(), elements, op);
        let exclusive = results::<T, _>(Scan::exclusive(), elements, op);
        for len in 0..=elements.len() {
            // Few of many.
            if len > 300 && !len.is_multiple_of(elements.len() / 17) && len != elements.len() {
                continue;
            }
            let total = crate::cpu::reduce::<T, _>(&[&elements[..len]], op).expect("it is defined");
            for out in [len.checked_sub(1).map(|last| inclusive[last]), exclusive.get(len).copied()]
            {
                let value = out.map(|out| Op::value(out, len as u64));
                let [value, total] = [value, Some(total)].map(|value| format!("{value:?}"));
                assert!(
                    out.is_none() || value == total,
                    "{value}, not {total}: {:?}, {len}",
                    op.spec()
                );
            }
        }
    }
    for len in [300, 20_001, 400_003] {
        let floats: Vec<f32> =
            (0..len).map(|i| f32::from_bits(mixed(i) >> 3 | 0x3000_0000)).collect();
        check::<f32, _>(&floats, Variance);
        check::<f32, _>(&floats, Variance.sample());
        check::<f32, _>(&floats, BriefMoments);
        check::<f32, _>(&floats, Moments);
        check::<f32, _>(&floats, crate::ArgMinMax);
        let wide: Vec<f64> = floats.iter().map(|&x| 1.1 * f64::from(x)).collect();
        check::<f64, _>(&wide, Variance);
        check::<[f32; 3], _>(floats.as_chunks().0, Sum);
        check::<[f32; 2], _>(floats.as_chunks().0, Mean);
        check::<[f32; 3], _>(floats.as_chunks().0, Bounds);
        let halves: Vec<half::f16> = floats.iter().map(|&x| half::f16::from_f32(x)).collect();
        check::<half::f16, _>(&halves, Sum);
        check::<half::f16, _>(&halves, Variance);
        let bytes: Vec<u8> = (0..len).map(|i| mixed(i).to_le_bytes()[0]).collect();
        check::<u8, _>(&bytes, ArgMin);
        check::<u8, _>(&bytes, SumWide);
    }
}

/// Of so many that threads share them, and places of all of them are found.
#[test]
fn running_places() {
    let words = |(value, place): (u32, u64)| -> [u32; 3] {
        let [low, high]: [u32; 2] = bytemuck::cast(place);
        [low, high, value]
    };
    let down: Vec<u32> = (0..700_001).map(|i| (mixed(i) >> 24) + (700_001 - i) / 5000).collect();
    let up: Vec<u32> = down.iter().rev().copied().collect();
    let firsts = results::<u32, _>(Scan::inclusive(), &down, ArgMin);
    let before = results::<u32, _>(Scan::exclusive(), &down, ArgMin);
    let lasts = results::<u32, _>(Scan::inclusive(), &up, ArgMax.last());
    let mut least = (u32::MAX, u64::MAX);
    let mut largest = (0, 0);
    for (place, (&low, &high)) in down.iter().zip(&up).enumerate() {
        assert_eq!(before[place], words(least), "{place}");
        if low < least.0 {
            least = (low, place as u64);
        }
        if high >= largest.0 {
            largest = (high, place as u64);
        }
        assert_eq!((firsts[place], lasts[place]), (words(least), words(largest)), "{place}");
    }
    assert!(least.1 > 100_000 && largest.1 > 600_000, "{least:?}, {largest:?}");
}

#[test]
fn what_has_no_place() {
    let from = scan::<u32, _>(Precision::Reproducible, Scan::inclusive().initial(7), &[1], ArgMin);
    assert!(matches!(from, Err(PrepareError::NoInitialValue { .. })), "{from:?}");
    let from = scan::<f32, _>(
        Precision::default(),
        Scan::inclusive().initial(7.0),
        &[1.0],
        crate::Variance,
    );
    assert!(matches!(from, Err(PrepareError::NoInitialValue { .. })), "{from:?}");
    let from = scan::<f32, _>(
        Precision::default(),
        Scan::inclusive().initial(7.0),
        &[1.0],
        crate::Moments,
    );
    assert!(matches!(from, Err(PrepareError::NoInitialValue { .. })), "{from:?}");
}
