//! Predicates over elements, by which some are selected.

use super::{Expression, MapElement, Mapping, Type, graph::Graph, read};
use crate::{
    algebra::operator_type::OperatorType,
    error::WgslError,
    way::Mechanism,
    wgsl::{kernel::Kernel, params::Params, program::Program},
};
use std::{fmt, marker::PhantomData};

/// Which elements are meant: an expression of WGSL over the element `x`, of type `T`, and over its index `i`, as a [`Map`](crate::Map) has it, whose
/// value is a `bool`. It is the same on every device and on the CPU.
///
/// [`Compaction::select_if`](crate::Compaction::select_if) and so on take it. [`Executor`](crate::Executor) and [`Array`](crate::Array) take
/// its text.
///
/// ```
/// use gridfold::{Executor, Predicate};
///
/// let executor = Executor::auto();
/// assert_eq!(executor.select_if(&[0.5f32, -2.0, 3.0], "abs(x) >= 1.0")?, [-2.0, 3.0]);
/// assert_eq!(executor.positions_if(&[7u32, 8, 10], "x % 2u == 0u && i < 9u")?, [1, 2]);
///
/// let error = Predicate::<f32>::new("x + 1.0").expect_err("it is a number");
/// assert!(error.to_string().contains("of type `f32`"), "{error}");
/// # Ok::<(), gridfold::Error>(())
/// ```
#[derive(Clone)]
pub struct Predicate<T> {
    mapping: Mapping,
    element: PhantomData<fn(T) -> bool>,
}

impl<T: MapElement> Predicate<T> {
    /// Makes a predicate of an expression.
    ///
    /// # Errors
    ///
    /// [`WgslError`], with line and column of the expression.
    pub fn new(expression: &str) -> Result<Self, WgslError> {
        let mut graph = Graph::default();
        let result = read::read(&mut graph, expression, Expression::<T>::ty(), 1, &[])?;
        let found = graph.ty(result);
        if found != Type::Bool {
            return Err(read::wrong_type(expression, found, Type::Bool));
        }
        let arguments = [0; Params::ARGUMENTS];
        let mapping = Mapping { graph, result, inputs: 1, arguments, own: None };
        Ok(Self { mapping, element: PhantomData })
    }

    /// What kernels of selections are joined with. No promise of stability.
    #[doc(hidden)]
    pub fn program(&self) -> Result<Program, WgslError> {
        let spec = OperatorType::Count.spec(T::TYPE).expect("all these elements are counted");
        self.mapping.program_of(spec, Kernel::SelectWhere, &[Mechanism::WorkgroupMemory])
    }

    /// For elements from an index on 1 where it is true, else 0.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn run(&self, x: &[T], first: u32, out: &mut [u32]) {
        self.mapping.run(x, &[], first, out);
    }
}

impl<T> fmt::Debug for Predicate<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Predicate")
            .field("operations", &self.mapping.graph.nodes().len())
            .finish_non_exhaustive()
    }
}
