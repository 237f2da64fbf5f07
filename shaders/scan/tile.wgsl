// A lane's elements of a round that is scanned at once.

struct Tile {
    row0: Acc4,
    row1: Acc4,
    row2: Acc4,
    row3: Acc4,
}

fn range_include_acc4(range: Range, accs: Acc4) -> Range {
    let even = range_include_acc(range_include_acc(range, accs.x), accs.z);
    return range_include_acc(range_include_acc(even, accs.y), accs.w);
}

// Where a lane's four vectors of a round are.
fn tile_at(job: Params, at: u32, workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> vec4<u32> {
    let team_size = team_size_of(workgroup);
    let team_lane = team_lane_of(workgroup, invocation);
    let first = at + 16u * team_size * team_id_of(workgroup, invocation);
    return vec4<u32>(
        first + 4u * tile_index(0u, team_lane, team_size),
        first + 4u * tile_index(1u, team_lane, team_size),
        first + 4u * tile_index(2u, team_lane, team_size),
        first + 4u * tile_index(3u, team_lane, team_size),
    );
}

// A lane's four vectors of a round that the launch does not fill. Each turn moves the rows up by one, and appends one. Compilers do not know that there are
// four turns, so they write the loads once, and compile sooner: benches/NOTES.md has the times.
fn block_tile(job: Params, at: vec4<u32>) -> Tile {
    var tile: Tile;
    let end = 4u + (nothing_of(job) & job.block);
    for (var row = 0u; row < end; row++) {
        tile = Tile(tile.row1, tile.row2, tile.row3, block_items(job, at[row]));
    }
    return tile;
}

// The totals of a lane's four vectors.
fn tile_sums(tile: Tile) -> Acc4 {
    return Acc4(
        acc4_reduce(tile.row0),
        acc4_reduce(tile.row1),
        acc4_reduce(tile.row2),
        acc4_reduce(tile.row3),
    );
}

fn row_store(job: Params, at: u32, items: Acc4, before: Acc, after: Acc, is_inclusive: bool) {
    let second = op_combine(before, items.x);
    let third = op_combine(before, op_combine(items.x, items.y));
    let fourth = op_combine(third, items.z);
    if is_inclusive {
        outputs_store4(job, at, Acc4(second, third, fourth, after));
    } else {
        outputs_store4(job, at, Acc4(before, second, third, fourth));
    }
}

// Of how many elements a result is that stands at a position: those before it, in an inclusive scan its own one, and the initial value, if
// there is one. 64 bits, the low word first.
@if(lens) fn len_at(job: Params, at: u32) -> vec2<u32> {
    let own = select(0u, 1u, (job.flags & FLAG_INCLUSIVE) != 0u);
    let initial = select(0u, 1u, (job.flags & FLAG_HAS_INITIAL) != 0u);
    // Where the launch's first block begins. A block has at least 2^10 elements, and less than 2^32.
    let origin_low = job.first_block << job.log2_block_items;
    let origin_high = job.first_block >> (32u - job.log2_block_items);
    let low = origin_low + at + own + initial;
    return vec2<u32>(low, origin_high + select(0u, 1u, low < origin_low));
}
