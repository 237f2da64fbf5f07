// The result of a job: `block` is its first word of `result`.
fn total_store(block: u32, total: Acc) {
    result_store_at(block, total);
}
