// Tiles of moments of f32s, through subgroups. Lanes merge sums alone. The tile's extrema come by themselves, and where they are within the tile is
// not looked for: it is of interest for one tile of a block, which is loaded once more.
//
// All of it is for what is in range together, none of it NaN. Of other tiles it means nothing.

fn sums_shuffle_xor(acc: Acc, mask: u32) -> Acc {
    var words = op_pack(acc);
    for (var i = 0u; i < SUMS_WORDS; i++) {
        words[i] = subgroupShuffleXor(words[i], mask);
    }
    return op_unpack(words);
}

fn sums_reduce4(accs: Acc4) -> Acc {
    return sums_combine(sums_combine(accs.x, accs.y), sums_combine(accs.z, accs.w));
}

// As in team_reduce.wgsl@subgroups.
fn sums_halve(lower: Acc, upper: Acc, takes_upper: bool, mask: u32) -> Acc {
    let kept = acc_select(lower, upper, takes_upper);
    let given = acc_select(upper, lower, takes_upper);
    return sums_combine(kept, sums_shuffle_xor(given, mask));
}

fn keys_of(accs: Acc4) -> vec4<u32> {
    return vec4<u32>(elem_key(accs.x.sum), elem_key(accs.y.sum), elem_key(accs.z.sum), elem_key(accs.w.sum));
}

// What a lane has of a tile: the sums of a part of a row, and the extrema of all its elements, where the tile begins.
fn lane_part(rows: Rows, lane: u32) -> Acc {
    let row0 = items_lift(rows.row0);
    let row1 = items_lift(rows.row1);
    let row2 = items_lift(rows.row2);
    let row3 = items_lift(rows.row3);
    let takes_upper = (lane & 1u) != 0u;
    let even = sums_halve(sums_reduce4(row0), sums_reduce4(row2), takes_upper, 1u);
    let odd = sums_halve(sums_reduce4(row1), sums_reduce4(row3), takes_upper, 1u);
    let sums = sums_halve(even, odd, (lane & 2u) != 0u, 2u);

    let keys0 = keys_of(row0);
    let keys1 = keys_of(row1);
    let keys2 = keys_of(row2);
    let keys3 = keys_of(row3);
    let lows = min(min(keys0, keys1), min(keys2, keys3));
    let highs = max(max(keys0, keys1), max(keys2, keys3));
    let low = min(min(lows.x, lows.y), min(lows.z, lows.w));
    let high = max(max(highs.x, highs.y), max(highs.z, highs.w));
    return with_extrema(sums, ~low, 0u, high, 0u);
}

// The first distance at which lanes combine parts of the same row. Rows are in the order of `tile_index`.
fn first_distance(size: u32) -> u32 {
    return select(2u, 4u, size > 4u);
}

// The totals of two tiles, of which lanes have these parts. Lanes without the bit of `first_distance` have the first tile's, and the others the second one's:
// so most steps are done once for two tiles.
fn tiles_end(first: Acc, second: Acc, size: u32, lane: u32) -> Acc {
    let distance = first_distance(size);
    let takes_second = (lane & distance) != 0u;
    var total = sums_halve(first, second, takes_second, distance);
    for (var mask = 4u; mask < size; mask <<= 1u) {
        if mask != distance {
            total = sums_combine(total, sums_shuffle_xor(total, mask));
        }
    }
    if distance > 2u {
        total = sums_combine(total, sums_shuffle_xor(total, 2u));
    }
    total = sums_combine(total, sums_shuffle_xor(total, 1u));

    let given_least = select(second.least, first.least, takes_second);
    let given_largest = select(second.largest, first.largest, takes_second);
    let least = max(select(first.least, second.least, takes_second), subgroupShuffleXor(given_least, distance));
    let largest = max(select(first.largest, second.largest, takes_second), subgroupShuffleXor(given_largest, distance));
    let extrema = team_max2(least, largest, size, lane, distance);
    return with_extrema(total, extrema.x, 0u, extrema.y, 0u);
}

// A tile that waits for the one of the next round.
alias Waiting = Acc;

fn none_waiting() -> Waiting {
    return op_identity();
}

// The tiles of a round, of which teams have these rows, become nodes: each two rounds together, or the last round alone.
fn round_store(
    waiting: Waiting,
    rows: Rows,
    round: u32,
    rounds: Rounds,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) -> Waiting {
    let size = subgroup_size_of(workgroup);
    let lane = subgroup_invocation_id_of(invocation);
    let part = lane_part(rows, lane);
    let is_second = ((round - rounds.whole_begin) & 1u) == 1u;
    if is_second | (round + 1u == rounds.whole_end) {
        let total = tiles_end(acc_select(part, waiting, is_second), part, size, lane);
        let distance = first_distance(size);
        let is_of_first = (lane == 0u) & is_second;
        if (lane == distance) | is_of_first {
            node_store(node_of_round(select(round, round - 1u, is_of_first), workgroup, invocation), total);
        }
    }
    return part;
}

