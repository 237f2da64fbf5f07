// What is before each block, and which sums of squares may be added to it.

// Whether a sum of squares that are safe in a tile can be added to what is before them: 0, or at least 2^-102 and less than 2^126.
@if(f32) fn carry_is_safe(carry: Acc) -> bool {
    let doubled = carry << 1u;
    return (doubled - 1u >= 0x18ffffffu) & (doubled < 0xfd000000u);
}

// Whether a sum of squares that are safe in a tile can be added to what is before them: 0, or at least 2^-969 and less than 2^1022.
@if(f64) fn carry_is_safe(carry: Acc) -> bool {
    let word = range_word(carry);
    return (word - 1u >= 0x06bfffffu) & (word < 0xffa00000u);
}

// The second of three passes: a workgroup makes of the blocks' totals what is before each block, and behind the last one.

@if(all) fn carry_store(job: Params, first: u32, end: u32, at: u32, total: Before) {
    if (first <= at) & (at <= end) {
        let index = job.partials + job.blocks + BEFORE_ACCS * (at - first);
        for (var i = 0u; i < BEFORE_ACCS; i++) {
            scratch_store(index + i, before_part(total, i));
        }
        if (at == end) & ((job.flags & FLAG_ENDS) == 0u) {
            total_leave(job, total);
        }
    }
}

@if(all) fn block_total_load(job: Params, first: u32, end: u32, at: u32) -> Acc {
    if at < first {
        return missing_load(job, job.log2_block_items, at, first);
    }
    if at < end {
        return scratch_load(job.partials + (at - first));
    }
    return op_identity();
}

@if(all) fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let job = job_of(workgroup);
    let lane_index = lane_index_of(workgroup, invocation);
    let first = first_block_of(job);
    let end = end_block_of(job);
    let first_row = first >> LOG2_ROW_ITEMS;
    let end_row = (end + ROW_ITEMS - 1u) >> LOG2_ROW_ITEMS;
    let before = launch_before(job);
    rows_begin(job, job.log2_block_items + LOG2_ROW_ITEMS, place_of(first_row, first_row), before, 0u, lane_index);
    workgroupBarrier();
    for (var row = first_row; row < end_row; row++) {
        let at = row * ROW_ITEMS + 4u * lane_index;
        let totals = Acc4(
            block_total_load(job, first, end, at),
            block_total_load(job, first, end, at + 1u),
            block_total_load(job, first, end, at + 2u),
            block_total_load(job, first, end, at + 3u),
        );
        let prefixes = row_scan(job, place_of(row, first_row), totals, 0u, 0u, end, lane_index);
        carry_store(job, first, end, at, prefixes.x);
        carry_store(job, first, end, at + 1u, prefixes.y);
        carry_store(job, first, end, at + 2u, prefixes.z);
        carry_store(job, first, end, at + 3u, prefixes.w);
    }
    workgroupBarrier();
    if ((end & (ROW_ITEMS - 1u)) == 0u) & (lane_index == 0u) {
        carry_store(job, first, end, end, carries[0]);
    }
    runs_leave(job, end, lane_index);
}
