//! Whether some elements are not 0, or all. They are counted.

use crate::algebra::{
    element::Element,
    operator::{Algebra, Operator, OperatorSpec},
    operators::{Count, OperatorType, count::counting},
};

/// Whether some element is not 0: NaN is not, −0 is. In an output buffer it is a `u64`, 1 or 0. Of nothing: false.
///
/// ```
/// let executor = gridfold::Executor::auto();
/// assert!(executor.any(&[0, 0, -3])?);
/// assert!(!executor.any(&[0.0f32, -0.0])?);
/// # Ok::<(), gridfold::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Any;

/// Whether no element is 0: NaN is not, −0 is. In an output buffer it is a `u64`, 1 or 0. Of nothing: true.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct All;

macro_rules! any_all {
    ($operator:ident: $finish:expr; $($element:ident)*) => {$(
        impl Operator<$element> for $operator {
            const SPEC: OperatorSpec =
                counting(OperatorType::$operator, <$element as Element>::TYPE);
            type Out = u64;
            type Value = bool;
            #[inline]
            fn value(out: u64, _len: u64) -> bool {
                out != 0
            }
            #[inline]
            fn out(value: bool) -> Option<u64> {
                Some(value.into())
            }
        }

        impl Algebra<$element> for $operator {
            type Acc = u64;
            #[inline]
            fn identity() -> u64 {
                0
            }
            #[inline]
            fn lift(element: $element) -> u64 {
                <Count as Algebra<$element>>::lift(element)
            }
            #[inline]
            fn combine(a: u64, b: u64) -> u64 {
                a + b
            }
            fn fold(elements: &[$element]) -> Option<u64> {
                <Count as Algebra<$element>>::fold(elements)
            }
            #[inline]
            fn finish(count: u64, len: u64) -> u64 {
                let finish: fn(u64, u64) -> bool = $finish;
                finish(count, len).into()
            }
        }
    )*};
}

any_all! {
    Any: |count, _len| count > 0;
    f32 f64 i32 u32 i64 u64
}

any_all! {
    All: |count, len| count == len;
    f32 f64 i32 u32 i64 u64
}
