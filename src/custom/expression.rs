//! Expressions over elements: [`Map`], [`Map2`] and [`Map3`].

mod constant;
mod convert;
mod element;
mod foreign;
mod graph;
mod literal;
mod map3;
mod mapping;
mod operands;
mod own;
mod parameters;
mod parse;
mod predicate;
mod read;
mod run;
mod tokens;
mod write;

#[cfg(not(target_arch = "wasm32"))]
use crate::algebra::{operator_type::OperatorType, precision::Precision};
use crate::{
    algebra::{
        acc_words::Words,
        element::Element,
        operator::{Operator, OperatorSpec},
    },
    error::WgslError,
    wgsl::{params::Params, program::Program, text},
};
pub use element::{MapElement, WideElement};
pub use map3::Map3;
pub(crate) use mapping::{Made, Mapping};
pub use predicate::{IntoPredicate, Predicate};

use graph::{Binary, Graph, Operation, Type, Unary, Value};
use parameters::Parameters;
use std::{fmt, marker::PhantomData, sync::Arc};

/// A function of elements of type `T` that a reduction applies first: an expression of WGSL over the element `x`, and over its
/// index `i` in the sequence, a `u32` that counts modulo 2^32.
///
/// Numbers that change from call to call belong in parameters ([`Map::with_parameters`]): a device compiles each text anew, which takes up to
/// seconds. A context keeps the 128 pipelines of users' texts that it used last, and the process 128 texts. Maps that are dropped leave nothing else.
///
/// Elements are of any type but [`Bits`](crate::Bits). Those of less than a word are widened: `x` is an `i32` of `i8` and
/// `i16`, a `u32` of `u8`, `u16` and [`Bool`](struct@crate::Bool), an `f32` of `f16` and `bf16`. The value is of the type of `x`
/// ([`MapElement::Wide`]), or a `bool`, which stands for 1 or 0. Operators are those of that type. No device needs `f64` or integers of 64 bits: these
/// are computed in integers of 32.
///
/// Of elements of several components, as `[f32; 3]`, an expression takes these one by one, as `x.x`, `x.y`, `x.z` and `x.w`, and its value is of their type.
///
/// It may have
///
/// * literals, `+`, `-`, `*`, `/`, `min`, `max`, `abs`, `clamp`, `select`, comparisons, `&&`, `||`, `!`, of all types;
/// * `%`, `&`, `|`, `^`, `~`, `<<`, `>>`, `countOneBits`, `countLeadingZeros`, `countTrailingZeros`, `reverseBits`, of integers;
/// * `f32`, `i32`, `u32`, `f64`, `i64`, `u64`, `bool` of other numbers, and `bitcast`.
///
/// A literal takes the type that it meets, also through functions and operators: `select(0.1, 0.2, i > 7)` is an `f64` beside one. `1li`, `1lu`, `0.5lf` name theirs.
/// There are no comments.
///
/// Each of these has the same bits on every device and on the CPU, so reductions keep what [`Precision`](crate::Precision) promises. Sums, differences,
/// products and quotients of floats are rounded one by one, as IEEE-754 says, subnormal numbers, infinities and NaNs included. Minima and maxima are those of
/// [`Min`](struct@crate::Min) and [`Max`](struct@crate::Max). Conversions to integers round toward zero, and saturate; NaN becomes 0. Integers wrap; their
/// quotients round toward zero, so that a remainder has the sign of what is divided; what is divided by
/// zero remains itself, with the remainder 0; only the last five bits of a distance count in shifts, or the last six where 64 bits are shifted.
///
/// It has at most 200 signs, which are all but letters, digits and blanks, and with its predicates a thousand operations. A device computes one of more
/// than seven sums and products of `f32`s, or three of `f64`s, by a loop. A loop takes less time and memory to compile, and may compute more slowly.
///
/// A quotient of floats takes some hundred operations of integers on a device, because WGSL's is not the nearest one; by a literal that is a power of
/// two it takes one. There is no `sqrt` or `sin`, whose bits every device makes in its own way: [`Map::wgsl`] has these,
/// and promises no bits.
///
/// ```
/// use gridfold::{Count, Executor, Map, Sum};
///
/// let executor = Executor::auto();
/// let values = [0.5f32, -2.0, 3.0];
/// let squares = Map::<f32>::new("x * x")?;
/// assert_eq!(executor.reduce_map(&squares, &values, Sum)?.value, 13.25);
/// let ahead = squares.only_where("x > 0.0 && i < 10u")?;
/// assert_eq!(executor.reduce_map(&ahead, &values, Sum)?.value, 9.25);
///
/// assert_eq!(executor.count_if(&values, "abs(x) >= 1.0")?, 2);
/// assert_eq!(executor.sum_if(&values, "x < 1.0")?, -1.5);
///
/// let points = [[1.0f32, 2.0, 2.0], [0.0, 3.0, -4.0]];
/// let squares = Map::<[f32; 3]>::new("x.x * x.x + x.y * x.y + x.z * x.z")?;
/// assert_eq!(executor.reduce_map(&squares, &points, Sum)?.value, 34.0);
/// assert_eq!(executor.count_if(&points, "x.z > 0.0")?, 1);
///
/// let error = Map::<f32>::new("1.0 +\n  sin(x)").expect_err("not the same everywhere");
/// assert!(error.to_string().starts_with("line 2, column 3: there is no `sin`"), "{error}");
/// # Ok::<(), gridfold::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Map<T>(Expression<T>);

