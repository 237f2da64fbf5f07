//! Two records: what is slower or faster, and what is noise.
//!
//! A record has some runs, each a process of its own. Within a run samples agree well, so what they differ by says little: between runs
//! the machine has another load, memory lies elsewhere, clocks have settled otherwise. So noise is what the *medians of runs* differ by,
//! as the standard deviation of their logarithms. Three runs tell little of it, a few hundred measurements of one device tell
//! much: a measurement whose runs happen to agree is taken to vary as its own variance and the typical one of its clock together say, as if
//! the typical one had been seen in four more runs (a moderated variance, after Smyth, Statistical Applications in Genetics and Molecular
//! Biology 3(1), 2004; but never less than its own). What a machine does differently on another day, or another card of the same kind, is in
//! no record: a copy, which is measured in each, shows some of it.
//!
//! A difference is a *change* if it is so many standard errors that noise gets there in one comparison of two whole records in twenty, by
//! Student's distribution and Bonferroni's bound; it is beyond the budget if it is greater than
//! that, too. Where as many standard errors are more than the budget, a change of the budget's size can't be seen. A comparison fails if something
//! is slower beyond the budget; if the measurements are in the middle; if most of them could not show it; or if one of the old ones
//! is no longer there.

use super::record::{Measurement, Record, median};
use crate::columns::aligned;
use std::{collections::HashMap, f64::consts::FRAC_PI_2};

/// How likely it may be that noise, of a normal distribution, passes for a change anywhere in a whole comparison.
const FALSE_ALARM: f64 = 0.05;
/// As how many degrees of freedom the typical variance counts.
const PRIOR_FREEDOM: f64 = 4.0;
/// How much less certain a median is than a mean, of many values with a normal distribution: the square root of π/2.
const MEDIAN_TO_MEAN: f64 = 1.253_314_137;
/// No measurement is more certain: a tenth of a per cent.
const LEAST_DEVIATION: f64 = 1e-3;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    /// Slower, beyond the budget.
    Slower,
    /// Faster, by more than the budget.
    Faster,
    /// Slower or faster, within the budget.
    Changed,
    /// No difference that is more than noise.
    Same,
    /// More than the budget, but not more than noise.
    Unclear,
}

#[derive(Debug)]
struct Comparison<'a> {
    id: &'a str,
    old_ns: f64,
    new_ns: f64,
    /// New to old.
    ratio: f64,
    /// The least change that is no noise, as a share.
    resolution: f64,
    verdict: Verdict,
}

impl Comparison<'_> {
    fn row(&self) -> [String; 5] {
        [
            self.id.to_owned(),
            format!("{:.2}", self.old_ns / 1e3),
            format!("{:.2}", self.new_ns / 1e3),
            format!("{:+.1} %", (self.ratio - 1.0) * 100.0),
            format!("{:.1} %", self.resolution * 100.0),
        ]
    }
}

