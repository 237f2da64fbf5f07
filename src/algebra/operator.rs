//! Operators: the algebra of a reduction, its CPU side and the name of its shader files.
//!
//! An operator over `T` is a commutative monoid on its accumulators, with a way in and a way out:
//!
//! * `combine(a, identity()) == a` for every accumulator that can arise,
//! * `combine(a, b) == combine(b, a)`, to the bit,
//! * `combine_in_integers(a, b) == combine(a, b)`, to the bit,
//! * where [`OperatorType::is_order_free`] says so, `combine` is associative, to the bit. Elsewhere
//!   (f32 sums and products) the result is defined by one fixed order, [`crate::algebra::order`].
//!
//! The property tests hold every operator to these laws, on the CPU and on the GPU.

use crate::{
    algebra::{
        element::{Element, ElementType},
        float_environment, fold,
    },
    exact::{self, ExactSum},
};
use std::fmt;

/// How the elements of type `T` are reduced. Sealed: an operator is implemented twice, here and in
/// WGSL, and both must agree to the bit.
pub trait Operator<T: Element>: sealed::Sealed + Copy + fmt::Debug + Send + Sync + 'static {
    /// The operator as a value.
    const TYPE: OperatorType;
    /// What is known of the elements folded so far.
    type Acc: Copy + Send + Sync + fmt::Debug + PartialEq;
    /// What calls that return a value return: `T`, or `Option<T>` where nothing can be said of an
    /// empty input.
    type Value: Copy + Send + Sync + fmt::Debug + PartialEq + 'static;

    /// The accumulator of no elements.
    fn identity() -> Self::Acc;
    /// The accumulator of one element.
    fn lift(element: T) -> Self::Acc;
    /// The accumulator of both operands' elements.
    fn combine(a: Self::Acc, b: Self::Acc) -> Self::Acc;
    /// The same bits as [`Operator::combine`]'s, without rounding float operations: for threads that flush
    /// subnormals or round in another way.
    #[inline]
    fn combine_in_integers(a: Self::Acc, b: Self::Acc) -> Self::Acc {
        Self::combine(a, b)
    }
    /// The accumulator of `elements`, by vector instructions: of order-free operators those of any number, of others at most
    /// 4096, in the order of [`crate::algebra::order`], in threads whose float environment is the default. `None` where they
    /// have to be lifted and combined one by one.
    /// Of nothing: any accumulator that has [`Operator::identity`]'s result.
    #[doc(hidden)]
    #[inline]
    fn fold(_elements: &[T]) -> Option<Self::Acc> {
        None
    }
    /// The result, as the GPU writes it to an output buffer. For no elements that is a neutral
    /// element of `T`: 0, 1, all bits, or the type's largest or smallest value (the infinities).
    fn finish(total: Self::Acc) -> T;
    /// The result of reducing `len` elements, as calls that return a value report it.
    fn value(result: T, len: u64) -> Self::Value;
    /// The inverse of [`Operator::value`]: `None` for the empty minimum or maximum.
    fn element(value: Self::Value) -> Option<T>;
    /// The true result of the slices' elements, rounded once: [`crate::Precision::Exact`]. `None` where the
    /// operator has no accumulator that does not round. Those that are order-free need none.
    fn exact_result(_slices: &[&[T]]) -> Option<T> {
        None
    }
}

/// Any operator: of one input ([`Operator`]), or of two ([`crate::Dot`]). Sealed.
pub trait AnyOperator<T: Element>:
    sealed::Sealed + Copy + fmt::Debug + Send + Sync + 'static
{
    /// The operator as a value.
    const TYPE: OperatorType;
    /// What calls that return a value return.
    type Value: Copy + Send + Sync + fmt::Debug + PartialEq + 'static;

    /// The result of reducing `len` elements, or pairs of them, as calls that return a value report it.
    fn value(result: T, len: u64) -> Self::Value;
}

