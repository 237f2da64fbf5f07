//! What the programs print: an object of JSON in each line.

use serde_json::{Map, Value};

/// A program's line.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    /// What runs, and on what.
    About {
        version: String,
        device: String,
    },
    /// What a copy reads and writes in a second.
    Copy {
        gb_per_s: f64,
    },
    /// What it left out, and why.
    Skipped(String),
    Measured(Measured),
}

/// Times of an operator at a length.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    pub operator: Operator,
    /// A level of precision or determinism; empty where a program has only one.
    pub mode: String,
    pub log2_len: u32,
    /// What the reduction of input number 0 is.
    pub value: Option<f64>,
    /// In µs.
    pub times: Vec<(Measure, f64)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operator {
    pub name: String,
    pub element: String,
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

    fn key(self) -> &'static str {
        match self {
            Self::Single => "us",
            Self::Queued => "us_queued",
            Self::Batch => "us_batch",
            Self::Host => "us_host",
        }
    }
}

/// The lines of a program's output.
///
/// # Errors
///
/// A sentence that names the first line that is not as it must be.
pub fn parse_all(program: &str, output: &str) -> Result<Vec<Line>, String> {
    let lines = output.lines().zip(1..).filter(|(text, _)| !text.trim().is_empty());
    lines
        .map(|(text, number)| {
            parse(program, text)
                .map_err(|problem| format!("{program}, line {number}: {problem}: {text}"))
        })
        .collect()
}

fn parse(program: &str, text: &str) -> Result<Line, String> {
    let Ok(Value::Object(mut object)) = serde_json::from_str(text) else {
        return Err("not an object of JSON".to_owned());
    };
    let name = take_text(&mut object, "program")?;
    if name != program {
        return Err(format!("it is by {name}"));
    }
    let line = if object.contains_key("skipped") {
        Line::Skipped(take_text(&mut object, "skipped")?)
    } else if object.contains_key("version") {
        Line::About {
            version: take_text(&mut object, "version")?,
            device: take_text(&mut object, "device")?,
        }
    } else if object.contains_key("copy_gb_per_s") {
        Line::Copy { gb_per_s: take_positive(&mut object, "copy_gb_per_s")? }
    } else {
        Line::Measured(take_measured(&mut object)?)
    };
    match object.keys().next() {
        None => Ok(line),
        Some(key) => Err(format!("nothing is known of `{key}`")),
    }
}

fn take_measured(object: &mut Map<String, Value>) -> Result<Measured, String> {
    let operator = Operator { name: take_text(object, "op")?, element: take_text(object, "type")? };
    let mode = take_text(object, "mode")?;
    let log2_len = object
        .remove("log2_len")
        .and_then(|value| u32::try_from(value.as_u64()?).ok())
        .filter(|&log2_len| log2_len < 64)
        .ok_or("`log2_len` is not a number below 64")?;
    let value = match object.remove("value") {
        None => None,
        Some(value) => Some(value.as_f64().ok_or("`value` is not a number")?),
    };
    let mut times = Vec::new();
    for measure in Measure::ALL {
        if object.contains_key(measure.key()) {
            times.push((measure, take_positive(object, measure.key())?));
        }
    }
    if times.is_empty() {
        return Err("there is no time".to_owned());
    }
    Ok(Measured { operator, mode, log2_len, value, times })
}

fn take_text(object: &mut Map<String, Value>, key: &str) -> Result<String, String> {
    match object.remove(key) {
        Some(Value::String(text)) => Ok(text),
        _ => Err(format!("`{key}` is not a text")),
    }
}

fn take_positive(object: &mut Map<String, Value>, key: &str) -> Result<f64, String> {
    object
        .remove(key)
        .and_then(|value| value.as_f64())
        .filter(|&number| number > 0.0)
        .ok_or_else(|| format!("`{key}` is not a positive number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_all_kinds() {
        let output = r#"
{"program":"cub","version":"CUB 3.5.0","device":"NVIDIA H200"}
{"program":"cub","skipped":"gpu_to_gpu"}
{"program":"cub","copy_gb_per_s":4277.6}

{"program":"cub","op":"sum","type":"f32","mode":"run_to_run","log2_len":20,"us":11.2,"us_queued":7,"us_batch":8.7,"value":524288.5}
{"program":"cub","op":"sum","type":"f32","mode":"run_to_run","log2_len":20,"us_host":30.5}
"#;
        let measured = |value, times| {
            Line::Measured(Measured {
                operator: Operator { name: "sum".into(), element: "f32".into() },
                mode: "run_to_run".into(),
                log2_len: 20,
                value,
                times,
            })
        };
        assert_eq!(
            parse_all("cub", output),
            Ok(vec![
                Line::About { version: "CUB 3.5.0".into(), device: "NVIDIA H200".into() },
                Line::Skipped("gpu_to_gpu".into()),
                Line::Copy { gb_per_s: 4277.6 },
                measured(
                    Some(524288.5),
                    vec![(Measure::Single, 11.2), (Measure::Queued, 7.0), (Measure::Batch, 8.7)]
                ),
                measured(None, vec![(Measure::Host, 30.5)]),
            ])
        );
    }

    #[track_caller]
    fn refuse(text: &str, problem: &str) {
        let good = r#"{"program":"cub","skipped":"this"}"#;
        let expected = format!("cub, line 2: {problem}: {text}");
        assert_eq!(parse_all("cub", &format!("{good}\n{text}\n{good}")), Err(expected));
    }

    #[test]
    fn the_line_that_is_not_as_it_must_be() {
        refuse("Killed", "not an object of JSON");
        refuse(r#"{"program":"cub","op":"sum","#, "not an object of JSON");
        refuse(r#"[1]"#, "not an object of JSON");
        refuse(r#"{"skipped":"all"}"#, "`program` is not a text");
        refuse(r#"{"program":"torch","skipped":"all"}"#, "it is by torch");
        refuse(r#"{"program":"cub","skipped":1}"#, "`skipped` is not a text");
        refuse(r#"{"program":"cub","version":"3"}"#, "`device` is not a text");
        refuse(
            r#"{"program":"cub","copy_gb_per_s":0}"#,
            "`copy_gb_per_s` is not a positive number",
        );
    }

    #[test]
    fn a_measurement_that_is_not_as_it_must_be() {
        let refuse = |rest: &str, problem| {
            refuse(&format!(r#"{{"program":"cub","op":"sum","type":"f32",{rest}}}"#), problem);
        };
        refuse(r#""log2_len":10,"us":1"#, "`mode` is not a text");
        refuse(r#""mode":"","us":1"#, "`log2_len` is not a number below 64");
        refuse(r#""mode":"","log2_len":10.5,"us":1"#, "`log2_len` is not a number below 64");
        refuse(r#""mode":"","log2_len":64,"us":1"#, "`log2_len` is not a number below 64");
        refuse(r#""mode":"","log2_len":10"#, "there is no time");
        refuse(r#""mode":"","log2_len":10,"us":-1"#, "`us` is not a positive number");
        refuse(r#""mode":"","log2_len":10,"us_batch":null"#, "`us_batch` is not a positive number");
        refuse(r#""mode":"","log2_len":10,"us":1,"value":"x""#, "`value` is not a number");
        refuse(r#""mode":"","log2_len":10,"us":1,"ms":1"#, "nothing is known of `ms`");
    }
}
