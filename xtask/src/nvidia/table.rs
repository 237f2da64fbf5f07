//! Times of several programs in several rounds, joined to tables.

use super::line::{Measure, Measured};
use crate::{bench::median, columns::aligned};

/// The program that the others are compared with.
pub const GRIDFOLD: &str = "gridfold";

/// Sums in floats are rounded in as many orders as there are programs.
const TOLERANCE: f64 = 1e-4;

/// A program, and what it was asked to promise.
type Column<'a> = (&'a str, &'a str);

/// What the programs measured, in the order they did.
#[derive(Default)]
pub struct Results(Vec<(String, Measured)>);

/// Of the rounds of a time.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Time {
    median: f64,
    /// Between the fastest and the slowest, as a share of the median.
    spread: f64,
}

/// Every round of a measure of an operator: whose, at which length, and the time.
struct Times<'a>(Vec<(Column<'a>, u32, f64)>);

impl Results {
    pub fn add(&mut self, program: &str, measured: Measured) {
        self.0.push((program.to_owned(), measured));
    }

    /// Whether the programs reduce the same elements to the same.
    ///
    /// # Errors
    ///
    /// A sentence that names two that do not.
    pub fn check_values(&self) -> Result<(), String> {
        let rows = || self.0.iter().filter_map(|(program, it)| Some((program, it, it.value?)));
        for (index, (program, measured, value)) in rows().enumerate() {
            let what = |it: &Measured| (it.op.clone(), it.element.clone(), it.log2_len);
            let mut earlier = rows().take(index);
            let first = earlier.find(|(_, earlier, _)| what(earlier) == what(measured));
            let Some((first_program, first, expected)) = first else { continue };
            let (name, element, log2_len) = what(measured);
            let is_float = matches!(element.as_str(), "f32" | "f64");
            let is_rounded = is_float && !matches!(name.as_str(), "min" | "max");
            // Texts of one f32 may be read as neighbouring f64s. Integers are below 2^32, which both hold.
            let exactness = if is_float { f64::from(f32::EPSILON) / 4.0 } else { 0.0 };
            let tolerance = expected.abs() * if is_rounded { TOLERANCE } else { exactness };
            if (value - expected).abs() > tolerance {
                return Err(format!(
                    "the {name} of the same 2^{log2_len} elements of {element} is {expected} by {} and {value} by {}",
                    by(first_program, &first.mode),
                    by(program, &measured.mode),
                ));
            }
        }
        Ok(())
    }

    /// A table for each operator and measure, as lines.
    pub fn tables(&self) -> Vec<String> {
        let operators =
            distinct(self.0.iter().map(|(_, it)| (it.op.as_str(), it.element.as_str())));
        let mut lines = Vec::new();
        for (op, element) in operators {
            for measure in Measure::ALL {
                let times = self.times(op, element, measure);
                // gridfold has no times of its own there.
                let only_gridfold = times.columns().iter().all(|&(program, _)| program == GRIDFOLD);
                if times.0.is_empty() || (measure == Measure::Queued && only_gridfold) {
                    continue;
                }
                lines.push(String::new());
                lines.push(format!("{op} of {element}: {}, in us", title(measure)));
                lines.extend(times.table());
            }
        }
        lines
    }

    /// gridfold's times, and then a peer's, of sums of 2^25 f32s.
    pub fn beside(&self, peer: &str) -> Option<String> {
        const LOG2_LEN: u32 = 25;
        let times = self.times("sum", "f32", Measure::Batch);
        let time = |program: &str| {
            let column = times.columns().into_iter().find(|&(of, _)| of == program)?;
            Some(times.get(column, LOG2_LEN)?.median)
        };
        let (gridfold, of_peer) = (time(GRIDFOLD)?, time(peer)?);
        Some(format!(
            "sum of 2^{LOG2_LEN} f32s, one of 20 in a row: gridfold {gridfold:.2} us, {peer} {of_peer:.2} us, \
             which is {:.2} times as long",
            of_peer / gridfold
        ))
    }

    /// The medians of a program's times at a level, by the logarithm of the length.
    pub fn medians(
        &self,
        op: &str,
        element: &str,
        measure: Measure,
        column: (&str, &str),
    ) -> Vec<(u32, f64)> {
        let times = self.times(op, element, measure);
        let lengths = times.lengths().into_iter();
        lengths.filter_map(|len| Some((len, times.get(column, len)?.median))).collect()
    }

