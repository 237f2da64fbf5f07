// The last pass: a workgroup scans a block, row by row.
fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let job = job_of(workgroup);
    let lane_index = lane_index_of(workgroup, invocation);
    let block_begin = block_begin_of(job);
    let first_row = (max(job.begin, block_begin) - block_begin) >> LOG2_ROW_ITEMS;
    let end = min(job.end - block_begin, 1u << job.log2_block_items);
    let end_row = (end + ROW_ITEMS - 1u) >> LOG2_ROW_ITEMS;
    let before = block_before(job);
    rows_begin(job, LOG2_ROW_ITEMS, place_of(first_row, first_row), before, 0u, lane_index);
    workgroupBarrier();
    for (var row = first_row; row < end_row; row++) {
        block_row_scan(job, row, first_row, 0u, 0u, lane_index);
    }
}
