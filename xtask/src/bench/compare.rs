//! Two records: what is slower or faster, and what is noise.
//!
//! A record has some runs, each a process of its own. Within a run samples agree well, so what they differ by says little: between runs
//! the machine has another load, memory lies elsewhere, clocks have settled otherwise. So noise is what the *medians of runs* differ by,
//! as the standard deviation of their logarithms. Three runs tell little of it, a few hundred measurements of one device tell
//! much: each measurement's variance is drawn towards the typical one of all, as if that had been seen in four more runs
//! (a moderated variance, after Smyth, Statistical Applications in Genetics and Molecular Biology 3(1), 2004).
//!
//! A difference is a *change* if it is more than five times its standard error, and beyond the budget if it is greater than
//! that, too. Where five standard errors are more than the budget, a change of the budget's size can't be seen: such measurements are
//! counted, and those that nevertheless differ beyond the budget are named, but do not fail the comparison.

use super::record::{Measurement, Record, median};

/// Standard errors that noise does not reach: of a thousand comparisons, without any change, about one, with as few degrees of freedom.
const ERRORS: f64 = 5.0;
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
        if of(verdict).next().is_some() {
            println!("\n{heading}:");
            println!("{:64} {:>12} {:>12} {:>9} {:>9}", "", "old us", "new us", "change", "noise");
        }
        for comparison in of(verdict) {
            println!(
                "{:64} {:>12.2} {:>12.2} {:>+7.1} % {:>7.1} %",
                comparison.id,
                comparison.old_ns / 1e3,
                comparison.new_ns / 1e3,
                (comparison.ratio - 1.0) * 100.0,
                comparison.resolution * 100.0,
            );
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
    let ratios: Vec<f64> = comparisons.iter().map(|comparison| comparison.ratio).collect();
    let resolutions: Vec<f64> =
        comparisons.iter().map(|comparison| comparison.resolution).collect();
    println!(
        "In the middle new times are {:+.1} % from the old ones, and a change shows from {:.1} % on.",
        (median(&ratios) - 1.0) * 100.0,
        median(&resolutions) * 100.0
    );
    if blind > 0 {
        println!(
            "At {blind} of them a change of {budget_percent} % would not show: more runs, or a quieter machine, would help."
        );
    }
    match count(Verdict::Slower) {
        0 => Ok(()),
        slower => Err(format!("{slower} measurements are slower beyond {budget_percent} %")),
    }
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
    let variances: Vec<f64> = pairs.iter().map(|&(_, old, new)| variance(old, new).0).collect();
    // The median of a variance's distribution is below its mean, more so for few degrees of freedom (Wilson and Hilferty).
    let freedom =
        median(&pairs.iter().map(|&(_, old, new)| variance(old, new).1).collect::<Vec<_>>());
    let typical = median(&variances) / (1.0 - 2.0 / (9.0 * freedom)).powi(3);
    let compared = pairs.into_iter().zip(variances).map(|((id, old, new), variance_of_runs)| {
        let freedom = variance(old, new).1;
        let moderated =
            (PRIOR_FREEDOM * typical + freedom * variance_of_runs) / (PRIOR_FREEDOM + freedom);
        let deviation = moderated.sqrt().max(LEAST_DEVIATION);
        let runs = |measurement: &Measurement| measurement.runs_ns.len() as f64;
        let error = MEDIAN_TO_MEAN * deviation * (1.0 / runs(old) + 1.0 / runs(new)).sqrt();
        // Of medians, which a single run that was disturbed does not move.
        let difference = (new.median_ns / old.median_ns).ln();
        let resolution = (ERRORS * error).exp_m1();
        let is_change = difference.abs() > ERRORS * error;
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
        let mut random = Noise(seed);
        let measurement = |number: usize, random: &mut Noise| {
            let nanoseconds = 1000.0 * (number + 1) as f64 * factor(number);
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
        let old = record(1, 5, 0.005, |_| 1.0);
        let new = record(2, 5, 0.005, |number| match number {
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

    #[test]
    fn what_noise_hides_is_said_to_be_unclear() {
        let old = record(1, 3, 0.1, |_| 1.0);
        let new = record(2, 3, 0.1, |number| if number == 7 { 1.1 } else { 1.0 });
        let comparisons = compare(&old, &new, 0.05).expect("they compare");
        assert!(comparisons.iter().all(|comparison| comparison.resolution > 0.05));
        let verdicts = verdicts(&old, &new, 0.05);
        assert!(verdicts.contains(&Verdict::Unclear));
        print(&old, &new, 5.0).expect("nothing is slower for certain");
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