/// Prints how the new record compares with the old one.
///
/// # Errors
///
/// A sentence, if something is slower beyond the budget, in per cent, or the records do not compare.
pub fn print(old: &Record, new: &Record, budget_percent: f64) -> Result<(), String> {
    if !(budget_percent > 0.0 && budget_percent.is_finite()) {
        return Err(format!("--budget {budget_percent}: a positive number of per cent"));
    }
    let comparisons = compare(old, new, budget_percent / 100.0)?;
    println!("old: {} ({})", old.title(), old.commit);
    println!("new: {} ({})", new.title(), new.commit);
    if old.device["adapter"] != new.device["adapter"] {
        println!("These are different devices or drivers.");
    }
    if let (Some(old), Some(new)) = (old.copy_gb_per_s(), new.copy_gb_per_s()) {
        println!("a copy: {old:.1} GB/s, then {new:.1}: {:+.1} %", (new / old - 1.0) * 100.0);
    }
    let of = |verdict| comparisons.iter().filter(move |comparison| comparison.verdict == verdict);
    for (verdict, heading) in [
        (Verdict::Slower, "slower beyond the budget"),
        (Verdict::Faster, "faster by more than the budget"),
        (Verdict::Changed, "changed, within the budget"),
        (Verdict::Unclear, "differing by more than the budget, but that may be noise"),
    ] {
        let head = [heading, "old us", "new us", "change", "noise"].map(str::to_owned);
        let rows: Vec<_> = [head].into_iter().chain(of(verdict).map(Comparison::row)).collect();
        if rows.len() > 1 {
            println!("\n{}", aligned(&rows, 1).join("\n"));
        }
    }
    let count = |verdict| of(verdict).count();
    let budget = budget_percent / 100.0;
    let blind = comparisons.iter().filter(|comparison| comparison.resolution > budget).count();
    println!(
        "\n{} compared: {} slower and {} faster beyond {budget_percent} %, {} changed within it, {} the same, {} unclear.",
        comparisons.len(),
        count(Verdict::Slower),
        count(Verdict::Faster),
        count(Verdict::Changed),
        count(Verdict::Same),
        count(Verdict::Unclear),
    );
    for (id, old) in &old.measurements {
        match new.measurements.get(id).map(|new| [&old.of, &new.of]) {
            None => println!("{id}: only in the old record"),
            Some([old, new]) if (&old.strategy, &old.variant) != (&new.strategy, &new.variant) => {
                println!(
                    "{id}: {}, {} before, now {}, {}",
                    old.strategy, old.variant, new.strategy, new.variant
                );
            }
            Some(_) => {}
        }
    }
    let lost = old.measurements.len() - comparisons.len();
    let more = new.measurements.len() - comparisons.len();
    if more > 0 {
        println!("{more} measurements are only in the new record.");
    }
    let median_of = |value: fn(&Comparison<'_>) -> f64| {
        median(&comparisons.iter().map(value).collect::<Vec<f64>>())
    };
    let middle = median_of(|comparison| comparison.ratio);
    println!(
        "In the middle new times are {:+.1} % from the old ones, and a change shows from {:.1} % on.",
        (middle - 1.0) * 100.0,
        median_of(|comparison| comparison.resolution) * 100.0
    );
    if blind > 0 {
        println!(
            "At {blind} of them a change of {budget_percent} % would not show: more runs, or a quieter machine, would help."
        );
    }
    let slower = count(Verdict::Slower);
    let problems = [
        (slower > 0).then(|| format!("{slower} measurements are slower beyond {budget_percent} %")),
        (middle > 1.0 + budget)
            .then(|| format!("in the middle they are slower by {:.1} %", (middle - 1.0) * 100.0)),
        (slower == 0 && 2 * blind > comparisons.len()).then(|| {
            format!(
                "{blind} of {} could not show a change of {budget_percent} %, so nothing is known",
                comparisons.len()
            )
        }),
        (lost > 0).then(|| format!("{} measurements are no longer there", lost)),
    ];
    let problems: Vec<String> = problems.into_iter().flatten().collect();
    if problems.is_empty() { Ok(()) } else { Err(problems.join("; ")) }
}

fn compare<'a>(
    old: &'a Record,
    new: &'a Record,
    budget: f64,
) -> Result<Vec<Comparison<'a>>, String> {
    let pairs: Vec<_> = old
        .measurements
        .iter()
        .filter_map(|(id, old)| Some((id.as_str(), old, new.measurements.get(id)?)))
        .collect();
    if pairs.is_empty() {
        return Err("the records have no measurement in common".into());
    }
    for &(id, old, new) in &pairs {
        if old.of.clock != new.of.clock || old.of.bytes != new.of.bytes {
            return Err(format!("{id}: not the same measurement in both records"));
        }
        if old.runs_ns.len() < 2 || new.runs_ns.len() < 2 {
            return Err(
                "noise shows between runs: both records need two or more, better three (--runs 3)"
                    .into(),
            );
        }
    }
    // Times by the clock on the wall vary more.
    let typical = |clock: &str| {
        let of_clock = pairs.iter().filter(|(_, old, _)| old.of.clock == clock);
        let (variances, freedoms): (Vec<f64>, Vec<f64>) =
            of_clock.map(|&(_, old, new)| variance(old, new)).unzip();
        // The median of a variance's distribution is below its mean, more so for few degrees of freedom (Wilson and Hilferty).
        median(&variances) / (1.0 - 2.0 / (9.0 * median(&freedoms))).powi(3)
    };
    let typicals = ["device", "wall"].map(|clock| (clock, typical(clock)));
    let typical_of = |clock: &str| -> f64 {
        typicals.iter().find(|(of, _)| *of == clock).map_or(0.0, |&(_, variance)| variance)
    };
    // There are few numbers of runs.
    let mut quantiles = HashMap::new();
    let compared = pairs.iter().map(|&(id, old, new)| {
        let (own, freedom) = variance(old, new);
        let typical = typical_of(&old.of.clock);
        let moderated = (PRIOR_FREEDOM * typical + freedom * own) / (PRIOR_FREEDOM + freedom);
        let deviation = moderated.max(own).sqrt().max(LEAST_DEVIATION);
        let freedom = if own > moderated { freedom } else { PRIOR_FREEDOM + freedom };
        let errors = *quantiles
            .entry(freedom.to_bits())
            .or_insert_with(|| student_quantile(FALSE_ALARM / pairs.len() as f64, freedom));
        let runs = |measurement: &Measurement| measurement.runs_ns.len() as f64;
        let error = MEDIAN_TO_MEAN * deviation * (1.0 / runs(old) + 1.0 / runs(new)).sqrt();
        // Of medians, which a single run that was disturbed does not move.
        let difference = (new.median_ns / old.median_ns).ln();
        let resolution = (errors * error).exp_m1();
        let is_change = difference.abs() > errors * error;
        // As much faster as it is slower: the same ratio the other way round.
        let is_beyond = difference.abs() > budget.ln_1p();
        let verdict = match (is_change, is_beyond) {
            (true, true) if difference > 0.0 => Verdict::Slower,
            (true, true) => Verdict::Faster,
            (true, false) => Verdict::Changed,
            (false, true) => Verdict::Unclear,
            (false, false) => Verdict::Same,
        };
        Comparison {
            id,
            old_ns: old.median_ns,
            new_ns: new.median_ns,
            ratio: difference.exp(),
            resolution,
            verdict,
        }
    });
    Ok(compared.collect())
}

