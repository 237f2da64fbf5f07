//! The table of scans, selections and histograms: gridfold's times beside CUB's, of what two programs printed.

use super::segments::about;
use crate::columns::aligned;

/// What the table compares: its name there, as CUB's program calls it, and what gridfold's bench calls it and says of how, to begin with.
const PRIMITIVES: [(&str, &str, &str, &str); 15] = [
    ("copy", "copy", "copy", ""),
    ("exclusive scan of u32", "exclusive scan of u32", "u32", "by default"),
    ("exclusive scan of f32", "exclusive scan of f32", "f32", "by default"),
    ("select", "select", "select", "finds"),
    ("select, two passes", "select", "select", "two-pass"),
    ("partition", "partition", "part", ""),
    ("unique", "unique", "uniq", "finds"),
    ("unique, two passes", "unique", "uniq", "two-pass"),
    ("run lengths", "run lengths", "rle", "finds"),
    ("run lengths, single pass", "run lengths", "rle", "single-pass"),
    ("run lengths of 64 bits", "run lengths", "rle64", "finds"),
    ("histogram, 256 bins", "histogram, 256 bins", "hist", "256 bins"),
    ("histogram, 4096 bins", "histogram, 4096 bins", "hist", "4096 bins"),
    ("histogram, random bytes", "histogram, random bytes", "hist", "random bytes"),
    ("histogram, equal bytes", "histogram, equal bytes", "hist", "equal bytes"),
];

/// A primitive, the number of elements, as a program says it, and the time in µs.
type Row<'a> = (&'static str, &'a str, f64);

/// A table of what both `cargo bench --bench scan` and cub_scans.cu printed, as lines.
///
/// # Errors
///
/// A sentence, if they ran on two devices, or measured nothing in common.
pub fn table(gridfold: &str, cub: &str) -> Result<Vec<String>, String> {
    let (version, device) = about(gridfold, cub)?;
    let rows_of_gridfold: Vec<Row<'_>> = gridfold.lines().filter_map(row_of_gridfold).collect();
    let rows_of_cub: Vec<Row<'_>> = cub.lines().filter_map(row_of_cub).collect();
    let head = ["", "elements", "gridfold, us", "CUB, us", "CUB / gridfold"];
    let mut rows = vec![head.map(str::to_owned)];
    for (primitive, name_of_cub, ..) in PRIMITIVES {
        for &(_, elements, us) in rows_of_gridfold.iter().filter(|row| row.0 == primitive) {
            let of_cub = rows_of_cub.iter().find(|row| row.0 == name_of_cub && row.1 == elements);
            rows.extend(of_cub.map(|&(.., us_of_cub)| {
                let [us, us_of_cub, ratio] =
                    [us, us_of_cub, us_of_cub / us].map(|number| format!("{number:.2}"));
                [primitive.to_owned(), elements.to_owned(), us, us_of_cub, ratio]
            }));
        }
    }
    if rows.len() == 1 {
        return Err("gridfold and CUB have measured nothing in common".to_owned());
    }
    let mut lines =
        vec![format!("Scans, selections and histograms beside CUB {version}, on {device}:")];
    lines.extend(aligned(&rows, 1));
    Ok(lines)
}

/// Of a line of gridfold's bench, if the table has it: a name, the number of elements, µs, GB/s, and how.
fn row_of_gridfold(line: &str) -> Option<Row<'_>> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [name, elements, us, _, how @ ..] = &words[..] else { return None };
    let how = how.join(" ");
    let mut known = PRIMITIVES.into_iter();
    let (primitive, ..) = known.find(|&(.., of, begin)| of == *name && how.starts_with(begin))?;
    Some((primitive, *elements, us.parse().ok()?))
}

