//! Lengths that take no seconds, and times in rounds.

use crate::{
    Error, Progress,
    data::{Input, value},
    device::{Device, Job, Pipelines, Sample, copied_words},
    rungs::{GRIDFOLD, Layout, RUNGS, Rung},
    work::{self, Work},
};
use gridfold::{Array, Executor};
use std::time::{Duration, Instant};

/// A run takes no longer, by an estimate, or its input is shortened.
const LONGEST_RUN: Duration = Duration::from_millis(250);
/// Elements of the first run, from which a longer one is estimated.
const FIRST_LEN: u64 = 1 << 16;
/// Rounds at least, however long they take.
const FEWEST_ROUNDS: usize = 3;
/// When it is enough.
const ROUNDS_TIME: Duration = Duration::from_secs(8);
/// GPUs lower their clocks when they have little to do.
const BUSY: Duration = Duration::from_millis(300);

/// A line of the table, measured.
#[derive(Debug)]
pub struct Measured {
    /// Its number in the ladder, or in a companion.
    pub number: &'static str,
    /// In a few words.
    pub name: &'static str,
    /// What changes, and why it helps.
    pub about: &'static str,
    /// Its results and times, or why there are none.
    pub outcome: Result<Times, &'static str>,
}

/// Results and times.
#[derive(Debug)]
pub struct Times {
    /// Elements, of which there may be fewer than were asked for.
    pub len: u64,
    /// Bytes that were wanted of the memory.
    pub bytes: u64,
    /// Additions, and the longest chain of them.
    pub work: Work,
    /// The median.
    pub time: Duration,
    /// Whether that is the device's.
    pub is_device_time: bool,
    /// How many runs it is the median of.
    pub rounds: usize,
    /// The words of the first input's result.
    pub words: Vec<u32>,
    /// Whether all results were the CPU's.
    pub is_right: bool,
    /// Whether the words are integers, rather than floats.
    pub are_integers: bool,
}

/// What a copy takes.
#[derive(Debug)]
pub struct Copy {
    /// Bytes read and written.
    pub bytes: u64,
    /// The median.
    pub time: Duration,
    /// Whether it copied.
    pub is_right: bool,
}

/// Everything that was measured.
#[derive(Debug)]
pub struct Measurement {
    /// A copy of as many bytes as the elements have, in the same rounds.
    pub copy: Copy,
    /// The ladder, gridfold, and the companions.
    pub rungs: Vec<Measured>,
}

/// Takes part in the rounds.
struct Contender<'a> {
    /// One for each input.
    jobs: Vec<Job<'a>>,
    samples: Vec<Sample>,
    is_right: bool,
    words: Vec<u32>,
}

/// A line of the table, to be measured.
struct Line<'a> {
    number: &'static str,
    name: &'static str,
    about: &'static str,
    /// What takes part, or why it can't.
    outcome: Result<Entrant<'a>, &'static str>,
}

/// A rung in the rounds, and what is known of it beforehand.
struct Entrant<'a> {
    contender: Contender<'a>,
    len: u64,
    layout: Layout,
    work: Work,
}

impl Line<'_> {
    fn measured(self) -> Measured {
        let Self { number, name, about, outcome } = self;
        let outcome = outcome.map(|Entrant { contender, len, layout, work }| {
            let (time, is_device_time) = median(&contender.samples);
            Times {
                len,
                bytes: layout.bytes(len),
                work,
                time,
                is_device_time,
                rounds: contender.samples.len(),
                words: contender.words,
                is_right: contender.is_right,
                are_integers: layout == Layout::Integers,
            }
        });
        Measured { number, name, about, outcome }
    }
}

impl<'a> Contender<'a> {
    fn new(jobs: Vec<Job<'a>>) -> Self {
        Self { jobs, samples: Vec::new(), is_right: true, words: Vec::new() }
    }

