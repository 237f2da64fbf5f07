//! What an operator is: its algebra on the CPU, and the specification of its kernels.
//!
//! An operator over `T` is a commutative monoid on its accumulators, with a way in and a way out:
//!
//! * `combine(a, identity()) == a` for every accumulator that can arise,
//! * `combine(a, b) == combine(b, a)`, to the bit, unless [`OperatorType::keeps_order`],
//! * `combine_in_integers(a, b) == combine(a, b)`, to the bit,
//! * where [`OperatorSpec::order_free`] says so, `combine` is associative, to the bit. Elsewhere
//!   (f32 sums and products) the result is defined by one fixed order, [`crate::order`].
//!
//! The property tests hold every operator to these laws, on the CPU and on the GPU. The operators themselves are in
//! [`crate::algebra::operators`].

pub(crate) use crate::algebra::exact_terms::{
    ACCUMULATOR_COPIES, ExactKernels, ExactSpec, ExactTerms,
};
pub(crate) use crate::algebra::part::{Part, part};
use crate::algebra::{
    acc_words::AccWords,
    element::{Element, ElementType},
    exact_total::ExactTotal,
    operator_type::{OperatorKind, OperatorType},
    options::NanRule,
};
use std::{fmt, panic::RefUnwindSafe};

/// Calls what it is given with each part of a sequence, the first one first.
pub(crate) type Parts<'a, T> = &'a mut dyn FnMut(&mut dyn FnMut(&[T]));

/// The items that a reduction takes, one after another: elements of one input, or the pairs or triples that two or three inputs have at the same places. Sealed.
pub trait Items: sealed::Items + Copy + fmt::Debug + PartialEq + Send + Sync + 'static {
    /// The type of each input's elements.
    type Element: Element;
    /// How many inputs there are.
    const INPUTS: u32;
}

impl<T: Element> Items for T {
    type Element = T;
    const INPUTS: u32 = 1;
}

impl<T: Element> Items for (T, T) {
    type Element = T;
    const INPUTS: u32 = 2;
}

impl<T: Element> Items for (T, T, T) {
    type Element = T;
    const INPUTS: u32 = 3;
}

/// How items are reduced: elements of type `T`; by [`Dot`](crate::Dot) pairs `(T, T)`; of expressions ([`Mapped`](crate::Mapped)) pairs and triples, too. Sealed: an
/// operator is implemented twice, here and in WGSL, and both must agree to the bit. An operator of your own is a [`CustomOperator`](crate::CustomOperator).
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not reduce `{I}`",
    note = "the README has a table of operators and element types; a dot product takes pairs, as in `Reducer::<(f32, f32), _>`"
)]
pub trait Operator<I: Items>: sealed::Sealed + Clone + fmt::Debug + Send + Sync + 'static {
    /// The operator's description without options, for plans and kernels.
    const SPEC: OperatorSpec;
    /// A result as the GPU writes it to an output buffer: [`OperatorSpec::out_words`] words of 32 bits. For no elements that is a neutral
    /// element: 0, 1, all bits, or the type's largest or smallest value (the infinities); the mean of nothing is NaN.
    type Out: bytemuck::Pod + Send + Sync + fmt::Debug + PartialEq;
    /// A result as calls return it: `Out`, or `Option<Out>` where nothing can be said of an
    /// empty input.
    type Value: Copy + Send + Sync + fmt::Debug + PartialEq + 'static;

    /// The operator's description with the value's options. `f32`s of several components have no rule for NaNs: calls with one return
    /// [`PrepareError::Unsupported`](crate::PrepareError::Unsupported).
    fn spec(&self) -> OperatorSpec {
        let element = I::Element::TYPE;
        let operator = Self::SPEC.operator.with(self.options()).on(element);
        match operator.spec(element) {
            Some(spec) => *spec,
            None => OperatorSpec { operator, ..Self::SPEC },
        }
    }
    /// The result of reducing `len` items, as calls that return a value report it.
    fn value(out: Self::Out, len: u64) -> Self::Value;
    /// The inverse of [`Operator::value`]: `None` for the empty minimum or maximum.
    fn out(value: Self::Value) -> Option<Self::Out>;
}

