//! What `--map` and `--where` make of elements before an operator takes them.

mod mean;

pub use mean::{Pass, mean_by_passes, passes};

use crate::{
    Outcome,
    args::ReduceArguments,
    dtype::Dtype,
    error::Error,
    operators::{Fill, Options, Reduced, defined},
};
use gridfold::{
    DynMap, DynOperator, ElementType, Executor, Map, Map2, Map3, OperatorType, Precision,
    StreamError, WgslError,
};
use std::str::FromStr;

/// The expressions of a call.
#[derive(Clone, Copy, Debug)]
pub struct Expressions<'a> {
    map: Option<&'a str>,
    predicate: Option<&'a str>,
    parameters: &'a [(String, String)],
    /// Files, each with an element of those that go together.
    inputs: usize,
    bits: Bits,
}

/// What is left of values that are integers of 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bits {
    All,
    /// With the sign.
    Upper,
    Lower,
}

impl<'a> Expressions<'a> {
    /// `None` without any.
    pub fn of(arguments: &'a ReduceArguments) -> Option<Self> {
        let (map, predicate) = (arguments.map.as_deref(), arguments.predicate.as_deref());
        let inputs = 1 + arguments.other_files().count();
        let parameters = &arguments.parameters[..];
        let expressions = Self { map, predicate, parameters, inputs, bits: Bits::All };
        (map.is_some() || predicate.is_some() || !parameters.is_empty()).then_some(expressions)
    }

    /// Whether they say what becomes of a pair.
    pub fn take_pairs(self) -> bool {
        self.map.is_some()
    }

    /// What is reduced, in words, before the number of elements and after their type.
    pub fn words(self) -> (String, String) {
        let map = self.map.map(|map| format!("`{map}` of "));
        let predicate = self.predicate.map(|predicate| format!(" where `{predicate}`"));
        (map.unwrap_or_default(), predicate.unwrap_or_default())
    }

    /// Whether elements stay what they are, and only some of them count.
    pub fn keep_elements(self) -> bool {
        self.map.is_none()
    }

    fn map(self) -> &'a str {
        self.map.unwrap_or("x")
    }

    /// Refuses a parameter that no expression has.
    pub fn check_parameters(self) -> Outcome {
        check_parameters(self.parameters, &[self.map, self.predicate])
    }

    /// The parameters as elements.
    fn parameters<T: FromStr + ToString>(self) -> Result<Vec<(&'a str, T)>, WgslError> {
        parameters_of(self.parameters)
    }

    /// Over elements of a type that expressions compute with.
    fn over(self, element: ElementType) -> Result<DynMap, Error> {
        macro_rules! over {
            ($map:ident $element:ident) => {{
                let parameters = self.parameters().map_err(wrong("--parameter"))?;
                let map = $map::<$element>::with_parameters(self.map(), &parameters);
                let map = map.map_err(|source| match source {
                    WgslError::Parameter { .. } => wrong("--parameter")(source),
                    source => wrong("--map")(source),
                })?;
                let map = match self.predicate {
                    Some(predicate) => map.only_where(predicate).map_err(wrong("--where"))?,
                    None => map,
                };
                Ok(DynMap::from(match self.bits {
                    Bits::All => map,
                    half => map.half(half == Bits::Upper),
                }))
            }};
            ($element:ident) => {
                match self.inputs {
                    3 => over!(Map3 $element),
                    2 => over!(Map2 $element),
                    _ => over!(Map $element),
                }
            };
        }
        match element {
            ElementType::F32 => over!(f32),
            ElementType::F64 => over!(f64),
            ElementType::I32 => over!(i32),
            ElementType::I64 => over!(i64),
            ElementType::U64 => over!(u64),
            _ => over!(u32),
        }
    }
}

/// Refuses a parameter that none of these expressions has. What is no name at all the library refuses.
pub fn check_parameters(parameters: &[(String, String)], expressions: &[Option<&str>]) -> Outcome {
    let is_end = |c: char| !c.is_alphanumeric() && c != '_';
    let is_name = |name: &str| !name.is_empty() && !name.contains(is_end);
    let is_in = |text: &str, name: &str| text.split(is_end).any(|word| word == name);
    let is_unused =
        |name: &str| is_name(name) && !expressions.iter().flatten().any(|text| is_in(text, name));
    match parameters.iter().find(|(name, _)| is_unused(name)) {
        Some((name, _)) => Err(Error::UnusedParameter { name: name.clone() }),
        None => Ok(()),
    }
}

