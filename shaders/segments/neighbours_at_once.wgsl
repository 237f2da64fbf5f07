// Four elements in a row of a segment whose elements are neighbours: most can be loaded at a time.
fn neighbours4(job: Params, own: Segment, at: u32) -> Acc4 {
    var elements = job;
    elements.begin = 0u;
    elements.end = own.count;
    elements.base = job.base + INDEX_STEP * own.first;
    elements.vec_end = max(job.vec_end, own.first) - own.first;
    return items_load4(elements, at);
}
