//! Tables as text.

/// Lines with columns as wide as they need to be: the first `left` to the left, others to the right.
pub fn aligned<Row: AsRef<[String]>>(rows: &[Row], left: usize) -> Vec<String> {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.as_ref().get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let cell = |(column, cell): (usize, &String)| {
        let width = width(column);
        if column < left { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
    };
    let line = |row: &Row| -> Vec<String> { row.as_ref().iter().enumerate().map(cell).collect() };
    rows.iter().map(|row| line(row).join("  ").trim_end().to_owned()).collect()
}
