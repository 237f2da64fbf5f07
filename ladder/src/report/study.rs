//! Studies, as text and as JSON.

use super::{gb_per_s, nanoseconds, significant, time};
use crate::studying::{Studied, Subject, Timed};
use serde::Serialize;
use std::{
    io::{self, Write},
    time::Duration,
};

/// A study. What was not run has no numbers.
#[derive(Debug, Serialize)]
pub struct StudyLine {
    study: &'static str,
    name: &'static str,
    mechanism: Option<&'static str>,
    not_run: Option<String>,
    #[serde(flatten)]
    numbers: Option<StudyNumbers>,
}

#[derive(Debug, Serialize)]
struct StudyNumbers {
    ns: u64,
    is_device_time: bool,
    is_right: bool,
    ns_per_call: Option<f64>,
    gb_per_s: Option<f64>,
    share_of_copy: Option<f64>,
    gflop_per_s: Option<f64>,
}

const COST: &str = "cost";
const OCCUPANCY: &str = "occupancy";
const PRODUCT: &str = "product";

impl StudyLine {
    pub fn new(study: &Studied, copy_gb_per_s: f64) -> Self {
        let numbers = study.outcome.as_ref().ok().map(|timed| {
            let Timed { time, is_device_time, is_right, calls, bytes, operations } = *timed;
            let gb_per_s = bytes.map(|bytes| gb_per_s(bytes, time));
            StudyNumbers {
                ns: nanoseconds(time),
                is_device_time,
                is_right,
                ns_per_call: calls.map(|calls| time.as_secs_f64() * 1e9 / calls as f64),
                gb_per_s,
                share_of_copy: gb_per_s.map(|speed| speed / copy_gb_per_s),
                gflop_per_s: operations.map(|count| count as f64 / time.as_secs_f64() / 1e9),
            }
        });
        let study_name = match study.subject {
            Subject::Cost => COST,
            Subject::Occupancy => OCCUPANCY,
            Subject::Product => PRODUCT,
        };
        Self {
            study: study_name,
            name: study.name,
            mechanism: study.variant.map(gridfold::Variant::name),
            not_run: study.outcome.as_ref().err().cloned(),
            numbers,
        }
    }

    pub fn is_run(&self) -> bool {
        self.numbers.is_some()
    }

    pub fn is_wrong(&self) -> bool {
        self.numbers.as_ref().is_some_and(|numbers| !numbers.is_right)
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let mechanism = self.mechanism.unwrap_or_default();
        write!(out, "{:<37} {mechanism:<16}", self.name)?;
        let Some(numbers) = &self.numbers else {
            return writeln!(out, " not run: {}", self.not_run.as_deref().unwrap_or_default());
        };
        let mark = if numbers.is_device_time { "" } else { "~" };
        let number = |number: Option<f64>| number.map(significant).unwrap_or_default();
        writeln!(
            out,
            " {:>11} {:>11} {:>8} {:>8} {:>9}{}",
            format!("{mark}{}", time(Duration::from_nanos(numbers.ns))),
            number(numbers.ns_per_call),
            number(numbers.gb_per_s),
            numbers.share_of_copy.map(|share| format!("{:.1}%", share * 100.0)).unwrap_or_default(),
            number(numbers.gflop_per_s),
            if numbers.is_right { "" } else { "  WRONG" }
        )
    }
}

/// The tables.
pub fn write(studies: &[StudyLine], out: &mut impl Write) -> io::Result<()> {
    for (of, title) in [
        (
            COST,
            "What a collective costs: calls by workgroups of 256, each after the one before. ns are of all workgroups together",
        ),
        (
            OCCUPANCY,
            "Occupancy and spilling: rung 12 with other workgroups, with workgroup memory as ballast, with an array that spills",
        ),
        (
            PRODUCT,
            "Products of matrices of 240 rows (64 on drivers in software), inner products by collectives. GB/s are of what lanes load, most of it from caches",
        ),
    ] {
        let mut lines = studies.iter().filter(|study| study.study == of).peekable();
        if lines.peek().is_none() {
            continue;
        }
        writeln!(out, "\n{title}")?;
        writeln!(
            out,
            "{:<37} {:<16} {:>11} {:>11} {:>8} {:>8} {:>9}",
            "", "", "time", "ns per call", "GB/s", "of copy", "GFLOP/s"
        )?;
        lines.try_for_each(|line| line.write(out))?;
    }
    Ok(())
}
