//! The charts of a record.

use super::record::Record;
use charts::{Line, LineChart, Scale};
use std::collections::BTreeMap;

/// Names and SVGs: those for which the record has measurements.
///
/// # Errors
///
/// A sentence, if one can't be drawn.
pub fn of(record: &Record) -> Result<Vec<(&'static str, String)>, String> {
    let title = record.title();
    let bandwidth = |what, title_of| LineChart {
        title: title_of,
        subtitle: &title,
        unit: "GB/s",
        axis: "elements",
        scale: Scale::Linear,
        lines: lines(record, what, |measurement| measurement.gb_per_s()),
        reference: record.copy_gb_per_s().map(|copy| ("a copy, read and written", copy)),
    };
    let all = [
        ("f32", bandwidth("f32 sum", "f32 sums by precision and strategy: bandwidth by length")),
        ("u32", bandwidth("u32 sum", "u32 sums by strategy: bandwidth by length")),
        (
            "host",
            LineChart {
                title: "From the call until the value is on the host",
                subtitle: &title,
                unit: "µs",
                axis: "elements",
                scale: Scale::Logarithmic,
                lines: lines(record, "value on the host", |measurement| {
                    measurement.median_ns / 1e3
                }),
                reference: None,
            },
        ),
    ];
    all.into_iter()
        .filter(|(_, chart)| !chart.lines.is_empty())
        .map(|(name, chart)| Ok((name, chart.svg().map_err(|error| error.to_string())?)))
        .collect()
}

/// A line for each name in a group of measurements.
fn lines(
    record: &Record,
    group: &str,
    value: impl Fn(&super::record::Measurement) -> f64,
) -> Vec<Line> {
    let mut lines: BTreeMap<&str, Vec<(u32, f64)>> = BTreeMap::new();
    for (id, measurement) in &record.measurements {
        let Some((name, _)) = id
            .strip_prefix(group)
            .and_then(|rest| rest.strip_prefix('/'))
            .and_then(|rest| rest.rsplit_once('/'))
        else {
            continue;
        };
        lines.entry(name).or_default().push((measurement.of.log2_len, value(measurement)));
    }
    lines
        .into_iter()
        .map(|(name, mut points)| {
            points.sort_unstable_by_key(|&(log2_len, _)| log2_len);
            Line { name: name.to_owned(), points }
        })
        .collect()
}
