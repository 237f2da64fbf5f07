//! What `--map` and `--where` make of elements before an operator takes them.

mod mean;

pub use mean::{Pass, mean_by_passes, passes};

use crate::{
    Outcome,
    args::ReduceArguments,
    dtype::Dtype,
    error::Error,
    operators::{Fill, Options, Reduced, reduced},
};
use gridfold::{
    ElementType, Executor, Map, Map2, Map3, Mapped, OfMapped, OfPaired, OfTripled, Operator,
    OperatorType, Paired, Precision, Reducer, StreamError, Tripled, WgslError, WideElement,
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

/// A map of that kind by a call's expressions.
macro_rules! map {
    ($map:ident::<$element:ident>, $expressions:expr) => {{
        let expressions = $expressions;
        let made = || {
            let parameters = expressions.parameters().map_err(wrong("--parameter"))?;
            let map = $map::<$element>::with_parameters(expressions.map(), &parameters);
            let map = map.map_err(|source| match source {
                WgslError::Parameter { .. } => wrong("--parameter")(source),
                source => wrong("--map")(source),
            })?;
            let map = match expressions.predicate {
                Some(predicate) => map.only_where(predicate).map_err(wrong("--where"))?,
                None => map,
            };
            Ok::<_, Error>(match expressions.bits {
                Bits::All => map,
                half => map.half(half == Bits::Upper),
            })
        };
        made()
    }};
}

fn reads_index<T: WideElement + FromStr + ToString>(
    expressions: Expressions<'_>,
) -> Result<bool, Error> {
    Ok(match expressions.inputs {
        3 => map!(Map3::<T>, expressions)?.reads_index(),
        2 => map!(Map2::<T>, expressions)?.reads_index(),
        _ => map!(Map::<T>, expressions)?.reads_index(),
    })
}

/// Takes how many elements each file has.
type Stream =
    fn(Expressions<'_>, &Executor, Options, u64, Fill<'_>) -> Result<Reduced, StreamError<Error>>;

/// What reduces expressions of elements of a type by an operator.
pub struct Entry {
    operator: OperatorType,
    element: ElementType,
    pub stream: Stream,
    reads_index: fn(Expressions<'_>) -> Result<bool, Error>,
}

impl Entry {
    /// Whether results depend on which element is which in C's order.
    pub fn is_numbered(&self, expressions: Expressions<'_>) -> Result<bool, Error> {
        Ok((self.reads_index)(expressions)? || self.operator.tells_places())
    }

    /// The one for files' elements of a type. Sums and products of integers have 64 bits, as those of the elements themselves.
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

    fn find(operator: OperatorType, element: ElementType) -> Option<Self> {
        entries().find(|entry| (entry.operator, entry.element) == (operator, element))
    }

    /// What its results promise.
    pub fn kept_precision(
        &self,
        arguments: &ReduceArguments,
        dtype: &'static Dtype,
    ) -> Result<Precision, Error> {
        // The CPU makes variances of some elements, without rounding.
        let is_variance =
            matches!(self.operator, OperatorType::Variance | OperatorType::SampleVariance);
        if is_variance && arguments.predicate.is_some() {
            return Ok(Precision::Exact);
        }
        let precision = arguments.precision;
        match precision.kept_by(self.operator, self.element) {
            Some(Precision::Exact) => Ok(Precision::Exact),
            // Of expressions there are no others.
            Some(_) => Ok(Precision::Reproducible),
            None => {
                let (file, operator) = (arguments.file.display().to_string(), arguments.op);
                Err(Error::Imprecise { file, operator, dtype: dtype.name, precision })
            }
        }
    }

    fn one<T: WideElement + FromStr + ToString, Op: Operator<T>>() -> Self
    where
        Mapped<Op>: OfMapped<T, Op>,
        Paired<Op>: OfPaired<T, Op>,
        Tripled<Op>: OfTripled<T, Op>,
    {
        let spec = <Op as Operator<T>>::SPEC;
        let (stream, reads_index) = (stream::<T, Op> as Stream, reads_index::<T>);
        Self { operator: spec.operator, element: T::TYPE, stream, reads_index }
    }
}

fn stream<T: WideElement + FromStr + ToString, Op: Operator<T>>(
    expressions: Expressions<'_>,
    executor: &Executor,
    options: Options,
    len: u64,
    fill: Fill<'_>,
) -> Result<Reduced, StreamError<Error>>
where
    Mapped<Op>: OfMapped<T, Op>,
    Paired<Op>: OfPaired<T, Op>,
    Tripled<Op>: OfTripled<T, Op>,
{
    let of_library = |error: WgslError| StreamError::Reduce(error.into());
    let context = options.forced_context(executor);
    let executor = options.executor(executor);
    let spec = <Op as Operator<T>>::SPEC;
    macro_rules! reduction {
        ($map:ident, $reducer:expr, $stream:ident) => {{
            let map = map!($map::<T>, expressions).map_err(StreamError::Source)?;
            let fill = |input, elements: &mut [T]| fill(input, bytemuck::cast_slice_mut(elements));
            match context {
                Some(context) => {
                    let reducer = $reducer(context, &map).map_err(of_library)?;
                    options.apply(reducer).stream_blocking(len, fill)
                }
                None => executor.$stream::<T, Op, _>(&map, len, fill),
            }
        }};
    }
    let reduction = match expressions.inputs {
        3 => reduction!(Map3, Reducer::<T, Tripled<Op>>::map3, reduce_map3_stream),
        2 => reduction!(Map2, Reducer::<T, Paired<Op>>::map2, reduce_map2_stream),
        _ => reduction!(Map, Reducer::<T, Mapped<Op>>::mapped, reduce_map_stream),
    };
    Ok(reduced(&spec, reduction?, Op::out))
}

/// Every operator of elements that expressions are over.
fn entries() -> impl Iterator<Item = Entry> {
    macro_rules! entry {
        (f32 $operator:ident) => {
            Some(Entry::one::<f32, gridfold::$operator>())
        };
        (i32 $operator:ident) => {
            Some(Entry::one::<i32, gridfold::$operator>())
        };
        (u32 $operator:ident) => {
            Some(Entry::one::<u32, gridfold::$operator>())
        };
        (f64 $operator:ident) => {
            Some(Entry::one::<f64, gridfold::$operator>())
        };
        (i64 $operator:ident) => {
            Some(Entry::one::<i64, gridfold::$operator>())
        };
        (u64 $operator:ident) => {
            Some(Entry::one::<u64, gridfold::$operator>())
        };
        ($other:ident $operator:ident) => {
            None
        };
    }
    macro_rules! entries {
        (
            one input {
                $($verb:ident $operator:ident $name:literal [$($element:ident)*] $doc:literal)*
            }
            two inputs $two:tt
        ) => {
            [$($(entry!($element $operator),)*)*]
        };
    }
    gridfold::operators!(entries!()).into_iter().flatten()
}
