//! Every operator with every element type that it is for.

/// Calls `function::<T, Op>(arguments)` for the integers' operators.
macro_rules! for_every_integer_operator {
    ($function:ident($($argument:expr),*)) => {
        for_every_integer_operator!(i32, $function($($argument),*));
        for_every_integer_operator!(u32, $function($($argument),*));
    };
    ($element:ty, $function:ident($($argument:expr),*)) => {
        $function::<$element, gridfold::Sum>($($argument),*);
        $function::<$element, gridfold::Product>($($argument),*);
        $function::<$element, gridfold::Min>($($argument),*);
        $function::<$element, gridfold::Max>($($argument),*);
        $function::<$element, gridfold::BitAnd>($($argument),*);
        $function::<$element, gridfold::BitOr>($($argument),*);
        $function::<$element, gridfold::BitXor>($($argument),*);
    };
}

/// Calls `function::<T, Op>(arguments)` for all of them.
macro_rules! for_every_operator {
    ($function:ident($($argument:expr),*)) => {
        $function::<f32, gridfold::Sum>($($argument),*);
        $function::<f32, gridfold::Product>($($argument),*);
        $function::<f32, gridfold::Min>($($argument),*);
        $function::<f32, gridfold::Max>($($argument),*);
        for_every_integer_operator!($function($($argument),*));
    };
}
