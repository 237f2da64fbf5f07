// Tiles that the device's arithmetic may not be right for. A tile is known by the number of its node.

// A bit for each tile whose total is not known; and then for each whose total is lost already, which needs no other look.
@if(marked) const UNSAFE_WORDS = MAX_NODES / 32u;
@if(marked) var<workgroup> unsafe_bits: array<atomic<u32>, 2u * UNSAFE_WORDS>;
// The former, in a list, as far as there is room.
@if(marked) const MAX_LISTED_TILES = MAX_NODES / 2u;
@if(marked) var<workgroup> listed_tiles: array<u32, MAX_LISTED_TILES>;
@if(marked) var<workgroup> listed_count: atomic<u32>;

// All lanes come here, before a barrier.
@if(marked) fn unsafe_tiles_clear(lane_index: u32) {
    if lane_index < 2u * UNSAFE_WORDS {
        atomicStore(&unsafe_bits[lane_index], 0u);
    }
    if lane_index == 0u {
        atomicStore(&listed_count, 0u);
    }
}

// By a lane whose elements are in a range that is not safe. If they are in the wider one, only the tile's total is not.
@if(marked) fn unsafe_tile_note(tile: u32, range: Range) {
    if !range_is_safe_in_tile(range) {
        let first = select(0u, UNSAFE_WORDS, range_is_lost(range));
        atomicOr(&unsafe_bits[first + (tile >> 5u)], 1u << (tile & 31u));
    }
    atomicStore(&has_unsafe, 1u);
}

// Of the tiles from the first of whole rounds to the last. All lanes come here, after a barrier.
@if(marked) fn unsafe_tiles_list(first: u32, end: u32, lane_index: u32) {
    for (var tile = lane_index; tile < MAX_NODES; tile += WORKGROUP_SIZE) {
        let is_whole = (first <= tile) & (tile < end);
        let is_lost = unsafe_bit(UNSAFE_WORDS, tile);
        // Lazy: other nodes may be written.
        let is_unsafe = unsafe_bit(0u, tile) || (is_whole && !total_is_right(nodes[tile]));
        if is_lost {
            nodes[tile] = op_lost();
        } else if is_unsafe {
            let place = atomicAdd(&listed_count, 1u);
            if place < MAX_LISTED_TILES {
                listed_tiles[place] = tile;
            }
        }
    }
}

@if(marked) fn unsafe_bit(first: u32, tile: u32) -> bool {
    return ((atomicLoad(&unsafe_bits[first + (tile >> 5u)]) >> (tile & 31u)) & 1u) == 1u;
}

// Makes the nodes of unsafe tiles once more. Each team takes another tile. Where there are more than the list has room for, all
// tiles of whole rounds are made again. After a barrier.
@if(marked) fn unsafe_tiles_combine(
    job: Params,
    rounds: Rounds,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) {
    let log2_teams = firstLeadingBit(WORKGROUP_SIZE / team_size_of(workgroup));
    let first = rounds.whole_begin << log2_teams;
    let end = rounds.whole_end << log2_teams;
    unsafe_tiles_list(first, end, lane_index_of(workgroup, invocation));
    let count = workgroupUniformLoad(&listed_count);
    let is_listed = count <= MAX_LISTED_TILES;
    let tiles = select(end - first, count, is_listed);
    let turns = (tiles + (1u << log2_teams) - 1u) >> log2_teams;
    for (var turn = 0u; turn < turns; turn++) {
        // Teams for which there is none left take the last one, for nothing.
        let wanted = (turn << log2_teams) + team_id_of(workgroup, invocation);
        let mine = min(wanted, tiles - 1u);
        var tile = first + mine;
        if is_listed {
            tile = listed_tiles[mine];
        }
        let round_at = block_begin_of(job) + (tile >> log2_teams) * ROUND_ITEMS;
        let team = tile & ((1u << log2_teams) - 1u);
        let rows = tile_load(job, round_at, team, workgroup, invocation);
        let nothing = nothing_of(job) & turn;
        let total = team_combine4(rows_combine(rows, nothing), nothing, workgroup, invocation);
        if (team_lane_of(workgroup, invocation) == 0u) & (mine == wanted) {
            nodes[tile] = total;
        }
    }
}

// The totals of a lane's four vectors, of any values.
@if(marked) fn rows_combine(rows: Rows, nothing: u32) -> Acc4 {
    let row0 = items_lift_any(rows.row0, nothing);
    let row1 = items_lift_any(rows.row1, nothing);
    let row2 = items_lift_any(rows.row2, nothing);
    let row3 = items_lift_any(rows.row3, nothing);
    var left = Acc4(row0.x, row1.x, row2.x, row3.x);
    var right = Acc4(row0.y, row1.y, row2.y, row3.y);
    var first_half = Acc4(row0.x, row1.x, row2.x, row3.x);
    for (var i = 0u; i < 3u + nothing; i++) {
        let combined = acc4_combine_any(left, right, nothing);
        if i == 0u {
            first_half = combined;
            left = Acc4(row0.z, row1.z, row2.z, row3.z);
            right = Acc4(row0.w, row1.w, row2.w, row3.w);
        } else {
            left = acc4_select(first_half, combined, i == 2u);
            right = combined;
        }
    }
    return left;
}

// What the device is not right for is combined once more, one of a lane's at a time: so lanes of a subgroup make theirs together.
// `nothing` is 0, which compilers do not know: so they make one combination of any values of four, which is long.
@if(marked) fn acc4_combine_any(a: Acc4, b: Acc4, nothing: u32) -> Acc4 {
    let combined = Acc4(
        op_combine(a.x, b.x),
        op_combine(a.y, b.y),
        op_combine(a.z, b.z),
        op_combine(a.w, b.w),
    );
    var result = combined;
    // A bit for each that is left to do.
    var left = select(1u, 0u, op_is_right(a.x, b.x, combined.x))
        | select(2u, 0u, op_is_right(a.y, b.y, combined.y))
        | select(4u, 0u, op_is_right(a.z, b.z, combined.z))
        | select(8u, 0u, op_is_right(a.w, b.w, combined.w));
    for (var turn = 0u; turn < 4u + nothing; turn++) {
        if left == 0u {
            break;
        }
        let i = firstTrailingBit(left);
        left &= left - 1u;
        let one = op_combine_any(acc4_at(a, i), acc4_at(b, i));
        if i == 0u {
            result.x = one;
        }
        if i == 1u {
            result.y = one;
        }
        if i == 2u {
            result.z = one;
        }
        if i == 3u {
            result.w = one;
        }
    }
    return result;
}

@if(marked) fn acc4_at(accs: Acc4, i: u32) -> Acc {
    return acc_select(
        acc_select(accs.x, accs.y, i == 1u),
        acc_select(accs.z, accs.w, i == 3u),
        i >= 2u,
    );
}

@if(marked) fn acc4_select(a: Acc4, b: Acc4, takes_b: bool) -> Acc4 {
    if takes_b {
        return b;
    }
    return a;
}

// For operators that the device's arithmetic is always right for.

@if(none) fn unsafe_tiles_clear(lane_index: u32) {}

@if(none) fn unsafe_tile_note(tile: u32, range: Range) {}

@if(none) fn unsafe_tiles_combine(
    job: Params,
    rounds: Rounds,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) {}