/// A function of pairs of elements of two inputs, `x` and `y`, that a reduction applies first: as a [`Map`].
///
/// ```
/// use gridfold::{Executor, Map2, Max, Sum};
///
/// let executor = Executor::auto();
/// let (left, right) = ([1.0f32, 2.0, 3.0], [2.0, 0.0, 3.5]);
/// let distance = Map2::<f32>::new("(x - y) * (x - y)")?;
/// assert_eq!(executor.reduce_map2(&distance, &left, &right, Sum)?.value, 5.25);
/// let largest = Map2::<f32>::new("abs(x - y)")?;
/// assert_eq!(executor.reduce_map2(&largest, &left, &right, Max)?.value, Some(2.0));
/// # Ok::<(), gridfold::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Map2<T>(Expression<T>);

/// What all have in common.
#[derive(Clone)]
pub(crate) struct Expression<T> {
    graph: Graph,
    result: Value,
    /// Where elements count at all.
    condition: Option<Value>,
    inputs: u32,
    parameters: Parameters,
    own: Option<Own>,
    element: PhantomData<fn(T) -> T>,
}

/// A function of the user's own, in WGSL, and in Rust, of the bits of `x`, `y` and `z`, as far as there are inputs, and the index.
#[derive(Clone)]
struct Own {
    text: String,
    twin: Arc<Twin>,
}

/// Of bits.
type Twin = dyn Fn([u64; 3], u32) -> u64 + Send + Sync;

impl<T: MapElement> Map<T> {
    /// Makes a map of an expression.
    ///
    /// # Errors
    ///
    /// [`WgslError`], with line and column of the expression.
    pub fn new(expression: &str) -> Result<Self, WgslError> {
        Ok(Self(Expression::new(expression, 1)?))
    }

