// A block's total becomes a partial, for the fold.
fn total_store(block: u32, total: Acc) {
    partial_store(block, total);
}