impl<T: Element, Op: Operator<T>> AnyOperator<T> for Op {
    const TYPE: OperatorType = <Op as Operator<T>>::TYPE;
    type Value = <Op as Operator<T>>::Value;
    fn value(result: T, len: u64) -> Self::Value {
        <Op as Operator<T>>::value(result, len)
    }
}

pub(crate) mod sealed {
    pub trait Sealed {}
}

/// Who adds and multiplies floats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Arithmetic {
    /// The device, whatever it makes of it.
    Unchecked,
    /// The device, where the result is sure to be IEEE-754's; integers elsewhere.
    #[default]
    Hardware,
    /// Integers throughout, on a device that failed the start-up probe.
    Software,
}

/// What an exact result adds up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExactTerms {
    /// The elements.
    Elements,
    /// Their squares.
    Squares,
    /// Both.
    Moments,
    /// The products of pairs.
    Products,
}

/// The shader's `COPIES`.
pub(crate) const ACCUMULATOR_COPIES: usize = 16;

impl ExactTerms {
    /// Digits of 16 bits in the accumulator: the shader's `DIGITS`.
    pub(crate) fn digits(self) -> usize {
        match self {
            Self::Elements => 20,
            Self::Squares | Self::Products => 40,
            Self::Moments => 60,
        }
    }

    /// Words of one of the accumulator's copies in memory: the shader's `COPY_WORDS`.
    pub(crate) fn copy_words(self) -> usize {
        /// Of a line of memory.
        const LINE_WORDS: usize = 32;
        (self.digits() + 1).next_multiple_of(LINE_WORDS)
    }

    /// Words of the accumulator in memory.
    pub(crate) fn accumulator_words(self) -> usize {
        ACCUMULATOR_COPIES * self.copy_words()
    }

    /// The shader files of the units, and of how a term is added.
    pub(crate) fn shader_files(self) -> (&'static str, &'static [&'static str]) {
        match self {
            Self::Elements => ("exact/units_sum.wgsl", &["exact/deposit_element.wgsl"]),
            Self::Squares => (
                "exact/units_squares.wgsl",
                &[
                    "exact/deposit_squares.wgsl",
                    "exact/deposit_square.wgsl",
                    "exact/element_parts.wgsl",
                ],
            ),
            Self::Moments => (
                "exact/units_moments.wgsl",
                &[
                    "exact/deposit_moments.wgsl",
                    "exact/deposit_square.wgsl",
                    "exact/element_parts.wgsl",
                ],
            ),
            Self::Products => (
                "exact/units_products.wgsl",
                &["exact/deposit_product.wgsl", "exact/element_parts.wgsl"],
            ),
        }
    }

    /// An operator with such an accumulator, for modules that depend on nothing else of the operator.
    pub(crate) fn operator(self) -> OperatorType {
        match self {
            Self::Elements => OperatorType::Sum,
            Self::Squares | Self::Products => OperatorType::SumOfSquares,
            Self::Moments => OperatorType::Variance,
        }
    }

    /// The shader file that writes the accumulator itself.
    pub(crate) fn store_file(self) -> &'static str {
        match self {
            Self::Elements | Self::Squares | Self::Products => "exact/store_accumulator.wgsl",
            Self::Moments => "exact/store_moments.wgsl",
        }
    }

    /// The shader files of the window, or of its absence. That of elements is of float arithmetic.
    pub(crate) fn window_files(self, arithmetic: Arithmetic) -> &'static [&'static str] {
        match self {
            Self::Elements if arithmetic == Arithmetic::Hardware => {
                &["exact/window.wgsl", "exact/deposit_group.wgsl"]
            }
            Self::Elements | Self::Moments => &["exact/no_window.wgsl"],
            Self::Squares => &["exact/window_squares.wgsl", "exact/product_sums.wgsl"],
            Self::Products => &["exact/window_pairs.wgsl", "exact/product_sums.wgsl"],
        }
    }
}

impl Arithmetic {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Unchecked, Self::Hardware, Self::Software];
}