    /// Makes a map of an expression over parameters, too: up to four, each with a name and a value of the type of `x`;
    /// of 64 bits up to two.
    ///
    /// A value is data, not part of a kernel. So with other values ([`Map::parameter`]) the pipelines are those that there are, and the bits
    /// are those of an expression with literals in the names' places. Names are WGSL's, but for `x`, `y`, `z` and `i`. What is
    /// [prepared](crate::Reducer::prepare) keeps the values that it was prepared with.
    ///
    /// ```
    /// use gridfold::{Executor, Map, Sum};
    ///
    /// let executor = Executor::auto();
    /// let scaled = Map::<f32>::with_parameters("x * scale + offset", &[("scale", 2.0), ("offset", 0.5)])?;
    /// assert_eq!(executor.reduce_map(&scaled, &[1.0, 3.0], Sum)?.value, 9.0);
    /// let scaled = scaled.parameter("scale", -1.0)?.only_where("x < offset + 1.0")?;
    /// assert_eq!(executor.reduce_map(&scaled, &[1.0, 3.0], Sum)?.value, -0.5);
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`WgslError`], with line and column of the expression; [`WgslError::Parameter`] if there are too many, or if there can be none of a
    /// name.
    pub fn with_parameters(
        expression: &str,
        parameters: &[(&str, T::Wide)],
    ) -> Result<Self, WgslError> {
        Ok(Self(Expression::with_parameters(expression, 1, parameters)?))
    }

    /// Gives a parameter another value.
    ///
    /// # Errors
    ///
    /// [`WgslError::Parameter`] if there is none of that name.
    pub fn parameter(self, name: &str, value: T::Wide) -> Result<Self, WgslError> {
        Ok(Self(self.0.parameter(name, value)?))
    }

    /// Makes a map of a function of your own, with everything that WGSL has, and the same in Rust for the CPU.
    ///
    /// The text declares `fn map(x: f32) -> f32`, or `fn map(x: f32, i: u32) -> f32`, for elements of `f32`, and whatever that needs; it is checked as that of
    /// a [`CustomOperator`](crate::CustomOperator). Elements of 64 bits are a `vec2<u32>`, the low word first. What it makes of an element has the bits that the device makes, and `twin` those that the CPU makes:
    /// gridfold promises no more than to reduce these as it reduces elements.
    ///
    /// ```
    /// use gridfold::{Executor, Map, Sum};
    ///
    /// let sines = Map::<f32>::wgsl("fn map(x: f32) -> f32 { return sin(x); }", |x, _| x.sin())?;
    /// let sines = sines.only_where("x > 0.0")?;
    /// let sum = Executor::auto().reduce_map(&sines, &[0.5, -3.0, 1.5], Sum)?.value;
    /// assert!((sum - 1.47692).abs() < 1e-3);
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`WgslError`], with the text's line and column; [`WgslError::OfComponents`] if elements have several components.
    pub fn wgsl(
        wgsl: &str,
        twin: impl Fn(T::Wide, u32) -> T::Wide + Send + Sync + 'static,
    ) -> Result<Self, WgslError> {
        let of_bits = move |[x, ..]: [u64; 3], i| twin(T::Wide::of_wide_bits(x), i).wide_bits();
        Ok(Self(Expression::wgsl(wgsl, 1, of_bits)?))
    }

    /// The map, of only the elements for which `predicate` is true, over `x` and `i` too; the others count as the operator's neutral element does: 0 for sums and norms,
    /// 1 for products. (So their places in the order remain.) An extremum or a place is `None` if no element counts. A place is a place in the whole
    /// sequence. A mean takes the elements that count, and is NaN if there are none. So is a variance, which is
    /// [`Exact`](crate::Precision::Exact), and which executors and arrays have, but no [`Reducer`](crate::Reducer).
    ///
    /// No element has the place of none. So a device finds the place, too, at once for `MinMax`, in the total order, of slices of host memory, in
    /// streams and in [`Reducer::record_readback`](crate::Reducer::record_readback). For buffers and arrays it does so in a second read, and only if the first result is the neutral element. An output
    /// buffer and a [`Batch`](crate::Batch) hold the operator's result of no elements ([`Reducer::map`](crate::Reducer::map)).
    ///
    /// ```
    /// use gridfold::{Executor, Map, Min};
    ///
    /// let large = Map::<i32>::new("x")?.only_where("x > 100")?;
    /// let executor = Executor::auto();
    /// assert_eq!(executor.reduce_map(&large, &[3, 100], Min)?.value, None);
    /// assert_eq!(executor.reduce_map(&large, &[3, i32::MAX], Min)?.value, Some(i32::MAX));
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`WgslError`], with line and column of the predicate.
    pub fn only_where(self, predicate: &str) -> Result<Self, WgslError> {
        Ok(Self(self.0.only_where(predicate)?))
    }

    /// The same, of whose value only the upper 32 bits are left, as a number with its sign, or the lower ones. Elements that are no integers of 64 bits stay as
    /// they are. It comes last, and takes part in no limit. No promise of stability.
    #[doc(hidden)]
    #[must_use]
    pub fn half(self, is_upper: bool) -> Self {
        Self(self.0.half(is_upper))
    }

    /// Whether the index matters to it, or to its predicate. No promise of stability.
    #[doc(hidden)]
    pub fn reads_index(&self) -> bool {
        self.0.reads_index()
    }

    /// The program for an operator's kernels. No promise of stability.
    #[doc(hidden)]
    pub fn program<Op: Operator<T::Wide>>(&self, op: Op) -> Result<Program, WgslError> {
        self.0.program(op)
    }

    pub(crate) fn expression(&self) -> &Expression<T> {
        &self.0
    }

    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn into_expression(self) -> Expression<T> {
        self.0
    }
}

impl<T: MapElement> Map2<T> {
    /// Makes a map of pairs of an expression.
    ///
    /// # Errors
    ///
    /// [`WgslError`], with line and column of the expression.
    pub fn new(expression: &str) -> Result<Self, WgslError> {
        Ok(Self(Expression::new(expression, 2)?))
    }

