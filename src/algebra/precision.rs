//! What a result promises: [`Precision`].

use crate::algebra::{element::ElementType, operator::OperatorSpec, operator_type::OperatorType};
use std::fmt;

/// The level of a promise: it says on what the bits of a result may depend. Each level promises what the ones before it do.
///
/// What a result is, by operator, element type and level, and what its bits depend on, is this and nothing else:
///
/// | operator | elements | asked for | kept | the result | its bits depend on |
/// |---|---|---|---|---|---|
/// | [`Sum`] | `f32`, `f16`, `bf16` | `Unordered` | `Unordered` | the sum, rounded at each addition, as the device adds | the elements, their order, the device, the strategy, the run |
/// | [`Sum`] | `f32`, `f16`, `bf16` | `Reproducible` | `Reproducible` | the sum in the pairwise [`order`], rounded at each addition, as IEEE-754 says | the elements, their order |
/// | [`Sum`] | `f32`, `f16`, `bf16` | `Exact` | `Exact` | the true sum, rounded once | the elements |
/// | [`Sum`] | `f64` | `Unordered`, `Reproducible` | `Reproducible` | the sum in the pairwise [`order`], rounded at each addition, as IEEE-754 says | the elements, their order |
/// | [`Product`] | `f32`, `f64`, `f16`, `bf16` | `Unordered`, `Reproducible` | `Reproducible` | the product in the pairwise [`order`], its significand rounded at each multiplication | the elements, their order |
/// | [`Product`] | `f32`, `f64`, `f16`, `bf16` | `Exact` | error | [`PrepareError::Imprecise`] | |
/// | [`Mean`] | `f32`, `f64`, `f16`, `bf16` | `Unordered`, `Reproducible` | `Reproducible` | the `Reproducible` sum, divided by the number of elements, and rounded | the elements, their order |
/// | [`SumOfSquares`], [`Dot`] | `f32`, `f64`, `f16`, `bf16` | `Unordered`, `Reproducible` | `Reproducible` | the products, each rounded, added up in the pairwise [`order`], rounded at each addition | the elements, their order |
/// | [`Norm`] | `f32`, `f64`, `f16`, `bf16` | `Unordered`, `Reproducible` | `Reproducible` | the square root of the `Reproducible` sum of squares, rounded: ∞ where that overflows, 0 where all squares underflow | the elements, their order |
/// | [`Variance`] | `f32`, `f64`, `f16`, `bf16` | `Unordered`, `Reproducible` | `Reproducible` | squared distances between the means of runs and halves of runs, added up in the pairwise [`order`], and divided, each step rounded (docs/float-sums.md) | the elements, their order |
/// | [`Mean`], [`SumOfSquares`], [`Norm`], [`Variance`], [`Dot`] | `f32`, `f16`, `bf16` | `Exact` | `Exact` | the true result, rounded once | the elements |
/// | [`Sum`], [`Mean`], [`SumOfSquares`], [`Norm`], [`Variance`], [`Dot`] | `f64` | `Exact` | `Exact` | the true result, rounded once | the elements |
/// | [`Mean`], [`SumOfSquares`], [`Norm`], [`Variance`], [`Dot`] | `i8`, `u8`, `i16`, `u16`, `i32`, `u32`, `i64`, `u64`, `bool`, `bits` | any | error | [`PrepareError::Unsupported`] | |
/// | [`Min`], [`Max`] | `f32`, `f64`, `f16`, `bf16` | any | `Exact` | an element, where −0 < +0; one NaN makes it NaN | the elements |
/// | [`MinMax`] | `f32`, `f64`, `f16`, `bf16` | any | `Exact` | two elements, where −0 < +0; one NaN makes both NaN | the elements |
/// | [`MinMax`] | `i8`, `u8`, `i16`, `u16`, `i32`, `u32`, `i64`, `u64`, `bool` | any | `Exact` | two elements | the elements |
/// | [`ArgMin`], [`ArgMax`], [`ArgMinMax`] | `f32`, `f64`, `f16`, `bf16` | any | `Exact` | elements, where −0 < +0, and their numbers in the sequence, of several the first or the last; NaNs, if there are some | the elements, their order |
/// | [`ArgMin`], [`ArgMax`], [`ArgMinMax`] | `i8`, `u8`, `i16`, `u16`, `i32`, `u32`, `i64`, `u64`, `bool` | any | `Exact` | elements, and their numbers in the sequence, of several the first or the last | the elements, their order |
/// | `Min.nan(Nan::Ignore)`, `Max.nan(Nan::Ignore)`, `MinMax.nan(Nan::Ignore)` | `f32`, `f64`, `f16`, `bf16` | any | `Exact` | elements that are not NaN, where −0 < +0; NaN, if there are no others | the elements |
/// | `Min.nan(Nan::Total)`, `Max.nan(Nan::Total)`, `MinMax.nan(Nan::Total)` | `f32`, `f64`, `f16`, `bf16` | any | `Exact` | elements, in IEEE-754's total order | the elements |
/// | `ArgMin.nan(Nan::Ignore)`, `ArgMax.nan(Nan::Ignore)`, `ArgMinMax.nan(Nan::Ignore)` | `f32`, `f64`, `f16`, `bf16` | any | `Exact` | the same, and their numbers in the sequence, of several the first or the last | the elements, their order |
/// | `ArgMin.nan(Nan::Total)`, `ArgMax.nan(Nan::Total)`, `ArgMinMax.nan(Nan::Total)` | `f32`, `f64`, `f16`, `bf16` | any | `Exact` | the same in IEEE-754's total order | the elements, their order |
/// | `Sum.nan(Nan::Ignore)` | `f32`, `f64`, `f16`, `bf16` | `Unordered`, `Reproducible` | `Reproducible` | the `Reproducible` [`Sum`] with 0 in the place of each NaN | the elements, their order |
/// | `Mean.nan(Nan::Ignore)` | `f32`, `f64`, `f16`, `bf16` | `Unordered`, `Reproducible` | `Reproducible` | the `Reproducible` `Sum.nan(Nan::Ignore)`, divided by the number of elements that are not NaN, and rounded | the elements, their order |
/// | [`Moments`] | `f32`, `f64`, `f16`, `bf16` | `Unordered`, `Reproducible` | `Reproducible` | the `Reproducible` [`Mean`], both [`Variance`]s; skewness and kurtosis of third and fourth powers of distances between the means of runs and halves of runs, each step rounded (docs/float-sums.md); [`ArgMin`], [`ArgMax`] and [`CountNan`] | the elements, their order |
/// | `Variance.nan(Nan::Ignore)` | `f32`, `f64`, `f16`, `bf16` | any | `Exact` | the true variance of the elements that are not NaN, rounded once | the elements |
/// | [`BriefMoments`] | `f32`, `f64`, `f16`, `bf16` | `Unordered`, `Reproducible` | `Reproducible` | the `Reproducible` [`Mean`], both [`Variance`]s; [`ArgMin`], [`ArgMax`] and [`CountNan`] | the elements, their order |
/// | `Sum.nan(Nan::Ignore)`, `Mean.nan(Nan::Ignore)`, [`Moments`], [`BriefMoments`] | `f32`, `f64`, `f16`, `bf16` | `Exact` | error | [`PrepareError::Imprecise`] | |
/// | [`Moments`], [`BriefMoments`] | `i8`, `u8`, `i16`, `u16`, `i32`, `u32`, `i64`, `u64`, `bool`, `bits` | any | error | [`PrepareError::Unsupported`] | |
/// | [`MaxAbs`] | `f32`, `f64`, `f16`, `bf16` | any | `Exact` | an element without its sign; one NaN makes it NaN | the elements |
/// | [`MaxAbs`] | `i8`, `u8`, `i16`, `u16`, `i32`, `u32`, `i64`, `u64` | any | `Exact` | an element's magnitude, as an unsigned integer of its size | the elements |
/// | [`CountNan`] | `f32`, `f64`, `f16`, `bf16` | any | `Exact` | the number of elements that are NaN, as a `u64` | the elements |
/// | [`Any`], [`All`] | `f32`, `f64`, `f16`, `bf16`, `i8`, `u8`, `i16`, `u16`, `i32`, `u32`, `i64`, `u64`, `bool` | any | `Exact` | whether some element is not 0, or none is | the elements |
/// | [`L1Norm`] | `f32`, `f64`, `f16`, `bf16` | `Unordered`, `Reproducible` | `Reproducible` | the magnitudes, added up in the pairwise [`order`], rounded at each addition | the elements, their order |
/// | [`L1Norm`] | `f32`, `f64`, `f16`, `bf16` | `Exact` | error | [`PrepareError::Imprecise`] | |
/// | [`L1Norm`], [`CountNan`] | `i8`, `u8`, `i16`, `u16`, `i32`, `u32`, `i64`, `u64`, `bool`, `bits` | any | error | [`PrepareError::Unsupported`] | |
/// | [`Count`] | `f32`, `f64`, `f16`, `bf16`, `i8`, `u8`, `i16`, `u16`, `i32`, `u32`, `i64`, `u64`, `bool`, `bits` | any | `Exact` | the number of elements that are not 0, as a `u64` | the elements |
/// | [`Sum`], [`Product`] | `i8`, `u8`, `i16`, `u16`, `i32`, `u32` | any | `Exact` | the true result modulo 2^32, as an `i32` or a `u32` | the elements |
/// | [`Sum`], [`Product`] | `i64`, `u64` | any | `Exact` | the true result modulo 2^64 | the elements |
/// | [`SumWide`], [`ProductWide`] | `i8`, `u8`, `i16`, `u16`, `i32`, `u32`, `i64`, `u64` | any | `Exact` | the true result modulo 2^64, as an `i64` or a `u64` | the elements |
/// | [`Min`], [`Max`] | `i8`, `u8`, `i16`, `u16`, `i32`, `u32`, `i64`, `u64`, `bool`, `bits` | any | `Exact` | an element | the elements |
/// | [`BitAnd`], [`BitOr`], [`BitXor`] | `i8`, `u8`, `i16`, `u16`, `i32`, `u32`, `i64`, `u64` | any | `Exact` | the bits of every element, of some, of an odd number | the elements |
/// | [`Sum`] | `f32x2`, `f32x3`, `f32x4` | `Unordered`, `Reproducible` | `Reproducible` | of each component what its `Reproducible` sum alone is | the elements, their order |
/// | [`Mean`] | `f32x2`, `f32x3`, `f32x4` | `Unordered`, `Reproducible` | `Reproducible` | of each component what its `Reproducible` mean alone is | the elements, their order |
/// | [`Product`] | `f32x2`, `f32x3`, `f32x4` | `Unordered`, `Reproducible` | `Reproducible` | of each component what its `Reproducible` product alone is | the elements, their order |
/// | [`Bounds`] | `f32x2`, `f32x3`, `f32x4` | `Unordered`, `Reproducible` | `Reproducible` | of each component its extrema, and what its `Reproducible` mean alone is | the elements, their order |
/// | [`Sum`], [`Mean`], [`Product`], [`Bounds`] | `f32x2`, `f32x3`, `f32x4` | `Exact` | error | [`PrepareError::Imprecise`] | |
/// | [`Bounds`] | `f32`, `f64`, `f16`, `bf16`, `i8`, `u8`, `i16`, `u16`, `i32`, `u32`, `i64`, `u64`, `bool`, `bits` | any | error | [`PrepareError::Unsupported`] | |
/// | [`Sum`], [`Product`], [`SumWide`], [`BitAnd`], [`BitOr`], [`BitXor`] | `i32x2`, `i32x3`, `i32x4`, `u32x2`, `u32x3`, `u32x4` | any | `Exact` | of each component what its result alone is | the elements |
/// | [`MaxAbs`], [`Count`] | `f32x2`, `f32x3`, `f32x4`, `i32x2`, `i32x3`, `i32x4`, `u32x2`, `u32x3`, `u32x4` | any | `Exact` | of each component what its result alone is | the elements |
/// | [`Min`], [`Max`] | `f32x2`, `f32x3`, `f32x4`, `i32x2`, `i32x3`, `i32x4`, `u32x2`, `u32x3`, `u32x4` | any | `Exact` | of each component what its extremum alone is | the elements |
/// | [`Mean`], [`Bounds`] | `i32x2`, `i32x3`, `i32x4`, `u32x2`, `u32x3`, `u32x4` | any | error | [`PrepareError::Unsupported`] | |
/// | [`SumWide`], [`BitAnd`], [`BitOr`], [`BitXor`] | `f32x2`, `f32x3`, `f32x4` | any | error | [`PrepareError::Unsupported`] | |
/// | [`ProductWide`], [`SumOfSquares`], [`Norm`], [`Variance`], [`Dot`] | `f32x2`, `f32x3`, `f32x4`, `i32x2`, `i32x3`, `i32x4`, `u32x2`, `u32x3`, `u32x4` | any | error | [`PrepareError::Unsupported`] | |
/// | [`MinMax`], [`ArgMin`], [`ArgMax`], [`ArgMinMax`], [`Any`], [`All`] | `bits` | any | error | [`PrepareError::Unsupported`] | |
/// | [`MinMax`], [`ArgMin`], [`ArgMax`], [`ArgMinMax`], [`CountNan`], [`Any`], [`All`], [`L1Norm`], [`Moments`], [`BriefMoments`] | `f32x2`, `f32x3`, `f32x4`, `i32x2`, `i32x3`, `i32x4`, `u32x2`, `u32x3`, `u32x4` | any | error | [`PrepareError::Unsupported`] | |
/// | `Sum.nan(Nan::Ignore)`, `Mean.nan(Nan::Ignore)`, `Variance.nan(Nan::Ignore)`, `Min.nan(Nan::Ignore)`, `Max.nan(Nan::Ignore)`, `MinMax.nan(Nan::Ignore)`, `ArgMin.nan(Nan::Ignore)`, `ArgMax.nan(Nan::Ignore)`, `ArgMinMax.nan(Nan::Ignore)` | `f32x2`, `f32x3`, `f32x4` | any | error | [`PrepareError::Unsupported`] | |
/// | `Min.nan(Nan::Total)`, `Max.nan(Nan::Total)`, `MinMax.nan(Nan::Total)`, `ArgMin.nan(Nan::Total)`, `ArgMax.nan(Nan::Total)`, `ArgMinMax.nan(Nan::Total)` | `f32x2`, `f32x3`, `f32x4` | any | error | [`PrepareError::Unsupported`] | |
/// | [`BitAnd`], [`BitOr`], [`BitXor`], [`SumWide`], [`ProductWide`] | `f32`, `f64`, `f16`, `bf16` | any | error | [`PrepareError::Unsupported`] | |
/// | [`Sum`], [`Product`], [`SumWide`], [`ProductWide`], [`MaxAbs`], [`BitAnd`], [`BitOr`], [`BitXor`] | `bool`, `bits` | any | error | [`PrepareError::Unsupported`] | |
///
/// [`ArgMin::last`](struct@crate::ArgMin) and [`Variance::sample`](struct@crate::Variance) change nothing in this table. Where elements are
/// integers, a rule for NaNs does not either.
///
/// `f32x3` is `[f32; 3]`, and so on: elements of several components, each of which is reduced alone.
///
/// `f16` and `bf16` are computed as the `f32`s of the same values, and results are `f32`, but for those that are elements.
///
/// *The device* is its hardware, its driver and the [`Variant`]; *the run* is which workgroup comes first. From
/// `Reproducible` on a GPU's result is the CPU's, to the bit. *Their order* is their order in the whole sequence:
/// neither how the elements are spread over slices, buffers and bindings, nor where in a buffer they begin, nor the
/// number of threads or workgroups, nor the [`Policy`].
///
/// What is *`Unsupported`* does not compile either: there are no such `Operator`s. Rules for NaNs of elements of several components do compile: calls
/// return the error.
///
/// On the CPU `Unordered` results are `Reproducible`, too. `Exact` sums of products of `f64`s, which are those of squares, norms,
/// variances and dot products, come from the CPU alone. Executors reduce slices of host memory there, whatever their device. What is
/// on a device is [`PrepareError::NoExactKernel`].
///
/// **Zeros, NaNs, infinities.** From `Reproducible` on every NaN is 0x7fc00000, of `f64` 0x7ff8000000000000, and no sum is −0. What
/// overflows or underflows depends on the level:
///
/// * `Reproducible` sums decide about infinities addition by addition. So a partial sum may overflow, and so may a square or a product.
/// * A `Reproducible` norm is ∞ from |x| ≥ 2^64 on, and takes |x| ≤ 2^-75 for 0 (of `f64` 2^512 and 2^-538).
/// * A `Reproducible` variance is ∞ or NaN where sums or squared distances overflow, and takes distances ≤ 2^-75 (2^-538) for 0.
/// * `Exact` results, and [`Product`]s, overflow only at the end.
/// * In `Unordered` sums WGSL lets a device flush subnormal numbers to 0, and take it that there are no infinities and NaNs.
///
/// **Strategies.** [`Strategy::Auto`] keeps every level. What is kept `Reproducible` comes in two passes or a single one, what is
/// true and rounded once by workgroups' atomics: other strategies are [`PrepareError::StrategyUnfit`]. `Unordered` sums come by any. So do
/// sums, [`Min`], [`Max`], [`MaxAbs`] and bit operators where these are exact and their elements have 32 bits or less, without options: devices
/// have atomics for them. No other result comes by atomics.
///
/// [`Sum`]: struct@crate::Sum
/// [`Product`]: crate::Product
/// [`SumWide`]: crate::SumWide
/// [`ProductWide`]: crate::ProductWide
/// [`Mean`]: struct@crate::Mean
/// [`SumOfSquares`]: crate::SumOfSquares
/// [`Norm`]: crate::Norm
/// [`Variance`]: struct@crate::Variance
/// [`Min`]: struct@crate::Min
/// [`Max`]: struct@crate::Max
/// [`MinMax`]: struct@crate::MinMax
/// [`ArgMin`]: struct@crate::ArgMin
/// [`ArgMax`]: struct@crate::ArgMax
/// [`ArgMinMax`]: struct@crate::ArgMinMax
/// [`Any`]: crate::Any
/// [`All`]: crate::All
/// [`CountNan`]: crate::CountNan
/// [`L1Norm`]: crate::L1Norm
/// [`Moments`]: crate::Moments
/// [`BriefMoments`]: crate::BriefMoments
/// [`Bounds`]: crate::Bounds
/// [`MaxAbs`]: crate::MaxAbs
/// [`Count`]: crate::Count
/// [`BitAnd`]: crate::BitAnd
/// [`BitOr`]: crate::BitOr
/// [`BitXor`]: crate::BitXor
/// [`Dot`]: crate::Dot
/// [`order`]: crate::order
/// [`Policy`]: crate::Policy
/// [`Variant`]: crate::Variant
/// [`Strategy::Auto`]: crate::Strategy::Auto
/// [`PrepareError::Imprecise`]: crate::PrepareError::Imprecise
/// [`PrepareError::NoExactKernel`]: crate::PrepareError::NoExactKernel
/// [`PrepareError::StrategyUnfit`]: crate::PrepareError::StrategyUnfit
/// [`PrepareError::Unsupported`]: crate::PrepareError::Unsupported
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Precision {
    /// Any order of rounding operations, by the device's own arithmetic. Bits may differ between devices
    /// and from run to run; subnormal numbers, infinities and NaNs are as the device takes them.
    Unordered,
    /// One result, a function of the elements and of [`crate::order`], the same on every device and the CPU.
    #[default]
    #[doc(alias("gpu_to_gpu", "run_to_run", "deterministic"))]
    Reproducible,
    /// The true result, rounded once, to nearest even: it does not depend on the elements' order either, unless it says where they are.
    #[doc(alias("fsum"))]
    Exact,
}

