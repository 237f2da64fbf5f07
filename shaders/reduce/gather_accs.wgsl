// How a lane folds its vectors: it combines what it lifts.
fn gather_rows(gathered: Gathered, rows: Rows, round: u32) -> Gathered {
    let even = acc4_combine(items_lift(rows.row0), items_lift(rows.row2));
    let odd = acc4_combine(items_lift(rows.row1), items_lift(rows.row3));
    return acc4_combine(gathered, acc4_combine(even, odd));
}