    /// Makes a map of an expression over parameters, too: as [`Map::with_parameters`].
    ///
    /// # Errors
    ///
    /// As [`Map::with_parameters`].
    pub fn with_parameters(
        expression: &str,
        parameters: &[(&str, T::Wide)],
    ) -> Result<Self, WgslError> {
        Ok(Self(Expression::with_parameters(expression, 2, parameters)?))
    }

    /// Gives a parameter another value.
    ///
    /// # Errors
    ///
    /// As [`Map::parameter`].
    pub fn parameter(self, name: &str, value: T::Wide) -> Result<Self, WgslError> {
        Ok(Self(self.0.parameter(name, value)?))
    }

    /// Makes a map of a function of your own, `fn map(x: f32, y: f32) -> f32`, or with `i: u32` as its third parameter, for elements of `f32`: as [`Map::wgsl`].
    ///
    /// # Errors
    ///
    /// As [`Map::wgsl`].
    pub fn wgsl(
        wgsl: &str,
        twin: impl Fn(T::Wide, T::Wide, u32) -> T::Wide + Send + Sync + 'static,
    ) -> Result<Self, WgslError> {
        let of_bits = move |elements: [u64; 3], i| {
            let [x, y, _] = elements.map(T::Wide::of_wide_bits);
            twin(x, y, i).wide_bits()
        };
        Ok(Self(Expression::wgsl(wgsl, 2, of_bits)?))
    }

    /// The map, of only the pairs for which `predicate` is true, as [`Map::only_where`].
    ///
    /// # Errors
    ///
    /// [`WgslError`], with line and column of the predicate.
    pub fn only_where(self, predicate: &str) -> Result<Self, WgslError> {
        Ok(Self(self.0.only_where(predicate)?))
    }

    /// The same, of whose value only the upper 32 bits are left, as a number with its sign, or the lower ones. Elements that are no integers of 64 bits stay as
    /// they are. It comes last, and takes part in no limit. No promise of stability.
    #[doc(hidden)]
    #[must_use]
    pub fn half(self, is_upper: bool) -> Self {
        Self(self.0.half(is_upper))
    }

    /// Whether the index matters to it, or to its predicate. No promise of stability.
    #[doc(hidden)]
    pub fn reads_index(&self) -> bool {
        self.0.reads_index()
    }

    /// The program for an operator's kernels. No promise of stability.
    #[doc(hidden)]
    pub fn program<Op: Operator<T::Wide>>(&self, op: Op) -> Result<Program, WgslError> {
        self.0.program(op)
    }

    pub(crate) fn expression(&self) -> &Expression<T> {
        &self.0
    }

    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn into_expression(self) -> Expression<T> {
        self.0
    }
}

impl<T: MapElement> Expression<T> {
    fn new(text: &str, inputs: u32) -> Result<Self, WgslError> {
        Self::with_parameters(text, inputs, &[])
    }

    fn with_parameters(
        text: &str,
        inputs: u32,
        parameters: &[(&str, T::Wide)],
    ) -> Result<Self, WgslError> {
        let parameters = Parameters::new(parameters)?;
        let mut graph = Graph::default();
        let result = read::read(&mut graph, text, Self::over(inputs, &parameters))?;
        let found = graph.ty(result);
        if found != Self::ty() && found != Type::Bool {
            return Err(read::wrong_type(text, found, Self::ty()));
        }
        let result = match found {
            Type::Bool => graph.add(Operation::Unary(Unary::Convert, result), Self::ty()),
            _ => result,
        };
        let (condition, own) = (None, None);
        Ok(Self { graph, result, condition, inputs, parameters, own, element: PhantomData })
    }

    fn parameter(mut self, name: &str, value: T::Wide) -> Result<Self, WgslError> {
        self.parameters.set(name, value)?;
        Ok(self)
    }

    /// Whether it or its predicate asks for the index of elements.
    pub(crate) fn reads_index(&self) -> bool {
        self.graph.reads_index()
    }