    fn times(&self, op: &str, element: &str, measure: Measure) -> Times<'_> {
        let rows = self.0.iter().filter(|(_, it)| it.op == op && it.element == element);
        let times = rows.filter_map(|(program, it)| {
            // gridfold's commands are recorded before they are submitted, so the GPU never waits for the host between
            // timestamps.
            let is_single = program == GRIDFOLD && measure == Measure::Queued;
            let time = it.time(if is_single { Measure::Single } else { measure })?;
            Some(((program.as_str(), it.mode.as_str()), it.log2_len, time))
        });
        Times(times.collect())
    }
}

impl<'a> Times<'a> {
    /// gridfold's come first, since it runs first.
    fn columns(&self) -> Vec<Column<'a>> {
        distinct(self.0.iter().map(|&(column, ..)| column))
    }

    fn get(&self, column: Column<'_>, log2_len: u32) -> Option<Time> {
        let rounds = self.0.iter().filter(|&&(of, len, _)| of == column && len == log2_len);
        let mut times: Vec<f64> = rounds.map(|&(.., time)| time).collect();
        times.sort_by(f64::total_cmp);
        let median = median(&times);
        Some(Time { median, spread: (times.last()? - times.first()?) / median })
    }

    /// In ascending order.
    fn lengths(&self) -> Vec<u32> {
        let mut lengths: Vec<u32> = self.0.iter().map(|&(_, log2_len, _)| log2_len).collect();
        lengths.sort_unstable();
        lengths.dedup();
        lengths
    }

    fn table(&self) -> Vec<String> {
        let columns = self.columns();
        let mut rows = vec![
            row("", columns.iter().map(|&(program, _)| program.to_owned())),
            row("elements", columns.iter().map(|&(_, mode)| mode.to_owned())),
        ];
        let mut spreads = vec![Vec::new(); columns.len()];
        for log2_len in self.lengths() {
            let times: Vec<Option<Time>> =
                columns.iter().map(|&column| self.get(column, log2_len)).collect();
            for (spreads, time) in spreads.iter_mut().zip(&times) {
                spreads.extend(time.map(|time| time.spread));
            }
            let first = times[0];
            let text = times.iter().enumerate().map(|(index, time)| match (time, first) {
                (None, _) => "-".to_owned(),
                (Some(time), Some(first)) if index > 0 => {
                    format!("{:.2} ({:.2})", time.median, time.median / first.median)
                }
                (Some(time), _) => format!("{:.2}", time.median),
            });
            rows.push(row(&format!("2^{log2_len}"), text));
        }
        rows.push(row("spread", spreads.into_iter().map(spread_text)));
        aligned(&rows, 1)
    }
}

fn by(program: &str, mode: &str) -> String {
    if mode.is_empty() { program.to_owned() } else { format!("{program} ({mode})") }
}

fn title(measure: Measure) -> &'static str {
    match measure {
        Measure::Single => "one reduction between timestamps",
        Measure::Queued => {
            "one reduction between timestamps, enqueued while the GPU is busy (gridfold as above)"
        }
        Measure::Batch => "one of 20 in a row",
        Measure::Host => "until the value is on the host, by the clock on the wall",
    }
}

/// In the order in which they first occur.
fn distinct<T: PartialEq>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut all = Vec::new();
    for item in items {
        if !all.contains(&item) {
            all.push(item);
        }
    }
    all
}

/// Of the median length and of the worst.
fn spread_text(mut spreads: Vec<f64>) -> String {
    spreads.sort_by(f64::total_cmp);
    match (spreads.get(spreads.len() / 2), spreads.last()) {
        (Some(median), Some(most)) => format!("{:.1}%, {:.1}%", median * 100.0, most * 100.0),
        _ => String::new(),
    }
}

fn row(first: &str, others: impl Iterator<Item = String>) -> Vec<String> {
    std::iter::once(first.to_owned()).chain(others).collect()
}

#[cfg(test)]
mod tests {
    use super::{
        super::line::{Line, parse},
        *,
    };

    fn results(rounds: &[&str]) -> Results {
        let mut results = Results::default();
        for line in rounds.iter().flat_map(|round| round.lines()).filter(|line| !line.is_empty()) {
            match parse(line) {
                Ok((program, _, Line::Measured(measured))) => results.add(&program, measured),
                other => panic!("{other:?}"),
            }
        }
        results
    }

    const GRIDFOLD_LINES: &str = r#"
{"program":"gridfold","op":"sum","type":"f32","mode":"reproducible","log2_len":10,"us":6,"us_batch":2.5,"value":500}
{"program":"gridfold","op":"sum","type":"f32","mode":"exact","log2_len":10,"us":9,"us_batch":5,"value":500.00001}
{"program":"gridfold","op":"sum","type":"f32","mode":"reproducible","log2_len":25,"us":40,"us_batch":36,"value":16777216}
"#;
    const CUB_LINES: &str = r#"
{"program":"cub","op":"sum","type":"f32","mode":"run_to_run","log2_len":10,"us":7.5,"us_queued":3,"us_batch":5,"value":500}
"#;

