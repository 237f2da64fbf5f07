// A block's total becomes a partial, and theirs the result.
fn total_store(block: u32, total: Acc) {
    if block == FOLD {
        result_store(total);
    } else {
        partial_store(block, total);
    }
}
