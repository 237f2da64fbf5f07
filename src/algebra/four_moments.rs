//! What is known of a run, so that skewness and kurtosis can be made of it, too, as docs/float-sums.md defines them; and its extrema, where
//! they are, and how many elements are NaN.

use crate::{
    algebra::{
        acc_words::{AccWords, Words},
        f64_arithmetic,
        keys::Comparable,
        run_moments::{MAX_PAIRS, Moment, RunMoments, halves},
        spread::Spread,
    },
    exact::f64_bits::{CANONICAL_NAN, nearest},
};

/// Elements that have moments and an order.
pub(crate) trait Elements: Moment + Comparable + Into<f64> {
    /// The same number, without float arithmetic.
    fn widened(self) -> f64;
}

impl Elements for f32 {
    fn widened(self) -> f64 {
        let bits = self.to_bits();
        let sign = u64::from(bits >> 31) << 63;
        let (field, fraction) = (bits >> 23 & 0xff, bits & 0x007f_ffff);
        f64::from_bits(match field {
            0xff if fraction > 0 => CANONICAL_NAN,
            0xff => sign | f64::INFINITY.to_bits(),
            0 => sign | nearest(fraction.into(), -149, false),
            _ => sign | u64::from(field + 896) << 52 | u64::from(fraction) << 29,
        })
    }
}

impl Elements for f64 {
    fn widened(self) -> f64 {
        self
    }
}

/// What adds and multiplies `f64`s, with the same bits.
trait Arithmetic {
    fn add(a: f64, b: f64) -> f64;
    fn multiply(a: f64, b: f64) -> f64;
    fn widen<F: Elements>(value: F) -> f64;
    fn subtract(a: f64, b: f64) -> f64 {
        Self::add(a, -b)
    }
}

/// The processor, in a thread whose float environment is the default.
struct Floats;

impl Arithmetic for Floats {
    #[inline]
    fn add(a: f64, b: f64) -> f64 {
        a + b
    }
    #[inline]
    fn multiply(a: f64, b: f64) -> f64 {
        a * b
    }
    #[inline]
    fn widen<F: Elements>(value: F) -> f64 {
        value.into()
    }
}

/// Integers, in any thread.
struct Integers;

impl Arithmetic for Integers {
    fn add(a: f64, b: f64) -> f64 {
        f64_arithmetic::add(a, b)
    }
    fn multiply(a: f64, b: f64) -> f64 {
        f64_arithmetic::multiply(a, b)
    }
    fn widen<F: Elements>(value: F) -> f64 {
        value.widened()
    }
}

/// What is known of a run; or of the first runs of a sequence, the longest first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FourMoments<F: Comparable> {
    pub(super) high: HighMoments<F>,
    pub(super) spread: Spread<F::Key>,
}

/// The moments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct HighMoments<F> {
    pub(super) run: RunMoments<F>,
    /// C of a run; of several T, about the mean of the first one.
    pub(super) cubes: f64,
    /// Q of a run; of several U.
    pub(super) fourths: f64,
    /// The sum of all elements,
    pub(super) sum: F,
    /// and how many there are.
    len: u64,
}

impl<F: Elements> HighMoments<F> {
    fn nothing() -> Self {
        let run = RunMoments::nothing();
        Self { run, cubes: 0.0, fourths: 0.0, sum: F::default(), len: 0 }
    }

    #[inline]
    fn of(element: F) -> Self {
        let run = RunMoments::of(element);
        Self { run, cubes: 0.0, fourths: 0.0, sum: element, len: 1 }
    }

    fn of_a_run(run: RunMoments<F>, cubes: f64, fourths: f64) -> Self {
        Self { run, cubes, fourths, sum: run.sum(), len: 1 << run.level() }
    }

    /// Two halves of a run, or what comes after the first runs. `subtract` and `combine` are the elements', by the same arithmetic.
    #[inline]
    fn combine<A: Arithmetic>(
        self,
        next: Self,
        subtract: impl Fn(F, F) -> F,
        add: impl Fn(F, F) -> F,
        combine: impl Fn(RunMoments<F>, RunMoments<F>) -> RunMoments<F>,
    ) -> Self {
        if self.len == 0 || next.len == 0 {
            return if self.len == 0 { next } else { self };
        }
        let run = combine(self.run, next.run);
        let level = next.run.level();
        if self.run.level() == level {
            let distance = A::widen(subtract(next.run.sum(), self.run.sum()));
            let [a, b] = [self.run, next.run].map(|run| A::widen(run.squares()));
            let (cubes, fourths) = high_of_halves::<A>(
                Scales::of(level),
                distance,
                [a, b],
                [self.cubes, next.cubes],
                [self.fourths, next.fourths],
            );
            return Self::of_a_run(run, cubes, fourths);
        }
        let distance = A::widen(self.run.distance_to(next.run));
        let squares = A::widen(next.run.squares());
        let square = A::multiply(distance, distance);
        let of_all = A::multiply(square, power(level));
        let skew = A::multiply(distance, A::add(A::multiply(3.0, squares), of_all));
        let between = A::multiply(square, A::add(A::multiply(6.0, squares), of_all));
        let lean = A::multiply(4.0, A::multiply(distance, next.cubes));
        Self {
            run,
            cubes: A::add(self.cubes, A::add(next.cubes, skew)),
            fourths: A::add(self.fourths, A::add(A::add(next.fourths, lean), between)),
            sum: add(self.sum, next.sum),
            len: self.len + next.len,
        }
    }

