//! Predicates over elements, by which some are selected.

use super::{
    Expression, MapElement,
    graph::{Graph, Type},
    mapping::{Made, Mapping},
    parameters::Parameters,
    read,
};
use crate::{
    algebra::{element::Element, operator::sealed::Sealed, operator_type::OperatorType},
    error::WgslError,
    way::Mechanism,
    wgsl::{
        kernel::Kernel,
        params::Params,
        program::{Exact, Program},
    },
};
use std::{fmt, marker::PhantomData};

/// Which elements are meant: an expression of WGSL over the element `x`, of type `T`, and over its index `i`, as a [`Map`](crate::Map) has it, whose
/// value is a `bool`. It is the same on every device and on the CPU.
///
/// [`Compaction::select_if`](crate::Compaction::select_if) and so on take it. [`Executor`](crate::Executor) and [`Array`](crate::Array) take
/// its text, too, to select by and to count by.
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
pub struct Predicate<T> {
    mapping: Mapping,
    parameters: Parameters,
    element: PhantomData<fn(T) -> bool>,
}

impl<T: MapElement> Predicate<T> {
    /// Makes a predicate of an expression.
    ///
    /// # Errors
    ///
    /// [`WgslError`], with line and column of the expression.
    pub fn new(expression: &str) -> Result<Self, WgslError> {
        Self::with_parameters(expression, &[])
    }

    /// Makes a predicate of an expression over parameters, too: as [`Map::with_parameters`](crate::Map::with_parameters). With other values the pipelines
    /// are those that there are.
    ///
    /// ```
    /// use gridfold::{Executor, Predicate};
    ///
    /// let executor = Executor::auto();
    /// let above = Predicate::<f32>::with_parameters("x > limit", &[("limit", 1.0)])?;
    /// assert_eq!(executor.select_if(&[0.5, 2.0, 3.0], &above)?, [2.0, 3.0]);
    /// let above = above.parameter("limit", 2.5)?;
    /// assert_eq!(executor.select_if(&[0.5, 2.0, 3.0], &above)?, [3.0]);
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Map::with_parameters`](crate::Map::with_parameters).
    pub fn with_parameters(
        expression: &str,
        parameters: &[(&str, T::Wide)],
    ) -> Result<Self, WgslError> {
        let parameters = Parameters::new(parameters)?;
        let mut graph = Graph::default();
        let result = read::read(&mut graph, expression, Expression::<T>::over(1, &parameters))?;
        let found = graph.ty(result);
        if found != Type::Bool {
            return Err(read::wrong_type(expression, found, Type::Bool));
        }
        let mapping = Mapping::of_predicate(graph, result, T::TYPE, parameters.words());
        Ok(Self { mapping, parameters, element: PhantomData })
    }

    /// Gives a parameter another value.
    ///
    /// # Errors
    ///
    /// As [`Map::parameter`](crate::Map::parameter).
    pub fn parameter(mut self, name: &str, value: T::Wide) -> Result<Self, WgslError> {
        self.parameters.set(name, value)?;
        self.mapping.arguments = self.parameters.words();
        Ok(self)
    }

    /// What kernels of selections are joined with. No promise of stability.
    #[doc(hidden)]
    pub fn program(&self) -> Result<Program, WgslError> {
        let element = T::Wide::TYPE;
        let spec = OperatorType::Count.spec(element).expect("all these elements are counted");
        self.mapping.program_of(
            spec,
            Exact::Same,
            Kernel::SelectWhere,
            &[Mechanism::WorkgroupMemory],
        )
    }

    /// 1 for only the elements for which it is true: what counts them.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn counted(self) -> Result<super::Map<T>, WgslError> {
        use super::{Operation, WideElement};
        let one = Operation::Literal(T::Wide::ONE.wide_bits());
        self.map(|graph| Ok(graph.add(one, Expression::<T>::ty())))
    }

    /// Only the elements for which it is true.
    ///
    /// # Errors
    ///
    /// [`WgslError::Vector`] if they have several components.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn chosen(self) -> Result<super::Map<T>, WgslError> {
        self.map(|graph| match T::TYPE.is_vector() {
            // A text is refused in words.
            true => read::read(graph, "x", Expression::<T>::over(1, &Parameters::default())),
            false => Ok(graph.add(super::Operation::X(None), Expression::<T>::ty())),
        })
    }

    /// What is made of only the elements for which it is true.
    #[cfg(not(target_arch = "wasm32"))]
    fn map(
        self,
        make: impl FnOnce(&mut Graph) -> Result<super::Value, WgslError>,
    ) -> Result<super::Map<T>, WgslError> {
        let Self { mapping: Mapping { mut graph, result: condition, .. }, parameters, .. } = self;
        let result = make(&mut graph)?;
        let (condition, inputs, own) = (Some(condition), 1, None);
        let element = PhantomData;
        let made = Expression { graph, result, condition, inputs, parameters, own, element };
        Ok(super::Map(made))
    }

    /// The words of its parameters, if it has some.
    pub(crate) fn arguments(&self) -> Option<[u32; Params::ARGUMENTS]> {
        let has_some = !self.parameters.names().is_empty();
        has_some.then(|| self.parameters.words())
    }

    /// For elements from an index on 1 where it is true, else 0.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn run(&self, x: &[T], first: u32, out: &mut [u32]) {
        self.mapping.run([x, &[], &[]], first, Made { values: out, kept: &mut [] });
    }
}

/// What can be a predicate: a [`Predicate`], or the text of one. Sealed.
pub trait IntoPredicate<T>: Sealed {
    /// Makes the predicate.
    ///
    /// # Errors
    ///
    /// As [`Predicate::new`].
    fn into_predicate(self) -> Result<Predicate<T>, WgslError>;
}

impl Sealed for &str {}

impl<T: MapElement> IntoPredicate<T> for &str {
    fn into_predicate(self) -> Result<Predicate<T>, WgslError> {
        Predicate::new(self)
    }
}

impl Sealed for &String {}

impl<T: MapElement> IntoPredicate<T> for &String {
    fn into_predicate(self) -> Result<Predicate<T>, WgslError> {
        Predicate::new(self)
    }
}

impl<T> Sealed for &Predicate<T> {}

impl<T: MapElement> IntoPredicate<T> for &Predicate<T> {
    fn into_predicate(self) -> Result<Predicate<T>, WgslError> {
        Ok(self.clone())
    }
}

/// Of any elements.
impl<T> Clone for Predicate<T> {
    fn clone(&self) -> Self {
        let Self { mapping, parameters, element } = self;
        Self { mapping: mapping.clone(), parameters: parameters.clone(), element: *element }
    }
}

impl<T> fmt::Debug for Predicate<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Predicate")
            .field("operations", &self.mapping.graph.nodes().len())
            .finish_non_exhaustive()
    }
}