/// How the CPU reduces elements of one word or two, and masks. Other elements are widened to these, or taken apart.
/// An operator's options are in its value.
pub(crate) trait Algebra<T: Element>: Copy + Send + Sync + RefUnwindSafe + 'static {
    /// [`OperatorSpec::order_free`], as a constant: the other way is not compiled.
    const ORDER_FREE: bool = true;
    /// The accumulator: all that is known of the elements so far.
    type Acc: AccWords + Send + Sync + fmt::Debug + PartialEq;
    /// [`Operator::Out`].
    type Out: bytemuck::Pod;

    /// The accumulator of no elements.
    fn identity(self) -> Self::Acc;
    /// The accumulator of one element.
    fn lift(self, element: T) -> Self::Acc;
    /// The accumulator of both operands' elements.
    fn combine(self, a: Self::Acc, b: Self::Acc) -> Self::Acc;
    /// The same bits as [`Algebra::lift`]'s, without rounding float operations: for threads that flush subnormals or
    /// round in another way.
    #[inline]
    fn lift_in_integers(self, element: T) -> Self::Acc {
        self.lift(element)
    }
    /// The same bits as [`Algebra::combine`]'s, without rounding float operations: for such threads, too.
    #[inline]
    fn combine_in_integers(self, a: Self::Acc, b: Self::Acc) -> Self::Acc {
        self.combine(a, b)
    }
    /// The accumulator of `elements`, by vector instructions: any number of them if the operator is order-free, else at most
    /// 4096, in the order of [`crate::order`], in threads whose float environment is the default. `None` where they
    /// have to be lifted and combined one by one.
    /// No elements may have any accumulator that has [`Algebra::identity`]'s result.
    #[inline]
    fn fold(self, _elements: &[T]) -> Option<Self::Acc> {
        None
    }
    /// The accumulator of the same elements, `by` places later in the sequence: [`Algebra::lift`] and [`Algebra::fold`] take theirs
    /// for the first ones, of which there are some. Only of operators that tell where elements are it is another one.
    #[inline]
    fn moved(self, acc: Self::Acc, _by: u64) -> Self::Acc {
        acc
    }
    /// The result of `len` elements, as the GPU writes it to an output buffer, whatever the thread's float environment is.
    fn finish(self, total: Self::Acc, len: u64) -> Self::Out;
    /// The accumulators of some elements, each by itself. Options are looked at once.
    #[inline]
    fn lift_each(self, elements: &[T], accs: &mut [Self::Acc]) {
        for (acc, &element) in accs.iter_mut().zip(elements) {
            *acc = self.lift(element);
        }
    }
    /// The results of totals: of `len` elements the first one, and of one more each that follows.
    #[inline]
    fn finish_each(self, totals: &[Self::Acc], len: u64, outs: &mut [Self::Out]) {
        for ((out, &total), len) in outs.iter_mut().zip(totals).zip(len..) {
            *out = self.finish(total, len);
        }
    }
    /// The total of the parts' elements, without rounding, for [`crate::Precision::Exact`] results. `None` where no accumulator does that. Operators
    /// without an order need none.
    fn exact_total(self, _parts: Parts<'_, T>) -> Option<ExactTotal> {
        None
    }
    /// The result of an [`Algebra::exact_total`].
    fn exact_finish(self, total: &ExactTotal) -> Self::Out {
        unreachable!("no operator without an order has {total:?}")
    }
}

pub(crate) mod sealed {
    use crate::algebra::{element::Element, options::Options};
    use std::any::Any;

    pub trait Items {}

    impl<T: Element> Items for T {}

    impl<T: Element> Items for (T, T) {}

    impl<T: Element> Items for (T, T, T) {}

    pub trait Sealed {
        /// Whether the library's tables have the operator. For others a reducer has a program.
        const IS_LISTED: bool = true;

        /// A user's own operator, without its types. Modules above this one know what it is.
        fn own(&self) -> Option<&dyn Any> {
            None
        }

        /// The value's options.
        fn options(&self) -> Options {
            Options::DEFAULT
        }
    }
}

/// A description of an operator on elements of one type, for plans and kernels: plain data.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct OperatorSpec {
    /// The operator's name.
    pub operator: OperatorType,
    /// The element type.
    pub element: ElementType,
    /// How many inputs it has. It takes pairs of two, and triples of three. They have one length.
    pub inputs: u32,
    /// Words of 32 bits of a result.
    pub out_words: u32,
    /// Whether every order of combining gives the same bits. Where it does not, the order is
    /// [`crate::order`]'s.
    pub order_free: bool,
    /// Whether it adds or multiplies floats, which not every device does as it should.
    pub(crate) computes_floats: bool,
    /// How accumulators combine on a device.
    pub(crate) combining: Combining,
    /// Where there is a true result, rounded once.
    pub(crate) exact: Option<ExactSpec>,
}

/// How an operator's accumulators combine on a device.
#[derive(Clone, Copy)]
pub(crate) struct Combining {
    /// The accumulator of no elements in memory: what the shader's `op_pack` makes of `op_identity()`.
    pub(crate) identity: &'static [u32],
    /// The operator in WGSL: `Acc`, `op_lift`, `op_combine` and so on.
    pub(crate) parts: &'static [Part],
    /// The same for [`Arithmetic::Unchecked`], if that is anything else.
    pub(crate) unchecked: Option<&'static [Part]>,
    /// The same for [`Arithmetic::Software`].
    pub(crate) software: Option<&'static [Part]>,
    /// `op_subgroup`: a built-in that combines a whole subgroup. Without, it goes by shuffles.
    pub(crate) subgroup: Option<Part>,
    /// How totals meet in memory: in a workgroup's, and in the device's, if [`OperatorSpec::ends_by_atomics`].
    pub(crate) atomic: Option<AtomicSpec>,
}

