// What a workgroup loads at once: four rows, a vector of each for a lane.

// Pipeline constant, which the plan has. Whether the launch begins or ends within a group, or some
// of its elements can't be loaded four at a time.
override EDGES: bool = true;

// A lane's elements of a group.
struct Group {
    load0: Quad,
    load1: Quad,
    load2: Quad,
    load3: Quad,
}

// A Quad may be a struct, which is copied member by member.
fn quad_copy(quad: Quad) -> Quad {
    return Quad(quad.x, quad.y, quad.z, quad.w);
}

// Where a lane finds its elements of a group, of which those at begin .. end are there.
struct Place {
    first: u32,
    is_whole: bool,
    begin: u32,
    end: u32,
}

// In the group at `at`.
fn group_place(lane_index: u32, at: u32, begin: u32, end: u32) -> Place {
    let is_whole = !EDGES | ((begin <= at) & (at + ROUND_ITEMS <= min(end, params.vec_end)));
    return Place(at + 4u * lane_index, is_whole, begin, end);
}

fn group_load(place: Place) -> Group {
    return Group(
        vector_load(place, 0u),
        vector_load(place, 1u),
        vector_load(place, 2u),
        vector_load(place, 3u),
    );
}