/// An operator as a value, for plans and shader keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum OperatorType {
    /// [`Sum`]
    Sum,
    /// [`Product`]
    Product,
    /// [`Min`]
    Min,
    /// [`Max`]
    Max,
    /// [`BitAnd`]
    BitAnd,
    /// [`BitOr`]
    BitOr,
    /// [`BitXor`]
    BitXor,
    /// [`crate::Mean`]
    Mean,
    /// [`crate::SumOfSquares`]
    SumOfSquares,
    /// [`crate::Norm`]
    Norm,
    /// [`crate::Variance`]
    Variance,
    /// [`crate::SampleVariance`]
    SampleVariance,
    /// [`crate::Dot`]
    Dot,
}

impl OperatorType {
    /// Every operator.
    pub const ALL: [Self; 13] = [
        Self::Sum,
        Self::Product,
        Self::Min,
        Self::Max,
        Self::BitAnd,
        Self::BitOr,
        Self::BitXor,
        Self::Mean,
        Self::SumOfSquares,
        Self::Norm,
        Self::Variance,
        Self::SampleVariance,
        Self::Dot,
    ];

    /// The operator's name in lower case, words joined by `_`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sum => "sum",
            Self::Product => "product",
            Self::Min => "min",
            Self::Max => "max",
            Self::BitAnd => "bit_and",
            Self::BitOr => "bit_or",
            Self::BitXor => "bit_xor",
            Self::Mean => "mean",
            Self::SumOfSquares => "sum_of_squares",
            Self::Norm => "norm",
            Self::Variance => "variance",
            Self::SampleVariance => "sample_variance",
            Self::Dot => "dot",
        }
    }

    /// Whether the operator is defined for elements of this type. Bit operators are for integers only, those
    /// that are always exact for f32 only.
    #[inline]
    pub fn supports(self, element: ElementType) -> bool {
        match self {
            Self::Sum | Self::Product | Self::Min | Self::Max => true,
            Self::BitAnd | Self::BitOr | Self::BitXor => element != ElementType::F32,
            Self::Mean
            | Self::SumOfSquares
            | Self::Norm
            | Self::Variance
            | Self::SampleVariance
            | Self::Dot => element == ElementType::F32,
        }
    }

    /// Whether the operator has two inputs of the same length, and takes pairs of their elements.
    pub fn takes_pairs(self) -> bool {
        self == Self::Dot
    }

    /// Whether the operator has exact results and no others: whatever is asked for, they keep it.
    #[inline]
    pub(crate) fn is_always_exact(self) -> bool {
        matches!(
            self,
            Self::Mean
                | Self::SumOfSquares
                | Self::Norm
                | Self::Variance
                | Self::SampleVariance
                | Self::Dot
        )
    }

    /// Whether every order of combining gives the same bits. Where it does not, the order is
    /// [`crate::algebra::order`]'s.
    #[inline]
    pub fn is_order_free(self, element: ElementType) -> bool {
        !(element == ElementType::F32 && matches!(self, Self::Sum | Self::Product))
    }

    /// The accumulator of no elements in memory: what the shader's `op_pack` makes of `op_identity()`.
    pub(crate) fn identity_words(self, element: ElementType) -> &'static [u32] {
        match (self, element) {
            (Self::Product, ElementType::F32) => &[0, ProductAcc::ONE_BITS, 0, 0],
            (Self::Product, ElementType::I32 | ElementType::U32) => &[1],
            (Self::Min, ElementType::F32) => &[0xff80_0000],
            (Self::Min, ElementType::I32) => &[0x7fff_ffff],
            (Self::Min, ElementType::U32) | (Self::BitAnd, _) => &[0xffff_ffff],
            (Self::Max, ElementType::F32) => &[0x007f_ffff],
            (Self::Max, ElementType::I32) => &[0x8000_0000],
            (Self::Max, ElementType::U32) | (Self::Sum | Self::BitOr | Self::BitXor, _) => &[0],
            // They have digits: see `ExactTerms::digits`.
            (
                Self::Mean
                | Self::SumOfSquares
                | Self::Norm
                | Self::Variance
                | Self::SampleVariance
                | Self::Dot,
                _,
            ) => &[],
        }
    }

    /// Words of 32 bits that an accumulator takes in memory: the shader's `ACC_WORDS`.
    pub(crate) fn acc_words(self, element: ElementType) -> u32 {
        u32::try_from(self.identity_words(element).len()).expect("a few")
    }

    /// Whether the operator adds or multiplies floats, which not every device does as it should.
    pub(crate) fn computes_floats(self, element: ElementType) -> bool {
        element == ElementType::F32 && matches!(self, Self::Sum | Self::Product | Self::Mean)
    }

    /// The shader files that define the operator for this element type.
    pub(crate) fn shader_files(
        self,
        element: ElementType,
        arithmetic: Arithmetic,
    ) -> Vec<&'static str> {
        let (accumulator, operator): (_, &[&str]) = match (self, element, arithmetic) {
            (Self::Sum, ElementType::F32, Arithmetic::Unchecked) => (
                "operator/acc_f32_bits.wgsl",
                &["operator/sum_f32_bits.wgsl", "operator/sum_f32_unchecked.wgsl"],
            ),
            (Self::Sum, ElementType::F32, Arithmetic::Hardware) => (
                "operator/acc_f32_bits.wgsl",
                &["operator/sum_f32_bits.wgsl", "operator/f32_add.wgsl", "operator/sum_f32.wgsl"],
            ),
            (Self::Sum, ElementType::F32, Arithmetic::Software) => (
                "operator/acc_f32_bits.wgsl",
                &[
                    "operator/sum_f32_bits.wgsl",
                    "operator/f32_add.wgsl",
                    "operator/sum_f32_software.wgsl",
                ],
            ),
            (Self::Product, ElementType::F32, Arithmetic::Unchecked | Arithmetic::Hardware) => {
                ("operator/product_f32.wgsl", &["operator/f32_multiply.wgsl"])
            }
            (Self::Product, ElementType::F32, Arithmetic::Software) => {
                ("operator/product_f32.wgsl", &["operator/f32_multiply_software.wgsl"])
            }
            (Self::Min, ElementType::F32, _) => {
                ("operator/acc_f32_bits.wgsl", &["operator/f32_key.wgsl", "operator/min_f32.wgsl"])
            }
            (Self::Max, ElementType::F32, _) => {
                ("operator/acc_f32_bits.wgsl", &["operator/f32_key.wgsl", "operator/max_f32.wgsl"])
            }
            (Self::Sum, _, _) => ("operator/acc_element.wgsl", &["operator/sum.wgsl"]),
            (Self::Product, _, _) => ("operator/acc_element.wgsl", &["operator/product.wgsl"]),
            (Self::Min, _, _) => ("operator/acc_element.wgsl", &["operator/min.wgsl"]),
            (Self::Max, _, _) => ("operator/acc_element.wgsl", &["operator/max.wgsl"]),
            (Self::BitAnd, _, _) => ("operator/acc_element.wgsl", &["operator/bit_and.wgsl"]),
            (Self::BitOr, _, _) => ("operator/acc_element.wgsl", &["operator/bit_or.wgsl"]),
            (Self::BitXor, _, _) => ("operator/acc_element.wgsl", &["operator/bit_xor.wgsl"]),
            (
                Self::Mean
                | Self::SumOfSquares
                | Self::Norm
                | Self::Variance
                | Self::SampleVariance
                | Self::Dot,
                _,
                _,
            ) => unreachable!("always exact"),
        };
        let mut files = vec![accumulator];
        files.extend(operator);
        if !(self.adds_floats(element) && arithmetic == Arithmetic::Hardware) {
            files.push("operator/any_range.wgsl");
        }
        files
    }

    /// Whether the operator has kernels that give its true result, rounded once.
    #[inline]
    pub(crate) fn has_exact_result(self, element: ElementType) -> bool {
        element == ElementType::F32 && (self == Self::Sum || self.is_always_exact())
    }

    /// What the operator's exact results are made of.
    pub(crate) fn exact_terms(self) -> ExactTerms {
        match self {
            Self::SumOfSquares | Self::Norm => ExactTerms::Squares,
            Self::Variance | Self::SampleVariance => ExactTerms::Moments,
            Self::Dot => ExactTerms::Products,
            _ => ExactTerms::Elements,
        }
    }

    /// The shader files that make an exact result of the sum of its terms.
    pub(crate) fn exact_value_files(self) -> &'static [&'static str] {
        match self {
            Self::Mean => &["exact/value_mean.wgsl", "exact/divide.wgsl"],
            Self::SumOfSquares | Self::Dot => &["exact/value_products.wgsl"],
            Self::Norm => &["exact/value_norm.wgsl"],
            Self::Variance => &[
                "exact/value_variance.wgsl",
                "exact/variance_population.wgsl",
                "exact/divide.wgsl",
            ],
            Self::SampleVariance => {
                &["exact/value_variance.wgsl", "exact/variance_sample.wgsl", "exact/divide.wgsl"]
            }
            _ => &["exact/value_sum.wgsl"],
        }
    }

    /// Whether the operator can use an atomic addition of floats, where the device has one.
    pub(crate) fn adds_floats(self, element: ElementType) -> bool {
        self == Self::Sum && element == ElementType::F32
    }

    /// Whether atomics have to compare and exchange, because there is none for the operator.
    pub(crate) fn exchanges(self, element: ElementType, float_add: bool) -> bool {
        self == Self::Product || (self.adds_floats(element) && !float_add)
    }

    /// The shader file that combines a total into the accumulator in memory, by atomics; `float_add`:
    /// the device has an atomic addition of floats, and the operator uses it.
    pub(crate) fn atomic_shader_file(self, element: ElementType, float_add: bool) -> &'static str {
        match (self, element) {
            (Self::Sum, ElementType::F32) if float_add => "operator/sum_f32_atomic.wgsl",
            (Self::Product, ElementType::F32) => "operator/product_f32_atomic.wgsl",
            (Self::Sum, ElementType::F32) | (Self::Product, _) => "operator/exchange_atomic.wgsl",
            (Self::Sum, _) => "operator/sum_atomic.wgsl",
            (Self::Min, _) => "operator/min_atomic.wgsl",
            (Self::Max, _) => "operator/max_atomic.wgsl",
            (Self::BitAnd, _) => "operator/bit_and_atomic.wgsl",
            (Self::BitOr, _) => "operator/bit_or_atomic.wgsl",
            (Self::BitXor, _) => "operator/bit_xor_atomic.wgsl",
            (
                Self::Mean
                | Self::SumOfSquares
                | Self::Norm
                | Self::Variance
                | Self::SampleVariance
                | Self::Dot,
                _,
            ) => unreachable!("always exact"),
        }
    }

    /// The shader file that combines a whole subgroup with a built-in, for order-free operators.
    pub(crate) fn subgroup_shader_file(self, element: ElementType) -> Option<&'static str> {
        self.is_order_free(element).then_some(match self {
            Self::Sum => "operator/sum_subgroup.wgsl",
            Self::Product => "operator/product_subgroup.wgsl",
            Self::Min => "operator/min_subgroup.wgsl",
            Self::Max => "operator/max_subgroup.wgsl",
            Self::BitAnd => "operator/bit_and_subgroup.wgsl",
            Self::BitOr => "operator/bit_or_subgroup.wgsl",
            Self::BitXor => "operator/bit_xor_subgroup.wgsl",
            Self::Mean
            | Self::SumOfSquares
            | Self::Norm
            | Self::Variance
            | Self::SampleVariance
            | Self::Dot => unreachable!("always exact"),
        })
    }
}

