//! Every operator with every element type that it is for.

/// Calls `function::<T, Op>(arguments)` for all.
macro_rules! for_every_operator {
    ($function:ident($($argument:expr),*)) => {
        gridfold::operators!(for_every_that!(all (|_| true) $function ($($argument),*)))
    };
}

/// The same for those of them that have the same result in any order.
macro_rules! for_every_order_free_operator {
    ($function:ident($($argument:expr),*)) => {
        gridfold::operators!(for_every_that!(all (|spec| spec.order_free) $function ($($argument),*)))
    };
}

/// Narrow elements, sums and products in 64 bits, and what is exact alone have tests of their own.
macro_rules! for_every_that {
    (
        all ($is_meant:expr) $function:ident $arguments:tt
        one input { $($verb:ident $operator:ident $name:literal [$($element:ident)*] $doc:literal)* }
        two inputs $two:tt
        options { $($of:ident $choice:tt [$($of_element:ident)*])* }
    ) => {
        let is_meant: fn(&gridfold::OperatorSpec) -> bool = $is_meant;
        $($(
            for_every_that!(($operator []) $element is_meant $function $arguments);
        )*)*
        $($(
            for_every_that!(($of $choice) $of_element is_meant $function $arguments);
        )*)*
    };
    (call ($operator:ident $choice:tt) $element:ident $is_meant:ident $function:ident ($($argument:expr),*)) => {
        let op = gridfold::operator!($operator $choice);
        if $is_meant(&gridfold::Operator::<$element>::spec(&op)) {
            $function::<$element, _>($($argument,)* op);
        }
    };
    ((SumWide []) $($rest:tt)*) => {};
    ((ProductWide []) $($rest:tt)*) => {};
    ((Variance [Ignore]) $($rest:tt)*) => {};
    ((Variance [Ignore sample]) $($rest:tt)*) => {};
    ($operator:tt f32 $($rest:tt)*) => {
        for_every_that!(call $operator f32 $($rest)*);
    };
    ($operator:tt i32 $($rest:tt)*) => {
        for_every_that!(call $operator i32 $($rest)*);
    };
    ($operator:tt u32 $($rest:tt)*) => {
        for_every_that!(call $operator u32 $($rest)*);
    };
    ($operator:tt i64 $($rest:tt)*) => {
        for_every_that!(call $operator i64 $($rest)*);
    };
    ($operator:tt u64 $($rest:tt)*) => {
        for_every_that!(call $operator u64 $($rest)*);
    };
    ($operator:tt f64 $($rest:tt)*) => {
        for_every_that!(call $operator f64 $($rest)*);
    };
    ($operator:tt $narrow:ident $($rest:tt)*) => {};
}
