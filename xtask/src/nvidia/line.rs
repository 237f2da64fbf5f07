//! What the programs print: an object of JSON in each line.

use serde::Deserialize;
use serde_json::{Map, Value};

/// A program's line.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Line {
    /// What runs, and on what.
    About {
        version: String,
        device: String,
    },
    /// What a copy reads and writes in a second.
    Copy {
        copy_gb_per_s: f64,
    },
    /// What it left out, and why.
    Skipped {
        skipped: String,
    },
    Measured(Measured),
}

/// Times of an operator at a length, in µs.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measured {
    pub op: String,
    #[serde(rename = "type")]
    pub element: String,
    /// A level of precision or determinism; empty where a program has only one.
    pub mode: String,
    pub log2_len: u32,
    /// What the reduction of input number 0 is.
    pub value: Option<f64>,
    us: Option<f64>,
    us_queued: Option<f64>,
    us_batch: Option<f64>,
    us_host: Option<f64>,
}

/// How a time is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Between timestamps before and after one reduction.
    Single,
    /// The same, behind work that keeps the GPU busy while the host enqueues it.
    Queued,
    /// A twentieth of 20 in a row.
    Batch,
    /// By the clock on the wall, until the value is on the host.
    Host,
}

impl Measure {
    pub const ALL: [Self; 4] = [Self::Single, Self::Queued, Self::Batch, Self::Host];
}

impl Measured {
    pub fn time(&self, measure: Measure) -> Option<f64> {
        match measure {
            Measure::Single => self.us,
            Measure::Queued => self.us_queued,
            Measure::Batch => self.us_batch,
            Measure::Host => self.us_host,
        }
    }
}

/// A line, the program that it is by, and the round if it says so, as those of records do.
///
/// # Errors
///
/// What is wrong with it.
pub fn parse(text: &str) -> Result<(String, Option<u64>, Line), String> {
    let mut object: Map<String, Value> =
        serde_json::from_str(text).map_err(|_| "not an object of JSON")?;
    let Some(Value::String(program)) = object.remove("program") else {
        return Err("`program` is not a text".to_owned());
    };
    let round = object.remove("round").and_then(|round| round.as_u64());
    let line = Line::deserialize(Value::Object(object))
        .map_err(|_| "no line of a known kind".to_owned())?;
    if let Line::Measured(measured) = &line {
        let mut times =
            Measure::ALL.iter().filter_map(|&measure| measured.time(measure)).peekable();
        if times.peek().is_none() || times.any(|time| time <= 0.0) {
            return Err("there is no time, or one that is not positive".to_owned());
        }
    }
    Ok((program, round, line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_all_kinds() {
        let line = |text| parse(text).expect("it is one");
        let about = r#"{"program":"cub","version":"CUB 3.5.0","device":"NVIDIA H200"}"#;
        let is = Line::About { version: "CUB 3.5.0".into(), device: "NVIDIA H200".into() };
        assert_eq!(line(about), ("cub".into(), None, is));
        let skipped = r#"{"round":3,"program":"cub","skipped":"gpu_to_gpu"}"#;
        let is = Line::Skipped { skipped: "gpu_to_gpu".into() };
        assert_eq!(line(skipped), ("cub".into(), Some(3), is));
        let copy = r#"{"program":"cub","copy_gb_per_s":4277.6}"#;
        assert_eq!(line(copy).2, Line::Copy { copy_gb_per_s: 4277.6 });
        let measured = r#"{"program":"cub","op":"sum","type":"f32","mode":"run_to_run","log2_len":20,"us":11.2,"us_queued":7,"us_batch":8.7,"value":524288.5}"#;
        let Line::Measured(measured) = line(measured).2 else { panic!("it is measured") };
        assert_eq!(measured.op, "sum");
        assert_eq!(measured.value, Some(524288.5));
        let times = Measure::ALL.map(|measure| measured.time(measure));
        assert_eq!(times, [Some(11.2), Some(7.0), Some(8.7), None]);
    }

    #[test]
    fn lines_that_are_not_as_they_must_be() {
        let sum = |rest: &str| format!(r#"{{"program":"cub","op":"sum","type":"f32",{rest}}}"#);
        for text in [
            "Killed",
            r#"{"program":"cub","op":"sum","#,
            "[1]",
            r#"{"skipped":"all"}"#,
            r#"{"program":"cub","skipped":1}"#,
            r#"{"program":"cub","version":"3"}"#,
            &sum(r#""log2_len":10,"us":1"#),
            &sum(r#""mode":"","us":1"#),
            &sum(r#""mode":"","log2_len":10.5,"us":1"#),
            &sum(r#""mode":"","log2_len":10"#),
            &sum(r#""mode":"","log2_len":10,"us":-1"#),
            &sum(r#""mode":"","log2_len":10,"us_batch":null"#),
            &sum(r#""mode":"","log2_len":10,"us":1,"value":"x""#),
            &sum(r#""mode":"","log2_len":10,"us":1,"ms":1"#),
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
