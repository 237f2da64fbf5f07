//! The sum of a run, and of the squared distances from its mean, as docs/float-sums.md defines them.

use crate::{
    algebra::{
        acc_words::{AccWords, Words},
        f64_arithmetic, float_environment,
    },
    order::MAX_LEN,
};
use std::ops::{Add, Neg, Sub};

/// What is known of a run; or of the first runs of a sequence, the longest first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RunMoments<F> {
    /// The sum of the first run: R in the definition.
    sum: F,
    /// M of a run; of several B, the same about the mean of the first run.
    squares: F,
    /// Of several runs A, the sum of the distances from the mean of the first one; 0 of a single run.
    drift: F,
    /// The first run has 2^level elements.
    level: i32,
}

/// The level of no elements.
const NOTHING: i32 = -1;

/// Floats of either size, as far as their moments go.
pub(crate) trait Moment:
    Copy + Default + Add<Output = Self> + Sub<Output = Self> + Neg<Output = Self>
{
    /// What [`Moment::square`] takes for a level.
    type Factor: Copy;
    /// Of runs of 2^level elements.
    fn factor(level: i32) -> Self::Factor;
    /// `self² / 2^(level + 1)`, rounded once.
    fn square(self, factor: Self::Factor) -> Self;
    /// What one element adds to the squares: nothing, if it is finite.
    fn squares_of(self) -> Self;
    /// `a · 2^a_scale + b · 2^b_scale`, without float arithmetic.
    fn add_scaled(a: Self, a_scale: i32, b: Self, b_scale: i32) -> Self;
    /// `a · b · 2^scale`, without float arithmetic.
    fn multiply_scaled(a: Self, b: Self, scale: i32) -> Self;
}

/// Those of a single run: what several come to is no run's.
impl<F: Moment + AccWords> AccWords for RunMoments<F> {
    const WORDS: usize = 2 * F::WORDS + 1;
    fn write(self, words: &mut Words) {
        self.sum.write(words);
        self.squares.write(words);
        words.push(self.level.cast_unsigned());
    }
    fn read(words: &[u32]) -> Option<Self> {
        let (sum, rest) = words.split_at(F::WORDS);
        let (squares, level) = rest.split_at(F::WORDS);
        let is_level = u64::from(level[0]) <= MAX_LEN.ilog2().into();
        let (sum, squares) = (F::read(sum)?, F::read(squares)?);
        let level = level[0].cast_signed();
        is_level.then_some(Self { sum, squares, drift: F::default(), level })
    }
    fn keep(self, words: &mut Words) {
        [self.sum, self.squares, self.drift].write(words);
        words.push(self.level.cast_unsigned());
    }
    fn kept(words: &mut &[u32]) -> Self {
        let [sum, squares, drift] = AccWords::kept(words);
        Self { sum, squares, drift, level: u32::kept(words).cast_signed() }
    }
}

impl Moment for f32 {
    type Factor = f64;
    #[inline]
    fn factor(level: i32) -> f64 {
        half_of_power(level)
    }
    #[inline]
    fn square(self, factor: f64) -> Self {
        let distance = f64::from(self);
        // Exact in an f64.
        let square = distance * distance * factor;
        #[expect(clippy::cast_possible_truncation, reason = "this is the rounding")]
        {
            square as Self
        }
    }
    #[inline]
    fn squares_of(self) -> Self {
        if self.is_finite() { 0.0 } else { Self::NAN }
    }
    fn add_scaled(a: Self, a_scale: i32, b: Self, b_scale: i32) -> Self {
        float_environment::add_scaled(a, a_scale, b, b_scale)
    }
    fn multiply_scaled(a: Self, b: Self, scale: i32) -> Self {
        float_environment::multiply_scaled(a, b, scale)
    }
}

impl Moment for f64 {
    type Factor = i32;
    #[inline]
    fn factor(level: i32) -> i32 {
        level
    }
    #[inline]
    fn square(self, level: i32) -> Self {
        /// The least magnitude, and the first that is too large, where neither the square nor its part of a run of 2^40 elements is
        /// subnormal or infinite.
        const SAFE: [u64; 2] = [(1023 - 490) << 52, (1023 + 511) << 52];
        let [least, too_large] = SAFE.map(Self::from_bits);
        if self == 0.0 || (self.abs() >= least && self.abs() < too_large) {
            return self * self * half_of_power(level);
        }
        f64_arithmetic::multiply_scaled(self, self, -(level + 1))
    }
    #[inline]
    fn squares_of(self) -> Self {
        if self.is_finite() { 0.0 } else { Self::NAN }
    }
    fn add_scaled(a: Self, a_scale: i32, b: Self, b_scale: i32) -> Self {
        f64_arithmetic::add_scaled(a, a_scale, b, b_scale)
    }
    fn multiply_scaled(a: Self, b: Self, scale: i32) -> Self {
        f64_arithmetic::multiply_scaled(a, b, scale)
    }
}

impl<F: Moment> RunMoments<F> {
    /// Of no elements.
    pub(crate) fn nothing() -> Self {
        let zero = F::default();
        Self { sum: zero, squares: zero, drift: zero, level: NOTHING }
    }

    /// Of one element.
    #[inline]
    pub(crate) fn of(element: F) -> Self {
        Self { sum: element, squares: element.squares_of(), drift: F::default(), level: 0 }
    }

