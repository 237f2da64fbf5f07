// What a workgroup loads at once: four rows, a vector of each for a lane.

// Pipeline constant; `Launch` in src/plan.rs sets it. Whether the launch begins or ends within a group, or some
// of its elements can't be loaded four at a time.
override EDGES: bool = true;

// A lane's elements of a group.
struct Group {
    load0: vec4<Elem>,
    load1: vec4<Elem>,
    load2: vec4<Elem>,
    load3: vec4<Elem>,
}

// The group at `at`, of which begin .. end are there; zeros elsewhere. `first` is the lane's first place in it.
fn group_load(at: u32, first: u32, begin: u32, end: u32) -> Group {
    let place = at + first;
    if !EDGES || (begin <= at && at + ROW_GROUP_ITEMS <= min(end, params.vec_end)) {
        let index = place + params.base;
        return Group(
            load4(index),
            load4(index + ROW_ITEMS),
            load4(index + 2u * ROW_ITEMS),
            load4(index + 3u * ROW_ITEMS),
        );
    }
    return Group(
        load4_within(place, begin, end),
        load4_within(place + ROW_ITEMS, begin, end),
        load4_within(place + 2u * ROW_ITEMS, begin, end),
        load4_within(place + 3u * ROW_ITEMS, begin, end),
    );
}

fn load4_within(at: u32, begin: u32, end: u32) -> vec4<Elem> {
    return vec4<Elem>(
        load_within(at, begin, end),
        load_within(at + 1u, begin, end),
        load_within(at + 2u, begin, end),
        load_within(at + 3u, begin, end),
    );
}

fn load_within(at: u32, begin: u32, end: u32) -> Elem {
    var element = elem_from_word(0u);
    if begin <= at && at < end {
        element = load(at + params.base);
    }
    return element;
}