/// How totals meet in memory.
#[derive(Clone, Copy)]
pub(crate) struct AtomicSpec {
    /// `accumulate`.
    pub(crate) part: Part,
    /// The same by an atomic addition of floats, which some devices have. On others `part` compares and exchanges.
    pub(crate) float_add: Option<Part>,
}

impl OperatorSpec {
    /// Of one input, with a result of one word that is the same in any order.
    pub(crate) const fn order_free(
        operator: OperatorType,
        element: ElementType,
        combining: Combining,
    ) -> Self {
        Self {
            operator,
            element,
            inputs: 1,
            out_words: 1,
            order_free: true,
            computes_floats: false,
            combining,
            exact: None,
        }
    }

    /// The operator's name in lower case, words joined by `-`.
    pub const fn name(&self) -> &'static str {
        self.operator.name()
    }

    /// Whether it adds or multiplies floats. For tests of what does so.
    #[cfg(feature = "unstable")]
    pub fn computes_floats(&self) -> bool {
        self.computes_floats
    }

    /// Whether results that may come in any order differ from those that do not: if not, a request for them gives the others.
    pub(crate) fn has_unordered(&self) -> bool {
        self.combining.unchecked.is_some()
    }

    /// The shader files that load what accumulators begin with: elements, their squares, or products of pairs.
    pub(crate) fn load_files(&self) -> &'static [&'static str] {
        match self.operator {
            _ if self.squares() => &["reduce/load_squares.wgsl", "reduce/load_factors.wgsl"],
            OperatorType::Dot => &["reduce/load_pairs.wgsl", "reduce/load_factors.wgsl"],
            _ if self.operator.tells_places() => &["reduce/load_places.wgsl"],
            _ if self.operator == OperatorType::L1Norm || self.ignores_nans(OperatorKind::Sum) => {
                &["reduce/load_elements.wgsl", "reduce/elems.wgsl@counted"]
            }
            _ if self.ignores_nans(OperatorKind::Mean) => {
                &["reduce/load_elements.wgsl", "reduce/elems.wgsl@marked"]
            }
            _ => &["reduce/load_elements.wgsl", "reduce/elems.wgsl@all"],
        }
    }

    /// Whether it is this one, without NaNs.
    fn ignores_nans(&self, kind: OperatorKind) -> bool {
        self.operator.kind() == kind && self.operator.nan_rule() == NanRule::Ignore
    }

    /// Where devices have exact results: how.
    pub(crate) fn exact_kernels(&self) -> Option<ExactKernels> {
        self.exact?.kernels
    }

    /// Whether devices reduce segments by this operator of these elements. They reduce no pairs, and no masks of bits: a segment of these
    /// would begin within a word. Nor have they accumulators of segments for what is exact alone.
    pub fn has_segments(&self) -> bool {
        self.inputs == 1 && self.element != ElementType::Bits && !self.is_exact_alone()
    }

    /// Whether all results are exact: devices combine no accumulators by it.
    pub(crate) fn is_exact_alone(&self) -> bool {
        self.exact.is_some() && self.combining.parts.is_empty()
    }

    /// Words of 32 bits that an accumulator takes in memory: the shader's `ACC_WORDS`.
    pub(crate) fn acc_words(&self) -> u32 {
        u32::try_from(self.combining.identity.len()).expect("a few")
    }

    /// Whether the device's atomic addition of floats is of use, where it has one.
    pub(crate) fn adds_floats(&self) -> bool {
        self.atomic().is_some_and(|atomic| atomic.float_add.is_some())
    }

    /// Whether a reduction can end by atomics: there is one for the operator, and the accumulator is the one word that it takes.
    pub(crate) fn ends_by_atomics(&self) -> bool {
        self.atomic().is_some() && self.acc_words() == 1
    }

    pub(crate) fn atomic(&self) -> Option<AtomicSpec> {
        self.combining.atomic
    }
}

impl Combining {
    /// Of nothing.
    pub(crate) const NONE: Self = Self {
        identity: &[],
        parts: &[],
        unchecked: None,
        software: None,
        subgroup: None,
        atomic: None,
    };

    /// The operator in WGSL, by an arithmetic.
    pub(crate) fn parts_by(&self, arithmetic: Arithmetic) -> &'static [Part] {
        let others = match arithmetic {
            Arithmetic::Unchecked => self.unchecked,
            Arithmetic::Hardware => None,
            Arithmetic::Software => self.software,
        };
        others.unwrap_or(self.parts)
    }
}

impl AtomicSpec {
    /// There is an atomic for the operator.
    pub(crate) const fn native(part: Part) -> Self {
        Self { part, float_add: None }
    }
}

/// In short: the parts' texts are long.
impl fmt::Debug for OperatorSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.operator, self.element)
    }
}

/// There is one for each operator and element type.
impl PartialEq for OperatorSpec {
    fn eq(&self, other: &Self) -> bool {
        (self.operator, self.element) == (other.operator, other.element)
    }
}

impl Eq for OperatorSpec {}

/// The way in which floats are added and multiplied.
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

impl Arithmetic {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Unchecked, Self::Hardware, Self::Software];
}
