//! Whether some elements are not 0, or all. They are counted.

use crate::algebra::{
    element::Element,
    operator::{Operator, OperatorSpec},
    operators::{OperatorType, count::counting},
};

/// Whether some element is not 0: NaN is not, −0 is. In an output buffer it is a `u64`, 1 or 0. No elements give false.
///
/// ```
/// let executor = gridfold::Executor::auto();
/// assert!(executor.any(&[0, 0, -3])?);
/// assert!(!executor.any(&[0.0f32, -0.0])?);
/// # Ok::<(), gridfold::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Any;

/// Whether no element is 0: NaN is not, −0 is. In an output buffer it is a `u64`, 1 or 0. No elements give true.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct All;

macro_rules! any_all {
    ($($operator:ident: $($element:ident)*;)*) => {$($(
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
    )*)*};
}

any_all! {
    Any: f32 f64 i32 u32 i64 u64;
    All: f32 f64 i32 u32 i64 u64;
}
