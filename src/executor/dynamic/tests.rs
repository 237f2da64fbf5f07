//! All calls of an operator agree, on the CPU.

use super::*;
use crate::{ElementType, Map, Map2, Number, OperatorType, Precision};
use std::convert::Infallible;

/// Bytes that are whole elements. Floats are of any size, with NaNs.
fn bytes(operator: DynOperator, len: usize) -> Vec<u8> {
    let mut random = 1u64;
    let mut next = || {
        random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (random >> 56) as u8
    };
    let bytes = len * usize::try_from(operator.spec().element.size_bytes()).expect("a few");
    (0..bytes).map(|_| next()).collect()
}

fn cpu() -> Executor {
    Executor { chunk_bytes: Some(1 << 10), ..Executor::cpu() }
}

fn of_one_input() -> impl Iterator<Item = DynOperator> {
    DynOperator::all().filter(|operator| operator.spec().inputs == 1)
}

#[test]
fn every_call_has_the_same_bits() {
    let executor = cpu();
    let mut scans = 0;
    for operator in of_one_input() {
        let spec = operator.spec();
        let size = usize::try_from(spec.element.size_bytes()).expect("a few");
        for len in [0, 1, 1000, 2500] {
            let elements = bytes(operator, len);
            let whole = operator.reduce(&executor, &[&elements]).expect("it is defined").value;
            // Where no element can begin.
            let mut moved = vec![0; elements.len() + 1];
            let off = usize::from(moved.as_ptr().addr().is_multiple_of(2));
            moved[off..off + elements.len()].copy_from_slice(&elements);
            let moved = &moved[off..off + elements.len()];
            assert_eq!(operator.reduce(&executor, &[moved]).expect("bytes").value, whole);

            let mut rest = &elements[..];
            let fill = |_: usize, part: &mut [u8]| {
                let now;
                (now, rest) = rest.split_at(part.len());
                part.copy_from_slice(now);
                Ok::<_, Infallible>(())
            };
            let stream = operator.reduce_stream(&executor, len as u64, fill);
            assert_eq!(stream.expect("no errors").value, whole, "{spec:?} of {len}");

            let (first, second) = elements.split_at(len / 3 * size);
            let part = operator.reduce_part(&executor, first, 0).expect("it is defined");
            let part = operator.part_from_bytes(&part.to_bytes()).expect("its own bytes");
            let next = operator.reduce_part(&executor, second, part.range().end);
            let both = part.merge(&next.expect("it is defined")).expect("neighbours");
            assert_eq!(both.finish().expect("from the first on"), whole, "{spec:?} of {len}");

            if spec.has_segments() {
                let end = u32::try_from(len).expect("a few");
                let segments = operator.reduce_segments(&executor, moved, &[0, end, end]);
                let segments = segments.expect("offsets rise");
                assert_eq!(segments.len(), 2);
                assert_eq!(segments.get(0), Some(whole.clone()), "{spec:?} of {len}");
                let none = operator.reduce(&executor, &[&[]]).expect("it is defined").value;
                assert_eq!(segments.get(1), Some(none.clone()));
                assert_eq!(segments.has_value(1), none.numbers().is_some());
                assert_eq!((segments.get(2), segments.has_value(2)), (None, false));
            }
            if spec.scans() && len > 0 {
                scans += 1;
                let head = operator.scan(&executor, true, None, first).expect("it scans");
                let rest = operator.scan(&executor, true, Some(&part), second).expect("it scans");
                let all = operator.scan(&executor, true, None, moved).expect("it scans");
                assert_eq!([head.words(), rest.words()].concat(), all.words(), "{spec:?}");
                assert_eq!(all.get(len - 1), Some(whole), "{spec:?} of {len}");
                let before = operator.scan(&executor, false, None, moved).expect("it scans");
                assert_eq!(before.len(), len);
                for place in 1..len {
                    assert_eq!(before.get(place), all.get(place - 1), "{spec:?} at {place}");
                }
            }
        }
    }
    assert!(scans > 900, "{scans}");
}

