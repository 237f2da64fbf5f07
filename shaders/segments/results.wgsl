// The last pass: each lane makes some segments' results, of what the levels have that is in no chunk. The highest level has the longest
// runs, and the first elements.

// The runs of a level behind those before it, the longest first: as many items as there are in no chunk.
fn digit_join(job: Params, own: Segment, level: u32, totals: u32, before: Total, begins: bool) -> Total {
    let nothing = job.zero & job.block;
    let digit = own.count % CHUNK_ITEMS;
    let first = own.count - digit;
    var counter = counter_start();
    for (var place = 0u; place < CHUNK_ITEMS - 1u + nothing; place++) {
        if place >= digit {
            break;
        }
        counter = counter_push(counter, place, segment_item(job, own, level, totals, first + place), nothing);
    }
    var total = before;
    var is_first = begins;
    for (var i = 0u; i < LOG2_CHUNK_ITEMS + nothing; i++) {
        let bit = LOG2_CHUNK_ITEMS - 1u - i;
        if ((digit >> bit) & 1u) == 1u {
            let run = counter_run(counter, bit);
            if is_first {
                total = total_of(run);
                is_first = false;
            } else {
                total = total_join(total, run, false);
            }
        }
    }
    return total;
}

fn segment_total(job: Params, segment: u32, len: u32) -> Total {
    var total = total_of(op_identity());
    var begins = true;
    var totals = job.state_before;
    for (var step = 0u; step < job.log2_span / LOG2_CHUNK_ITEMS + 1u; step++) {
        let level = job.log2_span - LOG2_CHUNK_ITEMS * step;
        if (len >> level) % CHUNK_ITEMS > 0u {
            total = digit_join(job, segment_at(job, segment, level), level, totals, total, begins);
            begins = false;
        }
        // Those of the next level below come before these.
        totals -= level_items(job, max(level, LOG2_CHUNK_ITEMS) - LOG2_CHUNK_ITEMS);
    }
    return total;
}

fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let job = job_of(workgroup);
    let lane_index = lane_index_of(workgroup, invocation);
    let begin = job.block << job.log2_block_items;
    let end = min(job.end, begin + (1u << job.log2_block_items));
    for (var segment = begin + lane_index; segment < end; segment += WORKGROUP_SIZE) {
        let len = segment_at(job, segment, 0u).count;
        let total = segment_total(job, segment, len);
        result_store(job.result_index + OUT_WORDS * segment, total, vec2<u32>(len, 0u), 0u);
    }
}
