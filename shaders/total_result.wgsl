// The total is the result.
fn total_store(block: u32, total: Acc) {
    result_store(total);
}
