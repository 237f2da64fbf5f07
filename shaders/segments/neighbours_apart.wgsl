// Four elements in a row of a segment whose elements are neighbours, one by one: for products, which are long.
fn neighbours4(job: Params, own: Segment, at: u32) -> Acc4 {
    return Acc4(
        segment_item(job, own, 0u, 0u, at),
        segment_item(job, own, 0u, 0u, at + 1u),
        segment_item(job, own, 0u, 0u, at + 2u),
        segment_item(job, own, 0u, 0u, at + 3u),
    );
}
