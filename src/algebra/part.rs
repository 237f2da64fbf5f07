//! Files of shaders.

/// A shader file: its path under `shaders/`, and its text.
#[derive(Clone, Copy)]
pub(crate) struct Part {
    pub(crate) name: &'static str,
    pub(crate) text: &'static str,
}

/// The [`Part`] of this name.
macro_rules! part {
    ($($piece:literal)*) => {
        $crate::algebra::part::Part {
            name: concat!($($piece),*),
            text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/shaders/", $($piece),*)),
        }
    };
}
pub(crate) use part;