impl fmt::Display for OperatorType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

macro_rules! operators {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $name;
        impl sealed::Sealed for $name {}
    )*};
}

operators! {
    /// The sum. Integers wrap; f32 sums have the fixed order of [`crate::algebra::order`], or are exact, as
    /// [`crate::Precision`] says. Every NaN is 0x7fc00000 and the result is never −0. Of nothing: 0.
    Sum
    /// The product. Integers wrap. f32 products multiply significands in the fixed order of
    /// [`crate::algebra::order`] with exponents apart, so that nothing overflows or underflows midway; they
    /// round once more at the end where the result is subnormal. NaN, or 0 with ∞, gives 0x7fc00000.
    /// Of nothing: 1.
    Product
    /// The smallest element. A NaN anywhere gives 0x7fc00000; −0 < +0. Of nothing: `None`.
    Min
    /// The largest element. A NaN anywhere gives 0x7fc00000; −0 < +0. Of nothing: `None`.
    Max
    /// The bits that every element has. Of nothing: all bits.
    BitAnd
    /// The bits that some element has. Of nothing: 0.
    BitOr
    /// The bits that an odd number of elements have. Of nothing: 0.
    BitXor
}

/// `value` and `element` for operators that have a result for no elements.
macro_rules! total_value {
    ($element:ty) => {
        type Value = $element;
        fn value(result: $element, _len: u64) -> $element {
            result
        }
        fn element(value: $element) -> Option<$element> {
            Some(value)
        }
    };
}

