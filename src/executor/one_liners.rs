//! A method for each operator.

use crate::{
    algebra::{element::Element, operator::Operator, operators::*},
    error::Error,
    executor::{
        Executor,
        array::Array,
        group::{Group, ShardedArray, ShardsLost},
    },
};

macro_rules! one_liners {
    (
        one input { $($verb:ident $operator:ident $name:literal [$($element:ident)*] $doc:literal)* }
        two inputs $two:tt
        options $options:tt
    ) => {
        /// One call per operator, as [`Executor::reduce`]. On a GPU each brings `values` there; with [`Executor::upload`]
        /// they come once.
        ///
        /// # Errors
        ///
        /// As [`Executor::reduce`].
        impl Executor {$(
            #[doc = $doc]
            #[inline]
            pub fn $verb<T: Element>(
                &self,
                values: &[T],
            ) -> Result<<$operator as Operator<T>>::Value, Error>
            where
                $operator: Operator<T>,
            {
                self.value(values, $operator)
            }
        )*}

        /// One call per operator. Each submits and waits for the result.
        ///
        /// # Errors
        ///
        /// As [`Array::reduce`].
        impl<T: Element> Array<T> {$(
            #[doc = $doc]
            pub fn $verb(&self) -> Result<<$operator as Operator<T>>::Value, Error>
            where
                $operator: Operator<T>,
            {
                self.value($operator)
            }
        )*}

        /// One call per operator, as [`Group::reduce`].
        ///
        /// # Errors
        ///
        /// As [`Group::reduce`].
        impl Group {$(
            #[doc = $doc]
            pub fn $verb<T: Element>(
                &self,
                values: &[T],
            ) -> Result<<$operator as Operator<T>>::Value, Error>
            where
                $operator: Operator<T>,
            {
                self.value(values, $operator)
            }
        )*}

        /// One call per operator, as [`ShardedArray::reduce`].
        ///
        /// # Errors
        ///
        /// As [`ShardedArray::reduce`].
        impl<T: Element> ShardedArray<T> {$(
            #[doc = $doc]
            pub fn $verb(
                &self,
            ) -> Result<<$operator as Operator<T>>::Value, ShardsLost<T, $operator>>
            where
                $operator: Operator<T>,
            {
                self.value($operator)
            }
        )*}
    };
}

crate::operators!(one_liners!());