// The largest that lanes of the team have, of each of two; if `left_out` is a distance, among those lanes that have it in common. Where only one lane stored
// what `subgroupMin` had made, an NVIDIA compiler (580.159) let another lane's value, or the one before, take its place. So it is by shuffles: of two they
// take one more than of one.
fn team_max2(first: u32, second: u32, size: u32, lane: u32, left_out: u32) -> vec2<u32> {
    let takes_second = (lane & 1u) != 0u;
    let given = select(second, first, takes_second);
    var largest = max(select(first, second, takes_second), subgroupShuffleXor(given, 1u));
    for (var mask = 2u; mask < size; mask <<= 1u) {
        if mask != left_out {
            largest = max(largest, subgroupShuffleXor(largest, mask));
        }
    }
    let other = subgroupShuffleXor(largest, 1u);
    return select(vec2<u32>(largest, other), vec2<u32>(other, largest), takes_second);
}

// What begins with sums goes on with the extrema, and then with where they are.
fn with_extrema(acc: Acc, least: u32, least_at: u32, largest: u32, largest_at: u32) -> Acc {
    var words = op_pack(acc);
    words[SUMS_WORDS] = least;
    words[SUMS_WORDS + 1u] = largest;
    words[SUMS_WORDS + 2u] = least_at;
    words[SUMS_WORDS + 3u] = largest_at;
    return op_unpack(words);
}

// No lane has it: only what a user's own WGSL makes of an element may be something else the next time.
const NOWHERE = 0xffffffffu;

// The first place in a block's tile where a lane has an element with a key.
fn lane_place(job: Params, tile_at: u32, key: u32, size: u32, lane: u32) -> u32 {
    let rows = rows_at(job, block_begin_of(job) + tile_at, lane, size);
    return min(
        min(
            row_place(rows.row0, key, vector_of_row(tile_at, 0u, lane, size)),
            row_place(rows.row1, key, vector_of_row(tile_at, 1u, lane, size)),
        ),
        min(
            row_place(rows.row2, key, vector_of_row(tile_at, 2u, lane, size)),
            row_place(rows.row3, key, vector_of_row(tile_at, 3u, lane, size)),
        ),
    );
}

fn row_place(items: Items, key: u32, at: u32) -> u32 {
    let have_it = keys_of(items_lift(items)) == vec4<u32>(key);
    let places = select(vec4<u32>(NOWHERE), vec4<u32>(at) + vec4<u32>(0u, 1u, 2u, 3u), have_it);
    return min(min(places.x, places.y), min(places.z, places.w));
}

// Of what has places where tiles begin, as far as these are behind `begin`, it finds where in these tiles they are.
fn acc_with_places(
    job: Params,
    begin: u32,
    acc: Acc,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) -> Acc {
    let size = subgroup_size_of(workgroup);
    let lane = subgroup_invocation_id_of(invocation);
    let least_at = lane_place(job, begin + acc.least_at, ~acc.least, size, lane);
    let largest_at = lane_place(job, begin + acc.largest_at, acc.largest, size, lane);
    let firsts = ~team_max2(~least_at, ~largest_at, size, lane, 0u);
    return with_extrema(
        acc,
        acc.least,
        select(firsts.x - begin, acc.least_at, firsts.x == NOWHERE),
        acc.largest,
        select(firsts.y - begin, acc.largest_at, firsts.y == NOWHERE),
    );
}

// A block's total. Valid in every lane, as the total is.
fn block_with_places(job: Params, total: Acc, workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> Acc {
    return acc_with_places(job, 0u, total, workgroup, invocation);
}

// All tiles of whole rounds, before others than the block's total are made of them. All lanes come here, after a barrier, and there is one at the end.
fn tiles_with_places(job: Params, rounds: Rounds, workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let teams = WORKGROUP_SIZE / team_size_of(workgroup);
    let tile_items = 16u * team_size_of(workgroup);
    for (var round = rounds.whole_begin; round < rounds.whole_end; round++) {
        let tile = round * teams + team_id_of(workgroup, invocation);
        let acc = acc_with_places(job, tile * tile_items, nodes[tile], workgroup, invocation);
        workgroupBarrier();
        if team_lane_of(workgroup, invocation) == 0u {
            nodes[tile] = acc;
        }
    }
    workgroupBarrier();
}
