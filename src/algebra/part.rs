//! Sections of shader files.

/// A section of a shader file, by its name: the file's path under `shaders/`, and behind `@` the section's, if it has one.
#[derive(Clone, Copy)]
pub(crate) struct Part {
    pub(crate) name: &'static str,
}

/// The [`Part`] of this name.
macro_rules! part {
    ($($piece:literal)*) => {
        $crate::algebra::part::Part { name: concat!($($piece),*) }
    };
}
pub(crate) use part;
