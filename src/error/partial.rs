//! Why parts do not belong together.

use crate::algebra::{element::ElementType, operator_type::OperatorType};

/// Why parts of a sequence do not make a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PartialError {
    /// Elements between the two parts are missing.
    #[error(
        "the next part begins at element {first}, and this one ends at {end}: merge what is between them first"
    )]
    Gap {
        /// Where the first part ends.
        end: u64,
        /// Where the next one begins.
        first: u64,
    },
    /// The parts have elements in common, or are in the wrong order.
    #[error(
        "the next part begins at element {first}, and this one ends at {end}: merge neighbours, the first one first"
    )]
    Overlap {
        /// Where the first part ends.
        end: u64,
        /// Where the next one begins.
        first: u64,
    },
    /// One part is exact, and the other is not.
    #[error("one part is exact, and the other rounds: reduce both with one precision")]
    Precisions,
    /// The parts are by different operators, or of different elements.
    #[error(
        "one part is the {operator} of {element}, and the other the {other} of {other_element}: reduce both by one operator"
    )]
    Operators {
        /// The operator of a part.
        operator: OperatorType,
        /// The elements of that part.
        element: ElementType,
        /// The operator of the other part.
        other: OperatorType,
        /// The elements of the other part.
        other_element: ElementType,
    },
    /// There are no parts to merge.
    #[error("there are no parts: a sequence without elements is an empty part at 0")]
    None,
    /// The beginning of the sequence is missing.
    #[error("the part begins at element {first}: merge it with the parts before it first")]
    NotFirst {
        /// Where the part begins.
        first: u64,
    },
}
