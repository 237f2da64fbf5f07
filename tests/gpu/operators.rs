//! Every operator with every element type that it is for.

/// Calls `function::<T, Op>(arguments)` for all whose accumulators combine: those that are always exact have tests of their own.
macro_rules! for_every_operator {
    ($function:ident($($argument:expr),*)) => {
        gridfold::operators!(for_every_that!(is_combined $function ($($argument),*)))
    };
}

/// The same for those of them that have the same result in any order.
macro_rules! for_every_order_free_operator {
    ($function:ident($($argument:expr),*)) => {
        gridfold::operators!(for_every_that!(is_combined_in_any_order $function ($($argument),*)))
    };
}

macro_rules! for_every_that {
    (
        $is_meant:ident $function:ident $arguments:tt
        one input { $($verb:ident $operator:ident $name:literal [$($element:ident)*] $doc:literal)* }
        two inputs $two:tt
    ) => {
        $($(
            if crate::operators::$is_meant::<$element, gridfold::$operator>() {
                $function::<$element, gridfold::$operator> $arguments;
            }
        )*)*
    };
}

pub fn is_combined<T: gridfold::Element, Op: gridfold::Operator<T>>() -> bool {
    !Op::SPEC.is_always_exact()
}

pub fn is_combined_in_any_order<T: gridfold::Element, Op: gridfold::Operator<T>>() -> bool {
    is_combined::<T, Op>() && Op::SPEC.order_free
}
