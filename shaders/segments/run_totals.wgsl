// What segments have in no chunk: runs of a level's items, and segments of a few elements.

// The runs of one, two, four and eight items that a level has in no chunk: as many of each as a binary digit of their number says.
fn runs_of(job: Params, own: Segment, level: u32, totals: u32, first: u32, digit: u32) -> Counter {
    let nothing = nothing_of(job) & job.block;
    let last = own.count - 1u;
    var range = range_start();
    var runs = counter_start();
    var next = walk_at(job, own, level, first);
    for (var i = 0u; i < 4u + nothing; i++) {
        if 4u * i >= digit {
            break;
        }
        // Of items that are not there no run is made.
        let at = first + 4u * i;
        let items = items4(job, own, level, totals, next, at, last);
        next = walk_on(job, own, next, at, 4u);
        range = range_include_acc4(range, items);
        let pair = op_combine(items.x, items.y);
        let quad = op_combine(pair, op_combine(items.z, items.w));
        let is_quad = 4u * i + 4u <= digit;
        runs = Counter(
            acc_select(items.x, items.z, (digit & 2u) != 0u),
            pair,
            acc_select(runs.of4, quad, is_quad),
            acc_select(runs.of8, op_combine(runs.of4, quad), i == 1u),
            runs.of16,
        );
    }
    // A run that is not there counts as right.
    let right = is_right(range, acc_select(op_identity(), runs.of2, (digit & 2u) != 0u))
        & is_right(range, acc_select(op_identity(), runs.of4, (digit & 4u) != 0u))
        & is_right(range, acc_select(op_identity(), runs.of8, (digit & 8u) != 0u));
    if right {
        return runs;
    }
    var counter = counter_start();
    for (var place = 0u; place < CHUNK_ITEMS - 1u + nothing; place++) {
        if place >= digit {
            break;
        }
        counter = counter_push(counter, place, segment_item(job, own, level, totals, first + place), nothing);
    }
    return counter;
}

// The runs of a level behind those before it, the longest first: as many items as there are in no chunk.
fn digit_join(job: Params, own: Segment, level: u32, totals: u32, before: Total, begins: bool) -> Total {
    let nothing = nothing_of(job) & job.block;
    let digit = own.count % CHUNK_ITEMS;
    let runs = runs_of(job, own, level, totals, own.count - digit, digit);
    var total = before;
    var is_first = begins;
    var rest = digit;
    for (var i = 0u; i < LOG2_CHUNK_ITEMS + nothing; i++) {
        if rest == 0u {
            break;
        }
        let bit = firstLeadingBit(rest);
        rest ^= 1u << bit;
        let run = counter_run(runs, bit);
        if is_first {
            total = total_of(run);
            is_first = false;
        } else {
            total = total_join(total, run, false);
        }
    }
    return total;
}

// The total of a segment of a few elements, if it is right.
struct Few {
    total: Total,
    is_right: bool,
}

const FEW = 4u;

fn few_total(job: Params, own: Segment) -> Few {
    if own.count == 0u {
        return Few(total_of(op_identity()), true);
    }
    let places = places4(job, own, 0u, walk_at(job, own, 0u, 0u), 0u, own.count - 1u);
    let x = item_of(job, own, 0u, 0u, places.x, 0u);
    if own.count == 1u {
        return Few(total_of(x), true);
    }
    let y = item_of(job, own, 0u, 0u, places.y, 1u);
    let pair = op_combine(x, y);
    let of_pair = range_include_acc(range_include_acc(range_start(), x), y);
    if own.count == 2u {
        return Few(total_of(pair), is_right(of_pair, pair));
    }
    let z = item_of(job, own, 0u, 0u, places.z, 2u);
    if own.count == 3u {
        return Few(total_join(total_of(pair), z, false), is_right(of_pair, pair));
    }
    let w = item_of(job, own, 0u, 0u, places.w, 3u);
    let quad = op_combine(pair, op_combine(z, w));
    return Few(total_of(quad), is_right(range_include_acc(range_include_acc(of_pair, z), w), quad));
}
