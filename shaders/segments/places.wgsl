// Where a segment's items are: of the elements in memory, of totals in scratch memory.
//
// Of axes that are apart, the offsets' binding has a table: a pair of words for each, its size, and how far its neighbours are apart in memory. The first
// axes remain, and segments lie along the others; the innermost axis of both is their last. A
// lane divides for the first item that it looks at, and where the innermost axis ends. Else it adds.

// Whether a segment's elements may lie apart: segments lie within each other or along axes, or the elements have an order. What is not needed takes
// registers, so where they do not, kernels go without.
override APART: bool = true;

// Where an item is, and how many follow one another at a segment's step from it on, with it.
alias Walk = vec2<u32>;

const ENDLESS = 0xffffffffu;

// Only the elements are along axes: their totals follow one another.
fn has_axes(job: Params, level: u32) -> bool {
    return APART & (level == 0u) & ((job.flags & FLAG_HAS_AXES) != 0u);
}

// The elements of a segment along axes. Its step is that of the innermost one.
fn axes_segment(job: Params, segment: u32) -> Segment {
    let nothing = nothing_of(job) & job.block;
    var rest = segment;
    var first = 0u;
    for (var i = 1u; i < job.kept_axes + nothing; i++) {
        let side = 2u * (job.kept_axes - i);
        let size = offsets[side];
        let outer = rest / size;
        first += (rest - outer * size) * offsets[side + 1u];
        rest = outer;
    }
    first += rest * offsets[1];
    return Segment(first, job.segment_items, offsets[2u * job.all_axes - 1u]);
}

fn axes_walk(job: Params, own: Segment, at: u32) -> Walk {
    let last = 2u * (job.all_axes - 1u);
    let size = offsets[last];
    var rest = at / size;
    let within = at - rest * size;
    var place = own.first + within * own.step;
    // Between the outermost axis and the innermost one.
    let ends = job.all_axes - job.kept_axes - 1u;
    let nothing = nothing_of(job) & job.block;
    for (var i = 1u; i < ends + nothing; i++) {
        let side = last - 2u * i;
        let side_size = offsets[side];
        let outer = rest / side_size;
        place += (rest - outer * side_size) * offsets[side + 1u];
        rest = outer;
    }
    place += rest * offsets[2u * job.kept_axes + 1u];
    return Walk(place, size - within);
}

fn walk_at(job: Params, own: Segment, level: u32, at: u32) -> Walk {
    if has_axes(job, level) {
        return axes_walk(job, own, at);
    }
    return Walk(own.first + at * own.step, ENDLESS);
}

// From an item to a later one.
fn walk_on(job: Params, own: Segment, walk: Walk, at: u32, count: u32) -> Walk {
    if !APART | (count < walk.y) {
        return Walk(walk.x + count * own.step, walk.y - count);
    }
    return axes_walk(job, own, at + count);
}

// Four items from one on, the last of which stands in for those behind it.
fn walk4(job: Params, own: Segment, walk: Walk, at: u32, last: u32) -> vec4<u32> {
    let steps = min(vec4<u32>(0u, 1u, 2u, 3u), vec4<u32>(last - at));
    var places = walk.x + own.step * steps;
    if APART & (walk.y < 4u) {
        let nothing = nothing_of(job) & job.block;
        var next = walk;
        for (var i = 1u; i < 4u + nothing; i++) {
            if at + i <= last {
                next = walk_on(job, own, next, at + i - 1u, 1u);
            }
            places = select(places, vec4<u32>(next.x), vec4<u32>(0u, 1u, 2u, 3u) == vec4<u32>(i));
        }
    }
    return places;
}

fn has_order(job: Params) -> bool {
    return APART & ((job.flags & FLAG_HAS_ORDER) != 0u);
}

// Of elements that have an order: where it says they are.
fn listed(job: Params, index: u32) -> u32 {
    return offsets[job.order_begin + index];
}

fn listed4(job: Params, level: u32, places: vec4<u32>) -> vec4<u32> {
    if (level == 0u) & has_order(job) {
        return vec4<u32>(
            listed(job, places.x),
            listed(job, places.y),
            listed(job, places.z),
            listed(job, places.w),
        );
    }
    return places;
}

fn places4(job: Params, own: Segment, level: u32, walk: Walk, at: u32, last: u32) -> vec4<u32> {
    return listed4(job, level, walk4(job, own, walk, at, last));
}
