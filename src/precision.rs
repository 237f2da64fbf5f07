//! What a result promises: [`Precision`].

use crate::{element::ElementType, operator::OperatorType};
use std::fmt;

/// What the bits of a result may depend on. Each level promises what the ones before it do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Precision {
    /// Any order of rounding operations, by the device's own arithmetic. Bits may differ between devices
    /// and from run to run; subnormal numbers, infinities and NaNs are as the device takes them.
    Unordered,
    /// One result, a function of the elements and of [`crate::tree`], the same on every device and the CPU.
    #[default]
    Reproducible,
    /// The true result, rounded once, to nearest even: it does not depend on the elements' order either.
    Exact,
}

impl Precision {
    /// All of them, the weakest first.
    pub const ALL: [Self; 3] = [Self::Unordered, Self::Reproducible, Self::Exact];

    /// The level's name, as the program's `--precision` takes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unordered => "unordered",
            Self::Reproducible => "reproducible",
            Self::Exact => "exact",
        }
    }

    /// The strongest level that the operator's results keep if this one is asked for, or `None` if the operator
    /// has no such results.
    pub fn kept_by(self, operator: OperatorType, element: ElementType) -> Option<Self> {
        // Integers are exact modulo 2^32, an extremum is an element.
        if operator.is_order_free(element) {
            return Some(Self::Exact);
        }
        match self {
            Self::Exact => operator.has_exact_result(element).then_some(Self::Exact),
            level => Some(level),
        }
    }
}

impl fmt::Display for Precision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
