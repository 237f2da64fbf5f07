// Sixteen neighbours, by their vectors.
fn neighbours_at(job: Params, at: u32) -> Neighbours {
    return Neighbours(
        items_at(job, at),
        items_at(job, at + 4u),
        items_at(job, at + 8u),
        items_at(job, at + 12u),
    );
}
