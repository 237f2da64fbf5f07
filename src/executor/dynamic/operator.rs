//! An operator and a type of elements that are known at run time: [`DynOperator`].

use crate::{
    algebra::{element::ElementType, operator::OperatorSpec, operator_type::OperatorType},
    cpu::{fold::Fold, table},
    error::PrepareError,
};
use std::fmt;

/// An operator of the library on elements of a type, both known at run time. Elements are bytes, in this machine's order. Results are words, and numbers
/// with their types. They have the bits that the typed calls give.
///
/// ```
/// use gridfold::{DynOperator, ElementType, Executor, Number, OperatorType};
///
/// let largest = DynOperator::new(OperatorType::ArgMax, ElementType::F32)?;
/// let elements: Vec<u8> = [1.0f32, 7.5, 2.0].iter().flat_map(|x| x.to_ne_bytes()).collect();
/// let reduction = largest.reduce(&Executor::auto(), &[&elements])?;
/// let found = reduction.value.numbers().expect("there are elements");
/// assert_eq!((found[0].place, found[0].number), (Some(1), Number::F32(7.5)));
/// # Ok::<(), gridfold::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct DynOperator(pub(super) &'static dyn Fold);

impl DynOperator {
    /// The operator for elements of a type. On integers it has no rule for NaNs ([`OperatorType::on`]).
    ///
    /// # Errors
    ///
    /// [`PrepareError::Unsupported`] where it is not defined.
    pub fn new(operator: OperatorType, element: ElementType) -> Result<Self, PrepareError> {
        let fold = table::find(operator, element);
        fold.map(Self).ok_or(PrepareError::Unsupported { operator, element })
    }

    /// Every operator for every type that it is defined for.
    pub fn all() -> impl Iterator<Item = Self> {
        let of = |spec: &OperatorSpec| table::find(spec.operator, spec.element);
        OperatorType::specs().filter_map(of).map(Self)
    }

    /// The operator, its element type, and the type of its results ([`OperatorSpec::result_type`]).
    pub fn spec(self) -> &'static OperatorSpec {
        self.0.spec()
    }
}

impl PartialEq for DynOperator {
    fn eq(&self, other: &Self) -> bool {
        self.spec() == other.spec()
    }
}

impl Eq for DynOperator {}

/// As `sum f32`.
impl fmt::Debug for DynOperator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.spec().fmt(f)
    }
}
