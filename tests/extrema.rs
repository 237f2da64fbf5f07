//! Extrema, and where they are, on the CPU: against the vectors that an independent script made by NumPy.

#[path = "support/data.rs"]
#[expect(dead_code, reason = "of the pairwise order's vectors only the generator is used")]
mod data;
#[path = "support/extrema_vectors.rs"]
mod extrema_vectors;

use extrema_vectors::{is_extremum, vectors_of};
use gridfold::{
    ArgMax, ArgMin, Bool, Element, Executor, Operator, Place,
    half::{bf16, f16},
};
use std::convert::Infallible;

macro_rules! check_all {
    (
        one input { $($verb:ident $operator:ident $name:literal [$($element:ident)*] $doc:literal)* }
        two inputs $two:tt
        options { $($of:ident $choice:tt [$($of_element:ident)*])* }
    ) => {
        $($(check::<$element, _>(gridfold::$operator);)*)*
        $($(check::<$of_element, _>(gridfold::operator!($of $choice));)*)*
    };
}

#[test]
fn every_cell() {
    gridfold::operators!(check_all!());
}

/// As a whole, in parts, and as a stream.
fn check<T: Element, Op: Operator<T> + Copy>(op: Op) {
    if !is_extremum(op.spec().operator) {
        return;
    }
    let executor = Executor::cpu();
    for vector in vectors_of(T::TYPE) {
        let elements: Vec<T> = vector.elements();
        let out = vector.out::<T, _>(op);
        // A NaN is not itself.
        let wanted = format!("{:?}", <Op as Operator<T>>::value(out, vector.len as u64));
        let what = || format!("{} of {vector:?}", op.spec().operator);
        let found = executor.reduce(&elements, op).expect("the CPU does not fail").value;
        assert_eq!(format!("{found:?}"), wanted, "{}", what());
        let (left, right) = elements.split_at(elements.len() / 3);
        let (middle, right) = right.split_at(right.len() / 2);
        let found = gridfold::cpu::reduce::<T, _>(&[&[], left, middle, &[], right, &[]], op)
            .expect("it is defined");
        assert_eq!(format!("{found:?}"), wanted, "{} in parts", what());
        let mut rest = &elements[..];
        let len = elements.len() as u64;
        let executor = executor.clone().chunk_bytes(1 << 10);
        let found = executor.reduce_stream::<T, _, Infallible>(len, op, |_, part| {
            let now;
            (now, rest) = rest.split_at(part.len());
            part.copy_from_slice(now);
            Ok(())
        });
        let found = found.expect("elements are there").value;
        assert_eq!(format!("{found:?}"), wanted, "{} in chunks", what());
        // A buffer of an input's and what is read from it.
        let value = <Op as Operator<T>>::value(out, len);
        let again = <Op as Operator<T>>::out(value).expect("of some elements");
        assert_eq!(format!("{again:?}"), format!("{out:?}"), "{}", what());
    }
    let nothing = executor.reduce::<T, _>(&[], op).expect("the CPU does not fail").value;
    assert_eq!(format!("{nothing:?}"), "None", "{}", op.spec().operator);
}

/// Which several threads share.
#[test]
fn many_elements() {
    let executor = Executor::cpu();
    let mut elements = vec![0.0f32; 5_000_000];
    elements[1_234_567] = 1.0;
    elements[4_000_001] = 1.0;
    let place = |index| Some(Place { index, element: 1.0 });
    assert_eq!(executor.arg_max(&elements).expect("reduces"), place(1_234_567));
    assert_eq!(executor.reduce(&elements, ArgMax.last()).expect("reduces").value, place(4_000_001));
    let first = executor.arg_min(&elements).expect("reduces");
    assert_eq!(first, Some(Place { index: 0, element: 0.0 }));
    let last = executor.reduce(&elements, ArgMin.last()).expect("reduces").value;
    assert_eq!(last, Some(Place { index: 4_999_999, element: 0.0 }));
}
