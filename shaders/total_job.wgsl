// The result of a job: `block` is the word of `result` that it writes.
fn total_store(block: u32, total: Acc) {
    result[block] = op_finish(total);
}