    /// An operator's description as the reducer of this expression has it: with the type and the number of inputs.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn spec_of(&self, spec: &OperatorSpec) -> OperatorSpec {
        OperatorSpec { element: T::TYPE, inputs: self.inputs, ..*spec }
    }

    /// The words of its parameters, if it has some.
    pub(crate) fn arguments(&self) -> Option<[u32; Params::ARGUMENTS]> {
        let has_some = !self.parameters.names().is_empty();
        has_some.then(|| self.parameters.words())
    }

    /// An expression from a user's function, and the same on words.
    fn wgsl(
        wgsl: &str,
        inputs: u32,
        twin: impl Fn([u64; 3], u32) -> u64 + Send + Sync + 'static,
    ) -> Result<Self, WgslError> {
        if T::TYPE.is_vector() {
            return Err(WgslError::OfComponents);
        }
        let mut graph = Graph::default();
        let result = graph.add(own::check(wgsl, T::TYPE, inputs)?, Self::ty());
        let own = Some(Own { text: text::with_own_names(wgsl), twin: Arc::new(twin) });
        let (condition, parameters) = (None, Parameters::default());
        Ok(Self { graph, result, condition, inputs, parameters, own, element: PhantomData })
    }

    fn only_where(mut self, text: &str) -> Result<Self, WgslError> {
        let over = Self::over(self.inputs, &self.parameters);
        let condition = read::read(&mut self.graph, text, over)?;
        let found = self.graph.ty(condition);
        if found != Type::Bool {
            return Err(read::wrong_type(text, found, Type::Bool));
        }
        let both = |before| Operation::Binary(Binary::And, before, condition);
        let condition = match self.condition {
            Some(before) => self.graph.add(both(before), Type::Bool),
            None => condition,
        };
        Ok(Self { condition: Some(condition), ..self })
    }

    fn half(mut self, is_upper: bool) -> Self {
        let (value, ty) = (self.result, Self::ty());
        if !matches!(ty, Type::I64 | Type::U64) {
            return self;
        }
        let half = if is_upper {
            let distance = self.graph.add(Operation::Literal(32), Type::U32);
            Operation::Binary(Binary::ShiftRight, value, distance)
        } else {
            let mask = self.graph.add(Operation::Literal(u32::MAX.into()), ty);
            Operation::Binary(Binary::And, value, mask)
        };
        Self { result: self.graph.add(half, ty), ..self }
    }

    fn program<Op: Operator<T::Wide>>(&self, op: Op) -> Result<Program, WgslError> {
        self.program_of(&Operator::<T::Wide>::spec(&op))
    }

    /// The program that an operator's kernels are joined with.
    pub(crate) fn program_of(&self, spec: &OperatorSpec) -> Result<Program, WgslError> {
        self.of(spec)?.program(spec)
    }

    /// The program that finds an extremum's place, too, and the words of the neutral element, if there is one. `None` if all elements count.
    pub(crate) fn program_of_place(
        &self,
        &OperatorSpec { operator, out_words, .. }: &OperatorSpec,
    ) -> Result<Option<(Program, Option<Words>)>, WgslError> {
        let place = self.condition.and_then(|_| mapping::place_of(operator));
        let Some(spec) = place.and_then(|place| place.spec(T::Wide::TYPE)) else {
            return Ok(None);
        };
        let neutral = mapping::neutral(operator, T::Wide::TYPE);
        let neutral = neutral.map(|bits| {
            // Both extrema have it twice.
            let elements = [T::Wide::of_wide_bits(bits); 2];
            bytemuck::cast_slice(&elements)[..out_words as usize].into()
        });
        Ok(Some((self.program_of(spec)?, neutral)))
    }

    /// The type of loaded elements, or of their components.
    fn ty() -> Type {
        Type::of(T::Wide::TYPE)
    }

    /// The names that a text may use.
    fn over(inputs: u32, parameters: &Parameters) -> read::Over<'_> {
        let components = T::TYPE.packing().components();
        read::Over { ty: Self::ty(), components, inputs, parameters: parameters.names() }
    }

    /// Whether a result leaves out elements, and does not round.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn leaves_out(&self, spec: &OperatorSpec, precision: Precision) -> bool {
        let is_exact_mean = spec.operator == OperatorType::Mean && precision == Precision::Exact;
        self.condition.is_some() && (spec.operator.is_variance() || is_exact_mean)
    }

    /// Two programs for such a result: one counts elements, the other is for exact kernels. `None` if all elements count.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn programs_of_kept(
        &self,
        spec: &OperatorSpec,
    ) -> Result<Option<[Program; 2]>, WgslError> {
        let of = |condition| Mapping::programs_of_kept(self, condition, spec);
        self.condition.map(of).transpose()
    }

    /// The expression, as an operator takes its values.
    pub(crate) fn of(&self, spec: &OperatorSpec) -> Result<Mapping, WgslError> {
        Mapping::new(self, spec)
    }
}

impl<T> fmt::Debug for Expression<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Expression")
            .field("operations", &self.graph.nodes().len())
            .field("is_own", &self.own.is_some())
            .finish_non_exhaustive()
    }
}
