//! What a scan gives, and which operators have scans.

use crate::algebra::{
    operator::{Arithmetic, OperatorSpec},
    operator_type::OperatorType,
    options::NanRule,
};

/// Which elements each result of a scan is of, and what comes before them all.
///
/// With the pairwise order's `S` ([`crate::order`]): an inclusive scan's result `i` is `S(i + 1)`, an exclusive scan's is `S(i)`. So
/// the last result of an inclusive scan is what a reduction gives, to the bit. Of integers, and of all else that no order changes, these
/// are the running totals.
///
/// ```
/// use gridfold::{Executor, Scan, Sum};
///
/// let executor = Executor::cpu();
/// assert_eq!(executor.scan(Scan::inclusive(), &[1, 2, 3], Sum)?, [1, 3, 6]);
/// assert_eq!(executor.scan(Scan::exclusive(), &[1, 2, 3], Sum)?, [0, 1, 3]);
/// assert_eq!(executor.scan(Scan::exclusive().initial(10), &[1, 2, 3], Sum)?, [10, 11, 13]);
/// # Ok::<(), gridfold::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scan<T> {
    is_inclusive: bool,
    initial: Option<T>,
}

impl<T: Copy> Scan<T> {
    /// Each result is of its own element and those before.
    #[must_use]
    pub const fn inclusive() -> Self {
        Self { is_inclusive: true, initial: None }
    }

    /// Each result is of the elements before its own one. The first is that of no elements: 0, 1, all bits, the type's largest or
    /// smallest value, or a NaN, as a reduction of nothing leaves it in a buffer.
    ///
    /// Of `n` lengths these are the `n` positions where runs begin. [`Segments::offsets`](crate::Segments::offsets) have the end, too, and so are `n + 1`: scan
    /// a length more for them, of any value, or take [`Segments::lengths`](crate::Segments::lengths).
    #[must_use]
    pub const fn exclusive() -> Self {
        Self { is_inclusive: false, initial: None }
    }

    /// A value that comes before all elements: runs of elements are combined with it from the first, longest one on,
    /// `((initial + R1) + R2) + …`. It moves no element in the order. It is lifted as an element is: a sum of squares begins with its
    /// square. Where a result depends on how many elements there are, which is in means and in [`All`](crate::All), it counts as one; a NaN does not
    /// in means without these. It has no place: scans by [`ArgMin`](struct@crate::ArgMin) and the like, by variances and by moments take none.
    #[must_use]
    pub const fn initial(self, initial: T) -> Self {
        Self { initial: Some(initial), ..self }
    }

    /// Whether each result is of its own element, too.
    pub const fn is_inclusive(&self) -> bool {
        self.is_inclusive
    }

    /// The value that comes before all elements, if there is one.
    pub const fn initial_value(&self) -> Option<T> {
        self.initial
    }
}

impl<T: Copy> Default for Scan<T> {
    fn default() -> Self {
        Self::inclusive()
    }
}

impl OperatorSpec {
    /// Whether there are scans by this operator of these elements. Each result is what a reduction of its elements gives. There are none of
    /// pairs, and by operators that are exact alone.
    pub fn scans(&self) -> bool {
        self.inputs == 1 && !self.is_exact_alone()
    }

    /// Whether a value may come before all elements of a scan. It has no place. And where runs are merged, they come the longest first.
    pub(crate) fn takes_initial(&self) -> bool {
        !self.operator.tells_places()
            && !self.operator.is_variance()
            && !self.operator.keeps_order()
    }

    /// Whether what comes before all elements of a scan is lifted on the host: devices know what to make of elements that they load, and
    /// this one they do not.
    pub(crate) fn takes_lifted_initial(&self) -> bool {
        self.squares()
            || self.operator == OperatorType::L1Norm
            || self.operator.nan_rule() == NanRule::Ignore && !self.order_free
    }

    /// Whether it adds up squares.
    pub(crate) fn squares(&self) -> bool {
        matches!(self.operator, OperatorType::SumOfSquares | OperatorType::Norm)
    }

    /// Whether scans by it go by rounds, whose kernels combine and finish accumulators in many places, and hold many: a device does either
    /// in a few operations, and they and the results have one word or two.
    pub(crate) fn scans_by_rounds(&self, arithmetic: Arithmetic) -> bool {
        let takes_long = matches!(
            self.operator,
            OperatorType::Product | OperatorType::Mean | OperatorType::Norm
        );
        let is_soon = !self.computes_floats || (arithmetic == Arithmetic::Hardware && !takes_long);
        // Of several components only users' own operators do: others are rare.
        let is_one = !self.element.is_vector() || self.operator == OperatorType::Custom;
        is_soon && is_one && self.acc_words() <= 2 && self.out_words <= 2
    }

    /// Whether they may go in a single pass. What is safe in a tile it finds of accumulators, and those of squares do not tell: a device may
    /// have lost a subnormal one.
    pub(crate) fn scans_in_single_pass(&self, arithmetic: Arithmetic) -> bool {
        self.scans_by_rounds(arithmetic) && !self.squares()
    }
}
