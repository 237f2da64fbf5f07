// Chunks of elements that are on their way all at once: neighbours in four vectors, or, where `GATHERS` says so, elements anywhere.

// A chunk's elements, four by four.
struct Sixteen {
    row0: Items,
    row1: Items,
    row2: Items,
    row3: Items,
}

// Whether vectors have the chunk that begins there.
fn are_neighbours(job: Params, own: Segment, walk: Walk) -> bool {
    let are_together = !APART | ((own.step == 1u) & !has_order(job) & (walk.y >= CHUNK_ITEMS));
    return are_together & (walk.x + CHUNK_ITEMS <= job.vec_end);
}

fn is_loaded_at_once(job: Params, own: Segment, walk: Walk) -> bool {
    return (job.log2_span == 0u) & ((APART & GATHERS) | are_neighbours(job, own, walk));
}