    fn combine_by_floats(self, next: Self) -> Self {
        self.combine::<Floats>(next, |a, b| a - b, |a, b| a + b, RunMoments::combine)
    }

    fn combine_in_integers(self, next: Self) -> Self {
        let add = |a, b| F::add_scaled(a, 0, b, 0);
        let subtract = |a, b: F| F::add_scaled(a, 0, -b, 0);
        self.combine::<Integers>(next, subtract, add, RunMoments::combine_in_integers)
    }

    fn of_run(run: &[F]) -> Self {
        match run {
            [element] => Self::of(*element),
            [a, b] => Self::of(*a).combine_by_floats(Self::of(*b)),
            _ if run.len() > 2 * MAX_PAIRS => {
                let (left, right) = run.split_at(run.len() / 2);
                Self::of_run(left).combine_by_floats(Self::of_run(right))
            }
            _ => Self::of_pairs(run),
        }
    }

    /// Of a run of at most two elements for each of [`MAX_PAIRS`], level by level, for vector instructions.
    #[inline(never)]
    fn of_pairs(run: &[F]) -> Self {
        let mut moments = [Levels::<F>::of_nothing(), Levels::of_nothing()];
        let mut count = run.len() / 2;
        let [own, _] = &mut moments;
        let (factor, scales) = (F::factor(0), Scales::of(0));
        for (i, &[a, b]) in run.as_chunks().0.iter().enumerate() {
            (own.sums[i], own.squares[i]) = halves([a, b], [F::default(); 2], factor);
            let distance = (b - a).into();
            (own.cubes[i], own.fourths[i]) =
                high_of_halves::<Floats>(scales, distance, [0.0; 2], [0.0; 2], [0.0; 2]);
        }
        let mut level = 1;
        while count > 1 {
            let [of_level, next] = &mut moments;
            next.merge(of_level, count, level);
            moments.swap(0, 1);
            count /= 2;
            level += 1;
        }
        // NaN, if an element is not finite.
        let of_each = run.iter().map(|&element| element.squares_of());
        let all = of_each.fold(F::default(), |all, one| all + one);
        let [own, _] = &moments;
        let run = RunMoments::of_parts(own.sums[0], own.squares[0] + all, level);
        let all: f64 = all.into();
        Self::of_a_run(run, own.cubes[0] + all, own.fourths[0] + all)
    }
}

/// The moments of runs of a level.
struct Levels<F> {
    sums: [F; MAX_PAIRS],
    squares: [F; MAX_PAIRS],
    cubes: [f64; MAX_PAIRS],
    fourths: [f64; MAX_PAIRS],
}

impl<F: Elements> Levels<F> {
    fn of_nothing() -> Self {
        Self {
            sums: [F::default(); MAX_PAIRS],
            squares: [F::default(); MAX_PAIRS],
            cubes: [0.0; MAX_PAIRS],
            fourths: [0.0; MAX_PAIRS],
        }
    }

    /// Of as many runs, of which each two are halves.
    fn merge(&mut self, of: &Self, count: usize, level: i32) {
        let (factor, scales) = (F::factor(level), Scales::of(level));
        let pairs = of.sums[..count].as_chunks().0.iter().zip(of.squares[..count].as_chunks().0);
        let high = of.cubes[..count].as_chunks().0.iter().zip(of.fourths[..count].as_chunks().0);
        let lower = self.sums.iter_mut().zip(&mut self.squares);
        let higher = self.cubes.iter_mut().zip(&mut self.fourths);
        for (
            ((sum, squares), (cubes, fourths)),
            ((&sums, &of_squares), (&of_cubes, &of_fourths)),
        ) in lower.zip(higher).zip(pairs.zip(high))
        {
            (*sum, *squares) = halves(sums, of_squares, factor);
            let distance = (sums[1] - sums[0]).into();
            let wide = of_squares.map(Into::into);
            (*cubes, *fourths) =
                high_of_halves::<Floats>(scales, distance, wide, of_cubes, of_fourths);
        }
    }
}

/// Powers of two that go with a level.
#[derive(Clone, Copy)]
struct Scales {
    /// Of the distance.
    distance: f64,
    /// Of its fourth power.
    fourth: f64,
}

impl Scales {
    fn of(level: i32) -> Self {
        Self { distance: power(1 - level), fourth: power(level - 7) }
    }
}

/// 2^exponent, of a small one.
fn power(exponent: i32) -> f64 {
    f64::from_bits(u64::from((1023 + exponent).unsigned_abs()) << 52)
}