/// `value` and `element` for operators that have none.
macro_rules! optional_value {
    ($element:ty) => {
        type Value = Option<$element>;
        fn value(result: $element, len: u64) -> Option<$element> {
            (len > 0).then_some(result)
        }
        fn element(value: Option<$element>) -> Option<$element> {
            value
        }
    };
}

macro_rules! integer_operator {
    ($operator:ident, $element:ty, $value:ident, $identity:expr, $fold:ident, $combine:expr) => {
        impl Operator<$element> for $operator {
            const TYPE: OperatorType = OperatorType::$operator;
            type Acc = $element;
            $value!($element);
            #[inline]
            fn identity() -> $element {
                $identity
            }
            #[inline]
            fn lift(element: $element) -> $element {
                element
            }
            #[inline]
            fn combine(a: $element, b: $element) -> $element {
                let combine: fn($element, $element) -> $element = $combine;
                combine(a, b)
            }
            #[inline]
            fn fold(elements: &[$element]) -> Option<$element> {
                Some(fold::$fold(elements, $identity, $combine))
            }
            #[inline]
            fn finish(total: $element) -> $element {
                total
            }
        }
    };
}

macro_rules! integer_operators {
    ($element:ty) => {
        integer_operator!(Sum, $element, total_value, 0, in_any_order, |a, b| a.wrapping_add(b));
        integer_operator!(Product, $element, total_value, 1, one_by_one, |a, b| a.wrapping_mul(b));
        integer_operator!(Min, $element, optional_value, <$element>::MAX, in_any_order, |a, b| a
            .min(b));
        integer_operator!(Max, $element, optional_value, <$element>::MIN, in_any_order, |a, b| a
            .max(b));
        integer_operator!(BitAnd, $element, total_value, !0, in_any_order, |a, b| a & b);
        integer_operator!(BitOr, $element, total_value, 0, in_any_order, |a, b| a | b);
        integer_operator!(BitXor, $element, total_value, 0, in_any_order, |a, b| a ^ b);
    };
}

