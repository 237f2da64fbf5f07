//! The chart of sums of segments: gridfold's and CUB's times by length, of what two programs printed.

use charts::{Line, LineChart, Scale};

/// What was added up, as a program says it, and the time in µs.
type Row = (String, f64);

/// An SVG of what `cargo bench --bench segments` and cub_scans.cu printed.
///
/// # Errors
///
/// A sentence, if they ran on two devices, or did not measure what the chart compares.
pub fn svg(gridfold: &str, cub: &str) -> Result<String, String> {
    let (_, device) = about(gridfold, cub)?;
    let elements = gridfold.lines().find_map(|line| line.strip_suffix(" f32"));
    let elements = elements.ok_or("gridfold's record does not say how many elements there are")?;
    let rows: Vec<Row> = gridfold.lines().filter_map(row_of_gridfold).collect();
    let rows_of_cub: Vec<Row> = cub.lines().filter_map(|line| row_of_cub(line, elements)).collect();
    let lines = [
        ("gridfold, rows", points(&rows, "rows of ")),
        ("gridfold, between offsets", points(&rows, "offsets by ")),
        ("CUB, between offsets", points(&rows_of_cub, "segments of ")),
    ];
    if let Some((name, _)) = lines.iter().find(|(_, points)| points.is_empty()) {
        return Err(format!("{name}: no sums of segments of {elements} elements were measured"));
    }
    let all = rows.iter().find(|(what, _)| what == "all");
    let chart = LineChart {
        title: "Sums of segments: time by the length of the segments",
        subtitle: &format!("{device}, {elements} f32s in all, between timestamps; lower is better"),
        unit: "µs",
        axis: "elements of each segment",
        scale: Scale::Logarithmic,
        lines: lines.map(|(name, points)| Line { name: name.to_owned(), points }).into(),
        reference: all.map(|&(_, us)| ("gridfold, one sum of all", us)),
    };
    chart.svg().map_err(|error| error.to_string())
}

/// The version of CUB, and the device that both programs ran on.
///
/// # Errors
///
/// A sentence, if they ran on two devices, or CUB's program does not name its own.
pub fn about<'a>(gridfold: &str, cub: &'a str) -> Result<(&'a str, &'a str), String> {
    let about = cub.lines().find_map(|line| line.strip_prefix("CUB ")?.split_once(", on "));
    let (version, device) = about.ok_or("CUB's record does not name the device")?;
    if gridfold.lines().any(|line| line.split('/').nth(1) == Some(device)) {
        Ok((version, device))
    } else {
        Err(format!("NOT ON ONE DEVICE: CUB's record is of {device}, gridfold's of another"))
    }
}

/// Of a line of gridfold's bench, if it is of sums: the operator, what it adds up, µs, GB/s, and the number of segments.
fn row_of_gridfold(line: &str) -> Option<Row> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let ["sum", what @ .., us, _, _] = &words[..] else { return None };
    Some((what.join(" "), us.parse().ok()?))
}

/// Of a line of CUB's program, if it is of as many elements: what it does, the number of elements, and µs.
fn row_of_cub(line: &str, elements: &str) -> Option<Row> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [what @ .., of, us] = &words[..] else { return None };
    if *of == elements { Some((what.join(" "), us.parse().ok()?)) } else { None }
}

/// Of the rows that begin like this and end in a length: its logarithm, and the time. The shortest segments come first.
fn points(rows: &[Row], begin: &str) -> Vec<(u32, f64)> {
    let point = |(what, us): &Row| Some((log2(what.strip_prefix(begin)?)?, *us));
    let mut points: Vec<(u32, f64)> = rows.iter().filter_map(point).collect();
    points.sort_unstable_by_key(|&(log2_len, _)| log2_len);
    points
}

/// Of a power of two, written as `16` or as `2^4`.
fn log2(length: &str) -> Option<u32> {
    match length.strip_prefix("2^") {
        Some(exponent) => exponent.parse().ok(),
        None => {
            let length: u32 = length.parse().ok()?;
            length.is_power_of_two().then(|| length.ilog2())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{command::root, files::read};

    const GRIDFOLD: &str = "\
A device, driver 1.0. cargo bench --bench segments
vulkan/A device/1.0
2^28 f32
 operator             what         us      GB/s   segments
      sum              all     242.43    4429.0          1
      sum      rows of 2^6     317.12    3438.8    4194304
      sum      rows of 2^1     563.49    2858.3  134217728
      sum     2^10 columns     559.14    1920.4       1024
      max     rows of 2^10     254.78    4218.4     262144
      sum     offsets by 1    2042.69    1577.0  268435456
      sum    offsets by 64     433.47    2554.5    4194304
      sum   offsets, mixed    1006.82    1104.1    4733425
      sum 100000 rows of 4       5.70     351.1     100000
";
    const CUB: &str = "\
CUB 3.5.0, on A device
what                     items         us
exclusive scan of f32    2^28      699.81
segments of 16           2^24     1218.08
segments of 16           2^28    19361.92
segments of 1024         2^28      548.67
segments, mixed          2^28     4498.56
";

    #[test]
    fn rows_by_the_length_of_their_segments() {
        let rows: Vec<Row> = GRIDFOLD.lines().filter_map(row_of_gridfold).collect();
        assert_eq!(points(&rows, "rows of "), [(1, 563.49), (6, 317.12)]);
        assert_eq!(points(&rows, "offsets by "), [(0, 2042.69), (6, 433.47)]);
        let rows: Vec<Row> = CUB.lines().filter_map(|line| row_of_cub(line, "2^28")).collect();
        assert_eq!(points(&rows, "segments of "), [(4, 19361.92), (10, 548.67)]);
        assert_eq!(
            [log2("16"), log2("2^20"), log2("12"), log2("x")],
            [Some(4), Some(20), None, None]
        );
    }

    #[test]
    fn a_chart_has_both_programs() {
        let svg = svg(GRIDFOLD, CUB).expect("drawn");
        for part in [
            "A device, 2^28 f32s",
            "gridfold, rows",
            "gridfold, between offsets",
            "CUB, between offsets",
            "gridfold, one sum of all",
            "elements of each segment",
        ] {
            assert!(svg.contains(part), "{part} is missing");
        }
    }

    #[test]
    fn what_compares_nothing_is_not_drawn() {
        assert!(svg(GRIDFOLD, &CUB.replace("A device", "Another")).is_err(), "two devices");
        assert!(svg(GRIDFOLD, &CUB.replace("2^28", "2^20")).is_err(), "two lengths");
        assert!(svg(&GRIDFOLD.replace("offsets by", "columns of"), CUB).is_err(), "no offsets");
        assert!(svg("", CUB).is_err() && svg(GRIDFOLD, "").is_err(), "nothing");
    }

    #[test]
    fn the_records_are_drawn() {
        let record = |name: &str| read(&root().join("benches/records").join(name)).expect("read");
        let (gridfold, cub) = ("nvidia-h100-segments.txt", "nvidia-h100-cub-scans.txt");
        let svg = svg(&record(gridfold), &record(cub)).expect("drawn");
        assert!(svg.contains("NVIDIA H100") && svg.contains("CUB, between offsets"));
    }
}