/// What Student's distribution exceeds, to one of both sides, with this probability.
fn student_quantile(probability: f64, freedom: f64) -> f64 {
    // With t = √ν·tan(angle) the density becomes a power of the cosine. Simpson's rule is all but exact for that.
    let integral = |begin: f64, end: f64| {
        const STEPS: u32 = 400;
        let step = (end - begin) / f64::from(STEPS);
        let weighted = (0..=STEPS).map(|number| {
            let weight = match number {
                0 | STEPS => 1.0,
                _ if number % 2 == 1 => 4.0,
                _ => 2.0,
            };
            let cosine = (begin + f64::from(number) * step).cos().max(0.0);
            weight * cosine.powf(freedom - 1.0)
        });
        weighted.sum::<f64>() * step / 3.0
    };
    let whole = 2.0 * integral(0.0, FRAC_PI_2);
    let (mut low, mut high) = (0.0, FRAC_PI_2);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        // Both sides.
        if 2.0 * integral(middle, FRAC_PI_2) > probability * whole {
            low = middle;
        } else {
            high = middle;
        }
    }
    freedom.sqrt() * low.tan()
}

fn logs(measurement: &Measurement) -> Vec<f64> {
    measurement.run_medians().into_iter().map(f64::ln).collect()
}

fn mean_log(measurement: &Measurement) -> f64 {
    let logs = logs(measurement);
    logs.iter().sum::<f64>() / logs.len() as f64
}

/// Of the logarithms of the runs' medians, of both records together, and its degrees of freedom.
fn variance(old: &Measurement, new: &Measurement) -> (f64, f64) {
    let squares = |measurement| {
        let mean = mean_log(measurement);
        logs(measurement).iter().map(|log| (log - mean).powi(2)).sum::<f64>()
    };
    let freedom = (old.runs_ns.len() + new.runs_ns.len()) as f64 - 2.0;
    ((squares(old) + squares(new)) / freedom, freedom)
}

#[cfg(test)]
mod tests {
    use super::{super::record::Of, *};
    use std::collections::BTreeMap;

    /// Numbers without a pattern, about normal, with a standard deviation of 1.
    struct Noise(u64);

    impl Noise {
        fn next(&mut self) -> f64 {
            let mut uniform = || {
                self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (self.0 >> 33) as f64 / (1u64 << 31) as f64
            };
            (0..12).map(|_| uniform()).sum::<f64>() - 6.0
        }
    }

    /// 300 measurements in some runs, which differ by `noise`, each with a factor of its own.
    fn record(seed: u64, runs: usize, noise: f64, factor: impl Fn(usize) -> f64) -> Record {
        record_of(seed, runs, |_| noise, factor)
    }

    fn record_of(
        seed: u64,
        runs: usize,
        noise: impl Fn(usize) -> f64,
        factor: impl Fn(usize) -> f64,
    ) -> Record {
        let mut random = Noise(seed);
        let measurement = |number: usize, random: &mut Noise| {
            let nanoseconds = 1000.0 * (number + 1) as f64 * factor(number);
            let noise = noise(number);
            let runs_ns: Vec<Vec<f64>> = (0..runs)
                .map(|_| {
                    let run = nanoseconds * (noise * random.next()).exp();
                    (0..10).map(|_| run * (noise * 0.1 * random.next()).exp()).collect()
                })
                .collect();
            let of = Of {
                operator: "sum".into(),
                element: "f32".into(),
                precision: "exact".into(),
                strategy: "auto".into(),
                variant: "auto".into(),
                log2_len: 10,
                bytes: 4096,
                clock: "device".into(),
            };
            let medians: Vec<f64> = runs_ns.iter().map(|run| median(run)).collect();
            Measurement { of, median_ns: median(&medians), spread_percent: 0.0, runs_ns }
        };
        Record {
            format: 1,
            gridfold: String::new(),
            commit: String::new(),
            date: String::new(),
            device: serde_json::Value::Null,
            measurements: (0..300)
                .map(|number| (format!("{number:03}"), measurement(number, &mut random)))
                .collect::<BTreeMap<_, _>>(),
        }
    }

