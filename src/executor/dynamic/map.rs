//! Expressions over elements of types that are known at run time: [`DynMap`].

use crate::{
    algebra::element::{Element, ElementType},
    cpu::fold::{Fold, Raw},
    custom::expression::{Expression, Map, Map2, Map3, MapElement},
    error::WgslError,
    executor::{
        Executor,
        map::By,
        source::{Fill, StreamError},
    },
    reduce::{any_reducer::AnyReducer, reduction::Reduction},
};
use std::{fmt, sync::Arc};

/// An expression over elements of a type that is known at run time: from a [`Map`], a [`Map2`] or a [`Map3`].
#[derive(Clone, Debug)]
pub struct DynMap(pub(super) Arc<dyn AnyExpression>);

impl DynMap {
    /// Whether the expression or its predicate asks for the index of elements.
    pub fn reads_index(&self) -> bool {
        self.0.reads_index()
    }
}

impl<T: MapElement> From<Map<T>> for DynMap {
    fn from(map: Map<T>) -> Self {
        Self(Arc::new(map.into_expression()))
    }
}

impl<T: MapElement> From<Map2<T>> for DynMap {
    fn from(map: Map2<T>) -> Self {
        Self(Arc::new(map.into_expression()))
    }
}

impl<T: MapElement> From<Map3<T>> for DynMap {
    fn from(map: Map3<T>) -> Self {
        Self(Arc::new(map.into_expression()))
    }
}

/// An expression, without the type of its elements.
pub(super) trait AnyExpression: fmt::Debug + Send + Sync {
    /// The type that it computes with.
    fn wide(&self) -> ElementType;
    fn reads_index(&self) -> bool;
    fn reduce_filled(
        &self,
        executor: &Executor,
        fold: &'static dyn Fold,
        len: u64,
        fill: &mut Fill<'_, ()>,
    ) -> Result<Reduction<Raw>, StreamError<()>>;
    /// The reducer of the expression's values.
    fn reducer(&self, fold: &dyn Fold, reducer: AnyReducer) -> Result<AnyReducer, WgslError>;
}

impl<T: MapElement> AnyExpression for Expression<T> {
    fn wide(&self) -> ElementType {
        <T::Wide as Element>::TYPE
    }

    fn reads_index(&self) -> bool {
        Self::reads_index(self)
    }

    fn reduce_filled(
        &self,
        executor: &Executor,
        fold: &'static dyn Fold,
        len: u64,
        fill: &mut Fill<'_, ()>,
    ) -> Result<Reduction<Raw>, StreamError<()>> {
        executor.reduce_expression_filled(By::of(self, fold), len, fill)
    }

    fn reducer(&self, fold: &dyn Fold, reducer: AnyReducer) -> Result<AnyReducer, WgslError> {
        let of_type = self.spec_of(fold.spec());
        AnyReducer { of_type, ..reducer }.with_expression(self, fold.spec())
    }
}