impl Precision {
    /// All of them, the weakest first.
    pub const ALL: [Self; 3] = [Self::Unordered, Self::Reproducible, Self::Exact];

    /// The level's name, as the program's `--precision` takes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unordered => "unordered",
            Self::Reproducible => "reproducible",
            Self::Exact => "exact",
        }
    }

    /// The strongest level that the operator's results keep if this one is asked for, or `None` if the operator
    /// has no such results.
    #[inline]
    pub fn kept_by(self, operator: OperatorType, element: ElementType) -> Option<Self> {
        self.kept_of(operator.spec(element)?)
    }

    /// The same of an operator as it is.
    #[inline]
    pub(crate) fn kept_of(self, spec: &OperatorSpec) -> Option<Self> {
        // Nobody knows what a user's own operator rounds.
        if spec.operator == OperatorType::Custom {
            return (self != Self::Exact).then_some(Self::Reproducible);
        }
        // Integers are exact modulo 2^32 or 2^64, an extremum is an element.
        if spec.order_free || spec.is_exact_alone() {
            return Some(Self::Exact);
        }
        match self {
            Self::Exact => spec.exact.map(|_| Self::Exact),
            Self::Unordered if !spec.has_unordered() => Some(Self::Reproducible),
            level => Some(level),
        }
    }

    /// Whether the CPU alone has such results of an operator.
    #[inline]
    pub(crate) fn is_on_cpu_alone(self, spec: &OperatorSpec) -> bool {
        (self == Self::Exact || spec.is_exact_alone())
            && spec.exact.is_some_and(|exact| exact.kernels.is_none())
    }
}

