//! Operators without their types: the library's, and users' own.

use crate::{
    algebra::{
        operator::{Items, Operator, OperatorSpec},
        precision::Precision,
    },
    cpu::{fold::Fold, table::fold_of},
    error::PrepareError,
    wgsl::program::Program,
};
use std::sync::Arc;

/// A user's own operator.
#[derive(Clone)]
pub(crate) struct Own {
    pub(super) program: Program,
    /// The same in Rust, if there is one.
    pub(super) twin: Option<Arc<dyn Fold + Send>>,
}

/// An operator that a reducer, a scan or an executor takes.
#[derive(Clone)]
pub(crate) enum AnyOperator {
    Listed(&'static dyn Fold),
    Own(Own),
}

impl AnyOperator {
    /// # Errors
    ///
    /// [`PrepareError::Unsupported`] if it has not these options for the elements.
    #[inline]
    pub(crate) fn of<I: Items, Op: Operator<I>>(op: &Op) -> Result<Self, PrepareError> {
        match own(op) {
            Some(own) => Ok(Self::Own(own.clone())),
            None => Ok(Self::Listed(fold_of::<I, Op>(op)?)),
        }
    }

    /// The operator's description, for plans and kernels.
    #[cfg(not(target_arch = "wasm32"))]
    #[inline]
    pub(crate) fn spec(&self) -> &OperatorSpec {
        match self {
            Self::Listed(fold) => fold.spec(),
            Self::Own(own) => own.program.spec(),
        }
    }

    /// The WGSL that kernels are joined with, if it is a user's own.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn program(&self) -> Option<Program> {
        match self {
            Self::Listed(_) => None,
            Self::Own(own) => Some(own.program.clone()),
        }
    }

    /// How the CPU computes it, to results of this precision. The fold itself refuses precisions that an operator of the library does not have.
    ///
    /// # Errors
    ///
    /// [`PrepareError::Imprecise`] of exact results by a user's own operator, because nobody knows what it rounds, and [`PrepareError::NoTwin`] if it is in WGSL alone.
    #[inline]
    pub(crate) fn fold(&self, precision: Precision) -> Result<&dyn Fold, PrepareError> {
        match self {
            Self::Listed(fold) => Ok(*fold),
            Self::Own(own) => own.fold(precision),
        }
    }
}

impl Own {
    fn fold(&self, precision: Precision) -> Result<&dyn Fold, PrepareError> {
        if precision == Precision::Exact {
            let OperatorSpec { operator, element, .. } = *self.program.spec();
            return Err(PrepareError::Imprecise { operator, element, precision });
        }
        Ok(self.twin.as_deref().ok_or(PrepareError::NoTwin)?)
    }
}

/// The WGSL of a user's own operator.
pub(crate) fn program_of<I: Items, Op: Operator<I>>(op: &Op) -> Option<Program> {
    own(op).map(|own| own.program.clone())
}

fn own<I: Items, Op: Operator<I>>(op: &Op) -> Option<&Own> {
    op.own()?.downcast_ref()
}