    /// Every input once, to warm up, and to see that the results are right.
    fn try_all(&mut self, device: &Device<'_>) -> Result<(), Error> {
        for (index, job) in self.jobs.iter().enumerate() {
            let sample = device.run(job)?;
            self.is_right &= sample.is_right;
            if index == 0 {
                self.words = sample.words;
            }
        }
        Ok(())
    }

    fn run(&mut self, device: &Device<'_>, turn: usize) -> Result<(), Error> {
        let sample = device.run(&self.jobs[turn % self.jobs.len()])?;
        self.is_right &= sample.is_right;
        self.samples.push(sample);
        Ok(())
    }
}

/// The median, and whether it is of device times.
pub fn median(samples: &[Sample]) -> (Duration, bool) {
    let median = |mut times: Vec<Duration>| {
        times.sort_unstable();
        times.get(times.len() / 2).copied()
    };
    match median(samples.iter().filter_map(|sample| sample.on_device).collect()) {
        Some(time) => (time, true),
        None => {
            let on_host = samples.iter().map(|sample| sample.on_host).collect();
            (median(on_host).unwrap_or_default(), false)
        }
    }
}

/// Elements on the device, and what is to be done with them.
pub struct Bench<'a> {
    /// The device.
    pub device: &'a Device<'a>,
    /// Inputs of the whole length.
    pub inputs: &'a [Input],
    /// What is copied.
    pub copied: &'a Array<f32>,
    /// The length that was asked for.
    pub len: u64,
    /// Invocations of a subgroup; 1 where there are none.
    pub subgroup_size: u64,
    /// Rounds at most.
    pub most_rounds: usize,
    /// Whether it has clocks to be kept up.
    pub is_gpu: bool,
}

/// The elements that are copied.
pub fn copied(executor: &Executor, len: u64) -> Result<Array<f32>, gridfold::Error> {
    let values: Vec<f32> = (0..copied_words(len)).map(|position| value(position, len)).collect();
    executor.upload(&values)
}

