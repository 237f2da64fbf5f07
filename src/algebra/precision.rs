//! What a result promises: [`Precision`].

use crate::algebra::{element::ElementType, operator_type::OperatorType};
use std::fmt;

/// What the bits of a result may depend on. Each level promises what the ones before it do.
///
/// What a result is, by operator, element type and level, and what its bits depend on, is this and nothing else:
///
/// | operator | elements | asked for | kept | the result | its bits depend on |
/// |---|---|---|---|---|---|
/// | [`Sum`] | `f32` | `Unordered` | `Unordered` | the sum, rounded at each addition, as the device adds | the elements, their order, the device, the strategy, the run |
/// | [`Sum`] | `f32` | `Reproducible` | `Reproducible` | the sum in the pairwise [`order`], rounded at each addition, as IEEE-754 says | the elements, their order |
/// | [`Sum`] | `f32` | `Exact` | `Exact` | the true sum, rounded once | the elements |
/// | [`Product`] | `f32` | `Unordered` | `Unordered` | the product, rounded at each multiplication, as the device multiplies | the elements, their order, the device, the strategy, the run |
/// | [`Product`] | `f32` | `Reproducible` | `Reproducible` | the product in the pairwise [`order`], its significand rounded at each multiplication | the elements, their order |
/// | [`Product`] | `f32` | `Exact` | error | [`PrepareError::Imprecise`] | |
/// | [`Mean`] | `f32` | `Unordered`, `Reproducible` | `Reproducible` | the `Reproducible` sum, divided by the number of elements, and rounded | the elements, their order |
/// | [`SumOfSquares`], [`Dot`] | `f32` | `Unordered`, `Reproducible` | `Reproducible` | the products, each rounded, added up in the pairwise [`order`], rounded at each addition | the elements, their order |
/// | [`Norm`] | `f32` | `Unordered`, `Reproducible` | `Reproducible` | the square root of the `Reproducible` sum of squares, rounded: ∞ where that overflows, 0 where all squares underflow | the elements, their order |
/// | [`Mean`], [`SumOfSquares`], [`Norm`], [`Dot`] | `f32` | `Exact` | `Exact` | the true result, rounded once | the elements |
/// | [`Variance`], [`SampleVariance`] | `f32` | any | `Exact` | the true result, rounded once | the elements |
/// | [`Mean`], [`SumOfSquares`], [`Norm`], [`Variance`], [`SampleVariance`], [`Dot`] | `i32`, `u32`, `i64`, `u64` | any | error | [`PrepareError::Unsupported`] | |
/// | [`Min`], [`Max`] | `f32` | any | `Exact` | an element, where −0 < +0; one NaN makes it NaN | the elements |
/// | [`MaxAbs`] | `f32` | any | `Exact` | an element without its sign; one NaN makes it NaN | the elements |
/// | [`MaxAbs`] | `i32`, `u32` | any | `Exact` | an element's magnitude, as a `u32` | the elements |
/// | [`MaxAbs`] | `i64`, `u64` | any | `Exact` | an element's magnitude, as a `u64` | the elements |
/// | [`Count`] | `f32`, `i32`, `u32`, `i64`, `u64` | any | `Exact` | the number of elements that are not 0, as a `u64` | the elements |
/// | [`Sum`], [`Product`] | `i32`, `u32` | any | `Exact` | the true result modulo 2^32 | the elements |
/// | [`Sum`], [`Product`] | `i64`, `u64` | any | `Exact` | the true result modulo 2^64 | the elements |
/// | [`Min`], [`Max`] | `i32`, `u32`, `i64`, `u64` | any | `Exact` | an element | the elements |
/// | [`BitAnd`], [`BitOr`], [`BitXor`] | `i32`, `u32`, `i64`, `u64` | any | `Exact` | the bits of every element, of some, of an odd number | the elements |
/// | [`BitAnd`], [`BitOr`], [`BitXor`] | `f32` | any | error | [`PrepareError::Unsupported`] | |
///
/// *The device* is its hardware, its driver and the [`Variant`]; *the run* is which workgroup comes first. From
/// `Reproducible` on a GPU's result is the CPU's, to the bit. *Their order* is who follows whom in the whole sequence:
/// neither how the elements are spread over slices, buffers and bindings, nor where in a buffer they begin, nor the
/// number of threads or workgroups, nor the [`Policy`].
///
/// What is *`Unsupported`* does not compile either: there are no such `Operator`s.
///
/// On the CPU `Unordered` results are `Reproducible`, too.
///
/// **Zeros, NaNs, infinities.** From `Reproducible` on every NaN is 0x7fc00000, and no f32 sum is −0. `Reproducible`
/// sums decide about infinities addition by addition, so a partial sum may overflow, and so may a square or a product: a norm is ∞ from
/// |x| ≥ 2^64 on, and takes |x| ≤ 2^-75 for 0. `Exact` ones, and [`Product`]s, overflow only at the end. In `Unordered` sums, subnormal numbers, infinities and NaNs are what the device takes
/// them for: WGSL lets it flush the first to 0, and go without the others.
///
/// **Strategies.** [`Strategy::Auto`] keeps every level. What is kept `Reproducible` comes in two passes or a single one, what is
/// true and rounded once by workgroups' atomics: other strategies are [`PrepareError::StrategyUnfit`]. All else comes by any, but for
/// products and extrema of 64-bit integers, which no atomics combine.
///
/// [`Sum`]: crate::Sum
/// [`Product`]: crate::Product
/// [`Mean`]: crate::Mean
/// [`SumOfSquares`]: crate::SumOfSquares
/// [`Norm`]: crate::Norm
/// [`Variance`]: crate::Variance
/// [`SampleVariance`]: crate::SampleVariance
/// [`Min`]: crate::Min
/// [`Max`]: crate::Max
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
    Reproducible,
    /// The true result, rounded once, to nearest even: it does not depend on the elements' order either.
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
        let spec = operator.spec(element)?;
        // Integers are exact modulo 2^32 or 2^64, an extremum is an element.
        if spec.order_free {
            return Some(Self::Exact);
        }
        match self {
            Self::Exact => spec.exact.map(|_| Self::Exact),
            Self::Unordered if !spec.has_unordered() => Some(Self::Reproducible),
            level => Some(level),
        }
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
            let expected_dependence = match kept {
                None => "",
                Some(Precision::Unordered) => {
                    "the elements, their order, the device, the strategy, the run"
                }
                Some(Precision::Reproducible) => "the elements, their order",
                Some(Precision::Exact) => "the elements",
            };
            assert_eq!(dependence, expected_dependence, "{row:?}");
            assert!(!result.is_empty(), "{row:?}");
            for operator in named(OperatorType::ALL, |known| format!("{known:?}"), operators) {
                for element in named(&ElementType::ALL, |known| known.to_string(), elements) {
                    for &asked in &asked_for {
                        let before = documented.insert((operator, element, asked), kept);
                        assert_eq!(before, None, "twice: {operator} {element} {asked}");
                    }
                }
            }
        }
        for &operator in OperatorType::ALL {
            for element in ElementType::ALL {
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