integer_operators!(i32);
integer_operators!(u32);

const CANONICAL_NAN_BITS: u32 = 0x7fc0_0000;
const SIGN_BIT: u32 = 0x8000_0000;

impl Operator<f32> for Sum {
    const TYPE: OperatorType = OperatorType::Sum;
    type Acc = f32;
    total_value!(f32);
    #[inline]
    fn identity() -> f32 {
        0.0
    }
    #[inline]
    fn lift(element: f32) -> f32 {
        element
    }
    #[inline]
    fn combine(a: f32, b: f32) -> f32 {
        a + b
    }
    fn combine_in_integers(a: f32, b: f32) -> f32 {
        float_environment::add(a, b)
    }
    #[inline]
    fn fold(elements: &[f32]) -> Option<f32> {
        Some(fold::sum(elements))
    }
    #[inline]
    fn finish(total: f32) -> f32 {
        if total.is_nan() {
            f32::from_bits(CANONICAL_NAN_BITS)
        } else if total.to_bits() == SIGN_BIT {
            0.0
        } else {
            total
        }
    }
    fn exact_result(slices: &[&[f32]]) -> Option<f32> {
        let mut sum = ExactSum::default();
        for slice in slices {
            sum.merge(&exact::sum(slice));
        }
        Some(sum.to_f32())
    }
}