impl fmt::Display for Precision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// The cells of each row of the table in the documentation of [`Precision`], without marks.
    fn rows() -> Vec<Vec<String>> {
        let table = include_str!("precision.rs").lines().filter_map(|line| {
            let row = line.strip_prefix("/// |")?.strip_suffix('|')?;
            let cell = |cell: &str| cell.replace(['`', '[', ']'], "").trim().to_owned();
            Some(row.split('|').map(cell).collect())
        });
        // The head, and the line below it.
        table.skip(2).collect()
    }

    /// Those of `all` that a cell names.
    fn named<T: Copy>(all: &[T], name: impl Fn(T) -> String, cell: &str) -> Vec<T> {
        let find = |word: &str| all.iter().copied().find(|&item| name(item) == word);
        cell.split(", ").map(|word| find(word).unwrap_or_else(|| panic!("{word}?"))).collect()
    }

    #[test]
    fn the_table_says_what_the_code_does() {
        let levels = |cell: &str| named(&Precision::ALL, |level| format!("{level:?}"), cell);
        let mut documented = HashMap::new();
        for row in rows() {
            let [operators, elements, asked, kept, result, dependence] = &row[..] else {
                panic!("{} cells: {row:?}", row.len())
            };
            let asked_for = if asked == "any" { Precision::ALL.to_vec() } else { levels(asked) };
            let kept = (kept != "error").then(|| levels(kept)[0]);
            let with_options = |word: &str| {
                let without_two = |known: &OperatorType| {
                    let nan = known.nan_rule();
                    format!("{:?}", known.without_options().nan(nan))
                };
                let own: Vec<_> = OperatorType::ALL
                    .iter()
                    .copied()
                    .filter(|known| without_two(known) == word)
                    .collect();
                assert!(!own.is_empty(), "{word}?");
                own
            };
            let operators: Vec<_> = operators.split(", ").flat_map(with_options).collect();
            let tells_places = operators.iter().all(|operator| operator.tells_places());
            let expected_dependence = match kept {
                None => "",
                Some(Precision::Unordered) => {
                    "the elements, their order, the device, the strategy, the run"
                }
                Some(Precision::Reproducible) => "the elements, their order",
                Some(Precision::Exact) if tells_places => "the elements, their order",
                Some(Precision::Exact) => "the elements",
            };
            assert_eq!(dependence, expected_dependence, "{row:?}");
            assert!(!result.is_empty(), "{row:?}");
            for operator in operators {
                let elements = named(&ElementType::ALL, |known| known.to_string(), elements);
                for element in elements.into_iter().filter(|&it| operator.on(it) == operator) {
                    for &asked in &asked_for {
                        let before = documented.insert((operator, element, asked), kept);
                        assert_eq!(before, None, "twice: {operator} {element} {asked}");
                    }
                }
            }
        }
        for &operator in OperatorType::ALL {
            for element in ElementType::ALL {
                if operator.on(element) != operator {
                    continue;
                }
                for asked in Precision::ALL {
                    assert_eq!(
                        documented.get(&(operator, element, asked)),
                        Some(&asked.kept_by(operator, element)),
                        "{operator} {element} {asked}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_result_keeps_what_was_asked_for() {
        for &operator in OperatorType::ALL {
            for element in ElementType::ALL {
                for asked in Precision::ALL {
                    let kept = asked.kept_by(operator, element);
                    assert!(kept.is_none_or(|kept| kept >= asked), "{operator} {element} {asked}");
                }
            }
        }
    }
}
