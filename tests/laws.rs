//! The operators' laws, on the CPU: what src/algebra/operator.rs says an operator is.

use gridfold::{
    Bool, Element, Max, Min, Operator, Product, Sum,
    half::{bf16, f16},
};
use proptest::prelude::*;

/// Checks the laws for accumulators that can arise: lifted elements, and combinations of them.
fn laws<T: Element, Op: Operator<T>>(of: impl Strategy<Value = T> + Clone) {
    proptest!(|(a in of.clone(), b in of.clone(), c in of.clone(), d in of)| {
        prop_assert_eq!(bits::<T, Op>(Op::lift_in_integers(a)), bits::<T, Op>(Op::lift(a)));
        let [a, b, c, d] = [a, b, c, d].map(Op::lift);
        let ab = Op::combine(a, b);
        let cd = Op::combine(c, d);
        for acc in [a, ab, Op::identity()] {
            prop_assert_eq!(bits::<T, Op>(Op::combine(acc, Op::identity())), bits::<T, Op>(acc));
            prop_assert_eq!(bits::<T, Op>(Op::combine(Op::identity(), acc)), bits::<T, Op>(acc));
        }
        if !Op::SPEC.operator.keeps_order() {
            prop_assert_eq!(bits::<T, Op>(Op::combine(a, b)), bits::<T, Op>(Op::combine(b, a)));
            prop_assert_eq!(bits::<T, Op>(Op::combine(ab, cd)), bits::<T, Op>(Op::combine(cd, ab)));
        }
        for (a, b) in [(a, b), (ab, cd), (ab, Op::identity())] {
            let in_integers = Op::combine_in_integers(a, b);
            prop_assert_eq!(bits::<T, Op>(in_integers), bits::<T, Op>(Op::combine(a, b)));
        }
        if Op::SPEC.order_free {
            let grouped = Op::combine(a, Op::combine(b, cd));
            prop_assert_eq!(bits::<T, Op>(Op::combine(ab, cd)), bits::<T, Op>(grouped));
        }
    });
}

/// The bytes of what an accumulator comes to.
fn bits<T: Element, Op: Operator<T>>(acc: Op::Acc) -> Vec<u8> {
    bytemuck::bytes_of(&Op::finish(acc, 3)).to_vec()
}

/// Any bit pattern, special values often.
fn any_f32() -> impl Strategy<Value = f32> + Clone {
    prop_oneof![
        4 => any::<u32>().prop_map(f32::from_bits),
        1 => prop::sample::select(vec![
            0.0, -0.0, 1.0, -1.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, f32::MAX, f32::MIN,
            f32::MIN_POSITIVE, f32::from_bits(1), f32::from_bits(0xffff_ffff),
        ]),
    ]
}

/// Elements to check laws with.
trait Any: Element {
    fn any() -> impl Strategy<Value = Self> + Clone;
}

impl Any for f32 {
    fn any() -> impl Strategy<Value = Self> + Clone {
        any_f32()
    }
}

impl Any for f64 {
    fn any() -> impl Strategy<Value = Self> + Clone {
        prop_oneof![
            4 => any::<u64>().prop_map(f64::from_bits),
            1 => prop::sample::select(vec![
                0.0, -0.0, 1.0, -1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, f64::MAX, f64::MIN,
                f64::MIN_POSITIVE, f64::from_bits(1), f64::from_bits(u64::MAX),
            ]),
        ]
    }
}

impl Any for i32 {
    fn any() -> impl Strategy<Value = Self> + Clone {
        prop_oneof![4 => any::<i32>(), 1 => prop::sample::select(vec![0, i32::MIN, i32::MAX])]
    }
}

impl Any for u32 {
    fn any() -> impl Strategy<Value = Self> + Clone {
        prop_oneof![4 => any::<u32>(), 1 => prop::sample::select(vec![0, u32::MAX])]
    }
}

impl Any for i64 {
    fn any() -> impl Strategy<Value = Self> + Clone {
        prop_oneof![4 => any::<i64>(), 1 => prop::sample::select(vec![0, i64::MIN, i64::MAX])]
    }
}

impl Any for u64 {
    fn any() -> impl Strategy<Value = Self> + Clone {
        prop_oneof![4 => any::<u64>(), 1 => prop::sample::select(vec![0, u64::MAX])]
    }
}

macro_rules! any {
    ($($element:ident of $bits:ident by $make:expr, often $($often:expr),*;)*) => {$(
        impl Any for $element {
            fn any() -> impl Strategy<Value = Self> + Clone {
                let make: fn($bits) -> $element = $make;
                prop_oneof![
                    4 => any::<$bits>().prop_map(make),
                    1 => prop::sample::select(vec![$($often),*]),
                ]
            }
        }
    )*};
}

any! {
    i8 of i8 by |bits| bits, often 0, i8::MIN, i8::MAX;
    u8 of u8 by |bits| bits, often 0, u8::MAX;
    i16 of i16 by |bits| bits, often 0, i16::MIN, i16::MAX;
    u16 of u16 by |bits| bits, often 0, u16::MAX;
    f16 of u16 by f16::from_bits, often f16::NAN, f16::ZERO, f16::NEG_ZERO, f16::INFINITY;
    bf16 of u16 by bf16::from_bits, often bf16::NAN, bf16::ZERO, bf16::NEG_ZERO, bf16::INFINITY;
    Bool of u8 by Bool::from_byte, often Bool::TRUE, Bool::FALSE;
}

macro_rules! all_laws {
    (
        one input { $($verb:ident $operator:ident $name:literal [$($element:ident)*] $doc:literal)* }
        two inputs $two:tt
    ) => {
        $($(laws::<$element, gridfold::$operator>(<$element as Any>::any());)*)*
    };
}

#[test]
fn every_operator_keeps_them() {
    gridfold::operators!(all_laws!());
}

#[test]
fn an_order_is_needed_where_it_is_fixed() {
    // The law that f32 sums and products lack: if it held, the fixed order would be for nothing.
    let sum = |a, b| <Sum as Operator<f32>>::combine(a, b);
    assert_ne!(sum(sum(1e8, -1e8), 1.0), sum(1e8, sum(-1e8, 1.0)));
    let product = |values: [f32; 3], left: bool| {
        let [a, b, c] = values.map(<Product as Operator<f32>>::lift);
        let combine = <Product as Operator<f32>>::combine;
        let total = if left { combine(combine(a, b), c) } else { combine(a, combine(b, c)) };
        <Product as Operator<f32>>::finish(total, 1)
    };
    let triples = (1u8..100).map(|i| [1.0 + 0.01 * f32::from(i), 1.3, 1.7]);
    assert!(triples.into_iter().any(|values| product(values, true) != product(values, false)));
}

#[test]
fn single_elements_come_through() {
    proptest!(|(value in any_f32())| {
        let expected = if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() };
        let min = <Min as Operator<f32>>::finish(<Min as Operator<f32>>::lift(value), 1);
        let max = <Max as Operator<f32>>::finish(<Max as Operator<f32>>::lift(value), 1);
        let product = <Product as Operator<f32>>::finish(<Product as Operator<f32>>::lift(value), 1);
        prop_assert_eq!(min.to_bits(), expected);
        prop_assert_eq!(max.to_bits(), expected);
        prop_assert_eq!(product.to_bits(), expected);
        let sum = <Sum as Operator<f32>>::finish(<Sum as Operator<f32>>::lift(value), 1);
        prop_assert_eq!(sum.to_bits(), if expected == 0x8000_0000 { 0 } else { expected });
    });
}
