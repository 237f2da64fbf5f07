// Chunks of a segment whose elements are neighbours: four vectors, all of which are on their way at once.

// Four vectors in a row.
struct Neighbours {
    row0: Items,
    row1: Items,
    row2: Items,
    row3: Items,
}

// The segment as a launch of its own: positions are those in the segment.
fn neighbours_of(job: Params, own: Segment) -> Params {
    var elements = job;
    elements.begin = 0u;
    elements.end = own.count;
    elements.base = job.base + INDEX_STEP * own.first;
    elements.vec_end = max(job.vec_end, own.first) - own.first;
    return elements;
}

// Whether the chunk from an item on can be loaded so.
fn has_neighbours(job: Params, own: Segment, at: u32) -> bool {
    return job.log2_span == 0u
        && own.step == 1u
        && (job.flags & FLAG_HAS_ORDER) == 0u
        && at + CHUNK_ITEMS <= neighbours_of(job, own).vec_end;
}

fn quads_of_neighbours(job: Params, own: Segment, at: u32) -> Quads {
    let rows = neighbours_at(neighbours_of(job, own), at);
    let even = range_include_items(range_include_items(range_start(), rows.row0), rows.row2);
    let range = range_include_items(range_include_items(even, rows.row1), rows.row3);
    return Quads(
        Acc4(
            acc4_reduce(items_lift_at(job, at, rows.row0)),
            acc4_reduce(items_lift_at(job, at + 4u, rows.row1)),
            acc4_reduce(items_lift_at(job, at + 8u, rows.row2)),
            acc4_reduce(items_lift_at(job, at + 12u, rows.row3)),
        ),
        range,
    );
}
