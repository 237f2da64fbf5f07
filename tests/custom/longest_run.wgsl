// How many neighbours are equal at most, and how many elements there are. The accumulator has seven words.
struct Runs {
    count: u32,
    first: i32,
    last: i32,
    // Elements at the beginning that are equal, at the end, and anywhere.
    at_begin: u32,
    at_end: u32,
    longest: u32,
    is_one_run: bool,
}

fn identity() -> Runs {
    return Runs(0u, 0i, 0i, 0u, 0u, 0u, true);
}

fn lift(x: i32) -> Runs {
    return Runs(1u, x, x, 1u, 1u, 1u, true);
}

fn combine(a: Runs, b: Runs) -> Runs {
    if a.count == 0u {
        return b;
    }
    if b.count == 0u {
        return a;
    }
    let joins = a.last == b.first;
    var joined = Runs(a.count + b.count, a.first, b.last, a.at_begin, b.at_end, max(a.longest, b.longest), false);
    if joins {
        joined.longest = max(joined.longest, a.at_end + b.at_begin);
        joined.is_one_run = a.is_one_run && b.is_one_run;
        if a.is_one_run {
            joined.at_begin = a.count + b.at_begin;
        }
        if b.is_one_run {
            joined.at_end = a.at_end + b.count;
        }
    }
    return joined;
}

fn finish(total: Runs) -> vec2<u32> {
    return vec2<u32>(total.longest, total.count);
}
