//! Narrow elements, elements of several components, masks, and of elements of every size 64-bit sums and products, sums of magnitudes and
//! what is counted, on the CPU: against the vectors that an independent script made by NumPy.

#[path = "support/component_vectors.rs"]
mod component_vectors;
#[path = "support/data.rs"]
#[expect(dead_code, reason = "of the pairwise order's vectors only the generator is used")]
mod data;
#[path = "support/extrema_vectors.rs"]
#[expect(dead_code, reason = "they have a test of their own")]
mod extrema_vectors;
#[path = "support/mask_vectors.rs"]
mod mask_vectors;
#[path = "support/narrow_vectors.rs"]
mod narrow_vectors;

use component_vectors::component_vectors_of;
use extrema_vectors::is_extremum;
use gridfold::{
    Bool, Count, Dot, Element, Executor, FloatElement, Max, Mean, Min, OfPairs, Operator,
    OperatorType, Precision, Sum,
    half::{bf16, f16},
};
use mask_vectors::mask_vectors;
use narrow_vectors::{is_of_every_size, vectors_of};

fn check<T: Element, Op: Operator<T>>() {
    let spec = <Op as Operator<T>>::SPEC;
    for vector in vectors_of(spec.operator, T::TYPE) {
        let elements: Vec<T> = vector.elements();
        let executor = Executor::cpu().precision(vector.precision);
        let found = executor.reduce::<T, Op>(&elements).expect("the CPU does not fail").value;
        let out = vector.out().unwrap_or(Op::finish(Op::identity(), 0));
        // A NaN of f16 is not itself.
        let found = format!("{found:?}");
        let wanted = format!("{:?}", <Op as Operator<T>>::value(out, vector.len as u64));
        assert_eq!(found, wanted, "{vector:?}");
        // In several parts, and one by one.
        let (left, right) = elements.split_at(elements.len() / 3);
        let parts = [left, right, &[]];
        let is_in_order = vector.precision < Precision::Exact;
        if is_in_order || spec.order_free {
            let value = gridfold::cpu::reduce::<T, Op>(&parts);
            assert_eq!(format!("{value:?}"), wanted, "{vector:?} in parts");
        }
    }
}

fn check_dot<T: FloatElement>()
where
    Dot: OfPairs<T>,
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
    ) => {
        $($(
            if has_vectors::<$element, gridfold::$operator>() {
                check::<$element, gridfold::$operator>();
            }
        )*)*
    };
}

/// Others are in vectors of their own.
fn has_vectors<T: Element, Op: Operator<T>>() -> bool {
    let operator = Op::SPEC.operator;
    (T::TYPE.size_bytes() < 4 || is_of_every_size(operator))
        && !is_extremum(operator)
        && operator != OperatorType::Moments
}

#[test]
fn every_cell() {
    gridfold::operators!(check_all!());
    check_dot::<f16>();
    check_dot::<bf16>();
}

/// Those of f32s have vectors, in tests/vectors.rs.
#[test]
fn moments_of_halves_are_those_of_floats() {
    let halves: Vec<f16> =
        (0..5000u16).map(|i| f16::from_bits(i.wrapping_mul(13) & 0x7bff)).collect();
    let floats: Vec<f32> = halves.iter().map(|half| half.to_f32()).collect();
    let upper: Vec<bf16> = floats.iter().map(|float| bf16::from_f32(*float)).collect();
    let upper_floats: Vec<f32> = upper.iter().map(|half| half.to_f32()).collect();
    let cpu = Executor::cpu();
    let told = |values: &dyn std::fmt::Debug| format!("{values:?}");
    let of_floats = cpu.moments(&floats).expect("the CPU does not fail");
    let of_halves = cpu.moments(&halves).expect("the CPU does not fail");
    assert_eq!(told(&of_halves.mean()), told(&of_floats.mean()));
    assert_eq!(told(&of_halves.variance()), told(&of_floats.variance()));
    assert_eq!(told(&of_halves.kurtosis()), told(&of_floats.kurtosis()));
    let of_floats = cpu.moments(&upper_floats).expect("the CPU does not fail");
    let of_halves = cpu.moments(&upper).expect("the CPU does not fail");
    assert_eq!(told(&of_halves.mean()), told(&of_floats.mean()));
    assert_eq!(told(&of_halves.skewness()), told(&of_floats.skewness()));
}

fn check_components<T: Element, Op: Operator<T>>() {
    for vector in component_vectors_of::<T>(Op::SPEC.operator) {
        let elements: Vec<T> = vector.elements();
        let found = Executor::cpu().reduce::<T, Op>(&elements).expect("the CPU does not fail");
        assert_eq!(bits::<T, Op>(found.value), vector.out::<Op::Out>().map(bytes), "{vector:?}");
        // In several parts, and one by one.
        let (left, right) = elements.split_at(elements.len() / 3);
        let value = gridfold::cpu::reduce::<T, Op>(&[left, right, &[]]);
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
            check_components::<[f32; $components], Sum>();
            check_components::<[f32; $components], Mean>();
            check_components::<[f32; $components], Min>();
            check_components::<[f32; $components], Max>();
            check_components::<[i32; $components], Sum>();
            check_components::<[i32; $components], Min>();
            check_components::<[i32; $components], Max>();
            check_components::<[u32; $components], Sum>();
            check_components::<[u32; $components], Min>();
            check_components::<[u32; $components], Max>();
        )*};
    }
    check_all!(2 3 4);
}

#[test]
fn every_mask() {
    for vector in mask_vectors() {
        let (words, range) = (vector.words(), vector.first..vector.first + vector.len);
        let executor = Executor::cpu();
        let found = executor.reduce_bits::<Count>(&words, range.clone()).expect("within");
        assert_eq!(found.value, vector.count, "{vector:?}");
        let found = executor.reduce_bits::<Min>(&words, range.clone()).expect("within");
        assert_eq!(found.value, vector.all, "{vector:?}");
        let found = executor.reduce_bits::<Max>(&words, range).expect("within");
        assert_eq!(found.value, vector.any, "{vector:?}");
    }
}