/// An f32 as an integer in the same order, −0 below +0.
#[inline]
fn f32_to_key(bits: u32) -> u32 {
    let negative = 0u32.wrapping_sub(bits >> 31);
    bits ^ (negative | SIGN_BIT)
}

/// The inverse of [`f32_to_key`]; keys of no number give the canonical NaN.
fn f32_from_key(key: u32) -> f32 {
    let value = f32::from_bits(key ^ if key & SIGN_BIT == 0 { !0 } else { SIGN_BIT });
    if value.is_nan() { f32::from_bits(CANONICAL_NAN_BITS) } else { value }
}

macro_rules! f32_extremum {
    ($operator:ident, $identity:expr, $nan_key:expr, $combine:expr, $is_better:expr, $merge:expr) => {
        impl Operator<f32> for $operator {
            const TYPE: OperatorType = OperatorType::$operator;
            type Acc = u32;
            optional_value!(f32);
            #[inline]
            fn identity() -> u32 {
                f32_to_key($identity.to_bits())
            }
            #[inline]
            fn lift(element: f32) -> u32 {
                if element.is_nan() { $nan_key } else { f32_to_key(element.to_bits()) }
            }
            #[inline]
            fn combine(a: u32, b: u32) -> u32 {
                let combine: fn(u32, u32) -> u32 = $combine;
                combine(a, b)
            }
            #[inline]
            fn fold(elements: &[f32]) -> Option<u32> {
                let combine = <Self as Operator<f32>>::combine;
                fold::extremum(elements, $identity, $is_better, $merge, Self::lift, combine)
            }
            #[inline]
            fn finish(total: u32) -> f32 {
                f32_from_key(total)
            }
        }
    };
}

// A NaN's key lies beyond every number's, so that one NaN makes the result NaN.
f32_extremum!(Min, f32::INFINITY, 0, |a, b| a.min(b), |a, b| a < b, |a, b| a | b);
f32_extremum!(Max, f32::NEG_INFINITY, u32::MAX, |a, b| a.max(b), |a, b| a > b, |a, b| a & b);

/// An f32 product under way: `significand · 2^exponent` with the significand in [1, 2); zeros,
/// infinities, NaNs and the sign are flags. The exponent is 64-bit because 2^40 factors can be
/// 2^−149 each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProductAcc {
    flags: u32,
    significand: f32,
    exponent: i64,
}

impl ProductAcc {
    const NAN: u32 = 1;
    const INFINITE: u32 = 2;
    const ZERO: u32 = 4;
    const SPECIAL: u32 = 7;
    const ONE_BITS: u32 = 0x3f80_0000;
    const FRACTION_MASK: u32 = 0x007f_ffff;
    const HIDDEN_BIT: u32 = 0x0080_0000;

    /// Both, given the product of their significands, in [1, 4).
    #[inline]
    fn combined(a: Self, b: Self, product: f32) -> Self {
        let halved = product >= 2.0;
        Self {
            flags: ((a.flags ^ b.flags) & SIGN_BIT) | ((a.flags | b.flags) & Self::SPECIAL),
            // Halving is exact.
            significand: if halved { product * 0.5 } else { product },
            exponent: a.exponent + b.exponent + i64::from(halved),
        }
    }
}