/// Names with values that are elements. Digits that are infinite are none: no literal is.
pub fn parameters_of<T: FromStr + ToString>(
    parameters: &[(String, String)],
) -> Result<Vec<(&str, T)>, WgslError> {
    let mut numbers = Vec::new();
    for (name, value) in parameters {
        let wrong = |what| WgslError::Parameter { name: name.clone(), what };
        let number: T = value.parse().map_err(|_| {
            wrong(match value.parse::<i128>() {
                Ok(_) => "is too large or too small for the elements' type: give a number of its range",
                Err(_) => "has no value of the elements' type: give a decimal number of it, as 3 or of floats 0.5",
            })
        })?;
        if number.to_string().ends_with("inf") && value.contains(|c: char| c.is_ascii_digit()) {
            return Err(wrong(
                "is too large for the elements' type: give a smaller number, or inf",
            ));
        }
        numbers.push((&**name, number));
    }
    Ok(numbers)
}

fn wrong(option: &'static str) -> impl FnOnce(WgslError) -> Error {
    move |source| Error::Expression { option, source }
}

/// The operator that reduces expressions' values.
#[derive(Clone, Copy)]
pub struct Mapped(DynOperator);

impl Mapped {
    /// Whether results depend on which element is which in C's order.
    pub fn is_numbered(self, expressions: Expressions<'_>) -> Result<bool, Error> {
        let spec = self.0.spec();
        Ok(expressions.over(spec.element)?.reads_index() || spec.operator.tells_places())
    }

    /// The one for files' elements of a type. Sums and products of integers have 64 bits, as they have without an expression.
    pub fn of(arguments: &ReduceArguments, dtype: &'static Dtype) -> Result<Self, Error> {
        let operator = arguments.op;
        let element = dtype.own.element;
        let reduced = match (operator, element) {
            (OperatorType::Sum, ElementType::I32 | ElementType::U32) => OperatorType::SumWide,
            (OperatorType::Product, ElementType::I32 | ElementType::U32) => {
                OperatorType::ProductWide
            }
            _ => operator,
        };
        let file = || arguments.file.display().to_string();
        let unmapped = || Error::Unmapped { file: file(), operator, dtype: dtype.name };
        Self::find(reduced, element).ok_or_else(unmapped)
    }

    /// An operator of one input. Expressions have as many inputs as they name.
    fn find(operator: OperatorType, element: ElementType) -> Option<Self> {
        defined(operator, element).filter(|operator| operator.spec().inputs == 1).map(Self)
    }

    /// The promise that its results keep.
    pub fn kept_precision(
        self,
        arguments: &ReduceArguments,
        dtype: &'static Dtype,
    ) -> Result<Precision, Error> {
        let (operator, element) = (self.0.spec().operator, self.0.spec().element);
        // The CPU makes variances of some elements, without rounding.
        let is_variance = operator.without_options() == OperatorType::Variance
            && operator.nan_rule() == gridfold::NanRule::Propagate;
        if is_variance && arguments.predicate.is_some() {
            return Ok(Precision::Exact);
        }
        let precision = arguments.precision;
        match precision.kept_by(operator, element) {
            Some(Precision::Exact) => Ok(Precision::Exact),
            // Expressions have no others.
            Some(_) => Ok(Precision::Reproducible),
            None => {
                let (file, operator) = (arguments.file.display().to_string(), arguments.op);
                Err(Error::Imprecise { file, operator, dtype: dtype.name, precision })
            }
        }
    }

    /// Reduces what is made of as many elements of each file.
    pub fn stream(
        self,
        expressions: Expressions<'_>,
        executor: &Executor,
        options: Options,
        len: u64,
        fill: Fill<'_>,
    ) -> Result<Reduced, StreamError<Error>> {
        let operator = self.0;
        let map = expressions.over(operator.spec().element).map_err(StreamError::Source)?;
        let reduction = match options.forced_context(executor) {
            Some(context) => {
                options.reducer(operator, context).mapped(&map)?.stream_blocking(len, fill)?
            }
            None => operator.reduce_map_stream(&options.executor(executor), &map, len, fill)?,
        };
        Ok(Reduced::of(reduction))
    }
}
