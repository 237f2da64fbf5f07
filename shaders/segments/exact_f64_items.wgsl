// The items of segments that exact sums of f64s are made of: elements, and sums in scratch memory.

alias Items = Pack;

fn item_index(job: Params, at: u32) -> u32 {
    return INDEX_STEP * at + job.base;
}

// The four from a position on, where they can be loaded at a time.
fn items_at(job: Params, at: u32) -> Items {
    return pack_load(item_index(job, at));
}

fn sum_add4(sum: Acc, elements: Quad) -> Acc {
    let with_x = sum_add(sum, elements.x);
    let with_y = sum_add(with_x, elements.y);
    let with_z = sum_add(with_y, elements.z);
    return sum_add(with_z, elements.w);
}

// Up to four elements from one on. Zeros stand in for those behind the last one, so all loads are on their way at once.
fn elements4(job: Params, own: Segment, walk: Walk, at: u32, last: u32) -> Quad {
    let places = places4(job, own, 0u, walk, at, last);
    let x = elem_load(item_index(job, places.x));
    let y = elem_load(item_index(job, places.y));
    let z = elem_load(item_index(job, places.z));
    let w = elem_load(item_index(job, places.w));
    let none = Elem(0u, 0u);
    return Quad(
        x,
        select(none, y, at + 1u <= last),
        select(none, z, at + 2u <= last),
        select(none, w, at + 3u <= last),
    );
}

// The lane's sum with so many items of a level, up to sixteen, from one on. Totals of the level begin at `totals`.
fn run_add(job: Params, own: Segment, level: u32, totals: u32, first: u32, count: u32, before: Acc) -> Acc {
    let nothing = nothing_of(job) & job.block;
    var sum = Acc(before.first, before.end, before.specials);
    var next = walk_at(job, own, level, first);
    if level == 0u {
        for (var i = 0u; i < 4u + nothing; i++) {
            if 4u * i >= count {
                break;
            }
            let at = first + 4u * i;
            let elements = elements4(job, own, next, at, first + count - 1u);
            next = walk_on(job, own, next, at, 4u);
            sum = sum_add4(Acc(sum.first, sum.end, sum.specials), elements);
        }
        return sum;
    }
    for (var i = 0u; i < CHUNK_ITEMS + nothing; i++) {
        if i >= count {
            break;
        }
        sum = scratch_add(Acc(sum.first, sum.end, sum.specials), totals + next.x + i * own.step);
    }
    return sum;
}
