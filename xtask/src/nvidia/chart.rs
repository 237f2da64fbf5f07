//! The chart of f32 sums: gridfold's and the peers' times by length.

use super::{
    line::Measure,
    table::{GRIDFOLD, Results},
};
use charts::{Line, LineChart, Scale};

/// Whose sums the chart has, at which level, and what its legend says.
const LINES: [(&str, &str, &str); 5] = [
    (GRIDFOLD, "reproducible", "gridfold, reproducible"),
    (GRIDFOLD, "exact", "gridfold, exact"),
    ("cub", "run_to_run", "CUB"),
    ("cub", "gpu_to_gpu", "CUB, gpu_to_gpu"),
    ("torch", "", "PyTorch"),
];

/// An SVG of the lines that were measured.
///
/// # Errors
///
/// A sentence, if none was.
pub fn svg(results: &Results, device: &str) -> Result<String, String> {
    let lines = LINES.into_iter().map(|(program, mode, name)| Line {
        name: name.to_owned(),
        points: results.medians("sum", "f32", Measure::Single, (program, mode)),
    });
    let lines: Vec<Line> = lines.filter(|line| !line.points.is_empty()).collect();
    if lines.is_empty() {
        return Err("no sums of f32s were measured: there is nothing to draw".to_owned());
    }
    let chart = LineChart {
        title: "Sums of f32s: time by length",
        subtitle: &format!("{device}, one reduction between timestamps; lower is better"),
        unit: "µs",
        axis: "elements",
        scale: Scale::Logarithmic,
        lines,
        reference: None,
    };
    chart.svg().map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nvidia::line::{Line, parse};

    #[test]
    fn a_chart_has_the_lines_that_were_measured() {
        let mut results = Results::default();
        assert!(svg(&results, "a device").is_err());
        for text in [
            r#"{"program":"gridfold","op":"sum","type":"f32","mode":"exact","log2_len":10,"us":6}"#,
            r#"{"program":"cub","op":"sum","type":"f32","mode":"run_to_run","log2_len":10,"us":8}"#,
            r#"{"program":"cub","op":"sum","type":"u32","mode":"gpu_to_gpu","log2_len":10,"us":8}"#,
        ] {
            let (program, _, line) = parse(text).expect("a line");
            let Line::Measured(measured) = line else { panic!("{text}") };
            results.add(&program, measured);
        }
        let svg = svg(&results, "a device").expect("drawn");
        assert!(svg.contains("a device") && svg.contains("gridfold, exact") && svg.contains("CUB"));
        assert!(!svg.contains("gpu_to_gpu") && !svg.contains("PyTorch"));
    }
}