/// C and Q of two halves, whose sums are so far apart.
#[inline]
fn high_of_halves<A: Arithmetic>(
    scales: Scales,
    distance: f64,
    [of_a, of_b]: [f64; 2],
    [cubes_a, cubes_b]: [f64; 2],
    [fourths_a, fourths_b]: [f64; 2],
) -> (f64, f64) {
    let distance = A::multiply(distance, scales.distance);
    let square = A::multiply(distance, distance);
    let skew = A::multiply(distance, A::subtract(of_b, of_a));
    let cubes = A::add(A::add(cubes_a, cubes_b), A::multiply(0.75, skew));
    let squares = A::multiply(0.375, A::add(of_a, of_b));
    let between = A::multiply(square, A::add(squares, A::multiply(square, scales.fourth)));
    let lean = A::multiply(distance, A::subtract(cubes_b, cubes_a));
    (cubes, A::add(A::add(fourths_a, fourths_b), A::add(between, lean)))
}

impl<F: Elements> FourMoments<F> {
    /// Of no elements.
    pub(crate) fn nothing() -> Self {
        Self { high: HighMoments::nothing(), spread: Spread::nothing::<F>() }
    }

    /// Of one element.
    #[inline]
    pub(crate) fn of(element: F) -> Self {
        Self { high: HighMoments::of(element), spread: Spread::of(element) }
    }

    /// Two halves of a run; or the first runs of a sequence, and the next one, which is shorter.
    ///
    /// By floats, in a thread whose float environment is the default.
    pub(crate) fn combine(self, next: Self) -> Self {
        Self {
            high: self.high.combine_by_floats(next.high),
            spread: self.spread.combine(next.spread, self.high.len),
        }
    }

    /// The same, without float arithmetic.
    pub(crate) fn combine_in_integers(self, next: Self) -> Self {
        Self {
            high: self.high.combine_in_integers(next.high),
            spread: self.spread.combine(next.spread, self.high.len),
        }
    }

    /// Of some thousand elements at most, in a thread whose float environment is the default.
    pub(crate) fn fold(elements: &[F]) -> Self {
        if elements.is_empty() {
            return Self::nothing();
        }
        let (mut high, mut rest) = (HighMoments::nothing(), elements);
        while let Some(level) = rest.len().checked_ilog2() {
            let (run, later) = rest.split_at(1 << level);
            high = high.combine_by_floats(HighMoments::of_run(run));
            rest = later;
        }
        Self { high, spread: Spread::of_all(elements) }
    }
}

/// Those of a single run, as the shader packs them.
impl<F: Elements + AccWords> AccWords for FourMoments<F> {
    const WORDS: usize = 2 * F::WORDS + 4 + Spread::<F::Key>::WORDS;
    fn write(self, words: &mut Words) {
        let Self { high, spread } = self;
        high.run.sum().write(words);
        high.run.squares().write(words);
        high.cubes.write(words);
        high.fourths.write(words);
        spread.write(high.run.level(), words);
    }
    fn read(words: &[u32]) -> Option<Self> {
        let (run, words) = words.split_at(2 * F::WORDS);
        let (moments, words) = words.split_at(2 * f64::WORDS);
        let (spread, level) = Spread::read(words)?;
        let run = RunMoments::read(&[run, &[level]].concat())?;
        let high = HighMoments::of_a_run(
            run,
            f64::read(&moments[..f64::WORDS])?,
            f64::read(&moments[f64::WORDS..])?,
        );
        spread.is_within(high.len).then_some(Self { high, spread })
    }
    fn keep(self, words: &mut Words) {
        let Self { high: HighMoments { run, cubes, fourths, sum, len }, spread } = self;
        run.keep(words);
        [cubes, fourths].keep(words);
        sum.keep(words);
        len.keep(words);
        spread.keep(words);
    }
    fn kept(words: &mut &[u32]) -> Self {
        let (run, [cubes, fourths]) = (AccWords::kept(words), AccWords::kept(words));
        let (sum, len) = (AccWords::kept(words), AccWords::kept(words));
        let high = HighMoments { run, cubes, fourths, sum, len };
        Self { high, spread: Spread::kept(words) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn floats_are_widened_in_integers(bits: u32) {
            let value = f32::from_bits(bits);
            let wide = f64::from(value);
            prop_assert!(value.is_nan() && value.widened().is_nan() || value.widened().to_bits() == wide.to_bits());
        }
    }

    #[test]
    fn words_come_back() {
        let square = |i: u16| {
            f32::from(u8::try_from(u32::from(i) * u32::from(i) % 97).expect("it is below 97"))
        };
        let elements: Vec<f32> = (0..1024).map(square).collect();
        let acc = FourMoments::fold(&elements);
        let mut words = Words::default();
        acc.write(&mut words);
        assert_eq!(words.len(), FourMoments::<f32>::WORDS);
        assert_eq!(FourMoments::read(&words), Some(acc));
        // A place that the run does not have.
        words[8] = 1024;
        assert_eq!(FourMoments::<f32>::read(&words), None);
    }
}
