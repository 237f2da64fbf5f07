//! Times of several programs in several rounds, joined to tables.

use super::line::{Measure, Measured, Operator};

/// The program that the others are compared with.
pub const GRIDFOLD: &str = "gridfold";

/// Sums in floats are rounded in as many orders as there are programs.
const TOLERANCE: f64 = 1e-4;

/// A program, and what it was asked to promise.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Column {
    program: String,
    mode: String,
}

/// What the programs measured, in the order they did.
#[derive(Default)]
pub struct Results(Vec<(Column, Measured)>);

/// Of the rounds of a time.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Time {
    median: f64,
    /// Between the fastest and the slowest, as a share of the median.
    spread: f64,
}

impl Results {
    pub fn add(&mut self, program: &str, measured: Measured) {
        let column = Column { program: program.to_owned(), mode: measured.mode.clone() };
        self.0.push((column, measured));
    }

    /// Whether the programs reduce the same elements to the same.
    ///
    /// # Errors
    ///
    /// A sentence that names two that do not.
    pub fn check_values(&self) -> Result<(), String> {
        let values = self.0.iter().filter_map(|row| Some((row, row.1.value?)));
        for (index, ((column, measured), value)) in values.clone().enumerate() {
            let mut earlier = values.clone().take(index);
            let same = |row: &Measured| {
                row.operator == measured.operator && row.log2_len == measured.log2_len
            };
            let Some(((first, _), expected)) = earlier.find(|((_, row), _)| same(row)) else {
                continue;
            };
            let Operator { name, element } = &measured.operator;
            let is_rounded = element == "f32" && name != "max";
            // Texts of one f32 may be read as neighbouring f64s. Integers are below 2^32, which both hold.
            let exactness = if element == "f32" { f64::from(f32::EPSILON) / 4.0 } else { 0.0 };
            let tolerance = expected.abs() * if is_rounded { TOLERANCE } else { exactness };
            if (value - expected).abs() > tolerance {
                return Err(format!(
                    "the {name} of the same 2^{} elements of {element} is {expected} by {} and {value} by {}",
                    measured.log2_len,
                    first.name(),
                    column.name()
                ));
            }
        }
        Ok(())
    }

    /// A table for each operator and measure, as lines.
    pub fn tables(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for operator in distinct(self.0.iter().map(|(_, measured)| &measured.operator)) {
            for measure in Measure::ALL {
                let columns = self.columns(operator, measure);
                // gridfold has no times of its own there.
                let only_gridfold = columns.iter().all(|column| column.program == GRIDFOLD);
                if columns.is_empty() || (measure == Measure::Queued && only_gridfold) {
                    continue;
                }
                lines.push(String::new());
                lines.push(format!(
                    "{} of {}: {}, in us",
                    operator.name,
                    operator.element,
                    title(measure)
                ));
                lines.extend(self.table(operator, measure, &columns));
            }
        }
        lines
    }

    fn table(&self, operator: &Operator, measure: Measure, columns: &[&Column]) -> Vec<String> {
        let mut cells: Vec<Vec<String>> = vec![
            head("", columns.iter().map(|column| column.program.clone())),
            head("elements", columns.iter().map(|column| column.mode.clone())),
        ];
        let mut spreads = vec![Vec::new(); columns.len()];
        for log2_len in self.lengths(operator, measure) {
            let times: Vec<Option<Time>> = columns
                .iter()
                .map(|column| self.time(column, operator, log2_len, measure))
                .collect();
            for (spreads, time) in spreads.iter_mut().zip(&times) {
                spreads.extend(time.map(|time| time.spread));
            }
            let first = times.first().copied().flatten();
            let text = times.iter().enumerate().map(|(index, time)| match (time, first) {
                (None, _) => "-".to_owned(),
                (Some(time), Some(first)) if index > 0 => {
                    format!("{:.2} ({:.2})", time.median, time.median / first.median)
                }
                (Some(time), _) => format!("{:.2}", time.median),
            });
            cells.push(head(&format!("2^{log2_len}"), text));
        }
        cells.push(head("spread", spreads.into_iter().map(spread_text)));
        aligned(&cells)
    }

    /// gridfold's times, and then a peer's, of sums of 2^25 f32s.
    pub fn beside(&self, program: &str) -> Option<String> {
        const LOG2_LEN: u32 = 25;
        let sum = Operator { name: "sum".to_owned(), element: "f32".to_owned() };
        let columns = self.columns(&sum, Measure::Batch);
        let time = |program: &str| {
            let column = columns.iter().find(|column| column.program == program)?;
            Some(self.time(column, &sum, LOG2_LEN, Measure::Batch)?.median)
        };
        let (gridfold, peer) = (time(GRIDFOLD)?, time(program)?);
        Some(format!(
            "sum of 2^{LOG2_LEN} f32s, one of 20 in a row: gridfold {gridfold:.2} us, {program} {peer:.2} us, \
             which is {:.2} times as long",
            peer / gridfold
        ))
    }