/// Of a line of CUB's program, if the table has it: what it does, the number of elements, and µs.
fn row_of_cub(line: &str) -> Option<Row<'_>> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [what @ .., elements, us] = &words[..] else { return None };
    let what = what.join(" ");
    let (_, name, ..) = PRIMITIVES.into_iter().find(|&(_, name, ..)| name == what)?;
    Some((name, *elements, us.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRIDFOLD: &str = "\
vulkan/A device/1.0
  type  elements         us      GB/s  how
  copy      2^20       8.50     986.9  16 bytes at a time
   u32      2^20      12.50     671.1  by default: exclusive scan by sum of 1048576 elements u32, single-pass
   f32      2^20      16.00     524.3  by default: exclusive scan by sum of 1048576 elements f32, single-pass
   u32      2^20      17.20     487.7  exclusive scan by sum of 1048576 elements u32, subgroup, two-pass
select      2^20      20.00     367.0  finds 524288, by default: single-pass
select      2^20      16.00     458.8  two-pass: finds 524288
  hist      2^20      25.00     167.8  256 bins, 4016 in the first
  hist      2^20      10.00     104.9  random bytes, 256 bins, 4016 of 61
   u32      2^22      18.00    1864.1  by default: exclusive scan by sum of 4194304 elements u32, single-pass
   u32      2^28     805.00    2667.7  by default: exclusive scan by sum of 268435456 elements u32, two-pass
";
    const CUB: &str = "\
CUB 3.5.0, on A device
what                     items         us
copy                     2^20        8.00
exclusive scan of u32    2^20       15.00
exclusive scan of f32    2^20       14.00
select                   2^20       18.00
histogram, 256 bins      2^20       16.00
histogram, random bytes  2^20       12.00
reduce by key            2^20       30.00
segments of 16           2^20       63.55
exclusive scan of u32    2^28      724.50
";

    #[test]
    fn a_row_for_what_both_measured() {
        assert_eq!(
            table(GRIDFOLD, CUB).expect("a table"),
            [
                "Scans, selections and histograms beside CUB 3.5.0, on A device:",
                "                         elements  gridfold, us  CUB, us  CUB / gridfold",
                "copy                         2^20          8.50     8.00            0.94",
                "exclusive scan of u32        2^20         12.50    15.00            1.20",
                "exclusive scan of u32        2^28        805.00   724.50            0.90",
                "exclusive scan of f32        2^20         16.00    14.00            0.88",
                "select                       2^20         20.00    18.00            0.90",
                "select, two passes           2^20         16.00    18.00            1.12",
                "histogram, 256 bins          2^20         25.00    16.00            0.64",
                "histogram, random bytes      2^20         10.00    12.00            1.20",
            ]
        );
    }

    #[test]
    fn lines_of_both_programs() {
        let rows: Vec<Row<'_>> = GRIDFOLD.lines().filter_map(row_of_gridfold).collect();
        assert_eq!(rows.len(), 9, "not the heads, and no scan in two passes that was asked for");
        assert_eq!(rows[1], ("exclusive scan of u32", "2^20", 12.5));
        let bytes = "  hist      2^16       9.00       7.3  equal bytes, 256 bins, 65536 of 61";
        assert_eq!(row_of_gridfold(bytes), Some(("histogram, equal bytes", "2^16", 9.0)));
        let rows: Vec<Row<'_>> = CUB.lines().filter_map(row_of_cub).collect();
        assert_eq!(
            rows.len(),
            7,
            "not the heads, and nothing that the bench scan does not measure"
        );
        assert_eq!(rows[5], ("histogram, random bytes", "2^20", 12.0));
    }

    #[test]
    fn what_compares_nothing_is_no_table() {
        assert!(table(GRIDFOLD, &CUB.replace("A device", "Another")).is_err(), "two devices");
        let other = CUB.replace("2^20", "2^16").replace("2^28", "2^16");
        assert!(table(GRIDFOLD, &other).is_err(), "two lengths");
        assert!(table("", CUB).is_err() && table(GRIDFOLD, "").is_err(), "nothing");
    }
}
