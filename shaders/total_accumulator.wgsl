// Totals meet in the accumulator, in whatever order they come.
fn total_store(block: u32, total: Acc) {
    accumulate(total);
}