#[test]
fn dot_products() {
    let dot = DynOperator::new(OperatorType::Dot, ElementType::F32).expect("it is defined");
    let [left, right] = [[1.0f32, 2.0], [3.0, 0.5]];
    let inputs = [left, right].map(|input| bytemuck::cast_slice(&input).to_vec());
    let dot_of = |inputs: &[&[u8]]| dot.reduce(&cpu(), inputs);
    let found = dot_of(&[&inputs[0], &inputs[1]]).expect("two inputs").value;
    assert_eq!(found.numbers().expect("there is one")[0].number, Number::F32(4.0));
    let error = dot_of(&[&inputs[0], &inputs[1][4..]]).expect_err("of two lengths");
    assert!(matches!(error, Error::Prepare(PrepareError::LengthMismatch { left: 2, right: 1 })));
    let error = dot_of(&[&inputs[0]]).expect_err("of one input");
    assert!(matches!(error, Error::Prepare(PrepareError::Bytes { inputs: 2, .. })));
    assert!(dot.scan(&cpu(), true, None, &[]).is_err());
    assert!(dot.reduce_segments(&cpu(), &[], &[]).is_err());
    assert!(dot.reduce_part(&cpu(), &[], 0).is_err());
    assert!(dot.part_from_bytes(&[]).is_err());
}

#[test]
fn bytes_are_whole_elements() {
    for operator in of_one_input().filter(|operator| operator.spec().element.size_bytes() > 1) {
        let is_refused = |error: Error| matches!(error, Error::Prepare(PrepareError::Bytes { bytes, .. }) if bytes == [7]);
        let elements = [0; 7];
        assert!(is_refused(operator.reduce(&cpu(), &[&elements]).expect_err("7 bytes")));
        assert!(is_refused(operator.reduce_part(&cpu(), &elements, 0).expect_err("7 bytes")));
        assert!(is_refused(operator.scan(&cpu(), true, None, &elements).expect_err("7 bytes")));
        let segments = operator.reduce_segments(&cpu(), &elements, &[0, 1]);
        assert!(is_refused(segments.expect_err("7 bytes")));
    }
}

#[test]
fn parts_are_of_one_operator() {
    let [sum, max] = [OperatorType::Sum, OperatorType::Max]
        .map(|operator| DynOperator::new(operator, ElementType::U32).expect("it is defined"));
    let part = |operator: DynOperator, first| operator.reduce_part(&cpu(), &[0; 8], first);
    let [first, next] = [part(sum, 0), part(max, 2)].map(|part| part.expect("whole elements"));
    let error = first.merge(&next).expect_err("another operator");
    assert!(matches!(error, PartialError::Operators { other: OperatorType::Max, .. }));
    assert!(max.scan(&cpu(), true, Some(&first), &[]).is_err());
    assert!(max.part_from_bytes(&first.to_bytes()).is_err());
}

#[test]
fn expressions() {
    let sum = DynOperator::new(OperatorType::Sum, ElementType::F32).expect("it is defined");
    let elements: Vec<u8> = [1.0f32, 2.0, 3.0].iter().flat_map(|x| x.to_ne_bytes()).collect();
    let fill = |_: usize, part: &mut [u8]| {
        part.copy_from_slice(&elements);
        Ok::<_, Infallible>(())
    };
    let of = |map: &DynMap, operator: DynOperator| {
        operator.reduce_map_stream(&Executor::cpu(), map, 3, fill)
    };
    let squares = DynMap::from(Map::<f32>::new("x * x + f32(i)").expect("an expression"));
    assert!(squares.reads_index());
    let found = of(&squares, sum).expect("it is defined").value.numbers();
    assert_eq!(found.expect("there are elements")[0].number, Number::F32(17.0));
    let products = DynMap::from(Map2::<f32>::new("x * y").expect("an expression"));
    assert!(!products.reads_index());
    let found = of(&products, sum).expect("it is defined").value.numbers();
    assert_eq!(found.expect("there are elements")[0].number, Number::F32(14.0));
    let of_integers = DynOperator::new(OperatorType::Sum, ElementType::I32).expect("defined");
    let error = of(&squares, of_integers).expect_err("of floats");
    assert!(matches!(error, StreamError::Reduce(Error::Prepare(PrepareError::Unsupported { .. }))));
    let failing = |_: usize, _: &mut [u8]| Err("no more");
    let failed = sum.reduce_map_stream(&Executor::cpu(), &squares, 3, failing);
    assert!(matches!(failed, Err(StreamError::Source("no more"))));
}

