//! Options of operators.

/// How an operator takes NaNs: [`Sum`](struct@crate::Sum), [`Mean`](struct@crate::Mean), [`Variance`](struct@crate::Variance), or an extremum.
/// Extrema also take [`Nan::Total`].
///
/// ```
/// use gridfold::{Executor, Mean, Min, Nan};
///
/// let executor = Executor::auto();
/// let values = [1.0f32, f32::NAN, 4.0];
/// assert!(executor.reduce(&values, Mean)?.value.is_nan());
/// assert_eq!(executor.reduce(&values, Mean.nan(Nan::Ignore))?.value, 2.5);
/// assert_eq!(executor.reduce(&values, Min.nan(Nan::Total))?.value, Some(1.0));
/// # Ok::<(), gridfold::Error>(())
/// ```
///
/// Sums know no total order:
///
/// ```compile_fail
/// _ = gridfold::Sum.nan(gridfold::Nan::Total);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Nan {
    /// One NaN makes the result NaN.
    #[default]
    Propagate,
    /// NaNs are no elements.
    Ignore,
}

impl Nan {
    /// NaNs are elements as others are, in IEEE-754's total order.
    #[allow(non_upper_case_globals, reason = "it stands beside the variants")]
    pub const Total: TotalOrder = TotalOrder;
}

/// IEEE-754's total order, as `f32::total_cmp` has it: a NaN with a sign is below −∞, one without above ∞, and −0 below +0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TotalOrder;

/// How an extremum takes NaNs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NanRule {
    /// As [`Nan::Propagate`].
    #[default]
    Propagate,
    /// As [`Nan::Ignore`].
    Ignore,
    /// As [`Nan::Total`].
    Total,
}

impl From<Nan> for NanRule {
    fn from(nan: Nan) -> Self {
        match nan {
            Nan::Propagate => Self::Propagate,
            Nan::Ignore => Self::Ignore,
        }
    }
}

impl From<TotalOrder> for NanRule {
    fn from(_: TotalOrder) -> Self {
        Self::Total
    }
}

/// The options of any operator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Options {
    pub nan: NanRule,
    /// Several places are equal: the last one counts.
    pub last: bool,
    /// A variance is divided by one less than the number of elements.
    pub sample: bool,
}

impl Options {
    pub(crate) const DEFAULT: Self = Self { nan: NanRule::Propagate, last: false, sample: false };
}

#[cfg(test)]
mod tests {
    use crate::{
        ArgMax, Error, Executor, Max, Mean, Min, MinMax, Nan, OperatorType, Partial, PartialError,
        PrepareError, Scan, Sum, Variance,
    };

    #[test]
    fn on_integers_no_rule_changes_anything() {
        let (cpu, values) = (Executor::cpu(), [3i32, -8, 5, -8]);
        let least = cpu.reduce(&values, Min).expect("it is defined").value;
        assert_eq!(cpu.reduce(&values, Min.nan(Nan::Total)).expect("it is defined").value, least);
        let sum = cpu.reduce(&values, Sum.nan(Nan::Ignore)).expect("it is defined").value;
        assert_eq!(sum, -8);
        let place =
            cpu.reduce(&values, ArgMax.nan(Nan::Ignore).last()).expect("it is defined").value;
        assert_eq!(place.map(|place| place.index), Some(2));
    }

    #[test]
    fn components_have_no_rule() {
        fn check<V: std::fmt::Debug>(operator: OperatorType, result: Result<V, Error>) {
            match result {
                Err(Error::Prepare(PrepareError::Unsupported { operator: found, .. })) => {
                    assert_eq!(found, operator);
                }
                other => panic!("{operator}: {other:?}"),
            }
        }
        let (cpu, points) = (Executor::cpu(), [[1.0f32, f32::NAN], [2.0, 3.0]]);
        let operator = OperatorType::Max.nan(Nan::Ignore.into());
        check(operator, cpu.reduce(&points, Max.nan(Nan::Ignore)));
        check(operator, cpu.reduce_segments(&points, &[0, 2], Max.nan(Nan::Ignore)));
        check(operator, cpu.inclusive_scan(&points, Max.nan(Nan::Ignore)));
        check(operator, cpu.reduce_part(&points, 0, Max.nan(Nan::Ignore)));
        let array = cpu.upload(&points).expect("there is memory");
        check(operator, array.reduce(Max.nan(Nan::Ignore)));
        // The rule that there is without options.
        assert!(cpu.reduce(&points, Mean.nan(Nan::Propagate)).is_ok());
    }

    #[test]
    fn parts_have_options() {
        let (cpu, values) = (Executor::cpu(), [1.0f32, f32::NAN, 4.0]);
        let ignoring = cpu.reduce_part(&values, 0, Sum.nan(Nan::Ignore)).expect("it is defined");
        let plain = cpu.reduce_part(&values, 3, Sum).expect("it is defined");
        let error = ignoring.merge(&plain).expect_err("other options");
        assert!(matches!(error, PartialError::Operators { .. }), "{error}");
        // Bytes and scans keep them.
        let again = Partial::<f32, Sum>::from_bytes(&ignoring.to_bytes()).expect("its own bytes");
        assert_eq!(again, ignoring);
        assert!(ignoring.to_bytes().len() <= Partial::<f32, Sum>::max_bytes());
        let scan = cpu.scan_after(Scan::inclusive(), &again, &[f32::NAN, 2.0]);
        assert_eq!(scan.expect("it is defined"), [5.0, 7.0]);
        let both = cpu.reduce_part(&values, 0, MinMax.nan(Nan::Total)).expect("it is defined");
        let again = Partial::<f32, MinMax>::from_bytes(&both.to_bytes()).expect("its own bytes");
        assert!(again.finish().expect("all of it").is_some_and(|both| both.max.is_nan()));
    }

    #[test]
    fn values_say_what_they_are() {
        let operator = format!("{:?}", ArgMax.nan(Nan::Total).last());
        assert_eq!(operator, "ArgMax.nan(Nan::Total).last()");
        assert_eq!(format!("{:?}", Variance.sample()), "Variance.sample()");
        assert_eq!(ArgMax.nan(Nan::Ignore), ArgMax.nan(Nan::Ignore));
        assert_ne!(ArgMax, ArgMax.last());
    }
}