    #[test]
    fn a_table_for_each_measure() {
        let slower = GRIDFOLD_LINES.replace("\"us\":6", "\"us\":6.3");
        let slowest = GRIDFOLD_LINES.replace("\"us\":6", "\"us\":6.6");
        let results = results(&[&slowest, CUB_LINES, GRIDFOLD_LINES, CUB_LINES, &slower]);
        assert_eq!(
            results.tables(),
            [
                "",
                "sum of f32: one reduction between timestamps, in us",
                "              gridfold     gridfold          cub",
                "elements  reproducible        exact   run_to_run",
                "2^10              6.30  9.00 (1.43)  7.50 (1.19)",
                "2^25             40.00            -            -",
                "spread      9.5%, 9.5%   0.0%, 0.0%   0.0%, 0.0%",
                "",
                "sum of f32: one reduction between timestamps, enqueued while the GPU is busy (gridfold as \
                 above), in us",
                "              gridfold     gridfold          cub",
                "elements  reproducible        exact   run_to_run",
                "2^10              6.30  9.00 (1.43)  3.00 (0.48)",
                "2^25             40.00            -            -",
                "spread      9.5%, 9.5%   0.0%, 0.0%   0.0%, 0.0%",
                "",
                "sum of f32: one of 20 in a row, in us",
                "              gridfold     gridfold          cub",
                "elements  reproducible        exact   run_to_run",
                "2^10              2.50  5.00 (2.00)  5.00 (2.00)",
                "2^25             36.00            -            -",
                "spread      0.0%, 0.0%   0.0%, 0.0%   0.0%, 0.0%",
            ]
        );
    }

    #[test]
    fn without_peers() {
        let tables = results(&[GRIDFOLD_LINES]).tables();
        let titles: Vec<&String> = tables.iter().filter(|line| line.contains(':')).collect();
        assert_eq!(
            titles,
            [
                "sum of f32: one reduction between timestamps, in us",
                "sum of f32: one of 20 in a row, in us"
            ]
        );
        assert!(Results::default().tables().is_empty());
    }

    #[test]
    fn what_gridfold_has_no_time_for() {
        let jax =
            r#"{"program":"jax","op":"dot","type":"f32","mode":"wall","log2_len":10,"us_batch":9}"#;
        assert_eq!(
            results(&[jax]).tables(),
            [
                "",
                "dot of f32: one of 20 in a row, in us",
                "                 jax",
                "elements        wall",
                "2^10            9.00",
                "spread    0.0%, 0.0%",
            ]
        );
    }

    #[test]
    fn a_peer_beside_gridfold() {
        let jax = r#"{"program":"jax","op":"sum","type":"f32","mode":"wall","log2_len":25,"us_batch":45}"#;
        let results = results(&[GRIDFOLD_LINES, jax, CUB_LINES]);
        let expected = "sum of 2^25 f32s, one of 20 in a row: gridfold 36.00 us, jax 45.00 us, which is 1.25 \
                        times as long";
        assert_eq!(results.beside("jax").as_deref(), Some(expected));
        assert_eq!(results.beside("cub"), None, "it has no such length");
        assert_eq!(results.beside("torch"), None, "it did not run");
    }

    #[test]
    fn values_that_differ() {
        let check = |lines: &str| results(&[GRIDFOLD_LINES, lines]).check_values();
        assert_eq!(check(CUB_LINES), Ok(()));
        assert_eq!(check(&CUB_LINES.replace(":500}", ":500.04}")), Ok(()), "rounded otherwise");
        assert_eq!(
            check(&CUB_LINES.replace(":500}", ":500.06}")),
            Err("the sum of the same 2^10 elements of f32 is 500 by gridfold (reproducible) and 500.06 by cub \
                 (run_to_run)"
                .to_owned())
        );
        let of = |element: &str, op: &str, value: f64| {
            format!(
                r#"{{"program":"cub","op":"{op}","type":"{element}","mode":"","log2_len":10,"us":1,"value":{value}}}"#
            )
        };
        let pair = |element, op| {
            let lines = [of(element, op, 500.0), of(element, op, 500.04)].join("\n");
            results(&[&lines]).check_values()
        };
        assert_eq!(pair("f32", "mean"), Ok(()));
        assert!(pair("u32", "sum").is_err(), "integers are not rounded");
        assert!(pair("f32", "max").is_err(), "nor are maxima");
    }
}