#[test]
fn precision_is_the_executors() {
    let product = DynOperator::new(OperatorType::Product, ElementType::F32).expect("defined");
    let exact = Executor::cpu().precision(Precision::Exact);
    let error = product.reduce(&exact, &[&[]]).expect_err("products round");
    assert!(matches!(error, Error::Prepare(PrepareError::Imprecise { .. })));
    let error = DynOperator::new(OperatorType::BitAnd, ElementType::F32).expect_err("of floats");
    assert!(matches!(error, PrepareError::Unsupported { .. }));
}

/// Results are the typed calls'.
#[test]
fn results_are_those_of_types() {
    fn check<T: crate::Element, Op: crate::Operator<T> + Copy>(op: Op) {
        let operator = DynOperator::new(op.spec().operator, T::TYPE).expect("it is defined");
        for len in [0, 1, 300] {
            let bytes = bytes(operator, len);
            let elements: Vec<T> = bytemuck::pod_collect_to_vec(&bytes);
            let typed = cpu().reduce(&elements, op).expect("it is defined");
            let found = operator.reduce(&cpu(), &[&bytes]).expect("whole elements");
            assert_eq!((found.plan, found.adapter), (typed.plan, typed.adapter));
            let out = bytemuck::pod_read_unaligned(bytemuck::cast_slice(found.value.words()));
            // A NaN is not itself.
            let value = format!("{:?}", Op::value(out, len as u64));
            assert_eq!(value, format!("{:?}", typed.value), "{operator:?} of {len}");
            let is_some = Op::out(typed.value).is_some();
            assert_eq!(found.value.numbers().is_some(), is_some, "{operator:?} of {len}");
        }
    }
    macro_rules! checks {
        (
            one input { $($verb:ident $one:ident $name:literal [$($element:ident)*] $doc:literal)* }
            two inputs $two:tt
            options { $($of:ident $choice:tt [$($of_element:ident)*])* }
        ) => {
            $($(check::<$element, _>(crate::$one);)*)*
            $($(check::<$of_element, _>(crate::operator!($of $choice));)*)*
        };
    }
    use crate::Bool;
    use half::{bf16, f16};
    crate::operators!(checks!());
}

#[test]
fn numbers_say_what_they_are() {
    use Number::{Bool, F32, F64, I32, I64, U32, U64};
    let numbers = |operator, element, bytes: &[u8]| {
        let operator = DynOperator::new(operator, element).expect("it is defined");
        let reduction = operator.reduce(&cpu(), &[bytes]).expect("whole elements");
        let found = reduction.value.numbers()?;
        Some(found.into_iter().map(|found| (found.place, found.number)).collect::<Vec<_>>())
    };
    let small = [3, -8i8, 5].map(i8::cast_unsigned);
    let of = |operator| numbers(operator, ElementType::I8, &small).expect("there are elements");
    assert_eq!(of(OperatorType::MinMax), [(None, I32(-8)), (None, I32(5))]);
    assert_eq!(of(OperatorType::ArgMinMax), [(Some(1), I32(-8)), (Some(2), I32(5))]);
    assert_eq!(of(OperatorType::SumWide), [(None, I64(0))]);
    assert_eq!(of(OperatorType::MaxAbs), [(None, U32(8))]);
    assert_eq!(of(OperatorType::Count), [(None, U64(3))]);
    assert_eq!(of(OperatorType::Any), [(None, Bool(true))]);
    let floats = [1.5f32, -2.0, 0.5, 4.0].map(f32::to_ne_bytes).concat();
    let of = |operator, element| numbers(operator, element, &floats).expect("there are elements");
    assert_eq!(of(OperatorType::Sum, ElementType::F32x2), [(None, F32(2.0)), (None, F32(2.0))]);
    let doubles = [1.5f64, -2.0].map(f64::to_ne_bytes).concat();
    assert_eq!(
        numbers(OperatorType::Max, ElementType::F64, &doubles),
        Some(vec![(None, F64(1.5))])
    );
    assert_eq!(numbers(OperatorType::Max, ElementType::F64, &[]), None);
    assert_eq!(
        numbers(OperatorType::Max, ElementType::Bits, &[0, 4, 0, 0]),
        Some(vec![(None, Bool(true))])
    );
    assert_eq!(of(OperatorType::Bounds, ElementType::F32x2), []);
    assert_eq!(Number::read(ElementType::I64, &[0xff; 8]), Some(I64(-1)));
    assert_eq!(Number::read(ElementType::I64, &[0xff; 4]), None);
    assert_eq!(Number::read(ElementType::Bool, &[7]), Some(Bool(true)));
}
