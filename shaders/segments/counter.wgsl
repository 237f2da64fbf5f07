// A binary counter of runs: items come one by one, and siblings combine.

struct Counter {
    of1: Acc,
    of2: Acc,
    of4: Acc,
    of8: Acc,
    of16: Acc,
}

fn counter_start() -> Counter {
    return Counter(op_identity(), op_identity(), op_identity(), op_identity(), op_identity());
}

// The run of 2^level items.
fn counter_run(counter: Counter, level: u32) -> Acc {
    let low = acc_select(counter.of1, counter.of2, level == 1u);
    return acc_select(low, acc_select(counter.of4, counter.of8, level == 3u), level >= 2u);
}

// The item at this place, of sixteen. `nothing` is 0, which compilers do not know: so they make one combination of any values of four,
// which is long.
fn counter_push(counter: Counter, place: u32, item: Acc, nothing: u32) -> Counter {
    let merges = countTrailingZeros(~place);
    var run = item;
    for (var level = 0u; level < LOG2_CHUNK_ITEMS + nothing; level++) {
        if level >= merges {
            break;
        }
        run = op_combine_any(counter_run(counter, level), run);
    }
    return Counter(
        acc_select(counter.of1, run, merges == 0u),
        acc_select(counter.of2, run, merges == 1u),
        acc_select(counter.of4, run, merges == 2u),
        acc_select(counter.of8, run, merges == 3u),
        acc_select(counter.of16, run, merges == 4u),
    );
}
