// As in gather_accs.wgsl, of counts of 64 bits: those of a round's elements fit 32 bits, so they carry once for all of them.
fn gather_rows(gathered: Gathered, rows: Rows, round: u32) -> Gathered {
    let even = items_count(rows.row0) + items_count(rows.row2);
    let odd = items_count(rows.row1) + items_count(rows.row3);
    return Acc4(op_combine(gathered.x, Acc(even + odd, 0u)), gathered.y, gathered.z, gathered.w);
}
