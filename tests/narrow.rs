//! Narrow elements, integers, elements of several components, masks, and of elements of every size magnitudes and what is counted, on the
//! CPU: against the vectors that an independent script made by NumPy.

#[path = "support/component_vectors.rs"]
mod component_vectors;
#[path = "support/data.rs"]
#[expect(dead_code, reason = "of the pairwise order's vectors only the generator is used")]
mod data;
#[path = "support/mask_vectors.rs"]
mod mask_vectors;
#[path = "support/moments_told.rs"]
#[expect(dead_code, reason = "what moments of f64s tell")]
mod moments_told;
#[path = "support/narrow_vectors.rs"]
mod narrow_vectors;

use component_vectors::component_vectors_of;
use gridfold::{
    BitAnd, BitOr, BitXor, Bool, Bounds, BriefMoments, BriefSummary, Count, Dot, Element, Executor,
    Max, MaxAbs, Mean, Min, Moments, Operator, OperatorType, Precision, Product, Sum, SumWide,
    Summary,
    half::{bf16, f16},
};
use mask_vectors::mask_vectors;
use moments_told::{brief_of_f32s, told_of_f32s, without_shape};
use narrow_vectors::{has_vectors_of, out_of_nothing, vectors_of};

fn check<T: Element, Op: Operator<T> + Copy>(op: Op) {
    let spec = Operator::<T>::spec(&op);
    for vector in vectors_of(spec.operator, T::TYPE) {
        let elements: Vec<T> = vector.elements();
        let executor = Executor::cpu().precision(vector.precision);
        let found = executor.reduce(&elements, op).expect("the CPU does not fail").value;
        let out = vector.out().unwrap_or(out_of_nothing::<T, _>(op));
        // A NaN of f16 is not itself.
        let found = format!("{found:?}");
        let wanted = format!("{:?}", <Op as Operator<T>>::value(out, vector.len as u64));
        assert_eq!(found, wanted, "{vector:?}");
        // In several parts, and one by one.
        let (left, right) = elements.split_at(elements.len() / 3);
        let parts = [left, right, &[]];
        let is_in_order = vector.precision < Precision::Exact;
        if is_in_order || spec.order_free {
            let value = gridfold::cpu::reduce::<T, _>(&parts, op).expect("it is defined");
            assert_eq!(format!("{value:?}"), wanted, "{vector:?} in parts");
        }
    }
}

fn check_dot<T: Element>()
where
    Dot: Operator<(T, T), Value: bytemuck::Pod>,
{
    for vector in vectors_of(OperatorType::Dot, T::TYPE) {
        let executor = Executor::cpu().precision(vector.precision);
        let found = executor.dot::<T>(&vector.elements(), &vector.right_elements());
        let wanted: Option<u32> = vector.out();
        let found: u32 = bytemuck::cast(found.expect("the CPU does not fail"));
        assert_eq!(found, wanted.expect("a number"));
    }
}

macro_rules! check_all {
    (
        one input { $($verb:ident $operator:ident $name:literal [$($element:ident)*] $doc:literal)* }
        two inputs $two:tt
        options { $($of:ident $choice:tt [$($of_element:ident)*])* }
    ) => {
        $($(check_own::<$element, _>(gridfold::$operator);)*)*
        $($(check_own::<$of_element, _>(gridfold::operator!($of $choice));)*)*
    };
}

/// Others are in vectors of their own.
fn check_own<T: Element, Op: Operator<T> + Copy>(op: Op) {
    let operator = op.spec().operator;
    if has_vectors_of(operator, T::TYPE) && operator != OperatorType::Moments {
        check(op);
    }
}

#[test]
fn every_cell() {
    gridfold::operators!(check_all!());
    check_dot::<f16>();
    check_dot::<bf16>();
}

