// The exact sums of chunks of f64s, or of sums of them.

fn chunk_total(job: Params, own: Segment, at: u32) -> Acc {
    let walk = walk_at(job, own, job.log2_span, at);
    if is_loaded_at_once(job, own, walk) {
        let rows = sixteen_at(job, own, walk, at);
        let sum0 = sum_add4(op_identity(), quad_unpack(rows.row0));
        let sum1 = sum_add4(sum0, quad_unpack(rows.row1));
        let sum2 = sum_add4(sum1, quad_unpack(rows.row2));
        return sum_add4(sum2, quad_unpack(rows.row3));
    }
    return run_add(job, own, job.log2_span, job.state_before, at, CHUNK_ITEMS, op_identity());
}

// No workgroup has memory for the sums of its chunks, so no plan has them joined.
fn chunks_join(job: Params, turn: Turn, own: Acc4, slot: u32, lane_index: u32) {}