    fn verdicts(old: &Record, new: &Record, budget: f64) -> Vec<Verdict> {
        let comparisons = compare(old, new, budget).expect("they compare");
        comparisons.into_iter().map(|comparison| comparison.verdict).collect()
    }

    #[test]
    fn noise_is_no_change() {
        for seed in 0..20 {
            let old = record(2 * seed + 1, 3, 0.01, |_| 1.0);
            let new = record(2 * seed + 2, 3, 0.01, |_| 1.0);
            let verdicts = verdicts(&old, &new, 0.05);
            assert!(!verdicts.contains(&Verdict::Slower), "seed {seed}");
            assert!(!verdicts.contains(&Verdict::Faster), "seed {seed}");
        }
    }

    #[test]
    fn a_change_beyond_the_budget_is_found_and_nothing_else() {
        let old = record(1, 5, 0.003, |_| 1.0);
        let new = record(2, 5, 0.003, |number| match number {
            7 => 1.07,
            8 => 1.0 / 1.07,
            9 => 1.025,
            _ => 1.0,
        });
        let verdicts = verdicts(&old, &new, 0.05);
        assert_eq!(verdicts[7], Verdict::Slower);
        assert_eq!(verdicts[8], Verdict::Faster);
        assert_eq!(verdicts[9], Verdict::Changed);
        let beyond = |verdict: &&Verdict| matches!(verdict, Verdict::Slower | Verdict::Faster);
        assert_eq!(verdicts.iter().filter(beyond).count(), 2);
        print(&old, &new, 5.0).expect_err("slower beyond the budget");
        print(&old, &old, 5.0).expect("the same");
    }

    /// Some measurements are ten times as noisy as others.
    #[test]
    fn noise_of_all_sizes_is_no_change() {
        let noise = |number: usize| [0.002, 0.005, 0.02][number % 3];
        let failures = (0..40).filter(|seed| {
            let old = record_of(2 * seed + 1, 3, noise, |_| 1.0);
            let new = record_of(2 * seed + 2, 3, noise, |_| 1.0);
            verdicts(&old, &new, 0.05).contains(&Verdict::Slower)
        });
        assert!(failures.count() <= 4);
    }

    /// From printed tables.
    #[test]
    fn quantiles_of_student() {
        for (probability, freedom, expected) in [
            (0.05, 4.0, 2.776_445),
            (0.05, 8.0, 2.306_004),
            (0.001, 4.0, 8.610_302),
            (0.001, 8.0, 5.041_305),
            (0.05, 2.0, 4.302_653),
        ] {
            let quantile = student_quantile(probability, freedom);
            assert!((quantile - expected).abs() < 1e-4, "{probability}, {freedom}: {quantile}");
        }
    }

    #[test]
    fn what_all_have_in_common_is_a_change() {
        let old = record(1, 3, 0.005, |_| 1.0);
        let new = record(2, 3, 0.005, |_| 1.06);
        assert!(print(&old, &new, 5.0).expect_err("slower").contains("in the middle"));
    }

    #[test]
    fn what_is_no_longer_there_is_missed() {
        let old = record(1, 3, 0.005, |_| 1.0);
        let mut new = old.clone();
        new.measurements.remove("007");
        assert_eq!(print(&old, &new, 5.0), Err("1 measurements are no longer there".to_owned()));
        print(&new, &old, 5.0).expect("one more is no loss");
    }

    #[test]
    fn what_noise_hides_is_said_to_be_unclear() {
        let old = record(1, 3, 0.1, |_| 1.0);
        let new = record(2, 3, 0.1, |number| if number == 7 { 1.1 } else { 1.0 });
        let comparisons = compare(&old, &new, 0.05).expect("they compare");
        assert!(comparisons.iter().all(|comparison| comparison.resolution > 0.05));
        let verdicts = verdicts(&old, &new, 0.05);
        assert!(verdicts.contains(&Verdict::Unclear));
        assert!(!verdicts.contains(&Verdict::Slower));
        let problem = print(&old, &new, 5.0).expect_err("nothing is known");
        assert!(problem.contains("nothing is known"), "{problem}");
    }

    #[test]
    fn what_does_not_compare_is_an_error() {
        let record = |runs| record(1, runs, 0.01, |_| 1.0);
        assert!(compare(&record(1), &record(3), 0.05).is_err());
        let mut other = record(3);
        other.measurements.clear();
        assert!(compare(&record(3), &other, 0.05).is_err());
        let mut other = record(3);
        for measurement in other.measurements.values_mut() {
            measurement.of.clock = "wall".into();
        }
        assert!(compare(&record(3), &other, 0.05).is_err());
        assert!(print(&record(3), &record(3), 0.0).is_err());
        assert!(print(&record(3), &record(3), f64::NAN).is_err());
    }
}
