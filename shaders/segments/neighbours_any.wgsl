// Sixteen neighbours, by their vectors.

const GATHERS = false;

fn sixteen_at(job: Params, own: Segment, walk: Walk, at: u32) -> Sixteen {
    let elements = elements_of(job, own, walk.x, at);
    return Sixteen(
        items_at(elements, at),
        items_at(elements, at + 4u),
        items_at(elements, at + 8u),
        items_at(elements, at + 12u),
    );
}