const PRODUCT_OF_NOTHING: ProductAcc = ProductAcc { flags: 0, significand: 1.0, exponent: 0 };

impl Operator<f32> for Product {
    const TYPE: OperatorType = OperatorType::Product;
    type Acc = ProductAcc;
    total_value!(f32);

    #[inline]
    fn identity() -> ProductAcc {
        PRODUCT_OF_NOTHING
    }

    #[inline]
    fn lift(element: f32) -> ProductAcc {
        let bits = element.to_bits();
        let negative = bits & SIGN_BIT;
        let magnitude = bits & !SIGN_BIT;
        let special = |flag| ProductAcc { flags: negative | flag, ..PRODUCT_OF_NOTHING };
        if magnitude == 0 {
            return special(ProductAcc::ZERO);
        }
        if element.is_nan() {
            return special(ProductAcc::NAN);
        }
        if element.is_infinite() {
            return special(ProductAcc::INFINITE);
        }
        // A subnormal's leading bit is moved to where a normal number hides it.
        let (shift, exponent) = if magnitude < ProductAcc::HIDDEN_BIT {
            let shift = magnitude.leading_zeros() - 8;
            (shift, -126 - i64::from(shift))
        } else {
            (0, i64::from(magnitude >> 23) - 127)
        };
        let fraction = (magnitude << shift) & ProductAcc::FRACTION_MASK;
        ProductAcc {
            flags: negative,
            significand: f32::from_bits(fraction | ProductAcc::ONE_BITS),
            exponent,
        }
    }

    #[inline]
    fn combine(a: ProductAcc, b: ProductAcc) -> ProductAcc {
        ProductAcc::combined(a, b, a.significand * b.significand)
    }

    fn combine_in_integers(a: ProductAcc, b: ProductAcc) -> ProductAcc {
        let product = float_environment::multiply_significands(a.significand, b.significand);
        ProductAcc::combined(a, b, product)
    }

    #[inline]
    fn fold(elements: &[f32]) -> Option<ProductAcc> {
        if let [element] = *elements {
            return Some(Self::lift(element));
        }
        let (flags, significand, exponent) = fold::product(elements, |element| {
            let lifted = Self::lift(element);
            (lifted.flags, lifted.significand, lifted.exponent)
        });
        Some(ProductAcc { flags, significand, exponent })
    }

    fn finish(total: ProductAcc) -> f32 {
        let has = |flag| total.flags & flag != 0;
        let negative = total.flags & SIGN_BIT;
        if has(ProductAcc::NAN) || (has(ProductAcc::ZERO) && has(ProductAcc::INFINITE)) {
            return f32::from_bits(CANONICAL_NAN_BITS);
        }
        if has(ProductAcc::INFINITE) || (total.exponent > 127 && !has(ProductAcc::ZERO)) {
            return f32::from_bits(negative | f32::INFINITY.to_bits());
        }
        if has(ProductAcc::ZERO) {
            return f32::from_bits(negative);
        }
        let fraction = total.significand.to_bits() & ProductAcc::FRACTION_MASK;
        if let Ok(biased @ 1..) = u32::try_from(total.exponent + 127) {
            return f32::from_bits(negative | (biased << 23) | fraction);
        }
        // Subnormal: to the nearest multiple of 2^-149, ties to even. Beyond 24 excess bits less
        // than half of the smallest is left.
        let excess @ ..=24 = u32::try_from(-126 - total.exponent).unwrap_or(u32::MAX) else {
            return f32::from_bits(negative);
        };
        let whole = fraction | ProductAcc::HIDDEN_BIT;
        let kept = whole >> excess;
        let rest = whole & ((1 << excess) - 1);
        let half = 1 << (excess - 1);
        let rounds_up = rest > half || (rest == half && kept & 1 == 1);
        f32::from_bits(negative | (kept + u32::from(rounds_up)))
    }
}
