//! Every operator with every element type that it is for.

/// Calls `function::<T, Op>(arguments)` for all.
macro_rules! for_every_operator {
    ($function:ident($($argument:expr),*)) => {
        gridfold::operators!(for_every_that!((|_| true) $function ($($argument),*)))
    };
}

/// The same for those of them that have the same result in any order.
macro_rules! for_every_order_free_operator {
    ($function:ident($($argument:expr),*)) => {
        gridfold::operators!(for_every_that!((|spec| spec.order_free) $function ($($argument),*)))
    };
}

/// Narrow elements, sums and products in 64 bits, and what is exact alone have tests of their own.
macro_rules! for_every_that {
    (
        ($is_meant:expr) $function:ident $arguments:tt
        one input { $($verb:ident $operator:ident $name:literal [$($element:ident)*] $doc:literal)* }
        two inputs $two:tt
    ) => {
        let is_meant: fn(&gridfold::OperatorSpec) -> bool = $is_meant;
        $($(
            for_every_that!($operator $element is_meant $function $arguments);
        )*)*
    };
    (call $operator:ident $element:ident $is_meant:ident $function:ident $arguments:tt) => {
        if $is_meant(&<gridfold::$operator as gridfold::Operator<$element>>::SPEC) {
            $function::<$element, gridfold::$operator> $arguments;
        }
    };
    (SumWide $($rest:tt)*) => {};
    (ProductWide $($rest:tt)*) => {};
    (NanVariance $($rest:tt)*) => {};
    (NanSampleVariance $($rest:tt)*) => {};
    ($operator:ident f32 $($rest:tt)*) => {
        for_every_that!(call $operator f32 $($rest)*);
    };
    ($operator:ident i32 $($rest:tt)*) => {
        for_every_that!(call $operator i32 $($rest)*);
    };
    ($operator:ident u32 $($rest:tt)*) => {
        for_every_that!(call $operator u32 $($rest)*);
    };
    ($operator:ident i64 $($rest:tt)*) => {
        for_every_that!(call $operator i64 $($rest)*);
    };
    ($operator:ident u64 $($rest:tt)*) => {
        for_every_that!(call $operator u64 $($rest)*);
    };
    ($operator:ident f64 $($rest:tt)*) => {
        for_every_that!(call $operator f64 $($rest)*);
    };
    ($operator:ident $narrow:ident $($rest:tt)*) => {};
}
