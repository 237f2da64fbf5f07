//! What is known of a run, so that its mean and variance can be made of it, and its extrema, where they are, and how many elements are NaN.

use crate::algebra::{
    acc_words::{AccWords, Words},
    keys::Comparable,
    run_moments::{Moment, RunMoments},
    spread::Spread,
};

/// What is known of a run; or of the first runs of a sequence, the longest first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TwoMoments<F: Comparable> {
    pub(super) run: RunMoments<F>,
    /// The sum of all elements,
    pub(super) sum: F,
    /// and how many there are.
    len: u64,
    pub(super) spread: Spread<F::Key>,
}

impl<F: Moment + Comparable> TwoMoments<F> {
    /// Of no elements.
    pub(crate) fn nothing() -> Self {
        let (run, sum) = (RunMoments::nothing(), F::default());
        Self { run, sum, len: 0, spread: Spread::nothing::<F>() }
    }

    /// Of one element.
    #[inline]
    pub(crate) fn of(element: F) -> Self {
        Self::of_a_run(RunMoments::of(element), Spread::of(element))
    }

    fn of_a_run(run: RunMoments<F>, spread: Spread<F::Key>) -> Self {
        Self { run, sum: run.sum(), len: 1 << run.level(), spread }
    }

    /// Two halves of a run; or the first runs of a sequence, and the next one, which is shorter.
    ///
    /// By floats, in a thread whose float environment is the default.
    pub(crate) fn combine(self, next: Self) -> Self {
        self.combine_by(next, RunMoments::combine, |a, b| a + b)
    }

    /// The same, without float arithmetic.
    pub(crate) fn combine_in_integers(self, next: Self) -> Self {
        self.combine_by(next, RunMoments::combine_in_integers, |a, b| F::add_scaled(a, 0, b, 0))
    }

    fn combine_by(
        self,
        next: Self,
        combine: fn(RunMoments<F>, RunMoments<F>) -> RunMoments<F>,
        add: fn(F, F) -> F,
    ) -> Self {
        if self.len == 0 || next.len == 0 {
            return if self.len == 0 { next } else { self };
        }
        let run = combine(self.run, next.run);
        let spread = self.spread.combine(next.spread, self.len);
        if self.run.level() == next.run.level() {
            return Self::of_a_run(run, spread);
        }
        Self { run, sum: add(self.sum, next.sum), len: self.len + next.len, spread }
    }

    /// Of some thousand elements at most, in a thread whose float environment is the default.
    pub(crate) fn fold(elements: &[F]) -> Self {
        if elements.is_empty() {
            return Self::nothing();
        }
        let spread = Spread::of_all(elements);
        let (mut total, mut rest) = (Self::nothing(), elements);
        while let Some(level) = rest.len().checked_ilog2() {
            let (run, later) = rest.split_at(1 << level);
            total = total.combine(Self::of_a_run(RunMoments::of_run(run), spread));
            rest = later;
        }
        Self { spread, ..total }
    }
}

/// Those of a single run, as the shader packs them.
impl<F: Moment + Comparable + AccWords> AccWords for TwoMoments<F> {
    const WORDS: usize = 2 * F::WORDS + Spread::<F::Key>::WORDS;
    fn write(self, words: &mut Words) {
        self.run.sum().write(words);
        self.run.squares().write(words);
        self.spread.write(self.run.level(), words);
    }
    fn read(words: &[u32]) -> Option<Self> {
        let (run, words) = words.split_at(2 * F::WORDS);
        let (spread, level) = Spread::read(words)?;
        let run = RunMoments::read(&[run, &[level]].concat())?;
        let all = Self::of_a_run(run, spread);
        spread.is_within(all.len).then_some(all)
    }
    fn keep(self, words: &mut Words) {
        self.run.keep(words);
        self.sum.keep(words);
        self.len.keep(words);
        self.spread.keep(words);
    }
    fn kept(words: &mut &[u32]) -> Self {
        let (run, sum) = (AccWords::kept(words), AccWords::kept(words));
        Self { run, sum, len: AccWords::kept(words), spread: Spread::kept(words) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_back() {
        let elements: Vec<f32> = (0..1024u16).map(|i| f32::from(i % 97) - 40.0).collect();
        let acc = TwoMoments::fold(&elements);
        let mut words = Words::default();
        acc.write(&mut words);
        assert_eq!(words.len(), TwoMoments::<f32>::WORDS);
        assert_eq!(TwoMoments::read(&words), Some(acc));
        // A place that the run does not have.
        words[4] = 1024;
        assert_eq!(TwoMoments::<f32>::read(&words), None);
    }

    #[test]
    fn folds_are_combinations() {
        let elements: Vec<f32> = (0..1000u16).map(|i| f32::from(i * 37 % 101) / 3.0).collect();
        for len in [0, 1, 2, 3, 7, 8, 100, 1000] {
            // Siblings first, as the order has it.
            let mut runs: Vec<TwoMoments<f32>> = Vec::new();
            for &element in &elements[..len] {
                let mut next = TwoMoments::of(element);
                while let Some(last) = runs.pop_if(|last| last.run.level() == next.run.level()) {
                    next = last.combine_in_integers(next);
                }
                runs.push(next);
            }
            let wanted = runs.into_iter().reduce(TwoMoments::combine_in_integers);
            let wanted = wanted.unwrap_or(TwoMoments::nothing());
            assert_eq!(TwoMoments::fold(&elements[..len]), wanted, "{len}");
        }
    }
}