    /// Two halves of a run; or the first runs of a sequence, and the next one, which is shorter.
    ///
    /// By floats, in a thread whose float environment is the default.
    #[inline]
    pub(crate) fn combine(self, next: Self) -> Self {
        if self.level == next.level && self.level != NOTHING {
            let (sum, squares) =
                halves([self.sum, next.sum], [self.squares, next.squares], F::factor(self.level));
            return Self { sum, squares, drift: F::default(), level: self.level + 1 };
        }
        self.combine_in_integers(next)
    }

    /// The same, without float arithmetic.
    pub(crate) fn combine_in_integers(self, next: Self) -> Self {
        let add = |a, b| F::add_scaled(a, 0, b, 0);
        if self.level == NOTHING || next.level == NOTHING {
            return if self.level == NOTHING { next } else { self };
        }
        if self.level == next.level {
            let distance = add(next.sum, -self.sum);
            let between = F::multiply_scaled(distance, distance, -(self.level + 1));
            return Self {
                sum: add(self.sum, next.sum),
                squares: add(add(self.squares, next.squares), between),
                drift: F::default(),
                level: self.level + 1,
            };
        }
        let distance = self.distance_to(next);
        let between = F::multiply_scaled(distance, distance, next.level);
        Self {
            drift: F::add_scaled(self.drift, 0, distance, next.level),
            squares: add(self.squares, add(next.squares, between)),
            ..self
        }
    }

    /// A run of so many elements, of its totals.
    pub(super) fn of_parts(sum: F, squares: F, level: i32) -> Self {
        Self { sum, squares, drift: F::default(), level }
    }

    #[inline]
    pub(super) fn sum(self) -> F {
        self.sum
    }

    #[inline]
    pub(super) fn squares(self) -> F {
        self.squares
    }

    pub(super) fn drift(self) -> F {
        self.drift
    }

    #[inline]
    pub(super) fn level(self) -> i32 {
        self.level
    }

    /// From this run's mean to that of another.
    pub(super) fn distance_to(self, other: Self) -> F {
        F::add_scaled(other.sum, -other.level, -self.sum, -self.level)
    }

    /// [`about_mean`] of it.
    pub(crate) fn about_mean(self, len: u64, mean: impl Fn(F, u64) -> F) -> F {
        about_mean(self.squares, self.drift, len, mean)
    }

    /// Of some thousand elements at most, in a thread whose float environment is the default.
    pub(crate) fn fold(elements: &[F]) -> Self {
        let (mut total, mut rest) = (Self::nothing(), elements);
        while let Some(level) = rest.len().checked_ilog2() {
            let (run, later) = rest.split_at(1 << level);
            total = total.combine(Self::of_run(run));
            rest = later;
        }
        total
    }

    pub(super) fn of_run(run: &[F]) -> Self {
        match run {
            [element] => Self::of(*element),
            [a, b] => Self::of(*a).combine(Self::of(*b)),
            _ if run.len() > 2 * MAX_PAIRS => {
                let (left, right) = run.split_at(run.len() / 2);
                Self::of_run(left).combine(Self::of_run(right))
            }
            _ => Self::of_pairs(run),
        }
    }

    /// Of a run of at most two elements for each of [`MAX_PAIRS`], level by level, for vector instructions.
    #[inline(never)]
    fn of_pairs(run: &[F]) -> Self {
        let [mut sums, mut squares, mut next_sums, mut next_squares] =
            [[F::default(); MAX_PAIRS]; 4];
        let mut count = run.len() / 2;
        let factor = F::factor(0);
        for ((sum, squares), &[a, b]) in sums.iter_mut().zip(&mut squares).zip(run.as_chunks().0) {
            (*sum, *squares) = (a + b, (b - a).square(factor));
        }
        let mut level = 1;
        while count > 1 {
            let factor = F::factor(level);
            let pairs = sums[..count].as_chunks().0.iter().zip(squares[..count].as_chunks().0);
            let next = next_sums.iter_mut().zip(&mut next_squares);
            for ((sum, squares), (&of_sums, &of_squares)) in next.zip(pairs) {
                (*sum, *squares) = halves(of_sums, of_squares, factor);
            }
            std::mem::swap(&mut sums, &mut next_sums);
            std::mem::swap(&mut squares, &mut next_squares);
            count /= 2;
            level += 1;
        }
        let of_each = run.iter().map(|&element| element.squares_of());
        let all = of_each.fold(F::default(), |all, one| all + one);
        Self { sum: sums[0], squares: squares[0] + all, drift: F::default(), level }
    }
}

/// Pairs of elements whose totals are kept at a time: they stay in the nearest cache.
pub(super) const MAX_PAIRS: usize = 512;

/// 2^-(level + 1).
#[inline]
fn half_of_power(level: i32) -> f64 {
    f64::from_bits(u64::from((1022 - level).unsigned_abs()) << 52)
}

/// The sum and the squares of two halves. `factor` is that of their level.
#[inline]
pub(super) fn halves<F: Moment>([a, b]: [F; 2], [of_a, of_b]: [F; 2], factor: F::Factor) -> (F, F) {
    (a + b, of_a + of_b + (b - a).square(factor))
}

/// The sum of the squared distances from the mean of all `len` elements: `M2` in the definition, of B and A. `mean` divides and rounds.
pub(super) fn about_mean<F: Moment>(
    squares: F,
    drift: F,
    len: u64,
    mean: impl Fn(F, u64) -> F,
) -> F {
    let correction = F::multiply_scaled(mean(drift, len), drift, 0);
    F::add_scaled(squares, 0, -correction, 0)
}