impl Bench<'_> {
    /// Measures everything in the same rounds.
    pub fn measure(&self, progress: &dyn Fn(Progress)) -> Result<Measurement, Error> {
        // In the order of the table; gridfold stands before the companions.
        let mut lines = Vec::new();
        for (done, rung) in RUNGS.iter().enumerate() {
            progress(Progress { what: rung.name, done, all: RUNGS.len() });
            if rung.number == "A1" {
                lines.push(self.gridfold()?);
            }
            lines.push(self.rung(rung)?);
        }
        progress(Progress { what: "copy", done: RUNGS.len(), all: RUNGS.len() });
        let mut copy = Contender::new(vec![self.copy_job()?]);
        let entrants = lines.iter_mut().filter_map(|line| line.outcome.as_mut().ok());
        let mut contenders: Vec<_> = entrants.map(|entrant| &mut entrant.contender).collect();
        self.rounds(&mut contenders, &mut copy, progress)?;

        let rungs = lines.into_iter().map(Line::measured).collect();
        let copy = Copy {
            bytes: 2 * 4 * copied_words(self.len),
            time: median(&copy.samples).0,
            is_right: copy.is_right,
        };
        Ok(Measurement { copy, rungs })
    }

    fn rung(&self, rung: &Rung) -> Result<Line<'_>, Error> {
        let Rung { number, name, about, .. } = *rung;
        if let Some(obstacle) = self.device.obstacle(rung) {
            return Ok(Line { number, name, about, outcome: Err(obstacle) });
        }
        let pipelines = self.device.pipelines(rung.module)?;
        let (len, is_right) = self.affordable(rung, &pipelines)?;
        let jobs = self
            .inputs
            .iter()
            .map(|input| self.device.job(rung, &pipelines, input, len))
            .collect::<Result<_, _>>()?;
        let entrant = Entrant {
            contender: Contender { is_right, ..Contender::new(jobs) },
            len,
            layout: rung.layout,
            work: (rung.work)(rung.size(len, self.subgroup_size)),
        };
        Ok(Line { number, name, about, outcome: Ok(entrant) })
    }

    /// The library is never shortened.
    fn gridfold(&self) -> Result<Line<'_>, Error> {
        let jobs = self
            .inputs
            .iter()
            .map(|input| self.device.gridfold_job(input, self.len))
            .collect::<Result<_, _>>()?;
        let (number, name, about) = GRIDFOLD;
        let entrant = Entrant {
            contender: Contender::new(jobs),
            len: self.len,
            layout: Layout::Elements,
            work: work::gridfold(self.len),
        };
        Ok(Line { number, name, about, outcome: Ok(entrant) })
    }

    fn copy_job(&self) -> Result<Job<'_>, Error> {
        let words = copied_words(self.len);
        let last: Vec<f32> = (words - 4..words).map(|position| value(position, self.len)).collect();
        self.device.copy_job(self.copied, &last)
    }

    /// As many elements as take no longer than a run may, and whether their results were right.
    ///
    /// Runs of ever more elements tell. They are powers of two, and each but the last is expected to take at most twice as long
    /// as a run may.
    fn affordable(&self, rung: &Rung, pipelines: &Pipelines) -> Result<(u64, bool), Error> {
        let mut len = self.len.min(FIRST_LEN);
        let mut is_right = true;
        loop {
            let job = self.device.job(rung, pipelines, &self.inputs[0], len)?;
            let mut sample = self.device.run(&job)?;
            is_right &= sample.is_right;
            if sample.time() > LONGEST_RUN / 4 {
                // The first run may have been slow for other reasons.
                sample = self.device.run(&job)?;
                is_right &= sample.is_right;
            }
            let next = next_len(len, sample.time(), self.len);
            if next <= len {
                return Ok((len, is_right));
            }
            len = next;
        }
    }

    fn rounds(
        &self,
        contenders: &mut [&mut Contender<'_>],
        copy: &mut Contender<'_>,
        progress: &dyn Fn(Progress),
    ) -> Result<(), Error> {
        for contender in &mut *contenders {
            contender.try_all(self.device)?;
        }
        let busy = Instant::now();
        copy.try_all(self.device)?;
        while self.is_gpu && busy.elapsed() < BUSY {
            copy.try_all(self.device)?;
        }
        let begin = Instant::now();
        for round in 0..self.most_rounds {
            if round >= FEWEST_ROUNDS && begin.elapsed() > ROUNDS_TIME {
                break;
            }
            progress(Progress { what: "rounds", done: round, all: self.most_rounds });
            // No step gets the input that the one before left in caches, or its own, and each is first once.
            let count = contenders.len();
            for turn in 0..count {
                contenders[(turn + round) % count].run(self.device, turn + 2 * round)?;
            }
            copy.run(self.device, round)?;
        }
        Ok(())
    }
}

/// The next length to try, of `wanted`; or the same, if that is all, or all that can be afforded.
fn next_len(len: u64, time: Duration, wanted: u64) -> u64 {
    // Times grow with lengths at most, as far as they are known.
    let affordable = |len_then: u64| {
        time.as_secs_f64() * len_then as f64 / len as f64 <= LONGEST_RUN.as_secs_f64()
    };
    if affordable(wanted) {
        return wanted;
    }
    let mut next = len;
    while next * 2 <= wanted && affordable(next * 2) {
        next *= 2;
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_grow_as_far_as_can_be_afforded() {
        let ms = Duration::from_millis;
        // All there is.
        assert_eq!(next_len(1000, ms(500), 1000), 1000);
        assert_eq!(next_len(1 << 16, ms(1), 1 << 17), 1 << 17);
        assert_eq!(next_len(1 << 16, ms(1), 100_000), 100_000);
        // 250 times as many take 250 ms: 2^7 times is the largest power of two.
        assert_eq!(next_len(1 << 16, ms(1), 1 << 25), 1 << 23);
        assert_eq!(next_len(1 << 22, ms(126), 1 << 25), 1 << 22);
        assert_eq!(next_len(1 << 16, ms(300), 1 << 25), 1 << 16);
    }
}