    /// gridfold's come first, since it runs first.
    fn columns(&self, operator: &Operator, measure: Measure) -> Vec<&Column> {
        distinct(self.0.iter().filter_map(|(column, measured)| {
            let has = *operator == measured.operator
                && measured.time(source(&column.program, measure)).is_some();
            has.then_some(column)
        }))
    }

    fn lengths(&self, operator: &Operator, measure: Measure) -> Vec<u32> {
        let of = self.0.iter().filter_map(|(column, measured)| {
            let has = *operator == measured.operator
                && measured.time(source(&column.program, measure)).is_some();
            has.then_some(measured.log2_len)
        });
        let mut lengths: Vec<u32> = of.collect();
        lengths.sort_unstable();
        lengths.dedup();
        lengths
    }

    fn time(
        &self,
        column: &Column,
        operator: &Operator,
        log2_len: u32,
        measure: Measure,
    ) -> Option<Time> {
        let rounds = self.0.iter().filter_map(|(of, measured)| {
            let is_it =
                of == column && measured.operator == *operator && measured.log2_len == log2_len;
            if is_it { measured.time(source(&column.program, measure)) } else { None }
        });
        let mut times: Vec<f64> = rounds.collect();
        times.sort_by(f64::total_cmp);
        let median = match times.len() {
            0 => return None,
            rounds if rounds % 2 == 1 => times[rounds / 2],
            rounds => f64::midpoint(times[rounds / 2 - 1], times[rounds / 2]),
        };
        let spread = (times.last()? - times.first()?) / median;
        Some(Time { median, spread })
    }
}

impl Measured {
    fn time(&self, measure: Measure) -> Option<f64> {
        self.times.iter().find(|(of, _)| *of == measure).map(|(_, time)| *time)
    }
}

impl Column {
    fn name(&self) -> String {
        if self.mode.is_empty() {
            self.program.clone()
        } else {
            format!("{} ({})", self.program, self.mode)
        }
    }
}

/// What a program measures for a measure. gridfold's commands are recorded before they are submitted, so the GPU never
/// waits for the host between timestamps.
fn source(program: &str, measure: Measure) -> Measure {
    if program == GRIDFOLD && measure == Measure::Queued { Measure::Single } else { measure }
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
fn distinct<'a, T: PartialEq>(items: impl Iterator<Item = &'a T>) -> Vec<&'a T> {
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

fn head(first: &str, others: impl Iterator<Item = String>) -> Vec<String> {
    std::iter::once(first.to_owned()).chain(others).collect()
}

/// Columns as wide as they need to be, the first to the left, others to the right.
fn aligned(cells: &[Vec<String>]) -> Vec<String> {
    let width = |column: usize| {
        cells.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max()
    };
    cells
        .iter()
        .map(|row| {
            let cells = row.iter().enumerate().map(|(column, cell)| {
                let width = width(column).unwrap_or(0);
                if column == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
            });
            cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{
        super::line::{Line, parse_all},
        *,
    };

    fn results(rounds: &[(&str, &str)]) -> Results {
        let mut results = Results::default();
        for (program, output) in rounds {
            for line in parse_all(program, output).expect("the lines are as they must be") {
                if let Line::Measured(measured) = line {
                    results.add(program, measured);
                }
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
        let results = results(&[
            ("gridfold", &slowest),
            ("cub", CUB_LINES),
            ("gridfold", GRIDFOLD_LINES),
            ("cub", CUB_LINES),
            ("gridfold", &slower),
        ]);
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
        let tables = results(&[("gridfold", GRIDFOLD_LINES)]).tables();
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
            results(&[("jax", jax)]).tables(),
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
        let results = results(&[("gridfold", GRIDFOLD_LINES), ("jax", jax), ("cub", CUB_LINES)]);
        let expected = "sum of 2^25 f32s, one of 20 in a row: gridfold 36.00 us, jax 45.00 us, which is 1.25 \
                        times as long";
        assert_eq!(results.beside("jax").as_deref(), Some(expected));
        assert_eq!(results.beside("cub"), None, "it has no such length");
        assert_eq!(results.beside("torch"), None, "it did not run");
    }

    #[test]
    fn values_that_differ() {
        let check =
            |lines: &str| results(&[("gridfold", GRIDFOLD_LINES), ("cub", lines)]).check_values();
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
            results(&[("cub", &lines)]).check_values()
        };
        assert_eq!(pair("f32", "mean"), Ok(()));
        assert!(pair("u32", "sum").is_err(), "integers are not rounded");
        assert!(pair("f32", "max").is_err(), "nor are maxima");
    }
}