fn check_moments<T: Element>()
where
    Moments: Operator<T, Value = Summary<f32>>,
    BriefMoments: Operator<T, Value = BriefSummary<f32>>,
{
    for vector in vectors_of(OperatorType::Moments, T::TYPE) {
        let elements: Vec<T> = vector.elements();
        let found = Executor::cpu().moments(&elements).expect("the CPU does not fail");
        assert_eq!(told_of_f32s(&found), vector.told.replace(',', " "), "{vector:?}");
        let (left, right) = elements.split_at(elements.len() / 3);
        let found =
            gridfold::cpu::reduce::<T, _>(&[left, &[], right], Moments).expect("it is defined");
        assert_eq!(told_of_f32s(&found), vector.told.replace(',', " "), "{vector:?} in parts");
        let found = Executor::cpu().brief_moments(&elements).expect("the CPU does not fail");
        assert_eq!(brief_of_f32s(&found), without_shape(vector.told), "{vector:?}, brief");
    }
}

/// Those of f32s and f64s are in tests/vectors.rs.
#[test]
fn moments_of_halves() {
    check_moments::<f16>();
    check_moments::<bf16>();
}

fn check_components<T: Element, Op: Operator<T> + Copy>(op: Op) {
    for vector in component_vectors_of::<T>(op.spec().operator) {
        let elements: Vec<T> = vector.elements();
        let found = Executor::cpu().reduce(&elements, op).expect("the CPU does not fail");
        assert_eq!(bits::<T, Op>(found.value), vector.out::<Op::Out>().map(bytes), "{vector:?}");
        // In several parts, and one by one.
        let (left, right) = elements.split_at(elements.len() / 3);
        let value = gridfold::cpu::reduce::<T, _>(&[left, right, &[]], op).expect("it is defined");
        assert_eq!(bits::<T, Op>(value), vector.out::<Op::Out>().map(bytes), "{vector:?} in parts");
    }
}

fn bits<T: Element, Op: Operator<T>>(value: Op::Value) -> Option<Vec<u8>> {
    Op::out(value).map(bytes)
}

fn bytes<Out: bytemuck::Pod>(out: Out) -> Vec<u8> {
    bytemuck::bytes_of(&out).to_vec()
}

#[test]
fn every_cell_of_components() {
    macro_rules! check_all {
        ($($components:literal)*) => {$(
            check_components::<[f32; $components], _>(Sum);
            check_components::<[f32; $components], _>(Mean);
            check_components::<[f32; $components], _>(Min);
            check_components::<[f32; $components], _>(Max);
            check_components::<[i32; $components], _>(Sum);
            check_components::<[i32; $components], _>(Min);
            check_components::<[i32; $components], _>(Max);
            check_components::<[u32; $components], _>(Sum);
            check_components::<[u32; $components], _>(Min);
            check_components::<[u32; $components], _>(Max);
            check_components::<[f32; $components], _>(Product);
            check_components::<[f32; $components], _>(MaxAbs);
            check_components::<[f32; $components], _>(Count);
            check_components::<[f32; $components], _>(Bounds);
            check_components::<[i32; $components], _>(Product);
            check_components::<[i32; $components], _>(SumWide);
            check_components::<[i32; $components], _>(MaxAbs);
            check_components::<[i32; $components], _>(Count);
            check_components::<[i32; $components], _>(BitAnd);
            check_components::<[i32; $components], _>(BitOr);
            check_components::<[i32; $components], _>(BitXor);
            check_components::<[u32; $components], _>(Product);
            check_components::<[u32; $components], _>(SumWide);
            check_components::<[u32; $components], _>(MaxAbs);
            check_components::<[u32; $components], _>(Count);
            check_components::<[u32; $components], _>(BitAnd);
            check_components::<[u32; $components], _>(BitOr);
            check_components::<[u32; $components], _>(BitXor);
        )*};
    }
    check_all!(2 3 4);
}

#[test]
fn every_mask() {
    for vector in mask_vectors() {
        let (words, range) = (vector.words(), vector.first..vector.first + vector.len);
        let executor = Executor::cpu();
        let found = executor.reduce_bits(&words, range.clone(), Count).expect("within");
        assert_eq!(found.value, vector.count, "{vector:?}");
        let found = executor.reduce_bits(&words, range.clone(), Min).expect("within");
        assert_eq!(found.value, vector.all, "{vector:?}");
        let found = executor.reduce_bits(&words, range, Max).expect("within");
        assert_eq!(found.value, vector.any, "{vector:?}");
    }
}
