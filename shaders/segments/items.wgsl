// The items of segments, as accumulators.

// An item that a segment has, if it is at this place: an element, or a total in scratch memory, where those of the level begin at `totals`.
fn item_of(job: Params, own: Segment, level: u32, totals: u32, place: u32, at: u32) -> Acc {
    if level != 0u {
        return scratch_load(totals + place);
    }
    return item_there(elements_of(job, own, place, at), at);
}

fn segment_item(job: Params, own: Segment, level: u32, totals: u32, at: u32) -> Acc {
    var place = walk_at(job, own, level, at).x;
    if (level == 0u) & has_order(job) {
        place = listed(job, place);
    }
    return item_of(job, own, level, totals, place, at);
}

// Four items from one on, the last of which stands in for those behind it. So all loads are on their way at once.
fn items4(
    job: Params,
    own: Segment,
    level: u32,
    totals: u32,
    walk: Walk,
    at: u32,
    last: u32,
) -> Acc4 {
    let places = places4(job, own, level, walk, at, last);
    return Acc4(
        item_of(job, own, level, totals, places.x, at),
        item_of(job, own, level, totals, places.y, min(at + 1u, last)),
        item_of(job, own, level, totals, places.z, min(at + 2u, last)),
        item_of(job, own, level, totals, places.w, min(at + 3u, last)),
    );
}

fn range_include_acc4(range: Range, items: Acc4) -> Range {
    let even = range_include_acc(range_include_acc(range, items.x), items.z);
    return range_include_acc(range_include_acc(even, items.y), items.w);
}

// Whether the device makes the right total of items in a range.
fn is_right(range: Range, total: Acc) -> bool {
    return (!CHECKS_RANGE | range_is_safe_in_tile(range)) & (!CHECKS_TOTALS | total_is_right(total));
}
