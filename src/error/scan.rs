//! What is no scan.

use crate::{
    algebra::{operator::OperatorSpec, operator_type::OperatorType, precision::Precision},
    error::PrepareError,
};

impl PrepareError {
    /// Refuses a scan that there is none of.
    pub(crate) fn check_scan(
        spec: &OperatorSpec,
        precision: Precision,
        has_initial_value: bool,
    ) -> Result<(), Self> {
        let (operator, element) = (spec.operator, spec.element);
        if !spec.scans() {
            return Err(Self::NoScan { operator });
        }
        if !spec.takes_initial() && has_initial_value {
            return Err(Self::NoInitialValue { operator });
        }
        // What it rounds, if anything, is not known.
        if operator == OperatorType::Custom && precision == Precision::Exact {
            return Err(Self::Imprecise { operator, element, precision });
        }
        if precision == Precision::Exact && !spec.order_free {
            return Err(Self::NoExactScan { operator, element });
        }
        Ok(())
    }
}
